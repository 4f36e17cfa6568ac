"""Find the guides that a campaign of a backup was played with, and those missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts
from arkham.rules.campaign.interpreter.replay import START_SIDE
from arkham.rules.campaign.model.scenario_steps import CUSTOM
from arkham.rules.campaign.state.answers import SideScenario
from campaigns.files.backups import BackedUp
from campaigns.guides import opening
from campaigns.models import Guide


class MissingGuide(NamedTuple):
    """A guide that isn't here; ``scenarios`` are the side scenarios it's needed for."""

    guide: str
    scenarios: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its campaign's name as players know it, with those side scenarios."""
        known = Guide.objects.filter(guide_id=self.guide, owner=None).first()
        name = known.name if known is not None else self.guide
        facts = campaign_facts(SIDE).scenarios
        sides = [facts[each].name for each in self.scenarios if each in facts]
        return f"{name} ({', '.join(sides)})" if sides else name


def missing_guides(
    campaigns: Sequence[BackedUp], usable: QuerySet[Guide]
) -> tuple[MissingGuide, ...]:
    """Return the guides that campaigns of a backup still need, each once."""
    found: dict[str, tuple[str, ...]] = {}
    for campaign in campaigns:
        for each in _missing(campaign, usable):
            sides = (*found.get(each.guide, ()), *each.scenarios)
            found[each.guide] = tuple(dict.fromkeys(sides))
    return tuple(MissingGuide(*each) for each in found.items())


def _missing(backed_up: BackedUp, usable: QuerySet[Guide]) -> Iterator[MissingGuide]:
    guide = fitting_guide(backed_up.guide, usable)
    is_side, alone = backed_up.guide == SIDE, backed_up.standalone
    if guide is None or (is_side and not _may_be_alone(guide, alone)):
        yield MissingGuide(backed_up.guide, (alone,) if is_side and alone else ())
    elif unguided := _unguided_sides(guide, backed_up):
        yield MissingGuide(SIDE, unguided)


def fitting_guide(guide_id: str, usable: QuerySet[Guide]) -> Guide | None:
    """Return the newest guide that fits the app's records: an imported one first.

    Guides by hand are excluded: they ask other questions, so the recorded answers would
    not fit.
    """
    same = usable.filter(guide_id=guide_id).exclude(origin=Guide.Origin.FACTS)
    newest = same.order_by("-version", "-brought_at", "-pk")
    return newest.filter(origin=Guide.Origin.FIELD).first() or newest.first()


def _may_be_alone(side: Guide, scenario: str) -> bool:
    """Return whether a single side scenario was played that this guide contains."""
    is_ours = side.origin == Guide.Origin.OURS
    known = opening.opened(side).scenarios if is_ours else {scenario}
    return bool(scenario) and scenario in known


def _unguided_sides(guide: Guide, backed_up: BackedUp) -> tuple[str, ...]:
    """Return the side scenarios that were played and that this guide doesn't guide."""
    own = opening.opened(guide).scenarios
    played = [
        each.scenario
        for each in backed_up.answers
        if each.kind == START_SIDE
        and isinstance(each.value, SideScenario)
        and each.value.kind != CUSTOM
        and each.scenario not in own
    ]
    guided = opening.guided_sides(guide) if played else ()
    return tuple(each for each in played if each not in guided)
