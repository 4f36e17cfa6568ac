"""Frames share what is compiled about cards, and a judge forgets the oldest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.card import TabooChange
from arkham.rules.checking import read_request
from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import Judge, check
from arkham.rules.legality import frame as kept
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode
from bench.make_different import Variations

DECKS = Path(__file__).parents[3] / "bench" / "decks.jsonl"
ROLAND = {"investigator_code": "01001", "slots": {"01016": 2, "01020": 2, "02154": 2}}


@pytest.fixture(scope="module")
def judge(pool: CardPool) -> Judge:
    """A judge that has not judged any deck yet."""
    return Judge(pool)


def frame(
    judge: Judge, circumstances: Circumstances = ANY_TABLE, **changes: Any
) -> Frame:
    """Return the frame of a deck of Roland Banks."""
    deck = read_deck({**ROLAND, **changes})
    return next(judge.builds(deck, circumstances)).frame


def test_frames_share_standings_if_no_card_is_affected(judge: Judge) -> None:
    """Taboo list, experience, players and deck size leave the standings unchanged."""
    plain = frame(judge)

    for other in (
        frame(judge, taboo_id=8),
        frame(judge, Circumstances(experience=12)),
        frame(judge, Circumstances(players=3, mode=Mode.STANDALONE)),
        frame(judge, Circumstances(story_cards=frozenset({"01117"}))),
    ):
        assert other is not plain
        assert other.standings is plain.standings


@pytest.mark.parametrize(
    "circumstances",
    [
        Circumstances(mode=Mode.START),
        Circumstances(ultimatums=frozenset({"highlander"})),
        Circumstances(banned_titles=frozenset({"Beat Cop"})),
        Circumstances(lost_cards=("01006",)),
        Circumstances(rulings=(("options.full-limited-option", "letter"),)),
    ],
)
def test_frames_do_not_share_standings_if_a_card_is_affected(
    judge: Judge, circumstances: Circumstances
) -> None:
    assert frame(judge, circumstances).standings is not frame(judge).standings


def test_a_taboo_list_changes_only_the_standings_of_its_cards(judge: Judge) -> None:
    """A card has one standing for each different change, even if lists repeat it."""
    lists = judge.pool.taboo_lists
    frames = [frame(judge), *(frame(judge, taboo_id=each.id) for each in lists)]
    changes: dict[str, set[TabooChange]] = {"01016": set()}
    for each in lists:
        for code, change in each.changes.items():
            changes.setdefault(code, set()).add(change)
    repeated = 0

    for code, different in changes.items():
        standings = [each.standing(code) for each in frames]
        for each, standing in zip(lists, standings[1:], strict=True):
            assert standing.taboo == each.changes.get(code)
        if standings[0].role is not CardRole.ORDINARY:
            continue
        changed = {id(each) for each in standings if each.taboo is not None}
        # A change that was reverted for a while may have two numbers.
        assert len(different) <= len(changed) <= len(different) + 1
        assert len({id(each) for each in standings if each.taboo is None}) <= 1
        repeated += sum(each.taboo is not None for each in standings) > len(changed)
    assert repeated > 50


def decks(pool: CardPool) -> list[DeckList]:
    """Random decks and decks of the bench, in turn."""
    wild = Variations(pool).wild()
    lines = DECKS.read_text().splitlines()[:150]
    return [
        read_deck(each) for line in lines for each in (json.loads(line), next(wild))
    ]


def test_a_judge_that_forgets_judges_the_same(
    pool: CardPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With tiny limits, each verdict equals that of a judge without memory."""
    monkeypatch.setattr(kept, "MOST_COMPILED", 400)
    monkeypatch.setattr(kept, "MOST_FRAMES", 7)
    forgetful = Judge(pool)

    for number, deck in enumerate(decks(pool)):
        verdict = check(forgetful, deck)
        if number % 10 == 0:
            assert verdict == check(Judge(pool), deck)
        remembered = forgetful._kept._standings.values()
        assert sum(map(len, remembered)) < 600
        assert len(forgetful._kept._frames) <= 7


def test_equal_standings_and_lines_are_one_object(pool: CardPool) -> None:
    """Of two investigators whose same option admits the card."""
    judge = Judge(pool)
    made = [
        read_deck({"investigator_code": code, "slots": {"01088": 2}})
        for code in ("01001", "02001")
    ]
    one, other = (next(judge.builds(deck)) for deck in made)

    assert one.frame.standings is not other.frame.standings
    assert one.lines[0] is other.lines[0]
    assert one.frame.standing("01088") is other.frame.standing("01088")


def test_what_no_terms_need_any_more_is_not_kept(
    pool: CardPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither lines nor the standings that they had."""
    monkeypatch.setattr(kept, "MOST_COMPILED", 400)
    judge = Judge(pool)
    for deck in decks(pool)[:100]:
        check(judge, deck)
        assert len(judge._kept._cards._shared) < 600


def test_the_least_recently_used_standings_are_forgotten_first(
    pool: CardPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_COMPILED", 600)
    judge = Judge(pool)
    often = frame(judge).standings

    for deck in decks(pool)[:60]:
        check(judge, deck)
        assert frame(judge).standings is often


def test_variations_are_the_same_for_the_same_seed(pool: CardPool) -> None:
    """They are also readable and differ from each other."""
    for kind in (Variations.mild, Variations.wild):
        one, other = kind(Variations(pool, 7)), kind(Variations(pool, 7))
        made = [next(one) for _ in range(50)]
        assert made == [next(other) for _ in range(50)]
        assert len({json.dumps(each) for each in made}) == 50
        for each in made:
            read_request(each)
