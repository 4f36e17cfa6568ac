"""A campaign to look around in: the demo's own, one scenario old."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from campaigns.models import Campaign, Guide, Seat
from campaigns.services.tables import Sitting, start_campaign
from campaigns.services.writing import WriteContext, answer
from cardpool.catalog import current_pool
from decks.lists.starter import starter_deck
from decks.services import create_deck

HERE, ON_PAPER = "01002", "01001"  # Daisy Walker with a deck, Roland Banks without
BETWEEN_ANSWERS = timedelta(minutes=4)

Chosen = Mapping[str, tuple[str, ...]]


class DemoAnswer(NamedTuple):
    """One answer of the demo's evening: what was asked, and what the table said."""

    kind: str
    scenario: str
    step: str
    value: Any


def _each(daisy: str, roland: str) -> Chosen:
    return {HERE: (daisy,), ON_PAPER: (roland,)}


_BOTH = _each("chosen", "chosen")
_SETUP, _FIRST = "$campaign_setup", "torch"
EVENING = (
    DemoAnswer("string_choices", _SETUP, "choose_investigators", _BOTH),
    DemoAnswer("choice", _SETUP, "difficulty_choice", 1),
    DemoAnswer("string_choices", _SETUP, "draw_weakness", _each("rbw", "rbw")),
    DemoAnswer(
        "string_choices", _SETUP, "draw_weakness_effects_weakness",
        _each("01098", "01097"),
    ),
    DemoAnswer("decision", _SETUP, "save_decks", True),
    DemoAnswer("start_scenario", _FIRST, "", None),
    DemoAnswer("string_choices", _FIRST, "$choose_investigators", _BOTH),
    DemoAnswer("string_choices", _FIRST, "$lead_investigator", {HERE: ("lead",)}),
    DemoAnswer("choice", _FIRST, "$play_scenario", -2),
    DemoAnswer("choice", _FIRST, "$choose_resolution", 1),
    DemoAnswer(
        "string_choices", _FIRST, "$r_R1*investigator_status",
        _each("alive", "physical"),
    ),
    DemoAnswer(
        "string_choices", _FIRST, "earn_lita_effects_investigator",
        {HERE: ("chosen_investigator",)},
    ),
    DemoAnswer("choice_list", _FIRST, "earn_xp", {"01113": (1,), "01116": (1,)}),
)  # fmt: skip


@transaction.atomic
def ensure_demo_campaign(*, owner: User, now: datetime) -> Campaign | None:
    """Give an account without campaigns one to look at: settled once, decks due.

    Returns None if it has one already, or if the guide is not here.
    """
    guide = Guide.objects.filter(guide_id="core", origin=Guide.Origin.OURS).last()
    if guide is None or Campaign.objects.filter(memberships__user=owner).exists():
        return None
    begun = now - (len(EVENING) + 1) * BETWEEN_ANSWERS
    content = starter_deck(current_pool(), HERE)
    deck = create_deck(owner=owner, content=content, now=begun, name=_("At the table"))
    sitting = (
        Sitting(HERE, deck=deck),
        Sitting(ON_PAPER, name="Ada", kind=Seat.Kind.PAPER, is_mine=False),
    )
    campaign = start_campaign(
        organiser=owner,
        guide=guide,
        name=_("A night with friends"),
        now=begun,
        sitting=sitting,
    )
    member = campaign.memberships.get()
    for turn, said in enumerate(EVENING, 1):
        context = WriteContext(campaign.last, begun + turn * BETWEEN_ANSWERS)
        given = Answer(said.kind, said.scenario, said.step, said.value)
        answer(campaign=campaign, member=member, given=given, context=context)
    return campaign
