"""Judges whether a side scenario may be played here and can be paid for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import START, Replay
from arkham.rules.campaign.judging.between_games import (
    is_not_between_parts,
    opened_by_guide,
)
from arkham.rules.campaign.model.guide import (
    CampaignGuide,
    Discount,
    Scenario,
    replay_number,
)
from arkham.rules.campaign.model.scenario_steps import CUSTOM
from arkham.rules.campaign.state.answers import Answer, SideScenario
from arkham.rules.finding import Finding, Rule, Severity, faq, ngettext_noop, rule
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under

ALONE = "standalone"  # the kind of scenarios that can't be part of a campaign
LONGEST_OWN = 80  # characters in the id of a custom scenario
_FORGOTTEN_AGE = (faq("Frequently Asked Questions: The Forgotten Age"),)
_INNSMOUTH = (faq("Frequently Asked Questions: The Innsmouth Conspiracy"),)


class SideScenarioStart(NamedTuple):
    """A side scenario about to begin, the campaign as it is, and who can pay.

    ``unspent`` is the experience of the players; if it is unknown, it isn't checked.
    ``cards`` are those in their decks.
    """

    answer: Answer
    replay: Replay
    unspent: Mapping[str, int] = {}
    cards: Mapping[str, Collection[str]] = {}

    @property
    def begun(self) -> SideScenario:
        """The side scenario as given in the answer."""
        value = self.answer.value
        assert isinstance(value, SideScenario)
        return value

    @property
    def cost(self) -> int:
        """The price for each: as printed, or as entered for a custom scenario."""
        return side_cost(self.replay.state.guide, self.answer)

    def cost_for(self, code: str) -> int:
        """Return an investigator's price: more if the scenario names them.

        Less if their deck has a card that lowers it.
        """
        state, scenario = self.replay.state, self.answer.scenario
        discount = discount_of(state.guide, scenario)
        cost = self.cost
        if discount is not None and set(discount.cards) & {*self.cards.get(code, ())}:
            cost -= discount.less
        return cost + sum(
            more
            for named, more in named_costs(state.guide, scenario)
            if state.title(named) == state.title(code)
        )

    @property
    def highest(self) -> int:
        """The highest price that any investigator may have to pay."""
        named = named_costs(self.replay.state.guide, self.answer.scenario)
        return self.cost + max((more for _code, more in named), default=0)


def named_costs(guide: CampaignGuide, code: str) -> tuple[tuple[str, int], ...]:
    """Return what investigators named by a side scenario pay besides its cost."""
    scenario = guide.side.get(code) or guide.scenarios.get(code)
    if scenario is None or guide.free_side_scenarios:
        return ()
    return scenario.named_costs


def discount_of(guide: CampaignGuide, code: str) -> Discount | None:
    """Return the discount of a side scenario that isn't free."""
    scenario = guide.side.get(code) or guide.scenarios.get(code)
    if scenario is None or guide.free_side_scenarios:
        return None
    return scenario.discount


def side_cost(guide: CampaignGuide, answer: Answer) -> int:
    """Return the price of an inserted side scenario: as printed, or as entered.

    A scenario of the guide without a printed price is free, whatever was entered.
    """
    if guide.free_side_scenarios:
        return 0
    code, begun = answer.scenario, answer.value
    scenario = guide.side.get(code) or guide.scenarios.get(code)
    if scenario is not None:
        return scenario.cost or 0
    return begun.cost if isinstance(begun, SideScenario) else 0


@rule("side.known", rows=("XP-23",), cites=_INNSMOUTH)
def is_known(start: SideScenarioStart) -> Iterator[Finding]:
    """A side scenario is one of the guide's, or one your table named."""
    guide, code = start.replay.state.guide, start.answer.scenario
    if start.begun.kind == CUSTOM:
        if not _is_own(start):
            yield Finding(
                _("Your table has no scenario of its own with this name."),
                actual=code[:LONGEST_OWN],
            )
        if not start.begun.name.strip():
            yield Finding(_("What is it called?"), Severity.INCOMPLETE, actual=code)
    elif code not in guide.side and not _is_insertable(start):
        yield Finding(_("We don’t know this scenario."), actual=code)
    elif not is_begun_aside(guide.side.get(code) or guide.scenarios[code]):
        yield Finding(_("This scenario isn’t a side scenario."), actual=code)


def is_begun_aside(scenario: Scenario) -> bool:
    """Return whether it can be inserted: not a later part, and not only standalone."""
    return not scenario.follows and scenario.side not in (ALONE, CUSTOM)


def _is_own(start: SideScenarioStart) -> bool:
    """Return whether the id is a custom one and not a later scenario of the guide."""
    code = start.answer.scenario
    placed = any(code == each.id for each in start.replay.scenarios)
    taken = code in start.replay.state.guide.scenarios and not placed
    return 0 < len(code) <= LONGEST_OWN and "#" not in code and not taken


def _is_insertable(start: SideScenarioStart) -> bool:
    """Return whether it is a scenario of the campaign that may be inserted."""
    scenario = start.replay.state.guide.scenarios.get(start.answer.scenario)
    return scenario is not None and bool(scenario.side)


@rule("side.after", rows=("CAMP-18",), cites=_FORGOTTEN_AGE)
def comes_after(start: SideScenarioStart) -> Iterator[Finding]:
    """A side scenario comes between two games, after the last finished one.

    After an earlier one, it would replace what was played there since.
    """
    previous = start.begun.previous
    over = [each.id for each in start.replay.scenarios if each.status == "completed"]
    status = {each.id: each.status for each in start.replay.scenarios}.get(previous)
    waiting = start.replay.pending
    playing = waiting is not None and waiting.kind != START
    if status == "completed" and not playing and previous != over[-1]:
        yield Finding(
            _("You have played another scenario since."),
            actual=previous,
            expected=over[-1],
        )
    elif status != "completed" or playing:
        yield Finding(
            _("Finish this scenario first."),
            actual=status or "unknown",
            expected="completed",
        )


@rule("side.once", rows=("CAMP-18",), cites=_FORGOTTEN_AGE)
def comes_once(start: SideScenarioStart) -> Iterator[Finding]:
    """A side scenario can't follow itself."""
    placed = [each.id for each in start.replay.scenarios]
    if start.answer.scenario in (*placed, start.begun.previous):
        yield Finding(
            _("This scenario is already part of the campaign."),
            actual=start.answer.scenario,
        )


@rule("side.open", rows=("CAMP-20",), cites=_FORGOTTEN_AGE)
def is_open(start: SideScenarioStart) -> Iterator[Finding]:
    """You can't play a side scenario between two parts that follow each other
    immediately."""
    if start.replay.state.no_side_scenario:
        yield Finding(
            _("The next part follows immediately."), actual=start.answer.scenario
        )


@rule("side.place", rows=("CAMP-18",), cites=_FORGOTTEN_AGE)
def comes_between_games(start: SideScenarioStart) -> Iterator[Finding]:
    """A side scenario comes between two games, after everything that follows the
    first.

    Not before an interlude, unless that allows it, and not before a replay.
    """
    yield from _in_the_way(start.replay)


def _in_the_way(replay: Replay) -> Iterator[Finding]:
    guide = replay.state.guide
    over = (each.id for each in replay.scenarios if each.status == "completed")
    if not any(guide.is_game(each) for each in over):
        yield Finding(_("You haven’t played a scenario yet."))
    if replay.state.campaign_result == "lose":
        yield Finding(_("This campaign is lost: you can’t play more scenarios in it."))
    elif replay.pending is None:
        yield Finding(_("This campaign is over: you can’t play more scenarios in it."))
    following = next((e.id for e in replay.scenarios if e.status == "playable"), "")
    scenario = guide.scenarios.get(following.partition("#")[0])
    if scenario is None or scenario.allow_side_scenario:
        return
    if scenario.is_interlude or replay_number(following):
        yield Finding(_("The next scenario follows immediately."))


def may_come(replay: Replay) -> bool:
    """Return whether any side scenario may be played now."""
    return not replay.state.no_side_scenario and not any(_in_the_way(replay))


@rule("side.cost", rows=("XP-23",), cites=_INNSMOUTH)
def is_paid(start: SideScenarioStart) -> Iterator[Finding]:
    """Each investigator who plays a side scenario pays its cost in unspent
    experience."""
    if start.replay.state.redirect:
        return  # the group crosses out something else instead
    for code, unspent in start.unspent.items():
        cost = start.cost_for(code)
        if cost and unspent < cost:
            yield Finding(
                ngettext_noop(
                    "You have {unspent} experience; this scenario costs {cost}.",
                    "You have {unspent} experience; this scenario costs {cost}.",
                    "unspent",
                ),
                cards=(code,),
                actual=unspent,
                expected=cost,
                values=(("unspent", unspent), ("cost", cost)),
            )


@rule("side.closed", rows=("XP-21", "XP-22"), cites=(*_FORGOTTEN_AGE, *_INNSMOUTH))
def is_spending_open(start: SideScenarioStart) -> Iterator[Finding]:
    """You pay for a side scenario only while the campaign lets you spend experience."""
    closing = (*opened_by_guide(start.replay), *is_not_between_parts(start.replay))
    if start.highest > 0 and closing:
        yield Finding(
            _("You can’t spend experience now."), actual=start.highest, expected=0
        )


@rule("side.price", rows=("XP-23",), cites=_INNSMOUTH)
def costs_something_or_nothing(start: SideScenarioStart) -> Iterator[Finding]:
    """A side scenario your table named costs 0 or more experience."""
    if start.begun.cost < 0:
        yield Finding(_("The number is too low."), actual=start.begun.cost, expected=0)


@rule(
    "side.induction", rows=("XP-25", "ULT-12"), cites=(faq("Ultimatum of Induction"),)
)
def is_not_spent(start: SideScenarioStart) -> Iterator[Finding]:
    """Under the Ultimatum of Induction you can't pay for a side scenario."""
    in_force = start.replay.state.ultimatums
    if start.highest > 0 and under(in_force, UltimatumEffect.NO_EXPERIENCE):
        yield Finding(
            _("You can’t spend experience in this campaign."),
            actual=start.highest,
            expected=0,
        )


SIDE_RULES: tuple[Rule[SideScenarioStart], ...] = (
    is_known,
    comes_after,
    comes_once,
    is_open,
    comes_between_games,
    is_paid,
    is_spending_open,
    costs_something_or_nothing,
    is_not_spent,
)


def side_scenario_findings(start: SideScenarioStart) -> tuple[Finding, ...]:
    """Return all findings against a side scenario here."""
    return tuple(finding for each in SIDE_RULES for finding in each(start))
