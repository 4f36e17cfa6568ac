"""Decks of guests’ investigators when these move to another campaign."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Stated
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guest, Membership, Role, Seat
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck, Revision
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    NOW,
    STORY,
    a_campaign,
    as_answers,
    later,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def _copies(deck: Deck) -> int:
    """Return copies of the story card in the list, and those granted since."""
    deck.refresh_from_db()
    latest: Revision = deck.revisions.get(number=deck.revision)
    granted = (latest.aftermath or {}).get("granted", {})
    return int(latest.list["slots"].get(STORY, 0) + granted.get(STORY, 0))


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice’s deck, with which a guest plays."""
    content = starter_deck(embedded_pool(), ROLAND)
    return deck_services.create_deck(owner=alice, content=content, now=NOW)


@pytest.fixture
def old(alice: User, deck: Deck) -> Campaign:
    """Erin, a guest, plays Roland with Alice’s deck; he has two copies of a card."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    erin = Membership.objects.create(
        campaign=campaign,
        guest=Guest.objects.create(name="Erin", digest="e", made_at=NOW),
        role=Role.PLAYER,
        joined_at=NOW,
    )
    campaign.seats.filter(investigator=ROLAND).update(member=erin)
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck,
        now=NOW,
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", do.CardCount(STORY, 1), (ROLAND,), (), "Found again"),
        context=write_context(campaign),
    )
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", do.EarnExperience("input", bonus=1), (ROLAND,), (), "Late"),
        context=write_context(campaign),
    )
    return campaign


def _moved(campaign: Campaign) -> Seat:
    """Roland in another campaign, to which he moves with all that he has."""
    begun = services.transfer_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        guide=campaign.guide,
        going=[services.SeatTransfer(campaign.seats.get(investigator=ROLAND))],
        now=later(90),
    )
    report(begun, as_answers(who(ROLAND)))
    return begun.seats.get(investigator=ROLAND)


@pytest.mark.parametrize("stays", [True, False])
def test_a_deck_of_someone_who_moves_too_moves_with_its_seat(
    old: Campaign, deck: Deck, stays: bool
) -> None:
    """The guest plays it there, unless they have left; it gets the copy it lacks."""
    guest = old.seats.get(investigator=ROLAND).member
    assert guest is not None
    if not stays:
        services.leave(member=guest, now=later(80))
    assert (_copies(deck), ledger.balance_of(deck)) == (1, 4)

    seat = _moved(old)
    assert seat.deck == deck
    assert (seat.member is not None) is stays
    assert old.seats.get(investigator=ROLAND).deck is None
    assert (_copies(deck), ledger.balance_of(deck)) == (2, 4)
    person = replayed(seat.campaign).replay.state.people[ROLAND]
    assert (person.experience, person.card_counts) == (4, {STORY: 2})


def test_a_guest_who_gets_an_account_has_their_seats_in_both_campaigns(
    old: Campaign, deck: Deck, bob: User
) -> None:
    seat = _moved(old)
    guest = Guest.objects.get()
    services.claim(guest=guest, user=bob, now=later(95))
    seat.refresh_from_db()
    assert seat.member is not None
    assert (seat.member.user, seat.deck) == (bob, deck)
    assert {each.campaign_id for each in Membership.objects.filter(user=bob)} == {
        old.pk, seat.campaign_id,
    }  # fmt: skip
    assert (_copies(deck), ledger.balance_of(deck)) == (2, 4)
