"""The version of the FAQ a table keeps to when it looks up a rule.

Only what is shown depends on it. What a table reports is always settled by the newest
FAQ: the engine has no older rules.
"""

from __future__ import annotations

from arkham.rules.library import NEWEST, VERSIONS
from campaigns.log import store
from campaigns.log.entries import Pinned, holding
from campaigns.models import Campaign

# The entries that say so, and those that take entries back.
_KINDS = ("pinned", "retracted", "released")


def pinned(campaign: Campaign) -> str:
    """A version of the FAQ: what the log pinned last, or the table began with.

    The newest where nothing was agreed on. One query; nothing is folded.
    """
    rows = campaign.entries.filter(kind__in=_KINDS).order_by("sequence")
    try:
        found = [
            each
            for each in holding(map(store.entry_of, rows))
            if isinstance(each, Pinned) and each.faq in VERSIONS
        ]
    except store.LogBroken:
        return NEWEST  # the page of the log says what is broken
    if found:
        return found[-1].faq
    begun = campaign.terms.get("faq", "")
    return begun if begun in VERSIONS else NEWEST
