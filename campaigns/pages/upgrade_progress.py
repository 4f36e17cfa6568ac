"""How far each deck of a table is with its upgrade."""

from __future__ import annotations

from typing import NamedTuple

from campaigns.pages.board import Board, Player
from campaigns.settling.circumstances import Standing, standings
from campaigns.settling.trauma import Suffered, suffered
from decks.models import Deck
from decks.services.beginning import to_spend
from decks.services.windows import start_of


class DeskShown(NamedTuple):
    """A deck that is brought up to date, with what it has to spend.

    ``deck`` is there for its owner alone; ``left`` is None where no deck is kept here.
    ``is_upgraded`` says that its experience is spent now, and at its desk;
    ``standing``, how it stands by the terms of the table; ``suffers``, what its cards
    do to them.
    """

    player: Player
    deck: Deck | None
    left: int | None
    is_upgraded: bool = False
    standing: Standing | None = None
    suffers: tuple[Suffered, ...] = ()


def desks_of(board: Board) -> tuple[DeskShown, ...]:
    """The decks of those who play on; none but while decks are brought up to date."""
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


def _shown(board: Board, player: Player, standing: Standing | None) -> DeskShown:
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
