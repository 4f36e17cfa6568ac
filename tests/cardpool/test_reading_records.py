"""Bad records, both layouts, and the table of corrections, on small sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardpool.reading import (
    DataCorrections,
    ParsedSource,
    RecordProblem,
    SourceReading,
    load_corrections,
    read_directory,
    read_source,
    to_pool,
)
from cardpool.reading.corrections import DataCorrection
from cardpool.reading.layouts import (
    Bounds,
    Demands,
    read_bounds,
    read_demands,
    split_list,
    split_slots,
    split_tags,
)
from cardpool.reading.requirements import printed_copies

NONE = DataCorrections()


def record(code: str = "01500", **changes: Any) -> dict[str, Any]:
    """A plain asset, changed; None leaves a field out."""
    plain: dict[str, Any] = {
        "code": code,
        "name": "Lantern",
        "type_code": "asset",
        "faction_code": "seeker",
        "pack_code": "core",
        "position": 1,
        "quantity": 2,
        "deck_limit": 2,
        "xp": 0,
        "cost": 2,
        "traits": "Item. Tool.",
        **changes,
    }
    return {name: value for name, value in plain.items() if value is not None}


def read(*records: Any, **parts: Any) -> SourceReading:
    """A source of one file, without corrections."""
    source = ParsedSource(tuple(("a.json", each) for each in records), **parts)
    return read_source(source, NONE)


# -- bad records --


@pytest.mark.parametrize(
    ("changes", "field", "found", "expected"),
    [
        ({"name": None}, "name", "None", "text"),
        ({"name": 5}, "name", "5", "text"),
        ({"type_code": "gadget"}, "type_code", "gadget", "a card type"),
        ({"type_code": None}, "type_code", "", "a card type"),
        ({"faction_code": "bard"}, "faction_code", "bard", "a class"),
        ({"faction_code": None}, "faction_code", "None", "a class"),
        ({"xp": "2"}, "xp", "2", "an integer"),
        ({"xp": True}, "xp", "True", "an integer"),
        ({"quantity": -1}, "quantity", "-1", "0 or more"),
        ({"position": 1.5}, "position", "1.5", "an integer"),
        ({"traits": ["Item"]}, "traits", "['Item']", "text"),
        ({"is_unique": "yes"}, "is_unique", "yes", "true or false"),
        ({"pack_code": None}, "pack_code", "None", "text"),
        ({"subtype_code": "odd"}, "subtype_code", "odd", "basicweakness or weakness"),
        ({"tags": "hh.zz."}, "tags", "zz", "hh, hd, pa, se, fa"),
        ({"restrictions": "moon:full"}, "restrictions", "moon:full", "who may hold it"),
        (
            {"duplicate_of": "77777"},
            "duplicate_of",
            "77777",
            "the code of another card",
        ),
        (
            {"customization_options": [{"xp": 1}], "customization_text": ""},
            "customization_text",
            "1",
            "1 lines",
        ),
        (
            {"customization_options": "x", "customization_text": "□ <b>A.</b>"},
            "customization_options",
            "x",
            "a list of objects",
        ),
        (
            {
                "customization_options": [{"xp": 1, "choice": "choose_moon"}],
                "customization_text": "□ <b>A.</b>",
            },
            "customization_options.0",
            "{'xp': 1, 'choice': 'choose_moon'}",
            "a sheet's line",
        ),
    ],
)
def test_bad_field_is_told_and_costs_the_record(
    changes: dict[str, Any], field: str, found: str, expected: str
) -> None:
    """By file, code, field, found, expected; the good record beside it is read."""
    reading = read(record(**changes), record("01501"))
    assert RecordProblem("a.json", "01500", field, found, expected) in reading.faults
    assert list(reading.cards) == ["01501"]


def _armor(*names: str) -> SourceReading:
    """Hunter's Armor with these lines."""
    lines = {
        "customization_options": [{"xp": 1}] * len(names),
        "customization_text": "\n".join(f"□ <b>{name}.</b>" for name in names),
    }
    return read(record("09021", **lines))


def test_lines_of_a_sheet_that_change_places_are_told() -> None:
    """Decks know them by their place: the card is read, and somebody should look."""
    moved = _armor("Protective Runes", "Enchanted", "Durable")
    assert [str(each) for each in moved.problems] == [
        "a.json 09021 customization_options.0: found protective-runes, "
        "expected enchanted, as decks know the line",
        "a.json 09021 customization_options.1: found enchanted, "
        "expected protective-runes, as decks know the line",
    ]
    assert moved.faults == ()
    assert len(moved.cards["09021"].sheet) == 3


def test_lines_in_their_places_and_new_ones_are_no_news() -> None:
    """So are sheets of cards that nobody knows yet."""
    assert _armor("Enchanted", "Protective Runes").problems == ()
    assert (
        read(
            record(
                "99021",
                customization_options=[{"xp": 1}],
                customization_text="□ <b>New.</b>",
            )
        ).problems
        == ()
    )


@pytest.mark.parametrize("bad", [None, 7, "x", [], {}, {"code": 5}, {"code": ""}])
def test_records_without_a_code(bad: Any) -> None:
    """Nothing else can be said of them."""
    reading = read(bad, record())
    assert [each.field for each in reading.faults] == ["code"]
    assert list(reading.cards) == ["01500"]


def test_every_fault_of_a_record_is_told() -> None:
    """Not only the first."""
    reading = read(record(name=5, xp="2", traits=1))
    assert {each.field for each in reading.faults} == {"name", "xp", "traits"}


def test_long_values_are_cut() -> None:
    """A report is no place for a novel."""
    (problem,) = read(record(type_code="x" * 500)).faults
    assert len(problem.found) == 60
    assert str(problem).startswith("a.json 01500 type_code: found xxx")


def test_reprints_in_a_circle() -> None:
    """Each is told to name another card; nothing loops."""
    reading = read(record(duplicate_of="01501"), record("01501", duplicate_of="01500"))
    assert {each.field for each in reading.faults} == {"duplicate_of"}


def test_a_reprint_of_a_reprint_is_one_card() -> None:
    """Stubs carry nothing but where they were printed."""
    stub = {"pack_code": "rcore", "position": 9, "quantity": 1}
    reading = read(
        record(),
        {"code": "01600", "duplicate_of": "01500", **stub},
        {"code": "01700", "duplicate_of": "01600", **stub},
    )
    assert reading.problems == ()
    (card,) = reading.cards.values()
    assert [each.code for each in card.printings] == ["01500", "01600", "01700"]


def test_a_repeated_code_is_remarked_and_the_last_counts() -> None:
    """It costs nothing."""
    reading = read(record(name="First"), record(name="Second"))
    assert reading.faults == ()
    assert [each.found for each in reading.problems] == ["two records"]
    assert reading.cards["01500"].name == "Second"


def investigator(**changes: Any) -> dict[str, Any]:
    """An investigator card with a plain back and one signature."""
    return record(
        "01400",
        **{
            "type_code": "investigator",
            "xp": None,
            "deck_limit": 1,
            "deck_requirements": "size:30, card:01401, random:subtype:basicweakness",
            "deck_options": [{"faction": ["seeker"], "level": {"min": 0, "max": 5}}],
            "back_text": "<b>Deckbuilding Options</b>: Seeker cards.",
            **changes,
        },
    )


SIGNATURE = record("01401", xp=None, restrictions="investigator:01400", deck_limit=1)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({"faction": ["bard"]}, "a class or neutral"),
        ({"level": {"min": 0}}, "levels with min and max"),
        ({"level": {"min": 3, "max": 1}}, "levels with min and max"),
        ({"level": 3}, "levels with min and max"),
        ({"limit": "five"}, "a number of copies"),
        ({"colour": "red"}, "keys of deck options"),
        ({"atleast": {"types": 3, "min": 1}}, "a number of classes and of cards each"),
        ({"id": "faction_9", "faction_select": ["seeker"]}, "faction_1 or faction_2"),
        ({"faction_select": ["bard"]}, "a deck option"),
        ({"type": ["gadget"]}, "a deck option"),
        ({"trait": 5}, "a deck option"),
        ({"tag": ["zz"]}, "a deck option"),
        ({"deck_size_select": ["many"]}, "a deck option"),
        ({"option_select": [{}]}, "a deck option"),
    ],
)
def test_bad_options(option: dict[str, Any], expected: str) -> None:
    """The place in the list is told; the investigator is refused."""
    reading = read(investigator(deck_options=[option]), SIGNATURE)
    assert [(each.field, each.expected) for each in reading.faults] == [
        ("deck_options.0", expected)
    ]
    assert "01400" not in reading.cards


@pytest.mark.parametrize(
    "requirements", ["size:many", "card:01401", "moon:1", 7, [], {"size": []}]
)
def test_bad_requirements(requirements: Any) -> None:
    """A back has a size."""
    reading = read(investigator(deck_requirements=requirements), SIGNATURE)
    assert [each.field for each in reading.faults] == ["deck_requirements"]


def test_a_requirement_that_is_no_signature() -> None:
    """A required card is one that only this investigator may hold."""
    reading = read(investigator(), record("01401"))
    assert [each.expected for each in reading.faults] == [
        "a card only this one may hold"
    ]


def test_copies_of_a_card_that_is_not_required() -> None:
    """The printed line and the data must speak of the same cards."""
    text = "<b>Deckbuilding Requirements</b>: 3 copies of Moonstone, 1 random."
    reading = read(investigator(back_text=text), SIGNATURE)
    assert [(each.field, each.found) for each in reading.faults] == [
        ("back_text", "moonstone")
    ]


def test_an_alternative_no_word_accounts_for() -> None:
    """It is remarked, not believed."""
    reading = read(
        investigator(deck_requirements="size:30, card:01401:01402"),
        SIGNATURE,
        record("01402", xp=None, restrictions="investigator:01400"),
    )
    assert reading.faults == ()
    assert [each.found for each in reading.problems] == ["01402"]


@pytest.mark.parametrize(
    "taboos",
    [[5], [{}], [{"code": "x", "cards": []}], [{"code": "001", "cards": "no"}]],
)
def test_bad_taboo_lists(taboos: list[Any]) -> None:
    """A list has a number and entries."""
    reading = read(record(), taboos=tuple(taboos))
    assert [(each.file, each.field) for each in reading.faults] == [
        ("taboos.json", "cards")
    ]
    assert reading.taboo_lists == ()


def test_taboo_entry_of_no_card_is_remarked() -> None:
    """A source need not hold every product."""
    taboo = {"code": "001", "date_start": "2019-04-20", "cards": [{"code": "09999"}]}
    reading = read(record(), taboos=(taboo,))
    assert reading.faults == ()
    assert [each.expected for each in reading.problems] == ["a card of the game"]
    assert reading.taboo_lists[0].changes == {}


def test_taboo_entry_of_a_reprint_alone_counts() -> None:
    """It changes the card, under the card's own code."""
    taboo = {"code": "001", "date_start": "", "cards": [{"code": "01600", "xp": 2}]}
    stub = {"code": "01600", "duplicate_of": "01500", "pack_code": "rcore"}
    reading = read(record(), stub, taboos=(taboo,))
    assert reading.taboo_lists[0].changes["01500"].experience == 2


def test_bad_products() -> None:
    """Packs and cycles are records too."""
    reading = read(
        record(),
        packs=(5, {"code": "core", "name": "Core Set"}, {"code": "x", "name": 1}),
        cycles=({"code": "core", "name": "Core", "position": "1"},),
    )
    assert {(each.file, each.code, each.field) for each in reading.faults} == {
        ("packs.json", "", "code"),
        ("packs.json", "core", "cycle_code"),
        ("packs.json", "x", "name"),
        ("packs.json", "x", "cycle_code"),
        ("cycles.json", "core", "position"),
    }


def test_an_empty_folder(tmp_path: Path) -> None:
    """Every file missed is named; nothing is raised."""
    reading = read_directory(tmp_path)
    assert [each.file for each in reading.faults] == [
        *("pack", "packs.json", "cycles.json", "encounters.json", "taboos.json"),
    ]


@pytest.mark.parametrize("content", ["{", "{}", '"x"', "\xff", "[" * 100_000])
def test_files_that_are_no_lists(tmp_path: Path, content: str) -> None:
    """Broken JSON, other JSON, other encodings, and too deep."""
    folder = tmp_path / "pack" / "core"
    folder.mkdir(parents=True)
    (folder / "core.json").write_bytes(content.encode("latin-1"))
    reading = read_directory(tmp_path)
    assert reading.faults[0].file == "pack/core/core.json"
    assert reading.faults[0].expected in ("a JSON file", "a list")


# -- the two layouts --


def test_requirements_in_both_layouts() -> None:
    """Text in the files, objects in the API (where alternatives may be lost)."""
    text = "size:35, card:03018:90088, card:03019, random:subtype:basicweakness"
    parsed = {
        "size": "35",
        "card": {
            "03018": {"03018": "03018", "90088": "90088"},
            "03019": {"03019": "03019"},
        },
        "random": [{"target": "subtype", "value": "basicweakness"}],
    }
    wanted = Demands(35, (("03018", "90088"), ("03019",)), 1)
    assert read_demands(text) == wanted
    assert read_demands(parsed) == wanted
    assert read_demands({"size": 30, "card": {"1": 5}}) is None


def test_restrictions_in_both_layouts() -> None:
    """Both separators of the files; objects and lists of the API."""
    both = Bounds(investigators=("11007", "11008"))
    assert read_bounds("investigator:11007, investigator:11008") == both
    assert read_bounds("investigator:11007:11008") == both
    assert read_bounds({"investigator": {"11007": "11007", "11008": "11008"}}) == both
    assert read_bounds({"trait": ["Scholar"]}) == Bounds(traits=("scholar",))
    assert read_bounds("faction:guardian") == Bounds(classes=("guardian",))
    assert read_bounds(5) is None
    assert read_bounds({"trait": 5}) is None


def test_lists_of_words() -> None:
    """Traits, slots and tags, with and without their last stop."""
    assert split_list("Item. Silver Twilight.") == ("item", "silver twilight")
    assert split_list("Humanoid. Creature") == ("humanoid", "creature")
    assert split_list("") == ()
    assert split_slots("Hand x2. Arcane") == ("hand", "hand", "arcane")
    assert split_tags("hd.hh") == split_tags("hd.hh.") == ("hd", "hh")


def test_copies_in_words_and_figures() -> None:
    """As many ways as backs print it."""
    line = "<b>Deckbuilding Requirements</b> (no): {}, 1 random basic weakness."
    copies = printed_copies(line.format("Two copies of Resolve, 3 copies of Daisy’s"))
    assert {name: each.least for name, each in copies.items()} == {
        "resolve": 2,
        "daisy's": 3,
    }
    assert printed_copies(line.format("Resolve")) == {}
    assert printed_copies("") == {}


def as_api(values: dict[str, Any], cards: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A record of the files as the API would answer it, in another language."""
    original = values
    while "duplicate_of" in original:
        original = cards[original["duplicate_of"]]
    names = {
        "duplicate_of": "duplicate_of_code",
        "alternate_of": "alternate_of_code",
        "back_link": "linked_to_code",
    }
    answer = {
        names.get(name, name): value
        for name, value in {**original, **values}.items()
        if value is not None
    }
    for name in ("name", "text", "traits", "slot"):
        if name in answer:
            answer[f"real_{name}"] = answer[name]
            answer[name] = "übersetzt"
    if isinstance(answer.get("deck_requirements"), str):
        answer["deck_requirements"] = parsed(answer["deck_requirements"])
    if isinstance(answer.get("restrictions"), str):
        answer["restrictions"] = parsed(answer["restrictions"])
    if isinstance(answer.get("side_deck_requirements"), str):
        answer["side_deck_requirements"] = parsed(answer["side_deck_requirements"])
    return answer


def parsed(text: str) -> dict[str, Any]:
    """A requirement string as the API parses it: later items overwrite earlier."""
    result: dict[str, Any] = {}
    for item in text.split(","):
        kind, *rest = item.strip().split(":")
        if kind == "size":
            result["size"] = int(rest[0])
        elif kind == "card":
            result.setdefault("card", {})[rest[0]] = {each: each for each in rest}
        elif kind == "random":
            result.setdefault("random", []).append(
                {"target": rest[0], "value": rest[1]}
            )
        elif kind == "investigator":
            result["investigator"] = {each: each for each in rest}
        else:
            result.setdefault(kind, []).extend(rest)
    return result


def test_the_api_gives_the_same_facts(shared_data: Path) -> None:
    """Copied-out reprints, parsed strings, translated fields, lists as text."""
    folder = shared_data / "data" / "arkhamdb"
    cards: dict[str, dict[str, Any]] = {}
    for file in sorted(folder.glob("pack/*/*.json")):
        cards.update({each["code"]: each for each in json.loads(file.read_text())})
    taboos = [
        {**each, "cards": json.dumps(each["cards"])}
        for each in json.loads((folder / "taboos.json").read_text())
    ]
    names = {
        each["code"]: each["name"]
        for each in json.loads((folder / "encounters.json").read_text())
    }
    answers = [as_api(each, cards) for each in cards.values()]
    for answer in answers:
        if "encounter_code" in answer:
            answer["encounter_name"] = names[answer["encounter_code"]]
    from_files = read_directory(folder)
    from_api = read_source(
        ParsedSource(
            records=tuple(("cards", answer) for answer in answers),
            packs=tuple(json.loads((folder / "packs.json").read_text())),
            taboos=tuple(taboos),
        )
    )
    assert from_api.faults == ()
    assert from_api.cards == from_files.cards
    assert from_api.taboo_lists == from_files.taboo_lists
    assert from_api.encounter_sets.items() <= from_files.encounter_sets.items()
    assert len(from_api.encounter_sets) > 300


# -- corrections --


def corrected(row: DataCorrection, **changes: Any) -> SourceReading:
    """One record under one correction."""
    source = ParsedSource((("a.json", record(**changes)),))
    return read_source(source, DataCorrections((row,)))


def test_a_correction_bites_where_the_data_is_as_it_says() -> None:
    """A whole field, and one within it."""
    row = DataCorrection("01500", ("traits",), "print", found="Tool.", right="Relic.")
    reading = corrected(row, traits="Tool.")
    assert reading.problems == ()
    assert reading.cards["01500"].traits == ("relic",)


def test_a_correction_that_no_longer_bites_is_told() -> None:
    """And not applied."""
    row = DataCorrection("01500", ("traits",), "print", found="Tool.", right="Relic.")
    reading = corrected(row, traits="Relic. Item.")
    assert reading.cards["01500"].traits == ("relic", "item")
    (problem,) = reading.problems
    assert not problem.serious
    assert (problem.code, problem.field) == ("01500", "traits")
    assert problem.found == "Relic. Item."
    assert problem.expected.endswith("it no longer bites")


def test_a_correction_of_what_is_absent() -> None:
    """Absent fields can be added, but not within what is missing altogether."""
    row = DataCorrection("01500", ("exile",), "print", right=True)
    assert corrected(row).problems == ()
    assert [each.found for each in corrected(row, exile=True).problems] == ["True"]
    within = DataCorrection(
        "01500", ("deck_options", "0", "type"), "print", right=["x"]
    )
    (problem,) = corrected(within).problems
    assert (problem.found, problem.serious) == ("nothing", False)


def test_corrections_leave_the_source_as_it_was() -> None:
    """So that it can be read again with the same result."""
    raw = investigator()
    row = DataCorrection(
        "01400", ("deck_options", "0", "type"), "print", right=["skill"]
    )
    source = ParsedSource((("a.json", raw), ("a.json", SIGNATURE)))
    for _ in range(2):
        reading = read_source(source, DataCorrections((row,)))
        assert reading.problems == ()
    assert "type" not in raw["deck_options"][0]


def test_a_correction_by_a_part_of_the_text_and_from_another_entry() -> None:
    """Texts are never repeated in the table."""
    row = DataCorrection(
        "01500", ("text",), "FAQ", contains="moon", right_from="01501", taboo=(1,)
    )
    entries = [{"code": "01500", "text": "a moon"}, {"code": "01501", "text": "a sun"}]
    taboo = {"code": "001", "date_start": "", "cards": entries}
    source = ParsedSource((("a.json", record()),), taboos=(taboo,))
    reading = read_source(source, DataCorrections((row,)))
    assert reading.taboo_texts[1] == {"01500": "a sun", "01501": "a sun"}


def test_every_row_of_the_table_bites(shared_data: Path) -> None:
    """On the shared data; each is cited, none twice."""
    rows = load_corrections().rows
    assert len({(row.code, row.path, row.taboo) for row in rows}) == len(rows) == 23
    assert all(row.cite for row in rows)
    reading = read_directory(shared_data / "data" / "arkhamdb")
    assert not [each for each in reading.problems if "bites" in each.expected]


def test_rows_about_products_not_in_the_source_are_silent() -> None:
    """A small source under the whole table."""
    reading = read_source(ParsedSource((("a.json", record()),)))
    assert reading.problems == ()


def test_what_is_read_makes_a_pool() -> None:
    """Named after its contents: the same facts, the same name."""
    first, again = to_pool(read(record())), to_pool(read(record()))
    other = to_pool(read(record(name="Lamp")))
    assert first.version == again.version
    assert first.version != other.version
    assert first["01500"].name == "Lantern"
