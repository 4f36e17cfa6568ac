"""The experience and cards that settled scenarios gave investigators.

A scenario is settled once it is over, or once decks are being upgraded after it. Its
price is paid when it begins (XP-23).
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
from arkham.rules.campaign.state.answers import Answer, EffectiveEntry, Stated
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
    not_replaced,
)
from arkham.rules.modifiers import when_gained, with_exchanged
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.ultimatums import UltimatumEffect, under
from cardpool.catalog import current_pool

PRICE = "cost"  # the source of points paid as a scenario begins
BOON = "$boon"  # used instead of a scenario: what everyone starts with
_PAID = "$cost"  # after a scenario's id: its price, apart from what it gives
_LONGEST = 70  # characters of the id that are kept before it


class ExperienceSource(NamedTuple):
    """The source of experience.

    ``kind`` is the kind of ledger entry; ``of`` is a card's code, or the table's reason
    for a correction or for another victory total.
    """

    kind: str
    of: str = ""


Points: TypeAlias = Mapping[ExperienceSource, int]


class ScenarioGains(NamedTuple):
    """The gains of one investigator in a scenario; ``played`` if they were in its game.

    A game whose setup includes an upgrade is ``under_way`` until it is over.
    """

    scenario: str
    name: str
    played: bool
    earned: Mapping[ExperienceSource, int] = MappingProxyType({})
    under_way: bool = False

    @property
    def experience(self) -> int:
        """The total experience."""
        return sum(self.earned.values())


def points_data(points: Points) -> list[list[Any]]:
    """Return points by source, as JSON for a row."""
    return [[*source, amount] for source, amount in points.items() if amount]


def known_points(content: Mapping[str, Any]) -> dict[ExperienceSource, int]:
    """Return the points a deck was given; older rows only have the total."""
    if "earned" not in content:
        return {ExperienceSource("victory"): content["experience"]}
    return {
        ExperienceSource(kind, of): amount for kind, of, amount in content["earned"]
    }


def points_owed(
    each: ScenarioGains, content: Mapping[str, Any]
) -> dict[ExperienceSource, int]:
    """Return the points that a deck still has to get, or lose."""
    if "earned" not in content and content["experience"] == each.experience:
        return {}
    had = known_points(content)
    more = {
        source: each.earned.get(source, 0) - had.get(source, 0)
        for source in {**had, **each.earned}
    }
    # Earlier versions booked what was paid as a bonus: the amount is the same.
    was_bonus = COST.kind not in {source.kind for source in had}
    paid = {source for source in more if source.kind in (BONUS.kind, COST.kind)}
    if was_bonus and not sum(more[source] for source in paid):
        more = {source: n for source, n in more.items() if source not in paid}
    return {source: amount for source, amount in more.items() if amount}


def points_after(
    content: Mapping[str, Any], more: Points
) -> dict[ExperienceSource, int]:
    """Return the points a deck was given, with those it gets now."""
    had = known_points(content)
    return {key: had.get(key, 0) + more.get(key, 0) for key in {**had, **more}}


class Holding(NamedTuple):
    """Copies of cards that the campaign put into a deck, or took (negative).

    Cards ``beyond`` the limit don't count toward the deck's size.
    """

    cards: Mapping[str, int] = MappingProxyType({})
    exiled: Mapping[str, int] = MappingProxyType({})
    beyond: frozenset[str] = frozenset()


def scenario_gains(
    replay: Replay, code: str, rulings: Mapping[str, str] = DEFAULT_RULINGS
) -> list[ScenarioGains]:
    """Return what every settled scenario gave an investigator, in order of play.

    What a boon gives at the start of the campaign comes first.
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
            price = {ExperienceSource(COST.kind, PRICE): paid[each.id]}
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
    """Return whether a game's outcome is known: upgrades may come before it."""
    return game is not None and bool(game.resolution or game.outcomes)


def _asks_who_pays_less(replay: Replay, scenario: str) -> bool:
    """Return whether the discount is still to be asked for: no price is paid yet."""
    asked = replay.pending
    if asked is None or asked.scenario != scenario:
        return False
    discount = discount_of(replay.state.guide, scenario.partition("#")[0])
    return discount is not None and asked.step == discount.step


def _by_boon(
    replay: Replay, code: str, rulings: Mapping[str, str]
) -> Iterator[ScenarioGains]:
    """Yield what boons in force give at the start of the campaign."""
    arrival = arrival_of(replay, code)
    came = frozenset({arrival} if arrival else ())
    if gets_beginning(came, rulings):
        for each in boons_of(replay.state.ultimatums):
            earned = {ExperienceSource("granted"): each.amount}
            yield ScenarioGains(BOON, each.name, False, earned)


def _by_gained(state: State, code: str) -> Iterator[tuple[str, ExperienceSource, int]]:
    """Yield the experience from cards the campaign put into a deck, by scenario.

    The log knows no decks, so only the deck's ledger counts it. Cards from the campaign
    setup are part of a first deck, whose experience is granted as it begins.
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


def _source(origin: ExperienceOrigin, said: EffectiveEntry | None) -> ExperienceSource:
    """Return the source of points, with the table's reason if it stated them."""
    if origin == CORRECTION and isinstance(said, Stated):
        return ExperienceSource(origin.kind, said.reason)
    if origin == VICTORY and isinstance(said, Answer) and said.reason:
        return ExperienceSource(origin.kind, said.reason)
    return ExperienceSource(*origin)


def holding_of(replay: Replay, code: str) -> Holding:
    """Return an investigator's campaign cards as of the last upgrade."""
    held = _settled(replay, code)
    if held is None:
        return Holding()
    return Holding(
        with_exchanged(in_decks(held)),
        dict(Counter(held.exiled or ())),
        frozenset(held.beyond_limit or ()),
    )


def in_decks(held: Person | Banked) -> dict[str, int]:
    """Return an investigator's cards that a deck can have, those of the pool.

    Other cards of a custom guide are only in the log.
    """
    pool = current_pool()
    return {code: n for code, n in held_cards(held).items() if code in pool}


def _settled(replay: Replay, code: str) -> Person | Banked | None:
    """Return an investigator's state as of the last upgrade."""
    state = replay.state
    asked = replay.pending
    if asked is not None and asked.is_upgrade:
        return state.people.get(code)
    return state.banked.get(code)


def banished(replay: Replay) -> tuple[str, ...]:
    """Return the cards banished from every deck, once the game is settled."""
    return tuple(code for code, _by_ultimatum in _banished(replay))


def terms(replay: Replay, code: str, pool: CardPool) -> dict[str, Counter[str]]:
    """Return a deck's terms in the campaign, by circumstance.

    Lost cards are counted by copies; everything else appears once.
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
    gone = not_replaced(cards, code, pool)
    given = given_signatures(cards, code, pool)
    arrival = arrival_of(replay, code)
    circumstances = {
        # Boons are left out: the campaign books their experience.
        "ultimatums": for_decks(state).difference(row.id for row in BOONS),
        "arrival": frozenset({arrival} if arrival else ()),
        "banned_titles": frozenset(screamed),
        "lost_cards": lost | gone,
        "given_signatures": given,
    }
    return {key: Counter(values) for key, values in circumstances.items() if values}


def _banished(replay: Replay) -> Iterator[tuple[str, bool]]:
    """Yield the banished cards, each with whether an ultimatum did it."""
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
    """Return the experience earned or paid that no deck has been given yet."""
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


def total_experience(replay: Replay, code: str) -> int:
    """Return an investigator's experience, less prices paid, as decks have it."""
    return sum(each.experience for each in scenario_gains(replay, code))


def is_settled(replay: Replay, scenario: str, status: str) -> bool:
    """Return whether decks have what a scenario gave.

    They keep it if more questions follow the upgrade.
    """
    if status == "completed":
        return True
    asked = replay.pending
    if asked is None or asked.scenario != scenario:
        return False
    return asked.is_upgrade or replay.state.banked_in == scenario
