"""The next question is sent to programs completely."""

from __future__ import annotations

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.model.prompts import CardQuery
from campaigns.api.questions import PendingShape, pending_data

EMPTY = Pending("one", "step", "count", "counter")


def test_every_field_is_sent_and_described() -> None:
    """A new field of ``Pending`` can't be forgotten in the API."""
    data = pending_data(EMPTY)
    shape = PendingShape.describe(lambda other: {})

    assert data is not None
    assert set(data) == set(Pending._fields)
    assert set(shape["properties"]) == set(Pending._fields)


def test_the_number_so_far_and_the_kinds_of_cards_are_sent() -> None:
    """As JSON."""
    query = CardQuery(codes=("01006",), source="deck", traits=("item",), unique=True)
    data = pending_data(EMPTY._replace(now=3, queries=(query,)))

    assert data is not None
    assert data["now"] == 3
    assert data["queries"] == [
        {
            "codes": ["01006"],
            "source": "deck",
            "traits": ["item"],
            "types": [],
            "unique": True,
            "vengeance": False,
            "no_story": False,
            "excluded": [],
        }
    ]
