"""Walks the steps of a fold by kind, and decides from which stop it can resume.

Among them are system steps: journeys, changes by hand between two scenarios, the end of
a scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from arkham.rules.campaign.conditions import leads_on, matches
from arkham.rules.campaign.effects import APPLY
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import course, scenario_steps
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.model.guide import (
    Ask,
    Border,
    Branch,
    Plain,
    Resolve,
    SystemStep,
)
from arkham.rules.campaign.model.scenario_steps import CUSTOM
from arkham.rules.campaign.prompts import PROMPTS, pending_of
from arkham.rules.campaign.run import (
    FACTS,
    FIRST_ROUND,
    JOURNEY,
    LOST,
    Problem,
    Run,
    StepHandler,
    WalkTable,
)
from arkham.rules.campaign.state.answers import (
    TRANSFERRED,
    Answer,
    Answers,
    Asserted,
    EffectiveEntry,
    Fact,
)
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State

# With this many facts for the end of a scenario, a fold saves a stop after them.
MANY_FACTS = 500


def changes(run: Run, step: SystemStep, step_id: str) -> bool:
    """Apply changes made by hand after this scenario, and facts stated for its end.

    They are applied in the order of the log: trauma changed by hand is relative to the
    facts stated before.
    """
    if not run.changed:
        by_hand = run.sheet.get(("inter_scenario", ""))
        if by_hand is not None and not facts(run, step_id, by_hand.sequence):
            return False
        answer = run.optional_answer("inter_scenario", "")
        if answer is not None:
            is_own = run.scope.scenario.side == CUSTOM
            if is_own and not run.state.policy.keeps_changes_after_own:
                return True
            if not _changed_by_hand(run, answer, step_id):
                return False
        run.changed = True
    if not facts(run, step_id):
        return False
    if len(run.answers.stated(run.encoded)) >= MANY_FACTS and not run.rested:
        return run.rest(step_id)
    run.unanswered_reads.add(FACTS)
    return not run.reads_end


def _changed_by_hand(run: Run, answer: Answer, step_id: str) -> bool:
    """Apply trauma, fates and notes as corrected between two scenarios."""
    groups: list[Group] = []
    for code, physical, mental, killed, insane in answer.value.trauma:
        had = [current_value(run.state, kind, code) for kind in ("physical", "mental")]
        effect = do.Trauma(
            "input",
            physical=0 if physical is None else physical - had[0],
            mental=0 if mental is None else mental - had[1],
            killed=killed,
            insane=insane,
        )
        groups.append(Group(Batch((effect,)), (code,)))
    for index, words in enumerate(answer.value.notes):
        note = do.LogText("campaign_notes", scenario=run.encoded, index=index)
        groups.append(Group(Batch((note,)), (words,)))
    return not groups or run.apply(step_id, groups)


def facts(run: Run, step_id: str, before: int | None = None) -> bool:
    """Apply and check the facts of the end (those ``before`` a place in the log)."""
    stated = run.answers.stated(run.encoded)
    run.facts_held = run.facts_held or 0
    for place in range(run.facts_held, len(stated)):
        if before is not None and stated[place].sequence >= before:
            break
        goes_on = _fact(run, stated[place], step_id)
        if not goes_on and (run.awaited is not None or not run.reads_end):
            return False
        run.facts_held = place + 1
        run.before = len(run.problems), len(run.used)
    return True


def arrive(run: Run) -> None:
    """Apply what investigators bring from another campaign, before this one's setup."""
    stated = run.answers.stated(run.encoded)
    others = (each for each in stated if getattr(each, "reason", "") != TRANSFERRED)
    facts(run, scenario_steps.CHANGES, next((each.sequence for each in others), None))


def _fact(run: Run, fact: Fact, step_id: str) -> bool:
    run.used.append(fact)
    run.last = run.led = fact.sequence
    if isinstance(fact, Asserted):
        found = current_value(run.state, fact.what, fact.which)
        if found != fact.value:
            difference = f"{fact.what} {fact.which}: {found}, not {fact.value}"
            run.problem("log.assertion", step_id, difference, fact.sequence)
        return True
    effect = fact.effect
    if effect.__class__ not in APPLY:
        run.problem("log.effect", step_id, effect.__class__.__name__, fact.sequence)
        return True
    if isinstance(effect, do.EarnExperience):
        effect = replace(effect, victory=False, correction=True)
    return run.apply(step_id, [Group(Batch((effect,)), fact.codes, fact.numbers)])


def current_value(state: State, what: str, which: str) -> int:
    """Return the state's value of something that can be asserted."""
    if what in ("experience", "physical", "mental"):
        return getattr(state.people.get(which), what, None) or 0
    if what == "token":
        return state.bag.get(which, 0)
    section, point, line_id = which.partition(".")
    if what == "count":
        return state.number(section, line_id if point else "$count")
    return int(state.has_line(section, line_id))


def embark(run: Run, step: SystemStep, step_id: str) -> bool:
    """Apply the journey to the next scenario, or offer one if none was chosen yet."""
    journey = run.answers.journeys.get(run.encoded)
    run.unanswered_reads.add(JOURNEY)
    if journey is None:
        return run.apply(step_id, [Group(Batch((course.Embark(),)))])
    fast_card = run.state.guide.fast_card
    effects: list[Effect] = [
        *([do.RemoveCard(fast_card)] if journey.fast and fast_card else ()),
        do.LogCount("time", value=journey.time),
        course.Travel(
            journey.destination,
            journey.departure,
            journey.time,
            journey.next_scenario,
            journey.fast,
            journey.transit,
            step.value == "return",
        ),
    ]
    return run.apply(step_id, [Group(Batch(tuple(effects)))])


def defeat(run: Run, step: SystemStep, step_id: str) -> bool:
    """If anyone was defeated, put the scenario's steps for that next."""
    resolution = run.scope.scenario.resolutions.get(scenario_steps.DEFEAT)
    defeated = run.state.outcome_group("defeated")
    if not run.state.policy.counts_dead_as_defeated:
        alive = run.state.alive()
        defeated = [code for code in defeated if code in alive]
    if resolution is not None and defeated:
        run.led = run.last  # they follow from who was defeated, which was just asked
        run.push(resolution.steps)
    return True


def continue_play(run: Run, step: SystemStep, step_id: str) -> bool:
    """Repeat the play step, unless a resolution was reached."""
    game = run.state.games.get(run.encoded)
    if game is not None and game.resolution:
        return end(run)
    hub = (game.hub_step if game else "") or scenario_steps.PLAY
    number = step_id.partition("#")[2]
    run.push((f"{hub}#{number}" if number else hub,))
    return True


def end(run: Run, step: SystemStep | None = None, step_id: str = "") -> bool:
    """Complete the scenario."""
    run.status = "completed"
    return False


SYSTEM_STEPS = {
    "changes": changes,
    "embark": embark,
    "defeat": defeat,
    "continue": continue_play,
    "end": end,
}

ASK: Mapping[type, StepHandler] = {
    each: kind.walk for each, kind in PROMPTS.items() if kind.walk is not None
}


def _plain(run: Run, step: Plain, step_id: str) -> bool:
    run.state.note_text(run.encoded, step_id, run.last)
    if step.steps:
        run.stack.extend(reversed(step.steps))
    if step.batch is None or not run.apply(step_id, [Group(step.batch)]):
        return step.batch is None
    ends = step_id == scenario_steps.PROCEED and not run.stack
    if ends or step_id == scenario_steps.PROCEED_OTHERWISE:
        return end(run)
    return True


def _branch(run: Run, step: Branch, step_id: str) -> bool:
    found = matches(run.state, step.condition)
    if not found:
        return True
    if leads_on(found):
        run.state.note_text(run.encoded, step_id, run.last)
    number = step_id.partition("#")[2] or FIRST_ROUND
    if step.loop:
        run.stack.append(f"{step.id}#{run.next_round(f'{step.id}#{number}')}")
    groups: list[Group] = []
    for option, codes, numbers in found:
        for batch in option.batches:
            groups.append(Group(batch, codes or (), numbers or ()))
    for option, _, _ in reversed(found):
        if option.steps:
            steps = option.steps
            if step.loop or option.repeatable:
                steps = tuple(f"{each}#{number}" for each in steps)
            run.stack.extend(reversed(steps))
    return run.apply(step_id, groups) if groups else True


def _ask(run: Run, step: Ask, step_id: str) -> bool:
    return ASK[step.prompt.__class__](run, step.prompt, step_id)


def _border(run: Run, step: Border, step_id: str) -> bool:
    run.state.note_text(run.encoded, step_id, run.last)
    if step.confirmed:
        read = run.optional_answer("decision", step_id + "_read_the_thing")
        if read is not None and read.value:
            run.push(step.confirmed)
    run.push(step.steps)
    return True


def _resolve(run: Run, step: Resolve, step_id: str) -> bool:
    resolution = run.scope.scenario.resolutions.get(step.resolution)
    if resolution is None:
        run.problem("fold.unknown-resolution", step_id, step.resolution)
    else:
        run.push(resolution.steps)
    return step.batch is None or run.apply(step_id, [Group(step.batch)])


def _system(run: Run, step: SystemStep, step_id: str) -> bool:
    return SYSTEM_STEPS[step.action](run, step, step_id)


WALK = WalkTable(
    {
        Plain: _plain,
        Branch: _branch,
        Ask: _ask,
        Border: _border,
        Resolve: _resolve,
        SystemStep: _system,
    },
    pending_of,
)


BEGUN = frozenset({"started", "completed"})  # statuses of a scenario


class Played(NamedTuple):
    """A scenario in the order of play, and its status."""

    id: str
    status: str
    name: str = ""


class Stop(NamedTuple):
    """A place from which a fold can resume: the state there, and all that led to it.

    ``run`` is the scenario that waits for an answer. If it is None, ``encoded`` is
    about to begin after ``previous`` ("" if it came from the list).
    """

    state: State
    answers: Answers
    links: dict[str, str] | None
    played: tuple[Played, ...]
    used: SharedList[EffectiveEntry]
    problems: tuple[Problem, ...]
    encoded: str
    previous: str
    order: tuple[str, ...] | None
    run: Run | None


def can_resume(stop: Stop, answers: Answers, links: dict[str, str] | None) -> bool:
    """Return whether a fold can resume here because nothing it had read changed."""
    before = stop.answers
    if links != stop.links:
        return False
    for played in stop.played:
        encoded = played.id
        if not (
            _is_same(answers.sheet(encoded), before.sheet(encoded))
            and _is_same(answers.stated(encoded), before.stated(encoded))
            and answers.ultimatums.get(encoded) == before.ultimatums.get(encoded)
            and answers.journeys.get(encoded) == before.journeys.get(encoded)
        ):
            return False
        # What follows the last one is looked up on resuming, unless it has already
        # begun.
        is_looked_up = encoded == stop.previous and stop.run is None
        if not is_looked_up and (
            answers.sides.get(encoded) != before.sides.get(encoded)
        ):
            return False
    return stop.run is None or _is_run_unaffected(stop.run, answers, before)


def _is_same(now: object, then: object) -> bool:
    """Return whether two are equal, quickly if they are identical, as most are."""
    return now is then or now == then


def _is_run_unaffected(run: Run, answers: Answers, before: Answers) -> bool:
    """Return whether nothing that a waiting run has read is different now."""
    encoded = run.encoded
    if answers.ultimatums.get(encoded) != before.ultimatums.get(encoded):
        return False
    now, then = answers.stated(encoded), before.stated(encoded)
    unanswered = run.unanswered_reads
    if FACTS not in unanswered:
        now, then = now.first(run.facts_held or 0), then.first(run.facts_held or 0)
    if now != then:
        return False
    if LOST in unanswered and answers.banished(encoded) != before.banished(encoded):
        return False
    if JOURNEY in unanswered and (
        answers.journeys.get(encoded) != before.journeys.get(encoded)
    ):
        return False
    sheet, known = answers.sheet(encoded), before.sheet(encoded)
    return all(
        (sheet.get(key) == known[key]) if key in known else key not in unanswered
        for key in sheet.keys() | known.keys()
    )


def locked(played: list[Played]) -> tuple[Played, ...]:
    """Lock all scenarios but the first that can be played now."""
    found: list[Played] = []
    blocked = False
    for each in played:
        if each.status == "playable":
            found.append(each._replace(status="locked") if blocked else each)
            blocked = True
        else:
            found.append(each)
            blocked = blocked or each.status == "started"
    return tuple(found)
