"""The number of cards an investigator may include is the same on every page."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.rules.deck import DeckList
from arkham.rules.finding import Severity
from arkham.rules.legality import check, judge_of
from arkham.rules.legality.standing import CardRole
from arkham.rules.pool import CardPool
from cardpool.queries import found_codes, read_search
from cardpool.search.query import parse
from decks.lists.content import Content, read_content
from decks.lists.starter import starter_deck
from decks.pages.display import Judged
from decks.pages.offers import (
    CardSearch,
    cards_found,
    later,
    offers_for,
    search_for,
)
from tests.decks.edits import apply

pytestmark = pytest.mark.usefixtures("rows")
CURRENT = {"environment": {"kind": "current"}}


def _judged(pool: CardPool, content: Content) -> Judged:
    return Judged(content, judge_of(pool))


def _new(code: str, **told: object) -> Content:
    circumstances = {"mode": "start"} | told
    deck = {"investigator_code": code, "slots": {}}
    return read_content({"deck": deck, "circumstances": circumstances})


@pytest.mark.slow
def test_page_builder_and_search_count_the_same(client: Client, rows: CardPool) -> None:
    """For every investigator, in every version and printing with facts of its own."""
    wrong = {}
    for card in rows.investigators:
        searched = len(found_codes(read_search(f"access:{card.code}")))
        page = client.get(f"/cards/{card.code}/").content.decode()
        browse = re.search(r"Browse (\d+) cards", page)
        builder = offers_for(_judged(rows, _new(card.code)), CardSearch())
        assert browse is not None
        counts = (int(browse[1]), searched, builder.open_count)
        others = (builder.barred_count, builder.full_count)
        if len(set(counts)) > 1 or others != (0, 0):
            wrong[card.code] = counts, others
    assert wrong == {}


def test_cards_a_first_deck_gets_later_are_noted(rows: CardPool) -> None:
    """5U-21 buys class cards above level 0 by its own ability."""
    found = offers_for(_judged(rows, _new("89001")), CardSearch(words="level:3"))
    assert found.offers
    assert not any(each.reason for each in found.offers)
    assert all("at deck creation" in each.note for each in found.offers if each.note)


def test_an_incomplete_set_of_signatures_can_be_completed(rows: CardPool) -> None:
    """Replacements come in other numbers: the copy in the deck may stay."""
    deck = DeckList("11014", {"11015": 1})
    findings = check(judge_of(rows), deck).findings
    rules = {finding.rule for finding in findings}
    assert "required.signatures" in rules
    assert "required.copies" not in rules


@pytest.mark.slow
@pytest.mark.parametrize("code", ["01001", "02001", "05001"])
@pytest.mark.parametrize(
    "told",
    [
        {},
        CURRENT,
        {"environment": {"kind": "limited", "cycles": ["dwl", "ptc", "tfa"]}},
        {"mode": "standalone"},
        {"mode": "standalone", "ultimatums": ["exile"]},
        {"ultimatums": ["induction"]},
        {"ultimatums": ["scream"], "banned_titles": ["Beat Cop"]},
        {"lost_cards": ["01020"]},
    ],
    ids=str,
)
def test_no_card_is_counted_that_the_judge_bars(
    rows: CardPool, code: str, told: dict[str, object]
) -> None:
    """One by one, in a deck of nothing else."""
    judged = _judged(rows, _new(code, **told))
    inside, cards = cards_found(
        judged, CardSearch(), search_for(CardSearch(), judged.pool)
    )
    open_codes = {card.code for card in inside}
    assert judged.frame is not None
    terms = judged.asked.circumstances
    for card in cards:
        role = judged.frame.standing(card.code).role
        if role not in (CardRole.ORDINARY, CardRole.BASIC_WEAKNESS):
            continue
        alone = DeckList(code, {card.code: 1})
        barred = {
            finding.rule
            for finding in check(judged.judge, alone, terms).findings
            if finding.severity is Severity.ILLEGAL
            and card.code in finding.cards
            and finding.rule not in later(terms)
        }
        assert (card.code in open_codes) != bool(barred), (card.code, barred)


def test_cards_out_of_the_environment_are_not_counted(rows: CardPool) -> None:
    found = offers_for(
        _judged(rows, _new("01001", **CURRENT)), CardSearch(words="shortcut")
    )
    assert found.offers
    assert all(each.reason for each in found.offers)
    assert (found.open_count, found.barred_count) == (0, len(found.offers))


def test_a_full_option_leaves_no_room(rows: CardPool) -> None:
    """Zoey's five: a sixth is hers to include, but there is no room for it."""
    content = _new("02001")
    changes = [("add", "01044:2"), ("add", "01045:2"), ("add", "01051:1")]
    full = offers_for(
        _judged(rows, apply(content, changes, rows)),
        CardSearch(words="name:elusive level:0"),
    )
    assert (full.open_count, full.full_count, full.barred_count) == (0, 1, 0)
    four = offers_for(
        _judged(rows, apply(content, changes[:2], rows)),
        CardSearch(words="name:elusive level:0"),
    )
    assert (four.open_count, four.full_count) == (1, 0)


@pytest.mark.parametrize("code", ["01001", "02001", "05001", "07005"])
def test_cards_with_room_are_not_barred(rows: CardPool, code: str) -> None:
    """In a complete deck: the judge admits every card counted as open."""
    judged = _judged(rows, starter_deck(rows, code))
    assert judged.frame is not None
    found = offers_for(judged, CardSearch(shown=10_000))
    for each in found.offers:
        assert not (each.reason and each.note)
    free = [
        each
        for each in found.offers
        if judged.frame.standing(each.card.code).role is not CardRole.BASIC_WEAKNESS
        and not each.reason
    ]
    assert found.open_count == len(free)
    assert found.full_count > 0
    # Filters don't change the count.
    assert offers_for(judged, CardSearch()).open_count == found.open_count


def test_weaknesses_are_counted_apart(client: Client, rows: CardPool) -> None:
    found = offers_for(
        _judged(rows, _new("01001")),
        CardSearch(filters=parse("type:treachery"), shown=240),
    )
    assert found.weakness_count > 20
    assert found.barred_count == 0
    shown = {each.code for each in found.offers if each.card.signature}
    assert found.open_count == len(shown) > 0
