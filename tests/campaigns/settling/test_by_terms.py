"""A deck at a table is judged by what the table agreed on and swore to."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.settling.terms import standings
from decks import services as deck_services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    as_answers,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import ROLAND

pytestmark = pytest.mark.django_db
BY_TERMS = "under this group’s rules"


@pytest.fixture
def deck(alice: User) -> Deck:
    """Roland’s first deck, legal by its own terms, without a taboo list."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = dict(content.deck) | {"taboo_id": None}
    content = Content(deck, content.circumstances)
    return deck_services.create_deck(owner=alice, content=content, now=NOW)


@pytest.fixture
def campaign(alice: User, deck: Deck) -> Campaign:
    """Alice plays Roland with it."""
    begun = a_campaign(alice)
    services.add_seat(
        campaign=begun,
        member=organiser_of(begun),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    return begun


def swear(campaign: Campaign, *names: str) -> None:
    """The table swears to these."""
    for name in names:
        services.choose_ultimatum(
            campaign=campaign,
            member=organiser_of(campaign),
            chosen=UltimatumChosen(SETUP, name),
            context=write_context(campaign),
        )
        campaign.refresh_from_db()


def agree(campaign: Campaign, **terms: Any) -> None:
    """The table agrees on these."""
    services.change_terms(campaign=campaign, member=organiser_of(campaign), terms=terms)


def found(campaign: Campaign) -> tuple[str, set[str]]:
    """How Roland's deck stands, and the rules it is at odds with."""
    (standing,) = standings(campaign, replayed(campaign).replay).values()
    return standing.judged.status, {each.rule for each in standing.notes}


def test_nothing_is_said_of_a_deck_that_keeps_to_the_terms(campaign: Campaign) -> None:
    assert found(campaign) == ("legal", set())


@pytest.mark.parametrize(
    ("oaths", "terms", "rule"),
    [
        (["highlander"], {}, "ultimatum.highlander"),
        (["disaster"], {}, "weakness.required"),
        (
            [],
            {"environment": {"kind": "products", "packs": ["nat"]}},
            "environment.card",
        ),
    ],
)
def test_what_the_table_says_comes_before_the_deck(
    campaign: Campaign, oaths: list[str], terms: dict[str, Any], rule: str
) -> None:
    """Its ultimatums and its products."""
    agree(campaign, **terms)
    swear(campaign, *oaths)

    assert rule in found(campaign)[1]


def test_a_deck_is_played_as_its_table_plays(campaign: Campaign, deck: Deck) -> None:
    """In a campaign, though by itself it is for one scenario; never the reverse."""

    def played(own: str) -> str:
        content = Content(dict(deck.revisions.latest("number").list), {"mode": own})
        deck.refresh_from_db()
        deck_services.revise_deck(
            deck=deck,
            content=content,
            expected_revision=deck.revision,
            now=NOW,
            actor=deck.owner,
        )
        (standing,) = standings(campaign, replayed(campaign).replay).values()
        return standing.judged.asked.circumstances.mode.value

    assert [played(own) for own in ("standalone", "start", "campaign")] == [
        "campaign",
        "start",
        "campaign",
    ]
    campaign.simulated = "one"
    assert played("start") == "standalone"


def test_each_deck_has_the_list_of_taboos_the_table_gives_it(
    campaign: Campaign,
) -> None:
    """One for everybody, another for one of them; under Orthodoxy the newest."""

    def listed() -> Any:
        (standing,) = standings(campaign, replayed(campaign).replay).values()
        assert standing.judged.frame is not None
        return standing.judged.frame.taboo and standing.judged.frame.taboo.id

    assert listed() is None
    agree(campaign, taboo="8")
    assert listed() == 8
    agree(campaign, taboo="8", taboos={ROLAND: "9"})
    assert listed() == 9
    agree(campaign)
    swear(campaign, "orthodoxy")
    assert listed() == embedded_pool().taboo_lists[-1].id


def test_a_deck_that_names_another_list_says_so(
    campaign: Campaign, as_alice: Client, deck: Deck
) -> None:
    """With the way to move it; nothing where the table leaves it to everybody."""
    page = f"/campaigns/{campaign.pk}/people/"
    way = f"/decks/{deck.pk}/taboos/"
    assert way not in as_alice.get(page).content.decode()
    agree(campaign, taboo="9")
    shown = as_alice.get(page).content.decode()
    assert way in shown
    dates = {each.id: each.date for each in embedded_pool().taboo_lists}
    assert f"This table uses the taboo list of {dates[9]}" in shown

    content = Content(dict(deck.revisions.get().list) | {"taboo_id": 8}, {})
    deck_services.revise_deck(
        deck=deck, content=content, expected_revision=1, now=NOW, actor=deck.owner
    )
    agree(campaign, taboo="none")
    assert "This table doesn’t use a taboo list" in as_alice.get(page).content.decode()
    agree(campaign, taboo="8")
    assert way not in as_alice.get(page).content.decode()


def test_its_owner_sees_what_stands_against_it(
    campaign: Campaign, as_alice: Client, as_bob: Client, bob: User
) -> None:
    """The others see that something does."""
    a_member(campaign, bob)
    swear(campaign, "highlander")
    rules = {}
    for browser in (as_alice, as_bob):
        page = browser.get(f"/campaigns/{campaign.pk}/people/").content.decode()
        assert "Illegal" in page
        assert BY_TERMS in page
        rules[browser] = 'class="finding illegal"' in page
        (seat,) = browser.get(f"/api/v1/campaigns/{campaign.pk}/seats/").json()[
            "results"
        ]
        assert seat["status"] == "illegal"
        assert (seat["findings"] is None) is (browser is as_bob)
    assert rules == {as_alice: True, as_bob: False}


def test_it_is_shown_again_while_decks_are_upgraded(
    campaign: Campaign, as_alice: Client
) -> None:
    """Nothing is said there while nothing stands against it."""
    report(campaign, as_answers(who(ROLAND), *won("one")[:-1]))
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "experience to spend" in page
    assert BY_TERMS not in page

    agree(campaign, environment={"kind": "products", "packs": ["nat"]})
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert BY_TERMS in page


def test_a_list_is_agreed_on_for_everybody_or_one_by_page(
    campaign: Campaign, as_alice: Client
) -> None:
    """What is not said of somebody is as the table has it."""
    page = f"/campaigns/{campaign.pk}/settings/"
    assert "Taboo list: Roland Banks" in as_alice.get(page).content.decode()
    sent = {"do": "agree", "taboo": "8", f"taboo_{ROLAND}": "9"}
    assert as_alice.post(page, sent).status_code == 303
    campaign.refresh_from_db()
    assert campaign.terms == {"taboo": "8", "taboos": {ROLAND: "9"}}

    assert as_alice.post(page, {"do": "agree", "taboo": "8"}).status_code == 303
    campaign.refresh_from_db()
    assert campaign.terms == {"taboo": "8"}


def test_terms_agreed_to_in_another_window_are_not_changed_back(
    campaign: Campaign, as_alice: Client
) -> None:
    """A form that was open meanwhile changes what was changed in it."""
    page = f"/campaigns/{campaign.pk}/settings/"
    shown = {
        f"{which}{name}": ""
        for name in ("taboo", f"taboo_{ROLAND}", "collection")
        for which in ("", "initial-")
    }
    html = as_alice.get(page).content.decode()
    assert all(f'name="{name}"' in html for name in shown)
    as_alice.post(page, {**shown, "do": "agree", "taboo": "8"})

    as_alice.post(page, {**shown, "do": "agree", f"taboo_{ROLAND}": "9"})

    campaign.refresh_from_db()
    assert campaign.terms == {"taboo": "8", "taboos": {ROLAND: "9"}}


def test_a_name_given_in_another_window_is_not_lost_unseen(
    campaign: Campaign, as_alice: Client
) -> None:
    """Another one is asked for twice; what was not changed here changes nothing."""
    page = f"/campaigns/{campaign.pk}/settings/"
    seen = {"do": "rename", "initial-name": campaign.name}
    as_alice.post(page, {**seen, "name": "Fridays"})

    assert as_alice.post(page, {**seen, "name": campaign.name}).status_code == 303
    asked = as_alice.post(page, {**seen, "name": "Sundays"})

    assert asked.status_code == 422
    told = asked.content.decode()
    assert "Someone else named it “Fridays” first." in told
    assert 'name="initial-name" value="Fridays"' in told
    assert 'name="name" value="Sundays"' in told
    campaign.refresh_from_db()
    assert campaign.name == "Fridays"

    seen["initial-name"] = "Fridays"
    assert as_alice.post(page, {**seen, "name": "Sundays"}).status_code == 303
    campaign.refresh_from_db()
    assert campaign.name == "Sundays"
