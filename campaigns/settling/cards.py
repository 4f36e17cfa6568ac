"""What cards in the decks of a table give or take once a scenario is resolved.

The log knows no deck: what a card brought is an answer in it, for each
investigator, while decks are brought up to date. What follows from the card and the
game is filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.field_words import BY_CARD
from arkham.rules.campaign.model.guide import replay_number
from arkham.rules.campaign.model.scenario_steps import NOT_DEFEATED
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.ledger import BONUS, VICTORY, Game
from arkham.rules.campaign.state.lookup import UpgradedGames, upgrade_at
from arkham.rules.campaign.state.state import State
from arkham.rules.ultimatums import UltimatumEffect, under
from campaigns.models import Campaign, Seat
from cardpool.catalog import current_pool
from decks.models import Revision
from decks.pages.figures import Earning, earning
from decks.services.windows import base_of

UPGRADE = "upgrade_decks"


class UpdatePoint(Protocol):
    """Where decks are brought up to date."""

    @property
    def scenario(self) -> str:
        """The scenario or interlude that asks for it."""

    @property
    def step(self) -> str:
        """The step of it."""


class CardLine(NamedTuple):
    """What a card of an investigator's deck brought, as reported or as expected.

    ``amount`` is what was reported, else what the card brings by itself.
    """

    investigator: str
    card: str
    name: str
    copies: int
    amount: int
    hint: str
    is_reported: bool


def card_lines(campaign: Campaign, replay: Replay) -> tuple[CardLine, ...]:
    """The cards that change what was earned, in the decks being brought up to date."""
    asked = replay.pending
    if asked is None or asked.prompt != UPGRADE or replay.state.is_single:
        return ()
    upgraded = upgrade_of(replay.as_asked, asked)
    return tuple(
        line
        for seat in with_decks(campaign, asked.codes)
        for line in _lines(seat, replay, asked, upgraded)
    )


def in_the_display(campaign: Campaign, replay: Replay) -> tuple[str, ...]:
    """The names of cards that count for all, where the display is counted."""
    asked = replay.pending
    if asked is None or not asked.is_display:
        return ()
    seats = with_decks(campaign, replay.state.players)
    found = (each.card for seat in seats for each in _earning(seat))
    return tuple(dict.fromkeys(card.name for card in found if card.everyone))


def answer_with(replay: Replay, code: str, amounts: Mapping[str, int]) -> Answer | None:
    """The answer for a deck with these amounts by card; None if it is there already."""
    asked = replay.pending
    assert asked is not None
    reported = reported_for(replay, asked, code)
    rest = {k: each for k, each in reported.items() if not k.startswith(BY_CARD)}
    cards = {f"{BY_CARD}{card}": (amount,) for card, amount in amounts.items()}
    if rest | cards == reported or not (reported or any(amounts.values())):
        return None
    step = f"{asked.step}#{code}"
    return Answer("choice_list", asked.scenario, step, rest | cards)


def upgrade_of(replay: Replay, asked: UpdatePoint) -> UpgradedGames:
    """The games that decks are upgraded after here, and what changed since the last."""
    return upgrade_at(replay.state, asked.scenario, asked.step)


def by_themselves(
    slots: Mapping[str, int], replay: Replay, upgraded: UpgradedGames, code: str
) -> Iterator[tuple[Earning, int]]:
    """The cards among these that pay, each with what it brings by itself in the games.

    What bars experience does so without a game as well.
    """
    found = [
        each
        for each in earning(slots.items(), current_pool())
        if not each.card.everyone
    ]
    barred = any(each.card.bars for each in found)
    games, earned = defeats(replay, upgraded, code), earned_by(upgraded, code)
    for each in found:
        if each.card.bars and (games or earned):
            yield each, -earned
        elif games and not each.card.bars:
            amount = sum(each.by_itself(defeated=defeated) for defeated in games)
            yield each, 0 if barred else amount


def at_most_by_cards(seat: Seat, replay: Replay, asked: UpdatePoint) -> int:
    """What cards of a deck may bring after a game, before that is reported."""
    upgraded = upgrade_of(replay.as_asked, asked)
    played = played_in(seat, upgraded)
    slots = played.list["slots"] if played is not None else slots_of(seat)
    return sum(
        max(amount, 0 if each.card.by_itself else each.card.amount * each.copies, 0)
        for each, amount in by_themselves(slots, replay, upgraded, seat.investigator)
    )


def defeats(replay: Replay, upgraded: UpgradedGames, code: str) -> list[bool]:
    """Whether an investigator was defeated, in each of the games that pay them."""
    state = replay.state
    return [
        is_defeated(state, game, code)
        for game in upgraded.games
        if _pays(state, game) and code in (state.games.get(game, Game()).players or ())
    ]


def fell(replay: Replay, upgraded: UpgradedGames, code: str) -> bool:
    """Whether an investigator was defeated in any game, one that pays or not."""
    return any(is_defeated(replay.state, game, code) for game in upgraded.played)


def is_defeated(state: State, game: str, code: str) -> bool:
    """Whether an investigator was defeated in a game."""
    return state.outcomes_of(game).get(code, "alive") not in NOT_DEFEATED


def _pays(state: State, game: str) -> bool:
    """Whether experience is earned: not on an ordered replay, nor in one game alone."""
    return (
        replay_number(game) >= state.replays.get(game.partition("#")[0], 0)
        and not state.is_single
        and not under(state.ultimatums, UltimatumEffect.NO_EXPERIENCE)
    )


def earned_by(upgraded: UpgradedGames, code: str) -> int:
    """What an investigator earned for an upgrade, costs and corrections aside."""
    return sum(
        max(change.value, 0)
        for change in upgraded.changes
        if (change.what, change.which) == ("experience", code)
        and change.origin in (VICTORY, BONUS)
        and isinstance(change.value, int)
    )


# -- inside --


def with_decks(campaign: Campaign, codes: Iterable[str]) -> Iterable[Seat]:
    """The seats of these investigators whose decks are kept here."""
    seats = campaign.seats.filter(deck__isnull=False, investigator__in=list(codes))
    return seats.select_related("deck")


def slots_of(seat: Seat) -> dict[str, int]:
    """The cards of the deck as it was played, and how many of each."""
    deck = seat.deck
    assert deck is not None
    latest = Revision.objects.filter(deck=deck, number=deck.revision).first()
    played = (base_of(latest) or latest) if latest else None
    return dict(played.list["slots"]) if played else {}


def played_in(seat: Seat, upgraded: UpgradedGames) -> Revision | None:
    """The deck of a seat as games were played with it, once that is settled."""
    rows = seat.settlements.filter(
        deck=seat.deck, scenario__in=upgraded.played, taken_back_at=None
    )
    number = max((row.content.get("played") or 0 for row in rows), default=0)
    return Revision.objects.filter(deck=seat.deck, number=number).first()


def _earning(seat: Seat) -> Iterator[Earning]:
    """The cards that pay, of the deck as it was played."""
    return earning(slots_of(seat).items(), current_pool())


def _lines(
    seat: Seat, replay: Replay, asked: Pending, upgraded: UpgradedGames
) -> Iterator[CardLine]:
    code = seat.investigator
    reported = reported_for(replay, asked, code)
    for each, amount in by_themselves(slots_of(seat), replay, upgraded, code):
        card = each.card
        given = reported.get(f"{BY_CARD}{card.code}")
        yield CardLine(
            code,
            card.code,
            card.name,
            each.copies,
            given[0] if given else amount,
            "" if card.undefeated else each.description,
            given is not None,
        )


def reported_for(
    replay: Replay, asked: UpdatePoint, code: str
) -> dict[str, tuple[int, ...]]:
    """What was reported of a deck so far."""
    place = ("choice_list", asked.scenario, f"{asked.step}#{code}")
    for each in replay.used:
        if isinstance(each, Answer) and (each.kind, each.scenario, each.step) == place:
            return dict(each.value)
    return {}
