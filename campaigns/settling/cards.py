"""Experience that cards in decks give or take once a scenario is resolved.

The log knows no decks: what a card gave is an answer in the log, for each investigator,
during upgrades. Amounts that follow from the card and the game are filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.app_names import BY_CARD
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
    """A step of the campaign where decks are upgraded."""

    @property
    def scenario(self) -> str:
        """The scenario or interlude of the step."""

    @property
    def step(self) -> str:
        """The id of the step."""


class CardLine(NamedTuple):
    """The experience from a card in a deck, as reported or as expected.

    ``amount`` is the reported amount, else what the card gives by its own text.
    """

    investigator: str
    card: str
    name: str
    copies: int
    amount: int
    hint: str
    is_reported: bool


def card_lines(campaign: Campaign, replay: Replay) -> tuple[CardLine, ...]:
    """Return the cards that change experience, in the decks being upgraded."""
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
    """Return the names of cards in decks that count in the victory display."""
    asked = replay.pending
    if asked is None or not asked.is_display:
        return ()
    seats = with_decks(campaign, replay.state.players)
    played = [earning(slots_of(seat).items(), current_pool()) for seat in seats]
    found = (each.card for cards in played for each in cards)
    return tuple(dict.fromkeys(card.name for card in found if card.everyone))


def answer_with(replay: Replay, code: str, amounts: Mapping[str, int]) -> Answer | None:
    """Return the answer for a deck with these amounts by card; None if it has it."""
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
    """Return the games since the last upgrade, and what changed in them."""
    return upgrade_at(replay.state, asked.scenario, asked.step)


def automatic_earnings(
    slots: Mapping[str, int], replay: Replay, upgraded: UpgradedGames, code: str
) -> Iterator[tuple[Earning, int]]:
    """Yield the cards that give experience, each with its amount for the games.

    Cards that forbid experience do so even without a game.
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
    """Return the most that cards of a deck may give after a game, not yet reported."""
    upgraded = upgrade_of(replay.as_asked, asked)
    played = played_in(seat, upgraded)
    slots = played.list["slots"] if played is not None else slots_of(seat)
    code, games = seat.investigator, len(defeats(replay, upgraded, seat.investigator))
    return sum(
        max(amount, each.at_choice * games, 0)
        for each, amount in automatic_earnings(slots, replay, upgraded, code)
    )


def defeats(replay: Replay, upgraded: UpgradedGames, code: str) -> list[bool]:
    """Return whether an investigator was defeated, for each game that pays them."""
    state = replay.state
    return [
        is_defeated(state, game, code)
        for game in upgraded.games
        if _pays(state, game) and code in (state.games.get(game, Game()).players or ())
    ]


def was_defeated(replay: Replay, upgraded: UpgradedGames, code: str) -> bool:
    """Return whether an investigator was defeated in any game, paying or not."""
    return any(is_defeated(replay.state, game, code) for game in upgraded.played)


def is_defeated(state: State, game: str, code: str) -> bool:
    """Return whether an investigator was defeated in a game."""
    return state.outcomes_of(game).get(code, "alive") not in NOT_DEFEATED


def _pays(state: State, game: str) -> bool:
    """Return whether a game pays: not if it must be replayed, or is played alone."""
    return (
        replay_number(game) >= state.replays.get(game.partition("#")[0], 0)
        and not state.is_single
        and not under(state.ultimatums, UltimatumEffect.NO_EXPERIENCE)
    )


def earned_by(upgraded: UpgradedGames, code: str) -> int:
    """Return the experience an investigator earned, without costs and corrections."""
    return sum(
        max(change.value, 0)
        for change in upgraded.changes
        if (change.what, change.which) == ("experience", code)
        and change.origin in (VICTORY, BONUS)
        and isinstance(change.value, int)
    )


# -- inside --


def with_decks(campaign: Campaign, codes: Iterable[str]) -> Iterable[Seat]:
    """Return the seats of these investigators that have a deck here."""
    seats = campaign.seats.filter(deck__isnull=False, investigator__in=list(codes))
    return seats.select_related("deck")


def slots_of(seat: Seat) -> dict[str, int]:
    """Return the copies of cards in a seat's deck as it was played."""
    deck = seat.deck
    assert deck is not None
    latest = Revision.objects.filter(deck=deck, number=deck.revision).first()
    played = (base_of(latest) or latest) if latest else None
    return dict(played.list["slots"]) if played else {}


def played_in(seat: Seat, upgraded: UpgradedGames) -> Revision | None:
    """Return the revision that games were played with, if they are or were settled."""
    rows = seat.settlements.filter(deck=seat.deck, scenario__in=upgraded.played)
    rows = rows.filter(taken_back_at=None) or rows  # until it is settled again
    number = max((row.content.get("played") or 0 for row in rows), default=0)
    return Revision.objects.filter(deck=seat.deck, number=number).first()


def _lines(
    seat: Seat, replay: Replay, asked: Pending, upgraded: UpgradedGames
) -> Iterator[CardLine]:
    code = seat.investigator
    reported = reported_for(replay, asked, code)
    games = len(defeats(replay, upgraded, code))
    for each, amount in automatic_earnings(slots_of(seat), replay, upgraded, code):
        card = each.card
        given = reported.get(f"{BY_CARD}{card.code}")
        yield CardLine(
            code,
            card.code,
            card.name,
            each.copies,
            given[0] if given else amount,
            "" if card.undefeated else each.described_for(games),
            given is not None,
        )


def reported_for(
    replay: Replay, asked: UpdatePoint, code: str
) -> dict[str, tuple[int, ...]]:
    """Return what was reported about a deck so far."""
    place = ("choice_list", asked.scenario, f"{asked.step}#{code}")
    for each in replay.used:
        if isinstance(each, Answer) and (each.kind, each.scenario, each.step) == place:
            return dict(each.value)
    return {}
