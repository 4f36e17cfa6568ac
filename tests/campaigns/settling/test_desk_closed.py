"""The upgrade desk of a linked deck is closed while its campaign says so."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    MISKATONIC,
    NOW,
    a_campaign,
    a_row,
    as_answers,
    later,
    report,
    who,
)
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import press_at_desk
from tests.rules.campaign.helpers.games import begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

BEAT_COP, BEAT_COP_2 = "01018", "01028"  # an upgrade costs 2
PLAYING = begun("two", ROLAND, DAISY)


@pytest.fixture
def deck(alice: User) -> Deck:
    """Roland's deck."""
    content = starter_deck(embedded_pool(), ROLAND)
    return deck_services.create_deck(owner=alice, content=content, now=NOW)


def at_a_table(
    alice: User,
    deck: Deck,
    guide: str = "own",
    *,
    asks_for_upgrade: bool = True,
    is_upgrading: bool = False,
) -> Campaign:
    """A campaign in which the deck played one game, before an upgrade step."""
    games, answers = copy.deepcopy(MISKATONIC), won("one")
    if is_upgrading or not asks_for_upgrade:
        answers.pop()
    if not asks_for_upgrade:
        for each in games[0]["resolutions"]:
            each["steps"] = [one for one in each["steps"] if one != "$upgrade_decks"]
    row = a_row(*games, id=guide)
    campaign = a_campaign(alice, DAISY, guide=row)
    services.add_seat(
        campaign=campaign,
        member=campaign.memberships.get(),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *answers))
    deck.refresh_from_db()
    return campaign


def wish(deck: Deck) -> dict[str, Any]:
    """Return the upgrade of a card, as the API takes it."""
    content = upgraded(deck)
    return {"deck": content.deck, "circumstances": dict(content.circumstances)}


def upgraded(deck: Deck) -> Any:
    """Return the deck with a card of it upgraded."""
    latest = deck.revisions.get(number=deck.revision)
    changes = [("remove", BEAT_COP), ("add", BEAT_COP_2)]
    return apply(deck_services.opened(latest), changes, embedded_pool())


def upgrade(deck: Deck, repair: str = "") -> None:
    """Agree to it."""
    deck_services.upgrade_deck(
        deck=deck,
        content=upgraded(deck),
        expected_revision=deck.revision,
        now=later(60),
        repair=repair,
    )


def test_nothing_is_bought_during_a_scenario(alice: User, deck: Deck) -> None:
    """Not even with a reason; the desk is kept."""
    campaign = at_a_table(alice, deck)
    report(campaign, as_answers(*PLAYING))
    for repair in ("", "We want to."):
        with pytest.raises(deck_services.Closed) as closed:
            upgrade(deck, repair)
        assert closed.value.closing.rule == "spending.between-games"
        assert closed.value.closing.url == f"/campaigns/{campaign.pk}/"
    assert ledger.balance_of(deck) == 3


def test_the_desk_is_open_between_two_games(alice: User, deck: Deck) -> None:
    at_a_table(alice, deck)
    assert deck_services.closing_of(deck) is None
    upgrade(deck)
    assert ledger.balance_of(deck) == 1


def test_the_desk_without_a_campaign_is_always_open(alice: User, deck: Deck) -> None:
    """Or with an archived campaign, though a scenario was in progress."""
    campaign = at_a_table(alice, deck)
    report(campaign, as_answers(*PLAYING))
    assert deck_services.closing_of(deck) is not None
    Campaign.objects.filter(pk=campaign.pk).update(archived_at=NOW)
    assert deck_services.closing_of(deck) is None
    upgrade(deck)


def test_the_page_says_why_and_links_to_the_table(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """For all readers; changes, agreements and corrections of a game are refused."""
    campaign = at_a_table(alice, deck)
    report(campaign, as_answers(*PLAYING))
    desk = reverse("decks:desk", args=[deck.pk])
    for address in (desk, reverse("decks:window", args=[deck.pk])):
        page = as_alice.get(address)
        assert page.status_code == 200
        assert "finish this one first" in page.content.decode()
        assert f'href="/campaigns/{campaign.pk}/"' in page.content.decode()
        named = f'<a href="/decks/{deck.pk}/">A deck of Roland Banks</a>'
        assert named in page.content.decode()  # it has no name of its own
        refused = as_alice.post(address, {"revision": "1", "confirm": "1"})
        assert refused.status_code == 409
    assert ledger.balance_of(deck) == 3


def test_the_api_refuses_with_the_reason(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """The upgrade and changes of the desk; prices are always available."""
    campaign = at_a_table(alice, deck)
    report(campaign, as_answers(*PLAYING))
    address = f"/api/v1/decks/{deck.pk}"
    etags = {
        "upgrade": as_alice.get(f"{address}/")["ETag"],
        "desk": as_alice.get(f"{address}/desk")["ETag"],
    }
    answers = {
        path: as_alice.generic(
            method,
            f"{address}/{path}",
            json.dumps(wish(deck)),
            content_type="application/json",
            headers={"If-Match": etags.get(path, "")},
        )
        for method, path in (
            ("POST", "upgrade"),
            ("PUT", "desk"),
            ("POST", "upgrade/preview"),
        )
    }
    for path in ("upgrade", "desk"):
        problem = answers[path].json()
        assert answers[path].status_code == 409, problem
        assert problem["type"] == "urn:orne:problem:closed"
        assert problem["rule"] == "spending.between-games"
        table = f"http://testserver/campaigns/{campaign.pk}/"
        assert problem["campaign_url"] == table
    found = answers["upgrade/preview"].json()
    assert not found["lawful"]
    assert ledger.balance_of(deck) == 3


def test_only_free_changes_are_made_where_a_guide_closes_the_desk(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """XP-22: after a game that asks for no upgrade the desk says so, and sells none."""
    at_a_table(alice, deck, "tic", asks_for_upgrade=False)
    page = as_alice.get(reverse("decks:desk", args=[deck.pk])).content.decode()
    assert "You spend experience only when the campaign guide says so." in page
    with pytest.raises(deck_services.Closed):
        upgrade(deck, "We want to.")
    preview = deck_services.preview_upgrade(deck=deck, content=upgraded(deck))
    assert "upgrade.closed" in {each.rule for each in preview.findings}
    latest = deck.revisions.get(number=deck.revision)
    same = deck_services.upgrade_deck(
        deck=deck,
        content=deck_services.opened(latest),
        expected_revision=deck.revision,
        now=later(60),
    )
    assert same.invoice is not None
    assert same.invoice["experience_spent"] == 0


# -- a deck in play --


def first_game(alice: User, deck: Deck, *, over: bool = False) -> Campaign:
    """A campaign with an unplayed deck in its first scenario."""
    campaign = a_campaign(alice, DAISY)
    services.add_seat(
        campaign=campaign,
        member=campaign.memberships.get(),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, as_answers(who(ROLAND, DAISY)))
    if not over:
        report(campaign, as_answers(*begun("one", ROLAND, DAISY)))
    deck.refresh_from_db()
    return campaign


def edited(deck: Deck) -> Any:
    """Return the deck with one card fewer."""
    latest = deck.revisions.get(number=deck.revision)
    return apply(latest.content, [("remove", BEAT_COP)], embedded_pool())


SAYS = "This deck is in play. Finish the scenario, then change the deck."


def test_a_first_deck_in_play_is_not_edited(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """By the builder, undoing, the terms, an imported list or a draw."""
    campaign = first_game(alice, deck)
    edit = reverse("decks:edit", args=[deck.pk])
    revision = str(deck.revision)
    page = as_alice.get(edit)
    assert SAYS in page.content.decode()
    assert f'href="/campaigns/{campaign.pk}/"' in page.content.decode()
    for fields in (
        {"do": f"remove={BEAT_COP}"},
        {"undo": "1"},
        {"content": edited(deck).as_json()},
    ):
        refused = as_alice.post(edit, {"revision": revision} | fields)
        assert refused.status_code == 409, fields
        assert SAYS in refused.content.decode()
    terms = as_alice.post(
        reverse("decks:terms", args=[deck.pk]), {"revision": revision, "players": "2"}
    )
    assert terms.status_code == 409
    part = as_alice.post(
        edit,
        {"revision": revision, "do": f"remove={BEAT_COP}"},
        headers={"HX-Request": "true"},
    )
    assert part.status_code == 409
    assert "<html" not in part.content.decode()
    deck.refresh_from_db()
    assert str(deck.revision) == revision


def test_no_game_is_entered_by_hand_during_one(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """The campaign records it; by page and API."""
    first_game(alice, deck)
    played = reverse("decks:played", args=[deck.pk])
    assert SAYS in as_alice.get(played).content.decode()
    assert as_alice.post(played, {"revision": "1"}).status_code == 409
    with pytest.raises(deck_services.DeckInPlay):
        deck_services.mark_played(
            deck=deck,
            game=deck_services.PlayedGame(),
            expected_revision=deck.revision,
            now=later(60),
        )
    answer = as_alice.post(
        f"/api/v1/decks/{deck.pk}/games",
        json.dumps({}),
        content_type="application/json",
        headers={"If-Match": as_alice.get(f"/api/v1/decks/{deck.pk}/")["ETag"]},
    )
    assert answer.status_code == 409, answer.content
    assert answer.json()["type"] == "urn:orne:problem:closed"
    deck.refresh_from_db()
    assert deck.ledger.count() == 0


def test_no_second_game_is_entered_by_hand_either(alice: User, deck: Deck) -> None:
    campaign = at_a_table(alice, deck)
    report(campaign, as_answers(*PLAYING))
    with pytest.raises(deck_services.DeckInPlay):
        deck_services.play_again(
            deck=deck,
            game=deck_services.PlayedGame(),
            expected_revision=deck.revision,
            now=later(60),
        )


def test_the_api_does_not_edit_a_deck_in_play(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """What isn't part of the list may be changed, like the name."""
    campaign = first_game(alice, deck)
    address = f"/api/v1/decks/{deck.pk}/"
    content = edited(deck)
    wish = {"deck": content.deck, "circumstances": content.circumstances}
    refused = as_alice.put(
        address,
        json.dumps(wish),
        content_type="application/json",
        headers={"If-Match": as_alice.get(address)["ETag"]},
    )
    assert refused.status_code == 409, refused.content
    problem = refused.json()
    assert problem["type"] == "urn:orne:problem:closed"
    assert problem["detail"] == SAYS
    assert problem["campaign_url"].endswith(f"/campaigns/{campaign.pk}/")
    named = as_alice.patch(
        address,
        json.dumps({"deck": {"name": "Roland at play"}}),
        content_type="application/merge-patch+json",
        headers={"If-Match": as_alice.get(address)["ETag"]},
    )
    assert named.status_code == 200, named.content


def test_between_scenarios_a_first_deck_is_edited(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    first_game(alice, deck, over=True)
    edit = reverse("decks:edit", args=[deck.pk])
    assert SAYS not in as_alice.get(edit).content.decode()
    fields = {"revision": str(deck.revision), "do": f"remove={BEAT_COP}"}
    assert as_alice.post(edit, fields).status_code == 303


def test_a_deck_that_sits_out_is_edited(alice: User) -> None:
    """A newcomer's deck is not in play while the others are."""
    content = starter_deck(embedded_pool(), SKIDS)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    services.add_seat(
        campaign=campaign,
        member=campaign.memberships.get(),
        sitting=services.Sitting(SKIDS, deck=deck),
        now=NOW,
    )
    campaign.refresh_from_db()
    report(campaign, as_answers(*PLAYING))
    deck.refresh_from_db()
    latest = deck.revisions.get(number=deck.revision)
    fewer = apply(
        latest.content, [("remove", next(iter(latest.list["slots"])))], embedded_pool()
    )
    deck_services.revise_deck(
        deck=deck, content=fewer, expected_revision=deck.revision, now=later(70)
    )


def test_an_upgrade_between_two_games_links_back_to_the_table(
    alice: User, deck: Deck, as_alice: Client
) -> None:
    """The desk is the main action until something is bought."""
    table = f"/campaigns/{at_a_table(alice, deck, is_upgrading=True).pk}/"
    desk = reverse("decks:desk", args=[deck.pk])
    first = f'<a class="button main" href="{desk}">'
    assert first in as_alice.get(table).content.decode()
    press_at_desk(as_alice, deck, do=f"remove={BEAT_COP} add={BEAT_COP_2}")
    bought = press_at_desk(as_alice, deck, confirm="1")
    assert (bought.status_code, bought["Location"]) == (303, table)
    page = as_alice.get(table).content.decode()
    assert "Upgraded for 2 experience." in page
    assert first not in page
