"""Tags and filters for all pages: signs, levels, class names."""

from __future__ import annotations

import re
from functools import lru_cache

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from arkham.emblems import RIM, emblem_paths, ornament_paths
from arkham.prose import rendered
from arkham.rules.finding import Value
from arkham.rules.investigator import DeckOption, option_reach
from arkham.signs import SIGNS
from arkham.web.language import worded

register = template.Library()

KEPT = 1_024  # signs and levels, drawn once per language
QUOTED = re.compile(r"(``?)([^`]+)\1")


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
