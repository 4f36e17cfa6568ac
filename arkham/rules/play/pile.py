"""A small deck: its cards, those just drawn, and those gone.

For decks that a scenario makes of named cards: the exploration deck, which has no
discard pile (CYC-FA3), the Tekeli-li deck, whose cards go into players' decks and come
back (CYC-EE4), and any other; and for the hunch deck of an investigator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from arkham.rules.draws.record import Chance
from arkham.rules.finding import Finding, Rule, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _


class PileKind(StrEnum):
    """Which deck it is."""

    EXPLORATION = "exploration"
    TEKELI_LI = "tekeli-li"
    HUNCH = "hunch"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards by their numbers: the deck from its top, what was drawn, what is gone.

    Of what is gone each has the word for where it is: a discard pile, in play, the
    deck of a player.
    """

    deck: tuple[int, ...]
    drawn: tuple[int, ...] = ()
    gone: tuple[tuple[int, str], ...] = ()

    @property
    def outside(self) -> tuple[int, ...]:
        """The cards that are not in the deck."""
        return (*self.drawn, *(card for card, _where in self.gone))

    def without(self, card: int) -> Pile:
        """The card taken from wherever it is."""
        return Pile(
            tuple(each for each in self.deck if each != card),
            tuple(each for each in self.drawn if each != card),
            tuple(each for each in self.gone if each[0] != card),
        )


@dataclass(frozen=True, slots=True)
class DrawTop:
    """The top card is drawn."""


@dataclass(frozen=True, slots=True)
class OnTop:
    """A card is put on the top of the deck."""

    card: int


@dataclass(frozen=True, slots=True)
class OnBottom:
    """A card is put on the bottom of the deck."""

    card: int


@dataclass(frozen=True, slots=True)
class ShuffleIn:
    """A card is shuffled into the deck."""

    card: int


@dataclass(frozen=True, slots=True)
class PutAway:
    """A card leaves the deck, or what was drawn, for somewhere else."""

    card: int
    where: str


@dataclass(frozen=True, slots=True)
class ShuffleBack:
    """Everything drawn is shuffled into the deck: the end of an exploration."""


@dataclass(frozen=True, slots=True)
class GatherIn:
    """Everything gone to one place is shuffled into the deck."""

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
    """A step that was taken, or refused for what was found; the pile after it."""

    step: Step
    pile: Pile
    findings: tuple[Finding, ...] = ()


def shuffled(cards: Iterable[int], seed: str) -> tuple[int, ...]:
    """The cards in the order a seed gives them, every order equally likely.

    In order of their numbers first: the n-th card from the top is that which
    ``below(cards left)`` points at.
    """
    chance, left = Chance(seed), sorted(cards)
    return tuple(left.pop(chance.below(len(left))) for _card in range(len(left)))


def built(count: int, seed: str) -> Pile:
    """A deck of so many cards, shuffled with the seed ``seed/0``."""
    return Pile(shuffled(range(count), f"{seed}/0"))


def taken(pile: Pile, steps: Sequence[Step], seed: str) -> tuple[PileEvent, ...]:
    """What comes of the steps; step *n*, from 1, shuffles with the seed ``seed/n``."""
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
