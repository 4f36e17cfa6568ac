"""Judges whether a side scenario may be played here, and be paid for."""

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

ALONE = "standalone"  # the kind of a scenario that belongs into no campaign
LONGEST_OWN = 80  # characters of the id of a scenario of the table's own
_FORGOTTEN_AGE = (faq("Frequently Asked Questions: The Forgotten Age"),)
_INNSMOUTH = (faq("Frequently Asked Questions: The Innsmouth Conspiracy"),)


class Aside(NamedTuple):
    """A side scenario about to begin, the campaign as it is, and who has what to spend.

    ``unspent`` are those who play; where it is unknown none of it is judged. ``cards``
    are those of their decks.
    """

    answer: Answer
    replay: Replay
    unspent: Mapping[str, int] = {}
    cards: Mapping[str, Collection[str]] = {}

    @property
    def begun(self) -> SideScenario:
        """What the answer says."""
        value = self.answer.value
        assert isinstance(value, SideScenario)
        return value

    @property
    def cost(self) -> int:
        """What each pays: as the scenario says, or the table of one of its own."""
        return side_cost(self.replay.state.guide, self.answer)

    def cost_for(self, code: str) -> int:
        """What this investigator pays: more where the scenario names them.

        Less with a card in the deck that lowers its price.
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
        """The most that anybody may have to pay for it."""
        named = named_costs(self.replay.state.guide, self.answer.scenario)
        return self.cost + max((more for _code, more in named), default=0)


def named_costs(guide: CampaignGuide, code: str) -> tuple[tuple[str, int], ...]:
    """What investigators a side scenario names pay for it besides its cost."""
    scenario = guide.side.get(code) or guide.scenarios.get(code)
    if scenario is None or guide.free_side_scenarios:
        return ()
    return scenario.named_costs


def discount_of(guide: CampaignGuide, code: str) -> Discount | None:
    """Who pays less for a side scenario that costs something."""
    scenario = guide.side.get(code) or guide.scenarios.get(code)
    if scenario is None or guide.free_side_scenarios:
        return None
    return scenario.discount


def side_cost(guide: CampaignGuide, answer: Answer) -> int:
    """What each pays for a side scenario put in: as it is printed, or as they say.

    One of the guide for which no price is printed costs nothing, whatever they say.
    """
    if guide.free_side_scenarios:
        return 0
    code, begun = answer.scenario, answer.value
    scenario = guide.side.get(code) or guide.scenarios.get(code)
    if scenario is not None:
        return scenario.cost or 0
    return begun.cost if isinstance(begun, SideScenario) else 0


@rule("side.known", rows=("XP-23",), cites=_INNSMOUTH)
def is_known(aside: Aside) -> Iterator[Finding]:
    """A side scenario is one of the guide's, or one your table named."""
    guide, code = aside.replay.state.guide, aside.answer.scenario
    if aside.begun.kind == CUSTOM:
        if not _is_own(aside):
            yield Finding(
                _("Your table has no scenario of its own with this name."),
                actual=code[:LONGEST_OWN],
            )
        if not aside.begun.name.strip():
            yield Finding(_("What is it called?"), Severity.INCOMPLETE, actual=code)
    elif code not in guide.side and not _is_aside(aside):
        yield Finding(_("We don’t know this scenario."), actual=code)
    elif not is_begun_aside(guide.side.get(code) or guide.scenarios[code]):
        yield Finding(_("This scenario isn’t a side scenario."), actual=code)


def is_begun_aside(scenario: Scenario) -> bool:
    """Whether it can be put in: no later part, nor one that is only played alone."""
    return not scenario.follows and scenario.side not in (ALONE, CUSTOM)


def _is_own(aside: Aside) -> bool:
    """Whether the id is one of the table's own, and means no scenario to come."""
    code = aside.answer.scenario
    placed = any(code == each.id for each in aside.replay.scenarios)
    taken = code in aside.replay.state.guide.scenarios and not placed
    return 0 < len(code) <= LONGEST_OWN and "#" not in code and not taken


def _is_aside(aside: Aside) -> bool:
    """Whether it is a scenario of the campaign that may be put in."""
    scenario = aside.replay.state.guide.scenarios.get(aside.answer.scenario)
    return scenario is not None and bool(scenario.side)


@rule("side.after", rows=("CAMP-18",), cites=_FORGOTTEN_AGE)
def comes_after(aside: Aside) -> Iterator[Finding]:
    """A side scenario comes between two games, after the last finished one.

    After an earlier one it would take the place of what was played there since.
    """
    previous = aside.begun.previous
    over = [each.id for each in aside.replay.scenarios if each.status == "completed"]
    status = {each.id: each.status for each in aside.replay.scenarios}.get(previous)
    waiting = aside.replay.pending
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
def comes_once(aside: Aside) -> Iterator[Finding]:
    """A side scenario follows another scenario, never itself."""
    placed = [each.id for each in aside.replay.scenarios]
    if aside.answer.scenario in (*placed, aside.begun.previous):
        yield Finding(
            _("This scenario is already part of the campaign."),
            actual=aside.answer.scenario,
        )


@rule("side.open", rows=("CAMP-20",), cites=_FORGOTTEN_AGE)
def is_open(aside: Aside) -> Iterator[Finding]:
    """You can't play a side scenario between two parts that follow each other
    immediately."""
    if aside.replay.state.no_side_scenario:
        yield Finding(
            _("The next part follows immediately."), actual=aside.answer.scenario
        )


@rule("side.place", rows=("CAMP-18",), cites=_FORGOTTEN_AGE)
def comes_between_games(aside: Aside) -> Iterator[Finding]:
    """A side scenario comes between two games, after everything that follows the
    first.

    Neither before an interlude, unless that says so, nor before a game played again.
    """
    yield from _in_the_way(aside.replay)


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
    """Whether there is room for a side scenario now, whichever it is."""
    return not replay.state.no_side_scenario and not any(_in_the_way(replay))


@rule("side.cost", rows=("XP-23",), cites=_INNSMOUTH)
def is_paid(aside: Aside) -> Iterator[Finding]:
    """Each investigator who plays a side scenario pays its cost in unspent
    experience."""
    if aside.replay.state.redirect:
        return  # something else is crossed out instead
    for code, unspent in aside.unspent.items():
        cost = aside.cost_for(code)
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
def is_spending_open(aside: Aside) -> Iterator[Finding]:
    """You pay for a side scenario only while the campaign lets you spend experience."""
    closing = (*opened_by_guide(aside.replay), *is_not_between_parts(aside.replay))
    if aside.highest > 0 and closing:
        yield Finding(
            _("You can’t spend experience now."), actual=aside.highest, expected=0
        )


@rule("side.price", rows=("XP-23",), cites=_INNSMOUTH)
def costs_something_or_nothing(aside: Aside) -> Iterator[Finding]:
    """A side scenario your table named costs 0 or more experience."""
    if aside.begun.cost < 0:
        yield Finding(_("The number is too low."), actual=aside.begun.cost, expected=0)


@rule(
    "side.induction",
    rows=("XP-25", "ULT-12"),
    cites=(faq("Ultimatum of Induction"),),
)
def is_not_spent(aside: Aside) -> Iterator[Finding]:
    """Under the Ultimatum of Induction you can't pay for a side scenario."""
    in_force = aside.replay.state.ultimatums
    if aside.highest > 0 and under(in_force, UltimatumEffect.NO_EXPERIENCE):
        yield Finding(
            _("You can’t spend experience in this campaign."),
            actual=aside.highest,
            expected=0,
        )


SIDE_RULES: tuple[Rule[Aside], ...] = (
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


def side_scenario_findings(aside: Aside) -> tuple[Finding, ...]:
    """Everything that stands against a side scenario here, at once."""
    return tuple(finding for each in SIDE_RULES for finding in each(aside))
