"""Filters of the card pages: printed text, choices in words."""

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
    """The FAQ of a version of our rules, without our own count of changes."""
    return rules_version.partition("/")[0]


@register.filter
def printed(text: str) -> SafeString:
    """Printed text as paragraphs."""
    return rendered(text)


@register.filter
def card_notes(text: str) -> SafeString:
    """Notes in Markdown as safe HTML, with links to the cards in double brackets."""
    return notes_rendered(with_card_links(text, current_pool()))


@register.filter
def with_signs(line: str) -> SafeString:
    """A line of a gist, its symbols drawn."""
    return _with_signs(line, get_language())


@lru_cache(maxsize=KEPT)
def _with_signs(line: str, _language: str | None) -> SafeString:
    return rendered_line(line)


@register.filter
def card_name(card: Card | None) -> str:
    """What the reader calls a card; "" for none."""
    return shown_name(card) if card else ""


@register.simple_tag
def card_link(card: Card | str | None, name: str = "") -> str:
    """A card's name as a link to its page, which shows the card where it is pointed at.

    ``name`` is what it is called here, ``card`` itself or its code. What is no card of
    the pool is only named.
    """
    known = seen_pool().get_card(card) if isinstance(card, str) else card
    if known is None:
        return name or "?"
    return linked(known, name or shown_name(known))


@register.filter
def with_cards(sentence: str, codes: Iterable[str]) -> SafeString:
    """A sentence about these cards, with links where it names them."""
    known = filter(None, map(seen_pool().get_card, codes))
    return named_in(sentence, known, shown_name)


@register.filter
def naming_cards(text: str, of: Card | None = None) -> SafeString:
    """A text or HTML with a link wherever it names a card, but the one it is of."""
    near = frozenset((of.encounter_set,)) if of else frozenset()
    return card_mentions().linked(conditional_escape(text), of, near)


@register.filter
def card_subname(card: Card | None) -> str:
    """Its subtitle in the reader's language."""
    return shown_subname(card) if card else ""


@register.filter
def in_words(choice: BoxChoice) -> Words:
    """What a box of an upgrade sheet asks its owner to write down."""
    return CHOICES[choice]


@register.filter
def capital(words: str) -> str:
    """Words with capital letters, as traits and classes are printed."""
    return capitals(words)


@register.simple_tag
def nothing_imported() -> bool:
    """Whether this server has neither texts nor an import that was begun."""
    begun = CardImport.objects.filter(kind=CardImport.KIND)
    return not (CardText.objects.exists() or begun.exists())


@register.simple_tag
def new_cards() -> CardImport | None:
    """The preview that came last, if what it found was not imported since."""
    latest = CardImport.latest()
    if latest is None or not latest.has_news:
        return None
    since = DataVersion.objects.filter(loaded_at__gt=latest.ended_at)
    return None if since.exists() else latest


@register.simple_tag
def plate(card: Card, *, named: bool = True) -> SafeString:
    """The plate of an investigator: monogram, class, skills, health and sanity.

    ``named`` says whether it bears the name too, or stands beside it.
    """
    return _plate(card, readers_language().title(card), named, get_language())


@lru_cache(maxsize=PLATES_KEPT)
def _plate(
    card: Card, title: CardTitle, named: bool, _language: str | None
) -> SafeString:
    name, subname = title
    names = re.findall(r"\w+", name)
    initials = names[0][0] + (names[-1][0] if len(names) > 1 else "")
    context = {
        "card": card,
        "name": name,
        "subname": subname,
        "sign": card.classes[0].value if card.classes else "neutral",
        "skills": skills_of(card),
        "initials": initials.upper(),
        "named": named,
    }
    return render_to_string("cardpool/_plate.html", context)
