"""Routes on a map, for runs that take every option of every prompt."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.between_games import destinations, journey
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.state.answers import Journey

LAST_PLACE = "tunguska"  # ends the campaign


class Option(NamedTuple):
    """An answer that can be given, with its scenario and step."""

    scenario: str
    step: str
    answer: str


class Route(NamedTuple):
    """Places of a map to visit first, and the answers to prefer there."""

    places: tuple[str, ...]
    answers: set[Option]


# Through The Scarlet Keys: to five keys before the twentieth time, into the triangle,
# to the lady with the parasol, to votes for joining or overthrowing, to rarer keys.
ROUTES = {
    "tskc": [
        Route((*places.split(),), {Option(*each.split()) for each in answers})
        for places, answers in (
            (
                "marrakesh istanbul alexandria buenos_aires",
                (
                    "riddles_and_rain $choose_resolution R1",
                    "marrakesh $choose_resolution R4",
                    "istanbul choose_path refuse",
                    "istanbul $choose_resolution R1",
                    "alexandria early_choice reject",
                    "alexandria $choose_resolution R2",
                    "buenos_aires $choose_resolution R1",
                ),
            ),
            (
                "kathmandu sydney london rome bermuda_triangle",
                (
                    "kathmandu make_choice accept",
                    "london choose_tell_truth truth",
                ),
            ),
            (
                "anchorage kathmandu sydney london rome bermuda_triangle",
                (
                    "anchorage $choose_resolution R2",
                    "kathmandu make_choice accept",
                    "london choose_tell_truth truth",
                ),
            ),
            (
                "shanghai hong_kong kuala_lampur",
                (
                    "the_foundation choose_what_to_tell_taylor withold",
                    "shanghai choice help",
                ),
            ),
            (
                "anchorage shanghai hong_kong kuala_lampur",
                (
                    "anchorage $choose_resolution R2",
                    "the_foundation choose_what_to_tell_taylor withold",
                    "shanghai choice help",
                ),
            ),
            (
                "anchorage havana alexandria nairobi tunguska",
                (
                    "anchorage raw_deal_1_choice accept",
                    "anchorage raw_deal_2_choice accept",
                    "anchorage $play_scenario cast_a_light",
                    "anchorage $choose_resolution R1",
                    "havana $choose_resolution R1",
                    "alexandria early_choice accept",
                    "alexandria $choose_resolution R1",
                    "tunguska ask_desi_back story",
                ),
            ),
            (
                "havana buenos_aires alexandria nairobi tunguska",
                (
                    "havana $choose_resolution R1",
                    "buenos_aires $choose_resolution R2",
                    "alexandria early_choice accept",
                    "alexandria $choose_resolution R1",
                    "tunguska ask_desi_back story",
                ),
            ),
            (
                "havana anchorage ybor_city istanbul",
                (
                    "anchorage $choose_resolution R2",
                    "havana $choose_resolution R1",
                ),
            ),
            (
                "nairobi bermuda anchorage havana buenos_aires",
                ("anchorage $choose_resolution R2",),
            ),
            (
                "rio_de_janiero perth manokwari anchorage istanbul",
                ("anchorage $choose_resolution R2",),
            ),
            (
                "anchorage marrakesh alexandria istanbul havana",
                (
                    "riddles_and_rain $choose_resolution R1",
                    "anchorage $choose_resolution R2",
                    "marrakesh $choose_resolution R4",
                    "istanbul choose_path refuse",
                    "istanbul $choose_resolution R1",
                    "alexandria early_choice reject",
                    "alexandria $choose_resolution R2",
                ),
            ),
        )
    ]
}

_KEYS = ("bale_engine", "mirroring_blade", "ruinous_chime", "shade_reaper")
# A bag has one −8 and one of its tokens changes, so that there is never a −7; the
# Wellspring of Fortune is won in Fortune and Folly only. Random runs rarely have one of
# four keys before the twentieth time: ``test_own_scarlet_keys.py`` does.
SELDOM = {
    Option("lagos", "ask_token_to_replace", "-7"),
    Option("tokyo", "ask_token_to_replace", "-7"),
    Option("", "$give_thorne_key", "wellspring_of_fortune"),
    Option("", "steal_1_key", "wellspring_of_fortune"),
    Option("", "steal_2_keys", "wellspring_of_fortune"),
    *(Option("", "steal_2_keys", key) for key in _KEYS),
}


def shared_by_all(guide: CampaignGuide) -> frozenset[str]:
    """Return the steps that are asked whenever time passes; they count only once."""
    return frozenset(guide.core) if guide.map else frozenset()


def next_journey(
    guide: CampaignGuide, replay: Replay, chance: Random, route: Route, been: set[str]
) -> Journey | None:
    """Follow the route if possible, otherwise go to a new place, rarely the last."""
    near = [
        each.place
        for each in destinations(guide, replay)
        if guide.map[each.place].scenario[:1] != "$"
    ]
    wished = [each for each in route.places if each in near and each not in been]
    if not wished:
        away = [each for each in near if each != LAST_PLACE] or near
        new = [each for each in away if each not in been]
        wished = [chance.choice(new or away)] if near else []
        if LAST_PLACE in near and chance.random() < 0.1:
            wished = [LAST_PLACE]
    if not wished:
        return None
    passing = chance.random() < 0.03
    return journey(guide, replay, wished[0], fast=False, passing=passing)
