"""Laws that hold for every deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from arkham.rules.checking import JudgeRequest
from arkham.rules.finding import Finding, Severity
from arkham.rules.legality import (
    Verdict,
    check,
    every_finding_of,
    findings_of,
    judge_of,
)
from arkham.rules.modifiers import DECK_MODIFIERS, FIRST_OF
from arkham.rules.vocabulary import CardClass, WeaknessKind
from tests.rules.strategies import asked_decks, cards, is_ordinary

JUDGE = judge_of(cards())
DECKS = settings(max_examples=250, deadline=None)


def judged(asked: JudgeRequest) -> Verdict:
    return check(JUDGE, asked.deck, asked.circumstances)


@pytest.mark.slow
@given(asked_decks())
@settings(max_examples=1_000, deadline=None)
def test_a_rule_that_was_not_called_finds_nothing(asked: JudgeRequest) -> None:
    for built in JUDGE.builds(asked.deck, asked.circumstances):
        assert findings_of(built) == every_finding_of(built)


# -- order and printing --


def _reordered(mapping: Mapping[str, object], data: DataObject) -> dict[str, object]:
    keys = data.draw(st.permutations(sorted(mapping)))
    return {key: mapping[key] for key in keys}


@pytest.mark.slow
@given(asked_decks(), st.data())
@DECKS
def test_the_order_of_a_list_never_matters(
    asked: JudgeRequest, data: DataObject
) -> None:
    deck = asked.deck
    turned: dict[str, object] = {
        part: _reordered(getattr(deck, part), data)
        for part in ("entries", "set_aside", "side_deck", "sheets", "attachments")
    }
    again = JudgeRequest(deck._replace(**turned), asked.circumstances)  # type: ignore[arg-type]

    assert judged(again) == judged(asked)


def _first_printing(code: str) -> str:
    card = cards().get_card(code)
    return card.code if card else code


def _facts(finding: Finding) -> tuple[object, ...]:
    """Return a finding without the printings that it happens to name."""
    return (
        finding.rule,
        finding.severity,
        tuple(sorted(map(_first_printing, finding.cards))),
        finding.actual if isinstance(finding.actual, int) else None,
        finding.expected if isinstance(finding.expected, int) else None,
    )


@pytest.mark.slow
@given(asked_decks(), st.data())
@DECKS
def test_another_printing_of_a_card_changes_nothing(
    asked: JudgeRequest, data: DataObject
) -> None:
    deck = asked.deck
    assume(deck.investigator in cards())
    names: dict[str, str] = {}
    for code in sorted(deck.entries):
        card = cards().get_card(code)
        printed = [each.code for each in card.printings] if card else [code]
        other = data.draw(st.sampled_from(printed))
        taken = {*deck.entries, *names.values()}
        names[code] = other if other not in taken else code

    def renamed(codes: Mapping[str, int]) -> dict[str, int]:
        return {names.get(code, code): copies for code, copies in codes.items()}

    other_deck = deck._replace(
        entries=renamed(deck.entries), set_aside=renamed(deck.set_aside)
    )
    before = judged(asked)
    after = judged(JudgeRequest(other_deck, asked.circumstances))

    assert Counter(map(_facts, after.findings)) == Counter(map(_facts, before.findings))
    assert after.deck_size == before.deck_size
    assert after.experience_required == before.experience_required


@pytest.mark.slow
@given(asked_decks(), st.data())
@DECKS
def test_two_printings_count_as_one_card(asked: JudgeRequest, data: DataObject) -> None:
    """Copies spread over two printings are judged as if all were of one."""
    deck = asked.deck
    twice = [
        (code, other.code)
        for code, copies in sorted(deck.entries.items())
        if copies > 1 and (card := cards().get_card(code)) is not None
        for other in card.printings
        if other.code not in deck.entries
    ]
    assume(twice and not deck.set_aside)
    code, other = data.draw(st.sampled_from(twice))
    entries = {**deck.entries, code: deck.entries[code] - 1, other: 1}
    before = judged(asked)
    after = judged(JudgeRequest(deck._replace(entries=entries), asked.circumstances))

    assert after.status == before.status
    assert {each.rule for each in after.findings} == {
        each.rule for each in before.findings
    }
    assert after.deck_size == before.deck_size
    assert after.experience_required == before.experience_required


# -- fewer cards --


def _access_rules(verdict: Verdict) -> set[str]:
    return {
        finding.rule
        for finding in verdict.findings
        if finding.rule.startswith("access.") and finding.severity is Severity.ILLEGAL
    }


@pytest.mark.slow
@given(asked_decks(keeps_choices=True), st.data())
@DECKS
def test_removing_a_card_never_makes_another_inadmissible(
    asked: JudgeRequest, data: DataObject
) -> None:
    """Unless it granted an option, or the back demands a number of cards."""
    deck = asked.deck
    plain = [
        code
        for code in sorted(deck.entries)
        if _first_printing(code) not in DECK_MODIFIERS
    ]
    assume(plain)
    for built in JUDGE.builds(deck, asked.circumstances):
        assume(not built.assumptions and built.frame.at_least is None)
    code = data.draw(st.sampled_from(plain))
    fewer = data.draw(st.integers(0, deck.entries[code] - 1))
    entries = {**deck.entries, code: fewer}
    if not fewer:
        del entries[code]
    after = judged(JudgeRequest(deck._replace(entries=entries), asked.circumstances))

    assert _access_rules(after) <= _access_rules(judged(asked))


# -- counting --


@pytest.mark.slow
@given(asked_decks())
@DECKS
def test_a_tally_equals_a_plain_count(asked: JudgeRequest) -> None:
    for built in JUDGE.builds(asked.deck, asked.circumstances):
        deck, frame = asked.deck, built.frame
        counted = weaknesses = 0
        classes: Counter[CardClass] = Counter()
        signatures: Counter[str] = Counter()
        aside = Counter[str]()
        for code, copies in deck.set_aside.items():
            aside[_first_printing(code)] += copies  # whatever its printing
        for code, listed in deck.entries.items():
            first = _first_printing(code)
            copies = listed - (gone := min(listed, aside[first]))
            aside[first] -= gone
            card = cards().get_card(code)
            if card is None:
                counted += copies
                continue
            slot = cards()[FIRST_OF.get(first, first)]  # it fills what it was taken for
            if slot.weakness is WeaknessKind.BASIC and slot.in_decks:
                weaknesses += copies
            if is_ordinary(card):
                counted += 0 if card.permanent else copies
                for card_class in card.classes:
                    classes[card_class] += listed  # set aside cards count here
            signatures[card.code] += copies
        assert built.counted == counted
        assert built.basic_weaknesses == weaknesses
        if frame.at_least is not None:
            held = {key: count for key, count in built.class_counts().items() if count}
            assert held == {key.value: n for key, n in classes.items() if n}
        for requirement in frame.requirements:
            code = requirement.original
            assert built.signatures_held.get(code, 0) == signatures[code]


@pytest.mark.slow
@given(asked_decks())
@DECKS
def test_every_copy_is_assigned(asked: JudgeRequest) -> None:
    verdict = judged(asked)

    placed = {
        code: sum(share.copies for share in shares)
        for code, shares in verdict.assignment.items()
    }
    assert placed == dict(asked.deck.entries)
