"""The upgrade desk: offers, changes, prices, pairings and obstacles to agreeing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk
from decks.services import ledger
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    BEAT_COP,
    BEAT_COP_2,
    MACHETE,
    RUNIC_AXE,
    UPGRADE_COP,
    desk_mark,
    press_at_desk,
    source_of,
)
from tests.decks.helpers import HTMX, NOW, latest_of, terms_form, text_of

pytestmark = pytest.mark.usefixtures("rows")

ACE, COVER_UP = "05040", "01007"  # a card a scenario gives; Roland's weakness


def test_before_the_first_game_the_desk_says_what_to_do(
    as_alice: Client, deck: Deck
) -> None:
    """No experience was earned yet."""
    assert "Not played yet" in text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))


def test_the_desk_begins_with_the_deck_after_the_game(
    as_alice: Client,
    played: Deck,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """What may be spent, what was exiled, what is missing; nothing is written."""
    address = f"/decks/{played.pk}/upgrade/"
    as_alice.get(address)  # the process caches the results of a search without words
    with django_assert_max_num_queries(18):
        text = text_of(as_alice.get(address))
    assert "6 of 6 left" in text
    assert "1 × Machete Exiled or lost" in text
    assert "The deck has 29 of 30 cards." in text
    assert not Desk.objects.exists()


def test_the_desk_links_to_the_correction_of_the_last_game(
    as_alice: Client, played: Deck
) -> None:
    """The link has the title of the page it leads to."""
    desk = source_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    found = re.search(r'<a [^>]*href="([^"]+)">Correct last scenario</a>', desk)
    assert found is not None
    assert "<h1>Correct last scenario</h1>" in source_of(as_alice.get(found[1]))


def test_higher_versions_of_cards_in_the_deck_come_first(
    as_alice: Client, played: Deck
) -> None:
    """Each with its price; a level 0 card fills the gap for nothing."""
    page = as_alice.get(f"/decks/{played.pk}/upgrade/?view=add")
    buttons = re.findall(r'id="buy-(\w+)"[^>]*>(.*?)</button>', source_of(page))
    labels = [(code, re.sub("<[^>]+>", " ", label)) for code, label in buttons]
    # The accessible name begins with the visible text, for voice control.
    assert " ".join(labels[1][1].split()) == "2 Experience : upgrade to Beat Cop (2)"
    assert labels[1][0] == BEAT_COP_2
    kinds = re.findall(r'"unseen">: (upgrade|buy) (?!Runic)', source_of(page))
    assert kinds == sorted(kinds, reverse=True)


def test_affordable_cards_come_before_others(as_alice: Client, played: Deck) -> None:
    """Of 6 experience 5 are spent: a box is affordable, Beat Cop (2) isn't."""
    press_at_desk(as_alice, played, do="add=10037")
    found = as_alice.get(f"/decks/{played.pk}/upgrade/?view=add")
    codes = re.findall(r'id="buy-(\w+)"', source_of(found))
    assert codes.index(RUNIC_AXE) < codes.index(BEAT_COP_2)


def test_a_copy_beyond_the_limit_has_a_reason_but_no_price(
    as_alice: Client, played: Deck
) -> None:
    """It can be bought all the same; boxes can be marked on the sheet it leads to."""
    press_at_desk(as_alice, played, do=f"set={RUNIC_AXE}:2")
    found = as_alice.get(f"/decks/{played.pk}/upgrade/?view=add&q=name:runic")
    page = source_of(found)
    assert "No room for another copy: the limit is 2." in text_of(found)
    assert not re.search(r'id="buy-\w+"[^>]*>free', page)
    link = re.search(r'href="([^"#]+)#card-\w+">Upgrade sheet', page)
    assert link is not None
    sheet = source_of(as_alice.get(link[1].replace("&amp;", "&")))
    assert f'id="open-{RUNIC_AXE}" open' in sheet


def test_cards_without_room_or_too_expensive_come_last(
    as_alice: Client, played: Deck
) -> None:
    """Of 6 experience 5 are spent, on Flurry of Blows."""
    press_at_desk(as_alice, played, do="add=10037")
    address = f"/decks/{played.pk}/upgrade/?view=add&order=name&q="
    for search, first, last in (
        ("class:guardian type:asset level:0 trait:item", "Bandolier", ".45 Automatic"),
        ("class:guardian type:event", "Dynamite Blast", "Counterpunch (2)"),
    ):
        page = source_of(as_alice.get(address + search))
        labels = re.findall(r": (?:buy|upgrade to) ([^<]+)<", page)
        assert first in labels
        assert last not in labels[: labels.index(first)]


def test_only_cards_the_investigator_may_include_are_offered(
    as_alice: Client, played: Deck
) -> None:
    """By the search language; errors in a search are explained."""
    address = f"/decks/{played.pk}/upgrade/?view=add&q="
    headers = {**HTMX, "hx-target": "results"}
    found = as_alice.get(address + "name:shrivelling", headers=headers)
    assert "No cards found. Try fewer words." in text_of(found)
    assert "<h1" not in source_of(found)
    misread = as_alice.get(address + "level:::", headers=headers)
    assert 'role="alert"' in source_of(misread)


@pytest.mark.parametrize(("kept", "page"), [("deck", "edit"), ("played", "upgrade/")])
@pytest.mark.parametrize(
    ("search", "instead"),
    [("name:Machette", "name%3AMachete"), ("clas:guardian", "class%3Aguardian")],
)
def test_a_misspelt_search_is_corrected_by_a_button(
    request: pytest.FixtureRequest,
    as_alice: Client,
    kept: str,
    page: str,
    search: str,
    instead: str,
) -> None:
    """A name and a keyword of the search language, as on the page of all cards."""
    address = f"/decks/{request.getfixturevalue(kept).pk}/{page}"
    shown = as_alice.get(address, {"view": "add", "q": search})
    assert f'href="{address}?view=add&amp;q={instead}#add"' in source_of(shown)


def test_a_change_is_kept_on_the_desk(as_alice: Client, played: Deck) -> None:
    """With a redirect without scripts, with only the desk to htmx."""
    answer = press_at_desk(as_alice, played, do=UPGRADE_COP, view="add", q="cop")
    assert answer.status_code == 303
    address = answer["Location"]
    assert address.startswith(f"/decks/{played.pk}/upgrade/?")
    text = text_of(as_alice.get(address))
    assert "4 of 6 left" in text
    assert "2 Beat Cop (2) Upgrade from Beat Cop" in text
    assert "Other ways to pay : Beat Cop (2) New card: same price" in text
    fragment = press_at_desk(as_alice, played, do="add=02018", headers=HTMX)
    assert fragment.status_code == 200
    assert "Changed. Legal. Spent 2, left 4." in text_of(fragment)
    assert "<html" not in source_of(fragment)
    assert latest_of(played).number == 1


def test_a_second_device_gets_a_message_and_the_current_desk(
    as_alice: Client, played: Deck
) -> None:
    """It shows the first device's changes; the second's press was not carried out."""
    seen = desk_mark(as_alice, played)
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    answer = press_at_desk(as_alice, played, do="add=02018", revision=seen)
    assert answer.status_code == 412
    text = text_of(answer)
    assert "changed the upgrade desk first" in text
    assert "Upgrade from Beat Cop" in text
    assert as_alice.post(f"/decks/{played.pk}/upgrade/", {"do": "x"}).status_code == 428


def test_a_cleared_and_refilled_desk_is_another(as_alice: Client, played: Deck) -> None:
    """A device can't agree to what it never showed: versions never repeat."""
    press_at_desk(as_alice, played, do="add=02018")
    seen = desk_mark(as_alice, played)
    press_at_desk(as_alice, played, reset="1")
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    assert (
        press_at_desk(as_alice, played, confirm="1", revision=seen).status_code == 412
    )
    assert latest_of(played).number == 1


def test_an_upgrade_sent_twice_is_made_once(as_alice: Client, played: Deck) -> None:
    """It leaves one revision and one payment."""
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    press_at_desk(as_alice, played, do="add=02018")
    seen = desk_mark(as_alice, played)
    assert (
        press_at_desk(as_alice, played, confirm="1", revision=seen).status_code == 303
    )
    assert (
        press_at_desk(as_alice, played, confirm="1", revision=seen).status_code == 412
    )
    assert latest_of(played).number == 2
    assert ledger.balance_of(played) == 4


def test_findings_of_the_rules_prevent_an_upgrade(
    as_alice: Client, played: Deck
) -> None:
    """Unless the player gives a reason."""
    refused = press_at_desk(as_alice, played, confirm="1")
    assert refused.status_code == 422
    assert "Correct it, or give a reason." in text_of(refused)
    assert latest_of(played).number == 1
    press_at_desk(as_alice, played, confirm="1", repair="we found it again")
    latest = latest_of(played)
    assert (latest.cause, latest.reason) == ("repaired", "we found it again")
    text = text_of(as_alice.get(f"/decks/{played.pk}/"))
    assert "Repaired · 0 experience" in text
    assert "we found it again" in text


def test_a_price_is_explained_on_request(as_alice: Client, played: Deck) -> None:
    """The rule in a sentence, its source and its id: in details to open."""
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    page = source_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    invoice = page.partition('class="invoice')[2].partition("</ol>")[0]
    shown, behind = invoice.split('<details class="behind">')
    assert "price.upgrade" not in shown
    assert "costs the difference" in behind
    assert 'href="/rules/' in behind.partition("</details>")[0]
    assert "price.upgrade" in behind.partition("</details>")[0]


def test_a_pairing_is_chosen_and_the_difference_shown(
    as_alice: Client, played: Deck
) -> None:
    """It can be undone."""
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    press_at_desk(as_alice, played, do=f"pin={BEAT_COP_2}:purchase")
    text = text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "You chose: Beat Cop (2), New card." in text
    assert "price.purchase" in text
    press_at_desk(as_alice, played, do=f"unpin={BEAT_COP_2}")
    assert "You chose" not in text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))


def test_a_discount_may_be_declined(as_alice: Client, alice: User) -> None:
    """Arcane Research makes the first spell cheaper; the player may do without."""
    pool = embedded_pool()
    content = apply(starter_deck(pool, "01004"), [("add", "04109")], pool)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 9),)),
        expected_revision=1,
        now=NOW,
    )
    held = [c for c in content.deck["slots"] if c == "01060"]
    assert held == ["01060"]  # Shrivelling
    press_at_desk(as_alice, deck, do="remove=01060 add=02306")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "−1 from Arcane Research" in text
    assert "Arcane Research saves 1." in text
    press_at_desk(as_alice, deck, do="refuse=04109")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Not using Arcane Research. It costs 1 more." in text
    press_at_desk(as_alice, deck, do="accept=04109")
    assert "saves 1" in text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))


def test_exiled_cards_are_corrected_at_the_desk(as_alice: Client, played: Deck) -> None:
    """One was not exiled; or one more was."""
    press_at_desk(as_alice, played, do=f"unexile={MACHETE} add={MACHETE}")
    text = text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "Exiled or lost" not in text
    assert "Legal" in text
    press_at_desk(as_alice, played, do=f"exile={BEAT_COP} remove={BEAT_COP}")
    text = text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "1 × Beat Cop Exiled or lost" in text


def test_a_game_is_corrected_at_the_desk(as_alice: Client, played: Deck) -> None:
    """Copies that were not exiled are back, gained ones are there."""
    press_at_desk(as_alice, played, do=f"pin={BEAT_COP_2}:upgrade")
    address = f"/decks/{played.pk}/upgrade/told"
    page = source_of(as_alice.get(address))
    (chosen,) = re.findall(rf'<input[^>]*"id_exiled-{MACHETE}_1"[^>]*>', page)
    assert "checked" in chosen
    fields = {
        "revision": desk_mark(as_alice, played),
        f"exiled-{MACHETE}": "0",
        f"exiled-{BEAT_COP}": "1",
        "granted": "01117",
    }
    assert as_alice.post(address, fields).status_code == 303
    text = text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "1 × Beat Cop Exiled or lost" in text
    assert "1 × Machete" not in text
    desk = Desk.objects.get()
    assert desk.window["exiled"] == {BEAT_COP: 1}
    assert desk.window["pins"] == [{"card": BEAT_COP_2, "way": "upgrade"}]
    slots = desk.list["slots"]
    assert (slots[MACHETE], slots[BEAT_COP], slots["01117"]) == (2, 1, 1)
    late = as_alice.post(address, fields | {"granted": "01118"})
    assert late.status_code == 412
    assert "so nothing was saved" in text_of(late)
    assert "01118" in late.content.decode()  # the form stays filled in
    assert desk_mark(as_alice, played) in late.content.decode()
    bad = fields | {"revision": desk_mark(as_alice, played), "granted": "Nobody Ever"}
    assert as_alice.post(address, bad).status_code == 422


def test_copies_outside_the_deck_size_are_corrected_at_the_desk(
    as_alice: Client, deck: Deck
) -> None:
    """Whether granted or not, bought copies stay in the deck size."""
    address = f"/decks/{deck.pk}/"
    game = {"revision": "1", "granted": f"1 {MACHETE}\n1 {ACE}"}
    as_alice.post(f"{address}played", game)

    def _told(**fields: str) -> tuple[int, dict[str, int]]:
        fields["revision"] = desk_mark(as_alice, deck)
        assert as_alice.post(f"{address}upgrade/told", fields).status_code == 303
        listed = Desk.objects.get().list
        return listed["slots"].get(MACHETE, 0), listed["ignoreDeckLimitSlots"]

    assert _told(granted=f"1 {ACE}") == (2, {ACE: 1})
    assert "Legal" in text_of(as_alice.get(f"{address}upgrade/"))
    assert _told(granted=f"1 {ACE}\n1 {MACHETE}") == (3, {MACHETE: 1, ACE: 1})
    press_at_desk(as_alice, deck, confirm="1")
    lost = {f"exiled-{MACHETE}": "3", f"exiled-{ACE}": "1"}
    as_alice.post(f"{address}played", {"revision": "2", **lost})
    press_at_desk(as_alice, deck, do=f"unexile={ACE} add={ACE} aside={ACE}")
    page = source_of(as_alice.get(f"{address}upgrade/"))
    assert f'value="unexile={MACHETE} add={MACHETE} aside={MACHETE}"' in page
    assert _told(**{f"exiled-{MACHETE}": "2"}) == (1, {MACHETE: 1, ACE: 1})
    assert _told() == (3, {MACHETE: 1, ACE: 1})
    press_at_desk(as_alice, deck, do=f"remove={ACE}")
    page = source_of(as_alice.get(f"{address}upgrade/"))
    assert f'value="add={ACE} aside={ACE}"' in page


def test_removed_cards_are_corrected_at_the_desk(as_alice: Client, deck: Deck) -> None:
    """One was not removed: nothing is bought, and a required card is required again."""
    taken = {f"taken-{BEAT_COP}": "1", f"taken-{COVER_UP}": "1"}
    as_alice.post(f"/decks/{deck.pk}/played", {"revision": "1", **taken})
    for code in (BEAT_COP, COVER_UP):
        press_at_desk(as_alice, deck, do=f"unexile={code} add={code}")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Exiled or lost" not in text
    assert "Nothing bought yet." in text
    desk = Desk.objects.get()
    assert desk.window == {"taken": {}}
    assert "lost_cards" not in desk.circumstances


def test_boxes_are_marked_at_the_desk(as_alice: Client, played: Deck) -> None:
    """Each costs its experience; texts and choices on the sheet cost nothing."""
    press_at_desk(as_alice, played, do="add=02018")
    press_at_desk(as_alice, played, do=f"mark={RUNIC_AXE}:0:1")
    text = text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "1 Runic Axe Boxes marked: 1" in text
    assert "5 of 6 left" in text


def test_cards_are_bought_for_a_second_deck(as_alice: Client, alice: User) -> None:
    """Parallel Jim's spirits: found by their own options, separate on the invoice."""
    content = read_content(
        {
            "investigator_code": "02004",
            "slots": {},
            "meta": {"alternate_back": "90049"},
        }
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 9),)),
        expected_revision=1,
        now=NOW,
    )
    page = as_alice.get(f"/decks/{deck.pk}/upgrade/?view=add&into=side&least=2&most=2")
    changes = re.search(r'value="(side-add=\w+)"', source_of(page))
    assert changes is not None
    press_at_desk(as_alice, deck, do=changes[1], into="side")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "New card · spirit deck" in text
    assert "7 of 9 left" in text


@pytest.mark.parametrize(
    "deck_data",
    [
        {"investigator_code": "99999", "slots": {"01020": 2, "77777": 1}},
        {"investigator_code": "01001", "slots": {"77777": 99, "01020": 99}},
    ],
)
def test_a_hopeless_deck_has_a_desk_too(
    as_alice: Client, alice: User, deck_data: dict[str, Any]
) -> None:
    """Without a known investigator or cards: it is illegal, but never an error."""
    content = read_content(deck_data)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    assert as_alice.get(f"/decks/{deck.pk}/played").status_code == 200
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=NOW
    )
    for address in ("", "upgrade/", "upgrade/told", "taboos/?to=10"):
        assert as_alice.get(f"/decks/{deck.pk}/{address}").status_code == 200
    press_at_desk(as_alice, deck, do="remove=77777")
    press_at_desk(as_alice, deck, confirm="1", repair="it is so")
    assert as_alice.get(f"/decks/{deck.pk}/compare/").status_code == 200


def test_the_desk_is_cleared(as_alice: Client, played: Deck) -> None:
    """Nothing of it was bought."""
    press_at_desk(as_alice, played, do=UPGRADE_COP)
    press_at_desk(as_alice, played, reset="1")
    assert "6 of 6 left" in text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))


def test_an_unplayed_upgrade_is_continued(as_alice: Client, played: Deck) -> None:
    """Its purchases are on the desk with their prices, and what was spent is back."""
    for do in (UPGRADE_COP, "add=02018"):
        press_at_desk(as_alice, played, do=do)
    press_at_desk(as_alice, played, confirm="1")
    text = text_of(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "4 of 6 left" in text
    assert "Upgrade from Beat Cop" in text


@pytest.mark.parametrize(
    "do", ["", "dance=01018", "pin=", "exile=", f"pin={'x' * 200}"]
)
def test_invalid_forms_are_refused(as_alice: Client, played: Deck, do: str) -> None:
    """400, and nothing is kept."""
    assert press_at_desk(as_alice, played, do=do).status_code == 400
    assert not Desk.objects.exists()


def test_an_unreadable_pin_is_not_kept(as_alice: Client, played: Deck) -> None:
    """It names no way to have a card."""
    assert (
        press_at_desk(as_alice, played, do=f"pin={BEAT_COP}:theft").status_code == 400
    )
    assert not Desk.objects.exists()


def test_terms_are_changed_at_the_desk(as_alice: Client, played: Deck) -> None:
    """Another taboo list, for one."""
    press_at_desk(as_alice, played, **terms_form(taboo="8", mode="campaign"))
    assert Desk.objects.get().list["taboo_id"] == 8


def test_typed_text_is_kept_if_the_desk_changed(as_alice: Client, played: Deck) -> None:
    """The terms, what is written on a sheet, the reason of an upgrade."""
    seen = desk_mark(as_alice, played)
    press_at_desk(as_alice, played, do="remove=01092")
    late = terms_form(mode="standalone", experience="17")

    terms = press_at_desk(as_alice, played, revision=seen, **late, open="terms")
    assert terms.status_code == 412
    page = source_of(terms)
    assert re.search(r'name="terms-experience" value="17"', page)
    assert '<option value="standalone" selected>' in page
    assert re.search(r'<details class="terms [^"]*" id="terms"[^>]* open>', page)
    agreed = press_at_desk(
        as_alice, played, revision=seen, confirm="1", repair="a gift"
    )
    assert agreed.status_code == 412
    assert 'name="repair" value="a gift"' in source_of(agreed)


def test_the_desk_shows_its_terms(as_alice: Client, played: Deck) -> None:
    """The page of all terms refuses a played deck."""
    press_at_desk(as_alice, played, do="add=02301:2 add=02300:2 add=03264:2")
    address = f"/decks/{played.pk}/upgrade/"
    page = source_of(as_alice.get(address))
    links = re.findall('href="([^"]*)"[^>]*>Check the rules used<', page)
    assert {*links} == {f"{address}?open=terms#terms"}
    opened = source_of(as_alice.get(f"{address}?open=terms"))
    assert re.search(r'<details class="terms [^"]*" id="terms"[^>]* open>', opened)
