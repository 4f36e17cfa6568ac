"""Reads conditions and operands of the Arkham Cards format: a row for each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.conditions import (
    Condition,
    ConditionOption,
    ConditionOptions,
    Key,
    Operand,
)
from arkham.rules.campaign.model.guide import TOKEN_KINDS
from arkham.rules.campaign.reading.cursor import (
    Cursor,
    Reader,
    always,
    by_kind,
    known,
    row,
    text_or,
)
from arkham.rules.campaign.reading.effects import bonus_only, partner, read_batches

Asked = TypeVar("Asked")
DEPTH = 20  # levels of nested conditions

PARTNER_STATES = frozenset(
    {
        "eliminated", "alive", "has_damage", "has_horror", "mia", "safe", "resolute",
        "investigator_defeated", "investigator_selected", "victim", "cannot_take",
        "the_entity",
    }
)  # fmt: skip
_CAMPAIGN_QUESTIONS = frozenset(
    {
        "version", "difficulty", "cycle", "scenario_completed", "scenario_replayed",
        "standalone", "linked_campaign", "next_scenario", "investigator_status",
    }
)  # fmt: skip
_OUTCOMES = frozenset({"alive", "defeated", "not_defeated", "resigned", "not_resigned"})
_TRAUMA = frozenset({"physical", "mental", "killed", "insane", "alive"})
_ASKED = frozenset({"each", "any", "all", "defeated", "lead_investigator"})
_BEARER = known("status", frozenset({"investigator", "enemy"}))
_NO_OPTIONS = ConditionOptions({})


def read_condition(here: Cursor, depth: int = 0) -> Condition:
    """Read a condition; one that is never met, with a flaw, if its kind is unknown."""
    if depth > DEPTH:
        here.flaw("guide.too-deep", "", depth, f"at most {DEPTH}")
    elif here.raw.get("type") == "multi":
        return _multi(here, depth)
    else:
        found = _condition(here)
        if found is not None:
            return found
    return ask.LogCheck("", "", _NO_OPTIONS)


def read_condition_if_said(here: Cursor) -> Condition | None:
    """Read the condition of an object, or return None if it has none."""
    condition = here.filled("condition")
    return read_condition(condition) if condition is not None else None


_KEYS = (("boolCondition", bool), ("numCondition", int), ("condition", str))


def _key(here: Cursor) -> Key:
    key: Key = None
    for name, expected in _KEYS:
        if name in here:
            value = here.raw[name]
            if type(value) is expected:
                key = value
            else:
                here.flaw("guide.wrong-type", name, value, expected.__name__)
    return key


# An option: its key, what follows, whether it can be chosen again.
read_option = row(
    ConditionOption, "steps", "repeatable", key=_key, batches=read_batches
)


def read_options(here: Cursor) -> ConditionOptions:
    """Read the options of a condition; the first of several with one key counts."""
    by_key: dict[Any, ConditionOption] = {}
    for each in here.items("options"):
        option = read_option(each)
        if option.key is None:
            each.flaw("guide.missing", "", each.raw, "a condition")
        else:
            by_key.setdefault(option.key, option)
    default = here.filled("default_option")
    return ConditionOptions(
        by_key=by_key, default=read_option(default) if default is not None else None
    )


def _asks(
    condition: type[Asked], *same: str, **others: str | Reader
) -> Callable[[Cursor], Asked]:
    """Return a row for a condition with options."""
    return row(condition, *same, **others, options=read_options)


def read_operand(here: Cursor, key: str) -> Operand:
    """Read an operand; 0, with a flaw, if its kind is unknown."""
    value = here.raw.get(key)
    if type(value) is int:
        return ask.Constant(value)
    if type(value) is not dict:
        here.flaw("guide.wrong-type", key, value, "an operand")
        return ask.Constant(0)
    return _operand(here.inside(key)) or ask.Constant(0)


def _multi(here: Cursor, depth: int) -> Condition:
    return ask.Multi(
        conditions=tuple(
            read_condition(each, depth + 1) for each in here.items("conditions")
        ),
        count=here.number("count"),
        options=read_options(here),
    )


_OPERATIONS = frozenset({"compare", "equals", "sum", "divide"})
_math = _asks(
    ask.Math,
    operation=lambda here: here.known("operation", _OPERATIONS) or "compare",
    first=lambda here: read_operand(here, "opA"),
    second=lambda here: read_operand(here, "opB"),
)


def _of_task(here: Cursor) -> ConditionOptions:
    options = read_options(here)
    apart = bonus_apart(options)
    for key, option in apart.by_key.items():
        if option.batches != options.by_key[key].batches:
            found = "a bonus, and the number of a task"
            here.flaw("guide.bonus-and-count", "options", found, "one of them")
    return apart


def bonus_apart(options: ConditionOptions) -> ConditionOptions:
    """Return a task's options, in which a bonus is earned without the task's number."""
    by_key = {
        key: replace(option, batches=tuple(map(bonus_only, option.batches)))
        for key, option in options.by_key.items()
    }
    return ConditionOptions(by_key=by_key, default=options.default)


def _data(here: Cursor) -> str:
    """Return which property of investigators is checked."""
    return _DATA.get(here.known("investigator_data", _DATA), "code")


_DATA = {"trait": "trait", "faction": "class", "code": "code"}
_bag = _asks(ask.BagCheck, token=known("token", TOKEN_KINDS))
_investigator = _asks(
    ask.InvestigatorCheck,
    data=_data,
    each=always(False),
    excluded=lambda here: frozenset(here.words("exclude_investigators")),
)
_questions = _asks(
    ask.CampaignCheck,
    question=known("campaign_data", _CAMPAIGN_QUESTIONS),
    value="scenario",
    least="min_version",
)


def _campaign(here: Cursor) -> Condition:
    question = here.raw.get("campaign_data")
    if question == "chaos_bag":
        return _bag(here)
    if question == "investigator":
        return _investigator(here)
    found = _questions(here)
    if found.question:
        return found
    return replace(found, question="standalone", options=_NO_OPTIONS)


def _states(here: Cursor) -> tuple[str, ...]:
    statuses = here.words("status")
    for status in statuses:
        if status not in PARTNER_STATES:
            here.flaw("guide.unknown-kind", "status", status)
    return statuses


# Which partners are checked, and their statuses.
read_partner_check = _asks(
    ask.PartnerCheck,
    "section",
    partner=partner,
    statuses=_states,
    every=lambda here: here.raw.get("operation") == "all",
)


def _who(here: Cursor) -> str:
    who = here.known("investigator", _ASKED)
    return "lead" if who == "lead_investigator" else who


_SCENARIO_QUESTIONS: dict[str, Callable[[Cursor], Condition]] = {
    "player_count": _asks(ask.PlayerCount),
    "resolution": _asks(ask.ResolutionCheck, any_at_all=always(False)),
    "has_resolution": _asks(ask.ResolutionCheck, any_at_all=always(True)),
    "investigator_status": _asks(
        ask.OutcomeCheck, status=known("investigator", _OUTCOMES), fixed=always("")
    ),
    "fixed_investigator_status": _asks(
        ask.OutcomeCheck, status=known("status", _OUTCOMES), fixed="fixed_investigator"
    ),
}
_scenario = by_kind(_SCENARIO_QUESTIONS, "scenario_data")
_CONDITIONS: dict[str, Callable[[Cursor], Condition]] = {
    "campaign_log": _asks(ask.LogCheck, "section", "id"),
    "campaign_log_section_exists": _asks(ask.SectionCheck, "section"),
    "campaign_log_cards": _asks(ask.LogCardsCheck, "section", "id"),
    "campaign_log_cards_switch": _asks(ask.LogCardsSwitch, "section", "id"),
    "campaign_log_count": _asks(ask.LogCountCheck, "section", "id"),
    "campaign_log_task": row(ask.TaskCheck, "section", "id", options=_of_task),
    "campaign_log_investigator_count": _asks(
        ask.SeatCountCheck,
        "section",
        each=lambda here: here.raw.get("investigator") == "all",
    ),
    "investigator_campaign_log_cards": row(
        ask.SeatLogCards,
        "section",
        "id",
        option=lambda here: read_option(here.inside("option")),
    ),
    "multi": lambda here: _multi(here, 0),
    "math": _math,
    "has_card": _asks(ask.HasCard, "card", who=_who),
    "trauma": _asks(ask.TraumaCheck, who=_who, trauma=known("trauma", _TRAUMA)),
    "check_supplies": _asks(ask.SuppliesCheck, "section", "id", who=_who),
    "partner_status": read_partner_check,
    "scenario_data": lambda here: _scenario(here) or ask.PlayerCount(_NO_OPTIONS),
    "campaign_data": _campaign,
    "investigator": _asks(
        ask.InvestigatorCheck,
        data=_data,
        each=always(True),
        excluded=always(frozenset()),
    ),
    "location": _asks(
        ask.LocationCheck,
        "location",
        status=known("status", frozenset({"visited", "current"})),
    ),
    "scarlet_key": _asks(ask.KeyCheck, key="scarlet_key", status=_BEARER),
    "scarlet_key_count": _asks(ask.KeyCount, status=_BEARER),
}
_condition = by_kind(_CONDITIONS)
_OPERANDS: dict[str, Callable[[Cursor], Operand]] = {
    "constant": row(ask.Constant, "value"),
    "campaign_log_count": row(
        ask.LogCountOperand, "section", id=text_or("id", "$count")
    ),
    "campaign_log_task": row(ask.TaskOperand, "section", "id"),
    "chaos_bag": row(ask.BagOperand, token=known("token", TOKEN_KINDS)),
    "scenario_data": row(ask.PlayersOperand),
    "most_xp_earned": row(ask.MostExperience),
    "partner_status": row(ask.PartnerOperand, check=read_partner_check),
}
_operand = by_kind(_OPERANDS)
