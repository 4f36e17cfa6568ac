"""The scenario of a game, and taking a game back."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content
from decks.models import Deck, Desk
from decks.services import games, ledger
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    MACHETE,
    UPGRADE_COP,
    axes_content,
    booked_lines,
    desk_mark,
    last_game,
    press_at_desk,
    source_of,
)
from tests.decks.helpers import NOW, latest_of, text_of

pytestmark = pytest.mark.usefixtures("rows")


def post_game(client: Client, deck: Deck, **fields: str) -> HttpResponse:
    deck.refresh_from_db()
    data = {"revision": str(deck.revision), **fields}
    answer = client.post(f"/decks/{deck.pk}/played", data, follow=True)
    assert isinstance(answer, HttpResponse)
    return answer


def test_scenarios_are_listed_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not in that of the first reader."""
    games.known_scenarios()
    catalog = trans_real.TranslationCatalog()
    catalog["side scenario"] = "Nebengeschichte"
    monkeypatch.setattr(trans_real.translation("de"), "_catalog", catalog)
    with translation.override("de"):
        shown = {each.name: str(each.campaign) for each in games.known_scenarios()}
    assert shown["By the Book"] == "Nebengeschichte"


def test_the_form_asks_for_the_scenario(as_alice: Client, deck: Deck) -> None:
    """The known ones are offered; the ledger and the timeline name it."""
    page = as_alice.get(f"/decks/{deck.pk}/played").content.decode()
    assert '<input type="text" name="scenario" list="scenarios"' in page
    assert '<option value="The Gathering">The Night of the Zealot</option>' in page
    rougarou = (
        '<option value="Curse of the Rougarou">side scenario, 1 experience</option>'
    )
    assert rougarou in page
    assert '<option value="By the Book">side scenario, 3 experience</option>' in page
    assert '<option value="Read or Die">side scenario, 1 experience</option>' in page
    assert 'value="Prologue"' not in page

    post_game(
        as_alice,
        deck,
        scenario=" The Gathering ",
        victory="2",
        bonus_1="1",
        bonus_1_for="spared her",
    )

    assert booked_lines(deck) == [
        ("victory", 2, "The Gathering"),
        ("bonus", 1, "The Gathering: spared her"),
    ]
    text = text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Victory display: The Gathering" in text
    assert "Played: The Gathering" in text


def test_a_scenario_of_ones_own_has_any_name(as_alice: Client, deck: Deck) -> None:
    """Free text, without a price; an empty name is fine as well."""
    post_game(as_alice, deck, scenario="Our <b>cellar</b>", victory="1")
    assert booked_lines(deck) == [("victory", 1, "Our <b>cellar</b>")]
    assert "<b>cellar" not in as_alice.get(f"/decks/{deck.pk}/").content.decode()
    deck.refresh_from_db()
    post_game(as_alice, deck, again="1", victory="1")
    assert booked_lines(deck)[1:] == [("victory", 1, "")]


@pytest.mark.parametrize(
    ("scenario", "cost", "mode", "booked"),
    [
        ("Curse of the Rougarou", "", "campaign", -1),
        ("curse of the rougarou", "", "campaign", -1),
        ("Carnevale of Horrors", "", "campaign", -3),
        ("Carnevale of Horrors", "0", "campaign", None),
        ("Carnevale of Horrors", "2", "campaign", -2),
        ("Carnevale of Horrors", "", "standalone", None),
        ("By the Book", "", "campaign", -3),  # which names Roland
        ("By the Book", "1", "campaign", -1),
        ("By the Book", "", "standalone", None),
        ("Read or Die", "", "campaign", -1),
        ("Anything Once", "", "campaign", -2),  # with Olive McBride 1
        ("The Gathering", "", "campaign", None),
        ("Our own", "2", "campaign", -2),
    ],
)
def test_a_side_story_is_paid_for(
    as_alice: Client,
    deck: Deck,
    scenario: str,
    cost: str,
    mode: str,
    booked: int | None,
) -> None:
    """Its printed price, or the one entered; in standalone mode it costs nothing."""
    latest = latest_of(deck)
    latest.circumstances = {**latest.circumstances, "mode": mode}
    latest.save()
    services.correct_ledger(deck=deck, amount=3, reason="brought along", now=NOW)
    answer = post_game(as_alice, deck, scenario=scenario, cost=cost, victory="4")
    costs = [amount for kind, amount, _why in booked_lines(deck) if kind == "cost"]
    assert costs == ([] if booked is None else [booked])
    assert ledger.balance_of(deck) == 3 + 4 + (booked or 0)
    assert ledger.earned_by(deck) == 4  # the payment doesn't reduce what was earned
    printed = {"curse of the rougarou": "Curse of the Rougarou"}.get(scenario, scenario)
    assert (f"{printed} cost " in text_of(answer)) is bool(booked)


@pytest.mark.parametrize("cost", ["", "3"])
def test_a_side_story_is_paid_from_the_experience_at_hand(
    as_alice: Client, deck: Deck, cost: str
) -> None:
    """Not from what it gives; also when it follows a game without an upgrade."""
    game = {"scenario": "Carnevale of Horrors", "cost": cost, "victory": "5"}
    for at_hand, sent in ((0, {}), (2, {"again": "1"})):
        if sent:
            post_game(as_alice, deck, scenario="The Gathering", victory="2")
        number = latest_of(deck).number
        answer = post_game(as_alice, deck, **game, **sent)
        assert f"You have {at_hand} experience, and this scenario costs 3" in (
            text_of(answer)
        )
        assert latest_of(deck).number == number
        assert ledger.balance_of(deck) == at_hand
    post_game(as_alice, deck, **(game | {"cost": "2", "again": "1"}))
    assert ledger.balance_of(deck) == 5


def test_a_card_in_the_deck_lowers_the_price_of_a_side_story(deck: Deck) -> None:
    """Olive McBride that of Anything Once, in either version."""
    content = latest_of(deck).content
    for code, cost in (("04197", 1), ("10097", 1), ("01030", 2)):
        with_card = apply(content, [("add", code)], embedded_pool())
        assert games.price_of("Anything Once", with_card) == cost


def test_a_game_entered_by_mistake_is_taken_back(as_alice: Client, deck: Deck) -> None:
    """The deck can be edited again; the ledger has both entries and right sums."""
    services.correct_ledger(deck=deck, amount=1, reason="brought along", now=NOW)
    post_game(as_alice, deck, scenario="Curse of the Rougarou", victory="5")
    assert as_alice.get(f"/decks/{deck.pk}/edit").status_code == 303
    address = f"/decks/{deck.pk}/played/take-back"
    for page in (f"/decks/{deck.pk}/", f"/decks/{deck.pk}/upgrade/"):
        assert f'href="{address}"' in as_alice.get(page).content.decode()
    asked = text_of(as_alice.get(address))
    assert "Victory display: Curse of the Rougarou +5" in asked
    assert "Price: Curse of the Rougarou -1" in asked
    assert latest_of(deck).played_at is not None

    after = as_alice.post(address, last_game(deck), follow=True)

    assert "Scenario undone and its experience removed" in text_of(after)
    assert (ledger.balance_of(deck), ledger.earned_by(deck)) == (1, 0)
    assert booked_lines(deck)[3:] == [
        ("cost", 1, "Game undone: Curse of the Rougarou"),
        ("victory", -5, "Game undone: Curse of the Rougarou"),
    ]
    latest = latest_of(deck)
    assert (latest.played_at, latest.scenario, latest.aftermath) == (None, "", {})
    assert as_alice.get(f"/decks/{deck.pk}/edit").status_code == 200
    post_game(as_alice, deck, scenario="The Gathering", victory="2")
    assert (ledger.balance_of(deck), ledger.earned_by(deck)) == (3, 2)
    as_alice.post(address, last_game(deck))
    assert (ledger.balance_of(deck), ledger.earned_by(deck)) == (1, 0)


def test_a_game_that_earned_nothing_is_taken_back(as_alice: Client, deck: Deck) -> None:
    """The page doesn't mention experience that nothing gave."""
    post_game(as_alice, deck, scenario="The Gathering")
    page = text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Nothing earned yet." in page
    assert "by playing scenarios" not in page
    address = f"/decks/{deck.pk}/played/take-back"
    assert "stays listed" not in text_of(as_alice.get(address))

    page = text_of(as_alice.post(address, last_game(deck), follow=True))

    assert "Scenario undone." in page
    assert "its experience removed" not in page
    assert "by playing scenarios" in page


def test_an_upgrade_on_the_desk_goes_with_the_game(
    as_alice: Client, played: Deck
) -> None:
    """Nothing of it was bought."""
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    assert Desk.objects.exists()
    as_alice.post(f"/decks/{played.pk}/played/take-back", last_game(played))
    assert not Desk.objects.exists()
    assert ledger.balance_of(played) == 0
    assert as_alice.get(f"/decks/{played.pk}/edit").status_code == 200


def test_a_game_that_was_not_seen_is_neither_taken_back_nor_deleted(
    as_alice: Client, deck: Deck
) -> None:
    """Another window took back the game on the old page, and entered another."""
    asked = {"revision": "1", "game": ""}
    post_game(as_alice, deck, scenario="The Gathering", victory="5")
    refused = as_alice.post(f"/decks/{deck.pk}/delete", asked)
    assert refused.status_code == 412
    assert "Nothing was deleted" in text_of(refused)
    address = f"/decks/{deck.pk}/played/take-back"
    old_page = last_game(deck)
    as_alice.post(address, old_page)
    post_game(as_alice, deck, scenario="The Midnight Masks", victory="2")

    refused = as_alice.post(address, old_page)

    assert refused.status_code == 412
    assert "The Midnight Masks +2" in text_of(refused)
    assert ledger.balance_of(deck) == 2
    assert as_alice.post(address, last_game(deck)).status_code == 303
    assert ledger.balance_of(deck) == 0


def test_an_old_page_of_the_desk_does_not_affect_another_game(
    as_alice: Client, deck: Deck
) -> None:
    """The first game's exiled cards aren't applied to the second."""
    post_game(as_alice, deck, victory="5")
    old_page = desk_mark(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/played/take-back", last_game(deck))
    post_game(as_alice, deck, victory="2")
    told = {"revision": old_page, f"exiled-{MACHETE}": "1", "granted": ""}

    assert as_alice.post(f"/decks/{deck.pk}/upgrade/told", told).status_code == 412
    for pressed in ({"do": UPGRADE_COP}, {"confirm": "1"}):
        assert (
            press_at_desk(as_alice, deck, revision=old_page, **pressed).status_code
            == 412
        )
    assert not Desk.objects.exists()


def test_a_game_with_later_changes_is_not_taken_back(
    as_alice: Client, as_bob: Client, alice: User, played: Deck
) -> None:
    """Upgraded since, never played, changed since, not mine: nothing happens."""
    address = f"/decks/{played.pk}/played/take-back"
    assert as_bob.post(address, {"revision": "1"}).status_code == 404
    assert as_alice.post(address, {"revision": "7"}).status_code == 412
    assert as_alice.post(address, {}).status_code == 428
    unplayed = services.create_deck(owner=alice, content=axes_content(), now=NOW)
    refused = as_alice.get(f"/decks/{unplayed.pk}/played/take-back")
    assert refused.status_code == 409
    assert "No scenario is recorded for this deck." in text_of(refused)
    before = booked_lines(played)
    services.upgrade_deck(
        deck=played,
        content=services.opened(latest_of(played)),
        expected_revision=1,
        actor=alice,
        now=NOW,
        repair="So",
    )
    for answer in (
        as_alice.get(address),
        as_alice.post(address, {"revision": "2"}),
    ):
        assert answer.status_code == 409
        assert "you upgraded the deck with the experience it gave" in text_of(answer)
    assert booked_lines(played) == before


def test_only_the_second_game_is_taken_back(as_alice: Client, played: Deck) -> None:
    """The first one, and what it earned, stays."""
    post_game(as_alice, played, again="1", scenario="The Midnight Masks", victory="3")
    played.refresh_from_db()
    assert ledger.balance_of(played) == 9
    as_alice.post(f"/decks/{played.pk}/played/take-back", last_game(played))
    assert ledger.balance_of(played) == 6
    assert as_alice.get(f"/decks/{played.pk}/upgrade/").status_code == 200


def _offers_to_take_back(page: str) -> bool:
    return 'played/take-back"' in page


def test_a_game_that_cannot_be_taken_back_offers_no_button(
    as_alice: Client, alice: User, played: Deck
) -> None:
    """The deck's page and its desk say why, in the button's place."""
    pages = (f"/decks/{played.pk}/", f"/decks/{played.pk}/upgrade/")
    services.upgrade_deck(
        deck=played,
        content=services.opened(latest_of(played)),
        expected_revision=1,
        actor=alice,
        now=NOW,
        repair="So",
    )
    for page in pages:
        answer = as_alice.get(page)
        assert not _offers_to_take_back(answer.content.decode())
        assert "you upgraded the deck with the experience it gave" in text_of(answer)


def test_a_game_before_an_import_cannot_be_taken_back(
    as_alice: Client, alice: User
) -> None:
    """The deck has a desk, but was not played here; nor after it is upgraded."""
    told = Content(axes_content().deck, {"mode": "campaign"})
    deck = services.create_deck(owner=alice, content=told, now=NOW, carried=4)
    page = as_alice.get(f"/decks/{deck.pk}/upgrade/")
    assert "Undo last scenario" not in text_of(page)
    services.upgrade_deck(
        deck=deck, content=told, expected_revision=1, now=NOW, repair="So"
    )
    refused = as_alice.get(f"/decks/{deck.pk}/played/take-back")
    assert "No scenario is recorded for this deck." in text_of(refused)


def test_a_game_is_not_called_an_upgrade(as_alice: Client, played: Deck) -> None:
    """After the second game is taken back, the page says what keeps the first."""
    post_game(as_alice, played, again="1", victory="3")
    address = f"/decks/{played.pk}/played/take-back"
    as_alice.post(address, last_game(played))
    refused = as_alice.get(address)
    assert refused.status_code == 409
    assert "You upgraded" not in text_of(refused)
    assert "you recorded and undid another one" in text_of(refused)


def test_a_copy_outside_the_deck_size_is_fixed_by_one_press(
    as_alice: Client, alice: User
) -> None:
    """Removed, or made to count: the button changes both fields."""
    ace = "05040"  # Ace of Rods, which a scenario gives
    content = apply(axes_content(), [("add", ace), ("aside", ace)], embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW, name="Ace")
    game = services.PlayedGame(earned=(Earned("victory", 5),))
    services.mark_played(
        deck=deck, game=game, expected_revision=1, actor=alice, now=NOW
    )
    for mistake in (f"remove={ace}", f"count={ace}"):
        press_at_desk(as_alice, deck, do=mistake)
        page = as_alice.get(f"/decks/{deck.pk}/upgrade/").content.decode()
        (value,) = set(re.findall(r'value="([^"]*)"[^>]*>Put Ace of Rods', page))
        press_at_desk(as_alice, deck, do=value)
        page = as_alice.get(f"/decks/{deck.pk}/upgrade/").content.decode()
        assert "stays in the deck, not counted toward its size" not in page


def test_taking_back_an_upgrade_keeps_the_copy_outside_the_deck_size(
    as_alice: Client, alice: User
) -> None:
    """As it was before: it takes no room."""
    cache, cache_2 = "01088", "02194"
    changes = [("add", cache), ("aside", cache)]
    content = apply(axes_content(), changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW, name="Cache")
    game = services.PlayedGame(earned=(Earned("victory", 5),))
    services.mark_played(
        deck=deck, game=game, expected_revision=1, actor=alice, now=NOW
    )
    press_at_desk(as_alice, deck, do=f"remove={cache} add={cache_2}")
    assert Desk.objects.get().list["ignoreDeckLimitSlots"] == {}
    page = source_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    (back,) = re.findall('value="([^"]*)">Undo<span[^>]*>: Emergency', page)

    press_at_desk(as_alice, deck, do=back)

    desk = Desk.objects.get().list
    assert desk["slots"] == content.deck["slots"]
    assert desk["ignoreDeckLimitSlots"] == {cache: 1}
