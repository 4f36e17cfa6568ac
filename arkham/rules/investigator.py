"""What the back of an investigator card allows and requires."""

from __future__ import annotations

from dataclasses import dataclass

from arkham.rules.vocabulary import CardClass, CardType, Tag


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A deck must hold ``cards`` cards each of ``classes`` different classes."""

    classes: int
    cards: int


@dataclass(frozen=True, slots=True)
class DeckOption:
    """One category of Deckbuilding Options (or a restriction, if ``forbids``).

    A card fits when every criterion that is set holds: one of ``classes`` (or
    neutral), ``level`` between ``levels`` (a card without a level never fits), one of
    ``types``, one of ``traits`` (lower case), one of ``tags``, one of ``uses`` (the
    kind of token), one of ``slots``, ``permanent`` as stated. ``limit`` is the number
    of copies the option takes; ``other`` is true where the printed text says "other"
    (FAQ 1.15). ``spares`` names traits that lift a restriction ("unless they are also
    Cursed"). ``counts_only`` options admit nothing; they carry an at-least.
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

    ``key`` is the name under which a deck carries it (``class``, ``class_1``,
    ``class_2``, ``trait``, ``size``); ``offers`` are the values allowed. A value
    brings options: for classes, ``template`` with the class filled in; for traits and
    sizes, what ``grants`` lists. ``size`` adds to the deck size by value.
    """

    key: str
    kind: str  # class | trait | size
    offers: tuple[str, ...]
    template: DeckOption | None = None
    grants: tuple[tuple[str, tuple[DeckOption, ...]], ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A card the deck must hold: ``copies`` of the title first listed.

    ``original`` is the code printed on the back; ``advanced`` and ``replacements``
    are the codes that may stand for it. ``copies_by_size`` overrides ``copies`` by
    the deck size chosen; ``copies_at_most`` allows a range (one for each
    investigator in the game).
    """

    original: str
    copies: int = 1
    copies_at_most: int | None = None
    copies_by_size: tuple[tuple[int, int], ...] = ()
    advanced: str | None = None
    replacements: tuple[tuple[str, int], ...] = ()  # code, copies

    def codes(self) -> tuple[str, ...]:
        """Every code that can meet the requirement."""
        advanced = (self.advanced,) if self.advanced else ()
        return (self.original, *advanced, *(code for code, _ in self.replacements))


@dataclass(frozen=True, slots=True)
class SideDeckBack:
    """A second deck printed on a back: its size, who may be in it, who must."""

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
    """The front and the back of an investigator card that can build a deck.

    ``base`` is the code of the original of the same investigator: a parallel, a
    promo and a reprint share it with the card first printed. ``playable`` is false
    for cards that never start a deck (prologue investigators, transformations).
    """

    base: str
    back: Back | None
    playable: bool = True
    parallel: bool = False
