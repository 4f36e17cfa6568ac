"""The guides we wrote say what is printed, in our own words, and nothing is amiss."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide, Scenario
from arkham.rules.campaign.model.steps import Ask, Branch, PromptChoice
from arkham.rules.campaign.reading.bringing import bring_own
from arkham.rules.campaign.reading.lint import lint_own
from arkham.rules.campaign.reading.own import (
    OwnReading,
    open_own_guide,
    open_own_guides,
    own_files,
    own_guides,
    read_own,
)
from arkham.rules.campaign.reading.own_conditions import QUESTIONS
from arkham.rules.campaign.reading.own_effects import EFFECTS
from arkham.rules.campaign.reading.own_prompts import PROMPTS
from arkham.rules.campaign.reading.prepared import open_guide
from arkham.rules.campaign.reading.references import parts, references
from arkham.rules.campaign.reading.words import Words
from tests.rules.campaign.guides import (
    PROJECT,
    guides_folder,
    shared_files,
    shared_library,
    shared_stems,
)

Raw = dict[str, Any]

DIRECTORIES = {"core": "notz"}  # where the field keeps a guide, if not under its id
KINDS = {"": "entries"}
GUIDES = pytest.mark.parametrize("guide_id", own_guides())


@cache
def whole(guide_id: str) -> OwnReading:
    """A guide of ours, every scenario read."""
    return read_own(guide_id, own_files(guide_id))


@cache
def facts_of(guide_id: str) -> Raw:
    """What is known of a campaign; without the shared data the test is skipped."""
    campaigns = json.loads((guides_folder() / "facts.json").read_text())["campaigns"]
    found: Raw = next(each for each in campaigns if each["id"] == guide_id)
    return found


def field_stems(guide_id: str) -> Raw:
    """The field's files of the same campaign, by stem."""
    return shared_stems()[DIRECTORIES.get(guide_id, guide_id)]


def test_which_guides_there_are() -> None:
    """By id, in alphabetical order."""
    assert own_guides() == ("boa", "core", "dwl")


@GUIDES
def test_the_linter_is_silent(guide_id: str) -> None:
    """No flaw at all, harmless ones included."""
    assert lint_own(whole(guide_id)) == []


def test_a_scenario_is_read_when_it_is_asked_for() -> None:
    """A guide opens without its scenarios, and says what it would say read whole."""
    assert set(open_own_guides()) == set(own_guides())
    own = open_own_guide("core")

    assert own.guide.scenarios["torch"].name == "The Gathering"
    assert own.guide.digest == whole("core").own.guide.digest
    assert "elsewhere" not in own.guide.scenarios
    with pytest.raises(KeyError):
        own.guide.scenarios["elsewhere"]
    with pytest.raises(KeyError):
        open_own_guide("elsewhere")


@GUIDES
def test_a_guide_can_be_kept(guide_id: str) -> None:
    """Prepared like any other: the same guide is opened, with the same words."""
    (kept,) = [each for each in bring_own().guides if each.guide_id == guide_id]
    own = open_own_guide(guide_id)
    opened = open_guide(kept.prepared)
    words = Words(json.loads(kept.words))

    assert (kept.digest, kept.name) == (own.guide.digest, own.guide.name)
    assert kept.scenarios == len(own.guide.order)
    assert opened.digest == own.guide.digest
    assert dict(opened.scenarios) == dict(own.guide.scenarios)
    assert opened.setup == own.guide.setup
    assert words.step(SETUP, "draw_weakness") == own.words.step(SETUP, "draw_weakness")
    for scenario in own.guide.scenarios.values():
        for step in scenario.steps:
            told = own.words.step(scenario.id, step)
            assert words.step(scenario.id, step) == told


# --- facts


@GUIDES
def test_scenarios_in_their_order(guide_id: str) -> None:
    """With their names, and those that can be played on their own."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide

    assert guide.name == facts["name"]
    assert guide.version == facts["guide_version"]
    assert list(guide.order) == facts["scenario_order"]
    assert {
        (each["id"], each["name"], each["type"], each.get("standalone", False))
        for each in facts["scenarios"]
    } == {
        (each.id, each.name, each.kind or "scenario", each.standalone_setup is not None)
        for each in guide.scenarios.values()
    }


@GUIDES
def test_resolutions(guide_id: str) -> None:
    """In their order, with the outcomes each allows, and those only others lead to."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide
    usual = ["alive", "resigned", "physical", "mental", "eliminated"]

    for each in facts["scenarios"]:
        found = guide.scenarios[each["id"]].resolutions.values()
        assert [(one.id, list(one.statuses), one.hidden) for one in found] == [
            (
                one["id"],
                # Who resigned lives, says Resolution 3 of The Gathering, and does not
                # ask for them.
                ["alive", "resigned", "physical", "mental"]
                if (each["id"], one["id"]) == ("torch", "R3")
                else one.get("investigator_status", usual),
                one.get("hidden", False),
            )
            for one in each.get("resolutions", ())
        ], each["id"]


@GUIDES
def test_bags_by_difficulty(guide_id: str) -> None:
    """Of the campaign, and of each scenario on its own."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide

    assert bags_of(guide.setup) == {
        difficulty: bag["tokens"] for difficulty, bag in facts["chaos_bags"].items()
    }
    for each in facts["scenarios"]:
        alone = each.get("standalone_chaos_bags")
        if alone is not None:
            assert bags_of(guide.scenarios[each["id"]]) == alone


def bags_of(scenario: Scenario) -> Raw:
    """The tokens that go with each difficulty."""
    found = {}
    for part in parts(tuple(scenario.steps.values())):
        if isinstance(part, do.Batch) and len(part.plain) == 2:
            match part.plain:
                case (do.SetDifficulty(difficulty), do.Tokens(tokens, 1)):
                    found[difficulty] = dict(Counter(tokens))
    return found


@GUIDES
def test_sections_of_the_log(guide_id: str) -> None:
    """With their titles, kinds, and which are hidden."""
    assert [
        {"id": each.id, "title": each.title, "kind": KINDS.get(each.kind, each.kind)}
        | ({"hidden": True} if each.hidden else {})
        for each in whole(guide_id).own.guide.sections
    ] == facts_of(guide_id)["log_sections"]


@GUIDES
def test_lines_of_the_log(guide_id: str) -> None:
    """Every line that can be written, and every number."""
    facts = facts_of(guide_id)
    lines: dict[str, set[str]] = {}
    counts: dict[str, set[str]] = {}
    for part in parts(everything(whole(guide_id).own.guide)):
        match part:
            case do.LogLine(section, str(line)) | do.LogCards(section, str(line)):
                lines.setdefault(section, set()).add(line)
            case do.LogCount(section, str(line)):
                counts.setdefault(section, set()).add(line)

    assert sorted_lists(lines) == facts["log_entry_ids"]
    assert sorted_lists(counts) == facts["counter_entry_ids"]


def sorted_lists(found: dict[str, set[str]]) -> dict[str, list[str]]:
    """Without the empty id, which means a whole section."""
    return {section: sorted(ids - {""}) for section, ids in found.items()}


def everything(guide: CampaignGuide) -> tuple[Any, ...]:
    """Every step of a guide."""
    scenarios = (guide.setup, *guide.scenarios.values())
    steps = [step for each in scenarios for step in each.steps.values()]
    return (*steps, *guide.core.values())


@GUIDES
def test_cards_that_can_be_earned(guide_id: str) -> None:
    """Story assets and weaknesses, with the scenarios that give them."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide
    granted: dict[str, set[str]] = {}
    for scenario in guide.scenarios.values():
        for part in parts(tuple(scenario.steps.values())):
            if isinstance(part, do.AddCard):
                granted.setdefault(part.card, set()).add(scenario.id)

    assert granted == {
        each["code"]: set(each["granted_in"])
        for each in (*facts["story_cards"], *facts["story_weaknesses"])
    }


@GUIDES
def test_encounter_sets(guide_id: str) -> None:
    """What each scenario gathers, and what the sets are called."""
    own = whole(guide_id).own
    listed = json.loads((guides_folder() / "encounter_sets.json").read_text())
    names = {each["code"]: each["name"] for each in listed}

    assert {code: names[code] for code in own.encounter_sets} == own.encounter_sets
    for raw in field_stems(guide_id).values():
        if raw.get("type", "scenario") in ("scenario", "interlude", "epilogue"):
            scenario = raw["id"] if "scenario_name" in raw else SETUP
            expected = {
                code
                for step in raw.get("steps", ())
                for code in step.get("encounter_sets", ())
            }
            assert gathered(guide_id, scenario) == expected, scenario


def gathered(guide_id: str, scenario_id: str) -> set[str]:
    """The encounter sets our steps of a scenario name."""
    own = whole(guide_id).own
    scenario = own.guide.scenarios.get(scenario_id, own.guide.setup)
    return {
        code
        for step in scenario.steps
        for code in own.words.step(scenario_id, step).get("encounter_sets", ())
    }


@GUIDES
def test_achievements(guide_id: str) -> None:
    """As many as the campaign has."""
    assert len(whole(guide_id).own.guide.achievements) == len(
        facts_of(guide_id)["achievements"]
    )


@GUIDES
def test_the_numbers_that_decide_are_those_of_the_field(guide_id: str) -> None:
    """What is compared with what, and which values of it lead somewhere."""
    ours, field = whole(guide_id).own.guide, shared_library().guides[guide_id]

    assert deciding(ours) == deciding(field)


def deciding(guide: CampaignGuide) -> set[tuple[Any, ...]]:
    """Every comparison and every number asked for, with the values that matter."""
    found: set[tuple[Any, ...]] = set()
    for part in parts(everything(guide)):
        match part:
            case ask.Math(operation, first, second, options):
                found.add((operation, first, second, frozenset(options.by_key)))
            case ask.LogCountCheck(section, line, options):
                found.add((section, line, frozenset(options.by_key)))
            case ask.PlayerCount(options):
                found.add(("players", frozenset(options.by_key)))
            case ask.BagCheck(token, options):
                found.add((token, frozenset(options.by_key)))
    return found


@GUIDES
def test_branches_are_those_of_the_field(guide_id: str) -> None:
    """What is asked of the campaign, and after which answers something follows."""
    field = shared_library().guides[guide_id]
    for scenario in whole(guide_id).own.guide.scenarios.values():
        theirs = conditions_of(field.scenarios[scenario.id])
        ours = conditions_of(scenario)
        apart = OF_OUR_OWN.get((guide_id, scenario.id), set())

        assert {key for key in ours if ours[key] != theirs.get(key)} == apart


# Branches and choices of ours that the field has otherwise, or not at all.
OF_OUR_OWN = {
    # An entry is offered as long as there is one to read.
    ("boa", "smoke_and_mirrors"): {"$play_scenario codex"},
    # Six questions side by side instead of one inside the other.
    ("boa", "queen_of_ash"): {
        "$play_scenario codex", "david", "cornelia", "naomi", "earl", "abigail",
        "margaret",
    },
    # Who was kidnapped the field leaves to the table to look up.
    ("dwl", "blood_on_the_altar"): {
        "check_armitage_kidnapped", "check_rice_kidnapped", "check_morgan_kidnapped",
    },
}  # fmt: skip


def conditions_of(scenario: Scenario) -> dict[str, Any]:
    """The conditions of branches by step, and of choices by step and choice."""
    found: dict[str, Any] = {}
    for step in scenario.steps.values():
        if isinstance(step, Branch):
            found[step.id] = plainly(step.condition, _follows)
        for part in parts(step):
            if isinstance(part, PromptChoice) and part.condition is not None:
                found[f"{step.id} {part.id}"] = plainly(part.condition, _matters)
    return found


def plainly(
    condition: Any, counts: Callable[[ask.ConditionOption | None], bool]
) -> tuple[Any, ...]:
    """A condition without what follows; with the answers that count."""
    told: list[Any] = [type(condition).__name__]
    for name in condition.__slots__:
        value = getattr(condition, name)
        if isinstance(value, tuple):
            told.append([plainly(each, _matters) for each in value])
        elif isinstance(value, ask.ConditionOptions):
            options = {**value.by_key, "otherwise": value.default}
            told.append({key for key, option in options.items() if counts(option)})
        else:
            told.append(value)
    return tuple(told)


def _follows(option: ask.ConditionOption | None) -> bool:
    """Whether anything comes of an answer."""
    return option is not None and bool(option.steps or option.batches)


def _matters(option: ask.ConditionOption | None) -> bool:
    """Where a condition is met or not, to have an option is enough."""
    return option is not None


@pytest.mark.parametrize(
    "name", ["david", "cornelia", "naomi", "earl", "abigail", "margaret"]
)
def test_the_servant_of_flame_gives_what_the_harbinger_gives(name: str) -> None:
    """Queen of Ash, codex Φ: to each of six lines of the log its own."""
    step = whole("boa").own.guide.scenarios["queen_of_ash"].steps[name]

    assert step == Branch(
        name,
        ask.LogCheck(
            "campaign_notes",
            f"{name}_harbinger",
            ask.ConditionOptions(
                {True: ask.ConditionOption(True, (), (f"{name}_effect",))}
            ),
        ),
    )


@GUIDES
def test_whatever_is_asked_has_the_same_id_in_the_field(guide_id: str) -> None:
    """So that a log kept by one guide can be moved to the other."""
    own = whole(guide_id).own.guide
    places = {SETUP: own.setup, **own.scenarios}
    for raw in field_stems(guide_id).values():
        scenario = raw["id"] if "scenario_name" in raw else SETUP
        asked = {
            step["id"]: choice_ids(step["input"])
            for step in raw.get("steps", ())
            if step.get("type") == "input"
        }
        for step_id, choices in asked.items():
            step = places[scenario].steps[step_id]
            ours = [part.id for part in parts(step) if isinstance(part, PromptChoice)]
            assert sorted(ours) == sorted(choices), step_id


def choice_ids(raw: Raw) -> list[str]:
    """The ids of everything that can be chosen."""
    keys = ("choices", "branches", "campaign_log", "items")
    return [each["id"] for key in keys for each in raw.get(key, ())]


# --- words


@GUIDES
def test_every_question_has_words(guide_id: str) -> None:
    """Whatever is asked of the table, and each of its choices."""
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


def test_words_are_found_as_those_of_the_field_are() -> None:
    """By scenario and step, choice, resolution and line of the log."""
    words = open_own_guide("core").words

    assert words.step("torch#1", "earn_xp#2") == {
        "text": "Its total, and 2 more, for each investigator.",
        "prompt": "Which cards lie in the victory display?",
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


@GUIDES
def test_each_step_cites_where_it_stands(guide_id: str) -> None:
    """The set-up and the resolutions that lead to it, and no others."""
    own = whole(guide_id).own
    for scenario in (own.guide.setup, *own.guide.scenarios.values()):
        cited = {
            step_id: own.words.step(scenario.id, step_id)["cites"]
            for step_id in scenario.steps
        }
        for label, steps in places_of(scenario).items():
            citing = {
                step_id
                for step_id, listed in cited.items()
                if f"{scenario.name}, {label}" in listed
            }
            assert citing == steps, (scenario.id, label)


def places_of(scenario: Scenario) -> dict[str, set[str]]:
    """Which steps of a scenario its beginning and each resolution lead to."""
    begins = "set-up" if scenario.id == SETUP else scenario.kind or "set-up"
    found = {begins: _led_to(scenario, scenario.setup)}
    alone = _led_to(scenario, scenario.standalone_setup or ())
    if alone:
        found["standalone set-up"] = alone - found[begins]
    for resolution in scenario.resolutions.values():
        label = f"Resolution {resolution.id.removeprefix('R')}"
        if resolution.id in ("no_resolution", "investigator_defeat"):
            label = resolution.id.replace("_", " ")
        found[label] = _led_to(scenario, resolution.steps)
    return found


def _led_to(scenario: Scenario, steps: tuple[str, ...]) -> set[str]:
    """The steps of a scenario these lead to; the play step is an end of its own."""
    found: set[str] = set()
    waiting = [step for step in steps if step != "$play_scenario"]
    while waiting:
        step_id = waiting.pop()
        if step_id in found or step_id not in scenario.steps:
            continue
        found.add(step_id)
        refers = references(scenario.steps[step_id])
        waiting += refers.steps
        for name in refers.resolutions:
            waiting += scenario.resolutions[name].steps
    return found


# --- the document


@pytest.mark.parametrize("table", [EFFECTS, QUESTIONS, PROMPTS])
def test_the_document_names_every_key(table: Mapping[str, object]) -> None:
    """Effects, questions and prompts."""
    told = (PROJECT / "docs/guides-own.md").read_text()

    assert [key for key in table if f"`{key}`" not in told] == []


def test_the_document_names_every_guide() -> None:
    """With its id."""
    told = (PROJECT / "docs/guides-own.md").read_text()

    assert [each for each in own_guides() if f"| `{each}` |" not in told] == []


# --- own words


def strings(value: Any) -> Iterator[str]:
    """Every text, and every key, of some TOML or JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def runs(text: str) -> set[tuple[str, ...]]:
    """Every six words in a row, without markup, quotes and case."""
    plain = re.sub(r"<[^>]+>|['’]", "", text.lower())
    listed = re.findall(r"[^\W_]+", plain)
    return {tuple(listed[at : at + 6]) for at in range(len(listed) - 5)}


def our_texts(guide_id: str) -> list[str]:
    """Every text of a guide of ours and every comment.

    The log's phrases and what a campaign or a scenario is called are left out.
    """
    found = []
    for content in own_files(guide_id).values():
        text = content.decode()
        table = tomllib.loads(text)
        for key in ("lines", "bags", "name", "title"):
            table.pop(key, None)
        found += [*strings(table), *re.findall(r"^\s*#\s*(.*)$", text, re.M)]
    return [text for text in found if " " in text]


@GUIDES
def test_no_text_is_long(guide_id: str) -> None:
    """No room for prose; the phrases of the log too are short."""
    for content in own_files(guide_id).values():
        for text in strings(tomllib.loads(content.decode())):
            assert len(text) <= 100, text


@GUIDES
def test_no_six_words_in_a_row_of_any_guide(guide_id: str) -> None:
    """Of the field's."""
    texts = [
        text
        for content in shared_files().values()
        for text in strings(json.loads(content))
        if " " in text
    ]

    assert len(texts) > 20_000
    assert shared_runs(guide_id, texts) == set()


@GUIDES
def test_no_six_words_in_a_row_of_any_card(guide_id: str) -> None:
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
    assert shared_runs(guide_id, texts) == set()


def shared_runs(guide_id: str, texts: list[str]) -> set[tuple[str, ...]]:
    """Six words in a row that both a guide of ours and one of the texts have."""
    ours = {run for text in our_texts(guide_id) for run in runs(text)}
    assert len(ours) > 100
    return {run for text in texts for run in runs(text) & ours}
