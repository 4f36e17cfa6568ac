"""Steps that ask something, and answers to them."""

from __future__ import annotations

from typing import Any

from tests.rules.campaign.small import Raw


def asks(kind: str, step_id: str = "ask", **more: Any) -> Raw:
    """A step that asks."""
    return {"id": step_id, "type": "input", "input": {"type": kind, **more}}


def option(choice_id: str, *effects: Raw, **more: Any) -> Raw:
    """Something to choose."""
    return {"id": choice_id, "text": "", "effects": list(effects), **more}


def chosen(number: int, step: str = "ask") -> Raw:
    """The answer to a choice."""
    return {"type": "choice", "step": step, "choice": number}


def strings(choices: dict[str, list[str]], step: str = "ask") -> Raw:
    """An answer in words, by investigator or by choice."""
    return {"type": "string_choices", "step": step, "choices": choices}


def numbers(step: str, choices: dict[str, list[int]]) -> Raw:
    """An answer in numbers."""
    return {"type": "choice_list", "step": step, "choices": choices}


PARTNER: Raw = {
    "type": "partner_status",
    "section": "team",
    "partner": "any",
    "operation": "all",
    "status": ["alive"],
    "options": [{"boolCondition": True}],
}
