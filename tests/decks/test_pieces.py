"""A press returns only the parts of the page that it changed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from arkham.web.http import mark_of, marks_in

pytestmark = pytest.mark.usefixtures("rows")

HTMX = {"HX-Request": "true", "HX-Target": "builder"}


@pytest.fixture
def builder(client: Client) -> str:
    """Return the address of a builder with a legal first deck."""
    answer = client.post("/decks/new/01001/", {"starter": "1"})
    return str(answer["Location"])


def _shows(page: str) -> str:
    """Return the builder script's list of the parts that the page shows."""
    edition = re.findall(r'data-edition="(\w+)"', page)[0]
    marks = "".join(re.findall(r'data-mark="(\w+)"', page))
    return f"{edition}.{marks}"


def _press(client: Client, address: str, **fields: Any) -> str:
    answer = client.post(address, fields, headers=HTMX)
    assert isinstance(answer, HttpResponse)
    assert answer.status_code == 200
    return answer.content.decode()


def _kept(answer: str) -> list[str]:
    return re.findall(r'id="([\w-]+)" hx-preserve>', answer)


def test_only_what_a_press_changes_is_sent(client: Client, builder: str) -> None:
    """The card's rows, the figures, and a finding that is the second now."""
    page = client.get(builder).content.decode()
    assert _kept(page) == []
    answer = _press(client, builder, revision=1, do="add=01020", shows=_shows(page))
    sent = set(re.findall(r'id="([\w-]+)"[^>]* data-mark=', answer))
    assert sent == {
        "card-01020", "group-asset", "figures", "offers", "found-01020",
        "finding-1", "finding-2", "finding-3", "card-01000", "group-weakness",
    }  # fmt: skip
    kept = {*_kept(answer)}
    assert {"search", "head", "terms", "group-event"} <= kept
    found = set(re.findall(r'id="(found-[\w-]+)"[^>]* data-mark=', page))
    assert len(found) > 10
    assert found - {"found-01020"} <= kept
    assert "card-01022" not in _kept(answer)  # its group stays as a whole
    assert len(answer) < len(page) / 3


def test_a_page_without_a_list_of_parts_gets_everything(
    client: Client, builder: str
) -> None:
    """So does one made of other cards, or by other rules."""
    page = client.get(builder).content.decode()
    assert _kept(_press(client, builder, revision=1, do="add=01020")) == []
    shows = f"00000000{_shows(page)[8:]}"
    answer = _press(client, builder, revision=2, do="add=01020", shows=shows)
    assert _kept(answer) == []


def test_the_target_of_an_offer_is_part_of_its_mark(client: Client) -> None:
    """The same card for the second deck has other buttons."""
    answer = client.post("/decks/new/90049/", {"starter": "1"})
    address = str(answer["Location"])
    page = client.get(f"{address}?q=Hunt&into=").content.decode()
    fields = {"revision": 1, "do": "add=01020", "shows": _shows(page), "q": "Hunt"}
    other = _press(client, address, **fields, into="side")
    assert not any(each.startswith("found-") for each in _kept(other))


def test_a_refused_sheet_is_shown_and_removed_again(client: Client) -> None:
    """The form with the reason never counts as the unchanged part."""
    answer = client.post("/decks/new/01001/", {"empty": "1"})
    address = str(answer["Location"])
    _press(client, address, revision=1, do="add=09022:2")
    page = client.get(address).content.decode()
    written = {"write": "1", "card": "09022", "line": "99", "written": "no such"}
    answer = client.post(
        address, {"revision": 2, **written, "shows": _shows(page)}, headers=HTMX
    )
    assert isinstance(answer, HttpResponse)
    refused = answer.content.decode()
    assert _kept(refused) == []
    assert 'id="card-09022" data-mark' not in refused


@pytest.mark.parametrize(
    ("shows", "marks"),
    [
        ("", set()),
        ("ed", set()),
        ("other.0123456789abcdef", set()),
        ("ed.0123456789abcdef", {"01234567", "89abcdef"}),
        ("ed.0123456789", {"01234567"}),
    ],
)
def test_marks_are_parsed(shows: str, marks: set[str]) -> None:
    """Those of another edition and incomplete ones are ignored."""
    assert marks_in(shows, "ed") == marks


def test_too_many_marks_are_refused() -> None:
    """A megabyte of them is not parsed."""
    assert len(marks_in("ed." + "0123456789abcdef" * 65_536, "ed")) == 2
    distinct = "".join(f"{number:08x}" for number in range(5_000))
    assert len(marks_in(f"ed.{distinct}", "ed")) == 1_000


def test_marks_differ_if_the_parts_do() -> None:
    """And are the same in every process."""
    assert mark_of("row", 1) == "32794084"
    assert mark_of("row", 2) != mark_of("row", 1)


def test_a_found_card_shows_its_skill_icons(client: Client, builder: str) -> None:
    """Physical Training has two."""
    address = f"{builder}?view=add&q=name:Physical+Training+level:0"
    page = client.get(address, headers={**HTMX, "HX-Target": "results"})
    row = page.content.decode().partition('id="found-01017"')[2].partition("</a>")[0]
    assert re.findall(r"sign-(willpower|intellect|combat|agility)", row) == [
        "willpower",
        "combat",
    ]


def test_rows_show_abilities_on_request(client: Client, builder: str) -> None:
    """On the page of the deck and in the builder, where else a card is opened."""
    gist = "+1 damage if it and no other enemy is engaged with you."  # Machete
    for address, others in ((builder, 1), (builder.removesuffix("edit"), 0)):
        rows = client.get(f"{address}?look=rows").content.decode()
        text = client.get(f"{address}?look=text").content.decode()
        assert text.count(gist) == 1 + others  # those to add have theirs
        assert rows.count(gist) == 2 * others


def test_another_view_returns_the_deck_alone(client: Client, builder: str) -> None:
    """Without rows that are shown; the whole builder if that is of another revision."""
    wanted = f"{builder}?view=deck&group=cost"
    shown = _shows(client.get(builder).content.decode())
    headers = {**HTMX, "HX-Target": "deck", "Orne-Revision": "1", "Orne-Shows": shown}
    answer = client.get(wanted, headers=headers)
    page = answer.content.decode()
    assert re.findall(r'id="(deck|builder|add|search)"', page) == ["deck"]
    assert "group-cost" in page
    assert '<li id="card-01016" hx-preserve>' in page

    _press(client, builder, revision=1, do="add=01020")
    answer = client.get(wanted, headers=headers)
    assert 'id="builder"' in answer.content.decode()
    assert "hx-preserve></li>" not in answer.content.decode()
    assert answer["HX-Retarget"] == "#builder"
