"""A small deck: its cards, those just drawn, and those gone.

For decks of named cards in a scenario: the exploration deck, which has no discard pile
(CYC-FA3), the Tekeli-li deck, whose cards go into players' decks and come back
(CYC-EE4), and any other; and for the hunch deck of an investigator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from arkham.rules.draws.record import Chance
from arkham.rules.finding import Finding, Rule, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _


class PileKind(StrEnum):
    """The kind of deck."""

    EXPLORATION = "exploration"
    TEKELI_LI = "tekeli-li"
    HUNCH = "hunch"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards by number: the deck from its top, cards drawn, and cards that are gone.

    Each card that is gone has a word for its place: a discard pile, in play, a player's
    deck.
    """

    deck: tuple[int, ...]
    drawn: tuple[int, ...] = ()
    gone: tuple[tuple[int, str], ...] = ()

    @property
    def outside(self) -> tuple[int, ...]:
        """The cards that are not in the deck."""
        return (*self.drawn, *(card for card, _where in self.gone))

    def without(self, card: int) -> Pile:
        """Return the pile without a card, wherever it is."""
        return Pile(
            tuple(each for each in self.deck if each != card),
            tuple(each for each in self.drawn if each != card),
            tuple(each for each in self.gone if each[0] != card),
        )


@dataclass(frozen=True, slots=True)
class DrawTop:
    """Draw the top card."""


@dataclass(frozen=True, slots=True)
class OnTop:
    """Put a card on top of the deck."""

    card: int


@dataclass(frozen=True, slots=True)
class OnBottom:
    """Put a card on the bottom of the deck."""

    card: int


@dataclass(frozen=True, slots=True)
class ShuffleIn:
    """Shuffle a card into the deck."""

    card: int


@dataclass(frozen=True, slots=True)
class PutAway:
    """Move a card from the deck, or from those drawn, to another place."""

    card: int
    where: str


@dataclass(frozen=True, slots=True)
class ShuffleBack:
    """Shuffle everything drawn into the deck: the end of an exploration."""


@dataclass(frozen=True, slots=True)
class GatherIn:
    """Shuffle everything at one place into the deck."""

    where: str


Step = DrawTop | OnTop | OnBottom | ShuffleIn | PutAway | ShuffleBack | GatherIn
Asked = tuple[Pile, Step]


@rule("pile.empty", rows=("CYC-FA3", "FAQ-22"), cites=(faq("The Forgotten Age"),))
def nothing_to_draw(asked: Asked) -> Iterator[Finding]:
    """You can't draw from an empty deck."""
    pile, step = asked
    if isinstance(step, DrawTop) and not pile.deck:
        yield Finding(
            _("The deck is empty."),
            actual=0,
            remedy_text=_("Shuffle the drawn cards back in."),
        )


@rule("pile.not-outside", rows=("CYC-EE4",), cites=(rules_reference("Deck"),))
def not_outside(asked: Asked) -> Iterator[Finding]:
    """You can only add a card that isn't in the deck."""
    pile, step = asked
    if isinstance(step, (OnTop, OnBottom, ShuffleIn)) and step.card in pile.deck:
        yield Finding(_("That card is already in the deck."))


@rule("pile.lone-card", rows=("RND-16",), cites=(faq("1.13"),))
def lone_card(asked: Asked) -> Iterator[Finding]:
    """An effect can't shuffle a single card into an empty deck."""
    pile, step = asked
    if isinstance(step, ShuffleIn) and not pile.deck:
        yield Finding(
            _("An effect can’t shuffle a single card into an empty deck."),
            remedy_text=_("It stays where it is."),
        )


PILE_RULES: tuple[Rule[Asked], ...] = (nothing_to_draw, not_outside, lone_card)


@dataclass(frozen=True, slots=True)
class PileEvent:
    """A step that was taken, or refused because of its findings; the pile after it."""

    step: Step
    pile: Pile
    findings: tuple[Finding, ...] = ()


def shuffled(cards: Iterable[int], seed: str) -> tuple[int, ...]:
    """Shuffle cards by a seed; every order is equally likely.

    Starting from the sorted cards, the n-th card from the top is the one at index
    ``below(cards left)``.
    """
    chance, left = Chance(seed), sorted(cards)
    return tuple(left.pop(chance.below(len(left))) for _card in range(len(left)))


def built(count: int, seed: str) -> Pile:
    """A deck of this many cards, shuffled with the seed ``seed/0``."""
    return Pile(shuffled(range(count), f"{seed}/0"))


def taken(pile: Pile, steps: Sequence[Step], seed: str) -> tuple[PileEvent, ...]:
    """The results of the steps; step *n*, from 1, shuffles with the seed ``seed/n``."""
    events: list[PileEvent] = []
    for number, step in enumerate(steps, 1):
        findings = tuple(each for rule in PILE_RULES for each in rule((pile, step)))
        if not findings:
            pile = _after(pile, step, f"{seed}/{number}")
        events.append(PileEvent(step, pile, findings))
    return tuple(events)


def _after(pile: Pile, step: Step, seed: str) -> Pile:
    match step:
        case DrawTop():
            return replace(pile, deck=pile.deck[1:], drawn=(*pile.drawn, pile.deck[0]))
        case OnTop(card):
            rest = pile.without(card)
            return replace(rest, deck=(card, *rest.deck))
        case OnBottom(card):
            rest = pile.without(card)
            return replace(rest, deck=(*rest.deck, card))
        case ShuffleIn(card):
            return _shuffled_in(pile, (card,), seed)
        case PutAway(card, where):
            rest = pile.without(card)
            return replace(rest, gone=(*rest.gone, (card, where)))
        case ShuffleBack():
            return _shuffled_in(pile, pile.drawn, seed)
        case GatherIn(where):
            cards = tuple(card for card, place in pile.gone if place == where)
            return _shuffled_in(pile, cards, seed)


def _shuffled_in(pile: Pile, cards: Sequence[int], seed: str) -> Pile:
    for card in cards:
        pile = pile.without(card)
    return replace(pile, deck=shuffled((*pile.deck, *cards), seed))
