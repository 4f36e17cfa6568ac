"""Every player answers questions, unless the organiser restricts it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Answer, SideScenario, Stated
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Invitation, Role
from campaigns.people.table import token_of
from campaigns.services import Forbidden
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    a_row,
    a_seat,
    answer_as,
    as_answers,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.campaigns.people.helpers import PEOPLE
from tests.rules.campaign.helpers.games import a_game, begun, ended, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db


@pytest.fixture
def playing(alice: User) -> Campaign:
    """Alice's campaign during a game; Roland is hers, Daisy is free."""
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one")))
    a_seat(campaign, DAISY)
    report(campaign, as_answers(PEOPLE, *begun("one", ROLAND, DAISY)))
    return campaign


def _page(browser: Client, campaign: Campaign, query: str = "") -> str:
    return browser.get(f"/campaigns/{campaign.pk}/{query}").content.decode()


def _link(campaign: Campaign) -> Invitation:
    now = timezone.now()
    return services.invite(campaign=campaign, member=organiser_of(campaign), now=now)


def test_a_player_ends_the_scenario_with_one_button(
    playing: Campaign, bob: User, as_bob: Client
) -> None:
    """It is the main action; recording something in play is beside it."""
    a_member(playing, bob)
    page = _page(as_bob, playing)
    form = page[page.index("data-answer") :]
    assert 'name="answer" value="$finish"' in form
    assert form.index('value="$finish"') < form.index('<details class="in-play')
    assert form.index('<details class="in-play') < form.index("$record_trauma")
    assert 'type="radio"' not in form
    sent = {"after": playing.last, "key": "a", "answer": "$finish"}
    assert as_bob.post(f"/campaigns/{playing.pk}/", sent).status_code == 303


def test_a_spectator_does_not_answer(playing: Campaign, bob: User) -> None:
    """Whatever the setting."""
    spectator = a_member(playing, bob, Role.SPECTATOR)
    with pytest.raises(Forbidden):
        answer_as(playing, spectator, PEOPLE)


def test_the_organiser_restricts_answers(
    playing: Campaign, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """In the settings; then the table waits for the organiser."""
    a_member(playing, bob)
    assert "data-mine" in _page(as_bob, playing)
    sent = {"do": "agree", "answers": "organiser", "taboo": "", "collection": ""}
    settings = f"/campaigns/{playing.pk}/settings/"
    assert as_alice.post(settings, sent).status_code == 303
    page = _page(as_bob, playing)
    assert "Waiting for alice" in page
    assert "<title>Waiting for alice: " in page
    assert "data-answer" not in page.replace("form[data-answer]", "")


def test_a_player_begins_no_side_scenario(playing: Campaign, bob: User) -> None:
    """Only those who keep the log do."""
    player = a_member(playing, bob)
    aside = SideScenario("one", "custom", "The Fair", 1)
    with pytest.raises(Forbidden):
        services.answer(
            campaign=playing,
            member=player,
            given=Answer("start_side_scenario", "own-1", "", aside),
            context=write_context(playing),
        )


def test_the_first_screen_invites_before_the_first_scenario(
    alice: User, as_alice: Client
) -> None:
    """The link with its code; it goes once a scenario has begun."""
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one")))
    assert "Create a link" in _page(as_alice, campaign)
    link = _link(campaign)
    page = _page(as_alice, campaign)
    assert token_of(link) in page
    assert "QR code of the link" in page
    report(campaign, as_answers(PEOPLE, *begun("one", ROLAND, DAISY)))
    assert token_of(link) not in _page(as_alice, campaign)


def test_a_guest_takes_a_free_seat(playing: Campaign) -> None:
    """By the common link; the notice about being a guest is shown once."""
    browser, join = Client(), f"/campaigns/join/{token_of(_link(playing))}/"
    seat = playing.seats.get(investigator=DAISY)
    assert "Play Daisy Walker" in browser.get(join).content.decode()
    answered = browser.post(join, {"name": "Dora", "seat": seat.pk}, follow=True)
    assert "You play as Dora, a guest" in answered.content.decode()
    assert "You play as Dora, a guest" not in _page(browser, playing)
    seat.refresh_from_db()
    assert seat.member is not None
    assert seat.member.name == "Dora"


def test_a_taken_seat_stays_taken(playing: Campaign, bob: User) -> None:
    """Nor can a seat of another campaign be had."""
    taken = playing.seats.get(investigator=ROLAND)
    link = _link(playing)
    services.join(invitation=link, user=bob, now=link.made_at, seat=taken)
    taken.refresh_from_db()
    assert taken.member is not None
    assert taken.member.name == "alice"


def test_the_players_own_investigator_comes_first(
    playing: Campaign, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """On each phone; the others follow in their order."""
    playing.seats.filter(investigator=DAISY).update(member=a_member(playing, bob))
    both = {ROLAND: "alive", DAISY: "alive"}
    report(playing, as_answers(*ended("one", 1, "R1", **both)[:-1]))
    for browser, order in ((as_alice, (ROLAND, DAISY)), (as_bob, (DAISY, ROLAND))):
        page = _page(browser, playing)
        first, second = (page.index(f'name="{code}"') for code in order)
        assert first < second


def _suffer(campaign: Campaign, code: str) -> None:
    """Let an investigator be killed by trauma."""
    card = embedded_pool().get_card(code)
    assert card is not None
    health = card.health or 0
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", do.Trauma("input", physical=health), (code,), (), "So"),
        context=write_context(campaign),
    )


def test_nothing_is_sent_while_nobody_is_left(alice: User, as_alice: Client) -> None:
    """Replacements come first; who is left continues at once."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    report(campaign, as_answers({"type": "start_scenario", "scenario": "two"}))
    table = f"/campaigns/{campaign.pk}/"
    said = "No investigator is left to continue."
    _suffer(campaign, DAISY)
    page = as_alice.get(table).content.decode()
    assert "Who plays this scenario?" in page
    assert said not in page
    assert "data-answer" in page
    _suffer(campaign, ROLAND)
    page = as_alice.get(table).content.decode()
    assert said in page
    assert "data-answer" not in page
    assert page.count("Choose a replacement for") == 2
    assert "<p>Daisy Walker was killed.</p>" in page
    assert page.count("button main wide-button") == 1
