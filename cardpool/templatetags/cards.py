"""Template tags and filters for cards: texts, names, links, plates."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from arkham.prose import rendered as notes_rendered
from arkham.rules.card import Card
from arkham.rules.vocabulary import BoxChoice
from cardpool.catalog import current_pool, seen_pool
from cardpool.languages import (
    CardTitle,
    card_mentions,
    readers_language,
    shown_name,
    shown_subname,
)
from cardpool.markup import linked, rendered, rendered_line, with_card_links
from cardpool.markup import with_cards as named_in
from cardpool.models import CardImport, CardText, DataVersion
from cardpool.shown import skills_of
from cardpool.words import CHOICES, Words, capitals

register = template.Library()

KEPT = 4_096  # lines of gists, in each language
PLATES_KEPT = 512  # of investigators, with and without their names


@register.filter
def faq_of(rules_version: str) -> str:
    """Return the FAQ of a version of our rules, without our own revision number."""
    return rules_version.partition("/")[0]


@register.filter
def printed(text: str) -> SafeString:
    """Return printed text as paragraphs."""
    return rendered(text)


@register.filter
def card_notes(text: str) -> SafeString:
    """Return Markdown notes as safe HTML, with links for cards in double brackets."""
    return notes_rendered(with_card_links(text, current_pool()))


@register.filter
def with_signs(line: str) -> SafeString:
    """Return a line of a gist with its symbols drawn."""
    return _with_signs(line, get_language())


@lru_cache(maxsize=KEPT)
def _with_signs(line: str, _language: str | None) -> SafeString:
    return rendered_line(line)


@register.filter
def card_name(card: Card | None) -> str:
    """Return the name of a card in the reader's language; "" for None."""
    return shown_name(card) if card else ""


@register.simple_tag
def card_link(card: Card | str | None, name: str = "") -> str:
    """Return a card's name as a link to its page, with a preview.

    ``card`` is a card or its code, ``name`` replaces its name. An unknown card is named
    without a link.
    """
    known = seen_pool().get_card(card) if isinstance(card, str) else card
    if known is None:
        return name or "?"
    return linked(known, name or shown_name(known))


@register.filter
def with_cards(sentence: str, codes: Iterable[str]) -> SafeString:
    """Return a sentence about these cards, with their names as links."""
    known = filter(None, map(seen_pool().get_card, codes))
    return named_in(sentence, known, shown_name)


@register.filter
def naming_cards(text: str, of: Card | None = None) -> SafeString:
    """Return text or HTML with links at names of cards, except the one it is on."""
    near = frozenset((of.encounter_set,)) if of else frozenset()
    return card_mentions().linked(conditional_escape(text), of, near)


@register.filter
def card_subname(card: Card | None) -> str:
    """Return the subtitle of a card in the reader's language."""
    return shown_subname(card) if card else ""


@register.filter
def in_words(choice: BoxChoice) -> Words:
    """Return what has to be written in a box of an upgrade sheet."""
    return CHOICES[choice]


@register.filter
def capital(words: str) -> str:
    """Capitalize words, as traits and classes are printed."""
    return capitals(words)


@register.simple_tag
def nothing_imported() -> bool:
    """Return True if this server has no texts and no import was begun."""
    begun = CardImport.objects.filter(kind=CardImport.KIND)
    return not (CardText.objects.exists() or begun.exists())


@register.simple_tag
def new_cards() -> CardImport | None:
    """Return the latest preview, if its changes weren't imported since."""
    latest = CardImport.latest()
    if latest is None or not latest.has_news:
        return None
    since = DataVersion.objects.filter(loaded_at__gt=latest.ended_at)
    return None if since.exists() else latest


@register.filter
def monogram(name: str) -> str:
    """The first letters of a name's first and last word."""
    words = re.findall(r"\w+", name)
    return "".join(each[0] for each in (words[:1] + words[1:][-1:])).upper()


@register.simple_tag
def plate(card: Card, *, named: bool = True) -> SafeString:
    """Render the plate of an investigator: monogram, class, skills, health, sanity.

    ``named`` includes the name; without it the plate goes next to the name.
    """
    return _plate(card, readers_language().title(card), named, get_language())


@lru_cache(maxsize=PLATES_KEPT)
def _plate(
    card: Card, title: CardTitle, named: bool, _language: str | None
) -> SafeString:
    name, subname = title
    context = {
        "card": card,
        "name": name,
        "subname": subname,
        "sign": card.classes[0].value if card.classes else "neutral",
        "skills": skills_of(card),
        "initials": monogram(name),
        "named": named,
    }
    return render_to_string("cardpool/_plate.html", context)
