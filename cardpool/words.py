"""The words of the card pool on pages and in searches.

Classes, types, slots and changes; names folded for comparison, and suggestions for
misspelled ones. The marks of a card have a row each: the value in searches
(``is:permanent``), the name on pages, and the test for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from arkham.rules.card import Card, TabooChange
from arkham.rules.notation.names import closest, fold, names_of
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    BoxChoice,
    CardClass,
    CardType,
    SignatureKind,
    Tag,
    WeaknessKind,
)

__all__ = ["fold", "fold_text", "listed"]

_MARKUP = re.compile(r"<[^<>]*+>|\[\[|\]\]")


def fold_text(text: str) -> str:
    """Fold a text like :func:`fold`, without the mark-up of ArkhamDB's card texts."""
    return fold(_MARKUP.sub("", text))


def listed(values: tuple[str, ...] | list[str]) -> str:
    """Join values into one text in which each can be found: ``|spell|relic|``."""
    return f"|{'|'.join(values)}|" if values else ""


Words = str | Promise

CLASSES: dict[str, Words] = {
    CardClass.GUARDIAN: pgettext_lazy("class", "Guardian"),
    CardClass.SEEKER: pgettext_lazy("class", "Seeker"),
    CardClass.ROGUE: pgettext_lazy("class", "Rogue"),
    CardClass.MYSTIC: pgettext_lazy("class", "Mystic"),
    CardClass.SURVIVOR: pgettext_lazy("class", "Survivor"),
    "neutral": pgettext_lazy("class", "Neutral"),
    "mythos": pgettext_lazy("class", "Mythos"),
}
TYPES: dict[CardType, Words] = {
    CardType.INVESTIGATOR: gettext_lazy("Investigator"),
    CardType.ASSET: gettext_lazy("Asset"),
    CardType.EVENT: gettext_lazy("Event"),
    CardType.SKILL: pgettext_lazy("card type", "Skill"),
    CardType.TREACHERY: gettext_lazy("Treachery"),
    CardType.ENEMY: gettext_lazy("Enemy"),
    CardType.LOCATION: gettext_lazy("Location"),
    CardType.ENEMY_LOCATION: gettext_lazy("Enemy-Location"),
    CardType.STORY: pgettext_lazy("card type", "Story"),
    CardType.ACT: pgettext_lazy("card type", "Act"),
    CardType.AGENDA: gettext_lazy("Agenda"),
    CardType.SCENARIO: gettext_lazy("Scenario"),
    CardType.KEY: pgettext_lazy("card type", "Key"),
}
WEAKNESSES: dict[WeaknessKind, Words] = {
    WeaknessKind.BASIC: gettext_lazy("Basic weakness"),
    WeaknessKind.OTHER: gettext_lazy("Weakness"),
}
SIGNATURES: dict[SignatureKind, Words] = {
    SignatureKind.ORIGINAL: gettext_lazy("Signature"),
    SignatureKind.REPLACEMENT: gettext_lazy("Replacement signature"),
    SignatureKind.ADVANCED: gettext_lazy("Advanced signature"),
}
TAGS: dict[Tag, Words] = {
    Tag.HEALS_HORROR: gettext_lazy("Heals horror"),
    Tag.HEALS_DAMAGE: gettext_lazy("Heals damage"),
    Tag.PARLEY: gettext_lazy("Parley"),
    Tag.SEALS: gettext_lazy("Seals chaos tokens"),
    Tag.FIREARM: gettext_lazy("Firearm in its text"),
    Tag.EXILE: gettext_lazy("Exile in its text"),
}
SLOTS: dict[str, Words] = {
    "accessory": gettext_lazy("Accessory"),
    "ally": gettext_lazy("Ally"),
    "arcane": gettext_lazy("Arcane"),
    "body": pgettext_lazy("slot", "Body"),
    "hand": pgettext_lazy("slot", "Hand"),
    "head": pgettext_lazy("slot", "Head"),
    "tarot": gettext_lazy("Tarot"),
}
CHOICES: dict[BoxChoice, Words] = {
    BoxChoice.TRAIT: gettext_lazy("choose a trait"),
    BoxChoice.SKILL: gettext_lazy("choose a skill"),
    BoxChoice.CARD: gettext_lazy("choose a card"),
    BoxChoice.SLOT: gettext_lazy("choose a slot"),
}
CHOICE_KINDS: dict[str, Words] = {
    "class": gettext_lazy("Class"),
    "trait": gettext_lazy("Trait"),
    "size": gettext_lazy("Deck size"),
}


def capitals(words: str) -> str:
    """Capitalize words, as traits are printed."""
    return " ".join(capfirst(word) for word in words.split())


def taboo_words(change: TabooChange) -> tuple[str, ...]:
    """Return the changes of a taboo entry in words."""
    words: list[str] = []
    if change.deck_limit == 0:
        words.append(_("Forbidden"))
    if change.experience > 0:
        words.append(_("%(number)d more experience") % {"number": change.experience})
    if change.experience < 0:
        words.append(_("%(number)d less experience") % {"number": -change.experience})
    if change.exceptional is not None:
        words.append(_("Exceptional") if change.exceptional else _("Not exceptional"))
    if change.deck_limit:
        words.append(
            ngettext("Limit %(number)d", "Limit %(number)d", change.deck_limit)
            % {"number": change.deck_limit}
        )
    if change.campaign_only:
        words.append(_("Campaign mode only"))
    if change.sheet is not None:
        words.append(_("Its upgrade sheet is changed"))
    if change.size is not None or change.options is not None:
        words.append(_("Its deckbuilding is changed"))
    if change.text_only:
        words.append(_("Its text is changed"))
    return tuple(words) or (_("Changed"),)


LONGEST_GUESSED = 60  # characters; anything longer isn't a misspelled name
MOST_MEANT = 3


def no_card_called(name: str, pool: CardPool) -> str:
    """Return a message that no card has this name, with similar names."""
    message = _("We couldn’t find a card called “%(name)s”.") % {
        "name": name[:LONGEST_GUESSED]
    }
    return with_meant(message, names_of(pool).like(name))


def meant(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that this text may mean, likeliest first."""
    if len(name) > LONGEST_GUESSED:
        return []
    by_spelling = {fold(each): each for each in names}
    return [by_spelling[each] for each in closest(fold(name), by_spelling, MOST_MEANT)]


def with_meant(message: str, names: Iterable[str]) -> str:
    """Return the message, followed by the names that may have been meant."""
    suggested = _(" or ").join(f"“{each}”" for each in names)
    if not suggested:
        return message
    return f"{message} " + _("Did you mean %(names)s?") % {"names": suggested}


# ruff: noqa: E501 (the table aligns)


@dataclass(frozen=True, slots=True)
class CardMark:
    """A value for searches, its name on pages, and the test for a card."""

    word: str
    name: str | Promise
    borne_by: Callable[[Card], bool]


def _is_signature(card: Card) -> bool:
    return card.restriction is not None and bool(card.restriction.investigators)


def _is_parallel(card: Card) -> bool:
    return card.investigator is not None and card.investigator.parallel


# fmt: off
FAST = "fast"
# Marks that only gists have, not the facts of the snapshot: what finds one, whether it
# is there, and types without the mark: a skill is for tests. Fast is the keyword, not a
# word of a sentence.
MARKS_OF_GISTS: dict[str, tuple[re.Pattern[str], bool, tuple[CardType, ...]]] = {
    FAST: (re.compile(r"(?:^|[.;] )Fast\b"), True, ()),
    "testless": (
        re.compile(
            r"(?<!n )Fight|Investigat|[Ss]ucce|[Ff]ail|[Tt]est|(?<!utomatically )\b[Ee]vade"
            r"|(?:willpower|intellect|combat|agility)\] \(|[Ss]kill \("
        ),
        False,
        (CardType.SKILL,),
    ),
}
MARKS: dict[str, CardMark] = {
    mark.word: mark
    for mark in (
        CardMark("unique",          gettext_lazy("Unique"),           lambda card: card.unique),
        CardMark("permanent",       gettext_lazy("Permanent"),        lambda card: card.permanent),
        CardMark("exceptional",     gettext_lazy("Exceptional"),      lambda card: card.exceptional),
        CardMark("myriad",          gettext_lazy("Myriad"),           lambda card: card.myriad),
        CardMark("customizable",    gettext_lazy("Customizable"),     lambda card: bool(card.sheet)),
        CardMark("exile",           gettext_lazy("Exile"),            lambda card: Tag.EXILE in dict(card.tags)),
        CardMark("researched",      gettext_lazy("Researched"),       lambda card: card.researched),
        CardMark("bonded",          gettext_lazy("Bonded"),           lambda card: bool(card.bonded_to)),
        CardMark("multiclass",      gettext_lazy("Multiclass"),       lambda card: len(card.classes) > 1),
        CardMark("weakness",        gettext_lazy("Weakness"),         lambda card: card.weakness is not None),
        CardMark("basic-weakness",  gettext_lazy("Basic weakness"),   lambda card: card.weakness is WeaknessKind.BASIC),
        CardMark("signature",       gettext_lazy("Signature"),        _is_signature),
        CardMark("advanced",        gettext_lazy("Advanced"),         lambda card: card.signature is SignatureKind.ADVANCED),
        CardMark("replacement",     gettext_lazy("Replacement"),      lambda card: card.signature is SignatureKind.REPLACEMENT),
        CardMark("parallel",        gettext_lazy("Parallel"),         _is_parallel),
        CardMark("reward",          gettext_lazy("Campaign reward"),  lambda card: card.reward),
        CardMark("creation-only",   gettext_lazy("Deck creation only"), lambda card: card.creation_only),
        CardMark("campaign-only",   gettext_lazy("Campaign mode only"), lambda card: card.campaign_only),
        CardMark("multiplayer-only", gettext_lazy("Multiplayer only"), lambda card: card.multiplayer_only),
        CardMark("errata",          gettext_lazy("Has errata"),       lambda card: bool(card.errata)),
    )
}
# fmt: on


def marks_of(card: Card) -> tuple[str, ...]:
    """Return the marks of a card, in the table's order."""
    return tuple(mark.word for mark in MARKS.values() if mark.borne_by(card))
