"""Folds two campaigns together that answer questions of each other."""

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

# Campaigns printed as two halves, each with its own investigators, log and bag, by the
# half that is played beside it; and what both are called together.
HALVES: Mapping[str, str] = {"tdea": "tdeb", "tdeb": "tdea"}
TOGETHER: Mapping[str, str] = dict.fromkeys(HALVES, "The Dream-Eaters")
ALONE = LogLine(
    "hidden", "half_campaign"
)  # what guides keep of a half without the other
MOST_ROUNDS = 50  # each answers something new to the other, or nothing changes any more


class Half(NamedTuple):
    """One of two linked campaigns: its guide and its log.

    ``version``, ``standalone`` and ``simulated`` are as :func:`fold` has them.
    """

    guide: CampaignGuide
    entries: Sequence[Entry]
    cards: Mapping[str, Printed]
    version: int | None = None
    standalone: str = ""
    simulated: str = ""


def may_be_linked(guide: CampaignGuide) -> bool:
    """Whether a guide asks if another campaign is played beside it, or is a half."""
    return guide.id in HALVES or any(
        isinstance(step, Branch)
        and isinstance(step.condition, CampaignCheck)
        and step.condition.question == "linked_campaign"
        for step in guide.setup.steps.values()
    )


def links_of(replay: Replay) -> list[Answer]:
    """What a campaign sends to the other one, as answers there."""
    return [
        Answer("campaign_link", "", link, decision)
        for link, decision in replay.state.sent.items()
    ]


def fold_linked(first: Half, second: Half) -> tuple[Replay, Replay]:
    """Both campaigns, each as far as the other has answered."""
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
    """One of the two, with the answers of the other."""
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
