"""Prompts of the field's format (its inputs) → ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.conditions import (
    ConditionOptions,
    Constant,
    LogCardsCheck,
    Operand,
)
from arkham.rules.campaign.model.guide import ids_apart
from arkham.rules.campaign.model.steps import Prompt, PromptChoice
from arkham.rules.campaign.reading.conditions import (
    read_condition,
    read_operand,
    read_option,
    read_partner_check,
)
from arkham.rules.campaign.reading.effects import read_batch, read_batches
from arkham.rules.campaign.reading.fields import POOLS, Fields, Raw

_WHO = frozenset(
    {"all", "choice", "any", "alive", "resigned", "defeated", "not_defeated"}
)
_STANDING = "campaign_log_condition"
_TRAUMA = {"physical_trauma": "physical", "mental_trauma": "mental"}


def read_prompt(fields: Fields, raw: Raw, at: str) -> Prompt:
    """A prompt; a dead end, with a flaw, if its kind is unknown."""
    kind = fields.known(raw, "type", at, _READERS)
    return _READERS[kind](fields, raw, at) if kind else to.DeadEnd()


def read_choice(fields: Fields, raw: Raw, at: str) -> PromptChoice:
    """One choice."""
    condition = fields.thing(raw, "condition", at)
    return PromptChoice(
        fields.text(raw, "id", at),
        read_condition(fields, condition, f"{at}.condition") if condition else None,
        read_batches(fields, raw, at),
        fields.words(raw, "steps", at),
        fields.flag(raw, "repeatable", at),
        fields.flag(raw, "hidden", at),
        fields.flag(raw, "allow_duplicates", at),
    )


def read_choices(
    fields: Fields, raw: Raw, at: str, key: str = "choices"
) -> tuple[PromptChoice, ...]:
    """The choices of a prompt."""
    return tuple(
        read_choice(fields, each, f"{at}.{key}[{index}]")
        for index, each in enumerate(fields.items(raw, key, at))
    )


def _told_apart(choices: tuple[PromptChoice, ...]) -> tuple[PromptChoice, ...]:
    """Choices of which one is taken, each by an id of its own."""
    ids = ids_apart(each.id for each in choices)
    return tuple(replace(each, id=own) for each, own in zip(choices, ids, strict=True))


def _limit(fields: Fields, raw: Raw, key: str, at: str) -> Operand | None:
    value: Any = raw.get(key)
    if value is None:
        return None
    return read_operand(fields, value, f"{at}.{key}")


def _one_batch(fields: Fields, raw: Raw, at: str) -> tuple[Any, ...]:
    batch = read_batch(fields, fields.items(raw, "effects", at), f"{at}.effects")
    return (batch,) if batch is not None else ()


def _counter(fields: Fields, raw: Raw, at: str) -> Prompt:
    return to.Counter(
        _one_batch(fields, raw, at),
        _limit(fields, raw, "min", at) or Constant(0),
        _limit(fields, raw, "max", at),
    )


def _seat_counter(fields: Fields, raw: Raw, at: str) -> Prompt:
    return to.SeatCounter(
        _one_batch(fields, raw, at),
        fields.number_or_none(raw, "min", at),
        fields.number_or_none(raw, "max", at),
        fields.number_or_none(raw, "totalMax", at),
        fields.text(raw, "investigator_count_min", at),
        _TRAUMA.get(
            fields.known_if_said(raw, "investigator_max", at, frozenset(_TRAUMA)), ""
        ),
    )


def _seat_choice(fields: Fields, raw: Raw, at: str) -> Prompt:
    condition = fields.thing(raw, "condition", at)
    choices = read_choices(fields, raw, at)
    return to.SeatChoice(
        fields.known(raw, "investigator", at, _WHO) or "all",
        choices,
        read_condition(fields, condition, f"{at}.condition") if condition else None,
        raw.get("special_mode") == "sequential",
        fields.flag(raw, "unique", at),
        # A single choice is one that is had or not: nobody has to take it.
        fields.flag(raw, "optional", at) or len(choices) == 1,
        _limit(fields, raw, "min", at),
        _limit(fields, raw, "max", at),
    )


def _investigators(fields: Fields, raw: Raw, at: str) -> Prompt:
    lead = fields.items(raw, "lead_investigator_effects", at)
    return to.ChooseInvestigators(
        read_batch(fields, lead, f"{at}.lead_investigator_effects"),
        fields.words(raw, "choose_none_steps", at)
        if "choose_none_steps" in raw
        else None,
    )


def _checklist(fields: Fields, raw: Raw, at: str) -> Prompt:
    return to.Checklist(
        read_choices(fields, raw, at),
        fields.number_or_none(raw, "min", at),
        fields.number_or_none(raw, "max", at),
    )


def _query(fields: Fields, raw: Raw, at: str) -> to.CardQuery:
    return to.CardQuery(
        fields.words(raw, "code", at),
        fields.text(raw, "source", at),
        fields.words(raw, "traits", at),
        fields.words(raw, "types", at),
        fields.flag(raw, "unique", at),
        fields.flag(raw, "vengeance", at),
        fields.flag(raw, "non_story_only", at),
        fields.words(raw, "exclude_code", at),
    )


def _card_choice(fields: Fields, raw: Raw, at: str) -> Prompt:
    return to.CardChoice(
        tuple(
            _query(fields, each, f"{at}.query[{index}]")
            for index, each in enumerate(fields.items(raw, "query", at))
        ),
        read_choices(fields, raw, at),
        fields.flag(raw, "include_counts", at),
        fields.number_or_none(raw, "min", at),
        fields.number_or_none(raw, "max", at),
        _unwritten(fields, raw, at),
    )


def _unwritten(fields: Fields, raw: Raw, at: str) -> str:
    """The section that names cards which are not meant, or none."""
    at = f"{at}.{_STANDING}"
    told = fields.thing(raw, _STANDING, at)
    if told is None:
        return ""
    match read_condition(fields, told, at):
        case LogCardsCheck(section, "$input_value", ConditionOptions(by_key, None)) if (
            list(by_key) == [False]
        ):
            return section
    fields.flaw("guide.unknown-kind", at, told, "cards that stand in no section")
    return ""


def _play(fields: Fields, raw: Raw, at: str) -> Prompt:
    return to.PlayScenario(
        _told_apart(read_choices(fields, raw, at, "branches")),
        _told_apart(read_choices(fields, raw, at, "campaign_log")),
        fields.text(raw, "fixed_resolution", at),
        fields.text(raw, "single_resolution", at),
        fields.flag(raw, "no_resolutions", at),
    )


def _upgrade(fields: Fields, raw: Raw, at: str) -> Prompt:
    return to.UpgradeDecks(
        fields.known_if_said(raw, "special_xp", at, POOLS),
        fields.text(raw, "counter", at),
        fields.words(raw, "story_cards", at),
        fields.flag(raw, "exile", at),
        fields.flag(raw, "skip_decks", at),
    )


def _supplies(fields: Fields, raw: Raw, at: str) -> Prompt:
    points = raw.get("points")
    if type(points) is not list or any(type(each) is not int for each in points):
        fields.flaw("guide.wrong-type", f"{at}.points", points, "whole numbers")
        points = []
    return to.Supplies(
        fields.text(raw, "section", at),
        tuple(points),
        tuple(
            (
                fields.text(each, "id", at),
                fields.number(each, "cost", at),
                fields.flag(each, "multiple", at),
            )
            for each in fields.items(raw, "supplies", at)
        ),
        fields.known_if_said(raw, "special_xp", at, POOLS),
    )


def _use_supplies(fields: Fields, raw: Raw, at: str) -> Prompt:
    by_flag: dict[bool, PromptChoice] = {}
    for index, each in enumerate(fields.items(raw, "choices", at)):
        option = read_option(fields, each, f"{at}.choices[{index}]")
        by_flag[bool(option.key)] = PromptChoice("", None, option.batches, option.steps)
    return to.UseSupplies(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        fields.known(raw, "investigator", at, frozenset({"all", "choice"})) or "all",
        by_flag.get(True),
        by_flag.get(False),
        fields.number_or_none(raw, "min", at),
        fields.number_or_none(raw, "max", at),
    )


def _seat_supplies(fields: Fields, raw: Raw, at: str) -> Prompt:
    having = fields.thing(raw, "positiveChoice", at) or {}
    lacking = fields.thing(raw, "negativeChoice", at) or {}
    return to.SeatSupplies(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        read_choice(fields, having, f"{at}.positiveChoice"),
        read_choice(fields, lacking, f"{at}.negativeChoice"),
    )


def _partners(fields: Fields, raw: Raw, at: str) -> Prompt:
    check = fields.thing(raw, "condition", at) or {}
    return to.ChoosePartners(
        read_partner_check(fields, check, f"{at}.condition"),
        _one_batch(fields, raw, at),
        _limit(fields, raw, "quantity", at),
    )


def _assign(fields: Fields, raw: Raw, at: str) -> Prompt:
    check = fields.thing(raw, "condition", at) or {}
    return to.AssignPartners(read_partner_check(fields, check, f"{at}.condition"))


def _randomizer(fields: Fields, raw: Raw, at: str) -> Prompt:
    options = []
    for index, each in enumerate(fields.items(raw, "options", at)):
        option = read_option(fields, each, f"{at}.options[{index}]")
        options.append(
            PromptChoice(str(option.key), None, option.batches, option.steps)
        )
    return to.Randomizer(read_choices(fields, raw, at), tuple(options))


_READERS: dict[str, Callable[[Fields, Raw, str], Prompt]] = {
    "choose_one": lambda f, r, at: to.ChooseOne(_told_apart(read_choices(f, r, at))),
    "counter": _counter,
    "investigator_counter": _seat_counter,
    "investigator_choice": _seat_choice,
    "scenario_investigators": _investigators,
    "checklist": _checklist,
    "choicelist": lambda f, r, at: to.ChoiceList(
        read_choices(f, r, at, "items"), read_choices(f, r, at)
    ),
    "card_choice": _card_choice,
    "play_scenario": _play,
    "upgrade_decks": _upgrade,
    "save_decks": lambda f, r, at: to.SaveDecks(
        f.flag(r, "trauma", at), f.flag(r, "adjust_xp", at)
    ),
    "supplies": _supplies,
    "use_supplies": _use_supplies,
    "investigator_choice_supplies": _seat_supplies,
    "text_box": lambda f, r, at: to.TextBox(_one_batch(f, r, at)),
    "send_campaign_link": lambda f, r, at: to.SendLink(
        f.text(r, "id", at), f.text(r, "decision", at)
    ),
    "receive_campaign_link": lambda f, r, at: to.ReceiveLink(
        f.text(r, "id", at), read_choices(f, r, at)
    ),
    "partner_choice": _partners,
    "investigator_choice_partner": _assign,
    "partner_trauma": lambda f, r, at: to.PartnerTrauma(f.text(r, "section", at)),
    "prologue_randomizer": _randomizer,
    "random_location": lambda f, r, at: to.RandomPlaces(
        f.words(r, "cards", at), f.flag(r, "multiple", at)
    ),
}
