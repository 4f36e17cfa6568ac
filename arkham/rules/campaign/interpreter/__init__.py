"""Folds logs: a campaign, or two linked campaigns that decide for each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.conditions import CampaignCheck
from arkham.rules.campaign.model.effects import LogLine
from arkham.rules.campaign.model.guide import Branch, CampaignGuide
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.state.answers import Answer, Entry
from arkham.rules.campaign.state.state import Printed

# Campaigns printed as two halves, each with its own investigators, log and bag: the
# other half of each, and the name of both together.
HALVES: Mapping[str, str] = {"tdea": "tdeb", "tdeb": "tdea"}
TOGETHER: Mapping[str, str] = dict.fromkeys(HALVES, "The Dream-Eaters")
ALONE = LogLine(
    "hidden", "half_campaign"
)  # what guides record for a half played without the other
MOST_ROUNDS = 50  # in each of which either half may send something new


class Half(NamedTuple):
    """One of two linked campaigns: its guide and its log.

    ``version``, ``standalone`` and ``simulated`` are those of :func:`fold`.
    """

    guide: CampaignGuide
    entries: Sequence[Entry]
    cards: Mapping[str, Printed]
    version: int | None = None
    standalone: str = ""
    simulated: str = ""


def may_be_linked(guide: CampaignGuide) -> bool:
    """Return whether a guide is one of two halves or asks for a linked campaign."""
    return guide.id in HALVES or any(
        isinstance(step, Branch)
        and isinstance(step.condition, CampaignCheck)
        and step.condition.question == "linked_campaign"
        for step in guide.setup.steps.values()
    )


def links_of(replay: Replay) -> list[Answer]:
    """Return the decisions a campaign sends, as answers for the other one."""
    return [
        Answer("campaign_link", "", link, decision)
        for link, decision in replay.state.sent.items()
    ]


def fold_linked(first: Half, second: Half) -> tuple[Replay, Replay]:
    """Fold both campaigns, each as far as the other's decisions allow."""
    one, two = Scopes(first.guide), Scopes(second.guide)
    links: list[Answer] = []
    other = _folded(second, links, two)
    replay = _folded(first, links_of(other), one)
    for _round in range(MOST_ROUNDS):
        if links_of(replay) == links:
            break
        links = links_of(replay)
        other = _folded(second, links, two)
        replay = _folded(first, links_of(other), one)
    return replay, other


def _folded(half: Half, links: list[Answer], scopes: Scopes) -> Replay:
    """Fold one campaign with the decisions of the other."""
    return fold(
        half.guide,
        half.entries,
        half.cards,
        links,
        version=half.version,
        standalone=half.standalone,
        simulated=half.simulated,
        scopes=scopes,
    )
