"""Opening hands: which cards change them, what is dealt, and exact odds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.draws.odds import Wanted, odds_by_turn
from arkham.rules.draws.opening import (
    HAND_ROWS,
    NO_CHANGE,
    TABLE_ROWS,
    Opening,
    opening_of,
)
from arkham.rules.draws.record import replayed
from arkham.rules.draws.setup import deal
from arkham.rules.legality import Judge
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import ULTIMATUMS

PLAIN = {"01020": 2, "01030": 2, "01088": 2, "01089": 2, "01090": 2, "01007": 1}


def _opening(judge: Judge, investigator: str = "01001", **options: Any) -> Opening:
    """The opening of a deck of thirteen with its weakness, in these circumstances."""
    entries = options.pop("entries", PLAIN)
    sought = options.pop("sought", ())
    fewer = options.pop("fewer", 0)
    attachments = options.pop("attachments", {})
    deck = DeckList(investigator, entries, attachments=attachments)
    built = next(judge.builds(deck, Circumstances(**options)))
    return opening_of(built, sought=sought, fewer=fewer)


# -- the table --


def test_every_row_has_the_name_of_its_card(pool: CardPool) -> None:
    for row in HAND_ROWS:
        name = re.sub(r" \(parallel\)$", "", row.name).replace("“", '"')
        assert pool[row.code].name == name.replace("”", '"')
        assert all(code in pool for code in row.away)
        assert row.cites
    assert {row.id for row in TABLE_ROWS} <= ULTIMATUMS.keys()
    assert len({row.code for row in HAND_ROWS}) == len(HAND_ROWS)


@pytest.mark.parametrize(
    ("investigator", "income"), [("02003", 2), ("98001", 2), ("90084", 1), ("01001", 1)]
)
def test_an_investigator_may_collect_more_resources(
    judge: Judge, investigator: str, income: int
) -> None:
    """In each upkeep phase; the front decides."""
    assert _opening(judge, investigator).income == income


# Finds texts about the opening hand, except on scenario cards.
SPEAKS = re.compile(
    r"opening hand|begins? the game with (?!each)|begins? each game with .{0,40}"
    r"(set aside|in your opening hand)|upkeep phase.{0,40}draw",
    re.IGNORECASE,
)


def test_every_card_about_the_opening_hand_has_a_row(
    shared_data: Path, pool: CardPool
) -> None:
    """A new card of this kind needs a row, or a reason why not."""
    rows = {row.code for row in HAND_ROWS} | NO_CHANGE.keys()
    for path in sorted((shared_data / "data" / "arkhamdb" / "pack").rglob("*.json")):
        for card in json.loads(path.read_text(encoding="utf-8")):
            text = f"{card.get('text', '')} {card.get('back_text', '')}"
            flat = re.sub(r"<[^>]+>", "", text)
            kind = card.get("type_code")
            player = kind in ("investigator", "asset", "event", "skill", "treachery")
            if not player or not SPEAKS.search(flat) or card.get("duplicate_of"):
                continue
            known = pool.get_card(card["code"])
            if known is None or known.code in rows:
                continue
            lasting = known.permanent or kind == "investigator"
            begins = re.search("begins? the game with", flat) and known.permanent
            if re.search("opening hand", flat, re.IGNORECASE):
                pytest.fail(f"{known.code} {known.name}")
            if lasting and not begins and not _starts_permanent(flat, pool, known.code):
                pytest.fail(f"{known.code} {known.name}")


def _starts_permanent(text: str, pool: CardPool, code: str) -> bool:
    """Return whether a card that begins in play is not in the shuffled deck."""
    named = re.search(r"begins? the game with ([^.(]+?) *(\(|in play|side)", text)
    if not named:
        return False
    cards = [card for card in pool.values() if card.name == named[1].strip()]
    return bool(cards) and all(card.permanent or card.scenario for card in cards)


def test_a_plain_deck_draws_five_cards(judge: Judge) -> None:
    opening = _opening(judge)
    assert opening.cards == PLAIN
    assert opening.weaknesses == {"01007"}
    assert (opening.drawn, opening.kept, opening.mulligan) == (5, 5, True)
    assert (opening.upkeep, opening.in_hand, opening.rows) == (1, (), ())


@pytest.mark.parametrize(
    ("options", "drawn"),
    [
        ({"ultimatums": frozenset({"forbidden-knowledge"})}, 4),
        ({"ultimatums": frozenset({"thoth"})}, 6),
        ({"entries": {**PLAIN, "05276": 2}}, 7),
        ({"fewer": 2}, 3),
        ({"fewer": 9}, 0),
    ],
)
def test_some_circumstances_change_the_number_of_cards_drawn(
    judge: Judge, options: dict[str, Any], drawn: int
) -> None:
    opening = _opening(judge, **options)
    assert (opening.drawn, opening.kept) == (drawn, drawn)
    assert "05276" not in opening.cards  # permanents are never shuffled


def test_the_example_of_the_faq(judge: Judge) -> None:
    """With two cards fewer, Sefina draws eleven and keeps six (FAQ 2.6)."""
    usual = _opening(judge, "03003")
    fewer = _opening(judge, "03003", fewer=2)
    assert (usual.drawn, usual.kept, usual.mulligan) == (13, 8, False)
    assert (fewer.drawn, fewer.kept) == (11, 6)


@pytest.mark.parametrize(
    ("investigator", "card"),
    [
        ("02005", "02014"),
        ("03001", "03009"),
        ("06004", "06013"),
        ("09004", "09006"),
        ("11014", "11016"),
        ("98019", "11016"),
    ],
)
def test_a_card_that_begins_elsewhere_is_not_drawn(
    judge: Judge, investigator: str, card: str
) -> None:
    opening = _opening(judge, investigator, entries={**PLAIN, card: 1})
    assert opening.cards == PLAIN
    stranger = _opening(judge, "01001", entries={**PLAIN, card: 1})
    assert card in stranger.cards


@pytest.mark.parametrize("code", ["06233", "06275"])
def test_a_weakness_beside_the_agenda_is_never_drawn(judge: Judge, code: str) -> None:
    opening = _opening(judge, entries={**PLAIN, code: 1})
    assert opening.cards == PLAIN
    assert opening.weaknesses == {"01007"}


def test_dark_insight_is_an_additional_card(judge: Judge) -> None:
    opening = _opening(judge, "05004", entries={**PLAIN, "05014": 1})
    assert opening.in_hand == ("05014",)
    assert "05014" not in opening.cards
    assert opening.drawn == 5


def test_attached_cards_are_not_in_the_deck(judge: Judge) -> None:
    entries = {**PLAIN, "03264": 1, "01022": 2}
    apart = {"03264": {"01022": 1}}
    opening = _opening(judge, entries=entries, attachments=apart)
    assert opening.cards == {**PLAIN, "01022": 1}
    assert _opening(judge, entries=entries).cards == {**PLAIN, "01022": 2}


def test_tarot_weaknesses_stay_in_the_hand(judge: Judge) -> None:
    opening = _opening(judge, entries={**PLAIN, "05042": 1})
    assert opening.stays == {"05042"}
    assert opening.weaknesses == {"01007"}


def test_the_upkeep_draw_is_unknown_if_two_cards_change_it(judge: Judge) -> None:
    assert _opening(judge, entries={**PLAIN, "08031": 1}).upkeep == 2
    assert _opening(judge, "89001").upkeep == 2
    assert _opening(judge, "89001", entries={**PLAIN, "08031": 1}).upkeep is None
    assert _opening(judge, "06005").upkeep is None


@pytest.mark.parametrize(("reading", "drawn"), [("beside", 5), ("within", 4)])
def test_a_card_may_be_searched_for_first(
    judge: Judge, reading: str, drawn: int
) -> None:
    rulings = (("hands.sought-card", reading),)
    entries = {**PLAIN, "60178": 2}
    opening = _opening(judge, entries=entries, sought=("60178",), rulings=rulings)
    assert opening.may_seek == {"60178"}
    assert opening.in_hand == ("60178",)
    assert opening.cards["60178"] == 1
    assert opening.drawn == drawn


def test_the_ultimatum_of_destiny_takes_any_card(judge: Judge) -> None:
    terms: dict[str, Any] = {"ultimatums": frozenset({"destiny"})}
    assert _opening(judge, sought=("01088",), **terms).in_hand == ("01088",)
    with pytest.raises(ValueError, match="01088 is not taken"):
        _opening(judge, sought=("01088",))
    with pytest.raises(ValueError, match="01016 is not taken"):
        _opening(judge, sought=("01016",), **terms)


# -- dealing --


def test_a_seed_deals_the_same_hand_again(judge: Judge) -> None:
    opening = _opening(judge)
    hand = deal(opening, "lamp", turns=2)
    again = deal(opening, "lamp", given_up=hand.first[:2], turns=2)
    assert hand.first == again.first
    assert len(hand.kept) == len(again.kept) == 5
    assert [len(each) for each in again.turns] == [1, 1]
    assert all(replayed(each) == each for each in (*hand.draws, *again.draws))


@given(st.text(max_size=6), st.integers(0, 5))
def test_no_weakness_is_dealt_and_no_card_given_up_returns(seed: str, n: int) -> None:
    opening = Opening(
        {"a": 2, "b": 3, "c": 2, "w": 2, "t": 1},
        frozenset("w"), frozenset("t"), drawn=4, kept=4, mulligan=True,
    )  # fmt: skip
    first = deal(opening, seed).first
    given_up = tuple(code for code in first if code != "t")[:n]
    hand = deal(opening, seed, given_up, turns=3)
    assert "w" not in hand.kept
    assert len(hand.kept) == min(4, 8)
    cards = Counter(opening.cards) - Counter(first)
    assert Counter(hand.replaced_by) <= cards
    seen = Counter(hand.kept) + Counter(code for turn in hand.turns for code in turn)
    assert seen <= Counter(opening.cards)


@pytest.mark.parametrize("given_up", [("t",), ("nonsense",), ("a", "a", "a")])
def test_cards_not_in_the_hand_or_that_must_stay_cannot_be_given_up(
    given_up: tuple[str, ...],
) -> None:
    opening = Opening(
        {"a": 2, "t": 1}, frozenset(), frozenset("t"), 3, 3, mulligan=True
    )
    with pytest.raises(ValueError, match="cannot be given up"):
        deal(opening, "x", given_up)
    with pytest.raises(ValueError, match="no mulligan"):
        deal(replace(opening, mulligan=False), "x", ("a",))


# -- odds --

A, B = frozenset("a"), frozenset("b")


def _small(**changes: Any) -> Opening:
    usual = Opening(
        {"a": 2, "b": 1, "x": 4, "w": 1, "t": 1},
        frozenset("w"), frozenset("t"), drawn=3, kept=3, mulligan=True,
    )  # fmt: skip
    return replace(usual, **changes)


def _brute(
    opening: Opening,
    wanted: list[frozenset[str]],
    how: Wanted,
    turn: int,
    mulligan: bool,
) -> Fraction:
    """Return the odds by trying every hand, every redraw and every later draw."""
    cards = [code for code, copies in opening.cards.items() for _ in range(copies)]
    total, count = Fraction(0), 0
    for gone in _apart(opening, cards):
        left = [each for index, each in enumerate(cards) if index not in gone]
        total += _brute_of(opening, left, wanted, how, turn, mulligan)
        count += 1
    return total / count


def _apart(opening: Opening, cards: list[str]) -> Iterator[tuple[int, ...]]:
    among = [i for i, code in enumerate(cards) if code in opening.apart_from]
    yield from combinations(among, min(opening.random_apart, len(among)))


def _brute_of(
    opening: Opening,
    cards: list[str],
    wanted: list[frozenset[str]],
    how: Wanted,
    turn: int,
    mulligan: bool,
) -> Fraction:
    good = [i for i, code in enumerate(cards) if code not in opening.weaknesses]
    hands = list(combinations(good, min(opening.drawn, len(good))))
    total = Fraction(0)
    for hand in hands:
        kept, found = set(), set()
        for index in hand:
            group = next((n for n, g in enumerate(wanted) if cards[index] in g), None)
            if cards[index] in opening.stays or (
                group is not None and group not in found
            ):
                kept.add(index)
                found.add(group)
        if not mulligan:
            kept = set(hand)
        others = [index for index in good if index not in hand]
        redraws = list(combinations(others, min(len(hand) - len(kept), len(others))))
        for redraw in redraws:
            held = kept | set(redraw)
            deck = [index for index in range(len(cards)) if index not in held]
            later = list(
                combinations(deck, min(turn * (opening.upkeep or 0), len(deck)))
            )
            good_ends = 0
            for draws in later:
                seen = {cards[index] for index in held | set(draws)}
                hits = [bool(group & seen) for group in wanted]
                good_ends += any(hits) if how is Wanted.ANY else all(hits)
            total += Fraction(good_ends, len(later) * len(redraws) * len(hands))
    return total


@pytest.mark.parametrize("how", Wanted)
@pytest.mark.parametrize("mulligan", [True, False])
@pytest.mark.parametrize(
    "opening",
    [
        _small(),
        _small(drawn=4, kept=3, mulligan=False),
        _small(upkeep=2),
        _small(random_apart=2, apart_from=frozenset("ax")),
        _small(random_apart=9, apart_from=frozenset("b")),
        _small(cards={"a": 1, "b": 1, "x": 1}, stays=frozenset()),
        _small(drawn=0),
    ],
    ids=["plain", "instead", "two a turn", "apart", "all apart", "tiny", "no hand"],
)
def test_odds_match_a_count_of_every_case(
    opening: Opening, how: Wanted, mulligan: bool
) -> None:
    exact = odds_by_turn(opening, [A, B], how, 3, mulligan=mulligan)
    gives_up = mulligan and opening.mulligan
    assert exact == tuple(
        _brute(opening, [A, B], how, turn, gives_up) for turn in range(3)
    )


def test_odds_of_two_copies_in_thirty_three_cards() -> None:
    """The most common question: 2 of 30 cards and 3 weaknesses, by the formula."""
    opening = Opening(
        {"a": 2, "x": 28, "w": 3}, frozenset("w"), frozenset(), 5, 5, mulligan=True
    )
    first, second = odds_by_turn(opening, [A], Wanted.ANY, 2)
    miss = Fraction(comb(28, 5), comb(30, 5)) * Fraction(comb(23, 5), comb(25, 5))
    assert first == 1 - miss == Fraction(49, 87)
    assert second == 1 - miss * Fraction(26, 28)


def test_a_card_already_in_the_hand_is_certain() -> None:
    opening = _small(in_hand=("b",))
    assert odds_by_turn(opening, [A, B], Wanted.ANY, 2) == (Fraction(1),) * 2
    alone = odds_by_turn(opening, [A], Wanted.ALL, 2)
    assert odds_by_turn(opening, [A, B], Wanted.ALL, 2) == alone


def test_odds_end_with_the_hand_if_later_draws_are_unknown() -> None:
    assert len(odds_by_turn(_small(upkeep=None), [A], Wanted.ANY, 5)) == 1


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ([], "from 1 to 5"),
        ([frozenset(c) for c in "abcdef"], "from 1 to 5"),
        ([A, A], "twice"),
        ([frozenset("w")], "weaknesses"),
        ([frozenset("t")], "weaknesses"),
    ],
)
def test_invalid_groups_of_cards_are_refused(
    wanted: list[frozenset[str]], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        odds_by_turn(_small(), wanted, Wanted.ANY, 1)


@given(
    st.integers(0, 3), st.integers(0, 3), st.integers(0, 8), st.integers(0, 3),
    st.integers(0, 2), st.integers(1, 6),
)  # fmt: skip
def test_laws_of_the_odds(a: int, b: int, x: int, w: int, t: int, drawn: int) -> None:
    """Between 0 and 1; never falling; any at least all; a mulligan never hurts."""
    cards = {"a": a, "b": b, "x": x, "w": w, "t": t}
    opening = Opening(cards, frozenset("w"), frozenset("t"), drawn, drawn, True)
    either = odds_by_turn(opening, [A, B], Wanted.ANY, 6)
    both = odds_by_turn(opening, [A, B], Wanted.ALL, 6)
    for low, high in zip(both, either, strict=True):
        assert 0 <= low <= high <= 1
    assert list(either) == sorted(either)
    assert list(both) == sorted(both)
    for how, found in ((Wanted.ANY, either), (Wanted.ALL, both)):
        without = odds_by_turn(opening, [A, B], how, 6, mulligan=False)
        assert all(x >= y for x, y in zip(found, without, strict=True))
        swapped = odds_by_turn(opening, [B, A], how, 6)
        assert swapped == found
