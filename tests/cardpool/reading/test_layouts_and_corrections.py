"""Both layouts of the source, and the table of corrections."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cardpool.reading import (
    DataCorrections,
    ParsedSource,
    SourceReading,
    load_corrections,
    read_directory,
    read_source,
    to_pool,
)
from cardpool.reading.corrections import DataCorrection
from cardpool.reading.records import (
    Bounds,
    Demands,
    read_bounds,
    read_demands,
    split_list,
    split_slots,
    split_tags,
)
from cardpool.reading.requirements import printed_copies
from tests.cardpool.reading.records import (
    PRODUCTS,
    SIGNATURE,
    investigator,
    read,
    record,
)

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
    """Return a record of the files as the API would send it, in another language."""
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
    """Parse a requirement string as the API does: later items overwrite earlier."""
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
    """Read one record with one correction."""
    source = ParsedSource((("a.json", record(**changes)),), PRODUCTS)
    return read_source(source, DataCorrections((row,)))


def test_a_correction_applies_if_the_data_is_as_expected() -> None:
    """To a whole field, or within it."""
    row = DataCorrection("01500", ("traits",), "print", found="Tool.", right="Relic.")
    reading = corrected(row, traits="Tool.")
    assert reading.problems == ()
    assert reading.cards["01500"].traits == ("relic",)


def test_a_correction_that_no_longer_matches_is_reported() -> None:
    """And not applied."""
    row = DataCorrection("01500", ("traits",), "print", found="Tool.", right="Relic.")
    reading = corrected(row, traits="Relic. Item.")
    assert reading.cards["01500"].traits == ("relic", "item")
    (problem,) = reading.problems
    assert not problem.serious
    assert (problem.code, problem.field) == ("01500", "traits")
    assert problem.found == "Relic. Item."
    assert problem.expected.endswith("it no longer bites")


def test_a_correction_of_an_absent_field() -> None:
    """Absent fields can be added, but not within a missing parent."""
    row = DataCorrection("01500", ("exile",), "print", right=True)
    assert corrected(row).problems == ()
    assert [each.found for each in corrected(row, exile=True).problems] == ["True"]
    within = DataCorrection(
        "01500", ("deck_options", "0", "type"), "print", right=["x"]
    )
    (problem,) = corrected(within).problems
    assert (problem.found, problem.serious) == ("nothing", False)


def test_corrections_do_not_change_the_source() -> None:
    """It can be read again with the same result."""
    raw = investigator()
    row = DataCorrection(
        "01400", ("deck_options", "0", "type"), "print", right=["skill"]
    )
    source = ParsedSource((("a.json", raw), ("a.json", SIGNATURE)), PRODUCTS)
    for _ in range(2):
        reading = read_source(source, DataCorrections((row,)))
        assert reading.problems == ()
    assert "type" not in raw["deck_options"][0]


def test_a_correction_by_part_of_a_text_and_from_another_record() -> None:
    """Texts are never repeated in the table."""
    row = DataCorrection(
        "01500", ("text",), "FAQ", contains="moon", right_from="01501", taboo=(1,)
    )
    entries = [{"code": "01500", "text": "a moon"}, {"code": "01501", "text": "a sun"}]
    taboo = {"code": "001", "date_start": "", "cards": entries}
    source = ParsedSource((("a.json", record()),), PRODUCTS, taboos=(taboo,))
    reading = read_source(source, DataCorrections((row,)))
    assert reading.taboo_texts[1] == {"01500": "a sun", "01501": "a sun"}


def test_every_row_of_the_table_applies(shared_data: Path) -> None:
    """To the shared data; each is cited, none twice."""
    rows = load_corrections().rows
    assert len({(row.code, row.path, row.taboo) for row in rows}) == len(rows) == 23
    assert all(row.cite for row in rows)
    reading = read_directory(shared_data / "data" / "arkhamdb")
    assert not [each for each in reading.problems if "bites" in each.expected]


def test_rows_about_missing_products_are_silent() -> None:
    """A small source with the whole table."""
    reading = read_source(ParsedSource((("a.json", record()),), PRODUCTS))
    assert reading.problems == ()


def test_a_pool_is_named_after_its_contents() -> None:
    """The same facts have the same name."""
    first, again = to_pool(read(record())), to_pool(read(record()))
    other = to_pool(read(record(name="Lamp")))
    assert first.version == again.version
    assert first.version != other.version
    assert first["01500"].name == "Lantern"
