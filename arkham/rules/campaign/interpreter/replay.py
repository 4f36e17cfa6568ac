"""Folds the entries of a log into the state of a campaign.

``fold`` is pure: the same guide and the same entries give the same replay. Given the
replay of a shorter log, it resumes from there if nothing read up to that point has
changed; the result is the same, only faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.effects.ultimatums import begin
from arkham.rules.campaign.interpreter.walking import (
    BEGUN,
    WALK,
    Played,
    Stop,
    arrive,
    can_resume,
    locked,
)
from arkham.rules.campaign.model.guide import (
    SETUP,
    CampaignGuide,
    Scenario,
    replay_number,
)
from arkham.rules.campaign.model.scenario_steps import CUSTOM, Scopes, custom_scenario
from arkham.rules.campaign.policy import AS_THE_APP, BY_THE_RULES, Policy
from arkham.rules.campaign.run import Problem, Run
from arkham.rules.campaign.state.answers import Answer, Answers, EffectiveEntry, Entry
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import Printed, State

MOST_SCENARIOS = 200  # of one campaign, replays and side scenarios included
KEPT = 3  # from how many of the last scenarios a fold can resume
MOST_STOPS = 8  # kept of a replay
START = "start_scenario"
START_SIDE = "start_side_scenario"
BEFORE = "completed"  # the status of a scenario played before the log began


class Replay(NamedTuple):
    """The result of a fold.

    ``scenarios`` are in the order of play. ``pending`` is the next question and who is
    asked. ``problems`` are all that went wrong. ``used`` are the entries that were
    read. The state must not be changed.
    """

    state: State
    scenarios: tuple[Played, ...]
    pending: Pending | None
    problems: tuple[Problem, ...]
    used: SharedList[EffectiveEntry]
    stops: tuple[Stop, ...] = ()

    @property
    def as_asked(self) -> Replay:
        """The campaign at the moment its current question came up.

        If an earlier answer was retracted, games played later still count, but
        investigators who died in them are alive for the question.
        """
        stop = self.stops[-1] if self.stops else None
        is_asked = self.pending is not None and self.pending.step
        if stop is None or stop.run is None or not is_asked:
            return self
        if stop.encoded == self.begun[-1]:
            return self
        return self._replace(state=stop.state)

    @property
    def begun(self) -> tuple[str, ...]:
        """The scenarios that have begun, finished or not, in the order of play."""
        return tuple(each.id for each in self.scenarios if each.status in BEGUN)


def fold(
    guide: CampaignGuide,
    entries: Iterable[Entry],
    cards: Mapping[str, Printed],
    linked: Iterable[Answer] | None = None,
    *,
    version: int | None = None,
    standalone: str = "",
    simulated: str = "",
    parted: bool = False,
    policy: Policy = BY_THE_RULES,
    scopes: Scopes | None = None,
    after: Replay | None = None,
) -> Replay:
    """Return the state of a campaign, given its guide and the entries of its log.

    ``cards`` are the printed values of investigators; ``linked`` the decisions of the
    linked campaign, None if there is none, ``parted`` if it was deleted and sends
    nothing more. ``version`` is the guide's version when the campaign began.
    ``standalone`` is the scenario played on its own, ``simulated`` one before which all
    others are resolved without being played (STAND-06). ``after`` is a replay of other
    entries with otherwise the same arguments, to resume from.
    """
    stops, links = after.stops if after is not None else (), _links(linked)
    answers = stops[-1].answers.followed_by(entries) if stops else Answers(entries)
    folding = _Folding(
        scopes or Scopes(guide), answers, links, bool(standalone), policy
    )
    for place in reversed(range(len(stops))):
        if can_resume(stops[place], answers, links):
            return folding.resumed(stops[place], stops[:place])
    state = State(
        guide,
        cards,
        version=guide.version if version is None else version,
        standalone=bool(standalone),
        linked=linked is not None,
        policy=policy,
    )
    state.simulated = simulated
    state.parted = parted
    return folding.begun(state, standalone or SETUP)


def _links(linked: Iterable[Answer] | None) -> dict[str, str] | None:
    if linked is None:
        return None
    return {
        answer.step: answer.value for answer in linked if answer.kind == "campaign_link"
    }


class _Folding:
    """A fold in progress: the scenarios that were played, one after the other."""

    def __init__(
        self,
        scopes: Scopes,
        answers: Answers,
        links: dict[str, str] | None,
        standalone: bool,
        policy: Policy,
    ) -> None:
        self.scopes = scopes
        self.answers = answers
        self.links = links
        self.standalone = standalone
        self.policy = policy
        self.state: State
        self.played: list[Played] = []
        self.ids: set[str] = set()
        self.problems: list[Problem] = []
        self.used: SharedList[EffectiveEntry] = SharedList()
        self.pending: Pending | None = None
        self.order: tuple[str, ...] | None = None
        self.stops: list[Stop] = []
        self.is_open = False  # the next scenario that can begin was found
        self.is_stopped = False  # a scenario waits for an answer
        # Only the last scenarios are worth a stop to resume from.
        self.worth = sum(self._is_begun(each) for each in answers.sheets) - KEPT

    def begun(self, state: State, first: str) -> Replay:
        """Play the first scenario and all that follow, then those in the list."""
        self.state = state
        self._chain(first, "", None)
        return self._listed()

    def resumed(self, stop: Stop, before: tuple[Stop, ...]) -> Replay:
        """Resume from a stop of an earlier fold; ``before`` are the stops before it."""
        self.stops = [*before]
        self.state = state = stop.state.copy()
        self.played = list(stop.played)
        self.ids = {played.id for played in stop.played}
        self.problems = list(stop.problems)
        self.used = stop.used
        self.order = stop.order
        run = stop.run.resumed(state, self.answers) if stop.run is not None else None
        encoded: str | None = stop.encoded
        if run is None and stop.previous:
            encoded = self._following(stop.previous)
        if encoded is not None:
            self._chain(encoded, stop.previous, run)
        return self._listed()

    def _listed(self) -> Replay:
        if self.order is None:
            self.order = self._rest()
        for scenario_id in self.order:
            if scenario_id not in self.ids:
                self._chain(scenario_id, "", None)
        return Replay(
            self.state,
            locked(self.played),
            self.pending or self._next_start(),
            tuple(self.problems),
            self.used,
            tuple(self.stops[-MOST_STOPS:]),
        )

    def _next_start(self) -> Pending | None:
        """Return the scenario that can begin now, if no prompt waits."""
        for played in self.played:
            if played.status == "playable":
                return Pending(played.id, "", START, START)
            if played.status == "started":
                return None
        if self.state.campaign_result == "lose":
            return None  # no more travelling
        if self.state.map.embark and self.played:
            return Pending(self.played[-1].id, "", START, "embark")
        return None

    def _rest(self) -> tuple[str, ...]:
        """Return the scenarios in the list; in a simulation only up to its scenario."""
        if self._is_alone():
            return ()
        order, last = self._order(), self.state.simulated
        return order[: order.index(last) + 1] if last in order else order

    def _is_alone(self) -> bool:
        """Return whether only one scenario is played."""
        return self.standalone and not self.state.policy.goes_on_alone

    def _order(self) -> tuple[str, ...]:
        order = self.state.order
        return self.scopes.guide.order if order is None else order

    def _chain(self, encoded: str, previous: str, run: Run | None) -> None:
        """Play a scenario and those that follow it, as far as they have begun."""
        while True:
            scenario = self._scenario(encoded)
            if len(self.played) >= MOST_SCENARIOS or scenario is None:
                rule = "fold.too-many-scenarios"
                if scenario is None:
                    rule = "fold.unknown-scenario"
                self.problems.append(Problem(rule, encoded, ""))
                self.ids.add(encoded)
                return
            if run is None and not self._is_begun(encoded):
                status = self._waiting(scenario, encoded)
                if status == BEFORE:
                    run = self._run(scenario, encoded)
                    run.skip_to_end()
                else:
                    if status == "playable" and not self.is_open:
                        self.is_open = True
                        self._stop(encoded, previous, None)
                    self._add(encoded, status, scenario)
                    return
            elif run is None and len(self.played) >= self.worth:
                self._stop(encoded, previous, None)
            if not self._play(encoded, previous, scenario, run):
                return
            run = None
            following = self._following(encoded)
            if following is None:
                return
            previous, encoded = encoded, following

    def _is_begun(self, encoded: str) -> bool:
        sheet = self.answers.sheet(encoded)
        return (START, "") in sheet or (START_SIDE, "") in sheet

    def _waiting(self, scenario: Scenario, encoded: str) -> str:
        state = self.state
        lost = state.campaign_result == "lose" and not scenario.is_epilogue
        if lost or state.statuses.get(encoded) == "skipped":
            return "skipped"
        if state.statuses.get(encoded) == BEFORE:
            return BEFORE
        return "placeholder" if scenario.kind == "placeholder" else "playable"

    def _add(self, encoded: str, status: str, scenario: Scenario) -> None:
        self.ids.add(encoded)
        self.played.append(Played(encoded, status, scenario.name))

    def _stop(self, encoded: str, previous: str, run: Run | None) -> None:
        """Save a stop to resume from, unless an earlier scenario waits."""
        if self.is_stopped:
            return
        state = self.state.copy()
        self.stops.append(
            Stop(
                state,
                self.answers,
                self.links,
                tuple(self.played),
                self.used,
                tuple(self.problems),
                encoded,
                previous,
                self.order,
                run,
            )
        )

    def _play(
        self, encoded: str, previous: str, scenario: Scenario, run: Run | None
    ) -> bool:
        """Run a scenario that has begun; return whether it was completed."""
        if run is None:
            run = self._run(scenario, encoded)
            if encoded == SETUP:
                run.skip_setup()
            if self.answers.ultimatums:
                self._apply_ultimatums(run)
            if self.answers.transferred(encoded):
                arrive(run)
        self.state.policy = AS_THE_APP if run.as_recorded else self.policy
        run.go(WALK)
        if run.rested:
            self._stop(encoded, previous, run.resumed(self.state, self.answers))
            run.go(WALK)
        self.state.policy = self.policy
        if run.status != "completed":
            self._stop(encoded, previous, run)
            self.is_stopped = True
        self.problems += run.problems
        self.used = run.used
        self._add(encoded, run.status, scenario)
        if run.status != "completed":
            self.pending = self.pending or run.pending
            return False
        return True

    def _run(self, scenario: Scenario, encoded: str) -> Run:
        return Run(
            self.scopes.scope(scenario, standalone=self.standalone),
            encoded,
            self.state,
            self.answers,
            self.links,
            self.used,
        )

    def _apply_ultimatums(self, run: Run) -> None:
        """Put the ultimatums chosen before this scenario into effect."""
        chosen = self.answers.ultimatums.get(run.encoded, ())
        run.used.extend(chosen)
        for rule, found, sequence in begin(self.state, run.encoded, chosen):
            run.problem(rule, "", found, sequence)
        run.before = len(run.problems), len(run.used)

    def _scenario(self, encoded: str) -> Scenario | None:
        base = encoded.partition("#")[0]
        found = self.scopes.scenario(base)
        if found is not None:
            return found
        begun = self.answers.sheet(encoded).get((START_SIDE, ""))
        if begun is not None and begun.value.kind == CUSTOM:
            return custom_scenario(base, begun.value.name, begun.value.cost)
        return None

    def _following(self, encoded: str) -> str | None:
        """Return the scenario after the one just played; None to use the list."""
        state = self.state
        base = encoded.partition("#")[0]
        due = state.replays.get(base, 0)
        again = f"{base}#{due}" if replay_number(encoded) < due else None
        if self._is_alone() or base == state.simulated:
            return again
        aside = self.answers.sides.get(encoded)
        if aside is not None:
            return aside.scenario
        # Side scenarios are inserted after games, so the games come first.
        before = self._next_played_before()
        if before is not None and (base == SETUP or not self._is_begun(encoded)):
            return before
        waiting = [each for each in state.next_scenarios if not self._is_past(each)]
        if waiting and waiting[-1] != encoded:
            return waiting[-1]
        order = self._order()
        if base == SETUP:
            return order[0] if order else None
        if again is not None:
            return again
        if base not in order:
            return None
        later = order[order.index(base) + 1 :]
        return next((each for each in later if not self._is_past(each)), None)

    def _next_played_before(self) -> str | None:
        """Return the next scenario that was played before the log began."""
        for encoded, status in self.state.statuses.items():
            is_left = status == BEFORE and encoded not in self.ids
            if is_left and self._scenario(encoded) is not None:
                return encoded
        return None

    def _is_past(self, encoded: str) -> bool:
        """Return whether a scenario has had its turn."""
        return encoded in self.ids and not self.state.policy.repeats_scenarios
