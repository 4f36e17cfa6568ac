"""Numbers of published decks, their earlier versions, arkham.build's addresses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps
from django.core.checks import run_checks
from django.test import Client
from pytest_django import Settings

from arkham.accounts.models import User
from decks import services
from decks.apps import begin_numbers
from decks.models import Deck, Showing
from decks.queries import number_of
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.helpers import NOW
from tests.decks.public_api.helpers import CHANGED, POOL, PUBLISHED, a_deck, fetch

pytestmark = pytest.mark.usefixtures("rows")

# Roland's first deck of level 0, and what he buys for his first 3 experience.
FIRST: dict[str, Any] = {
    "investigator_code": "01001",
    "slots": {"01006": 1, "01007": 1, "01018": 2, "01020": 2, "01030": 2},
}


@pytest.fixture
def played(alice: User) -> Deck:
    """A deck that was played, upgraded, played and upgraded again."""
    deck = a_deck(alice, FIRST, name="Badge")
    game = services.PlayedGame((Earned("victory", 3),), {"exiled": {"01020": 1}})
    services.mark_played(deck=deck, game=game, expected_revision=1, now=NOW)
    upgrade(deck, "01018", "01028")
    services.mark_played(
        deck=deck,
        game=services.PlayedGame((Earned("victory", 2),)),
        expected_revision=2,
        now=NOW,
    )
    upgrade(deck, "01030", "01032")
    deck.refresh_from_db()
    return deck


def upgrade(deck: Deck, out: str, bought: str) -> None:
    """Replace one card by another, despite the small deck's findings."""
    latest = deck.revisions.order_by("number").last()
    assert latest is not None
    content = apply(services.opened(latest), [("remove", out), ("add", bought)], POOL)
    services.upgrade_deck(
        deck=deck,
        content=content,
        expected_revision=latest.number,
        now=NOW,
        repair="a test",
    )


@pytest.fixture
def published_history(played: Deck) -> Showing:
    """The same deck, published with its earlier versions."""
    services.publish_deck(deck=played, number=played.revision, pool=POOL, now=PUBLISHED)
    services.show_history(deck=played, shown=True, now=CHANGED)
    return Showing.objects.get()


def test_versions_link_to_one_another_with_experience_and_exile(
    published_history: Showing, played: Deck
) -> None:
    """From the last to the first and back, as decklists and as decks."""
    for kind, number in (("decklist", published_history.pk), ("deck", played.pk)):
        last = json.loads(fetch(f"{kind}/{number}").content)
        middle = json.loads(fetch(f"{kind}/{last['previous_deck']}").content)
        first = json.loads(fetch(f"{kind}/{middle['previous_deck']}").content)
        assert (last["id"], last["next_deck"]) == (number, None)
        assert middle["next_deck"] == number
        assert (first["next_deck"], first["previous_deck"]) == (middle["id"], None)
        assert middle["exile_string"] == "01020"
        assert (first["xp"], first["xp_spent"]) == (None, None)
        assert (middle["xp"], middle["xp_spent"]) == (3, 2)
        assert "01028" in middle["slots"]
        assert "01028" not in first["slots"]
        assert "01032" in last["slots"]
        assert len(str(first["id"])) == 14  # a double keeps it, written out too


def test_a_version_without_purchases_says_what_it_could_spend(alice: User) -> None:
    """Later games change nothing about it."""
    deck = a_deck(alice, FIRST, name="Badge")
    for earned, write in (
        (3, services.mark_played),
        (2, services.play_again),
        (4, services.play_again),
    ):
        write(
            deck=deck,
            game=services.PlayedGame((Earned("victory", earned),)),
            expected_revision=deck.revision,
            now=NOW,
        )
        deck.refresh_from_db()
    services.publish_deck(deck=deck, number=deck.revision, pool=POOL, now=PUBLISHED)
    services.show_history(deck=deck, shown=True, now=CHANGED)
    last = json.loads(fetch(f"deck/{deck.pk}").content)
    middle = json.loads(fetch(f"deck/{last['previous_deck']}").content)
    assert (middle["xp"], middle["xp_spent"]) == (3, 0)
    assert (last["xp"], last["xp_spent"]) == (5, 0)


def test_versions_are_hidden_by_default(
    published_history: Showing, played: Deck
) -> None:
    """They are 404, and the deck names none."""
    last = json.loads(fetch(f"decklist/{published_history.pk}").content)
    earlier = last["previous_deck"]
    assert (
        Client()
        .get(f"/decklist/view/{earlier}")["Location"]
        .endswith(f"/{published_history.pk}/")
    )
    services.show_history(deck=played, shown=False, now=CHANGED)
    found = json.loads(fetch(f"decklist/{published_history.pk}").content)
    assert (found["previous_deck"], found["xp"], found["exile_string"]) == (None,) * 3
    for kind in ("decklist", "deck"):
        answer = fetch(f"{kind}/{earlier}")
        assert (answer.status_code, answer.content) == (404, b"")
    services.show_history(deck=played, shown=True, now=CHANGED)
    services.withdraw_deck(deck=played)
    assert fetch(f"decklist/{earlier}").status_code == 404


def test_only_the_versions_of_the_chain_are_shown(published_history: Showing) -> None:
    """Made-up numbers are 404."""
    base = json.loads(fetch(f"decklist/{published_history.pk}").content)
    previous = base["previous_deck"]
    for number in (previous + 1, previous + 9, previous - 9_999, 10**13, 10**15):
        assert fetch(f"decklist/{number}").status_code == 404
        assert fetch(f"deck/{number}").status_code == 404


def test_a_private_link_shows_no_versions(
    published_history: Showing, played: Deck
) -> None:
    """Only the latest version."""
    showing = services.open_link(deck=played, now=NOW)
    found = json.loads(fetch(f"deck/{showing.key}").content)
    assert (found["previous_deck"], found["id"]) == (None, number_of(showing.key))


def test_the_owner_publishes_and_hides_versions_on_the_page(
    published_history: Showing, played: Deck, alice: User, bob: User
) -> None:
    """Others can't."""
    mine, other = Client(), Client()
    mine.force_login(alice)
    other.force_login(bob)
    data = {"visibility": "published", "history": "hide"}
    assert other.post(f"/decks/{played.pk}/sharing", data).status_code == 404
    assert (
        "Hide earlier versions"
        in mine.get(f"/decks/{played.pk}/sharing").content.decode()
    )
    mine.post(f"/decks/{played.pk}/sharing", data)
    assert not Showing.objects.get().shows_history


def test_numbers_begin_where_the_settings_say(alice: User, settings: Settings) -> None:
    """The setting can only raise them, so that no number is given twice."""
    config = apps.get_app_config("decks")
    first = services.publish_deck(deck=a_deck(alice), number=1, pool=POOL, now=NOW)
    assert first.pk >= 10_000
    for wanted in (first.pk + 500, 10_000):
        settings.ORNE_FIRST_NUMBER = wanted
        begin_numbers(sender=config, using="default")
    second = services.publish_deck(deck=a_deck(alice), number=1, pool=POOL, now=NOW)
    assert second.pk == first.pk + 500


@pytest.mark.parametrize("number", [9_999, 0, -1, 10**9])
def test_a_first_number_that_programs_would_misread_is_refused(
    settings: Settings, number: int
) -> None:
    """Before anything is served."""
    settings.ORNE_FIRST_NUMBER = number
    assert "arkham.E008" in [each.id for each in run_checks()]


def test_the_page_of_a_published_deck_shows_its_number(published: Showing) -> None:
    """For copying, with the address that ArkhamDB would have."""
    page = Client().get(f"/decks/published/{published.pk}/").content.decode()
    assert "For Tabletop Simulator" in page
    assert f'readonly value="{published.pk}"' in page
    assert f'value="http://testserver/decklist/view/{published.pk}"' in page


# -- arkham.build --


def test_the_addresses_of_arkham_build_work_like_the_public_api(
    published: Showing, deck: Deck
) -> None:
    """By number of a decklist, by the deck's own number, by the key of a link."""
    showing = services.open_link(deck=deck, now=NOW)
    for path, same in (
        (f"{published.pk}/?type=decklist", f"decklist/{published.pk}"),
        (f"{published.pk}?type=decklist", f"decklist/{published.pk}"),
        (f"{deck.pk}", f"deck/{deck.pk}"),
        (f"{deck.pk}/?type=deck", f"deck/{deck.pk}"),
        (f"{str(showing.key).upper()}", f"deck/{showing.key}"),
        (f"{number_of(showing.key)}", f"deck/{number_of(showing.key)}"),
    ):
        answer = Client().get(f"/v1/public/share/{path}")
        assert answer.status_code == 200, path
        assert answer.content == fetch(same).content
        assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "place", ["1", "1/?type=decklist", "x", "x/y", "%00", "9" * 40, "-1", "1/?type=%00"]
)
def test_an_unpublished_deck_is_404_there_too(deck: Deck, place: str) -> None:
    """Without a body, private decks included."""
    for each in (place, str(deck.pk)):
        answer = Client().get(f"/v1/public/share/{each}")
        assert (answer.status_code, answer.content) == (404, b"")


def test_taboo_lists_are_served_with_their_cards() -> None:
    """As lists, the newest first."""
    answer = Client().get("/v1/cache/taboo_sets_with_cards")
    sets = json.loads(answer.content)["data"]["taboo_set"]
    assert [each["id"] for each in sets] == sorted(
        (each["id"] for each in sets), reverse=True
    )
    assert len(sets) == len(POOL.taboo_lists)
    for each in sets:
        assert each["card_count"] == len(each["cards"]) > 0
        assert all("code" in card for card in each["cards"])
        assert each["date"] == each["date_start"]
    same = Client().get(
        "/v1/cache/taboo_sets_with_cards", headers={"If-None-Match": answer["ETag"]}
    )
    assert same.status_code == 304
