"""A deck whose campaign is deleted is no longer judged under its terms."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from campaigns import services
from campaigns.models import Campaign
from decks import services as deck_services
from decks.lists.content import Content
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    as_answers,
    later,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.campaigns.settling.helpers import (
    DUKE,
    PETE,
    PETER,
    SACRIFICED,
    content_now,
    game_of,
    sacrifice,
    starter_of,
    table_with,
)
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

pytestmark = pytest.mark.django_db


def _swear(campaign: Campaign, name: str) -> None:
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser_of(campaign),
        chosen=UltimatumChosen(SETUP, name),
        context=write_context(campaign),
    )
    campaign.refresh_from_db()


def _deleted(campaign: Campaign) -> None:
    services.delete_campaign(
        campaign=campaign, member=organiser_of(campaign), now=later(99)
    )


@pytest.mark.parametrize("is_linked", [True, False])
def test_ultimatums_of_a_deleted_campaign_are_removed(
    alice: User, is_linked: bool
) -> None:
    """From decks that left it, too."""
    deck = starter_of(alice, ROLAND)
    before = content_now(deck).circumstances
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one")))
    _swear(campaign, "scream")
    assert content_now(deck).circumstances == before | {"ultimatums": ["scream"]}
    if not is_linked:
        services.unlink_deck(
            seat=campaign.seats.get(deck=deck), member=organiser_of(campaign)
        )
    _deleted(campaign)

    assert content_now(deck).circumstances == before


def test_ultimatums_are_removed_when_the_last_account_is_closed(
    alice: User, bob: User
) -> None:
    """The campaign goes with the account; the other’s deck stays."""
    deck = starter_of(bob, ROLAND)
    before = content_now(deck).circumstances
    campaign = a_campaign(alice, DAISY)
    member = a_member(campaign, bob)
    seat = a_seat(campaign, ROLAND, member)
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
    report(campaign, as_answers(who(DAISY, ROLAND)))
    _swear(campaign, "scream")
    assert content_now(deck).circumstances["ultimatums"] == ["scream"]
    services.leave(member=member, now=later(98))
    services.close_account(user=alice, now=later(99))

    assert not Campaign.objects.exists()
    assert content_now(deck).circumstances == before


def test_joining_late_is_forgotten(alice: User) -> None:
    """It is a fact of that campaign alone."""
    campaign = a_campaign(alice, DAISY, SKIDS)
    played = won("one", 2, **{DAISY: "alive", SKIDS: "alive"})
    report(campaign, as_answers(who(DAISY, SKIDS), *played))
    deck = starter_of(alice, ROLAND)
    before = content_now(deck).circumstances
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    assert content_now(deck).circumstances["arrival"] == ["newcomer"]
    _deleted(campaign)

    assert content_now(deck).circumstances == before


def test_the_players_own_terms_stay(alice: User) -> None:
    """The table only repeated them."""
    base = starter_of(alice, ROLAND)
    content = Content(content_now(base).deck, {"ultimatums": ["scream"]})
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one")))
    _swear(campaign, "scream")
    _deleted(campaign)

    assert content_now(deck).circumstances["ultimatums"] == ["scream"]


def test_lost_cards_are_still_not_required(alice: User) -> None:
    """A card that no deck requires may return."""
    deck = starter_of(alice, PETE, ("add", PETER))
    table = a_row(a_game("one", SACRIFICED), a_game("two"))
    campaign = table_with(alice, deck, PETE, table)
    _swear(campaign, "exile")
    report(campaign, game_of(PETE, sacrifice(DUKE, PETER)))
    assert content_now(deck).circumstances["lost_cards"] == [DUKE, PETER]
    _deleted(campaign)

    assert content_now(deck).circumstances["lost_cards"] == [DUKE]
    assert "ultimatums" not in content_now(deck).circumstances
    assert not {DUKE, PETER} & content_now(deck).deck["slots"].keys()
