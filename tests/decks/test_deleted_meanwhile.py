"""A deck deleted during a request leads to a 404, not to an error."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.catalog import current_judge
from decks import services
from decks.draws import drawing
from decks.draws.drawing import AlreadyCorrected
from decks.lists.starter import starter_deck
from decks.models import Deck, Draw
from decks.pages.display import Judged
from decks.services.ledger import Earned
from decks.services.sharing import DeckLabels, mark_of
from decks.urls import FILES
from tests.decks.helpers import NOW

pytestmark = pytest.mark.usefixtures("rows")

WEAKNESS, BEAT_COP = "01101", "01018"
TIMES = 3  # rare races on one machine happen in one of a few runs


def _deck(owner: User) -> Deck:
    """A deck that was dealt a weakness."""
    content = starter_deck(embedded_pool(), "01001")
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    drawing.draw_weaknesses(
        deck=deck, judged=Judged(content, current_judge()), cards={WEAKNESS: 1},
        count=1, expected_revision=1, now=NOW,
    )  # fmt: skip
    return deck


@pytest.fixture
def played(alice: User) -> Deck:
    """The same deck after a game, published."""
    deck = _deck(alice)
    game = services.PlayedGame((Earned("victory", 4),))
    services.mark_played(deck=deck, game=game, expected_revision=2, now=NOW)
    services.publish_deck(deck=deck, number=2, pool=embedded_pool(), now=NOW)
    return deck


class Deleting:
    """Deletes a deck after a number of queries for it, as another device would.

    It waits while a transaction of the request is open, which would undo it.
    """

    def __init__(self, deck: Deck, after: int) -> None:
        self.deck, self.left, self.done = deck, after, False
        self.depth = len(connection.savepoint_ids)

    def __call__(self, execute: Callable[..., Any], *asked: Any) -> Any:
        """Run the query, and delete the deck when it is time."""
        answer = execute(*asked)
        sql, is_free = str(asked[0]), len(connection.savepoint_ids) == self.depth
        is_about = sql.startswith("SELECT") and "decks_" in sql
        if is_about and is_free and not self.done:
            self.left -= 1
            if self.left < 0:
                self.done = True
                Deck.objects.filter(pk=self.deck.pk).delete()
        return answer


PAGES = {
    "show": "", "sheet": "sheet", "edit": "edit", "played": "played",
    "compare": "compare/", "move": "taboos/?to=none", "desk": "upgrade/",
    "window": "upgrade/told", "terms": "terms", "about": "about",
    "sharing": "sharing", "delete": "delete", "weaknesses": "weaknesses",
    "hand": "hand", **{f"list-{form}": file for form, file in FILES.items()},
}  # fmt: skip
FORMS: dict[str, dict[str, str]] = {
    "played": {"victory": "2", "again": "1"},
    "upgrade/": {"do": f"remove={BEAT_COP}"},
    "upgrade/told": {f"exiled-{BEAT_COP}": "1"},
    "correct": {"amount": "1", "reason": "Miscounted"},
    "about": {"name": "Another", "seen": mark_of(DeckLabels("", "", ""))},
    "sharing": {"visibility": "link"},
    "copy": {},
    "share": {},
    "weaknesses": {"count": "1"},
    "delete": {},
}


def _until_it_ends(deck: Deck, ask: Callable[[], int]) -> list[int]:
    """Yield responses with the deck deleted after one query, after two, and so on."""
    answers = []
    for after in range(60):
        with transaction.atomic():
            deleting = Deleting(deck, after)
            with connection.execute_wrapper(deleting):
                answers.append(ask())
            transaction.set_rollback(True)
        if not deleting.done:
            return answers
    raise AssertionError("no page asks so often")


@pytest.mark.parametrize("place", PAGES.values(), ids=PAGES)
def test_a_page_of_a_vanishing_deck(as_alice: Client, played: Deck, place: str) -> None:
    """It is as it was, or 404; never an error."""
    answers = _until_it_ends(
        played, lambda: as_alice.get(f"/decks/{played.pk}/{place}").status_code
    )

    assert set(answers) <= {200, 302, 303, 404}
    assert answers[-1] in (200, 302, 303)


@pytest.mark.parametrize("place", FORMS)
def test_a_form_of_a_vanishing_deck(as_alice: Client, played: Deck, place: str) -> None:
    """It succeeds, is refused, or responds with 404."""
    told = FORMS[place]
    latest = played.revisions.get(number=2)
    desk = services.desk_of(latest)
    assert desk is not None
    seen = {"revision": desk.mark if place.startswith("upgrade") else "2"}
    seen["game"] = latest.game_mark

    def send() -> int:
        address = f"/decks/{played.pk}/{place}"
        return as_alice.post(address, {**seen, **told}).status_code

    answers = _until_it_ends(played, send)

    assert set(answers) <= {303, 404}
    assert answers[-1] == 303


def test_public_pages_of_a_vanishing_deck(client: Client, played: Deck) -> None:
    """Its page, its file, the list of all and the public API."""
    place = reverse("decks:published", args=[played.showing.pk])
    day = NOW.date().isoformat()
    for address in (
        place,
        f"{place}list.json",
        "/decks/published/",
        f"/api/public/deck/{played.pk}",
        f"/api/public/decklist/{played.showing.pk}",
        f"/api/public/decklists/by_date/{day}",
    ):

        def ask(address: str = address) -> int:
            return client.get(address).status_code

        answers = _until_it_ends(played, ask)
        assert set(answers) <= {200, 302, 404}
        assert answers[-1] == 200


def test_of_two_concurrent_corrections_one_succeeds(transactional_db: None) -> None:
    """The other is refused as corrected already."""
    owner = User.objects.create_user("ann")
    for _time in range(TIMES):
        deck = _deck(owner)
        draw = deck.draws.get().pk
        judged = Judged(deck.revisions.get(number=2).content, current_judge())
        both = threading.Barrier(2, timeout=20)

        def press(
            _each: int, draw: int = draw, judged: Judged = judged,
            both: threading.Barrier = both,
        ) -> str:  # fmt: skip
            try:
                found = Draw.objects.select_related("deck").get(pk=draw)
                both.wait()
                drawing.correct_draw(
                    draw=found, judged=judged, reason="Peeked.",
                    expected_revision=2, now=NOW,
                )  # fmt: skip
            except AlreadyCorrected:
                return "already corrected"
            finally:
                connection.close()
            return "corrected"

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(press, range(2))) == [
                "already corrected", "corrected"
            ]  # fmt: skip
        deck.refresh_from_db()
        assert deck.revision == 3
