"""A card with a level that a scenario gives does not count, and is not paid for."""

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
    """However the list, the window and the table tell that a card was given."""
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
def test_a_granted_card_passes_an_upgrade(
    judge: Judge, after: DeckList, window: Window, table: Circumstances
) -> None:
    """At no price, outside the deck size, whatever else is bought."""
    invoice = price_upgrade(judge, _roland(), after, window, table)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)
    upgraded = {**after.entries, COP: after.entries[COP] - 1, BETTER_COP: 1}
    invoice = price_upgrade(
        judge, _roland(), after._replace(entries=upgraded), window, table
    )
    assert (invoice.total, _rules(invoice)) == (2, ADDED)


@pytest.mark.parametrize("table", [ANY_TABLE, TOLD])
def test_it_passes_later_upgrades_too(judge: Judge, table: Circumstances) -> None:
    """It lies beside the deck, or the table says that it was granted."""
    deck = _with(ACE)
    if table is ANY_TABLE:
        deck = deck._replace(set_aside={ACE: 1})
    invoice = price_upgrade(judge, deck, deck, PLAIN_WINDOW, table)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)
    verdict = check(judge, deck, table)
    assert (verdict.status, verdict.deck_size, verdict.experience_required) == (
        "legal", 30, 0,
    )  # fmt: skip


def test_a_card_nobody_granted_is_bought(judge: Judge) -> None:
    """It takes the place of another, and costs its level."""
    invoice = price_upgrade(judge, _roland(), _with(ACE))
    assert invoice.total == 1
    assert ("deck.size", "illegal") in _rules(invoice)
    assert check(judge, _with(ACE)).deck_size == 31


def test_a_second_copy_is_bought_beside_the_granted_one(judge: Judge) -> None:
    """One was granted; the other takes the place of a Beat Cop."""
    after = _roland(c05040=2, c01018=-1)
    invoice = price_upgrade(judge, _roland(), after, Window(granted={ACE: 1}))
    assert (invoice.total, _rules(invoice)) == (1, ADDED)


def test_nothing_was_granted_before_a_first_deck(judge: Judge) -> None:
    """Whatever the table tells, its copies count like any other."""
    deck = _with(COP)
    table = Circumstances(mode=Mode.START, story_cards=frozenset({COP}))
    told, silent = check(judge, deck, table), check(judge, deck, START)
    assert told.deck_size == silent.deck_size == 31
    assert told.findings == silent.findings


def test_no_option_stands_against_what_was_granted(judge: Judge) -> None:
    """Roland may have no Mystic card but this one (DECK-18)."""
    table = Circumstances(story_cards=frozenset({SHRIVELLING}))
    deck = _with(SHRIVELLING)
    assert check(judge, deck, table).status == "legal"
    assert check(judge, deck).status == "illegal"
    full = DeckList("01001", {**deck.entries, COP: deck.entries[COP] - 1})
    found = {each.rule for each in check(judge, full, table).findings}
    assert "deck.size" in found  # a card that was granted fills no place


KNIFE, KNIFE_AGAIN, MYSTIC_PERMANENT = "01086", "01586", "04109"


@pytest.mark.parametrize(
    "table", [ANY_TABLE, Circumstances(story_cards=frozenset({KNIFE}))]
)
def test_one_copy_is_granted_over_all_printings(
    judge: Judge, table: Circumstances
) -> None:
    """A third Knife, of another product than the two in the deck."""
    before = _roland(c01586=2, c01018=-2)
    assert check(judge, before).status == "legal"
    after = before._replace(entries={**before.entries, KNIFE: 1})
    window = Window(granted={KNIFE: 1}) if table is ANY_TABLE else PLAIN_WINDOW
    invoice = price_upgrade(judge, before, after, window, table)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)


def test_one_copy_is_set_aside_for_one_too_many_of_a_title(judge: Judge) -> None:
    """Two versions were granted, and two copies may as well have been bought."""
    granted = frozenset({COP, BETTER_COP})
    after = _roland(**{f"c{BETTER_COP}": 1})
    assert after.entries[COP] == 2
    table = Circumstances(story_cards=granted)
    verdict = check(judge, after, table)
    assert (verdict.status, verdict.deck_size) == ("legal", 30)


def test_no_option_stands_against_a_permanent_that_was_granted(judge: Judge) -> None:
    """It takes no place in the deck, and needs no option either."""
    after = _with(MYSTIC_PERMANENT)
    assert ("access.option", "illegal") in _rules(
        price_upgrade(judge, _roland(), after)
    )
    window = Window(granted={MYSTIC_PERMANENT: 1})
    invoice = price_upgrade(judge, _roland(), after, window)
    assert (invoice.total, _rules(invoice)) == (0, ADDED)


@pytest.mark.parametrize("granted", [{}, {KNIFE: 1}, {KNIFE: 2}])
def test_what_was_granted_is_not_exchanged_and_bought_again(
    judge: Judge, granted: dict[str, int]
) -> None:
    """Outside the deck size it makes no room; Adaptable finds nothing to exchange."""
    higher = {"02148": 15, "02152": 14}  # level 3 and 2
    chained, adaptable = "05231", "02110"  # Knowledge is Power, level 0 for 2
    before = DeckList(
        "01001", {**higher, adaptable: 1, **granted}, set_aside=granted, taboo=5
    )
    after = before._replace(entries={**before.entries, chained: 1})
    assert price_upgrade(judge, before, after).total == 2


def test_it_stays_set_aside_under_another_printing(judge: Judge) -> None:
    """Of either list, whichever printing of it that names among its cards."""
    beside = _with(KNIFE)._replace(set_aside={KNIFE: 1})
    reprinted = _with(KNIFE_AGAIN)._replace(set_aside={KNIFE_AGAIN: 1})
    mixed = _with(KNIFE_AGAIN)._replace(set_aside={KNIFE: 1})
    for before in (beside, reprinted, mixed):
        for after in (beside, reprinted, mixed):
            invoice = price_upgrade(judge, before, after)
            assert (invoice.total, _rules(invoice)) == (0, ADDED)


def test_a_place_is_lost_beside_a_card_set_aside_under_another_printing(
    judge: Judge,
) -> None:
    """One Beat Cop was exiled, and one card of level 0 takes its place for nothing."""
    before = _with(KNIFE_AGAIN)._replace(set_aside={KNIFE: 1})
    entries = {**before.entries, COP: 1, "01030": 1}  # Magnifying Glass
    after = before._replace(entries=entries)
    assert price_upgrade(judge, before, after, Window(exiled={COP: 1})).total == 0


def test_an_unknown_card_set_aside_is_a_finding(judge: Judge) -> None:
    """It is priced like any card we do not know: for nothing, and said."""
    after = _with("99999")._replace(set_aside={"99999": 1})
    invoice = price_upgrade(judge, _roland(), after)
    assert invoice.total == 0
    assert "deck.unknown-card" in {rule for rule, _severity in _rules(invoice)}
