"""Single scenes of guides: some steps, run from a prepared state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arkham.rules.campaign.effects import apply
from arkham.rules.campaign.interpreter.walking import WALK
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.policy import BY_THE_RULES
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.run import Run
from arkham.rules.campaign.state.answers import Answer, Answers
from arkham.rules.campaign.state.ledger import Game
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.table import PEOPLE, Table, answer_to

ROLAND, DAISY = "01001", "01002"


def guide_of(name: str) -> CampaignGuide:
    """Return a shared guide; ``side`` is the guide of side scenarios."""
    library = shared_library()
    if name == "side":
        assert library.side is not None
        return library.side
    return library.guides[name]


def recorded(line: str, section: str = "campaign_notes") -> do.Effect:
    """An effect that records a line."""
    return do.LogLine(section, line)


def named(card: str, section: str) -> do.Effect:
    """An effect that records a card in a list of the log."""
    return do.LogCards(section, card, codes=(card,))


def scene(
    guide: CampaignGuide,
    scenario_id: str,
    steps: Iterable[str] = (),
    *,
    resolution: str = "",
    before: Iterable[do.Effect] = (),
    given: Mapping[str, Any] | None = None,
    outcomes: Mapping[str, str] | None = None,
    corrected: Iterable[Answer] = (),
    version: int = 1,
) -> State:
    """Return the state after some steps of a scenario, or after a resolution.

    ``before`` are earlier effects; ``given`` are answers by step, other prompts get a
    random legal answer; ``corrected`` are optional answers.
    """
    scopes = Scopes(guide)
    scenario = scopes.scenario(scenario_id)
    assert scenario is not None
    state = State(
        guide,
        PEOPLE,
        version=version,
        standalone=False,
        linked=False,
        policy=BY_THE_RULES,
    )
    state.scenario = scenario_id
    told = dict(outcomes or {ROLAND: "alive", DAISY: "alive"})
    game = Game(tuple(told), ROLAND, tuple(told.items()), resolution)
    state.games[scenario_id] = state.latest = game
    state.because("before", "", 0)
    for effect in before:
        apply(state, effect, (ROLAND,), ())
    wanted = list(steps)
    if resolution:
        wanted = list(scenario.resolutions[resolution].steps)
    scope = scopes.scope(scenario, standalone=False)
    run = Run(scope, scenario_id, state, Answers([]), None, SharedList())
    run.stack = wanted[::-1]
    _walk(run, Table(guide, 1), given or {}, list(corrected))
    return state


def _walk(
    run: Run, table: Table, given: Mapping[str, Any], answers: list[Answer]
) -> None:
    """Walk the steps to the end, answering every prompt."""
    state = run.state
    run.go(WALK)
    while run.pending is not None:
        asked = run.pending
        value = given[asked.step] if asked.step in given else table.value(asked)
        answers.append(answer_to(asked, value))
        assert len(answers) < 60
        run = run.resumed(state, Answers(answers))
        run.go(WALK)
    assert [problem.rule for problem in run.problems] == []


class Scenes(NamedTuple):
    """Scenes of one of our guides, with usual answers and earlier effects."""

    guide_id: str
    given: Mapping[str, Any]
    before: tuple[do.Effect, ...] = ()

    @property
    def guide(self) -> CampaignGuide:
        return open_own_guide(self.guide_id).guide

    def __call__(
        self,
        scenario_id: str,
        *steps: str,
        before: Iterable[do.Effect] = (),
        given: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> State:
        """Run a scene, with the usual answers unless others are given."""
        before = [*self.before, *before]
        asked = {**self.given, **(given or {})}
        return scene(self.guide, scenario_id, steps, before=before, given=asked, **more)
