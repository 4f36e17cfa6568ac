"""Conditions and operands of the field's format → ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.conditions import (
    Condition,
    ConditionOption,
    ConditionOptions,
    Key,
    Operand,
)
from arkham.rules.campaign.model.guide import TOKEN_KINDS
from arkham.rules.campaign.reading.effects import bonus_only, read_batches
from arkham.rules.campaign.reading.fields import Fields, Raw

DEPTH = 20  # conditions inside conditions

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
_PLACES = frozenset({"visited", "current"})
_BEARERS = frozenset({"investigator", "enemy"})
_NO_OPTIONS = ConditionOptions({})


def read_condition(fields: Fields, raw: Raw, at: str, depth: int = 0) -> Condition:
    """A condition; one that is never met, with a flaw, if its kind is unknown."""
    kind = fields.known(raw, "type", at, _READERS)
    if not kind or depth > DEPTH:
        if kind:
            fields.flaw("guide.too-deep", at, depth, f"at most {DEPTH}")
        return ask.LogCheck("", "", _NO_OPTIONS)
    if kind == "multi":
        return _multi(fields, raw, at, depth)
    return _READERS[kind](fields, raw, at)


def read_option(fields: Fields, raw: Raw, at: str) -> ConditionOption:
    """An option: its key, what follows, whether it can be taken again."""
    key: Key = None
    for name, expected in (
        ("boolCondition", bool),
        ("numCondition", int),
        ("condition", str),
    ):
        if name in raw:
            if type(raw[name]) is expected:
                key = raw[name]
            else:
                fields.flaw(
                    "guide.wrong-type", f"{at}.{name}", raw[name], expected.__name__
                )
    return ConditionOption(
        key,
        read_batches(fields, raw, at),
        fields.words(raw, "steps", at),
        fields.flag(raw, "repeatable", at),
    )


def read_options(fields: Fields, raw: Raw, at: str) -> ConditionOptions:
    """The options of a condition; of several with one key the first holds."""
    by_key: dict[Any, ConditionOption] = {}
    for index, each in enumerate(fields.items(raw, "options", at)):
        option = read_option(fields, each, f"{at}.options[{index}]")
        if option.key is None:
            fields.flaw("guide.missing", f"{at}.options[{index}]", each, "a condition")
        else:
            by_key.setdefault(option.key, option)
    default = fields.thing(raw, "default_option", at)
    return ConditionOptions(
        by_key,
        read_option(fields, default, f"{at}.default_option") if default else None,
    )


def read_operand(fields: Fields, raw: Any, at: str) -> Operand:
    """An operand of a sum; 0, with a flaw, if its kind is unknown."""
    if type(raw) is int:
        return ask.Constant(raw)
    if type(raw) is not dict:
        fields.flaw("guide.wrong-type", at, raw, "an operand")
        return ask.Constant(0)
    kind = fields.known(raw, "type", at, _OPERANDS)
    return _OPERANDS[kind](fields, raw, at) if kind else ask.Constant(0)


def _place(fields: Fields, raw: Raw, at: str) -> tuple[str, str, ConditionOptions]:
    return (
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        read_options(fields, raw, at),
    )


def _multi(fields: Fields, raw: Raw, at: str, depth: int) -> Condition:
    return ask.Multi(
        tuple(
            read_condition(fields, each, f"{at}.conditions[{index}]", depth + 1)
            for index, each in enumerate(fields.items(raw, "conditions", at))
        ),
        fields.number(raw, "count", at),
        read_options(fields, raw, at),
    )


def _math(fields: Fields, raw: Raw, at: str) -> Condition:
    allowed = frozenset({"compare", "equals", "sum", "divide"})
    return ask.Math(
        fields.known(raw, "operation", at, allowed) or "compare",
        read_operand(fields, raw.get("opA"), f"{at}.opA"),
        read_operand(fields, raw.get("opB"), f"{at}.opB"),
        read_options(fields, raw, at),
    )


def _task(fields: Fields, raw: Raw, at: str) -> Condition:
    section, task_id, options = _place(fields, raw, at)
    by_key = {}
    for key, option in options.by_key.items():
        batches = tuple(bonus_only(batch) for batch in option.batches)
        if batches != option.batches:
            fields.flaw(
                "guide.bonus-and-count",
                f"{at}.options",
                "a bonus, and the number of a task",
                "one of them",
            )
        by_key[key] = replace(option, batches=batches)
    return ask.TaskCheck(section, task_id, ConditionOptions(by_key, options.default))


def _seat_log_cards(fields: Fields, raw: Raw, at: str) -> Condition:
    option = fields.thing(raw, "option", at) or {}
    return ask.SeatLogCards(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        read_option(fields, option, f"{at}.option"),
    )


def _data(fields: Fields, raw: Raw, at: str) -> str:
    """What of an investigator is asked about."""
    allowed = {"trait": "trait", "faction": "class", "code": "code"}
    return allowed.get(fields.known(raw, "investigator_data", at, allowed), "code")


def _campaign(fields: Fields, raw: Raw, at: str) -> Condition:
    options = read_options(fields, raw, at)
    question = raw.get("campaign_data")
    if question == "chaos_bag":
        return ask.BagCheck(fields.known(raw, "token", at, TOKEN_KINDS), options)
    if question == "investigator":
        return ask.InvestigatorCheck(
            _data(fields, raw, at),
            False,
            frozenset(fields.words(raw, "exclude_investigators", at)),
            options,
        )
    known = fields.known(raw, "campaign_data", at, _CAMPAIGN_QUESTIONS)
    return ask.CampaignCheck(
        known or "standalone",
        options if known else _NO_OPTIONS,
        fields.text(raw, "scenario", at),
        fields.number(raw, "min_version", at),
    )


def _scenario(fields: Fields, raw: Raw, at: str) -> Condition:
    options = read_options(fields, raw, at)
    allowed = frozenset(
        {
            "player_count", "resolution", "has_resolution", "investigator_status",
            "fixed_investigator_status",
        }
    )  # fmt: skip
    match fields.known(raw, "scenario_data", at, allowed):
        case "player_count":
            return ask.PlayerCount(options)
        case "resolution":
            return ask.ResolutionCheck(False, options)
        case "has_resolution":
            return ask.ResolutionCheck(True, options)
        case "investigator_status":
            return ask.OutcomeCheck(
                fields.known(raw, "investigator", at, _OUTCOMES), "", options
            )
        case "fixed_investigator_status":
            return ask.OutcomeCheck(
                fields.known(raw, "status", at, _OUTCOMES),
                fields.text(raw, "fixed_investigator", at),
                options,
            )
    return ask.PlayerCount(_NO_OPTIONS)


def read_partner_check(fields: Fields, raw: Raw, at: str) -> ask.PartnerCheck:
    """Which partners are asked about, and their states."""
    statuses = fields.words(raw, "status", at)
    for status in statuses:
        if status not in PARTNER_STATES:
            fields.flaw("guide.unknown-kind", f"{at}.status", status)
    named = raw.get("partner") == "$fixed_partner"
    return ask.PartnerCheck(
        fields.text(raw, "section", at),
        fields.text(raw, "fixed_partner", at) if named else "",
        statuses,
        raw.get("operation") == "all",
        read_options(fields, raw, at),
    )


def _who(fields: Fields, raw: Raw, at: str) -> str:
    who = fields.known(raw, "investigator", at, _ASKED)
    return "lead" if who == "lead_investigator" else who


_READERS: dict[str, Callable[[Fields, Raw, str], Condition]] = {
    "campaign_log": lambda f, r, at: ask.LogCheck(*_place(f, r, at)),
    "campaign_log_section_exists": lambda f, r, at: ask.SectionCheck(
        f.text(r, "section", at), read_options(f, r, at)
    ),
    "campaign_log_cards": lambda f, r, at: ask.LogCardsCheck(*_place(f, r, at)),
    "campaign_log_cards_switch": lambda f, r, at: ask.LogCardsSwitch(*_place(f, r, at)),
    "campaign_log_count": lambda f, r, at: ask.LogCountCheck(*_place(f, r, at)),
    "campaign_log_task": _task,
    "campaign_log_investigator_count": lambda f, r, at: ask.SeatCountCheck(
        f.text(r, "section", at), r.get("investigator") == "all", read_options(f, r, at)
    ),
    "investigator_campaign_log_cards": _seat_log_cards,
    "multi": lambda f, r, at: _multi(f, r, at, 0),
    "math": _math,
    "has_card": lambda f, r, at: ask.HasCard(
        _who(f, r, at), f.text(r, "card", at), read_options(f, r, at)
    ),
    "trauma": lambda f, r, at: ask.TraumaCheck(
        _who(f, r, at), f.known(r, "trauma", at, _TRAUMA), read_options(f, r, at)
    ),
    "check_supplies": lambda f, r, at: ask.SuppliesCheck(
        _who(f, r, at), *_place(f, r, at)
    ),
    "partner_status": read_partner_check,
    "scenario_data": _scenario,
    "campaign_data": _campaign,
    "investigator": lambda f, r, at: ask.InvestigatorCheck(
        _data(f, r, at), True, frozenset(), read_options(f, r, at)
    ),
    "location": lambda f, r, at: ask.LocationCheck(
        f.known(r, "status", at, _PLACES),
        f.text(r, "location", at),
        read_options(f, r, at),
    ),
    "scarlet_key": lambda f, r, at: ask.KeyCheck(
        f.text(r, "scarlet_key", at),
        f.known(r, "status", at, _BEARERS),
        read_options(f, r, at),
    ),
    "scarlet_key_count": lambda f, r, at: ask.KeyCount(
        f.known(r, "status", at, _BEARERS), read_options(f, r, at)
    ),
}

_OPERANDS: dict[str, Callable[[Fields, Raw, str], Operand]] = {
    "constant": lambda f, r, at: ask.Constant(f.number(r, "value", at)),
    "campaign_log_count": lambda f, r, at: ask.LogCountOperand(
        f.text(r, "section", at), f.text(r, "id", at, "$count")
    ),
    "campaign_log_task": lambda f, r, at: ask.TaskOperand(
        f.text(r, "section", at), f.text(r, "id", at)
    ),
    "chaos_bag": lambda f, r, at: ask.BagOperand(f.known(r, "token", at, TOKEN_KINDS)),
    "scenario_data": lambda f, r, at: ask.PlayersOperand(),
    "most_xp_earned": lambda f, r, at: ask.MostExperience(),
    "partner_status": lambda f, r, at: ask.PartnerOperand(read_partner_check(f, r, at)),
}
