"""What the pages of decks and of campaigns show of each other.

A deck learns in which campaigns it is played; a table sees how far each of its decks is
with its upgrade.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils.translation import gettext as _

from arkham.rules.campaign.judging.between_games import closed_by, is_between_games
from arkham.rules.campaign.settlement import Fate, fate_of
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Seat
from campaigns.pages.board import Board, Player
from campaigns.queries import with_guides
from campaigns.settling.terms import DeckCompliance, standings
from campaigns.settling.trauma import Suffered, suffered
from decks.models import Deck, Revision
from decks.services.beginning import to_spend
from decks.services.hooks import DeckLink, DeckTable, DeskClosing
from decks.services.windows import start_of


class DeskShown(NamedTuple):
    """A deck that is being upgraded, with what it has to spend.

    ``deck`` is there for its owner alone; ``left`` is None where no deck is kept here.
    ``is_upgraded`` says that its experience is spent now, and at its desk;
    ``standing``, how it stands by the terms of the table; ``suffers``, what its cards
    do to them.
    """

    player: Player
    deck: Deck | None
    left: int | None
    is_upgraded: bool = False
    standing: DeckCompliance | None = None
    suffers: tuple[Suffered, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether its player marked it as up to date."""
        return self.player.seat is not None and self.player.seat.is_up_to_date


def desks_of(board: Board) -> tuple[DeskShown, ...]:
    """The decks of those who play on; none but while decks are upgraded."""
    if board.question is None or not board.question.is_upgrade:
        return ()
    standing = standings(board.campaign, board.known.replay)
    trauma = suffered(board.campaign, board.known.replay)
    return tuple(
        _shown(board, each, standing.get(each.code))._replace(
            suffers=tuple(one for one in trauma if one.investigator == each.code)
        )
        for each in board.players
        if each.seat and not each.fate
    )


def _shown(board: Board, player: Player, standing: DeckCompliance | None) -> DeskShown:
    deck = player.seat.deck if player.seat is not None else None
    if deck is None:
        return DeskShown(player, None, None)
    is_mine = deck.owner_id is not None and deck.owner_id == board.member.user_id
    latest = deck.revisions.get(number=deck.revision)
    is_open = board.question is not None and board.question.pending.spends
    return DeskShown(
        player,
        deck if is_mine else None,
        to_spend(latest),
        is_open and start_of(latest) is not None,
        standing,
    )


def links_to_campaigns(deck: Deck) -> Iterator[DeckLink]:
    """One link for each campaign at hand where the deck has a seat.

    Or where its owner plays its investigator without a deck, to choose it there while
    that investigator lives; such a campaign is replayed.
    """
    waiting = Q(
        deck=None,
        kind=Seat.Kind.NONE,
        investigator__in=_investigator_of(deck),
        member__user__isnull=False,
        member__user=deck.owner_id,
    )
    seats = Seat.objects.filter(Q(deck=deck) | waiting, campaign__archived_at=None)
    for seat in with_guides(seats):
        is_without = seat.deck_id is None
        if is_without and not _lives(seat):
            continue
        yield DeckLink(
            label=_("Choose it for the campaign")
            if is_without
            else _("Open the campaign"),
            url=_people(seat) if is_without else _table(seat.campaign),
            sign="campaign",
            name=seat.campaign.name,
        )


def tables_of_decks(decks: Collection[int]) -> dict[int, list[DeckTable]]:
    """The campaigns at hand where decks have seats, by deck: one query.

    The campaign that changed last comes first.
    """
    seats = Seat.objects.filter(deck__in=decks, campaign__archived_at=None)
    found: dict[int, list[DeckTable]] = {}
    by_change = seats.order_by("-campaign__changed_at", "-campaign_id")
    for deck, campaign, name in by_change.values_list(
        "deck", "campaign", "campaign__name"
    ):
        if deck is not None:
            url = reverse("campaigns:table", args=[campaign])
            found.setdefault(deck, []).append(DeckTable(campaign, name, url))
    return found


def closed_by_campaign(deck: Deck) -> DeskClosing | None:
    """Why a campaign at hand keeps the deck from being upgraded now."""
    seats = Seat.objects.filter(deck=deck, campaign__archived_at=None)
    for seat in with_guides(seats):
        try:
            replay = replayed(seat.campaign).replay
            found = closed_by(replay)
        except (GuideMissing, LogBroken):  # what is played there is unknown
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


def _link_label(campaign: Campaign) -> str:
    return _("Open the campaign: %(name)s") % {"name": campaign.name}


def _lives(seat: Seat) -> bool:
    try:
        state = replayed(seat.campaign).replay.state
    except (GuideMissing, LogBroken):  # what is played there is unknown
        return True
    return fate_of(state, seat.investigator) is Fate.ALIVE


def _investigator_of(deck: Deck) -> QuerySet[Revision, Any]:
    latest = deck.revisions.filter(number=deck.revision)
    return latest.values_list(KT("list__investigator_code"), flat=True)


def _people(seat: Seat) -> str:
    people = reverse("campaigns:people", args=[seat.campaign_id])
    return f"{people}#seat-{seat.pk}"


def _table(campaign: Campaign) -> str:
    return reverse("campaigns:table", args=[campaign.pk])
