# ruff: noqa: E501 (tables align)
"""The cards an opening hand is drawn from, and the cards that change it.

One row per card, with the place where its effect is printed; the rules of setup read
the rows and never name a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from arkham.rules.card import Card
from arkham.rules.finding import Citation, faq, printed
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import DECK_TYPES
from arkham.rules.vocabulary import CardType

OPENING_CARDS = 5


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """The effect of one card on the opening hand.

    ``where`` the card must be: ``front`` or ``back`` of the investigator, or ``deck``.
    ``cards`` is added to the number drawn, for each copy. Cards in ``in_play``,
    ``set_aside``, ``encounter_deck`` and ``beside_agenda`` are there when the hand is
    drawn, never in the deck; ``in_hand`` is an additional card of the hand. ``apart``:
    the cards set aside under the card have left the deck; ``random_apart``: as many
    cards of a type leave at random. ``instead`` is the number drawn and the number kept
    in place of the usual hand, without mulligan. ``may_start``: one copy may be taken
    into the hand. ``stays``: a weakness that is not replaced. ``plays``: it is put into
    play from the hand when the game begins. ``upkeep`` is the number of cards drawn in
    an upkeep phase, 0 if not fixed in advance; ``income`` are additional resources.
    """

    where: str
    code: str
    name: str
    cites: tuple[Citation, ...]
    cards: int = 0
    in_play: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    encounter_deck: tuple[str, ...] = ()
    beside_agenda: tuple[str, ...] = ()
    in_hand: str = ""
    apart: bool = False
    random_apart: tuple[int, CardType] | None = None
    instead: tuple[int, int] | None = None
    may_start: bool = False
    stays: bool = False
    plays: bool = False
    upkeep: int | None = None
    income: int = 0

    @property
    def away(self) -> tuple[str, ...]:
        """The cards of the list that are not in the deck when the game begins."""
        return (
            *self.in_play,
            *self.set_aside,
            *self.encounter_deck,
            *self.beside_agenda,
        )


def _row(where: str, code: str, name: str, **changes: object) -> OpeningRow:
    return OpeningRow(where, code, name, (printed(name, code),), **changes)  # type: ignore[arg-type]


# fmt: off
HAND_ROWS: tuple[OpeningRow, ...] = (
    #    where    code     name                  changes
    _row("front", "02005", "“Ashcan” Pete",      in_play=("02014",)),
    _row("front", "90046", "“Ashcan” Pete (parallel)", in_play=("90047",)),
    _row("front", "03001", "Mark Harrigan",      in_play=("03009",)),
    _row("front", "06004", "Luke Robinson",      in_play=("06013",)),
    _row("front", "09015", "Darrell Simmons",    in_play=("09016",)),
    _row("back",  "09004", "Vincent Lee",        set_aside=("09006",)),
    _row("back",  "11014", "Gloria Goldberg",    encounter_deck=("11016",)),
    _row("back",  "98019", "Gloria Goldberg",    encounter_deck=("11016",)),
    _row("deck",  "06233", "False Awakening",    beside_agenda=("06233",)),
    _row("deck",  "06275", "False Awakening",    beside_agenda=("06275",)),
    _row("back",  "05004", "Diana Stanley",      in_hand="05014"),
    OpeningRow("front", "03003", "Sefina Rousseau", (printed("Sefina Rousseau", "03003"), faq("2.6 Replacing an Opening Hand")),
            instead=(13, 8)),
    _row("front", "02003", "Jenny Barnes",       income=1),
    _row("front", "98001", "Jenny Barnes",       income=1),
    _row("front", "06005", "Patrice Hathaway",   upkeep=0),
    _row("front", "89001", "Subject 5U-21",      upkeep=2),
    _row("deck",  "08031", "Forced Learning",    upkeep=2),
    _row("deck",  "05276", "Studious",           cards=1),
    _row("deck",  "03264", "Stick to the Plan",  apart=True),
    _row("deck",  "10079", "Bewitching",         apart=True),
    _row("deck",  "09077", "Underworld Market",  apart=True),
    _row("deck",  "11080", "Eldritch Brand",     apart=True),
    _row("back",  "05002", "Joe Diamond",        apart=True),
    _row("deck",  "07303", "Ancestral Knowledge", random_apart=(5, CardType.SKILL)),
    _row("deck",  "05042", "The Tower • XVI",    stays=True),
    _row("deck",  "54015", "The Devil • XV",     stays=True),
    _row("deck",  "60178", "Endurance",          may_start=True),
    _row("deck",  "60277", "Sharp Rhetoric",     may_start=True),
    _row("deck",  "60380", "Silver Tongue",      may_start=True),
    _row("deck",  "60476", "Spiritual Intuition", may_start=True),
    _row("deck",  "60579", "Levelheaded",        may_start=True),
    _row("deck",  "05023", "Ace of Swords",      plays=True),
    _row("deck",  "05027", "Death • XIII",       plays=True),
    _row("deck",  "05031", "The Moon • XVIII",   plays=True),
    _row("deck",  "05035", "Four of Cups",       plays=True),
    _row("deck",  "05039", "Five of Pentacles",  plays=True),
    _row("deck",  "05040", "Ace of Rods",        plays=True),
    _row("deck",  "05283", "Anna Kaslow",        plays=True),
    _row("deck",  "54001", "The Star • XVII",    plays=True),
    _row("deck",  "54003", "The World • XXI",    plays=True),
    _row("deck",  "54005", "Knight of Swords",   plays=True),
    _row("deck",  "54007", "The Hierophant • V", plays=True),
    _row("deck",  "54009", "Nine of Rods",       plays=True),
    _row("deck",  "54011", "The Fool • 0",       plays=True),
    _row("deck",  "54012", "Moon Pendant",       plays=True),
)
# Cards that mention the opening hand without changing it: a choice after it is drawn,
# or an investigator who builds no deck.
NO_CHANGE: Mapping[str, str] = {
    "03006": "Lola Hayes chooses her role when the hand is drawn.",
    "11017": "George Barnaby may place cards of the hand beneath him when it is drawn.",
    "05046": "A prologue investigator builds no deck.",
    "05047": "A prologue investigator builds no deck.",
    "05048": "A prologue investigator builds no deck.",
    "05049": "A prologue investigator builds no deck.",
}
# fmt: on


@dataclass(frozen=True, slots=True)
class TableRow:
    """The effect of an ultimatum or boon on opening hands."""

    id: str
    cites: tuple[Citation, ...]
    cards: int = 0
    may_seek: bool = False


TABLE_ROWS: tuple[TableRow, ...] = (
    TableRow("forbidden-knowledge", (faq("Ultimatum of Forbidden Knowledge"),), -1),
    TableRow("thoth", (faq("Boon of Thoth"),), +1),
    TableRow("destiny", (faq("Boon of Destiny"),), may_seek=True),
)


@dataclass(frozen=True, slots=True)
class Opening:
    """A shuffled deck, and how the opening hand is drawn from it.

    ``cards`` are its copies by code. ``weaknesses`` are set aside and replaced when
    drawn; the weaknesses in ``stays`` are not, and can't be given up. ``drawn`` cards
    are drawn, and ``kept`` of them are the hand; ``in_hand`` are in the hand as well.
    First, ``random_apart`` of the codes ``apart_from`` leave the deck at random.
    ``upkeep`` cards (None: not fixed) and ``income`` resources are gained each upkeep
    phase. ``may_seek`` are codes of which the player may take one into the hand first.
    """

    cards: Mapping[str, int]
    weaknesses: frozenset[str]
    stays: frozenset[str]
    drawn: int
    kept: int
    mulligan: bool
    in_hand: tuple[str, ...] = ()
    random_apart: int = 0
    apart_from: frozenset[str] = frozenset()
    upkeep: int | None = 1
    income: int = 1
    may_seek: frozenset[str] = frozenset()
    rows: tuple[OpeningRow, ...] = ()


def opening_of(
    built: BuiltDeck, *, sought: tuple[str, ...] = (), fewer: int = 0
) -> Opening:
    """How the opening hand of a deck is drawn.

    ``sought`` are cards taken into the hand first (a Starting card, the Boon of
    Destiny); ``fewer`` is the number of cards that a scenario subtracts. Raises
    ValueError for a card that may not be sought.
    """
    rows = tuple(rows_in(HAND_ROWS, built))
    table = [row for row in TABLE_ROWS if row.id in built.frame.ultimatums]
    cards, in_hand = _shuffled(built, rows)
    may_seek = _sought_from(rows, table, cards)
    change = sum(row.cards * copies_in(built, row) for row in rows) - fewer
    change += sum(row.cards for row in table)
    for code in sought:
        if code not in may_seek or not cards.get(code):
            raise ValueError(f"{code} is not taken into the opening hand")
        cards[code] -= 1
        in_hand.append(code)
        if built.frame.rulings["hands.sought-card"] == "within":
            change -= 1
    opening = _plain(built, rows, cards, change)
    return replace(opening, in_hand=tuple(in_hand), may_seek=may_seek)


def _plain(
    built: BuiltDeck, rows: tuple[OpeningRow, ...], cards: dict[str, int], change: int
) -> Opening:
    """The opening with these cards and nothing in the hand yet."""
    instead = next((row.instead for row in rows if row.instead), None)
    drawn, kept = instead or (OPENING_CARDS, OPENING_CARDS)
    stays = {row.code for row in rows if row.stays}
    apart = next((row.random_apart for row in rows if row.random_apart), None)
    known = {code: built.frame.pool[code] for code, copies in cards.items() if copies}
    weak = {code for code, card in known.items() if card.weakness}
    staying = {code for code, card in known.items() if card.code in stays}
    of_type = {code for code, card in known.items() if apart and card.type is apart[1]}
    return Opening(
        cards={code: cards[code] for code in sorted(known)},
        weaknesses=frozenset(weak - staying),
        stays=frozenset(staying),
        drawn=max(drawn + change, 0),
        kept=max(kept + change, 0),
        mulligan=instead is None,
        random_apart=apart[0] if apart else 0,
        apart_from=frozenset(of_type - weak),
        upkeep=_upkeep([*_upkeeps(built, rows)]),
        income=1 + sum(row.income for row in rows),
        rows=rows,
    )


def _upkeeps(built: BuiltDeck, rows: Iterable[OpeningRow]) -> Iterator[int]:
    """Yield what the cards change about an upkeep phase.

    A front that was replaced by another card before the first turn changes nothing.
    """
    for row in rows:
        gave_way = row.where == "front" and built.frame.transformation is not None
        if row.upkeep is not None and not gave_way:
            yield row.upkeep


def _upkeep(upkeeps: list[int]) -> int | None:
    """Cards drawn in an upkeep phase; None if two cards change it."""
    if not upkeeps:
        return 1
    return upkeeps[0] if len(upkeeps) == 1 and upkeeps[0] else None


class CardRow(Protocol):
    """A row of what one card does if it is on an investigator's side or in the deck."""

    @property
    def where(self) -> str:
        """``front``, ``back`` or ``deck``."""

    @property
    def code(self) -> str:
        """The card's code, of its first printing."""


AnyRow = TypeVar("AnyRow", bound=CardRow)


def rows_in(rows: Iterable[AnyRow], built: BuiltDeck) -> Iterator[AnyRow]:
    """Yield the rows that apply to a deck.

    The sides don't count if the investigator became another card before setup.
    """
    sides = {"front": built.frame.front.code, "back": built.frame.back.code}
    became = built.frame.transformation
    if became is not None and became.from_setup:
        sides = {"front": became.code}
    held = {line.card.code for line in built.lines if line.standing.card is not None}
    for row in rows:
        if row.code == sides.get(row.where) or (
            row.where == "deck" and row.code in held
        ):
            yield row


def copies_in(built: BuiltDeck, row: CardRow) -> int:
    """How many copies of a row's card a deck has."""
    return sum(
        line.copies + line.set_aside
        for line in built.lines
        if line.standing.card is not None and line.card.code == row.code
    )


def _shuffled(
    built: BuiltDeck, rows: tuple[OpeningRow, ...]
) -> tuple[dict[str, int], list[str]]:
    """The cards that are shuffled, and those that begin in the hand."""
    cards: dict[str, int] = {}
    for line in built.lines:
        if line.standing.card is not None and _is_shuffled(line.card):
            cards[line.code] = line.copies + line.set_aside
    pool = built.frame.pool
    for row in rows:
        for code in list(cards):
            if pool[code].code in row.away:
                del cards[code]
        if row.apart:
            _set_apart(built, row.code, cards)
    wanted = {row.in_hand for row in rows if row.in_hand}
    in_hand = [code for code in cards if pool[code].code in wanted]
    for code in in_hand:
        cards[code] -= 1
    return cards, in_hand


def _set_apart(built: BuiltDeck, holder: str, cards: dict[str, int]) -> None:
    """Remove the cards that the list sets aside under a card."""
    pool = built.frame.pool
    for listed, apart in built.deck.attachments.items():
        card = pool.get_card(listed)
        if card is None or card.code != holder:
            continue
        for code, copies in apart.items():
            if code in cards:
                cards[code] = max(cards[code] - copies, 0)


def _is_shuffled(card: Card) -> bool:
    """True if a card of the list is shuffled into the deck."""
    if card.permanent or card.type is CardType.INVESTIGATOR:
        return False
    return card.in_decks and (card.type in DECK_TYPES or card.weakness is not None)


def _sought_from(
    rows: tuple[OpeningRow, ...], table: list[TableRow], cards: Mapping[str, int]
) -> frozenset[str]:
    if any(row.may_seek for row in table):
        return frozenset(cards)
    return frozenset(row.code for row in rows if row.may_start and row.code in cards)
