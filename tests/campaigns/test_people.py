"""Who comes to a table, and what each may do there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from arkham.accounts.models import User
from arkham.housekeeping import forget_expired
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer, Asserted, Changes, Stated
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guest, Invitation, Membership, Role
from campaigns.people.guests import guest_behind, invitation_behind, token_of
from campaigns.people.rights import addressed
from campaigns.services import EntryRefused, Forbidden, InvitationClosed
from campaigns.words.reasons import written_of
from tests.campaigns.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    later,
    organiser_of,
    report,
    rules_of,
    told,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.small import DAISY, ROLAND, SKIDS, does

PEOPLE = who(ROLAND, DAISY)
UPGRADING = "$upgrade_decks"


def _answer(campaign: Campaign, member: Membership, raw: Any) -> store.Appended:
    (given,) = told(raw)
    return services.answer(
        campaign=campaign,
        member=member,
        given=given._replace(sequence=0),
        sight=write_context(campaign),
    )


def _state(campaign: Campaign, code: str, experience: int, reason: str = "So") -> None:
    fact = Stated(
        "one", do.EarnExperience("input", bonus=experience), (code,), (), reason
    )
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        sight=write_context(campaign),
    )


# --- who may do what


def test_a_spectator_writes_nothing(campaign: Campaign, bob: User) -> None:
    """Nor anybody who has left."""
    spectator = a_member(campaign, bob, Role.SPECTATOR)
    with pytest.raises(Forbidden):
        _answer(campaign, spectator, PEOPLE)

    spectator.role = Role.ORGANISER
    spectator.left_at = NOW
    with pytest.raises(Forbidden):
        _answer(campaign, spectator, PEOPLE)


def test_a_player_answers_for_their_own_investigator(alice: User, bob: User) -> None:
    """Not for the table, nor for somebody else's; the organiser for all."""
    weakness = does(
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
    player = a_member(campaign, bob)
    a_seat(campaign, ROLAND, player)
    report(campaign, told(PEOPLE, *begun("one", ROLAND, DAISY)))
    report(
        campaign,
        told(
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
            _answer(campaign, other, drawn)

    _answer(campaign, player, drawn)
    with pytest.raises(Forbidden):
        _answer(
            campaign,
            player,
            {
                "type": "choice",
                "step": "$play_scenario",
                "scenario": "one",
                "choice": -2,
            },
        )


def test_a_scribe_writes_what_the_table_says(played: Campaign, bob: User) -> None:
    """Also facts about others; a player only about their own."""
    scribe = a_member(played, bob, Role.SCRIBE)
    player = a_member(played, User.objects.create_user("dora"))
    a_seat(played, DAISY, player)

    def assert_of(member: Membership, code: str) -> None:
        services.state_fact(
            campaign=played,
            member=member,
            fact=Asserted("one", "experience", code, 3),
            sight=write_context(played),
        )

    assert_of(scribe, ROLAND)
    assert_of(player, DAISY)
    with pytest.raises(Forbidden):
        assert_of(player, ROLAND)


@pytest.mark.parametrize(
    "effect",
    [
        do.SetResult("lose"),
        do.Tokens(("skull",), 1),
        do.EarnExperience("all", bonus=9),
        do.RemoveCard("01117"),
        do.Players(),
    ],
)
def test_naming_ones_own_opens_nothing_of_the_table(
    played: Campaign, bob: User, effect: do.Effect
) -> None:
    """A player states what befalls their own investigator, and nothing wider."""
    player = a_member(played, bob)
    a_seat(played, DAISY, player)

    def state(effect: do.Effect) -> None:
        services.state_fact(
            campaign=played,
            member=player,
            fact=Stated("one", effect, (DAISY,), (), "So it is."),
            sight=write_context(played),
        )

    with pytest.raises(Forbidden):
        state(effect)
    state(do.Trauma("input", mental=1))
    assert replayed(played).replay.state.people[DAISY].mental == 1


def test_a_player_takes_back_what_they_wrote(played: Campaign, bob: User) -> None:
    """And nothing else."""
    player = a_member(played, bob)
    a_seat(played, DAISY, player)
    services.state_fact(
        campaign=played,
        member=player,
        fact=Asserted("one", "experience", DAISY, 3),
        sight=write_context(played),
    )
    own = played.last
    with pytest.raises(Forbidden):
        services.retract(
            campaign=played, member=player, target=2, sight=write_context(played)
        )
    services.retract(
        campaign=played, member=player, target=own, sight=write_context(played)
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
        lambda: services.delete_campaign(campaign=campaign, member=scribe),
        lambda: services.change_role(
            member=scribe, actor=scribe, role="organiser", now=NOW
        ),
    ):
        with pytest.raises(Forbidden):
            refused()


# --- people


def test_a_link_brings_an_account_to_its_seat(campaign: Campaign, bob: User) -> None:
    """Followed again, it finds them there and is used up no further."""
    seat = a_seat(campaign, SKIDS)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat
    )
    found = invitation_behind(token_of(invitation))
    assert found == invitation
    member = services.join(invitation=found, user=bob, now=NOW)
    again = services.join(invitation=found, user=bob, now=NOW)
    seat.refresh_from_db()
    invitation.refresh_from_db()

    assert member == again
    assert (member.role, seat.member, invitation.uses) == (Role.PLAYER, member, 1)


def test_a_link_that_was_tampered_with_is_none(campaign: Campaign) -> None:
    """Nor is the key alone."""
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW
    )
    token = token_of(invitation)

    for other in (token[:-1], invitation.key.hex, "", "x.y", "é.." + token):
        assert invitation_behind(other) is None


def test_an_invitation_ends(campaign: Campaign, bob: User) -> None:
    """When its time is over, or when it is revoked."""
    organiser = organiser_of(campaign)
    old = services.invite(
        campaign=campaign, member=organiser, now=NOW, lifetime=timedelta(hours=1)
    )
    with pytest.raises(services.InvitationClosed):
        services.join(invitation=old, user=bob, now=NOW + timedelta(hours=1))
    revoked = services.invite(campaign=campaign, member=organiser, now=NOW)
    services.revoke_invitation(invitation=revoked, member=organiser, now=NOW)
    with pytest.raises(services.InvitationClosed):
        services.join_as_guest(invitation=revoked, name="Dora", now=NOW)


def test_a_guest_plays_at_once_and_claims_the_seat_later(
    campaign: Campaign, bob: User
) -> None:
    """What they wrote stays theirs."""
    seat = a_seat(campaign, ROLAND)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat
    )
    member, key = services.join_as_guest(invitation=invitation, name="Dora", now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    assert guest_behind("") is None
    report(campaign, told(PEOPLE, *won("one")))
    services.state_fact(
        campaign=campaign,
        member=member,
        fact=Asserted("one", "experience", ROLAND, 3),
        sight=write_context(campaign),
    )
    services.claim(guest=guest, user=bob, now=NOW)
    member.refresh_from_db()
    seat.refresh_from_db()
    row = campaign.entries.get(sequence=campaign.last)

    assert (member.user, member.guest, seat.member) == (bob, None, member)
    assert (row.author, row.author_name) == (member, "Dora")
    assert not Guest.objects.exists()


@pytest.mark.parametrize(
    "forget",
    [lambda now: services.forget_guests(now=now), lambda now: forget_expired(now=now)],
)
def test_a_guest_who_left_every_table_is_forgotten(
    campaign: Campaign, forget: Callable[[datetime], int]
) -> None:
    """A day later; those who wrote or sit somewhere are not."""
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, role=Role.SCRIBE
    )
    gone, wrote, _sits = (
        services.join_as_guest(invitation=invitation, name=name, now=NOW)[0]
        for name in ("Gone", "Wrote", "Sits")
    )
    report(campaign, told(PEOPLE), wrote)
    for member in (gone, wrote):
        services.leave(member=member, now=NOW)

    forget(later(60))
    assert Guest.objects.count() == 3
    forget(later(25 * 60))
    assert {guest.name for guest in Guest.objects.all()} == {"Wrote", "Sits"}


def test_a_guest_may_be_somebody_who_sits_there(campaign: Campaign, bob: User) -> None:
    """The account takes the seat over."""
    seat = a_seat(campaign, ROLAND)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, seat=seat
    )
    own = a_member(campaign, bob)
    _member, key = services.join_as_guest(invitation=invitation, name="Bob", now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    claimed = services.claim(guest=guest, user=bob, now=NOW)
    seat.refresh_from_db()

    assert claimed == [own]
    assert seat.member == own


def test_what_a_guest_wrote_keeps_its_author(campaign: Campaign, bob: User) -> None:
    """Also where the account sits already: the guest is one who has left."""
    own = a_member(campaign, bob)
    invitation = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, role=Role.SCRIBE
    )
    member, key = services.join_as_guest(invitation=invitation, name="Dora", now=NOW)
    report(campaign, told(PEOPLE), member)
    guest = guest_behind(key)
    assert guest is not None
    services.claim(guest=guest, user=bob, now=NOW)
    row = campaign.entries.get(sequence=campaign.last)
    member.refresh_from_db()
    own.refresh_from_db()

    assert (row.author, row.author_name) == (member, "Dora")
    assert (member.left_at, own.role) == (NOW, Role.SCRIBE)
    assert guest_behind(key) is None
    assert guest_behind(f"claimed-{guest.pk}") is None


def test_what_a_guest_wrote_is_the_accounts_to_take_back(
    campaign: Campaign, bob: User
) -> None:
    """A player takes it back after the claim; nobody else's, and it names the guest."""
    own = a_member(campaign, bob)
    invitation = services.invite(
        campaign=campaign,
        member=organiser_of(campaign),
        now=NOW,
        seat=a_seat(campaign, ROLAND),
    )
    member, key = services.join_as_guest(invitation=invitation, name="Dora", now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    report(campaign, told(PEOPLE, *won("one")))
    fact = Asserted("one", "experience", ROLAND, 3)
    services.state_fact(
        campaign=campaign,
        member=member,
        fact=fact,
        sight=write_context(campaign, "mine"),
    )
    services.claim(guest=guest, user=bob, now=NOW)
    last, others = campaign.last, campaign.last - 1
    services.state_fact(
        campaign=campaign, member=own, fact=fact, sight=write_context(campaign, "mine")
    )
    known = replayed(campaign)

    assert campaign.last == last  # sent again after the claim, written once
    assert store.is_written(own, "mine")
    assert written_of(campaign)[last].author == "Dora"
    assert written_of(campaign)[last].now == "now bob"
    assert written_of(campaign)[others].now == ""
    with pytest.raises(Forbidden):
        services.retract(
            campaign=campaign, member=own, target=others, sight=write_context(campaign)
        )
    services.retract(
        campaign=campaign, member=own, target=last, sight=write_context(campaign)
    )
    assert len(replayed(campaign).entries) == len(known.entries) + 1


def test_the_better_of_two_roles_is_kept(campaign: Campaign, bob: User) -> None:
    """A guest organises alone; the account they claim only looked on."""
    organiser = organiser_of(campaign)
    invitation = services.invite(
        campaign=campaign, member=organiser, now=NOW, role=Role.ORGANISER
    )
    own = a_member(campaign, bob, Role.SPECTATOR)
    _member, key = services.join_as_guest(invitation=invitation, name="Bob", now=NOW)
    services.leave(member=organiser, now=NOW)
    guest = guest_behind(key)
    assert guest is not None
    services.claim(guest=guest, user=bob, now=NOW)
    own.refresh_from_db()

    assert own.role == Role.ORGANISER


def test_an_account_keeps_the_better_role(campaign: Campaign, bob: User) -> None:
    """Who looks on as a guest loses nothing by it; nor by having left as one."""
    own = a_member(campaign, bob)
    for role, has_left in ((Role.SPECTATOR, False), (Role.SCRIBE, True)):
        invitation = services.invite(
            campaign=campaign, member=organiser_of(campaign), now=NOW, role=role
        )
        guest, key = services.join_as_guest(invitation=invitation, name="B", now=NOW)
        if has_left:
            services.leave(member=guest, now=NOW)
        claimed = guest_behind(key)
        assert claimed is not None
        services.claim(guest=claimed, user=bob, now=NOW)
        own.refresh_from_db()

        assert own.role == Role.PLAYER


def test_who_has_gone_meanwhile_writes_nothing(campaign: Campaign, bob: User) -> None:
    """The page was open while somebody sent them away."""
    scribe = a_member(campaign, bob, Role.SCRIBE)
    services.remove_member(
        member=Membership.objects.get(pk=scribe.pk),
        actor=organiser_of(campaign),
        now=NOW,
    )
    with pytest.raises(Forbidden) as forbidden:
        _answer(campaign, scribe, PEOPLE)

    assert forbidden.value.needs == "member"
    assert campaign.last == 1


def test_what_nobody_asks_is_not_a_players_to_tell(alice: User, bob: User) -> None:
    """Though they are asked themselves: a change by hand may concern anybody."""
    asked = does(
        {"type": "trauma", "investigator": "lead_investigator",
         "mental_or_physical": 1},
        step_id="either",
    )  # fmt: skip
    campaign = a_campaign(alice, guide=a_row(a_game("one", asked), a_game("two")))
    player = a_member(campaign, bob)
    a_seat(campaign, ROLAND, player)
    report(campaign, told(PEOPLE, *begun("one", ROLAND, DAISY)))
    pending = replayed(campaign).replay.pending
    killed = Changes(((DAISY, 9, 9, True, False),), ())

    assert pending is not None
    assert addressed(pending) == (ROLAND,)
    with pytest.raises(Forbidden) as forbidden:
        services.answer(
            campaign=campaign,
            member=player,
            given=Answer("inter_scenario", "one", "", killed),
            sight=write_context(campaign),
        )
    assert forbidden.value.needs == Role.SCRIBE


def test_somebody_has_to_organise(campaign: Campaign, bob: User) -> None:
    """The last organiser neither goes nor becomes something else."""
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


def test_seats_stay_when_somebody_leaves(campaign: Campaign, bob: User) -> None:
    """With nobody on them; who comes back has the role of the new link."""
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


# -- links --


def _link(campaign: Campaign, **more: Any) -> Invitation:
    return services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, **more
    )


@pytest.mark.parametrize("comes_as", ["account", "guest", "new guest"])
def test_who_was_removed_does_not_come_back_by_an_old_link(
    campaign: Campaign, bob: User, comes_as: str
) -> None:
    """Neither by the same account nor as somebody else; a new link lets them in."""
    old = _link(campaign)
    guest = None
    if comes_as == "account":
        member = services.join(invitation=old, user=bob, now=NOW)
    else:
        member, key = services.join_as_guest(invitation=old, name="B", now=NOW)
        guest = guest_behind(key) if comes_as == "guest" else None
    services.remove_member(member=member, actor=organiser_of(campaign), now=later(1))

    def come(invitation: Invitation) -> Membership:
        if comes_as == "account":
            return services.join(invitation=invitation, user=bob, now=later(2))
        joined = services.join_as_guest(
            invitation=invitation, name="B", now=later(2), guest=guest
        )
        return joined[0]

    with pytest.raises(InvitationClosed):
        come(Invitation.objects.get(pk=old.pk))
    new = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=later(2)
    )
    assert come(new).left_at is None


@pytest.mark.parametrize(
    ("link_role", "is_open"),
    [
        (Role.ORGANISER, False),
        (Role.SCRIBE, False),
        (Role.PLAYER, True),
        (Role.SPECTATOR, True),
    ],
)
def test_who_may_do_less_now_does_not_come_back_as_more(
    campaign: Campaign, bob: User, link_role: str, is_open: bool
) -> None:
    """By leaving and following a link they knew; a new link does it."""
    organiser = organiser_of(campaign)
    other = a_member(campaign, bob, Role.SCRIBE)
    link = _link(campaign, role=link_role)
    services.change_role(member=other, actor=organiser, role=Role.PLAYER, now=later(1))
    services.leave(member=other, now=later(2))

    known = Invitation.objects.get(pk=link.pk)
    if is_open:
        services.join(invitation=known, user=bob, now=later(3))
    else:
        with pytest.raises(InvitationClosed):
            services.join(invitation=known, user=bob, now=later(3))
    new = services.invite(
        campaign=campaign, member=organiser, now=later(3), role=Role.SCRIBE
    )
    assert new.revoked_at is None


def test_a_better_role_closes_no_link(campaign: Campaign, bob: User) -> None:
    """Nor does the same one again."""
    other = a_member(campaign, bob, Role.PLAYER)
    link = _link(campaign, role=Role.ORGANISER)
    for role in (Role.PLAYER, Role.SCRIBE):
        services.change_role(
            member=other, actor=organiser_of(campaign), role=role, now=later(1)
        )

    assert Invitation.objects.get(pk=link.pk).revoked_at is None


def test_a_link_of_another_table_stays_open(
    campaign: Campaign, alice: User, bob: User, charlie: User
) -> None:
    """Only the links of the table one was removed from are closed."""
    other = a_campaign(alice, guide=campaign.guide)
    link = _link(other)
    member = services.join(invitation=_link(campaign), user=bob, now=NOW)
    services.remove_member(member=member, actor=organiser_of(campaign), now=NOW)

    assert services.join(invitation=link, user=charlie, now=NOW).campaign == other


def test_who_left_by_themselves_may_come_back(campaign: Campaign, bob: User) -> None:
    """By the link they had."""
    link = _link(campaign)
    services.leave(
        member=services.join(invitation=link, user=bob, now=NOW), now=later(1)
    )
    assert services.join(invitation=link, user=bob, now=later(2)).left_at is None


def test_a_link_is_good_for_as_many_as_it_says(
    campaign: Campaign, bob: User, charlie: User
) -> None:
    """Who is there already uses it up for nobody."""
    link = _link(campaign, most_uses=2)
    for _each in range(3):
        services.join(invitation=link, user=bob, now=NOW)
    _member, _key = services.join_as_guest(invitation=link, name="C", now=NOW)
    link.refresh_from_db()
    assert link.uses == 2
    with pytest.raises(InvitationClosed):
        services.join(invitation=link, user=charlie, now=NOW)
    with pytest.raises(InvitationClosed):
        services.join_as_guest(invitation=link, name="D", now=NOW)
    assert services.join(invitation=link, user=bob, now=NOW).user == bob


def test_people_who_left_do_not_fill_a_table(
    campaign: Campaign, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who are there count; a guest who wrote nothing leaves nothing behind."""
    monkeypatch.setattr("campaigns.services.people.MOST_MEMBERS", 3)
    link = _link(campaign)
    for number in range(5):
        member, _key = services.join_as_guest(
            invitation=link, name=str(number), now=NOW
        )
        services.leave(member=member, now=NOW)
    assert campaign.memberships.count() == 1
    for number in range(2):
        services.join_as_guest(invitation=link, name=str(number), now=NOW)
    with pytest.raises(EntryRefused) as refused:
        services.join(invitation=link, user=bob, now=NOW)
    assert rules_of(refused.value) == ["table.full"]
