"""When a campaign keeps its players from spending experience."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.finding import Finding, Rule, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import RETURN_TO, RETURNS

_UNDER_WAY = ("started", "resolution")
# Campaigns where experience is spent only when the guide says so (XP-22).
_OPENED_BY_GUIDE = frozenset({"tic"})
# The two parts of Heart of the Elders, here or in the Return (XP-21).
_PARTS = frozenset({"heart_of_the_elders_part_1", "heart_of_the_elders_part_2"})


@rule(
    "spending.between-games",
    rows=("XP-01", "XP-13"),
    cites=(rules_reference("Campaign Play"),),
)
def is_between_games(replay: Replay) -> Iterator[Finding]:
    """You upgrade decks between two games, after resolving the last one."""
    state = replay.state
    status = state.statuses.get(state.scenario)
    game = state.games.get(state.scenario)
    begun = status in _UNDER_WAY and bool(game and game.players)
    if begun and state.guide.is_game(state.scenario) and not _may_upgrade(replay):
        yield Finding(
            _("You upgrade decks between scenarios: finish this one first."),
            actual=state.scenario,
        )


@rule(
    "spending.parts",
    rows=("XP-21",),
    cites=(faq("Frequently Asked Questions: The Forgotten Age"),),
)
def is_not_between_parts(replay: Replay) -> Iterator[Finding]:
    """You can't spend experience between two parts that follow each other
    immediately."""
    state = replay.state
    part = state.scenario.partition("#")[0].removeprefix(RETURN_TO)
    if (state.no_side_scenario or part in _PARTS) and not _may_upgrade(replay):
        yield Finding(
            _("The next part follows immediately: spend experience after it."),
            actual=state.scenario,
        )


@rule(
    "spending.told",
    rows=("XP-22",),
    cites=(faq("Frequently Asked Questions: The Innsmouth Conspiracy"),),
)
def opened_by_guide(replay: Replay) -> Iterator[Finding]:
    """In The Innsmouth Conspiracy you spend experience only when the campaign guide
    says so."""
    state = replay.state
    if state.guide.id.removeprefix(RETURNS) not in _OPENED_BY_GUIDE:
        return
    over = [each.id for each in replay.scenarios if each.status == "completed"]
    games = [each for each in over if state.outcomes_of(each)]
    since_game = over[over.index(games[-1]) :] if games else []
    if games and state.upgraded not in since_game and not _is_upgrading(replay):
        yield Finding(
            _("You spend experience only when the campaign guide says so."),
            actual=state.scenario,
        )


SPENDING_RULES: tuple[Rule[Replay], ...] = (
    is_between_games,
    is_not_between_parts,
    opened_by_guide,
)


def closed_by(replay: Replay) -> Finding | None:
    """Why the players may not spend experience now; None where they may."""
    if replay.pending is None:  # it is over
        return None
    return next((found for each in SPENDING_RULES for found in each(replay)), None)


def is_under_way(replay: Replay) -> bool:
    """Whether a game is played or resolved, and decks are not upgraded after it yet."""
    return replay.pending is not None and any(is_between_games(replay))


def _may_upgrade(replay: Replay) -> bool:
    """Whether decks are, or were, brought up to date after this scenario."""
    return _is_upgrading(replay) or replay.state.upgraded == replay.state.scenario


def _is_upgrading(replay: Replay) -> bool:
    return replay.pending is not None and replay.pending.spends
