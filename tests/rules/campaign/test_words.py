"""The texts of a guide are found by scenario, step, choice and line."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.model.effects import LogLine, Mark
from arkham.rules.campaign.reading.cursor import FlawsFound
from arkham.rules.campaign.reading.files import Words, words_of
from arkham.rules.campaign.reading.guides import read_guide
from arkham.rules.campaign.reading.references import parts
from tests.rules.campaign.helpers.guides import shared_library, shared_stems
from tests.rules.campaign.helpers.small import a_note, a_scenario, a_step

STEMS = {
    "campaign": {
        "id": "own",
        "name": "Our own",
        "version": 1,
        "campaign_log": [],
        "scenarios": ["one"],
        "setup": ["ask"],
        "steps": [
            {
                "id": "ask",
                "title": "A question",
                "text": "What now?",
                "bullets": [{"text": "Think."}],
                "type": "input",
                "input": {
                    "type": "choose_one",
                    "choices": [
                        {"id": "a", "text": "Go on"},
                        {"id": "b", "feminine_text": "She stays"},
                    ],
                },
            }
        ],
    },
    "one": a_scenario(
        "one",
        a_step(
            a_note("met", text="#name# was met #X# times."),
            a_note("met", text="Another text.", cross_out=True),
        ),
        resolutions=[
            {"id": "R1", "title": "Resolution 1", "text": "Over.", "steps": []}
        ],
    ),
    "core": a_scenario("core", {"id": "rule", "text": "A rule of ours."}, type="core"),
}
WORDS = Words(words_of(STEMS))


def test_texts_of_steps_and_choices_are_found() -> None:
    """With a number too; shared steps from every scenario."""
    assert WORDS.step("$campaign_setup", "ask#2") == {
        "title": "A question",
        "text": "What now?",
        "bullets": ["Think."],
        "choices": {"a": "Go on", "b": "She stays"},
    }
    assert WORDS.choice("$campaign_setup", "ask", "b") == "She stays"
    assert WORDS.step("one#1", "rule") == {"text": "A rule of ours."}
    assert WORDS.step("one", "nothing") == {}
    assert WORDS.choice("one", "rule", "a") == ""


def test_texts_of_resolutions_are_found() -> None:
    """By scenario, replayed or not."""
    assert WORDS.resolution("one#1", "R1") == {"title": "Resolution 1", "text": "Over."}
    assert WORDS.resolution("one", "R2") == {}


def test_texts_of_lines_of_the_log_are_found() -> None:
    """With names and numbers filled in."""
    assert WORDS.line("campaign_notes", "met", "Ann", 3) == "Ann was met 3 times."
    assert WORDS.line("campaign_notes", "other") == ""
    assert WORDS.line("elsewhere", "met") == ""


def test_the_structure_has_no_texts() -> None:
    """A guide that was read contains none of them."""
    guide = read_guide(FlawsFound(), "own", STEMS)

    for words in ("What now?", "Go on", "Over.", "was met", "A rule of ours."):
        assert words not in repr(guide)


@pytest.mark.parametrize(("directory", "guide"), [("notz", "core"), ("dwl", "dwl")])
def test_the_lines_of_a_shared_guide_have_texts(directory: str, guide: str) -> None:
    """All lines that effects record in visible sections."""
    words = Words(words_of(shared_stems()[directory]))
    found = shared_library().guides[guide]
    seen = {section.id for section in found.sections if not section.hidden}
    lines = {
        (part.section, part.id)
        for scenario in found.scenarios.values()
        for step in scenario.steps.values()
        for part in parts(step)
        if isinstance(part, LogLine) and part.mark is Mark.RECORD
        if part.section in seen and part.id
    }

    assert len(lines) > 5
    assert [each for each in sorted(lines) if not words.line(*each)] == []
    for scenario in found.scenarios.values():
        for resolution in scenario.resolutions:
            assert words.resolution(scenario.id, resolution)["title"] != ""


def test_texts_of_side_scenarios_are_added_to_those_of_a_guide() -> None:
    """Its own take precedence; choices that a campaign adds are found with others."""
    play = {"id": "$play_scenario", "type": "input", "input": {"type": "play_scenario"}}
    own: dict[str, Any] = {
        "campaign": {
            "side_scenario_steps": [
                {**play, "input": {"branches": [{"id": "key", "text": "A key"}]}}
            ]
        },
        "one": {"id": "one", "steps": [{"id": "told", "text": "Ours"}]},
    }
    aside: dict[str, Any] = {
        "campaign": {},
        "two": {
            "id": "two",
            "steps": [
                {**play, "input": {"branches": [{"id": "hide", "text": "Hide"}]}},
                {
                    "id": "note",
                    "effects": [
                        {
                            "type": "campaign_log",
                            "section": "notes",
                            "id": "hid",
                            "text": "you hid.",
                        }
                    ],
                },
            ],
            "resolutions": [{"id": "R1", "title": "Hidden"}],
        },
    }
    words = Words(words_of(own)).beside(Words(words_of(aside)))
    assert words.step("one", "told")["text"] == "Ours"
    assert words.resolution("two", "R1")["title"] == "Hidden"
    assert words.choice("two", "$play_scenario", "hide") == "Hide"
    assert words.choice("two", "$play_scenario", "key") == "A key"
    assert words.line("notes", "hid") == "you hid."
    assert words.lines("notes") == {}  # they are not offered when entering a campaign
