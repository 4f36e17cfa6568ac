"""Small guides made of a few steps, and answers to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES
from arkham.rules.campaign.reading.cursor import Flaw, FlawsFound
from arkham.rules.campaign.reading.guides import read_guide
from arkham.rules.campaign.records import read_answers
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Retracted,
    UltimatumDropped,
)
from arkham.rules.campaign.state.state import Printed
from arkham.rules.replaying import reported

Raw = dict[str, Any]
POLICIES = {True: BY_THE_RULES, False: AS_THE_APP}  # by ``strict``

ROLAND, DAISY, SKIDS = "01001", "01002", "01003"
PEOPLE: Mapping[str, Printed] = {
    ROLAND: Printed(9, 5, "guardian", ("agency", "detective")),
    DAISY: Printed(5, 9, "seeker", ("miskatonic",)),
    SKIDS: Printed(8, 6, "rogue", ("criminal",)),
}
WHO: Raw = {"id": "who", "type": "input", "input": {"type": "scenario_investigators"}}
SECTIONS: list[Raw] = [
    {"id": "campaign_notes", "title": "Campaign Notes"},
    {"id": "doubt", "title": "Doubt", "type": "count"},
    {"id": "supplies", "title": "Supplies", "type": "supplies"},
    {"id": "memories", "title": "Memories", "type": "investigator_count"},
    {"id": "hidden", "title": "Hidden", "hidden": True},
    {
        "id": "team",
        "title": "Team",
        "type": "partner",
        "partners": [
            {"code": "p1", "name": "One", "health": 3, "sanity": 2,
             "resolute_health": 4, "resolute_sanity": 4},
            {"code": "p2", "name": "Two", "health": 2, "sanity": 3},
        ],
    },
]  # fmt: skip

MAP: Raw = {
    "width": 1,
    "height": 1,
    "fast_code": "fast",
    "labels": [],
    "locations": [
        {
            "id": place,
            "x": 0,
            "y": 0,
            "name": place,
            "status": "standard",
            "connections": [],
            "direction": "left",
            "scenario": place,
            "details": {"region": {"name": ""}},
        }
        for place in ("london", "rome")
    ],
}


def a_scenario(scenario_id: str, *steps: Raw, **more: Any) -> Raw:
    """A scenario of these steps, in this order unless a setup is given."""
    return {
        "id": scenario_id,
        "scenario_name": scenario_id,
        "full_name": scenario_id,
        "header": "",
        "setup": [step["id"] for step in steps],
        "steps": list(steps),
        **more,
    }


def read(*scenarios: Raw, **campaign: Any) -> tuple[CampaignGuide, list[Flaw]]:
    """Read a campaign of these scenarios; return it with its flaws."""
    raw = {
        "id": "own",
        "name": "Our own",
        "version": 3,
        "position": 0,
        "campaign_type": "campaign",
        "campaign_log": SECTIONS,
        "scenarios": [each["id"] for each in scenarios],
        "setup": ["who"],
        "steps": [WHO],
        **campaign,
    }
    fields = FlawsFound()
    stems: Raw = {each["id"]: each for each in scenarios if each.get("type") != "core"}
    for each in scenarios:
        if each.get("type") == "core":
            stems["core"] = each
    guide = read_guide(fields, "own", {"campaign": raw, **stems})
    assert guide is not None
    return guide, fields.flaws


def a_guide(*scenarios: Raw, **campaign: Any) -> CampaignGuide:
    """A campaign of these scenarios, without flaws."""
    guide, flaws = read(*scenarios, **campaign)
    assert flaws == []
    return guide


def records(*raws: Raw, scenario: str = SETUP) -> list[Answer]:
    """Read recorded answers; those without a scenario belong to this one."""
    return read_answers([{"scenario": scenario, **raw} for raw in raws], "")


def starting(*codes: str) -> list[Answer]:
    """Answers that begin the campaign with these investigators."""
    return records(
        {"type": "start_scenario"},
        {
            "type": "string_choices",
            "step": "who",
            "choices": {code: ["chosen"] for code in codes},
        },
    )


def settled(
    steps: Sequence[Raw],
    answers: Sequence[Raw] = (),
    *,
    setup: Sequence[str] | None = None,
    codes: Sequence[str] = (ROLAND, DAISY),
    strict: bool = True,
    **campaign: Any,
) -> Replay:
    """Fold a campaign whose setup has these steps after choosing investigators."""
    order = [step["id"] for step in steps] if setup is None else list(setup)
    guide = a_guide(setup=["who", *order], steps=[WHO, *steps], **campaign)
    given = starting(*codes) + records(*answers)
    return fold(guide, given, PEOPLE, policy=POLICIES[strict])


def state_of(*arguments: Any, **named: Any) -> Raw:
    """Return the reported state after :func:`settled`."""
    return reported(settled(*arguments, **named))


def a_step(*effects: Raw, step_id: str = "does") -> Raw:
    """A step with these effects."""
    return {"id": step_id, "effects": list(effects)}


def a_check(condition: Raw, **named: Any) -> Raw:
    """A step that checks a condition and records ``yes`` or ``no``.

    Its options have the keys true and false, unless options are given.
    """
    options = named.get(
        "options",
        [
            {"boolCondition": True, "effects": [a_note("yes")]},
            {"boolCondition": False, "effects": [a_note("no")]},
        ],
    )
    return {
        "id": named.get("step_id", "when"),
        "type": "branch",
        "condition": {"options": options, **condition},
    }


def a_note(line_id: str, section: str = "campaign_notes", **more: Any) -> Raw:
    """An effect that records a line."""
    return {"type": "campaign_log", "section": section, "id": line_id, **more}


def notes(state: Raw) -> list[str]:
    """Return the ids of the lines in the campaign notes, with a − if crossed out."""
    return [
        ("-" if entry.get("crossedOut") else "") + entry["id"]
        for entry in state["sections"]["campaign_notes"]["entries"]
    ]


def unreached(replay: Replay, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that no question asks for, including replaced ones."""
    read = {id(entry) for entry in replay.used}
    return [
        entry
        for entry in entries
        if id(entry) not in read and not isinstance(entry, Retracted | UltimatumDropped)
    ]


def receiving(link: str, *decisions: str) -> Raw:
    """A step that waits for a decision of the other campaign."""
    choices = [
        {"id": d, "text": "", "effects": [a_note(f"heard {d}")]} for d in decisions
    ]
    return {
        "id": f"hear_{link}",
        "type": "input",
        "input": {"type": "receive_campaign_link", "id": link, "choices": choices},
    }


def sending(link: str, decision: str) -> Raw:
    """A step that sends a decision to the other campaign."""
    return {
        "id": f"tell_{decision}",
        "type": "input",
        "input": {"type": "send_campaign_link", "id": link, "decision": decision},
    }


def receive() -> Raw:
    """A step that receives the decision about the cats from the other campaign."""
    return {
        "id": "hear",
        "type": "input",
        "input": {
            "type": "receive_campaign_link",
            "id": "cats",
            "choices": [
                {"id": "came", "text": "", "effects": [a_note("cats came")]},
                {"id": "stayed", "text": "", "effects": [a_note("cats stayed")]},
            ],
        },
    }
