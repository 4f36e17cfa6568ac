"""A campaign that began on paper → the entries its log begins with.

Works with any guide: the questions of its set-up are passed over, and what the table
states holds instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.by_hand.facts import SIDE
from arkham.rules.campaign.model import conditions as on
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Effect, Tally
from arkham.rules.campaign.model.fixed_steps import ENTERED
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide, Plain, Scenario
from arkham.rules.campaign.reading.references import parts
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.answers import Answer, Entry, Stated


def led_up_to(guide: CampaignGuide) -> tuple[str, ...]:
    """The games of a campaign that others come before, in order (STAND-06).

    Side scenarios are no campaign: none of a package leads up to another.
    """
    if guide.id == SIDE:
        return ()
    scenarios = guide.scenarios
    listed = (each for each in guide.order if each in scenarios)
    games = [each for each in listed if not scenarios[each].is_interlude]
    return tuple(games[1:])


class Entering(NamedTuple):
    """An investigator as the table has them: what is unspent, suffered and held.

    ``cards`` are story cards, ``weaknesses`` those drawn or given in play. ``counts``
    are numbers of their own, as supplies, by section and line with a point between
    them; ``lines`` sections and ids of lines of their own, as tasks. A ``resting``
    investigator keeps all of it without playing now.
    """

    code: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    fate: Fate = Fate.ALIVE
    cards: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    counts: Mapping[str, int] = MappingProxyType({})
    lines: tuple[tuple[str, str], ...] = ()
    resting: bool = False


class Beside(NamedTuple):
    """A partner as the table has them; ``states`` as guides have them."""

    code: str
    damage: int = 0
    horror: int = 0
    states: tuple[str, ...] = ()


class Position(NamedTuple):
    """Where a campaign stands: ``scenario`` is the one to be played now.

    ``lines`` are sections and ids of lines, ``words`` sections and words of the
    table's own, ``crossed_out`` those of either that are; ``counts`` the numbers of
    sections, or of section and line with a point between them. ``keys`` are borne by
    investigators, or by nobody (""); on a map the table is at a ``location``, has
    ``visited`` places, and ``opened`` others. Without a location it is where the
    scenario is played, or where the campaign begins. ``played`` are the scenarios
    played before, those before it in the order of play if none are named; ``order`` is
    that order where it is not the guide's.
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
    partners: tuple[Beside, ...] = ()
    keys: Mapping[str, str] = MappingProxyType({})
    location: str = ""
    visited: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()


def orders_of(guide: CampaignGuide) -> dict[str, tuple[str, ...]]:
    """The orders of play a table chooses from in the set-up, by the id of the choice.

    Nothing where there is but one.
    """
    for step in guide.setup.steps.values():
        if isinstance(step, Ask) and isinstance(step.prompt, to.Menu):
            return {
                choice.id: effect.scenarios
                for choice in step.prompt.choices
                for effect in parts(choice)
                if isinstance(effect, course.SetScenarios)
            }
    return {}


def entered_at(
    guide: CampaignGuide, position: Position, *, reason: str = "", after: int = 0
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


def _stated(guide: CampaignGuide, position: Position) -> _Effects:
    playing = (each.code for each in position.people if not each.resting)
    yield course.Players(), tuple(playing)
    if position.difficulty:
        yield course.SetDifficulty(position.difficulty), ()
    yield course.Tokens(tuple(Counter(position.bag).elements()), 1), ()
    for each in position.people:
        yield from _person(each)
    yield from _belongings(guide, position)
    yield from _log(position)
    yield from ((effect, ()) for effect in _beside_the_log(guide, position))
    yield from _scenarios(guide, position)
    yield course.Bank(), ()


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
    for card, copies in Counter(each.cards).items():
        several = do.CardCount(card, copies)
        yield several if copies > 1 else do.AddCard("input", card), who
    for card in each.weaknesses:
        yield do.AddCard("input", card, aside=True), who
    for section, line_id in each.lines:
        yield do.LogLine(do.INPUT, line_id, seat_section=section), who
    for which, count in each.counts.items():
        section, _, line_id = which.partition(".")
        number = do.SeatCount(
            section, line_id or "$count", "input", tally=Tally.SET, value=count
        )
        yield number, who


def _belongings(guide: CampaignGuide, position: Position) -> _Effects:
    """Partners, keys, and where the table is on its map."""
    kinds = {section.kind or section.id: section.id for section in guide.sections}
    for each in position.partners:
        if each.damage or each.horror:
            hurt = do.Trauma("input", physical=each.damage, mental=each.horror)
            yield hurt, (each.code,)
        for state in each.states:
            yield do.PartnerStatus(kinds.get("partner", ""), state), (each.code,)
    for key, bearer in position.keys.items():
        section = kinds.get("scarlet_keys", "")
        borne = do.BindKey(section, key, "investigator" if bearer else "enemy")
        yield borne, (bearer,) if bearer else ()
    always = _always(guide, guide.setup)
    start = [e for e in always if isinstance(e, course.Embark | course.MapChange)]
    begins = {e.location for e in start if isinstance(e, course.Embark)}
    location = position.location
    if location in {"", *begins - {*position.visited}}:  # no one has left it yet
        yield from ((effect, ()) for effect in start)
        found = (e.id for e in guide.map.values() if e.scenario == position.scenario)
        location = next(found, "")
    if location:
        yield course.MapChange("unlock_map"), ()
    for place in position.opened:
        yield course.MapChange("unlock_location", place), ()
    for place in (*position.visited, location):
        if place:
            yield course.Embark(place), ()


def _log(position: Position) -> _Effects:
    for section, line_id in position.lines:
        yield do.LogLine(section, line_id), ()
    for section, words in position.words:
        yield do.LogText(section), (words,)
    written = {*position.lines, *position.words}
    for section, line_id in position.crossed_out:
        if (section, line_id) not in written:
            yield do.LogLine(section, line_id), ()
        yield do.LogLine(section, line_id, do.Mark.CROSS_OUT), ()
    for which, count in position.counts.items():
        section, _, line_id = which.partition(".")
        yield do.LogCount(section, line_id, Tally.SET, count), ()


def _beside_the_log(guide: CampaignGuide, position: Position) -> Iterator[Effect]:
    """What a guide keeps track of without showing it, as far as it follows.

    It is what always comes with the scenarios played; the number a line of the log
    stands for, as that of a day; and what comes once a number is reached: a status
    report is read when that much time has passed, and opens a place.
    """
    hidden = {section.id for section in guide.sections if section.hidden}
    played = (guide.scenarios.get(each) for each in _played(guide, position))
    for scenario in (guide.setup, *filter(None, played)):
        always = _always(guide, scenario)
        yield from (e for e in always if getattr(e, "section", "") in hidden)
    recorded = [do.LogLine(*line) for line in position.lines]
    for step in guide.core.values():
        inside = [*parts(step)]
        asked = [do.LogLine(e.section, e.id) for e in inside if type(e) is on.LogCheck]
        once = [e for e in asked if e in inside and e.section in hidden]
        if once and any(_is_reached(each, position) for each in inside):
            yield once[0]
            yield from (each for each in inside if type(each) is course.MapChange)
        for each in inside:
            if type(each) is on.LogCountCheck and each.section in hidden:
                for number, option in each.options.by_key.items():
                    if any(part in recorded for part in parts(option)):
                        yield do.LogCount(each.section, each.id, Tally.SET, number)


def _always(guide: CampaignGuide, scenario: Scenario) -> Iterator[Effect]:
    """What the set-up of a scenario does, whatever happens."""
    waiting = [*reversed(scenario.setup)]
    while waiting:
        step = scenario.steps.get(waiting[-1]) or guide.core.get(waiting[-1])
        waiting.pop()
        if isinstance(step, Plain):
            waiting.extend(reversed(step.steps))
            yield from step.batch.plain if step.batch is not None else ()


def _is_reached(part: object, position: Position) -> bool:
    """Whether a condition asks for at least a number the log stands at."""
    match part:
        case on.Math(
            first=on.LogCountOperand(section=section), second=on.Constant(value=value)
        ):
            more = 1 in part.options.by_key
            return more and position.counts.get(section, 0) >= value
    return False


def _played(guide: CampaignGuide, position: Position) -> tuple[str, ...]:
    """The scenarios played before: those named, or all that come before in order."""
    return position.played or _before(guide, position)


def _before(guide: CampaignGuide, position: Position) -> tuple[str, ...]:
    """What comes before in the order; on the map all of it was played."""
    order = position.order or guide.order
    if position.scenario in order:
        return order[: order.index(position.scenario)]
    return order if guide.map else ()


def _scenarios(guide: CampaignGuide, position: Position) -> _Effects:
    order = position.order or guide.order
    if position.order:
        yield course.SetScenarios(order), ()
    played = _played(guide, position)
    for scenario in played:
        yield course.PlayedBefore(scenario), ()
    if position.scenario not in order or {*played} != {*_before(guide, position)}:
        yield course.NextScenario(position.scenario), ()
