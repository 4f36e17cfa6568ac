"""Deal opening hands of a deck, compute their odds, and show draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain

from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.charts import Datum, draw_columns
from arkham.rules.draws import DrawRecord as Record
from arkham.rules.draws import Purpose
from arkham.rules.draws.odds import Wanted, odds_by_turn, tempo_of
from arkham.rules.draws.opening import Opening, opening_of
from arkham.rules.draws.record import draw_replays
from arkham.rules.draws.setup import Hand, deal, setup_of
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from cardpool.languages import shown_name
from cardpool.markup import pointed
from cardpool.relations import in_full, shown_full_name
from cardpool.shown import ShownCard, with_pictures
from cardpool.words import TYPES, capitals
from decks.models import Deck, Draw
from decks.pages.display import Judged
from decks.pages.figures import DeckFigure
from decks.pages.notes import Note, Words, notes_of

MOST_NAMED = 9
Line = tuple[str, str, int]  # code, name, copies
PURPOSES: dict[str, Words] = {
    Purpose.READING: gettext_lazy("choices on the investigator’s back"),
    Purpose.DECK: gettext_lazy("a random deck, with the cards left out"),
    Purpose.UPGRADE: gettext_lazy("random upgrades"),
}
WEAKNESSES = frozenset({Purpose.WEAKNESS, Purpose.MORRIGAN_ONE})


@dataclass(frozen=True)
class DrawRow:
    """A draw as the page shows it."""

    draw: Draw
    pool: CardPool

    @cached_property
    def record(self) -> Record:
        return Record.from_data(self.draw.record)

    @property
    def cards(self) -> list[Line]:
        """The drawn cards, in the order drawn."""
        return [
            line for code in self.record.result for line in named({code: 1}, self.pool)
        ]

    @property
    def heading(self) -> str:
        """The cards by name; if there are many, only their number."""
        if len(self.record.result) > MOST_NAMED:
            text = _("%(count)d cards drawn: %(purpose)s")
            purpose = PURPOSES.get(self.record.purpose, "")
            return text % {"count": len(self.record.result), "purpose": purpose}
        return ", ".join(name for _code, name, _copies in self.cards)

    @property
    def from_pool(self) -> list[Line]:
        """The cards it was drawn from."""
        return list(named(dict(self.record.pool), self.pool))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Findings on repeating the draw with its seed; none if it gives the same."""
        return notes_of(draw_replays(self.record), self.pool)

    @property
    def to_choose(self) -> bool:
        """True if one of three is still to be returned."""
        three = self.record.purpose is Purpose.MORRIGAN_THREE
        done = hasattr(self.draw, "followed_by") or hasattr(self.draw, "correction")
        return three and not done

    @property
    def is_corrected(self) -> bool:
        """True if the draw was corrected and is no longer valid."""
        return hasattr(self.draw, "correction")

    @property
    def is_correctable(self) -> bool:
        """True if it drew cards that may be returned."""
        weakness = self.record.purpose in WEAKNESSES
        return weakness and self.draw.made is not None and not self.is_corrected


def shown_draws(deck: Deck, pool: CardPool) -> list[DrawRow]:
    """Return all draws for a deck, the latest first."""
    made = deck.draws.select_related("correction", "followed_by")
    return [DrawRow(each, pool) for each in reversed(made.all())]


def named(cards: Mapping[str, int], pool: CardPool) -> Iterator[Line]:
    """Yield the cards with their names."""
    for code, copies in cards.items():
        card = pool.get_card(code)
        yield code, shown_full_name(card, pool) if card else code, copies


TURNS = 10


@dataclass(frozen=True, slots=True)
class DealtCard:
    """One card of a dealt hand: its place, and if it may be redrawn in the mulligan.

    ``face`` is the card as an image; None for an unknown code.
    """

    place: int
    code: str
    name: str
    may_go: bool = False
    face: ShownCard | None = None


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A dealt hand as the page shows it."""

    first: tuple[DealtCard, ...]
    given_up: tuple[DealtCard, ...]
    replaced_by: tuple[DealtCard, ...]
    weaknesses: tuple[DealtCard, ...]
    kept: tuple[DealtCard, ...]
    turns: tuple[tuple[DealtCard, ...], ...]
    apart: tuple[DealtCard, ...]


def opening_for(judged: Judged, sought: str, fewer: int) -> Opening:
    """Return the rules for the opening hand; ignore a card that can't be sought."""
    assert judged.built is not None
    plain = opening_of(judged.built, fewer=fewer)
    if sought not in plain.may_seek:
        return plain
    return opening_of(judged.built, sought=(sought,), fewer=fewer)


def dealt(
    opening: Opening, pool: CardPool, seed: str, places: Sequence[int], turns: int
) -> ShownHand:
    """Deal the hand of a seed, redrawing the cards in these places, and later turns."""
    first = deal(opening, seed).first
    given_up = tuple(
        first[place]
        for place in sorted(set(places))
        if place < len(first) and first[place] not in opening.stays
    )
    hand = deal(opening, seed, given_up if opening.mulligan else (), turns)
    return _shown(hand, opening, pool)


def _shown(hand: Hand, opening: Opening, pool: CardPool) -> ShownHand:
    codes = (*hand.first, *hand.kept, *chain.from_iterable(hand.turns))
    faces = with_pictures(filter(None, map(pool.get_card, codes)), pool)

    def dealt(codes: Sequence[str]) -> tuple[DealtCard, ...]:
        return tuple(
            DealtCard(
                place,
                code,
                _name(code, pool),
                opening.mulligan and code not in opening.stays,
                faces.get(code),
            )
            for place, code in enumerate(codes)
        )

    return ShownHand(
        dealt(hand.first),
        dealt(hand.given_up),
        dealt(hand.replaced_by),
        dealt(hand.weaknesses),
        dealt(hand.kept),
        tuple(map(dealt, hand.turns)),
        dealt(hand.apart),
    )


def _name(code: str, pool: CardPool) -> str:
    card = pool.get_card(code)
    if card is None:
        return code
    return in_full(shown_name(card), "", card.level)


def offered(opening: Opening, pool: CardPool) -> list[tuple[str, SafeString]]:
    """Return the cards to ask odds for: one entry per title, all levels together."""
    titles: dict[str, list[str]] = {}
    for code in (*opening.cards, *opening.in_hand):
        if code not in opening.weaknesses | opening.stays:
            titles.setdefault(pool[code].title, []).append(code)
    return [
        (code, format_html("{} ×&nbsp;{}", pointed(pool[code], title), copies))
        for title, codes in sorted(titles.items(), key=lambda each: each[0].casefold())
        for code, copies in [(min(codes), _copies(opening, codes))]
    ]


def _copies(opening: Opening, codes: Sequence[str]) -> int:
    each = set(codes)
    held = sum(code in each for code in opening.in_hand)
    return held + sum(opening.cards.get(code, 0) for code in each)


def may_be_sought(opening: Opening, pool: CardPool) -> list[tuple[str, str]]:
    """Return the cards that may be searched for before drawing, by name."""
    found = [(code, _name(code, pool)) for code in opening.may_seek]
    return sorted(found, key=lambda each: each[1].casefold())


@dataclass(frozen=True, slots=True)
class DrawOdds:
    """The odds by turn: the number of the turn, the fraction, and per cent."""

    lines: tuple[tuple[int, Fraction, str], ...]
    figure: DeckFigure


def odds(
    opening: Opening, pool: CardPool, wanted: Sequence[str], how: str, mulligan: bool
) -> DrawOdds:
    """Return the odds of having drawn the titles of these cards, turn by turn."""
    titles = {pool[code].title for code in wanted}
    sets = [
        frozenset(
            code
            for code in (*opening.cards, *opening.in_hand)
            if pool[code].title == title
        )
        for title in sorted(titles)
    ]
    found = odds_by_turn(opening, sets, Wanted(how), TURNS, mulligan=mulligan)
    title = _("Odds of having drawn them, in per cent, by turn")
    percents = [round(each * 100) for each in found]
    data = [Datum(str(turn), percent) for turn, percent in enumerate(percents, 1)]
    numbers = tuple((datum.label, datum.value) for datum in data)
    return DrawOdds(
        tuple(_lines(found)),
        DeckFigure(title, partial(draw_columns, data, title=title), numbers),
    )


def _lines(found: Sequence[Fraction]) -> Iterator[tuple[int, Fraction, str]]:
    for turn, each in enumerate(found, 1):
        yield turn, each, f"{float(each * 100):.2f}"


KIND_TURNS = 5
MOST_TRAITS = 6
LEAST_COPIES = 2  # a trait of one copy only isn't worth a row


@dataclass(frozen=True, slots=True)
class KindOdds:
    """The odds of having a card of a kind in hand or drawn, by turn, in per cent."""

    name: str
    copies: int
    percents: tuple[str, ...]


def odds_of_kinds(opening: Opening, pool: CardPool) -> list[KindOdds]:
    """Return the odds for each type, and for the most common traits of assets."""
    held = frozenset((*opening.cards, *opening.in_hand))
    held -= opening.weaknesses | opening.stays
    kinds = {
        str(TYPES[kind]): frozenset(code for code in held if pool[code].type is kind)
        for kind in (CardType.ASSET, CardType.EVENT, CardType.SKILL)
    }
    traits: dict[str, set[str]] = {}
    for code in held:
        if pool[code].type is CardType.ASSET:
            for trait in pool[code].traits:
                traits.setdefault(trait, set()).add(code)
    counted = {name: _copies(opening, [*codes]) for name, codes in traits.items()}
    common = sorted(counted, key=lambda name: (-counted[name], name))[:MOST_TRAITS]
    kinds |= {
        _("%(trait)s asset") % {"trait": capitals(name)}: frozenset(traits[name])
        for name in common
        if counted[name] >= LEAST_COPIES
    }
    return [
        KindOdds(
            name,
            _copies(opening, [*codes]),
            tuple(
                f"{float(each * 100):.1f}"
                for each in odds_by_turn(opening, [codes], Wanted.ANY, KIND_TURNS)
            ),
        )
        for name, codes in kinds.items()
        if codes
    ]


@dataclass(frozen=True, slots=True)
class ShownTempo:
    """Averages of simulated openings, by turn: spent, played, left; with a chart."""

    openings: str
    idle: str
    lines: tuple[tuple[int, tuple[str, ...]], ...]
    figure: DeckFigure


def tempo(opening: Opening, judged: Judged, seed: str, openings: int) -> ShownTempo:
    """Simulate how fast a deck is played; 10,000 openings take a second or two."""
    assert judged.built is not None
    resources = setup_of(judged.built).resources
    costs = {
        code: cost
        for code in (*opening.cards, *opening.in_hand)
        if (cost := _price(code, judged.pool)) is not None
    }
    found = tempo_of(
        opening, costs, resources, KIND_TURNS, seed=seed, openings=openings
    )
    means = zip(found.spent, found.played, found.left, strict=True)
    lines = [tuple(f"{each:.1f}" for each in values) for values in means]
    title = _("Resources spent by the end of a turn, on average")
    data = [Datum(str(turn), round(each)) for turn, each in enumerate(found.spent, 1)]
    return ShownTempo(
        f"{openings:,}",
        f"{found.idle * 100:.1f}",
        tuple(enumerate(lines, 1)),
        DeckFigure(
            title,
            partial(draw_columns, data, title=title),
            tuple((each.label, each.value) for each in data),
        ),
    )


def _price(code: str, pool: CardPool) -> int | None:
    """Return the cost of playing a card; None if it isn't played for resources."""
    card = pool[code]
    played = card.type in (CardType.ASSET, CardType.EVENT) and card.weakness is None
    return card.cost if played and card.cost is not None and card.cost >= 0 else None
