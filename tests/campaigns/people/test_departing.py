"""Investigators who leave: replaced, retired, or moved to another campaign."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Stated
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Invitation, Membership, Role, Seat
from campaigns.people.table import guest_behind, token_of
from campaigns.services import EntryRefused, WriteContext
from cardpool.catalog import current_pool
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    NOW,
    STORY,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    experience,
    later,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign, with Roland; Daisy has no player. The first game is over."""
    campaign = a_campaign(alice, ROLAND)
    a_seat(campaign, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


def _suffer(campaign: Campaign, code: str, physical: int) -> None:
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", do.Trauma("input", physical=physical), (code,), (), "So"),
        context=WriteContext(campaign.last, later(campaign.last)),
    )


def _at(campaign: Campaign, rest: str) -> str:
    return f"/campaigns/{campaign.pk}/people/{rest}"


def _copies(deck: Deck) -> int:
    """Return copies of the story card in the list, and those granted since."""
    deck.refresh_from_db()
    latest = deck.revisions.get(number=deck.revision)
    granted = (latest.aftermath or {}).get("granted", {})
    return int(latest.list["slots"].get(STORY, 0) + granted.get(STORY, 0))


def _offered(page: str) -> set[str]:
    return set(re.findall(r'value="code:([^"]+)"', page))


def _fate(campaign: Campaign, code: str) -> Fate:
    campaign.refresh_from_db()
    return fate_of(replayed(campaign).replay.state, code)


def _retire(browser: Client, campaign: Campaign, code: str, **data: str) -> int:
    seat = campaign.seats.get(investigator=code)
    campaign.refresh_from_db()
    sent = {"after": str(campaign.last), "reason": "Enough.", **data}
    path = _at(campaign, f"seats/{seat.pk}/retire")
    return browser.post(path, sent).status_code


def test_a_newcomer_is_an_unused_investigator(
    campaign: Campaign, as_alice: Client
) -> None:
    """Roland and Daisy are not offered, in no version; and refused if sent."""
    page = as_alice.get(_at(campaign, "sit/")).content.decode()
    offered = _offered(page)
    assert SKIDS in offered
    assert {ROLAND, DAISY, "90024"}.isdisjoint(offered)
    sent = as_alice.post(_at(campaign, "sit/"), {"seat": f"code:{ROLAND}"})
    assert sent.status_code == 422
    with pytest.raises(EntryRefused) as refused:
        services.add_seat(
            campaign=campaign,
            member=organiser_of(campaign),
            sitting=services.Sitting("90024"),
            now=NOW,
        )
    assert {each.rule for each in refused.value.findings} == {
        "roster.unused",
        "roster.taken",
    }
    sent = as_alice.post(
        _at(campaign, "sit/"), {"seat": f"code:{SKIDS}", "name": "Erin"}
    )

    assert sent.status_code == 303
    assert campaign.seats.get(investigator=SKIDS).name == "Erin"


def test_no_one_joins_during_a_game(campaign: Campaign, as_alice: Client) -> None:
    """None is offered then, and the page says why."""
    report(campaign, as_answers(*begun("two", ROLAND, DAISY)))
    page = as_alice.get(_at(campaign, "sit/")).content.decode()

    assert _offered(page) == set()
    assert "Investigators join between scenarios" in page
    assert "<select" not in page


def test_a_killed_investigator_is_replaced_by_their_player(
    campaign: Campaign, bob: User, as_bob: Client
) -> None:
    """By a former investigator too; never by the killed one."""
    member = a_member(campaign, bob)
    campaign.seats.filter(investigator=DAISY).update(member=member)
    seat = campaign.seats.get(investigator=DAISY)
    path = _at(campaign, "sit/")
    assert as_bob.get(path, {"instead": seat.pk}).status_code == 403
    _suffer(campaign, DAISY, 5)
    assert _fate(campaign, DAISY) is Fate.KILLED
    page = as_bob.get(_at(campaign, "")).content.decode()
    assert "Killed" in page
    assert "Choose another investigator" in page
    instead = f"people/sit/?instead={seat.pk}"
    table = f"/campaigns/{campaign.pk}/"
    assert instead in as_bob.get(table).content.decode()
    page = as_bob.get(path, {"instead": seat.pk}).content.decode()
    assert "Who takes over from Daisy Walker?" in page
    assert '<option value="" selected>Choose an investigator</option>' in page
    assert SKIDS in _offered(page)
    assert {ROLAND, DAISY}.isdisjoint(_offered(page))
    assert as_bob.post(path, {"seat": f"code:{SKIDS}"}).status_code == 403
    sent = as_bob.post(path, {"seat": f"code:{SKIDS}", "instead": str(seat.pk)})

    assert sent.status_code == 303
    assert campaign.seats.get(investigator=SKIDS).member == member
    assert instead not in as_bob.get(table).content.decode()


def test_under_survival_a_bereft_player_does_not_rejoin(alice: User, bob: User) -> None:
    """Not even without naming a predecessor; someone else may join."""
    campaign = a_campaign(alice, ROLAND, ultimatums=[("survival", "")])
    a_seat(campaign, DAISY, a_member(campaign, bob))
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    _suffer(campaign, ROLAND, 9)
    alone = services.Sitting(SKIDS)
    with pytest.raises(EntryRefused) as refused:
        services.add_seat(
            campaign=campaign, member=organiser_of(campaign), sitting=alone, now=NOW
        )
    seat = services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=alone._replace(name="Erin", is_mine=False),
        now=NOW,
    )

    assert [each.rule for each in refused.value.findings] == ["roster.survival"]
    assert seat.member is None


def _bereft(alice: User, bob: User) -> tuple[Campaign, Membership]:
    """A campaign under Survival: Bob's Daisy was killed; Roland is free, Skids too."""
    campaign = a_campaign(alice, ultimatums=[("survival", "")])
    member = a_member(campaign, bob)
    a_seat(campaign, ROLAND)
    a_seat(campaign, DAISY, member)
    a_seat(campaign, SKIDS)
    report(campaign, as_answers(who(ROLAND, DAISY, SKIDS), *won("one")))
    _suffer(campaign, DAISY, 5)
    return campaign, member


def _link(campaign: Campaign, seat: Seat | None = None) -> Invitation:
    made = timezone.now()
    return services.invite(
        campaign=campaign, member=organiser_of(campaign), now=made, seat=seat
    )


@pytest.mark.parametrize("way", ["given", "by link", "chosen", "own deck"])
def test_under_survival_a_bereft_player_gets_no_free_seat(
    alice: User, bob: User, way: str
) -> None:
    """It stays free for others; players of the killed one keep other seats."""
    campaign, member = _bereft(alice, bob)
    seat = campaign.seats.get(investigator=ROLAND)
    content = starter_deck(current_pool(), ROLAND)
    deck = deck_services.create_deck(owner=bob, content=content, now=NOW)
    link = _link(campaign, seat if way == "by link" else None)
    if way == "own deck":
        services.change_role(
            member=member, actor=organiser_of(campaign), role=Role.ORGANISER, now=NOW
        )

    def sit() -> None:
        if way == "given":
            organiser = organiser_of(campaign)
            services.give_seat(seat=seat, member=member, actor=organiser)
        elif way == "own deck":
            services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
        else:
            services.join(invitation=link, user=bob, now=NOW, seat=seat)

    with pytest.raises(EntryRefused) as refused:
        sit()
    seat.refresh_from_db()

    assert [each.rule for each in refused.value.findings] == ["roster.survival"]
    assert seat.member is None


def test_under_survival_a_killed_investigators_seat_needs_a_player(
    alice: User, bob: User
) -> None:
    """Without one its player could begin another; other seats may be free."""
    campaign, _member = _bereft(alice, bob)
    seats = [campaign.seats.get(investigator=each) for each in (DAISY, ROLAND)]
    with pytest.raises(EntryRefused) as refused:
        services.give_seat(seat=seats[0], member=None, actor=organiser_of(campaign))
    services.give_seat(seat=seats[1], member=None, actor=organiser_of(campaign))

    assert [each.rule for each in refused.value.findings] == ["roster.survival"]
    assert campaign.seats.get(investigator=DAISY).member is not None


def test_under_survival_others_may_take_a_free_seat(
    alice: User, bob: User, as_charlie: Client
) -> None:
    """The killed one's seat goes only to others who played them."""
    campaign, member = _bereft(alice, bob)
    roland, daisy = (campaign.seats.get(investigator=it) for it in (ROLAND, DAISY))
    path = f"/campaigns/join/{token_of(_link(campaign))}/"
    assert as_charlie.post(path, {"seat": str(roland.pk)}).status_code == 303
    roland.refresh_from_db()
    organiser = organiser_of(campaign)
    services.give_seat(seat=daisy, member=organiser, actor=organiser)
    skids = campaign.seats.get(investigator=SKIDS)
    services.give_seat(seat=skids, member=member, actor=organiser)

    assert roland.member is not None
    assert roland.member.name == "charlie"
    assert skids.member == member


def test_under_survival_a_returning_player_is_still_bereft(
    alice: User, bob: User, as_bob: Client
) -> None:
    """With an account or as a guest; the form of the seat keeps it theirs."""
    campaign, member = _bereft(alice, bob)
    link = _link(campaign)
    guest, key = services.join_as_guest(invitation=link, name="Erin", now=NOW)
    campaign.seats.filter(investigator=SKIDS).update(member=guest)
    _suffer(campaign, SKIDS, 8)
    services.leave(member=member, now=NOW)
    services.leave(member=guest, now=NOW)
    as_alice = Client()
    as_alice.force_login(alice)
    page = as_alice.get(_at(campaign, "")).content.decode()
    assert page.count(f'<option value="{member.pk}" selected>') == 1
    roland = campaign.seats.get(investigator=ROLAND)
    sent = as_bob.post(f"/campaigns/join/{token_of(link)}/", {"seat": str(roland.pk)})
    assert sent.status_code == 422
    assert "This player has left the campaign." in sent.content.decode()
    again, _key = services.join_as_guest(
        invitation=link, name="Erin", now=NOW, guest=guest_behind(key)
    )
    with pytest.raises(EntryRefused):
        services.give_seat(seat=roland, member=again, actor=organiser_of(campaign))

    assert campaign.seats.get(investigator=DAISY).member == member


def test_leaving_without_survival_frees_every_seat(
    campaign: Campaign, bob: User
) -> None:
    member = a_member(campaign, bob)
    campaign.seats.filter(investigator=DAISY).update(member=member)
    _suffer(campaign, DAISY, 5)
    services.leave(member=member, now=NOW)

    assert campaign.seats.get(investigator=DAISY).member is None


def test_an_investigator_retires_with_a_reason(
    campaign: Campaign, as_alice: Client
) -> None:
    """Between games, once; anyone else may follow."""
    assert _retire(as_alice, campaign, ROLAND, reason=" ") == 422
    assert _retire(as_alice, campaign, ROLAND, after="1") == 409
    assert _fate(campaign, ROLAND) is Fate.ALIVE
    assert _retire(as_alice, campaign, ROLAND) == 303
    assert _fate(campaign, ROLAND) is Fate.RETIRED
    assert _retire(as_alice, campaign, ROLAND) == 422
    assert "Retired" in as_alice.get(_at(campaign, "")).content.decode()
    table = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "Retired" in table
    seat = campaign.seats.get(investigator=ROLAND)
    page = as_alice.get(_at(campaign, "sit/"), {"instead": seat.pk}).content.decode()

    assert SKIDS in _offered(page)
    assert ROLAND not in _offered(page)


def test_a_refused_retirement_keeps_its_reason(
    campaign: Campaign, as_alice: Client
) -> None:
    seat = campaign.seats.get(investigator=ROLAND)
    sent = {"after": "1", "reason": "Enough of it."}
    late = as_alice.post(_at(campaign, f"seats/{seat.pk}/retire"), sent)
    assert late.status_code == 409
    assert 'required value="Enough of it."' in late.content.decode()


def test_no_one_retires_during_a_game(campaign: Campaign, as_alice: Client) -> None:
    """The page stays, and says what to wait for."""
    report(campaign, as_answers(*begun("two", ROLAND, DAISY)))

    assert _retire(as_alice, campaign, ROLAND) == 422
    assert _fate(campaign, ROLAND) is Fate.ALIVE


def test_a_player_retires_only_their_own_investigator(
    campaign: Campaign, bob: User, as_bob: Client
) -> None:
    """A spectator none."""
    member = a_member(campaign, bob)
    campaign.seats.filter(investigator=DAISY).update(member=member)
    assert _retire(as_bob, campaign, ROLAND) == 403
    member.role = Role.SPECTATOR
    member.save()
    assert _retire(as_bob, campaign, DAISY) == 403
    member.role = Role.PLAYER
    member.save()

    assert _retire(as_bob, campaign, DAISY) == 303


def test_investigators_move_to_another_campaign(
    campaign: Campaign, alice: User, bob: User, as_alice: Client
) -> None:
    """With decks, unspent experience and trauma, and their players."""
    member = a_member(campaign, bob)
    campaign.seats.filter(investigator=DAISY).update(member=member)
    deck = deck_services.create_deck(
        owner=alice, content=starter_deck(current_pool(), ROLAND), now=NOW, name="Ours"
    )
    seat = campaign.seats.get(investigator=ROLAND)
    services.link_deck(
        seat=seat, member=organiser_of(campaign), deck=deck, now=later(90)
    )
    before = ledger.balance_of(deck)
    assert before == 3
    _suffer(campaign, ROLAND, 1)
    page = as_alice.get(_at(campaign, "transfer/")).content.decode()
    daisy = campaign.seats.get(investigator=DAISY)
    assert f'name="unspent_{seat.pk}" value="3"' in page
    other = a_row(version=4)
    sent = as_alice.post(
        _at(campaign, "transfer/"),
        {
            "guide": str(other.pk),
            "name": "Saturday",
            f"goes_{seat.pk}": "on",
            f"unspent_{seat.pk}": "3",
            f"goes_{daisy.pk}": "on",
            f"unspent_{daisy.pk}": "2",
        },
    )
    assert sent.status_code == 303, sent.content.decode()
    begun_after = Campaign.objects.get(name="Saturday")
    report(begun_after, as_answers(who(ROLAND, DAISY)))
    person = replayed(begun_after).replay.state.people[ROLAND]
    there = begun_after.seats.get(investigator=ROLAND)
    seat.refresh_from_db()

    assert (person.physical, person.mental) == (1, None)
    assert (experience(begun_after, ROLAND), experience(begun_after, DAISY)) == (3, 2)
    assert (seat.deck, there.deck, ledger.balance_of(deck)) == (None, deck, before)
    assert begun_after.seats.get(investigator=DAISY).member is not None
    assert {each.name for each in begun_after.memberships.all()} == {"alice", "bob"}
    assert begun_after.entries.get(sequence=2).cause == "transfer"
    assert _copies(deck) == 1

    report(begun_after, as_answers(*won("one")))
    assert ledger.balance_of(deck) == before + 3
    services.return_to_start(
        campaign=begun_after,
        member=organiser_of(begun_after),
        scenario="$campaign_setup",
        context=WriteContext(begun_after.last, later(99)),
    )
    assert ledger.balance_of(deck) == before
    assert _copies(deck) == 1


@pytest.mark.parametrize(("said", "expected"), [(None, 3), (5, 5), (1, 1)])
def test_a_moved_deck_has_what_the_table_chose(
    campaign: Campaign, alice: User, said: int | None, expected: int
) -> None:
    """Log and deck agree once the setup is over, whatever was left behind."""
    content = starter_deck(current_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    seat = campaign.seats.get(investigator=ROLAND)
    organiser = organiser_of(campaign)
    services.link_deck(seat=seat, member=organiser, deck=deck, now=later(90))
    new = services.transfer_campaign(
        campaign=campaign,
        member=organiser,
        guide=campaign.guide,
        going=[services.SeatTransfer(seat, said)],
        now=later(95),
    )
    report(new, as_answers(who(ROLAND)))

    assert experience(new, ROLAND) == ledger.balance_of(deck) == expected
    services.return_to_start(
        campaign=new,
        member=organiser_of(new),
        scenario="$campaign_setup",
        context=WriteContext(new.last, later(99)),
    )
    report(new, as_answers(who(ROLAND)))
    assert ledger.balance_of(deck) == expected


def test_killed_investigators_do_not_move(campaign: Campaign, as_alice: Client) -> None:
    """422, and no campaign is begun; the same without any investigator."""
    _suffer(campaign, DAISY, 5)
    page = as_alice.get(_at(campaign, "transfer/")).content.decode()
    daisy = campaign.seats.get(investigator=DAISY)
    assert f"goes_{daisy.pk}" not in page
    sent = as_alice.post(_at(campaign, "transfer/"), {"guide": str(campaign.guide_id)})
    assert sent.status_code == 422
    with pytest.raises(EntryRefused) as refused:
        services.transfer_campaign(
            campaign=campaign,
            member=organiser_of(campaign),
            guide=campaign.guide,
            going=[services.SeatTransfer(daisy)],
            now=NOW,
        )
    assert [each.rule for each in refused.value.findings] == ["transfer.survivor"]

    assert Campaign.objects.count() == 1


@pytest.mark.parametrize(("more", "expected"), [(0, ["transfer.over"]), (1, [])])
def test_no_deck_moves_while_a_game_is_resolved(
    campaign: Campaign, more: int, expected: list[str]
) -> None:
    """Its experience is counted first; it may move once decks are upgraded."""
    played = won("two")
    asked_for_points = [each.get("step") for each in played].index("victory")
    report(campaign, as_answers(*played[: asked_for_points + more]))
    found = []
    try:
        services.transfer_campaign(
            campaign=campaign,
            member=organiser_of(campaign),
            guide=campaign.guide,
            going=[services.SeatTransfer(campaign.seats.get(investigator=DAISY))],
            now=NOW,
        )
    except EntryRefused as refused:
        found = [each.rule for each in refused.findings]

    assert found == expected


def test_only_the_organiser_moves_investigators(
    campaign: Campaign, bob: User, as_bob: Client, as_charlie: Client
) -> None:
    """403 for players, 404 for strangers."""
    a_member(campaign, bob, Role.SCRIBE)

    assert as_bob.get(_at(campaign, "transfer/")).status_code == 403
    assert as_charlie.get(_at(campaign, "transfer/")).status_code == 404
