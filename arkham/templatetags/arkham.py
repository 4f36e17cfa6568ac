"""Tags and filters for all pages: signs, levels, class names."""

from __future__ import annotations

import re
from functools import lru_cache

from django import template
from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.urls import get_script_prefix
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from arkham.emblems import RIM, emblem_paths, ornament_paths
from arkham.prose import rendered
from arkham.rules.finding import Value
from arkham.rules.investigator import DeckOption, option_reach
from arkham.signs import SIGNS
from arkham.web.language import worded

register = template.Library()

KEPT = 4_096  # signs, levels and parts of pages, rendered once per language
QUOTED = re.compile(r"(``?)([^`]+)\1")


class KeptNode(Node):
    """A part of pages that follows from its facts."""

    def __init__(self, content: NodeList, facts: dict[str, FilterExpression]) -> None:
        self._content, self._facts = content, facts
        self._rendered: dict[tuple[object, ...], str] = {}

    def render(self, context: Context) -> str:
        """Return the part as it was first rendered from these facts."""
        facts = {name: each.resolve(context) for name, each in self._facts.items()}
        where = get_language(), get_script_prefix(), context.autoescape
        # Text that is safe and text that isn't may be equal.
        key = (*where, *((type(each), each) for each in facts.values()))
        found = self._rendered.get(key)
        if found is None:
            alone = Context(facts, autoescape=context.autoescape)  # without the request
            alone.template = context.template
            found = self._content.render(alone)
            if len(self._rendered) >= KEPT:
                self._rendered.clear()
            self._rendered[key] = found
        return found


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    """Render a part of pages once for each value of its facts, and keep it.

    ``{% kept app=… %}`` … ``{% endkept %}`` sees its facts and nothing else of a page,
    not even the request, so that no visitor is shown what belongs to another. Facts are
    plain values that can be compared: text, numbers, tuples of them.
    """
    facts = token_kwargs(token.split_contents()[1:], parser)
    content = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(content, facts)


@register.simple_tag
def sign(name: str, title: str | None = None) -> SafeString:
    """Return the sign as inline SVG.

    ``{% sign "guardian" %}`` gives screen readers its own name; ``{% sign "guardian" ""
    %}`` is silent, for use next to the word; ``{% sign "guardian" text %}`` gives them
    ``text``. An unknown name is an error.
    """
    return _drawn(name, str(SIGNS[name].title) if title is None else title)


@lru_cache(maxsize=KEPT)
def _drawn(name: str, spoken: str) -> SafeString:
    # The drawings are constants of ours.
    drawing = mark_safe(SIGNS[name].drawing)  # noqa: S308
    if not spoken:
        return format_html(
            '<svg class="sign sign-{}" viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
            name,
            drawing,
        )
    return format_html(
        '<svg class="sign sign-{}" viewBox="0 0 24 24" role="img">'
        "<title>{}</title>{}</svg>",
        name,
        spoken,
        drawing,
    )


@register.simple_tag
def emblem(guide_id: str) -> SafeString:
    """Return a campaign's emblem, by the id of its guide; show its name next to it."""
    return _outlined("emblem", (RIM, *emblem_paths(guide_id)))


@register.simple_tag
def ornament(card_class: str, monogram: str) -> SafeString:
    """Return a class's ornament behind letters; show the name next to it."""
    return _outlined(f"arms {card_class}", ornament_paths(card_class), monogram)


@lru_cache(maxsize=KEPT)
def _outlined(kind: str, paths: tuple[str, ...], letters: str = "") -> SafeString:
    return format_html(
        '<svg class="{}" viewBox="0 0 48 48" aria-hidden="true">{}{}</svg>',
        kind,
        format_html_join("", '<path d="{}"/>', ((path,) for path in paths)),
        format_html('<text x="24" y="31" translate="no">{}</text>', letters)
        if letters
        else "",
    )


@register.filter(name="worded")
def worded_filter(value: Value) -> str:
    """Return a value of a rules message in the reader's language."""
    return worded(value)


@register.filter(name="option_label")
def option_label_filter(option: DeckOption) -> str:
    """Return what a deckbuilding option allows or forbids."""
    return worded(option_reach(option))


@register.simple_tag
def level(number: int | None) -> SafeString:
    """Return the level as pips, none for level 0; a dash for cards without level."""
    if number is None:
        return format_html(
            '<span class="level level-none"><span class="unseen">{}</span></span>',
            _("No level"),
        )
    return _pips(number, _("Level %(number)d") % {"number": number})


@lru_cache(maxsize=KEPT)
def _pips(number: int, spoken: str) -> SafeString:
    return format_html(
        '<span class="level"><span class="unseen">{}</span>{}</span>',
        spoken,
        mark_safe('<i class="on"></i>' * number),  # noqa: S308  # nothing from outside
    )


@register.filter
def markdown(text: str) -> SafeString:
    """Return notes in Markdown as safe HTML."""
    return rendered(text)


@register.filter
def with_code(text: str) -> SafeString:
    """Return an API description as safe HTML: names in backticks are code."""
    marked = QUOTED.sub(r"<code>\2</code>", conditional_escape(text))
    return mark_safe(marked)  # noqa: S308  # all but the tags was escaped
