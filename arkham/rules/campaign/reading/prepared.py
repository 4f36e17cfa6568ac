"""Guides in a prepared form: laid over each other, without words, read when needed.

A prepared guide is one JSON document: its campaign, its shared steps, and each scenario
as a text of its own, which is read when the scenario is first played. What is wrong
with a guide is reported when it is prepared, not when it is read again.

Brought are the guides of some files, and those that come with the rules. A table is
pinned to the guide it plays by, and a guide of ours may change with the next release:
so it is kept like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.campaign.model.guide import CampaignGuide, GuideLibrary, Scenario
from arkham.rules.campaign.reading import own
from arkham.rules.campaign.reading.cursor import Flaw, FlawsFound, Raw
from arkham.rules.campaign.reading.files import CAMPAIGN, whole_campaigns, words_of
from arkham.rules.campaign.reading.guides import SIDE, read_guide, read_scenario
from arkham.rules.campaign.reading.lint import lint_guide
from arkham.rules.campaign.reading.own import (
    open_own_guide,
    own_files,
    own_guides,
    prepared_own,
)

FORMAT = 1
# The words of a guide; an engine needs none of it.
WORDS = frozenset(
    {
        "text", "narration", "bullets", "bullet_type", "description", "prompt",
        "linked_prompt", "manual_prompt", "confirm_text", "confirmation_text",
        "feminine_text", "masculine_text", "nonbinary_text", "plural_text", "subtext",
        "note", "example", "images", "border_only", "border_color", "prompt_type",
        "selected_text", "selected_text_feminine", "annotations", "decorations",
        "arrows", "resource_dividers", "location_names", "svg", "img", "dossier",
        "chaos_bag_card_text", "chaos_bag_card_back_text", "full_name", "header",
    }
)  # fmt: skip


def prepared(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[Flaw]]:
    """Every campaign of a checkout in its prepared form, by id; and the flaws found."""
    wrong = FlawsFound()
    found: dict[str, bytes] = {}
    for name, stems in whole_campaigns(wrong, files).items():
        guide = read_guide(wrong, name, stems)
        if guide is not None:
            found[guide.id] = prepared_form(guide, stems)
    return found, wrong.flaws


def prepared_form(guide: CampaignGuide, stems: Mapping[str, Raw]) -> bytes:
    """The prepared form of a guide that was read from these files, by their stem."""
    scenarios: dict[str, str] = {}
    core: Raw | None = None
    for stem, raw in stems.items():
        scenario_id = raw.get("id")
        if raw.get("type") == "core":
            core = raw
        elif stem == CAMPAIGN or not isinstance(scenario_id, str):
            continue
        elif scenario_id in guide.scenarios:
            scenarios.setdefault(scenario_id, _json(without_words(raw)))
    whole = {
        "format": FORMAT,
        "digest": guide.digest,
        "campaign": {**without_words(stems[CAMPAIGN]), "id": guide.id},
        "core": without_words(core),
        "scenarios": scenarios,
    }
    return _json(whole).encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def without_words(value: Any) -> Any:
    """A part of a guide as the engine needs it."""
    if isinstance(value, dict):
        return {
            key: without_words(each) for key, each in value.items() if key not in WORDS
        }
    if isinstance(value, list):
        return [without_words(each) for each in value]
    return value


class PreparedScenarios(Mapping[str, Scenario]):
    """The scenarios of a prepared guide; each is read when it is first asked for."""

    def __init__(self, guide_id: str, texts: Mapping[str, str]) -> None:
        self._guide_id = guide_id
        self._texts = texts
        self._read: dict[str, Scenario] = {}

    def __getitem__(self, scenario_id: str) -> Scenario:
        found = self._read.get(scenario_id)
        if found is None:
            raw = json.loads(self._texts[scenario_id])
            at = f"{self._guide_id}/{scenario_id}"
            found = self._read[scenario_id] = read_scenario(FlawsFound(), raw, at)
        return found

    def __contains__(self, scenario_id: object) -> bool:
        return scenario_id in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def open_guide(
    content: bytes, side: Mapping[str, Scenario] | None = None
) -> CampaignGuide:
    """A guide from its prepared form; ``side`` are the side scenarios of all guides.

    Raises ValueError for what is no guide in this form.
    """
    whole = json.loads(content)
    if isinstance(whole, dict) and whole.get("format") == own.FORMAT:
        return own.with_sides(own.open_prepared(whole), side or {})
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise ValueError("This is no guide in the prepared form.")
    stems = {"campaign": whole["campaign"]}
    if whole["core"] is not None:
        stems["core"] = whole["core"]
    guide_id = str(whole["campaign"].get("id"))
    guide = read_guide(FlawsFound(), guide_id, stems)
    if guide is None:
        raise ValueError("This guide has no campaign.")
    return replace(
        guide,
        scenarios=PreparedScenarios(guide_id, whole["scenarios"]),
        side={} if side is None else side,
        digest=whole["digest"],
    )


def open_library(contents: Mapping[str, bytes]) -> GuideLibrary:
    """All guides from their prepared forms."""
    side = open_guide(contents[SIDE]) if SIDE in contents else None
    scenarios = side.scenarios if side is not None else None
    return GuideLibrary(
        {
            guide_id: open_guide(content, scenarios)
            for guide_id, content in contents.items()
            if guide_id != SIDE
        },
        side,
    )


LONGEST_ID, LONGEST_NAME = 60, 120
_FIT_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{LONGEST_ID - 1}}}")


class Brought(NamedTuple):
    """A guide that was brought: what is kept of it, and what is wrong with it.

    ``prepared`` and ``words`` are JSON; ``scenarios`` is how many it has.
    """

    guide_id: str
    name: str
    version: int
    digest: str
    scenarios: int
    prepared: bytes
    words: bytes
    flaws: tuple[Flaw, ...]


class Bringing(NamedTuple):
    """All guides of some files, and the flaws that belong to none of them."""

    guides: tuple[Brought, ...]
    flaws: tuple[Flaw, ...]

    @property
    def side(self) -> Brought | None:
        """The side scenarios among them, if they were brought."""
        return next((each for each in self.guides if each.guide_id == SIDE), None)

    def without_words(self) -> Bringing:
        """The same without the words of the guides."""
        bare = tuple(each._replace(words=b"") for each in self.guides)
        return self._replace(guides=bare)


def bring(files: Mapping[str, bytes]) -> Bringing:
    """The guides in files by their path, such as ``campaigns/dwl/campaign.json``."""
    wrong = FlawsFound()
    campaigns = whole_campaigns(wrong, files)
    side = _read(FlawsFound(), SIDE, campaigns.get(SIDE, {}))
    asides = side.scenarios if side is not None else {}
    found: dict[str, Brought] = {}
    for name, stems in campaigns.items():
        if not stems:
            continue  # a Return to alone: the flaw is noted
        brought = _brought(wrong, name, stems, asides)
        if brought is None:
            continue
        if brought.guide_id in found:
            at = f"{name}/campaign.id"
            wrong.flaw("guide.duplicate-guide", at, brought.guide_id, "its own id")
        else:
            found[brought.guide_id] = brought
    return Bringing(tuple(found.values()), tuple(wrong.flaws))


def _read(
    wrong: FlawsFound, name: str, stems: Mapping[str, Raw]
) -> CampaignGuide | None:
    return read_guide(wrong, name, stems) if stems else None


def _brought(
    wrong: FlawsFound,
    name: str,
    stems: Mapping[str, Raw],
    asides: Mapping[str, Scenario],
) -> Brought | None:
    """One guide; None, with flaws that belong to no guide, if it cannot be kept."""
    own = FlawsFound()
    guide = read_guide(own, name, stems)
    if guide is None or not _is_fit(own, name, guide):
        wrong.flaws += own.flaws
        return None
    linted = guide if guide.id == SIDE else replace(guide, side=asides)
    return Brought(
        guide.id,
        guide.name[:LONGEST_NAME] or guide.id,
        max(guide.version, 0),
        guide.digest,
        len(guide.scenarios),
        prepared_form(guide, stems),
        json.dumps(words_of(stems), ensure_ascii=False, separators=(",", ":")).encode(),
        tuple(_once([*own.flaws, *lint_guide(linted)])),
    )


def _is_fit(wrong: FlawsFound, name: str, guide: CampaignGuide) -> bool:
    """Whether a guide can be kept under its id."""
    if _FIT_ID.fullmatch(guide.id):
        return True
    expected = f"at most {LONGEST_ID} letters, digits, - and _"
    wrong.flaw("guide.unfit-id", f"{name}/campaign.id", guide.id, expected)
    return False


def _once(flaws: list[Flaw]) -> Iterator[Flaw]:
    """Each flaw once, in order."""
    yield from dict.fromkeys(flaws)


def bring_own() -> Bringing:
    """All of them, in their prepared form, with their words; nothing is wrong."""
    return Bringing(tuple(map(_brought_own, (*own_guides(), SIDE))), ())


def _brought_own(guide_id: str) -> Brought:
    own = open_own_guide(guide_id)
    return Brought(
        guide_id,
        own.guide.name,
        own.guide.version,
        own.guide.digest,
        len(own.guide.scenarios),
        prepared_own(guide_id, own_files(guide_id)),
        json.dumps(
            own.raw_words, default=dict, ensure_ascii=False, separators=(",", ":")
        ).encode(),
        (),
    )
