"""The scenarios that may be played by themselves, and how."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from arkham.rules.campaign.paper.leading_up import led_up_to
from arkham.rules.campaign.reading.words import Words
from campaigns.guides import opening
from campaigns.models import Guide
from campaigns.words.names import Names
from cardpool.catalog import current_pool


class Single(NamedTuple):
    """A scenario of a guide, and how it may be played by itself."""

    id: str
    name: str
    on_its_own: bool
    after_the_rest: bool


def singles_of(row: Guide, words: Words) -> tuple[Single, ...]:
    """The scenarios of a guide that may be played by themselves, in order.

    On its own is what has a set-up for that; after the rest, whatever is not the first
    of its campaign. Raises GuideMissing.
    """
    guide = opening.opened(row)
    names = Names(current_pool(), guide, words)
    known = list(dict.fromkeys((*guide.order, *guide.scenarios)))
    games = [
        guide.scenarios[each]
        for each in known
        if not guide.scenarios[each].is_interlude
    ]
    after_others = led_up_to(guide)
    found = (
        Single(
            each.id,
            names.scenario(each.id),
            each.standalone_setup is not None,
            each.id in after_others,
        )
        for each in games
    )
    return tuple(each for each in found if each.on_its_own or each.after_the_rest)


def told_of(row: Guide, words: Words, standalone: str, simulated: str) -> str:
    """What a campaign of a single scenario is, in a line; nothing of a whole one."""
    if not (standalone or simulated):
        return ""
    names = Names(current_pool(), opening.opened(row), words)
    if standalone:
        return _("%(scenario)s, on its own") % {"scenario": names.scenario(standalone)}
    told = {"scenario": names.scenario(simulated)}
    return _("%(scenario)s, after a campaign that is only gone through") % told
