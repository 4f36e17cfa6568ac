"""May a table state this? What means nothing is refused before it is written.

The fold applies what stands in the log as far as it can be understood; here is judged
what somebody is about to write.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arkham.rules.campaign.asking import GUIDE
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect
from arkham.rules.campaign.model.guide import TOKEN_KINDS
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.answers import Asserted, Fact
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
# Effects on the investigators they carry, if ``who`` says nothing else.
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


class Stating(NamedTuple):
    """A fact about to be written, and the campaign as it is."""

    fact: Fact
    state: State


def concerned(fact: Fact) -> tuple[str, ...]:
    """Whom alone a fact concerns; nobody, if it is of the whole table."""
    if isinstance(fact, Asserted):
        return (fact.which,) if fact.what in OF_PERSON else ()
    return fact.codes if _is_of_people(fact.effect) else ()


def _is_of_people(effect: Effect) -> bool:
    carried = getattr(effect, "who", "input") == "input"
    return isinstance(effect, _OF_PEOPLE) and carried


@rule("fact.word", rows=("CAMP-03",), cites=GUIDE)
def means_something(stating: Stating) -> Iterator[Finding]:
    """Every difficulty, outcome, result and chaos token is one that exists."""
    for found, known in _words(stating.fact):
        if found not in known:
            yield Finding(
                _("We don’t know this one."),
                actual=found,
                expected=", ".join(sorted(known)),
            )


def _words(fact: Fact) -> Iterator[tuple[str, frozenset[str]]]:
    """The words of a fact that must be one of a few, each with those."""
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
def is_a_scenario(stating: Stating) -> Iterator[Finding]:
    """You choose which scenarios come next, are repeated, are done or are left out."""
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
    """Who is stated to play or to lead."""
    if isinstance(fact, Asserted):
        return ()
    match fact.effect:
        case course.Players() | course.Lead():
            return fact.codes
        case course.JoinScenario(code):
            return (code,)
    return ()


@rule("fact.whom", rows=("CAMP-03",), cites=GUIDE)
def says_whom(stating: Stating) -> Iterator[Finding]:
    """A change by hand names whom it is about and what they suffer."""
    fact = stating.fact
    if isinstance(fact, Asserted):
        return
    who = getattr(fact.effect, "who", "")
    if do.is_personal(fact.effect) or (who and who not in WHOM):
        yield Finding(
            _("Choose who this is about."),
            actual=who,
            expected=", ".join(sorted(WHOM)),
        )


@rule("fact.person", rows=("CAMP-01",), cites=_TRAUMA)
def is_about_somebody(stating: Stating) -> Iterator[Finding]:
    """A change by hand is about an investigator or a partner."""
    state, fact = stating.state, stating.fact
    for code in concerned(fact) or _playing(fact):
        if code not in state.investigators and code not in state.partners:
            yield Finding(
                _("We don’t know this investigator."), cards=(code,), actual=code
            )


@rule("fact.plays", rows=("TRA-08", "LOG-08"), cites=_TRAUMA)
def may_play(stating: Stating) -> Iterator[Finding]:
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


FACT_RULES: tuple[Rule[Stating], ...] = (
    means_something,
    is_a_scenario,
    says_whom,
    is_about_somebody,
    may_play,
)


def findings_of(stating: Stating) -> tuple[Finding, ...]:
    """Everything that stands against a fact, at once."""
    return tuple(finding for each in FACT_RULES for finding in each(stating))
