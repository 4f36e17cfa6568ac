"""A press is answered with what it changed; pieces that stay are not sent again."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from arkham.web.http import mark_of, marks_sent

pytestmark = pytest.mark.usefixtures("rows")

HTMX = {"HX-Request": "true", "HX-Target": "builder"}


@pytest.fixture
def builder(client: Client) -> str:
    """The address of a builder with a legal first deck."""
    answer = client.post("/decks/new/01001/", {"starter": "1"})
    return str(answer["Location"])


def _shows(page: str) -> str:
    """What the script of the builder says of the pieces that the page shows."""
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


def test_a_page_that_says_nothing_is_sent_everything(
    client: Client, builder: str
) -> None:
    """So is one that was made of other cards, or by other rules."""
    page = client.get(builder).content.decode()
    assert _kept(_press(client, builder, revision=1, do="add=01020")) == []
    shows = f"00000000{_shows(page)[8:]}"
    answer = _press(client, builder, revision=2, do="add=01020", shows=shows)
    assert _kept(answer) == []


def test_where_an_offer_is_for_belongs_to_its_look(client: Client) -> None:
    """The same card for the second deck has other buttons."""
    answer = client.post("/decks/new/90049/", {"starter": "1"})
    address = str(answer["Location"])
    page = client.get(f"{address}?q=Hunt&into=").content.decode()
    fields = {"revision": 1, "do": "add=01020", "shows": _shows(page), "q": "Hunt"}
    other = _press(client, address, **fields, into="side")
    assert not any(each.startswith("found-") for each in _kept(other))


def test_what_was_refused_on_a_sheet_is_shown_and_goes_again(client: Client) -> None:
    """The form that says why is not taken for the piece it was before, nor after."""
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
def test_marks_are_read_as_they_are_sent(shows: str, marks: set[str]) -> None:
    """Those of another edition mean nothing; half a mark is none."""
    request = RequestFactory().post("/", {"shows": shows})
    assert marks_sent(request, "ed") == marks


def test_so_many_marks_are_no_page_of_ours(rf: RequestFactory) -> None:
    """A megabyte of them is not cut into pieces."""
    request = rf.post("/", {"shows": "ed." + "0123456789abcdef" * 65_536})
    assert len(marks_sent(request, "ed")) == 2
    distinct = "".join(f"{number:08x}" for number in range(5_000))
    assert len(marks_sent(rf.post("/", {"shows": f"ed.{distinct}"}), "ed")) == 1_000


def test_a_mark_differs_where_what_is_seen_differs() -> None:
    """And is the same in every process."""
    assert mark_of("row", 1) == "32794084"
    assert mark_of("row", 2) != mark_of("row", 1)


def test_a_card_that_was_found_shows_its_skill_icons(
    client: Client, builder: str
) -> None:
    """Physical Training has two."""
    address = f"{builder}?view=add&q=name:Physical+Training+level:0"
    page = client.get(address, headers={**HTMX, "HX-Target": "results"})
    row = page.content.decode().partition('id="found-01017"')[2].partition("</a>")[0]
    assert re.findall(r"sign-(willpower|intellect|combat|agility)", row) == [
        "willpower",
        "combat",
    ]


def test_rows_say_what_cards_do_where_one_wants_it(
    client: Client, builder: str
) -> None:
    """On the page of the deck and in the builder, where else a card is opened."""
    gist = "+1 damage if it and no other enemy is engaged with you."  # Machete
    for address, others in ((builder, 1), (builder.removesuffix("edit"), 0)):
        rows = client.get(f"{address}?look=rows").content.decode()
        text = client.get(f"{address}?look=text").content.decode()
        assert text.count(gist) == 1 + others  # those to add have theirs
        assert rows.count(gist) == 2 * others
