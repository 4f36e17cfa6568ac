"""The victory display is a list of cards in every guide, or just a number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.scenarios import cards_for, display_at
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model.effects import EarnExperience
from arkham.rules.campaign.model.guide import Ask, CampaignGuide
from arkham.rules.campaign.model.prompts import Counter, VictoryDisplay
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.reading.references import parts
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.ledger import VICTORY
from arkham.rules.campaign.state.lookup import Limit, Reason, limits_under, reasons
from arkham.rules.snapshot import embedded_pool
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.small import DAISY, ROLAND
from tests.rules.campaign.helpers.table import PEOPLE

BOTH = {ROLAND: ("chosen",), DAISY: ("chosen",)}
PRIEST, DELVE = "01116", "02111"
# The Gathering, Resolution 1, up to the victory display.
PLAYED = [
    Answer("string_choices", "$campaign_setup", "choose_investigators", BOTH),
    Answer("choice", "$campaign_setup", "difficulty_choice", 1),
    Answer("string_choices", "$campaign_setup", "draw_weakness", {}),
    Answer("decision", "$campaign_setup", "save_decks", True),
    Answer("start_scenario", "torch", "", None),
    Answer("string_choices", "torch", "$choose_investigators", BOTH),
    Answer("string_choices", "torch", "$lead_investigator", {ROLAND: ("lead",)}),
    Answer("choice", "torch", "$play_scenario", -2),
    Answer("choice", "torch", "$choose_resolution", 0, choice="R2"),
    Answer(
        "string_choices",
        "torch",
        "$r_R2*investigator_status",
        {ROLAND: ("alive",), DAISY: ("alive",)},
    ),
]


def own() -> CampaignGuide:
    """Our guide of The Night of the Zealot."""
    return open_own_guide("core").guide


def field() -> CampaignGuide:
    """The field's guide of The Night of the Zealot."""
    return shared_library().guides["core"]


def after(guide: CampaignGuide, *more: Answer) -> Replay:
    """The campaign after the played answers and these."""
    told = [each._replace(sequence=n) for n, each in enumerate([*PLAYED, *more], 1)]
    return fold(guide, told, PEOPLE)


def asked(guide: CampaignGuide) -> tuple[Replay, Pending]:
    """The campaign when it asks for the victory display."""
    replay = after(guide)
    assert replay.pending is not None
    return replay, replay.pending


def listed(pending: Pending, reason: str = "", **counts: int) -> Answer:
    """An answer with cards by their codes (after an underscore), and a total."""
    value = {code.lstrip("_"): (count,) for code, count in counts.items()}
    return Answer("choice_list", pending.scenario, pending.step, value, reason=reason)


def earned(replay: Replay) -> dict[str, int | None]:
    """Return the experience of each investigator."""
    return {code: each.experience for code, each in replay.state.people.items()}


@pytest.fixture(params=[own, field], ids=["ours", "field"])
def guide(request: pytest.FixtureRequest) -> CampaignGuide:
    """Each of the two guides, read only when a test runs."""
    found: CampaignGuide = request.param()
    return found


def test_the_cards_of_the_scenario_are_listed_with_their_points(
    guide: CampaignGuide,
) -> None:
    _replay, pending = asked(guide)
    assert (pending.kind, pending.prompt, pending.others) == (
        "choice_list",
        "victory_display",
        True,
    )
    assert {(each.code, each.points, each.copies) for each in pending.worth} == {
        ("01113", 1, 1), ("01114", 1, 1), ("01116", 2, 1), ("01118", 1, 1),
        ("01119", 1, 1), ("02111", 1, None), ("03016", 1, None),
    }  # fmt: skip


def test_the_victory_points_of_the_cards_are_earned(guide: CampaignGuide) -> None:
    """2 + 1 + 2 × 1, with a card of another scenario; the resolution gives 2 and 1."""
    replay, pending = asked(guide)
    given = listed(pending, _01116=1, _01113=1, _01175=2)
    assert findings_of(given, pending, replay.state) == ()
    done = after(guide, given)
    assert earned(done) == {ROLAND: 8, DAISY: 7}
    assert Reason(5, "torch", "earn_xp", len(PLAYED) + 1, VICTORY) in reasons(
        done.state, "experience", DAISY
    )


def test_a_number_is_a_valid_answer(guide: CampaignGuide) -> None:
    replay, pending = asked(guide)
    given = Answer("count", pending.scenario, pending.step, 4)
    assert findings_of(given, pending, replay.state) == ()
    assert earned(after(guide, given)) == {ROLAND: 7, DAISY: 6}
    below = findings_of(given._replace(value=-1), pending, replay.state)
    assert [each.rule for each in below] == ["answer.number"]


def test_another_total_needs_a_reason(guide: CampaignGuide) -> None:
    replay, pending = asked(guide)
    bare = listed(pending, _01116=1, total=5)
    (found,) = findings_of(bare, pending, replay.state)
    assert (found.rule, found.actual, found.expected) == (
        "answer.display-reason",
        5,
        2,
    )
    given = bare._replace(reason="A card of our own.")
    assert findings_of(given, pending, replay.state) == ()
    assert earned(after(guide, given)) == {ROLAND: 8, DAISY: 7}
    assert findings_of(listed(pending, _01116=1, total=2), pending, replay.state) == ()


@pytest.mark.parametrize(
    ("value", "rules"),
    [
        ({"01001": (1,)}, ["answer.display-card"]),
        ({"no card": (1,)}, ["answer.display-card"]),
        ({"04078": (1,)}, ["answer.display-card"]),  # vengeance only
        ({PRIEST: (2,)}, ["answer.number"]),
        ({PRIEST: (-1,)}, ["answer.number"]),
        ({PRIEST: (1, 3)}, ["answer.display-points"]),
        ({PRIEST: (1, 2)}, []),
        ({PRIEST: ()}, ["answer.display-points"]),
        ({DELVE: (5,)}, []),
        ({"total": (3, 1)}, ["answer.display-points", "answer.display-reason"]),
    ],
)
def test_cards_that_cannot_be_in_the_display_are_found(
    value: dict[str, tuple[int, ...]], rules: list[str]
) -> None:
    replay, pending = asked(own())
    given = Answer("choice_list", pending.scenario, pending.step, value)
    found = findings_of(given, pending, replay.state)
    assert [each.rule for each in found] == rules


def test_taboo_lists_limit_delve_too_deep_to_two() -> None:
    """By title, in any printing; without a taboo list there is no limit."""
    replay, pending = asked(own())
    pool = embedded_pool()
    (limit,) = limits_under(pool.taboo_lists[-1], pool)
    other = limit._replace(codes=limit.codes | {"reprint"})
    three = listed(pending, _02111=3)

    def rules(given: Answer, *limits: Limit) -> list[str]:
        found = findings_of(given, pending, replay.state, limits)
        return [each.rule for each in found]

    assert (limit.most, DELVE in limit.codes) == (2, True)
    assert rules(three) == []
    assert rules(three, limit) == ["answer.display-limit"]
    assert rules(listed(pending, _02111=2, _01116=1), limit) == []
    reprinted = Answer(*listed(pending)[:3], {DELVE: (2,), "reprint": (1, 1)})
    assert rules(reprinted, other) == ["answer.display-limit"]
    nothing = replace(pool.taboo_lists[-1], changes={})
    assert limits_under(nothing, pool) == ()


def test_an_unknown_card_in_a_log_is_a_problem_without_points() -> None:
    _replay, pending = asked(own())
    done = after(own(), listed(pending, _nobody=1, _01116=1))
    assert [(each.rule, each.found) for each in done.problems] == [
        ("answer.unknown-card", "nobody")
    ]
    assert earned(done) == {ROLAND: 5, DAISY: 4}


def test_the_later_of_a_list_and_a_number_applies() -> None:
    """Either corrects the other, also if the fold is continued."""
    _replay, pending = asked(own())
    cards = listed(pending, _01116=1, _01113=1)
    number = Answer("count", pending.scenario, pending.step, 0)
    assert earned(after(own(), number, cards)) == {ROLAND: 6, DAISY: 5}
    assert earned(after(own(), cards, number)) == {ROLAND: 3, DAISY: 2}
    first = after(own(), number)
    told = [*PLAYED, number, cards]
    told = [each._replace(sequence=n) for n, each in enumerate(told, 1)]
    assert earned(fold(own(), told, PEOPLE, after=first)) == {ROLAND: 6, DAISY: 5}


# Counters of experience that aren't victory points.
OTHER_COUNTS = {
    "earn_act_xp",  # acts
    "ask_targets_on_scenario",  # targets
    "record_x_paths_known",  # locations, which have victory points as well
    "ask_victory_cards",  # cards that affect investigators differently
    "maybe_return_xp",  # suspects, in addition to their points
}


def test_every_display_of_the_shared_guides_is_a_list() -> None:
    """Counters of other things are still numbers."""
    displays, others = 0, set()
    library = shared_library()
    assert library.side is not None
    for guide in (*library.guides.values(), library.side):
        for scenario in guide.scenarios.values():
            for step in scenario.steps.values():
                if not isinstance(step, Ask):
                    continue
                displays += isinstance(step.prompt, VictoryDisplay)
                if isinstance(step.prompt, Counter) and any(
                    isinstance(part, EarnExperience) for part in parts(step)
                ):
                    others.add(step.id)
    assert displays > 200
    assert others == OTHER_COUNTS


# Scenarios without victory points.
WITHOUT_POINTS = frozenset({"ice_and_death_part_3", "the_last_king"})


def test_displays_of_official_campaigns_list_cards() -> None:
    """In addition to player cards, and none of another scenario."""
    library = shared_library()
    for campaign in ("core", "dwl", "ptc", "tcu", "tic", "eoe", "tskc", "fhv", "rtdwl"):
        guide = library.guides[campaign]
        for scenario in guide.scenarios.values():
            for step in scenario.steps.values():
                prompt = display_at(guide, scenario.id, step.id)
                if prompt is not None:
                    cards = cards_for(prompt, guide.id, f"{scenario.id}#1")
                    printed = [each for each in cards if each.copies is not None]
                    assert printed or scenario.id in WITHOUT_POINTS


def test_a_custom_side_scenario_lists_player_cards() -> None:
    cards = cards_for(VictoryDisplay(()), "core", "own-1")
    assert [each.code for each in cards] == ["02111", "03016"]
