"""The locations a random draw may name in a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.guide import CampaignGuide, Scenario


class Places(NamedTuple):
    """Places one of which chance names: the step of the guide, and their cards.

    ``several`` says that the scenario may want more than one at a time.
    """

    step: str
    cards: tuple[str, ...]
    several: bool


def _scenario(guide: CampaignGuide, encoded: str) -> Scenario | None:
    """A scenario of the campaign, or a side scenario played in it."""
    scenario = encoded.partition("#")[0]
    return guide.scenarios.get(scenario) or guide.side.get(scenario)


def places_of(guide: CampaignGuide, scenario: str) -> Iterator[Places]:
    """The places of a scenario that are left to chance, as its guide lists them."""
    found = _scenario(guide, scenario)
    for step in found.steps.values() if found is not None else ():
        match step:
            case to.Ask(prompt=to.RandomPlaces(cards, several)) if cards:
                yield Places(step.id, cards, several)


def only_draws(guide: CampaignGuide, scenario: str, branch: to.PromptChoice) -> bool:
    """Whether a branch of the game does no more than to name a place."""
    drawn = {each.step for each in places_of(guide, scenario)}
    return bool(branch.steps) and drawn.issuperset(branch.steps) and not branch.batches


def branches_that_draw(guide: CampaignGuide, scenario: str) -> frozenset[str]:
    """The ids of the branches of a game that only draw: there is a button for that."""
    found = _scenario(guide, scenario)
    return frozenset(
        branch.id
        for step in (found.steps.values() if found is not None else ())
        if isinstance(step, to.Ask) and isinstance(step.prompt, to.PlayScenario)
        for branch in step.prompt.branches
        if only_draws(guide, scenario, branch)
    )
