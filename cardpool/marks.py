# ruff: noqa: E501 (the table aligns)
"""The words for the kind of a card.

One row a mark: the word searches use (``is:permanent``), what pages call it, and which
cards bear it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.card import Card
from arkham.rules.vocabulary import SignatureKind, Tag, WeaknessKind


@dataclass(frozen=True, slots=True)
class CardMark:
    """A word, its name on pages, and the test a card must pass to bear it."""

    word: str
    name: str | Promise
    borne_by: Callable[[Card], bool]


def _is_signature(card: Card) -> bool:
    return card.restriction is not None and bool(card.restriction.investigators)


def _is_parallel(card: Card) -> bool:
    return card.investigator is not None and card.investigator.parallel


# fmt: off
MARKS: dict[str, CardMark] = {
    mark.word: mark
    for mark in (
        CardMark("unique",          _("Unique"),           lambda card: card.unique),
        CardMark("permanent",       _("Permanent"),        lambda card: card.permanent),
        CardMark("exceptional",     _("Exceptional"),      lambda card: card.exceptional),
        CardMark("myriad",          _("Myriad"),           lambda card: card.myriad),
        CardMark("customizable",    _("Customizable"),     lambda card: bool(card.sheet)),
        CardMark("exile",           _("Exile"),            lambda card: Tag.EXILE in dict(card.tags)),
        CardMark("researched",      _("Researched"),       lambda card: card.researched),
        CardMark("bonded",          _("Bonded"),           lambda card: bool(card.bonded_to)),
        CardMark("multiclass",      _("Multiclass"),       lambda card: len(card.classes) > 1),
        CardMark("weakness",        _("Weakness"),         lambda card: card.weakness is not None),
        CardMark("basic-weakness",  _("Basic weakness"),   lambda card: card.weakness is WeaknessKind.BASIC),
        CardMark("signature",       _("Signature"),        _is_signature),
        CardMark("advanced",        _("Advanced"),         lambda card: card.signature is SignatureKind.ADVANCED),
        CardMark("replacement",     _("Replacement"),      lambda card: card.signature is SignatureKind.REPLACEMENT),
        CardMark("parallel",        _("Parallel"),         _is_parallel),
        CardMark("reward",          _("Campaign reward"),  lambda card: card.reward),
        CardMark("creation-only",   _("Deck creation only"), lambda card: card.creation_only),
        CardMark("campaign-only",   _("Campaign mode only"), lambda card: card.campaign_only),
        CardMark("multiplayer-only", _("Multiplayer only"), lambda card: card.multiplayer_only),
        CardMark("errata",          _("Has errata"),       lambda card: bool(card.errata)),
    )
}
# fmt: on


def marks_of(card: Card) -> tuple[str, ...]:
    """The words a card bears, in the table's order."""
    return tuple(mark.word for mark in MARKS.values() if mark.borne_by(card))
