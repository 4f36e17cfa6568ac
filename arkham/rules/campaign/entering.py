"""A campaign that began on paper → the entries its log begins with.

Works with any guide: the questions of its set-up are passed over, and what the table
states holds instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.answers import Answer, Entry, Stated
from arkham.rules.campaign.fixed import ENTERED
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import Effect, Tally
from arkham.rules.campaign.model.guide import SETUP, Guide
from arkham.rules.campaign.settlement import Fate


class Entering(NamedTuple):
    """An investigator as the table has them: what is unspent, suffered and held.

    ``cards`` are story cards, ``weaknesses`` those drawn or given in play.
    """

    code: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    fate: Fate = Fate.ALIVE
    cards: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


class Position(NamedTuple):
    """Where a campaign stands: ``scenario`` is the one to be played now.

    ``lines`` are sections and ids of lines, ``words`` sections and words of the
    table's own, ``counts`` the numbers of sections, or of section and line with a point
    between them. ``played`` are the scenarios played
    before, those before it in the order of play if none are named; ``order`` is that
    order where it is not the guide's.
    """

    scenario: str
    people: tuple[Entering, ...]
    bag: Mapping[str, int]
    difficulty: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    crossed_out: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    counts: Mapping[str, int] = MappingProxyType({})
    played: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


def orders_of(guide: Guide) -> dict[str, tuple[str, ...]]:
    """The orders of play a table chooses from in the set-up, by the id of the choice.

    Nothing where there is but one.
    """
    for step in guide.setup.steps.values():
        if isinstance(step, to.Ask) and isinstance(step.prompt, to.Menu):
            return {
                choice.id: effect.scenarios
                for choice in step.prompt.choices
                for batch in choice.batches
                for effect in batch.plain
                if isinstance(effect, do.SetScenarios)
            }
    return {}


def entered_at(
    guide: Guide, position: Position, *, reason: str = "", after: int = 0
) -> tuple[Entry, ...]:
    """The entries that bring a campaign to a position, numbered from ``after`` on.

    What is entered is settled: decks are as they are, nothing waits to be banked.
    """
    begun = Answer("start_scenario", SETUP, "", None, after + 1)
    entered = Answer("decision", SETUP, ENTERED, True, after + 2)
    stated = (
        Stated(SETUP, effect, codes, (), reason, after + 3 + number)
        for number, (effect, codes) in enumerate(_stated(guide, position))
    )
    return (begun, entered, *stated)


_Effects = Iterator[tuple[Effect, tuple[str, ...]]]


def _stated(guide: Guide, position: Position) -> _Effects:
    yield do.Players(), tuple(each.code for each in position.people)
    if position.difficulty:
        yield do.SetDifficulty(position.difficulty), ()
    tokens = tuple(
        token for token, count in position.bag.items() for _each in range(count)
    )
    yield do.Tokens(tokens, 1), ()
    for each in position.people:
        yield from _person(each)
    yield from _log(position)
    yield from _scenarios(guide, position)
    yield do.Bank(), ()


def _person(each: Entering) -> _Effects:
    who = (each.code,)
    if each.experience:
        yield do.EarnExperience("input", bonus=each.experience), who
    killed, insane = each.fate is Fate.KILLED, each.fate is Fate.DRIVEN_INSANE
    if each.physical or each.mental or killed or insane:
        suffered = do.Trauma(
            "input",
            physical=each.physical,
            mental=each.mental,
            killed=killed,
            insane=insane,
        )
        yield suffered, who
    for card in each.cards:
        yield do.AddCard("input", card), who
    for card in each.weaknesses:
        yield do.AddCard("input", card, aside=True), who


def _log(position: Position) -> _Effects:
    for section, line_id in position.lines:
        yield do.LogLine(section, line_id), ()
    for section, words in position.words:
        yield do.LogText(section), (words,)
    for section, line_id in position.crossed_out:
        yield do.LogLine(section, line_id, do.Mark.CROSS_OUT), ()
    for which, count in position.counts.items():
        section, _, line_id = which.partition(".")
        yield do.LogCount(section, line_id, Tally.SET, count), ()


def _scenarios(guide: Guide, position: Position) -> _Effects:
    order = position.order or guide.order
    if position.order:
        yield do.SetScenarios(order), ()
    listed = position.scenario in order
    played = position.played
    if not played and listed:
        played = order[: order.index(position.scenario)]
    for scenario in played:
        yield do.PlayedBefore(scenario), ()
    if not listed or any(
        each not in played for each in order[: order.index(position.scenario)]
    ):
        yield do.NextScenario(position.scenario), ()
