"""Converts a campaign that began on paper into the first entries of its log.

Works with any guide: the questions of its setup are skipped, and facts that the players
state replace them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.model import conditions as on
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Batch, Effect, Tally
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide, Plain, Scenario
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.model.scenario_steps import ENTERED
from arkham.rules.campaign.reading.references import (
    parts,
    place_of,
    steps_parts,
    waiting_pool,
    written_with,
)
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.answers import Answer, Entry, Stated


class EnteredInvestigator(NamedTuple):
    """An investigator at the position: unspent experience, trauma, cards, numbers.

    ``cards`` are story cards, ``weaknesses`` those drawn or given in play. ``counts``
    are their own numbers, such as supplies, by ``section.line``; ``lines`` are sections
    and ids of their own lines, such as tasks. ``waiting`` is experience that can't be
    spent yet. A ``resting`` investigator keeps everything without playing now.
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
    waiting: int = 0


class EnteredPartner(NamedTuple):
    """A partner at the position; ``states`` are the statuses that guides use."""

    code: str
    damage: int = 0
    horror: int = 0
    states: tuple[str, ...] = ()


class Position(NamedTuple):
    """Where a campaign on paper is; ``scenario`` is the one to play now.

    ``lines`` are sections and ids of lines, ``named`` those that name cards or people
    (by ``section.line``), ``words`` sections and the players' own text. ``crossed_out``
    are lines or text that are, or whole sections if the line is "". ``counts`` are the
    numbers of sections, or by ``section.line``. ``keys`` are borne by investigators,
    enemies or none (""). On a map the group is at a ``location``, has ``visited``
    places and ``opened`` others; without a location it is where the scenario is played,
    or where the campaign begins. ``played`` are the scenarios before; None for those
    before it in the ``order`` (the guide's if empty).
    """

    scenario: str
    people: tuple[EnteredInvestigator, ...]
    bag: Mapping[str, int]
    difficulty: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    crossed_out: tuple[tuple[str, str], ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    counts: Mapping[str, int] = MappingProxyType({})
    played: tuple[str, ...] | None = None
    order: tuple[str, ...] = ()
    partners: tuple[EnteredPartner, ...] = ()
    keys: Mapping[str, str] = MappingProxyType({})
    location: str = ""
    visited: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    named: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class Ordering(NamedTuple):
    """A choice of the setup that sets an order of play, and the step it belongs to."""

    step: str
    choice: PromptChoice
    order: tuple[str, ...]


def orderings(guide: CampaignGuide) -> tuple[Ordering, ...]:
    """Return the orders of play that players choose from in the setup, if any."""
    return tuple(
        Ordering(step.id, choice, effect.scenarios)
        for step in guide.setup.steps.values()
        if isinstance(step, Ask) and isinstance(step.prompt, to.Menu | to.ChooseOne)
        for choice in step.prompt.choices
        for effect in parts(choice)
        if isinstance(effect, course.SetScenarios)
    )


def crossed_out_whole(guide: CampaignGuide) -> set[str]:
    """Return the sections that may be crossed out as a whole; all of them by hand."""
    if to.ChooseLines(do.Mark.CROSS_OUT, whole=True) in parts(
        tuple(guide.core.values())
    ):
        return {each.id for each in guide.sections if not each.hidden}
    return {
        effect.section
        for scenario in guide.scenarios.values()
        for effect in steps_parts(scenario)
        if type(effect) is do.LogLine
        and (effect.mark, effect.id) == (do.Mark.CROSS_OUT, "")
    }


def entered_at(
    guide: CampaignGuide, position: Position, *, reason: str = "", after: int = 0
) -> tuple[Entry, ...]:
    """Return the entries that bring a campaign to a position, numbered after ``after``.

    Everything entered is settled: decks are up to date and nothing waits to be banked.
    """
    now = position.scenario
    if not position.order and now not in guide.order:
        order = next((e.order for e in orderings(guide) if now in e.order), ())
        position = position._replace(order=order)
    begun = Answer("start_scenario", SETUP, "", None, after + 1)
    entered = Answer("decision", SETUP, ENTERED, True, after + 2)
    stated = (
        Stated(SETUP, effect, codes, (), reason, after + 3 + number)
        for number, (effect, codes) in enumerate(_stated(guide, position))
    )
    return (begun, entered, *stated)


_Effects = Iterator[tuple[Effect, tuple[str, ...]]]


def _stated(guide: CampaignGuide, position: Position) -> _Effects:
    yield course.Players(), tuple(_playing(position))
    if position.difficulty:
        yield course.SetDifficulty(position.difficulty), ()
    yield course.Tokens(tuple(Counter(position.bag).elements()), 1), ()
    for each in position.people:
        yield from _person(each, waiting_pool(guide))
    yield from _tasks(guide, position)
    yield from _belongings(guide, position)
    yield from _log(guide, position)
    yield from ((effect, ()) for effect in _beside_the_log(guide, position))
    yield from _scenarios(guide, position)
    yield course.Bank(), ()


def _playing(position: Position) -> Iterator[str]:
    return (each.code for each in position.people if not each.resting)


def _person(each: EnteredInvestigator, pool: str) -> _Effects:
    who = (each.code,)
    if each.experience:
        yield do.EarnExperience("input", bonus=each.experience), who
    if each.waiting:
        yield do.EarnExperience("input", bonus=each.waiting, pool=pool), who
    killed, insane = (each.fate is e for e in (Fate.KILLED, Fate.DRIVEN_INSANE))
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


def _tasks(guide: CampaignGuide, position: Position) -> _Effects:
    """Yield whose each task is, which guides record apart from their own lines."""
    for scenario in _known(guide, position):
        for task in steps_parts(scenario):
            if isinstance(task, do.AssignTask):
                for person in position.people:
                    if (task.task_section, task.id) in person.lines:
                        yield task, (person.code,)


def _belongings(guide: CampaignGuide, position: Position) -> _Effects:
    """Yield partners, keys, and the group's place on the map."""
    kinds = {section.kind or section.id: section.id for section in guide.sections}
    for each in position.partners:
        if each.damage or each.horror:
            hurt = do.Trauma("input", physical=each.damage, mental=each.horror)
            yield hurt, (each.code,)
        for state in each.states:
            yield do.PartnerStatus(kinds.get("partner", ""), state), (each.code,)
    people = {each.code for each in position.people}
    for key, bearer in position.keys.items():
        kind = "investigator" if bearer in people else "enemy"
        borne = do.BindKey(kinds.get("scarlet_keys", ""), key, kind)
        yield borne, (bearer,) if bearer else ()
    always = _always(guide, guide.setup)
    start = [e for e in always if isinstance(e, course.Embark | course.MapChange)]
    begins = {e.location for e in start if isinstance(e, course.Embark)}
    location = position.location
    if location in {"", *begins - {*position.visited}}:  # the group hasn't left it yet
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


def _log(guide: CampaignGuide, position: Position) -> _Effects:
    written = {*position.words, *map(place_of, position.counts)}
    crossed = (e for e in position.crossed_out if e[1] and e not in written)
    yield from written_with(guide, (*position.lines, *crossed), position.named)
    for section, words in position.words:
        yield do.LogText(section), (words,)
    for which, count in position.counts.items():
        section, _, line_id = which.partition(".")
        yield do.LogCount(section, line_id, Tally.SET, count), ()
    for section, line_id in position.crossed_out:
        yield do.LogLine(section, line_id, do.Mark.CROSS_OUT), ()


def _beside_the_log(guide: CampaignGuide, position: Position) -> Iterator[Effect]:
    """Yield what a guide tracks in hidden sections, as far as it follows.

    Some comes with the chosen order of play, and some with every scenario played. Some
    is recorded together with a line of the log, such as the number of a day. Some
    follows from reaching a number: a status report is read after a certain time, and
    opens a place.
    """
    hidden = {section.id for section in guide.sections if section.hidden}
    known = [_always(guide, each) for each in (guide.setup, *_known(guide, position))]
    for _step, choice, order in orderings(guide):
        if order == (position.order or guide.order):
            known += [iter(each.plain) for each in choice.batches]
    for always in known:
        yield from (e for e in always if getattr(e, "section", "") in hidden)
    yield from _recorded_with(guide, position, hidden)
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


def _recorded_with(
    guide: CampaignGuide, position: Position, hidden: set[str]
) -> Iterator[Effect]:
    """Yield the hidden records that every way to something on paper makes with it."""
    found = {*position.lines, *position.crossed_out}
    found.update(map(place_of, position.named))
    for each in position.people:
        found |= {*each.lines, *(("", card) for card in each.cards)}
    ways: dict[tuple[str, str], dict[Effect, None]] = {}
    for scenario in _known(guide, position):
        for batch in steps_parts(scenario):
            if isinstance(batch, Batch):
                for place in _written(batch) & found:
                    effects = ways.get(place, batch.plain)
                    ways[place] = {e: None for e in effects if e in batch.plain}
    for effect in dict.fromkeys(effect for each in ways.values() for effect in each):
        match effect:
            case do.LogLine(mark=do.Mark.RECORD) | do.LogCount(tally=Tally.SET):
                yield from (effect,) if effect.section in hidden else ()


def _written(batch: Batch) -> set[tuple[str, str]]:
    """Return the sections and lines recorded there, and cards without a section."""
    places = set()
    for effect in (*batch.plain, *batch.personal):
        match effect:
            case do.AddCard(card=card):
                places.add(("", card))
            case do.LogLine(section, line_id, do.Mark.RECORD, seat_section):
                places.add((seat_section or section, line_id))
            case do.LogCards(section, line_id, mark=do.Mark.RECORD):
                places.add((section, line_id))
    return places


def _always(guide: CampaignGuide, scenario: Scenario) -> Iterator[Effect]:
    """Yield the effects that the setup of a scenario always has."""
    waiting = [*reversed(scenario.setup)]
    while waiting:
        step = scenario.steps.get(waiting[-1]) or guide.core.get(waiting[-1])
        waiting.pop()
        if isinstance(step, Plain):
            waiting.extend(reversed(step.steps))
            yield from step.batch.plain if step.batch is not None else ()


def _is_reached(part: object, position: Position) -> bool:
    """Return whether a condition asks for a number that the log has reached."""
    match part:
        case on.Math(first=on.LogCountOperand(section=section), second=second):
            more = 1 in part.options.by_key
            value = second.value if isinstance(second, on.Constant) else None
            if isinstance(second, on.LogCountOperand):  # marked on its track
                value = position.counts.get(f"{second.section}.{second.id}")
            if value is not None:
                return more and position.counts.get(section, 0) >= value
    return False


def _played(guide: CampaignGuide, position: Position) -> tuple[str, ...]:
    played = position.played
    return _before(guide, position) if played is None else played


def _known(guide: CampaignGuide, position: Position) -> list[Scenario]:
    """Return the scenarios played before that are in the guide."""
    played = (guide.scenarios.get(each) for each in _played(guide, position))
    return [each for each in played if each is not None]


def _before(guide: CampaignGuide, position: Position) -> tuple[str, ...]:
    """Return the scenarios before this one in the order; on a map, all of it."""
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
    for scenario in _passed_over(guide, position):
        yield course.SkipScenario(scenario), ()
    goes_on = any(
        each == course.NextScenario(position.scenario, continuation=True)
        for part in (*guide.scenarios.values(), *guide.core.values())
        for each in parts(part)
    )
    if goes_on:  # players and lead investigator aren't asked again
        yield course.Lead(), tuple(_playing(position))[:1]
    listed = position.scenario in order
    if goes_on or not listed or {*played} != {*_before(guide, position)}:
        yield course.NextScenario(position.scenario, goes_on), ()


def _passed_over(guide: CampaignGuide, position: Position) -> Iterator[str]:
    """Yield scenarios not played because one that was played skips them."""
    played = _played(guide, position)
    skipped = {
        effect.scenario
        for scenario in _known(guide, position)
        for step in scenario.steps.values()
        if not isinstance(getattr(step, "prompt", None), to.Menu | to.Checklist)
        for effect in parts(step)
        if isinstance(effect, course.SkipScenario)
    }
    order, known = position.order or guide.order, {*played, position.scenario}
    last = max((n for n, each in enumerate(order) if each in known), default=0)
    yield from (each for each in order[:last] if each in skipped - known)
