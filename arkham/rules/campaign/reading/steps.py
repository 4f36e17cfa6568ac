"""Reads steps of the Arkham Cards format, and what they ask: a row for each kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.app_names import ids_apart
from arkham.rules.campaign.model.conditions import (
    ConditionOption,
    ConditionOptions,
    Constant,
    LogCardsCheck,
    Operand,
    PartnerCheck,
)
from arkham.rules.campaign.model.guide import Ask, Border, Branch, Plain, Resolve, Step
from arkham.rules.campaign.model.prompts import Prompt, PromptChoice
from arkham.rules.campaign.reading.conditions import (
    read_condition,
    read_condition_if_said,
    read_operand,
    read_option,
    read_partner_check,
)
from arkham.rules.campaign.reading.cursor import (
    Cursor,
    Reader,
    always,
    by_kind,
    known_or,
    row,
)
from arkham.rules.campaign.reading.effects import (
    POOLS,
    of_victory,
    one_batch,
    read_batch,
    read_batches,
    with_named_costs,
)

MOST_STEPS = 5_000  # of a scenario; the longest today has a twentieth of this


def read_steps(above: Cursor, key: str = "steps") -> dict[str, Step]:
    """Read steps by id; the first of two with the same id counts."""
    found: dict[str, Step] = {}
    for index, each in enumerate(above.items(key)):
        if index == MOST_STEPS:
            expected = f"{MOST_STEPS} steps"
            above.flaw("guide.too-large", key, len(above.raw[key]), expected)
            break
        step_id = each.text("id")
        if not step_id:
            each.flaw("guide.missing", "id", None, "an id")
            continue
        each.move(f" · {step_id}")
        if step_id in found:
            each.flaw("guide.duplicate-step", "", step_id, "an id of its own")
        else:
            found[step_id] = _read_step(each, step_id)
    return found


def _read_step(here: Cursor, step_id: str) -> Step:
    """Read one step; one that does nothing, with a flaw, if its kind is unknown."""
    if here.raw.get("type") is None:
        return _plain(here)
    return _step(here) or Plain(step_id)


def _batch(here: Cursor) -> do.Batch | None:
    return with_named_costs(read_batch(here))


_plain = row(Plain, "id", "steps", batch=_batch)


def _ask(here: Cursor) -> Step:
    step_id, prompt = here.raw["id"], read_prompt(here.inside("input"))
    if isinstance(prompt, to.Counter) and step_id not in _OTHER_COUNTS:
        batches = tuple(map(of_victory, prompt.batches))
        if batches != prompt.batches:
            prompt = to.VictoryDisplay(batches)
    if isinstance(prompt, to.ChooseOne) and step_id in _LEFT_TO_CHANCE:
        prompt = replace(prompt, random=True)
    return Ask(id=step_id, prompt=prompt)


# These guides say only in their texts that a choice is made at random.
_LEFT_TO_CHANCE = frozenset({"randomly_choose_tokens"})
# Counters of experience that don't count the points in the victory display, but acts,
# targets, or how many cards of a kind are there.
_OTHER_COUNTS = frozenset(
    {
        "ask_targets_on_scenario",
        "ask_victory_cards",
        "earn_act_xp",
        "maybe_return_xp",
        "record_x_paths_known",
    }
)
# Steps that are only read: they change nothing.
_READ_ONLY = (
    "story",
    "rule_reminder",
    "location_setup",
    "location_connectors",
    "table",
    "travel_cost",
    "investigator_setup",
    "xp_count",
)
_STEPS: dict[str, Callable[[Cursor], Step]] = {
    **dict.fromkeys(_READ_ONLY, row(Plain, "id")),
    "encounter_sets": row(Plain, "id", batch=read_batch),
    "branch": row(
        Branch,
        "id",
        "loop",
        condition=lambda here: read_condition(here.inside("condition")),
    ),
    "input": _ask,
    "border": row(Border, "id", "steps", confirmed="confirmation_steps"),
    "resolution": row(Resolve, "id", "resolution", batch=read_batch),
}
_step = by_kind(_STEPS)

_WHO = frozenset(
    {"all", "choice", "any", "alive", "resigned", "defeated", "not_defeated"}
)


def read_prompt(here: Cursor) -> Prompt:
    """Read a prompt; a dead end, with a flaw, if its kind is unknown."""
    return _prompt(here) or to.DeadEnd()


_choice = row(
    PromptChoice,
    *("id", "steps", "repeatable", "hidden"),
    condition=read_condition_if_said,
    batches=read_batches,
    duplicates="allow_duplicates",
)


def read_choices(here: Cursor, key: str = "choices") -> tuple[PromptChoice, ...]:
    """Read the choices of a prompt."""
    return tuple(map(_choice, here.items(key)))


def _chosen_apart(key: str) -> Reader:
    """Return a reader for choices of which one is chosen, each with a unique id."""

    def read(here: Cursor) -> tuple[PromptChoice, ...]:
        choices = read_choices(here, key)
        ids = ids_apart(each.id for each in choices)
        return tuple(
            replace(each, id=own) for each, own in zip(choices, ids, strict=True)
        )

    return read


def _limit(key: str, otherwise: Operand | None = None) -> Reader:
    def read(here: Cursor) -> Operand | None:
        is_said = here.raw.get(key) is not None
        return read_operand(here, key) if is_said else otherwise

    return read


_MAXIMUM = frozenset({"physical_trauma", "mental_trauma"})


def _trauma(here: Cursor) -> str:
    return here.known_or("investigator_max", _MAXIMUM).removesuffix("_trauma")


def _seat_choice(here: Cursor) -> Prompt:
    found = _seat_choices(here)
    # A single choice is a yes or no: no one has to choose it.
    return replace(found, optional=True) if len(found.choices) == 1 else found


_seat_choices = row(
    to.SeatChoice,
    "unique",
    "optional",
    who=lambda here: here.known("investigator", _WHO) or "all",
    choices=read_choices,
    condition=read_condition_if_said,
    in_turn=lambda here: here.raw.get("special_mode") == "sequential",
    least=_limit("min"),
    most=_limit("max"),
)


def _nobody_steps(here: Cursor) -> tuple[str, ...] | None:
    is_said = "choose_none_steps" in here
    return here.words("choose_none_steps") if is_said else None


_query = row(
    to.CardQuery,
    *("source", "traits", "types", "unique", "vengeance"),
    codes="code",
    no_story="non_story_only",
    excluded="exclude_code",
)


def _unwritten(here: Cursor) -> str:
    """Read the section whose cards are excluded, or ""."""
    condition = here.inner("campaign_log_condition")
    if condition is None:
        return ""
    match read_condition(condition):
        case LogCardsCheck(section, "$input_value", ConditionOptions(by_key, None)) if (
            list(by_key) == [False]
        ):
            return section
    expected = "cards that stand in no section"
    condition.flaw("guide.unknown-kind", "", condition.raw, expected)
    return ""


def _costs(here: Cursor) -> tuple[tuple[str, int, bool], ...]:
    return tuple(
        (each.text("id"), each.number("cost"), each.flag("multiple"))
        for each in here.items("supplies")
    )


def _by_option(choice_id: str, option: ConditionOption) -> PromptChoice:
    return PromptChoice(choice_id, batches=option.batches, steps=option.steps)


_SUPPLIED = frozenset({"all", "choice"})


def _use_supplies(here: Cursor) -> Prompt:
    options = [read_option(each) for each in here.items("choices")]
    by_flag = {bool(option.key): _by_option("", option) for option in options}
    return replace(
        _used_supplies(here), used=by_flag.get(True), unused=by_flag.get(False)
    )


_used_supplies = row(
    to.UseSupplies,
    "section",
    "id",
    who=lambda here: here.known("investigator", _SUPPLIED) or "all",
    used=always(None),
    unused=always(None),
    least="min",
    most="max",
)


def _partners(here: Cursor) -> PartnerCheck:
    return read_partner_check(here.inside("condition"))


def _by_chance(here: Cursor) -> tuple[PromptChoice, ...]:
    options = map(read_option, here.items("options"))
    return tuple(_by_option(str(option.key), option) for option in options)


_PROMPTS: dict[str, Callable[[Cursor], Prompt]] = {
    "choose_one": row(to.ChooseOne, choices=_chosen_apart("choices")),
    "counter": row(
        to.Counter,
        batches=one_batch,
        least=_limit("min", Constant(0)),
        most=_limit("max"),
    ),
    "investigator_counter": row(
        to.SeatCounter,
        batches=one_batch,
        least="min",
        most="max",
        total="totalMax",
        taken_from="investigator_count_min",
        trauma=_trauma,
    ),
    "investigator_choice": _seat_choice,
    "scenario_investigators": row(
        to.ChooseInvestigators,
        lead=lambda here: read_batch(here, "lead_investigator_effects"),
        nobody_steps=_nobody_steps,
    ),
    "checklist": row(to.Checklist, choices=read_choices, least="min", most="max"),
    "choicelist": row(
        to.ChoiceList,
        items=lambda here: read_choices(here, "items"),
        choices=read_choices,
    ),
    "card_choice": row(
        to.CardChoice,
        queries=lambda here: tuple(map(_query, here.items("query"))),
        choices=read_choices,
        counts="include_counts",
        least="min",
        most="max",
        unwritten=_unwritten,
    ),
    "play_scenario": row(
        to.PlayScenario,
        *("fixed_resolution", "single_resolution", "no_resolutions"),
        branches=_chosen_apart("branches"),
        log_choices=_chosen_apart("campaign_log"),
    ),
    "upgrade_decks": row(
        to.UpgradeDecks,
        *("counter", "story_cards", "exile", "skip_decks"),
        pool=known_or("special_xp", POOLS),
    ),
    "save_decks": row(to.SaveDecks, "trauma", experience="adjust_xp"),
    "supplies": row(
        to.Supplies,
        "section",
        points=lambda here: here.numbers("points"),
        costs=_costs,
        pool=known_or("special_xp", POOLS),
    ),
    "use_supplies": _use_supplies,
    "investigator_choice_supplies": row(
        to.SeatSupplies,
        "section",
        "id",
        having=lambda here: _choice(here.inside("positiveChoice")),
        lacking=lambda here: _choice(here.inside("negativeChoice")),
    ),
    "text_box": row(to.TextBox, batches=one_batch),
    "send_campaign_link": row(to.SendLink, "id", "decision"),
    "receive_campaign_link": row(to.ReceiveLink, "id", choices=read_choices),
    "partner_choice": row(
        to.ChoosePartners,
        check=_partners,
        batches=one_batch,
        quantity=_limit("quantity"),
    ),
    "investigator_choice_partner": row(to.AssignPartners, check=_partners),
    "partner_trauma": row(to.PartnerTrauma, "section"),
    "prologue_randomizer": row(to.Randomizer, choices=read_choices, options=_by_chance),
    "random_location": row(to.RandomPlaces, "cards", several="multiple"),
}
_prompt = by_kind(_PROMPTS)
