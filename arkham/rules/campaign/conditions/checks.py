"""Evaluates checks of people, the scenario, the campaign, the bag and the map.

Also defines the result of a check: matches, with the codes and numbers they pass on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.conditions import ConditionOption, ConditionOptions
from arkham.rules.campaign.model.guide import replay_number
from arkham.rules.campaign.state.lookup import partners_matching
from arkham.rules.campaign.state.state import State


class Match(NamedTuple):
    """A selected option, with the codes and numbers it passes on."""

    option: ConditionOption
    codes: tuple[str, ...] | None = None
    numbers: tuple[int, ...] | None = None


Matches = list[Match]
NONE: Matches = []


def chosen(
    options: ConditionOptions,
    key: Any,
    codes: tuple[str, ...] | None = None,
    numbers: tuple[int, ...] | None = None,
) -> Matches:
    """Return the option for a key, else the default, else nothing."""
    option = options.by_key.get(key)
    if option is None:
        option = options.default
        if option is None:
            return NONE
    return [Match(option, codes, numbers)]


def grouped(options: ConditionOptions, keys: list[tuple[str, Any]]) -> Matches:
    """Return a match for each option, with the investigators whose key selects it."""
    groups: dict[Any, list[str]] = {}
    for code, key in keys:
        groups.setdefault(key, []).append(code)
    found: Matches = []
    rest: list[str] = []
    for key, option in options.by_key.items():
        if key in groups:
            found.append(Match(option, tuple(groups[key])))
    if options.default is not None:
        rest = [code for code, key in keys if key not in options.by_key]
        if rest:
            found.append(Match(options.default, tuple(rest)))
    return found


def _player_count(state: State, condition: ask.PlayerCount) -> Matches:
    count = len(state.players)
    return chosen(condition.options, count, None, (count,))


def _resolution(state: State, condition: ask.ResolutionCheck) -> Matches:
    resolution = state.latest.resolution
    key: bool | str = bool(resolution) if condition.any_at_all else resolution
    return chosen(condition.options, key)


def _outcome(state: State, condition: ask.OutcomeCheck) -> Matches:
    if condition.fixed:
        group = state.outcome_group(condition.status)
        met = state.policy.finds_named_defeated and any(
            each in group for each in state.playing_as(condition.fixed)
        )
        return chosen(condition.options, met)
    if condition.status == "alive":
        outcomes = state.outcomes()
        met = any(outcomes.get(code) == "alive" for code in state.alive())
    elif condition.status == "defeated" and state.policy.counts_dead_as_defeated:
        met = bool(state.outcome_group("defeated"))
    else:
        group = state.outcome_group(condition.status)
        met = any(code in group for code in state.alive())
    return chosen(condition.options, met)


def _campaign(state: State, condition: ask.CampaignCheck) -> Matches:
    return chosen(condition.options, _CAMPAIGN[condition.question](state, condition))


_CAMPAIGN: dict[str, Callable[[State, ask.CampaignCheck], Any]] = {
    "difficulty": lambda state, _: state.difficulty or "standard",
    "cycle": lambda state, _: state.guide.id,
    "version": lambda state, check: state.version >= check.least,
    "scenario_completed": lambda state, check: (
        state.statuses.get(check.value) == "completed"
    ),
    "scenario_replayed": lambda state, check: state.replays.get(check.value, 0) > 0,
    "standalone": lambda state, _: state.standalone,
    "linked_campaign": lambda state, _: state.linked,
    "next_scenario": lambda state, _: is_next_known(state),
    "investigator_status": lambda state, _: bool(state.alive()),
}


def is_next_known(state: State) -> bool:
    """Return whether a next scenario is set, or this one is to be replayed."""
    if state.next_scenarios:
        return True
    base = state.scenario.partition("#")[0]
    return replay_number(state.scenario) < state.replays.get(base, 0)


def _bag(state: State, condition: ask.BagCheck) -> Matches:
    count = state.bag.get(condition.token, 0)
    return chosen(condition.options, count, None, (count,))


def _location(state: State, condition: ask.LocationCheck) -> Matches:
    if condition.status == "current":
        return chosen(condition.options, state.map.location == condition.location)
    return chosen(condition.options, condition.location in state.map.visited)


def _key(state: State, condition: ask.KeyCheck) -> Matches:
    for key, investigator, enemy in state.map.keys:
        if key == condition.key:
            held = (
                bool(enemy)
                if condition.status == "enemy"
                else (bool(investigator) and not enemy)
            )
            return chosen(condition.options, held)
    return chosen(condition.options, False)


def _key_count(state: State, condition: ask.KeyCount) -> Matches:
    count = sum(
        bool(enemy) if condition.status == "enemy" else bool(bearer) and not enemy
        for _, bearer, enemy in state.map.keys
    )
    return chosen(condition.options, count, None, (count,))


CAMPAIGN_DECIDERS: dict[type, Callable[[State, Any], Matches]] = {
    ask.PlayerCount: _player_count,
    ask.ResolutionCheck: _resolution,
    ask.OutcomeCheck: _outcome,
    ask.CampaignCheck: _campaign,
    ask.BagCheck: _bag,
    ask.LocationCheck: _location,
    ask.KeyCheck: _key,
    ask.KeyCount: _key_count,
}


def _has_card(state: State, condition: ask.HasCard) -> Matches:
    card = condition.card

    def has(code: str) -> bool:
        person = state.people.get(code)
        return (
            person is not None and bool(person.story) and card in (person.story or ())
        )

    if condition.who == "each":
        return grouped(condition.options, [(code, has(code)) for code in state.alive()])
    if condition.who == "defeated":
        codes = tuple(code for code in state.outcome_group("defeated") if has(code))
    else:
        codes = tuple(code for code in state.everybody() if has(code))
    return chosen(condition.options, bool(codes), codes)


def _trauma(state: State, condition: ask.TraumaCheck) -> Matches:
    trauma = condition.trauma
    if condition.who == "each":
        return grouped(
            condition.options,
            [(code, _suffers(state, code, trauma)) for code in state.alive()],
        )
    if condition.who == "lead":
        lead = state.lead
        met = bool(lead) and _suffers(state, lead, trauma)
    else:
        met = all(_suffers(state, code, trauma) for code in state.everybody())
    return chosen(condition.options, met)


def _suffers(state: State, code: str, trauma: str) -> bool:
    if trauma == "physical":
        return state.trauma(code)[0] > 0
    if trauma == "mental":
        return state.trauma(code)[1] > 0
    if trauma == "killed":
        return state.is_killed(code)
    if trauma == "insane":
        return state.is_insane(code)
    return not state.is_eliminated(code)


def _supplies(state: State, condition: ask.SuppliesCheck) -> Matches:
    people = state.seat_sections.get(condition.section, {})

    def has(code: str) -> bool:
        own = people.get(code)
        return own is not None and any(
            not line.crossed_out and line.number > 0 for line in own.named(condition.id)
        )

    having = [(code, has(code)) for code in state.alive()]
    if condition.who == "all":
        return grouped(condition.options, having)
    codes = tuple(code for code, there in having if there)
    if not state.policy.names_the_supplied:
        return chosen(condition.options, bool(codes))
    return chosen(condition.options, bool(codes), codes)


def _partners(state: State, condition: ask.PartnerCheck) -> Matches:
    return grouped(condition.options, partners_matching(state, condition))


def _investigators(state: State, condition: ask.InvestigatorCheck) -> Matches:
    by_key = condition.options.by_key
    if condition.each:
        keys = [
            (code, found[0])
            for code in state.alive()
            if (found := trait_options(state, code, condition.data, by_key))
        ]
        return grouped(condition.options, keys)
    chosen: ConditionOption | None = None
    codes: list[str] = []
    for code in state.alive():
        if code in condition.excluded:
            continue
        found = trait_options(state, code, condition.data, by_key)
        if found:
            codes.append(code)
            chosen = by_key[found[0]]
    if chosen is None:
        chosen = condition.options.default
    return [Match(chosen, tuple(codes))] if chosen is not None else NONE


def trait_options(
    state: State, code: str, data: str, by_key: dict[Any, ConditionOption]
) -> list[str]:
    """Return the keys that an investigator meets, in the order of the options."""
    if data == "code":
        return [key for key in by_key if key == code]
    printed = state.investigators.get(code)
    if printed is None:
        return []
    if data == "trait":  # guides differ in capitalization
        own = {trait.lower() for trait in printed.traits}
        return [key for key in by_key if key.lower() in own]
    return [key for key in by_key if key == printed.card_class]


PEOPLE_DECIDERS: dict[type, Callable[[State, Any], Matches]] = {
    ask.HasCard: _has_card,
    ask.TraumaCheck: _trauma,
    ask.SuppliesCheck: _supplies,
    ask.PartnerCheck: _partners,
    ask.InvestigatorCheck: _investigators,
}
