"""Guides as they are stored: laid over each other, without texts, read when needed.

A prepared guide is one JSON document: its campaign, its shared steps, and each scenario
as a string of its own, which is parsed when the scenario is first played. Flaws are
reported when a guide is prepared, not when it is opened.

Guides come from imported files, or with the rules. Campaigns are pinned to their guide,
and guides of ours may change with a release: so they are stored like all others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.campaign.model.guide import CampaignGuide, Scenario
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
# The keys of texts, which the engine doesn't need.
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
    """Return the campaigns of a checkout in prepared form, by id, and all flaws."""
    wrong = FlawsFound()
    found: dict[str, bytes] = {}
    for name, stems in whole_campaigns(wrong, files).items():
        guide = read_guide(wrong, name, stems)
        if guide is not None:
            found[guide.id] = prepared_form(guide, stems)
    return found, wrong.flaws


def prepared_form(guide: CampaignGuide, stems: Mapping[str, Raw]) -> bytes:
    """Return the prepared form of a guide that was read from these files, by stem."""
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
    """Return a part of a guide without its texts."""
    if isinstance(value, dict):
        return {
            key: without_words(each) for key, each in value.items() if key not in WORDS
        }
    if isinstance(value, list):
        return [without_words(each) for each in value]
    return value


class PreparedScenarios(Mapping[str, Scenario]):
    """The scenarios of a prepared guide, each read on first access."""

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
    """Return a guide from its prepared form, with the given side scenarios.

    Raises ValueError for anything else.
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


LONGEST_ID, LONGEST_NAME = 60, 120
_FIT_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{LONGEST_ID - 1}}}")


class ImportedGuide(NamedTuple):
    """An imported guide: what is stored, and its flaws.

    ``prepared`` and ``words`` are JSON; ``scenarios`` is the number of its scenarios.
    """

    guide_id: str
    name: str
    version: int
    digest: str
    scenarios: int
    prepared: bytes
    words: bytes
    flaws: tuple[Flaw, ...]


class GuideImport(NamedTuple):
    """The guides found in some files, and the flaws that belong to none of them."""

    guides: tuple[ImportedGuide, ...]
    flaws: tuple[Flaw, ...]

    @property
    def side(self) -> ImportedGuide | None:
        """The side scenarios among them, if any."""
        return next((each for each in self.guides if each.guide_id == SIDE), None)

    def without_words(self) -> GuideImport:
        """Return the same guides without their texts."""
        bare = tuple(each._replace(words=b"") for each in self.guides)
        return self._replace(guides=bare)


def import_guides(files: Mapping[str, bytes]) -> GuideImport:
    """Import guides from files by path, such as ``campaigns/dwl/campaign.json``."""
    wrong = FlawsFound()
    campaigns = whole_campaigns(wrong, files)
    side = _read(FlawsFound(), SIDE, campaigns.get(SIDE, {}))
    asides = side.scenarios if side is not None else {}
    found: dict[str, ImportedGuide] = {}
    for name, stems in campaigns.items():
        if not stems:
            continue  # a Return to without its original: the flaw is recorded
        imported = _imported(wrong, name, stems, asides)
        if imported is None:
            continue
        if imported.guide_id in found:
            at = f"{name}/campaign.id"
            wrong.flaw("guide.duplicate-guide", at, imported.guide_id, "its own id")
        else:
            found[imported.guide_id] = imported
    return GuideImport(tuple(found.values()), tuple(wrong.flaws))


def _read(
    wrong: FlawsFound, name: str, stems: Mapping[str, Raw]
) -> CampaignGuide | None:
    return read_guide(wrong, name, stems) if stems else None


def _imported(
    wrong: FlawsFound,
    name: str,
    stems: Mapping[str, Raw],
    asides: Mapping[str, Scenario],
) -> ImportedGuide | None:
    """Return one guide; None, with its flaws in ``wrong``, if it can't be stored."""
    own = FlawsFound()
    guide = read_guide(own, name, stems)
    if guide is None or not _is_fit(own, name, guide):
        wrong.flaws += own.flaws
        return None
    linted = guide if guide.id == SIDE else replace(guide, side=asides)
    return ImportedGuide(
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
    """Return whether a guide can be stored under its id."""
    if _FIT_ID.fullmatch(guide.id):
        return True
    expected = f"at most {LONGEST_ID} letters, digits, - and _"
    wrong.flaw("guide.unfit-id", f"{name}/campaign.id", guide.id, expected)
    return False


def _once(flaws: list[Flaw]) -> Iterator[Flaw]:
    """Yield each flaw once, in order."""
    yield from dict.fromkeys(flaws)


def import_own_guides() -> GuideImport:
    """Return all guides that come with the rules in prepared form, with their texts."""
    return GuideImport(tuple(map(_imported_own_guide, (*own_guides(), SIDE))), ())


def _imported_own_guide(guide_id: str) -> ImportedGuide:
    own = open_own_guide(guide_id)
    return ImportedGuide(
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
