"""Reads the guides we wrote ourselves, in TOML, with their texts.

A guide is a folder: ``campaign.toml``, and a file for each scenario, interlude and
epilogue, named by its id. A scenario is read when it, or its texts, are first needed.
The folder ``side`` has side scenarios, which come with every campaign. A Return to is
laid over the original guide, which its ``campaign.toml`` names in ``over``.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, TypeVar

from arkham.rules.campaign.model.guide import SETUP, CampaignGuide, Scenario
from arkham.rules.campaign.reading.cursor import Cursor, Flaw, FlawsFound, Raw
from arkham.rules.campaign.reading.files import CORE, LARGEST_FILE, Words
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.own_tables import (
    WordedScenario,
    read_campaign,
    read_scenario,
)

CAMPAIGN = "campaign"
SIDE_PREFIX = f"{SIDE}/"  # prefix of the names of side scenarios' files
BELOW = "below/"  # prefix of the files that a Return to is laid over
FORMAT = "ours-1"  # of stored guides
Part = TypeVar("Part")


class OwnGuide(NamedTuple):
    """A guide of ours, its texts, and the names of its encounter sets by code.

    ``raw_words`` are the texts as JSON, to be stored.
    """

    guide: CampaignGuide
    words: Words
    encounter_sets: Mapping[str, str]
    raw_words: Mapping[str, Any]


class OwnReading(NamedTuple):
    """A guide that was read completely, and all flaws of its files."""

    own: OwnGuide
    flaws: tuple[Flaw, ...]


@cache
def own_guides() -> tuple[str, ...]:
    """Return the ids of the campaigns whose guides come with the rules."""
    folders = {each.name for each in _folder().iterdir() if each.is_dir()}
    return tuple(sorted(folders - {SIDE}))


@cache
def open_own_guide(guide_id: str) -> OwnGuide:
    """Return a guide that comes with the rules. Raises KeyError if there is none."""
    if guide_id not in (*own_guides(), SIDE):
        raise KeyError(guide_id)
    return _opened(FlawsFound(), guide_id, own_files(guide_id))


def own_files(guide_id: str) -> dict[str, bytes]:
    """Return the files of a guide that comes with the rules, by stem.

    A campaign also has those of the side scenarios, prefixed with :data:`SIDE_PREFIX`,
    a Return to those of its original, prefixed with :data:`BELOW`.
    """
    found = _files(guide_id)
    if guide_id != SIDE:
        found |= {f"{SIDE_PREFIX}{name}": each for name, each in _files(SIDE).items()}
    if below := _OVER.search(found.get(CAMPAIGN, b"").decode()):
        files_below = _files(below[1])
        found |= {f"{BELOW}{name}": each for name, each in files_below.items()}
    return found


_OVER = re.compile(r'^over = "([a-z]+)"$', re.MULTILINE)


def _files(guide_id: str) -> dict[str, bytes]:
    return {
        each.name.removesuffix(".toml"): each.read_bytes()
        for each in sorted(_folder().joinpath(guide_id).iterdir(), key=_name)
        if each.name.endswith(".toml")
    }


def _folder() -> Traversable:
    return files("arkham.rules.campaign").joinpath("data", "guides")


def _name(file: Traversable) -> str:
    return file.name


def read_own(guide_id: str, contents: Mapping[str, bytes]) -> OwnReading:
    """Read a guide from its files by stem, with every scenario, and all flaws."""
    wrong = FlawsFound()
    own = _opened(wrong, guide_id, contents)
    tuple(own.guide.scenarios.values())
    return OwnReading(own, tuple(wrong.flaws))


def prepared_own(guide_id: str, contents: Mapping[str, bytes]) -> bytes:
    """Return a guide in the form that is stored: its id and files, as JSON."""
    texts = {name: content.decode() for name, content in contents.items()}
    whole = {"format": FORMAT, "id": guide_id, "files": texts}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def open_prepared(whole: Mapping[str, Any]) -> CampaignGuide:
    """Return a guide from that form, parsed as JSON; it was checked when stored."""
    contents = {name: text.encode() for name, text in whole["files"].items()}
    return _opened(FlawsFound(), whole["id"], contents).guide


def with_sides(guide: CampaignGuide, sides: Mapping[str, Scenario]) -> CampaignGuide:
    """Return a guide with more side scenarios; its own ones take precedence."""
    own = guide.side
    names = dict.fromkeys((*own, *sides))
    return replace(guide, side=Lazy(names, lambda name: own.get(name) or sides[name]))


def _opened(
    wrong: FlawsFound, guide_id: str, contents: Mapping[str, bytes]
) -> OwnGuide:
    """Return a guide whose scenarios and texts are read on first access."""
    if CAMPAIGN not in contents:
        wrong.flaw("guide.missing", guide_id, None, f"a {CAMPAIGN}.toml")

    def table_of(name: str) -> Cursor:
        at = f"{guide_id}/{name}"
        table = _table(wrong, at, contents.get(name, b""))
        like = table.text("like") or (table.text("over") and f"{BELOW}{CAMPAIGN}")
        if like and name.startswith(BELOW) and "/" not in like:
            like = f"{BELOW}{like}"
        if like:
            _lay_over(table_of(like).raw, table.raw, table.words("without"))
        return table

    table = table_of(CAMPAIGN)
    kept = {name: f"{BELOW}{name}" for name in table.words("keeps")}
    campaign = read_campaign(table, guide_id, _digest(contents))

    def read(name: str) -> WordedScenario:
        return read_scenario(table_of(kept.get(name, name)), name, campaign.bags)

    aside = _aside(wrong, contents)
    names = [
        *(name for name in contents if name != CAMPAIGN and "/" not in name),
        *kept,
    ]
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
    """Return the side scenarios that come with a campaign, if any."""
    files = {
        name.removeprefix(SIDE_PREFIX): content
        for name, content in contents.items()
        if name.startswith(SIDE_PREFIX)
    }
    return _opened(wrong, SIDE, files) if files else None


def _table(wrong: FlawsFound, at: str, content: bytes) -> Cursor:
    """Return the table in a file; an empty one, with a flaw, if it can't be read."""
    if len(content) > LARGEST_FILE:
        wrong.flaw("guide.too-large", at, len(content), f"{LARGEST_FILE} bytes")
        return Cursor(wrong, {}, at)
    try:
        return Cursor(wrong, tomllib.loads(content.decode()), at, tracks=True)
    except (ValueError, RecursionError) as fault:
        wrong.flaw("guide.unreadable", at, str(fault), "TOML")
        return Cursor(wrong, {}, at)


def _lay_over(base: Raw, raw: Raw, without: tuple[str, ...]) -> None:
    """Add to a scenario or campaign everything of another one that it lacks."""
    for section, lines in raw.get("lines", {}).items():
        raw["lines"][section] = base.get("lines", {}).get(section, {}) | lines
    for key, value in base.items():
        if isinstance(value, dict) and isinstance(own := raw.get(key, {}), dict):
            value = {each: value[each] for each in value if each not in without} | own
        if key not in without:
            raw[key] = value if isinstance(value, dict) else raw.get(key, value)
    _cite_too(raw)


def _cite_too(raw: Raw) -> None:
    """Add citations to steps of another scenario that apply only here.

    Entries that name no known step stay, and are reported as unread keys.
    """
    places, steps = raw.get("also_cites", {}), raw.get("steps", {})
    for place, named in list(places.items()):
        for step in [steps[each] for each in named if each in steps]:
            step["cites"] = [*step["cites"], place]
        if steps.keys() >= {*named}:
            del places[place]
    if places == {}:
        raw.pop("also_cites", None)


def _digest(contents: Mapping[str, bytes]) -> str:
    """Return a digest that identifies exactly these files."""
    content = b"\0".join(
        part for name in sorted(contents) for part in (name.encode(), contents[name])
    )
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class Lazy(Mapping[str, Part]):
    """A mapping whose values are read on first access."""

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
