"""Concurrent changes of one deck by programs that all saw the same state."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from arkham.accounts.models import User
from decks import services
from decks.api import examples
from decks.models import Deck
from tests.decks.games_and_upgrades.helpers import axes_content
from tests.decks.games_and_upgrades.requests import COP_UPGRADED, etag_of, send, wished
from tests.decks.helpers import NOW
from tests.helpers import program_of

pytestmark = pytest.mark.usefixtures("rows")

WRITERS = 4
Request = tuple[str, str, Any]  # its method, the path below the deck, its body
Named = Callable[[int], dict[str, Any]]


def _named(number: int) -> dict[str, Any]:
    """A change of the deck that no other writer makes."""
    return {"deck": {"name": f"Axes {number}"}}


def _rewritten(number: int) -> dict[str, Any]:
    return {"deck": {**examples.DECK, "name": f"Axes {number}"}}


def _races(program: APIClient, deck: Deck) -> dict[str, list[Request]]:
    """Yield four requests for each endpoint, and for pairs of endpoints."""
    numbers = range(WRITERS)
    given = examples.GAME | {"window": {}}
    game: Request = ("POST", "games", given)
    again: Request = ("POST", "games", given | {"again": True})
    renames: list[Request] = [("PATCH", "", _named(each)) for each in numbers]
    shown: Request = ("PUT", "visibility", {"visibility": "link"})
    if deck.revisions.filter(played_at=None).exists():
        return {
            "a game": [game] * WRITERS,
            "a merge patch": renames,
            "a deck": [("PUT", "", _rewritten(each)) for each in numbers],
            "a deletion": [("DELETE", "", None)] * WRITERS,
            "a game and a change": [game, renames[0], game, shown],
        }
    upgrade = wished(program, deck, COP_UPGRADED)
    bought: Request = ("POST", "upgrade", upgrade)
    taken_back: Request = ("DELETE", "games", None)
    return {
        "another game": [again] * WRITERS,
        "an upgrade": [bought] * WRITERS,
        "an upgrade and a name": [bought, renames[0], bought, renames[1]],
        "a game taken back": [taken_back] * WRITERS,
        "a game taken back, an upgrade, a link": [taken_back, bought, again, shown],
    }


RACES = ["a game", "a merge patch", "a deck", "a deletion", "a game and a change"]
RACES_AFTER_A_GAME = [
    "another game",
    "an upgrade",
    "an upgrade and a name",
    "a game taken back",
    "a game taken back, an upgrade, a link",
]


def _at_once(owner: User, deck: Deck, requests: list[Request], seen: str) -> list[int]:
    """Return the responses of requests that are sent at the same time."""
    together = threading.Barrier(len(requests), timeout=60)
    programs = [program_of(owner) for _each in requests]

    def ask(each: tuple[APIClient, Request]) -> int:
        program, (method, place, body) = each
        try:
            together.wait()
            answer = send(program, method, deck, place, body, If_Match=seen)
            return int(answer.status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(requests)) as pool:
        return sorted(pool.map(ask, zip(programs, requests, strict=True)))


def _played(deck: Deck) -> None:
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(services.ledger.Earned("victory", 6),)),
        expected_revision=1,
        now=NOW,
    )


@pytest.mark.parametrize(
    ("race", "is_played"),
    [
        *((each, False) for each in RACES),
        *((each, True) for each in RACES_AFTER_A_GAME),
    ],
)
def test_of_concurrent_writers_one_succeeds(
    transactional_db: None, race: str, is_played: bool
) -> None:
    """The others get a 412, whatever else is wrong with their requests.

    If the deck was deleted meanwhile, they get a 404.
    """
    ann = User.objects.create_user("ann")
    for _time in range(3):
        deck = services.create_deck(owner=ann, content=axes_content(), now=NOW)
        if is_played:
            _played(deck)
        program = program_of(ann)
        requests = _races(program, deck)[race]
        done = _at_once(ann, deck, requests, etag_of(program, deck))
        good, late = done[0], done[1:]
        assert 200 <= good < 300
        assert set(late) <= ({404} if race == "a deletion" else {412}), done


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_of_concurrent_writers_at_the_desk_one_succeeds(
    transactional_db: None, method: str
) -> None:
    """The desk has an ETag of its own."""
    ann = User.objects.create_user("ann")
    deck = services.create_deck(owner=ann, content=axes_content(), now=NOW)
    _played(deck)
    program = program_of(ann)
    upgrade = wished(program, deck, COP_UPGRADED)
    assert send(program, "PUT", deck, "desk", upgrade).status_code == 200
    seen = etag_of(program, deck, "desk")
    done = _at_once(ann, deck, [(method, "desk", upgrade)] * WRITERS, seen)
    assert 200 <= done[0] < 300
    assert set(done[1:]) == {412}
