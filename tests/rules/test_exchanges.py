"""Weaknesses that become other cards or are removed leave a deck complete."""

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
from arkham.rules.legality.signatures import lost_after, not_replaced
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
    """Yield each pair of cards of a chain, and whether they may be exchanged."""
    for row, chain in zip(EXCHANGES, CHAINS, strict=True):
        for gone, come in permutations(chain, 2):
            forward = chain.index(gone) < chain.index(come)
            yield gone, come, forward or row.returns


def test_the_base_deck_misses_only_its_weakness(judge: Judge) -> None:
    """The tests below rely on this."""
    found = check(judge, _roland()).findings
    assert [each.rule for each in found] == ["weakness.required"]


def test_exchanges_match_the_card_data(pool: CardPool) -> None:
    """The first card is a basic weakness, the later ones are not."""
    for row in EXCHANGES:
        assert pool[row.code].name == row.name
        assert pool[row.code].weakness == "basic"
        assert {pool[code].weakness for code in row.successors} == {"other"}


@pytest.mark.parametrize("code", LATER)
def test_the_later_card_counts_as_the_weakness(judge: Judge, code: str) -> None:
    """At every table of a campaign, because the earlier card put it into the deck."""
    for table in (ANY_TABLE, Circumstances(story_cards=frozenset())):
        found = _weakness_rules(judge, _roland(code), table)
        assert found == [("access.story", "advice")]


@pytest.mark.parametrize("code", LATER)
def test_the_later_card_is_illegal_in_standalone(judge: Judge, code: str) -> None:
    """It is for campaigns only, unless the table rules otherwise."""
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
def test_the_later_card_counts_for_one_weakness_only(judge: Judge, code: str) -> None:
    """A further weakness was gained."""
    found = _weakness_rules(judge, _roland(code, AMNESIA), ANY_TABLE)
    assert ("weakness.gained", "advice") in found


@pytest.mark.parametrize("code", LATER)
def test_a_first_deck_cannot_include_the_later_card(judge: Judge, code: str) -> None:
    """No card was drawn before the first game."""
    table = Circumstances(mode=Mode.START, experience=0)
    found = _weakness_rules(judge, _roland(code), table)
    assert ("access.story", "illegal") in found


@pytest.mark.parametrize(("gone", "come", "allowed"), [*_steps()])
def test_an_exchange_is_free(judge: Judge, gone: str, come: str, allowed: bool) -> None:
    """A chain is not followed backwards."""
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


def test_a_weakness_is_replaced_only_within_its_chain(judge: Judge) -> None:
    """A card that was gained, or from another chain, is no replacement."""
    for gone, come in (("04038", "04041"), ("04040", AMNESIA), (AMNESIA, "04039")):
        invoice = price_upgrade(judge, _roland(gone), _roland(come))
        assert [each.rule for each in invoice.findings] == ["upgrade.weakness"]


def _rules(invoice: Invoice) -> set[str]:
    return {each.rule for each in invoice.legality}


def test_a_removed_weakness_is_no_longer_required(judge: Judge) -> None:
    """The same weakness may be drawn again, and another may be gained."""
    lost = Circumstances(lost_cards=(AMNESIA,))
    for deck in (_roland(), _roland(AMNESIA), _roland(PARANOIA)):
        assert _weakness_rules(judge, deck, lost) == []
    two = _weakness_rules(judge, _roland(AMNESIA, PARANOIA), lost)
    assert two == [("weakness.gained", "advice")]


def test_only_as_many_weaknesses_as_were_lost_may_be_missing(judge: Judge) -> None:
    """The Ultimatum of Disaster requires two."""
    table = Circumstances(ultimatums=frozenset({"disaster"}), lost_cards=(AMNESIA,))
    assert _weakness_rules(judge, _roland(PARANOIA), table) == []
    short = check(judge, _roland(), table).findings
    missing = next(each for each in short if each.rule == "weakness.required")
    assert (missing.actual, missing.expected) == (0, 1)


def test_a_card_taken_in_the_window_is_no_longer_required(judge: Judge) -> None:
    """This applies to basic weaknesses and to signatures without another version."""
    taken = Window(taken={AMNESIA: 1})
    invoice = price_upgrade(judge, _roland(AMNESIA), _roland(), taken)
    assert (invoice.findings, invoice.legality) == ((), ())
    both = Window(taken={AMNESIA: 1}, granted={PARANOIA: 1})
    invoice = price_upgrade(judge, _roland(AMNESIA), _roland(), both)
    assert "weakness.required" in _rules(invoice)


def test_a_lost_required_card_may_be_given_back(judge: Judge) -> None:
    """The window must give it; otherwise it stays lost."""
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
def test_required_cards_that_left_without_replacement_are_waived(
    pool: CardPool, changes: dict[str, int], expected: list[str]
) -> None:
    """Signatures and basic weaknesses are distinguished from other cards."""
    assert sorted(not_replaced(changes, PETE, pool).elements()) == expected


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
def test_gaining_the_later_card_implies_losing_the_earlier(
    told: dict[str, int], expected: dict[str, int]
) -> None:
    """A table that records only the new card need not record the old one."""
    assert with_exchanged(told) == expected


@pytest.mark.parametrize(
    ("told", "held", "expected"),
    [
        ({"04038": 1}, {"04039": 1}, {"04038": 1, "04039": -1}),
        ({"04038": 1, "04039": -1}, {"04039": 1}, {"04038": 1, "04039": -1}),
        ({"04038": 1}, {AMNESIA: 1}, {"04038": 1}),
        ({"04040": 1}, {"04042": 1}, {"04040": 1}),  # this chain does not start again
    ],
)
def test_gaining_the_first_card_again_implies_losing_the_last(
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
def test_other_cards_required_by_a_back_are_waived_too(
    investigator: str, changes: dict[str, int], expected: list[str], pool: CardPool
) -> None:
    assert sorted(not_replaced(changes, investigator, pool).elements()) == expected


def test_two_lost_copies_of_one_weakness_waive_two(judge: Judge) -> None:
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


def test_lost_cards_may_repeat_a_code_for_each_copy() -> None:
    """The order does not matter, and a list without repetitions stays valid."""
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
        ("07005", [], {"98014": -1}, ["98014"]),  # it replaces two of them
        ("98013", ["98014"], {}, ["98014"]),
        ("07005", ["98014"], {"01096": -1}, ["01096", "98014"]),
        ("07005", ["07014", "07015"], {"98014": 1}, []),
    ],
)
def test_each_copy_that_returns_is_no_longer_lost(
    pool: CardPool,
    investigator: str,
    lost: list[str],
    changes: dict[str, int],
    expected: list[str],
) -> None:
    left = lost_after(Counter(lost), changes, investigator, pool)
    assert sorted(left.elements()) == expected


def test_losing_one_directive_does_not_lose_the_others(judge: Judge) -> None:
    """They share a title, but each is a separate card."""
    terms = Circumstances(lost_cards=("90025",))
    deck = DeckList("01001", {"90026": 1, "90027": 1}, front="90024")
    rules = {each.rule for each in check(judge, deck, terms).findings}
    assert not rules & {"campaign.lost", "required.side-cards"}


def test_any_required_card_may_be_taken(judge: Judge) -> None:
    """One copy or all of them, and no replacement is needed."""
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
def test_only_copies_that_were_not_lost_are_required(
    judge: Judge, name: str, code: str, copies: int
) -> None:
    """If all are lost the deck needs none; one too many is found as well."""
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


def test_lost_cards_may_be_stated_as_of_before_or_after_the_window(
    judge: Judge,
) -> None:
    """The number of copies in the deck shows which was meant."""
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
