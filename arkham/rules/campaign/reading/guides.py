"""Files of guides → guides: every campaign, its Return to, side scenarios."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import (
    SETUP,
    Achievement,
    CampaignGuide,
    GuideLibrary,
    MapPlace,
    Partner,
    Resolution,
    Scenario,
    Section,
)
from arkham.rules.campaign.model.steps import Plain, Step
from arkham.rules.campaign.reading.conditions import read_condition
from arkham.rules.campaign.reading.fields import Fields, Flaw, Raw, read_file
from arkham.rules.campaign.reading.overlay import CAMPAIGN, overlaid
from arkham.rules.campaign.reading.steps import read_steps

SIDE = "side"
_KINDS = frozenset({"interlude", "epilogue", "placeholder"})  # else it is played
BASE_DIRECTORY = "campaigns"
OVER_DIRECTORY = "return_campaigns"
USUAL_OUTCOMES = ("alive", "resigned", "physical", "mental", "eliminated")
LONGEST_ID = 80  # of a campaign or scenario
_ID = f"an id of at most {LONGEST_ID} letters"
MOST_SCENARIOS = 200  # of a campaign; the longest today has a fifth of them


class Reading(NamedTuple):
    """What was read, and everything that is wrong with it."""

    library: GuideLibrary
    flaws: tuple[Flaw, ...]


def read_library(files: Mapping[str, bytes]) -> Reading:
    """Guides from the files of a checkout, by their path in it.

    Paths are like ``campaigns/dwl/campaign.json`` and
    ``return_campaigns/rtdwl/core.json``; other files are passed over.
    """
    fields = Fields()
    guides: dict[str, CampaignGuide] = {}
    side: CampaignGuide | None = None
    for name, stems in whole_campaigns(fields, files).items():
        guide = read_guide(fields, name, stems)
        if guide is not None and guide.id == SIDE:
            side = guide
        elif guide is not None:
            guides[guide.id] = guide
    if side is not None:
        guides = {
            name: replace(guide, side=side.scenarios) for name, guide in guides.items()
        }
    return Reading(GuideLibrary(guides, side), tuple(fields.flaws))


def whole_campaigns(
    fields: Fields, files: Mapping[str, bytes]
) -> dict[str, dict[str, Raw]]:
    """The files of each campaign by its directory and their stem, Return tos whole.

    A Return to is none of another Return to: each would hold all below it once more.
    """
    bases = _directories(fields, files, BASE_DIRECTORY)
    found = dict(bases)
    for name, stems in _directories(fields, files, OVER_DIRECTORY).items():
        below = bases.get(name.removeprefix("rt"))
        if below is None:
            fields.flaw("guide.unknown-original", name, name, "a campaign below it")
        else:
            found[name] = overlaid(fields, name, below, stems)
    return found


def _directories(
    fields: Fields, files: Mapping[str, bytes], below: str
) -> dict[str, dict[str, Raw]]:
    """The JSON objects of each directory, by directory and stem, in order."""
    found: dict[str, dict[str, Raw]] = {}
    for path in sorted(files):
        parts = path.split("/")
        if len(parts) < 3 or parts[-3] != below or not parts[-1].endswith(".json"):
            continue
        raw = read_file(fields, path, files[path])
        if raw is not None:
            found.setdefault(parts[-2], {})[parts[-1].removesuffix(".json")] = raw
    return found


def read_guide(
    fields: Fields, name: str, stems: Mapping[str, Raw]
) -> CampaignGuide | None:
    """One campaign from its files; None, with a flaw, where there is no campaign."""
    raw = stems.get(CAMPAIGN)
    if raw is None:
        fields.flaw("guide.missing", name, None, "a campaign.json")
        return None
    guide_id = fields.text(raw, "id", name)
    scenarios: dict[str, Scenario] = {}
    core: Mapping[str, Step] = {}
    for stem, each in stems.items():
        if stem == CAMPAIGN:
            continue
        at = f"{guide_id}/{stem}"
        if each.get("type") == "core":
            core = read_steps(fields, fields.items(each, "steps", at), at)
            continue
        scenario = read_scenario(fields, each, at)
        if scenario.id in scenarios:
            fields.flaw("guide.duplicate-scenario", at, scenario.id, "an id of its own")
        elif len(scenario.id) > LONGEST_ID:
            fields.flaw("guide.too-large", f"{at}.id", scenario.id, _ID)
        elif len(scenarios) >= MOST_SCENARIOS:
            fields.flaw("guide.too-large", at, stem, f"{MOST_SCENARIOS} scenarios")
        else:
            scenarios[scenario.id] = scenario
    at = f"{guide_id}/{CAMPAIGN}"
    side_steps = read_steps(fields, fields.items(raw, "side_scenario_steps", at), at)
    places, fast_card = _map(fields, raw, at)
    return CampaignGuide(
        guide_id,
        fields.text(raw, "name", at),
        fields.number(raw, "version", at),
        fields.text(raw, "campaign_type", at),
        fields.words(raw, "scenarios", at),
        _sections(fields, raw, at),
        Scenario(
            SETUP,
            fields.text(raw, "name", at),
            "interlude",
            fields.words(raw, "setup", at),
            read_steps(fields, fields.items(raw, "steps", at), at),
        ),
        scenarios,
        core,
        {},
        fields.words(raw, "scenario_setup", at),
        tuple(side_steps.values()),
        fields.words(raw, "side_scenario_resolution", at),
        fields.flag(raw, "no_side_scenario_xp", at),
        places,
        fast_card,
        fields.words(raw, "hidden_scenarios", at),
        _achievements(fields, raw, at),
        {
            fields.text(card, "code", at): fields.text(card, "name", at)
            for card in fields.items(raw, "cards", at)
        },
        _rules(fields, raw, at),
        digest_of(stems),
    )


def read_scenario(fields: Fields, raw: Raw, at: str) -> Scenario:
    """One scenario, interlude or epilogue."""
    scenario_id = fields.text(raw, "id", at)
    if not scenario_id:
        fields.flaw("guide.missing", f"{at}.id", None, "an id")
    resolutions: dict[str, Resolution] = {}
    for index, each in enumerate(fields.items(raw, "resolutions", at)):
        where = f"{at}.resolutions[{index}]"
        resolution = _resolution(fields, each, where)
        if resolution.id in resolutions:
            fields.flaw(
                "guide.duplicate-resolution", where, resolution.id, "an id of its own"
            )
        resolutions.setdefault(resolution.id, resolution)
    main = fields.text(raw, "main_scenario_id", at)
    steps = read_steps(fields, fields.items(raw, "steps", at), at)
    return Scenario(
        scenario_id,
        fields.text(raw, "scenario_name", at),
        fields.known_if_said(raw, "type", at, _KINDS),
        fields.words(raw, "setup", at),
        steps,
        fields.words(raw, "standalone_setup", at)
        if "standalone_setup" in raw
        else None,
        resolutions,
        fields.text(raw, "side_scenario_type", at),
        fields.number_or_none(raw, "xp_cost", at),
        fields.flag(raw, "allow_side_scenario", at),
        _rules(fields, raw, at),
        main if main != scenario_id else "",
        tuple(_named_costs(steps.values())),
    )


def _named_costs(steps: Iterable[Step]) -> Iterator[tuple[str, int]]:
    """What investigators a side scenario names pay besides the others."""
    for step in steps:
        if not isinstance(step, Plain) or step.batch is None:
            continue
        for effect in step.batch.personal:
            if isinstance(effect, do.EarnExperience) and (
                effect.named_cost or effect.side_scenario_cost
            ):
                yield effect.fixed, -effect.bonus


def _resolution(fields: Fields, raw: Raw, at: str) -> Resolution:
    condition = fields.thing(raw, "condition", at)
    statuses: tuple[str, ...] = USUAL_OUTCOMES
    if "investigator_status" in raw:
        statuses = fields.words(raw, "investigator_status", at)
        for status in statuses:
            if status not in do.OUTCOMES:
                fields.flaw("guide.unknown-kind", f"{at}.investigator_status", status)
    return Resolution(
        fields.text(raw, "id", at),
        fields.words(raw, "steps", at),
        statuses,
        read_condition(fields, condition, f"{at}.condition") if condition else None,
        fields.flag(raw, "hidden", at),
    )


def _sections(fields: Fields, raw: Raw, at: str) -> tuple[Section, ...]:
    found = []
    for index, each in enumerate(fields.items(raw, "campaign_log", at)):
        where = f"{at}.campaign_log[{index}]"
        partners = tuple(
            Partner(
                fields.text(partner, "code", where),
                fields.number(partner, "health", where),
                fields.number(partner, "sanity", where),
                fields.number(
                    partner,
                    "resolute_health",
                    where,
                    fields.number(partner, "health", where),
                ),
                fields.number(
                    partner,
                    "resolute_sanity",
                    where,
                    fields.number(partner, "sanity", where),
                ),
            )
            for partner in fields.items(each, "partners", where)
        )
        found.append(
            Section(
                fields.text(each, "id", where),
                fields.text(each, "title", where),
                fields.text(each, "type", where),
                fields.flag(each, "hidden", where),
                partners,
            )
        )
    return tuple(found)


def _map(fields: Fields, raw: Raw, at: str) -> tuple[dict[str, MapPlace], str]:
    drawn = fields.thing(raw, "map", at)
    if drawn is None:
        return {}, ""
    places = {}
    for index, each in enumerate(fields.items(drawn, "locations", at)):
        where = f"{at}.map.locations[{index}]"
        place = MapPlace(
            fields.text(each, "id", where),
            fields.text(each, "name", where),
            fields.text(each, "scenario", where),
            fields.text(each, "status", where),
            fields.flag(each, "hidden", where),
            fields.words(each, "connections", where),
        )
        places[place.id] = place
    return places, fields.text(drawn, "fast_code", at)


def _achievements(fields: Fields, raw: Raw, at: str) -> tuple[Achievement, ...]:
    return tuple(
        Achievement(
            fields.text(each, "id", at),
            fields.text(each, "title", at),
            fields.text(each, "type", at),
            fields.number_or_none(each, "max", at),
            tuple(
                fields.text(item, "id", at) for item in fields.items(each, "items", at)
            ),
        )
        for each in fields.items(raw, "achievements", at)
    )


def _rules(fields: Fields, raw: Raw, at: str) -> tuple[str, ...]:
    """The steps that are read as rules, apart from the order of play."""
    return tuple(
        step
        for rule in fields.items(raw, "rules", at)
        for step in fields.words(rule, "steps", at)
    )


def digest_of(stems: Mapping[str, Raw]) -> str:
    """What pins a campaign to exactly this guide."""
    content = json.dumps(stems, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.blake2b(content, digest_size=16).hexdigest()
