"""Decks are imported and exported in every format, with reports of what is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.checks import octgn_ids_are_readable
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.formats import FORMATS
from arkham.rules.snapshot import embedded_pool
from decks.interchange.export import file_name
from decks.interchange.importing import read_list
from decks.lists.content import read_content
from decks.models import LONGEST_NOTES, Deck
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")
POOL = embedded_pool()
NOTES = "# Why\n\nBecause <b>it</b> works."
DECK: dict[str, Any] = {
    "id": 59663,
    "name": "Für Leo: 2x “Spaß”",
    "description_md": NOTES,
    "investigator_code": "05006",
    "slots": {"01000": 1, "01063": 2, "01029": 1, "03264": 1},
    "sideSlots": {"02191": 2},
    "ignoreDeckLimitSlots": {"01063": 1},
    "version": "1.0",
    "xp": 12,
    "xp_spent": 5,
    "xp_adjustment": -1,
    "exile_string": "02111,02111",
    "taboo_id": 9,
    "meta": json.dumps(
        {
            "cus_09021": "1|1",
            "attachments_03264": "01022,01022,01025",
            "annotation_01063": "Cut me first.",
            "banner_url": "https://example.org/a.png",
            "hidden_slots": None,
            "sealed_deck": "01063:2,02191:1",
            "sealed_deck_name": "From one box",
        }
    ),
    "tags": "solo, theme",
    "previous_deck": 59660,
    "weird": [1],
}


def _brought(client: Client, text: str, file: str = "") -> Deck:
    """Check a list on the first page, then open it in the builder."""
    data: dict[str, Any] = {"text": text}
    if file:
        data = {"file": SimpleUploadedFile(file, text.encode())}
    page = client.post("/", data)
    assert page.status_code == 200
    read = page.context["read"]
    fields = {"name": read.name, "notes": read.notes, "tags": read.tags}
    fields["content"] = read.content.as_json()
    answer = client.post("/decks/bring/", fields)
    return Deck.objects.get(pk=int(answer["Location"].split("/")[2]))


def test_a_deck_survives_a_round_trip(as_alice: Client) -> None:
    """With keys and notes; ids of another site are left behind."""
    deck = _brought(as_alice, json.dumps(DECK))
    assert (deck.name, deck.notes, deck.tags) == (DECK["name"], NOTES, "solo theme")

    left = as_alice.get(f"/decks/{deck.pk}/list.json").json()

    assert list(left) == [
        "id", "name", "date_creation", "date_update", "description_md", "user_id",
        "investigator_code", "investigator_name", "slots", "sideSlots",
        "ignoreDeckLimitSlots", "version", "xp", "xp_spent", "xp_adjustment",
        "exile_string", "taboo_id", "meta", "tags", "previous_deck", "next_deck",
    ]  # fmt: skip
    same = {
        "name", "description_md", "investigator_code", "slots", "sideSlots", "xp",
        "ignoreDeckLimitSlots", "xp_adjustment", "exile_string", "taboo_id", "tags",
    }  # fmt: skip
    assert {key: left[key] for key in same} == {key: DECK[key] for key in same}
    assert json.loads(left["meta"]) == json.loads(DECK["meta"])
    assert (left["id"], left["previous_deck"]) == (None, None)
    assert (left["investigator_name"], left["version"]) == ("Marie Lambeau", "0.1")


def test_every_member_of_a_deck_object_is_reported() -> None:
    """Kept, left out, or unknown."""
    read = read_list(json.dumps(DECK | {"xp_spent": "five"}), POOL)

    assert [(each.said, each.meaning) for each in read.parts[7:]] == [
        ("taboo_id: 9", "the taboo list of 2025-07-11"),
        ("annotation_01063: Cut me first.", "a note on Arcane Initiate"),
        ("attachments_03264: 01022,01022,01025", "set aside under Stick to the Plan"),
        (
            "banner_url: https://example.org/a.png",
            "kept for other programs; rules ignore it",
        ),
        ("cus_09021: 1|1", "the upgrade sheet of Hunter's Armor"),
        ("hidden_slots: null", "kept for other programs; rules ignore it"),
        (
            "sealed_deck: 01063:2,02191:1",
            "a sealed deck: kept, but no printed rule uses it",
        ),
        (
            "sealed_deck_name: From one box",
            "a sealed deck: kept, but no printed rule uses it",
        ),
        (
            "description_md: # Why Because <b>it</b> works.",
            "the notes of the deck",
        ),
        ("tags: solo theme", "the tags of the deck"),
        ("xp: 12", "12 experience to spend: carried over and gained"),
        ("xp_adjustment: -1", "a correction of the experience to spend"),
        ("exile_string: 02111", "exiled: 2 × Delve Too Deep"),
        (
            "id: 59663, version: 1.0, previous_deck: 59660",
            "belongs to another site; not imported",
        ),
        ("xp_spent", ""),
        ("weird", "belongs to other programs; not imported"),
    ]
    (missed,) = read.missed
    assert (missed.said, missed.note, missed.expected) == (
        "xp_spent",
        "This is text.",
        "a whole number or null",
    )


def test_the_experience_spent_is_read_under_the_key_of_the_app() -> None:
    """A backup of Arkham Cards spells it its own way."""
    deck = {key: value for key, value in DECK.items() if key != "xp_spent"}
    read = read_list(json.dumps(deck | {"xp": 12, "spentXp": 9}), POOL)

    assert (read.missed, read.carried) == ((), 2)


def test_absurd_experience_is_left_out_and_reported() -> None:
    """The deck is read all the same; what was spent is subtracted, and reported."""
    read = read_list(json.dumps(DECK | {"xp": 12_000, "xp_spent": 9}), POOL)

    assert (read.content is None, read.carried) == (False, 0)
    (missed,) = read.missed
    assert missed.said == "xp: 12000"
    assert missed.expected == "at most 999 experience to spend"

    read = read_list(json.dumps(DECK | {"xp": 12, "xp_spent": 9}), POOL)
    assert (read.missed, read.carried) == ((), 2)
    (spent,) = [each for each in read.parts if each.said == "xp_spent: 9"]
    assert spent.meaning == "how much of it was spent, as another program counts it"


def test_endless_notes_are_left_out_and_reported() -> None:
    """The deck is read all the same."""
    read = read_list(
        json.dumps(DECK | {"description_md": "x" * (LONGEST_NOTES + 1)}), POOL
    )

    assert read.content is not None
    assert read.notes == ""
    (missed,) = read.missed
    assert missed.expected == "at most 100,000 characters"


@pytest.mark.parametrize("form", ["markdown", "octgn"])
def test_endless_notes_in_a_text_are_reported(form: str) -> None:
    """At their first line; the cards are understood."""
    value = read_object(DECK | {"description_md": "x" * (LONGEST_NOTES + 1)}).value
    read = read_list(FORMATS[form].write(value, POOL), POOL)

    assert read.content is not None
    assert read.notes == ""
    assert {each.expected for each in read.missed} == {"at most 100,000 characters"}


FILES = {
    "json": "list.json",
    "text": "list.txt",
    "plain": "plain.txt",
    "markdown": "list.md",
    "octgn": "list.o8d",
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_has_a_name_and_a_type(as_alice: Client, form: str) -> None:
    """By the deck, in any script; by the format."""
    deck = _brought(as_alice, json.dumps(DECK))
    answer = as_alice.get(f"/decks/{deck.pk}/{FILES[form]}")

    wanted = FORMATS[form]
    assert answer["Content-Type"] == f"{wanted.media_type}; charset=utf-8"
    name = "F%C3%BCr%20Leo%202x%20%E2%80%9CSpa%C3%9F%E2%80%9D"
    assert answer["Content-Disposition"] == (
        f"attachment; filename*=utf-8''{name}.{wanted.suffix}"
    )
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("pasted", [True, False], ids=["pasted", "uploaded"])
def test_a_file_is_imported_again(as_alice: Client, form: str, pasted: bool) -> None:
    """The same cards; and all that the format has."""
    first = _brought(as_alice, json.dumps(DECK))
    file = as_alice.get(f"/decks/{first.pk}/{FILES[form]}").content.decode()
    again = _brought(as_alice, file, "" if pasted else "Again.o8d")

    mine, theirs = first.revisions.get().list, again.revisions.get().list
    keys = {"investigator_code", "slots"}
    if form != "octgn":
        keys |= {"sideSlots", "taboo_id"}
        assert again.name == first.name
    elif not pasted:
        assert again.name == "Again"
    if form in ("plain", "markdown"):
        keys |= {"ignoreDeckLimitSlots"}
        assert {*theirs["meta"]} == {"attachments_03264", "cus_09021"}
    assert {key: theirs[key] for key in keys} == {key: mine[key] for key in keys}
    if form in ("json", "markdown", "octgn"):
        assert again.notes == NOTES
    if form == "json":
        assert (theirs, again.tags) == (mine, first.tags)


def test_the_page_says_what_each_file_leaves_out(as_alice: Client) -> None:
    """Before the download; HTML tags in the notes are left out."""
    deck = _brought(as_alice, json.dumps(DECK | {"slots": {"01063": 2, "99999": 1}}))
    response = as_alice.get(f"/decks/{deck.pk}/")
    page = text_of(response)

    assert "JSON (ArkhamDB, arkham.build) Complete" in page
    assert (
        "with links and notes Leaves out: tags, notes on single cards, experience, "
        "exiled cards, entries of other programs, unknown card codes: 99999"
    ) in page
    assert "Why Because it works." in page


def test_a_malicious_octgn_file_is_harmless(client: Client) -> None:
    """It is refused with its place."""
    bomb = '<!DOCTYPE deck [<!ENTITY a "aaaa">]>\n<deck>&a;</deck>'
    answer = client.post("/", {"text": bomb})

    assert answer.status_code == 422
    assert (
        "At line 1, column 16: A deck can’t have a document type or entities of its "
        "own. Expected: elements and text alone."
    ) in text_of(answer)


def test_octgn_ids_are_read(
    as_alice: Client, settings: Settings, tmp_path: Path
) -> None:
    """If the operator has a table of them."""
    table = tmp_path / "ids.json"
    table.write_text('{"01063": "b0000000-0000-0000-0000-000000000063"}')
    settings.ORNE_OCTGN_IDS = str(table)
    deck = _brought(as_alice, json.dumps(DECK))
    file = as_alice.get(f"/decks/{deck.pk}/list.o8d").content.decode()

    assert 'id="b0000000-0000-0000-0000-000000000063">Arcane Initiate<' in file
    nameless = file.replace("Arcane Initiate", "?")
    read = read_list(nameless, POOL)
    assert read.content is not None
    assert read.content.deck["slots"]["01063"] == 2


@pytest.mark.parametrize("content", ["[]", "no", '{"01020": 5}', None])
def test_an_invalid_table_of_ids_is_reported_at_once(
    settings: Settings, tmp_path: Path, content: str | None
) -> None:
    """By the system checks, before anything is served."""
    table = tmp_path / "ids.json"
    if content is not None:
        table.write_text(content)
    settings.ORNE_OCTGN_IDS = str(table)

    assert [each.id for each in octgn_ids_are_readable(None)] == ["arkham.E005"]
    settings.ORNE_OCTGN_IDS = ""
    assert octgn_ids_are_readable(None) == []


_KEYS = st.sampled_from(
    ["name", "description_md", "tags", "xp", "xp_spent", "exile_string", "meta", "id",
     "version", "problem", "slots", "sideSlots", "taboo_id", "x"]
)  # fmt: skip
_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=4,
)
_OBJECTS = st.dictionaries(_KEYS, _VALUES).map(
    lambda told: json.dumps({"investigator_code": "01001", "slots": {}} | told)
)
_XML = st.text(st.sampled_from("<>/&;!?\"'=- deckcardsection12#x\n"), max_size=80)


def _kept(client: Client, deck: dict[str, Any], **terms: Any) -> str:
    """Store a deck with these terms; return its address."""
    content = read_content({"deck": deck, "circumstances": terms}).as_json()
    answer = client.post("/decks/bring/", {"content": content})
    return f"/decks/{answer['Location'].split('/')[2]}/"


@pytest.mark.parametrize(
    ("table", "own", "expected"),
    [("latest", None, 10), ("none", 9, None), (8, 9, 8), (None, 9, 9), (99, 9, 9)],
)
def test_the_taboo_list_in_force_is_exported(
    as_alice: Client, table: object, own: int | None, expected: int | None
) -> None:
    """A list in the circumstances is the one it is judged by."""
    deck: dict[str, Any] = {"investigator_code": "01001", "slots": {}, "taboo_id": own}
    address = _kept(as_alice, deck, taboo=table)
    assert as_alice.get(f"{address}list.json").json()["taboo_id"] == expected


@pytest.mark.parametrize(
    "terms",
    [{"ultimatums": ["orthodoxy"]}, {"taboo": "none", "ultimatums": ["orthodoxy"]},
     {"rulings": {"taboo.unnamed": "latest"}}],
)  # fmt: skip
def test_a_taboo_list_no_one_named_is_exported(
    as_alice: Client, terms: dict[str, Any]
) -> None:
    """An ultimatum or a ruling may say by which list a deck is judged."""
    deck = {"investigator_code": "01001", "slots": {}}
    address = _kept(as_alice, deck, **terms)
    assert as_alice.get(f"{address}list.json").json()["taboo_id"] == 10


def _said_of_json(client: Client, deck: dict[str, Any], **terms: Any) -> str:
    """Return the page's notes about the JSON file of a deck with these terms."""
    page = text_of(client.get(_kept(client, deck, **terms)))
    return page.split("JSON (ArkhamDB, arkham.build) ")[1].split(" Text (")[0]


def test_terms_that_no_file_has_are_reported(as_alice: Client) -> None:
    """After an import the deck would be judged differently."""
    deck = {"investigator_code": "01001", "slots": {"01020": 2}}
    assert _said_of_json(as_alice, deck, mode="campaign", taboo=9) == "Complete"
    assert _said_of_json(
        as_alice, deck, mode="standalone", taboo="none", ultimatums=["highlander"]
    ) == (
        "Leaves out: that it is a standalone deck, that no taboo list is used, "
        "ultimatums and boons"
    )
    known = {"tasks": ["02021"], "lost_cards": ["01006"], "experience_earned": 20}
    taken = "recorded tasks, which cards the campaign took"
    assert _said_of_json(as_alice, deck, **known) == f"Leaves out: {taken}"
    lily: dict[str, Any] = {"investigator_code": "08010", "slots": {}}
    assert _said_of_json(as_alice, lily, **known) == (
        f"Leaves out: experience earned so far, {taken}"
    )


@given(st.one_of(_OBJECTS, _XML.map("<deck>{}".format), _XML.map("<!{}".format)))
def test_any_input_gets_a_response(text: str) -> None:
    """A deck, or the reason why there is none."""
    read = read_list(text, POOL)

    assert (read.content is None) == bool(read.faults)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("By the book", "By the book.md"),
        ("", "deck-7.md"),
        ("../..", "deck-7.md"),
        ('a/b\\c:d*e?"f"<g>|h', "a b c d e f g h.md"),
        ("evil\u202edm.exe\r\nX: y\x00", "evil dm.exe X y.md"),
        ("x" * 200, "x" * 80 + ".md"),
    ],
)
def test_the_name_of_a_file_is_harmless(name: str, expected: str) -> None:
    """On every system, whatever the deck's name."""
    assert file_name(name, FORMATS["markdown"], 7) == expected


def test_a_copy_keeps_notes_and_tags(as_alice: Client, alice: User) -> None:
    """It is the same deck, except for its name."""
    deck = _brought(as_alice, json.dumps(DECK))
    as_alice.post(f"/decks/{deck.pk}/copy")

    copy = Deck.objects.filter(owner=alice).exclude(pk=deck.pk).get()
    assert (copy.notes, copy.tags) == (NOTES, "solo theme")


def test_every_published_deck_is_imported_and_exported(shared_data: Path) -> None:
    """In its original form."""
    path = shared_data / "data" / "decks" / "published.jsonl"
    for line in path.read_text("utf-8").splitlines():
        deck = json.loads(line)
        read = read_list(line, POOL)
        assert read.content is not None
        assert read.content.deck == read_content(deck).deck
        assert read.name == deck["name"]
