"""Finds what the steps of a guide refer to: steps, resolutions, scenarios, sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.guide import Border, CampaignGuide, Plain, Resolve


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
