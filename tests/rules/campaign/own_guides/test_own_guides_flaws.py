"""Flaws of a guide in our format are reported with their place; the rest is read."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.lint import lint_own
from arkham.rules.campaign.reading.own import own_files, read_own
from tests.rules.campaign.helpers.own_reading import CAMPAIGN, reading_of


@pytest.mark.parametrize(
    ("step", "flaw"),
    [
        ("dance = 1", Flaw("guide.unknown-key", "own/one · x.dance", "'dance'")),
        (
            "text = 5",
            Flaw("guide.wrong-type", "own/one · x.text", "5", "text"),
        ),
        (
            "does = 5",
            Flaw("guide.wrong-type", "own/one · x.does", "5", "a list of objects"),
        ),
        (
            'does = [{ record = "a", trauma = "all" }]',
            Flaw(
                "guide.unknown-kind",
                "own/one · x.does[0]",
                "{'record': 'a', 'trauma': 'all'}",
            ),
        ),
        (
            'does = [{ record = "a", who = "all" }]',
            Flaw("guide.unknown-key", "own/one · x.does[0].who", "'who'"),
        ),
        (
            'does = [{ kill = "everyone" }]',
            Flaw("guide.unknown-kind", "own/one · x.does[0].kill", "'everyone'"),
        ),
        (
            'does = [{ add_tokens = "skulls" }]',
            Flaw("guide.unknown-kind", "own/one · x.does[0].add_tokens", "'skulls'"),
        ),
        (
            'does = [{ partner = "tired" }]',
            Flaw("guide.unknown-kind", "own/one · x.does[0].partner", "'tired'"),
        ),
        (
            'ask = "partner_each"\nstates = ["alive", "tired"]',
            Flaw("guide.unknown-kind", "own/one · x.states", "'tired'"),
        ),
        ('ask = "dance"', Flaw("guide.unknown-kind", "own/one · x.ask", "'dance'")),
        (
            'ask = "one"\nchoices = [{ text = "b" }]',
            Flaw("guide.missing", "own/one · x.choices[0].id", "None", "an id"),
        ),
        (
            'ask = "supplies"\npoints = "ten"',
            Flaw("guide.wrong-type", "own/one · x.points", "'ten'", "whole numbers"),
        ),
        (
            'ask = "supplied"\nchoices = [{ id = "b" }]',
            Flaw("guide.missing", "own/one · x.choices", "1", "two choices"),
        ),
        (
            'if = { dance = 1 }\nyes = ["x"]',
            Flaw("guide.unknown-kind", "own/one · x.if", "{'dance': 1}"),
        ),
        (
            'if = { logged = "a" }',
            Flaw("guide.missing", "own/one · x.yes", "None", "yes, no or cases"),
        ),
        (
            'if = { number = "players" }\nyes = []',
            Flaw(
                "guide.missing",
                "own/one · x.cases",
                "None",
                "is, at_least, at_most or cases",
            ),
        ),
        (
            'if = { number = "players" }\ncases = [{ is = "many", then = [] }]',
            Flaw("guide.wrong-type", "own/one · x.cases[0].is", "'many'", "int"),
        ),
    ],
)
def test_a_flaw_of_a_step_is_reported(step: str, flaw: Flaw) -> None:
    """The rule, the path, and what was found there."""
    found = reading_of(step).flaws[0]

    assert found._replace(expected=flaw.expected or "") == flaw
    assert found.expected or flaw.rule == "guide.unknown-key"


def test_a_step_without_a_citation_is_reported() -> None:
    steps = '[steps.y]\ntext = "Nothing."'

    assert reading_of("", more=steps).flaws == (
        Flaw("guide.missing", "own/one · y.cites", "None", "where it stands"),
    )


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"name = ", "guide.unreadable"),
        (b"name = '\xff'", "guide.unreadable"),
        (b"steps = 5", "guide.wrong-type"),
        (b"[steps]\nx = 5", "guide.wrong-type"),
        (b"resolutions = []", "guide.wrong-type"),
        (b"x = " + b"[" * 5_000, "guide.unreadable"),
        (b"kind = 'dance'", "guide.unknown-kind"),
        (b"[resolutions.R1]\noutcomes = ['gone']", "guide.unknown-kind"),
        (b"[bags]\neasier = '0'", "guide.unknown-key"),
    ],
)
def test_an_unreadable_scenario_is_reported(content: bytes, rule: str) -> None:
    """Nothing else is affected."""
    reading = read_own("own", {"campaign": CAMPAIGN.encode(), "one": content})

    assert rule in {flaw.rule for flaw in reading.flaws}
    assert all(flaw.at.startswith("own/one") for flaw in reading.flaws)
    assert reading.own.guide.setup.id == SETUP
    assert set(reading.own.guide.scenarios) == {"one"}


def test_a_condition_nested_too_deeply_is_reported() -> None:
    """A condition that is never met is read instead."""
    deep = '{ any = [{ logged = "a" }] }'
    for _ in range(30):
        deep = f"{{ any = [{deep}] }}"

    assert [flaw.rule for flaw in reading_of(f'if = {deep}\nyes = ["x"]').flaws] == [
        "guide.too-deep"
    ]


def test_a_guide_without_a_campaign_is_reported() -> None:
    """Nothing in it can be played."""
    reading = read_own("own", {})

    assert [flaw.rule for flaw in reading.flaws] == ["guide.missing"]
    assert reading.own.guide.order == ()


@pytest.mark.parametrize(
    ("step", "flaw"),
    [
        ('then = ["y"]', Flaw("guide.unknown-step", "own/one · x", "y", "a step's id")),
        ('resolve = "R9"', Flaw("guide.unknown-resolution", "own/one · x", "R9")),
        (
            'does = [{ next = "two" }]',
            Flaw("guide.unknown-scenario", "own/one · x", "two", "one"),
        ),
        (
            'does = [{ record = "b" }]',
            Flaw("guide.untold-line", "own/one · x", "campaign_notes.b"),
        ),
        ('gather = ["cats"]', Flaw("guide.unnamed-set", "own/one · x", "cats")),
    ],
)
def test_unknown_references_are_reported(step: str, flaw: Flaw) -> None:
    """Steps, resolutions, scenarios, lines of the log, encounter sets."""
    reading = reading_of(step)

    assert reading.flaws == ()
    assert lint_own(reading) == [flaw]


def test_a_correct_guide_has_no_flaws() -> None:
    """Lines with texts, hidden lines without, sets with names."""
    step = 'does = [{ record = "a" }, { record = "b", section = "hidden" }]'

    assert lint_own(reading_of(f'{step}\ngather = ["rats"]')) == []


@pytest.mark.parametrize("junk", ["5", "1.5", "true", '"x"', "[]", "[5]", "{}", "[{}]"])
def test_an_invalid_value_does_not_affect_the_rest(junk: str) -> None:
    """For every third key of a real scenario: a flaw or nothing, but never a crash."""
    files = own_files("core")
    lines = files["torch"].decode().splitlines()
    told = 0
    for number, line in enumerate(lines):
        key, is_key, _ = line.partition(" = ")
        if is_key and number % 3 == 0:
            changed = [*lines[:number], f"{key} = {junk}", *lines[number + 1 :]]
            reading = read_own("core", {**files, "torch": "\n".join(changed).encode()})
            told += bool(lint_own(reading))
            assert set(reading.own.guide.scenarios) == {"torch", "arkham", "tentacles"}
    assert told > 3
