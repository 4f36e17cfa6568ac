"""Effects of the field's format → effects of ours: one small reader for each.

It is longer than other modules because the vocabulary of effects is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch, Effect, Mark, Tally
from arkham.rules.campaign.model.guide import TOKEN_KINDS
from arkham.rules.campaign.reading.fields import POOLS, Fields, Raw

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
_BEARERS = frozenset({"investigator", "enemy", "steal", "return"})
_PARTNER_WORDS = frozenset(
    {
        "eliminated", "resolute", "mia", "safe", "victim", "cannot_take", "the_entity",
        "heal_damage", "heal_horror",
    }
)  # fmt: skip
_MAP_CHANGES = frozenset(
    {"unlock_location", "lock_location", "unlock_dossier", "hide_dossier"}
)


def read_batch(fields: Fields, raws: list[Raw], at: str) -> Batch | None:
    """A list of effects, or None if there are none."""
    if not raws:
        return None
    effects = []
    for index, raw in enumerate(raws):
        effect = read_effect(fields, raw, f"{at}[{index}]")
        if effect is not None:
            effects.append(effect)
    return do.batch(*effects)


def read_batches(fields: Fields, raw: Raw, at: str) -> tuple[Batch, ...]:
    """The effects of a choice or option: those before the border, then the others."""
    found = []
    for key in ("pre_border_effects", "effects"):
        if raw.get(key):
            batch = read_batch(fields, fields.items(raw, key, at), f"{at}.{key}")
            if batch is not None:
                found.append(batch)
    return tuple(found)


def bonus_only(batch: Batch) -> Batch:
    """A batch whose experience is its bonus where one is named, not a number too."""
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
    """A batch in which the number that becomes experience is of the victory display."""
    return Batch(
        tuple(
            replace(effect, victory=True)
            if isinstance(effect, do.EarnExperience)
            else effect
            for effect in batch.plain
        ),
        tuple(
            replace(effect, victory=True)
            if isinstance(effect, do.EarnExperience)
            else effect
            for effect in batch.personal
        ),
    )


def with_named_costs(batch: Batch | None) -> Batch | None:
    """A batch that asks the price of a side scenario: one whom it names pays more."""
    if batch is None or not any(
        isinstance(effect, do.EarnExperience) and effect.side_scenario_cost
        for effect in (*batch.plain, *batch.personal)
    ):
        return batch
    return Batch(batch.plain, tuple(_as_cost(each) for each in batch.personal))


def _as_cost(effect: Effect) -> Effect:
    match effect:
        case do.EarnExperience(bonus=bonus, side_scenario_cost=False) if bonus < 0:
            return replace(effect, named_cost=True)
    return effect


def read_effect(fields: Fields, raw: Raw, at: str) -> Effect | None:
    """One effect, or None, with a flaw, if its kind is unknown."""
    kind = fields.known(raw, "type", at, _READERS)
    return _READERS[kind](fields, raw, at) if kind else None


def _who(fields: Fields, raw: Raw, at: str) -> tuple[str, str]:
    """Whom an effect concerns, and the one named if it is a fixed one."""
    kind = fields.known(raw, "investigator", at, _WHO)
    fixed = fields.text(raw, "fixed_investigator", at)
    if kind == "$fixed_investigator" and not fixed:
        fields.flaw("guide.missing", f"{at}.fixed_investigator", None, "a code")
    return _WHO.get(kind, "input"), fixed


def _earn(fields: Fields, raw: Raw, at: str) -> Effect:
    who, fixed = _who(fields, raw, at)
    return do.EarnExperience(
        who,
        fixed,
        fields.number(raw, "bonus", at),
        fields.number(raw, "input_scale", at) or 1,
        fields.flag(raw, "side_scenario_cost", at),
        fields.known_if_said(raw, "special_xp", at, POOLS),
        fields.known_if_said(raw, "transfer_special_xp", at, POOLS),
    )


def _trauma(fields: Fields, raw: Raw, at: str) -> Effect:
    who, fixed = _who(fields, raw, at)
    return do.Trauma(
        who,
        fixed,
        fields.number(raw, "physical", at),
        fields.number(raw, "mental", at),
        fields.number_or_none(raw, "set_physical", at),
        fields.number_or_none(raw, "set_mental", at),
        fields.flag(raw, "killed", at),
        fields.flag(raw, "insane", at),
        fields.text(raw, "heal_input", at),
        fields.number_or_none(raw, "mental_or_physical", at),
    )


def _add_card(fields: Fields, raw: Raw, at: str) -> Effect:
    who, fixed = _who(fields, raw, at)
    return do.AddCard(
        who,
        fields.text(raw, "card", at),
        fixed,
        fields.flag(raw, "optional", at),
        fields.flag(raw, "ignore_deck_limit", at),
        fields.flag(raw, "non_story", at),
    )


def _remove_card(fields: Fields, raw: Raw, at: str) -> Effect:
    who, fixed = _who(fields, raw, at) if "investigator" in raw else ("", "")
    return do.RemoveCard(
        fields.text(raw, "card", at),
        who,
        fixed,
        fields.flag(raw, "non_story", at),
        fields.flag(raw, "exile", at),
    )


def _replace_card(fields: Fields, raw: Raw, at: str) -> Effect:
    who, _ = _who(fields, raw, at) if "investigator" in raw else ("", "")
    return do.ReplaceCard(
        fields.text(raw, "old_card", at),
        fields.text(raw, "new_card", at),
        who,
        fields.text(raw, "has_card", at),
    )


def _weakness(fields: Fields, raw: Raw, at: str) -> Effect:
    who, fixed = _who(fields, raw, at)
    return do.AddWeakness(
        who,
        fixed,
        fields.words(raw, "weakness_traits", at),
        fields.flag(raw, "choose_only", at),
        fields.flag(raw, "standalone", at),
        raw.get("count") == do.INPUT,
    )


def _card_count(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.CardCount(
        fields.text(raw, "card", at), fields.number(raw, "quantity", at)
    )


def _mark(fields: Fields, raw: Raw, at: str) -> Mark:
    if "cross_out" in raw:
        return Mark.CROSS_OUT if fields.flag(raw, "cross_out", at) else Mark.RESTORE
    if fields.flag(raw, "remove", at):
        return Mark.REMOVE
    return Mark.CIRCLE if "decorate" in raw else Mark.RECORD


def _line(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.LogLine(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        _mark(fields, raw, at),
        fields.text(raw, "investigator_section", at),
    )


def _cards(fields: Fields, raw: Raw, at: str) -> Effect:
    cards = fields.known(raw, "cards", at, _CARDS) if "cards" in raw else ""
    return do.LogCards(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        cards,
        fields.words(raw, "codes", at),
        _mark(fields, raw, at),
    )


def _tally(fields: Fields, raw: Raw, at: str) -> Tally:
    return _TALLIES.get(fields.known(raw, "operation", at, _TALLIES), Tally.ADD)


def _count(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.LogCount(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        _tally(fields, raw, at),
        fields.number(raw, "value", at),
        fields.number_or_none(raw, "min", at),
        fields.flag(raw, "alternate", at),
    )


def _seat_count(fields: Fields, raw: Raw, at: str) -> Effect:
    who, fixed = _who(fields, raw, at)
    return do.SeatCount(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at, "$count"),
        who,
        fixed,
        _tally(fields, raw, at),
        fields.number(raw, "value", at),
        fields.number_or_none(raw, "min", at),
    )


def _assign(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.AssignTask(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        fields.text(raw, "task_section", at),
        fields.text(raw, "task_id", at),
    )


def _task(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.TaskCount(
        fields.text(raw, "section", at),
        fields.text(raw, "id", at),
        _tally(fields, raw, at),
        fields.number(raw, "value", at),
        fields.number_or_none(raw, "min", at),
    )


def _text(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.LogText(fields.text(raw, "section", at), fields.text(raw, "id", at))


def _tokens(fields: Fields, raw: Raw, at: str) -> Effect:
    sign = 1 if raw["type"] == "add_chaos_token" else -1
    tokens = fields.words(raw, "tokens", at)
    for index, token in enumerate(tokens):
        if token not in TOKEN_KINDS and token != do.INPUT:
            listed = ", ".join(sorted(TOKEN_KINDS))
            fields.flaw("guide.unknown-kind", f"{at}.tokens[{index}]", token, listed)
    return do.Tokens(tokens, sign)


def _campaign(fields: Fields, raw: Raw, at: str) -> Effect | None:
    setting = fields.known(raw, "setting", at, _SETTINGS)
    return _SETTINGS[setting](fields, raw, at) if setting else None


def _scenario(fields: Fields, raw: Raw, at: str) -> str:
    scenario = fields.text(raw, "scenario", at)
    if not scenario:
        fields.flaw("guide.missing", f"{at}.scenario", None, "a scenario's id")
    return scenario


def _map_change(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.MapChange(raw["setting"], fields.text(raw, "value", at))


_SETTINGS: dict[str, Callable[[Fields, Raw, str], Effect]] = {
    "result": lambda f, r, at: do.SetResult(f.known(r, "value", at, do.RESULTS)),
    "difficulty": lambda f, r, at: do.SetDifficulty(
        f.known(r, "value", at, frozenset({"easy", "standard", "hard", "expert"}))
    ),
    "next_scenario": lambda f, r, at: do.NextScenario(
        _scenario(f, r, at), f.flag(r, "prelude_continuation", at)
    ),
    "skip_scenario": lambda f, r, at: do.SkipScenario(_scenario(f, r, at)),
    "replay_scenario": lambda f, r, at: do.ReplayScenario(_scenario(f, r, at)),
    "set_scenarios": lambda f, r, at: do.SetScenarios(f.words(r, "scenarios", at)),
    "swap_chaos_bag": lambda f, r, at: do.SwapBag(f.flag(r, "initialize", at)),
    "redirect_experience": lambda f, r, at: do.Redirect(
        f.text(r, "investigator_count", at)
    ),
    "embark": lambda f, r, at: do.Embark(
        f.text(r, "location", at), f.flag(r, "may_return", at), f.flag(r, "transit", at)
    ),
    "unlock_map": _map_change,
    **dict.fromkeys(_MAP_CHANGES, _map_change),
}


def _scenario_data(fields: Fields, raw: Raw, at: str) -> Effect | None:
    setting = fields.known(raw, "setting", at, _SCENARIO_SETTINGS)
    return _SCENARIO_SETTINGS[setting](fields, raw, at) if setting else None


_SCENARIO_SETTINGS: dict[str, Callable[[Fields, Raw, str], Effect]] = {
    "playing_scenario": lambda f, r, at: do.Players(),
    "lead_investigator": lambda f, r, at: do.Lead(),
    "add_investigator": lambda f, r, at: do.JoinScenario(
        f.text(r, "fixed_investigator", at)
    ),
    "investigator_status": lambda f, r, at: do.Outcome(
        f.known(r, "investigator_status", at, do.OUTCOMES)
    ),
    "scenario_status": lambda f, r, at: do.ScenarioStatus(
        f.known(r, "status", at, do.STATUSES), f.text(r, "resolution", at)
    ),
    "play_scenario_step_id": lambda f, r, at: do.HubStep(f.text(r, "step_id", at)),
}


def _gain(fields: Fields, raw: Raw, at: str) -> Effect:
    supplies = fields.items(raw, "supplies", at)
    return do.GainSupplies(
        fields.text(raw, "section", at),
        tuple(fields.text(supply, "id", at) for supply in supplies),
    )


def _partner(fields: Fields, raw: Raw, at: str) -> Effect:
    named = raw.get("partner") == "$fixed_partner"
    return do.PartnerStatus(
        fields.text(raw, "section", at),
        fields.known(raw, "status", at, _PARTNER_WORDS),
        fields.text(raw, "fixed_partner", at) if named else "",
        raw.get("operation") != "remove",
    )


def _key(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.BindKey(
        fields.text(raw, "section", at),
        fields.text(raw, "scarlet_key", at),
        fields.known(raw, "bearer_type", at, _BEARERS),
        fields.text(raw, "enemy_code", at),
    )


def _shown(fields: Fields, raw: Raw, at: str) -> Effect:
    return do.Shown(fields.words(raw, "steps", at))


_READERS: dict[str, Callable[[Fields, Raw, str], Effect | None]] = {
    "earn_xp": _earn,
    "trauma": _trauma,
    "add_card": _add_card,
    "remove_card": _remove_card,
    "replace_card": _replace_card,
    "add_weakness": _weakness,
    "set_card_count": _card_count,
    "campaign_log": _line,
    "campaign_log_cards": _cards,
    "campaign_log_count": _count,
    "campaign_log_investigator_count": _seat_count,
    "campaign_log_assign_task": _assign,
    "campaign_log_task": _task,
    "campaign_log_text": _text,
    "freeform_campaign_log": _text,
    "add_chaos_token": _tokens,
    "remove_chaos_token": _tokens,
    "campaign_data": _campaign,
    "scenario_data": _scenario_data,
    "gain_supplies": _gain,
    "lose_supplies": lambda f, r, at: do.LoseSupplies(
        f.text(r, "section", at), f.text(r, "supply", at)
    ),
    "partner_status": _partner,
    "scarlet_key": _key,
    "backup_state": lambda f, r, at: do.Backup(r.get("operation") == "restore"),
    "upgrade_decks": lambda f, r, at: do.Bank(),
    "save_decks": lambda f, r, at: do.BankCards(f.flag(r, "adjust_xp", at)),
    "story_step": _shown,
    "check_campaign_log_cards": _shown,
    "check_campaign_log_count": _shown,
}
