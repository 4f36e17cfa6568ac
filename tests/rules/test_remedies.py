"""Following the way out of a finding silences it.

Tried on every illegal deck of the corpus whose finding says which cards must go.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from arkham.rules.checking import Asked, read_request
from arkham.rules.deck import DeckList
from arkham.rules.finding import Finding, Remedy
from arkham.rules.legality import Judge, check

DECKS = Path(__file__).parent / "corpus" / "decks"
ILLEGAL = sorted(DECKS.glob("*/illegal-*.toml"))
# Here the price is too high, not the number of cards.
OF_PRICES = {"standalone.experience", "start.experience"}


def _asked(path: Path) -> Asked:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return read_request(
        {"deck": data["deck"], "circumstances": data.get("circumstances", {})}
    )


def _without(entries: Mapping[str, int], remedy: Remedy) -> dict[str, int]:
    left, to_go = dict(entries), remedy.copies
    for code in reversed(remedy.codes):
        gone = min(left.get(code, 0), to_go)
        left[code] = left.get(code, 0) - gone
        to_go -= gone
    assert not to_go
    return {code: copies for code, copies in left.items() if copies}


def _followed(deck: DeckList, finding: Finding) -> DeckList:
    assert finding.remedy is not None
    codes = finding.remedy.codes
    if finding.rule.startswith("side-deck.") or (
        not any(code in deck.entries for code in codes)
    ):
        return deck._replace(side_deck=_without(deck.side_deck, finding.remedy))
    return deck._replace(entries=_without(deck.entries, finding.remedy))


def _removals(asked: Asked, judge: Judge) -> Iterator[Finding]:
    for finding in check(judge, asked.deck, asked.circumstances).findings:
        remedy = finding.remedy
        if remedy is None or finding.rule in OF_PRICES:
            continue
        if remedy.action == "remove" and remedy.codes:
            yield finding


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_taking_out_what_a_remedy_names_is_enough(path: Path, judge: Judge) -> None:
    asked = _asked(path)
    for finding in _removals(asked, judge):
        after = check(judge, _followed(asked.deck, finding), asked.circumstances)
        assert (finding.rule, finding.cards) not in {
            (each.rule, each.cards) for each in after.findings
        }


@pytest.mark.parametrize(
    ("name", "rule", "advice"),
    [
        (
            "required.at-least/illegal-six-of-the-third-class",
            "required.at-least",
            "Replace other cards with Rogue cards.",
        ),
        (
            "required.at-least/incomplete-with-room",
            "required.at-least",
            "Add Rogue cards.",
        ),
        (
            "required.at-least-type/illegal-nine-skills",
            "required.at-least-type",
            "Replace other cards with skill cards.",
        ),
        (
            "required.at-least-type/incomplete-nine-skills-with-room",
            "required.at-least-type",
            "Add skill cards.",
        ),
        (
            "required.hunch-deck/illegal-nine-events-and-the-case",
            "required.hunch-deck",
            "Replace other cards with Insight events.",
        ),
        (
            "required.hunch-deck/incomplete-with-room",
            "required.hunch-deck",
            "Add Insight events.",
        ),
        (
            "required.side-cards/illegal-same-directive",
            "required.side-cards",
            "Choose a different one.",
        ),
        (
            "required.side-cards/illegal-a-directive-twice",
            "required.side-cards",
            "Remove the extra ones.",
        ),
    ],
)
def test_a_deck_without_room_has_no_remedy_to_add(
    name: str, rule: str, advice: str, judge: Judge
) -> None:
    asked = _asked(DECKS / f"{name}.toml")

    verdict = check(judge, asked.deck, asked.circumstances)

    found = [each for each in verdict.findings if each.rule == rule]
    assert [each.advice_text for each in found] == [advice]
