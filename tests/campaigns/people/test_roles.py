"""What members of a campaign may do, by their role."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer, Asserted, Changes, Stated
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Membership, Role
from campaigns.people.rights import addressed
from campaigns.services import EntryRefused, Forbidden
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    answer_as,
    as_answers,
    later,
    organiser_of,
    report,
    restrict,
    rules_of,
    write_context,
)
from tests.campaigns.people.helpers import PEOPLE
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step

UPGRADING = "$upgrade_decks"


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


def test_a_spectator_writes_nothing(campaign: Campaign, bob: User) -> None:
    """Nor do former members."""
    spectator = a_member(campaign, bob, Role.SPECTATOR)
    with pytest.raises(Forbidden):
        answer_as(campaign, spectator, PEOPLE)

    spectator.role = Role.ORGANISER
    spectator.left_at = NOW
    with pytest.raises(Forbidden):
        answer_as(campaign, spectator, PEOPLE)


def test_a_player_answers_for_their_own_investigator(alice: User, bob: User) -> None:
    """If the organiser restricts it: not for the table, nor for others."""
    weakness = a_step(
        {"type": "add_weakness", "investigator": "$input_value", "weakness_traits": []},
        step_id="draw",
    )
    asks = {
        "id": "ask",
        "type": "input",
        "input": {
            "type": "investigator_choice",
            "source": "scenario",
            "investigator": "any",
            "choices": [
                {"id": "who", "text": "", "effects": weakness["effects"]},
            ],
        },
    }
    guide = a_row(a_game("one", asks))
    campaign = a_campaign(alice, guide=guide)
    restrict(campaign)
    player = a_member(campaign, bob)
    a_seat(campaign, ROLAND, player)
    report(campaign, as_answers(PEOPLE, *begun("one", ROLAND, DAISY)))
    report(
        campaign,
        as_answers(
            {
                "type": "string_choices",
                "step": "ask",
                "scenario": "one",
                "choices": {ROLAND: ["who"]},
            }
        ),
    )
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert (pending.prompt, pending.codes) == ("weakness", (ROLAND,))
    drawn = {
        "type": "string_choices",
        "step": pending.step,
        "scenario": "one",
        "choices": {ROLAND: ["01096"]},
    }
    scribe = a_member(campaign, User.objects.create_user("dora"), Role.SCRIBE)
    stranger = a_member(campaign, User.objects.create_user("erin"))
    for other in (scribe, stranger):
        with pytest.raises(Forbidden):
            answer_as(campaign, other, drawn)

    answer_as(campaign, player, drawn)
    with pytest.raises(Forbidden):
        answer_as(
            campaign,
            player,
            {
                "type": "choice",
                "step": "$play_scenario",
                "scenario": "one",
                "choice": -2,
            },
        )


def test_a_scribe_answers_for_the_table(played: Campaign, bob: User) -> None:
    """Also facts about others; a player only about their own."""
    scribe = a_member(played, bob, Role.SCRIBE)
    player = a_member(played, User.objects.create_user("dora"))
    a_seat(played, DAISY, player)

    def assert_of(member: Membership, code: str) -> None:
        services.state_fact(
            campaign=played,
            member=member,
            fact=Asserted("one", "experience", code, 3),
            context=write_context(played),
        )

    assert_of(scribe, ROLAND)
    assert_of(player, DAISY)
    with pytest.raises(Forbidden):
        assert_of(player, ROLAND)


@pytest.mark.parametrize(
    "effect",
    [
        course.SetResult("lose"),
        course.Tokens(("skull",), 1),
        do.EarnExperience("all", bonus=9),
        do.RemoveCard("01117"),
        course.Players(),
    ],
)
def test_naming_their_own_investigator_gives_no_more_rights(
    played: Campaign, bob: User, effect: do.Effect
) -> None:
    """A player states changes of their own investigator, and nothing wider."""
    player = a_member(played, bob)
    a_seat(played, DAISY, player)

    def state(effect: do.Effect) -> None:
        services.state_fact(
            campaign=played,
            member=player,
            fact=Stated("one", effect, (DAISY,), (), "So it is."),
            context=write_context(played),
        )

    with pytest.raises(Forbidden):
        state(effect)
    state(do.Trauma("input", mental=1))
    assert replayed(played).replay.state.people[DAISY].mental == 1


def test_a_player_undoes_only_their_own_entries(played: Campaign, bob: User) -> None:
    player = a_member(played, bob)
    a_seat(played, DAISY, player)
    services.state_fact(
        campaign=played,
        member=player,
        fact=Asserted("one", "experience", DAISY, 3),
        context=write_context(played),
    )
    own = played.last
    with pytest.raises(Forbidden):
        services.retract(
            campaign=played, member=player, target=2, context=write_context(played)
        )
    services.retract(
        campaign=played, member=player, target=own, context=write_context(played)
    )

    assert played.last == own + 1


def test_only_an_organiser_organises(campaign: Campaign, bob: User) -> None:
    """Invitations, names, terms, the end of it."""
    scribe = a_member(campaign, bob, Role.SCRIBE)
    for refused in (
        lambda: services.invite(campaign=campaign, member=scribe, now=NOW),
        lambda: services.rename_campaign(campaign=campaign, member=scribe, name="x"),
        lambda: services.change_terms(campaign=campaign, member=scribe, terms={}),
        lambda: services.archive(campaign=campaign, member=scribe, now=NOW),
        lambda: services.delete_campaign(campaign=campaign, member=scribe, now=NOW),
        lambda: services.change_role(
            member=scribe, actor=scribe, role="organiser", now=NOW
        ),
    ):
        with pytest.raises(Forbidden):
            refused()


def test_a_member_removed_meanwhile_writes_nothing(
    campaign: Campaign, bob: User
) -> None:
    """They had the page open while they were removed."""
    scribe = a_member(campaign, bob, Role.SCRIBE)
    services.remove_member(
        member=Membership.objects.get(pk=scribe.pk),
        actor=organiser_of(campaign),
        now=NOW,
    )
    with pytest.raises(Forbidden) as forbidden:
        answer_as(campaign, scribe, PEOPLE)

    assert forbidden.value.needs == "member"
    assert campaign.last == 1


def test_a_player_makes_no_changes_outside_questions(alice: User, bob: User) -> None:
    """Even if asked themselves: a change by hand may concern anyone."""
    asked = a_step(
        {"type": "trauma", "investigator": "lead_investigator",
         "mental_or_physical": 1},
        step_id="either",
    )  # fmt: skip
    campaign = a_campaign(alice, guide=a_row(a_game("one", asked), a_game("two")))
    player = a_member(campaign, bob)
    a_seat(campaign, ROLAND, player)
    report(campaign, as_answers(PEOPLE, *begun("one", ROLAND, DAISY)))
    pending = replayed(campaign).replay.pending
    killed = Changes(((DAISY, 9, 9, True, False),), ())

    assert pending is not None
    assert addressed(pending) == (ROLAND,)
    with pytest.raises(Forbidden) as forbidden:
        services.answer(
            campaign=campaign,
            member=player,
            given=Answer("inter_scenario", "one", "", killed),
            context=write_context(campaign),
        )
    assert forbidden.value.needs == Role.SCRIBE


def test_there_is_always_an_organiser(campaign: Campaign, bob: User) -> None:
    """The last one neither leaves nor gets another role."""
    organiser = organiser_of(campaign)
    with pytest.raises(EntryRefused) as refused:
        services.leave(member=organiser, now=NOW)
    assert rules_of(refused.value) == ["table.organiser"]
    with pytest.raises(EntryRefused):
        services.change_role(
            member=organiser, actor=organiser, role=Role.PLAYER, now=NOW
        )

    other = a_member(campaign, bob)
    services.change_role(member=other, actor=organiser, role=Role.ORGANISER, now=NOW)
    services.leave(member=organiser, now=NOW)
    organiser.refresh_from_db()

    assert organiser.left_at == NOW


def test_seats_stay_when_a_player_leaves(campaign: Campaign, bob: User) -> None:
    """Without a player; those who return have the role of the new link."""
    member = a_member(campaign, bob)
    seat = a_seat(campaign, ROLAND, member)
    services.leave(member=member, now=NOW)
    seat.refresh_from_db()
    assert seat.member is None
    invitation = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=NOW,
        role=Role.SPECTATOR,
        seat=seat,
    )
    back = services.join(invitation=invitation, user=bob, now=later(1))

    assert back == member
    assert (back.role, back.left_at) == (Role.SPECTATOR, None)
