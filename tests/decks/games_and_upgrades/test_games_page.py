"""A game is entered on the page of its deck, once and with its experience."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.models import Deck
from decks.services import ledger
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    MACHETE,
    axes_content,
    booked_lines,
    last_game,
)
from tests.decks.helpers import HTMX, NOW, latest_of, text_of

pytestmark = pytest.mark.usefixtures("rows")

# -- who may --


@pytest.mark.parametrize(
    "address", ["", "played", "correct", "upgrade/", "compare/", "taboos/"]
)
def test_games_of_a_deck_are_its_owners_alone(
    as_charlie: Client, client: Client, played: Deck, address: str
) -> None:
    """For all others they do not exist."""
    for stranger in (as_charlie, client):
        send = stranger.post if address == "correct" else stranger.get
        assert send(f"/decks/{played.pk}/{address}").status_code == 404


# -- a game --


def test_a_game_is_entered(as_alice: Client, alice: User, deck: Deck) -> None:
    """With every source of experience and every exiled copy; then the desk opens."""
    answer = as_alice.post(
        f"/decks/{deck.pk}/played",
        {
            "revision": "1",
            "victory": "3",
            "bonus_1": "2",
            "bonus_1_for": "interviewed",
            "card_1": "1",
            "card_1_for": "Delve Too Deep",
            f"exiled-{MACHETE}": "2",
            "granted": "Lita Chantler\n1 01117",
        },
    )
    assert (answer.status_code, answer["Location"]) == (
        303,
        f"/decks/{deck.pk}/upgrade/",
    )
    entries = list(deck.ledger.values_list("kind", "amount", "reason", "author"))
    assert entries == [
        ("victory", 3, "", alice.pk),
        ("bonus", 2, "interviewed", alice.pk),
        ("card", 1, "Delve Too Deep", alice.pk),
    ]
    assert latest_of(deck).aftermath == {
        "exiled": {MACHETE: 2},
        "granted": {"01117": 2},
    }


@pytest.mark.parametrize("line", ["bonus_1", "card_2"])
def test_a_reason_without_experience_is_asked_about(
    as_alice: Client, deck: Deck, line: str
) -> None:
    """It is not dropped silently; no game is entered."""
    data = {"revision": "1", "victory": "3", f"{line}_for": "interviewed"}

    answer = as_alice.post(f"/decks/{deck.pk}/played", data)

    assert answer.status_code == 422
    assert "Enter an amount, or clear the reason." in text_of(answer)
    assert not deck.ledger.exists()


def _line(page: str, number: int) -> tuple[str, str]:
    """Return amount and card of a line for experience from a card, as offered."""
    found = []
    for name in (f"card_{number}", f"card_{number}_for"):
        tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
        assert tag is not None
        value = re.search(r'value="([^"]*)"', tag[0])
        found.append(html.unescape(value[1]) if value else "")
    return found[0], found[1]


def test_experience_from_cards_is_filled_in(as_alice: Client, alice: User) -> None:
    """Obol and Great Work with their amount, Unspeakable Oath with its name alone."""
    changes = [("add", code) for code in ("03308", "11068a", "52011")]
    deck = services.create_deck(
        owner=alice,
        content=apply(axes_content(), changes, embedded_pool()),
        now=NOW,
        name="Ferry",
    )
    address = f"/decks/{deck.pk}/played"
    page = as_alice.get(address).content.decode()
    assert [_line(page, number) for number in range(1, 5)] == [
        ("2", "Charon's Obol"),
        ("1", "The Great Work"),
        ("", "Unspeakable Oath"),
        ("", ""),
    ]
    shown, _summary, _folded = page.partition("<details")
    assert "Unspeakable Oath" in shown  # nothing is earned that one has to look for
    assert "If you were defeated" in page
    assert "−2 per copy, if its text says so." in page
    as_alice.post(
        address,
        {
            "revision": "1",
            "victory": "3",
            "card_1": "",
            "card_1_for": "Charon's Obol",
            "card_2": "1",
            "card_2_for": "The Great Work",
            "card_3": "-2",
            "card_3_for": "Unspeakable Oath",
        },
    )
    entries = list(deck.ledger.values_list("kind", "amount", "reason"))
    assert entries == [
        ("victory", 3, ""),
        ("card", 1, "The Great Work"),
        ("card", -2, "Unspeakable Oath"),
    ]


def test_no_experience_is_offered_if_none_can_be_earned(
    as_alice: Client, alice: User
) -> None:
    """Ascetic forbids it; cards for everyone are in the victory display."""
    changes = [("add", "11095"), ("add", "02111")]
    deck = services.create_deck(
        owner=alice,
        content=apply(axes_content(), changes, embedded_pool()),
        now=NOW,
        name="Poor",
    )
    page = as_alice.get(f"/decks/{deck.pk}/played").content.decode()
    assert "Ascetic: you don’t earn experience." in page
    assert _line(page, 1) == ("", "")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"victory": "many"}, "Enter a whole number."),
        ({"granted": "Nobody Ever"}, "We couldn’t find a card called “Nobody Ever”."),
        (
            {"granted": "Machette"},
            "We couldn’t find a card called “Machette”. Did you mean “Machete”?",
        ),
        ({"granted": "Beat Cop"}, "Several cards are called “Beat Cop”: 01018, 01028"),
        (
            {f"exiled-{MACHETE}": "3"},
            "That choice is not one of the available choices.",
        ),
    ],
)
def test_an_invalid_game_is_asked_again(
    as_alice: Client, deck: Deck, fields: dict[str, str], told: str
) -> None:
    """Nothing of it is kept."""
    answer = as_alice.post(f"/decks/{deck.pk}/played", {"revision": "1", **fields})
    assert answer.status_code == 422
    assert told in html.unescape(text_of(answer))
    assert latest_of(deck).played_at is None


@pytest.mark.parametrize(
    ("typed", "button", "code"),
    [
        ("2 Machette", "1:2 Machete", MACHETE),
        ("Beat Cop", "1:01028", "01028"),
    ],
)
def test_a_misspelt_gained_card_is_corrected_by_a_button(
    as_alice: Client, deck: Deck, typed: str, button: str, code: str
) -> None:
    """Or a name that several cards have."""
    form, address = {"revision": "1", "granted": typed}, f"/decks/{deck.pk}/played"
    page = as_alice.post(address, form).content.decode()
    assert f'name="take-granted" value="{button}"' in page

    pressed = as_alice.post(address, form | {"take-granted": button})
    assert pressed.status_code == 303
    copies = int(typed[0]) if typed[0].isdigit() else 1
    assert latest_of(deck).aftermath["granted"] == {code: copies}


def test_a_misspelt_scenario_is_asked_about(as_alice: Client, deck: Deck) -> None:
    """A suggestion is a button that sends the whole form; so is the typed name."""
    address = f"/decks/{deck.pk}/played"
    fields = {"revision": "1", "victory": "4", "scenario": "Carnival of Horors"}
    answer = as_alice.post(address, fields)
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert "We don’t know a scenario called “Carnival of Horors”." in page
    assert 'name="scenario" value="Carnevale of Horrors"' in page
    assert 'name="own_name" value="Carnival of Horors"' in page
    first_button = page[page.index('<form class="played-form ') :].index("<button")
    assert (
        'tabindex="-1"'
        in page[page.index('<form class="played-form ') :][
            first_button : first_button + 60
        ]
    )  # Enter sends the typed name
    assert latest_of(deck).played_at is None

    as_alice.post(address, fields | {"own_name": "Carnival of Horors"})
    assert booked_lines(deck) == [("victory", 4, "Carnival of Horors")]


def test_a_suggested_scenario_is_used(as_alice: Client, deck: Deck) -> None:
    """A form sends the field first and then the button; its price is booked."""
    written = ["Carnival of Horors", "Carnevale of Horrors"]
    services.correct_ledger(deck=deck, amount=3, reason="brought along", now=NOW)
    fields = {"revision": str(latest_of(deck).number), "scenario": written}
    assert as_alice.post(f"/decks/{deck.pk}/played", fields).status_code == 303
    assert booked_lines(deck)[1:] == [("cost", -3, "Carnevale of Horrors")]


def test_a_game_needs_the_current_revision(as_alice: Client, played: Deck) -> None:
    """An older page's form is stale; one without a revision is asked for it."""
    address = f"/decks/{played.pk}/played"
    assert as_alice.post(address, {"victory": "1"}).status_code == 428
    services.upgrade_deck(
        deck=played,
        content=axes_content(),
        expected_revision=1,
        now=NOW,
        repair="it was found again",
    )
    answer = as_alice.post(address, {"revision": "1", "victory": "1"})
    assert answer.status_code == 412
    assert ledger.balance_of(played) == 6


def test_a_game_of_a_deck_changed_meanwhile_is_asked_again(
    as_alice: Client, deck: Deck
) -> None:
    """The form stays filled in, and can be saved from the page that says so."""
    content = latest_of(deck).content
    fewer = apply(content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=fewer, expected_revision=1, now=NOW)
    address = f"/decks/{deck.pk}/played"
    fields = {"scenario": "The Gathering", "victory": "5", "granted": "01117"}
    answer = as_alice.post(address, fields | {"revision": "1"})
    assert answer.status_code == 412
    assert "so nothing was saved" in text_of(answer)
    page = answer.content.decode()
    assert 'value="The Gathering"' in page
    assert 'name="victory" value="5"' in page
    assert "01117" in page
    assert '<input type="hidden" name="revision" value="2">' in page
    assert f'href="/decks/{deck.pk}/#ledger"' in page
    assert as_alice.post(address, fields | {"revision": "2"}).status_code == 303
    assert ledger.balance_of(deck) == 5


def test_a_second_game_after_a_removed_one_is_not_entered(
    as_alice: Client, deck: Deck
) -> None:
    """Its form was open meanwhile; the page doesn't claim that it was saved."""
    address = f"/decks/{deck.pk}/played"
    fields = {"revision": "1", "victory": "2"}
    as_alice.post(address, fields)
    as_alice.post(f"{address}/take-back", last_game(deck))

    answer = as_alice.post(address, fields | {"again": "1"})

    assert answer.status_code == 409
    assert "The scenario before this one was undone." in text_of(answer)
    assert "already recorded" not in text_of(answer)
    assert ledger.balance_of(deck) == 0


def test_a_form_sent_twice_is_one_game(as_alice: Client, deck: Deck) -> None:
    """The second time it says so; another game without an upgrade is another form."""
    address = f"/decks/{deck.pk}/played"
    fields = {"revision": "1", "victory": "2"}
    assert as_alice.post(address, fields).status_code == 303
    answer = as_alice.post(address, fields)
    assert answer.status_code == 409
    assert "Nothing was counted twice." in text_of(answer)
    assert f'href="/decks/{deck.pk}/#ledger"' in answer.content.decode()
    assert "This adds another one" in text_of(as_alice.get(address))
    again = fields | {"again": "1"}
    assert as_alice.post(address, again).status_code == 303
    assert as_alice.post(address, again).status_code == 412
    assert latest_of(deck).number == 2
    assert ledger.balance_of(deck) == 4


def test_a_played_deck_has_no_builder(as_alice: Client, played: Deck) -> None:
    """Its page is shown; a change is refused with a link to the desk."""
    address = f"/decks/{played.pk}/edit"
    assert as_alice.get(address)["Location"] == f"/decks/{played.pk}/"
    fields = {"revision": "1", "do": f"add={MACHETE}"}
    for headers in ({}, HTMX):
        answer = as_alice.post(address, fields, headers=headers)
        assert answer.status_code == 409
        assert "From now on you change the deck with upgrades" in text_of(answer)
        assert f'href="/decks/{played.pk}/upgrade/"' in answer.content.decode()
    terms = as_alice.post(f"/decks/{played.pk}/terms", {"revision": "1", "players": 2})
    assert terms.status_code == 409
