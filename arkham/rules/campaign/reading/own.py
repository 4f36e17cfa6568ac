"""The guides we wrote ourselves: TOML → guides, with their words.

A guide is a folder: ``campaign.toml``, and a file for each scenario, interlude and
epilogue, named by its id. A scenario is read when it is first played, or its words are.
The folder ``side`` has side scenarios, which come with every campaign.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, TypeVar

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import (
    SETUP,
    Achievement,
    CampaignGuide,
    Resolution,
    Scenario,
    Section,
)
from arkham.rules.campaign.reading.cursor import Cursor, Flaw, FlawsFound, Raw
from arkham.rules.campaign.reading.effects import DIFFICULTIES
from arkham.rules.campaign.reading.files import LARGEST_FILE
from arkham.rules.campaign.reading.guides import SIDE, USUAL_OUTCOMES
from arkham.rules.campaign.reading.own_conditions import read_check
from arkham.rules.campaign.reading.own_effects import CARRIED, read_tokens
from arkham.rules.campaign.reading.own_steps import Bags, read_steps
from arkham.rules.campaign.reading.words import CORE, Words

CAMPAIGN = "campaign"
BESIDE = f"{SIDE}/"  # begins the names of files that belong to side scenarios
FORMAT = "ours-1"  # of the prepared form
Part = TypeVar("Part")


class OwnGuide(NamedTuple):
    """A guide of ours, its words, and the names of its encounter sets by code.

    ``raw_words`` are the words as JSON, to be stored.
    """

    guide: CampaignGuide
    words: Words
    encounter_sets: Mapping[str, str]
    raw_words: Mapping[str, Any]


class OwnReading(NamedTuple):
    """A guide that was read whole, and everything that is wrong with its files."""

    own: OwnGuide
    flaws: tuple[Flaw, ...]


@cache
def own_guides() -> tuple[str, ...]:
    """The ids of the campaigns whose guides come with the rules."""
    folders = {each.name for each in _folder().iterdir() if each.is_dir()}
    return tuple(sorted(folders - {SIDE}))


@cache
def open_own_guide(guide_id: str) -> OwnGuide:
    """A guide that comes with the rules; raises KeyError where there is none."""
    if guide_id not in (*own_guides(), SIDE):
        raise KeyError(guide_id)
    return _opened(FlawsFound(), guide_id, own_files(guide_id))


def open_own_guides() -> Mapping[str, OwnGuide]:
    """All guides that come with the rules, by id; each is read when asked for."""
    return Lazy(own_guides(), open_own_guide)


def own_files(guide_id: str) -> dict[str, bytes]:
    """The files of a guide that comes with the rules, by their stem.

    A campaign also has those of the side scenarios, under :data:`BESIDE`.
    """
    found = {
        each.name.removesuffix(".toml"): each.read_bytes()
        for each in sorted(_folder().joinpath(guide_id).iterdir(), key=_name)
        if each.name.endswith(".toml")
    }
    if guide_id != SIDE:
        found |= {f"{BESIDE}{name}": each for name, each in own_files(SIDE).items()}
    return found


def _folder() -> Traversable:
    return files("arkham.rules.campaign").joinpath("data", "guides")


def _name(file: Traversable) -> str:
    return file.name


def read_own(guide_id: str, contents: Mapping[str, bytes]) -> OwnReading:
    """A guide from its files by their stem, every scenario read; and all flaws."""
    wrong = FlawsFound()
    own = _opened(wrong, guide_id, contents)
    tuple(own.guide.scenarios.values())
    return OwnReading(own, tuple(wrong.flaws))


def prepared_own(guide_id: str, contents: Mapping[str, bytes]) -> bytes:
    """A guide in a form in which it can be kept: its id and its files, as JSON."""
    texts = {name: content.decode() for name, content in contents.items()}
    whole = {"format": FORMAT, "id": guide_id, "files": texts}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def open_prepared(whole: Mapping[str, Any]) -> CampaignGuide:
    """A guide from that form, once it is read as JSON; it was checked before."""
    contents = {name: text.encode() for name, text in whole["files"].items()}
    return _opened(FlawsFound(), whole["id"], contents).guide


def with_sides(guide: CampaignGuide, sides: Mapping[str, Scenario]) -> CampaignGuide:
    """A guide with more side scenarios; those that come with it go before."""
    own = guide.side
    names = dict.fromkeys((*own, *sides))
    return replace(guide, side=Lazy(names, lambda name: own.get(name) or sides[name]))


def _opened(
    wrong: FlawsFound, guide_id: str, contents: Mapping[str, bytes]
) -> OwnGuide:
    """A guide whose scenarios, and their words, are read when first asked for."""
    table = _table(wrong, f"{guide_id}/{CAMPAIGN}", contents.get(CAMPAIGN, b""))
    if CAMPAIGN not in contents:
        wrong.flaw("guide.missing", guide_id, None, f"a {CAMPAIGN}.toml")
    campaign = read_campaign(table, guide_id, _digest(contents))

    def read(name: str) -> WordedScenario:
        at = f"{guide_id}/{name}"
        table = _table(wrong, at, contents[name])
        if like := table.text("like"):
            base = _table(wrong, f"{guide_id}/{like}", contents.get(like, b""))
            _lay_over(base.raw, table.raw, table.words("without"))
        return read_scenario(table, name, campaign.bags)

    aside = _aside(wrong, contents)
    names = [name for name in contents if name != CAMPAIGN and BESIDE not in name]
    whole = Lazy(names, read)
    outside = {SETUP: campaign.setup_words, CORE: campaign.shared_words}
    words = Lazy(
        [*outside, *names], lambda name: outside.get(name) or whole[name].words
    )
    said: dict[str, Any] = {"scenarios": words, "log": campaign.lines}
    scenarios = Lazy(names, lambda name: whole[name].scenario)
    guide = replace(campaign.guide, scenarios=scenarios)
    if aside is None:
        return OwnGuide(guide, Words(said), campaign.encounter_sets, said)
    beside = aside.guide.scenarios
    others = [name for name in beside if name not in names]
    guide = replace(
        guide,
        side=Lazy(others, beside.__getitem__),
        cards={**aside.guide.cards, **guide.cards},
    )
    said["side"] = aside.raw_words
    sets = {**aside.encounter_sets, **campaign.encounter_sets}
    return OwnGuide(guide, Words(said), sets, said)


def _aside(wrong: FlawsFound, contents: Mapping[str, bytes]) -> OwnGuide | None:
    """The side scenarios that come with a campaign, if any do."""
    files = {
        name.removeprefix(BESIDE): content
        for name, content in contents.items()
        if name.startswith(BESIDE)
    }
    return _opened(wrong, SIDE, files) if files else None


def _table(wrong: FlawsFound, at: str, content: bytes) -> Cursor:
    """The table of one file; an empty one, with a flaw, if it cannot be read."""
    if len(content) > LARGEST_FILE:
        wrong.flaw("guide.too-large", at, len(content), f"{LARGEST_FILE} bytes")
        return Cursor(wrong, {}, at)
    try:
        return Cursor(wrong, tomllib.loads(content.decode()), at, tracks=True)
    except (ValueError, RecursionError) as fault:
        wrong.flaw("guide.unreadable", at, str(fault), "TOML")
        return Cursor(wrong, {}, at)


def _lay_over(base: Raw, raw: Raw, without: tuple[str, ...]) -> None:
    """Add to a scenario what another one has, and it lacks."""
    for key, value in base.items():
        if isinstance(value, dict) and isinstance(own := raw.get(key, {}), dict):
            value = {each: value[each] for each in value if each not in without} | own
        if key not in without:
            raw[key] = value if isinstance(value, dict) else raw.get(key, value)


def _digest(contents: Mapping[str, bytes]) -> str:
    """What pins a campaign to exactly these files."""
    content = b"\0".join(
        part for name in sorted(contents) for part in (name.encode(), contents[name])
    )
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class Lazy(Mapping[str, Part]):
    """Parts by name; each is read when it is first asked for."""

    def __init__(self, names: Iterable[str], read: Callable[[str], Part]) -> None:
        self._names = tuple(names)
        self._read = read
        self._found: dict[str, Part] = {}

    def __getitem__(self, name: str) -> Part:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._found:
            self._found[name] = self._read(name)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


_KINDS = frozenset({"scenario", "interlude", "epilogue"})
_SECTIONS = frozenset({"list", "count", "investigator_count", "supplies"})
_CAMPAIGNS = frozenset({"campaign", "standalone"})
_SIDES = frozenset({"side_story", "challenge", "standalone"})


class WordedScenario(NamedTuple):
    """A scenario, and its words."""

    scenario: Scenario
    words: Raw


class WordedCampaign(NamedTuple):
    """A campaign without its scenarios, and its words.

    ``bags`` are its tokens by difficulty; ``lines`` the words of its log by section.
    """

    guide: CampaignGuide
    setup_words: Raw
    shared_words: Raw
    lines: Mapping[str, Mapping[str, str]]
    encounter_sets: Mapping[str, str]
    bags: Bags


def read_campaign(table: Cursor, guide_id: str, digest: str) -> WordedCampaign:
    """A campaign from the table of its ``campaign.toml``."""
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
        side_steps=tuple(beside.values()),
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
    """The tokens of each difficulty a table names."""
    inner = table.inner("bags")
    if inner is None:
        return {}
    bags = {each: read_tokens(inner, each) for each in DIFFICULTIES if each in inner}
    inner.close(", ".join(DIFFICULTIES))
    return bags


def _lines(table: Cursor) -> dict[str, str]:
    """The words of a section's lines; one line may stand for whatever is carried."""
    return {do.INPUT if line == CARRIED else line: table.text(line) for line in table}


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
            )
        )
        each.close()
    return tuple(found)


def _achievements(table: Cursor) -> tuple[Achievement, ...]:
    found = []
    for name, each in table.named("achievements").items():
        title, kind = each.text("title"), each.text("kind", "binary")
        most, items = each.number_or_none("most"), each.words("items")
        found.append(Achievement(name, title, kind, most, items))
        each.close()
    return tuple(found)


def read_scenario(table: Cursor, scenario_id: str, bags: Bags) -> WordedScenario:
    """A scenario, interlude or epilogue; its own bags go before the campaign's."""
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
