"""Runs of our own guides take every option and end as in the field's guides."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from arkham.rules.campaign.asking import Offer, Pending
from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import (
    CampaignGuide,
    GuideLibrary,
)
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.policy import AS_THE_APP
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.own import open_own_guide, own_guides, with_sides
from arkham.rules.campaign.reading.references import parts
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.replaying import Reader, reported
from tests.rules.campaign.helpers.guides import guides_folder, shared_library
from tests.rules.campaign.helpers.own_defects import field_guide
from tests.rules.campaign.helpers.own_guides import UNRECORDED, everything
from tests.rules.campaign.helpers.own_options import NEVER
from tests.rules.campaign.helpers.own_runs import options_of, runs_of
from tests.rules.campaign.helpers.scenes import DAISY, ROLAND, guide_of, scene
from tests.rules.campaign.helpers.small import unreached
from tests.rules.campaign.helpers.table import PEOPLE

Json = dict[str, Any]
# Scenarios with a standalone setup; "" is the whole campaign.
PLAYED = [
    ("boa", ""),
    ("core", ""),
    ("core", "arkham"),
    ("dwl", ""),
    ("eoe", ""),
    ("fhv", ""),
    ("fhv", "the_longest_night"),
    ("fof", ""),
    ("gob", ""),
    ("ptc", ""),
    ("ptc", "the_last_king"),
    ("ptc", "the_pallid_mask"),
    ("ptc", "the_unspeakable_oath"),
    ("rtdwl", ""),
    ("rtnotz", ""),
    ("rtnotz", "return_to_the_midnight_masks"),
    ("rtptc", ""),
    ("rtptc", "return_to_the_last_king"),
    ("rtptc", "return_to_the_pallid_mask"),
    ("rtptc", "return_to_the_unspeakable_oath"),
    ("rttcu", ""),
    ("rttfa", ""),
    ("rttfa", "return_to_the_depths_of_yoth"),
    ("rttfa", "return_to_threads_of_fate"),
    ("tcu", ""),
    ("tdc", ""),
    ("tdea", ""),
    ("tdea", "the_search_for_kadath"),
    ("tdeb", ""),
    ("tfa", ""),
    ("tfa", "the_depths_of_yoth"),
    ("tfa", "threads_of_fate"),
    ("tic", ""),
    ("tskc", ""),
]
# Whole campaigns that take seconds to explore.
LONG = frozenset(["eoe", "fhv", "rttfa", "tdc", "tic", "tskc"])


def _slow_if_long(guide_id: str, *standalone: str) -> Any:
    """The parameters of a test, which is slow if it explores a long campaign."""
    is_long = guide_id in LONG and not any(standalone)
    marks = [pytest.mark.slow] if is_long else []
    return pytest.param(guide_id, *standalone, marks=marks)


PLAYS = pytest.mark.parametrize(
    ("guide_id", "standalone"), [_slow_if_long(*each) for each in PLAYED]
)


class Erratum(NamedTuple):
    """A correction by the FAQ that the field's guide doesn't have.

    ``applies`` returns whether it affects a state of the field's guide; ``mend``
    applies it to the state.
    """

    cites: str
    applies: Callable[[Json], bool]
    mend: Callable[[Json], None]


# Neither core's nor Brethren of Ash's campaign guide has an entry in the FAQ's errata;
# that of The Dunwich Legacy is in the field's guide too.
ERRATA: dict[str, tuple[Erratum, ...]] = {}
FOLLOWED = {
    "dwl": {
        "FAQ 2.5, The Dunwich Legacy",
        "FAQ 2.5, erratum to Blood on the Altar, no resolution",
    },
    "fhv": {"FAQ 2.5, erratum to The Feast of Hemlock Vale, set-up"},
    "ptc": {
        "FAQ 2.5, The Path to Carcosa",
        "FAQ 2.5, erratum to Echoes of the Past, Resolution 2",
        "FAQ 2.5, erratum to Interlude II",
        "FAQ 2.5, erratum to The Last King, Resolutions 1–3",
        "FAQ 2.5, erratum to The Unspeakable Oath, set-up",
    },
    "tcu": {
        "FAQ 2.5, The Circle Undone",
        "FAQ 2.5, erratum to Interlude IV",
        "FAQ 2.5, erratum to The Wages of Sin, resolutions",
        "FAQ 2.5, erratum to The Witching Hour, set-up",
    },
    "tdea": {"FAQ 2.5, The Dream-Eaters"},
    "tdeb": {"FAQ 2.5, The Dream-Eaters"},
    "tfa": {
        "FAQ 2.5, The Forgotten Age",
        "FAQ 2.5, erratum to Interlude V, Growing Concern",
        "FAQ 2.5, erratum to The Boundary Beyond, Silent Journey",
        "FAQ 2.5, erratum to The Depths of Yoth, Intro 8",
    },
    "tic": {"FAQ 2.5, The Innsmouth Conspiracy"},
}
# Errata about names and play, which change no state.
NAMING = {
    "ptc": {"FAQ 2.5, erratum to Interlude I"},
    "tdea": {"FAQ 2.5, erratum to Hidden"},
    "tdeb": {"FAQ 2.5, erratum to Hidden"},
}
# A Return to guide includes the errata of the original.
for _below in ("dwl", "ptc", "tcu", "tfa"):
    FOLLOWED[f"rt{_below}"] = FOLLOWED[_below]
NAMING["rtptc"] = NAMING["ptc"]
# Values that a defect kept out of the state of a recorded run.
RECORDED = {"tic": {"result": "win"}}
# The bag has no more than 8 frost tokens.
LEFT_OUT = {
    ("eoe", each, "bag.limit") for each in open_own_guide("eoe").guide.scenarios
}


def test_every_campaign_and_standalone_scenario_is_played() -> None:
    assert [
        (guide_id, standalone)
        for guide_id in own_guides()
        for standalone in ["", *alone(open_own_guide(guide_id).guide)]
    ] == PLAYED


def alone(guide: CampaignGuide) -> list[str]:
    """Return the scenarios with a standalone setup."""
    scenarios = guide.scenarios.values()
    return [each.id for each in scenarios if each.standalone_setup is not None]


@PLAYS
def test_every_option_of_every_prompt_is_taken(guide_id: str, standalone: str) -> None:
    """Compared with the options that are reachable by the guide alone."""
    guide = open_own_guide(guide_id).guide
    _, taken = runs_of(guide_id, standalone)

    assert taken == options_of(guide, standalone) - NEVER.get(
        (guide_id, standalone), set()
    )
    assert len(taken) > 50


@PLAYS
def test_every_run_reaches_its_end(guide_id: str, standalone: str) -> None:
    """No question is left, and nothing went wrong."""
    runs, _ = runs_of(guide_id, standalone)

    for run in runs:
        assert run.replay.pending is None
        problems = {
            (guide_id, each.scenario, each.rule) for each in run.replay.problems
        }
        assert problems <= LEFT_OUT
        assert unreached(run.replay, run.answers) == []
    if not standalone:
        results = {run.replay.state.campaign_result for run in runs}
        assert results >= results_of(open_own_guide(guide_id).guide)


def results_of(guide: CampaignGuide) -> set[str]:
    """Return the possible results of a campaign; side scenarios have none."""
    steps = parts(everything(guide))
    found = {each.value for each in steps if isinstance(each, course.SetResult)}
    is_decided = found >= {"win", "lose"} or guide.kind == "standalone"
    assert is_decided, "one step has the result “win” and one “lose”"
    return found


@PLAYS
def test_a_run_has_the_same_result_with_the_fields_guide(
    guide_id: str, standalone: str
) -> None:
    """Key by key, after the corrections by the FAQ, each of which is needed."""
    field = field_guide(guide_id)
    scopes = Scopes(field)
    errata = ERRATA.get(guide_id, ())
    runs, _ = runs_of(guide_id, standalone)
    applied = set()

    assert len(runs) > 10
    for run in runs:
        theirs = replayed(field, run.answers, standalone, scopes)
        for erratum in errata:
            if erratum.applies(theirs):
                erratum.mend(theirs)
                applied.add(erratum.cites)
        assert reported(run.replay) == theirs
    if not standalone:
        assert applied == {erratum.cites for erratum in errata}


def replayed(
    guide: CampaignGuide, answers: tuple[Answer, ...], standalone: str, scopes: Scopes
) -> Json:
    """Return the state after these answers in this guide, all of them used."""
    replay = fold(guide, answers, PEOPLE, standalone=standalone, scopes=scopes)
    assert unreached(replay, answers) == []
    assert replay.pending is None
    return reported(replay)


@pytest.mark.parametrize("guide_id", [_slow_if_long(each) for each in own_guides()])
def test_questions_are_the_same_after_every_answer(guide_id: str) -> None:
    """So that a log of one guide can be continued in the other."""
    ours = open_own_guide(guide_id).guide
    theirs = field_guide(guide_id)
    if guide_id in ERRATA:
        pytest.skip("the errata ask something else")
    runs, _ = runs_of(guide_id, "")
    for run in runs[:6]:
        mine = fold(ours, (), PEOPLE)
        other = fold(theirs, (), PEOPLE)
        for count in range(1, len(run.answers) + 1):
            mine = fold(ours, run.answers[:count], PEOPLE, after=mine)
            other = fold(theirs, run.answers[:count], PEOPLE, after=other)
            assert asked(mine.pending) == asked(other.pending)
            assert offered(mine.pending) <= offered(other.pending)


def asked(pending: Pending | None) -> Pending | None:
    """Return a question in comparable form.

    The field's guide leaves the cards to choose to a search; at play steps it offers
    entries to read even if none are left.
    """
    if pending is not None and pending.prompt == "play_scenario":
        return pending._replace(offers=())
    return pending and pending._replace(keys=(), others=False, queries=())


def offered(pending: Pending | None) -> set[Offer]:
    """Return the options, with the number by which each is recorded."""
    return set() if pending is None else set(pending.offers)


def test_recorded_runs_have_their_recorded_results() -> None:
    """As in the app; side scenarios that we haven't written are the field's."""
    side = shared_library().side
    assert side is not None
    guides = {
        each: with_sides(open_own_guide(each).guide, side.scenarios)
        for each in own_guides()
    }
    written = open_own_guide(SIDE).guide.scenarios
    side = replace(side, scenarios={**side.scenarios, **written})
    reader = Reader(GuideLibrary(guides, side), {}, policy=AS_THE_APP)
    cases = [
        json.loads(line)
        for line in (guides_folder() / "cases.jsonl").read_text().splitlines()
    ]
    ours = [
        case
        for case in cases
        if case["campaign"] in set(own_guides()) or case["standalone"] in written
    ]

    for case in ours:
        if case["campaign"] not in ERRATA:
            replay = reader.replay(reader.read(case))
            apart = RECORDED.get(case["campaign"], {})
            found = without(reported(replay))
            assert found == case["expected"] | apart
    assert {case["campaign"] for case in ours} >= {"boa", "core", "ptc", "tic", SIDE}


def without(report: Json) -> Json:
    """Return a state without the lines that only our guides record."""
    unrecorded = {line for lines in UNRECORDED.values() for line in lines}
    for section in report["sections"].values():
        section["entries"] = [
            each for each in section["entries"] if each["id"] not in unrecorded
        ]
    return report


def test_the_guides_cite_exactly_the_listed_errata() -> None:
    for guide_id in own_guides():
        own = open_own_guide(guide_id)
        cited = {
            cite
            for scenario in (own.guide.setup, *own.guide.scenarios.values())
            for step in scenario.steps
            for cite in own.words.step(scenario.id, step)["cites"]
            if cite.startswith("FAQ ")
        }
        listed = {each.cites for each in ERRATA.get(guide_id, ())}
        naming = NAMING.get(guide_id, set())
        assert cited == listed | naming | FOLLOWED.get(guide_id, set())


GATHERINGS: dict[str, tuple[Callable[[], CampaignGuide], str]] = {
    "ours": (lambda: open_own_guide("core").guide, "torch"),
    "field": (lambda: guide_of("core"), "torch"),
    "return": (lambda: guide_of("rtnotz"), "return_to_the_gathering"),
}


@pytest.mark.parametrize("whose", GATHERINGS)
@pytest.mark.parametrize("outcome", ["alive", "resigned", "mental"])
def test_investigators_who_resigned_survive_resolution_3(
    whose: str, outcome: str
) -> None:
    """Resolution 3 of The Gathering kills the others, in every guide."""
    guide, scenario = GATHERINGS[whose][0](), GATHERINGS[whose][1]
    found = guide.scenarios[scenario].resolutions["R3"]
    assert found.statuses == ("alive", "resigned", "physical", "mental")
    state = scene(
        guide,
        scenario,
        ["killed"],
        outcomes={ROLAND: "physical", DAISY: outcome},
    )

    assert state.is_killed(ROLAND)
    assert state.is_killed(DAISY) is (outcome != "resigned")


@pytest.mark.parametrize("leader", ["resigned", "alive"])
def test_decks_are_upgraded_after_resolution_3_whoever_leads(leader: str) -> None:
    """Even if the lead investigator resigned and survives."""
    state = scene(
        open_own_guide("core").guide,
        "torch",
        ["killed", "check_lead_investigator_killed"],
        before=[do.EarnExperience("all", bonus=1)],
        outcomes={ROLAND: leader, DAISY: "resigned"},
    )

    assert state.lead == ROLAND
    assert DAISY in state.banked
