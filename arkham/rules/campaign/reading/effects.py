"""Reads effects of the Arkham Cards format (a row for each), with helpers for ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch, Effect, Mark, Tally
from arkham.rules.campaign.model.guide import TOKEN_KINDS
from arkham.rules.campaign.reading.cursor import (
    Cursor,
    Reader,
    by_kind,
    known,
    known_or,
    row,
    text_or,
)

Effects = dict[str, Callable[[Cursor], Effect | None]]
POOLS = frozenset({"resupply_points", "supply_points", "unspect_xp"})
DIFFICULTIES = ("easy", "standard", "hard", "expert")
_DIFFICULTIES = frozenset(DIFFICULTIES)
PARTNER_WORDS = frozenset(
    {
        "eliminated", "resolute", "mia", "safe", "victim", "cannot_take", "the_entity",
        "heal_damage", "heal_horror",
    }
)  # fmt: skip


def read_batch(here: Cursor, key: str = "effects") -> Batch | None:
    """Read the effects under a key, or return None if there are none."""
    effects = [read_effect(each) for each in here.items(key)]
    if not effects:
        return None
    return do.batch(*(effect for effect in effects if effect is not None))


def one_batch(here: Cursor) -> tuple[Batch, ...]:
    """Read the effects of a prompt for a value, as a tuple like that of a choice."""
    batch = read_batch(here)
    return (batch,) if batch is not None else ()


def read_batches(here: Cursor) -> tuple[Batch, ...]:
    """Read the effects of a choice or option: those before the border come first."""
    found = []
    for key in ("pre_border_effects", "effects"):
        if here.raw.get(key) and (batch := read_batch(here, key)) is not None:
            found.append(batch)
    return tuple(found)


def bonus_only(batch: Batch) -> Batch:
    """Return a batch in which experience with a bonus is only that bonus."""
    return Batch(
        tuple(
            replace(effect, bonus_only=True)
            if isinstance(effect, do.EarnExperience) and effect.bonus
            else effect
            for effect in batch.plain
        ),
        batch.personal,
    )


def of_victory(batch: Batch) -> Batch:
    """Return a batch whose experience is marked as that of the victory display."""
    return Batch(
        tuple(map(_of_victory, batch.plain)), tuple(map(_of_victory, batch.personal))
    )


def _of_victory(effect: Effect) -> Effect:
    if isinstance(effect, do.EarnExperience):
        return replace(effect, victory=True)
    return effect


def with_named_costs(batch: Batch | None) -> Batch | None:
    """Return a batch in which payments besides a side scenario's cost count as cost."""
    if batch is None or not any(
        isinstance(effect, do.EarnExperience) and effect.side_scenario_cost
        for effect in (*batch.plain, *batch.personal)
    ):
        return batch
    return Batch(
        tuple(map(_as_cost, batch.plain)), tuple(map(_as_cost, batch.personal))
    )


def _as_cost(effect: Effect) -> Effect:
    match effect:
        case do.EarnExperience(bonus=bonus, side_scenario_cost=False) if bonus < 0:
            return replace(effect, named_cost=True)
    return effect


# The Arkham Cards format: ``type`` names the effect.

_WHO = {
    "all": "all",
    "lead_investigator": "lead",
    "defeated": "defeated",
    "not_defeated": "not_defeated",
    "resigned": "resigned",
    "not_resigned": "not_resigned",
    "choice": "choice",
    "any": "any",
    "any_resigned": "any_resigned",
    "$input_value": "input",
    "$fixed_investigator": "fixed",
}
_CARDS = frozenset(
    {
        "$lead_investigator",
        "$all_investigators",
        "$defeated_investigators",
        "$not_resigned",
        "$input_value",
        "$fixed_codes",
    }
)
_TALLIES = {tally.value: tally for tally in Tally}


def _who(here: Cursor) -> str:
    """Read whom an effect concerns; a fixed investigator has to be named."""
    kind = here.known("investigator", _WHO)
    fixed = here.raw.get("fixed_investigator")
    if kind == "$fixed_investigator" and not (fixed and type(fixed) is str):
        here.flaw("guide.missing", "fixed_investigator", None, "a code")
    return _WHO.get(kind, "input")


def _who_if_said(here: Cursor) -> str:
    return _who(here) if "investigator" in here else ""


def _fixed_if_said(here: Cursor) -> str:
    return here.text("fixed_investigator") if "investigator" in here else ""


_CONCERNS: dict[str, str | Reader] = {"who": _who, "fixed": "fixed_investigator"}


def _mark(here: Cursor) -> Mark:
    if "cross_out" in here:
        return Mark.CROSS_OUT if here.flag("cross_out") else Mark.RESTORE
    if here.flag("remove"):
        return Mark.REMOVE
    return Mark.CIRCLE if "decorate" in here else Mark.RECORD


def _cards(here: Cursor) -> str:
    return here.known("cards", _CARDS) if "cards" in here else ""


def _tally(here: Cursor) -> Tally:
    return _TALLIES.get(here.known("operation", _TALLIES), Tally.ADD)


def _tokens(here: Cursor) -> Effect:
    sign = 1 if here.raw["type"] == "add_chaos_token" else -1
    tokens = here.words("tokens")
    for index, token in enumerate(tokens):
        if token not in TOKEN_KINDS and token != do.INPUT:
            listed = ", ".join(sorted(TOKEN_KINDS))
            here.flaw("guide.unknown-kind", f"tokens[{index}]", token, listed)
    return course.Tokens(tokens=tokens, sign=sign)


def _scenario(here: Cursor) -> str:
    scenario = here.text("scenario")
    if not scenario:
        here.flaw("guide.missing", "scenario", None, "a scenario's id")
    return scenario


_map_change = row(course.MapChange, "value", change="setting")
_SETTINGS: Effects = {
    "result": row(course.SetResult, value=known("value", course.RESULTS)),
    "difficulty": row(course.SetDifficulty, value=known("value", _DIFFICULTIES)),
    "next_scenario": row(
        course.NextScenario, scenario=_scenario, continuation="prelude_continuation"
    ),
    "skip_scenario": row(course.SkipScenario, scenario=_scenario),
    "replay_scenario": row(course.ReplayScenario, scenario=_scenario),
    "set_scenarios": row(course.SetScenarios, "scenarios"),
    "swap_chaos_bag": row(course.SwapBag, fresh="initialize"),
    "redirect_experience": row(course.Redirect, section="investigator_count"),
    "embark": row(course.Embark, "location", "may_return", "transit"),
    "unlock_map": _map_change,
    "unlock_location": _map_change,
    "lock_location": _map_change,
    "unlock_dossier": _map_change,
    "hide_dossier": _map_change,
}
_SCENARIO_SETTINGS: Effects = {
    "playing_scenario": row(course.Players),
    "lead_investigator": row(course.Lead),
    "add_investigator": row(course.JoinScenario, code="fixed_investigator"),
    "investigator_status": row(
        course.Outcome, status=known("investigator_status", course.OUTCOMES)
    ),
    "scenario_status": row(
        course.ScenarioStatus, "resolution", status=known("status", course.STATUSES)
    ),
    "play_scenario_step_id": row(course.HubStep, step="step_id"),
}


def _supplies(here: Cursor) -> tuple[str, ...]:
    return tuple(supply.text("id") for supply in here.items("supplies"))


def partner(here: Cursor) -> str:
    """The partner that a guide names."""
    is_named = here.raw.get("partner") == "$fixed_partner"
    return here.text("fixed_partner") if is_named else ""


_BEARERS = frozenset({"investigator", "enemy", "steal", "return"})
_text = row(do.LogText, "section", "id")
_shown = row(do.Shown, "steps")
EFFECTS: Effects = {
    "earn_xp": row(
        do.EarnExperience,
        "bonus",
        "side_scenario_cost",
        scale=lambda here: here.number("input_scale") or 1,
        pool=known_or("special_xp", POOLS),
        emptied_pool=known_or("transfer_special_xp", POOLS),
        **_CONCERNS,
    ),
    "trauma": row(
        do.Trauma,
        *("physical", "mental", "set_physical", "set_mental", "killed", "insane"),
        healed="heal_input",
        either="mental_or_physical",
        **_CONCERNS,
    ),
    "add_card": row(
        do.AddCard,
        "card",
        "optional",
        beyond_limit="ignore_deck_limit",
        aside="non_story",
        **_CONCERNS,
    ),
    "remove_card": row(
        do.RemoveCard,
        "card",
        "exile",
        who=_who_if_said,
        fixed=_fixed_if_said,
        aside="non_story",
    ),
    "replace_card": row(
        do.ReplaceCard,
        old="old_card",
        new="new_card",
        who=_who_if_said,
        holding="has_card",
    ),
    "add_weakness": row(
        do.AddWeakness,
        "choose_only",
        "standalone",
        traits="weakness_traits",
        count_carried=lambda here: here.raw.get("count") == do.INPUT,
        **_CONCERNS,
    ),
    "set_card_count": row(do.CardCount, "card", "quantity"),
    "campaign_log": row(
        do.LogLine, "section", "id", mark=_mark, seat_section="investigator_section"
    ),
    "campaign_log_cards": row(
        do.LogCards, "section", "id", "codes", cards=_cards, mark=_mark
    ),
    "campaign_log_count": row(
        do.LogCount,
        *("section", "id", "value"),
        tally=_tally,
        least="min",
        second="alternate",
    ),
    "campaign_log_investigator_count": row(
        do.SeatCount,
        "section",
        "value",
        id=text_or("id", "$count"),
        tally=_tally,
        least="min",
        **_CONCERNS,
    ),
    "campaign_log_assign_task": row(
        do.AssignTask, "section", "id", "task_section", "task_id"
    ),
    "campaign_log_task": row(
        do.TaskCount, "section", "id", "value", tally=_tally, least="min"
    ),
    "campaign_log_text": _text,
    "freeform_campaign_log": _text,
    "add_chaos_token": _tokens,
    "remove_chaos_token": _tokens,
    "campaign_data": by_kind(_SETTINGS, "setting"),
    "scenario_data": by_kind(_SCENARIO_SETTINGS, "setting"),
    "gain_supplies": row(do.GainSupplies, "section", supplies=_supplies),
    "lose_supplies": row(do.LoseSupplies, "section", "supply"),
    "partner_status": row(
        do.PartnerStatus,
        "section",
        status=known("status", PARTNER_WORDS),
        partner=partner,
        added=lambda here: here.raw.get("operation") != "remove",
    ),
    "scarlet_key": row(
        do.BindKey,
        "section",
        key="scarlet_key",
        bearer=known("bearer_type", _BEARERS),
        enemy="enemy_code",
    ),
    "backup_state": row(
        course.Backup, restore=lambda here: here.raw.get("operation") == "restore"
    ),
    "upgrade_decks": row(course.Bank),
    "save_decks": row(course.BankCards, experience="adjust_xp"),
    "story_step": _shown,
    "check_campaign_log_cards": _shown,
    "check_campaign_log_count": _shown,
}
read_effect = by_kind(EFFECTS)
