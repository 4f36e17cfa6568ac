"""Laws of campaigns kept by hand: each can be played to its end with random answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand import (
    kept_facts,
    open_by_hand,
    words_of_kept,
)
from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts, known_campaigns
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.interpreter.replay import START_SIDE
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.lint import lint_guide
from arkham.rules.campaign.state.answers import Answer, SideScenario
from arkham.rules.campaign.state.state import State
from arkham.rules.chaos.bag import LIMITS
from arkham.rules.chaos.starting import Difficulty
from tests.rules.campaign.helpers.by_hand import HandTable
from tests.rules.campaign.helpers.laws import shape

MANY = 3_000  # answers, more than any campaign needs
GONE = ("killed", "insane")


@pytest.mark.parametrize("campaign", [*known_campaigns(), SIDE])
def test_a_guide_for_keeping_by_hand_has_no_flaws(campaign: str) -> None:
    assert lint_guide(guide_by_hand(campaign)) == []


def test_all_campaigns_and_return_to_boxes_are_known() -> None:
    known = known_campaigns()
    assert len(known) == 30
    assert sum(campaign_facts(each).kind.startswith("return_to") for each in known) == 6


@pytest.mark.slow
@pytest.mark.parametrize("campaign", known_campaigns())
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_campaign_can_be_kept_to_its_end(campaign: str, seed: int) -> None:
    """Every question has a legal answer, and in the end no question is left."""
    table = HandTable(campaign, seed)
    replay = table.play(MANY)
    state = replay.state

    assert (replay.pending, table.found) == (None, [])
    assert {problem.rule for problem in replay.problems} <= {"bag.limit"}
    assert len({each.id for each in replay.scenarios}) == len(replay.scenarios)
    assert _earned(state) == {
        code: person.experience or 0 for code, person in state.people.items()
    }
    assert all(state.bag.get(token, 0) <= most for token, most in LIMITS.items())
    assert all(count >= 0 for count in state.bag.values())
    assert _after_the_end(state) == []
    assert shape(replay) == shape(table.folded())


def _earned(state: State) -> dict[str, int]:
    """Return each investigator's experience as the sum of all its sources."""
    earned = dict.fromkeys(state.people, 0)
    for change in state.changes:
        if change.what == "experience":
            earned[change.which] += int(str(change.value))
    return earned


def _after_the_end(state: State) -> list[str]:
    """Return the investigators who earned or played after they were eliminated."""
    trauma: dict[tuple[str, str], int] = {}
    gone: dict[str, str] = {}
    found = []
    for change in state.changes:
        who = change.which
        scenario = state.causes[change.cause].scenario
        if change.what in GONE:
            gone.setdefault(who, scenario)
        if change.what in ("physical", "mental") and who in state.investigators:
            key = who, change.what
            trauma[key] = trauma.get(key, 0) + int(str(change.value))
            printed = state.investigators[who]
            limit = printed.health if change.what == "physical" else printed.sanity
            if trauma[key] >= limit:
                gone.setdefault(who, scenario)
        if change.what == "experience" and who in gone:
            found.append(who)
        if change.what == "players" and isinstance(change.value, tuple):
            found += [each for each in change.value if each in gone]
    return found


@pytest.mark.parametrize("campaign", known_campaigns())
def test_every_difficulty_sets_its_bag(campaign: str) -> None:
    """Exactly the bag of the facts."""
    facts = campaign_facts(campaign)
    guide = guide_by_hand(campaign)
    assert facts.bags
    for difficulty, bag in facts.bags.items():
        table = HandTable(campaign, 1)
        table.play(2)
        assert guide.setup.setup[:2] == ("players", "difficulty")
        pending = table.replay.pending
        assert pending is not None
        offered = {offer.id: offer.number for offer in pending.offers}
        choice = table.answers[-1]._replace(
            kind="choice",
            scenario=SETUP,
            step="difficulty",
            value=offered[difficulty.value],
        )
        state = table.folded([*table.answers, choice]).state
        assert state.difficulty == difficulty
        assert state.bag == {token.value: count for token, count in bag.counts}
    assert Difficulty.STANDARD in facts.bags


STANDALONE = [
    (campaign, scenario.id)
    for campaign in (*known_campaigns(), SIDE)
    for scenario in campaign_facts(campaign).scenarios.values()
    if scenario.standalone
]


@pytest.mark.parametrize(("campaign", "scenario"), STANDALONE)
def test_a_scenario_can_be_kept_standalone(campaign: str, scenario: str) -> None:
    """With a bag, without experience, and followed at most by itself again."""
    table = HandTable(campaign, 7, standalone=scenario)
    replay = table.play(MANY)
    assert (replay.pending, replay.problems, table.found) == (None, (), [])
    played, *again = [each.id.partition("#") for each in replay.scenarios]
    assert played[0] == scenario
    assert again in ([], [(scenario, "#", "1")])
    assert sum(replay.state.bag.values()) > 0


class AsideTable(HandTable):
    """A table that inserts side scenarios wherever possible, each of them once."""

    def __init__(self, campaign: str, seed: int) -> None:
        super().__init__(campaign, seed)
        self.left = self.chance.sample(sorted(self.guide.side), 8)

    def _start(self, pending: Pending) -> Answer:
        done = [each.id for each in self.replay.scenarios if each.status == "completed"]
        if not done or not self.left:
            return super()._start(pending)
        aside = SideScenario(done[-1], "official")
        return Answer(START_SIDE, self.left.pop(), "", aside)


@pytest.mark.parametrize("campaign", known_campaigns())
def test_side_scenarios_are_played_within_any_campaign(campaign: str) -> None:
    """With the log, the numbers and the cards of that campaign."""
    table = AsideTable(campaign, 3)
    replay = table.play(MANY)
    asides = [each for each in replay.scenarios if each.id in table.guide.side]
    assert (replay.pending, table.found) == (None, [])
    assert {problem.rule for problem in replay.problems} <= {"bag.limit"}
    assert asides
    assert {each.status for each in asides} == {"completed"}


def test_each_guide_has_its_own_digest() -> None:
    digests = {guide_by_hand(each).digest for each in known_campaigns()}
    assert len(digests) == 30


def test_a_campaign_continues_with_the_facts_it_began_with() -> None:
    """Stored and opened again, they make the same guide with the same texts."""
    content = kept_facts("ptc")
    guide = open_by_hand(content)
    assert guide == guide_by_hand("ptc")
    assert words_of_kept(content).choice("curtain_call", "victory", "03060") == (
        "Royal Emissary"
    )

    changed = content.replace(b'"Royal Emissary"', b'"Another Emissary"')
    assert open_by_hand(changed).digest != guide.digest


@pytest.mark.parametrize("content", [b"[]", b"{}", b'{"form":"0"}', b'{"form":"1"}'])
def test_files_that_are_not_facts_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="no facts of a campaign"):
        open_by_hand(content)
