"""Draws for a deck: made, recorded, checked, corrected; hands and their odds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.draws import DrawRecord as Record
from arkham.rules.draws import replayed
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Collection, Correction, Deck, Draw
from decks.services import ledger
from decks.services.ledger import Earned
from decks.services.windows import PricedUpgrade
from tests.decks.edits import apply
from tests.decks.test_pages import _text

pytestmark = pytest.mark.usefixtures("rows")

CARDS = {
    "01016": 2, "01017": 2, "01018": 2, "01019": 2, "01020": 2, "01021": 2,
    "01022": 2, "01023": 2, "01024": 2, "01025": 2, "01086": 2, "01087": 2,
    "01088": 2, "01089": 2, "01090": 2, "01006": 1, "01007": 1, "01000": 1,
}  # fmt: skip

AMNESIA, AMNESIA_AGAIN = "01096", "01596"
NO_AMNESIA = tuple(f"01{number:03}" for number in range(97, 105))  # the others


def _deck(
    owner: User, *, slots: dict[str, int] | None = None, name: str = "R", **told: Any
) -> Deck:
    content = read_content(
        {
            "deck": {"investigator_code": "01001", "slots": slots or CARDS},
            "circumstances": told,
        }
    )
    now = timezone.now()
    return services.create_deck(owner=owner, content=content, now=now, name=name)


def _slots(deck: Deck) -> dict[str, int]:
    deck.refresh_from_db()
    found: dict[str, int] = deck.revisions.get(number=deck.revision).list["slots"]
    return found


def _change(deck: Deck, slots: dict[str, int], **told: Any) -> None:
    """Edit a deck in another window."""
    listed = {"deck": {"investigator_code": "01001", "slots": slots}}
    deck.refresh_from_db()
    services.revise_deck(
        deck=deck,
        content=read_content(listed | {"circumstances": told}),
        expected_revision=deck.revision,
        now=timezone.now(),
    )


def _post(client: Client, address: str, deck: Deck, **data: Any) -> HttpResponse:
    deck.refresh_from_db()
    answer = client.post(address, {"revision": deck.revision, **data})
    assert isinstance(answer, HttpResponse)
    return answer


def _core(owner: User, **told: Any) -> Collection:
    values = {"name": "Mine", "products": {"core": 2}, "changed_at": timezone.now()}
    return Collection.objects.create(owner=owner, **(values | told))


# -- weaknesses --


def test_the_finding_leads_to_the_draw(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    page = as_alice.get(f"/decks/{deck.pk}/edit")
    assert f'href="/decks/{deck.pk}/weaknesses"' in page.content.decode()


def test_a_weakness_is_drawn_and_recorded(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    collection = _core(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    assert "10 cards may come" in _text(as_alice.get(address))
    answer = _post(as_alice, address, deck, collection=collection.pk, count=1)
    assert answer.status_code == 303
    (draw,) = Draw.objects.all()
    record = Record.from_data(draw.record)
    assert (draw.revision, draw.made) == (1, 2)
    assert replayed(record) == record
    assert sum(copies for _code, copies in record.pool) == 10
    slots = _slots(deck)
    assert "01000" not in slots
    assert slots[record.result[0]] == 1
    text = _text(as_alice.get(address))
    assert "9 cards may come" in text
    assert "Drawn again with its seed, it comes out the same." in text
    kept = as_alice.get(f"/decks/{deck.pk}/draws/{draw.pk}.json")
    assert json.loads(kept.content) == draw.record


def test_what_other_decks_hold_is_gone(as_alice: Client, alice: User) -> None:
    """The same pool serves the table."""
    deck = _deck(alice)
    other = _deck(alice, slots={"01096": 1, "01101": 1}, name="Other")
    collection = _core(alice)
    asked: dict[str, Any] = {"collection": collection.pk, "table": other.pk, "count": 1}
    text = _text(as_alice.get(f"/decks/{deck.pk}/weaknesses", asked))
    assert "8 cards may come" in text
    assert "Gone from the pool" in text


def test_a_trait_narrows_the_pool_and_may_leave_none(
    as_alice: Client, alice: User
) -> None:
    deck = _deck(alice)
    collection = _core(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    asked: dict[str, Any] = {"collection": collection.pk, "count": 1, "trait": "tarot"}
    assert "0 cards may come" in _text(as_alice.get(address, asked))
    answer = _post(as_alice, address, deck, **asked)
    assert answer.status_code == 303
    assert "No weakness is left" in _text(as_alice.get(address))
    assert not Draw.objects.exists()


def test_a_forged_record_is_found_out(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    draw = Draw.objects.get()
    kept = next(c for c, _ in draw.record["pool"] if c not in draw.record["result"])
    Draw.objects.update(record={**draw.record, "result": [kept]})
    text = _text(as_alice.get(f"/decks/{deck.pk}/weaknesses"))
    assert "The seed draws" in text


def test_a_correction_stays_visible(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    draw = Draw.objects.get()
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    assert as_alice.get(address).status_code == 200
    assert _post(as_alice, address, deck, reason=" ").status_code == 422
    assert _post(as_alice, address, deck, reason="Card lost.").status_code == 303
    assert _slots(deck)["01000"] == 1
    assert draw.record["result"][0] not in _slots(deck)
    text = _text(as_alice.get(f"/decks/{deck.pk}/weaknesses"))
    assert "Does not hold: Card lost." in text
    assert _post(as_alice, address, deck, reason="Again.").status_code == 409
    assert Correction.objects.count() == 1


@pytest.mark.parametrize("gone", [0, 1])
def test_a_draw_is_corrected_in_whatever_printing(
    as_alice: Client, alice: User, gone: int
) -> None:
    """Two of a weakness listed by its reprint; what is gone is not drawn again."""
    terms: dict[str, Any] = {"ultimatums": ["disaster"]}
    deck = _deck(alice, slots={**CARDS, "01000": 2}, **terms)
    everything = {"products": {"core": 1}, "missing": dict.fromkeys(NO_AMNESIA, 9)}
    pool = {"collection": _core(alice, **everything).pk, "count": 2}
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
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
    assert _post(as_alice, address, deck, reason="Not ours.").status_code == 303
    slots = _slots(deck)
    assert AMNESIA_AGAIN not in slots
    assert slots["01000"] == 2 - gone


def test_the_morrigan_lets_one_be_returned(as_alice: Client, alice: User) -> None:
    deck = _deck(alice, ultimatums=["morrigan"])
    collection = _core(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    _post(as_alice, address, deck, collection=collection.pk, count=1)
    three = Draw.objects.get()
    assert len(three.record["result"]) == 3
    assert three.made is None
    assert "01000" in _slots(deck)
    _post(as_alice, address, deck, collection=collection.pk, count=1)
    assert Draw.objects.count() == 1  # three that wait are not drawn anew
    back = f"/decks/{deck.pk}/draws/{three.pk}/return"
    assert _post(as_alice, back, deck, card="nonsense").status_code == 400
    returned = three.record["result"][0]
    assert _post(as_alice, back, deck, card=returned).status_code == 303
    one = Draw.objects.get(follows=three)
    assert one.record["result"][0] in three.record["result"][1:]
    assert _slots(deck)[one.record["result"][0]] == 1
    assert _post(as_alice, back, deck, card=returned).status_code == 400


def test_a_draw_in_sight_of_an_older_revision_is_stale(
    as_alice: Client, alice: User
) -> None:
    """Nothing is drawn, and nothing shown that could be had or left at will."""
    deck = _deck(alice)
    _change(deck, {"01000": 1, "01020": 1})
    address = f"/decks/{deck.pk}/weaknesses"
    fields = {"revision": 1, "count": 2}
    answer = as_alice.post(address, fields)
    assert answer.status_code == 412
    assert "so nothing was drawn" in _text(answer)
    page = answer.content.decode()
    assert 'name="content"' not in page
    assert '<input type="hidden" name="revision" value="2">' in page
    assert 'name="count" value="2"' in page
    assert as_alice.post(address, {"count": 1}).status_code == 428
    assert not Draw.objects.exists()


def test_a_correction_in_sight_of_an_older_revision_keeps_its_reason(
    as_alice: Client, alice: User
) -> None:
    """It is sent again from the page that says so."""
    deck = _deck(alice)
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    draw = Draw.objects.get()
    _change(deck, _slots(deck) | {"01020": 1})
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    answer = as_alice.post(address, {"revision": 2, "reason": "Card lost."})
    assert answer.status_code == 412
    assert "so nothing was corrected" in _text(answer)
    page = answer.content.decode()
    assert "Card lost." in page
    assert 'name="content"' not in page
    assert not Correction.objects.exists()
    assert _post(as_alice, address, deck, reason="Card lost.").status_code == 303


def test_no_weakness_is_returned_in_sight_of_an_older_revision(
    as_alice: Client, alice: User
) -> None:
    deck = _deck(alice, ultimatums=["morrigan"])
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, count=1)
    three = Draw.objects.get()
    _change(deck, CARDS | {"01020": 1}, ultimatums=["morrigan"])
    back = f"/decks/{deck.pk}/draws/{three.pk}/return"
    fields = {"revision": 1, "card": three.record["result"][0]}
    answer = as_alice.post(back, fields)
    assert answer.status_code == 412
    assert "so nothing was drawn" in _text(answer)
    assert 'name="content"' not in answer.content.decode()
    assert Draw.objects.count() == 1


@pytest.mark.parametrize("page", ["weaknesses", "hand", "draws/1.json"])
def test_strangers_see_no_deck(as_charlie: Client, alice: User, page: str) -> None:
    deck = _deck(alice)
    assert as_charlie.get(f"/decks/{deck.pk}/{page}").status_code == 404


# -- hands --


def test_an_address_always_deals_the_same_hand(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    address = f"/decks/{deck.pk}/hand"
    first = as_alice.get(address, {"seed": "lamp"})
    again = as_alice.get(address, {"seed": "lamp"})
    assert first.content == again.content
    assert first.content.decode().count('name="give"') == 5
    asked: dict[str, Any] = {"seed": "lamp", "mulligan": "1", "turns": 2}
    after = as_alice.get(address, {**asked, "give": ["0", "3", "99"]})
    text = _text(after)
    assert "Given up:" in text
    assert "Upkeep phase of turn 2" in text
    assert "Draw for the next turn" in text


def test_a_hand_without_a_seed_is_a_new_one(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    address = f"/decks/{deck.pk}/hand"
    assert as_alice.get(address).content != as_alice.get(address).content


def test_odds_are_told_exactly(as_alice: Client, alice: User) -> None:
    """Two of thirty-one cards, three weaknesses: as a fraction, per cent, a chart."""
    deck = _deck(alice)
    asked: dict[str, Any] = {
        "seed": "x",
        "odds": 1,
        "want": "01020",
        "how": "any",
        "mulligan": "on",
    }
    page = as_alice.get(f"/decks/{deck.pk}/hand", asked)
    text = _text(page)
    assert '<svg class="chart"' in page.content.decode()
    assert "1 54.84 17/31" in text


def test_too_many_wanted_cards_are_refused(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    want = ["01016", "01017", "01018", "01019", "01020", "01021"]
    asked: dict[str, Any] = {"odds": 1, "want": want}
    answer = as_alice.get(f"/decks/{deck.pk}/hand", asked)
    assert answer.status_code == 422
    assert "Choose at most 5 cards." in _text(answer)


def test_fewer_cards_and_a_card_taken_first(as_alice: Client, alice: User) -> None:
    deck = _deck(alice, ultimatums=["destiny"])
    asked: dict[str, Any] = {
        "seed": "x",
        "fewer": "2",
        "sought": "01020",
        "mulligan": "1",
    }
    text = _text(as_alice.get(f"/decks/{deck.pk}/hand", asked))
    assert "Cards drawn: 3" in text
    assert "The hand Machete" in text


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
    text = _text(as_alice.get(f"/decks/{deck.pk}/"))
    # Chance may put in a card that makes the deck larger.
    assert re.search(r"Legal (\d+) of \1 cards", text)
    text = _text(as_alice.get(f"/decks/{deck.pk}/weaknesses"))
    assert "cards drawn: a random deck, those left out included" in text
    assert "random basic weaknesses still to be drawn: 1" in text
    correct = f"/decks/{deck.pk}/draws/{draws[0].pk}/correct"
    assert _post(as_alice, correct, deck, reason="No.").status_code == 404


def test_a_small_collection_gives_no_random_deck(as_alice: Client, alice: User) -> None:
    _core(alice, products={"ste": 1})
    answer = as_alice.post("/decks/new/01001/", {"chaos": "1"})
    assert answer.status_code == 422
    assert "too few for a deck" in _text(answer)
    assert not Deck.objects.exists()


# -- upgrades by chance --


def _of(owner: User, investigator: str, slots: dict[str, int], **told: Any) -> Deck:
    data = {"investigator_code": investigator, "slots": slots}
    content = read_content({"deck": data, "circumstances": told})
    return services.create_deck(owner=owner, content=content, now=timezone.now())


def test_two_versions_are_drawn(as_alice: Client, alice: User) -> None:
    slots = {"02021": 2, "04106": 1, "01030": 2}
    deck = _of(alice, "02002", slots, mode="campaign")
    address = f"/decks/{deck.pk}/upgrades"
    assert address in as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert "Strange Solution (Acidic Ichor)" in _text(as_alice.get(address))
    assert _post(as_alice, address, deck, lower="02021").status_code == 303
    record = Record.from_data(Draw.objects.get().record)
    slots = _slots(deck)
    assert "02021" not in slots
    for code in record.result:
        assert slots[code] == record.result.count(code)
    assert deck.revisions.get(number=2).circumstances["tasks"] == ["02021"]
    assert "Strange Solution, Strange Solution" in _text(as_alice.get(address))


def test_no_versions_are_drawn_in_sight_of_an_older_revision(
    as_alice: Client, alice: User
) -> None:
    """Nothing is shown that could be had or left at will."""
    deck = _of(alice, "02002", {"02021": 2, "04106": 1, "01030": 2}, mode="campaign")
    content = apply(
        deck.revisions.get(number=1).content, [("add", "01039")], embedded_pool()
    )
    services.revise_deck(
        deck=deck, content=content, expected_revision=1, now=timezone.now()
    )
    fields = {"revision": 1, "lower": "02021"}
    answer = as_alice.post(f"/decks/{deck.pk}/upgrades", fields)
    assert answer.status_code == 412
    assert "so nothing was drawn" in _text(answer)
    assert 'name="content"' not in answer.content.decode()
    assert not Draw.objects.exists()


@pytest.mark.parametrize("lower", ["01030", "nonsense", ""])
def test_other_cards_have_no_versions(
    as_alice: Client, alice: User, lower: str
) -> None:
    deck = _of(alice, "02002", {"02021": 2, "04106": 1, "01030": 2})
    address = f"/decks/{deck.pk}/upgrades"
    answer = _post(as_alice, address, deck, lower=lower)
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
    assert _post(as_alice, address, deck, experience=99).status_code == 422
    assert _post(as_alice, address, deck, experience=12).status_code == 303
    text = _text(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Legal 50 of 50 cards" in text
    assert "12 experience" in text


def test_decks_without_such_cards_are_told_so(as_alice: Client, alice: User) -> None:
    deck = _deck(alice)
    address = f"/decks/{deck.pk}/upgrades"
    assert address not in as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert "Nothing in this deck" in _text(as_alice.get(address))
    assert _post(as_alice, address, deck).status_code == 400


# -- between games --


def _played(owner: User) -> Deck:
    """A legal deck after a game that brought 4 and took a Machete."""
    content = starter_deck(embedded_pool(), "01001")
    changes = [("remove", "01000"), ("add", "01101")]
    content = apply(content, changes, embedded_pool())
    deck = services.create_deck(owner=owner, content=content, now=timezone.now())
    game = services.PlayedGame((Earned("victory", 4),), {"exiled": {"01020": 1}})
    services.mark_played(deck=deck, game=game, expected_revision=1, now=timezone.now())
    return deck


def _priced(deck: Deck, *changes: tuple[str, str]) -> PricedUpgrade:
    deck.refresh_from_db()
    desk = services.desk_of(deck.revisions.get(number=deck.revision))
    assert desk is not None
    content = apply(desk.content, changes, embedded_pool())
    return services.preview_upgrade(deck=deck, content=content, window=desk.window)


def test_a_played_deck_is_dealt_what_it_gained_in_play(
    as_alice: Client, alice: User
) -> None:
    """It is in the deck from then on, for nothing; the gap of an exile stays one."""
    deck = _played(alice)
    address = f"/decks/{deck.pk}/weaknesses"
    assert "what is drawn now was gained in play" in _text(as_alice.get(address))
    answer = _post(as_alice, address, deck, collection=_core(alice).pk, count=1)
    assert answer.status_code == 303

    draw = deck.draws.get()
    (code,) = draw.record["result"]
    slots = _slots(deck)
    assert (draw.revision, draw.made) == (1, 2)
    assert (slots[code], slots["01101"], slots["01020"]) == (1, 1, 1)
    second = deck.revisions.get(number=2)
    assert (second.cause, second.base, second.invoice) == ("upgraded", 1, None)
    assert second.reason.startswith("Drawn at random: ")
    assert ledger.balance_of(deck) == 4
    preview = _priced(deck, ("add", "01020"))
    assert preview.invoice.lawful
    assert [line.rule for line in preview.invoice.lines] == ["price.refill"]
    assert second.reason in _text(as_alice.get(f"/decks/{deck.pk}/"))


def test_an_upgrade_made_or_under_way_is_not_lost_by_a_draw(
    as_alice: Client, alice: User
) -> None:
    """What was paid stays paid, and the desk goes on with the weakness."""
    deck = _played(alice)
    cop = [("add", "01020"), ("remove", "01018"), ("add", "01028")]
    content = apply(services.opened(deck.revisions.get()), cop, embedded_pool())
    now = timezone.now()
    services.upgrade_deck(deck=deck, content=content, expected_revision=1, now=now)
    desk = services.desk_of(deck.revisions.get(number=2))
    assert desk is not None
    more = apply(desk.content, [("remove", "01018"), ("add", "01028")], embedded_pool())
    services.lay_out(
        deck=deck, content=more, window=desk.window, seen=2, expected_version=0, now=now
    )
    address = f"/decks/{deck.pk}/weaknesses"
    _post(as_alice, address, deck, collection=_core(alice).pk, count=1)

    (code,) = deck.draws.get().record["result"]
    slots = _slots(deck)
    assert (slots[code], slots["01028"], ledger.balance_of(deck)) == (1, 1, 2)
    laid = services.desk_of(deck.revisions.get(number=3))
    assert laid is not None
    assert laid.pk is not None
    assert (laid.list["slots"][code], laid.list["slots"]["01028"]) == (1, 2)
    preview = _priced(deck)
    assert (preview.available, preview.invoice.total) == (4, 4)
    assert preview.invoice.lawful


def test_a_draw_between_games_is_corrected_there(as_alice: Client, alice: User) -> None:
    """The weakness leaves again, and nothing is owed."""
    deck = _played(alice)
    pool = {"collection": _core(alice).pk, "count": 1}
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    draw = deck.draws.get()
    (code,) = draw.record["result"]
    address = f"/decks/{deck.pk}/draws/{draw.pk}/correct"
    assert _post(as_alice, address, deck, reason="Not ours.").status_code == 303

    assert code not in _slots(deck)
    assert Correction.objects.get(draw=draw).reason == "Not ours."
    assert _priced(deck, ("add", "01020")).invoice.lawful
    # One of an earlier window is taken by an instruction.
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    later = deck.draws.latest("pk")
    deck.refresh_from_db()
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=4, now=timezone.now()
    )
    address = f"/decks/{deck.pk}/draws/{later.pk}/correct"
    assert _post(as_alice, address, deck, reason="Not ours.").status_code == 303
    (code,) = later.record["result"]
    assert code not in _slots(deck)
    assert _priced(deck, ("add", "01020")).invoice.lawful


def test_a_weakness_still_to_be_drawn_makes_room_for_one(
    as_alice: Client, alice: User
) -> None:
    """A deck that was played without drawing draws now."""
    deck = _deck(alice)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=timezone.now()
    )
    pool = {"collection": _core(alice).pk, "count": 1}
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    (code,) = deck.draws.get().record["result"]
    slots = _slots(deck)
    assert (slots[code], slots.get("01000")) == (1, None)
    assert not any(
        each.rule == "upgrade.weakness" for each in _priced(deck).invoice.findings
    )


@pytest.mark.parametrize("later", [False, True], ids=["this window", "a later one"])
def test_a_corrected_draw_is_to_be_drawn_again(
    as_alice: Client, alice: User, *, later: bool
) -> None:
    """The weakness still to be drawn, which made room, is in the deck again."""
    deck = _deck(alice)
    now = timezone.now()
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=now
    )
    pool = {"collection": _core(alice).pk, "count": 1}
    page = f"/decks/{deck.pk}/weaknesses"
    _post(as_alice, page, deck, **pool)
    if later:
        services.mark_played(
            deck=deck, game=services.PlayedGame(), expected_revision=2, now=now
        )
    draw = deck.draws.get()
    _post(as_alice, f"/decks/{deck.pk}/draws/{draw.pk}/correct", deck, reason="No.")
    assert _slots(deck) == CARDS
    assert not _weaknesses_found(deck)

    _post(as_alice, page, deck, **pool)
    (code,) = deck.draws.latest("pk").record["result"]
    drawn = {**CARDS, code: 1}
    del drawn["01000"]
    assert _slots(deck) == drawn
    assert not _weaknesses_found(deck)


def test_a_corrected_draw_of_a_weakness_gained_leaves_none_to_be_drawn(
    as_alice: Client, alice: User
) -> None:
    """A list of a campaign under way that had its weakness is as it was."""
    slots = {**CARDS, "01101": 1}
    del slots["01000"]
    deck = _deck(alice, slots=slots, mode="campaign")
    pool = {"collection": _core(alice).pk, "count": 1}
    _post(as_alice, f"/decks/{deck.pk}/weaknesses", deck, **pool)
    assert _slots(deck) != slots
    draw = deck.draws.get()
    _post(as_alice, f"/decks/{deck.pk}/draws/{draw.pk}/correct", deck, reason="No.")
    assert _slots(deck) == slots


def _weaknesses_found(deck: Deck) -> list[str]:
    found = _priced(deck).invoice.findings
    return [each.rule for each in found if "weakness" in each.rule]


def test_versions_drawn_for_a_played_deck_lie_on_its_desk(
    as_alice: Client, alice: User
) -> None:
    """To be paid for there; the draw is recorded all the same."""
    deck = _of(alice, "02002", {"02021": 2, "04106": 1, "01030": 2})
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=timezone.now()
    )
    address = f"/decks/{deck.pk}/upgrades"
    answer = _post(as_alice, address, deck, lower="02021")
    assert answer["Location"] == f"/decks/{deck.pk}/upgrade/"

    draw = deck.draws.get()
    assert (draw.revision, draw.made) == (1, None)
    deck.refresh_from_db()
    assert deck.revision == 1
    preview = _priced(deck)
    come = {line.code for line in preview.invoice.lines}
    assert come == set(draw.record["result"])
    assert preview.invoice.total == 4  # the second copy is had along with the first
    assert "What was drawn lies on the desk." in _text(as_alice.get(answer["Location"]))
