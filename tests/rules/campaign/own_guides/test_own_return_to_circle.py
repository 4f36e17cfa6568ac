"""Our guide of Return to The Circle Undone: its changes to the original."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.reading.own import open_own_guide, read_own
from arkham.rules.campaign.reading.references import parts
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.circle import EARNED, GIVEN, lines, logged
from tests.rules.campaign.helpers.dunwich import NOTES, left
from tests.rules.campaign.helpers.own_reading import CAMPAIGN
from tests.rules.campaign.helpers.scenes import (
    DAISY,
    ROLAND,
    Scenes,
    guide_of,
    recorded,
    scene,
)

BLACK_BOOK, ERYNN, TOWER, ACE = "05150", "54041", "05042", "05040"
CARDS = {
    "temperance": "return_to_the_witching_hour",
    "justice": "return_to_at_deaths_doorstep",
    "hermit": "return_to_the_secret_name",
    "hanged_man": "return_to_the_wages_of_sin",
    "hierophant": "return_to_for_the_greater_good",
    "lovers": "return_to_union_and_disillusion",
    "chariot": "return_to_in_the_clutches_of_chaos",
    "wheel_of_fortune": "return_to_before_the_black_throne",
}
UNION = "return_to_union_and_disillusion"
WAGES = "return_to_the_wages_of_sin"
LATER = {
    *("return_to_in_the_clutches_of_chaos", "twist_of_fate"),
    *("return_to_before_the_black_throne", "tcu_epilogue"),
}


returned = Scenes("rttcu", GIVEN, (EARNED,))


def read(state: State) -> list[str]:
    return [each.step for each in state.texts]


# --- Erynn


def test_the_coven_can_be_left_alone() -> None:
    """The Witching Hour, Resolution 5: more is learned than by breaking the spell."""
    state = returned("return_to_the_witching_hour", resolution="R5")

    assert lines(state) == ["witches_spell_cast", "erynn_wants_to_meet"]
    assert lines(state, "mementos") == ["mesmerizing_flute", "strange_incantation"]
    assert state.people[ROLAND].experience == 3 + 3


@pytest.mark.parametrize(
    ("known", "acts"),
    [("", "remove_new_act"), ("erynn_wants_to_meet", "setup_erynn_act")],
)
def test_acts_with_erynn_are_used_only_if_she_wants_to_meet(
    known: str, acts: str
) -> None:
    """In The Wages of Sin."""
    state = returned(WAGES, "check_erynn_wants_to_meet", before=logged(*known.split()))

    assert read(state)[-1] == acts


@pytest.mark.parametrize("taken", [True, False])
def test_erynn_may_join_a_deck(taken: bool) -> None:
    """The Wages of Sin, Resolution 3: she joined you, even if no one takes her card."""
    answer = {DAISY: ("chosen_investigator",)} if taken else {}
    state = returned(
        WAGES, resolution="R3", given={"earn_erynn_effects_investigator": answer}
    )

    assert state.number(NOTES, "heretics_released") == 1
    assert state.has_line(NOTES, "erynn_joined_investigators")
    assert lines(state, "mementos") == ["bloody_tree_carvings"]
    assert (state.people[DAISY].story == (ERYNN,)) is taken


@pytest.mark.parametrize(
    ("known", "act"),
    [
        ("sided_with_the_lodge", "act_3_v1"),
        ("sided_with_the_lodge erynn_joined_investigators", "act_3_v5"),
        ("sided_with_the_coven", "act_3_v4"),
        ("sided_with_the_coven erynn_joined_investigators", "act_3_v4"),
    ],
)
def test_side_and_erynn_decide_the_acts_on_the_isle(known: str, act: str) -> None:
    """The fifth version is for those who sided with the Lodge and have Erynn."""
    state = returned(
        UNION,
        "check_sided_with_coven_and_erynn",
        "check_sided_with_lodge_and_erynn",
        before=logged(*known.split()),
    )
    found = read(state)

    assert act in found
    assert ("extra_intro" in found) is ("coven erynn" in known)


@pytest.mark.parametrize("book", [True, False])
@pytest.mark.parametrize("erynn", [True, False])
def test_the_offer_can_be_accepted_with_the_book_and_erynn_only(
    book: bool, erynn: bool
) -> None:
    """Union and Disillusion, Resolution 4.

    Accepting wins the campaign; declining is Resolution 10, the original Resolution 4.
    """
    state = returned(
        UNION,
        resolution="R4",
        before=[
            *[do.AddCard("all", BLACK_BOOK)] * book,
            *logged("erynn_joined_investigators") * erynn,
        ],
        given={"choose_if_anette_is_good_v8": 0},
    )
    accepted = book and erynn

    assert state.has_line(NOTES, "anette_mason_is_possessed_by_evil") is not accepted
    assert state.has_line(NOTES, "coven_of_keziah_holds_the_world_in_its_grasp") is (
        accepted
    )
    assert state.campaign_result == ("win" if accepted else "")
    assert state.people[ROLAND].experience == (0 if accepted else 3)
    skipped = {each for each, how in state.statuses.items() if how == "skipped"}
    assert skipped == (LATER if accepted else set())


def test_siding_with_the_lodge_can_win_too() -> None:
    """Resolution 2 skips later scenarios of the Return, not those of the original."""
    state = returned(UNION, resolution="R2")

    assert state.campaign_result == "win"
    assert state.statuses.keys() >= LATER
    assert "in_the_clutches_of_chaos" not in state.statuses


# --- the campaign reading


@pytest.mark.parametrize("reading", [True, False])
def test_a_campaign_reading_replaces_two_cards(reading: bool) -> None:
    """For the lead investigator who accepts their fate."""
    state = returned(
        "return_to_the_witching_hour",
        "choose_fate",
        given={
            "choose_fate": 0,
            "ask_campaign_reading": reading,
            "ask_reversed": dict.fromkeys(list(CARDS)[:4], ()),
        },
    )

    assert (state.people[ROLAND].story or ()) == (() if reading else (TOWER, ACE))
    assert state.has_line("hidden", "campaign_reading") is reading
    reversed_ = [
        card
        for card in CARDS
        if state.has_line("hidden", f"campaign_reading_{card}_reversed")
    ]
    assert reversed_ == (list(CARDS)[:4] if reading else [])


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("way", ["reversed", "upright"])
def test_each_scenario_reminds_of_its_card(card: str, way: str) -> None:
    """Reversed or upright."""
    known = [recorded("campaign_reading", "hidden")]
    if way == "reversed":
        known.append(recorded(f"campaign_reading_{card}_reversed", "hidden"))
    scenario = CARDS[card]
    reminder = "check_campaign_reading_reminder"

    assert read(returned(scenario, reminder, before=known))[-1] == (
        f"campaign_reading_{way}"
    )
    assert f"campaign_reading_{way}" not in read(returned(scenario, reminder))


# --- later


def test_a_third_version_of_each_location_leaves_the_game() -> None:
    """In the Clutches of Chaos: as printed; the field's guide keeps just one.

    One of the other two is in play; random locations are drawn from the rest.
    """
    scenario = "return_to_in_the_clutches_of_chaos"
    words = open_own_guide("rttcu").words
    kept = words.step(scenario, "setup_locations")
    drawn = words.step(scenario, "choosing_a_random_location_rule")

    assert "have 3 versions" in kept["text"]
    assert "remove 1 of each" in kept["text"]
    assert "8 versions that aren’t in play" in drawn["text"]


def test_all_ten_mementos_can_be_lost() -> None:
    """The Inner Circle: including the two of the Return."""
    found = sorted(open_own_guide("rttcu").words.lines("mementos"))
    assert len(found) == 10
    state = returned(
        "the_inner_circle",
        "lose_all_mementos",
        before=[recorded(each, "mementos") for each in found],
    )

    assert lines(state, "mementos") == []


@pytest.mark.parametrize("known", ["arrested_anette", "arrested_sanford"])
@pytest.mark.parametrize("marks", [0, 1, 2])
def test_an_arrest_removes_a_mark(known: str, marks: int) -> None:
    """If there is one; the field's guide counts down to −1."""
    before = [
        do.LogCount(NOTES, "path_winds_before_you", do.Tally.SET, marks),
        *logged(known),
    ]
    step = f"check_{known}"
    state = returned("twist_of_fate", step, before=before)
    field = scene(guide_of("rttcu"), "twist_of_fate", [step], before=before)

    assert state.number(NOTES, "path_winds_before_you") == max(marks - 1, 0)
    assert field.number(NOTES, "path_winds_before_you") == marks - 1


@pytest.mark.parametrize(
    ("known", "tokens"),
    [
        ("arrested_sanford", "-1"),
        ("assumed_control_of_the_silver_twilight_lodge", "cultist cultist"),
    ],
)
def test_the_end_of_chaos_adds_tokens(known: str, tokens: str) -> None:
    """Twist of Fate."""
    state = returned("twist_of_fate", f"check_{known}", before=logged(known))

    assert left(state).tokens == tokens


def test_a_weakness_can_be_taken_for_experience() -> None:
    """Anette's spells: each investigator may choose a weakness, for 4."""
    step = "ask_trade_weakness_for_xp"
    state = returned(
        "twist_of_fate",
        "check_anette_taught_you_the_spells_of_old",
        before=logged("anette_taught_you_the_spells_of_old"),
        given={
            step: {ROLAND: ("accept_magic",)},
            f"{step}_effects_weakness": {ROLAND: ("05041",)},
        },
    )
    asked = parts(returned.guide.scenarios["twist_of_fate"].steps[step])
    (weakness,) = [each for each in asked if isinstance(each, do.AddWeakness)]

    assert state.people[ROLAND].experience == 4
    assert DAISY not in state.people or not state.people[DAISY].experience
    assert weakness.choose_only


def test_the_reversed_incantation_wins() -> None:
    """Before the Black Throne, Resolution 6: with trauma of both kinds."""
    found = left(returned("return_to_before_the_black_throne", resolution="R6"))

    assert found.lines == "azathoth_slumbers"
    assert (found.experience, found.trauma, found.result) == (8, (1, 1), "win")


def test_the_campaign_ends_without_its_epilogue_if_no_one_is_left() -> None:
    """As in the original; the field's guide skips another epilogue."""
    state = returned("return_to_at_deaths_doorstep", "lose_campaign")
    field = scene(guide_of("rttcu"), "return_to_at_deaths_doorstep", ["lose_campaign"])

    assert state.statuses == {"tcu_epilogue": "skipped"}
    assert field.statuses == {"ptc_epilogue": "skipped"}


# --- reading


@pytest.mark.parametrize(
    ("named", "flaws"), [("x", ()), ("elsewhere", ("guide.unknown-key",))]
)
def test_inherited_steps_can_cite_further_places(
    named: str, flaws: tuple[str, ...]
) -> None:
    """``also_cites`` adds a place; unknown steps are reported."""
    files = {
        "below/campaign": CAMPAIGN,
        "below/one": 'name = "One"\nsetup = ["x"]\n[steps.x]\ncites = ["set-up"]\n',
        "campaign": 'over = "own"\nname = "Return"\nscenarios = ["new"]\n',
        "new": 'like = "below/one"\nname = "New"\n[resolutions.R1]\nsteps = ["x"]\n'
        f'[also_cites]\n"Resolution 1" = ["{named}"]\n',
    }
    reading = read_own("rtown", {name: text.encode() for name, text in files.items()})
    cites = reading.own.words.step("new", "x")["cites"]

    assert tuple(flaw.rule for flaw in reading.flaws) == flaws
    added = [] if flaws else ["New, Resolution 1"]
    assert cites == ["New, set-up", *added]
