"""Render notes written in Markdown as safe HTML.

HTML in notes is never passed through: tags are removed, the text between them is kept.
Pictures become links, because pages don't load anything from elsewhere; headings are
placed below those of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping, Sequence
from functools import cache, lru_cache
from typing import Any

from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

TOP_HEADING = 3  # the level of a note's first heading
_KEPT = 64  # recently rendered notes; a published deck is read often
# Brackets times letters, summed over paragraphs: for each possible link its end is
# searched. Above this it takes seconds, and no normal notes reach it.
MOST_WORK = 3_000_000
# Characters with a meaning in Markdown; each may become an element.
SIGNS = '!"#$%&*+-:<=>@[\\]^_`{|}~\n'
MOST_SIGNS = 10_000
MOST_CELLS = 10_000  # short rows of a table are filled up to its width
# Quotes times lines, summed over blocks without a blank line: each quote checks all
# lines that may continue it.
MOST_QUOTED = 250_000
_OPENING = re.compile(r"[\s>*+\-\d.)]*+")  # of a line: its quotes and list markers
MOST_ADDRESSES = 500_000  # letters; an address defined once may be linked often
Tokens = Sequence[Token]


class _Renderer(RendererHTML):
    """Writes HTML without the tags in the source."""

    def html_inline(self, *_args: Any) -> str:
        """Drop a tag."""
        return ""

    def html_block(self, *_args: Any) -> str:
        """Drop a block of HTML; they are not even parsed."""
        return ""

    def heading_open(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """Open or close a heading at a level that a note may have."""
        level = int(tokens[index].tag[1]) + TOP_HEADING - 1
        tokens[index].tag = f"h{min(level, 6)}"
        return self.renderToken(tokens, index, options, env)

    heading_close = heading_open

    def link_open(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """Open a link with ``rel`` values that don't vouch for its target."""
        tokens[index].attrSet("rel", "nofollow ugc noopener")
        return self.renderToken(tokens, index, options, env)

    def image(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """Write a picture as a link to it."""
        token = tokens[index]
        address = str(token.attrGet("src") or "")
        words = self.renderInlineAsText(token.children or [], options, env)
        link = Token("link_open", "a", 1, attrs={"href": address})
        text = Token("text", "", 0, content=words or address)
        opened = self.link_open([link], 0, options, env)
        return f"{opened}{self.text([text], 0, options, env)}</a>"

    def table_open(self, *_args: Any) -> str:
        """Open a table inside a box that scrolls on phones."""
        return '<div class="scroll"><table>'

    def th_open(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """Open a cell without alignment, which would be an inline style."""
        tokens[index].attrs.pop("style", None)
        return self.renderToken(tokens, index, options, env)

    td_open = th_open

    def table_close(self, *_args: Any) -> str:
        """Close the table."""
        return "</table></div>"


@cache
def _reader() -> MarkdownIt:
    """Return a parser for Markdown as people write it: line breaks are kept."""
    options: MutableMapping[str, Any] = {
        "html": True,
        "linkify": False,
        "typographer": False,
        "breaks": True,
    }
    reader = MarkdownIt("js-default", options, renderer_cls=_Renderer)
    return reader.disable("html_block")


def _is_laborious(text: str) -> bool:
    """Return whether parsing the notes as Markdown would take too long."""
    if sum(text.count(sign) for sign in SIGNS) > MOST_SIGNS:
        return True
    parts = text.split("\n\n")
    links = sum(part.count("[") * len(part) for part in parts)
    quoted = sum(_quotes(part) * part.count("\n") for part in parts)
    width = max((line.count("|") for line in text.split("\n")), default=0)
    cells = width * text.count("\n")
    return links > MOST_WORK or quoted > MOST_QUOTED or cells > MOST_CELLS


def _quotes(part: str) -> int:
    """Return the number of quote marks at the starts of lines, nested ones too."""
    return sum(each.count(">") for each in _openings(part))


def _openings(part: str) -> Iterator[str]:
    for line in part.split("\n"):
        if opening := _OPENING.match(line):
            yield opening[0]


def _letters_of_addresses(tokens: Tokens) -> int:
    """Return the total length of the addresses and titles of links and pictures."""
    inline = (each for token in tokens for each in token.children or ())
    return sum(len(str(value)) for each in inline for value in each.attrs.values())


@lru_cache(maxsize=_KEPT)
def rendered(text: str) -> SafeString:
    """Return the notes as HTML; everything in them is escaped.

    Notes that take too long to parse, or become far too long, are shown as written.
    """
    # Browsers end lines with \r\n, and blank lines are looked for.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _is_laborious(text):
        return _as_written(text)
    reader = _reader()
    env: dict[str, Any] = {}
    tokens = reader.parse(text, env)
    if _letters_of_addresses(tokens) > MOST_ADDRESSES:
        return _as_written(text)
    html: str = reader.renderer.render(tokens, reader.options, env)
    return mark_safe(html)  # noqa: S308 (every part is escaped)


def _as_written(text: str) -> SafeString:
    return mark_safe(linebreaks(text, autoescape=True))  # noqa: S308 (escaped)
