"""Any two decks side by side: the user's own, shown ones, and by address."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.interchange.arkhamdb import Unreachable
from decks.lists.content import Content, empty_content, parse_content
from decks.lists.editing import Edit, apply
from decks.models import Deck
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")

ROLAND, MACHETE, GUARD_DOG, EVIDENCE = "01001", "01020", "01021", "01022"


def _content(**copies: int) -> Content:
    codes = {"machete": MACHETE, "dog": GUARD_DOG, "evidence": EVIDENCE}
    edits = [
        Edit("add", codes[name]) for name, times in copies.items() for _ in range(times)
    ]
    return apply(empty_content(ROLAND), edits, embedded_pool())


def _deck(owner: User, name: str, **copies: int) -> Deck:
    return services.create_deck(
        owner=owner, content=_content(**copies), now=NOW, name=name
    )


@pytest.fixture
def both(alice: User) -> tuple[Deck, Deck]:
    """Two decks of Alice's that share a card."""
    return (
        _deck(alice, "First", machete=2, dog=1),
        _deck(alice, "Second", dog=2, evidence=1),
    )


def _sections(page: Any) -> dict[str, list[str]]:
    context = page.context
    return {
        "a": [f"{each.copies} {each.name}" for each in context["only_a"]],
        "b": [f"{each.copies} {each.name}" for each in context["only_b"]],
        "apart": [
            f"{each.copies} {each.after} {each.name}" for each in context["apart"]
        ],
    }


def test_two_own_decks_are_compared(as_alice: Client, both: tuple[Deck, Deck]) -> None:
    """Cards of one only, cards of both, and both verdicts."""
    marks = [f"{deck.pk}.1" for deck in both]
    answer = as_alice.post("/decks/many", {"do": "compare", "deck": marks}, follow=True)
    first, second = answer.context["sides"]
    assert {first.title, second.title} == {"First", "Second"}
    page = as_alice.get(f"/decks/compare/?a={both[0].pk}&b={both[1].pk}")
    assert _sections(page) == {
        "a": ["2 Machete"],
        "b": ["1 Evidence!"],
        "apart": ["1 2 Guard Dog"],
    }
    assert text_of(page).count("Incomplete") >= 2
    assert "2 × Machete Cost 3 Guardian" in text_of(page)


def test_the_comparison_comes_first(as_alice: Client, both: tuple[Deck, Deck]) -> None:
    """The form is folded below it; empty sections are left out."""
    asked = as_alice.get("/decks/compare/")
    assert "Compare other decks" not in text_of(asked)
    page = as_alice.get(f"/decks/compare/?a={both[0].pk}&b={both[1].pk}")
    assert "Compare other decks" in text_of(page)
    assert "In both, with different numbers of copies" in text_of(page)
    page = as_alice.get(f"/decks/compare/?a={both[0].pk}&b={both[0].pk}")
    assert "In both, with different numbers of copies" not in text_of(page)


def test_different_terms_are_rows_and_investigators_are_named_once(
    as_alice: Client, both: tuple[Deck, Deck], alice: User
) -> None:
    """Other differences are in the table of both decks."""
    content = parse_content(
        '{"investigator_code": "01002", "slots": {}, "taboo_id": 7}'
    )
    other = services.create_deck(owner=alice, content=content, now=NOW)
    page = as_alice.get(f"/decks/compare/?a={both[0].pk}&b={other.pk}")
    rows = [each.pointer for each in page.context["apart_by"]]
    assert rows
    assert "/deck/investigator_code" not in rows
    assert "(01002)" not in text_of(page)


def test_an_own_deck_is_compared_with_shown_ones(
    as_alice: Client, both: tuple[Deck, Deck], bob: User
) -> None:
    """By their addresses, as they are shown."""
    his = _deck(bob, "His", machete=1)
    shown = services.publish_deck(deck=his, number=1, pool=embedded_pool(), now=NOW)
    link = services.open_link(deck=his, now=NOW)
    for address in (
        f"/decks/published/{shown.pk}/",
        f"http://testserver/decks/published/{shown.pk}/",
        f"http://testserver/decks/shared/{link.key}/",
    ):
        data = {"a": str(both[0].pk), "b": "", "b_at": address}
        page = as_alice.post("/decks/compare/", data)
        assert page.status_code == 200
        assert _sections(page)["apart"] == ["2 1 Machete"]


def test_hidden_decks_are_not_compared(as_bob: Client, both: tuple[Deck, Deck]) -> None:
    """The page doesn't reveal whether they exist."""
    for asked in (str(both[0].pk), "999999", "/decks/published/999/", "nonsense"):
        page = as_bob.get(f"/decks/compare/?a={asked}")
        assert page.status_code == 422
        assert page.context["sides"][0].judged is None


def test_other_sites_are_asked_only_by_the_form(
    as_alice: Client, both: tuple[Deck, Deck]
) -> None:
    """Errors are shown at its field."""
    data = {"a": str(both[0].pk), "b_at": "https://arkhamdb.com/deck/view/1"}
    text = '{"investigator_code": "01001", "slots": {"01021": 1}}'
    with patch("decks.views.life.read_address", return_value=text) as read:
        as_alice.get("/decks/compare/", {"b": data["b_at"]})
        assert not read.called
        page = as_alice.post("/decks/compare/", data)
        assert _sections(page)["a"] == ["2 Machete"]
    with patch("decks.views.life.read_address", side_effect=Unreachable("Silent.")):
        page = as_alice.post("/decks/compare/", data)
        assert page.status_code == 422
        assert "Silent." in text_of(page)


def test_only_two_decks_are_compared(as_alice: Client, both: tuple[Deck, Deck]) -> None:
    """Three are refused; with one the other is chosen on the page."""
    third = _deck(both[0].owner or User(), "Third")
    marks = [f"{deck.pk}.1" for deck in (*both, third)]
    answer = as_alice.post("/decks/many", {"do": "compare", "deck": marks}, follow=True)
    assert "Choose two decks to compare." in text_of(answer)
    answer = as_alice.post("/decks/many", {"do": "compare", "deck": marks[:1]})
    assert answer["Location"] == f"/decks/compare/?a={both[0].pk}"


def test_decks_of_one_name_are_known_apart(as_alice: Client, alice: User) -> None:
    """By cards, experience and date; twins by their number; a name of its own stays."""
    for name, copies in (("", 2), ("", 1), ("Twin", 1), ("Twin", 1), ("Alone", 1)):
        _deck(alice, name, machete=copies)
    page = as_alice.get("/decks/compare/").content.decode()
    offered = dict(re.findall(r'<option value="(\d+)">([^<]+)', page))
    titles = [*offered.values()]
    assert len({*titles}) == 5
    assert "Alone (Roland Banks)" in titles
    figures = "2 of 30 cards, 0 experience, 1 Mar 2026"
    assert f"A deck of Roland Banks · {figures}" in titles
    twin = "Twin (Roland Banks) · 1 of 30 cards, 0 experience"
    assert all(f" · #{pk}" in it for pk, it in offered.items() if it.startswith(twin))
    start = as_alice.get("/campaigns/new/").content.decode()
    assert {*titles} <= {*re.findall(r'<option value="deck:\d+">([^<]+)', start)}
