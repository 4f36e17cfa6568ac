"""The worked examples of docs/legality.md and docs/pricing.md come out as told."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import Any

from arkham.rules.checking import read_request
from arkham.rules.legality import DECK_RULES, judge_of, judged, tally
from arkham.rules.legality.admission import Shortage, shortages
from arkham.rules.legality.tally import Concern
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import price
from tests.rules.upgrades import CORPUS, read_base

SEVENTH = CORPUS / "decks" / "access.limit" / "illegal-versatile-seventh.toml"


def test_seven_cards_of_six_places() -> None:
    """One group of seven cards, two options, six places."""
    deck = tomllib.loads(SEVENTH.read_text("utf-8"))["deck"]
    asked = read_request({"deck": deck})

    built, findings = judged(judge_of(embedded_pool()), asked.deck, asked.circumstances)

    assert built is not None
    assert built.frame.limits == (5, 1)
    assert built.demands == {0b11: 7}
    assert shortages(built.demands, built.frame.limits) == [Shortage(0b11, 7, 6)]
    assert (built.counted, built.frame.size, built.experience) == (35, 35, 2)
    assert tally.read(built.tally, tally.BASIC_WEAKNESSES) == 1
    assert [each for each in Concern if built.tally & each.bits] == [Concern.MODIFIER]
    assert built.unmet == tally.NO_ROOM
    awake = built.tally & tally.ALL_CONCERNS | built.unmet
    woken = [rule.id for rule in DECK_RULES if rule.wakes & awake]
    assert woken == ["access.limit", "copies.branded"]
    assert [finding.rule for finding in findings] == ["access.limit"]
    places = Counter[str]()
    for entry in built.limited_to(0b11):
        for share in built.assignment()[entry.code]:
            places[share.option] += share.copies
    assert places == {"other-0-0-limit-5": 5, "versatile": 1, "none": 1}


def _changed(deck: dict[str, Any], **slots: int) -> dict[str, Any]:
    """A deck with copies more or fewer, by code after ``c``."""
    held = Counter(deck["slots"])
    held.update({code.removeprefix("c"): copies for code, copies in slots.items()})
    return {**deck, "slots": {code: n for code, n in held.items() if n}}


def test_three_cards_for_two_swaps() -> None:
    """What is scarce goes where it saves most; of equals the first."""
    before = _changed(
        dict(read_base("upgrades/bases/agnes")), c02110=1, c04109=1, c01060=1, c01074=-1
    )
    gone = {"c01060": -1, "c01065": -1, "c01063": -1, "c01088": -2}
    after = _changed(before, **gone, c02306=1, c03270=1, c01073=1, c01072=2)

    invoice = price(read_deck(before), read_deck(after), embedded_pool())

    assert invoice.total == 7
    assert [(line.rule, line.code, line.paid) for line in invoice.lines] == [
        ("price.swap", "01072", 0),
        ("price.swap", "01072", 0),
        ("price.purchase", "01073", 1),
        ("price.upgrade", "02306", 4),
        ("price.upgrade", "03270", 2),
    ]
    assert [finding.rule for finding in invoice.legality] == ["access.option"]
