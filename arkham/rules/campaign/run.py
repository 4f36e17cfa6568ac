"""One playing of a scenario: its steps in order, up to the first unanswered prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.effects import APPLY, pop_scenario
from arkham.rules.campaign.effects.personal import Group, settled
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.model.scenario_steps import ScenarioScope
from arkham.rules.campaign.state.answers import Answer, Answers, Held, Sheet
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State

# What a run has looked up: all that the table states of its end, the cards that are
# lost by it, and its journey.
FACTS, LOST, JOURNEY = ("facts", ""), ("lost", ""), ("journey", "")
# What the app's records call the rounds of a loop: the first, and all that follow.
FIRST_ROUND, NOT_COUNTED = "undefined", "NaN"
# Of one playing; the longest of recorded runs has 129. One of many parts counts as
# several (``Scope.beyond_one``).
MOST_STEPS = 5_000

Codes = tuple[str, ...]
Numbers = tuple[int, ...]


class Problem(NamedTuple):
    """Something that went wrong while folding: a permanent id, where, and what."""

    rule: str
    scenario: str
    step: str
    found: str = ""
    sequence: int = 0


class Awaited(NamedTuple):
    """An answer a run waits for: its step and kind, the prompt, and who is asked."""

    step: str
    kind: str
    prompt: object = None
    codes: tuple[str, ...] = ()


StepHandler: TypeAlias = Callable[["Run", Any, str], bool]


class WalkTable(NamedTuple):
    """What each kind of step does, and how a question that waits is described."""

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
        "links",
        "missed",
        "pending",
        "problems",
        "rested",
        "scope",
        "sheet",
        "stack",
        "state",
        "status",
        "steps",
        "used",
    )

    def __init__(
        self,
        scope: ScenarioScope,
        encoded: str,
        state: State,
        answers: Answers,
        links: dict[str, str] | None,
        used: SharedList[Held],
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
        self.missed: set[tuple[str, str]] = set()
        self.used = used.copy()
        self.last = 0
        for kind in ("start_scenario", "start_side_scenario"):
            begun = self.sheet.get((kind, ""))
            if begun is not None:
                self.used.append(begun)
        recorded = self.maybe("decision", scenario_steps.AS_RECORDED)
        self.as_recorded = recorded is not None and bool(recorded.value)
        self.before = 0, len(self.used)
        self.last = 0
        self.budget = MOST_STEPS
        # What the table states of the end: how many of its facts hold by now, None
        # before any is looked for; and whether what was changed by hand does.
        self.facts_held: int | None = None
        self.changed = self.rested = False
        self.began_lost = self.is_lost

    def pass_over(self) -> None:
        """Of a setup that lies before the log only what the table states is left."""
        entered = self.sheet.get(("decision", scenario_steps.ENTERED))
        self.missed |= {("decision", scenario_steps.ENTERED), FACTS}
        if entered is not None and entered.value:
            self.used.append(entered)
            self.before = 0, len(self.used)
            self.keep_statements()

    def keep_statements(self) -> None:
        """Ask nothing of a scenario played before the log began.

        What the table states of its end is all that is left.
        """
        self.stack = [scenario_steps.PROCEED, scenario_steps.CHANGES]

    def resumed(self, state: State, answers: Answers) -> Run:
        """The same run on a copy of its state, with more answers, where it waited."""
        other = copy(self)
        other.state, other.answers = state, answers
        other.sheet = answers.sheet(self.encoded)
        other.stack = self.stack.copy()
        other.awaited = other.pending = None
        problems, used = self.before
        other.problems = self.problems[:problems]
        other.missed = self.missed.copy()
        other.used = self.used.first(used)
        other.rested = False
        return other

    def go(self, walk: WalkTable) -> None:
        """Run until the scenario is completed, a prompt waits, or nothing is left."""
        stack, steps, handlers = self.stack, self.steps, walk.steps
        while stack:
            self.budget -= 1
            if self.budget < 0 or len(stack) > MOST_STEPS:
                self.problem("fold.endless", stack[-1])
                return
            step_id = stack.pop()
            below = len(stack)
            self.before = len(self.problems), len(self.used)
            step = steps.get(step_id) or steps.get(step_id.partition("#")[0])
            if step is None:
                self.problem("fold.unknown-step", step_id)
                continue
            beyond = self.scope.beyond_one(step)
            if beyond > self.budget:
                self.problem("fold.endless", step_id)
                return
            self.budget -= beyond
            if not handlers[step.__class__](self, step, step_id):
                if self.awaited is not None:
                    self.pending = walk.describe(self.state, self.encoded, self.awaited)
                    # The step is walked again once there is an answer.
                    stack[below:] = [step_id]
                    self.budget += 1 + beyond
                elif self.reads_end and self.facts_held is None:
                    # What the table says of the end holds, however it came.
                    stack[:] = [scenario_steps.CHANGES]
                    continue
                return
        # Nothing is left: gone on from here, all that was read stays read.
        self.before = len(self.problems), len(self.used)

    # --- what steps need

    def problem(
        self, rule: str, step: str, found: object = "", sequence: int = 0
    ) -> None:
        """Keep what went wrong."""
        self.problems.append(Problem(rule, self.encoded, step, str(found), sequence))

    def answer(self, kind: str, step_id: str) -> Answer | None:
        """The answer to a prompt, or None if it has not been given."""
        found = self.sheet.get((kind, step_id))
        if found is not None:
            self.last = found.sequence
            self.used.append(found)
        return found

    def answer_of(
        self, kind: str, step_id: str, codes: Sequence[str], must: Sequence[str] = ()
    ) -> Answer | None:
        """What those have answered who are asked now: who plays may be corrected.

        None, to ask again, if one who ``must`` has not, or others alone have.
        """
        found = self.sheet.get((kind, step_id))
        if found is None or self.state.policy.hears_the_absent:
            return self.answer(kind, step_id)
        said = {code: each for code, each in found.value.items() if code in codes}
        if not said.keys() >= set(must) or (codes and found.value and not said):
            return None
        self.answer(kind, step_id)
        return found._replace(value=said)

    def maybe(self, kind: str, step_id: str) -> Answer | None:
        """An answer nobody waits for; that it was missing is kept in mind."""
        found = self.answer(kind, step_id)
        if found is None:
            self.missed.add((kind, step_id))
        return found

    def wait(
        self, step_id: str, kind: str, prompt: object = None, codes: Sequence[str] = ()
    ) -> bool:
        """Stop here: this prompt has to be answered first."""
        self.awaited = Awaited(step_id, kind, prompt, tuple(codes))
        return False

    def rest(self, step_id: str) -> bool:
        """Stop once: where there are more facts, a fold goes on from this place."""
        self.rested = True
        self.before = len(self.problems), len(self.used)
        self.stack.append(step_id)
        self.budget += 1
        return False

    def asks_nobody(self, kind: str, step_id: str, codes: Sequence[str]) -> bool:
        """Whether a prompt for investigators is passed over as none of them is left."""
        if codes or self.state.policy.asks_the_absent:
            return False
        self.missed.add((kind, step_id))
        return True

    def next_round(self, step_id: str) -> str:
        """The number of the next round of a step."""
        mark = step_id.partition("#")[2]
        is_number = mark.isascii() and mark.isdigit()
        if mark and not (is_number or self.state.policy.numbers_rounds):
            return NOT_COUNTED
        return str(next_number(step_id))

    def draws_weakness(self, code: str) -> bool:
        """Whether an investigator draws a weakness here.

        A deck that comes from another campaign has the one of its creation (CAMP-11),
        and the setup gives no new ones (CAMP-14).
        """
        if self.encoded != SETUP or self.state.policy.deals_to_transferred:
            return True
        self.missed.add(FACTS)
        return code not in self.answers.transferred(SETUP)

    def push(self, steps: Sequence[str]) -> None:
        """These steps come next, before all that wait."""
        if steps:
            self.stack.extend(reversed(steps))

    def take(
        self,
        step_id: str,
        choice: PromptChoice,
        codes: Codes = (),
        numbers: Numbers = (),
    ) -> bool:
        """What follows from a choice: its steps come next, its effects hold now."""
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
        """Apply the effects of a step, once all they need has been said."""
        if any(group.batch.personal for group in groups):
            todo = settled(self, step_id + "_effects", groups)
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
        state.because(self.encoded, step_id, self.last)
        table = APPLY
        for effect, codes, numbers in todo:
            table[effect.__class__](state, effect, codes, numbers)
        if state.trouble:
            for rule, found in state.trouble:
                self.problem(rule, step_id, found, self.last)
            state.trouble = []
        if self.is_lost and self.status != "completed":
            self.status = "completed"
            return False
        return True

    @property
    def is_lost(self) -> bool:
        """Whether the campaign is lost, which ends any scenario but an epilogue."""
        lost = self.state.campaign_result == "lose"
        return lost and not self.scope.scenario.is_epilogue

    @property
    def reads_end(self) -> bool:
        """Whether it was lost here, and what the table says of it is still to hold."""
        reads_end = self.state.policy.reads_end_when_lost
        return reads_end and self.is_lost and not self.began_lost


def next_number(step_id: str) -> int:
    """The number of the next round of a step."""
    number = step_id.partition("#")[2]
    return int(number) + 1 if number.isascii() and number.isdigit() else 1


def numbered(steps: Sequence[str], number: str) -> tuple[str, ...]:
    """Steps under the number of their round."""
    return tuple(f"{step}#{number}" for step in steps)
