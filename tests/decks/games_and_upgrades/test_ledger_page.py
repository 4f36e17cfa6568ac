"""The ledger on the pages: corrections, copies and imported lists."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.models import Deck
from decks.services import ledger
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    MACHETE,
    UPGRADE_COP,
    axes_content,
    press_at_desk,
    source_of,
)
from tests.decks.helpers import NOW, latest_of, text_of

pytestmark = pytest.mark.usefixtures("rows")


def test_the_deck_page_shows_its_history(
    as_alice: Client,
    played: Deck,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """Revisions with cause, time and author; every point with the running balance."""
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    press_at_desk(as_alice, played, do="add=02018")
    press_at_desk(as_alice, played, confirm="1")
    with django_assert_max_num_queries(15):
        text = text_of(as_alice.get(f"/decks/{played.pk}/"))
    assert "4 experience to spend" in text
    assert "Bonus: spared her version 1" in text
    assert "+1 6" in text
    assert "Spent version 2" in text
    assert "-2 4" in text
    assert "Upgraded · 2 experience" in text
    assert "Built · Played" in text


def test_edits_are_shown_as_one(as_alice: Client, deck: Deck) -> None:
    """The timeline is not a list of clicks."""
    for revision in range(1, 4):
        do = f"remove={MACHETE}" if revision % 2 else f"add={MACHETE}"
        fields = {"revision": str(revision), "do": do}
        as_alice.post(f"/decks/{deck.pk}/edit", fields)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Edited in 3 steps" in text
    assert "Compare with version 1" in text


def test_experience_is_corrected_with_a_reason(as_alice: Client, played: Deck) -> None:
    """Without a reason it is not."""
    address = f"/decks/{played.pk}/correct"
    answer = as_alice.post(address, {"amount": "-2", "reason": "counted twice"})
    assert answer["Location"] == f"/decks/{played.pk}/#ledger"
    assert ledger.balance_of(played) == 4
    assert as_alice.post(address, {"amount": "2", "reason": " "}).status_code == 422
    assert ledger.balance_of(played) == 4


def test_a_refused_correction_keeps_what_was_typed(
    as_alice: Client, played: Deck
) -> None:
    """The deck's page shows it in the open form, with the fault at its field."""
    fields = {"amount": "0", "reason": "miscounted"}
    refused = as_alice.post(f"/decks/{played.pk}/correct", fields)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert "0 changes nothing." in page
    assert 'value="miscounted"' in page
    assert 'aria-invalid="true"' in page
    assert re.search(r"<details[^>]* open>\s*<summary>Correct<", page)


def test_a_copy_keeps_its_experience(
    as_alice: Client, alice: User, played: Deck
) -> None:
    """As its last game left it: exiled cards are gone, earned experience is there."""
    page = text_of(as_alice.get(f"/decks/{played.pk}/"))
    assert "this list and its unspent experience" in page
    answer = as_alice.post(f"/decks/{played.pk}/copy", follow=True)
    assert "It has 6 experience to spend." in text_of(answer)
    copy = alice.decks.exclude(pk=played.pk).get()
    assert latest_of(copy).list["slots"][MACHETE] == 1
    assert (copy.revision, latest_of(copy).cause, latest_of(copy).base) == (
        1,
        "built",
        None,
    )
    assert [(e.kind, e.amount, e.reason) for e in copy.ledger.all()] == [
        ("correction", 6, "Experience from the imported list")
    ]
    assert ledger.balance_of(played) == 6


def test_a_correction_sent_twice_is_booked_once(as_alice: Client, played: Deck) -> None:
    """If an old page sends it with another amount it is refused, with the ledger."""
    path = f"/decks/{played.pk}/correct"
    page = as_alice.get(f"/decks/{played.pk}/")
    after = page.context["correction_form"].initial["after"]
    before = ledger.balance_of(played)
    sent = {"amount": "2", "reason": "a gift", "after": str(after)}
    for _press_twice in range(2):
        assert as_alice.post(path, sent).status_code == 303
    assert ledger.balance_of(played) == before + 2

    refused = as_alice.post(path, sent | {"amount": "3"})
    assert refused.status_code == 422
    assert "The experience has changed" in text_of(refused)
    assert 'value="3"' in source_of(refused)
    assert ledger.balance_of(played) == before + 2

    again = refused.context["correction_form"].data
    as_alice.post(path, {key: again[key] for key in ("amount", "reason", "after")})
    assert ledger.balance_of(played) == before + 5


def test_a_copy_of_a_deck_without_a_ledger_has_none(
    as_alice: Client, alice: User, deck: Deck
) -> None:
    """Without a message."""
    answer = as_alice.post(f"/decks/{deck.pk}/copy", follow=True)
    assert not re.search("It has .* experience to spend", text_of(answer))
    assert not alice.decks.exclude(pk=deck.pk).get().ledger.exists()


def test_an_imported_list_may_bring_its_experience(
    as_alice: Client, deck: Deck
) -> None:
    """The page shows the deck's balance; the ledger is corrected to the list's."""
    services.correct_ledger(deck=deck, amount=2, reason="a gift", now=NOW)
    listed = dict(latest_of(deck).list, xp=7, xp_adjustment=-2)
    listed["slots"] = {MACHETE: 2}
    answer = as_alice.post(f"/decks/{deck.pk}/paste", {"text": json.dumps(listed)})
    assert 'name="carried" value="5"' in source_of(answer)
    assert "The deck has 2 now." in text_of(answer)
    form = {"revision": "2", "content": json.dumps({"deck": listed})}

    as_alice.post(f"/decks/{deck.pk}/edit", form)
    assert (ledger.balance_of(deck), latest_of(deck).number) == (2, 3)
    form |= {"revision": "3", "carried": "5"}
    for _press_twice in range(2):
        as_alice.post(f"/decks/{deck.pk}/edit", form)
    assert (ledger.balance_of(deck), latest_of(deck).number) == (5, 3)
    last = deck.ledger.order_by("number").last()
    assert last is not None
    assert (last.kind, last.amount, last.revision) == ("correction", 3, 3)

    answer = as_alice.post(f"/decks/{deck.pk}/paste", {"text": json.dumps(listed)})
    assert 'name="carried"' not in source_of(answer)


def test_a_list_imported_too_late_keeps_its_experience(
    as_alice: Client, deck: Deck
) -> None:
    """Insisting on it books its experience as well; before, nothing was booked."""
    content = latest_of(deck).content
    fewer = apply(content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=fewer, expected_revision=1, now=NOW)
    form = {"revision": "1", "content": content.as_json(), "carried": "5"}
    answer = as_alice.post(f"/decks/{deck.pk}/edit", form)
    assert answer.status_code == 412
    assert '<input type="hidden" name="carried" value="5">' in source_of(answer)
    assert ledger.balance_of(deck) == 0


def test_a_played_decks_balance_is_not_overwritten(
    as_alice: Client, played: Deck
) -> None:
    """Its ledger is corrected by an entry with a reason."""
    same = latest_of(played).content.as_json()
    form = {"revision": "1", "content": same, "carried": "50"}
    assert as_alice.post(f"/decks/{played.pk}/edit", form).status_code == 409
    assert ledger.balance_of(played) == 6


def test_my_decks_show_their_balances(
    as_alice: Client,
    played: Deck,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """Of played decks, with one query for all.

    The others: session, account, cards, folders, which, tables, these, bin, news.
    """
    as_alice.get("/decks/")  # a process looks up the languages of cards once
    with django_assert_max_num_queries(10):
        text = text_of(as_alice.get("/decks/"))
    assert "Upgrade: 6 XP to spend" in text
    services.create_deck(owner=played.owner, content=axes_content(), now=NOW)
    with django_assert_max_num_queries(10):
        assert text_of(as_alice.get("/decks/")).count("to spend") == 1
