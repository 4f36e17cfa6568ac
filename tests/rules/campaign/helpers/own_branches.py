"""What a scenario asks of the campaign and of the table, and which steps lead where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.field_words import ids_apart
from arkham.rules.campaign.model.guide import SETUP, Branch, Scenario
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.reading.references import parts, references
from tests.rules.campaign.helpers.small import Raw


def conditions_of(scenario: Scenario) -> dict[str, Any]:
    """The conditions of branches by step, and of choices by step and choice."""
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
    """A condition without what follows; with the answers that count."""
    match condition:
        case ask.Multi((ask.Multi() as joined,), 1, follows):  # as ours are read
            condition = ask.Multi(joined.conditions, joined.count, follows)
        case ask.PartnerCheck(statuses=(_,)):  # that and every such state are the same
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
    """Whether anything comes of an answer."""
    return option is not None and bool(option.steps or option.batches)


def _matters(option: ask.ConditionOption | None) -> bool:
    """Where a condition is met or not, to have an option is enough."""
    return option is not None


def choice_ids(raw: Raw) -> list[str]:
    """The ids of everything that can be chosen, each its own as our model has them.

    What follows from a supply that is used, or not, has none.
    """
    keys = ("choices", "branches", "campaign_log", "items")
    chosen = [each for key in keys for each in raw.get(key, ())]
    chosen += [raw[key] for key in ("positiveChoice", "negativeChoice") if key in raw]
    if raw["type"] == "prologue_randomizer":
        chosen += [{"id": str(each["condition"])} for each in raw["options"]]
    return [*ids_apart(each.get("id", "") for each in chosen)]


def places_of(scenario: Scenario) -> dict[str, set[str]]:
    """Which steps of a scenario its beginning and each resolution lead to."""
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
            label = "no resolution"  # of The Last King there are two
        found.setdefault(label, set()).update(_led_to(scenario, resolution.steps))
    return found


def _led_to(scenario: Scenario, steps: tuple[str, ...]) -> set[str]:
    """The steps of a scenario these lead to; the play step is an end of its own."""
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
