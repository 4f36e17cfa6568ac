"""What an investigator asks of a deck, on the card's page and before a deck begins."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")
PAGES = ("/cards/{}/", "/decks/new/{}/")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("03006", "7 cards or more from each of 3 classes"),  # Lola Hayes
        ("05002", "A hunch deck of 11 Insight events"),  # Joe Diamond
        ("08010", "1 of these: Discipline (Alignment of Spirit)"),  # Lily Chen
        ("08010", "1 more of them for every 15 experience earned"),
        ("89001", "7 cards or more of each class"),  # Subject 5U-21
        ("89001", "Cards of any class, level 0–5 (level 0 at deck creation)"),
        ("90024", "3 of these: Directive (Due Diligence)"),  # Roland Banks
        ("90024", "5 more experience"),
        ("90037", "Tidal Memento"),  # Wendy Adams
        ("90037", "Both: 5 more cards"),
        ("90049", "A spirit deck of 10 different cards: Ally assets"),  # Jim Culver
    ],
)
def test_demands_are_on_the_page(
    client: Client, page: str, code: str, line: str
) -> None:
    assert line in text_of(client.get(page.format(code)))


@pytest.mark.parametrize("page", PAGES)
def test_absent_demands_are_left_out(client: Client, page: str) -> None:
    assert " Also " not in text_of(client.get(page.format("01001")))
