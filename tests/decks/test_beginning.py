"""First decks, decks under way, and the experience granted at deck creation."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rules.legality import check, judge_of
from arkham.rules.snapshot import embedded_pool
from cardpool.catalog import current_pool
from decks import services
from decks.interchange.importing import read_list
from decks.lists.content import Content, read_content
from decks.lists.starter import NoStarter, starter_deck
from decks.models import Deck, LedgerEntry, Revision
from decks.services import PlayedGame, ledger, settling
from decks.services.beginning import to_spend
from decks.services.ledger import Earned
from decks.services.settling import gain_cards, give_cards_up
from tests.decks.helpers import latest_of

pytestmark = pytest.mark.usefixtures("rows")
POOL = embedded_pool()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MATEO, ROLAND, KYMANI, PARALLEL_ROLAND = "04004", "01001", "09008", "90024"
LEVEL_1 = "06282"  # Summoned Hound
OFFER = "53013"  # Offer You Cannot Refuse: 2 experience for its new bearer
Kind = LedgerEntry.Kind


def _content(code: str, slots: dict[str, int] | None = None, **told: Any) -> Content:
    deck = {"investigator_code": code, "slots": slots or {}}
    return read_content({"deck": deck, "circumstances": told})


def _made(owner: User | None, content: Content, carried: int = 0) -> Deck:
    return services.create_deck(owner=owner, content=content, now=NOW, carried=carried)


def _mode(deck: Deck) -> str:
    return str(latest_of(deck).circumstances.get("mode", ""))


def _play(deck: Deck, *earned: Earned) -> Revision:
    return services.mark_played(
        deck=deck, game=PlayedGame(earned), expected_revision=deck.revision, now=NOW
    )


def _booked(deck: Deck) -> list[tuple[str, int]]:
    entries = deck.ledger.order_by("number")
    return [(each.kind, each.amount) for each in entries]


# -- which mode --


@pytest.mark.parametrize("how", ["required", "starter", "chaos"])
def test_every_button_begins_a_first_deck(client: Client, how: str) -> None:
    answer = client.post(f"/decks/new/{ROLAND}/", {how: "1"})
    assert answer.status_code == 303
    assert _mode(Deck.objects.get()) == "start"


def test_a_deck_begins_with_its_required_cards(client: Client) -> None:
    """The player chooses the rest."""
    client.post(f"/decks/new/{ROLAND}/", {"required": "1"})
    deck = Deck.objects.get()
    assert latest_of(deck).list["slots"] == {"01000": 1, "01006": 1, "01007": 1}
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert "is required" not in page
    assert "The deck has 0 of 30 cards." in page


def test_the_investigators_abilities_are_shown_before_a_deck_begins(
    client: Client,
) -> None:
    """The card is drawn; its name is the heading."""
    page = client.get(f"/decks/new/{ROLAND}/").content.decode()
    assert f'<a href="/cards/{ROLAND}/"><svg' in page.partition("</h1>")[0]
    assert 'class="gist"' in page
    assert page.count("<h1>") == 1


def test_six_experience_in_a_new_deck_is_illegal(client: Client) -> None:
    client.post(f"/decks/new/{ROLAND}/", {"empty": "1"})
    deck = Deck.objects.get()
    fields = {"revision": "1", "do": "add=01028:3"}  # Beat Cop, level 2
    client.post(f"/decks/{deck.pk}/edit", fields)
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert "The cards cost 6 experience; a starting deck has 0." in page


def test_a_program_that_changes_only_the_list_keeps_a_first_deck(
    alice: User, api: APIClient
) -> None:
    """Leaving out the circumstances doesn't put the deck in a campaign in progress."""
    api.force_authenticate(alice)
    begun = {"investigator_code": ROLAND, "slots": {}}
    made = api.post("/api/v1/decks/", begun, format="json")
    assert made.json()["circumstances"] == {"mode": "start"}
    address = f"/api/v1/decks/{made.json()['id']}/"
    costly = {"investigator_code": ROLAND, "slots": {"01028": 2}}
    kept = api.put(address, costly, format="json", headers={"If-Match": made["ETag"]})
    assert kept.status_code == 200
    assert kept.json()["circumstances"] == {"mode": "start"}
    found = api.get(f"{address}legality").json()["findings"]
    assert "start.experience" in {each["rule"] for each in found}


@pytest.mark.parametrize(
    ("more", "mode"),
    [
        ({}, "start"),
        ({"slots": {"01028": 2}}, "campaign"),  # level 2
        ({"xp": 4}, "campaign"),
        ({"exile_string": "01020"}, "campaign"),
        ({"slots": {"01117": 1}}, "campaign"),  # Lita Chantler
        ({"previous_deck": 59660}, "campaign"),
        ({"xp_spent": 3}, "campaign"),
        ({"meta": {"orne_experience": "12 total"}}, "campaign"),
        ({"xp": 0, "xp_spent": 0, "previous_deck": None, "next_deck": 7}, "start"),
    ],
)
def test_a_list_is_a_first_deck_unless_it_shows_more(
    more: dict[str, Any], mode: str
) -> None:
    text = json.dumps({"investigator_code": ROLAND, "slots": {"01020": 2}} | more)
    read = read_list(text, POOL)
    assert read.content is not None
    assert read.content.circumstances == {"mode": mode}
    assert read.is_under_way is (mode == "campaign")


def test_a_list_with_a_mode_is_believed() -> None:
    deck = {"investigator_code": ROLAND, "slots": {"01028": 2}}
    text = json.dumps({"deck": deck, "circumstances": {"mode": "start"}})
    read = read_list(text, POOL)
    assert read.content is not None
    assert read.content.circumstances == {"mode": "start"}
    assert not read.is_under_way


@pytest.mark.parametrize(("code", "is_under_way"), [("01028", True), ("01020", False)])
def test_the_first_page_says_what_it_assumes(
    client: Client, code: str, is_under_way: bool
) -> None:
    text = json.dumps({"investigator_code": ROLAND, "slots": {code: 2}})
    page = client.post("/", {"text": text, "judge": "1"}).content.decode()
    assert ("This can’t be a starting deck" in page) == is_under_way


def test_the_report_on_a_list_says_what_it_assumes(api: APIClient) -> None:
    text = json.dumps({"investigator_code": ROLAND, "slots": {"01028": 2}})
    told = api.post("/api/v1/lists/read", {"text": text}, format="json").json()
    assert told["is_under_way"] is True
    assert told["read"]["circumstances"] == {"mode": "campaign"}


def test_a_list_imported_into_a_new_deck_keeps_its_own_mode(client: Client) -> None:
    deck = _made(None, _content(ROLAND))
    client.get(f"/decks/draft/{deck.key}/")
    text = json.dumps({"investigator_code": ROLAND, "slots": {"01028": 2}})
    read = read_list(text, current_pool())
    assert read.content is not None
    services.revise_deck(deck=deck, content=read.content, expected_revision=1, now=NOW)
    assert _mode(deck) == "campaign"


def test_after_a_game_the_campaign_is_in_progress(alice: User) -> None:
    deck = _made(alice, _content(ROLAND, {"01020": 2}))
    _play(deck)
    told = services.opened(latest_of(deck)).asked().circumstances
    assert told.mode == "campaign"


def test_every_starter_deck_is_a_legal_first_deck() -> None:
    judge = judge_of(POOL)
    for card in POOL.investigators:
        if card.investigator is None or not card.investigator.playable:
            continue
        try:
            starter = starter_deck(POOL, card.code)
        except NoStarter:
            continue
        told = {"mode": "start"}
        asked = read_content({"deck": starter.deck, "circumstances": told}).asked()
        verdict = check(judge, asked.deck, asked.circumstances)
        assert verdict.status == "legal", (card.code, verdict.findings)


# -- what is granted --


@pytest.mark.parametrize(
    ("content", "granted", "left"),
    [
        (_content(MATEO), [("granted", 5)], 5),
        (
            _content(MATEO, {LEVEL_1: 1}, mode="start"),
            [("granted", 5), ("spent", -1)],
            4,
        ),
        (_content(KYMANI), [("granted", 5)], 5),
        (_content(PARALLEL_ROLAND), [("granted", 5)], 5),
        (_content(ROLAND, {"08125": 1}), [("granted", 3)], 3),
        (_content(ROLAND, {"11095": 1}), [("granted", 10)], 10),
        (_content(ROLAND, {OFFER: 1}), [("granted", 2)], 2),
        (_content(ROLAND, {OFFER: 1}, ultimatums=["induction"]), [], 0),
        (_content(ROLAND, {OFFER: 1}, mode="campaign"), [], 0),
        (_content(ROLAND, ultimatums=["ancients"]), [("granted", 5)], 5),
        (_content(ROLAND, experience=7, mode="start"), [("granted", 7)], 7),
        (
            _content(MATEO, {"08125": 1}, ultimatums=["ancients"], mode="start"),
            [("granted", 5), ("granted", 5), ("granted", 3)],
            13,
        ),
        (_content(MATEO, ultimatums=["induction"]), [], 0),
        (_content(ROLAND), [], 0),
        (_content(MATEO, mode="campaign"), [], 0),
    ],
)  # fmt: skip
def test_granted_experience_is_booked_once(
    alice: User, content: Content, granted: list[tuple[str, int]], left: int
) -> None:
    deck = _made(alice, content)
    assert to_spend(latest_of(deck)) == left
    assert _booked(deck) == []
    played = _play(deck, Earned(Kind.VICTORY, 2))
    assert _booked(deck) == [*granted, ("victory", 2)]
    assert to_spend(played) == ledger.balance_of(deck) == left + 2
    upgrade = services.preview_upgrade(deck=deck, content=services.opened(played))
    assert upgrade.available == left + 2


def test_the_first_upgrade_may_spend_it(alice: User) -> None:
    deck = _made(alice, _content(MATEO, {"01060": 1}))
    played = _play(deck)
    content = services.opened(played)
    content.deck["slots"] = {**content.deck["slots"], "02306": 1}
    preview = services.preview_upgrade(deck=deck, content=content)
    assert (preview.available, preview.left) == (5, 5 - preview.invoice.total)


def test_granted_experience_is_not_earned(alice: User) -> None:
    """Disciplines are counted by what was earned."""
    deck = _made(alice, _content(MATEO))
    _play(deck, Earned(Kind.VICTORY, 3))
    assert ledger.earned_by(deck) == 3


@pytest.mark.parametrize(
    ("told", "granted"), [({}, 2), ({"ultimatums": ["induction"]}, 0)]
)
def test_a_weakness_gained_in_play_pays_its_bearer(
    alice: User, told: dict[str, Any], granted: int
) -> None:
    """With the game, until that is taken back."""
    deck = _made(alice, _content(ROLAND, **told))
    _play(deck)
    services.play_again(
        deck=deck,
        game=PlayedGame((Earned(Kind.VICTORY, 3),), {"granted": {OFFER: 1}}),
        expected_revision=deck.revision,
        now=NOW + timedelta(days=1),
    )
    assert ledger.balance_of(deck) == 3 + granted
    assert ledger.earned_by(deck) == 3  # it is gained, not earned
    deck.refresh_from_db()
    services.take_back_game(
        deck=deck, expected_revision=deck.revision, now=NOW + timedelta(days=2)
    )
    assert ledger.balance_of(deck) == 0


def test_a_weakness_entered_at_the_desk_pays_its_bearer(alice: User) -> None:
    """It may be spent at once, is booked once, and is gone if it was a mistake."""
    deck = _made(alice, _content(ROLAND))
    _play(deck)
    for window, balance in (
        ({"granted": {OFFER: 1}}, 2),
        ({"granted": {OFFER: 1}}, 2),
        ({}, 2),
        ({"granted": {}}, 0),
    ):
        deck.refresh_from_db()
        content = services.opened(deck.revisions.get(number=1))
        preview = services.preview_upgrade(deck=deck, content=content, window=window)
        assert preview.available == balance
        services.upgrade_deck(
            deck=deck,
            content=content,
            window=window,
            expected_revision=deck.revision,
            now=NOW,
            repair="As it was",
        )
        assert ledger.balance_of(deck) == balance


def test_a_weakness_drawn_between_games_pays_its_bearer(alice: User) -> None:
    """Once, and no longer when the draw is corrected."""
    deck = _made(alice, _content(ROLAND))
    _play(deck)
    for change, balance in ((gain_cards, 2), (give_cards_up, 0)):
        deck.refresh_from_db()
        change(
            deck=deck,
            codes=[OFFER],
            reason="Drawn",
            expected_revision=deck.revision,
            now=NOW,
        )
        assert ledger.balance_of(deck) == balance


def test_a_weakness_pays_once_though_another_game_is_taken_back(alice: User) -> None:
    """Its own game stays, and the desk doesn't pay it again."""
    deck = _made(alice, _content(ROLAND))
    write = services.mark_played
    for game in (PlayedGame(aftermath={"granted": {OFFER: 1}}), PlayedGame()):
        write(deck=deck, game=game, expected_revision=deck.revision, now=NOW)
        write = services.play_again
        deck.refresh_from_db()
    services.take_back_game(deck=deck, expected_revision=deck.revision, now=NOW)
    content = services.opened(deck.revisions.get(number=1))
    assert services.preview_upgrade(deck=deck, content=content).available == 2


def test_editing_changes_the_experience_left(alice: User) -> None:
    deck = _made(alice, _content(MATEO))
    for number, (slots, left) in enumerate(
        [({LEVEL_1: 1}, 4), ({LEVEL_1: 2}, 3), ({}, 5)], 1
    ):
        content = _content(MATEO, slots, mode="start")
        services.revise_deck(
            deck=deck, content=content, expected_revision=number, now=NOW
        )
        assert to_spend(latest_of(deck)) == left
    services.undo_revision(deck=deck, expected_revision=4, now=NOW)
    assert to_spend(latest_of(deck)) == 3
    assert _booked(deck) == []


def test_a_copy_has_granted_experience_once(alice: User) -> None:
    """Before the first game and after it."""
    deck = _made(alice, _content(MATEO))
    fresh = services.copy_deck(deck=deck, owner=alice, now=NOW, name="")
    assert (to_spend(latest_of(fresh)), _booked(fresh)) == (5, [])
    _play(deck, Earned(Kind.VICTORY, 2))
    later = services.copy_deck(deck=deck, owner=alice, now=NOW, name="")
    assert (to_spend(latest_of(later)), _booked(later)) == (7, [("correction", 7)])
    _play(later)
    assert to_spend(latest_of(later)) == 7


def test_a_copy_of_a_level_0_deck_that_was_played_is_no_first_deck(
    alice: User,
) -> None:
    deck = _made(alice, _content(MATEO))
    _play(deck)
    copy = services.copy_deck(deck=deck, owner=alice, now=NOW, name="")
    assert _mode(copy) != "start"


def test_an_imported_balance_includes_granted_experience_once(alice: User) -> None:
    """A fresh deck that is exported and imported again."""
    text = json.dumps({"investigator_code": MATEO, "slots": {LEVEL_1: 2}, "xp": 3})
    read = read_list(text, current_pool())
    assert read.content is not None
    deck = _made(alice, read.content, read.carried)
    assert to_spend(latest_of(deck)) == 3
    told = dict(read.content.circumstances) | {"mode": "start"}
    again = _made(alice, Content(read.content.deck, told), read.carried)
    assert to_spend(latest_of(again)) == 3


@pytest.mark.parametrize("slots", [{}, {LEVEL_1: 2}, {LEVEL_1: 5}])
def test_a_fresh_deck_has_the_same_experience_after_a_round_trip(
    alice: User, as_alice: Client, slots: dict[str, int]
) -> None:
    deck = _made(alice, _content(MATEO, slots, mode="start"))
    left = to_spend(latest_of(deck))
    text = as_alice.get(f"/decks/{deck.pk}/list.json").content.decode()
    read = read_list(text, current_pool())
    assert read.content is not None
    assert to_spend(latest_of(_made(alice, read.content, read.carried))) == left


def test_taking_back_a_game_removes_granted_experience(alice: User) -> None:
    """It is booked once with the next first game."""
    deck = _made(alice, _content(MATEO, {LEVEL_1: 1}, mode="start"))
    game = PlayedGame((Earned(Kind.VICTORY, 2),))
    for _again in range(2):
        played = settling.settle_game(
            deck=deck, game=game, reason="The Gathering", now=NOW, actor=alice
        )
        assert ledger.balance_of(deck) == 6
        gone = settling.take_back(
            deck=deck, earned=game.earned, played=played.number, now=NOW, actor=alice
        )
        assert gone
        assert ledger.balance_of(deck) == 0
        assert to_spend(latest_of(deck)) == 4


def test_an_illegal_first_deck_has_no_debt_later(alice: User) -> None:
    deck = _made(alice, _content(ROLAND, {"01028": 2}, mode="start"))
    _play(deck)
    assert _booked(deck) == []


# -- what is shown --


def test_pages_show_the_experience_left(alice: User, as_alice: Client) -> None:
    deck = _made(alice, _content(MATEO, {LEVEL_1: 2}, mode="start"))
    page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert "3 experience to spend" in " ".join(page.split())
    assert "Father Mateo" in page[page.index('id="ledger"') :]
    builder = as_alice.get(f"/decks/{deck.pk}/edit").content.decode()
    assert "You have 3 of 5 experience left from deck creation" in builder
    _play(deck)
    page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert "3 experience to spend" in " ".join(page.split())


def test_programs_see_the_experience_left(alice: User, api: APIClient) -> None:
    api.force_authenticate(alice)
    deck = _made(alice, _content(MATEO))
    address = f"/api/v1/decks/{deck.pk}/"
    seen = api.get(address)
    assert seen.json()["balance"] == 5
    played = api.post(
        f"{address}games", {}, format="json", headers={"If-Match": seen["ETag"]}
    )
    assert played.status_code == 200
    assert played.json()["balance"] == 5
    opening = api.get(f"{address}upgrade").json()
    assert (opening["balance"], opening["available"]) == (5, 5)
    entries = api.get(f"{address}ledger/").json()["results"]
    assert [(each["kind"], each["balance"]) for each in entries] == [("granted", 5)]


def test_a_strangers_copy_brings_no_experience(alice: User, bob: User) -> None:
    told = {"investigator_code": ROLAND, "slots": {}, "xp": 12}
    deck = _made(alice, read_content(told), 12)
    showing = services.publish_deck(deck=deck, number=1, pool=current_pool(), now=NOW)
    copy = services.copy_shown(showing=showing, owner=bob, now=NOW)
    assert "xp" not in latest_of(copy).list
    assert (to_spend(latest_of(copy)), _mode(copy)) == (0, "start")
