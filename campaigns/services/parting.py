"""Of two linked campaigns one goes: the other keeps what it heard of it."""

from __future__ import annotations

from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import heard_of_other
from campaigns.log.store import LogBroken
from campaigns.models import Campaign


def part(campaign: Campaign) -> None:
    """Let the campaign this one is linked to go on with what it has heard.

    It stays where it is, and so do its decks; what it has not heard yet its table is
    asked. Where this one's log can't be read there is nothing to be heard.
    """
    # As it stands by now: both may go, one after the other.
    other = Campaign.objects.filter(linked=campaign.pk).first()
    if other is None:
        return
    try:
        heard = heard_of_other(other)
    except (LogBroken, GuideMissing):
        heard = {}
    Campaign.objects.filter(pk=other.pk).update(heard=heard)
