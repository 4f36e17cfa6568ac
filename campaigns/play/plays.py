"""The scenario a table is playing, and what is kept of it."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.effects import Tokens
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Stated, effective
from arkham.rules.chaos import Token
from arkham.rules.draws.chance import derived_seed
from campaigns.log.entries import folded
from campaigns.log.replays import Folded
from campaigns.models import Campaign, PlayState
from campaigns.play import in_play
from campaigns.play.in_play import InPlay


class Kept(NamedTuple):
    """What is kept of a scenario, and the version it is; 0 before anything was done."""

    version: int
    content: InPlay


def reached(replay: Replay) -> list[str]:
    """The scenarios that were begun, in order, and the one to be begun now."""
    found = [*replay.begun]
    pending = replay.pending
    if pending is not None and pending.scenario and pending.scenario not in found:
        found.append(pending.scenario)
    return [each for each in found if each.partition("#")[0] != SETUP]


def current(replay: Replay) -> str:
    """The scenario that is played, or about to be, or was played last; or none."""
    pending = replay.pending
    found = reached(replay)
    if pending is not None and pending.scenario in found:
        return pending.scenario
    return found[-1] if found else ""


def secret_of(campaign: Campaign, scenario: str) -> str:
    """What a scenario's draws are derived from, by the entry it began after."""
    return derived_seed(campaign.secret, f"bag/{scenario}/{campaign.last}")


def next_seed(campaign: Campaign) -> str:
    """The seed of a draw that the next entry of the log records."""
    return derived_seed(campaign.secret, str(campaign.last + 1))


def kept(campaign: Campaign, scenario: str, replay: Replay) -> Kept:
    """What is kept of a scenario; before anything was done, what it begins with."""
    row = PlayState.objects.filter(campaign=campaign, scenario=scenario).first()
    if row is None:
        secret = secret_of(campaign, scenario)
        return Kept(0, in_play.begun(replay.state.bag, secret))
    return Kept(row.version, content_of(row, campaign))


def content_of(row: PlayState, campaign: Campaign) -> InPlay:
    """What a row keeps; a play that was begun without a secret has one from here on."""
    place = f"bag/{row.scenario}/{row.pk}/resumed"
    secret = derived_seed(campaign.secret, place)
    return in_play.with_secret(in_play.read(row.content), secret)


def version_of(campaign: Campaign, scenario: str) -> int:
    """The version alone; 0 before anything was done."""
    rows = PlayState.objects.filter(campaign=campaign, scenario=scenario)
    return rows.values_list("version", flat=True).first() or 0


def frost_in_log(known: Folded, scenario: str) -> int:
    """The frost tokens of the campaign's bag, with those stated for its next end.

    What a table states of a scenario holds once that is over.
    """
    replay, frost = known.replay, Token.FROST.value
    used = {each.sequence for each in replay.used}
    stated = 0
    for each in effective(folded(known.entries)):
        if not isinstance(each, Stated) or each.sequence in used:
            continue
        if each.scenario == scenario and isinstance(each.effect, Tokens):
            stated += each.effect.tokens.count(frost) * each.effect.sign
    return replay.state.bag.get(frost, 0) + stated
