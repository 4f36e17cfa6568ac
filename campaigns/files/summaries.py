"""Stored summaries of campaigns, so that statistics need no folds.

A summary has a mark of the log it was made from, and is made again for another log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from django.db import IntegrityError

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import TRANSFERRED, Stated
from arkham.rules.campaign.state.ledger import COST, PAID, Game, Person
from arkham.rules.legality.verdict import RULES_VERSION
from campaigns.guides.opening import GuideMissing
from campaigns.log import entries
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Summary
from cardpool.catalog import current_pool

VERSION = 3  # of the counts
MOST_ANEW = 40  # made at once; the rest is made next time


class FinishedGame(NamedTuple):
    """A finished game: its resolution, and its players' total experience."""

    scenario: str
    name: str
    resolution: str
    players: int
    experience: int


class PlayedInvestigator(NamedTuple):
    """An investigator of a campaign: games, experience, trauma and fate.

    What they brought from another campaign counts there.
    """

    code: str
    games: int
    experience: int
    physical: int
    mental: int
    fate: str


class Counted(NamedTuple):
    """The counts that statistics need from one campaign."""

    result: str = ""
    difficulty: str = ""
    scenarios: tuple[FinishedGame, ...] = ()
    people: tuple[PlayedInvestigator, ...] = ()


def counted(campaigns: Iterable[Campaign]) -> dict[int, Counted]:
    """Return the counts of each campaign, by its key.

    Campaigns without a summary are folded, up to ``MOST_ANEW``; unreadable ones are
    left out. Expects ``summary``, ``guide`` and ``linked__guide`` to be loaded.
    """
    pool = current_pool().version
    found: dict[int, Counted] = {}
    made: list[Summary] = []
    for campaign in campaigns:
        mark = _mark(campaign, pool)
        kept = getattr(campaign, "summary", None)
        if kept is not None and kept.mark == mark:
            found[campaign.pk] = entries.read(Counted, kept.content)
        elif len(made) < MOST_ANEW:
            content = _folded(campaign)
            if content is None:
                continue
            found[campaign.pk] = content
            data = entries.write(content, Counted)
            made.append(Summary(campaign=campaign, mark=mark, content=data))
    _keep(made)
    return found


def _keep(made: list[Summary]) -> None:
    """Store all summaries; none if one of the campaigns was just deleted."""
    if not made:
        return
    with suppress(IntegrityError):
        Summary.objects.bulk_create(
            made,
            update_conflicts=True,
            unique_fields=["campaign"],
            update_fields=["mark", "content"],
        )


def _mark(campaign: Campaign, pool: str) -> str:
    linked = campaign.linked
    parts = (
        str(VERSION),
        RULES_VERSION,
        pool,
        campaign.head,
        campaign.guide.digest,
        campaign.guide.side_digest,
        linked.head if linked is not None else "",
        "" if campaign.heard is None else str(campaign.heard),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _folded(campaign: Campaign) -> Counted | None:
    try:
        return summary_of(replayed(campaign).replay)
    except (LogBroken, GuideMissing):
        return None


def summary_of(replay: Replay) -> Counted:
    """Return the counts of a campaign."""
    state = replay.state
    arrived = {
        each.sequence
        for each in replay.used
        if isinstance(each, Stated) and each.reason == TRANSFERRED
    }
    earned: _Sums = {}
    transferred: _Sums = {}
    for each in state.changes:
        if not isinstance(each.value, int):
            continue
        cause = state.causes[each.cause]
        if cause.answer in arrived:
            where, sums = (each.what, each.which), transferred
        elif each.what == "experience" and each.origin not in (COST, PAID):
            where, sums = (cause.scenario, each.which), earned
        else:
            continue
        sums[where] = sums.get(where, 0) + each.value
    return Counted(
        state.campaign_result,
        state.difficulty,
        tuple(_scenarios(replay, earned)),
        tuple(_people(replay, earned, transferred)),
    )


# By scenario or kind of sum, and by investigator.
_Sums = dict[tuple[str, str], int]


def _games(replay: Replay) -> Iterator[tuple[str, Game]]:
    """Yield finished games that had players."""
    state = replay.state
    for each in replay.scenarios:
        game = state.games.get(each.id)
        is_over = each.status == "completed" and state.guide.is_game(each.id)
        if is_over and game is not None and game.players:
            yield each.id, game


def _scenarios(replay: Replay, earned: _Sums) -> Iterator[FinishedGame]:
    guide = replay.state.guide
    for encoded, game in _games(replay):
        base = encoded.partition("#")[0]
        found = guide.scenarios.get(base) or guide.side.get(base)
        yield FinishedGame(
            base,
            found.name if found is not None else base,
            game.resolution,
            len(game.players or ()),
            sum(earned.get((encoded, code), 0) for code in game.players or ()),
        )


def _people(
    replay: Replay, earned: _Sums, transferred: _Sums
) -> Iterator[PlayedInvestigator]:
    state = replay.state
    games = list(_games(replay))
    seen = (code for _encoded, game in games for code in game.players or ())
    for code in dict.fromkeys((*state.players, *state.people, *seen)):
        if code in state.partners:
            continue
        person = state.people.get(code) or Person()
        fate = fate_of(state, code)
        yield PlayedInvestigator(
            code,
            sum(code in (game.players or ()) for _encoded, game in games),
            sum(amount for (_in, who), amount in earned.items() if who == code),
            max((person.physical or 0) - transferred.get(("physical", code), 0), 0),
            max((person.mental or 0) - transferred.get(("mental", code), 0), 0),
            "" if fate is Fate.ALIVE else fate.value,
        )
