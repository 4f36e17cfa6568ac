"""Who sees a deck: nobody else, whoever has its link, everybody; and copies of it."""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, LedgerEntry, Showing, Source
from decks.services.ledger import Earned

pytestmark = pytest.mark.usefixtures("rows")

POOL = embedded_pool()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = datetime(2026, 3, 5, 12, tzinfo=UTC)
FILES = ("list.json", "list.txt", "plain.txt", "list.md", "list.o8d")
NOTES = "# Why\n\n**Guns.** <script>alert(1)</script>"


def _text(response: HttpResponseBase) -> str:
    assert isinstance(response, HttpResponse)
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def _deck(owner: User, investigator: str = "01001", **beside: Any) -> Deck:
    content = starter_deck(POOL, investigator)
    return services.create_deck(owner=owner, content=content, now=NOW, **beside)


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's deck, with notes and tags."""
    return _deck(alice, name="Badge and gun", notes=NOTES, tags="solo beginner")


def _share(client: Client, deck: Deck, **data: str) -> str:
    """Make it visible as Alice does; where others find it."""
    answer = client.post(f"/decks/{deck.pk}/sharing", data)
    assert answer.status_code == 303, _text(answer)
    showing = Showing.objects.filter(deck=deck).first()
    if showing is None:
        return ""
    if data.get("visibility") == "published":
        return f"/decks/published/{showing.pk}/"
    return f"/decks/shared/{showing.key}/"


def _publish(client: Client, deck: Deck) -> str:
    deck.refresh_from_db()
    return _share(client, deck, visibility="published", revision=str(deck.revision))


def _both_ways(client: Client, deck: Deck) -> Iterator[str]:
    """Where others find it, published first, then shared by a link."""
    yield _publish(client, deck)
    yield _share(client, deck, visibility="link")


def _change(deck: Deck) -> None:
    """One Machete less."""
    latest = deck.revisions.get(number=deck.revision)
    slots = {**latest.list["slots"], "01020": 1}
    content = read_content({**latest.list, "slots": slots})
    services.revise_deck(
        deck=deck, content=content, expected_revision=deck.revision, now=LATER
    )


# -- who sees what --


def test_a_deck_is_private_until_its_owner_says_otherwise(
    as_alice: Client, as_bob: Client, client: Client, deck: Deck
) -> None:
    """Every address of it is as if it were not there."""
    assert not Showing.objects.exists()
    assert "Only you." in _text(as_alice.get(f"/decks/{deck.pk}/sharing"))
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
        assert "Badge and gun" not in _text(stranger.get("/decks/published/"))
    assert not Showing.objects.exists()


def test_whoever_has_the_link_reads_the_deck(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Its latest revision, without an account; no other address of it opens."""
    place = _share(as_alice, deck, visibility="link")
    assert re.fullmatch(r"/decks/shared/[0-9a-f-]{36}/", place)
    _change(deck)

    answer = client.get(place)
    page = _text(answer)
    assert answer.status_code == 200
    assert "Badge and gun By alice , shared with you by a link" in page
    assert "Incomplete 29 of 30 cards" in page
    assert "Why Guns. alert(1)" in page
    assert b"<script>alert" not in answer.content
    assert b'name="robots" content="noindex"' in answer.content
    assert "no-store" in answer["Cache-Control"]
    for file in FILES:
        assert client.get(place + file).status_code == 200
    assert "Badge and gun" not in _text(client.get("/decks/published/"))
    for address in ("", "about", "sharing", *FILES):
        assert client.get(f"/decks/{deck.pk}/{address}").status_code == 404
    showing = Showing.objects.get()
    assert client.get(f"/decks/published/{showing.pk}/").status_code == 404
    assert client.get(f"/decks/shared/{uuid.uuid4()}/").status_code == 404


def test_a_link_that_was_withdrawn_opens_nothing_any_more(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Nor does it when the deck is shared again; sharing twice keeps the link."""
    place = _share(as_alice, deck, visibility="link")
    assert _share(as_alice, deck, visibility="link") == place
    _share(as_alice, deck, visibility="private")
    again = _share(as_alice, deck, visibility="link")
    renewed = _share(as_alice, deck, visibility="link", renew="1")
    assert len({place, again, renewed}) == 3
    for gone in (place, again):
        for address in ("", *FILES):
            assert client.get(gone + address).status_code == 404
        assert client.post(f"{gone}copy").status_code == 404
    assert client.get(renewed).status_code == 200


def test_publishing_keeps_the_link_working(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Those who have it see the deck as it is now, others the one published."""
    link = _share(as_alice, deck, visibility="link")
    published = _publish(as_alice, deck)
    _change(deck)
    for address in ("", *FILES):
        assert client.get(link + address).status_code == 200
        assert client.get(published + address).status_code == 200
    assert "Incomplete 29 of 30 cards" in _text(client.get(link))
    assert "shared with you by a link" in _text(client.get(link))
    assert b'content="noindex"' in client.get(link).content
    assert "Legal 30 of 30 cards" in _text(client.get(published))
    assert client.get(f"/api/public/deck/{link.split('/')[3]}").status_code == 200
    mine = as_alice.get(f"/decks/{deck.pk}/sharing").content.decode()
    assert f'value="http://testserver{link}"' in mine

    as_alice.post(f"/decks/{deck.pk}/sharing", {"close": "published"})
    assert client.get(published).status_code == 404
    assert client.get(link).status_code == 200
    again = _publish(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/sharing", {"close": "link"})
    assert client.get(link).status_code == 404
    assert client.get(again).status_code == 200
    assert _share(as_alice, deck, visibility="link") != link
    assert client.get(again).status_code == 200


def test_a_link_that_opens_nothing_says_so(
    as_alice: Client, client: Client, deck: Deck, settings: Any
) -> None:
    """In our own look, on a developer's server as well: links, copies, drafts."""
    settings.DEBUG = True
    link = _share(as_alice, deck, visibility="link")
    published = _publish(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/delete", {"revision": str(deck.revision)})
    key = link.split("/")[3]
    answers = {
        "opens no deck": (
            *(client.get(link + each) for each in ("", *FILES)),
            client.post(f"{link}copy"),
            client.get(f"/deck/view/{key}"),
        ),
        "No published deck is at this address": (
            client.get(published),
            client.post(f"{published}copy"),
            client.get(f"/decklist/view/{published.split('/')[3]}"),
            client.get(f"/deck/view/{deck.pk}"),
        ),
        "opens no draft": (client.get("/decks/draft/nothing-known/"),),
    }
    for told, found in answers.items():
        for answer in found:
            assert answer.status_code == 404
            assert told in _text(answer)
            assert 'class="masthead"' in answer.content.decode()


def test_a_published_deck_stays_as_it_was_published(
    as_alice: Client, client: Client, deck: Deck
) -> None:
    """Until its owner shows another revision; name, notes and tags follow."""
    place = _publish(as_alice, deck)
    _change(deck)
    page = _text(client.get(place))
    assert "Badge and gun By alice , published" in page
    assert "Legal 30 of 30 cards" in page
    assert "noindex" not in client.get(place).content.decode()

    mine = _text(as_alice.get(f"/decks/{deck.pk}/sharing"))
    assert "You have changed the deck since" in mine
    assert "Publish it as it is now" in mine
    assert _publish(as_alice, deck) == place
    assert "29 of 30 cards" in _text(client.get(place))

    gone = _share(as_alice, deck, visibility="private")
    assert gone == ""
    for address in ("", *FILES):
        assert client.get(place + address).status_code == 404
    assert client.post(f"{place}copy").status_code == 404
    assert "Badge and gun" not in _text(client.get("/decks/published/"))


def test_the_owners_address_leads_others_to_what_is_published(
    as_alice: Client, as_bob: Client, deck: Deck
) -> None:
    """Alice may paste the address of her own page."""
    place = _publish(as_alice, deck)
    assert as_bob.get(f"/decks/{deck.pk}/")["Location"] == place
    assert as_bob.get(f"/decks/{deck.pk}/edit").status_code == 404
    assert as_bob.get(f"/decks/{deck.pk}/list.json").status_code == 404


def test_others_see_nothing_of_a_decks_life(
    as_alice: Client, client: Client, alice: User, deck: Deck
) -> None:
    """No ledger, no games, no other revisions, nobody's collection."""
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
    assert "Secret reason" in _text(as_alice.get(f"/decks/{deck.pk}/"))
    for place in _both_ways(as_alice, deck):
        answer = client.get(place)
        page = _text(answer)
        assert answer.status_code == 200
        for private in ("Secret reason", "Played", "Revision", "to spend", "Upgrade"):
            assert private not in page, private
        told = json.loads(client.get(f"{place}list.json").content)
        assert (told["xp"], told["previous_deck"], told["next_deck"]) == (
            None,
            None,
            None,
        )


def test_nobodys_collection_or_campaign_is_told(
    as_alice: Client, as_bob: Client, alice: User, bob: User
) -> None:
    """Others see no word of what Alice owns; a copy knows nothing of her campaign."""
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
    assert "owned.short" in as_alice.get(f"/decks/{deck.pk}/").content.decode()

    place = _publish(as_alice, deck)
    page = as_bob.get(place).content.decode()
    assert "owned.short" not in page
    assert "Legal" in page
    as_bob.post(f"{place}copy")
    copy = bob.decks.get().revisions.get()
    assert copy.circumstances == {"mode": "start", "taboo": "latest"}
    assert copy.list == deck.revisions.get().list


def test_a_draft_of_nobodys_is_shown_to_nobody(client: Client) -> None:
    """It has a link of its own, which lets everybody change it."""
    answer = client.post("/decks/new/01001/", {"starter": "1"})
    pk = answer["Location"].split("/")[2]
    assert "Save it in an account first." in _text(client.get(f"/decks/{pk}/sharing"))
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
def test_what_no_page_sends_is_refused(
    as_alice: Client, deck: Deck, data: dict[str, str]
) -> None:
    """And changes nothing."""
    assert as_alice.post(f"/decks/{deck.pk}/sharing", data).status_code == 400
    assert not Showing.objects.exists()


def test_decks_of_a_closed_account_are_not_shown(
    as_alice: Client, client: Client, alice: User, deck: Deck
) -> None:
    """Neither published nor by a link."""
    other = _deck(alice)
    places = [_publish(as_alice, deck), _share(as_alice, other, visibility="link")]
    alice.is_active = False
    alice.save()
    for place in places:
        assert client.get(place).status_code == 404
    assert "Badge and gun" not in _text(client.get("/decks/published/"))


# -- name, notes, tags --


def _seen(client: Client, deck: Deck) -> str:
    page = client.get(f"/decks/{deck.pk}/about").content.decode()
    return str(re.findall(r'name="seen" value="(\w+)"', page)[0])


def test_name_notes_and_tags_are_changed_together(as_alice: Client, deck: Deck) -> None:
    """Notes are Markdown; tags are words."""
    wanted = {"name": " Two guns ", "notes": "*Bang*\r\n", "tags": "solo,   theme,"}
    answer = as_alice.post(
        f"/decks/{deck.pk}/about", wanted | {"seen": _seen(as_alice, deck)}
    )
    assert answer["Location"] == f"/decks/{deck.pk}/"
    deck.refresh_from_db()
    assert (deck.name, deck.notes, deck.tags) == ("Two guns", "*Bang*\n", "solo theme")
    assert deck.revision == 1
    assert b"<em>Bang</em>" in as_alice.get(f"/decks/{deck.pk}/").content


def test_nobodys_words_are_overwritten_unseen(as_alice: Client, deck: Deck) -> None:
    """412 with both versions; sent again in sight of both, the second stands."""
    seen = _seen(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/about", {"name": "First", "seen": seen})
    late = {"name": "Second", "notes": "mine", "tags": "a b", "seen": seen}
    answer = as_alice.post(f"/decks/{deck.pk}/about", late)
    page = answer.content.decode()

    assert answer.status_code == 412
    assert "They have changed meanwhile" in _text(answer)
    assert "<dd>First</dd>" in page
    assert 'value="Second"' in page
    deck.refresh_from_db()
    assert deck.name == "First"

    new = re.findall(r'name="seen" value="(\w+)"', page)[0]
    assert (
        as_alice.post(f"/decks/{deck.pk}/about", late | {"seen": new}).status_code
        == 303
    )
    deck.refresh_from_db()
    assert (deck.name, deck.notes, deck.tags) == ("Second", "mine", "a b")
    # The same once more changes nothing, whatever it was made in sight of.
    assert as_alice.post(f"/decks/{deck.pk}/about", late).status_code == 303


def test_notes_are_read_before_they_are_saved(as_alice: Client, deck: Deck) -> None:
    """The preview keeps nothing."""
    data = {"name": "x", "notes": "**bold**", "seen": _seen(as_alice, deck)}
    answer = as_alice.post(f"/decks/{deck.pk}/about", data | {"preview": "1"})
    assert b"<strong>bold</strong>" in answer.content
    deck.refresh_from_db()
    assert deck.name == "Badge and gun"


@pytest.mark.parametrize(
    ("field", "length"), [("name", 121), ("notes", 100_001), ("tags", 251)]
)
def test_what_is_too_long_is_refused_and_not_cut(
    as_alice: Client, deck: Deck, field: str, length: int
) -> None:
    """422, with what was written still there."""
    data = {"seen": _seen(as_alice, deck), field: "x" * length}
    answer = as_alice.post(f"/decks/{deck.pk}/about", data)
    assert answer.status_code == 422
    assert "x" * length in answer.content.decode()
    deck.refresh_from_db()
    assert deck.name == "Badge and gun"


# -- the list --


@pytest.fixture
def three(alice: User, bob: User) -> list[int]:
    """Three published decks on three days; the numbers of their publications."""
    found = []
    for day, (owner, investigator, name, tags) in enumerate(
        [
            (alice, "01001", "Badge and Gun", "solo"),
            (bob, "90024", "Ärger im Büro", "solo theme"),
            (alice, "01002", "Books", "Theme"),
        ],
        1,
    ):
        deck = _deck(owner, investigator, name=name, tags=tags)
        showing = services.publish_deck(
            deck=deck, number=1, pool=POOL, now=datetime(2026, 3, day, 9, tzinfo=UTC)
        )
        found.append(showing.pk)
    return found


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("", [2, 1, 0]),
        ("order=oldest", [0, 1, 2]),
        ("q=BADGE", [0]),
        ("q=gun+badge", [0]),
        ("q=arger+buro", [1]),
        ("investigator=01001", [1, 0]),
        ("investigator=01002", [2]),
        ("tag=solo", [1, 0]),
        ("tag=theme", [2, 1]),
        ("tag=sol", []),
        ("tag=%25", []),
        ("since=2026-03-02", [2, 1]),
        ("tag=theme&investigator=01001", [1]),
        ("q=nothing", []),
        ("since=yesterday", []),
        ("investigator=99999", []),
        ("page=99", [2, 1, 0]),
        ("q=%00", []),
    ],
)
def test_published_decks_are_found(
    client: Client, three: list[int], query: str, places: list[int]
) -> None:
    """By name, investigator (whichever version), tag and day; newest first."""
    page = client.get(f"/decks/published/?{query}").content.decode()
    found = re.findall(r'href="/decks/published/(\d+)/"', page)
    assert [int(each) for each in found] == [three[place] for place in places]


def test_a_page_of_published_decks_asks_the_database_few_questions(
    client: Client,
    alice: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """As many for thirty decks as for three."""
    for number in range(30):
        deck = _deck(alice, name=f"Deck {number}")
        services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    client.get("/decks/published/")
    with django_assert_max_num_queries(6):
        page = client.get("/decks/published/?tag=&page=2")
    assert _text(page).count("By alice") == 6


# -- copies --


def test_a_copy_keeps_its_source(
    as_alice: Client, as_bob: Client, client: Client, bob: User, deck: Deck
) -> None:
    """Also when the source is called otherwise, withdrawn and deleted."""
    place = _publish(as_alice, deck)
    made = as_bob.post(f"{place}copy")
    assert made.status_code == 303
    copy = bob.decks.get()
    assert (copy.name, copy.notes, copy.tags) == (
        "Badge and gun",
        NOTES,
        "solo beginner",
    )
    assert copy.revisions.get().content == deck.revisions.get().content
    said = "Copied from “Badge and gun” by alice on "
    page = as_bob.get(f"/decks/{copy.pk}/")
    assert said in _text(page)
    assert f'href="{place}"' in page.content.decode()

    services.describe_deck(
        deck=deck,
        beside=services.DeckLabels("Other"),
        seen=_seen(as_alice, deck),
        now=LATER,
    )
    _share(as_alice, deck, visibility="private")
    deck.delete()
    page = as_bob.get(f"/decks/{copy.pk}/")
    assert said in _text(page)
    assert "It has been withdrawn since." in _text(page)
    assert f'href="{place}"' not in page.content.decode()
    source = Source.objects.get(deck=copy)
    assert (source.name, source.author, source.address) == (
        "Badge and gun",
        "alice",
        place,
    )


def test_a_published_copy_names_its_published_source(
    as_alice: Client, as_bob: Client, client: Client, bob: User, deck: Deck
) -> None:
    """A copy of the copy does as well."""
    place = _publish(as_alice, deck)
    as_bob.post(f"{place}copy")
    copy = bob.decks.get()
    as_bob.post(f"/decks/{copy.pk}/copy")
    second = bob.decks.exclude(pk=copy.pk).get()
    for each in (copy, second):
        page = client.get(_publish(as_bob, each))
        assert "Copied from “Badge and gun” by alice" in _text(page)
        assert f'href="{place}"' in page.content.decode()


def test_a_link_is_never_passed_on_by_a_copy(
    as_alice: Client, as_bob: Client, client: Client, bob: User, deck: Deck
) -> None:
    """Bob sees where it came from; those he shows it to do not."""
    place = _share(as_alice, deck, visibility="link")
    as_bob.post(f"{place}copy")
    copy = bob.decks.get()
    assert f'href="{place}"' in as_bob.get(f"/decks/{copy.pk}/").content.decode()
    for shown in _both_ways(as_bob, copy):
        answer = client.get(shown)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert place not in page
        assert "alice" not in page


def test_a_stranger_copies_into_a_draft(as_alice: Client, deck: Deck) -> None:
    """Which becomes theirs with an account, source and all."""
    stranger = Client()
    stranger.post(f"{_publish(as_alice, deck)}copy")
    draft = Deck.objects.get(owner=None)
    dora = User.objects.create_user("dora", password="dora-of-arkham")
    services.keep_deck(deck=draft, owner=dora)
    assert dora.decks.get().source.author == "alice"


# -- for programs --


@pytest.fixture
def alices(alice: User) -> APIClient:
    """A program of Alice's that may write."""
    _key, text = accounts.make_key(
        owner=alice, name="p", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return APIClient(headers={"Authorization": f"Bearer {text}"})


def _put(client: APIClient, deck: Deck, body: Any, etag: str) -> Any:
    path = f"/api/v1/decks/{deck.pk}/visibility"
    return client.put(path, body, format="json", headers={"If-Match": etag})


def test_programs_see_and_say_who_sees_a_deck(alices: APIClient, deck: Deck) -> None:
    """Private, by a link, published, private again; each with another ETag."""
    read = alices.get(f"/api/v1/decks/{deck.pk}/")
    told = read.json()
    assert (told["visibility"], told["page"]) == ("private", None)
    assert (told["shown_revision"], told["source"]) == (None, None)

    shared = _put(alices, deck, {"visibility": "link"}, read["ETag"])
    key = Showing.objects.get().key
    assert shared.status_code == 200
    assert shared.json()["visibility"] == "link"
    assert shared.json()["page"] == f"http://testserver/decks/shared/{key}/"
    stale = _put(alices, deck, {"visibility": "private"}, read["ETag"])
    assert stale.status_code == 412
    assert stale.json()["current"]["visibility"] == "link"

    published = _put(alices, deck, {"visibility": "published"}, shared["ETag"])
    number = Showing.objects.get().pk
    assert published.json()["page"] == f"http://testserver/decks/published/{number}/"
    assert published.json()["shown_revision"] == 1
    listed = alices.get("/api/v1/decks/").json()
    assert [each["visibility"] for each in listed["results"]] == ["published"]

    gone = _put(alices, deck, {"visibility": "private"}, published["ETag"])
    assert gone.json()["page"] is None
    assert not Showing.objects.exists()
    tags = {each["ETag"] for each in (read, shared, published)}
    assert len(tags) == 3
    assert gone["ETag"] == read["ETag"]


def test_of_two_programs_at_once_one_says_who_sees_a_deck(
    transactional_db: None,
) -> None:
    """Both saw it private; the other is shown what it has become."""
    ann = User.objects.create_user("ann")
    _key, text = accounts.make_key(
        owner=ann, name="p", scope=ApiKey.Scope.WRITE, now=NOW
    )
    for _time in range(3):
        content = starter_deck(embedded_pool(), "01001")
        deck = services.create_deck(owner=ann, content=content, now=NOW)
        api = APIClient(headers={"Authorization": f"Bearer {text}"})
        seen = api.get(f"/api/v1/decks/{deck.pk}/")["ETag"]
        all_at_once = threading.Barrier(4, timeout=20)

        def say(
            visibility: str, deck: Deck = deck, seen: str = seen,
            all_at_once: threading.Barrier = all_at_once,
        ) -> int:  # fmt: skip
            client = APIClient(headers={"Authorization": f"Bearer {text}"})
            try:
                all_at_once.wait()
                return int(
                    _put(client, deck, {"visibility": visibility}, seen).status_code
                )
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            done = sorted(pool.map(say, ("link", "published") * 2))
        assert done == [200, 412, 412, 412]


@pytest.mark.parametrize(
    "body",
    [{}, {"visibility": "all"}, {"visibility": 1}, [], {"visibility": "link", "x": 1}],
)
def test_other_words_are_refused(alices: APIClient, deck: Deck, body: Any) -> None:
    """422 that says which there are."""
    answer = _put(alices, deck, body, "*")
    assert answer.status_code == 422
    assert not Showing.objects.exists()


def test_a_missing_if_match_is_asked_for(alices: APIClient, deck: Deck) -> None:
    """428, as everywhere."""
    path = f"/api/v1/decks/{deck.pk}/visibility"
    answer = alices.put(path, {"visibility": "link"}, format="json")
    assert answer.status_code == 428


def test_programs_see_where_a_copy_came_from(
    as_alice: Client, as_bob: Client, bob: User, deck: Deck
) -> None:
    """Name, author, page, and whether it is still there."""
    place = _publish(as_alice, deck)
    as_bob.post(f"{place}copy")
    copy = bob.decks.get()
    source = as_bob.get(f"/api/v1/decks/{copy.pk}/").json()["source"]
    assert source.pop("copied_at")
    assert source == {
        "name": "Badge and gun",
        "author": "alice",
        "page": f"http://testserver{place}",
        "withdrawn": False,
    }
    _share(as_alice, deck, visibility="private")
    told = as_bob.get(f"/api/v1/decks/{copy.pk}/").json()
    assert told["source"]["withdrawn"] is True


def test_the_api_shows_nobody_anothers_deck(
    as_alice: Client, as_bob: Client, deck: Deck
) -> None:
    """Published or not: what is shown is read where it is shown."""
    _publish(as_alice, deck)
    assert as_bob.get(f"/api/v1/decks/{deck.pk}/").status_code == 404
    assert as_bob.get(f"/api/v1/decks/{deck.pk}/revisions/").status_code == 404
    refused = as_bob.put(
        f"/api/v1/decks/{deck.pk}/visibility",
        {"visibility": "private"},
        content_type="application/json",
        headers={"If-Match": "*"},
    )
    assert refused.status_code == 404
    assert Showing.objects.get().kind == "published"
