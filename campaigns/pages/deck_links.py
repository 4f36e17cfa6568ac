"""Links between the pages of decks and of campaigns.

A deck lists the campaigns it is played in; a table sees the progress of upgrades.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from django.db.models import Q
from django.db.models.fields.json import KT
from django.urls import reverse
from django.utils.translation import gettext as _

from arkham.rules.campaign.judging.between_games import closed_by, is_between_games
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.settlement import Fate, fate_of
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Seat
from campaigns.pages.board import Board, Player
from campaigns.people.table import DECK
from campaigns.queries import with_guides
from campaigns.settling.terms import DeckCompliance, deck_compliance
from campaigns.settling.trauma import CardTrauma, trauma_from_cards
from decks.models import Deck
from decks.services.beginning import to_spend
from decks.services.hooks import DeckLink, DeckTable, DeskClosing
from decks.services.windows import start_of


class DeskShown(NamedTuple):
    """A deck being upgraded, with the experience it has left.

    ``deck`` is set for its owner only; ``left`` is None if no deck is stored here.
    ``is_upgraded``: its experience is being spent at its desk; ``is_unspent``: none was
    spent since the last game; ``compliance``: how it meets the table's terms;
    ``suffers``: what its cards do to the investigator; ``gets``: new campaign cards.
    """

    player: Player
    deck: Deck | None
    left: int | None
    is_upgraded: bool = False
    is_unspent: bool = False
    compliance: DeckCompliance | None = None
    suffers: tuple[CardTrauma, ...] = ()
    gets: str = ""

    @property
    def is_done(self) -> bool:
        """Whether the player marked it as up to date."""
        return self.player.seat is not None and self.player.seat.is_up_to_date


def desks_of(board: Board) -> tuple[DeskShown, ...]:
    """Return the decks of active players; none unless decks are being upgraded."""
    if board.question is None or not board.question.is_upgrade:
        return ()
    compliance = deck_compliance(board.campaign, board.known.replay)
    trauma = trauma_from_cards(board.campaign, board.known.replay)
    return tuple(
        _shown(board, each, compliance.get(each.code))._replace(
            suffers=tuple(one for one in trauma if one.investigator == each.code),
            gets=", ".join(map(board.names.card, _gets(board, each.code))),
        )
        for each in board.players
        if each.seat and not each.fate
    )


def _gets(board: Board, code: str) -> Iterator[str]:
    """Yield the cards an investigator has got since decks were last settled."""
    state = board.known.replay.state
    person, banked = state.people.get(code), state.banked.get(code)
    before = held_cards(banked) if banked else {}
    for card, copies in (held_cards(person) if person else {}).items():
        if copies > max(before.get(card, 0), 0):
            yield card


def _shown(board: Board, player: Player, judged: DeckCompliance | None) -> DeskShown:
    deck = player.seat.deck if player.seat is not None else None
    if deck is None:
        return DeskShown(player, None, None)
    is_mine = deck.owner_id is not None and deck.owner_id == board.member.user_id
    latest = deck.revisions.get(number=deck.revision)
    is_open = board.question is not None and board.question.pending.spends
    is_open, left = is_open and start_of(latest) is not None, to_spend(latest)
    unspent = is_open and left > 0 and latest.invoice is None
    mine = deck if is_mine else None
    return DeskShown(player, mine, left, is_open, unspent, judged)


def links_to_campaigns(deck: Deck) -> Iterator[DeckLink]:
    """Yield a link for each unarchived campaign where the deck has a seat.

    Also for seats of its owner that play its investigator without a deck, to choose it
    there; those campaigns are folded, to skip lost investigators.
    """
    latest = deck.revisions.filter(number=deck.revision)
    waiting = Q(
        deck=None,
        kind=Seat.Kind.NONE,
        investigator__in=latest.values_list(KT("list__investigator_code"), flat=True),
        member__user__isnull=False,
        member__user=deck.owner_id,
    )
    seats = Seat.objects.filter(Q(deck=deck) | waiting, campaign__archived_at=None)
    for seat in with_guides(seats):
        is_without = seat.deck_id is None
        if is_without and not _lives(seat):
            continue
        chosen = reverse("campaigns:change-seat", args=[seat.campaign_id, seat.pk])
        yield DeckLink(
            label=_("Choose it for the campaign")
            if is_without
            else _("Open the campaign"),
            url=chosen if is_without else _table(seat.campaign),
            sign="campaign",
            name=seat.campaign.name,
            deck=f"{DECK}:{deck.pk}" if is_without else "",
        )


def tables_of_decks(decks: Collection[int]) -> dict[int, list[DeckTable]]:
    """Return the unarchived campaigns where decks have seats, by deck: one query.

    The campaign changed last comes first.
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
    """Return why an unarchived campaign prevents an upgrade of the deck, or None."""
    seats = Seat.objects.filter(deck=deck, campaign__archived_at=None)
    for seat in with_guides(seats):
        try:
            replay = replayed(seat.campaign).replay
            found = closed_by(replay)
        except (GuideMissing, LogBroken):  # unknown what is played there
            continue
        if found is not None:
            between = found.rule == is_between_games.id
            return DeskClosing(
                rule=found.rule,
                reason=_(found.text),
                label=_("Open the campaign: %(name)s") % {"name": seat.campaign.name},
                url=_table(seat.campaign),
                is_whole=between,
                in_play=between and seat.investigator in replay.state.players,
            )
    return None


def _lives(seat: Seat) -> bool:
    try:
        state = replayed(seat.campaign).replay.state
    except (GuideMissing, LogBroken):  # unknown what is played there
        return True
    return fate_of(state, seat.investigator) is Fate.ALIVE


def _table(campaign: Campaign) -> str:
    return reverse("campaigns:table", args=[campaign.pk])
