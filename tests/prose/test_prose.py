"""Notes in Markdown: what is written becomes HTML of ours, and nothing else does."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.prose import rendered

# Everything that may ever stand in a rendered note, with the attributes it may have.
ALLOWED = {
    "p": set(),
    "br": set(),
    "hr": set(),
    "em": set(),
    "strong": set(),
    "s": set(),
    "blockquote": set(),
    "ul": set(),
    "ol": {"start"},
    "li": set(),
    "code": {"class"},
    "pre": set(),
    "a": {"href", "title", "rel"},
    "h3": set(),
    "h4": set(),
    "h5": set(),
    "h6": set(),
    "div": {"class"},
    "table": set(),
    "thead": set(),
    "tbody": set(),
    "tr": set(),
    "th": set(),
    "td": set(),
}
_TAG = re.compile(r"<(/?)([a-zA-Z0-9]+)((?:\s+[a-z-]+=\"[^\"<>]*\")*)\s*/?>")


def _is_ours(html: str) -> bool:
    """Whether there is no tag and no attribute but ours, and no address that acts."""
    for _closing, tag, attributes in _TAG.findall(html):
        names = set(re.findall(r"([a-z-]+)=", re.sub(r'"[^"]*"', '""', attributes)))
        if tag not in ALLOWED or not names <= ALLOWED[tag]:
            return False
    addresses = re.findall(r'href="([^"]*)"', html)
    acting = ("javascript:", "vbscript:", "data:", "file:")
    if any(each.strip().lower().startswith(acting) for each in addresses):
        return False
    return "<" not in _TAG.sub("", html)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> "),
        ("# One\n## Two\n###### Six", "<h3>One</h3>\n<h4>Two</h4>\n<h6>Six</h6>\n"),
        ("a\nb", "<p>a<br>\nb</p>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        (
            "[Machete](/card/01020)",
            '<p><a href="/card/01020" rel="nofollow ugc noopener">Machete</a></p>\n',
        ),
        (
            "![A <b>](https://e.org/a.png)",
            '<p><a href="https://e.org/a.png" rel="nofollow ugc noopener">'
            "A &lt;b&gt;</a></p>\n",
        ),
        (
            "|a|b|\n|:-|-:|\n|1|2|",
            '<div class="scroll"><table><thead>\n<tr>\n<th>a</th>\n<th>b</th>\n',
        ),
    ],
)
def test_markdown_is_read(text: str, html: str) -> None:
    """What people write most; a picture is a link, a heading below the page's."""
    assert rendered(text).startswith(html)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<center>**a**</center>", "<p><strong>a</strong></p>\n"),
        ("<script>alert(1)</script>", "<p>alert(1)</p>\n"),
        ("a <!-- b --> c", "<p>a  c</p>\n"),
        ('<img src=x onerror="alert(1)">', "<p></p>\n"),
        ("<div\n onclick=alert(1)>x", "<p>x</p>\n"),
        ("<scr<script>ipt>a", "<p>&lt;script&gt;a</p>\n"),
        ("&lt;script&gt;", "<p>&lt;script&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("[a](JaVaScript&colon;b)", "<p>[a](JaVaScript:b)</p>\n"),
        ("`<b>`", "<p><code>&lt;b&gt;</code></p>\n"),
        ("1 < 2 > 0", "<p>1 &lt; 2 &gt; 0</p>\n"),
    ],
)
def test_html_never_passes(text: str, html: str) -> None:
    """Tags are left out, what stands between them is read."""
    assert rendered(text) == html


# What is put together; then the pieces that are or hold blanks.
_BITS = """
< > " [ ]( ) ![ ` ``` ~~~ * _ # | |-| |:-:| \\ <!-- --> <? ?> ]]> a '> é
&lt; &#60; &colon; onclick= style= <script> </script> <svg/onload=alert(1)>
<![CDATA[ javascript:b data:text/html,x
"""
_PIECES = st.sampled_from(_BITS.split()) | st.sampled_from(
    (
        "<img src=x onerror=alert(1)>",
        "<a href='",
        "[x]: ",
        "\n",
        "\n\n",
        "    ",
        "\t",
        "- ",
        "1. ",
        "> ",
        "\x00",
        "\u2028",
    )
)


@given(st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_nothing_gets_out_of_what_is_written(text: str) -> None:
    """However its pieces are put together."""
    assert _is_ours(rendered(text)), rendered(text)


def test_the_check_can_fail() -> None:
    """It finds what it looks for."""
    for bad in (
        "<script>",
        '<a href="javascript:x">',
        '<p onclick="x">',
        "<img>",
        "<p",
    ):
        assert not _is_ours(bad)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "![" * 40_000,
        "[*b " * 2_000 + "_c* " * 20_000,
        "[a](b" * 16_000,
        "\n> # a\nb" * 2_400,
        "\n> > # a\n> b" * 1_600,
        "\n- > # a\nb" * 1_900,
    ],
    ids=["brackets", "pictures", "mixed", "links", "quotes", "nested", "in a list"],
)
def test_what_is_made_to_take_long_is_shown_as_it_was_written(text: str) -> None:
    """At once, and still escaped."""
    began = time.process_time()
    html = rendered(f"<b>{text}")
    assert time.process_time() - began < 1
    assert html.startswith("<p>&lt;b&gt;")


def test_an_address_defined_once_is_not_repeated_without_end() -> None:
    """A hundred kilobytes would become two hundred megabytes."""
    text = f"[a]: /{'b' * 90_000}\n\n" + "[a]\n\n" * 2_000

    html = rendered(text)

    assert len(html) < 5 * len(text)
    assert "<a " not in html
    assert '<a href="/b"' in rendered("[a]: /b\n\n" + "[a]\n\n" * 2_000)


def test_a_long_quote_and_arrows_are_read() -> None:
    """One quote of many lines takes no longer than other text."""
    assert rendered("> as it was said\n" * 400).startswith("<blockquote>")
    assert rendered("- Machete -> Machete (2)\n" * 800).startswith("<ul>")


def test_long_notes_typed_in_a_browser_are_read() -> None:
    """Its forms end lines with two signs; paragraphs are told apart all the same."""
    line = f"Advice that {'goes on ' * 9}with a [card](/cards/01006/)."

    html = rendered(f"{line}\r\n\r\n" * 250)

    assert html.count('<a href="/cards/01006/"') == 250
