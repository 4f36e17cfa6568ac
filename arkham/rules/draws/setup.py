"""Deals an opening hand, and lists what a deck puts elsewhere before it.

Permanents and bonded cards are recognized by their keywords; other cards that affect
setup have one row each, with the place where that is printed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arkham.rules.card import Card
from arkham.rules.draws.opening import (
    HAND_ROWS,
    Opening,
    OpeningRow,
    copies_in,
    rows_in,
)
from arkham.rules.draws.record import DrawRecord, Purpose, Urn, draw, pool_of
from arkham.rules.finding import Citation, gettext_noop, printed
from arkham.rules.legality.built import BuiltDeck


@dataclass(frozen=True, slots=True)
class Hand:
    """An opening hand and what came after it.

    ``first`` was drawn first, ``weaknesses`` were set aside and replaced (both times),
    ``given_up`` was exchanged for ``replaced_by``. ``kept`` is the hand; ``turns`` are
    the cards of each upkeep phase, from the first on. ``apart`` left the deck at random
    before. ``draws`` record all of it.
    """

    first: tuple[str, ...]
    given_up: tuple[str, ...]
    replaced_by: tuple[str, ...]
    weaknesses: tuple[str, ...]
    kept: tuple[str, ...]
    turns: tuple[tuple[str, ...], ...]
    apart: tuple[str, ...]
    draws: tuple[DrawRecord, ...]


def deal(
    opening: Opening,
    seed: str,
    given_up: tuple[str, ...] | Callable[[Sequence[str]], tuple[str, ...]] = (),
    turns: int = 0,
) -> Hand:
    """Deal the opening hand of a seed, with one mulligan, and later draws.

    The first hand does not depend on ``given_up``: cards, or a function that chooses
    them from that hand. Raises ValueError for a card that is not in the hand or can't
    be given up.
    """
    apart = _left_at_random(opening, seed)
    cards = Counter(opening.cards)
    cards.subtract(apart.result if apart else ())
    urn = Urn(f"{seed}/hand", pool_of(cards))
    first, weaknesses = _drawn(urn, opening, opening.drawn)
    given_up = given_up(first) if callable(given_up) else given_up
    _refuse(opening, first, given_up)
    replaced_by, more = _drawn(urn, opening, len(given_up))
    kept = list((Counter(first) - Counter(given_up)).elements()) + replaced_by
    gone = Counter(kept)
    left = {code: copies - gone[code] for code, copies in cards.items()}
    draws = [apart] if apart else []
    draws.append(urn.recorded(Purpose.HAND))
    upkeep = opening.upkeep or 0
    later = draw(Purpose.HAND, f"{seed}/turns", left, upkeep * turns)
    if later.count:
        draws.append(later)
    return Hand(
        tuple(first),
        given_up,
        tuple(replaced_by),
        (*weaknesses, *more),
        (*opening.in_hand, *kept),
        tuple(
            later.result[turn * upkeep : (turn + 1) * upkeep] for turn in range(turns)
        ),
        apart.result if apart else (),
        tuple(draws),
    )


def _left_at_random(opening: Opening, seed: str) -> DrawRecord | None:
    if not opening.random_apart:
        return None
    among: Mapping[str, int] = {
        code: copies
        for code, copies in opening.cards.items()
        if code in opening.apart_from
    }
    return draw(Purpose.HAND, f"{seed}/apart", among, opening.random_apart)


def _drawn(urn: Urn, opening: Opening, count: int) -> tuple[list[str], list[str]]:
    """Draw ``count`` cards; weaknesses drawn in between are set aside."""
    found: list[str] = []
    weaknesses: list[str] = []
    while len(found) < count and urn.copies:
        code = urn.next()
        (weaknesses if code in opening.weaknesses else found).append(code)
    return found, weaknesses


def _refuse(opening: Opening, first: list[str], given_up: tuple[str, ...]) -> None:
    if given_up and not opening.mulligan:
        raise ValueError("this opening hand has no mulligan")
    for code, copies in Counter(given_up).items():
        if first.count(code) < copies or code in opening.stays:
            raise ValueError(f"{code} cannot be given up")


# ruff: noqa: E501 (tables align)


RESOURCES = 5  # SETUP-02


@dataclass(frozen=True, slots=True)
class SetupRow:
    """The effect of one card on setup, besides cards put in a place.

    ``where`` the card must be: ``front`` or ``back`` of the investigator, or ``deck``.
    ``resources`` is added to the investigator's starting resources, for each copy;
    ``says`` is a sentence about anything else.
    """

    where: str
    code: str
    name: str
    cites: tuple[Citation, ...]
    resources: int = 0
    says: str = ""


def _row(where: str, code: str, name: str, **asks: object) -> SetupRow:
    return SetupRow(where, code, name, (printed(name, code),), **asks)  # type: ignore[arg-type]


# fmt: off
SETUP_ROWS: tuple[SetupRow, ...] = (
    #    where    code     name                            asks
    _row("deck",  "02037", "Indebted",                     resources=-2),
    _row("deck",  "05278", "Another Day, Another Dollar",  resources=+2),
    _row("deck",  "11756b", "Good Money",                  resources=+5),
    _row("deck",  "06233", "False Awakening",      says=gettext_noop("It begins the game with 1 doom on it.")),
    _row("deck",  "06275", "False Awakening",      says=gettext_noop("It begins the game with 1 doom on it.")),
    _row("front", "07001", "Sister Mary",          says=gettext_noop("Two bless tokens go into the chaos bag.")),
    _row("front", "08010", "Lily Chen",            says=gettext_noop("Disciplines begin with their unbroken side up.")),
    _row("front", "10004", "Kate Winthrop",        says=gettext_noop("The Flux Stabilizer begins with its inactive side up.")),
    _row("front", "89001", "Subject 5U-21",        says=gettext_noop("Ravenous begins with Controlled Hunger up.")),
    _row("front", "03006", "Lola Hayes",           says=gettext_noop("Choose a role after drawing your opening hand.")),
    _row("front", "90087", "Lola Hayes (parallel)", says=gettext_noop("The role is Neutral when the game begins.")),
    _row("back",  "11017", "George Barnaby",       says=gettext_noop("Cards of the opening hand may be placed beneath him.")),
    _row("front", "03003", "Sefina Rousseau",      says=gettext_noop("Up to five of the events drawn are placed beneath her.")),
    _row("deck",  "54013", "Observed",             says=gettext_noop("One of three random tarot cards is chosen before setup.")),
    _row("deck",  "54014", "Damned",               says=gettext_noop("A random tarot card begins in front of you, reversed.")),
)
# Ultimatums and boons that change the starting resources, by id (SETUP-16).
TABLE_RESOURCES: Mapping[str, int] = {"hardship": -2, "hades": +2}
# fmt: on


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """Copies of a card that are put in a place, by the code of the card.

    ``by`` is the card that puts them there, or "" if their own keyword does; with
    ``per_investigator`` there are as many for each investigator in the game.
    """

    code: str
    copies: int
    by: str = ""
    per_investigator: bool = False


@dataclass(frozen=True, slots=True)
class ApartPile:
    """A small deck or pile taken from the deck before the opening hand is drawn.

    It has ``count`` cards, or fewer if ``up_to``; ``cards`` are those named in the
    list, none if they are ``random``.
    """

    holder: str
    count: int
    up_to: bool
    random: bool = False
    cards: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a deck puts in some place before its first turn.

    ``encounter_deck`` cards are shuffled into the encounter deck, ``beside_agenda``
    cards are put next to the agenda deck. ``in_hand`` cards begin in the hand,
    ``at_start`` cards are put into play from an opening hand that has them.
    ``resources`` are the starting resources. ``rows`` say what else to do.
    """

    in_play: tuple[PlacedCard, ...]
    set_aside: tuple[PlacedCard, ...]
    encounter_deck: tuple[PlacedCard, ...]
    beside_agenda: tuple[PlacedCard, ...]
    apart: tuple[ApartPile, ...]
    in_hand: tuple[str, ...]
    at_start: tuple[str, ...]
    resources: int
    rows: tuple[SetupRow, ...]


def setup_of(built: BuiltDeck) -> Setup:
    """Work out everything a deck puts in some place before its first turn."""
    hand_rows = tuple(rows_in(HAND_ROWS, built))
    rows = tuple(rows_in(SETUP_ROWS, built))
    resources = RESOURCES + sum(row.resources * copies_in(built, row) for row in rows)
    table = sum(TABLE_RESOURCES.get(each, 0) for each in built.frame.ultimatums)
    held = {line.card.code for line in built.lines if line.standing.card is not None}
    return Setup(
        in_play=(*_permanents(built), *_placed(built, hand_rows, "in_play")),
        set_aside=(*_waiting(built, hand_rows), *_bonded(built)),
        encounter_deck=tuple(_placed(built, hand_rows, "encounter_deck")),
        beside_agenda=tuple(_placed(built, hand_rows, "beside_agenda")),
        apart=tuple(_apart(built, hand_rows)),
        in_hand=tuple(row.in_hand for row in hand_rows if row.in_hand in held),
        at_start=tuple(row.code for row in hand_rows if row.plays),
        resources=max(resources + table, 0),
        rows=tuple(row for row in rows if row.says),
    )


def bonded_copies(card: Card) -> int:
    """The copies in the product that introduced the card (FAQ 1.19)."""
    return card.printings[0].quantity if card.printings else 1


def _permanents(built: BuiltDeck) -> Iterator[PlacedCard]:
    """Yield the permanents, which begin each game in play."""
    for line in built.lines:
        card = line.standing.card
        if card is not None and card.permanent and card.in_decks:
            yield PlacedCard(card.code, line.copies + line.set_aside)


def _placed(
    built: BuiltDeck, rows: tuple[OpeningRow, ...], place: str
) -> Iterator[PlacedCard]:
    """Yield all copies of the cards that begin the game in a place, by the rows."""
    for row in rows:
        for code in getattr(row, place):
            if _held(built, code):
                yield PlacedCard(code, _held(built, code), row.code)


def _waiting(built: BuiltDeck, rows: tuple[OpeningRow, ...]) -> Iterator[PlacedCard]:
    """Yield what an investigator has set aside, once for each investigator."""
    for row in rows:
        for code in row.set_aside:
            if _held(built, code):
                yield PlacedCard(code, 1, row.code, per_investigator=True)


def _bonded(built: BuiltDeck) -> Iterator[PlacedCard]:
    """Yield the bonded cards of all cards in the deck, which are set aside."""
    pool = built.frame.pool
    summoners: dict[str, Card] = {}
    for code in (*_codes(built), *built.deck.side_deck):
        card = pool.get_card(code)
        if card is not None and not card.bonded_to:
            summoners.setdefault(card.title, card)
    placed_by_code: dict[str, PlacedCard] = {}
    for title, summoner in summoners.items():
        for card in pool.bonded.get(title, ()):
            placed = PlacedCard(card.code, bonded_copies(card), summoner.code)
            placed_by_code.setdefault(card.code, placed)
    yield from placed_by_code.values()


def _codes(built: BuiltDeck) -> Iterator[str]:
    became = built.frame.transformation
    yield built.frame.front.code if became is None else became.code
    yield from (line.code for line in built.lines)


def _apart(built: BuiltDeck, rows: tuple[OpeningRow, ...]) -> Iterator[ApartPile]:
    """Yield piles under cards of the deck, and the hunch deck."""
    pool = built.frame.pool
    named = {
        card.code: cards
        for code, cards in built.deck.attachments.items()
        if (card := pool.get_card(code)) is not None
    }
    for holder, asked in built.frame.attachments.items():
        yield ApartPile(
            holder,
            asked.count,
            asked.up_to,
            random=any(row.code == holder and row.random_apart for row in rows),
            cards=dict(named.get(holder, {}).items()),
        )


def _held(built: BuiltDeck, code: str) -> int:
    return sum(
        line.copies + line.set_aside
        for line in built.lines
        if line.standing.card is not None and line.card.code == code
    )
