"""Applies the effects of a guide to a campaign: scenarios, bag, map, results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from arkham.rules.campaign.effects.log import LOG_EFFECTS
from arkham.rules.campaign.effects.people import PEOPLE_EFFECTS
from arkham.rules.campaign.effects.ultimatums import ULTIMATUM_EFFECTS, put_in
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Codes, Numbers
from arkham.rules.campaign.model.guide import PASSING_TOKENS, SETUP, TOKEN_KINDS
from arkham.rules.campaign.state.ledger import UPGRADED, Banked, Game
from arkham.rules.campaign.state.state import State

Apply: TypeAlias = Callable[[State, Any, Codes, Numbers], None]


def apply(state: State, effect: do.Effect, codes: Codes, numbers: Numbers) -> None:
    """Apply one effect; ``codes`` and ``numbers`` are those passed on by the step."""
    APPLY[effect.__class__](state, effect, codes, numbers)


def _tokens(state: State, effect: course.Tokens, codes: Codes, _: Numbers) -> None:
    bag = state.bag
    tokens = effect.tokens
    is_input = do.INPUT in tokens  # the players say how many
    if is_input:
        tokens = tuple(code for code in codes for _each in tokens)
    for token in tokens:
        if token not in TOKEN_KINDS:
            state.trouble.append(("bag.token", token))
            continue
        had = bag.get(token, 0)
        count = had + effect.sign
        if state.ultimatums and effect.sign > 0 and not is_input:
            count = put_in(state, token, had)
        most = state.policy.token_limit(token)
        if most is not None and count > most:
            count = most if state.policy.limits_the_bag else max(had, most)
            state.trouble.append(("bag.limit", token))
        count = max(count, 0)
        bag[token] = count
        if count != had:
            state.note("token", token, count - had)


def _swap_bag(state: State, effect: course.SwapBag, _: Codes, __: Numbers) -> None:
    if effect.fresh:
        state.other_bag, state.bag = state.bag, {}
    else:
        state.bag, state.other_bag = state.other_bag, state.bag
    state.note("bag", "", "fresh" if effect.fresh else "swapped")


def _result(state: State, effect: course.SetResult, _: Codes, __: Numbers) -> None:
    state.campaign_result = effect.value
    state.note("result", "", effect.value)


def _difficulty(
    state: State, effect: course.SetDifficulty, _: Codes, __: Numbers
) -> None:
    state.difficulty = effect.value
    state.note("difficulty", "", effect.value)


def _next(state: State, effect: course.NextScenario, _: Codes, __: Numbers) -> None:
    waiting = state.next_scenarios
    if not state.policy.repeats_scenarios:
        waiting = _without(waiting, effect.scenario)
    state.next_scenarios = (*waiting, effect.scenario)
    if effect.continuation:
        state.games[effect.scenario] = state.latest._replace(
            outcomes=(), resolution="", hub_step=""
        )
        state.no_side_scenario = True
    state.note("next_scenario", effect.scenario, True)


def _skip(state: State, effect: course.SkipScenario, _: Codes, __: Numbers) -> None:
    state.statuses[effect.scenario] = "skipped"
    state.note("scenario", effect.scenario, "skipped")


def _before(state: State, effect: course.PlayedBefore, _: Codes, __: Numbers) -> None:
    state.statuses[effect.scenario] = "completed"
    state.note("scenario", effect.scenario, "completed")


def _replay(state: State, effect: course.ReplayScenario, _: Codes, __: Numbers) -> None:
    state.replays[effect.scenario] = state.replays.get(effect.scenario, 0) + 1
    state.note("replay", effect.scenario, 1)


def _order(state: State, effect: course.SetScenarios, _: Codes, __: Numbers) -> None:
    state.order = effect.scenarios
    state.note("order", "", effect.scenarios)


def _redirect(state: State, effect: course.Redirect, _: Codes, __: Numbers) -> None:
    state.redirect = effect.section
    state.note("redirect", "", effect.section)


# --- the scenario being played


def _write_game(state: State, game: Game) -> None:
    state.games[state.scenario] = game
    state.latest = game


def _game(state: State) -> Game:
    return state.games.get(state.scenario) or Game()


def _players(state: State, _: course.Players, codes: Codes, __: Numbers) -> None:
    _write_game(state, _game(state)._replace(players=codes))
    state.note("players", state.scenario, codes)


def _lead(state: State, _: course.Lead, codes: Codes, __: Numbers) -> None:
    _write_game(state, _game(state)._replace(lead=codes[0] if codes else ""))
    state.note("lead", state.scenario, codes[0] if codes else "")


def _join(state: State, effect: course.JoinScenario, _: Codes, __: Numbers) -> None:
    game = _game(state)
    players = game.players or ()
    if effect.code not in players:
        _write_game(state, game._replace(players=(*players, effect.code)))
        state.note("players", state.scenario, (*players, effect.code))


def _outcome(state: State, effect: course.Outcome, codes: Codes, __: Numbers) -> None:
    game = _game(state)
    outcomes = dict(game.outcomes)
    for code in codes:
        outcomes[code] = effect.status
        state.note("outcome", code, effect.status)
    _write_game(state, game._replace(outcomes=tuple(outcomes.items())))


def _status(state: State, effect: course.ScenarioStatus, _: Codes, __: Numbers) -> None:
    scenario = state.scenario
    state.statuses[scenario] = effect.status
    if effect.status == "started":
        pop_scenario(state)
        state.no_side_scenario = False
        game = state.games.get(scenario)
        if game is not None:
            state.latest = game
        else:
            _write_game(state, Game())
    elif effect.status == "resolution" and effect.resolution:
        _write_game(state, _game(state)._replace(resolution=effect.resolution))
    elif effect.status == "completed" and scenario != SETUP:
        _clean_up(state)
    state.note("scenario", scenario, effect.status)


def _clean_up(state: State) -> None:
    """Remove bless and curse tokens from the bag; frost stays (BAG-09, BAG-11)."""
    if state.policy.keeps_passing_tokens:
        return
    for token in PASSING_TOKENS:
        left = state.bag.pop(token, 0)
        if left:
            state.note("token", token, -left)


def _hub_step(state: State, effect: course.HubStep, _: Codes, __: Numbers) -> None:
    game = state.games.get(state.scenario)
    if game is not None or state.policy.keeps_early_play_step:
        _write_game(state, (game or Game())._replace(hub_step=effect.step))


def pop_scenario(state: State) -> None:
    """Remove the current scenario from the next ones, as it has begun."""
    if state.next_scenarios and state.next_scenarios[-1] == state.scenario:
        state.next_scenarios = state.next_scenarios[:-1]


# --- the map


def _map_change(state: State, effect: course.MapChange, _: Codes, __: Numbers) -> None:
    held = state.map
    place = effect.value
    match effect.change:
        case "unlock_map":
            held = held._replace(shown=True)
        case "unlock_location" if place not in held.unlocked:
            held = held._replace(unlocked=(*held.unlocked, place))
        case "lock_location":
            held = held._replace(unlocked=_without(held.unlocked, place))
        case "unlock_dossier" if place not in held.dossiers:
            held = held._replace(dossiers=(*held.dossiers, place))
        case "hide_dossier":
            held = held._replace(dossiers=_without(held.dossiers, place))
    state.map = held
    state.note("map", place, effect.change)


def _without(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return tuple(each for each in values if each != value)


def _embark(state: State, effect: course.Embark, _: Codes, __: Numbers) -> None:
    held = state.map
    if effect.location:
        left = held.location
        held = _visit(held, effect.location)
        if effect.may_return:
            held = held._replace(visited=_without(held.visited, left))
        held = held._replace(location=effect.location)
    state.map = held._replace(embark=not effect.location)
    state.note("map", effect.location, "embark")


def _visit(held: Any, place: str) -> Any:
    if place in held.visited:
        return held
    return held._replace(visited=(*held.visited, place))


def _travel(state: State, effect: course.Travel, _: Codes, __: Numbers) -> None:
    held = state.map
    if effect.returning and effect.departure:
        held = held._replace(visited=_without(held.visited, effect.departure))
    if not effect.transit or state.policy.visits_in_transit:
        held = _visit(held, effect.destination)
    state.map = held._replace(location=effect.destination, embark=False)
    state.note("map", effect.destination, "travelled")
    if effect.next_scenario != "$side_scenario":
        _next(state, course.NextScenario(effect.next_scenario), (), ())


def _bind_key(state: State, effect: do.BindKey, codes: Codes, __: Numbers) -> None:
    keys = {key: (bearer, enemy) for key, bearer, enemy in state.map.keys}
    bearer, _ = keys.get(effect.key, ("", ""))
    carried = codes[0] if codes else ""
    match effect.bearer:
        case "investigator":
            keys[effect.key] = (carried, "")
        case "enemy":
            keys[effect.key] = ("", effect.enemy or carried)
        case "steal":
            keys[effect.key] = (bearer, effect.enemy or carried)
        case "return":
            keys[effect.key] = (bearer, "")
    state.map = state.map._replace(
        keys=tuple((key, *bearers) for key, bearers in keys.items())
    )
    state.note("key", effect.key, keys.get(effect.key, ("", "")))


# --- decks, and the state as a whole


def _bank(state: State, effect: course.Bank, _: Codes, __: Numbers) -> None:
    if effect.spent:
        state.upgraded = state.scenario
    state.banked_in = state.scenario
    for code, person in state.people.items():
        state.banked[code] = person.bank(person.experience)
    state.note(UPGRADED, "", effect.spent)


def _bank_cards(state: State, effect: course.BankCards, _: Codes, __: Numbers) -> None:
    state.banked_in = state.scenario
    for code, person in state.people.items():
        banked = state.banked.get(code) or Banked()
        experience = person.experience if effect.experience else banked.experience
        state.banked[code] = person.bank(experience)


def _backup(state: State, effect: course.Backup, _: Codes, __: Numbers) -> None:
    if not effect.restore:
        state.kept = state.copy()
        return
    kept = state.kept
    if kept is None:
        return
    causes, cause, ultimatums = state.causes, state.cause, state.ultimatums
    again = kept.copy()
    for name in State.__slots__:
        setattr(state, name, getattr(again, name))
    state.kept = None
    state.causes, state.cause, state.ultimatums = causes, cause, ultimatums


def _shown(_: State, __: do.Shown, ___: Codes, ____: Numbers) -> None:
    """Do nothing: the text is only read."""


APPLY: dict[type, Apply] = {
    course.Tokens: _tokens,
    course.SwapBag: _swap_bag,
    course.SetResult: _result,
    course.SetDifficulty: _difficulty,
    course.NextScenario: _next,
    course.SkipScenario: _skip,
    course.PlayedBefore: _before,
    course.ReplayScenario: _replay,
    course.SetScenarios: _order,
    course.Redirect: _redirect,
    course.Players: _players,
    course.Lead: _lead,
    course.JoinScenario: _join,
    course.Outcome: _outcome,
    course.ScenarioStatus: _status,
    course.HubStep: _hub_step,
    course.MapChange: _map_change,
    course.Embark: _embark,
    course.Travel: _travel,
    do.BindKey: _bind_key,
    course.Bank: _bank,
    course.BankCards: _bank_cards,
    course.Backup: _backup,
    do.Shown: _shown,
    **LOG_EFFECTS,
    **PEOPLE_EFFECTS,
    **ULTIMATUM_EFFECTS,
}
