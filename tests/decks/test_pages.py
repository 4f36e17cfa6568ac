"""The pages of decks: with and without scripts, with and without an account."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils.formats import date_format

from arkham.accounts.models import User
from decks.lists.content import empty_content, read_content
from decks.models import Deck, Revision, SharedVerdict
from decks.services.samples import SAMPLE_TEXT

pytestmark = pytest.mark.usefixtures("rows")

LEGAL_JSON = json.dumps({"investigator_code": "01001", "slots": {"01020": 2}})
HTMX = {"hx-request": "true"}


def _text(response: HttpResponseBase) -> str:
    """What is read on a page."""
    assert isinstance(response, HttpResponse)
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def _draft(client: Client, **fields: str) -> Deck:
    """A draft begun in this browser."""
    response = client.post("/decks/new/01001/", fields or {"empty": "1"})
    assert response.status_code == 303
    return Deck.objects.get(pk=int(response["Location"].split("/")[2]))


def _content(deck: Deck) -> dict[str, Any]:
    deck.refresh_from_db()
    return dict(deck.revisions.get(number=deck.revision).list)


def _press(client: Client, deck: Deck, **fields: Any) -> HttpResponse:
    """A button of the builder, in sight of the latest revision."""
    deck.refresh_from_db()
    headers = fields.pop("headers", None)
    data = {"revision": str(deck.revision)} | fields
    answer = client.post(f"/decks/{deck.pk}/edit", data, headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer


# -- the first page --


def test_a_pasted_text_is_judged_in_one_step(client: Client) -> None:
    """The verdict, every finding with its source and remedy, and the list."""
    response = client.post("/", {"text": SAMPLE_TEXT})
    text = _text(response)
    assert response.status_code == 200
    assert "Illegal 30 of 30 cards" in text
    assert "3 copies of Machete; at most 2 are allowed." in text
    assert "Rules Reference Deckbuilding · FAQ 2.5 2.21 copies.title" in text
    assert "Remove 1 of Machete." in text
    assert "Add Cover Up." in text
    assert "What was understood, line by line" in text
    assert not Deck.objects.exists()


def test_the_sample_is_judged_at_the_press_of_a_button(client: Client) -> None:
    """Nothing has to be typed."""
    response = client.post("/", {"sample": "1", "text": ""})
    assert "Drawn to the Flame" in _text(response)


def test_a_file_is_judged_as_well(client: Client) -> None:
    """And outranks what is pasted."""
    file = SimpleUploadedFile("deck.json", LEGAL_JSON.encode())
    response = client.post("/", {"text": "nonsense", "file": file})
    assert "Incomplete 2 of 30 cards" in _text(response)


def test_lines_that_mean_nothing_are_named(client: Client) -> None:
    """With the nearest name."""
    text = _text(client.post("/", {"text": "Roland Banks\n2 Machete\n1 Shotgan\n"}))
    assert "Not understood line 3 1 Shotgan" in text
    assert "Shotgun" in text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"text": ""}, "Paste a deck list, or choose a file that holds one."),
        ({"text": '{"slots": }'}, "At line 1, column 11"),
        (
            {"text": '{"investigator_code":"01001","slots":{"01020":"2"}}'},
            "At /slots/01020",
        ),
        (
            {"text": "once upon a midnight dreary"},
            "Nothing here reads like a deck list.",
        ),
        ({"text": "\x00"}, "Null characters are not allowed."),
    ],
)
def test_what_cannot_be_judged_is_explained(
    client: Client, fields: dict[str, str], told: str
) -> None:
    """Where, and what was expected; never an error of ours."""
    response = client.post("/", fields)
    assert response.status_code == 422
    assert told in _text(response)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe\x00", "The file is not text: at byte 0 UTF-8 was expected."),
        (b"x" * 1_000_001, "The file is larger than a deck list can be"),
    ],
)
def test_a_file_that_is_no_list_is_explained(
    client: Client, content: bytes, told: str
) -> None:
    """Binary files and huge ones."""
    response = client.post("/", {"file": SimpleUploadedFile("deck", content)})
    assert response.status_code == 422
    assert told in _text(response)


def test_a_judged_deck_opens_in_the_builder(client: Client) -> None:
    """As a draft with the name it had."""
    content = read_content(json.loads(LEGAL_JSON)).as_json()
    response = client.post("/decks/bring/", {"content": content, "name": "By the book"})
    deck = Deck.objects.get()
    assert response["Location"] == f"/decks/{deck.pk}/edit"
    assert (deck.name, deck.owner) == ("By the book", None)
    assert client.get(response["Location"]).status_code == 200


def test_a_forged_list_is_not_brought(client: Client) -> None:
    """Only what our own page sends."""
    for address in ("/decks/bring/", "/decks/share/"):
        assert client.post(address, {"content": "{}"}).status_code == 400
    assert not Deck.objects.exists()


# -- who may --


def test_a_draft_is_open_to_the_browser_that_began_it(client: Client) -> None:
    """And to nobody else: for them it does not exist."""
    deck = _draft(client)
    addresses = ["", "edit", "terms", "paste", "delete", "list.json", "list.txt"]
    for address in addresses:
        assert client.get(f"/decks/{deck.pk}/{address}").status_code == 200
        assert Client().get(f"/decks/{deck.pk}/{address}").status_code == 404
    for address in ("edit", "share", "about", "sharing", "copy", "keep", "delete"):
        assert Client().post(f"/decks/{deck.pk}/{address}").status_code == 404


def test_the_private_link_opens_a_draft_elsewhere(client: Client) -> None:
    """The key goes to the session and out of the address."""
    deck = _draft(client)
    other = Client()
    response = other.get(f"/decks/draft/{deck.key}/")
    assert response["Location"] == f"/decks/{deck.pk}/edit"
    assert response["Referrer-Policy"] == "same-origin"
    assert other.get(response["Location"]).status_code == 200
    assert other.get("/decks/draft/not-the-key/").status_code == 404


def test_decks_of_an_account_are_its_own(
    as_alice: Client, as_bob: Client, alice: User
) -> None:
    """No key opens them."""
    deck = _draft(as_alice)
    assert (deck.owner, deck.key) == (alice, None)
    assert as_alice.get(f"/decks/{deck.pk}/edit").status_code == 200
    assert as_bob.get(f"/decks/{deck.pk}/edit").status_code == 404
    assert Client().get(f"/decks/{deck.pk}/").status_code == 404


SIGN_UPS = {
    "login": {"login": "alice", "password": "alice-of-arkham"},
    "signup": {
        "username": "dora",
        "password1": "k1ngsport!7",
        "password2": "k1ngsport!7",
    },
}


@pytest.mark.parametrize("door", SIGN_UPS)
def test_saving_a_draft_goes_through_signing_in(
    client: Client, alice: User, door: str
) -> None:
    """Asked to sign in or up and told why; afterwards the deck is saved."""
    deck = _draft(client)
    keep = f"/decks/{deck.pk}/keep"
    asked = client.post(keep)
    assert asked["Location"] == f"/account/login/?next={quote(keep, safe='')}"
    for page in ("login", "signup"):
        text = _text(client.get(f"/account/{page}/", {"next": keep}))
        assert "“A deck of Roland Banks” is saved in it." in text

    answer = client.post(
        f"/account/{door}/", {**SIGN_UPS[door], "next": keep}, follow=True
    )

    deck.refresh_from_db()
    assert (deck.owner is not None, deck.key) == (True, None)
    assert answer.request["PATH_INFO"] == f"/decks/{deck.pk}/edit"
    assert "The deck is saved in your account." in _text(answer)
    assert f'action="{keep}"' not in answer.content.decode()


def test_a_link_from_elsewhere_saves_nothing(client: Client, alice: User) -> None:
    """Only what was pressed on our page is done after signing in."""
    deck = _draft(client)
    client.force_login(alice)
    client.get(f"/decks/{deck.pk}/keep")
    deck.refresh_from_db()
    assert deck.owner is None


def test_a_page_that_needs_an_account_says_so(client: Client) -> None:
    """No reason of another page is shown there."""
    deck = _draft(client)
    client.post(f"/decks/{deck.pk}/keep")
    asked = client.get("/decks/collections/new", follow=True)
    assert "The page you asked for needs an account." in _text(asked)
    assert "is saved in it" not in _text(asked)
    assert "needs an account" not in _text(client.get("/account/login/"))


def test_drafts_say_what_they_are_and_when_they_go(client: Client, alice: User) -> None:
    """On every page of theirs, signed in or not; what is saved says nothing so."""
    deck = _draft(client)
    ends = date_format(deck.changed_at + timedelta(days=90), "DATE_FORMAT")
    told = f"Draft Not in an account: deleted on {ends} unless you save or change it."
    pages = ("/decks/", f"/decks/{deck.pk}/edit", f"/decks/{deck.pk}/")
    for _visit in range(2):
        for page in pages:
            assert told in _text(client.get(page)), page
        client.force_login(alice)
    assert "1 deck here is a draft" in _text(client.get("/decks/"))

    client.post("/decks/drafts/keep")

    deck.refresh_from_db()
    assert deck.owner == alice
    for page in pages:
        assert "Draft" not in _text(client.get(page)), page


def test_forms_need_their_token(alice: User) -> None:
    """Another site cannot change a deck."""
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(alice)
    deck = Deck.objects.create(
        owner=alice,
        revision=1,
        made_at="2026-01-01T00:00Z",
        changed_at="2026-01-01T00:00Z",
    )
    Revision.objects.create(
        deck=deck,
        number=1,
        list=empty_content("01001").deck,
        made_at="2026-01-01T00:00Z",
    )
    for address in (f"/decks/{deck.pk}/edit", f"/decks/{deck.pk}/delete", "/"):
        assert careful.post(address, {"revision": "1"}).status_code == 403
    assert Deck.objects.filter(pk=deck.pk).exists()


# -- beginning --


def test_investigators_are_found_by_name_and_class(client: Client) -> None:
    """Accents and quotation marks do not matter."""
    text = _text(client.get("/decks/new/?q=kohaku"))
    assert "Kōhaku Narukami" in text
    assert "Roland Banks" not in text
    text = _text(client.get("/decks/new/?class=neutral"))
    assert "Lola Hayes" in text
    assert "Roland Banks" not in text
    fragment = client.get("/decks/new/?q=skids", headers=HTMX)
    assert fragment.content.lstrip().startswith(b'<div id="shelves"')
    assert "Parallel" in _text(fragment)


def test_versions_of_an_investigator_are_told_apart(client: Client) -> None:
    """By product and mark."""
    text = _text(client.get("/decks/new/?q=tommy"))
    assert "The Dream-Eaters" in text
    assert "Chapter 2" in text
    text = _text(client.get("/decks/new/?q=roland"))
    assert "By the Book Parallel" in text
    assert "The Dirge of Reason Promotional" in text


def test_a_deck_begins_empty_or_legal(client: Client) -> None:
    """With the sides and choices made."""
    empty = _draft(client)
    assert _content(empty)["slots"] == {}
    assert "Figures" not in _text(client.get(f"/decks/{empty.pk}/edit"))
    first = _draft(client, starter="1", front="01001", back="90024")
    assert _content(first)["meta"] == {"alternate_back": "90024"}
    assert "Legal 30 /30 cards" in _text(client.get(f"/decks/{first.pk}/edit"))


def test_sides_that_allow_no_deck_are_refused(client: Client) -> None:
    """The seeker's front with the mystic's back."""
    response = client.post(
        "/decks/new/11007/", {"starter": "1", "front": "11007", "back": "11008"}
    )
    assert response.status_code == 422
    assert "No legal deck is known for these sides and choices." in _text(response)


def test_nobody_but_investigators_begins_a_deck(client: Client) -> None:
    """A card, an unknown code."""
    for code in ("01020", "99999", "nobody"):
        assert client.get(f"/decks/new/{code}/").status_code == 404


# -- building --


def test_without_scripts_a_change_leads_back_to_the_card(client: Client) -> None:
    """See other, with the search kept."""
    deck = _draft(client)
    response = _press(client, deck, do="add=01020:2", q="machete", view="deck")
    assert response.status_code == 303
    assert (
        response["Location"] == f"/decks/{deck.pk}/edit?q=machete&view=deck#card-01020"
    )
    assert _content(deck)["slots"] == {"01020": 2}


def test_with_htmx_a_change_answers_with_the_builder(client: Client) -> None:
    """And a sentence for those who listen."""
    deck = _draft(client)
    response = _press(client, deck, do="add=01020:2", headers=HTMX)
    page = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in page
    assert 'id="builder"' in page
    assert 'data-revision="2"' in page
    assert "Machete: 2 copies. Incomplete. 2 of 30 cards" in _text(response)
    assert response["Vary"].count("HX-Request") == 1


def test_a_finding_has_its_remedy_as_a_button(client: Client) -> None:
    """On top and at the card; pressing it mends the deck."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:3")
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert page.count('value="remove=01020:1"') == 2
    _press(client, deck, do="remove=01020:1")
    assert "at most 2 are allowed" not in _text(client.get(f"/decks/{deck.pk}/edit"))


def test_undo_goes_back(client: Client) -> None:
    """One step, as a new revision."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:2")
    _press(client, deck, undo="1")
    assert _content(deck)["slots"] == {}
    assert deck.revision == 3


def test_terms_are_changed_in_place(client: Client) -> None:
    """Sides, list of taboos, mode, experience; the verdict follows."""
    deck = _draft(client)
    _press(
        client, deck, terms="1", front="01001", back="90024", taboo="10", mode="start",
        experience="3",
    )  # fmt: skip
    content = _content(deck)
    assert content["meta"] == {"alternate_back": "90024"}
    assert content["taboo_id"] == 10
    assert deck.revisions.get(number=2).circumstances == {
        "experience": 3,
        "mode": "start",
    }
    text = _text(client.get(f"/decks/{deck.pk}/edit"))
    assert "Taboos of 2026-02-19 · First deck of a campaign · 3 experience" in text


def test_terms_that_make_no_sense_are_refused(client: Client) -> None:
    """With the reason; nothing is changed."""
    deck = _draft(client)
    response = _press(client, deck, terms="1", mode="duel", taboo="", experience="-1")
    assert response.status_code == 422
    assert "Ensure this value is greater than or equal to 0." in _text(response)
    assert deck.revisions.count() == 1


def test_a_sheet_is_marked_and_written_on(client: Client) -> None:
    """Boxes by buttons, cards by their name."""
    deck = _draft(client)
    _press(client, deck, do="add=09042")
    _press(client, deck, do="mark=09042:1:1")
    _press(
        client, deck, write="1", card="09042", line="4",
        written=["old book of lore", "Encyclopedia"],
    )  # fmt: skip
    assert _content(deck)["meta"] == {"cus_09042": "1|1,4|0|01031^60208"}
    page = client.get(f"/decks/{deck.pk}/edit?open=09042").content.decode()
    assert 'value="Old Book of Lore"' in page
    assert 'aria-pressed="true"' in page


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"line": "4", "written": ["No such book"]},
            "No asset with the trait Tome/Spell is called “No such book”.",
        ),
        (
            {"line": "0", "written": ["Research Librarian"]},
            "No asset with the trait Tome/Spell is called “Research Librarian”.",
        ),
        (
            {"line": "4", "written": ["Old Book of Lor"]},
            "is called “Old Book of Lor”. Did you mean “Old Book of Lore”?",
        ),
        ({"line": "77", "written": ["x"]}, "There is no such line on a sheet."),
    ],
)
def test_what_cannot_be_written_is_refused(
    client: Client, fields: dict[str, Any], told: str
) -> None:
    """At the sheet, which stays open."""
    deck = _draft(client)
    _press(client, deck, do="add=09042")
    response = _press(client, deck, write="1", card="09042", open="09042", **fields)
    assert response.status_code == 422
    assert told in _text(response)
    page = response.content.decode()
    assert '<details id="open-09042" open>' in page
    if fields["line"] == "4":
        assert _text(response).count(told) == 1
        assert page.count(f'value="{fields["written"][0]}"') == 1  # as it was typed


def test_a_misspelt_card_on_a_sheet_is_put_right_by_its_button(client: Client) -> None:
    """Pressed beside the other texts of the line, which stay."""
    deck = _draft(client)
    _press(client, deck, do="add=09042")
    line = {"write": "1", "card": "09042", "open": "09042", "line": "4"}
    typed = {"written": ["Old Book of Lor", "Encyclopedia"]}
    refused = _press(client, deck, **line, **typed)
    assert 'name="take" value="1:Old Book of Lore"' in refused.content.decode()

    pressed = _press(client, deck, **line, **typed, take="1:Old Book of Lore")
    assert pressed.status_code in (200, 303)
    assert _content(deck)["meta"] == {"cus_09042": "4|0|01031^60208"}


def test_cards_are_found_and_the_barred_explained(client: Client) -> None:
    """Only the results, where only they were asked for."""
    deck = _draft(client)
    response = client.get(
        f"/decks/{deck.pk}/edit?view=add&q=deciphered",
        headers=HTMX | {"hx-target": "results"},
    )
    assert response.content.lstrip().startswith(b'<div id="results"')
    text = _text(response)
    assert "0 cards may be in the deck. 1 more was found that may not." in text
    assert "Barred: Deciphered Reality (5) is level 5" in text


def test_a_search_that_is_not_understood_points_at_the_place(client: Client) -> None:
    """And the deck is still there."""
    deck = _draft(client)
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
def test_what_no_page_of_ours_sends_is_refused(
    client: Client, fields: dict[str, str]
) -> None:
    """400, and the deck is as it was."""
    deck = _draft(client)
    assert _press(client, deck, **fields).status_code == 400
    assert deck.revisions.count() == 1


# -- two at once --


def test_a_stale_change_shows_both_versions(client: Client) -> None:
    """412; mine is what I would have made of what I saw."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:2")
    response = client.post(
        f"/decks/{deck.pk}/edit", {"revision": "1", "do": "add=01022"}
    )
    text = _text(response)
    assert response.status_code == 412
    assert "Machete – 2 Evidence! 1 –" in text
    assert _content(deck)["slots"] == {"01020": 2}


def test_a_stale_change_answers_htmx_with_its_part(client: Client) -> None:
    """In place of the builder, and without a revision to go on from."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:2")
    response = client.post(
        f"/decks/{deck.pk}/edit", {"revision": "1", "do": "add=01022"}, headers=HTMX
    )
    page = response.content.decode()
    assert response.status_code == 412
    assert "<html" not in page
    assert 'id="builder" class="stale"' in page
    assert "data-revision" not in page


def test_my_version_can_be_had_after_all(client: Client) -> None:
    """In sight of theirs, which stays in the chain."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:2")
    mine = read_content({"investigator_code": "01001", "slots": {"01022": 1}})
    _press(client, deck, content=mine.as_json())
    assert _content(deck)["slots"] == {"01022": 1}
    assert deck.revision == 3


def test_a_change_must_say_what_it_saw(client: Client) -> None:
    """428."""
    deck = _draft(client)
    for revision in ({}, {"revision": ""}, {"revision": "one"}, {"revision": "9" * 30}):
        for address in ("edit", "terms"):
            response = client.post(f"/decks/{deck.pk}/{address}", revision)
            assert response.status_code == 428
    assert deck.revisions.count() == 1


def test_stale_terms_show_both_versions(client: Client) -> None:
    """As every change does."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:2")
    fields = {
        "revision": "1",
        "taboo": "10",
        "mode": "campaign",
        "environment": "legacy",
    }
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 412


# -- terms, lists, sharing --


def test_all_terms_have_a_page(client: Client) -> None:
    """Environment, campaign, ultimatums, rulings."""
    deck = _draft(client)
    response = client.post(
        f"/decks/{deck.pk}/terms",
        {
            "revision": "1",
            "taboo": "",
            "mode": "standalone",
            "experience": "19",
            "players": "2",
            "environment": "limited",
            "cycles": ["dwl", "ptc", "tfa"],
            "ultimatums": ["highlander"],
            "banned_titles": "Peter Sylvestre\n",
            "options.restriction-outranks": "specific",
        },
    )
    assert response.status_code == 303
    assert deck.revisions.get(number=2).circumstances == {
        "banned_titles": ["Peter Sylvestre"],
        "environment": {"kind": "limited", "cycles": ["dwl", "ptc", "tfa"]},
        "experience": 19,
        "mode": "standalone",
        "players": 2,
        "rulings": {"options.restriction-outranks": "specific"},
        "ultimatums": ["highlander"],
    }


def test_terms_stay_as_they_were_told(client: Client) -> None:
    """Saving the page as it is changes nothing."""
    told = {
        "environment": {"kind": "current", "date": "2025-01-01"},
        "story_cards": ["01117"],
        "tasks": ["04022"],
        "lost_cards": ["01006"],
    }
    deck = {"investigator_code": "01001", "slots": {"01117": 1, "04230": 1}}
    content = read_content({"deck": deck, "circumstances": told})
    client.post("/decks/bring/", {"content": content.as_json()})
    made = Deck.objects.get()
    page = client.get(f"/decks/{made.pk}/terms").content.decode()
    fields: dict[str, Any] = {"revision": "1"}
    for name, value in re.findall(
        r'<input type="checkbox" name="([^"]+)"(?: value="([^"]+)")?[^>]* checked', page
    ):
        fields.setdefault(name, []).append(value or "on")
    for name, options in re.findall(
        r'<select name="([^"]+)".*?>(.*?)</select>', page, re.S
    ):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    fields["date"] = "2025-01-01"
    assert client.post(f"/decks/{made.pk}/terms", fields).status_code == 303
    made.refresh_from_db()
    assert made.revision == 1


@pytest.mark.parametrize(
    ("taboo", "environment", "told"),
    [
        ("", "", {}),
        ("none", "legacy", {"taboo": "none", "environment": {"kind": "legacy"}}),
    ],
)
def test_not_named_and_none_are_two_answers(
    client: Client, taboo: str, environment: str, told: dict[str, Any]
) -> None:
    """The form offers both, and keeps what was said."""
    deck = _draft(client)
    fields = {
        "revision": "1",
        "taboo": taboo,
        "mode": "campaign",
        "experience": "3",
        "environment": environment,
    }
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 303
    assert (
        deck.revisions.get(number=2).circumstances
        == {
            "mode": "campaign",
            "experience": 3,
        }
        | told
    )
    page = client.get(f"/decks/{deck.pk}/terms").content.decode()
    for value in (taboo, environment):
        assert f'<option value="{value}" selected>' in page


@pytest.mark.parametrize("day", ["", "2025-06-01"])
def test_the_current_environment_may_have_a_day(client: Client, day: str) -> None:
    """Without one it is the newest."""
    deck = _draft(client)
    told = {"date": day} if day else {}
    fields = {"revision": "1", "mode": "campaign", "environment": "current"}
    response = client.post(f"/decks/{deck.pk}/terms", fields | {"date": day})
    assert response.status_code == 303
    kept = deck.revisions.get(number=2).circumstances["environment"]
    assert kept == {"kind": "current"} | told
    assert client.get(f"/decks/{deck.pk}/edit").status_code == 200


def test_a_limited_environment_has_three_cycles(client: Client) -> None:
    """No more and no fewer."""
    deck = _draft(client)
    fields = {
        "revision": "1",
        "mode": "campaign",
        "environment": "limited",
        "cycles": ["dwl"],
    }
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 422
    assert "Choose three cycles." in _text(response)


def test_a_list_is_looked_at_before_it_is_taken_over(client: Client) -> None:
    """What changes is shown; only then it is done."""
    deck = _draft(client)
    response = client.post(f"/decks/{deck.pk}/paste", {"text": LEGAL_JSON})
    assert "What changes What In the list In the deck now Machete 2 –" in _text(
        response
    )
    assert _content(deck)["slots"] == {}
    content = re.search(r'name="content" value="([^"]+)"', response.content.decode())
    assert content is not None
    _press(client, deck, content=content[1].replace("&quot;", '"'))
    assert _content(deck)["slots"] == {"01020": 2}


def test_a_list_that_is_none_leaves_the_deck_alone(client: Client) -> None:
    """And says why."""
    deck = _draft(client)
    assert client.post(f"/decks/{deck.pk}/paste", {"text": ""}).status_code == 422
    response = client.post(f"/decks/{deck.pk}/paste", {"text": "{"})
    assert response.status_code == 422
    assert deck.revisions.count() == 1


def test_a_verdict_is_shared_by_its_link(client: Client) -> None:
    """Whoever has it sees the deck as it was judged; the key says nothing."""
    deck = _draft(client)
    _press(client, deck, do="add=01020:3")
    response = client.post(f"/decks/{deck.pk}/share")
    shared = SharedVerdict.objects.get()
    assert response["Location"] == f"/verdicts/{shared.key}/"
    _press(client, deck, do="remove=01020:3")
    page = Client().get(response["Location"])
    assert "Illegal 3 cards 0 experience" in _text(page)
    assert "3 copies of Machete; at most 2 are allowed." in _text(page)
    assert "noindex" in page.content.decode()
    assert Client().get("/verdicts/not-a-key/").status_code == 404


def test_a_verdict_reached_by_other_rules_says_so(client: Client) -> None:
    """What was found stays; what is found today stands beside it."""
    deck = _draft(client)
    client.post(f"/decks/{deck.pk}/share")
    shared = SharedVerdict.objects.get()
    shared.verdict |= {"status": "legal", "findings": []}
    shared.rules_version = "FAQ 1.0/1"
    shared.save()
    text = _text(client.get(f"/verdicts/{shared.key}/"))
    assert "by FAQ 1.0/1" in text
    assert "Judged today: Incomplete." in text


def test_a_verdict_without_a_deck_is_shared_too(client: Client) -> None:
    """Straight from the first page."""
    content = read_content(json.loads(LEGAL_JSON)).as_json()
    response = client.post(
        "/decks/share/", {"content": content, "name": "Loose leaves"}
    )
    assert "Loose leaves" in _text(client.get(response["Location"]))


@pytest.mark.parametrize("name", ["", "Loose leaves"])
def test_a_shared_verdict_on_a_deck_of_an_unknown_investigator_is_read(
    client: Client, name: str
) -> None:
    """A server with other cards may have made it; the link works all the same."""
    deck = json.loads(LEGAL_JSON) | {"investigator_code": "99999"}
    content = read_content(deck).as_json()
    response = client.post("/decks/share/", {"content": content, "name": name})
    page = client.get(response["Location"])

    assert page.status_code == 200
    assert (name or "Deck") in _text(page)


def test_a_deck_is_renamed_copied_and_deleted(client: Client) -> None:
    """Deleting asks first."""
    deck = _draft(client)
    page = client.get(f"/decks/{deck.pk}/about").content.decode()
    seen = re.findall(r'name="seen" value="(\w+)"', page)[0]
    client.post(f"/decks/{deck.pk}/about", {"name": "Case closed", "seen": seen})
    client.post(f"/decks/{deck.pk}/copy")
    copy = Deck.objects.exclude(pk=deck.pk).get()
    assert copy.name == "Case closed (copy)"
    assert "Delete this deck?" in _text(client.get(f"/decks/{deck.pk}/delete"))
    answer = client.post(f"/decks/{deck.pk}/delete", {"revision": "1"})
    assert answer["Location"] == "/decks/"
    assert list(Deck.objects.all()) == [copy]


def test_a_deck_changed_meanwhile_is_not_deleted(client: Client) -> None:
    """The page says so and asks again; a form without a revision is refused."""
    deck = _draft(client)
    assert client.post(f"/decks/{deck.pk}/delete").status_code == 428
    client.post(f"/decks/{deck.pk}/edit", {"revision": "1", "do": "add=01020"})
    answer = client.post(f"/decks/{deck.pk}/delete", {"revision": "1"})
    assert answer.status_code == 412
    assert "it is at revision 2 now. Nothing was deleted." in _text(answer)
    assert 'name="revision" value="2"' in answer.content.decode()
    client.post(f"/decks/{deck.pk}/delete", {"revision": "2"})
    assert not Deck.objects.exists()


def test_a_deck_leaves_as_a_file(client: Client) -> None:
    """ArkhamDB's JSON and text, which lead back to the same deck."""
    deck = _draft(client, starter="1")
    answer = client.get(f"/decks/{deck.pk}/list.json")
    assert (
        answer["Content-Disposition"] == f'attachment; filename="deck-{deck.pk}.json"'
    )
    left = answer.json()
    assert (left["meta"], left["ignoreDeckLimitSlots"]) == ("{}", None)
    assert read_content(left).deck == _content(deck)
    text = client.get(f"/decks/{deck.pk}/list.txt")
    assert "Legal 30 of 30 cards" in _text(
        client.post("/", {"text": text.content.decode()})
    )


def test_an_unreadable_deck_in_the_past_stays_readable(client: Client) -> None:
    """Unknown investigators, cards and copies beyond reason are findings."""
    deck = {"investigator_code": "ffff", "slots": {"\u202efoo": 3, "01020": 9999}}
    content = read_content(deck)
    client.post("/decks/bring/", {"content": content.as_json()})
    made = Deck.objects.get()
    for address in ("", "edit", "terms"):
        assert client.get(f"/decks/{made.pk}/{address}").status_code == 200
    assert "No card has the code ffff." in _text(client.get(f"/decks/{made.pk}/edit"))


@pytest.mark.parametrize("code", ["\\u0000", "\\ud800", "x\\udfffy"])
def test_what_no_database_can_hold_is_refused(client: Client, code: str) -> None:
    """NUL, and half of a pair of code units; at every door of a page."""
    text = '{"investigator_code":"01001","slots":{"CODE":1}}'.replace("CODE", code)
    response = client.post("/", {"text": text})
    assert response.status_code == 422
    assert "Expected: " in _text(response)
    for address in ("/decks/bring/", "/decks/share/"):
        content = f'{{"deck":{text},"circumstances":{{}}}}'
        assert client.post(address, {"content": content}).status_code == 400
    broken = text.replace(":1}}", ':"1"}}')
    assert client.post("/", {"text": broken}).status_code == 422
    deck = _draft(client)
    assert _press(client, deck, do="add=\x00").status_code == 400
    written = _press(client, deck, write="1", card="09042", line="4", written="\x00")
    assert written.status_code in (400, 422)
    assert deck.revisions.count() == 1


def test_terms_that_no_deck_can_keep_are_refused(client: Client) -> None:
    """More than is kept of a deck, and names that no card has."""
    deck = _draft(client)
    page = client.get(f"/decks/{deck.pk}/terms")
    form = {
        name: "" if field.initial is None else field.initial
        for name, field in page.context["form"].fields.items()
    }
    form |= {"revision": "1", "mode": "campaign", "arrival": "newcomer"}

    address = f"/decks/{deck.pk}/terms"
    many = "Beat Cop\n" * 6_000
    too_many = client.post(address, form | {"banned_titles": many})
    too_long = client.post(address, form | {"banned_titles": "x" * 100_000})
    no_card = client.post(address, form | {"banned_titles": r"\u0000"})

    refused = (too_many, too_long, no_card)
    assert [each.status_code for each in refused] == [422, 422, 422]
    assert "These are 6000 entries." in _text(too_many)
    assert "No card is called “xxx" in _text(too_long)
    assert r"No card is called “\u0000”." in _text(no_card)
    assert deck.revisions.count() == 1


def test_a_misspelt_ally_lost_to_the_scream_is_named(client: Client) -> None:
    """What was typed stays, with the card meant; case and blanks don't matter."""
    deck = _draft(client)
    address = f"/decks/{deck.pk}/terms"
    form = {"revision": "1", "mode": "campaign", "ultimatums": ["scream"]}
    typed = "Guard Dog\nLeo DeLuka"
    refused = client.post(address, form | {"banned_titles": typed})
    assert refused.status_code == 422
    assert "No card is called “Leo DeLuka”." in _text(refused)
    assert "Did you mean “Leo De Luca”" in _text(refused)
    assert typed in refused.content.decode()
    assert deck.revisions.count() == 1
    button = 'name="take-banned_titles" value="2:Leo De Luca"'
    assert button in refused.content.decode()

    lost = " guard dog \n\n Leo de Luca"
    assert client.post(address, form | {"banned_titles": lost}).status_code == 303
    told = deck.revisions.get(number=2).circumstances
    assert told["banned_titles"] == ["Guard Dog", "Leo De Luca"]


def test_a_misspelt_ally_is_put_right_by_its_button(client: Client) -> None:
    deck = _draft(client)
    form = {"revision": "1", "mode": "campaign", "ultimatums": ["scream"]}
    form |= {"banned_titles": "Guard Dog\nLeo DeLuka"}
    pressed = form | {"take-banned_titles": "2:Leo De Luca"}
    assert client.post(f"/decks/{deck.pk}/terms", pressed).status_code == 303
    told = deck.revisions.get(number=2).circumstances
    assert told["banned_titles"] == ["Guard Dog", "Leo De Luca"]


def test_a_name_is_kept_whole(client: Client) -> None:
    """Whatever it was made of."""
    content = read_content(json.loads(LEGAL_JSON)).as_json()
    client.post("/decks/bring/", {"content": content, "name": "a\x00b"})
    assert Deck.objects.get().name == "a?b"
    text = '{"investigator_code":"01001","slots":{},"name":"a\\u0000b"}'
    assert "a?b" in _text(client.post("/", {"text": text}))


def test_addresses_that_cannot_be_lead_nowhere(client: Client) -> None:
    """Numbers no database counts to, keys of no alphabet."""
    for address in (
        "/decks/99999999999999999999/edit",
        "/decks/0/",
        "/decks/draft/%00/",
        "/verdicts/%00/",
    ):
        assert client.get(address).status_code == 404


# -- how much it asks of the database --


def test_my_decks_ask_the_same_however_many_they_are(
    as_alice: Client, django_assert_max_num_queries: Any
) -> None:
    """Session, account, version of the cards, how many, which, news."""
    for _each in range(3):
        _draft(as_alice, starter="1")
    with django_assert_max_num_queries(7):
        few = as_alice.get("/decks/")
    for _each in range(9):
        _draft(as_alice)
    with django_assert_max_num_queries(7):
        many = as_alice.get("/decks/")
    assert _text(few).count("A deck of Roland Banks") == 6  # heading and link text
    assert _text(many).count("A deck of Roland Banks") == 24


def test_the_builder_asks_little(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    """Session, deck, version of the cards, the search; a change adds its writes.

    With it come the ledger, and the campaigns whose seats the deck may have.
    """
    deck = _draft(client, starter="1")
    with django_assert_max_num_queries(6):
        client.get(f"/decks/{deck.pk}/edit")
    deck.refresh_from_db()
    fields = {"revision": str(deck.revision), "do": "remove=01020"}
    with django_assert_max_num_queries(15):
        client.post(f"/decks/{deck.pk}/edit", fields, headers=HTMX)


def test_a_visit_to_the_first_page_leaves_no_trace(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    """No session, no query."""
    with django_assert_max_num_queries(0):
        client.get("/")
    client.post("/", {"text": SAMPLE_TEXT})
    assert not Session.objects.exists()


# -- what was misspelt --

TAKEN = re.compile(r'form="list-form" name="take" value="([^"]*)"')


def _judge(client: Client, text: str, **more: str) -> HttpResponse:
    answer = client.post("/", {"text": text, **more})
    assert isinstance(answer, HttpResponse)
    return answer


@pytest.mark.parametrize("address", ["/", "/decks/{}/paste"])
def test_a_suggestion_is_taken_by_its_button(client: Client, address: str) -> None:
    """Investigator and cards, one after the other, without scripts."""
    address = address.format(_draft(client).pk)
    text = "Roland Bank\n2x Machette\n1x Gaurd Dog"
    page = client.post(address, {"text": text})
    assert (
        "We couldn't find the investigator “Roland Bank”. Did you mean Roland Banks"
        in (html.unescape(_text(page)))
    )
    for taken, after in (
        ("1:Roland Banks", "Roland Banks\n2x Machette\n1x Gaurd Dog"),
        ("2:2x Machete", "Roland Banks\n2x Machete\n1x Gaurd Dog"),
        ("3:1x Guard Dog", "Roland Banks\n2x Machete\n1x Guard Dog"),
    ):
        assert taken in TAKEN.findall(page.content.decode())
        page = client.post(address, {"text": text, "take": taken})
        assert f">\n{after}</textarea>" in page.content.decode()
        text = after
    assert "Not understood" not in _text(page)


@pytest.mark.parametrize(
    "take", ["", "x", "-1:a", "9:a", "²:a", f"{'1' * 400}:a", "1", "999999:2x Machete"]
)
def test_a_suggestion_nobody_made_changes_nothing_else(
    client: Client, take: str
) -> None:
    """What no button sends leaves the list as it was, or takes one line's place."""
    page = _judge(client, "Roland Banks\n2x Machete", take=take)
    assert page.status_code == 200
    assert "2x Machete</textarea>" in page.content.decode()


def test_a_list_without_an_investigator_says_so(client: Client) -> None:
    """No empty code, no deck of 0 cards; its own cards tell who it may be."""
    page = _judge(client, "2x Machete\n1x Roland's .38 Special\n1x Cover Up")
    text = _text(page)
    assert "The deck has no investigator yet." in text
    assert "No card has the code" not in text
    assert "4 cards" in text
    assert "of 0" not in text
    (taken,) = TAKEN.findall(page.content.decode())
    assert taken == "0:Investigator: Roland Banks"
    after = _judge(client, "2x Machete\n1x Roland's .38 Special", take=taken)
    assert "2 of 30 cards" in _text(after)
    assert "Roland Banks" in _text(after)


def test_a_file_of_another_format_gets_no_buttons(client: Client) -> None:
    """What stands there is no line a suggestion could take the place of."""
    octgn = (
        '<deck game="x"><section name="Asset"><card qty="2" id="x">Machette</card>'
        "</section></deck>"
    )
    page = _judge(client, octgn)
    assert "Machete" in _text(page)
    assert TAKEN.findall(page.content.decode()) == []


def test_a_search_that_finds_nothing_suggests_names(client: Client) -> None:
    """Investigators and cards, as links that work without scripts."""
    page = client.get("/decks/new/?q=rolnd").content.decode()
    assert "We couldn’t find the investigator “rolnd”." in page
    assert 'href="/decks/new/?q=Roland%20Banks"' in page
    deck = _draft(client)
    page = client.get(f"/decks/{deck.pk}/edit?view=add&q=machette").content.decode()
    assert f'href="/decks/{deck.pk}/edit?view=add&amp;q=Machete#add"' in page
    assert "Try fewer words." in _text(client.get(f"/decks/{deck.pk}/edit?q=zzzzqq"))


# -- an investigator for a deck that has none --


def test_a_deck_without_an_investigator_gets_one(client: Client) -> None:
    """The remedy leads to the investigators and back; the cards stay."""
    answer = client.post("/", {"text": "2 Machete"})
    assert "The deck has no investigator yet." in _text(answer)
    found = re.search(r'name="content" value="([^"]*)"', answer.content.decode())
    assert found is not None
    client.post("/decks/bring/", {"content": html.unescape(found[1])})
    deck = Deck.objects.get()
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert "A deck without an investigator" in page
    assert f'href="/decks/new/?deck={deck.pk}">Choose an investigator</a>' in page

    choose = client.get(f"/decks/new/?deck={deck.pk}&q=roland").content.decode()
    assert f'href="/decks/new/01001/?deck={deck.pk}"' in choose
    assert f'name="deck" value="{deck.pk}"' in choose
    near = client.get(f"/decks/new/?deck={deck.pk}&q=rolnd").content.decode()
    assert f"?q=Roland%20Banks&amp;deck={deck.pk}" in near
    begin = client.get(f"/decks/new/01001/?deck={deck.pk}").content.decode()
    assert f'action="/decks/{deck.pk}/edit"' in begin
    assert 'value="choose=investigator:01001"' in begin
    assert "With an empty deck" not in begin

    _press(client, deck, do="choose=investigator:01001")
    content = _content(deck)
    assert (content["investigator_code"], content["slots"]) == ("01001", {"01020": 2})


def test_only_ones_own_deck_is_given_an_investigator(client: Client) -> None:
    """Anything else that an address names is a deck to begin."""
    theirs = _draft(Client())
    for named in (str(theirs.pk), "", "x", "9" * 30, "１"):
        page = client.get(f"/decks/new/01001/?deck={named}").content.decode()
        assert "With an empty deck" in page
        assert "choose=investigator" not in page


def test_another_investigator_brings_his_own_sides(client: Client) -> None:
    """A side chosen of the one before means nothing."""
    deck = _draft(client)
    _press(client, deck, do="choose=back:90024")
    assert _content(deck)["meta"] == {"alternate_back": "90024"}
    _press(client, deck, do="choose=investigator:01002")
    assert _content(deck)["meta"] == {}
