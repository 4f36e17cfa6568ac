"""Reads a campaign of ours: its scenarios, interludes, epilogues and their steps.

A step with ``ask`` is a question of that kind, with ``if`` it depends on the campaign,
with ``resolve`` another resolution takes place; any other step does something, or is
only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import (
    ASIDE,
    SETUP,
    Achievement,
    Ask,
    Branch,
    CampaignGuide,
    MapPlace,
    Partner,
    Plain,
    Resolution,
    Resolve,
    Scenario,
    Section,
    Step,
)
from arkham.rules.campaign.reading.cursor import Cursor, Raw
from arkham.rules.campaign.reading.effects import DIFFICULTIES, with_named_costs
from arkham.rules.campaign.reading.guides import (
    USUAL_OUTCOMES,
    named_costs,
    read_partner,
)
from arkham.rules.campaign.reading.own_conditions import read_branch, read_check
from arkham.rules.campaign.reading.own_effects import PASSED_ON, read_batch, read_tokens
from arkham.rules.campaign.reading.own_prompts import Bags, read_prompt


class WordedStep(NamedTuple):
    """A step, and its texts: title, text, bullets, encounter sets, citations …"""

    step: Step
    words: Raw


def read_steps(
    table: Cursor, key: str, bags: Bags, name: str
) -> tuple[dict[str, Step], Raw]:
    """Read steps by id, and their texts; ``name`` is that of their scenario."""
    steps: dict[str, Step] = {}
    words: Raw = {}
    for step_id, each in table.named(key, table.at).items():
        steps[step_id], words[step_id] = read_step(each, step_id, bags, name)
    return steps, words


def read_step(table: Cursor, step_id: str, bags: Bags, name: str) -> WordedStep:
    """Read one step, which has to cite its source."""
    kind = next((each for each in _READERS if each in table), "")
    step, choices = _READERS[kind](table, step_id, bags)
    words = {
        "title": table.text("title"),
        "text": table.text("text"),
        "bullets": list(table.words("bullets")),
        "prompt": table.text("question"),
        "choices": choices,
        "encounter_sets": list(table.words("gather")),
        "layout": _layout(table),
        "half": table.flag("half"),
        "cites": [_cited(each, name) for each in table.words("cites")],
    }
    words["rule"] = words["title"] and not (words["encounter_sets"] or words["layout"])
    if not words["cites"]:
        table.flaw("guide.missing", "cites", None, "where it stands")
    table.close()
    return WordedStep(step, {key: value for key, value in words.items() if value})


def _layout(table: Cursor) -> list[list[str]]:
    """Read rows of locations as they are placed, "" for a gap; empty if not given.

    With ``half`` a column is half as wide as a location.
    """
    rows = table.take("layout") or []
    is_table = type(rows) is list and all(type(row) is list for row in rows)
    if is_table and all(type(name) is str for row in rows for name in row):
        return list(rows)
    table.flaw("guide.wrong-type", "layout", rows, "rows of names")
    return []


def _cited(place: str, name: str) -> str:
    """Return “Resolution 1” with its scenario's name; FAQ citations stay the same."""
    return place if place.startswith("FAQ ") else f"{name}, {place}"


def _ask(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    asked = read_prompt(table, bags)
    return Ask(step_id, asked.prompt), dict(asked.choices)


def _branch(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    return Branch(step_id, read_branch(table), table.flag("loop")), {}


def _resolve(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    return Resolve(step_id, table.text("resolve"), read_batch(table)), {}


def _plain(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    batch = with_named_costs(read_batch(table))
    return Plain(step_id, batch, table.words("then")), {}


_READERS: dict[str, Callable[[Cursor, str, Bags], tuple[Step, Raw]]] = {
    "ask": _ask,
    "if": _branch,
    "resolve": _resolve,
    "": _plain,
}


_KINDS = frozenset({"scenario", "interlude", "epilogue"})
_SECTIONS = frozenset(
    {
        *("list", "count", "investigator_count", "supplies", "glyphs", "header"),
        "scarlet_keys",
        *("relationship", "checklist", "partner"),
    }
)
_PLACES = frozenset({"standard", "locked", "side"})
_CAMPAIGNS = frozenset({"campaign", "standalone"})
_SIDES = frozenset({"side_story", "challenge", "standalone"})


class WordedScenario(NamedTuple):
    """A scenario, and its texts."""

    scenario: Scenario
    words: Raw


class WordedCampaign(NamedTuple):
    """A campaign without its scenarios, and its texts.

    ``bags`` are its tokens by difficulty; ``lines`` the texts of its log by section.
    """

    guide: CampaignGuide
    setup_words: Raw
    shared_words: Raw
    lines: Mapping[str, Mapping[str, str]]
    encounter_sets: Mapping[str, str]
    bags: Bags


def read_campaign(table: Cursor, guide_id: str, digest: str) -> WordedCampaign:
    """Read a campaign from the table of its ``campaign.toml``."""
    bags = read_bags(table)
    name = table.text("name")
    steps, words = read_steps(table, "steps", bags, name)
    shared, shared_words = read_steps(table, "shared", bags, name)
    beside, beside_words = read_steps(table, "side_steps", bags, name)
    guide = CampaignGuide(
        guide_id,
        name,
        table.number("version"),
        table.known_or("kind", _CAMPAIGNS, "campaign"),
        table.words("scenarios"),
        _sections(table),
        Scenario(SETUP, name, "interlude", table.words("setup"), steps),
        {},
        shared,
        scenario_setup=table.words("side_setup"),
        side_steps=tuple(beside.values()),
        side_resolution=table.words("side_resolution"),
        free_side_scenarios=table.flag("free_side_scenarios"),
        map=_map(table),
        fast_card=table.text("fast_card"),
        hidden_scenarios=table.words("hidden_scenarios"),
        achievements=_achievements(table),
        cards=table.texts("cards"),
        digest=digest,
    )
    lines = {section: _lines(each) for section, each in table.named("lines").items()}
    sets = table.texts("encounter_sets")
    table.close()
    setup_words = {"name": name, "steps": words, "resolutions": {}}
    return WordedCampaign(
        guide, setup_words, {"steps": beside_words | shared_words}, lines, sets, bags
    )


def read_bags(table: Cursor) -> Bags:
    """Read the chaos tokens for each difficulty that a table lists."""
    inner = table.inner("bags")
    if inner is None:
        return {}
    bags = {each: read_tokens(inner, each) for each in DIFFICULTIES if each in inner}
    inner.close(", ".join(DIFFICULTIES))
    return bags


def _lines(table: Cursor) -> dict[str, str]:
    """Read a section's texts by line; ``carried`` is for any line passed on."""
    return {do.INPUT if line == PASSED_ON else line: table.text(line) for line in table}


def _sections(table: Cursor) -> tuple[Section, ...]:
    found = []
    for section_id, each in table.named("sections").items():
        kind = each.known_or("kind", _SECTIONS, "list")
        found.append(
            Section(
                section_id,
                each.text("title"),
                "" if kind == "list" else kind,
                each.flag("hidden"),
                tuple(_partners(each)),
            )
        )
        each.close()
    return tuple(found)


def _map(table: Cursor) -> dict[str, MapPlace]:
    """Read the places of the map; ``ways`` are the places they are connected to."""
    found = {}
    for name, each in table.named("map").items():
        status = each.known_or("status", _PLACES, "standard")
        scenario = ASIDE if status == "side" else each.text("scenario", name)
        said, hidden = each.text("name"), each.flag("hidden")
        ways = each.words("ways")
        found[name] = MapPlace(name, said, scenario, status, hidden, ways)
        each.close()
    return found


def _partners(section: Cursor) -> Iterator[Partner]:
    for each in section.items("partners"):
        yield read_partner(each)
        each.close()


def _achievements(table: Cursor) -> tuple[Achievement, ...]:
    found = []
    for name, each in table.named("achievements").items():
        title, kind = each.text("title"), each.text("kind", "binary")
        most, items = each.number_or_none("most"), each.words("items")
        found.append(Achievement(name, title, kind, most, items))
        each.close()
    return tuple(found)


def read_scenario(table: Cursor, scenario_id: str, bags: Bags) -> WordedScenario:
    """Read a scenario, interlude or epilogue; its own bags override the campaign's."""
    bags = read_bags(table) or bags
    kind = table.known_or("kind", _KINDS, "scenario")
    name = table.text("name")
    alone = table.words("standalone_setup") if "standalone_setup" in table else None
    steps, words = read_steps(table, "steps", bags, name)
    resolutions: dict[str, Resolution] = {}
    resolution_words: Raw = {}
    for each_id, each in table.named("resolutions", table.at).items():
        resolutions[each_id], resolution_words[each_id] = _resolution(each, each_id)
    scenario = Scenario(
        scenario_id,
        name,
        "" if kind == "scenario" else kind,
        table.words("setup"),
        steps,
        alone,
        resolutions,
        allow_side_scenario=table.flag("allow_side_scenario"),
        side=table.known_or("side", _SIDES, ""),
        cost=table.number_or_none("cost"),
        rules=table.words("rules"),
        follows=table.text("follows"),
        named_costs=tuple(named_costs(steps.values())),
        leaders=table.words("leaders"),
    )
    title = table.text("title") or name
    table.close()
    return WordedScenario(
        scenario, {"name": title, "steps": words, "resolutions": resolution_words}
    )


def _resolution(table: Cursor, resolution_id: str) -> tuple[Resolution, Raw]:
    outcomes: tuple[str, ...] = USUAL_OUTCOMES
    if "outcomes" in table:
        outcomes = table.words("outcomes")
        for each in outcomes:
            if each not in course.OUTCOMES:
                listed = ", ".join(sorted(course.OUTCOMES))
                table.flaw("guide.unknown-kind", "outcomes", each, listed)
    when = table.inner("when")
    found = Resolution(
        resolution_id,
        table.words("steps"),
        outcomes,
        None if when is None else read_check(when),
        table.flag("hidden"),
    )
    words = {
        "title": table.text("title", _title(resolution_id)),
        "text": table.text("text"),
    }
    table.close()
    return found, words


def _title(resolution_id: str) -> str:
    if resolution_id == "no_resolution":
        return "No resolution"
    return f"Resolution {resolution_id.removeprefix('R')}"
