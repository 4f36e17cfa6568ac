"""The builder: changes, sheets, searches, and two devices at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.rules.gists import gist_of
from arkham.rules.pool import CardPool
from cardpool.catalog import current_judge
from decks.forms.search import WishForm
from decks.forms.terms import DeckTermsForm
from decks.lists.content import empty_content, read_content
from decks.models import Deck
from decks.pages.display import Judged
from tests.decks.building import a_draft, list_of, press
from tests.decks.chance import has_picture
from tests.decks.helpers import HTMX, terms_form, text_of

pytestmark = pytest.mark.usefixtures("rows")

# -- building --


def test_without_scripts_a_change_redirects_to_the_card(client: Client) -> None:
    """303, with the search kept."""
    deck = a_draft(client)
    response = press(client, deck, do="add=01020:2", q="machete", view="deck")
    assert response.status_code == 303
    assert (
        response["Location"] == f"/decks/{deck.pk}/edit?view=deck&q=machete#card-01020"
    )
    assert list_of(deck)["slots"] == {"01020": 2}


def test_with_htmx_a_change_returns_the_builder(client: Client) -> None:
    """And a sentence for screen readers."""
    deck = a_draft(client)
    response = press(client, deck, do="add=01020:2", headers=HTMX)
    page = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in page
    assert 'id="builder"' in page
    assert 'data-revision="2"' in page
    assert "Machete: 2 copies. Incomplete. 2 of 30 cards" in text_of(response)
    assert response["Vary"].count("HX-Request") == 1


def test_a_number_of_copies_is_set_by_one_press(client: Client) -> None:
    """For cards found and cards in the deck; the current number is marked."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    assert list_of(deck)["slots"] == {"01020": 2}
    page = client.get(f"/decks/{deck.pk}/edit?view=add&q=machete").content.decode()
    for place in ("found", "set"):
        pressed = re.findall(rf'id="{place}-(\d)-01020"[^>]*pressed="(\w+)"', page)
        assert pressed == [("0", "false"), ("1", "false"), ("2", "true")]
    press(client, deck, do="set=01020:0")
    assert list_of(deck)["slots"] == {}


@pytest.mark.parametrize(
    ("code", "words", "numbers"),
    [
        ("01006", "roland", "01"),  # a signature
        ("04151", "well prepared", "012"),
        ("06026", "easy mark", "0123"),  # myriad
        ("03308", "charon", "01"),  # exceptional
    ],
)
def test_as_many_copies_are_offered_as_allowed(
    client: Client, code: str, words: str, numbers: str
) -> None:
    """By the card's limit, or by what the investigator requires."""
    deck = a_draft(client)
    page = client.get(f"/decks/{deck.pk}/edit?view=add&q={words}").content.decode()
    assert "".join(re.findall(rf'id="found-(\d)-{code}"', page)) == numbers


def test_a_finding_has_its_remedy_as_a_button(client: Client) -> None:
    """At the top and at the card; pressing it fixes the deck."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:3")
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert page.count('value="remove=01020:1"') == 2
    press(client, deck, do="remove=01020:1")
    assert "at most 2 are allowed" not in text_of(client.get(f"/decks/{deck.pk}/edit"))


def test_undo_goes_back(client: Client) -> None:
    """One step, as a new revision."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:2")
    press(client, deck, undo="1")
    assert list_of(deck)["slots"] == {}
    assert deck.revision == 3


def test_redo_restores_what_was_undone(client: Client) -> None:
    """Step by step, each with its effect in its title."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    press(client, deck, do="add=01022")
    for slots in ({"01020": 2}, {}, {}):
        press(client, deck, undo="1")
        assert list_of(deck)["slots"] == slots
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert re.search(r'id="undo"[^>]* disabled', page)
    assert 'title="Redo: +2 Machete"' in page
    for slots in ({"01020": 2}, {"01020": 2, "01022": 1}, {"01020": 2, "01022": 1}):
        press(client, deck, redo="1")
        assert list_of(deck)["slots"] == slots
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert 'title="Undo: +1 Evidence!"' in page
    assert re.search(r'id="redo"[^>]* disabled', page)


def test_a_new_change_leaves_nothing_to_redo(client: Client) -> None:
    """Undo then skips what was undone before it."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    press(client, deck, undo="1")
    press(client, deck, do="add=01022")
    press(client, deck, redo="1")
    assert list_of(deck)["slots"] == {"01022": 1}
    press(client, deck, undo="1")
    assert list_of(deck)["slots"] == {}
    assert deck.revision == 5


def test_a_stale_redo_shows_both_versions(client: Client) -> None:
    """As every change does."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    press(client, deck, undo="1")
    assert press(client, deck, redo="1", revision="2").status_code == 412
    assert list_of(deck)["slots"] == {}


def test_a_view_is_in_the_address_and_remembered(client: Client) -> None:
    """For the builder and the page of the deck separately."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    address = f"/decks/{deck.pk}/edit"
    assert 'id="group-asset"' in client.get(address).content.decode()
    page = client.get(f"{address}?group=cost&look=faces").content.decode()
    assert 'id="group-cost-3"' in page
    assert '<article class="face face-asset guardian ' in page
    for later in (address, f"/decks/{deck.pk}/"):
        page = client.get(later).content.decode()
        assert "Cost 3" in page
        assert '<article class="face face-asset guardian ' in page
    pressed = press(client, deck, do="set=01020:1", group="level", look="rows")
    assert "group=level" in pressed["Location"]
    answer = press(client, deck, do="set=01020:2", group="level", headers=HTMX)
    assert 'id="group-level-0"' in answer.content.decode()
    assert 'id="group-cost-3"' in client.get(address).content.decode()


def test_pictures_replace_drawn_cards(client: Client) -> None:
    """The names are still headings, below those of the groups."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    has_picture("01020")
    for address, heading in (
        (f"/decks/{deck.pk}/edit", "h3"),
        (f"/decks/{deck.pk}/", "h4"),
    ):
        page = client.get(f"{address}?look=faces").content.decode()
        assert "/pictures/01020-front-0123456789abcdef-" in page
        assert f'<{heading}><a href="/cards/01020/">Machete</a></{heading}>' in page


def test_a_row_shows_cost_and_skill_icons(client: Client) -> None:
    """In the builder and on the page of the deck."""
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    for address in (f"/decks/{deck.pk}/edit", f"/decks/{deck.pk}/"):
        text = text_of(client.get(address))
        assert re.search(r"Machete .{0,40}Combat Cost 3 Guardian", text), address


def test_cards_too_expensive_for_a_first_deck_are_marked(client: Client) -> None:
    """By a symbol, not by a sentence below each."""
    client.post("/decks/new/01001/", {"empty": "1"})
    deck = Deck.objects.get()
    page = client.get(f"/decks/{deck.pk}/edit?view=add&q=beat+cop").content.decode()
    assert "<title>The cards cost 2 experience; a starting deck has 0.</title>" in page
    assert ">The cards cost 2 experience; a starting deck has 0.</p>" not in page
    assert "marks cards that cost more experience than you have." in page
    page = client.get(f"/decks/{deck.pk}/edit?view=add&q=machete").content.decode()
    assert "marks cards that cost more experience than you have." not in page


def test_the_side_deck_is_filled_from_the_search(client: Client) -> None:
    """Its numbers are copies in the side deck; the deck stays as it is."""
    deck = a_draft(client)
    address = f"/decks/{deck.pk}/edit?view=add&q=machete&into=considered"
    page = client.get(address).content.decode()
    assert 'value="consider-set=01020:2"' in page
    press(client, deck, do="consider-set=01020:2")
    assert list_of(deck)["slots"] == {}
    assert list_of(deck)["sideSlots"] == {"01020": 2}
    page = client.get(address).content.decode()
    assert re.search(r'id="found-2-01020"[^>]*pressed="true"', page)


def test_a_sheet_says_what_its_lines_do(client: Client) -> None:
    """In the builder and on the page of the deck."""
    deck = a_draft(client)
    press(client, deck, do="add=09042")
    words = gist_of("09042").lines[1].rsplit("]")[-1].strip()
    for address in (f"/decks/{deck.pk}/edit?open=09042", f"/decks/{deck.pk}/"):
        assert words in text_of(client.get(address))


def test_terms_are_changed_in_place(client: Client) -> None:
    """Sides, taboo list, mode, experience; the verdict follows."""
    deck = a_draft(client)
    terms = {"front": "01001", "back": "90024", "taboo": "10", "mode": "start"}
    press(client, deck, **terms_form(**terms, experience="3"))
    content = list_of(deck)
    assert content["meta"] == {"alternate_back": "90024"}
    assert content["taboo_id"] == 10
    assert deck.revisions.get(number=2).circumstances == {
        "experience": 3,
        "mode": "start",
    }
    text = text_of(client.get(f"/decks/{deck.pk}/edit"))
    assert "Taboos of 2026-02-19 · New campaign · 3 experience" in text


def test_the_rules_and_the_search_share_no_field(rows: CardPool) -> None:
    """One press sends both; neither is read as the other."""
    searched = {*WishForm({}, pool=rows).fields}
    for card in rows.values():
        if card.investigator and card.investigator.back:
            form = DeckTermsForm(Judged(empty_content(card.code), current_judge()))
            assert not searched & {field.html_name for field in form}


def test_a_taboo_list_narrows_no_search(client: Client) -> None:
    deck = a_draft(client)
    answer = press(client, deck, **terms_form(taboo="10"), view="deck", q="axe")
    assert answer["Location"] == f"/decks/{deck.pk}/edit?view=deck&q=axe"


def test_invalid_terms_are_refused(client: Client) -> None:
    """With the reason; nothing is changed."""
    deck = a_draft(client)
    response = press(client, deck, **terms_form(mode="duel", experience="-1"))
    assert response.status_code == 422
    assert "Ensure this value is greater than or equal to 0." in text_of(response)
    assert deck.revisions.count() == 1


def test_a_sheet_is_filled_in(client: Client) -> None:
    """Boxes by buttons, cards by their name."""
    deck = a_draft(client)
    press(client, deck, do="add=09042")
    press(client, deck, do="mark=09042:1:1")
    press(
        client, deck, write="1", card="09042", line="4",
        written=["old book of lore", "Encyclopedia"],
    )  # fmt: skip
    assert list_of(deck)["meta"] == {"cus_09042": "1|1,4|0|01031^60208"}
    page = client.get(f"/decks/{deck.pk}/edit?open=09042").content.decode()
    assert 'value="Old Book of Lore"' in page
    assert 'aria-pressed="true"' in page


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"line": "4", "written": ["No such book"]},
            "We couldn’t find a Tome/Spell asset called “No such book”.",
        ),
        (
            {"line": "0", "written": ["Research Librarian"]},
            "We couldn’t find a Tome/Spell asset called “Research Librarian”.",
        ),
        (
            {"line": "4", "written": ["Old Book of Lor"]},
            "asset called “Old Book of Lor”. Did you mean “Old Book of Lore”?",
        ),
        ({"line": "77", "written": ["x"]}, "The upgrade sheet has no such line."),
    ],
)
def test_an_invalid_text_on_a_sheet_is_refused(
    client: Client, fields: dict[str, Any], told: str
) -> None:
    """At the sheet, which stays open."""
    deck = a_draft(client)
    press(client, deck, do="add=09042")
    response = press(client, deck, write="1", card="09042", open="09042", **fields)
    assert response.status_code == 422
    assert told in text_of(response)
    page = response.content.decode()
    assert '<details id="open-09042" open>' in page
    if fields["line"] == "4":
        assert text_of(response).count(told) == 1
        assert page.count(f'value="{fields["written"][0]}"') == 1  # as it was typed


def test_a_misspelt_card_on_a_sheet_is_corrected_by_its_button(client: Client) -> None:
    """The other texts of the line stay."""
    deck = a_draft(client)
    press(client, deck, do="add=09042")
    line = {"write": "1", "card": "09042", "open": "09042", "line": "4"}
    typed = {"written": ["Old Book of Lor", "Encyclopedia"]}
    refused = press(client, deck, **line, **typed)
    assert 'name="take" value="1:Old Book of Lore"' in refused.content.decode()

    pressed = press(client, deck, **line, **typed, take="1:Old Book of Lore")
    assert pressed.status_code in (200, 303)
    assert list_of(deck)["meta"] == {"cus_09042": "4|0|01031^60208"}


def test_a_card_without_room_is_marked(client: Client) -> None:
    deck = a_draft(client)
    press(client, deck, do="set=01020:2")
    text = text_of(client.get(f"/decks/{deck.pk}/edit?view=add&q=machete"))
    assert "added. 1 card" not in text
    assert "1 card is at its limit." in text


def test_a_suggestion_is_shown_before_the_results(client: Client) -> None:
    deck = a_draft(client)
    text = text_of(client.get(f"/decks/{deck.pk}/edit?view=add&q=machette"))
    instead = "No card matches “machette”. Showing cards like “machete”."
    assert f"{instead} 1 card can be added." in text


def test_cards_are_found_and_barred_ones_explained(client: Client) -> None:
    """Only the results, if only they are requested."""
    deck = a_draft(client)
    response = client.get(
        f"/decks/{deck.pk}/edit?view=add&q=deciphered",
        headers=HTMX | {"hx-target": "results"},
    )
    assert response.content.lstrip().startswith(b'<div id="results"')
    text = text_of(response)
    assert "0 cards can be added. 1 not allowed." in text
    assert "Not allowed: Deciphered Reality (5) is level 5" in text


def test_a_copy_beyond_the_limit_is_refused_with_the_limit(
    client: Client,
) -> None:
    """Copies are counted over the versions of a card."""
    deck = a_draft(client)
    press(client, deck, do="set=01018:1 set=01028:1")
    text = text_of(client.get(f"/decks/{deck.pk}/edit?view=add&q=beat+cop"))
    assert text.count("No room for another copy: the limit is 2.") == 2
    assert "One more:" not in text


def test_a_search_that_is_not_understood_marks_the_place(client: Client) -> None:
    """And the deck is still shown."""
    deck = a_draft(client)
    response = client.get(f"/decks/{deck.pk}/edit?q=level:0+colour:red")
    assert response.status_code == 200
    assert "<code>level:0 <mark>colour</mark>:red</code>" in response.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": ""},
        {"do": "burn=01020"},
        {"do": "add=01020:many"},
        {"content": "[]"},
        {"do": "choose=colour:red"},
    ],
)
def test_invalid_forms_are_refused(client: Client, fields: dict[str, str]) -> None:
    """400, and the deck is unchanged."""
    deck = a_draft(client)
    assert press(client, deck, **fields).status_code == 400
    assert deck.revisions.count() == 1


# -- two at once --


def test_a_stale_change_shows_both_versions(client: Client) -> None:
    """412; mine is my change applied to the version I saw."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:2")
    response = client.post(
        f"/decks/{deck.pk}/edit", {"revision": "1", "do": "add=01022"}
    )
    text = text_of(response)
    assert response.status_code == 412
    assert "Machete – 2 Evidence! 1 –" in text
    assert list_of(deck)["slots"] == {"01020": 2}


def test_a_stale_change_by_htmx_returns_only_the_conflict(client: Client) -> None:
    """In place of the builder, without a revision."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:2")
    response = client.post(
        f"/decks/{deck.pk}/edit", {"revision": "1", "do": "add=01022"}, headers=HTMX
    )
    page = response.content.decode()
    assert response.status_code == 412
    assert "<html" not in page
    assert 'id="builder" class="stale"' in page
    assert "data-revision" not in page


def test_my_version_can_be_chosen_in_the_end(client: Client) -> None:
    """With their revision, which stays in the chain."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:2")
    mine = read_content({"investigator_code": "01001", "slots": {"01022": 1}})
    press(client, deck, content=mine.as_json())
    assert list_of(deck)["slots"] == {"01022": 1}
    assert deck.revision == 3


def test_a_change_needs_a_revision(client: Client) -> None:
    """428."""
    deck = a_draft(client)
    for revision in ({}, {"revision": ""}, {"revision": "one"}, {"revision": "9" * 30}):
        for address in ("edit", "terms"):
            response = client.post(f"/decks/{deck.pk}/{address}", revision)
            assert response.status_code == 428
    assert deck.revisions.count() == 1


def test_stale_terms_show_both_versions(client: Client) -> None:
    """As every change does."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:2")
    fields = {
        "revision": "1",
        "taboo": "10",
        "mode": "campaign",
        "environment": "legacy",
    }
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 412


def test_the_search_is_filtered_and_its_address_kept(client: Client) -> None:
    """One filter may have several values; defaults are not in the address."""
    deck = a_draft(client)
    address = f"/decks/{deck.pk}/edit?view=add&by_class=seeker&by_class=mystic&trait="
    answer = client.get(
        f"{address}&most=1&order=level", headers={**HTMX, "HX-Target": "results"}
    )
    kept = "view=add&by_class=seeker&by_class=mystic&most=1&order=level"
    assert answer["HX-Replace-Url"] == f"/decks/{deck.pk}/edit?{kept}"
    body = answer.content.decode()
    assert "class:seeker|mystic level&lt;=1" in body
    assert "isn’t one of" not in body


def test_a_change_keeps_every_filter(client: Client) -> None:
    """Without scripts as hidden fields, one for each value."""
    deck = a_draft(client)
    page = client.get(f"/decks/{deck.pk}/edit?by_class=seeker&by_class=mystic")
    assert page.content.decode().count('type="hidden" name="by_class"') == 2
    answer = press(
        client, deck, do="add=01020", view="add", by_class=["seeker", "mystic"]
    )
    where = f"/decks/{deck.pk}/edit?view=add&by_class=seeker&by_class=mystic"
    assert answer["Location"] == where


@pytest.mark.parametrize("value", ["clown", "%00", "x" * 400, "<script>"])
def test_invalid_filters_are_reported(client: Client, value: str) -> None:
    deck = a_draft(client)
    for field in ("by_class", "type", "least", "trait", "pack", "mark", "icon"):
        page = client.get(f"/decks/{deck.pk}/edit?view=add&{field}={value}")
        assert page.status_code == 200
        assert 'role="alert"><ul class="errorlist"' in page.content.decode()


def test_an_owner_filters_by_what_they_own(as_alice: Client) -> None:
    """Without a collection there is a link to add one."""
    deck = a_draft(as_alice)
    address = f"/decks/{deck.pk}/edit?view=add&owned=1&q=is:fast"
    assert "we don’t know what you own yet" in text_of(as_alice.get(address))
    owned = as_alice.post("/decks/collections/new", {"own": "core:1"})
    assert owned.status_code == 303
    text = text_of(as_alice.get(address))
    assert "Dodge" in text
    assert "Counterpunch" not in text
