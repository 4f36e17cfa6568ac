"""Turns notes written in Markdown into safe HTML.

HTML in them is never let through: tags are left out, what stands between them stays.
Pictures become links, for a page shows nothing from elsewhere; headings stand below
those of the page.
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

TOP_HEADING = 3  # what a note calls its first heading
_KEPT = 64  # notes rendered lately; a published deck is read often
# Brackets times letters, summed over paragraphs: where a link may begin, its end is
# looked for. Above this it takes seconds, and no notes that are meant to be read do.
MOST_WORK = 3_000_000
# Characters that mean something in Markdown; each may become an element of its own.
SIGNS = '!"#$%&*+-:<=>@[\\]^_`{|}~\n'
MOST_SIGNS = 10_000
MOST_CELLS = 10_000  # a short row of a table is filled up to the width of its head
# Quotes times lines, summed over what stands without a blank line: each quote that is
# opened looks at all lines that may go on with it.
MOST_QUOTED = 250_000
_OPENING = re.compile(r"[\s>*+\-\d.)]*+")  # of a line: its quotes and items of lists
MOST_ADDRESSES = 500_000  # letters; an address defined once may be linked to often
Tokens = Sequence[Token]


class _Renderer(RendererHTML):
    """Writes HTML without any that was written by somebody."""

    def html_inline(self, *_args: Any) -> str:
        """A tag: nothing of it."""
        return ""

    def html_block(self, *_args: Any) -> str:
        """The same; blocks of HTML are not even looked for."""
        return ""

    def heading_open(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """A heading of a level that a note may have."""
        tokens[index].tag = _lowered(tokens[index].tag)
        return self.renderToken(tokens, index, options, env)

    def heading_close(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """The end of one."""
        tokens[index].tag = _lowered(tokens[index].tag)
        return self.renderToken(tokens, index, options, env)

    def link_open(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """A link that vouches for nothing."""
        tokens[index].attrSet("rel", "nofollow ugc noopener")
        return self.renderToken(tokens, index, options, env)

    def image(self, tokens: Tokens, index: int, options: OptionsDict, env: Any) -> str:
        """A picture, as a link to it."""
        token = tokens[index]
        address = str(token.attrGet("src") or "")
        words = self.renderInlineAsText(token.children or [], options, env)
        link = Token("link_open", "a", 1, attrs={"href": address})
        text = Token("text", "", 0, content=words or address)
        opened = self.link_open([link], 0, options, env)
        return f"{opened}{self.text([text], 0, options, env)}</a>"

    def table_open(self, *_args: Any) -> str:
        """A table, which may be wider than a phone."""
        return '<div class="scroll"><table>'

    def th_open(
        self, tokens: Tokens, index: int, options: OptionsDict, env: Any
    ) -> str:
        """A cell; how it is aligned would be an inline style, which no page has."""
        tokens[index].attrs.pop("style", None)
        return self.renderToken(tokens, index, options, env)

    td_open = th_open

    def table_close(self, *_args: Any) -> str:
        """The end of one."""
        return "</table></div>"


def _lowered(tag: str) -> str:
    return f"h{min(int(tag[1]) + TOP_HEADING - 1, 6)}"


@cache
def _reader() -> MarkdownIt:
    """Markdown as people write it: a new line is a new line, tags are only found."""
    options: MutableMapping[str, Any] = {
        "html": True,
        "linkify": False,
        "typographer": False,
        "breaks": True,
    }
    reader = MarkdownIt("js-default", options, renderer_cls=_Renderer)
    return reader.disable("html_block")


def _is_laborious(text: str) -> bool:
    """Whether reading the notes as Markdown takes longer than a reader would wait."""
    if sum(text.count(sign) for sign in SIGNS) > MOST_SIGNS:
        return True
    parts = text.split("\n\n")
    links = sum(part.count("[") * len(part) for part in parts)
    quoted = sum(_quotes(part) * part.count("\n") for part in parts)
    width = max((line.count("|") for line in text.split("\n")), default=0)
    cells = width * text.count("\n")
    return links > MOST_WORK or quoted > MOST_QUOTED or cells > MOST_CELLS


def _quotes(part: str) -> int:
    """How many quotes the lines begin with, those within others too."""
    return sum(each.count(">") for each in _openings(part))


def _openings(part: str) -> Iterator[str]:
    for line in part.split("\n"):
        if opening := _OPENING.match(line):
            yield opening[0]


def _letters_of_addresses(tokens: Tokens) -> int:
    """How long the addresses and titles of all links and pictures are together."""
    inline = (each for token in tokens for each in token.children or ())
    return sum(len(str(value)) for each in inline for value in each.attrs.values())


@lru_cache(maxsize=_KEPT)
def rendered(text: str) -> SafeString:
    """The notes as HTML; every part that somebody wrote is escaped.

    What would take too long to read as Markdown, or become far longer by it, is shown
    as it was written.
    """
    # Browsers end lines with both signs, and blank lines are looked for.
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
