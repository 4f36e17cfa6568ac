"""What would change if this were written? Nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arkham.rules.campaign.answers import Answer
from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.replay import Replay
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.settlement import Settlement, settlement
from campaigns.entries import Entry, folded
from campaigns.models import Campaign
from campaigns.replays import Folded, folded_over, replayed
from campaigns.services import writing

Changes = tuple[tuple[str, str, object], ...]


class Preview(NamedTuple):
    """What entries would change; other answers by their sequence.

    ``changed`` are answers that mean something else afterwards, ``unreached`` those
    nobody asks for any more, ``reached`` those that are asked for again; all others
    hold.
    """

    settlement: Settlement
    pending: Pending | None
    problems: tuple[Problem, ...]
    changed: tuple[int, ...]
    unreached: tuple[int, ...]
    reached: tuple[int, ...]


def preview(*, campaign: Campaign, given: Sequence[Entry]) -> Preview:
    """What would come of these entries, at the end of the log as it is."""
    return previewed(campaign, replayed(campaign), given)


def preview_correction(*, campaign: Campaign, target: int, given: Answer) -> Preview:
    """What putting an answer right would change. Raises Refused."""
    known = replayed(campaign)
    return previewed(
        campaign, known, writing.correction(campaign, known, target, given, "")
    )


def preview_retraction(*, campaign: Campaign, target: int, reason: str = "") -> Preview:
    """What taking an entry back would change. Raises Refused."""
    known = replayed(campaign)
    return previewed(campaign, known, writing.retraction(known, target, reason))


def preview_return(*, campaign: Campaign, scenario: str) -> Preview:
    """What going back to the start of a scenario would change. Raises Refused."""
    known = replayed(campaign)
    return previewed(campaign, known, writing.since_the_start(known, scenario))


def previewed(campaign: Campaign, known: Folded, given: Sequence[Entry]) -> Preview:
    """The difference these entries make."""
    numbered = [
        each._replace(sequence=known.last + number)
        for number, each in enumerate(given, 1)
    ]
    entries = (*known.entries, *numbered)
    before = known.replay
    after = folded_over(campaign, entries, after=before)
    used, now_used = _used(before), _used(after)
    was, now = _meanings(before), _meanings(after)
    both = sorted(used & now_used)
    return Preview(
        settlement(before, after),
        after.pending,
        tuple(each for each in after.problems if each not in before.problems),
        tuple(each for each in both if was.get(each, ()) != now.get(each, ())),
        tuple(sorted(used - now_used)),
        tuple(sorted(now_used - used - {each.sequence for each in folded(numbered)})),
    )


def _used(replay: Replay) -> set[int]:
    return {each.sequence for each in replay.used}


def _meanings(replay: Replay) -> dict[int, Changes]:
    """What each answer led to: every change of the state it is the cause of."""
    found: dict[int, list[tuple[str, str, object]]] = {}
    state = replay.state
    for change in state.changes:
        sequence = state.causes[change.cause].answer
        found.setdefault(sequence, []).append((change.what, change.which, change.value))
    return {sequence: tuple(each) for sequence, each in found.items()}
