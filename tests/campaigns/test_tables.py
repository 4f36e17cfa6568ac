"""Campaigns are begun, branched, moved to another guide, and ended."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.paper import EnteredInvestigator, Position
from arkham.rules.campaign.state.answers import Stated
from arkham.rules.notation.reading import Unreadable
from campaigns import services
from campaigns.guides import opening
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Membership, Role, Seat
from campaigns.services import EntryRefused, Forbidden
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    experience,
    later,
    organiser_of,
    report,
    rules_of,
    sequence_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import a_game, begun, ended
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

PEOPLE = who(ROLAND, DAISY)
UPGRADING = "$upgrade_decks"


def _answer(campaign: Campaign, member: Membership, raw: Any) -> store.Appended:
    (given,) = as_answers(raw)
    return services.answer(
        campaign=campaign,
        member=member,
        given=given._replace(sequence=0),
        context=write_context(campaign),
    )


def _state(campaign: Campaign, code: str, experience: int, reason: str = "So") -> None:
    fact = Stated(
        "one", do.EarnExperience("input", bonus=experience), (code,), (), reason
    )
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        context=write_context(campaign),
    )


# --- tables


def test_a_branch_is_independent(played: Campaign) -> None:
    """The log up to an entry, with its authors, without linked decks."""
    target = sequence_of(played, "victory")
    a_seat(played, SKIDS)
    twin = services.branch(
        campaign=played, member=organiser_of(played), now=later(99), up_to=target - 1
    )
    report(
        twin,
        as_answers({"type": "count", "step": "victory", "scenario": "one", "count": 9}),
    )

    assert (twin.branched_from, twin.branched_at) == (played, target - 1)
    assert (experience(twin, ROLAND), experience(played, ROLAND)) == (10, 3)
    assert store.head_of(store.rows(twin)) == twin.head
    assert [(seat.investigator, seat.kind) for seat in twin.seats.all()] == [
        (SKIDS, Seat.Kind.NONE)
    ]
    assert twin.entries.first().author_name == "alice"  # type: ignore[union-attr]


def test_another_version_of_the_guide_is_previewed(played: Campaign) -> None:
    """Nothing changes until the table agrees; then the log records it."""
    one = a_game("one")
    victory = next(step for step in one["steps"] if step["id"] == "victory")
    victory["input"]["effects"][0]["bonus"] = 3
    newer = a_row(one, a_game("two"), a_game("three"), version=4)
    shown = services.compare_guides(campaign=played, guide=newer)
    assert [(each.code, each.experience) for each in shown.settlement.people] == [
        (ROLAND, 2),
        (DAISY, 2),
    ]
    assert experience(played, ROLAND) == 3
    old = played.guide.digest
    services.adopt_guide(
        campaign=played,
        member=organiser_of(played),
        guide=newer,
        context=write_context(played),
    )

    assert experience(played, ROLAND) == 5
    row = played.entries.get(sequence=played.last)
    assert (row.kind, row.payload) == (
        "adopted",
        {"before": old, "after": newer.digest},
    )


def test_the_guide_of_another_campaign_is_refused(played: Campaign) -> None:
    other = a_row(a_game("one"))
    other.guide_id = "other"
    with pytest.raises(EntryRefused) as refused:
        services.adopt_guide(
            campaign=played,
            member=organiser_of(played),
            guide=other,
            context=write_context(played),
        )

    assert rules_of(refused.value) == ["campaign.guide"]


def test_two_linked_campaigns_know_each_other(alice: User) -> None:
    """Each is replayed with the other's state, and can be linked once."""
    first = a_campaign(alice)
    second = a_campaign(alice, guide=first.guide)
    organiser = organiser_of(first)
    services.link_campaigns(
        campaign=first, member=organiser, other=second, now=later(1)
    )

    assert (first.linked, second.linked) == (second, first)
    assert replayed(first).replay.state.linked
    Campaign.objects.filter(pk=first.pk).update(version=1)
    first.refresh_from_db()
    assert replayed(first).replay.state.version == 1
    with pytest.raises(EntryRefused):
        services.link_campaigns(
            campaign=first, member=organiser, other=second, now=later(1)
        )


def test_a_campaign_is_deleted_with_its_log(played: Campaign) -> None:
    """By its organiser."""
    services.delete_campaign(campaign=played, member=organiser_of(played), now=NOW)

    assert not Campaign.objects.exists()


def test_terms_are_validated(campaign: Campaign) -> None:
    """Kept as agreed on; faults are refused with their place."""
    terms = {"taboo": "none", "taboos": {ROLAND: "8"}, "rulings": {}, "faq": "2.5"}
    services.change_terms(campaign=campaign, member=organiser_of(campaign), terms=terms)
    assert campaign.terms == {
        "taboo": "none",
        "taboos": {ROLAND: "8"},
        "faq": "2.5",
    }
    for bad in (
        {"taboo": "nonsense"},
        {"taboo": 7},
        {"environment": {"kind": "nowhere"}},
        {"rulings": {"no-such": "x"}},
        {"other": 1},
    ):
        with pytest.raises(Unreadable):
            services.change_terms(
                campaign=campaign, member=organiser_of(campaign), terms=bad
            )


def test_an_investigator_has_one_seat(campaign: Campaign) -> None:
    """In a campaign."""
    sitting = services.Sitting(ROLAND, name="Dora", is_mine=False)
    organiser = organiser_of(campaign)
    seat = services.add_seat(
        campaign=campaign, member=organiser, sitting=sitting, now=NOW
    )
    assert (seat.member, seat.name) == (None, "Dora")
    with pytest.raises(EntryRefused) as refused:
        services.add_seat(campaign=campaign, member=organiser, sitting=sitting, now=NOW)

    assert rules_of(refused.value) == ["seat.once"]


def test_an_overlong_code_is_refused(campaign: Campaign) -> None:
    """Before it reaches the database."""
    with pytest.raises(EntryRefused) as refused:
        services.add_seat(
            campaign=campaign,
            member=organiser_of(campaign),
            sitting=services.Sitting("0" * 41),
            now=NOW,
        )

    assert [each.rule for each in refused.value.findings] == ["roster.known"]


@pytest.mark.parametrize(
    ("code", "rule"),
    [("90024", "roster.taken"), ("99999", "roster.known"), ("01006", "roster.known")],
)
def test_invalid_investigators_are_refused_at_the_beginning(
    alice: User, code: str, rule: str
) -> None:
    """Roland in two versions, none, a card that is no investigator."""
    with pytest.raises(EntryRefused) as refused:
        a_campaign(alice, ROLAND, code)

    assert rules_of(refused.value) == [rule]
    assert not Campaign.objects.exists()


def test_a_defeat_is_answered_too(campaign: Campaign) -> None:
    """By the rules it ends the campaign."""
    report(
        campaign,
        as_answers(
            PEOPLE,
            *begun("one", ROLAND, DAISY),
            *ended("one", 1, "R1", **{ROLAND: "physical", DAISY: "alive"}),
        ),
    )

    assert replayed(campaign).replay.state.people[ROLAND].physical == 1


def test_a_campaign_kept_by_hand_keeps_its_facts(alice: User) -> None:
    """One row for the current facts, which opens as the guide made of them."""
    guide = services.guide_by_hand(campaign="ptc", now=NOW)
    assert services.guide_by_hand(campaign="ptc", now=later(1)) == guide
    campaign = a_campaign(alice, guide=guide)
    opened = opening.opened(guide)

    assert (opened.id, opened.digest) == ("ptc", guide.digest)
    assert replayed(campaign).replay.pending is not None
    assert replayed(campaign).replay.problems == ()
    with pytest.raises(KeyError):
        services.guide_by_hand(campaign="nowhere", now=NOW)


def test_a_campaign_that_began_on_paper_is_entered(
    campaign: Campaign, bob: User
) -> None:
    """By its organiser, before anything else was answered."""
    position = Position(
        "two", (EnteredInvestigator(ROLAND, experience=4, physical=1),), {"skull": 2}
    )
    organiser = organiser_of(campaign)

    def enter(member: Membership) -> None:
        services.enter_campaign(
            campaign=campaign,
            member=member,
            position=position,
            context=write_context(campaign),
        )

    with pytest.raises(Forbidden):
        enter(a_member(campaign, bob, Role.SCRIBE))
    enter(organiser)
    replay = replayed(campaign).replay

    assert experience(campaign, ROLAND) == 4
    assert replay.pending is not None
    assert replay.pending.scenario == "two"
    assert replay.problems == ()
    with pytest.raises(EntryRefused) as refused:
        enter(organiser)
    assert rules_of(refused.value) == ["log.begun"]
