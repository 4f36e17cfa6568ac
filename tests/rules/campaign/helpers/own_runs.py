"""Runs of our own guides that take every option of every prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, count
from typing import Any, NamedTuple

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import START, Replay
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.guide import (
    PASSING,
    Ask,
    CampaignGuide,
    Scenario,
    Step,
)
from arkham.rules.campaign.model.scenario_steps import ScenarioScope, Scopes
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.reading.references import parts, references
from arkham.rules.campaign.state.answers import Answer, Journey, SideScenario
from tests.rules.campaign.helpers.own_options import FRUITFUL, NEVER, TOWARDS
from tests.rules.campaign.helpers.own_routes import (
    ROUTES,
    Option,
    Route,
    next_journey,
    shared_by_all,
)
from tests.rules.campaign.helpers.table import Table

LEAST_RUNS, MOST_RUNS = 60, 600
MOST_ANSWERS = 1200
AT_PLAY = 8  # the most things done at one play step, per player
MOST_WISHES = 18  # preferred options at one play step
HUB = ("$finish", *scenario_steps.HUB_STEPS.values())
PLAYERS = ("1", "2", "3", "4")


class Run(NamedTuple):
    """A campaign that was played: its answers and its replay."""

    answers: tuple[Answer, ...]
    replay: Replay


class Explorer(Table):
    """A table that prefers answers no earlier run has given."""

    def __init__(
        self, guide: CampaignGuide, seed: int, taken: set[Option], standalone: str = ""
    ) -> None:
        super().__init__(guide, seed, standalone=standalone)
        self.taken = taken
        ways = (set[Option](), *TOWARDS.get(guide.id, ()))
        self.towards = set(ways[seed % len(ways)])
        routes = ROUTES.get(guide.id, ()) if seed % 2 else ()
        self.route = routes[seed // 2 % len(routes)] if routes else Route((), set())
        self.towards |= self.route.answers
        self.shared = shared_by_all(guide)
        self.asked: list[Pending] = []
        self.been: set[str] = set()
        missing = [n for n in PLAYERS if Option("", "players", n) not in taken]
        count = int(missing[0]) if missing else self.chance.randint(1, 4)
        self.patience = self.chance.randint(0, AT_PLAY * count)
        everybody = [*self.codes, *self.spare]
        self.codes, self.spare = everybody[:count], everybody[count:]
        taken.add(Option("", "players", str(count)))

    def given(self, pending: Pending) -> list[Answer]:
        """Return an answer and note the options it takes."""
        self.asked.append(pending)
        answers = super().given(pending)
        if pending.kind != START:
            for each in _answered(pending, answers[-1].value):
                self.taken.add(Option(*self._place(pending), each))
        return answers

    def _start(self, pending: Pending) -> Answer:
        held = self.replay.state.map
        found = self._journey(self.replay) if held.embark and self.guide.map else None
        scenario = pending.scenario if found is None else found.next_scenario
        if found is not None:
            self.been.add(found.destination)
        return Answer(START, scenario, "", found)

    def _journey(self, replay: Replay) -> Journey | None:
        """Travel along the route if possible, otherwise to a new or random place."""
        return next_journey(self.guide, replay, self.chance, self.route, self.been)

    def _place(self, pending: Pending) -> tuple[str, str]:
        scenario, step = _place(pending)
        return ("" if step in self.shared else scenario), step

    def _new(self, pending: Pending, answers: list[str]) -> list[str]:
        """Return the answers that were never given; all, if there are none."""
        place = self._place(pending)
        new = [each for each in answers if Option(*place, each) not in self.taken]
        return new or answers

    def value(self, pending: Pending) -> Any:
        """Return a legal answer; of yes and no, one that was not given before."""
        if pending.kind == "decision" and pending.prompt == "choose_one":
            return self.chance.choice(self._new(pending, ["yes", "no"])) == "yes"
        return super().value(pending)

    def _choice(self, pending: Pending) -> int:
        by_id = {offer.id: offer.number for offer in pending.offers}
        wished = [o for o in by_id if Option(*self._place(pending), o) in self.towards]
        round_ = re.search(r"#(\d+)", pending.step)
        if round_ and int(round_[1]) >= MOST_WISHES:
            wished = []
        offered = self._new(pending, wished or list(by_id))
        is_note = pending.step.endswith(scenario_steps.NOTES)
        if pending.prompt == "play_scenario" and not is_note:
            done = int(pending.step.partition("#")[2] or 0)
            own = [each for each in by_id if each not in HUB]
            if len(offered) < len(by_id):
                offered = [each for each in offered if each != "$finish"]
            elif own and done < self.patience:
                offered = own
            else:
                more = self.chance.random() < 0.3
                offered = [each for each in by_id if each != "$finish" and more]
        return by_id[self.chance.choice(offered or ["$finish"])]

    def _strings(self, pending: Pending) -> dict[str, tuple[str, ...]]:
        if pending.prompt == "who_takes":
            offered = self._new(pending, ["somebody", "nobody"])
            if self.chance.choice(offered) == "nobody":
                return {}
        if pending.prompt == "card_choice":
            return self._cards(pending)
        exact = pending.prompt == "checklist" and pending.least == pending.most
        if exact and self.guide.map:
            ids = [offer.id for offer in pending.offers]
            new = self.chance.choice(self._new(pending, ids))
            others = self.chance.sample(ids, len(ids))
            chosen = [new, *(each for each in others if each != new)]
            return dict.fromkeys(chosen[: pending.least], ("checked",))
        return super()._strings(pending)

    def _cards(self, pending: Pending) -> dict[str, tuple[str, ...]]:
        """Choose some of the cards, or all, or none."""
        ids = [offer.id for offer in pending.offers]
        share = self.chance.choice((0.0, 0.3, 0.6, 1.0))
        found: dict[str, tuple[str, ...]] = {}
        for key in pending.keys:
            if self.chance.random() < share:
                found[key] = (self.chance.choice(ids),)
        return found

    def _each(self, pending: Pending) -> dict[str, tuple[str, ...]]:
        found = super()._each(pending)
        for code, ids in pending.by_code:
            place = self._place(pending)
            new = [each for each in ids if Option(*place, each) not in self.taken]
            if new and (code in found or not found):
                found[code] = (self.chance.choice(new),)
                break
        return found


class Gatherer(Explorer):
    """A table that says yes, does everything at play steps and prefers ``GATHERED``.

    Late parts of some campaigns are open to such tables only.
    """

    def value(self, pending: Pending) -> Any:
        """Answer yes whenever possible."""
        if pending.kind == "decision" and pending.prompt == "choose_one":
            return True
        return super().value(pending)

    def _choice(self, pending: Pending) -> int:
        own = [each.number for each in pending.offers if each.id not in HUB]
        if pending.prompt == "play_scenario" and own and self.gathers:
            return self.chance.choice(own)
        ids = [each.id for each in pending.offers]
        aims = [each.number for each in pending.offers if each.id in self.aims]
        if aims and self._new(pending, ids) == ids and self.chance.random() < 0.8:
            return self.chance.choice(aims)
        return super()._choice(pending)

    @property
    def aims(self) -> set[str]:
        return GATHERED[self.guide.id]

    @property
    def gathers(self) -> bool:
        """Whether a play step offers one of the preferred options."""
        return self.replay.pending is None or bool(
            self.aims & {each.id for each in self.replay.pending.offers}
        )


# Options that lead to parts only such tables reach, by guide: the sleeper of R’lyeh
# is found by investigators with every artifact, every glyph and the way in.
GATHERED = {"tdc": {"R1", "R2", "press", "submerged_quarter", "glyphs", "play"}}


class Sparer(Explorer):
    """A table that keeps most partners alive: they stay at the camp, unharmed."""

    def value(self, pending: Pending) -> Any:
        """Neither take along nor hurt a partner before the last Fatal Mirage.

        But for a scratch in the city, which can be healed in the night after it.
        """
        nothing = {"partner_trauma": (0, 0), "assign_partners": ("none",)}
        is_in_the_city = pending.scenario == "city_of_the_elder_things"
        if is_in_the_city and pending.prompt == "partner_trauma":
            return dict.fromkeys(pending.codes, self.chance.choice([(1, 0), (0, 1)]))
        if is_in_the_city or pending.scenario == "fatal_mirage_3":
            return super().value(pending)
        if pending.prompt in nothing:
            return dict.fromkeys(pending.codes, nothing[pending.prompt])
        return super().value(pending)

    def _choice(self, pending: Pending) -> int:
        aims, harm = SPARED[self.guide.id]
        by_id = {each.id: each.number for each in pending.offers}
        if aimed := [by_id[each] for each in sorted(aims & set(by_id))]:
            return self.chance.choice(aimed)
        chosen = super()._choice(pending)
        spared = [number for name, number in by_id.items() if name not in harm]
        return chosen if chosen in spared else self.chance.choice(spared)


# What such tables choose and what they avoid: three partners have to be lost early for
# the first Fatal Mirage; the others are needed for the second and third.
_TRAGEDY = "tragedy_strikes"
SPARED = {
    "eoe": (
        {"snow_graves", "abandon", "fatal_mirage"},
        {"eliminate_partners", "gaze_into_madness", "the_final_straw", _TRAGEDY},
    )
}


class WithSides(Explorer):
    """A table that inserts every side scenario of the campaign."""

    def _start(self, pending: Pending) -> Answer:
        done = [each.id for each in self.replay.scenarios if each.status == "completed"]
        firsts = [name for name, each in self.guide.side.items() if not each.follows]
        left = [name for name in firsts if name not in done]
        if len(done) > 1 and left:
            value = SideScenario(done[-1], "official")
            return Answer("start_side_scenario", left[0], "", value)
        return super()._start(pending)


def _place(pending: Pending) -> tuple[str, str]:
    """Return scenario and step of a prompt, without the numbers of rounds."""
    step = re.sub(r"#(\d+|undefined)", "", pending.step)
    return pending.scenario.partition("#")[0], re.sub(r"(_effects)_\d+_", r"\1_", step)


def _answered(pending: Pending, value: Any) -> Iterator[str]:
    """Yield the options that an answer took, named as in :func:`options_of`."""
    if pending.kind == "decision":
        yield "yes" if value else "no"
    elif pending.kind == "choice":
        yield next(o.id for o in pending.offers if o.number == value)
    elif pending.prompt == "card_choice":
        yield from (f"{code} {each}" for code, ids in value.items() for each in ids)
    elif pending.prompt in ("who_takes", "who_gives_up"):
        yield "somebody" if value else "nobody"
    elif pending.prompt == "checklist":
        yield from value
    elif pending.kind == "string_choices" and (pending.by_code or pending.offers):
        yield from (each for ids in value.values() for each in ids)
    else:
        yield "given"


def options_of(guide: CampaignGuide, standalone: str = "") -> set[Option]:
    """Return every option of every reachable prompt, from the guide alone."""
    scopes = Scopes(guide)
    found = {Option("", "players", each) for each in PLAYERS}
    order = [*guide.order, *references(guide.setup).scenarios]
    if guide.map:
        order += [*guide.hidden_scenarios, PASSING]
    order += [
        name for each in guide.core.values() for name in references(each).scenarios
    ]
    for each in order:  # a scenario may name another one that comes after it
        after = references(guide.scenarios[each]).scenarios
        order += dict.fromkeys(name for name in after if name not in order)
    played = [guide.setup, *(guide.scenarios[each] for each in dict.fromkeys(order))]
    if standalone:
        played = [guide.scenarios[standalone]]
    for scenario in played:
        scope = scopes.scope(scenario, standalone=bool(standalone))
        for step_id in reached(scope):
            step = scope.steps[step_id]
            at = "" if step_id in shared_by_all(guide) else scenario.id
            for place, answer in _options(step, scope.scenario):
                found.add(Option(at, place, answer))
    return found


def reached(scope: ScenarioScope) -> set[str]:
    """Return the steps that a scenario can reach."""
    found: set[str] = set()
    waiting = list(scope.first)
    while waiting:
        step_id = waiting.pop().partition("#")[0]
        if step_id in found:
            continue
        found.add(step_id)
        step = scope.steps[step_id]
        refers = references(step)
        waiting += refers.steps
        for name in refers.resolutions:
            waiting += scope.scenario.resolutions[name].steps
        if isinstance(step, Ask) and isinstance(step.prompt, to.PlayScenario):
            waiting += [
                *scenario_steps.HUB_STEPS.values(),
                scenario_steps.CHOOSE_RESOLUTION,
            ]
            if scenario_steps.DEFEAT in scope.scenario.resolutions:
                waiting += scope.scenario.resolutions[scenario_steps.DEFEAT].steps
    return found


def _options(step: Step, scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield the prompts of a step with their possible answers."""
    if isinstance(step, Ask):
        for answer in _answers(step.prompt):
            yield step.id, answer
        for note in _notes(step.prompt):
            yield f"{step.id}{scenario_steps.NOTES}", note
        if isinstance(step.prompt, to.UseSupplies) and step.prompt.who == "all":
            yield f"{step.id}_used", "given"
        if isinstance(step.prompt, to.ChooseInvestigators) and step.prompt.lead:
            yield scenario_steps.LEAD_INVESTIGATOR, "given"
    for part in parts(step):
        match part:
            case (
                do.AddCard(who="choice" | "any" | "any_resigned")
                | do.AddCard(who="lead", optional=True)
            ):
                yield f"{step.id}_effects_investigator", "somebody"
                yield f"{step.id}_effects_investigator", "nobody"
            case do.AddWeakness():
                yield f"{step.id}_effects_weakness", "given"
            case do.Trauma(either=int()):
                yield f"{step.id}_effects_trauma", "physical"
                yield f"{step.id}_effects_trauma", "mental"


def _notes(prompt: to.Prompt) -> list[str]:
    """Return the lines that a play step offers to record, and that for others."""
    if isinstance(prompt, to.PlayScenario) and prompt.log_choices:
        return [*(note.id for note in prompt.log_choices), scenario_steps.OTHER]
    return []


def _answers(prompt: to.Prompt) -> list[str]:
    match prompt:
        case to.ChooseOne(choices) if len(choices) == 1:
            return ["yes", "no"]
        case to.ChooseOne(choices) | to.SeatChoice(_, choices):
            return [choice.id for choice in choices]
        case to.Checklist(choices):
            return [choice.id for choice in choices]
        case to.PlayScenario(branches):
            return [*(branch.id for branch in branches), *HUB]
        case to.CardChoice(queries, choices):
            codes = [code for query in queries for code in query.codes]
            return [f"{code} {choice.id}" for code in codes for choice in choices]
        case to.Randomizer(_, options):
            return [option.id for option in options]
        case to.UpgradeDecks() | to.SaveDecks():
            return ["yes"]
        case to.ReceiveLink(_, choices):
            return [choice.id for choice in choices]
        case to.DeadEnd() | to.RandomPlaces() | to.SendLink():
            return []
    return ["given"]


def explored(
    guide: CampaignGuide, wanted: set[Option], standalone: str = ""
) -> tuple[list[Run], set[Option]]:
    """Play until every option was taken, or the maximum number of runs is reached."""
    taken: set[Option] = set()
    runs: list[Run] = []
    known = () if standalone else FRUITFUL.get(guide.id, ())
    others = (seed for seed in count(LEAST_RUNS) if seed not in known)
    for seed in chain(range(LEAST_RUNS), known, others):
        if len(runs) >= (LEAST_RUNS if wanted <= taken else MOST_RUNS):
            break
        gathers = guide.id in GATHERED and seed % 6
        spares = guide.id in SPARED and seed % 3
        kind = Gatherer if gathers else Sparer if spares else Explorer
        table = kind(guide, seed, taken, standalone)
        replay = table.play(MOST_ANSWERS)
        runs.append(Run(tuple(table.answers), replay))
    return runs, taken


@cache
def runs_of(guide_id: str, standalone: str) -> tuple[list[Run], set[Option]]:
    """Return runs that take every possible option, and the options taken."""
    guide = open_own_guide(guide_id).guide
    never = NEVER.get((guide_id, standalone), set())
    return explored(guide, options_of(guide, standalone) - never, standalone)
