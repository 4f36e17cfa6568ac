"""What an ultimatum chosen in mid-campaign forces out of a deck is replaced free.

How a new taboo list or environment does is in the corpus (``price.refill``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import judge_of
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import Window, places_owed, price
from tests.rules.upgrades import read_base

BEAT_COP, BEAT_COP_2, MACHETE, DOUBLE = "01018", "01028", "01020", "02026"


def _roland(copies: Mapping[str, int], **meta: str) -> DeckList:
    """Roland's deck with these numbers of copies, by code."""
    deck = read_base("upgrades/bases/roland")
    slots = {code: n for code, n in {**deck["slots"], **copies}.items() if n}
    return read_deck({**deck, "slots": slots, "meta": meta})


@pytest.mark.parametrize("new", [BEAT_COP, MACHETE])
def test_cards_above_level_0_are_replaced_for_nothing_under_induction(new: str) -> None:
    """By their own level 0 version, or another card: no experience may be spent."""
    before = _roland({BEAT_COP: 1, BEAT_COP_2: 1})
    after = _roland({BEAT_COP: 1, new: 2 if new == BEAT_COP else 1})
    induction = Circumstances(ultimatums=frozenset({"induction"}))

    chosen = Window(earlier=ANY_TABLE)
    invoice = price(before, after, embedded_pool(), chosen, induction)
    assert (invoice.total, invoice.findings) == (0, ())

    from_the_start = price(before, after, embedded_pool(), Window(), induction)
    assert [each.rule for each in from_the_start.findings] == ["upgrade.induction"]


@pytest.mark.parametrize("new", [MACHETE, "09021"])
def test_a_customized_card_leaves_or_is_blank_under_induction(new: str) -> None:
    """For nothing; its level counts the boxes marked on the old sheet."""
    marked = {"cus_09021": "1|1"}  # Hunter's Armor, level 1
    before = _roland({"09021": 1, BEAT_COP: 1}, **marked)
    after = _roland({new: 1, BEAT_COP: 1})
    induction = Circumstances(ultimatums=frozenset({"induction"}))
    chosen = Window(earlier=ANY_TABLE)
    invoice = price(before, after, embedded_pool(), chosen, induction)
    assert (invoice.total, invoice.findings) == (0, ())
    rules = [each.rule for each in price(before, after, embedded_pool()).findings]
    assert rules == (["upgrade.boxes"] if new == "09021" else [])


def test_a_counted_permanent_leaves_a_new_environment_beside_one_set_aside() -> None:
    both, one = _roland({"02158": 2}), _roland({"02158": 1})  # Charisma
    before, after = (
        each._replace(set_aside={"02158": 1}, card_pool=pool)
        for each, pool in ((both, ()), (one, ("core", "litas")))
    )
    invoice = price(before, after, embedded_pool())
    assert "upgrade.permanent" not in [each.rule for each in invoice.findings]


def test_under_two_ultimatums_each_copy_is_forced_out_once() -> None:
    """Induction forces Beat Cop (2) out; Highlander then lets the level 0 copy stay."""
    before = _roland({BEAT_COP: 1, BEAT_COP_2: 1})
    after = _roland({BEAT_COP: 0, MACHETE: 1, "01086": 1})
    both = Circumstances(ultimatums=frozenset({"induction", "highlander"}))
    invoice = price(before, after, embedded_pool(), Window(earlier=ANY_TABLE), both)
    assert invoice.total == 1


def test_highlander_leaves_one_of_a_title_with_several_subtitles() -> None:
    """Of the two copies of Precious Memento, one must leave."""
    deck = read_base("upgrades/bases/wendy")
    counts = {"08114": 1, "08115": 1}
    fill = Counter(deck["slots"]) - Counter({"01088": 2})
    before = read_deck({**deck, "slots": {**fill, **counts}})
    after = read_deck({**deck, "slots": {**fill, "08115": 1, "01088": 1}})
    highlander = Circumstances(ultimatums=frozenset({"highlander"}))
    chosen = Window(earlier=ANY_TABLE)
    assert price(before, after, embedded_pool(), chosen, highlander).total == 0


def test_an_ally_lost_to_the_scream_is_replaced_for_nothing() -> None:
    """It leaves every deck, also where it was set aside."""
    scream = Circumstances(ultimatums=frozenset({"scream"}))
    lost = replace(scream, banned_titles=frozenset({"Beat Cop"}))
    before, after = _roland({BEAT_COP: 2}), _roland({BEAT_COP: 0, MACHETE: 2})
    invoice = price(before, after, embedded_pool(), Window(earlier=scream), lost)
    assert (invoice.total, invoice.findings) == (0, ())
    beside = _roland({BEAT_COP: 1, BEAT_COP_2: 1, MACHETE: 1})
    beside = beside._replace(set_aside={BEAT_COP_2: 1})
    after = _roland({BEAT_COP: 0, MACHETE: 2})
    invoice = price(beside, after, embedded_pool(), Window(earlier=scream), lost)
    assert (invoice.total, invoice.findings) == (0, ())


def test_a_forbidden_card_leaves_also_from_outside_the_deck_size() -> None:
    """It leaves no place there."""
    beside = _roland({DOUBLE: 1})._replace(set_aside={DOUBLE: 1}, taboo="2")
    after = _roland({BEAT_COP: 1, MACHETE: 1})._replace(taboo="3")
    invoice = price(beside, after, embedded_pool())
    assert (invoice.total, invoice.findings) == (1, ())


def test_highlander_counts_no_copies_set_aside() -> None:
    """A copy that a scenario gave is no second copy of its title."""
    before = _roland({BEAT_COP: 2, "01086": 1})._replace(set_aside={BEAT_COP: 1})
    after = _roland({BEAT_COP: 1, MACHETE: 1, "01086": 1})
    after = after._replace(set_aside={BEAT_COP: 1})
    highlander = Circumstances(ultimatums=frozenset({"highlander"}))
    chosen = Window(earlier=ANY_TABLE)
    assert price(before, after, embedded_pool(), chosen, highlander).total == 1


SKILLS = {"01089": 2, "01090": 2, "01091": 2}
VERSATILE, ANCESTRAL = "06167", "07303"


def test_a_deck_that_shrank_grows_again_for_nothing() -> None:
    """A scenario took Versatile, then Ancestral Knowledge is bought (FAQ 1.37).

    Five cards leave first, then five others come in for nothing.
    """
    with_skills = {**SKILLS, "01016": 0, "01017": 0, "01019": 0}
    before = _roland({**with_skills, VERSATILE: 1, MACHETE: 2, "01086": 2, "01087": 1})
    after = _roland({**with_skills, ANCESTRAL: 1, "01030": 2, "01035": 2, "01036": 1})
    window = Window(taken={VERSATILE: 1})
    assert price(before, after, embedded_pool(), window).total == 6


@pytest.mark.parametrize(("exiled", "free"), [("01016", 7), ("01025", 8)])
def test_skills_demanded_fill_the_places_first(exiled: str, free: int) -> None:
    """Ancestral Knowledge demands 10 skills; the deck has 3, or 2 if one was exiled.

    An exiled card and the larger deck leave 6 places.
    """
    before = _roland({"01025": 1, MACHETE: 1})
    skills = {**SKILLS, "01092": 2}
    after = {**before.entries, **skills, "01017": 1, "01018": 0, ANCESTRAL: 1}
    after = {**after, exiled: before.entries[exiled] - 1}
    window = Window(exiled={exiled: 1})
    invoice = price(before, before._replace(entries=after), embedded_pool(), window)
    refills = [each for each in invoice.lines if each.rule == "price.refill"]
    assert (len(refills), invoice.total) == (free, 6 + 8 - free)


ADAPTABLE = "02110"


@pytest.mark.parametrize("beside", [{}, {ADAPTABLE: 1}])
def test_a_forbidden_card_is_not_also_swapped_away(beside: dict[str, int]) -> None:
    """It leaves one place, and Beat Cop (2) makes room for the second card."""
    deck = read_base("upgrades/bases/wendy")
    kept = Counter(deck["slots"]) - Counter({"01088": 2}) + Counter(beside)
    before = {**kept, DOUBLE: 1, BEAT_COP_2: 1}
    after = {**kept, MACHETE: 1, "01030": 1}
    decks = (read_deck({**deck, "slots": slots}) for slots in (before, after))
    was, now = (each._replace(taboo=n) for each, n in zip(decks, "23", strict=True))
    assert price(was, now, embedded_pool()).total == 1


@pytest.mark.parametrize(("second", "total"), [("02150", 2), (MACHETE, 3)])
def test_a_barred_card_leaves_a_place_or_is_upgraded(second: str, total: int) -> None:
    """Arcane Research makes an upgrade cheaper, but it leaves no place for Machete."""
    listed = read_base("upgrades/bases/agnes")["slots"]
    kept = Counter(listed) - Counter({"01088": 2}) + Counter({"04109": 1})
    core = DeckList("01004", dict(kept) | {"01060": 1, "02150": 1})
    later = dict(kept) | {"02154": 1, second: 1}
    without_core = DeckList("01004", later, card_pool=("tece", "tof"))
    assert price(core, without_core, embedded_pool()).total == total


@pytest.mark.parametrize("ultimatum", ["induction", "highlander"])
def test_permanents_leave_under_an_ultimatum_that_bars_them(ultimatum: str) -> None:
    """Charisma is level 3, and the deck has two."""
    before = _roland({"02158": 2})
    after = _roland({"02158": 0 if ultimatum == "induction" else 1})
    chosen = Window(earlier=ANY_TABLE)
    terms = Circumstances(ultimatums=frozenset({ultimatum}))
    invoice = price(before, after, embedded_pool(), chosen, terms)
    assert (invoice.total, invoice.findings) == (0, ())
    fewer = price(before, _roland({"02158": 0}), embedded_pool(), chosen, terms)
    kept = [each.rule for each in fewer.findings]
    assert kept == ([] if ultimatum == "induction" else ["upgrade.permanent"])


def test_cards_outside_a_new_environment_leave_whatever_they_are() -> None:
    """A permanent card, and a weakness where the environment limits those too."""
    before = _roland({"02158": 1, "01097": 0, "02037": 1})
    after = _roland({"01097": 1})._replace(card_pool=("core",))
    invoice = price(before, after, embedded_pool())
    assert (invoice.total, invoice.findings) == (0, ())


BESIDE = _roland({BEAT_COP: 2, "01086": 1})._replace(set_aside={BEAT_COP: 1})


@pytest.mark.parametrize(
    "window", [Window(exiled={BEAT_COP: 1}), Window(taken={BEAT_COP: 1})]
)
def test_a_copy_lost_from_outside_the_deck_size_leaves_no_place(window: Window) -> None:
    """The other copy still counts: Machete is bought, and no place is owed."""
    after = _roland({BEAT_COP: 1, MACHETE: 1})
    assert price(BESIDE, after, embedded_pool(), window).total == 1
    judge, short = judge_of(embedded_pool()), _roland({BEAT_COP: 1})
    assert places_owed(judge, BESIDE, short, window, ANY_TABLE) == (0, 0)


@pytest.mark.parametrize(("left", "total"), [(1, 0), (0, 1)])
def test_a_copy_lost_from_inside_the_deck_size_leaves_a_place(
    left: int, total: int
) -> None:
    """The other is still set aside, or was lost too and leaves no second place."""
    after = _roland({BEAT_COP: left, MACHETE: 2 - left, "01086": left})
    after = after._replace(set_aside={BEAT_COP: left} if left else {})
    window = Window(exiled={BEAT_COP: 2 - left})
    assert price(BESIDE, after, embedded_pool(), window).total == total


@pytest.mark.parametrize(("knives", "total"), [(1, 0), (0, 1)])
def test_of_an_exiled_and_a_banned_copy_one_was_set_aside(
    knives: int, total: int
) -> None:
    """Together they leave one place."""
    scream = Circumstances(ultimatums=frozenset({"scream"}))
    lost = replace(scream, banned_titles=frozenset({"Beat Cop"}))
    after = _roland({BEAT_COP: 0, MACHETE: 2 - knives, "01086": knives})
    window = Window(earlier=scream, exiled={BEAT_COP: 1})
    assert price(BESIDE, after, embedded_pool(), window, lost).total == total


def test_of_an_exiled_and_a_forbidden_copy_one_was_set_aside() -> None:
    """The newer list forbids Double or Nothing."""
    kept = Counter(read_base("upgrades/bases/wendy")["slots"]) - Counter({"01088": 2})
    both = {DOUBLE: 2, "01088": 1}
    before = DeckList("01005", kept | both, set_aside={DOUBLE: 1}, taboo=2)
    after = DeckList("01005", {**kept, MACHETE: 1, "01030": 1}, taboo=3)
    window = Window(exiled={DOUBLE: 1})
    assert price(before, after, embedded_pool(), window).total == 1


@pytest.mark.parametrize("again", [False, True])
def test_under_highlander_a_copy_set_aside_is_none_of_too_many(again: bool) -> None:
    """It counts afterwards, or another copy was given and set aside."""
    highlander = Circumstances(ultimatums=frozenset({"highlander"}))
    chosen = Window(earlier=ANY_TABLE)
    before, after = BESIDE, _roland({BEAT_COP: 1, MACHETE: 1})
    if again:
        chosen = chosen._replace(granted={BEAT_COP: 1})
        before = _roland({BEAT_COP: 2})
        after = _roland({BEAT_COP: 2, MACHETE: 1})._replace(set_aside={BEAT_COP: 1})
    invoice = price(before, after, embedded_pool(), chosen, highlander)
    assert invoice.total == (0 if again else 1)


def test_a_card_given_fills_the_place_of_one_exiled() -> None:
    """So another card that comes in is bought."""
    window = Window(exiled={BEAT_COP: 1}, granted={MACHETE: 1})
    after = _roland({BEAT_COP: 1, MACHETE: 1, "01016": 1, "01086": 1})
    assert price(_roland({}), after, embedded_pool(), window).total == 1


def test_a_card_given_fills_the_place_in_a_second_deck() -> None:
    """Familiar Spirit was given, so Peter Sylvestre is bought."""
    deck = read_base("decks/legal/02004-jim-culver-parallel-back")
    shared = "02149,04018,06030,05155,02232,12060,90053"
    before, after = (
        read_deck({**deck, "meta": {**deck["meta"], "extra_deck": f"{shared},{more}"}})
        for more in ("05153,60508,01018", "05153,60410,02033")
    )
    window = Window(exiled={"60508": 1}, granted={"60410": 1})
    assert price(before, after, embedded_pool(), window).total == 1


@pytest.mark.parametrize(("higher", "total"), [("02154", 0), ("02306", 2)])
def test_the_player_chooses_which_of_two_versions_leaves(
    higher: str, total: int
) -> None:
    """Under Highlander the lower Shrivelling may leave, and the other be upgraded."""
    listed = read_base("upgrades/bases/agnes")["slots"]
    kept = Counter(listed) - Counter({"01059": 2})
    before = DeckList("01004", kept | {"01060": 1, "02154": 1})
    after = DeckList("01004", kept | {higher: 1, "01080": 1})
    highlander = Circumstances(ultimatums=frozenset({"highlander"}))
    chosen = Window(earlier=ANY_TABLE)
    assert price(before, after, embedded_pool(), chosen, highlander).total == total


@pytest.mark.parametrize(("was", "cost"), [("2", 0), ("none", 0), ("3", 1)])
def test_circumstances_of_each_deck_name_its_taboo_list(was: str, cost: int) -> None:
    """What the new list forbids is replaced for nothing, as where decks name lists."""
    deck = read_base("upgrades/bases/wendy")
    fill = Counter(deck["slots"]) - Counter({"01088": 1})
    before, after = (
        read_deck({**deck, "slots": {**fill, code: 1}}) for code in (DOUBLE, "01072")
    )
    own = Circumstances(taboo=was), Circumstances(taboo="3")
    if was == "none":
        own = Circumstances(no_taboo=True), own[1]
    by_terms = price(before, after, embedded_pool(), Window(earlier=own[0]), own[1])
    listed = before._replace(taboo=was), after._replace(taboo="3")
    assert by_terms.total == price(*listed, embedded_pool()).total == cost
