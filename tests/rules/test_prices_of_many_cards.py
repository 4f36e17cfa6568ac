"""Changes far beyond what tables make are priced too, and quickly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arkham.rules.deck import DeckList
from arkham.rules.legality import judge_of
from arkham.rules.notation.reading import Unreadable
from arkham.rules.pricing import MOST_PRICED, invoice_of, read_upgrade
from arkham.rules.upgrade import (
    Invoice,
    Pin,
    Window,
    assembly,
    offers,
    price,
    titles,
    weighing,
)
from arkham.rules.upgrade.assembly import Best
from arkham.rules.upgrade.titles import MOST_CARRIED_IN_ALL
from arkham.rules.upgrade.weighing import MOST_CARRIED, Carrying, States
from tests.rules.strategies import cards

RABBIT_HOLE, ARCANE_RESEARCH, ADAPTABLE, DEJA_VU = "08059", "04109", "02110", "60531"
GRANTING = {RABBIT_HOLE: 1, ARCANE_RESEARCH: 2, ADAPTABLE: 2, DEJA_VU: 2}
SHRIVELLING = ("01060", "02154", "02306")  # levels 0, 3 and 5
TOLD = Window(pelts=2, offerings=18)


def _levels(lowest: bool) -> dict[str, int]:
    """Two copies of each of 200 titles, at their lowest or highest level."""
    versions: dict[str, list[tuple[int, str]]] = {}
    for card in cards().values():
        if card.level is not None and not (card.permanent or card.researched):
            versions.setdefault(card.title, []).append((card.level, card.code))
    chosen = [sorted(each) for each in versions.values() if len(each) > 1][:200]
    return {each[0 if lowest else -1][1]: 2 for each in chosen}


def test_hundreds_of_upgrades_cost_no_more_than_without_reductions() -> None:
    """Though not every way to share out the reductions is tried."""
    low, high = _levels(lowest=True), _levels(lowest=False)
    window = Window(exiled=dict.fromkeys(list(low)[:50], 2), offerings=12, pelts=1)

    before, after = ({**GRANTING, **part} for part in (low, high))
    reduced = price(
        DeckList("01004", before), DeckList("01004", after), cards(), window
    )
    full = price(
        DeckList("01004", before),
        DeckList("01004", after),
        cards(),
        Window(exiled=window.exiled, refused=frozenset(GRANTING)),
    )

    assert len(reduced.lines) == len(full.lines) >= 390
    assert reduced.total < full.total


def test_thousands_of_raven_quills_are_priced() -> None:
    """A table may state any number; they never reduce a price below zero."""
    invoice = price(
        DeckList("01004", {"01060": 2}),
        DeckList("01004", {"02306": 2}),
        cards(),
        Window(quills={"01060": 9_999}),
    )

    assert [line.upgraded_from for line in invoice.lines] == ["01060", "01060"]
    assert [line.reductions for line in invoice.lines] == [(("09042", 5),)] * 2
    assert invoice.total == 0


def test_thousands_of_copies_of_deja_vu_are_priced() -> None:
    """A new card costs 1 at least."""
    invoice = price(
        DeckList("01005", {DEJA_VU: 9_999, "08080": 2}),
        DeckList("01005", {DEJA_VU: 9_999, "08080": 2}),
        cards(),
        Window(exiled={"08080": 2}),
    )

    assert [line.paid for line in invoice.lines] == [1, 1]


# -- the work, counted in partial results and in uses joined --

MOST_JOINED = 400_000


class Work(NamedTuple):
    """The work of pricing a change, and the invoice."""

    carried: int
    joined: int
    invoice: Invoice

    @property
    def bounded(self) -> bool:
        """Whether the invoice states that there may be a lower price."""
        return "upgrade.bounded" in {each.rule for each in self.invoice.findings}


def _worked(
    monkeypatch: pytest.MonkeyPatch,
    before: Mapping[str, int],
    after: Mapping[str, int],
    window: Window = TOLD,
    **terms: Any,
) -> Work:
    """Price a change of decks that include every card that changes prices."""
    count: Counter[str] = Counter()
    carry, join, with_more = Carrying._carry, offers.joined, assembly._with

    def carry_and_count(self: Carrying, states: States, *others: Any) -> None:
        count["carried"] += len(states)
        carry(self, states, *others)

    def join_and_count(*asked: Any) -> offers.Uses | None:
        count["joined"] += 1
        return join(*asked)

    def with_and_count(best: Best, front: offers.Front, *others: Any) -> Best:
        count["joined"] += len(best) * len(front.plans)
        return with_more(best, front, *others)

    monkeypatch.setattr(titles, "_remembered", {})
    monkeypatch.setattr(Carrying, "_carry", carry_and_count)
    monkeypatch.setattr(assembly, "_with", with_and_count)
    for module in (weighing, assembly):
        monkeypatch.setattr(module, "joined", join_and_count)
    old, new = ({**GRANTING, **part} for part in (before, after))
    invoice = price(
        DeckList("01004", old, **terms),
        DeckList("01004", new, **terms),
        cards(),
        window,
    )
    return Work(count["carried"], count["joined"], invoice)


def _myriad(copies: int) -> dict[str, int]:
    return {code: copies for code, card in cards().items() if card.myriad}


def _every_card(copies: int) -> dict[str, int]:
    """Copies of every card that can be bought."""
    return {
        card.code: copies
        for card in cards().values()
        if card.level is not None and not card.permanent
    }


LOW, MIDDLE, HIGH = SHRIVELLING
QUILLED = TOLD._replace(quills={LOW: 2, MIDDLE: 2})


@pytest.mark.parametrize(
    ("before", "after", "window", "total"),
    [
        ({LOW: 2}, {HIGH: 2}, QUILLED, 1),
        ({LOW: 1, MIDDLE: 1}, {MIDDLE: 1, HIGH: 1}, QUILLED, 0),
        ({LOW: 2, MIDDLE: 2}, {MIDDLE: 2, HIGH: 2}, QUILLED, 0),
        ({LOW: 3, MIDDLE: 3}, {MIDDLE: 3, HIGH: 3}, QUILLED, 3),
        ({LOW: 3, MIDDLE: 3}, {MIDDLE: 3, HIGH: 3}, TOLD, 7),
    ],
)
def test_every_way_is_tried_for_a_few_copies_of_a_title(
    monkeypatch: pytest.MonkeyPatch,
    before: dict[str, int],
    after: dict[str, int],
    window: Window,
    total: int,
) -> None:
    work = _worked(monkeypatch, before, after, window)

    assert not work.bounded
    assert work.carried < MOST_CARRIED / 2
    assert work.invoice.total == total


def test_every_way_is_tried_for_lower_versions_kept_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Parallel Agnes, with more set aside than allowed and every reduction."""
    aside = {LOW: 2, "05033": 2}
    work = _worked(
        monkeypatch,
        aside,
        {**aside, HIGH: 2, "60420": 2},
        QUILLED,
        back="90017",
        set_aside=aside,
    )

    assert not work.bounded
    assert work.carried < MOST_CARRIED / 10


@pytest.mark.parametrize("copies", [1, 3, 6])
def test_every_myriad_title_can_be_exiled_and_bought_again(
    monkeypatch: pytest.MonkeyPatch, copies: int
) -> None:
    exiled = _myriad(copies)
    work = _worked(monkeypatch, exiled, exiled, TOLD._replace(exiled=exiled))

    assert len(work.invoice.lines) == sum(exiled.values())
    assert work.carried < MOST_CARRIED_IN_ALL
    assert work.joined < MOST_JOINED


def test_two_hundred_cards_can_be_exiled_and_bought_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With researched and myriad cards among them, not every way is tried."""
    bought = {code: n for code, n in _every_card(2).items() if cards()[code].level}
    exiled = dict(sorted(bought.items())[-200:])
    free = {code: 1 for code in list(_every_card(1))[:200] if not cards()[code].level}
    window = TOLD._replace(exiled=exiled)
    work = _worked(monkeypatch, exiled, {**exiled, **free}, window)

    assert len(work.invoice.lines) == 400 + len(free)
    assert work.bounded
    assert work.carried < MOST_CARRIED_IN_ALL


@pytest.mark.parametrize("copies", [2, 5])
def test_every_card_can_be_bought_at_once(
    monkeypatch: pytest.MonkeyPatch, copies: int
) -> None:
    everything = _every_card(copies)
    work = _worked(monkeypatch, {}, everything)

    assert len(work.invoice.lines) >= 2_500 * copies / 2
    assert work.carried < 2 * MOST_CARRIED_IN_ALL
    assert work.joined < MOST_JOINED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {LOW: 5_000}),
        ({LOW: 9_000}, {HIGH: 9_000}),
        ({LOW: 4_000, MIDDLE: 4_000}, {MIDDLE: 4_000, HIGH: 4_000}),
        ({}, {"06245": 9_000}),
        ({}, {"09081": 9_000}),
    ],
)
def test_thousands_of_copies_of_one_title_are_priced(
    monkeypatch: pytest.MonkeyPatch, before: dict[str, int], after: dict[str, int]
) -> None:
    exiled = {"08080": 9_000}
    window = TOLD._replace(exiled=exiled, quills=dict(before))
    work = _worked(monkeypatch, {**before, **exiled}, after, window)

    brought = {code: n - before.get(code, 0) for code, n in after.items()}
    assert len(work.invoice.lines) == sum(brought.values())
    assert work.carried < 4 * MOST_CARRIED
    assert work.bounded


def test_hundreds_of_pins_are_priced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    low, high = _levels(lowest=True), _levels(lowest=False)
    pins = [Pin(code, "purchase") for code in list(high)[:250]] * 2
    work = _worked(monkeypatch, low, high, TOLD._replace(pins=tuple(pins)))

    assert len(work.invoice.lines) >= 390
    assert work.carried < MOST_CARRIED_IN_ALL


# -- more copies of a title than a deck may have --


def test_the_lowest_copies_are_upgraded_if_the_middle_ones_stay() -> None:
    """Seven of each: the middle ones stay, and each of the lowest is upgraded."""
    entries = ({**GRANTING, LOW: 7, MIDDLE: 7}, {**GRANTING, MIDDLE: 7, HIGH: 7})
    before, after = (DeckList("01004", part) for part in entries)
    invoice = price(before, after, cards())

    assert {line.upgraded_from for line in invoice.lines} == {LOW}
    assert invoice.total == 7 * 5 - 2 - 2  # two first upgrades, the first Spell


@pytest.mark.parametrize("code", ["01060", "09022"])
def test_ten_places_are_refilled_with_one_title(code: str) -> None:
    """Blank customizable cards are level 0, too."""
    rest = {f"010{number}": 2 for number in range(59, 70) if number != 60}
    invoice = price(
        DeckList("01004", {"08080": 10, **rest}),
        DeckList("01004", {code: 10, **rest}),
        cards(),
        Window(exiled={"08080": 10}),
    )

    assert [line.rule for line in invoice.lines] == ["price.refill"] * 10


def test_nine_myriad_copies_are_three_purchases() -> None:
    invoice = price(DeckList("01004", {}), DeckList("01004", {"11090": 9}), cards())
    assert sorted(line.paid for line in invoice.lines) == [0] * 6 + [2] * 3


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 20), min_size=3, max_size=3),
    st.lists(st.integers(0, 20), min_size=3, max_size=3),
    st.sampled_from([SHRIVELLING, ("06241", "06242", "06243"), ("02021", "02262")]),
    st.integers(0, 20),
)
@settings(max_examples=60, deadline=None)
def test_every_new_copy_has_a_line_and_reductions_never_raise_the_price(
    had: list[int], has: list[int], codes: tuple[str, ...], lost: int
) -> None:
    before, after = (
        {code: n for code, n in zip(codes, copies, strict=False) if n}
        for copies in (had, has)
    )
    exiled = {code: min(n, lost) for code, n in before.items() if lost}
    window = TOLD._replace(exiled=exiled, quills=dict.fromkeys(before, 3))
    old, new = (DeckList("01004", {**GRANTING, **part}) for part in (before, after))
    invoice = price(old, new, cards(), window)
    full = price(
        old,
        new,
        cards(),
        Window(exiled=exiled, refused=frozenset({*GRANTING, "09042"})),
    )

    lines = Counter(line.code for line in invoice.lines)
    for code, copies in after.items():
        assert lines[code] >= copies - before.get(code, 0) + exiled.get(code, 0)
        assert lines[code] <= copies
    if "upgrade.bounded" not in {each.rule for each in invoice.findings}:
        assert invoice.total <= full.total


def test_a_deck_of_more_copies_than_an_invoice_lists_is_refused() -> None:
    judge, many = judge_of(cards()), {"01087": MOST_PRICED, "01088": 1}

    def asked(entries: dict[str, int]) -> object:
        deck = {"investigator_code": "01004", "slots": entries}
        empty = {"investigator_code": "01004", "slots": {}}
        return invoice_of(judge, read_upgrade({"prev": empty, "next": deck}))

    with pytest.raises(Unreadable) as refused:
        asked(many)
    (fault,) = refused.value.faults
    assert fault.pointer == "/next/slots"
    assert fault.found == "10001"
    # Codes that no card has are never bought.
    assert asked({f"x{number}": 10_000 for number in range(100)})
