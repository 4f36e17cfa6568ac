"""The desk, revisions, comparisons and the ledger, for programs."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.models import Deck
from decks.services import ledger
from decks.services.settling import settle_without_game
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    BEAT_COP,
    BEAT_COP_2,
    MACHETE,
    axes_content,
)
from tests.decks.games_and_upgrades.requests import (
    COP_UPGRADED,
    DECKS,
    etag_of,
    send,
    wished,
)
from tests.decks.helpers import NOW
from tests.helpers import program_of

pytestmark = pytest.mark.usefixtures("rows")

PLACES = {
    "games": "POST",
    "ledger/": "POST",
    "upgrade": "POST",
    "upgrade/preview": "POST",
    "desk": "PUT",
}


# -- the desk --


def test_programs_and_players_share_the_desk(
    alices: APIClient, alice: User, played: Deck
) -> None:
    """It has a version of its own; cleared, nothing was bought."""
    etag = etag_of(alices, played, "desk")
    wish = wished(alices, played, COP_UPGRADED)
    laid = send(alices, "PUT", played, "desk", wish, If_Match=etag)

    assert laid.status_code == 200
    shown = laid.json()
    assert (shown["seen"], shown["version"]) == (1, 1)
    assert shown["deck"]["slots"][BEAT_COP_2] == 1
    assert laid["ETag"] == etag_of(alices, played, "desk") != etag
    late = send(alices, "PUT", played, "desk", wish, If_Match=etag)
    assert late.status_code == 412
    assert late.json()["current"]["version"] == 1
    missing = send(alices, "DELETE", played, "desk", None, If_Match="")
    assert missing.status_code == 428
    gone = send(alices, "DELETE", played, "desk", None, If_Match=laid["ETag"])
    assert gone.status_code == 204
    assert alices.get(f"{DECKS}{played.pk}/desk").json()["version"] == 0
    anew = send(alices, "PUT", played, "desk", wish)
    assert anew.json()["version"] == 1
    assert anew["ETag"] != laid["ETag"]


def test_correcting_what_was_earned_changes_the_desks_etag(
    alices: APIClient, alice: User, played: Deck
) -> None:
    """The desk includes what was earned, so an earlier ETag is stale."""
    path = f"{DECKS}{played.pk}/desk"
    before = alices.get(path)
    settle_without_game(
        deck=played,
        reason="Counted twice",
        earned=(ledger.Earned("victory", -1, "Counted twice"),),
        now=NOW,
        actor=alice,
    )

    after = alices.get(path, headers={"If-None-Match": before["ETag"]})

    assert after.status_code == 200
    assert after.json()["circumstances"] != before.json()["circumstances"]
    wish = wished(alices, played, COP_UPGRADED)
    late = send(alices, "PUT", played, "desk", wish, If_Match=before["ETag"])
    assert late.status_code == 412
    done = send(alices, "PUT", played, "desk", wish, If_Match=after["ETag"])
    assert done.status_code == 200


# -- revisions, comparing, the ledger --


def test_revisions_are_listed_with_their_causes(
    alices: APIClient, played: Deck
) -> None:
    """Two of them are compared, with what was paid in between."""
    wish = wished(alices, played, COP_UPGRADED)
    send(alices, "POST", played, "upgrade", wish)
    first, second = alices.get(f"{DECKS}{played.pk}/revisions/").json()["results"]

    assert (first["cause"], first["base"], first["experience_spent"]) == (
        "built", None, None
    )  # fmt: skip
    assert first["played_at"] is not None
    assert (second["cause"], second["base"], second["experience_spent"]) == (
        "upgraded", 1, 2
    )  # fmt: skip
    one = alices.get(f"{DECKS}{played.pk}/revisions/1/").json()
    assert one["aftermath"] == {"exiled": {MACHETE: 1}}
    for query in ("before=1&after=2", "before=2&after=1", "after=2"):
        shown = alices.get(f"{DECKS}{played.pk}/compare?{query}").json()
        assert (shown["before"], shown["after"]) == (1, 2)
        assert shown["added"] == {BEAT_COP_2: 1}
        assert (shown["removed"], shown["exiled"]) == ({BEAT_COP: 1}, {MACHETE: 1})
        assert shown["paid"] == [{"revision": 2, "experience_spent": 2}]
        assert shown["experience_spent"] == 2


def test_the_balance_continues_over_the_pages_of_a_ledger(
    alices: APIClient, played: Deck
) -> None:
    """Every page goes on where the last one ended; a correction has its reason."""
    body = {"amount": -2, "reason": " Counted twice. "}
    made = send(alices, "POST", played, "ledger/", body, If_Match="")
    assert made.status_code == 201
    shown = made.json()
    assert (shown["kind"], shown["reason"], shown["balance"]) == (
        "correction", "Counted twice.", 4
    )  # fmt: skip
    page = alices.get(f"{DECKS}{played.pk}/ledger/?page_size=2").json()
    assert [each["balance"] for each in page["results"]] == [5, 6]
    rest = alices.get(page["next"]).json()["results"]
    assert rest == [shown]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"amount": 1}, "/reason"),
        ({"amount": 1, "reason": "  "}, "/reason"),
        ({"amount": 0, "reason": "x"}, "/amount"),
        ({"amount": 1000, "reason": "x"}, "/amount"),
        ({"reason": "x"}, "/amount"),
        ({"amount": 1, "reason": "x", "kind": "bonus"}, "/kind"),
    ],
)
def test_a_correction_needs_an_amount_and_a_reason(
    alices: APIClient, deck: Deck, body: Any, pointer: str
) -> None:
    """422 without them."""
    answer = send(alices, "POST", deck, "ledger/", body)
    assert (answer.status_code, answer.json()["pointer"]) == (422, pointer)


def test_a_deck_that_changed_meanwhile_is_not_deleted(
    alices: APIClient, played: Deck
) -> None:
    """A point of experience more is a change too."""
    etag = etag_of(alices, played)
    body = {"amount": 1, "reason": "Forgotten."}
    send(alices, "POST", played, "ledger/", body)
    answer = send(alices, "DELETE", played, "", None, If_Match=etag)
    assert answer.status_code == 412
    assert answer.json()["current"]["balance"] == 7
    etag = etag_of(alices, played)
    gone = send(alices, "DELETE", played, "", None, If_Match=etag)
    assert gone.status_code == 204


def test_games_and_upgrades_of_others_do_not_exist(
    alice: User, bob: User, charlie: User, played: Deck, api: APIClient
) -> None:
    """404 to others, 401 without a key, 403 to a key that reads."""
    reader = program_of(alice, ApiKey.Scope.READ)
    for place, method in PLACES.items():
        for other in (bob, charlie):
            assert send(program_of(other), method, played, place, {}).status_code == 404
        assert send(api, method, played, place, {}).status_code == 401
        expected = 422 if place == "upgrade/preview" else 403
        assert send(reader, method, played, place, {}).status_code == expected
    for place in ("upgrade", "desk", "ledger/"):
        assert program_of(bob).get(f"{DECKS}{played.pk}/{place}").status_code == 404
        assert reader.get(f"{DECKS}{played.pk}/{place}").status_code == 200


def test_a_game_has_a_scenario_and_a_price(alices: APIClient, deck: Deck) -> None:
    """As on the page; a given price replaces the printed one."""
    game = {
        "scenario": "Curse of the Rougarou",
        "earned": [{"kind": "bonus", "amount": 2, "reason": "spared it"}],
    }
    refused = send(alices, "POST", deck, "games", game)
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/cost")
    assert "You have 0 experience" in refused.json()["detail"]
    services.correct_ledger(deck=deck, amount=1, reason="brought along", now=NOW)
    deck.refresh_from_db()
    assert send(alices, "POST", deck, "games", game).status_code == 200
    booked = alices.get(f"{DECKS}{deck.pk}/ledger/").json()["results"][1:]
    assert [(each["kind"], each["amount"], each["reason"]) for each in booked] == [
        ("cost", -1, "Curse of the Rougarou"),
        ("bonus", 2, "Curse of the Rougarou: spared it"),
    ]
    shown = alices.get(f"{DECKS}{deck.pk}/revisions/{deck.revision}/").json()
    assert shown["scenario"] == "Curse of the Rougarou"
    again = {"scenario": "Curse of the Rougarou", "cost": 0, "again": True}
    assert send(alices, "POST", deck, "games", again).status_code == 200
    assert ledger.balance_of(deck) == 2


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scenario": 1}, "/scenario"),
        ({"scenario": "x" * 121}, "/scenario"),
        ({"cost": -1}, "/cost"),
        ({"cost": True}, "/cost"),
        ({"cost": 100}, "/cost"),
    ],
)
def test_an_invalid_scenario_is_refused(
    alices: APIClient, deck: Deck, body: Any, pointer: str
) -> None:
    """With its pointer; no game is entered."""
    refused = send(alices, "POST", deck, "games", body)
    assert refused.status_code == 422
    assert [each["pointer"] for each in refused.json()["errors"]] == [pointer]
    deck.refresh_from_db()
    assert deck.revisions.get().played_at is None


def test_programs_take_back_a_game(alices: APIClient, played: Deck) -> None:
    """With If-Match; refused if something builds on the game."""
    blind = send(alices, "DELETE", played, "games", None, If_Match="")
    assert blind.status_code == 428
    stale = send(alices, "DELETE", played, "games", None, If_Match='"1-1"')
    assert stale.status_code == 412
    assert ledger.balance_of(played) == 6

    back = send(alices, "DELETE", played, "games", None)

    assert back.status_code == 200
    assert (back.json()["balance"], back.json()["played_at"]) == (0, None)
    again = send(alices, "DELETE", played, "games", None)
    assert again.status_code == 409
    assert again.json()["type"].endswith("not-played")


def test_odd_codes_between_two_games_are_harmless(
    alices: APIClient, deck: Deck
) -> None:
    """Both an empty one and one with a colon, also once they are kept."""
    window = {"granted": {"": 505, "a:b": 2}, "exiled": {"a:b": 1}}
    assert send(alices, "POST", deck, "games", {"window": window}).status_code == 200
    again = {"window": {}, "again": True}
    assert send(alices, "POST", deck, "games", again).status_code == 200


@pytest.mark.parametrize(("after_the_game", "at_the_desk"), [(0, 1), (1, 0), (1, 2)])
def test_a_comparison_uses_the_latest_correction_of_exiled_cards(
    alices: APIClient, deck: Deck, after_the_game: int, at_the_desk: int
) -> None:
    """At the desk a game may be corrected differently than after it."""
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(aftermath={"exiled": {MACHETE: after_the_game}}),
        expected_revision=1,
        now=NOW,
    )
    left = [("remove", f"{MACHETE}:{at_the_desk}")] if at_the_desk else []
    services.upgrade_deck(
        deck=deck,
        content=apply(axes_content(), left, embedded_pool()),
        window={"exiled": {MACHETE: at_the_desk}},
        expected_revision=1,
        now=NOW,
        repair="Nothing fits",
    )

    shown = alices.get(f"{DECKS}{deck.pk}/compare?before=1&after=2").json()

    assert shown["exiled"] == ({MACHETE: at_the_desk} if at_the_desk else {})
    assert shown["removed"] == {}
