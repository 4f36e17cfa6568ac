"""Investigators who may be chosen, are gone, return, or move to another campaign."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging.answers import findings_of as answer_findings
from arkham.rules.campaign.judging.roster import (
    ROSTER_RULES,
    Candidate,
    Roster,
    RosterReason,
    findings_of,
    may_be_chosen,
)
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Answer, Entry, Stated, UltimatumChosen
from arkham.rules.campaign.state.lookup import printed_values
from arkham.rules.campaign.state.state import Printed
from arkham.rules.campaign.transfer import (
    TRANSFER_RULES,
    Departure,
    Transfer,
    arrival,
    transferred,
)
from arkham.rules.campaign.transfer import findings_of as transfer_findings
from arkham.rules.finding import Rule
from arkham.rules.snapshot import embedded_pool
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.guides import PROJECT
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    SKIDS,
    WHO,
    a_guide,
    a_note,
    a_scenario,
    a_step,
    records,
    starting,
)

AGNES, OTHER_ROLAND = "01004", "90024"  # the second is a parallel version
PEOPLE = {
    ROLAND: Printed(9, 5, title="Roland Banks"),
    OTHER_ROLAND: Printed(8, 6, title="Roland Banks"),
    DAISY: Printed(5, 9, title="Daisy Walker"),
    SKIDS: Printed(8, 6, title="“Skids” O’Toole"),
    AGNES: Printed(6, 8, title="Agnes Baker"),
}
EVERYBODY = tuple(PEOPLE)
GAIN = a_step(
    a_note("begun"), {"type": "add_card", "investigator": "all", "card": "02016"}
)
GUIDE = a_guide(a_game("one", GAIN), a_game("two"))
BOTH = {ROLAND: "alive", DAISY: "alive"}


def folded(*raws: Any, entries: tuple[Entry, ...] = ()) -> Replay:
    """A campaign of Roland and Daisy."""
    given: list[Answer] = starting(ROLAND, DAISY) + records(*raws)
    return fold(GUIDE, [*given, *entries], PEOPLE)


def killed(code: str = ROLAND) -> Stated:
    """A fact: an investigator is killed at the end of the first game."""
    return Stated("one", do.Trauma("input", killed=True), (code,), reason="A card")


def retired(code: str = ROLAND) -> Stated:
    """A fact: an investigator retires after the first game."""
    return Stated("one", do.Retire(), (code,), reason="Duke was lost")


ENDED = (*won("one", 2, **BOTH),)
PLAYED = folded(*ENDED)
DEAD = folded(*ENDED, entries=(killed(),))
RETIRED = folded(*ENDED, entries=(retired(),))


def rules(replay: Replay, code: str, entering: RosterReason, **more: Any) -> list[str]:
    """Return the rules with findings."""
    choosing = Candidate(code, Roster(replay.state), entering, **more)
    return [each.rule for each in findings_of(choosing)]


def test_a_new_campaign_is_open_to_all() -> None:
    assert may_be_chosen(folded().state, EVERYBODY) == EVERYBODY


def test_a_killed_investigator_is_gone_in_every_version() -> None:
    assert may_be_chosen(DEAD.state, EVERYBODY) == (DAISY, SKIDS, AGNES)
    assert may_be_chosen(DEAD.state, EVERYBODY, others=(DAISY,)) == (SKIDS, AGNES)


def test_trauma_can_drive_an_investigator_insane() -> None:
    """Roland's printed sanity is 5."""
    driven = Stated("one", do.Trauma("input", mental=5), (ROLAND,))
    state = folded(*ENDED, entries=(driven,)).state

    assert fate_of(state, ROLAND) is Fate.DRIVEN_INSANE
    assert may_be_chosen(state, (ROLAND, OTHER_ROLAND)) == ()


def test_a_joining_player_takes_a_new_investigator() -> None:
    """None that was played before; a player who takes over may."""
    state = PLAYED.state
    assert may_be_chosen(state, EVERYBODY, RosterReason.JOINING) == (SKIDS, AGNES)
    assert may_be_chosen(state, EVERYBODY, others=(DAISY,)) == (
        ROLAND,
        OTHER_ROLAND,
        SKIDS,
        AGNES,
    )


@pytest.mark.parametrize(
    ("replay", "code", "entering", "more", "expected"),
    [
        (PLAYED, SKIDS, RosterReason.JOINING, {}, []),
        (PLAYED, "99999", RosterReason.JOINING, {}, ["roster.known"]),
        (PLAYED, OTHER_ROLAND, RosterReason.JOINING, {}, ["roster.unused"]),
        (PLAYED, ROLAND, RosterReason.RETURNING, {}, []),
        (PLAYED, SKIDS, RosterReason.RETURNING, {}, ["roster.returns"]),
        (
            PLAYED,
            OTHER_ROLAND,
            RosterReason.REPLACING,
            {"others": (ROLAND,)},
            ["roster.taken"],
        ),
        (DEAD, ROLAND, RosterReason.REPLACING, {}, ["roster.gone"]),
        (DEAD, ROLAND, RosterReason.RETURNING, {}, ["roster.gone"]),
        (DEAD, SKIDS, RosterReason.REPLACING, {"lost": Fate.KILLED}, []),
        (RETIRED, ROLAND, RosterReason.REPLACING, {}, ["roster.retired"]),
        (RETIRED, ROLAND, RosterReason.RETURNING, {}, ["roster.retired"]),
        (RETIRED, SKIDS, RosterReason.REPLACING, {"lost": Fate.RETIRED}, []),
        (
            folded(*begun("one", ROLAND)),
            SKIDS,
            RosterReason.JOINING,
            {},
            ["roster.between-games"],
        ),
    ],
)
def test_an_invalid_choice_of_investigator_is_found(
    replay: Replay,
    code: str,
    entering: RosterReason,
    more: dict[str, Any],
    expected: list[str],
) -> None:
    """By exactly these rules."""
    assert rules(replay, code, entering, **more) == expected


def test_under_survival_killed_investigators_are_not_replaced() -> None:
    """Retired ones may be."""
    sworn = UltimatumChosen(SETUP, "survival")
    replay = folded(*ENDED, entries=(sworn, killed()))

    assert rules(replay, SKIDS, RosterReason.REPLACING, lost=Fate.KILLED) == [
        "roster.survival"
    ]
    assert rules(replay, SKIDS, RosterReason.REPLACING, lost=Fate.RETIRED) == []
    assert may_be_chosen(replay.state, EVERYBODY, lost=Fate.KILLED) == ()


def test_a_table_states_the_loss_if_no_investigator_is_left() -> None:
    """TRA-10: only the table knows which investigators it has."""
    lost = Stated(
        "one", course.SetResult("lose"), reason="Nobody is left.", sequence=900
    )
    replay = folded(*ENDED, entries=(killed(), lost))

    assert may_be_chosen(replay.state, (ROLAND, OTHER_ROLAND)) == ()
    assert replay.state.campaign_result == "lose"
    assert replay.pending is None


def test_a_returning_investigator_keeps_what_they_had() -> None:
    """Daisy misses the second game and earns nothing in it."""
    alone = won("two", 4, **{ROLAND: "alive"})
    state = folded(*ENDED, *alone).state

    assert state.people[DAISY].experience == 3
    assert state.people[ROLAND].experience == 8
    assert rules(folded(*ENDED, *alone), DAISY, RosterReason.RETURNING) == []


def test_a_newcomer_begins_with_nothing() -> None:
    """And earns from then on."""
    state = folded(*ENDED, *won("two", 1, **{ROLAND: "alive", SKIDS: "alive"})).state

    assert state.people[SKIDS].experience == 2
    assert state.people[SKIDS].physical is None
    assert state.people[ROLAND].experience == 5


def test_a_retired_investigator_no_longer_plays() -> None:
    """Their fate is known, and they can't be chosen."""
    replay = folded(
        *ENDED, {"type": "start_scenario", "scenario": "two"}, entries=(retired(),)
    )
    answer = Answer(
        "string_choices", "two", "$choose_investigators", {ROLAND: ("chosen",)}
    )

    assert fate_of(replay.state, ROLAND) is Fate.RETIRED
    assert [
        each.rule for each in answer_findings(answer, replay.pending, replay.state)
    ] == ["answer.players"]


def test_two_versions_of_one_investigator_cannot_play() -> None:
    replay = folded(*ENDED, {"type": "start_scenario", "scenario": "two"})
    both = {ROLAND: ("chosen",), OTHER_ROLAND: ("chosen",)}
    answer = Answer("string_choices", "two", "$choose_investigators", both)
    (found,) = answer_findings(answer, replay.pending, replay.state)

    assert found.rule == "answer.players"
    assert found.cards == (ROLAND, OTHER_ROLAND)


def test_titles_come_from_the_cards() -> None:
    """A parallel version has the title of the original."""
    values = printed_values(embedded_pool())
    assert values["90024"].title == values["01001"].title == "Roland Banks"


# -- transfers --


def test_experience_trauma_and_earned_cards_are_transferred() -> None:
    hurt = Stated("one", do.Trauma("input", physical=1, mental=2), (ROLAND,))
    weak = Stated("one", do.AddCard("input", "01096", aside=True), (ROLAND,))
    state = folded(*ENDED, entries=(hurt, weak)).state
    found = transferred(Departure(ROLAND, state, 1))

    assert found == Transfer(ROLAND, 1, 1, 2, ("02016",), ("01096",))
    assert transferred(Departure(SKIDS, state)) == Transfer(SKIDS)


def test_removed_cards_are_not_transferred() -> None:
    """One of two weaknesses was removed; there are two copies of a story card."""
    one = Stated("one", do.AddCard("input", "01096", aside=True), (ROLAND,))
    gone = Stated("one", do.RemoveCard("01096", "input", aside=True), (ROLAND,))
    two = Stated("one", do.CardCount("04244", 2), (ROLAND,))
    state = folded(*ENDED, entries=(one, one, gone, two)).state
    found = transferred(Departure(ROLAND, state))
    there = fold(GUIDE, [*starting(ROLAND, DAISY), *arrival(found)], PEOPLE).state

    assert (found.added, found.counted) == (("01096",), (("04244", 2),))
    assert held_cards(there.people[ROLAND]) == held_cards(state.people[ROLAND])
    assert held_cards(there.people[ROLAND])["04244"] == 2


def test_a_transfer_is_entered_into_the_other_log() -> None:
    """Notes, tokens and ultimatums are left behind."""
    given = Transfer(ROLAND, 1, 1, 2, ("02016",), ("01096",))
    other = fold(GUIDE, [*starting(ROLAND, DAISY), *arrival(given)], PEOPLE)
    person = other.state.people[ROLAND]

    assert (person.experience, person.physical, person.mental) == (1, 1, 2)
    assert (person.story, person.added) == (("02016",), ["01096"])
    assert other.state.sections["campaign_notes"].lines == ()
    assert other.state.bag == {}
    assert [each.codes for each in arrival(Transfer(DAISY))] == [(DAISY,)]


@pytest.mark.parametrize(
    ("moving", "expected"),
    [
        (Departure(ROLAND, PLAYED.state), []),
        (Departure(ROLAND, DEAD.state), ["transfer.survivor"]),
        (Departure(ROLAND, PLAYED.state, after=(OTHER_ROLAND,)), ["transfer.taken"]),
        (Departure(ROLAND, folded(*begun("one", ROLAND)).state), ["transfer.over"]),
        (Departure(DAISY, folded(*begun("one", ROLAND)).state), []),
    ],
)
def test_an_invalid_transfer_is_found(moving: Departure, expected: list[str]) -> None:
    assert [each.rule for each in transfer_findings(moving)] == expected


def test_each_rule_is_in_the_docs() -> None:
    """With its sentence; it has rows and a citation."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    rules: list[Rule[Any]] = [*ROSTER_RULES, *TRANSFER_RULES]
    for rule in rules:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in rules)


def test_a_transferred_deck_keeps_its_weakness_and_draws_none() -> None:
    """Only new investigators draw one."""
    draws = a_step(
        {"type": "add_weakness", "investigator": "all", "weakness_traits": []},
        step_id="draw",
    )
    guide = a_guide(a_game("one"), setup=["who", "draw"], steps=[WHO, draws])
    begun = starting(ROLAND, DAISY)
    alone = fold(guide, begun, PEOPLE)
    facts = [
        each._replace(sequence=90 + number)
        for number, each in enumerate(arrival(Transfer(ROLAND)))
    ]
    assert len(facts) == 1, "the log says that they came"
    one = fold(guide, [*begun, *facts], PEOPLE, after=alone)
    other = arrival(Transfer(DAISY, 3))
    both = fold(guide, [*begun, *facts, *other], PEOPLE)

    assert alone.pending is not None
    assert alone.pending.codes == (ROLAND, DAISY)
    assert one.pending is not None
    assert one.pending.codes == (DAISY,)
    assert both.pending is not None
    assert both.pending.prompt != "weakness"


def test_a_retired_investigator_is_left_out_between_games() -> None:
    """Interludes affect only those who continue, or all if no one does."""
    gives = a_step({"type": "earn_xp", "investigator": "all", "bonus": 2})
    interlude = a_scenario("two", gives, type="interlude", setup=["does"])
    guide = a_guide(a_game("one"), interlude, a_game("three"))

    def earned(*gone: str) -> list[int]:
        before = [*starting(ROLAND, DAISY), *records(*won("one"))]
        retired = [Stated("one", do.Retire(), (code,), reason="Away") for code in gone]
        begun_two = records({"type": "start_scenario", "scenario": "two"})
        state = fold(guide, [*before, *retired, *begun_two], PEOPLE).state
        return [state.people[code].experience or 0 for code in (ROLAND, DAISY)]

    neither = earned()
    assert earned(ROLAND) == [neither[0] - 2, neither[1]]
    assert earned(ROLAND, DAISY) == neither
