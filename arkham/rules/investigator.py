"""What an investigator's back allows and requires, and labels that describe it.

A label is built from phrases that are complete in themselves, so that each can be
translated. Labels are never stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from arkham.rules.finding import Phrase, Value, gettext_noop
from arkham.rules.vocabulary import CardClass, CardType, Tag


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A deck needs ``cards`` cards of each of ``classes`` different classes."""

    classes: int
    cards: int


@dataclass(frozen=True, slots=True)
class DeckOption:
    """One category of Deckbuilding Options (or a restriction, if ``forbids``).

    A card fits if it meets every criterion that is set: one of ``classes`` (or
    neutral), a level within ``levels`` (a card without a level never fits), one of
    ``types``, one of ``traits`` (lower case), one of ``tags``, one of ``uses`` (the
    kind of token), one of ``slots``, ``permanent`` as given. ``limit`` is the number of
    copies the option takes; ``other`` is true if the printed text says "other" (FAQ
    1.15). ``spares`` names traits that lift a restriction ("unless they are also
    Cursed"). ``counts_only`` options admit nothing; they only carry an ``at_least``.
    """

    id: str
    classes: tuple[CardClass, ...] = ()
    neutral: bool = False
    levels: tuple[int, int] | None = None
    start_levels: tuple[int, int] | None = None
    types: tuple[CardType, ...] = ()
    traits: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    uses: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    permanent: bool | None = None
    limit: int | None = None
    other: bool = False
    forbids: bool = False
    spares: tuple[str, ...] = ()
    counts_only: bool = False
    at_least: AtLeast | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the player decides at deck creation.

    ``key`` is the name under which a deck stores the choice (``class``, ``class_1``,
    ``class_2``, ``trait``, ``size``); ``offers`` are the allowed values. A value adds
    options: for a class, ``template`` with that class; for a trait or size, those
    listed in ``grants``. ``sizes`` maps a value to what it adds to the deck size.
    """

    key: str
    kind: str  # class | trait | size
    offers: tuple[str, ...]
    template: DeckOption | None = None
    grants: tuple[tuple[str, tuple[DeckOption, ...]], ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A card that the deck must include: ``copies`` of the title of ``original``.

    ``original`` is the code printed on the back; ``advanced`` and ``replacements`` are
    the codes that may be used instead. ``copies_by_size`` overrides ``copies`` by the
    chosen deck size; ``copies_at_most`` allows a range (one for each investigator in
    the game).
    """

    original: str
    copies: int = 1
    copies_at_most: int | None = None
    copies_by_size: tuple[tuple[int, int], ...] = ()
    advanced: str | None = None
    replacements: tuple[tuple[str, int], ...] = ()  # pairs of code and copies

    def codes(self) -> tuple[str, ...]:
        """Every code that can meet the requirement."""
        advanced = (self.advanced,) if self.advanced else ()
        return (self.original, *advanced, *(code for code, _ in self.replacements))


@dataclass(frozen=True, slots=True)
class SideDeckBack:
    """A second deck printed on a back: its size, allowed cards and required cards."""

    size: int
    options: tuple[DeckOption, ...]
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Back:
    """The deckbuilding side of an investigator card."""

    size: int
    options: tuple[DeckOption, ...]
    choices: tuple[Choice, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    basic_weaknesses: int = 1
    bonus_experience: int = 0
    side_deck: SideDeckBack | None = None


@dataclass(frozen=True, slots=True)
class InvestigatorFacts:
    """The front and back of an investigator card that can build a deck.

    ``base`` is the code of the investigator's first printed card, which parallel,
    promotional and reprinted versions share. ``playable`` is false for cards that never
    start a deck (prologue investigators, transformations).
    """

    base: str
    back: Back | None
    playable: bool = True
    parallel: bool = False


# Options granted by a card have their own labels.
_GRANTED = {
    "versatile": gettext_noop("one other level 0 card of any class for each Versatile"),
    "collector": gettext_noop(
        "one more asset, a Relic or Charm, whatever its class, level 0–3"
    ),
    "no-ally-slot": gettext_noop("no assets with an ally slot"),
}
CLASS_NAMES = {
    CardClass.GUARDIAN: gettext_noop("Guardian"),
    CardClass.SEEKER: gettext_noop("Seeker"),
    CardClass.ROGUE: gettext_noop("Rogue"),
    CardClass.MYSTIC: gettext_noop("Mystic"),
    CardClass.SURVIVOR: gettext_noop("Survivor"),
}
_CARDS, _PERMANENTS = gettext_noop("cards"), gettext_noop("permanents")
_KINDS = {
    CardType.ASSET: gettext_noop("assets"),
    CardType.EVENT: gettext_noop("events"),
    CardType.SKILL: gettext_noop("skills"),
}
_SLOTS = {
    "ally": gettext_noop("ally"),
    "hand": gettext_noop("hand"),
    "arcane": gettext_noop("arcane"),
    "accessory": gettext_noop("accessory"),
    "body": gettext_noop("body"),
    "tarot": gettext_noop("tarot"),
    "head": gettext_noop("head"),
}
_ENVIRONMENTS = {
    "legacy": gettext_noop("legacy"),
    "current": gettext_noop("current"),
    "limited": gettext_noop("limited"),
    "products": gettext_noop("chosen"),
}
_TYPES = {
    CardType.ASSET: gettext_noop("asset"),
    CardType.EVENT: gettext_noop("event"),
    CardType.SKILL: gettext_noop("skill"),
}
_TAGS = {
    Tag.HEALS_HORROR: gettext_noop("healing horror"),
    Tag.HEALS_DAMAGE: gettext_noop("healing damage"),
    Tag.PARLEY: gettext_noop("with a parley"),
    Tag.SEALS: gettext_noop("that seal"),
    Tag.FIREARM: gettext_noop("naming Firearm in the text"),
}
CHOSEN_CLASS = Phrase(gettext_noop("chosen-class"))


@lru_cache(maxsize=512)  # there are a few hundred options
def option_label(option: DeckOption, chosen: Value | None = None) -> Phrase:
    """Describe what an option admits or forbids; ``chosen`` is its class if chosen."""
    if option.id in _GRANTED:
        return Phrase(_GRANTED[option.id])
    if option.counts_only and option.at_least is not None:
        values = (("count", option.at_least.cards),)
        return Phrase(gettext_noop("{count} cards or more of each class"), values)
    label = _with_level(option, _described(option, chosen))
    if option.permanent is False:
        label = _around(gettext_noop("{cards}, not permanent"), label)
    if option.spares:
        label = _around(
            gettext_noop("{cards}, except {traits}"),
            label,
            ("traits", _either([each.title() for each in option.spares])),
        )
    return Phrase("{label}", (("label", label),), capital=True)


def option_reach(option: DeckOption) -> Phrase:
    """The option's label, plus its levels at deck creation if they differ."""
    if option.start_levels is None:
        return option_label(option)
    return Phrase(
        gettext_noop("{label} (level {levels} at deck creation)"),
        (
            ("label", option_label(option)),
            ("levels", levels_text(option.start_levels)),
        ),
    )


def _around(message: str, cards: Value, *values: tuple[str, Value]) -> Phrase:
    return Phrase(message, (("cards", cards), *values))


def _described(option: DeckOption, chosen: Value | None) -> Value:
    """The cards of an option, without the level that follows them in the label."""
    label = _traits(option)
    of_class = _classes(option, chosen)
    if of_class is not None:
        label = _around(gettext_noop("{classes} {cards}"), label, ("classes", of_class))
    if _level_inside(option):
        label = _around(gettext_noop("{level} {cards}"), label, _level(option))
    if option.tags:
        tags = _either([Phrase(_TAGS[each]) for each in option.tags])
        label = _around(gettext_noop("{cards} {tags}"), label, ("tags", tags))
    if option.uses:
        label = _around(
            gettext_noop("{cards} that use {uses}"),
            label,
            ("uses", _either(option.uses)),
        )
    if option.slots:
        label = _around(
            gettext_noop("{cards} in the {slots} slot"),
            label,
            ("slots", _either([*map(slot_words, option.slots)])),
        )
    if _from_others(option):
        label = _around(gettext_noop("{cards} from other classes"), label)
    elif option.classes == tuple(CardClass):
        label = _around(gettext_noop("{cards} of any class"), label)
    return _bounded(option, label)


def _bounded(option: DeckOption, label: Value) -> Value:
    if option.limit is not None:
        message = (
            gettext_noop("at most {limit} other {cards}")
            if option.other and not _from_others(option)
            else gettext_noop("at most {limit} {cards}")
        )
        label = _around(message, label, ("limit", option.limit))
    if option.forbids:
        label = _around(gettext_noop("no {cards}"), label)
    return label


def _from_others(option: DeckOption) -> bool:
    """True if the option's classes are "any other class": all classes but one."""
    return option.limit is not None and len(option.classes) == len(CardClass) - 1


def _classes(option: DeckOption, chosen: Value | None) -> Value | None:
    named: Value | None = None
    if option.classes == tuple(CardClass) or _from_others(option):
        pass
    elif chosen is not None:
        named = chosen
    elif option.classes:
        each = [Phrase(CLASS_NAMES[one]) for one in option.classes]
        named = _either(each) if option.limit is not None else _both(each)
    if not option.neutral:
        return named
    neutral = Phrase(gettext_noop("Neutral"))
    if named is None:
        return neutral
    return Phrase(gettext_noop("{classes} and neutral"), (("classes", named),))


def _traits(option: DeckOption) -> Value:
    kinds = _kinds(option)
    if not option.traits:
        return kinds
    traits = _either([each.title() for each in option.traits])
    return _around(gettext_noop("{traits} {cards}"), kinds, ("traits", traits))


def _kinds(option: DeckOption) -> Value:
    if not option.types:
        return Phrase(_PERMANENTS if option.permanent else _CARDS)
    return _both([_phrase_of(_KINDS, each) for each in option.types])


def _level_inside(option: DeckOption) -> bool:
    """True if the level precedes the cards, as in "at most 5 level 0 cards"."""
    return option.levels is not None and (option.forbids or option.limit is not None)


def _with_level(option: DeckOption, label: Value) -> Value:
    if option.levels is None or _level_inside(option):
        return label
    return _around(gettext_noop("{cards}, {level}"), label, _level(option))


def _level(option: DeckOption) -> tuple[str, Phrase]:
    assert option.levels is not None
    return "level", Phrase(
        gettext_noop("level {levels}"), (("levels", levels_text(option.levels)),)
    )


def class_words(value: str) -> Value:
    """The name of a class."""
    return Phrase(CLASS_NAMES[CardClass(value)])


def choice_words(value: str) -> Value:
    """The name of a deck choice: a class, a trait as printed, "both" or a size."""
    if value == "both":
        return Phrase(gettext_noop("both"))
    return class_words(value) if value in CLASS_NAMES else value.capitalize()


def type_words(card_type: CardType) -> Value:
    """The name of a card type, as used before "cards"."""
    return _phrase_of(_TYPES, card_type)


def slot_words(kind: str) -> Value:
    """The name of a kind of slot."""
    return _phrase_of(_SLOTS, kind)


def environment_words(kind: str) -> Value:
    """The name of an environment, as used before that word."""
    return _phrase_of(_ENVIRONMENTS, kind)


def _phrase_of(words: Mapping[Any, str], key: str) -> Value:
    """The phrase for a key, or the key itself if there is none."""
    return Phrase(words[key]) if key in words else str(key)


def levels_text(levels: tuple[int, int]) -> str:
    """A level or a range of levels as text: "2" or "0–3"."""
    return "–".join(str(each) for each in sorted({*levels}))


def _either(values: Sequence[Value]) -> Value:
    return _chain(gettext_noop("{some} or {more}"), values)


def _both(values: Sequence[Value]) -> Value:
    return _chain(gettext_noop("{some} and {more}"), values)


def _chain(message: str, values: Sequence[Value]) -> Value:
    label, *others = values
    for each in others:
        label = Phrase(message, (("some", label), ("more", each)))
    return label
