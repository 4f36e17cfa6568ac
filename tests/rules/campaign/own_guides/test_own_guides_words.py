"""Our own guides have texts for all their questions, in our own words."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from arkham.rules.campaign.model.guide import SETUP, TOKEN_KINDS, Ask
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.own import (
    SIDE_PREFIX,
    open_own_guide,
    own_files,
    own_guides,
)
from arkham.rules.campaign.reading.own_conditions import QUESTIONS
from arkham.rules.campaign.reading.own_effects import EFFECTS
from arkham.rules.campaign.reading.own_prompts import PROMPTS
from arkham.rules.campaign.reading.references import parts
from tests.rules.campaign.helpers.guides import PROJECT, guides_folder, shared_files
from tests.rules.campaign.helpers.own_guides import EVERY, field_stems, whole
from tests.rules.printed import runs

# What the field writes into a map where there is no location.
NO_LOCATION = ("", "blank", "placeholder")

# --- texts


@EVERY
def test_every_question_has_a_text(guide_id: str) -> None:
    """Every question, and each of its choices."""
    own = whole(guide_id).own
    for scenario in (own.guide.setup, *own.guide.scenarios.values()):
        for step_id, step in scenario.steps.items():
            told = own.words.step(scenario.id, step_id)
            assert told["cites"], step_id
            if isinstance(step, Ask) and not step_id.startswith("$"):
                assert told.get("prompt") or told.get("text"), step_id
                choices = [
                    each for each in parts(step) if isinstance(each, PromptChoice)
                ]
                for choice in choices:
                    assert own.words.choice(scenario.id, step_id, choice.id), choice


def test_texts_are_found_like_those_of_the_field() -> None:
    """By scenario and step, choice, resolution and line of the log."""
    words = open_own_guide("core").words

    assert words.step("torch#1", "earn_xp#2") == {
        "text": "Each investigator earns the total, plus 2.",
        "prompt": "What is in the victory display?",
        "cites": [
            "The Gathering, no resolution",
            "The Gathering, Resolution 1",
            "The Gathering, Resolution 2",
        ],
    }
    assert words.choice("arkham", "cultists_interrogated", "interrogated") == (
        "Interrogated"
    )
    assert words.choice(SETUP, "difficulty_choice", "expert") == "Expert"
    assert words.resolution("torch", "R1")["title"] == "Resolution 1"
    assert words.line("campaign_notes", "house_burned") == (
        "your house has burned to the ground"
    )
    assert words.line("cultists_escaped", "$input_value", "Ruth Turner") == (
        "Ruth Turner"
    )


# --- maps


def _places(rows: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Return where a map has locations; without the rows it leaves empty."""
    filled = [
        {column for column, name in enumerate(row) if name not in NO_LOCATION}
        for row in rows
    ]
    left = min(column for row in filled for column in row)
    full = [row for row in filled if row]
    return {(i, column - left) for i, row in enumerate(full) for column in row}


@EVERY
def test_every_map_of_the_field_is_drawn(guide_id: str) -> None:
    """With the same places; the field draws only a part of some."""
    own = whole(guide_id).own
    for stem, raw in field_stems(guide_id).items():
        maps = [each for each in raw["steps"] if each.get("type") == "location_setup"]
        scenario = own.guide.scenarios.get(str(raw.get("id")), own.guide.setup)
        if scenario is own.guide.setup and stem != "core":
            continue
        steps = scenario.steps if stem != "core" else own.guide.core
        worded = [own.words.step(scenario.id, step) for step in steps]
        drawn = [_places(each["layout"]) for each in worded if each.get("layout")]
        for each in maps:
            places = _places(each["locations"])
            beside = {(row, column + 1) for row, column in places}
            assert any(it <= ours for ours in drawn for it in (places, beside)), (
                raw["id"],
                each["id"],
            )


# --- the document


@pytest.mark.parametrize("table", [EFFECTS, QUESTIONS, PROMPTS])
def test_the_document_names_every_key(table: Mapping[str, object]) -> None:
    """Of effects, questions and prompts."""
    told = (PROJECT / "docs/guides-own.md").read_text()

    assert [key for key in table if f"`{key}`" not in told] == []


def test_the_document_names_every_guide() -> None:
    """By its id."""
    told = (PROJECT / "docs/guides-own.md").read_text()

    assert [each for each in own_guides() if f"| `{each}` |" not in told] == []


# --- own words

# Names of six or more words are allowed.
LONG_NAMES = re.compile(
    "The Man in the Pallid Mask|The Blob That Ate Everything Else"
    "|Court of the Great Old Ones|The Beast in a Cowl of Crimson"
    r"|Randolph Carter \(Chained to the Waking World\)"
    r"|The Silver Key \(Key to the Gate of Dreams\)|High Priest Not to Be Described"
)


def strings(value: Any) -> Iterator[str]:
    """Yield every text and every key of a TOML or JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def our_texts(guide_id: str) -> list[str]:
    """Return every text and every comment of one of our guides.

    Phrases of the log, lists of tokens, and names of campaigns, scenarios, encounter
    sets and achievements are left out.
    """
    found = []
    for name, content in own_files(guide_id).items():
        if SIDE_PREFIX in name:
            continue
        text = content.decode()
        table = tomllib.loads(text)
        for key in ("lines", "bags", "achievements", "encounter_sets", "name", "title"):
            table.pop(key, None)
        found += [*strings(table), *re.findall(r"^\s*#\s*(.*)$", text, re.M)]
    return [text for text in found if set(text.split()) - TOKEN_KINDS and " " in text]


@EVERY
def test_no_text_is_long(guide_id: str) -> None:
    """There is no room for prose; phrases of the log are short, too."""
    for content in own_files(guide_id).values():
        for text in strings(tomllib.loads(content.decode())):
            assert len(text) <= 100 or not set(text.split()) - TOKEN_KINDS, text


def test_no_six_words_in_a_row_are_from_a_field_guide() -> None:
    texts = [
        text
        for content in shared_files().values()
        for text in strings(json.loads(content))
        if " " in text
    ]

    assert len(texts) > 20_000
    assert shared_runs(texts) == set()


def test_no_six_words_in_a_row_are_from_a_card() -> None:
    """Rules text, flavour and customizations."""
    fields = re.compile("text|flavor|customization_(text|change)")
    texts = [
        text
        for file in sorted((guides_folder().parent / "arkhamdb/pack").glob("*/*.json"))
        for card in json.loads(file.read_text())
        for key, text in card.items()
        if fields.search(key) and isinstance(text, str)
    ]

    assert len(texts) > 5_000
    assert shared_runs(texts) == set()


def shared_runs(texts: list[str]) -> set[tuple[str, tuple[str, ...]]]:
    """Return the runs of six words in these texts that a guide of ours has."""
    ours: dict[tuple[str, ...], str] = {}
    for guide_id in (*own_guides(), SIDE):
        of_ours = (LONG_NAMES.sub("name", text) for text in our_texts(guide_id))
        found = {run for text in of_ours for run in runs(text)}
        assert len(found) > 40, guide_id
        ours |= dict.fromkeys(found, guide_id)
    theirs = (run for text in texts for run in runs(text))
    return {(ours[run], run) for run in theirs if run in ours}
