"""Finds what the steps of a guide refer to: steps, resolutions, scenarios, sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import INPUT, Batch, Effect, Mark
from arkham.rules.campaign.model.guide import (
    Border,
    CampaignGuide,
    Plain,
    Resolve,
    Scenario,
)
from arkham.rules.campaign.model.prompts import CardChoice


class References(NamedTuple):
    """Everything that one step, or one resolution, refers to."""

    steps: tuple[str, ...]
    resolutions: tuple[str, ...]
    scenarios: tuple[str, ...]
    written: tuple[str, ...]
    read: tuple[str, ...]
    places: tuple[str, ...]
    partners: tuple[tuple[str, str], ...]  # each with the section that lists them


def references(root: object) -> References:
    """Return what a part of a guide refers to."""
    steps: list[str] = []
    resolutions: list[str] = []
    scenarios: list[str] = []
    written: list[str] = []
    read: list[str] = []
    places: list[str] = []
    partners: list[tuple[str, str]] = []
    for part in parts(root):
        steps += _steps_of(part)
        match part:
            case Resolve(resolution=resolution):
                resolutions.append(resolution)
            case to.PlayScenario(fixed_resolution=fixed, single_resolution=single):
                resolutions += [each for each in (fixed, single) if each]
            case course.NextScenario(scenario) | course.SkipScenario(scenario):
                scenarios.append(scenario)
            case course.ReplayScenario(scenario) | course.PlayedBefore(scenario):
                scenarios.append(scenario)
            case course.SetScenarios(listed):
                scenarios += listed
            case ask.CampaignCheck(question=question, value=scenario):
                if question.startswith("scenario_"):
                    scenarios.append(scenario)
            case course.Embark(location=place) | ask.LocationCheck(location=place):
                places += [place] if place else []
            case course.MapChange(
                change="unlock_location" | "lock_location", value=place
            ):
                places.append(place)
            case do.PartnerStatus(section=team, partner=partner) if partner:
                partners.append((team, partner))
            case ask.PartnerCheck(section=team, partner=partner) if partner:
                partners.append((team, partner))
        section = getattr(part, "section", "")
        if section and section != do.INPUT:
            (written if isinstance(part, _WRITERS) else read).append(section)
    return References(
        tuple(steps),
        tuple(resolutions),
        tuple(scenarios),
        tuple(written),
        tuple(read),
        tuple(places),
        tuple(partners),
    )


def parts(root: object) -> Iterator[object]:
    """Yield the root and every part of the model inside it."""
    waiting: list[Any] = [root]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, dict):
            waiting.extend(part.values())
        elif is_dataclass(part):
            yield part
            waiting.extend(
                value
                for field in fields(part)
                if isinstance(value := getattr(part, field.name), tuple | dict)
                or is_dataclass(value)
            )


def cards_named(guide: CampaignGuide) -> frozenset[str]:
    """Return the codes of all cards a guide mentions; some only its authors know."""
    named = set(guide.cards)
    for part in parts(guide):
        named.update(cards_of(part))
    return frozenset(named - {do.INPUT})


def cards_of(part: object) -> tuple[str, ...]:
    """Return the codes of the cards that one part of a guide mentions."""
    match part:
        case do.AddCard(card=card) | do.RemoveCard(card) | do.CardCount(card):
            return (card,)
        case do.Banish(card):
            return (card,)
        case do.ReplaceCard(old, new):
            return (old, new)
        case do.EarnExperience(card=card) if card:
            return (card,)
        case to.CardQuery(codes):
            return codes
    return ()


def _steps_of(part: object) -> tuple[str, ...]:
    match part:
        case (
            Plain(steps=steps)
            | to.PromptChoice(steps=steps)
            | ask.ConditionOption(steps=steps)
        ):
            return steps
        case Border(steps=steps, confirmed=confirmed):
            return steps + confirmed
        case to.ChooseInvestigators(nobody_steps=steps):
            return steps or ()
        case do.Shown(steps=steps):
            return steps
        case course.HubStep(step=step):
            return (step,)
    return ()


_WRITERS = (
    do.LogLine,
    do.LogCards,
    do.LogCount,
    do.SeatCount,
    do.AssignTask,
    do.TaskCount,
    do.LogText,
    do.GainSupplies,
    do.LoseSupplies,
    do.PartnerStatus,
    do.BindKey,
    course.Redirect,
    to.Supplies,
    to.UseSupplies,
    to.PartnerTrauma,
)


Place = tuple[str, str]


def steps_parts(scenario: Scenario) -> Iterator[object]:
    """Yield every part of a scenario's steps."""
    return parts(tuple(scenario.steps.values()))


def place_of(which: str) -> Place:
    """Return the section and the line of ``section.line``; "" if there is no line."""
    section, _, line_id = which.partition(".")
    return section, line_id


def _naming(guide: CampaignGuide) -> Iterator[tuple[do.LogCards, Batch]]:
    """Yield the effects that record named cards, each with the batch it is in."""
    hidden = {section.id for section in guide.sections if section.hidden}
    for scenario in guide.scenarios.values():
        for batch in steps_parts(scenario):
            if isinstance(batch, Batch):
                for each in (*batch.plain, *batch.personal):
                    if (
                        isinstance(each, do.LogCards)
                        and each.mark is Mark.RECORD
                        and each.section not in {*hidden, INPUT}
                        and not each.codes
                        and (each.cards or each.id == INPUT)
                    ):
                        yield each, batch


def listed_cards(guide: CampaignGuide) -> dict[str, tuple[str, ...]]:
    """Return the sections whose lines are cards, with the cards the guide knows."""
    found: dict[str, dict[str, None]] = {}
    for each, _batch in _naming(guide):
        if each.id == INPUT:
            found.setdefault(each.section, {})
    for scenario in guide.scenarios.values():
        for part in steps_parts(scenario):
            if isinstance(part, CardChoice):
                for section in {e.section for e in _recorded(part)} & found.keys():
                    for query in part.queries:
                        found[section] |= dict.fromkeys(query.codes)
    return {section: tuple(codes) for section, codes in found.items()}


def _recorded(choice: CardChoice) -> Iterator[do.LogCards]:
    return (each for each in parts(choice) if isinstance(each, do.LogCards))


def naming_lines(guide: CampaignGuide) -> dict[Place, None]:
    """Return the lines that name cards or people, in the order of the guide."""
    found = ((each.section, each.id) for each, _batch in _naming(guide))
    return dict.fromkeys(place for place in found if place[1] != INPUT)


def written_with(
    guide: CampaignGuide, lines: tuple[Place, ...], named: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Effect, tuple[str, ...]]]:
    """Yield the effects that record lines, each once, with the cards they name.

    Cards that also leave every deck, such as those sacrificed, are banned from decks.
    """
    fixed = {
        (each.section, each.id): each
        for scenario in guide.scenarios.values()
        for each in steps_parts(scenario)
        if isinstance(each, do.LogCards) and each.codes and each.mark is Mark.RECORD
    }
    known = {(each.section, each.id): batch for each, batch in _naming(guide)}
    places = {place_of(which): codes for which, codes in named.items()}
    for section, line_id in dict.fromkeys((*lines, *places)):
        codes = places.get((section, line_id), ())
        batch, which = known.get((section, line_id)), line_id
        effect: Effect = fixed.get((section, line_id), do.LogLine(section, line_id))
        if (section, INPUT) in known and (section, line_id) not in known:
            batch, codes, which = known[section, INPUT], (line_id,), INPUT
            effect = do.LogCards(section, which)
        elif codes:
            effect = do.LogCards(section, which, INPUT)
        yield effect, codes
        if batch is not None and do.RemoveCard(INPUT) in batch.plain and codes:
            yield do.RemoveCard(INPUT), codes


def waiting_pool(guide: CampaignGuide) -> str:
    """Return the pool of experience that waits to be spent; "" if there is none."""
    everything = (each for s in guide.scenarios.values() for each in parts(s))
    pools = (e.emptied_pool for e in everything if isinstance(e, do.EarnExperience))
    return next(filter(None, pools), "")


def key_thieves(guide: CampaignGuide) -> dict[str, None]:
    """Return the enemies that can bear a key."""
    everything = (each for s in guide.scenarios.values() for each in parts(s))
    bound = (each for each in everything if isinstance(each, do.BindKey))
    return dict.fromkeys(sorted(each.enemy for each in bound if each.enemy))
