"""Judges an entry before it is added to a log, and finds everything wrong with it.

Some things can be recorded without being asked: corrections of experience and trauma
while decks are upgraded, changes by hand after a scenario, an inserted side scenario, a
journey.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from arkham.rules.campaign.asking import GUIDE, out_of_bounds
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.interpreter.walking import WALK
from arkham.rules.campaign.judging import answers, side_scenarios, ultimatum_choice
from arkham.rules.campaign.judging.between_games import journey
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.judging.side_scenarios import (
    SideScenarioStart,
    side_scenario_findings,
)
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect
from arkham.rules.campaign.model.guide import TOKEN_KINDS
from arkham.rules.campaign.model.scenario_steps import CHANGES, CHOOSE_INVESTIGATORS
from arkham.rules.campaign.prompts.decks import trauma_reported
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Changes,
    Entry,
    Fact,
    Journey,
    Retracted,
    SideScenario,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
    effective,
)
from arkham.rules.campaign.state.lookup import Limit
from arkham.rules.campaign.state.state import State
from arkham.rules.chaos.starting import Difficulty
from arkham.rules.finding import Finding, Rule, rule, rules_reference
from arkham.rules.finding import gettext_noop as _

_TRAUMA = (rules_reference("Trauma"),)
DIFFICULTIES = frozenset(Difficulty)
WHOM = frozenset(
    {"all", "lead", "defeated", "not_defeated", "resigned", "not_resigned", "input"}
)
OF_PERSON = frozenset({"experience", "physical", "mental"})
ASSERTED = OF_PERSON | {"token", "count", "line"}
# Effects on the investigators given with them, unless ``who`` says otherwise.
_OF_PEOPLE = (
    do.EarnExperience,
    do.Trauma,
    do.AddCard,
    do.RemoveCard,
    do.ReplaceCard,
    do.CardCount,
    do.SeatCount,
    do.GainSupplies,
    course.Outcome,
    course.Defeated,
    do.Retire,
)


class NewFact(NamedTuple):
    """A fact about to be recorded, and the campaign as it is."""

    fact: Fact
    state: State


def concerned(fact: Fact) -> tuple[str, ...]:
    """Return the investigators a fact concerns; empty if it is about the group."""
    if isinstance(fact, Asserted):
        return (fact.which,) if fact.what in OF_PERSON else ()
    return fact.codes if _is_of_people(fact.effect) else ()


def _is_of_people(effect: Effect) -> bool:
    carried = getattr(effect, "who", "input") == "input"
    return isinstance(effect, _OF_PEOPLE) and carried


@rule("fact.word", rows=("CAMP-03",), cites=GUIDE)
def means_something(stating: NewFact) -> Iterator[Finding]:
    """Every difficulty, outcome, result and chaos token is one that exists."""
    for found, known in _words(stating.fact):
        if found not in known:
            yield Finding(
                _("We don’t know this difficulty, outcome, result or token."),
                actual=found,
                expected=", ".join(sorted(known)),
            )


def _words(fact: Fact) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each value of a fact that must be one of a few, with the allowed ones."""
    if isinstance(fact, Asserted):
        yield fact.what, ASSERTED
        if fact.what == "token":
            yield fact.which, TOKEN_KINDS
        return
    match fact.effect:
        case course.Tokens(tokens):
            named = (*tokens, *fact.codes) if do.INPUT in tokens else tokens
            yield from ((each, TOKEN_KINDS) for each in named if each != do.INPUT)
        case course.SetDifficulty(word):
            yield word, DIFFICULTIES
        case course.SetResult(word):
            yield word, course.RESULTS
        case course.Outcome(word) | course.Defeated(word):
            yield word, course.OUTCOMES
        case course.ScenarioStatus(word):
            yield word, course.STATUSES


@rule("fact.scenario", rows=("CAMP-03",), cites=GUIDE)
def is_a_scenario(stating: NewFact) -> Iterator[Finding]:
    """A change by hand names only scenarios of the guide and side scenarios."""
    guide = stating.state.guide
    for named in _scenarios(stating.fact):
        scenario = named.partition("#")[0]
        if scenario not in guide.scenarios and scenario not in guide.side:
            yield Finding(_("We don’t know this scenario."), actual=named)


def _scenarios(fact: Fact) -> tuple[str, ...]:
    if isinstance(fact, Asserted):
        return ()
    match fact.effect:
        case course.NextScenario(scenario) | course.SkipScenario(scenario):
            return (scenario,)
        case course.PlayedBefore(scenario) | course.ReplayScenario(scenario):
            return (scenario,)
        case course.SetScenarios(scenarios):
            return scenarios
    return ()


def _playing(fact: Fact) -> tuple[str, ...]:
    """Return who a fact says plays or leads."""
    if isinstance(fact, Asserted):
        return ()
    match fact.effect:
        case course.Players() | course.Lead():
            return fact.codes
        case course.JoinScenario(code):
            return (code,)
    return ()


@rule("fact.whom", rows=("CAMP-03",), cites=GUIDE)
def says_whom(stating: NewFact) -> Iterator[Finding]:
    """A change by hand names whom it is about and what they suffer."""
    fact = stating.fact
    if isinstance(fact, Asserted):
        return
    who = getattr(fact.effect, "who", "")
    if do.is_personal(fact.effect) or (who and who not in WHOM):
        yield Finding(
            _("Choose who this is about."), actual=who, expected=", ".join(sorted(WHOM))
        )


@rule("fact.person", rows=("CAMP-01",), cites=_TRAUMA)
def is_about_somebody(stating: NewFact) -> Iterator[Finding]:
    """A change by hand is about an investigator or a partner."""
    state, fact = stating.state, stating.fact
    for code in concerned(fact) or _playing(fact):
        if code not in state.investigators and code not in state.partners:
            yield Finding(
                _("We don’t know this investigator."), cards=(code,), actual=code
            )


@rule("fact.plays", rows=("TRA-08", "LOG-08"), cites=_TRAUMA)
def may_play(stating: NewFact) -> Iterator[Finding]:
    """An investigator who was killed, driven insane or retired can't play or lead."""
    state, codes = stating.state, _playing(stating.fact)
    gone = Roster(state).gone if codes else {}
    for code in codes:
        fate = gone.get(state.title(code), Fate.ALIVE)
        if fate is not Fate.ALIVE:
            yield Finding(
                _("This investigator has left the campaign."),
                cards=(code,),
                actual=fate.value,
                expected=Fate.ALIVE.value,
            )


FACT_RULES: tuple[Rule[NewFact], ...] = (
    means_something,
    is_a_scenario,
    says_whom,
    is_about_somebody,
    may_play,
)


def findings_of_fact(stating: NewFact) -> tuple[Finding, ...]:
    """Return all findings against a fact."""
    return tuple(finding for each in FACT_RULES for finding in each(stating))


class EnteredByHand(NamedTuple):
    """An entry that no question asks for, and the campaign as it is."""

    entry: Entry
    replay: Replay


@rule("fact.trauma", rows=("TRA-06", "CYC-EE3"), cites=_TRAUMA)
def is_within_health(given: EnteredByHand) -> Iterator[Finding]:
    """Trauma set or suffered by hand is at most the printed health or sanity.

    What is suffered may exceed it together with earlier trauma, unless that was already
    as much.
    """
    state = given.replay.state
    for code, before, harms in _harms(given.entry, given.replay):
        limits = state.limits(code, state.people.get(code)) or (None, None)
        for had, most, *each in zip(before, limits, *harms, strict=True):
            left = 0 if most is not None and had >= most else most
            wrong = out_of_bounds(max(each, default=0), None, left, code)
            if wrong and sum(each) > 0:
                yield wrong


_Harm: TypeAlias = tuple[int, int]  # physical and mental trauma


def _harms(entry: Entry, replay: Replay) -> Iterator[tuple[str, _Harm, list[_Harm]]]:
    """Yield the investigators of an entry, with their trauma before it and its changes.

    Trauma that is set counts as suffered from 0, if it is more than there was.
    """
    state, earlier = replay.state, dict[str, tuple[int, ...]]()
    match entry:
        case Answer(kind="inter_scenario", value=Changes(changed)):
            for code, *totals, _killed, _insane in changed:
                was = state.trauma(code)
                one, two = (
                    n if n and n > now else 0
                    for n, now in zip(totals, was, strict=True)
                )
                yield code, (0, 0), [(one, two)]
            return
        case Answer(kind="choice_list", value=values):
            codes: Collection[str] = (entry.step.rpartition("#")[2],)
            effects = trauma_reported(values)
            same = (each for each in replay.used if isinstance(each, Answer))
            before = [each.value for each in same if each.question == entry.question]
            earlier = before[-1] if before else {}
        case Stated(effect=do.Trauma() as effect):
            codes, effects = state.select(effect.who, entry.codes), [effect]
        case _:
            return
    for code in codes:
        physical, mental = state.trauma(code)
        for each in trauma_reported(earlier):
            physical, mental = physical - each.physical, mental - each.mental
        harms = [(each.physical, each.mental) for each in effects]
        yield code, (physical, mental), harms


def as_if_over(replay: Replay, scenario: str) -> Replay:
    """Return a replay as if this scenario were over now: with the facts of its end.

    Only the scenario that waits for an answer changes.
    """
    stop = replay.stops[-1] if replay.stops else None
    if stop is None or stop.run is None or stop.encoded != scenario:
        return replay
    run = stop.run.resumed(stop.state.copy(), stop.answers)
    run.stack = [CHANGES]
    run.go(WALK)
    return replay._replace(state=run.state, problems=(*stop.problems, *run.problems))


def is_volunteered(answer: Answer, replay: Replay) -> bool:
    """Return whether an answer is allowed here although it isn't asked for."""
    match answer.kind:
        case "choice_list":
            return _is_of_a_deck(answer, replay)
        case "inter_scenario":
            return not answer.step and answer.scenario in replay.begun
        case "start_side_scenario":
            return not answer.step and _is_put_in(answer, replay)
        case "start_scenario":
            return not answer.step and _is_a_journey(answer, replay)
    return False


def _is_of_a_deck(answer: Answer, replay: Replay) -> bool:
    """Return whether it corrects one investigator while decks are upgraded or saved."""
    asked = replay.pending
    if asked is None or not asked.is_upgrade:
        return False
    step, _mark, code = answer.step.rpartition("#")
    return (answer.scenario, step) == (asked.scenario, asked.step) and (
        code in asked.codes
    )


def _is_put_in(answer: Answer, replay: Replay) -> bool:
    """Return whether it inserts a side scenario that may be played here."""
    if not isinstance(answer.value, SideScenario):
        return False
    return not side_scenario_findings(SideScenarioStart(answer, replay))


def _is_a_journey(answer: Answer, replay: Replay) -> bool:
    """Return whether it is a journey that the map allows now."""
    value = answer.value
    if not isinstance(value, Journey) or not replay.state.map.embark:
        return False
    if value.destination not in replay.state.guide.map:
        return False
    possible = journey(
        replay.state.guide,
        replay,
        value.destination,
        fast=value.fast,
        passing=value.transit,
    )
    return value == possible and answer.scenario == value.next_scenario


def findings_of(
    entry: Entry,
    replay: Replay,
    log: tuple[Entry, ...] = (),
    unspent: Mapping[str, int] | None = None,
    limits: tuple[Limit, ...] = (),
    cards: Mapping[str, Collection[str]] | None = None,
) -> tuple[Finding, ...]:
    """Return all findings against an entry of any kind.

    ``log`` are the entries from which ``replay`` was folded; ``unspent`` is the
    experience of those who would pay, ``cards`` are those in their decks, ``limits``
    those of the victory display. Stated facts must be meaningful; asserted values are
    checked by the fold.
    """
    if isinstance(entry, UltimatumChosen | Retracted | UltimatumDropped):
        return ultimatum_choice.findings_of(
            ultimatum_choice.UltimatumChoice(entry, replay.state, log)
        )
    if not isinstance(entry, Answer):
        by_hand = is_within_health(EnteredByHand(entry, replay))
        return *findings_of_fact(NewFact(entry, replay.state)), *by_hand
    paying = replay, unspent or {}, cards or {}
    if isinstance(entry.value, SideScenario):
        return side_scenario_findings(SideScenarioStart(entry, *paying))
    if is_volunteered(entry, replay):
        return tuple(is_within_health(EnteredByHand(entry, replay)))
    state = replay.as_asked.state
    found = answers.findings_of(entry, replay.pending, state, limits, unspent)
    begun = _begun_aside(entry, log)
    if begun is not None:
        found += tuple(side_scenarios.is_paid(SideScenarioStart(begun, *paying)))
    return found


def _begun_aside(entry: Answer, log: tuple[Entry, ...]) -> Answer | None:
    """Return how a side scenario began, if the entry names its (paying) players."""
    if entry.step != CHOOSE_INVESTIGATORS:
        return None
    answers = (each for each in effective(log) if isinstance(each, Answer))
    return next(
        (
            each
            for each in answers
            if each.scenario == entry.scenario and isinstance(each.value, SideScenario)
        ),
        None,
    )
