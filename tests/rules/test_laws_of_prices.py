"""Laws that hold for every change of deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, DrawFn

from arkham.rules.card import Card
from arkham.rules.checking import JudgeRequest
from arkham.rules.deck import DeckList
from arkham.rules.legality import check_deck
from arkham.rules.upgrade import Invoice, Pin, Window, price, titles
from tests.rules.strategies import asked_decks, cards, codes, is_ordinary, marks
from tests.rules.upgrades import FILES, Upgraded, upgrade_of

CHANGES = settings(max_examples=100, deadline=None)
REDUCING = ("02110", "04109", "08059", "60531", "04106")


def invoice_of(upgraded: Upgraded) -> Invoice:
    return upgraded.invoice()


@cache
def corpus() -> tuple[Upgraded, ...]:
    """Every change of the corpus."""
    return tuple(map(upgrade_of, FILES))


@st.composite
def windows(draw: DrawFn, before: DeckList) -> Window:
    """Windows in which cards of a deck may be exiled or taken, with reductions."""
    held = st.sampled_from(sorted(before.entries) or ["01020"])
    few = st.dictionaries(held, st.integers(1, 2), max_size=3)
    return Window(
        exiled=draw(st.one_of(st.just({}), few)),
        taken=draw(st.one_of(st.just({}), few)),
        quills=draw(st.one_of(st.just({}), few)),
        pelts=draw(st.sampled_from([0, 0, 1, 3])),
        offerings=draw(st.sampled_from([0, 0, 6, 20])),
    )


@st.composite
def changes(draw: DrawFn) -> Upgraded:
    """A change of the corpus or of any deck, with a few more changes."""
    if draw(st.booleans()):
        known = draw(st.sampled_from(corpus()))
        before, table = known.before, known.circumstances
        entries = dict(known.after.entries)
        deck, window = known.after, known.window
    else:
        asked = draw(asked_decks())
        before = deck = asked.deck
        table, window = asked.circumstances, draw(windows(before))
        entries = dict(deck.entries)
    for _ in range(draw(st.integers(0, 4))):
        held = st.sampled_from(sorted(entries) or ["01020"])
        code = draw(st.one_of(codes(), held, st.sampled_from(REDUCING)))
        entries[code] = draw(st.integers(0, 3))
    entries = {code: copies for code, copies in entries.items() if copies}
    sheets = dict(deck.sheets)
    for code in entries:
        card = cards().get_card(code)
        if card is not None and card.sheet and draw(st.booleans()):
            sheets[code] = draw(marks(card))
    after = deck._replace(entries=entries, sheets=sheets)
    return Upgraded(before, after, window, table, {})


# -- prices --


@given(asked_decks())
@CHANGES
def test_an_unchanged_deck_costs_nothing(asked: JudgeRequest) -> None:
    deck, table = asked.deck, asked.circumstances
    invoice = price(deck, deck, cards(), circumstances=table)
    assert invoice.total == 0
    assert not invoice.lines


@given(changes())
@CHANGES
def test_the_price_paid_is_between_zero_and_the_full_price(change: Upgraded) -> None:
    for line in invoice_of(change).lines:
        assert 0 <= line.paid <= line.gross
        less = sum(each.amount for each in line.reductions)
        assert all(each.amount > 0 for each in line.reductions)
        if less:
            assert line.paid >= line.gross - less


@pytest.mark.slow
@given(changes(), st.data())
@CHANGES
def test_a_reduction_never_raises_a_price(change: Upgraded, data: DataObject) -> None:
    total = invoice_of(change).total
    window = change.window
    more = data.draw(
        st.sampled_from(
            [
                window._replace(pelts=window.pelts + 1),
                window._replace(offerings=window.offerings + 6),
                window._replace(
                    quills={
                        code: window.quills.get(code, 0) + 1
                        for code in change.before.entries
                    },
                ),
            ]
        )
    )
    assert invoice_of(replace(change, window=more)).total <= total


@given(changes(), st.sampled_from(REDUCING))
@CHANGES
def test_keeping_a_card_that_reduces_prices_never_raises_a_price(
    change: Upgraded, code: str
) -> None:
    assume(code != "08059")  # which makes new cards more expensive
    assume(code not in change.before.entries and code not in change.after.entries)
    with_it = replace(
        change,
        before=change.before._replace(entries={**change.before.entries, code: 1}),
        after=change.after._replace(entries={**change.after.entries, code: 1}),
    )
    assert invoice_of(with_it).total <= invoice_of(change).total


@given(changes(), st.sampled_from([*REDUCING, "10109", "98002", "09042", "90017"]))
@CHANGES
def test_refusing_a_reduction_never_lowers_a_price(change: Upgraded, code: str) -> None:
    window = change.window._replace(refused=change.window.refused | {code})
    total = invoice_of(replace(change, window=window)).total
    assert total >= invoice_of(change).total


@given(changes(), st.data())
@CHANGES
def test_a_pin_never_lowers_a_price(change: Upgraded, data: DataObject) -> None:
    """Only a way that isn't allowed may: buying a researched card outright."""
    unpinned = replace(change, window=change.window._replace(pins=()))
    free = invoice_of(unpinned)
    assume(free.lines)
    told = data.draw(st.lists(st.sampled_from(free.lines), min_size=1, max_size=3))
    ways = st.sampled_from(["purchase", "upgrade", "refill", "swap", "regained"])
    pins = tuple(Pin(line.code, data.draw(ways)) for line in told)
    window = change.window._replace(pins=pins)
    pinned = invoice_of(replace(change, window=window))
    assume(rules_of(pinned) <= rules_of(free))
    assert pinned.total >= free.total


def rules_of(invoice: Invoice) -> set[str]:
    return {each.rule for each in invoice.findings}


# -- order and printings --


@given(changes())
@CHANGES
def test_earlier_prices_never_matter(change: Upgraded) -> None:
    """Plans remembered for a shape are those of every title of that shape."""
    kept = invoice_of(change)
    titles._remembered.clear()
    assert invoice_of(change) == kept


def _turned(mapping: Mapping[str, int], data: DataObject) -> dict[str, int]:
    return {code: mapping[code] for code in data.draw(st.permutations(sorted(mapping)))}


@given(changes(), st.data())
@CHANGES
def test_the_order_of_a_list_never_matters(change: Upgraded, data: DataObject) -> None:
    again = replace(
        change,
        before=change.before._replace(entries=_turned(change.before.entries, data)),
        after=change.after._replace(entries=_turned(change.after.entries, data)),
        window=change.window._replace(exiled=_turned(change.window.exiled, data)),
    )
    assert invoice_of(again) == invoice_of(change)


def _reprinted(copies: Mapping[str, int], choices: Mapping[str, str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for code, number in copies.items():
        found[choices.get(code, code)] += number
    return dict(found)


@given(changes(), st.data())
@CHANGES
def test_printings_never_matter(change: Upgraded, data: DataObject) -> None:
    """Each list may name other printings; sheets and attachments keep their codes."""
    assume(not change.after.attachments and not change.after.side_deck)
    assume(not change.before.set_aside and not change.after.set_aside)
    told: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for deck, choices in zip((change.before, change.after), told, strict=True):
        for code in sorted(deck.entries.keys() - deck.sheets.keys()):
            card = cards().get_card(code)
            if card is not None and is_ordinary(card):
                names = [printing.code for printing in card.printings]
                choices[code] = data.draw(st.sampled_from(names))
    again = replace(
        change,
        before=change.before._replace(
            entries=_reprinted(change.before.entries, told[0])
        ),
        after=change.after._replace(entries=_reprinted(change.after.entries, told[1])),
    )
    assert invoice_of(again).lines == invoice_of(change).lines


# -- the least --


def _cost(card: Card, taboo: int | None) -> int:
    change = None
    if taboo:
        change = cards().taboo_lists[taboo - 1].changes.get(card.code)
    exceptional = card.exceptional
    if change is not None and change.exceptional is not None:
        exceptional = change.exceptional
    more = change.experience if change is not None else 0
    return (card.level or 0) * (2 if exceptional else 1) + more


def _greedy(change: Upgraded, order: list[str]) -> int:
    """What a hasty player pays: copy by copy, from the first lower version left."""
    before: Counter[str] = Counter()
    for code, copies in change.before.entries.items():
        before[cards()[code].code] += copies
    after: Counter[str] = Counter()
    for code, copies in change.after.entries.items():
        after[cards()[code].code] += copies
    for part in (change.window.exiled, change.window.taken):
        for code, copies in part.items():
            before[cards()[code].code] -= copies
    taboo = change.after.taboo
    assert not isinstance(taboo, str)
    leaving, total = +(before - after), 0
    for code in order:
        card = cards()[code]
        for _ in range((after - before)[code]):
            lower = [
                old
                for old in +leaving
                if cards()[old].title == card.title
                and (cards()[old].level or 0) < (card.level or 0)
            ]
            paid = 0
            if lower:
                leaving[lower[0]] -= 1
                paid = _cost(cards()[lower[0]], taboo)
            total += max(_cost(card, taboo) - paid, 1)
    return total


@pytest.mark.slow
@given(changes(), st.data())
@CHANGES
def test_the_price_is_never_above_what_a_hasty_player_pays(
    change: Upgraded, data: DataObject
) -> None:
    table = replace(change.circumstances, taboo=None, no_taboo=False, rulings=())
    change = replace(change, circumstances=table)
    decks = (change.before, change.after)
    held = {code for deck in decks for code in deck.entries}
    assume(all(cards().get_card(code) is not None for code in held))
    assume(all(cards().get_card(code) is not None for code in change.window.exiled))
    ordinary = [cards()[code] for code in held if cards()[code].level is not None]
    assume(not any(card.sheet for card in ordinary))
    # That player has no pins and no second deck either; surcharges and
    # copies that may not be bought are left to the corpus.
    assume(
        not (change.window.pins or change.before.side_deck or change.after.side_deck)
    )
    assume(not isinstance(change.after.taboo, str))
    assume("08059" not in held and not any(card.researched for card in ordinary))
    first = sorted({card.code for card in ordinary})
    order = data.draw(st.permutations(first))
    assert invoice_of(change).total <= _greedy(change, order)


# -- findings and the balance --


@given(changes(), st.booleans(), st.booleans())
@CHANGES
def test_illegality_never_changes_a_price(
    change: Upgraded, spending: bool, altering: bool
) -> None:
    """Not a closed window, nor too little experience, nor a table's ban."""
    window = change.window._replace(
        spending=spending, altering=altering, available=0, devoured="x"
    )
    table = replace(
        change.circumstances,
        ultimatums=frozenset({"induction"}),
        banned_titles=frozenset({"Emergency Cache", "Shrivelling"}),
    )
    again = replace(change, window=window, circumstances=table)
    plain = replace(
        again,
        circumstances=replace(table, ultimatums=frozenset()),
        window=change.window,
    )
    assert invoice_of(again).lines == invoice_of(plain).lines


@given(changes())
@CHANGES
def test_findings_are_given_once(change: Upgraded) -> None:
    found = invoice_of(change).findings
    assert len(set(found)) == len(found)


def _counts(code: str) -> bool:
    """Whether an ordinary card counts toward the deck size."""
    return not cards()[code].permanent


def _changed(change: Upgraded) -> set[str]:
    """The codes whose copies differ between the decks, or that were lost."""
    before, after = change.before.entries, change.after.entries
    differ = {code for code, _ in before.items() ^ after.items()}
    return differ | change.window.exiled.keys() | change.window.taken.keys()


def _lost(change: Upgraded) -> int:
    """Copies inside the deck size that were exiled or taken."""
    had = _firsts(change.before.entries)
    lost = _firsts(change.window.exiled) + _firsts(change.window.taken)
    return sum(min(n, had[code]) for code, n in lost.items() if _counts(code))


def _firsts(copies: Mapping[str, int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for code, number in copies.items():
        card = cards().get_card(code)
        found[card.code if card is not None else code] += number
    return found


@pytest.mark.slow
@given(changes())
@CHANGES
def test_each_copy_replaces_one_that_leaves_or_fills_a_place(change: Upgraded) -> None:
    """New copies fill places that are left, lost, added or freed by an upgrade.

    Each copy that leaves is named by the line of the copy that takes its place.
    """
    decks = (change.before, change.after)
    assume(not any(deck.set_aside or deck.side_deck for deck in decks))
    # The investigator decides what counts toward the deck size.
    owner = cards().get_card(change.before.investigator)
    assume(owner is not None and owner.investigator is not None)
    assume(change.before.investigator == change.after.investigator)
    known = [cards().get_card(code) for code in _changed(change)]
    assume(all(card is not None and is_ordinary(card) for card in known))
    old, new = (
        check_deck(deck, cards(), change.circumstances).deck_size for deck in decks
    )
    lines = invoice_of(change).lines
    coming = [
        line
        for line in lines
        if not line.upgraded_from and line.rule != "price.boxes" and _counts(line.code)
    ]
    hollow = sum(
        _counts(line.upgraded_from) and not _counts(line.code)
        for line in lines
        if line.upgraded_from
    )
    leaving = len(coming) - (new - old) - _lost(change) - hollow
    assert leaving >= 0
    in_place = [line for line in coming if line.rule != "price.refill"]
    named = Counter(line.replaces for line in lines if line.replaces)
    assert named.total() == min(leaving, len(in_place))
    for code, copies in named.items():
        assert copies <= _firsts(change.before.entries)[code]
    assert all(line.replaces for line in lines if line.rule == "price.swap")
