"""What conditions ask of the scenario, the campaign, the bag and the map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arkham.rules.campaign.conditions.matching import Matches, chosen
from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.state.state import State, replay_number


def _player_count(state: State, condition: ask.PlayerCount) -> Matches:
    count = len(state.players)
    return chosen(condition.options, count, None, (count,))


def _resolution(state: State, condition: ask.ResolutionCheck) -> Matches:
    resolution = state.latest.resolution
    key: bool | str = bool(resolution) if condition.any_at_all else resolution
    return chosen(condition.options, key)


def _outcome(state: State, condition: ask.OutcomeCheck) -> Matches:
    if condition.fixed:
        # The app looks the investigator up in a way that never finds anybody.
        met = state.strict and (
            condition.fixed in state.outcome_group(condition.status)
        )
        return chosen(condition.options, met)
    if condition.status == "alive":
        outcomes = state.outcomes()
        met = any(outcomes.get(code) == "alive" for code in state.alive())
    elif condition.status == "defeated" and state.strict:
        # A defeat that killed somebody is one too (ELIM-14); the app forgets it.
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
    """Whether a scenario waits to be played next, or this one to be replayed."""
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
