"""Tables that keep a campaign by hand: with answers from a test, or random ones."""

from __future__ import annotations

from functools import cache
from typing import Any

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.by_hand.recording import DONE
from arkham.rules.campaign.by_hand.scenarios import OVER, RECORD
from arkham.rules.campaign.by_hand.words import hand_words
from arkham.rules.campaign.interpreter.replay import START, Replay, fold
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.state.answers import Answer, Entry
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.small import DAISY, ROLAND
from tests.rules.campaign.helpers.table import PEOPLE, Table


@cache
def words_by_hand(campaign: str) -> Words:
    """Return the texts of the guide that keeps a campaign by hand."""
    return hand_words(campaign_facts(campaign), campaign_facts(SIDE))


LATEST = 60  # scenarios, after which a random table ends


class Keeping:
    """A campaign kept by hand, with methods that answer its questions."""

    def __init__(self, campaign: str, *, standalone: str = "") -> None:
        self.guide = guide_by_hand(campaign)
        self.scopes = Scopes(self.guide)
        self.standalone = standalone
        self.entries: list[Entry] = []

    @property
    def replay(self) -> Replay:
        """The fold of all entries."""
        return fold(
            self.guide,
            self.entries,
            PEOPLE,
            standalone=self.standalone,
            scopes=self.scopes,
        )

    @property
    def state(self) -> State:
        """The state after all entries."""
        return self.replay.state

    @property
    def asked(self) -> tuple[str, str]:
        """Scenario and step of the next question, without the step's number."""
        pending = self.replay.pending
        return (pending.scenario, _base(pending.step)) if pending else ("", "")

    def says(
        self, step: str, value: Any, scenario: str = "", reason: str = ""
    ) -> Keeping:
        """Answer the next question, which must be this step; choices go by id."""
        replay = self.replay
        pending = replay.pending
        assert pending is not None
        assert _base(pending.step) == step
        if scenario:
            assert pending.scenario == scenario
        offered = {offer.id: offer.number for offer in pending.offers}
        if pending.kind == "choice":
            value = offered[value]
        given = Answer(
            pending.kind,
            pending.scenario,
            pending.step,
            value,
            len(self.entries) + 1,
            reason=reason,
        )
        if pending.kind != START:
            assert findings_of(given, pending, replay.state) == ()
        self.entries.append(given)
        return self

    def begins(self, scenario: str) -> Keeping:
        """Begin the next scenario, which must be this one."""
        return self.says("", None, scenario)

    def plays(self, lead: str, *others: str) -> Keeping:
        """Choose the investigators; the first one leads."""
        self.says("$choose_investigators", dict.fromkeys((lead, *others), ("chosen",)))
        if others:
            self.says("$lead_investigator", {lead: ("chosen",)})
        return self

    def ends(self, resolution: str, **outcomes: str) -> Keeping:
        """End the game with this resolution and an outcome for each investigator."""
        self.says("$play_scenario", "$finish").says("$choose_resolution", resolution)
        told = {code.lstrip("_"): (each,) for code, each in outcomes.items()}
        return self.says(f"$r_{resolution}*investigator_status", told)

    def shows(self, reason: str = "", **cards: int) -> Keeping:
        """Finish recording, with these cards in the victory display."""
        counts = {code.lstrip("_"): (count,) for code, count in cards.items()}
        self.says(RECORD, DONE).says("victory", counts, reason=reason)
        return self._banked()

    def writes(self, what: str, *steps: tuple[str, Any]) -> Keeping:
        """Record something, and answer the questions about it."""
        self.says(RECORD, what)
        for step, value in steps:
            self.says(step, value)
        return self

    def done(self) -> Keeping:
        """Finish recording, and upgrade the decks."""
        return self.says(RECORD, DONE)._banked()

    def _banked(self) -> Keeping:
        if self.asked[1] in ("$upgrade_decks", "save_decks"):
            self.says(self.asked[1], True)
        return self


def _base(step: str) -> str:
    return step.partition("#")[0]


class HandTable(Table):
    """A table with random answers that tends to finish recording early."""

    def __init__(self, campaign: str, seed: int, *, standalone: str = "") -> None:
        super().__init__(guide_by_hand(campaign), seed, standalone=standalone)
        self.found: list[str] = []

    def given(self, pending: Pending) -> list[Answer]:
        """Return a random legal answer, and keep the findings about it."""
        answers = super().given(pending)
        if pending.kind != START:
            findings = findings_of(answers[-1], pending, self.replay.state)
            self.found += [finding.rule for finding in findings]
        return answers

    def _choice(self, pending: Pending) -> int:
        offered = {offer.id: offer.number for offer in pending.offers}
        step = _base(pending.step)
        if step == RECORD and self.chance.random() < 0.5:
            return offered[DONE]
        if step == "next" and len(self.replay.scenarios) > LATEST:
            return offered[OVER]
        return super()._choice(pending)


def carcosa(difficulty: str = "standard") -> Keeping:
    """The Path to Carcosa, set up for Roland and Daisy, after its prologue."""
    table = Keeping("ptc")
    table.begins(SETUP)
    table.says("players", dict.fromkeys((ROLAND, DAISY), ("chosen",)))
    table.says("difficulty", difficulty).says("printing", "ptc_interlude1_reprint")
    return table.begins("ptc_prologue").done()


def curtain_call(table: Keeping) -> Keeping:
    """Play the first scenario up to the victory display."""
    table.begins("curtain_call").plays(ROLAND, DAISY)
    return table.ends("R1", _01001="alive", _01002="mental")


def experience(state: State) -> dict[str, int]:
    """Return the experience of each investigator."""
    return {code: person.experience or 0 for code, person in state.people.items()}


EXPEDITION = ("eoe_prologue", "ice_and_death", "ice_and_death_part_1")
FIRST_TEKELI_LI, KENSLER, DYER = "08723", "08720", "08714"


def set_up(campaign: str, *scenarios: str) -> Keeping:
    """A campaign of Roland and Daisy, up to recording the last of these scenarios."""
    table = Keeping(campaign).begins(SETUP)
    table.says("players", dict.fromkeys((ROLAND, DAISY), ("chosen",)))
    table.says("difficulty", "standard")
    for number, scenario in enumerate(scenarios, 1):
        if table.asked[1] == "record":
            table.done()
        table.begins(scenario)
        if table.guide.scenarios[scenario].kind == "":
            table.plays(ROLAND, DAISY).ends("R1", _01001="alive", _01002="alive")
            if number < len(scenarios):
                table.shows()
    return table
