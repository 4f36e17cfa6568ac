"""The first page: a list is checked, and misspelt names are corrected."""

from __future__ import annotations

import html
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from cardpool.models import DataVersion
from decks.lists.content import read_content, with_investigator_of
from decks.models import Deck
from decks.services.beginning import SAMPLE_TEXT
from decks.views import decks as first_page
from tests.decks.building import LEGAL_JSON, a_draft, list_of
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")

# -- the first page --


def test_a_pasted_text_is_checked_in_one_step(client: Client) -> None:
    """The verdict, every finding with its source and remedy, and the list."""
    response = client.post("/", {"text": SAMPLE_TEXT})
    text = text_of(response)
    assert response.status_code == 200
    assert "Illegal 30 of 30 cards" in text
    assert "3 copies of Machete; at most 2 are allowed." in text
    assert "Rules Reference Deckbuilding · FAQ 2.5 2.21 copies.title" in text
    assert "Remove 1 × Machete." in text
    assert "Add Cover Up." in text
    assert "How we read the list, line by line" in text
    assert not Deck.objects.exists()


def test_the_sample_is_checked_by_one_press(client: Client) -> None:
    """Without typing."""
    response = client.post("/", {"sample": "1", "text": ""})
    assert "Drawn to the Flame" in text_of(response)


def test_a_file_is_checked_as_well(client: Client) -> None:
    """It takes precedence over pasted text."""
    file = SimpleUploadedFile("deck.json", LEGAL_JSON.encode())
    response = client.post("/", {"text": "nonsense", "file": file})
    assert "Incomplete 2 of 30 cards" in text_of(response)


def test_decks_stay_on_the_page_if_a_list_is_unreadable(client: Client) -> None:
    """The form jumps to the list, where the fault is shown."""
    deck = a_draft(client)
    for text in ("", "{"):
        answer = client.post("/", {"text": text})
        assert answer.status_code == 422
        page = answer.content.decode()
        assert f'href="/decks/{deck.pk}/"' in page
        assert 'action="/#import"' in page
        assert 'id="import"' in page


def test_unreadable_lines_are_named(client: Client) -> None:
    """With the nearest name."""
    text = text_of(client.post("/", {"text": "Roland Banks\n2 Machete\n1 Shotgan\n"}))
    assert "Not understood line 3 1 Shotgan" in text
    assert "Shotgun" in text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"text": ""}, "Paste a deck list or choose a file with one."),
        ({"text": '{"slots": }'}, "At line 1, column 11"),
        (
            {"text": '{"investigator_code":"01001","slots":{"01020":"2"}}'},
            "At slots → 01020",
        ),
        (
            {"text": "once upon a midnight dreary"},
            "This doesn’t look like a deck list.",
        ),
        ({"text": "\x00"}, "Null characters are not allowed."),
    ],
)
def test_unreadable_input_is_explained(
    client: Client, fields: dict[str, str], told: str
) -> None:
    """Where, and what was expected; never a server error."""
    response = client.post("/", fields)
    assert response.status_code == 422
    assert told in text_of(response)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe\x00", "The file isn’t plain text: we can’t read byte 0."),
        (b"x" * 1_000_001, "The file is larger than"),
    ],
)
def test_an_unreadable_file_is_explained(
    client: Client, content: bytes, told: str
) -> None:
    """Binary files and huge ones."""
    response = client.post("/", {"file": SimpleUploadedFile("deck", content)})
    assert response.status_code == 422
    assert told in text_of(response)


def test_a_checked_deck_opens_in_the_builder(client: Client) -> None:
    """As a draft with its name."""
    content = read_content(json.loads(LEGAL_JSON)).as_json()
    response = client.post("/decks/bring/", {"content": content, "name": "By the book"})
    deck = Deck.objects.get()
    assert response["Location"] == f"/decks/{deck.pk}/edit"
    assert (deck.name, deck.owner) == ("By the book", None)
    assert client.get(response["Location"]).status_code == 200


def test_a_forged_list_is_not_imported(client: Client) -> None:
    """Only what our own page sends."""
    for address in ("/decks/bring/", "/decks/share/"):
        assert client.post(address, {"content": "{}"}).status_code == 400
    assert not Deck.objects.exists()


# -- what was misspelt --


TAKEN = re.compile(r'form="list-form" name="take" value="([^"]*)"')


def _judge(client: Client, text: str, **more: str) -> HttpResponse:
    answer = client.post("/", {"text": text, **more})
    assert isinstance(answer, HttpResponse)
    return answer


@pytest.mark.parametrize("address", ["/", "/decks/{}/paste"])
def test_a_suggestion_is_applied_by_its_button(client: Client, address: str) -> None:
    """Investigator and cards, one after the other, without scripts."""
    address = address.format(a_draft(client).pk)
    text = "Roland Bank\n2x Machette\n1x Gaurd Dog"
    page = client.post(address, {"text": text})
    assert (
        "We couldn’t find the investigator “Roland Bank”. Did you mean Roland Banks"
        in (html.unescape(text_of(page)))
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
    assert "Not understood" not in text_of(page)


@pytest.mark.parametrize(
    "take", ["", "x", "-1:a", "9:a", "²:a", f"{'1' * 400}:a", "1", "999999:2x Machete"]
)
def test_a_forged_suggestion_changes_nothing_else(client: Client, take: str) -> None:
    """The list stays as it was, or one line is replaced."""
    page = _judge(client, "Roland Banks\n2x Machete", take=take)
    assert page.status_code == 200
    assert "2x Machete</textarea>" in page.content.decode()


def test_a_list_without_an_investigator_says_so(client: Client) -> None:
    """No empty code, no deck of 0 cards; its cards suggest an investigator."""
    page = _judge(client, "2x Machete\n1x Roland's .38 Special\n1x Cover Up")
    text = text_of(page)
    assert "The deck has no investigator yet." in text
    assert "No card has the code" not in text
    assert "4 cards" in text
    assert "of 0" not in text
    (taken,) = TAKEN.findall(page.content.decode())
    assert taken == "0:Investigator: Roland Banks"
    after = _judge(client, "2x Machete\n1x Roland's .38 Special", take=taken)
    assert "2 of 30 cards" in text_of(after)
    assert "Roland Banks" in text_of(after)


def test_a_file_of_another_format_gets_no_buttons(client: Client) -> None:
    """It has no lines that a suggestion could replace."""
    octgn = (
        '<deck game="x"><section name="Asset"><card qty="2" id="x">Machette</card>'
        "</section></deck>"
    )
    page = _judge(client, octgn)
    assert "Machete" in text_of(page)
    assert TAKEN.findall(page.content.decode()) == []


def test_a_search_without_results_suggests_names(client: Client) -> None:
    """As links that work without scripts, or with the cards of that name."""
    deck = a_draft(client)
    guessed = client.get(f"/decks/{deck.pk}/edit?view=add&q=machette")
    assert "No card matches “machette”. Showing cards like “machete”." in text_of(
        guessed
    )
    exact = f"/decks/{deck.pk}/edit?view=add&q=%22machette%22"
    page = client.get(exact).content.decode()
    assert f'href="/decks/{deck.pk}/edit?view=add&amp;q=Machete#add"' in page
    assert "Try fewer words." in text_of(client.get(f"/decks/{deck.pk}/edit?q=zzzzqq"))


def test_the_first_page_shows_drawn_cards(client: Client) -> None:
    """An asset, an event and a skill, each of another class; no picture, no text."""
    page = client.get("/").content.decode()
    for kind, name in (
        ("asset guardian", "Machete"),
        ("event survivor", "Lucky!"),
        ("skill mystic", "Fearless"),
    ):
        assert f'class="face face-{kind} ' in page
        assert f">{name}</a>" in page


def test_a_strangers_page_is_cached_with_a_csrf_token_for_each(
    rows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second isn't rendered, and its form is accepted with its own token only."""
    monkeypatch.setattr(first_page, "_pages", {})
    one, other = (Client(enforce_csrf_checks=True) for _each in range(2))
    first = one.get("/")
    monkeypatch.setattr(first_page, "_first_page", None)  # nothing is rendered any more
    second = other.get("/")
    mine, others = (each.content.decode() for each in (first, second))
    tokens = _token(mine), _token(others)
    assert tokens[0] != tokens[1]
    assert mine.replace(*tokens) == others
    assert "Cookie" in second["Vary"]
    assert second["Cache-Control"] == "private, no-cache"
    for client, token, status in (
        (one, tokens[0], 200),
        (other, tokens[1], 200),
        (one, tokens[1], 403),
    ):
        sent = {"text": SAMPLE_TEXT, "csrfmiddlewaretoken": token}
        assert client.post("/", sent).status_code == status


def test_visitors_with_data_get_a_page_of_their_own(
    client: Client, as_alice: Client
) -> None:
    """A stranger comes before and after an account, a draft and a preference."""
    before = Client().get("/").content.decode()
    deck = a_draft(client)
    client.cookies["preferences"] = '{"theme":"dark"}'
    assert "Account of alice" in as_alice.get("/").content.decode()
    mine = client.get("/").content.decode()
    assert f'href="/decks/{deck.pk}/"' in mine
    assert 'data-theme="dark"' in mine
    after = Client().get("/").content.decode()
    assert before.replace(_token(before), _token(after)) == after


def test_a_cached_page_belongs_to_the_current_cards(
    rows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After they are loaded again, the page is rendered again."""
    monkeypatch.setattr(first_page, "_pages", {})
    Client().get("/")
    with monkeypatch.context() as patched:
        patched.setattr(first_page, "_first_page", None)
        assert Client().get("/").status_code == 200
    DataVersion.objects.update(loaded_at=timezone.now())
    assert Client().get("/").status_code == 200
    assert len(first_page._pages) == 2


def _token(page: str) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found is not None
    return found[1]


def test_a_list_without_an_investigator_keeps_the_decks(client: Client) -> None:
    """Also where we don't know whom it names, which the page says."""
    deck = a_draft(client)
    code = list_of(deck)["investigator_code"]
    text = "Investigator: Rolnd Bnks\n2x Machete\n"
    for each in (text, "2x Machete\n"):
        response = client.post(f"/decks/{deck.pk}/paste", {"text": each})
        assert "What changes What Current deck Imported list Machete – 2" in text_of(
            response
        )
        page = html.unescape(response.content.decode())
        assert f'"investigator_code":"{code}"' in page


def test_sides_and_choices_stay_with_the_investigator() -> None:
    """A list that names one keeps its own."""
    meta = {"alternate_back": "90024", "deck_size_selected": "40"}
    deck = read_content({"investigator_code": "01001", "slots": {}, "meta": meta})
    plain = read_content({"investigator_code": "", "slots": {"01020": 2}})
    kept = with_investigator_of(plain, deck).deck
    assert kept["slots"] == {"01020": 2}
    assert kept["investigator_code"] == "01001"
    assert kept["meta"]["alternate_back"] == "90024"
    assert kept["meta"]["deck_size_selected"] == "40"
    named = read_content({"investigator_code": "01002", "slots": {}})
    assert with_investigator_of(named, deck) == named
