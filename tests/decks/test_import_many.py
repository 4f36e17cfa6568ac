"""Many decks are imported at once, and the page shows the result of each."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arkham.accounts.models import User
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.formats import FORMATS
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.interchange.arkhamdb import Unreachable, find_place
from decks.interchange.export import text_of as text_of_list
from decks.interchange.importing import MOST_LETTERS
from decks.interchange.many import MOST_ADDRESSES, MOST_PLACES
from decks.lists.content import empty_content
from decks.models import Deck
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")

ROLAND, WENDY = "01001", "01005"


def _json(name: str, code: str = ROLAND, **slots: int) -> dict[str, Any]:
    copies = {key.removeprefix("c"): number for key, number in slots.items()}
    return {"name": name, "investigator_code": code, "slots": copies}


TEXT = """First
Roland Banks
2x Machete
"""


def _kinds(answer: Any) -> list[tuple[str, str]]:
    return [(each.kind, each.label) for each in answer.context["outcomes"]]


def _send(client: Client, text: str = "", file: bytes = b"", name: str = "x") -> Any:
    data: dict[str, Any] = {"text": text}
    if file:
        data["file"] = SimpleUploadedFile(name, file)
    return client.post("/decks/import/", data)


def test_a_deck_without_a_name_is_named_after_its_investigator(
    as_alice: Client,
) -> None:
    text = "Roland Banks\n2 Machete\n---\nWendy Adams\n2 Lucky!"
    for said in ("Imported", "Already here"):
        page = text_of(_send(as_alice, text))
        assert f"{said} A deck of Roland Banks Line 1" in page
        assert f"{said} A deck of Wendy Adams Line 4" in page


def test_a_json_array_is_imported(as_alice: Client) -> None:
    """Unreadable items are named, and don't affect the others."""
    decks = [_json("One", c01020=2), {"slots": "x"}, _json("Two", WENDY)]
    answer = _send(as_alice, json.dumps(decks))
    assert _kinds(answer) == [
        ("imported", "Deck 1"), ("unread", "Deck 2"), ("imported", "Deck 3"),
    ]  # fmt: skip
    assert answer.context["outcomes"][1].reasons
    assert {each.name for each in Deck.objects.all()} == {"One", "Two"}
    assert "2 decks imported, 1 not imported" in text_of(answer)


@pytest.mark.parametrize("form", [list, lambda decks: dict(enumerate(decks))])
def test_the_decks_of_a_backup_of_the_app_are_imported(
    as_alice: Client, form: Callable[[Any], Any]
) -> None:
    """The newest version of each; its campaigns are imported elsewhere."""
    upgraded = {"nextDeckId": {"local": True, "uuid": "b"}, "next_deck": None}
    first, second = _json("One", c01020=1) | upgraded, _json("One", c01020=2)
    decks = form([first, second, _json("Two", WENDY), _json("Old") | {"next_deck": 7}])
    backup = {"version": 2, "campaigns": [], "decks": decks, "guides": []}
    answer = _send(as_alice, file=json.dumps(backup).encode(), name="backup.acb")

    assert _kinds(answer) == [("imported", "Deck 1"), ("imported", "Deck 2")]
    assert [each.name for each in Deck.objects.order_by("pk")] == ["One", "Two"]
    (one, _two) = (each.deck for each in answer.context["outcomes"])
    assert one.revisions.get().list["slots"]["01020"] == 2


def test_more_decks_of_a_backup_than_allowed_at_once_are_left_and_counted(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line; the same file again imports the rest."""
    monkeypatch.setattr("decks.interchange.many.MOST_PLACES", 2)
    backup = {"campaigns": [], "decks": [_json(each) for each in "ABCD"]}
    file = json.dumps(backup).encode()
    first, again = _send(as_alice, file=file), _send(as_alice, file=file)

    assert [kind for kind, _label in _kinds(first)] == ["imported", "imported"]
    assert "2 more decks" in first.text
    assert first.text.count("Import the file again for the rest.") == 1
    kinds = [kind for kind, _label in _kinds(again)]
    assert kinds == ["here", "here", "imported", "imported"]
    assert "Not yet" not in again.text


def test_a_backup_has_so_many_decks_and_other_lists_no_more(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a list beside a backup."""
    monkeypatch.setattr("decks.interchange.many.MOST_PLACES", 1)
    monkeypatch.setattr("decks.interchange.many.MOST_BACKED_UP", 2)
    decks = [_json(each) for each in ("A", "B", "C")]
    text = json.dumps({"campaigns": [], "decks": decks})
    answer = _send(as_alice, file=text.encode())
    assert "A backup may have at most 2 decks." in answer.text
    text = json.dumps(decks[0]) + json.dumps({"campaigns": [], "decks": decks[1:2]})
    answer = _send(as_alice, file=text.encode())
    assert "You can import at most 1 decks at once." in answer.text
    assert not Deck.objects.exists()


def test_a_backup_may_be_larger_than_a_list(as_alice: Client) -> None:
    """Most of it is the log of its campaigns; only each deck is as long as a list."""
    campaigns = [{"log": "x" * MOST_LETTERS}]
    backup = {"campaigns": campaigns, "decks": [_json("One", c01020=2)]}
    answer = _send(as_alice, file=json.dumps(backup).encode(), name="backup.acb")
    assert _kinds(answer) == [("imported", "Deck 1")]

    long = json.dumps([_json("x" * MOST_LETTERS), _json("Two")]).encode()
    assert _kinds(_send(as_alice, file=long)) == [
        ("unread", "Deck 1"), ("imported", "Deck 2"),
    ]  # fmt: skip


def test_a_backup_without_decks_is_no_list(as_alice: Client) -> None:
    """Nor are decks of anything else."""
    others: list[dict[str, Any]] = [
        {"campaigns": [], "decks": []},
        {"campaigns": [], "decks": 3},
        {"decks": [_json("One")]},
    ]
    for data in others:
        assert _kinds(_send(as_alice, json.dumps(data))) == [("unread", "Line 1")]


def test_existing_decks_are_not_imported_twice(as_alice: Client) -> None:
    """Neither by a second press nor within one list; a changed list is another deck."""
    text = json.dumps([_json("One", c01020=2), _json("One", c01020=2)])
    assert _kinds(_send(as_alice, text)) == [
        ("imported", "Deck 1"), ("here", "Deck 2"),
    ]  # fmt: skip
    deck = Deck.objects.get()
    content = empty_content(WENDY)
    services.revise_deck(deck=deck, content=content, expected_revision=1, now=NOW)
    assert [kind for kind, _label in _kinds(_send(as_alice, text))] == ["here", "here"]
    other = json.dumps([_json("One", c01020=1)])
    assert _kinds(_send(as_alice, other))[0][0] == "imported"


def test_consecutive_objects_and_texts_are_imported(as_alice: Client) -> None:
    """Each is named by its first line; line numbers are those of the whole."""
    stream = json.dumps(_json("One")) + "\n" + json.dumps(_json("Two")) + "\n{broken"
    assert _kinds(_send(as_alice, stream)) == [
        ("imported", "Line 1"), ("imported", "Line 2"), ("unread", "Line 3"),
    ]  # fmt: skip
    second = TEXT.replace("First", "Second")
    texts = f"{TEXT}\n---\n\n{second}2x Nothing like it\n---\n2x Machete"
    answer = _send(as_alice, texts)
    assert _kinds(answer) == [
        ("imported", "Line 1"), ("imported", "Line 7"), ("unread", "Line 12"),
    ]  # fmt: skip
    assert "We couldn’t read line 10: 2x Nothing like it" in text_of(answer)
    assert "The list has no investigator." in text_of(answer)


def test_a_zip_is_imported(as_alice: Client) -> None:
    """As it was exported, with the extra files of some systems."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as file:
        file.writestr("decks/one.json", json.dumps(_json("One")))
        file.writestr("two.txt", TEXT)
        file.writestr("three.json", json.dumps([_json("Three"), _json("Four")]))
        file.writestr("__MACOSX/one.json", "x")
        file.writestr("picture.png", b"x")
    assert _kinds(_send(as_alice, file=kept.getvalue(), name="decks.zip")) == [
        ("imported", "decks/one.json"),
        ("imported", "two.txt"),
        ("imported", "three.json: Deck 1"),
        ("imported", "three.json: Deck 2"),
    ]


NOTES = """Opening hand:

---

2x Machete, or draw again
"""


@pytest.mark.parametrize("form", ["markdown", "octgn"])
@pytest.mark.parametrize("copies", [1, 2])
def test_dashes_in_notes_separate_nothing(
    as_alice: Client, alice: User, form: str, copies: int
) -> None:
    """Consecutive lists are separated by lines of dashes of their own."""
    pool = embedded_pool()
    value = read_object(_json("One", c01020=2) | {"description_md": NOTES}).value
    texts = [text_of_list(value, FORMATS[form], pool)]
    if copies > 1:
        value = read_object(_json("Two", WENDY) | {"description_md": NOTES}).value
        texts.append(text_of_list(value, FORMATS[form], pool))
    answer = _send(as_alice, "\n---\n".join(texts))
    assert [kind for kind, _label in _kinds(answer)] == ["imported"] * copies
    assert [each.notes.strip() for each in alice.decks.all()] == [
        NOTES.strip()
    ] * copies


@pytest.mark.parametrize(
    "beginning",
    ["[Solo, hard] ", "{Solo} ", "{Solo ", "[Solo: hard ", "[2p ", "[[Solo]] ", "{[2] ",
     "<deck of cards> ", "<! ", "<3 "],
)  # fmt: skip
def test_a_name_may_begin_with_a_bracket(
    as_alice: Client, alice: User, beginning: str
) -> None:
    """Closed or not, it is no JSON and no XML."""
    text = TEXT.replace("First", f"{beginning}First")
    assert _kinds(_send(as_alice, text)) == [("imported", "Line 1")]
    assert alice.decks.get().name == f"{beginning}First"


@pytest.mark.parametrize(
    "text",
    ["{", "[", "{'investigator_code': '01001'}", '[{"slots": ', "{slots: {}", "[1, 2"],
)
def test_broken_json_is_refused_as_json(as_alice: Client, text: str) -> None:
    """It isn't read as a list of names."""
    answer = _send(as_alice, text).content.decode()
    assert "JSON" in answer


def test_exported_decks_are_recognised(as_alice: Client, alice: User) -> None:
    """Importing a zip of existing decks changes nothing."""
    deck = services.create_deck(
        owner=alice, content=empty_content(ROLAND), now=NOW, name="Mine"
    )
    data = {"do": "export", "deck": [f"{deck.pk}.1"]}
    file = as_alice.post("/decks/many", data).content
    assert _kinds(_send(as_alice, file=file)) == [("here", "Mine.json")]


def test_addresses_are_imported_one_per_line(as_alice: Client, bob: User) -> None:
    """Of other sites and of this one; failures have a reason each."""
    his = services.create_deck(
        owner=bob, content=empty_content(WENDY), now=NOW, name="His"
    )
    shown = services.publish_deck(deck=his, number=1, pool=embedded_pool(), now=NOW)
    there = "https://arkhamdb.com/deck/view/"
    own = f"http://testserver/decks/published/{shown.pk}/"
    lines = [f"{there}1", "", f"{there}2", own, own, "http://testserver/nothing"]

    def answer_at(address: str) -> str:
        if address.endswith("2"):
            raise Unreachable("Silent.")
        return json.dumps(_json("There"))

    with patch("decks.interchange.many.read_address", side_effect=answer_at):
        answer = _send(as_alice, "\n".join(lines))
    assert [kind for kind, _label in _kinds(answer)] == [
        "imported", "unread", "imported", "here", "unread",
    ]  # fmt: skip
    assert "Silent." in text_of(answer)
    assert Deck.objects.get(owner__username="alice", name="His").source.author == "bob"


def test_addresses_of_arkham_build_have_arkhamdbs_numbers() -> None:
    """A deck of its own is not guessed."""
    for kind in ("deck", "decklist"):
        place = find_place(f"https://arkham.build/{kind}/view/123/some-name")
        assert place.address == f"https://arkhamdb.com/api/public/{kind}/123"
    with pytest.raises(Unreachable):
        find_place("https://arkham.build/share/abc")


def test_decks_beyond_the_quota_are_reported(
    as_alice: Client, settings: LazySettings
) -> None:
    """Those within it are imported."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 1}
    answer = _send(as_alice, json.dumps([_json("One"), _json("Two")]))
    assert [kind for kind, _label in _kinds(answer)] == ["imported", "full"]
    assert "You have 1 deck, the most an account can have." in text_of(answer)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste decks or addresses, or choose a file."),
        (
            json.dumps([_json("x")] * (MOST_PLACES + 1)),
            f"You can import at most {MOST_PLACES} decks at once.",
        ),
        (
            "https://arkhamdb.com/deck/view/1\n" * (MOST_ADDRESSES + 1),
            f"at most {MOST_ADDRESSES} addresses at once.",
        ),
    ],
)
def test_invalid_input_is_refused_as_a_whole(
    as_alice: Client, text: str, said: str
) -> None:
    """Nothing of it is imported."""
    answer = _send(as_alice, text)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert not Deck.objects.exists()


def test_broken_and_large_zips_are_refused(as_alice: Client) -> None:
    """Before anything is read."""
    answer = _send(as_alice, file=b"PK\x03\x04broken")
    assert "We can’t open this zip." in text_of(answer)
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(10):
            file.writestr(f"{number}.txt", b" " * 1_000_000)
    answer = _send(as_alice, file=kept.getvalue())
    assert "The zip unpacks to more than 8 MB." in text_of(answer)


def test_a_zip_with_too_many_files_is_not_read(as_alice: Client) -> None:
    """A zip of 5 MB can list 60,000 of them; its directory is refused by its length."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as file:
        file.writestr("one.txt", TEXT)
        for number in range(6_000):
            file.writestr(f"{number}.png", "")
    answer = _send(as_alice, file=kept.getvalue())
    assert answer.status_code == 422
    assert "You can import at most 100 decks at once." in text_of(answer)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_bomb_is_refused(as_alice: Client, method: int) -> None:
    """40 KB of it can be 300 MB, of which a limit would read one."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as file:
        file.writestr("one.txt", TEXT)
    answer = _send(as_alice, file=kept.getvalue())

    assert "We can’t open this zip." in text_of(answer)
    assert not Deck.objects.exists()


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_refused(as_alice: Client, method: int) -> None:
    """Whatever the decompressor's error."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as file:
        file.writestr("one.txt", TEXT * 20)
    whole = kept.getvalue()
    start = whole.index(b"one.txt") + len("one.txt")
    for place in range(start, start + 30):
        damaged = whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
        answer = _send(as_alice, file=damaged)
        assert answer.status_code in (200, 422)


def test_addresses_in_a_zip_are_limited(as_alice: Client) -> None:
    """As in a text."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as file:
        for number in range(MOST_ADDRESSES + 1):
            file.writestr(f"{number}.txt", f"https://arkhamdb.com/deck/view/{number}")
    answer = _send(as_alice, file=kept.getvalue())
    assert answer.status_code == 422
    assert f"at most {MOST_ADDRESSES} addresses at once." in text_of(answer)


def test_many_decks_of_one_name_take_one_query(as_alice: Client, alice: User) -> None:
    """However many exist, and however many are imported."""
    for _number in range(8):
        deck = services.create_deck(owner=alice, content=empty_content(WENDY), now=NOW)
        changed = empty_content(ROLAND)
        services.revise_deck(deck=deck, content=changed, expected_revision=1, now=NOW)
    text = json.dumps([_json("", WENDY)] * 30)
    with CaptureQueriesContext(connection) as made:
        answer = _send(as_alice, text)
    assert {kind for kind, _label in _kinds(answer)} == {"here"}
    asked = [each["sql"] for each in made if "decks_revision" in each["sql"]]
    assert len(asked) == 1


def test_an_account_is_required(client: Client) -> None:
    """Drafts are imported one by one."""
    assert client.get("/decks/import/").status_code == 302
