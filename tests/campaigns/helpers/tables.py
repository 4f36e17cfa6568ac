"""Campaigns with a small guide of our own, and answers given in them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.prepared import prepared
from arkham.rules.campaign.records import read_answers
from arkham.rules.campaign.state.answers import Answer
from campaigns import services
from campaigns.guides.keeping import ORIGINS, provide_guides
from campaigns.guides.opening import packed
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Membership, Role, Seat
from campaigns.services import WriteContext
from campaigns.settling.terms import RESTRICTED
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import (
    SECTIONS,
    WHO,
    Raw,
    a_step,
)

NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
STORY = "01117"  # Lita Chantler: every investigator is given her in the first game
WITH_STORY = a_step(
    {"type": "add_card", "investigator": "all", "card": STORY}, step_id="story"
)
_OURS: list[dict[str, Any]] = []  # the rows of the guides that come with Orne
MISKATONIC: list[Raw] = [a_game("one", WITH_STORY), a_game("two"), a_game("three")]


def later(minutes: int) -> datetime:
    """Return a time so many minutes after the campaign began."""
    return NOW + timedelta(minutes=minutes)


def a_row(
    *scenarios: Raw, owner: User | None = None, version: int = 3, **campaign: Any
) -> Guide:
    """Store a guide of these scenarios."""
    played = list(scenarios) or MISKATONIC
    raw = {
        "id": "own",
        "name": "Our own",
        "version": version,
        "position": 0,
        "campaign_type": "campaign",
        "campaign_log": SECTIONS,
        "scenarios": [each["id"] for each in played],
        "setup": ["who"],
        "steps": [WHO],
        **campaign,
    }
    files = {"campaigns/own/campaign.json": json.dumps(raw).encode()}
    for each in played:
        files[f"campaigns/own/{each['id']}.json"] = json.dumps(each).encode()
    digest, content = _kept(raw["id"], tuple(files.items()))
    return Guide.objects.create(
        digest=digest,
        guide_id=raw["id"],
        name=raw["name"],
        version=version,
        origin=Guide.Origin.FIELD,
        owner=owner,
        prepared=content,
        brought_at=NOW,
    )


@cache
def _kept(guide_id: str, files: tuple[tuple[str, bytes], ...]) -> tuple[str, bytes]:
    """Return a guide's digest and prepared form; many tests use the same one."""
    found, flaws = prepared(dict(files))
    assert flaws == []
    return json.loads(found[guide_id])["digest"], packed(found[guide_id])


def have_our_guides(*, without: str = "") -> None:
    """Store the guides that come with Orne, prepared once for all tests.

    ``without`` is the id of one that is missing.
    """
    kept = Guide.objects.filter(owner=None, origin__in=ORIGINS)
    if not _OURS:
        provide_guides(now=NOW)
        _OURS.extend(dict(row) for row in kept.values())
    elif not kept.exists():
        Guide.objects.bulk_create(
            Guide(**{name: value for name, value in row.items() if name != "id"})
            for row in _OURS
        )
    kept.filter(guide_id=without, origin=Guide.Origin.OURS).delete()


def a_campaign(
    organiser: User, *codes: str, guide: Guide | None = None, **named: Any
) -> Campaign:
    """Make a campaign with these investigators, whom the organiser plays."""
    return services.start_campaign(
        organiser=organiser,
        guide=guide or a_row(),
        name="Friday",
        now=NOW,
        sitting=[services.Sitting(code) for code in codes],
        **named,
    )


def organiser_of(campaign: Campaign) -> Membership:
    """Return the campaign's organiser."""
    return campaign.memberships.get(role=Role.ORGANISER)


def a_member(campaign: Campaign, user: User, role: str = Role.PLAYER) -> Membership:
    """Return a new member of the campaign."""
    return Membership.objects.create(
        campaign=campaign, user=user, role=role, joined_at=NOW
    )


def a_seat(campaign: Campaign, code: str, member: Membership | None = None) -> Seat:
    """Return an investigator's seat."""
    return Seat.objects.create(
        campaign=campaign, investigator=code, member=member, made_at=NOW
    )


def restrict(campaign: Campaign) -> None:
    """Let players answer only for their own investigators."""
    campaign.terms = {**campaign.terms, "answers": RESTRICTED}
    campaign.save(update_fields=["terms"])


def as_answers(*raws: Raw) -> list[Answer]:
    """Answers as they are recorded; those without a scenario are of the setup."""
    return read_answers([{"scenario": SETUP, **raw} for raw in raws], "")


def who(*codes: str) -> Raw:
    """Who begins the campaign."""
    return {
        "type": "string_choices",
        "step": "who",
        "choices": {code: ["chosen"] for code in codes},
    }


def report(
    campaign: Campaign, answers: Iterable[Answer], member: Membership | None = None
) -> None:
    """Answer several questions, one after the other."""
    member = member or organiser_of(campaign)
    for each in answers:
        services.answer(
            campaign=campaign,
            member=member,
            given=each._replace(sequence=0),
            context=WriteContext(campaign.last, later(campaign.last)),
        )


def answer_as(campaign: Campaign, member: Membership, raw: Any) -> store.Appended:
    """Answer as a member; return the entries written."""
    (given,) = as_answers(raw)
    return services.answer(
        campaign=campaign,
        member=member,
        given=given._replace(sequence=0),
        context=write_context(campaign),
    )


def experience(campaign: Campaign, code: str) -> int:
    """Return the experience an investigator has earned."""
    person = replayed(campaign).replay.state.people.get(code)
    return (person.experience or 0) if person else 0


def sequence_of(campaign: Campaign, step: str, scenario: str = "one") -> int:
    """Return the sequence of the first answer to a step."""
    return next(
        each.sequence
        for each in store.entries(campaign)
        if isinstance(each, Answer) and (each.step, each.scenario) == (step, scenario)
    )


def rules_of(refused: services.EntryRefused) -> list[str]:
    """Return the rules by which something is refused, in order."""
    return [each.rule for each in refused.findings]


def write_context(campaign: Campaign, key: str = "") -> WriteContext:
    """Return the context of a member who sees the latest entry."""
    return WriteContext(campaign.last, later(campaign.last), key)
