"""Weaknesses that become other cards, or are taken for good, leave a deck complete."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from arkham.rules.checking import read_request
from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.legality import Judge, check
from arkham.rules.legality.signatures import lost_after, waived
from arkham.rules.modifiers import EXCHANGES, is_exchange, with_exchanged
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.pool import CardPool
from arkham.rules.upgrade import PLAIN_WINDOW, Invoice, Window, price_upgrade
from arkham.rules.vocabulary import Mode
from tests.rules.strategies import cards
from tests.rules.upgrades import read_base

CHAINS = [(row.code, *row.successors) for row in EXCHANGES]
LATER = [code for chain in CHAINS for code in chain[1:]]
AMNESIA, PARANOIA, ANY = "01096", "01097", "01000"
LEGAL = sorted((Path(__file__).parent / "corpus/decks/legal").glob("*.toml"))
PETE, DUKE, DUKE_ADVANCED = "02005", "02014", "90047"
LOST = "campaign.lost"
LADIES = dict.fromkeys(("90088", "90089", "90090", "90091", "90092"), 1)


def _roland(*weaknesses: str) -> DeckList:
    """A legal deck of Roland Banks with these random basic weaknesses."""
    base, pool = read_base("upgrades/bases/roland")["slots"], cards()
    slots = {code: n for code, n in base.items() if pool[code].weakness != "basic"}
    for code in weaknesses:
        slots[code] = slots.get(code, 0) + 1
    return DeckList("01001", slots)


def _weakness_rules(
    judge: Judge, deck: DeckList, circumstances: Circumstances
) -> list[tuple[str, str]]:
    found = check(judge, deck, circumstances).findings
    return [
        (each.rule, each.severity.word)
        for each in found
        if each.rule.startswith(("weakness.", "access.", "campaign."))
    ]


def _steps() -> Iterator[tuple[str, str, bool]]:
    """Every pair of cards in one chain, and whether the first may become the other."""
    for row, chain in zip(EXCHANGES, CHAINS, strict=True):
        for gone, come in permutations(chain, 2):
            forward = chain.index(gone) < chain.index(come)
            yield gone, come, forward or row.returns


def test_the_base_lacks_nothing_but_its_weakness(judge: Judge) -> None:
    """Otherwise the tests below show nothing."""
    found = check(judge, _roland()).findings
    assert [each.rule for each in found] == ["weakness.required"]


def test_every_exchange_names_its_cards(pool: CardPool) -> None:
    """The first is a basic weakness, the later ones are not."""
    for row in EXCHANGES:
        assert pool[row.code].name == row.name
        assert pool[row.code].weakness == "basic"
        assert {pool[code].weakness for code in row.successors} == {"other"}


@pytest.mark.parametrize("code", LATER)
def test_the_later_card_fills_the_slot(judge: Judge, code: str) -> None:
    """At every table of a campaign: the card itself put it there."""
    for table in (ANY_TABLE, Circumstances(story_cards=frozenset())):
        found = _weakness_rules(judge, _roland(code), table)
        assert found == [("access.story", "advice")]


@pytest.mark.parametrize("code", LATER)
def test_no_standalone_deck_holds_the_later_card(judge: Judge, code: str) -> None:
    """What it was exchanged for is for campaigns only, unless the table rules so."""
    alone = Circumstances(mode=Mode.STANDALONE)
    assert ("mode.campaign-only", "illegal") in _modes(judge, code, alone)
    marked = replace(alone, rulings=(("weaknesses.marked-modes", "in"),))
    assert not _modes(judge, code, marked)


def _modes(judge: Judge, code: str, table: Circumstances) -> list[tuple[str, str]]:
    found = check(judge, _roland(code), table).findings
    return [
        (each.rule, each.severity.word) for each in found if each.rule[:5] == "mode."
    ]


@pytest.mark.parametrize("code", LATER)
def test_a_slot_is_filled_once(judge: Judge, code: str) -> None:
    """A weakness beside it was gained."""
    found = _weakness_rules(judge, _roland(code, AMNESIA), ANY_TABLE)
    assert ("weakness.gained", "advice") in found


@pytest.mark.parametrize("code", LATER)
def test_a_first_deck_has_exchanged_nothing(judge: Judge, code: str) -> None:
    """Before the first game no card was drawn."""
    table = Circumstances(mode=Mode.START, experience=0)
    found = _weakness_rules(judge, _roland(code), table)
    assert ("access.story", "illegal") in found


@pytest.mark.parametrize(("gone", "come", "allowed"), [*_steps()])
def test_an_exchange_needs_no_instruction(
    judge: Judge, gone: str, come: str, allowed: bool
) -> None:
    """The change costs nothing; a chain is not walked backwards."""
    assert is_exchange(gone, come) is allowed
    for window in (
        PLAIN_WINDOW,
        Window(granted={come: 1}),
        Window(taken={gone: 1}, granted={come: 1}),
    ):
        invoice = price_upgrade(judge, _roland(gone), _roland(come), window)
        assert invoice.total == 0
        refused = [] if allowed or window.taken else ["upgrade.weakness"]
        assert [each.rule for each in invoice.findings] == refused
        assert "weakness.required" not in _rules(invoice)


def test_a_weakness_does_not_become_any_other(judge: Judge) -> None:
    """One that comes by itself, or for a card of another chain, takes no place."""
    for gone, come in (("04038", "04041"), ("04040", AMNESIA), (AMNESIA, "04039")):
        invoice = price_upgrade(judge, _roland(gone), _roland(come))
        assert [each.rule for each in invoice.findings] == ["upgrade.weakness"]


def _rules(invoice: Invoice) -> set[str]:
    return {each.rule for each in invoice.legality}


def test_a_weakness_taken_for_good_is_asked_for_no_more(judge: Judge) -> None:
    """The same weakness may be drawn again, and another may be gained."""
    lost = Circumstances(lost_cards=(AMNESIA,))
    for deck in (_roland(), _roland(AMNESIA), _roland(PARANOIA)):
        assert _weakness_rules(judge, deck, lost) == []
    two = _weakness_rules(judge, _roland(AMNESIA, PARANOIA), lost)
    assert two == [("weakness.gained", "advice")]


def test_only_as_many_as_were_taken_may_be_missing(judge: Judge) -> None:
    """Under the Ultimatum of Disaster two are asked for."""
    table = Circumstances(ultimatums=frozenset({"disaster"}), lost_cards=(AMNESIA,))
    assert _weakness_rules(judge, _roland(PARANOIA), table) == []
    short = check(judge, _roland(), table).findings
    missing = next(each for each in short if each.rule == "weakness.required")
    assert (missing.actual, missing.expected) == (0, 1)


def test_what_a_window_took_is_asked_for_no_more(judge: Judge) -> None:
    """A basic weakness, or a signature that no other version replaces."""
    taken = Window(taken={AMNESIA: 1})
    invoice = price_upgrade(judge, _roland(AMNESIA), _roland(), taken)
    assert (invoice.findings, invoice.legality) == ((), ())
    both = Window(taken={AMNESIA: 1}, granted={PARANOIA: 1})
    invoice = price_upgrade(judge, _roland(AMNESIA), _roland(), both)
    assert "weakness.required" in _rules(invoice)


def test_a_required_card_that_was_lost_may_be_given_back(judge: Judge) -> None:
    """The window gives it; without that it is lost."""
    deck, gun = _roland(AMNESIA), "01006"
    left = {code: n for code, n in deck.entries.items() if code != gun}
    terms = Circumstances(lost_cards=(gun,))
    for window, rules in ((Window(granted={gun: 1}), set()), (Window(), {LOST})):
        before = deck._replace(entries=left)
        invoice = price_upgrade(judge, before, deck, window, terms)
        assert set(_rules(invoice)) == rules


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({AMNESIA: -1}, [AMNESIA]),
        ({AMNESIA: -1, PARANOIA: 1}, []),
        ({AMNESIA: -1, PARANOIA: -1}, [AMNESIA, PARANOIA]),
        ({AMNESIA: -2}, [AMNESIA, AMNESIA]),
        ({AMNESIA: -2, PARANOIA: 1}, [AMNESIA]),
        ({AMNESIA: -1, "01596": -1}, [AMNESIA, AMNESIA]),
        ({"01596": -1}, [AMNESIA]),  # another printing of Amnesia
        ({ANY: -1, PARANOIA: 1}, []),
        ({ANY: -1, PARANOIA: 0}, [ANY]),
        ({"04038": -1, "04039": 1}, []),
        ({"04039": -1}, ["04039"]),
        ({DUKE: -1}, [DUKE]),
        ({DUKE: -1, DUKE_ADVANCED: 1}, []),
        ({"02033": -1}, []),  # an ally that nothing requires
        ({"nonsense": -1}, []),
    ],
)
def test_what_left_with_nothing_in_its_place(
    pool: CardPool, changes: dict[str, int], expected: list[str]
) -> None:
    """Signatures and basic weaknesses are told apart from other cards."""
    assert sorted(waived(changes, PETE, pool).elements()) == expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"04039": 1}, {"04038": -1, "04039": 1}),
        ({"04038": -1, "04039": 1}, {"04038": -1, "04039": 1}),
        ({"04042": 1}, {"04040": -1, "04041": -1, "04042": 1}),
        ({"04040": 1, "04041": 1}, {"04041": 1}),
        ({"53013": 1}, {"53013": 1}),
        ({AMNESIA: 1, "53015": 1}, {AMNESIA: 1, "53013": -1, "53014": -1, "53015": 1}),
    ],
)
def test_the_later_card_shows_that_the_earlier_left(
    told: dict[str, int], expected: dict[str, int]
) -> None:
    """A table that records only what came has said what went."""
    assert with_exchanged(told) == expected


@pytest.mark.parametrize(
    ("told", "held", "expected"),
    [
        ({"04038": 1}, {"04039": 1}, {"04038": 1, "04039": -1}),
        ({"04038": 1, "04039": -1}, {"04039": 1}, {"04038": 1, "04039": -1}),
        ({"04038": 1}, {AMNESIA: 1}, {"04038": 1}),
        ({"04040": 1}, {"04042": 1}, {"04040": 1}),  # this chain never begins again
    ],
)
def test_the_first_card_comes_back_for_the_last(
    told: dict[str, int], held: dict[str, int], expected: dict[str, int]
) -> None:
    """The Price of Failure is gone when Dark Pact is recorded again."""
    assert with_exchanged(told, held) == expected


@pytest.mark.parametrize(
    ("investigator", "changes", "expected"),
    [
        ("90024", {"90025": -1}, ["90025"]),  # a Directive
        ("90024", {"90025": -1, "90026": 1}, []),  # another in its place
        ("90037", {"90038": -1}, ["90038"]),  # the Tidal Memento
        ("90049", {"90053": -1}, ["90053"]),  # the Vengeful Shade
        ("02004", {"90053": -1}, []),  # of a back with one deck
        ("02003", {"98002": -1}, ["98002"]),  # a replacement
        ("02003", {"02010": -1, "98002": 1}, []),
        ("03006", {"03019": -2, "90093": 1}, []),  # one in the place of two
        ("03006", {"03018": -2, **LADIES}, []),  # five in the place of two
        ("03006", {"03018": -2, **LADIES, "90092": 0}, ["90092"]),  # one lost again
        ("11014", {"98021": -1, "11016": 3}, []),
        ("11014", {"98021": -1, "11016": 2}, ["11016"]),
        ("11014", {"98021": -1, "11016": -3}, [*["11016"] * 3, "98021"]),
        ("03003", {"03012": -1}, ["03012"]),  # one of three
        ("03003", {"03012": -2}, ["03012", "03012"]),
        ("08010", {"08012a": -1, "08015": -1}, ["08012a", "08015"]),
    ],
)
def test_cards_beside_the_requirements_are_waived_as_well(
    investigator: str, changes: dict[str, int], expected: list[str], pool: CardPool
) -> None:
    assert sorted(waived(changes, investigator, pool).elements()) == expected


def test_two_copies_of_one_weakness_are_two_slots(judge: Judge) -> None:
    """Under the Ultimatum of Disaster a deck may have had both."""
    disaster = frozenset({"disaster"})
    one = Circumstances(ultimatums=disaster, lost_cards=(AMNESIA,))
    both = Circumstances(ultimatums=disaster, lost_cards=(AMNESIA, AMNESIA))
    assert _weakness_rules(judge, _roland(), one) == [
        ("weakness.required", "incomplete")
    ]
    assert _weakness_rules(judge, _roland(), both) == []
    taken = Window(taken={AMNESIA: 2})
    before, terms = _roland(AMNESIA, AMNESIA), Circumstances(ultimatums=disaster)
    assert price_upgrade(judge, before, _roland(), taken, terms).legality == ()


def test_a_list_may_name_a_lost_card_once_a_copy() -> None:
    """One that names each once is read as before; in which order does not matter."""
    read = read_circumstances({"lost_cards": [PARANOIA, AMNESIA, AMNESIA]})
    assert read.lost_cards == (AMNESIA, AMNESIA, PARANOIA)
    assert read_circumstances({"lost_cards": [PARANOIA]}).lost_cards == (PARANOIA,)


@pytest.mark.parametrize(
    ("investigator", "lost", "changes", "expected"),
    [
        (PETE, [AMNESIA, AMNESIA], {AMNESIA: 1}, [AMNESIA]),
        (PETE, [AMNESIA], {PARANOIA: 1}, [AMNESIA]),
        (PETE, [AMNESIA], {AMNESIA: -1}, [AMNESIA, AMNESIA]),
        (PETE, [AMNESIA], {AMNESIA: 1, PARANOIA: -1}, [PARANOIA]),
        (PETE, [PARANOIA], {AMNESIA: -2, PARANOIA: 1}, [AMNESIA, AMNESIA]),
        (PETE, ["02033", "nonsense"], {"02033": 1}, ["nonsense"]),
        (PETE, [DUKE], {DUKE_ADVANCED: 1}, []),
        (PETE, [DUKE], {DUKE: 0}, [DUKE]),  # it came and went
        ("90024", ["90025"], {"90026": 1}, []),  # another Directive
        ("90024", ["90025", "90026"], {"90025": 1}, ["90026"]),
        ("90024", ["90025"], {"90025": 1, "90026": -1}, ["90026"]),
        ("08010", ["08012a"], {"08011a": 1}, []),  # another Discipline
        ("08010", ["08015", "08015"], {"08015": 1}, ["08015"]),
        ("90049", ["90053"], {"90053": 1}, []),  # of a second deck
        ("02003", ["02010"], {"98002": 1}, []),  # a replacement
        ("03006", ["03018", "03018"], {**LADIES, "90092": 0}, ["90092"]),
        ("03003", ["03012", "03012"], {"03012": 1}, ["03012"]),
        ("03003", ["03012"], {"03012": -1}, ["03012", "03012"]),
        ("07005", [], {"98014": -1}, ["98014"]),  # it stands for two of them
        ("98013", ["98014"], {}, ["98014"]),
        ("07005", ["98014"], {"01096": -1}, ["01096", "98014"]),
        ("07005", ["07014", "07015"], {"98014": 1}, []),
    ],
)
def test_what_comes_back_is_lost_no_more_copy_by_copy(
    pool: CardPool,
    investigator: str,
    lost: list[str],
    changes: dict[str, int],
    expected: list[str],
) -> None:
    left = lost_after(Counter(lost), changes, investigator, pool)
    assert sorted(left.elements()) == expected


def test_one_lost_directive_is_not_all_of_them(judge: Judge) -> None:
    """They share a title, and each is a card of its own."""
    terms = Circumstances(lost_cards=("90025",))
    deck = DeckList("01001", {"90026": 1, "90027": 1}, front="90024")
    rules = {each.rule for each in check(judge, deck, terms).findings}
    assert not rules & {"campaign.lost", "required.side-cards"}


def test_whatever_a_deck_must_hold_may_be_taken(judge: Judge) -> None:
    """One copy of it or all, and nothing has to come in its place."""
    for path in LEGAL:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        terms = data.get("circumstances", {})
        asked = read_request({"deck": data["deck"], "circumstances": terms})
        deck = asked.deck
        fixed = [code for code in deck.entries if judge.pool[code].level is None]
        for code, copies in [(c, n) for c in fixed for n in {1, deck.entries[c]}]:
            left = {**deck.entries, code: deck.entries[code] - copies}
            after = deck._replace(entries={c: n for c, n in left.items() if n})
            taken = Window(taken={code: copies})
            invoice = price_upgrade(judge, deck, after, taken, asked.circumstances)
            assert invoice.lawful, (path.stem, code, copies, _rules(invoice))


def _corpus(name: str) -> tuple[DeckList, Circumstances]:
    data = read_base(f"decks/legal/{name}")
    asked = read_request({"deck": data})
    return asked.deck, asked.circumstances


@pytest.mark.parametrize(
    ("name", "code", "copies"),
    [
        ("03003-sefina-rousseau", "03012", 3),  # The Painted World
        ("08010-lily-chen-three-disciplines", "08015", 3),  # one for each Discipline
    ],
)
def test_as_many_copies_are_asked_for_as_were_not_lost(
    judge: Judge, name: str, code: str, copies: int
) -> None:
    """With all of them lost the deck holds none; one too many is found as well."""
    deck, terms = _corpus(name)
    assert deck.entries[code] == copies
    for lost in range(copies + 2):
        for held in range(copies + 1):
            entries = {**deck.entries, code: held}
            short = deck._replace(entries={c: n for c, n in entries.items() if n})
            table = replace(terms, lost_cards=(code,) * lost)
            findings = check(judge, short, table).findings
            found = [each for each in findings if each.rule.startswith("required.")]
            found = [each for each in found if each.severity.word != "advice"]
            left = max(copies - lost, 0)
            numbers = [(each.actual, each.expected) for each in found]
            assert numbers == ([] if held == left else [(held, left)])


def test_what_is_lost_may_be_said_as_before_a_window_or_after_it(judge: Judge) -> None:
    """The deck shows which: it holds as many copies as are left."""
    deck, terms = _corpus("03003-sefina-rousseau")
    cases = [
        (1, Window(taken={"03012": 1}), 2),  # lost before, copies left after
        (2, Window(taken={"03012": 1}), 2),
        (2, Window(granted={"03012": 1}), 1),
        (1, Window(granted={"03012": 1}), 1),
    ]
    for stated, window, lost in cases:
        had = lost + window.moved["03012"]
        before, after = (
            deck._replace(entries={**deck.entries, "03012": 3 - gone})
            for gone in (had, lost)
        )
        table = replace(terms, lost_cards=("03012",) * stated)
        assert price_upgrade(judge, before, after, window, table).lawful
