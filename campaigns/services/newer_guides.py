"""What a newer version of its guide would change, for every campaign kept here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from campaigns import queries
from campaigns.guides import opening
from campaigns.guides.opening import NO_WORDS, GuideMissing
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Guide, Role
from campaigns.people.guests import Visitor
from campaigns.services import compare_guides
from campaigns.words.changes import Told, told
from campaigns.words.names import Names
from cardpool.catalog import current_pool


class Compared(NamedTuple):
    """A campaign under a newer version of its guide, or why it could not be folded.

    ``changes`` are phrases without the words of either guide: those are for the table.
    """

    campaign: int
    now: Guide
    newer: Guide
    changes: tuple[str, ...] = ()
    refused: str = ""


def compared() -> Iterator[Compared]:
    """Every campaign a newer version of its guide is here for; nothing is written."""
    found = Campaign.objects.select_related("guide", "linked__guide").order_by("pk")
    for campaign in found.iterator(chunk_size=50):
        newer = newer_guide(campaign)
        if newer is not None:
            yield _compared(campaign, newer)


def newer_guide(campaign: Campaign) -> Guide | None:
    """The newest version an organiser of the campaign could follow, if it is newer."""
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
        names = Names(current_pool(), opening.opened(newer), NO_WORDS)
    except LogBroken as error:
        return found._replace(refused=f"Entry {error.sequence} is broken.")
    except GuideMissing as error:
        return found._replace(refused=str(error))
    changes = [
        *_phrases(told(other.settlement, names)),
        *(f"nobody asks for entry {each.sequence}" for each in other.unreached),
        *(f"{each.rule} in {each.scenario}" for each in other.problems),
    ]
    return found._replace(changes=tuple(changes))


def _phrases(changes: Told) -> Iterator[str]:
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
    yield from changes.tokens
    if changes.result:
        yield changes.result
