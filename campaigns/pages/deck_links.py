"""What a deck's pages learn from the campaigns in which it is played."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from arkham.rules.campaign.judging.spending import closed_by, is_between_games
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Seat
from decks.models import Deck
from decks.services.hooks import DeckLink, DeskClosing


def links_to_campaigns(deck: Deck) -> Iterator[DeckLink]:
    """One link for each campaign at hand where the deck has a seat: one query."""
    for seat in _seats(deck).select_related("campaign"):
        yield DeckLink(
            label=_link_label(seat.campaign),
            url=_table(seat.campaign),
            sign="campaign",
        )


def closed_by_campaign(deck: Deck) -> DeskClosing | None:
    """Why a campaign at hand keeps the deck from being upgraded now."""
    seats = _seats(deck).select_related("campaign__guide", "campaign__linked__guide")
    for seat in seats:
        try:
            replay = replayed(seat.campaign).replay
            found = closed_by(replay)
        except (GuideMissing, LogBroken):  # nobody can say what is played there
            continue
        if found is not None:
            between = found.rule == is_between_games.id
            return DeskClosing(
                rule=found.rule,
                reason=_(found.text),
                label=_link_label(seat.campaign),
                url=_table(seat.campaign),
                is_whole=between,
                in_play=between and seat.investigator in replay.state.players,
            )
    return None


def _seats(deck: Deck) -> QuerySet[Seat]:
    return Seat.objects.filter(deck=deck, campaign__archived_at=None)


def _link_label(campaign: Campaign) -> str:
    return _("To the table: %(name)s") % {"name": campaign.name}


def _table(campaign: Campaign) -> str:
    return reverse("campaigns:table", args=[campaign.pk])
