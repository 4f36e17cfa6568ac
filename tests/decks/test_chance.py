"""Draws for a deck: made, recorded, checked, corrected; hands and their odds."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.draws import DrawRecord as Record
from arkham.rules.draws import replayed
from arkham.rules.snapshot import embedded_pool
from cardpool.catalog import current_judge
from decks import services
from decks.draws.pools import to_be_drawn
from decks.lists.content import read_content
from decks.models import Correction, Deck, Draw
from decks.pages.display import Judged
from tests.decks.building import a_draft
from tests.decks.chance import (
    CARDS,
    a_deck,
    core_collection,
    deck_for,
    has_picture,
    post,
    slots_of,
)
from tests.decks.edits import apply
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")

AMNESIA, AMNESIA_AGAIN = "01096", "01596"
NO_AMNESIA = tuple(f"01{number:03}" for number in range(97, 105))  # the others


def change_slots(deck: Deck, slots: dict[str, int], **told: Any) -> None:
    """Edit a deck in another window."""
    listed = {"deck": {"investigator_code": "01001", "slots": slots}}
    deck.refresh_from_db()
    services.revise_deck(
        deck=deck,
        content=read_content(listed | {"circumstances": told}),
        expected_revision=deck.revision,
        now=timezone.now(),
    )


# -- weaknesses --


def test_the_finding_links_to_the_draw(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    page = as_alice.get(f"/decks/{deck.pk}/edit")
    assert f'href="/decks/{deck.pk}/weaknesses"' in page.content.decode()


def test_a_weakness_is_drawn_and_recorded(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    collection = core_collection(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    assert "10 cards in the pool" in text_of(as_alice.get(address))
    answer = post(as_alice, address, deck, collection=collection.pk, count=1)
    assert answer.status_code == 303
    (draw,) = Draw.objects.all()
    record = Record.from_data(draw.record)
    assert (draw.revision, draw.made) == (1, 2)
    assert replayed(record) == record
    assert sum(copies for _code, copies in record.pool) == 10
    slots = slots_of(deck)
    assert "01000" not in slots
    assert slots[record.result[0]] == 1
    text = text_of(as_alice.get(address))
    assert "9 cards in the pool" in text
    assert "Checked: this seed gives this result." in text
    kept = as_alice.get(f"/decks/{deck.pk}/draws/{draw.pk}.json")
    assert json.loads(kept.content) == draw.record


def test_weaknesses_in_other_decks_are_not_drawn(as_alice: Client, alice: User) -> None:
    """The decks of a table share one pool."""
    deck = a_deck(alice)
    other = a_deck(alice, slots={"01096": 1, "01101": 1}, name="Other")
    collection = core_collection(alice)
    asked: dict[str, Any] = {"collection": collection.pk, "table": other.pk, "count": 1}
    text = text_of(as_alice.get(f"/decks/{deck.pk}/weaknesses", asked))
    assert "8 cards in the pool" in text
    assert "Removed from the pool" in text


def test_weaknesses_of_one_name_have_subtitles(as_alice: Client, alice: User) -> None:
    """Three are called Unspeakable Oath."""
    page = text_of(as_alice.get(f"/decks/{a_deck(alice).pk}/weaknesses"))
    for subtitle in ("Bloodthirst", "Cowardice", "Curiosity"):
        assert f"Unspeakable Oath: {subtitle} 1 ×" in page


def test_a_trait_narrows_the_pool_and_may_empty_it(
    as_alice: Client, alice: User
) -> None:
    deck = a_deck(alice)
    collection = core_collection(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    asked: dict[str, Any] = {"collection": collection.pk, "count": 1, "trait": "tarot"}
    assert "0 cards in the pool" in text_of(as_alice.get(address, asked))
    answer = post(as_alice, address, deck, **asked)
    assert answer.status_code == 303
    assert "There are no weaknesses left" in text_of(as_alice.get(address))
    assert not Draw.objects.exists()


@pytest.mark.parametrize("aside", [0, 1])
def test_a_weakness_added_by_an_effect_is_kept(aside: int) -> None:
    """None is drawn in its place."""
    slots = CARDS | {AMNESIA: 1}
    del slots["01000"]
    deck = {"investigator_code": "01001", "slots": slots}
    content = read_content(deck | {"ignoreDeckLimitSlots": {AMNESIA: aside}})
    assert to_be_drawn(Judged(content, current_judge())) == 0


def test_a_forged_record_is_detected(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    draw = Draw.objects.get()
    kept = next(c for c, _ in draw.record["pool"] if c not in draw.record["result"])
    Draw.objects.update(record={**draw.record, "result": [kept]})
    text = text_of(as_alice.get(f"/decks/{deck.pk}/weaknesses"))
    assert "This seed gives" in text
    assert text.index("Every draw for this deck") < text.index("cards in the pool")


def test_a_correction_stays_visible(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    draw = Draw.objects.get()
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    assert as_alice.get(address).status_code == 200
    assert post(as_alice, address, deck, reason=" ").status_code == 422
    assert post(as_alice, address, deck, reason="Card lost.").status_code == 303
    assert slots_of(deck)["01000"] == 1
    assert draw.record["result"][0] not in slots_of(deck)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/weaknesses"))
    assert "Corrected: Card lost." in text
    assert post(as_alice, address, deck, reason="Again.").status_code == 409
    assert Correction.objects.count() == 1


@pytest.mark.parametrize("gone", [0, 1])
def test_a_draw_is_corrected_in_any_printing(
    as_alice: Client, alice: User, gone: int
) -> None:
    """Two of a weakness listed by its reprint; a corrected draw is not drawn again."""
    terms: dict[str, Any] = {"ultimatums": ["disaster"]}
    deck = a_deck(alice, slots={**CARDS, "01000": 2}, **terms)
    everything = {"products": {"core": 1}, "missing": dict.fromkeys(NO_AMNESIA, 9)}
    pool = {"collection": core_collection(alice, **everything).pk, "count": 2}
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    draw = Draw.objects.get()
    assert draw.record["result"] == [AMNESIA, AMNESIA]
    listed = {**CARDS, AMNESIA_AGAIN: 2 - gone}
    del listed["01000"]
    content = {"deck": {"investigator_code": "01001", "slots": listed}}
    services.revise_deck(
        deck=deck,
        content=read_content(content | {"circumstances": terms}),
        expected_revision=2,
        now=timezone.now(),
    )
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    assert post(as_alice, address, deck, reason="Not ours.").status_code == 303
    slots = slots_of(deck)
    assert AMNESIA_AGAIN not in slots
    assert slots["01000"] == 2 - gone


def test_the_morrigan_lets_one_be_returned(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice, ultimatums=["morrigan"])
    collection = core_collection(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    post(as_alice, address, deck, collection=collection.pk, count=1)
    three = Draw.objects.get()
    assert len(three.record["result"]) == 3
    assert three.made is None
    assert "01000" in slots_of(deck)
    post(as_alice, address, deck, collection=collection.pk, count=1)
    assert Draw.objects.count() == 1  # three that wait are not drawn again
    back = f"/decks/{deck.pk}/draws/{three.pk}/return"
    assert post(as_alice, back, deck, card="nonsense").status_code == 400
    returned = three.record["result"][0]
    assert post(as_alice, back, deck, card=returned).status_code == 303
    one = Draw.objects.get(follows=three)
    assert one.record["result"][0] in three.record["result"][1:]
    assert slots_of(deck)[one.record["result"][0]] == 1
    assert post(as_alice, back, deck, card=returned).status_code == 400


def test_a_draw_with_an_old_revision_is_stale(as_alice: Client, alice: User) -> None:
    """Nothing is drawn or shown, so that no one can choose among draws."""
    deck = a_deck(alice)
    change_slots(deck, {"01000": 1, "01020": 1})
    address = f"/decks/{deck.pk}/weaknesses"
    fields = {"revision": 1, "count": 2}
    answer = as_alice.post(address, fields)
    assert answer.status_code == 412
    assert "so nothing was drawn" in text_of(answer)
    page = answer.content.decode()
    assert 'name="content"' not in page
    assert '<input type="hidden" name="revision" value="2">' in page
    assert 'name="count" value="2"' in page
    assert as_alice.post(address, {"count": 1}).status_code == 428
    assert not Draw.objects.exists()


def test_a_correction_with_an_old_revision_keeps_its_reason(
    as_alice: Client, alice: User
) -> None:
    """It can be sent again from the page that says so."""
    deck = a_deck(alice)
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    draw = Draw.objects.get()
    change_slots(deck, slots_of(deck) | {"01020": 1})
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    answer = as_alice.post(address, {"revision": 2, "reason": "Card lost."})
    assert answer.status_code == 412
    assert "so nothing was corrected" in text_of(answer)
    page = answer.content.decode()
    assert "Card lost." in page
    assert 'name="content"' not in page
    assert not Correction.objects.exists()
    assert post(as_alice, address, deck, reason="Card lost.").status_code == 303


def test_no_weakness_is_returned_with_an_old_revision(
    as_alice: Client, alice: User
) -> None:
    deck = a_deck(alice, ultimatums=["morrigan"])
    post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    three = Draw.objects.get()
    change_slots(deck, CARDS | {"01020": 1}, ultimatums=["morrigan"])
    back = f"/decks/{deck.pk}/draws/{three.pk}/return"
    fields = {"revision": 1, "card": three.record["result"][0]}
    answer = as_alice.post(back, fields)
    assert answer.status_code == 412
    assert "so nothing was drawn" in text_of(answer)
    assert 'name="content"' not in answer.content.decode()
    assert Draw.objects.count() == 1


@pytest.mark.parametrize("page", ["weaknesses", "hand", "draws/1.json"])
def test_strangers_see_no_deck(as_charlie: Client, alice: User, page: str) -> None:
    deck = a_deck(alice)
    assert as_charlie.get(f"/decks/{deck.pk}/{page}").status_code == 404


# -- hands --


def test_an_address_always_deals_the_same_hand(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    address = f"/decks/{deck.pk}/hand"
    first = as_alice.get(address, {"seed": "lamp"})
    again = as_alice.get(address, {"seed": "lamp"})
    assert first.content == again.content
    assert first.content.decode().count('name="give"') == 5
    assert "Details Seed, to repeat the same draws: lamp" in text_of(first)
    asked: dict[str, Any] = {"seed": "lamp", "mulligan": "1", "turns": 2}
    after = as_alice.get(address, {**asked, "give": ["0", "3", "99"]})
    text = text_of(after)
    assert "Mulligan:" in text
    assert "Upkeep phase of turn 2" in text
    assert "Draw for the next turn" in text


def test_a_hand_shows_cards_rather_than_names(as_alice: Client, alice: User) -> None:
    """Their effects and costs; their pictures, if imported."""
    deck = a_deck(alice, slots={"01020": 2, "01088": 2, "01024": 2})
    has_picture("01088")
    address = f"/decks/{deck.pk}/hand"
    page = as_alice.get(address, {"seed": "lamp"})
    assert page.content.decode().count('<article class="face ') == 5
    assert "Fight, +1" in text_of(page)
    assert "Mulligan : Machete" in text_of(page)
    after = as_alice.get(address, {"seed": "lamp", "mulligan": "1", "turns": "1"})
    assert after.content.decode().count('<article class="face ') == 6
    assert "/pictures/01088-front-0123456789abcdef-" in after.content.decode()


def test_a_hand_without_a_seed_is_a_new_one(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    address = f"/decks/{deck.pk}/hand"
    assert as_alice.get(address).content != as_alice.get(address).content


def test_odds_are_exact(as_alice: Client, alice: User) -> None:
    """Two of thirty-one cards, three weaknesses: as a fraction, per cent, a chart."""
    deck = a_deck(alice)
    asked: dict[str, Any] = {
        "seed": "x",
        "odds": 1,
        "want": "01020",
        "how": "any",
        "mulligan": "on",
    }
    page = as_alice.get(f"/decks/{deck.pk}/hand", asked)
    text = text_of(page)
    assert '<svg class="chart"' in page.content.decode()
    assert "1 54.84 17/31" in text


def test_too_many_wanted_cards_are_refused(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    want = ["01016", "01017", "01018", "01019", "01020", "01021"]
    asked: dict[str, Any] = {"odds": 1, "want": want}
    answer = as_alice.get(f"/decks/{deck.pk}/hand", asked)
    assert answer.status_code == 422
    assert "Choose at most 5 cards." in text_of(answer)


def test_fewer_cards_and_a_card_taken_first(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice, ultimatums=["destiny"])
    asked: dict[str, Any] = {
        "seed": "x",
        "fewer": "2",
        "sought": "01020",
        "mulligan": "1",
    }
    text = text_of(as_alice.get(f"/decks/{deck.pk}/hand", asked))
    assert "You draw 3" in text
    assert "The hand Cost 3 Machete" in text


# -- random decks --


def test_a_random_deck_is_begun_with_its_draws(as_alice: Client, alice: User) -> None:
    """Legal and complete, under the Ultimatum of Chaos, its weakness still to come."""
    answer = as_alice.post("/decks/new/06003/", {"chaos": "1"})
    assert answer.status_code == 303
    deck = Deck.objects.get(owner=alice)
    draws = Draw.objects.filter(deck=deck)
    assert [each.record["purpose"] for each in draws] == ["reading", "deck"]
    for each in draws:
        record = Record.from_data(each.record)
        assert replayed(record) == record
    text = text_of(as_alice.get(f"/decks/{deck.pk}/"))
    # Chance may put in a card that makes the deck larger.
    assert re.search(r"Legal (\d+) of \1 cards", text)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/weaknesses"))
    assert "cards drawn: a random deck, with the cards left out" in text
    assert "still needs 1 random basic weakness" in text
    correct = f"/decks/{deck.pk}/draws/{draws[0].pk}/correct"
    assert post(as_alice, correct, deck, reason="No.").status_code == 404


def test_a_small_collection_gives_no_random_deck(as_alice: Client, alice: User) -> None:
    core_collection(alice, products={"ste": 1})
    answer = as_alice.post("/decks/new/01001/", {"chaos": "1"})
    assert answer.status_code == 422
    assert "has too few cards for a deck" in text_of(answer)
    assert not Deck.objects.exists()


# -- upgrades by chance --


def test_two_versions_are_drawn(as_alice: Client, alice: User) -> None:
    slots = {"02021": 2, "04106": 1, "01030": 2}
    deck = deck_for(alice, "02002", slots, mode="campaign")
    address = f"/decks/{deck.pk}/upgrades"
    assert address in as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert "Strange Solution (Acidic Ichor)" in text_of(as_alice.get(address))
    assert post(as_alice, address, deck, lower="02021").status_code == 303
    record = Record.from_data(Draw.objects.get().record)
    slots = slots_of(deck)
    assert "02021" not in slots
    for code in record.result:
        assert slots[code] == record.result.count(code)
    assert deck.revisions.get(number=2).circumstances["tasks"] == ["02021"]
    drawn = r"Strange Solution: [\w ]+ \(4\), Strange Solution: "
    assert re.search(drawn, text_of(as_alice.get(address)))


def test_no_versions_are_drawn_with_an_old_revision(
    as_alice: Client, alice: User
) -> None:
    """Nothing is shown, so that no one can choose among draws."""
    deck = deck_for(
        alice, "02002", {"02021": 2, "04106": 1, "01030": 2}, mode="campaign"
    )
    content = apply(
        deck.revisions.get(number=1).content, [("add", "01039")], embedded_pool()
    )
    services.revise_deck(
        deck=deck, content=content, expected_revision=1, now=timezone.now()
    )
    fields = {"revision": 1, "lower": "02021"}
    answer = as_alice.post(f"/decks/{deck.pk}/upgrades", fields)
    assert answer.status_code == 412
    assert "so nothing was drawn" in text_of(answer)
    assert 'name="content"' not in answer.content.decode()
    assert not Draw.objects.exists()


@pytest.mark.parametrize("lower", ["01030", "nonsense", ""])
def test_other_cards_have_no_versions(
    as_alice: Client, alice: User, lower: str
) -> None:
    deck = deck_for(alice, "02002", {"02021": 2, "04106": 1, "01030": 2})
    address = f"/decks/{deck.pk}/upgrades"
    answer = post(as_alice, address, deck, lower=lower)
    assert answer.status_code in (303, 400)
    assert not Draw.objects.exists()


def test_a_standalone_deck_is_upgraded_to_its_total(
    as_alice: Client, alice: User
) -> None:
    as_alice.post("/decks/new/89001/", {"chaos": "1"})
    deck = Deck.objects.get()
    latest = deck.revisions.get(number=1)
    content = read_content(
        {"deck": latest.list, "circumstances": {"mode": "standalone"}}
    )
    now = timezone.now()
    services.revise_deck(deck=deck, content=content, expected_revision=1, now=now)
    address = f"/decks/{deck.pk}/upgrades"
    assert post(as_alice, address, deck, experience=99).status_code == 422
    assert post(as_alice, address, deck, experience=12).status_code == 303
    text = text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Legal 50 of 50 cards" in text
    assert "12 experience" in text


def test_decks_without_such_cards_get_a_message(as_alice: Client, alice: User) -> None:
    deck = a_deck(alice)
    address = f"/decks/{deck.pk}/upgrades"
    assert address not in as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert "This deck has no random upgrades" in text_of(as_alice.get(address))
    assert post(as_alice, address, deck).status_code == 400


def test_odds_by_kind_and_tempo(client: Client) -> None:
    """The exact ones always; the simulated ones on request."""
    deck = a_draft(client, starter="1")
    address = f"/decks/{deck.pk}/hand"
    text = text_of(client.get(address))
    assert "Weapon asset" in text
    assert "Simulate openings" in text
    with patch("decks.views.chance.PART", 20):
        part = client.get(f"{address}?tempo=3")
        whole = client.get(f"{address}?tempo=12")
    assert "60 of 10,000 openings" in text_of(part)
    assert 'hx-get="?tempo=4"' in part.content.decode()
    assert "hx-trigger" not in whole.content.decode().partition('id="simulated"')[2]
    assert "Averages of 10,000 simulated openings" in text_of(whole)
    assert "of the openings you couldn’t play a card" in text_of(whole)
