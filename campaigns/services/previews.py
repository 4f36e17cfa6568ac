"""Preview what an entry or a newer guide would change; nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.settlement import ReplayDifference, settlement
from arkham.rules.campaign.state.answers import Answer
from campaigns import queries
from campaigns.guides import opening
from campaigns.guides.opening import NO_WORDS, GuideMissing
from campaigns.log.entries import Entry
from campaigns.log.replays import Folded, folded_over, linked_folded_over, replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Guide, Role
from campaigns.people.table import Visitor
from campaigns.services import writing
from campaigns.services.tables import compare_guides
from campaigns.settling.corrected_cards import corrected_answers
from campaigns.words.changes import ChangesInWords, describe_changes
from campaigns.words.names import CampaignNames
from cardpool.catalog import current_pool

MOST_AGAIN = 20  # answers that one preview gives again
PART = "*"  # precedes the part of a step id that steps share
Changes = tuple[tuple[str, str, object], ...]


class LinkedChanges(NamedTuple):
    """The effects of entries on the linked campaign, which depends on them.

    ``unreached`` are its answers that no question asks for any more, by their numbers.
    """

    settlement: ReplayDifference
    unreached: tuple[int, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether the linked campaign doesn't change."""
        return self.settlement.is_empty and not self.unreached


class EntryPreview(NamedTuple):
    """The effects of entries; other answers are given by their numbers in the log.

    ``changed`` are answers that would mean something else, ``unreached`` those that no
    question would ask for any more, ``reached`` those that would be asked for again;
    all others stay. ``again`` are answers repeated for the same question in another
    place: the difference assumes them, and ``pending`` is what comes next. ``beside``
    are the changes in the linked campaign.
    """

    settlement: ReplayDifference
    pending: Pending | None
    problems: tuple[Problem, ...]
    changed: tuple[int, ...]
    unreached: tuple[int, ...]
    reached: tuple[int, ...]
    again: tuple[int, ...] = ()
    beside: LinkedChanges | None = None


def preview(*, campaign: Campaign, given: Sequence[Entry]) -> EntryPreview:
    """Return what these entries would change at the end of the log."""
    return previewed(campaign, replayed(campaign), given)


def preview_correction(
    *, campaign: Campaign, target: int, given: Answer
) -> EntryPreview:
    """Return what correcting an answer would change. Raises EntryRefused."""
    known = replayed(campaign)
    entries = writing.correction(campaign, known, target, given, "")
    return previewed(campaign, known, entries, corrected=target)


def preview_retraction(
    *, campaign: Campaign, target: int, reason: str = ""
) -> EntryPreview:
    """Return what undoing an entry would change. Raises EntryRefused."""
    known = replayed(campaign)
    return previewed(campaign, known, writing.retraction(known, target, reason))


def preview_return(*, campaign: Campaign, scenario: str) -> EntryPreview:
    """Return what returning to a scenario's start would change. Raises EntryRefused."""
    known = replayed(campaign)
    return previewed(campaign, known, writing.entries_to_undo(known, scenario))


def previewed(
    campaign: Campaign, known: Folded, given: Sequence[Entry], *, corrected: int = 0
) -> EntryPreview:
    """Return what entries would change; ``corrected`` is the answer they replace."""
    numbered = [
        each._replace(sequence=known.last + number)
        for number, each in enumerate(given, 1)
    ]
    entries = (*known.entries, *numbered)
    before = known.replay
    after = folded_over(campaign, entries, after=before)
    again: tuple[int, ...] = ()
    if corrected:
        entries, after, again = _given_again(campaign, entries, before, after)
    after = _with_cards(campaign, known, entries, after)
    replaced = {corrected} | _answering(before, given)
    used, now_used = _used(before) - {*replaced, *again}, _used(after)
    was, now = _meanings(before), _meanings(after)
    both = sorted(used & now_used)
    return EntryPreview(
        settlement(before, after),
        after.pending,
        tuple(each for each in after.problems if each not in before.problems),
        tuple(each for each in both if was.get(each, ()) != now.get(each, ())),
        tuple(sorted(used - now_used)),
        tuple(
            each
            for each in sorted(now_used - used)
            if each <= known.last and each not in replaced
        ),
        again,
        _beside(campaign, known.entries, entries),
    )


def _answering(before: Replay, given: Sequence[Entry]) -> set[int]:
    """Return the numbers of the answers that these entries would replace."""
    asked = {each.question for each in given if isinstance(each, Answer)}
    answers = (each for each in before.used if isinstance(each, Answer))
    return {each.sequence for each in answers if each.question in asked}


def _beside(
    campaign: Campaign, had: tuple[Entry, ...], entries: tuple[Entry, ...]
) -> LinkedChanges | None:
    """Return the changes in the linked campaign; None if there is none."""
    before = linked_folded_over(campaign, had)
    after = linked_folded_over(campaign, entries)
    if before is None or after is None:
        return None
    gone = tuple(sorted(_used(before) - _used(after)))
    return LinkedChanges(settlement(before, after), gone)


def _given_again(
    campaign: Campaign, entries: tuple[Entry, ...], before: Replay, after: Replay
) -> tuple[tuple[Entry, ...], Replay, tuple[int, ...]]:
    """Repeat dropped answers if the same question is asked in another place.

    Another resolution asks again who survived before the later answers apply again.
    """
    again: list[int] = []
    for _round in range(MOST_AGAIN):
        pending = after.pending
        alike = _alike(before, after, pending, again)
        if pending is None or alike is None:
            break
        last = max(each.sequence for each in entries)
        given = alike._replace(step=pending.step, sequence=last + 1)
        ahead = folded_over(campaign, [*entries, given], after=after)
        if ahead.pending == pending or len(ahead.problems) > len(after.problems):
            break
        entries, after = (*entries, given), ahead
        again.append(alike.sequence)
    return entries, after, tuple(again)


def _with_cards(
    campaign: Campaign, known: Folded, entries: tuple[Entry, ...], after: Replay
) -> Replay:
    """Fold in what cards in decks give after these entries."""
    fresh = {each.sequence for each in entries if each.sequence > known.last}
    corrected = corrected_answers(campaign, known, after, fresh)
    last = max((each.sequence for each in (*entries, *after.used)), default=0)
    numbered = [
        each._replace(sequence=last + number)
        for number, each in enumerate(corrected, 1)
    ]
    if not numbered:
        return after
    return folded_over(campaign, (*entries, *numbered), after=after)


def _alike(
    before: Replay, after: Replay, pending: Pending | None, again: list[int]
) -> Answer | None:
    """Return the dropped answer that fits the current question in another place."""
    if pending is None or PART not in pending.step:
        return None
    used = _used(after)
    asked = pending.kind, pending.scenario, pending.step.partition(PART)[2]
    return next(
        (
            each
            for each in before.used
            if isinstance(each, Answer)
            and each.sequence not in used
            and each.sequence not in again
            and (each.kind, each.scenario, each.step.partition(PART)[2]) == asked
        ),
        None,
    )


def _used(replay: Replay) -> set[int]:
    return {each.sequence for each in replay.used}


def _meanings(replay: Replay) -> dict[int, Changes]:
    """Return the changes of the state that each answer caused."""
    found: dict[int, list[tuple[str, str, object]]] = {}
    state = replay.state
    for change in state.changes:
        sequence = state.causes[change.cause].answer
        found.setdefault(sequence, []).append((change.what, change.which, change.value))
    return {sequence: tuple(each) for sequence, each in found.items()}


class Compared(NamedTuple):
    """A campaign under a newer version of its guide, or why it could not be folded.

    ``changes`` are phrases without texts of either guide: those belong to the table.
    """

    campaign: int
    now: Guide
    newer: Guide
    changes: tuple[str, ...] = ()
    refused: str = ""


def compared() -> Iterator[Compared]:
    """Compare every campaign that has a newer guide version; nothing is written."""
    found = Campaign.objects.select_related("guide", "linked__guide").order_by("pk")
    for campaign in found.iterator(chunk_size=50):
        newer = newer_guide(campaign)
        if newer is not None:
            yield _compared(campaign, newer)


def newer_guide(campaign: Campaign) -> Guide | None:
    """Return the newest version that an organiser could adopt, if it is newer."""
    now = campaign.guide
    organisers = campaign.memberships.filter(role=Role.ORGANISER, left_at=None)
    for each in organisers.select_related("user"):
        visitor = Visitor(each.user)
        for guide in queries.other_versions(campaign, visitor):
            if (guide.version, guide.brought_at) > (now.version, now.brought_at):
                return guide
    return None


def _compared(campaign: Campaign, newer: Guide) -> Compared:
    found = Compared(campaign.pk, campaign.guide, newer)
    try:
        other = compare_guides(campaign=campaign, guide=newer)
        names = CampaignNames(current_pool(), opening.opened(newer), NO_WORDS)
    except LogBroken as error:
        return found._replace(refused=f"Entry {error.sequence} is broken.")
    except GuideMissing as error:
        return found._replace(refused=str(error))
    changes = [
        *_phrases(describe_changes(other.settlement, names)),
        *(f"nobody asks for entry {each.sequence}" for each in other.unreached),
        *(f"{each.rule} in {each.scenario}" for each in other.problems),
    ]
    return found._replace(changes=tuple(changes))


def _phrases(changes: ChangesInWords) -> Iterator[str]:
    for person in changes.people:
        said = ", ".join(filter(None, (*person.phrases, person.fate)))
        yield f"{person.name}: {said}"
    for section in changes.sections:
        for word, lines in (
            ("more", section.written),
            ("crossed out", section.crossed_out),
            ("gone", section.gone),
        ):
            for line in lines:
                yield f"{section.title}: {word}: {line}"
    yield from changes.counts
    yield from changes.places
    yield from changes.tokens
    if changes.result:
        yield changes.result
