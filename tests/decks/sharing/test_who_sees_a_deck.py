"""A deck is visible to its owner, to those with its link, or to everyone."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.accounts.services import block, unblock
from decks import queries, services
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, LedgerEntry, Showing
from decks.services.ledger import Earned
from tests.decks.helpers import NOW, text_of
from tests.decks.sharing.helpers import LATER, POOL, a_deck, both_ways, publish, share
from tests.helpers import program_of

pytestmark = pytest.mark.usefixtures("rows")

FILES = ("list.json", "list.txt", "plain.txt", "list.md", "list.o8d")


def remove_a_machete(deck: Deck) -> None:
    """Remove one Machete."""
    latest = deck.revisions.get(number=deck.revision)
    slots = {**latest.list["slots"], "01020": 1}
    content = read_content({**latest.list, "slots": slots})
    services.revise_deck(
        deck=deck, content=content, expected_revision=deck.revision, now=LATER
    )


def test_a_deck_is_private_by_default(
    as_alice: Client, as_bob: Client, client: Client, deck: Deck
) -> None:
    """Every address of it is a 404."""
    assert not Showing.objects.exists()
    assert "Only you." in text_of(as_alice.get(f"/decks/{deck.pk}/sharing"))
    for stranger in (as_bob, client):
        for address in ("", "about", "sharing", "edit", *FILES):
            found = stranger.get(f"/decks/{deck.pk}/{address}")
            assert found.status_code == 404, address
        for address in ("about", "sharing", "copy"):
            refused = stranger.post(
                f"/decks/{deck.pk}/{address}", {"visibility": "published"}
            )
            assert refused.status_code == 404
        assert stranger.get("/decks/published/").status_code == 200
        assert "Badge and gun" not in text_of(stranger.get("/decks/published/"))
    assert not Showing.objects.exists()


def test_the_link_of_a_deck_shows_it_to_anyone(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Its latest revision, without an account; no other address of it works."""
    place = share(as_alice, deck, visibility="link")
    assert re.fullmatch(r"/decks/shared/[0-9a-f-]{36}/", place)
    remove_a_machete(deck)

    answer = client.get(place)
    page = text_of(answer)
    assert answer.status_code == 200
    assert "Badge and gun By alice , shared with you by a link" in page
    assert "Incomplete 29 of 30 cards" in page
    assert "Why Guns. alert(1)" in page
    assert b"<script>alert" not in answer.content
    assert b'name="robots" content="noindex"' in answer.content
    assert "no-store" in answer["Cache-Control"]
    for file in FILES:
        assert client.get(place + file).status_code == 200
    assert "Badge and gun" not in text_of(client.get("/decks/published/"))
    for address in ("", "about", "sharing", *FILES):
        assert client.get(f"/decks/{deck.pk}/{address}").status_code == 404
    showing = Showing.objects.get()
    assert client.get(f"/decks/published/{showing.pk}/").status_code == 404
    assert client.get(f"/decks/shared/{uuid.uuid4()}/").status_code == 404


def test_a_withdrawn_link_stays_invalid(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Even if the deck is shared again; sharing twice keeps the link."""
    place = share(as_alice, deck, visibility="link")
    assert share(as_alice, deck, visibility="link") == place
    share(as_alice, deck, visibility="private")
    again = share(as_alice, deck, visibility="link")
    renewed = share(as_alice, deck, visibility="link", renew="1")
    assert len({place, again, renewed}) == 3
    for gone in (place, again):
        for address in ("", *FILES):
            assert client.get(gone + address).status_code == 404
        assert client.post(f"{gone}copy").status_code == 404
    assert client.get(renewed).status_code == 200


def test_publishing_keeps_the_link_working(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """It shows the latest revision; everyone else sees the published one."""
    link = share(as_alice, deck, visibility="link")
    published = publish(as_alice, deck)
    remove_a_machete(deck)
    for address in ("", *FILES):
        assert client.get(link + address).status_code == 200
        assert client.get(published + address).status_code == 200
    assert "Incomplete 29 of 30 cards" in text_of(client.get(link))
    assert "shared with you by a link" in text_of(client.get(link))
    assert b'content="noindex"' in client.get(link).content
    assert "Legal 30 of 30 cards" in text_of(client.get(published))
    assert client.get(f"/api/public/deck/{link.split('/')[3]}").status_code == 200
    mine = as_alice.get(f"/decks/{deck.pk}/sharing").content.decode()
    assert f'value="http://testserver{link}"' in mine

    as_alice.post(f"/decks/{deck.pk}/sharing", {"close": "published"})
    assert client.get(published).status_code == 404
    assert client.get(link).status_code == 200
    again = publish(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/sharing", {"close": "link"})
    assert client.get(link).status_code == 404
    assert client.get(again).status_code == 200
    assert share(as_alice, deck, visibility="link") != link
    assert client.get(again).status_code == 200


def test_an_invalid_link_says_so(
    as_alice: Client, client: Client, deck: Deck, settings: Any
) -> None:
    """In our own look, in DEBUG mode as well: links, copies, drafts."""
    settings.DEBUG = True
    link = share(as_alice, deck, visibility="link")
    published = publish(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/delete", {"revision": str(deck.revision)})
    key = link.split("/")[3]
    answers = {
        "doesn’t open a deck": (
            *(client.get(link + each) for each in ("", *FILES)),
            client.post(f"{link}copy"),
            client.get(f"/deck/view/{key}"),
        ),
        "There is no published deck at this address": (
            client.get(published),
            client.post(f"{published}copy"),
            client.get(f"/decklist/view/{published.split('/')[3]}"),
            client.get(f"/deck/view/{deck.pk}"),
        ),
        "doesn’t open a draft": (client.get("/decks/draft/nothing-known/"),),
    }
    for told, found in answers.items():
        for answer in found:
            assert answer.status_code == 404
            assert told in text_of(answer)
            assert 'class="masthead"' in answer.content.decode()


def test_a_published_deck_stays_as_it_was_published(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Until its owner publishes another revision; name, notes and tags follow."""
    place = publish(as_alice, deck)
    remove_a_machete(deck)
    page = text_of(client.get(place))
    assert "Badge and gun By alice , published" in page
    assert "Legal 30 of 30 cards" in page
    assert "noindex" not in client.get(place).content.decode()

    mine = text_of(as_alice.get(f"/decks/{deck.pk}/sharing"))
    assert "You have changed the deck since" in mine
    assert "Publish the current version" in mine
    assert publish(as_alice, deck) == place
    assert "29 of 30 cards" in text_of(client.get(place))

    gone = share(as_alice, deck, visibility="private")
    assert gone == ""
    for address in ("", *FILES):
        assert client.get(place + address).status_code == 404
    assert client.post(f"{place}copy").status_code == 404
    assert "Badge and gun" not in text_of(client.get("/decks/published/"))


def test_the_owners_address_redirects_others_to_the_published_deck(
    as_alice: Client, as_bob: Client, deck: Deck
) -> None:
    """Alice may paste the address of her own page."""
    place = publish(as_alice, deck)
    assert as_bob.get(f"/decks/{deck.pk}/")["Location"] == place
    assert as_bob.get(f"/decks/{deck.pk}/edit").status_code == 404
    assert as_bob.get(f"/decks/{deck.pk}/list.json").status_code == 404


def test_others_do_not_see_games_and_ledger(
    as_alice: Client, client: Client, alice: User, deck: Deck
) -> None:
    """Nor other revisions, nor anyone's collection."""
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(
            earned=(Earned(LedgerEntry.Kind.VICTORY, 7, "Secret reason"),),
            aftermath={},
        ),
        expected_revision=1,
        actor=alice,
        now=LATER,
    )
    assert "Secret reason" in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    for place in both_ways(as_alice, deck):
        answer = client.get(place)
        page = text_of(answer)
        assert answer.status_code == 200
        for private in ("Secret reason", "Played", "History", "to spend", "Upgrade"):
            assert private not in page, private
        told = json.loads(client.get(f"{place}list.json").content)
        assert (told["xp"], told["previous_deck"], told["next_deck"]) == (
            None,
            None,
            None,
        )


def test_the_owners_collection_and_campaign_stay_private(
    as_alice: Client, as_bob: Client, alice: User, bob: User
) -> None:
    """Others see nothing of what Alice owns; a copy knows nothing of her campaign."""
    content = starter_deck(POOL, "01001")
    circumstances = {
        "mode": "campaign",
        "owned": {"01020": 1},
        "experience_earned": 7,
        "lost_cards": ["01006"],
        "taboo": "latest",
    }
    slots = {code: n for code, n in content.deck["slots"].items() if code != "01006"}
    told = {"deck": {**content.deck, "slots": slots}, "circumstances": circumstances}
    deck = services.create_deck(owner=alice, content=read_content(told), now=NOW)
    missing = "missing from your collection"
    assert missing in as_alice.get(f"/decks/{deck.pk}/").content.decode()

    place = publish(as_alice, deck)
    page = as_bob.get(place).content.decode()
    assert missing not in page
    assert "Legal" in page
    as_bob.post(f"{place}copy")
    copy = bob.decks.get().revisions.get()
    assert copy.circumstances == {"mode": "start", "taboo": "latest"}
    assert copy.list == deck.revisions.get().list


def test_a_draft_without_an_account_is_not_shown(client: Client) -> None:
    """It has a link of its own, with which anyone can edit it."""
    answer = client.post("/decks/new/01001/", {"starter": "1"})
    pk = answer["Location"].split("/")[2]
    assert "Save it in an account first." in text_of(client.get(f"/decks/{pk}/sharing"))
    for visibility in ("link", "published"):
        data = {"visibility": visibility, "revision": "1"}
        assert client.post(f"/decks/{pk}/sharing", data).status_code == 400
    assert not Showing.objects.exists()


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"visibility": "everybody"},
        {"visibility": "published"},
        {"visibility": "published", "revision": "2"},
        {"visibility": "published", "revision": "-1"},
        {"visibility": "published", "revision": "9" * 30},
    ],
)
def test_invalid_forms_are_refused(
    as_alice: Client, deck: Deck, data: dict[str, str]
) -> None:
    """They change nothing."""
    assert as_alice.post(f"/decks/{deck.pk}/sharing", data).status_code == 400
    assert not Showing.objects.exists()


def test_decks_of_a_blocked_account_are_hidden(
    as_alice: Client, client: Client, alice: User, deck: Deck
) -> None:
    """On pages, in the API and on other sites, until it is unblocked."""
    other = a_deck(alice)
    published, link = publish(as_alice, deck), share(as_alice, other, visibility="link")
    services.show_history(deck=deck, shown=True, now=LATER)
    showing = Showing.objects.get(deck=deck)
    number, key = showing.pk, other.showing.key
    earlier = queries.earlier_number(showing, deck.revision)
    at = [
        *(f"{place}{file}" for place in (published, link) for file in ("", *FILES)),
        *(f"{published}{each}" for each in ("embed", "picture.png")),
        *(f"/deck/view/{each}" for each in (deck.pk, key, queries.number_of(key))),
        *(f"/decklist/view/{each}" for each in (number, f"{number}/name", earlier)),
        *(f"/api/public/deck/{each}" for each in (deck.pk, key, f"{key}.json")),
        *(f"/api/public/decklist/{each}" for each in (number, f"{number}.json")),
        f"/api/public/deck/{queries.number_of(key)}",
        f"/api/public/oembed?url=http://testserver{published}",
        f"/badge/{number}.svg",
        f"/v1/public/share/{number}?type=decklist",
        f"/v1/public/share/{key}",
        f"/decks/{deck.pk}/",
    ]

    def answers() -> dict[str, int]:
        return {place: client.get(place).status_code for place in at}

    def listed() -> list[bool]:
        day = showing.since.date().isoformat()
        return [
            "Badge and gun" in client.get(place).content.decode()
            for place in ("/decks/published/", f"/api/public/decklists/by_date/{day}")
        ]

    before = answers()
    assert not {place: code for place, code in before.items() if code not in (200, 302)}
    assert listed() == [True, True]
    block(account=alice)
    assert set(answers().values()) == {404}, answers()
    assert listed() == [False, False]
    assert client.post(f"{published}copy").status_code == 404
    assert client.post(f"{link}copy").status_code == 404
    missing = client.get("/api/public/deck/4503599627370497")
    assert client.get(f"/api/public/deck/{deck.pk}").content == missing.content

    unblock(account=alice)
    assert answers() == before
    assert listed() == [True, True]


def test_a_copy_does_not_link_to_a_blocked_accounts_deck(
    as_alice: Client, as_bob: Client, alice: User, bob: User, deck: Deck
) -> None:
    """Its page and the API treat the source as withdrawn."""
    as_bob.post(f"{publish(as_alice, deck)}copy")
    copy, program = Deck.objects.get(owner=bob), program_of(bob)

    def seen() -> tuple[bool, bool, str]:
        answer = program.get(f"/api/v1/decks/{copy.pk}/")
        page = text_of(as_bob.get(f"/decks/{copy.pk}/"))
        withdrawn = answer.json()["source"]["withdrawn"]
        return "See that deck" in page, withdrawn, answer["ETag"]

    shown = seen()
    assert shown[:2] == (True, False)
    block(account=alice)
    hidden = seen()
    assert hidden[:2] == (False, True)
    assert hidden[2] != shown[2]
    unblock(account=alice)
    assert seen() == shown
