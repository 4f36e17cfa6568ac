"""Recorded campaigns have exactly the states that were recorded with them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES, Policy
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.records import Refold, translated
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.checking import Outcome
from arkham.rules.replaying import Reader, reported
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.recorded import CASES, recorded_reader, recorded_run
from tests.rules.campaign.helpers.table import PEOPLE, Table


@pytest.mark.parametrize("number", range(CASES))
def test_a_recorded_run_has_its_recorded_state(number: int) -> None:
    """Every key, with lists in order; the only possible problem is a full bag."""
    case = recorded_run(number)
    line = json.dumps(case).encode()
    text, outcome = recorded_reader().answer(line, 1)
    asked = recorded_reader().read(case)
    replay = recorded_reader().replay(asked)

    assert outcome is Outcome.LEGAL
    assert json.loads(text) == case["expected"]
    assert reported(replay) == case["expected"]
    assert {problem.rule for problem in replay.problems} <= {"bag.limit"}


@pytest.mark.parametrize("number", [0, 5, 14])
def test_a_recorded_run_folded_answer_by_answer_has_its_recorded_state(
    number: int,
) -> None:
    """Continuing the last replay equals a fold from the beginning."""
    reader, case = recorded_reader(), recorded_run(number)
    asked = reader.read(case)
    replay = None
    for count in range(1, len(asked.answers) + 1):
        some = asked._replace(answers=asked.answers[:count])
        replay = reader.replay(some, after=replay)
    assert replay is not None
    assert reported(replay) == case["expected"]


@cache
def _strict_reader() -> Reader:
    return Reader(shared_library(), {}, policy=BY_THE_RULES)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(CASES))
def test_a_run_stopped_anywhere_waits_at_the_same_question_as_the_app(
    number: int,
) -> None:
    """A backup of any moment has the same next question by the rules."""
    case = recorded_run(number)
    asked = recorded_reader().read(case)

    def as_recorded(answers: Sequence[Answer], after: Replay | None) -> Replay:
        return recorded_reader().replay(
            asked._replace(answers=tuple(answers)), after=after
        )

    def by_the_rules(answers: Sequence[Answer], after: Replay | None) -> Replay:
        some = asked._replace(answers=tuple(answers))
        return _strict_reader().replay(some, after=after)

    answers = [each for each in asked.answers if isinstance(each, Answer)]
    before_the_end = range(1, len(answers))
    some = random.Random(number).sample(before_the_end, min(3, len(before_the_end)))
    for count in (*some, len(answers)):
        app = as_recorded(answers[:count], None)
        read = translated(answers[:count], as_recorded, by_the_rules)
        ours = by_the_rules(read, None)
        # A standalone game is over by the rules when the app continues with the next.
        is_over = case["standalone"] is not None and ours.pending is None
        assert is_over or _waits_at(ours) == _waits_at(app)


def _waits_at(replay: Replay) -> tuple[str, str] | None:
    return replay.pending and (replay.pending.scenario, replay.pending.step)


@pytest.mark.parametrize(
    ("name", "seed"),
    [("tfa", 0), ("tfa", 1), ("rttfa", 0), ("core", 11), ("core", 13)],
)
def test_our_guides_ask_no_more_about_what_was_played_in_the_app(
    name: str, seed: int
) -> None:
    """If our guide asks more than the field's, later records show the answer."""
    table = Table(shared_library().guides[name], seed, strict=False)
    table.play(130)
    guide = open_own_guide(name).guide
    scopes = Scopes(guide)

    def folded(policy: Policy) -> Refold:
        return lambda answers, after: fold(
            guide, answers, PEOPLE, policy=policy, scopes=scopes, after=after
        )

    read = translated(table.answers, folded(AS_THE_APP), folded(BY_THE_RULES))
    assert _waits_at(folded(BY_THE_RULES)(read, None)) == _waits_at(table.replay)


def test_the_shared_data_have_all_guides() -> None:
    """23 campaigns, 6 Return tos, and 43 standalone scenarios."""
    library = shared_library()
    returning = [name for name in library.guides if name.startswith("rt")]
    alone = [
        scenario.id
        for guide in [*library.guides.values(), library.side]
        if guide is not None and guide.id[:2] != "rt"
        for scenario in guide.scenarios.values()
        if scenario.standalone_setup is not None
    ]

    assert (len(library.guides) - len(returning), len(returning)) == (23, 6)
    assert len(alone) == 43
    assert library.side is not None
