"""Guides in a prepared form: laid over each other, without words, read when needed.

A prepared guide is one JSON document: its campaign, its shared steps, and each scenario
as a text of its own, which is read when the scenario is first played. What is wrong
with a guide is reported when it is prepared, not when it is read again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.model.guide import CampaignGuide, GuideLibrary, Scenario
from arkham.rules.campaign.reading import own
from arkham.rules.campaign.reading.cursor import Flaw, FlawsFound, Raw
from arkham.rules.campaign.reading.files import CAMPAIGN, whole_campaigns
from arkham.rules.campaign.reading.guides import SIDE, read_guide, read_scenario

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
