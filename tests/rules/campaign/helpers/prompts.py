"""Steps with prompts, and answers to them."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.answers import findings_of
from tests.rules.campaign.helpers.small import Raw, a_note, records


def asks(kind: str, step_id: str = "ask", **more: Any) -> Raw:
    """A step with a prompt."""
    return {"id": step_id, "type": "input", "input": {"type": kind, **more}}


def option(choice_id: str, *effects: Raw, **more: Any) -> Raw:
    """A choice of a prompt."""
    return {"id": choice_id, "text": "", "effects": list(effects), **more}


def chosen(number: int, step: str = "ask") -> Raw:
    """An answer to a choice."""
    return {"type": "choice", "step": step, "choice": number}


def strings(choices: dict[str, list[str]], step: str = "ask") -> Raw:
    """An answer of strings, by investigator or by choice."""
    return {"type": "string_choices", "step": step, "choices": choices}


def numbers(step: str, choices: dict[str, list[int]]) -> Raw:
    """An answer of numbers."""
    return {"type": "choice_list", "step": step, "choices": choices}


PARTNER: Raw = {
    "type": "partner_status",
    "section": "team",
    "partner": "any",
    "operation": "all",
    "status": ["alive"],
    "options": [{"boolCondition": True}],
}


def findings_about(replay: Replay, raw: Raw) -> list[tuple[str, tuple[str, ...]]]:
    """Return rule and cards of each finding about an answer."""
    (answer,) = records(raw)
    found = findings_of(answer, replay.pending, replay.state)
    return [(finding.rule, finding.cards) for finding in found]


LOOP = {
    "id": "loop",
    "type": "branch",
    "loop": True,
    "condition": {
        "type": "math",
        "operation": "compare",
        "opA": {"type": "campaign_log_count", "section": "doubt"},
        "opB": {"type": "constant", "value": 3},
        "options": [{"numCondition": -1, "steps": ["ask"]}],
    },
}
ADDS = {"type": "campaign_log_count", "section": "doubt", "operation": "add"}
ROUND = asks(
    "choose_one",
    choices=[
        option(each, a_note(each), {**ADDS, "value": 1}, condition=met)
        for each, met in (
            (name, {
                "type": "campaign_log", "section": "campaign_notes", "id": name,
                "options": [{"boolCondition": False}],
            })
            for name in ("a", "b", "c")
        )
    ],
)  # fmt: skip
UPGRADED: Raw = {"type": "decision", "step": "ask", "decision": True}
