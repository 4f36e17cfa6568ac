"""Fold what a table reports into the state of its campaign.

``fold`` is pure: the same guide and the same answers give the same replay. Given the
replay of a shorter log it goes on from there, if nothing that was read then has
changed since; the result is the same, only sooner.
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
    goes_on,
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
from arkham.rules.campaign.state.answers import (
    Answer,
    Answers,
    Entry,
    Held,
)
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import Printed, State

MOST_SCENARIOS = 200  # of one campaign, replays and side scenarios included
KEPT = 3  # of the last scenarios: how many a fold can go on from
MOST_STOPS = 8  # kept of a replay
START = "start_scenario"
START_SIDE = "start_side_scenario"
BEFORE = "completed"  # the state of a scenario nobody began here


class Replay(NamedTuple):
    """What a campaign has come to.

    ``scenarios`` are in the order of play; ``pending`` is what is asked next, and of
    whom; ``problems`` is everything that did not go as it should; ``used`` are the
    answers that were read. The state is not to be changed.
    """

    state: State
    scenarios: tuple[Played, ...]
    pending: Pending | None
    problems: tuple[Problem, ...]
    used: SharedList[Held]
    stops: tuple[Stop, ...] = ()

    @property
    def as_asked(self) -> Replay:
        """The campaign as it was when what is asked now came up.

        Where an earlier answer was taken back, games that were played later still
        count, but who died in them is alive for the question.
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
        """The scenarios that were begun, over or not, in the order of play."""
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
    """The state of a campaign from its guide and everything its table reported.

    ``cards`` are the printed values of investigators; ``linked`` the answers of the
    other campaign, None where there is none, ``parted`` if it is gone and sends
    nothing more. ``version`` is that of the guide when
    the campaign began; ``standalone`` the scenario played on its own, ``simulated`` one
    before which the campaign is only gone through, each scenario resolved without
    being played (STAND-06). ``after`` is a
    replay of other answers with otherwise the same arguments.
    """
    stops, links = after.stops if after is not None else (), _links(linked)
    answers = stops[-1].answers.followed_by(entries) if stops else Answers(entries)
    folding = _Folding(
        scopes or Scopes(guide), answers, links, bool(standalone), policy
    )
    for place in reversed(range(len(stops))):
        if goes_on(stops[place], answers, links):
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
    """One fold: the scenarios that were played, one after the other."""

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
        self.used: SharedList[Held] = SharedList()
        self.pending: Pending | None = None
        self.order: tuple[str, ...] | None = None
        self.stops: list[Stop] = []
        self.is_open = False  # a scenario can be begun
        self.is_stopped = False  # a scenario waits for an answer
        # Only the last scenarios are worth a place to go on from.
        self.worth = sum(self._is_begun(each) for each in answers.sheets) - KEPT

    def begun(self, state: State, first: str) -> Replay:
        """Play the first scenario and all that follow, then those in the list."""
        self.state = state
        self._chain(first, "", None)
        return self._listed()

    def resumed(self, stop: Stop, before: tuple[Stop, ...]) -> Replay:
        """Go on from where an earlier fold was; ``before`` are the stops before it."""
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
        """The scenario that can be begun now, if no prompt waits."""
        for played in self.played:
            if played.status == "playable":
                return Pending(played.id, "", START, START)
            if played.status == "started":
                return None
        if self.state.campaign_result == "lose":
            return None  # who was about to travel on goes nowhere
        if self.state.map.embark and self.played:
            return Pending(self.played[-1].id, "", START, "embark")
        return None

    def _rest(self) -> tuple[str, ...]:
        """The scenarios of the list: of a single one, those that lead up to it."""
        if self._is_alone():
            return ()
        order, last = self._order(), self.state.simulated
        return order[: order.index(last) + 1] if last in order else order

    def _is_alone(self) -> bool:
        """Whether one scenario is all there is."""
        return self.standalone and not self.state.policy.goes_on_alone

    def _order(self) -> tuple[str, ...]:
        order = self.state.order
        return self.scopes.guide.order if order is None else order

    def _chain(self, encoded: str, previous: str, run: Run | None) -> None:
        """Play a scenario and those that follow from it, as far as they were begun."""
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
                    run.keep_statements()
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
        """Keep a place to go on from; none after a scenario that waits."""
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
        """Run a scenario that was begun; whether it was completed."""
        if run is None:
            run = self._run(scenario, encoded)
            if encoded == SETUP:
                run.pass_over()
            if self.answers.ultimatums:
                self._swear(run)
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

    def _swear(self, run: Run) -> None:
        """What the table has chosen before this scenario holds from here on."""
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
        """Which scenario comes after the one just played; None: look in the list."""
        state = self.state
        base = encoded.partition("#")[0]
        due = state.replays.get(base, 0)
        again = f"{base}#{due}" if replay_number(encoded) < due else None
        if self._is_alone() or base == state.simulated:
            return again
        aside = self.answers.sides.get(encoded)
        if aside is not None:
            return aside.scenario
        # Side scenarios follow the games they were put behind, so these come first.
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
        """The next of the scenarios that were played before the log began."""
        for encoded, status in self.state.statuses.items():
            is_left = status == BEFORE and encoded not in self.ids
            if is_left and self._scenario(encoded) is not None:
                return encoded
        return None

    def _is_past(self, encoded: str) -> bool:
        """Whether it has had its turn."""
        return encoded in self.ids and not self.state.policy.repeats_scenarios
