"""A card with a level that a scenario grants does not count and is free."""

from __future__ import annotations

import pytest

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import Judge, check
from arkham.rules.upgrade import PLAIN_WINDOW, Invoice, Window, price_upgrade
from arkham.rules.vocabulary import Mode
from tests.rules.upgrades import read_base

ACE = "05040"  # Ace of Rods, neutral, level 1
SHRIVELLING, COP, BETTER_COP = "01060", "01018", "01028"
START = Circumstances(mode=Mode.START)
TOLD = Circumstances(story_cards=frozenset({ACE}))


def _roland(**more: int) -> DeckList:
    slots = dict(read_base("upgrades/bases/roland")["slots"])
    for code, copies in more.items():
        code = code.removeprefix("c")
        slots[code] = slots.get(code, 0) + copies
    return DeckList("01001", slots)


def _with(code: str, copies: int = 1) -> DeckList:
    return _roland(**{f"c{code}": copies})


def _rules(invoice: Invoice) -> list[tuple[str, str]]:
    found = (*invoice.findings, *invoice.legality)
    return [(each.rule, each.severity.word) for each in found]


ADDED = [("deck.set-aside", "advice")]


def _ways() -> list[tuple[DeckList, Window, Circumstances]]:
    """All ways in which list, window and table can state that a card was granted."""
    plain, aside = _with(ACE), _with(ACE)._replace(set_aside={ACE: 1})
    granted = Window(granted={ACE: 1})
    return [
        (aside, PLAIN_WINDOW, ANY_TABLE),
        (plain, granted, ANY_TABLE),
        (aside, granted, ANY_TABLE),
        (plain, PLAIN_WINDOW, TOLD),
        (plain, granted, TOLD),
        (aside, granted, TOLD),
    ]


@pytest.mark.parametrize(("after", "window", "table"), _ways())
def test_a_granted_card_is_free_and_outside_the_deck_size(
    judge: Judge, after: DeckList, window: Window, table: Circumstances
) -> None:
    """Whatever else is bought."""
    invoice = price_upgrade(judge, _roland(), after, window, table)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)
    upgraded = {**after.entries, COP: after.entries[COP] - 1, BETTER_COP: 1}
    invoice = price_upgrade(
        judge, _roland(), after._replace(entries=upgraded), window, table
    )
    assert (invoice.total, _rules(invoice)) == (2, ADDED)


@pytest.mark.parametrize("table", [ANY_TABLE, TOLD])
def test_a_granted_card_stays_free_in_later_upgrades(
    judge: Judge, table: Circumstances
) -> None:
    """It is set aside, or the table records that it was granted."""
    deck = _with(ACE)
    if table is ANY_TABLE:
        deck = deck._replace(set_aside={ACE: 1})
    invoice = price_upgrade(judge, deck, deck, PLAIN_WINDOW, table)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)
    verdict = check(judge, deck, table)
    assert (verdict.status, verdict.deck_size, verdict.experience_required) == (
        "legal", 30, 0,
    )  # fmt: skip


def test_a_card_that_was_not_granted_is_bought(judge: Judge) -> None:
    """It takes the place of another card and costs its level."""
    invoice = price_upgrade(judge, _roland(), _with(ACE))
    assert invoice.total == 1
    assert ("deck.size", "illegal") in _rules(invoice)
    assert check(judge, _with(ACE)).deck_size == 31


def test_a_second_copy_of_a_granted_card_is_bought(judge: Judge) -> None:
    """One was granted; the other takes the place of a Beat Cop."""
    after = _roland(c05040=2, c01018=-1)
    invoice = price_upgrade(judge, _roland(), after, Window(granted={ACE: 1}))
    assert (invoice.total, _rules(invoice)) == (1, ADDED)


def test_no_card_was_granted_before_a_first_deck(judge: Judge) -> None:
    """Its copies count like any others, whatever the table records."""
    deck = _with(COP)
    table = Circumstances(mode=Mode.START, story_cards=frozenset({COP}))
    told, silent = check(judge, deck, table), check(judge, deck, START)
    assert told.deck_size == silent.deck_size == 31
    assert told.findings == silent.findings


def test_a_granted_card_needs_no_option(judge: Judge) -> None:
    """Roland may have no Mystic card but this one (DECK-18)."""
    table = Circumstances(story_cards=frozenset({SHRIVELLING}))
    deck = _with(SHRIVELLING)
    assert check(judge, deck, table).status == "legal"
    assert check(judge, deck).status == "illegal"
    full = DeckList("01001", {**deck.entries, COP: deck.entries[COP] - 1})
    found = {each.rule for each in check(judge, full, table).findings}
    assert "deck.size" in found  # a granted card doesn't count


KNIFE, KNIFE_AGAIN, MYSTIC_PERMANENT = "01086", "01586", "04109"


@pytest.mark.parametrize(
    "table", [ANY_TABLE, Circumstances(story_cards=frozenset({KNIFE}))]
)
def test_a_copy_of_another_printing_is_granted(
    judge: Judge, table: Circumstances
) -> None:
    """A third Knife, from another product than the two in the deck."""
    before = _roland(c01586=2, c01018=-2)
    assert check(judge, before).status == "legal"
    after = before._replace(entries={**before.entries, KNIFE: 1})
    window = Window(granted={KNIFE: 1}) if table is ANY_TABLE else PLAIN_WINDOW
    invoice = price_upgrade(judge, before, after, window, table)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)


def test_one_copy_is_set_aside_if_a_granted_title_has_one_too_many(
    judge: Judge,
) -> None:
    """Two versions were granted, but the other two copies may have been bought."""
    granted = frozenset({COP, BETTER_COP})
    after = _roland(**{f"c{BETTER_COP}": 1})
    assert after.entries[COP] == 2
    table = Circumstances(story_cards=granted)
    verdict = check(judge, after, table)
    assert (verdict.status, verdict.deck_size) == ("legal", 30)


def test_a_granted_permanent_needs_no_option(judge: Judge) -> None:
    """It takes no place in the deck either."""
    after = _with(MYSTIC_PERMANENT)
    assert ("access.option", "illegal") in _rules(
        price_upgrade(judge, _roland(), after)
    )
    window = Window(granted={MYSTIC_PERMANENT: 1})
    invoice = price_upgrade(judge, _roland(), after, window)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)


@pytest.mark.parametrize("granted", [{}, {KNIFE: 1}, {KNIFE: 2}])
def test_a_granted_card_cannot_be_exchanged_by_adaptable(
    judge: Judge, granted: dict[str, int]
) -> None:
    """It is outside the deck size, so it makes no room for another card."""
    higher = {"02148": 15, "02152": 14}  # level 3 and 2
    chained, adaptable = "05231", "02110"  # Knowledge is Power, level 0 for 2
    before = DeckList(
        "01001", {**higher, adaptable: 1, **granted}, set_aside=granted, taboo=5
    )
    after = before._replace(entries={**before.entries, chained: 1})
    assert price_upgrade(judge, before, after).total == 2


def test_a_granted_card_stays_set_aside_under_another_printing(judge: Judge) -> None:
    """In either list, whichever printing its cards name."""
    beside = _with(KNIFE)._replace(set_aside={KNIFE: 1})
    reprinted = _with(KNIFE_AGAIN)._replace(set_aside={KNIFE_AGAIN: 1})
    mixed = _with(KNIFE_AGAIN)._replace(set_aside={KNIFE: 1})
    for before in (beside, reprinted, mixed):
        for after in (beside, reprinted, mixed):
            invoice = price_upgrade(judge, before, after)
            assert (invoice.total, _rules(invoice)) == (0, ADDED)


def test_an_exiled_card_is_refilled_beside_another_printing_set_aside(
    judge: Judge,
) -> None:
    """A Beat Cop was exiled, and a level 0 card takes its place for free."""
    before = _with(KNIFE_AGAIN)._replace(set_aside={KNIFE: 1})
    entries = {**before.entries, COP: 1, "01030": 1}  # Magnifying Glass
    after = before._replace(entries=entries)
    assert price_upgrade(judge, before, after, Window(exiled={COP: 1})).total == 0


def test_an_unknown_card_set_aside_is_a_finding(judge: Judge) -> None:
    """It is free, like any unknown card, and reported."""
    after = _with("99999")._replace(set_aside={"99999": 1})
    invoice = price_upgrade(judge, _roland(), after)
    assert invoice.total == 0
    assert "deck.unknown-card" in {rule for rule, _severity in _rules(invoice)}
