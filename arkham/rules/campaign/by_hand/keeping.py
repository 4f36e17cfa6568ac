"""Facts of a campaign as they are kept beside its log, and opened again.

Facts may change with a new Orne; a campaign goes on with those it began with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from arkham.rules.campaign.by_hand.facts import (
    DATA,
    SIDE,
    CampaignFacts,
    campaign_facts,
    read_facts,
    written,
)
from arkham.rules.campaign.by_hand.guide import FORM, hand_guide, sides_beside
from arkham.rules.campaign.by_hand.words import hand_words, side_words
from arkham.rules.campaign.model.guide import CampaignGuide, Scenario
from arkham.rules.campaign.reading.files import Words


def kept_facts(campaign: str) -> bytes:
    """All a campaign kept by hand needs. Raises :class:`KeyError`."""
    campaign_facts(campaign)  # nobody reads a file by another name
    names = {"facts": campaign, "side": SIDE}
    found = {
        key: json.loads((DATA / f"{name}.json").read_bytes())
        for key, name in names.items()
    }
    return written({"form": FORM, **found})


def open_by_hand(content: bytes) -> CampaignGuide:
    """The guide made of kept facts. Raises ValueError for what is none."""
    return hand_guide(*_opened(content))


def words_of_kept(content: bytes) -> Words:
    """The words of that guide. Raises ValueError for what is none."""
    return hand_words(*_opened(content))


def open_sides(content: bytes, guide: CampaignGuide) -> Mapping[str, Scenario]:
    """Kept facts of side scenarios as scenarios beside a guide not made of facts.

    Raises ValueError for what is none.
    """
    return sides_beside(guide, _opened(content)[1])


def words_of_sides(content: bytes, guide: CampaignGuide) -> Words:
    """The words of those scenarios. Raises ValueError for what is none."""
    return side_words(guide, _opened(content)[1])


def _opened(content: bytes) -> tuple[CampaignFacts, CampaignFacts]:
    whole: Any = json.loads(content)
    match whole:
        case {"form": form, "facts": dict(facts), "side": dict(side)} if form == FORM:
            return read_facts(written(facts)), read_facts(written(side))
    raise ValueError("These are no facts of a campaign in this form.")
