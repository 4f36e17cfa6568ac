"""How many cards of a title a table's victory display may hold."""

from __future__ import annotations

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.state.state import State
from arkham.rules.campaign.state.victory import Limit, limits_under
from campaigns.models import Campaign
from campaigns.settling.terms import read_terms
from cardpool.catalog import current_pool


def limits_at(
    campaign: Campaign, pending: Pending | None, state: State
) -> tuple[Limit, ...]:
    """Those of the lists of taboos, where everybody who plays follows one.

    Whether a list binds those who follow none, the documents leave open (VIC-05).
    """
    if pending is None or not pending.is_display:
        return ()
    terms, pool = read_terms(campaign.terms), current_pool()
    named = {terms.taboos.get(code, terms.taboo) for code in state.players}
    if not named or not all(each.isdecimal() for each in named):
        return ()
    lists = [pool.taboo_list(each) for each in named]
    under = {limits_under(each, pool) if each else () for each in lists}
    return under.pop() if len(under) == 1 else ()
