"""Reads guides in the Arkham Cards format: campaigns, Return tos, side scenarios."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.guide import (
    SETUP,
    Achievement,
    Ask,
    CampaignGuide,
    Discount,
    GuideLibrary,
    MapPlace,
    Partner,
    Plain,
    Resolution,
    Scenario,
    Section,
    Step,
)
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.reading.conditions import read_condition_if_said
from arkham.rules.campaign.reading.cursor import (
    Cursor,
    Flaw,
    FlawsFound,
    Raw,
    Reader,
    always,
    known_or,
    row,
)
from arkham.rules.campaign.reading.files import CAMPAIGN, whole_campaigns
from arkham.rules.campaign.reading.steps import read_steps

SIDE = "side"
_KINDS = frozenset({"interlude", "epilogue", "placeholder"})  # others are played
USUAL_OUTCOMES = ("alive", "resigned", "physical", "mental", "eliminated")
LONGEST_ID = 80  # of a campaign or scenario
_ID = f"an id of at most {LONGEST_ID} letters"
MOST_SCENARIOS = 200  # of a campaign; the longest today has a fifth of them


class Reading(NamedTuple):
    """The guides that were read, and all flaws found."""

    library: GuideLibrary
    flaws: tuple[Flaw, ...]


def read_library(files: Mapping[str, bytes]) -> Reading:
    """Read guides from the files of a checkout, given by path.

    Paths look like ``campaigns/dwl/campaign.json`` and
    ``return_campaigns/rtdwl/core.json``; other files are ignored.
    """
    flaws = FlawsFound()
    guides: dict[str, CampaignGuide] = {}
    side: CampaignGuide | None = None
    for name, stems in whole_campaigns(flaws, files).items():
        guide = read_guide(flaws, name, stems)
        if guide is not None and guide.id == SIDE:
            side = guide
        elif guide is not None:
            guides[guide.id] = guide
    if side is not None:
        guides = {
            name: replace(guide, side=side.scenarios) for name, guide in guides.items()
        }
    return Reading(GuideLibrary(guides, side), tuple(flaws.flaws))


def read_guide(
    found: FlawsFound, name: str, stems: Mapping[str, Raw]
) -> CampaignGuide | None:
    """Read one campaign from its files; None, with a flaw, if there is no campaign."""
    raw = stems.get(CAMPAIGN)
    if raw is None:
        found.flaw("guide.missing", name, None, "a campaign.json")
        return None
    guide_id = Cursor(found, raw, name).text("id")
    here = Cursor(found, raw, f"{guide_id}/{CAMPAIGN}")
    files = {
        stem: Cursor(found, each, f"{guide_id}/{stem}")
        for stem, each in stems.items()
        if stem != CAMPAIGN
    }
    core: Mapping[str, Step] = {}
    for each in files.values():
        if each.raw.get("type") == "core":
            core = read_steps(each)
    return replace(
        _campaign(here),
        id=guide_id,
        scenarios=_scenarios(files),
        core=core,
        digest=digest_of(stems),
    )


def _scenarios(files: Mapping[str, Cursor]) -> dict[str, Scenario]:
    scenarios: dict[str, Scenario] = {}
    for stem, here in files.items():
        if here.raw.get("type") == "core":
            continue
        scenario = _scenario(here)
        if scenario.id in scenarios:
            here.flaw("guide.duplicate-scenario", "", scenario.id, "an id of its own")
        elif len(scenario.id) > LONGEST_ID:
            here.flaw("guide.too-large", "id", scenario.id, _ID)
        elif len(scenarios) >= MOST_SCENARIOS:
            here.flaw("guide.too-large", "", stem, f"{MOST_SCENARIOS} scenarios")
        else:
            scenarios[scenario.id] = scenario
    return scenarios


def read_scenario(found: FlawsFound, raw: Raw, at: str) -> Scenario:
    """Read one scenario, interlude or epilogue."""
    return _scenario(Cursor(found, raw, at))


def _scenario(here: Cursor) -> Scenario:
    scenario = _with_discount(here, _read_scenario(here))
    if not scenario.id:
        here.flaw("guide.missing", "id", None, "an id")
    return replace(
        scenario,
        follows=scenario.follows if scenario.follows != scenario.id else "",
        resolutions={
            each.id: _asking_who_resigned(each, scenario.steps)
            for each in scenario.resolutions.values()
        },
        named_costs=tuple(named_costs(scenario.steps.values())),
    )


def _alone(here: Cursor) -> tuple[str, ...] | None:
    return here.words("standalone_setup") if "standalone_setup" in here else None


def _resolutions(here: Cursor) -> dict[str, Resolution]:
    resolutions: dict[str, Resolution] = {}
    for each in here.items("resolutions"):
        resolution = _resolution(each)
        if resolution.id in resolutions:
            expected = "an id of its own"
            each.flaw("guide.duplicate-resolution", "", resolution.id, expected)
        resolutions.setdefault(resolution.id, resolution)
    return resolutions


def _asking_who_resigned(
    resolution: Resolution, steps: Mapping[str, Step]
) -> Resolution:
    """Return a resolution that allows “resigned” if it spares those who resigned.

    Resolution 3 of The Gathering needs this: its outcomes leave it out.
    """
    outcomes = resolution.statuses
    if not outcomes or "resigned" in outcomes:
        return resolution
    if not any(_spares_resigned(steps.get(each)) for each in resolution.steps):
        return resolution
    return replace(resolution, statuses=(outcomes[0], "resigned", *outcomes[1:]))


def _spares_resigned(step: Step | None) -> bool:
    if not isinstance(step, Plain) or step.batch is None:
        return False
    effects = (*step.batch.plain, *step.batch.personal)
    return any(getattr(each, "who", "") == "not_resigned" for each in effects)


def named_costs(steps: Iterable[Step]) -> Iterator[tuple[str, int]]:
    """Yield what investigators named by a side scenario pay besides the others."""
    for step in steps:
        if not isinstance(step, Plain) or step.batch is None:
            continue
        for effect in step.batch.personal:
            if isinstance(effect, do.EarnExperience) and (
                effect.named_cost or effect.side_scenario_cost
            ):
                yield effect.fixed, -effect.bonus


def _with_discount(here: Cursor, scenario: Scenario) -> Scenario:
    """Return a challenge scenario with its full price, if a card makes it cheaper.

    A question gives the difference back to those who say that they have the card.
    """
    challenge = here.inside("challenge")
    cards, less = challenge.words("card_discount"), challenge.number("xp_cost")
    if not cards or less <= 0:
        return scenario
    scenario = replace(scenario, cost=(scenario.cost or 0) + less)
    for step in scenario.steps.values():
        prompt = step.prompt if isinstance(step, Ask) else None
        if not isinstance(prompt, to.SeatChoice) or step.id not in scenario.setup:
            continue
        given = tuple(_given_back(choice, less) for choice in prompt.choices)
        if given != prompt.choices:
            asked = Ask(step.id, replace(prompt, choices=given))
            return replace(
                scenario,
                steps={**scenario.steps, step.id: asked},
                discount=Discount(cards, less, step.id),
            )
    return scenario


def _given_back(choice: PromptChoice, less: int) -> PromptChoice:
    """Return a choice whose effect refunds this much to those who choose it."""
    given = do.EarnExperience("input", bonus=less)
    back = replace(given, named_cost=True)

    def marked(batch: do.Batch) -> do.Batch:
        plain = tuple(back if each == given else each for each in batch.plain)
        return do.Batch(plain, batch.personal)

    return replace(choice, batches=tuple(map(marked, choice.batches)))


def _outcomes(here: Cursor) -> tuple[str, ...]:
    if "investigator_status" not in here:
        return USUAL_OUTCOMES
    statuses = here.words("investigator_status")
    for status in statuses:
        if status not in course.OUTCOMES:
            here.flaw("guide.unknown-kind", "investigator_status", status)
    return statuses


_resolution = row(
    Resolution,
    *("id", "steps", "hidden"),
    statuses=_outcomes,
    condition=read_condition_if_said,
)


def _rules(here: Cursor) -> tuple[str, ...]:
    """Return the steps that are read as rules, apart from the order of play."""
    return tuple(step for rule in here.items("rules") for step in rule.words("steps"))


_read_scenario = row(
    Scenario,
    *("id", "setup", "allow_side_scenario"),
    name="scenario_name",
    kind=known_or("type", _KINDS),
    steps=read_steps,
    standalone_setup=_alone,
    resolutions=_resolutions,
    side="side_scenario_type",
    cost="xp_cost",
    rules=_rules,
    follows="main_scenario_id",
)


def _partners(here: Cursor) -> tuple[Partner, ...]:
    return tuple(map(read_partner, here.items("partners")))


read_partner = row(
    Partner,
    *("code", "health", "sanity"),
    resolute_health=lambda here: here.number("resolute_health", here.number("health")),
    resolute_sanity=lambda here: here.number("resolute_sanity", here.number("sanity")),
)
_section = row(Section, "id", "title", "hidden", kind="type", partners=_partners)
_place = row(MapPlace, "id", "name", "scenario", "status", "hidden", "connections")


def _items(here: Cursor) -> tuple[str, ...]:
    return tuple(item.text("id") for item in here.items("items"))


_achievement = row(Achievement, "id", "title", kind="type", most="max", items=_items)


def _each(read: Callable[[Cursor], Any], key: str) -> Reader:
    return lambda here: tuple(map(read, here.items(key)))


def _setup(here: Cursor) -> Scenario:
    return Scenario(
        id=SETUP,
        name=here.text("name"),
        kind="interlude",
        setup=here.words("setup"),
        steps=read_steps(here),
    )


_campaign = row(
    CampaignGuide,
    "name",
    "version",
    "scenario_setup",
    "hidden_scenarios",
    id=always(""),
    kind="campaign_type",
    order="scenarios",
    sections=_each(_section, "campaign_log"),
    setup=_setup,
    scenarios=always({}),
    core=always({}),
    side_steps=lambda here: tuple(read_steps(here, "side_scenario_steps").values()),
    side_resolution="side_scenario_resolution",
    free_side_scenarios="no_side_scenario_xp",
    map=lambda here: {
        place.id: place for place in map(_place, here.inside("map").items("locations"))
    },
    fast_card=lambda here: here.inside("map").text("fast_code"),
    achievements=_each(_achievement, "achievements"),
    cards=lambda here: {
        card.text("code"): card.text("name") for card in here.items("cards")
    },
    rules=_rules,
)


def digest_of(stems: Mapping[str, Raw]) -> str:
    """Return a digest that identifies exactly this guide."""
    content = json.dumps(stems, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.blake2b(content, digest_size=16).hexdigest()
