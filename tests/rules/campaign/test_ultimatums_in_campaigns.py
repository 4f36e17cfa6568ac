"""Ultimatums in a campaign: chosen, drawn, permanent, and taking effect."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.judging.ultimatum_choice import (
    UltimatumChoice,
    draw_ultimatum,
    findings_of,
    for_decks,
    is_due,
    may_be_drawn,
)
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Retracted,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
)
from arkham.rules.campaign.state.lookup import Reason, reasons
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    WHO,
    a_guide,
    a_scenario,
    a_step,
    records,
    starting,
)

BAG = a_step(
    {
        "type": "add_chaos_token",
        "tokens": ["elder_sign", "auto_fail", "auto_fail", "skull"],
    },
    step_id="bag",
)


def campaign(**more: Any) -> CampaignGuide:
    """Two games after a setup that fills the bag."""
    games = (a_game("one"), a_game("two"))
    return a_guide(*games, setup=["who", "bag"], steps=[WHO, BAG], **more)


GUIDE = campaign()


def folded(*entries: Entry, raws: Any = (), guide: CampaignGuide = GUIDE) -> Replay:
    """A campaign of Roland and Daisy with these entries."""
    given: list[Answer] = starting(ROLAND, DAISY) + records(*raws)
    answers = [each._replace(sequence=n) for n, each in enumerate(given, 1)]
    return fold(guide, [*answers, *entries], PEOPLE)


def sworn(*names: str) -> list[UltimatumChosen]:
    """Ultimatums chosen before the campaign."""
    return [
        UltimatumChosen(SETUP, name, sequence=100 + n) for n, name in enumerate(names)
    ]


# -- in a campaign --


def test_without_a_choice_no_ultimatum_is_in_force() -> None:
    state = folded(raws=won("one", 2, **{ROLAND: "physical", DAISY: "mental"})).state

    assert state.ultimatums == {}
    assert state.bag == {"elder_sign": 1, "auto_fail": 2, "skull": 1}
    assert fate_of(state, ROLAND) is Fate.ALIVE


def test_ultimatums_change_the_bag_in_the_setup() -> None:
    """Once, when it is filled; with the entry as the cause."""
    replay = folded(*sworn("broken-promises", "failure"))
    later = folded(
        UltimatumChosen("one", "failure", sequence=99), raws=begun("one", ROLAND)
    )

    assert replay.state.bag == {"elder_sign": 0, "auto_fail": 3, "skull": 1}
    assert reasons(replay.state, "ultimatum", "failure") == [Reason("", SETUP, "", 101)]
    assert later.state.bag["auto_fail"] == 2
    assert later.state.ultimatums == {"failure": ""}


def test_a_bag_stated_by_the_table_is_not_changed() -> None:
    """A campaign entered midway has the tokens that are counted."""
    guide = a_guide(a_game("one"), setup=["who"], steps=[WHO])
    stated = Stated(SETUP, course.Tokens(("auto_fail", "elder_sign"), 1), sequence=90)
    state = folded(*sworn("broken-promises", "failure"), stated, guide=guide).state

    assert state.bag == {"auto_fail": 1, "elder_sign": 1}


def test_ultimatums_change_the_bag_of_a_standalone_scenario_too() -> None:
    """Chosen before that scenario, whose setup fills the bag."""
    given: list[Entry] = [UltimatumChosen("one", "broken-promises", sequence=9)]
    given += records(*begun("one", ROLAND))
    guide = a_guide(a_game("one", BAG))
    answer = {"type": "choice_list", "step": "$draw_standalone_weakness", "choices": {}}
    given += records({**answer, "scenario": "one"})
    state = fold(guide, given, PEOPLE, standalone="one").state

    assert state.bag == {"elder_sign": 0, "auto_fail": 2, "skull": 1}


def test_under_finality_a_defeat_eliminates() -> None:
    """By damage or horror, not by a card. Dead investigators earn nothing."""
    outcomes = {ROLAND: "physical", DAISY: "eliminated"}
    state = folded(*sworn("finality"), raws=won("one", 2, **outcomes)).state
    mental = {ROLAND: "mental", DAISY: "alive"}
    other = folded(*sworn("finality"), raws=won("one", 2, **mental)).state

    assert [fate_of(state, code) for code in (ROLAND, DAISY)] == [
        Fate.KILLED,
        Fate.ALIVE,
    ]
    assert state.people[ROLAND].experience is None
    assert state.people[DAISY].experience == 3
    assert fate_of(other, ROLAND) is Fate.DRIVEN_INSANE


@pytest.mark.parametrize("defeat", ["physical", "mental", "eliminated"])
def test_persephone_pays_for_a_defeat(defeat: str) -> None:
    """Three more, also by a card, unless it was the last; none for resigning."""
    outcomes = {ROLAND: defeat, DAISY: "resigned"}
    raws = won("one", 2, **outcomes)
    state = folded(*sworn("persephone"), raws=raws).state
    both = folded(*sworn("persephone", "finality"), raws=raws).state

    assert state.people[ROLAND].experience == 6
    assert state.people[DAISY].experience == 3
    assert both.people[ROLAND].experience == (6 if defeat == "eliminated" else None)


def test_the_spiral_adds_a_weakness_for_each_defeat() -> None:
    """The deck has a placeholder until it is drawn."""
    outcomes = {ROLAND: "eliminated", DAISY: "alive"}
    state = folded(*sworn("spiral"), raws=won("one", 2, **outcomes)).state

    assert state.people[ROLAND].added == ["01000"]
    assert state.people[DAISY].added is None


def test_under_induction_nothing_is_earned() -> None:
    state = folded(
        *sworn("induction", "persephone"),
        raws=won("one", 2, **{ROLAND: "physical", DAISY: "alive"}),
    ).state

    assert state.people[ROLAND].experience == 0
    assert state.people[DAISY].experience == 0
    assert for_decks(state) == {"induction"}


@pytest.mark.parametrize(("name", "left"), [("induction", 0), ("failure", 3)])
def test_under_induction_no_experience_is_saved_either(name: str, left: int) -> None:
    """As in The Innsmouth Conspiracy: no choice is paid from it."""
    put_by = {
        "type": "earn_xp",
        "investigator": "all",
        "bonus": 3,
        "special_xp": "resupply_points",
    }
    guide = a_guide(
        a_game("one"),
        setup=["who", "earned"],
        steps=[WHO, a_step(put_by, step_id="earned")],
    )
    state = folded(*sworn(name), guide=guide).state

    assert state.pool(ROLAND, "resupply_points") == left


def test_an_ultimatum_outlasts_a_restored_state() -> None:
    """A state saved before it was chosen does not undo it."""
    keep, restore = course.Backup(), course.Backup(restore=True)
    entries: list[Entry] = [
        Stated("one", keep, sequence=90),
        UltimatumChosen("two", "agony", sequence=91),
        Stated("two", restore, sequence=92),
    ]
    state = folded(*entries, raws=[*won("one"), *won("two")]).state

    assert state.ultimatums == {"agony": ""}


def test_a_drawn_ultimatum_is_in_force_for_its_game() -> None:
    """It ends when the next game begins."""
    before = folded(*sworn("ultimatums"))
    drawn = draw_ultimatum(before.state, "a seed")
    entry = UltimatumChosen(
        "one", drawn.result[0], record=drawn.as_data(), sequence=200
    )
    during = folded(*sworn("ultimatums"), entry, raws=begun("one", ROLAND))
    after = folded(
        *sworn("ultimatums"), entry, raws=[*won("one"), *begun("two", ROLAND)]
    )

    assert findings_of(UltimatumChoice(entry, before.state)) == ()
    assert is_due(before.state, "one")
    assert not is_due(during.state, "one")
    assert not is_due(folded().state, "one")
    assert during.state.ultimatums == {"ultimatums": "", drawn.result[0]: "one"}
    assert after.state.ultimatums == {"ultimatums": ""}


def test_a_continued_fold_applies_ultimatums() -> None:
    """A fold from before the choice is not continued."""
    raws = won("one", 2, **{ROLAND: "physical", DAISY: "alive"})
    short = folded(raws=raws)
    given: list[Entry] = [*starting(ROLAND, DAISY), *records(*raws)]
    given += sworn("finality")
    going_on = fold(GUIDE, given, PEOPLE, after=short)

    assert fate_of(going_on.state, ROLAND) is Fate.KILLED
    assert reported(going_on) == reported(fold(GUIDE, given, PEOPLE))


def test_an_impossible_ultimatum_is_reported_and_ignored() -> None:
    replay = folded(
        UltimatumChosen(SETUP, "nothing", sequence=9),
        UltimatumChosen(SETUP, "venom", sequence=10),
        UltimatumChosen(SETUP, "ours", "No singing", sequence=11),
    )

    assert [(each.rule, each.sequence) for each in replay.problems] == [
        ("oath.known", 9),
        ("oath.place", 10),
    ]
    assert replay.state.ultimatums == {"ours": ""}


def test_a_dropped_ultimatum_has_no_effect() -> None:
    entries: list[Entry] = [*sworn("finality")]
    entries.append(UltimatumDropped(100, "Nobody meant it.", 150))

    assert folded(*entries).state.ultimatums == {}


def test_a_banished_card_stays_banished() -> None:
    """An ally lost to The Scream, once."""
    gone = Stated("one", do.Banish("01018"), reason="The Scream")
    state = folded(gone, gone, raws=won("one")).state

    assert [*state.banished] == ["01018"]


# -- the rules --


def rules(
    entry: UltimatumChosen | Retracted | UltimatumDropped,
    *given: UltimatumChosen,
    **more: Any,
) -> list[str]:
    """Return the rules with findings."""
    state = folded(*given).state
    for name, value in more.items():
        setattr(state, name, value)
    return [each.rule for each in findings_of(UltimatumChoice(entry, state, given))]


@pytest.mark.parametrize(
    ("entry", "more", "expected"),
    [
        (UltimatumChosen(SETUP, "agony"), {}, []),
        (UltimatumChosen(SETUP, "ours", "No singing"), {}, []),
        (UltimatumChosen(SETUP, "ours"), {}, ["oath.known"]),
        (UltimatumChosen(SETUP, "finality"), {}, ["oath.once"]),
        (
            UltimatumChosen(SETUP, "spiral"),
            {"standalone": True},
            ["oath.campaign-only"],
        ),
        (UltimatumChosen("one", "agony"), {"standalone": True}, []),
        (
            UltimatumChosen("two", "hades"),
            {"ultimatums": {"hades": "one"}},
            ["oath.at-the-start"],
        ),
        (
            UltimatumChosen("one", "hades"),
            {"ultimatums": {"hades": "one"}},
            ["oath.once", "oath.at-the-start"],
        ),
        (UltimatumChosen("one", "agony"), {}, ["oath.at-the-start"]),
        (UltimatumChosen(SETUP, "venom"), {}, ["oath.place"]),
        (
            UltimatumChosen(SETUP, "malevolence"),
            {"difficulty": "hard"},
            ["oath.difficulty"],
        ),
        (UltimatumChosen(SETUP, "malevolence"), {"difficulty": "easy"}, []),
        (Retracted(100), {}, ["oath.permanent"]),
        (UltimatumDropped(100, "A slip."), {}, []),
        (UltimatumDropped(100, " "), {}, ["oath.permanent"]),
        (Retracted(4), {}, []),
    ],
)
def test_an_invalid_choice_of_an_ultimatum_is_found(
    entry: UltimatumChosen | Retracted | UltimatumDropped,
    more: dict[str, Any],
    expected: list[str],
) -> None:
    """Finality is in force already."""
    assert rules(entry, *sworn("finality"), **more) == expected


def test_only_some_ultimatums_may_be_drawn() -> None:
    """None that affects deckbuilding, and none in force (ULT-50)."""
    state = folded(*sworn("ultimatums", "agony")).state
    state.difficulty = "hard"

    assert may_be_drawn(state) == (
        "broken-veil", "dread", "finality", "forbidden-knowledge", "hardship",
        "survival", "athena", "destiny", "hades", "hermes", "thoth", "osiris",
        "persephone",
    )  # fmt: skip
    state.difficulty = "standard"
    assert {"malevolence", "scream"} <= {*may_be_drawn(state, ["scream"])}


def test_an_ultimatum_drawn_for_an_earlier_game_may_be_drawn_again() -> None:
    """It was for that game only (ULT-16)."""
    state = folded(*sworn("ultimatums")).state
    state.ultimatums["hades"] = "one"
    drawn = draw_ultimatum(state, "a seed")
    again = UltimatumChosen("two", drawn.result[0], record=drawn.as_data())
    state.ultimatums[drawn.result[0]] = "one"

    assert "hades" in may_be_drawn(state)
    assert findings_of(UltimatumChoice(again, state)) == ()


def test_a_refraction_of_another_scenario_is_not_for_a_standalone() -> None:
    """It belongs to that scenario (ULT-00c), or to its campaign."""
    state = folded().state
    state.guide = replace(state.guide, id="ptc")

    for standalone, scenario, expected in (
        (True, "the_pallid_mask", []),
        (True, "dim_carcosa", ["oath.place"]),
        (False, SETUP, []),
    ):
        state.standalone = standalone
        found = findings_of(UltimatumChoice(UltimatumChosen(scenario, "death"), state))
        assert [each.rule for each in found] == expected


def test_a_draw_is_checked() -> None:
    before = folded(*sworn("ultimatums")).state
    drawn = draw_ultimatum(before, "a seed", ["spiral"])
    entry = UltimatumChosen("one", drawn.result[0], record=drawn.as_data())
    other = next(each for each in may_be_drawn(before) if each != drawn.result[0])
    narrow = draw_ultimatum(folded(*sworn("agony")).state, "a seed")

    assert findings_of(UltimatumChoice(entry, before)) == ()
    for wrong in (
        entry._replace(ultimatum=other),
        UltimatumChosen("one", narrow.result[0], record=narrow.as_data()),
    ):
        assert {each.rule for each in findings_of(UltimatumChoice(wrong, before))} == {
            "oath.drawn"
        }
    torn = entry._replace(record={"purpose": "ultimatum"})
    assert [each.rule for each in findings_of(UltimatumChoice(torn, before))] == [
        "oath.drawn"
    ]
    nobody = folded().state
    assert {each.rule for each in findings_of(UltimatumChoice(entry, nobody))} == {
        "oath.drawn"
    }


def test_no_ultimatum_is_drawn_for_an_interlude() -> None:
    """One is due before each game (ULT-16); it would be over before the next."""
    interlude = a_scenario("interlude", a_step(), type="interlude")
    guide = a_guide(interlude, a_game("two"))
    before = folded(*sworn("ultimatums"), guide=guide).state
    assert is_due(before, "two")
    assert not is_due(before, "interlude")

    drawn = draw_ultimatum(before, "a seed")
    entry = UltimatumChosen("interlude", drawn.result[0], record=drawn.as_data())
    found = findings_of(UltimatumChoice(entry, before))
    assert [each.rule for each in found] == ["oath.drawn"]
    assert findings_of(UltimatumChoice(entry._replace(scenario="two"), before)) == ()


def test_ultimatums_change_a_bag_completed_in_a_prologue() -> None:
    """Its first automatic failure is added after the setup; the next is just added."""
    tokens = ["0", "elder_sign"]
    first = a_step({"type": "add_chaos_token", "tokens": tokens}, step_id="bag")
    last = a_step({"type": "add_chaos_token", "tokens": ["auto_fail"]}, step_id="last")
    guide = a_guide(
        a_game("one", last), a_game("two", last), setup=["who", "bag"],
        steps=[WHO, first],
    )  # fmt: skip
    entries: list[Any] = [
        *sworn("broken-promises", "failure"),
        *records(*begun("one", ROLAND)),
    ]
    one = folded(*entries, guide=guide)
    assert one.state.bag == {"0": 1, "elder_sign": 0, "auto_fail": 2}

    after = folded(
        *sworn("failure"), raws=[*won("one"), *begun("two", ROLAND)], guide=guide
    )
    assert after.state.bag["auto_fail"] == 3
