"""Runs one scenario: its steps in order, up to the first unanswered prompt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.effects import APPLY, pop_scenario
from arkham.rules.campaign.effects.personal import Group, effects_with_targets
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.effects import Codes, Numbers
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.model.scenario_steps import ScenarioScope
from arkham.rules.campaign.state.answers import Answer, Answers, EffectiveEntry, Sheet
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State
from arkham.rules.vocabulary import is_digits

# What a run has looked up besides answers: facts of its end, banished cards, and its
# journey.
FACTS, LOST, JOURNEY = ("facts", ""), ("lost", ""), ("journey", "")
# The app's names for the rounds of a loop: the first, and all that follow.
FIRST_ROUND, NOT_COUNTED = "undefined", "NaN"
# The most steps in one run; the longest recorded has 129. Large steps count as several
# (``ScenarioScope.extra_steps``).
MOST_STEPS = 5_000


class Problem(NamedTuple):
    """Something that went wrong while folding: rule id, place, and what was found."""

    rule: str
    scenario: str
    step: str
    found: str = ""
    sequence: int = 0


class Awaited(NamedTuple):
    """A prompt that a run waits for: step, kind, prompt, and who is asked."""

    step: str
    kind: str
    prompt: object = None
    codes: tuple[str, ...] = ()


StepHandler: TypeAlias = Callable[["Run", Any, str], bool]
# Whether the value of an answer still fits what is asked, after an earlier correction.
Fits: TypeAlias = Callable[[Any], bool] | None


class WalkTable(NamedTuple):
    """The function for each kind of step, and one that describes a waiting prompt."""

    steps: Mapping[type, StepHandler]
    describe: Callable[[State, str, Awaited], Pending]


class Run:
    """The interpreter of one scenario; it changes the state it is given."""

    __slots__ = (
        "answers",
        "as_recorded",
        "awaited",
        "before",
        "began_lost",
        "budget",
        "changed",
        "encoded",
        "facts_held",
        "last",
        "leads",
        "led",
        "links",
        "pending",
        "problems",
        "rested",
        "scope",
        "sheet",
        "stack",
        "state",
        "status",
        "steps",
        "unanswered_reads",
        "used",
    )

    def __init__(
        self,
        scope: ScenarioScope,
        encoded: str,
        state: State,
        answers: Answers,
        links: dict[str, str] | None,
        used: SharedList[EffectiveEntry],
    ) -> None:
        self.scope = scope
        self.encoded = encoded
        self.state = state
        self.answers = answers
        self.sheet: Sheet = answers.sheet(encoded)
        self.links = links
        self.steps = scope.steps
        self.stack: list[str] = list(reversed(scope.first))
        self.status = "started"
        self.awaited: Awaited | None = None
        self.pending: Pending | None = None
        self.problems: list[Problem] = []
        self.unanswered_reads: set[tuple[str, str]] = set()
        self.used = used.copy()
        # The latest answer, and the one that led to the present step: a resolution's
        # steps follow from its choice, not from what is asked among them. Each of
        # ``leads`` is an answer, for the steps from its place in the stack up.
        self.last = self.led = 0
        self.leads: list[tuple[int, int]] = []
        for kind in ("start_scenario", "start_side_scenario"):
            begun = self.sheet.get((kind, ""))
            if begun is not None:
                self.used.append(begun)
        recorded = self.optional_answer("decision", scenario_steps.AS_RECORDED)
        self.as_recorded = recorded is not None and bool(recorded.value)
        self.before = 0, len(self.used)
        self.last = self.led = 0
        self.budget = MOST_STEPS
        # How many facts of the end are applied (None before any was looked up), and
        # whether the changes by hand are.
        self.facts_held: int | None = None
        self.changed = self.rested = False
        self.began_lost = self.is_lost

    def skip_setup(self) -> None:
        """Skip a setup that took place before the log began, apart from its facts."""
        entered = self.sheet.get(("decision", scenario_steps.ENTERED))
        self.unanswered_reads |= {("decision", scenario_steps.ENTERED), FACTS}
        if entered is not None and entered.value:
            self.used.append(entered)
            self.before = 0, len(self.used)
            self.skip_to_end()

    def skip_to_end(self) -> None:
        """Skip a scenario played before the log began, apart from facts of its end."""
        self.stack = [scenario_steps.PROCEED, scenario_steps.CHANGES]

    def resumed(self, state: State, answers: Answers) -> Run:
        """Return a copy that continues where this run waited, with more answers."""
        other = copy(self)
        other.state, other.answers = state, answers
        other.sheet = answers.sheet(self.encoded)
        other.stack, other.leads = self.stack.copy(), self.leads.copy()
        other.awaited = other.pending = None
        problems, used = self.before
        other.problems = self.problems[:problems]
        other.unanswered_reads = self.unanswered_reads.copy()
        other.used = self.used.first(used)
        other.rested = False
        return other

    def go(self, walk: WalkTable) -> None:
        """Run until the scenario is completed, a prompt waits, or no steps are left."""
        stack, steps, handlers = self.stack, self.steps, walk.steps
        leads = self.leads
        while stack:
            self.budget -= 1
            if self.budget < 0 or len(stack) > MOST_STEPS:
                self.problem("fold.endless", stack[-1])
                return
            step_id = stack.pop()
            below = len(stack)
            while leads and leads[-1][0] > below:
                leads.pop()
            self.led = leads[-1][1] if leads else self.last
            self.before = len(self.problems), len(self.used)
            step = steps.get(step_id) or steps.get(step_id.partition("#")[0])
            if step is None:
                self.problem("fold.unknown-step", step_id)
                continue
            extra = self.scope.extra_steps(step)
            if extra > self.budget:
                self.problem("fold.endless", step_id)
                return
            self.budget -= extra
            if not handlers[step.__class__](self, step, step_id):
                if self.awaited is not None:
                    self.pending = walk.describe(self.state, self.encoded, self.awaited)
                    # Walk the step again once there is an answer.
                    stack[below:] = [step_id]
                    self.budget += 1 + extra
                elif self.reads_end and self.facts_held is None:
                    # The facts of the end apply, however the scenario ended.
                    stack[:] = [scenario_steps.CHANGES]
                    continue
                return
            if len(stack) > below:
                leads.append((below, self.led))
        # No steps are left: a run resumed from here keeps all it has read.
        self.before = len(self.problems), len(self.used)

    # --- what steps need

    def problem(
        self, rule: str, step: str, found: object = "", sequence: int = 0
    ) -> None:
        """Record a problem."""
        self.problems.append(Problem(rule, self.encoded, step, str(found), sequence))

    def answer(self, kind: str, step_id: str, fits: Fits = None) -> Answer | None:
        """Return the answer to a prompt; None if there is none that fits it now."""
        found = self.sheet.get((kind, step_id))
        if found is not None and fits is not None:
            is_heard = self.state.policy.hears_the_absent or fits(found.value)
            found = found if is_heard else None
        if found is not None:
            self.last = self.led = found.sequence
            self.used.append(found)
        return found

    def has_used(self, kind: str, step_id: str) -> bool:
        """Whether the answer to a prompt was used before."""
        return self.sheet.get((kind, step_id)) in self.used

    def answer_of(
        self,
        kind: str,
        step_id: str,
        codes: Sequence[str],
        must: Sequence[str] = (),
        fits: Fits = None,
    ) -> Answer | None:
        """Return the answers of those who are asked now: the players may be corrected.

        None, to ask again, if one of ``must`` has not answered, or only others have, or
        if they don’t fit what is asked now.
        """
        found = self.sheet.get((kind, step_id))
        if found is None or self.state.policy.hears_the_absent:
            return self.answer(kind, step_id)
        said = {code: each for code, each in found.value.items() if code in codes}
        if not said.keys() >= set(must) or (codes and found.value and not said):
            return None
        if fits is not None and not fits(said):
            return None
        self.answer(kind, step_id)
        return found._replace(value=said)

    def optional_answer(self, kind: str, step_id: str) -> Answer | None:
        """Return an optional answer; if there is none, note that it was looked for."""
        found = self.answer(kind, step_id)
        if found is None:
            self.unanswered_reads.add((kind, step_id))
        return found

    def wait(
        self, step_id: str, kind: str, prompt: object = None, codes: Sequence[str] = ()
    ) -> bool:
        """Stop here until this prompt is answered."""
        self.awaited = Awaited(step_id, kind, prompt, tuple(codes))
        return False

    def rest(self, step_id: str) -> bool:
        """Stop once, so that a fold of more facts can resume from here."""
        self.rested = True
        self.before = len(self.problems), len(self.used)
        self.stack.append(step_id)
        self.budget += 1
        return False

    def asks_nobody(self, kind: str, step_id: str, codes: Collection[str]) -> bool:
        """Return whether a prompt is skipped: no investigator or card is left."""
        if codes or self.state.policy.asks_the_absent:
            return False
        self.unanswered_reads.add((kind, step_id))
        return True

    def next_round(self, step_id: str) -> str:
        """Return the number of the next round of a step."""
        mark = step_id.partition("#")[2]
        if mark and not (is_digits(mark) or self.state.policy.numbers_rounds):
            return NOT_COUNTED
        return str(next_number(step_id))

    def draws_weakness(self, code: str) -> bool:
        """Return whether an investigator draws a weakness here.

        A transferred deck already has the one from its creation (CAMP-11), and the
        setup gives it no other (CAMP-14).
        """
        if self.encoded != SETUP or self.state.policy.deals_to_transferred:
            return True
        self.unanswered_reads.add(FACTS)
        return code not in self.answers.transferred(SETUP)

    def push(self, steps: Sequence[str]) -> None:
        """Put these steps next, before all that wait."""
        if steps:
            self.stack.extend(reversed(steps))

    def take(
        self,
        step_id: str,
        choice: PromptChoice,
        codes: Codes = (),
        numbers: Numbers = (),
    ) -> bool:
        """Follow a choice: put its steps next and apply its effects now."""
        if choice.steps:
            steps = choice.steps
            if choice.repeatable:
                steps = numbered(steps, self.next_round(step_id))
            self.stack.extend(reversed(steps))
        if choice.batches:
            return self.apply(
                step_id, [Group(batch, codes, numbers) for batch in choice.batches]
            )
        return True

    def apply(self, step_id: str, groups: list[Group]) -> bool:
        """Apply the effects of a step, once all prompts that they need are answered."""
        if any(group.batch.personal for group in groups):
            todo = effects_with_targets(self, step_id + "_effects", groups)
            if todo is None:
                return False
        elif not any(group.batch.plain for group in groups):
            return True
        else:
            todo = [
                (effect, group.codes, group.numbers)
                for group in groups
                for effect in group.batch.plain
            ]
        state = self.state
        state.scenario = self.encoded
        if state.next_scenarios:
            pop_scenario(state)
        state.because(self.encoded, step_id, self.led)
        table = APPLY
        for effect, codes, numbers in todo:
            table[effect.__class__](state, effect, codes, numbers)
        if state.trouble:
            for rule, found in state.trouble:
                self.problem(rule, step_id, found, self.led)
            state.trouble = []
        if self.is_lost and self.status != "completed":
            self.status = "completed"
            return False
        return True

    @property
    def is_lost(self) -> bool:
        """Whether the campaign is lost, which ends every scenario but an epilogue."""
        lost = self.state.campaign_result == "lose"
        return lost and not self.scope.scenario.is_epilogue

    @property
    def reads_end(self) -> bool:
        """Whether the campaign was lost here, so that facts of the end still apply."""
        reads_end = self.state.policy.reads_end_when_lost
        return reads_end and self.is_lost and not self.began_lost


def next_number(step_id: str) -> int:
    """Return the number of the next round of a step."""
    number = step_id.partition("#")[2]
    return int(number) + 1 if is_digits(number) else 1


def numbered(steps: Sequence[str], number: str) -> tuple[str, ...]:
    """Return the steps with the number of their round."""
    return tuple(f"{step}#{number}" for step in steps)
