"""Facts that a table states, asserts and undoes."""

from __future__ import annotations

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Changes,
    Entry,
    Retracted,
    Stated,
)
from arkham.rules.campaign.state.ledger import BONUS, CORRECTION, VICTORY
from arkham.rules.campaign.state.lookup import Reason, reasons
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import PLAY
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    Raw,
    a_guide,
    a_note,
    a_step,
    notes,
    settled,
    starting,
    unreached,
)

EARNED = a_step({"type": "earn_xp", "investigator": "all", "bonus": 3}, a_note("done"))


def folded(*entries: Entry) -> Replay:
    """A campaign in whose setup each investigator earns 3, and these facts."""
    guide = a_guide(
        setup=["who", "does"],
        steps=[
            {"id": "who", "type": "input", "input": {"type": "scenario_investigators"}},
            EARNED,
        ],
    )
    answers = [
        answer._replace(sequence=number)
        for number, answer in enumerate(starting(ROLAND, DAISY), 1)
    ]
    return fold(guide, [*answers, *entries], PEOPLE)


def test_a_fact_is_applied_at_the_end_of_its_scenario() -> None:
    """With the table's reason, and as the cause of the change."""
    stated = Stated(
        SETUP,
        do.EarnExperience("input", bonus=-1),
        (DAISY,),
        reason="A miscount.",
        sequence=3,
    )
    replay = folded(stated)
    state = replay.state

    assert reported(replay)["investigators"][DAISY] == {"availableXp": 2}
    assert reported(replay)["investigators"][ROLAND] == {"availableXp": 3}
    assert reasons(state, "experience", DAISY) == [
        Reason(3, SETUP, "does", 2, BONUS),
        Reason(-1, SETUP, "$inter_scenario_changes", 3, CORRECTION),
    ]


def test_facts_and_changes_by_hand_apply_in_their_order() -> None:
    """Trauma set by hand includes what was stated before it."""
    hurt = do.Trauma("input", physical=1)
    earned = do.EarnExperience("input", bonus=2)
    trauma = ((ROLAND, 1, 2, False, False), (DAISY, 0, 0, True, False))
    entries: list[Entry] = [
        Stated(SETUP, hurt, (ROLAND,), reason="so", sequence=3),
        Stated(SETUP, earned, (DAISY,), reason="so", sequence=4),
        Answer("inter_scenario", SETUP, "", Changes(trauma, ()), 5),
        Asserted(SETUP, "mental", ROLAND, 2, 6),
        Stated(SETUP, hurt, (ROLAND,), reason="so", sequence=7),
    ]
    for told, physical in ((entries[:3], 1), (entries, 2)):
        replay = folded(*told)
        people = replay.state.people
        assert replay.problems == ()
        assert (people[ROLAND].physical, people[ROLAND].mental) == (physical, 2)
        assert (people[DAISY].experience, people[DAISY].killed) == (5, True)


def test_only_a_false_assertion_is_reported() -> None:
    """With its place in the log."""
    right = Asserted(SETUP, "experience", ROLAND, 3, 3)
    wrong = Asserted(SETUP, "experience", ROLAND, 4, 4)
    written = Asserted(SETUP, "line", "campaign_notes.done", 1, 5)

    assert folded(right, written).problems == ()
    (problem,) = folded(right, wrong).problems
    assert (problem.rule, problem.sequence) == ("log.assertion", 4)
    assert problem.found == f"experience {ROLAND}: 3, not 4"


def test_a_retracted_entry_applies_again_if_its_retraction_is_retracted() -> None:
    """Entries are never deleted."""
    stated = Stated(SETUP, do.LogLine("campaign_notes", "stated"), sequence=3)
    gone = Retracted(3, 4)
    again = Retracted(4, 5)

    assert notes(reported(folded(stated))) == ["done", "stated"]
    assert notes(reported(folded(stated, gone))) == ["done"]
    assert notes(reported(folded(stated, gone, again))) == ["done", "stated"]


def test_a_retracted_answer_is_asked_for_again() -> None:
    """Later answers are no longer reached."""
    replay = folded(Retracted(2, 3))

    assert replay.pending is not None
    assert replay.pending.step == "who"
    assert reported(replay)["investigators"] == {}


def test_a_second_answer_replaces_the_first() -> None:
    """The first is no longer reached."""
    first, second = starting(ROLAND), starting(DAISY)
    guide = a_guide(setup=["who", "$play_scenario"], steps=[*_who(), PLAY])
    entries = [*first, second[1]]
    replay = fold(guide, entries, PEOPLE)

    assert replay.state.players == (DAISY,)
    assert unreached(replay, entries) == [first[1]]


def _who() -> list[dict[str, object]]:
    return [{"id": "who", "type": "input", "input": {"type": "scenario_investigators"}}]


def test_points_from_a_pool_keep_their_origin() -> None:
    """Victory and bonus are saved together, and earned separately."""
    pooled = {
        "type": "earn_xp",
        "investigator": "all",
        "special_xp": "supply_points",
        "bonus": 1,
    }
    moved = {
        "type": "earn_xp",
        "investigator": "all",
        "transfer_special_xp": "supply_points",
    }
    count: Raw = {
        "id": "count",
        "type": "input",
        "input": {"type": "counter", "text": "", "effects": [pooled]},
    }
    steps = [count, a_step(moved, step_id="moved")]
    replay = settled(steps, [{"type": "count", "step": "count", "count": 3}])

    found = reasons(replay.state, "experience", ROLAND)
    assert [(each.value, each.origin) for each in found] == [(3, VICTORY), (1, BONUS)]


def test_an_overdrawn_pool_is_paid_from_experience() -> None:
    """And left empty."""
    put = {
        "type": "earn_xp",
        "investigator": "all",
        "special_xp": "supply_points",
        "bonus": 1,
    }
    paid = put | {"bonus": -3}
    moved = {
        "type": "earn_xp",
        "investigator": "all",
        "transfer_special_xp": "supply_points",
    }
    replay = settled([a_step(put, paid, moved)])

    found = reasons(replay.state, "experience", ROLAND)
    assert [(each.value, each.origin) for each in found] == [(-2, BONUS)]
