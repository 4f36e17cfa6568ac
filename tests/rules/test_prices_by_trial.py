"""A change of deck costs exactly the lowest price that a trial of every way finds."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from arkham.rules.deck import Circumstances, DeckList, SheetMark
from arkham.rules.upgrade import Window, price
from tests.rules.price_trial import OTHER, RABBIT_HOLE, Sheet, Tried, cheapest
from tests.rules.strategies import cards

AGNES = "01004"
PARALLEL_BACK = "90017"
SIZES = {"": 30, PARALLEL_BACK: 25}
# Level 0 cards that are in both decks, in any number.
FILLER = (OTHER, "01061", "01062", "01063", "01064", "01065", "01066")

# Families of cards with choices between their copies; each case uses a few.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("01060", "02154", "02306"),  # a Spell in three levels
    ("05033", "60420"),  # a Spell, dearer by 1
    ("01088", "02194", "03239"),  # neutral, in three levels
    ("01086", "01087"),  # level 0 only
    ("06245", "11090"),  # myriad in two levels
    ("06241", "06242", "06243"),  # myriad: three cards of one title
    ("02230", "07307"),  # exceptional in two levels
    ("02021", "02262", "02264"),  # researched in two versions
    ("01073", "06332"),  # chained at both ends
    ("60507", "09117", "07197"),  # chained and unchained
    ("02115", "02114", "08080"),  # cards to be exiled
    ("60523", "03156", "60513"),
    ("04236", "53010"),  # exceptional of the same level
    ("07152", "02185"),  # upgraded into a permanent
)
SPELLS = ("01060", "02154", "05033")
PERMANENTS = ("02110", "04109", "60531", "08059", "04106")
SHEETED = ("09081", "09099")  # a Spell and another


def _copies(draw: DrawFn, codes: list[str], most: int) -> dict[str, int]:
    found: Counter[str] = Counter()
    for _ in range(draw(st.integers(0, most))):
        found[draw(st.sampled_from(codes))] += 1
    return dict(found)


@st.composite
def sheets(draw: DrawFn) -> tuple[Sheet, int]:
    """A customizable title and the number of its copies that were exiled."""
    before, exiled = draw(st.integers(0, 2)), draw(st.sampled_from([0, 0, 1, 2]))
    after = draw(st.integers(0, 2))
    had = draw(st.integers(0, 3)) if before else 0
    more = draw(st.integers(0, 3)) if after else 0
    return Sheet(draw(st.sampled_from(SHEETED)), before, after, had, more), exiled


@st.composite
def cases(draw: DrawFn) -> Tried:
    """A small change of deck, and what happened before it."""
    families = draw(st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=3))
    codes = sorted({code for family in families for code in family})
    before, after = _copies(draw, codes, 4), _copies(draw, codes, 4)
    exiled: dict[str, int] = {}
    for code in draw(st.lists(st.sampled_from(sorted(before) or [""]), max_size=3)):
        exiled[code] = min(exiled.get(code, 0) + 1, before.get(code, 0))
    for code in draw(st.lists(st.sampled_from(PERMANENTS), max_size=2)):
        after[code] = after.get(code, 0) + 1
        if code == RABBIT_HOLE or draw(st.booleans()):  # bought at deck creation only
            after[code] = min(after[code], cards()[code].deck_limit or 2)
            before[code] = after[code]
    if draw(st.integers(0, 5)) == 0:
        after["06167"] = 1
    sheet, lost = None, 0
    if draw(st.integers(0, 3)) == 0:
        sheet, lost = draw(sheets())
        exiled[sheet.code] = lost
    back = draw(st.sampled_from(["", PARALLEL_BACK]))
    aside: dict[str, int] = {}
    if back:
        may_stay = [code for code in SPELLS if after.get(code) and before.get(code)]
        aside = {code: draw(st.integers(0, 1)) for code in may_stay}
    quills = {"01060": draw(st.integers(0, 2))} if "01060" in codes else {}
    return Tried(
        cards(),
        before,
        after,
        {code: n for code, n in exiled.items() if n},
        aside={code: n for code, n in aside.items() if n},
        quills={code: n for code, n in quills.items() if n},
        taboo=draw(st.sampled_from([None, cards().taboo_lists[-1]])),
        size=SIZES[back],
        others=draw(st.integers(20, 30)),
        pelts=draw(st.sampled_from([0, 0, 0, 1, 2])),
        offerings=draw(st.sampled_from([0, 0, 0, 7, 12])),
        sheet=sheet,
        purchase_floor=draw(st.sampled_from([1, 1, 0])),
        upgrade_floor=draw(st.sampled_from([0, 0, 1])),
    )


@st.composite
def crowds(draw: DrawFn) -> Tried:
    """Several copies of several versions of one title, with every offer."""
    codes = sorted(draw(st.sampled_from(FAMILIES)))
    before = {code: draw(st.integers(0, 3)) for code in codes}
    before = {code: n for code, n in before.items() if n}
    after: dict[str, int] = {}
    for code in codes:
        most = min(3, 4 - sum(after.values()))
        after[code] = draw(st.integers(0, most))
    exiled = {code: draw(st.integers(0, n)) for code, n in before.items()}
    quills = {code: draw(st.integers(0, 2)) for code in [*before][:2]}
    granting = {code: draw(st.integers(0, 2)) for code in PERMANENTS}
    granting[RABBIT_HOLE] = min(granting[RABBIT_HOLE], 1)
    granting = {code: n for code, n in granting.items() if n}
    back = draw(st.sampled_from(["", PARALLEL_BACK]))
    aside: dict[str, int] = {}
    if back:
        may_stay = [code for code in SPELLS if after.get(code) and before.get(code)]
        aside = {code: draw(st.integers(0, after[code])) for code in may_stay}
    return Tried(
        cards(),
        {**before, **granting},
        {**{code: n for code, n in after.items() if n}, **granting},
        {code: n for code, n in exiled.items() if n},
        aside={code: n for code, n in aside.items() if n},
        quills={
            code: n for code, n in quills.items() if n and sum(quills.values()) < 5
        },
        size=SIZES[back],
        others=draw(st.integers(20, 30)),
        pelts=draw(st.sampled_from([0, 0, 1, 2])),
        offerings=draw(st.sampled_from([0, 0, 7, 12])),
        purchase_floor=draw(st.sampled_from([1, 1, 0])),
        upgrade_floor=draw(st.sampled_from([0, 0, 1])),
    )


def _deck(tried: Tried, *, after: bool) -> DeckList:
    """One of the two decks of a case, as a list."""
    entries = dict(tried.after if after else tried.before)
    for number in range(tried.others):
        code = FILLER[number % len(FILLER)]
        entries[code] = entries.get(code, 0) + 1
    marks: dict[str, tuple[SheetMark, ...]] = {}
    sheet = tried.sheet
    if sheet is not None:
        copies = sheet.before + tried.exiled.get(sheet.code, 0)
        boxes = sheet.boxes_before
        if after:
            copies, boxes = sheet.after, boxes + sheet.boxes_more
        if copies:
            entries[sheet.code] = copies
            # Two lines of three boxes, neither with a choice.
            marks[sheet.code] = (
                SheetMark(5, min(boxes, 3)),
                SheetMark(6, max(boxes - 3, 0)),
            )
    return DeckList(
        AGNES,
        entries,
        back=PARALLEL_BACK if tried.size == SIZES[PARALLEL_BACK] else "",
        set_aside=tried.aside if after else {},
        sheets=marks,
        taboo=tried.taboo.id if tried.taboo else None,
    )


def _total(tried: Tried) -> int:
    """The total of the invoice."""
    window = Window(
        exiled=tried.exiled,
        quills=tried.quills,
        pelts=tried.pelts,
        offerings=tried.offerings,
    )
    words = {0: "zero", 1: "one"}
    table = Circumstances(
        rulings=(
            ("prices.reduced-purchase", words[tried.purchase_floor]),
            ("prices.reduced-upgrade", words[tried.upgrade_floor]),
        )
    )
    before, after = _deck(tried, after=False), _deck(tried, after=True)
    return price(before, after, cards(), window, table).total


@pytest.mark.slow
@given(cases())
@settings(max_examples=2_000, deadline=None)
def test_the_invoice_has_the_lowest_price_of_all_ways(tried: Tried) -> None:
    assert _total(tried) == cheapest(tried)


@pytest.mark.slow
@given(crowds())
@settings(max_examples=300, deadline=None)
def test_many_copies_of_one_title_have_the_lowest_price_too(tried: Tried) -> None:
    assert _total(tried) == cheapest(tried)
