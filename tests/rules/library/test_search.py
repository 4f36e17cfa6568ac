"""A player at the table types a word and finds the rule."""

from __future__ import annotations

import pytest

from arkham.rules.library import find, library, named, respelt

LIBRARY = library()


def found(text: str) -> list[str]:
    return [entry.slug for entry in find(LIBRARY, text)]


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("permanent", "permanent"),
        ("PERMANENT ", "permanent"),
        ("Trwała", "permanent"),
        ("trwala", "permanent"),
        ("aoo", "attack-of-opportunity"),
        ("opportunity", "attack-of-opportunity"),
        ("xp", "experience"),
        ("autofail", "automatic"),
        ("auto-fail", "automatic"),
        ("Grim Rule", "golden-rule"),
        ("Ponura zasada", "golden-rule"),
        ("skull", "chaos-tokens"),
        ("obłąkani", "killed-insane"),
        ("weakness po", "random-basic-weakness"),
        ("Daniel Chesterfield", "path-to-carcosa"),
        ("deck.size", "deck-size"),
        ("price.refill", "refill"),
        ("x", "x"),
        ("a", "a-an"),
        ("po", "after"),
    ],
)
def test_the_intended_entry_is_first(text: str, slug: str) -> None:
    assert found(text)[0] == slug


def test_a_search_by_name_looks_at_names_only() -> None:
    assert [entry.slug for entry in named(LIBRARY, "weakness po")] == [
        "random-basic-weakness"
    ]
    assert named(LIBRARY, "olive mcbride") == named(LIBRARY, "permanant") == []
    assert named(LIBRARY, " ") == named(LIBRARY, "class:seeker level<=2") == []


def test_the_text_is_searched_if_no_name_matches() -> None:
    assert found("olive mcbride") == ["chaos-tokens"]


def test_a_misspelt_name_is_found() -> None:
    assert found("permanant")[0] == "permanent"
    assert found("retalliate")[0] == "retaliate"
    assert found("atack") == found("attack")
    assert found("atack of oportunity")[0] == "attack-of-opportunity"


def test_the_corrected_spelling_is_known() -> None:
    assert respelt(LIBRARY, "atack of oportunity") == "attack of opportunity"
    assert respelt(LIBRARY, "elder sgin") == "elder sign"
    for text in ("attack", "olive mcbride", "qqqqqq", "", "z" * 5000):
        assert respelt(LIBRARY, text) == ""


@pytest.mark.parametrize("text", ["", "  ", "!?", "qqqqqq", "z" * 5000])
def test_a_meaningless_search_finds_nothing(text: str) -> None:
    assert found(text) == []
