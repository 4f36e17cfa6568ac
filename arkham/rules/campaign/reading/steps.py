"""Steps of the field's format → ours."""

from __future__ import annotations

from collections.abc import Callable

from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.steps import Step
from arkham.rules.campaign.reading.conditions import read_condition
from arkham.rules.campaign.reading.effects import (
    of_victory,
    read_batch,
    with_named_costs,
)
from arkham.rules.campaign.reading.fields import Fields, Raw
from arkham.rules.campaign.reading.prompts import read_prompt

MOST_STEPS = 5_000  # of a scenario; the longest today has a twentieth of them

# What is only read: it changes nothing.
_TOLD = (
    "story",
    "rule_reminder",
    "location_setup",
    "location_connectors",
    "table",
    "travel_cost",
    "investigator_setup",
    "xp_count",
)


def read_steps(fields: Fields, raws: list[Raw], at: str) -> dict[str, Step]:
    """Steps by their id; of two with one id the first holds."""
    found: dict[str, Step] = {}
    if len(raws) > MOST_STEPS:
        fields.flaw("guide.too-large", f"{at}.steps", len(raws), f"{MOST_STEPS} steps")
    for index, raw in enumerate(raws[:MOST_STEPS]):
        step_id = fields.text(raw, "id", f"{at}.steps[{index}]")
        where = f"{at} · {step_id}"
        if not step_id:
            fields.flaw("guide.missing", f"{at}.steps[{index}].id", None, "an id")
        elif step_id in found:
            fields.flaw("guide.duplicate-step", where, step_id, "an id of its own")
        else:
            found[step_id] = read_step(fields, raw, step_id, where)
    return found


def read_step(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    """One step; one that does nothing, with a flaw, if its kind is unknown."""
    kind = raw.get("type")
    if kind is None:
        return _plain(fields, raw, step_id, at)
    kind = fields.known(raw, "type", at, _READERS)
    return _READERS[kind](fields, raw, step_id, at) if kind else to.Plain(step_id)


def _plain(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    batch = read_batch(fields, fields.items(raw, "effects", at), f"{at}.effects")
    return to.Plain(step_id, with_named_costs(batch), fields.words(raw, "steps", at))


def _told(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    return to.Plain(step_id)


def _sets(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    batch = read_batch(fields, fields.items(raw, "effects", at), f"{at}.effects")
    return to.Plain(step_id, batch)


def _branch(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    condition = fields.thing(raw, "condition", at) or {}
    return to.Branch(
        step_id,
        read_condition(fields, condition, f"{at}.condition"),
        fields.flag(raw, "loop", at),
    )


def _ask(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    told = fields.thing(raw, "input", at) or {}
    prompt = read_prompt(fields, told, f"{at}.input")
    if isinstance(prompt, to.Counter) and step_id not in _OTHER_COUNTS:
        batches = tuple(of_victory(batch) for batch in prompt.batches)
        if batches != prompt.batches:
            prompt = to.VictoryDisplay(batches)
    return to.Ask(step_id, prompt)


# Counters of experience that count something else than the points in the victory
# display: acts, targets, and how many cards of a kind lie there.
_OTHER_COUNTS = frozenset(
    {
        "ask_targets_on_scenario",
        "ask_victory_cards",
        "earn_act_xp",
        "maybe_return_xp",
        "record_x_paths_known",
    }
)


def _border(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    return to.Border(
        step_id,
        fields.words(raw, "steps", at),
        fields.words(raw, "confirmation_steps", at),
    )


def _resolve(fields: Fields, raw: Raw, step_id: str, at: str) -> Step:
    return to.Resolve(
        step_id,
        fields.text(raw, "resolution", at),
        read_batch(fields, fields.items(raw, "effects", at), f"{at}.effects"),
    )


_READERS: dict[str, Callable[[Fields, Raw, str, str], Step]] = {
    **dict.fromkeys(_TOLD, _told),
    "encounter_sets": _sets,
    "branch": _branch,
    "input": _ask,
    "border": _border,
    "resolution": _resolve,
}
