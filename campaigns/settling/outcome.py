"""What each scenario brought each investigator, as far as it is settled.

A scenario is settled once it is over, or once decks are being upgraded after it. What
it costs to play one is paid as it is begun (XP-23).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.roster import arrival_of
from arkham.rules.campaign.judging.side_scenarios import discount_of
from arkham.rules.campaign.judging.ultimatum_choice import for_decks
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.state.answers import Answer, Held, Stated
from arkham.rules.campaign.state.ledger import (
    BONUS,
    CORRECTION,
    COST,
    VICTORY,
    Banked,
    ExperienceOrigin,
    Game,
    Person,
)
from arkham.rules.campaign.state.state import BY_ULTIMATUM, State
from arkham.rules.legality.granting import BOONS, boons_of, gets_beginning
from arkham.rules.legality.signatures import (
    fills_weakness_slot,
    given_signatures,
    most_asked,
    waived,
)
from arkham.rules.modifiers import when_gained, with_exchanged
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.ultimatums import UltimatumEffect, under
from cardpool.catalog import current_pool

PRICE = "cost"  # what points are of that are paid as a scenario begins
BOON = "$boon"  # in place of a scenario: what everybody begins with
_PAID = "$cost"  # after the id of a scenario: its price, apart from what it brings
_LONGEST = 70  # characters of an id that are kept before that


class ExperienceSource(NamedTuple):
    """What points of experience came from.

    ``kind`` is as the ledger of a deck has it; ``of`` the code of a card, or why the
    table put something right, or counted the victory display otherwise.
    """

    kind: str
    of: str = ""


Points: TypeAlias = Mapping[ExperienceSource, int]


class ScenarioGains(NamedTuple):
    """What a scenario brought one investigator; ``played`` if they were in its game.

    A game whose setup brought decks up to date is ``under_way`` until it is over.
    """

    scenario: str
    name: str
    played: bool
    earned: Mapping[ExperienceSource, int] = MappingProxyType({})
    under_way: bool = False

    @property
    def experience(self) -> int:
        """What was earned in all."""
        return sum(self.earned.values())


def points_data(points: Points) -> list[list[Any]]:
    """Points by their source, as a row keeps them."""
    return [[*source, amount] for source, amount in points.items() if amount]


def known_points(content: Mapping[str, Any]) -> dict[ExperienceSource, int]:
    """The points a deck was brought. Older rows know but their sum."""
    if "earned" not in content:
        return {ExperienceSource("victory"): content["experience"]}
    return {
        ExperienceSource(kind, of): amount for kind, of, amount in content["earned"]
    }


def points_owed(
    each: ScenarioGains, content: Mapping[str, Any]
) -> dict[ExperienceSource, int]:
    """The points a deck is still to be brought, or lose."""
    if "earned" not in content and content["experience"] == each.experience:
        return {}
    had = known_points(content)
    more = {
        source: each.earned.get(source, 0) - had.get(source, 0)
        for source in {**had, **each.earned}
    }
    return {source: amount for source, amount in more.items() if amount}


class Holding(NamedTuple):
    """Copies of cards the campaign put into a deck, or took (below zero).

    Those ``beyond`` the limit of a deck do not count in it.
    """

    cards: Mapping[str, int] = MappingProxyType({})
    exiled: Mapping[str, int] = MappingProxyType({})
    beyond: frozenset[str] = frozenset()


def brought(
    replay: Replay, code: str, rulings: Mapping[str, str] = DEFAULT_RULINGS
) -> list[ScenarioGains]:
    """What every settled scenario brought an investigator, in the order of play.

    What a boon gives at the beginning of the campaign comes first.
    """
    state = replay.state
    said = {each.sequence: each for each in replay.used}
    earned: dict[str, dict[ExperienceSource, int]] = {}
    paid: Counter[str] = Counter()
    for change in state.changes:
        if change.which == code and change.what == "experience":
            cause = state.causes[change.cause]
            assert isinstance(change.value, int)
            if change.origin == COST:
                paid[cause.scenario] += change.value
                continue
            points = earned.setdefault(cause.scenario, {})
            source = _source(change.origin or BONUS, said.get(cause.answer))
            points[source] = points.get(source, 0) + change.value
    for scenario, source, amount in _by_gained(replay.state, code):
        points = earned.setdefault(scenario, {})
        points[source] = points.get(source, 0) + amount
    found = list(_by_boon(replay, code, rulings))
    for each in replay.scenarios:
        if paid[each.id] and not _asks_who_pays_less(replay, each.id):
            price = {ExperienceSource("bonus", PRICE): paid[each.id]}
            key = f"{each.id[:_LONGEST]}{_PAID}"
            found.append(ScenarioGains(key, each.name, False, price))
        if not is_settled(replay, each.id, each.status):
            continue
        game = state.games.get(each.id)
        is_in_game = (
            game is not None
            and code in (game.players or ())
            and state.guide.is_game(each.id)
            and state.simulated in ("", each.id)
        )
        is_over = each.status == "completed" or _is_over(game)
        found.append(
            ScenarioGains(
                each.id,
                each.name,
                is_in_game and is_over,
                {key: n for key, n in earned.get(each.id, {}).items() if n},
                under_way=is_in_game and not is_over,
            )
        )
    return found


def _is_over(game: Game | None) -> bool:
    """Whether it is known how a game ended: decks may be upgraded in its setup."""
    return game is not None and bool(game.resolution or game.outcomes)


def _asks_who_pays_less(replay: Replay, scenario: str) -> bool:
    """Whether it is asked who pays less: until then no price is paid."""
    asked = replay.pending
    if asked is None or asked.scenario != scenario:
        return False
    discount = discount_of(replay.state.guide, scenario.partition("#")[0])
    return discount is not None and asked.step == discount.step


def _by_boon(
    replay: Replay, code: str, rulings: Mapping[str, str]
) -> Iterator[ScenarioGains]:
    """What a boon in force gives at the beginning of the campaign."""
    arrival = arrival_of(replay, code)
    came = frozenset({arrival} if arrival else ())
    if gets_beginning(came, rulings):
        for each in boons_of(replay.state.ultimatums):
            earned = {ExperienceSource("granted"): each.amount}
            yield ScenarioGains(BOON, each.name, False, earned)


def _by_gained(state: State, code: str) -> Iterator[tuple[str, ExperienceSource, int]]:
    """What cards the campaign put into a deck give their new bearer, by scenario.

    The log knows no deck, so it counts no such experience; the deck's ledger does. What
    came as the campaign was set up is part of a first deck, and granted as it begins.
    """
    if state.is_single or under(state.ultimatums, UltimatumEffect.NO_EXPERIENCE):
        return
    for change in state.changes:
        if change.which == code and change.what == "card":
            scenario = state.causes[change.cause].scenario
            if scenario == SETUP:
                continue
            for gained in when_gained({str(change.value): 1}, current_pool()):
                yield (
                    scenario,
                    ExperienceSource("granted", gained.card.code),
                    gained.amount,
                )


def _source(origin: ExperienceOrigin, said: Held | None) -> ExperienceSource:
    """What points came from, with the reason where the table states them."""
    if origin == CORRECTION and isinstance(said, Stated):
        return ExperienceSource(origin.kind, said.reason)
    if origin == VICTORY and isinstance(said, Answer) and said.reason:
        return ExperienceSource(origin.kind, said.reason)
    return ExperienceSource(*origin)


def holding(replay: Replay, code: str) -> Holding:
    """The cards of an investigator, as decks were last brought up to date."""
    held = _settled(replay, code)
    if held is None:
        return Holding()
    return Holding(
        with_exchanged(in_decks(held)),
        dict(Counter(held.exiled or ())),
        frozenset(held.beyond_limit or ()),
    )


def in_decks(held: Person | Banked) -> dict[str, int]:
    """The cards of an investigator a deck can have: those that are known here.

    What a guide of players' own gives beside them stands in the log alone.
    """
    pool = current_pool()
    return {code: n for code, n in held_cards(held).items() if code in pool}


def _settled(replay: Replay, code: str) -> Person | Banked | None:
    """What an investigator had when decks were last brought up to date."""
    state = replay.state
    asked = replay.pending
    if asked is not None and asked.is_upgrade:
        return state.people.get(code)
    return state.banked.get(code)


def gone(replay: Replay) -> tuple[str, ...]:
    """The cards nobody may have again, once the game they were lost in is settled."""
    return tuple(code for code, _by_ultimatum in _banished(replay))


def terms(replay: Replay, code: str, pool: CardPool) -> dict[str, Counter[str]]:
    """What a deck is judged under in the campaign, by circumstance.

    Cards that are lost are counted by copies; everything else is named once.
    """
    state = replay.state
    lost, screamed = Counter[str](), set[str]()
    loses_allies = under(state.ultimatums, UltimatumEffect.LOSES_ALLIES)
    for each, by_ultimatum in _banished(replay):
        card = pool.get_card(each)
        if card is not None and by_ultimatum and loses_allies:
            screamed.add(card.title)
        elif card is not None and not fills_weakness_slot(card):
            lost[card.code] = most_asked(card.code, code, pool)
    held = _settled(replay, code)
    cards = held_cards(held) if held else {}
    gone, given = waived(cards, code, pool), given_signatures(cards, code, pool)
    arrival = arrival_of(replay, code)
    circumstances = {
        # Its experience is booked as what the campaign brought.
        "ultimatums": for_decks(state).difference(row.id for row in BOONS),
        "arrival": frozenset({arrival} if arrival else ()),
        "banned_titles": frozenset(screamed),
        "lost_cards": lost | gone,
        "given_signatures": given,
    }
    return {key: Counter(values) for key, values in circumstances.items() if values}


def _banished(replay: Replay) -> Iterator[tuple[str, bool]]:
    """Each with whether an ultimatum took it, not the guide."""
    state = replay.state
    if not state.banished:
        return
    settled = {
        each.id for each in replay.scenarios if is_settled(replay, each.id, each.status)
    }
    for change in state.changes:
        if change.what == "banished" and state.causes[change.cause].scenario in settled:
            yield change.which, change.value == BY_ULTIMATUM


def unsettled(replay: Replay, code: str) -> int:
    """The experience an investigator earned, or paid, that no deck was brought yet."""
    state = replay.state
    settled = {
        each.id for each in replay.scenarios if is_settled(replay, each.id, each.status)
    }
    return sum(
        change.value
        for change in state.changes
        if change.which == code
        and change.what == "experience"
        and change.origin != COST
        and isinstance(change.value, int)
        and state.causes[change.cause].scenario not in settled
    )


def total_brought(replay: Replay, code: str) -> int:
    """The experience an investigator earned, less what they paid, as decks have it."""
    return sum(each.experience for each in brought(replay, code))


def is_settled(replay: Replay, scenario: str, status: str) -> bool:
    """Whether what a scenario brought is the decks' from now on.

    It stays theirs where more is asked after decks were brought up to date.
    """
    if status == "completed":
        return True
    asked = replay.pending
    if asked is None or asked.scenario != scenario:
        return False
    return asked.is_upgrade or replay.state.banked_in == scenario
