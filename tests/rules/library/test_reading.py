"""The files of the library are read strictly and keep their earlier versions."""

from __future__ import annotations

import pytest

from arkham.rules.library import NEWEST, VERSIONS, Entry, Library, library
from arkham.rules.library.entries import UnreadableEntry, read_library

PLAIN = 'title = "Copy"\nsources = ["rr Copy"]\ntext = "One."\n'


def read(text: str, slug: str = "copy") -> Library:
    return read_library({"cards": f"[{slug}]\n{text}"})


def entry(text: str) -> Entry:
    return read(f'title = "Copy"\nsources = ["rr Copy"]\ntext = """{text}"""')["copy"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = [", "cards: "),
        (PLAIN + 'colour = "red"', "cards: copy: unknown colour"),
        (PLAIN.replace("Copy", ""), "copy: title: expected a text"),
        (PLAIN.replace('"One."', '" "'), "copy: text: expected a text"),
        (PLAIN.replace('"One."', "1"), "copy: text: expected a text"),
        (PLAIN.replace('["rr Copy"]', "[]"), "sources: expected a list of texts"),
        (PLAIN.replace('["rr Copy"]', '"rr"'), "sources: expected a list of texts"),
        (PLAIN.replace("rr Copy", "wiki Copy"), "'wiki' is no source; expected faq"),
        (PLAIN.replace("rr Copy", "rr"), "'rr': a document has a section"),
        (PLAIN.replace("rr Copy", "reading x"), "ours has none"),
        (PLAIN + 'also = ["a", "a"]', "also: something stands there twice"),
        (PLAIN + 'rows = ["CARD01"]', "rows: 'CARD01' is no row"),
        (PLAIN + 'related = ["unique"]', "cards: copy: no entry 'unique'"),
        (PLAIN.replace("One.", "[One](one)."), "cards: copy: no entry 'one'"),
        (PLAIN.replace("One.", "{9.9} One."), "FAQ 9.9 is not known"),
        (PLAIN.replace("One.", "{none} One."), "begins with no period"),
        (PLAIN.replace("One.", "{} One."), "begins or ends somewhere"),
        (PLAIN.replace("One.", "{2.0-1.5} One."), "ends before it begins"),
        (PLAIN.replace("One.", "{1.5-1.41} One."), "ends before it begins"),
        (PLAIN + "superseded = [{ said = 'x' }]", "superseded: expected rows"),
    ],
)
def test_an_invalid_entry_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UnreadableEntry) as refused:
        read(text)
    assert said in str(refused.value)


def test_a_slug_is_plain_and_unique() -> None:
    with pytest.raises(UnreadableEntry, match="a slug is of small letters"):
        read(PLAIN, slug='"Copy it"')
    text = f"[copy]\n{PLAIN}"
    with pytest.raises(
        UnreadableEntry, match="play: copy: there is such an entry already"
    ):
        read_library({"cards": text, "play": text})


def test_sources_are_in_order_of_precedence() -> None:
    found = read(PLAIN.replace('"rr Copy"', '"glossary C", "rr Copy", "faq 2.21"'))
    assert [(each.rank, each.name) for each in found["copy"].sources] == [
        (1, "FAQ 2.5"),
        (2, "Rules Reference"),
        (4, "Collected glossary of 2024, made by players"),
    ]


def test_a_paragraph_applies_from_one_version_until_another() -> None:
    found = entry("Always.\n\n{-1.1} First.\n\n{1.1-2.0} Second.\n\n{2.0} Third.")
    read_as_of = {
        version: [each.text for each in found.as_of(version)]
        for version in ("none", "1.0", "1.1", "1.41", "2.0", "2.5")
    }
    assert read_as_of == {
        "none": ["Always.", "First."],
        "1.0": ["Always.", "First."],
        "1.1": ["Always.", "Second."],
        "1.41": ["Always.", "Second."],
        "2.0": ["Always.", "Third."],
        "2.5": ["Always.", "Third."],
    }
    assert [
        (each.version, [old.text for old in each.was], [new.text for new in each.now])
        for each in found.changes
    ] == [("1.1", ["First."], ["Second."]), ("2.0", ["Second."], ["Third."])]


def test_versions_are_in_order_of_publication() -> None:
    """1.41 was published after 1.4 and before 1.5, whatever the numbers suggest."""
    assert VERSIONS.index("1.4") < VERSIONS.index("1.41") < VERSIONS.index("1.5")
    assert VERSIONS[0] == "none"
    assert NEWEST == VERSIONS[-1] == "2.5"


def test_the_permanent_keyword_grew_with_the_faq() -> None:
    """Rows ERR-04, X-03 and X-04 of the catalogue."""
    permanent = library()["permanent"]
    before = " ".join(each.text for each in permanent.as_of("none"))
    since = " ".join(each.text for each in permanent.as_of("2.0"))
    assert "cannot be discarded" in before
    assert "Once in a deck it stays" not in before
    assert "cannot be discarded" not in since
    assert "Once in a deck it stays" in since
    assert "blank" not in since
    assert [each.version for each in permanent.changes] == ["1.1", "2.0", "2.5"]


def test_the_library_is_sorted_by_title() -> None:
    found = read_library(
        {
            "cards": "".join(
                f'[{slug}]\ntitle = "{title}"\nsources = ["reading"]\ntext = "x."\n'
                for slug, title in (("b", "“Other”"), ("a", "Zeal"), ("c", "Łódź"))
            )
        }
    )
    assert [each.title for each in found.values()] == ["Łódź", "“Other”", "Zeal"]
    assert list(found.by_letter) == ["L", "O", "Z"]
    assert [each.slug for each in found.by_topic["cards"]] == ["c", "b", "a"]
    assert found.by_topic["play"] == []
