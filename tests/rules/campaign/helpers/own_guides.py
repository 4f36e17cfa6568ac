"""Our own guides, read once, and the field's files of the same campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

import pytest

from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.own import (
    OwnReading,
    open_own_guide,
    own_files,
    own_guides,
    read_own,
)
from tests.rules.campaign.helpers.guides import shared_stems
from tests.rules.campaign.helpers.small import Raw

Value = TypeVar("Value")
DIRECTORIES = {"core": "notz"}  # the field's folder, unless it is the id
_TWILIGHT_ESTATE = {
    "agenda_1_results", "ask_skip_prologue", "check_unplayed_investigators",
    "choose_fate", "choose_fate_2", "choose_fate_3", "choose_fate_4", "randomizer",
    "record_missing_investigators",
}  # fmt: skip
# Lines of the log in the printed guide that the field's guide doesn't record.
UNRECORDED = {"fof": {"fof_bound_with_bad_luck"}}
# Lines that the printed guide records in another section than the field's guide.
MOVED = {"fhv": ("river_shared_their_ambitions", "campaign_notes", "river")}
# Lines and steps of the field's guide that exist only within another campaign.
WITHIN_ANOTHER = {
    "fhv": {"fhv_longest_night_agenda_flip"},  # for earlier versions of it
    "fof": {
        "cell_meddled_in_abarrans_affairs",
        "choose_bearer_of_the_wellspring_of_fortune",
    },
}
# Questions of the field's guide for campaigns begun with an earlier version of it,
# or that a Return to guide no longer asks.
EARLIER = {
    ("fhv", "fate_of_the_vale"): {
        "ask_fate_of_the_fale_pruned", "ask_fate_of_the_vale",
    },
    ("fhv", "the_longest_night"): {"$play_scenario"},  # the agenda, once asked in play
    ("rttcu", "disappearance_at_the_twilight_estate"): _TWILIGHT_ESTATE,
    ("rttcu", "return_to_union_and_disillusion"): {
        "choose_if_anette_is_good", "choose_if_sanford_is_good",
    },
    ("rttfa", "return_to_the_doom_of_eztli"): {"check_harbinger"},
    ("rttfa", "return_to_threads_of_fate"): {"choose_to_heal_trauma"},
    ("tcu", "disappearance_at_the_twilight_estate"): _TWILIGHT_ESTATE,
    ("tcu", "union_and_disillusion"): {"choose_if_sanford_is_good"},
    ("tdea", "beyond_the_gates_of_sleep"): {"proceed_campaign_b_v1"},
    ("tfa", "eztli"): {"check_harbinger"},
}  # fmt: skip
GUIDES = pytest.mark.parametrize("guide_id", own_guides())
SIDE_NAMES = open_own_guide(SIDE).guide.order
EVERY = pytest.mark.parametrize("guide_id", [*own_guides(), SIDE])


@cache
def whole(guide_id: str) -> OwnReading:
    """Return one of our guides with every scenario read."""
    return read_own(guide_id, own_files(guide_id))


def field_stems(guide_id: str) -> Raw:
    """Return the field's files of the same campaign by stem."""
    directory = DIRECTORIES.get(guide_id, guide_id)
    return found_or_failed(shared_stems(), directory, "the field's guides")


def found_or_failed(known: Mapping[str, Value], guide_id: str, where: str) -> Value:
    """Return the entry of a guide, or fail the test with a helpful message."""
    if guide_id not in known:
        pytest.fail(
            f"“{guide_id}” is not among {where}: use the id it has there. For a "
            "campaign the field doesn't have, see “A guide” in CONTRIBUTING.md."
        )
    return known[guide_id]


def everything(guide: CampaignGuide) -> tuple[Any, ...]:
    """Return every step of a guide."""
    scenarios = (guide.setup, *guide.scenarios.values())
    steps = [step for each in scenarios for step in each.steps.values()]
    return (*steps, *guide.core.values())
