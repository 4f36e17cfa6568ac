"""Laws: the result doesn't depend on how a log is folded, whatever the guide."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.reading.cursor import FlawsFound
from arkham.rules.campaign.reading.guides import read_guide
from arkham.rules.campaign.reading.lint import lint_guide
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Entry,
    Retracted,
    SideScenario,
)
from arkham.rules.chaos.bag import LIMITS
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import ENDINGS, PLAY, RESOLUTIONS, a_game, begun
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.laws import (
    BRANCHES,
    CARD,
    SMALL,
    STRANGE,
    places_in,
    shape,
)
from tests.rules.campaign.helpers.small import (
    SECTIONS,
    WHO,
    Raw,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    records,
    starting,
)
from tests.rules.campaign.helpers.table import PEOPLE, Table


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0, 1))
def test_folding_in_two_halves_equals_folding_once(seed: int, share: float) -> None:
    """Wherever the log is cut."""
    table = Table(SMALL, seed)
    table.play(120)
    cut = int(len(table.answers) * share)
    half = fold(SMALL, table.answers[:cut], PEOPLE)
    before = shape(half)
    whole = fold(SMALL, table.answers, PEOPLE, after=half)

    assert shape(whole) == shape(fold(SMALL, table.answers, PEOPLE))
    assert shape(half) == before  # continuing a replay never changes it


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0, 1))
def test_a_retracted_entry_has_no_effect(seed: int, share: float) -> None:
    """Folded from the beginning, or continued from the last unaffected stop."""
    table = Table(SMALL, seed)
    table.play(80)
    place = min(int(len(table.answers) * share), len(table.answers) - 1)
    without = table.answers[:place] + table.answers[place + 1 :]
    entries: list[Entry] = [*table.answers, Retracted(place + 1, 9_999)]

    assert shape(fold(SMALL, entries, PEOPLE)) == shape(fold(SMALL, without, PEOPLE))
    going_on = fold(SMALL, entries, PEOPLE, after=table.replay)
    assert shape(going_on) == shape(fold(SMALL, without, PEOPLE))


def test_entries_of_a_scenario_without_an_end_stay_used() -> None:
    """Its steps run out without a question; a fold can continue from there."""
    counter = {"type": "counter", "text": "", "effects": []}
    guide = a_guide(a_scenario("one", {"id": "ask", "type": "input", "input": counter}))
    given: list[Entry] = [
        *starting("01001"),
        *records(*begun("one", "01001")),
        Answer("count", "one", "ask", 2),
    ]
    stuck = fold(guide, given, PEOPLE)
    more = [*given, Asserted("one", "experience", "01001", 0, 90)]
    going_on, anew = fold(guide, more, PEOPLE, after=stuck), fold(guide, more, PEOPLE)

    assert stuck.pending is None
    assert given[-1] in anew.used
    assert [*going_on.used] == [*anew.used]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_experience_is_the_sum_of_its_sources(seed: int) -> None:
    """Bags stay within their limits, too."""
    table = Table(SMALL, seed)
    state = table.play(120).state
    earned = dict.fromkeys(state.people, 0)
    for change in state.changes:
        if change.what == "experience":
            earned[change.which] += int(str(change.value))

    assert earned == {code: each.experience or 0 for code, each in state.people.items()}
    assert all(state.bag.get(token, 0) <= most for token, most in LIMITS.items())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["core", "dwl", "tfa", "eoe", "tskc", "tdc", "rttcu"])
def test_the_shared_guides_can_be_played(name: str, seed: int) -> None:
    """With random legal answers to the end; a fold from the beginning is equal."""
    guide = shared_library().guides[name]
    table = Table(guide, seed)
    replay = table.play(300)

    assert shape(replay) == shape(table.folded())
    found = {problem.rule for problem in replay.problems}
    assert found <= {"fold.nothing-to-choose", "bag.limit"}  # a ninth frost token


def raw_guide() -> tuple[Raw, dict[str, Raw]]:
    scenario = a_scenario(
        "one",
        a_step(a_note("a"), {"type": "earn_xp", "investigator": "all", "bonus": 1}),
        copy.deepcopy(BRANCHES),
        CARD,
        *ENDINGS,
        setup=["does", "$play_scenario"],
        resolutions=RESOLUTIONS,
    )
    campaign = {
        "id": "own",
        "name": "Own",
        "version": 1,
        "campaign_type": "campaign",
        "campaign_log": SECTIONS,
        "scenarios": ["one"],
        "setup": ["who"],
        "steps": [WHO],
    }
    return campaign, {"one": scenario}


def spoiled(seed: int) -> dict[str, Raw]:
    """Return a guide with strange values in a few places."""
    chance = random.Random(seed)
    campaign, scenarios = copy.deepcopy(raw_guide())
    whole: Raw = {"campaign": campaign, **scenarios}
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([path for path in places_in(whole) if len(path) > 1])
        inside = whole
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = copy.deepcopy(chance.choice(STRANGE))
    return whole


@pytest.mark.parametrize("block", range(10))
def test_a_spoiled_guide_never_raises_an_exception(block: int) -> None:
    """It is read, checked and played as far as possible."""
    for seed in range(block * 40, block * 40 + 40):
        fields = FlawsFound()
        guide = read_guide(fields, "own", spoiled(seed))
        assert guide is not None
        lint_guide(guide)
        table = Table(guide, seed, strict=seed % 2 == 0)
        table.play(40)
        reported(table.replay)


@pytest.mark.parametrize(
    "steps",
    [
        [{"id": "a", "steps": ["a"]}],
        [{"id": "a", "steps": ["b", "b"]}, {"id": "b", "steps": ["a", "a"]}],
        [{"id": "a", "effects": [a_note("again")], "steps": ["a"]}],
        [
            {
                "id": "a",
                "type": "branch",
                "loop": True,
                "condition": {
                    "type": "campaign_data",
                    "campaign_data": "standalone",
                    "options": [{"boolCondition": False}],
                },
            }
        ],
    ],
)
def test_a_loop_of_steps_ends_with_a_problem(steps: list[Raw]) -> None:
    """It is left after a maximum number of steps."""
    fields = FlawsFound()
    campaign, _ = raw_guide()
    campaign = {**campaign, "setup": ["a"], "steps": steps, "scenarios": []}
    guide = read_guide(fields, "own", {"campaign": campaign})
    assert guide is not None
    begun = [Answer("start_scenario", "$campaign_setup", "", None)]
    replay = fold(guide, begun, PEOPLE)

    assert [problem.rule for problem in replay.problems] == ["fold.endless"]
    assert replay.scenarios[0].status == "started"


@pytest.mark.parametrize(
    "step",
    [
        {
            "type": "branch",
            "condition": {
                "type": "multi",
                "count": 1,
                "options": [],
                "conditions": [
                    {"type": "campaign_log", "section": "doubt", "id": f"l{number}"}
                    for number in range(1_000)
                ],
            },
        },
        {
            "effects": [
                {
                    "type": "campaign_log",
                    "section": "campaign_notes",
                    "id": f"l{number}",
                }
                for number in range(1_000)
            ]
        },
    ],
)
def test_a_step_of_many_parts_counts_as_several(step: Raw) -> None:
    """So that even a short guide is left after a maximum number of parts."""
    fields = FlawsFound()
    campaign, _ = raw_guide()
    many = {"setup": ["a"] * 4_000, "steps": [{"id": "a", **step}], "scenarios": []}
    guide = read_guide(fields, "own", {"campaign": {**campaign, **many}})
    assert guide is not None
    begun = [Answer("start_scenario", "$campaign_setup", "", None)]
    replay = fold(guide, begun, PEOPLE)

    assert [problem.rule for problem in replay.problems] == ["fold.endless"]


def test_side_scenarios_in_a_loop_end_with_a_problem() -> None:
    """A side scenario is recorded as coming before itself."""
    play = {**PLAY, "input": {"type": "play_scenario", "fixed_resolution": "R1"}}
    side = a_scenario("side", a_step(a_note("x")), type="interlude", setup=["does"])
    guide = a_guide(a_game("one", play=play), side)
    entries = [
        Answer("start_scenario", "$campaign_setup", "", None),
        Answer("string_choices", "$campaign_setup", "who", {"01001": ("chosen",)}),
        Answer("start_side_scenario", "side", "", SideScenario("side", "official")),
        Answer(
            "start_side_scenario",
            "side",
            "",
            SideScenario("$campaign_setup", "official"),
        ),
    ]
    replay = fold(guide, entries, PEOPLE)

    assert "fold.too-many-scenarios" in {problem.rule for problem in replay.problems}
