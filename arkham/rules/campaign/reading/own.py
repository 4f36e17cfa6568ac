"""The guides we wrote ourselves: TOML → guides, with their words.

A guide is a folder: ``campaign.toml``, and a file for each scenario, interlude and
epilogue, named by its id. A scenario is read when it is first played, or its words are.
The folder ``side`` has side scenarios, which come with every campaign. A Return to is
laid over the guide it returns to: its ``campaign.toml`` says ``over``.
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
BESIDE = f"{SIDE}/"  # begins the names of files that belong to side scenarios
BELOW = "below/"  # begins those of the guide that a Return to is laid over
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


def own_files(guide_id: str) -> dict[str, bytes]:
    """The files of a guide that comes with the rules, by their stem.

    A campaign also has those of the side scenarios, under :data:`BESIDE`, a Return to
    those of the guide below it, under :data:`BELOW`.
    """
    found = _files(guide_id)
    if guide_id != SIDE:
        found |= {f"{BESIDE}{name}": each for name, each in _files(SIDE).items()}
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
    """Add to a scenario or campaign what another one has, and it lacks."""
    for section, lines in raw.get("lines", {}).items():
        raw["lines"][section] = base.get("lines", {}).get(section, {}) | lines
    for key, value in base.items():
        if isinstance(value, dict) and isinstance(own := raw.get(key, {}), dict):
            value = {each: value[each] for each in value if each not in without} | own
        if key not in without:
            raw[key] = value if isinstance(value, dict) else raw.get(key, value)
    _cite_too(raw)


def _cite_too(raw: Raw) -> None:
    """Add to steps of another scenario the places that lead to them only here.

    What names no step stays, as a key that is never read.
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
