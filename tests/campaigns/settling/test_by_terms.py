"""A linked deck is judged by the table's terms and ultimatums."""

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
from campaigns.settling.terms import deck_compliance
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
BY_TERMS = "by the rules of this table"


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
    """Put these ultimatums in force."""
    for name in names:
        services.choose_ultimatum(
            campaign=campaign,
            member=organiser_of(campaign),
            chosen=UltimatumChosen(SETUP, name),
            context=write_context(campaign),
        )
        campaign.refresh_from_db()


def agree(campaign: Campaign, **terms: Any) -> None:
    """Set the table's terms."""
    services.change_terms(campaign=campaign, member=organiser_of(campaign), terms=terms)


def found(campaign: Campaign) -> tuple[str, set[str]]:
    """Return the verdict on Roland's deck, and the rules it breaks."""
    (compliance,) = deck_compliance(campaign, replayed(campaign).replay).values()
    return compliance.judged.status, {each.rule for each in compliance.notes}


def test_a_deck_within_the_terms_has_no_findings(campaign: Campaign) -> None:
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
def test_the_tables_terms_take_precedence_over_the_decks(
    campaign: Campaign, oaths: list[str], terms: dict[str, Any], rule: str
) -> None:
    """Its ultimatums and its products."""
    agree(campaign, **terms)
    swear(campaign, *oaths)

    assert rule in found(campaign)[1]


def test_a_deck_has_the_mode_of_its_table(campaign: Campaign, deck: Deck) -> None:
    """In a campaign, though its own mode is standalone; never the reverse."""

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
        (compliance,) = deck_compliance(campaign, replayed(campaign).replay).values()
        return compliance.judged.asked.circumstances.mode.value

    assert [played(own) for own in ("standalone", "start", "campaign")] == [
        "campaign",
        "start",
        "campaign",
    ]
    campaign.simulated = "one"
    assert played("start") == "standalone"


def test_each_deck_has_the_taboo_list_of_the_table(
    campaign: Campaign,
) -> None:
    """One for all, another for one of them; under Orthodoxy the newest."""

    def listed() -> Any:
        (compliance,) = deck_compliance(campaign, replayed(campaign).replay).values()
        assert compliance.judged.frame is not None
        return compliance.judged.frame.taboo and compliance.judged.frame.taboo.id

    assert listed() is None
    agree(campaign, taboo="8")
    assert listed() == 8
    agree(campaign, taboo="8", taboos={ROLAND: "9"})
    assert listed() == 9
    agree(campaign)
    swear(campaign, "orthodoxy")
    assert listed() == embedded_pool().taboo_lists[-1].id


def test_a_deck_with_another_taboo_list_says_so(
    campaign: Campaign, as_alice: Client, deck: Deck
) -> None:
    """With the way to move it; no message if the table leaves it to the decks."""
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


def test_only_the_owner_sees_findings_in_full(
    campaign: Campaign, as_alice: Client, as_bob: Client, bob: User
) -> None:
    """Others see that there are some."""
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


def test_findings_are_shown_again_while_decks_are_upgraded(
    campaign: Campaign, as_alice: Client
) -> None:
    """Without findings nothing is shown."""
    report(campaign, as_answers(who(ROLAND), *won("one")[:-1]))
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "experience to spend" in page
    assert BY_TERMS not in page

    agree(campaign, environment={"kind": "products", "packs": ["nat"]})
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert BY_TERMS in page


def test_a_taboo_list_is_set_for_all_or_one_on_the_page(
    campaign: Campaign, as_alice: Client
) -> None:
    """Without one of their own, an investigator has the table's."""
    page = f"/campaigns/{campaign.pk}/settings/"
    assert "Taboo list: Roland Banks" in as_alice.get(page).content.decode()
    sent = {"do": "agree", "taboo": "8", f"taboo_{ROLAND}": "9"}
    assert as_alice.post(page, sent).status_code == 303
    campaign.refresh_from_db()
    assert campaign.terms == {"taboo": "8", "taboos": {ROLAND: "9"}}

    assert as_alice.post(page, {"do": "agree", "taboo": "8"}).status_code == 303
    campaign.refresh_from_db()
    assert campaign.terms == {"taboo": "8"}


def test_terms_set_in_another_window_are_not_reverted(
    campaign: Campaign, as_alice: Client
) -> None:
    """An older form changes only what was changed in it."""
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


def test_a_name_set_in_another_window_is_not_lost_unseen(
    campaign: Campaign, as_alice: Client
) -> None:
    """A conflicting one needs confirmation; an unchanged field changes nothing."""
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
