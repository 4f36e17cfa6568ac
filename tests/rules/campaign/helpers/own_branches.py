"""The conditions of a scenario, and the steps that each of its beginnings leads to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.app_names import ids_apart
from arkham.rules.campaign.model.guide import SETUP, Branch, Scenario
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.reading.references import parts, references
from tests.rules.campaign.helpers.small import Raw


def conditions_of(scenario: Scenario) -> dict[str, Any]:
    """Return the conditions of branches by step, and of choices by step and choice."""
    found: dict[str, Any] = {}
    for step in scenario.steps.values():
        if isinstance(step, Branch):
            found[step.id] = plainly(step.condition, _follows)
        for part in parts(step):
            if isinstance(part, PromptChoice) and part.condition is not None:
                found[f"{step.id} {part.id}"] = plainly(part.condition, _matters)
    return found


def plainly(
    condition: Any, counts: Callable[[ask.ConditionOption | None], bool]
) -> tuple[Any, ...]:
    """Return a condition without its consequences, with the answers that count."""
    match condition:
        case ask.Multi((ask.Multi() as joined,), 1, follows):  # as ours are read
            condition = ask.Multi(joined.conditions, joined.count, follows)
        case ask.PartnerCheck(statuses=(_,)):  # equal to a check of every status
            condition = replace(condition, every=True)
    told: list[Any] = [type(condition).__name__]
    for name in condition.__slots__:
        value = getattr(condition, name)
        if isinstance(value, tuple) and not all(type(each) is str for each in value):
            told.append([plainly(each, _matters) for each in value])
        elif isinstance(value, ask.ConditionOptions):
            options = {**value.by_key, "otherwise": value.default}
            told.append({key for key, option in options.items() if counts(option)})
        else:
            told.append(value)
    return tuple(told)


def _follows(option: ask.ConditionOption | None) -> bool:
    """Return whether an answer has consequences."""
    return option is not None and bool(option.steps or option.batches)


def _matters(option: ask.ConditionOption | None) -> bool:
    """Return whether an option exists, which is enough for conditions of choices."""
    return option is not None


def choice_ids(raw: Raw) -> list[str]:
    """Return the ids of all choices, made unique as in our model.

    Consequences of using a supply or not have no id.
    """
    keys = ("choices", "branches", "campaign_log", "items")
    chosen = [each for key in keys for each in raw.get(key, ())]
    chosen += [raw[key] for key in ("positiveChoice", "negativeChoice") if key in raw]
    if raw["type"] == "prologue_randomizer":
        chosen += [{"id": str(each["condition"])} for each in raw["options"]]
    return [*ids_apart(each.get("id", "") for each in chosen)]


def places_of(scenario: Scenario) -> dict[str, set[str]]:
    """Return the steps that the beginning and each resolution of a scenario lead to."""
    begins = "set-up" if scenario.id == SETUP else scenario.kind or "set-up"
    found = {begins: _led_to(scenario, scenario.setup)}
    alone = _led_to(scenario, scenario.standalone_setup or ())
    if alone:
        found["standalone set-up"] = alone - found[begins]
    for resolution in scenario.resolutions.values():
        label = f"Resolution {resolution.id.removeprefix('R')}"
        if resolution.id == "investigator_defeat":
            label = "investigator defeat"
        elif resolution.id.startswith("no_resolution"):
            label = "no resolution"  # The Last King has two
        found.setdefault(label, set()).update(_led_to(scenario, resolution.steps))
    return found


def _led_to(scenario: Scenario, steps: tuple[str, ...]) -> set[str]:
    """Return the steps that these lead to, without those after the play step."""
    found: set[str] = set()
    waiting = [step for step in steps if step != "$play_scenario"]
    while waiting:
        step_id = waiting.pop()
        if step_id in found or step_id not in scenario.steps:
            continue
        found.add(step_id)
        refers = references(scenario.steps[step_id])
        waiting += refers.steps
        for name in refers.resolutions:
            waiting += scenario.resolutions[name].steps
    return found
