"""Guides for campaigns kept by hand, made from the facts of a campaign.

``facts`` reads what is known of each campaign: scenarios, resolutions, bags, sections
of the log, cards. ``guide`` makes a guide from them that asks what the rulebook needs
and offers the rest: ``recording`` defines what can be recorded, ``scenarios`` their
order and display, ``words`` the texts.

Facts may change with a new version of Orne; a campaign stores those it began with.
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
    """Return everything a campaign kept by hand needs. Raises :class:`KeyError`."""
    campaign_facts(campaign)  # refuses names of other files
    names = {"facts": campaign, "side": SIDE}
    found = {
        key: json.loads((DATA / f"{name}.json").read_bytes())
        for key, name in names.items()
    }
    return written({"form": FORM, **found})


def open_by_hand(content: bytes) -> CampaignGuide:
    """Return the guide made from stored facts. Raises ValueError for anything else."""
    return hand_guide(*_opened(content))


def words_of_kept(content: bytes) -> Words:
    """Return the texts of that guide. Raises ValueError for anything else."""
    return hand_words(*_opened(content))


def open_sides(content: bytes, guide: CampaignGuide) -> Mapping[str, Scenario]:
    """Return side scenarios from stored facts for a guide that isn't made from facts.

    Raises ValueError for anything else.
    """
    return sides_beside(guide, _opened(content)[1])


def words_of_sides(content: bytes, guide: CampaignGuide) -> Words:
    """Return the texts of those scenarios. Raises ValueError for anything else."""
    return side_words(guide, _opened(content)[1])


def _opened(content: bytes) -> tuple[CampaignFacts, CampaignFacts]:
    whole: Any = json.loads(content)
    match whole:
        case {"form": form, "facts": dict(facts), "side": dict(side)} if form == FORM:
            return read_facts(written(facts)), read_facts(written(side))
    raise ValueError("These are no facts of a campaign in this form.")
