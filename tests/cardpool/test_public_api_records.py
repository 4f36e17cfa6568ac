"""Parts and records behind the public API, and its responses with full texts."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from arkham.rules.snapshot import embedded_pool
from cardpool import services
from cardpool.catalog import current_pool
from cardpool.models import PublicCard
from cardpool.public.answers import current_records
from cardpool.public.cards import PublicCardWriter, parsed, php_json
from cardpool.reading import read_directory, to_pool
from cardpool.reading.records import (
    EMBEDDED,
    Records,
    UnreadableRecords,
    embedded_records,
    facts_only,
    read_records,
    write_records,
)
from tests.cardpool.api_shape import answers, serving
from tests.cardpool.public_api import API, fetch, fetch_json

pytestmark = pytest.mark.usefixtures("rows")

# -- parts --


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("size:30", {"size": 30}),
        ("card:01006", {"card": {"01006": {"01006": "01006"}}}),
        (
            "card:01006:90030",
            {"card": {"01006": {"01006": "01006", "90030": "90030"}}},
        ),
        (
            "random:subtype:basicweakness, random:subtype:basicweakness",
            {
                "random": [
                    {"target": "subtype", "value": "basicweakness"},
                    {"target": "subtype", "value": "basicweakness"},
                ]
            },
        ),
        (
            "investigator:01001:90024",
            {"investigator": {"01001": "01001", "90024": "90024"}},
        ),
        ("faction:x:1:2", {"faction": {"x": {"min": "1", "max": "2"}}}),
        (
            "cards:any:3:4",
            {"cards": {"any": {"min": 0, "max": "4", "limit": "3"}}},
        ),
        ("trait:scholar,trait:a b", {"trait": ["scholar", "a b"]}),
        # On the site the last of these takes the place of the others.
        (
            "investigator:11007, investigator:11008",
            {"investigator": {"11007": "11007", "11008": "11008"}},
        ),
        (
            "card:03018:90088, card:03018:90089",
            {"card": {"03018": {"03018": "03018", "90088": "90088", "90089": "90089"}}},
        ),
        ({"size": 30}, {"size": 30}),
        (None, None),
    ],
)
def test_requirements_are_parsed(text: Any, result: Any) -> None:
    """Each form there is; repeated ones stay."""
    assert parsed(text) == result


def test_json_is_written_as_php_writes_it() -> None:
    """ASCII, no blanks, slashes escaped, empty arrays for empty lists."""
    value: dict[str, Any] = {
        "name": "Ætherflux “é” 🐙",
        "url": "a/b",
        "none": [],
        "no": None,
    }
    assert php_json(value) == (
        r'{"name":"\u00c6therflux \u201c\u00e9\u201d \ud83d\udc19","url":"a\/b",'
        r'"none":[],"no":null}'
    )


def test_circular_records_are_served_all_the_same() -> None:
    """Bad data doesn't stop the server."""
    cards = {
        "1": {"code": "1", "name": "A", "duplicate_of": "2"},
        "2": {"code": "2", "name": "B", "duplicate_of": "1", "back_link": "2"},
        "3": {"code": "3", "duplicate_of": "9", "pack_code": "x"},
    }
    told = list(PublicCardWriter(Records(cards), {}).bodies({}))
    assert sorted(each.code for each in told) == ["1", "2", "3"]


# -- the records that come with us --


def _texts_within(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in ("deck_requirements", "restrictions"):
                yield from _texts_within(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_within(each)
    elif isinstance(value, str):
        yield value


def test_the_embedded_records_are_facts() -> None:
    """Names and words, and the patterns by which a few options match card texts."""
    records = embedded_records()
    assert records == facts_only(records)
    patterns = {
        text
        for card in records.cards.values()
        for option in card.get("deck_options") or []
        for text in option.get("text", [])
    }
    long = {
        text
        for held in (records.cards, records.packs, records.taboos)
        for text in _texts_within(
            list(held.values() if isinstance(held, dict) else held)
        )
        if len(text) > 60
    }
    assert long <= patterns
    assert len(patterns) == 4


def test_the_embedded_records_are_those_of_the_embedded_pool(
    shared_data: Path,
) -> None:
    """They were exported again after every change."""
    reading = read_directory(shared_data / "data" / "arkhamdb")
    version = to_pool(reading).version
    assert read_records(EMBEDDED.read_bytes())[1] == version == embedded_pool().version

    def unpacked(data: bytes) -> tuple[bytes, bytes]:
        header, _, body = data.partition(b"\n")
        return header, lzma.decompress(body)

    fresh = write_records(reading.records, version)
    assert unpacked(fresh) == unpacked(EMBEDDED.read_bytes())
    assert len(fresh) < 200_000


def test_exported_records_are_those_that_were_imported(tmp_path: Path) -> None:
    """From the database to a file."""
    call_command("export_snapshot", str(tmp_path / "pool"), stdout=StringIO())
    records, version = read_records((tmp_path / "pool.records").read_bytes())
    assert version == embedded_pool().version
    assert records == embedded_records() == current_records()


@pytest.mark.parametrize(
    "data", [b"", b"orne-snapshot 1 x\n", b"orne-records 1 x\nnothing"]
)
def test_an_invalid_file_is_refused(data: bytes) -> None:
    """With what was expected."""
    with pytest.raises(UnreadableRecords):
        read_records(data)


# -- with the full texts --


@pytest.fixture
def imported(shared_data: Path) -> Iterator[Path]:
    """The shared data with all its texts in the database."""
    folder = shared_data / "data" / "arkhamdb"
    with transaction.atomic():
        call_command("import_cards", str(folder), stdout=StringIO(), stderr=StringIO())
        yield folder
        transaction.set_rollback(True)


# What the API's columns of 2024 do not have, and what only the files name.
_NOT_TOLD = ("back_illustrator", "back_traits", "back_subname")
# What the site loses of repeated items, and the side deck, is told whole here.
_MENDED = ("deck_requirements", "restrictions")


def test_every_card_has_the_sites_fields(imported: Path) -> None:
    """With its texts, as the operator of this server has imported them."""
    expected = {
        each["code"]: each
        for each in answers(imported)["/api/public/cards/?encounter=1"]
    }
    told = {each["code"]: each for each in fetch_json("cards/?encounter=1")}
    assert told.keys() == expected.keys()
    mended = set()
    for code, wanted in expected.items():
        found = told[code]
        for name, value in wanted.items():
            if name == "url":
                assert found[name] == f"http://testserver{value}"
            elif name in _MENDED and found[name] != value:
                mended.add(code)
            elif name == "errata_date":
                assert found[name]["date"] == f"{value} 00:00:00.000000"
            elif name in ("side_deck_requirements", *_NOT_TOLD):
                continue
            elif value is False or (value == 0 and name == "clues_fixed"):
                assert found.get(name, False) in (False, 0)
            else:
                assert found[name] == value, (code, name)
    assert {"03006", "90087"} <= mended
    assert all(told[code]["restrictions"] for code in mended - {"03006", "90087"})
    # Texts stand in their places, in the language of the site and in English.
    keys = list(fetch_json("card/01020"))
    assert keys[keys.index("cost") + 1 :][:3] == ["text", "real_text", "quantity"]
    investigator = list(fetch_json("card/01001"))
    assert investigator[investigator.index("deck_options") + 1 :][:8] == [
        "flavor",
        "illustrator",
        "is_unique",
        "permanent",
        "double_sided",
        "back_text",
        "back_flavor",
        "url",
    ]
    sheet = list(fetch_json("card/09022"))
    assert sheet[sheet.index("real_text") + 1 :][:3] == [
        "customization_text",
        "customization_change",
        "customization_options",
    ]
    taboo = json.loads(fetch_json("taboos/")[0]["cards"])
    assert any("text" in entry for entry in taboo)


@pytest.mark.slow
def test_the_responses_can_be_imported_as_the_same_pool(imported: Path) -> None:
    """What another server reads here is the pool this one has, rule by rule."""
    paths = ("cards/?encounter=1", "packs/", "taboos/")
    replies = {API + path: fetch(path).content for path in paths}
    services.load_pool(services.Contents(embedded_pool(), "test"))
    with serving(replies) as base:
        call_command("import_cards", base, stdout=StringIO(), stderr=StringIO())
    assert current_pool().version == embedded_pool().version
    # Served once more, they are the same.
    for path in paths:
        assert json.loads(fetch(path).content) == json.loads(replies[API + path])


def test_a_pool_without_records_gives_empty_lists(rows: object) -> None:
    """As a program might load one."""
    with transaction.atomic():
        services.load_pool(services.Contents(embedded_pool(), "test"))
        assert not PublicCard.objects.exists()
        assert fetch("cards/").content == b"[]"
        assert fetch("packs/").content == b"[]"
        assert fetch("taboos/").content == b"[]"
        transaction.set_rollback(True)
