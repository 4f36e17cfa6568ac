"""The difference between two moments of a campaign."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.settlement import (
    Fate,
    LogChange,
    MapDifference,
    PersonDifference,
    ReplayDifference,
    fate_of,
    settlement,
)
from arkham.rules.campaign.state.answers import Entry, Stated
from arkham.rules.campaign.state.ledger import WrittenLine
from tests.rules.campaign.helpers.games import a_game, folded, won
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    a_guide,
    a_note,
    a_step,
    records,
    starting,
)

GUIDE = a_guide(
    a_game(
        "one",
        a_step(
            a_note("begun"),
            {"type": "add_card", "investigator": "all", "card": "02016"},
            {"type": "add_chaos_token", "tokens": ["skull"]},
        ),
    ),
    a_game(
        "two",
        a_step(
            a_note("begun", cross_out=True),
            {
                "type": "campaign_log_count",
                "section": "doubt",
                "operation": "add",
                "value": 2,
            },
            {"type": "remove_card", "card": "02016"},
            {"type": "remove_chaos_token", "tokens": ["skull"]},
            {"type": "trauma", "investigator": "all", "physical": 5},
        ),
    ),
)


def test_equal_moments_have_no_difference() -> None:
    """Except the next scenario."""
    same = folded(GUIDE, *won("one"))

    assert settlement(same, same) == ReplayDifference(next_scenario="two")


def test_a_game_is_settled() -> None:
    """Experience, cards, lines, tokens, and the completed scenario."""
    found = settlement(folded(GUIDE), folded(GUIDE, *won("one", 2)))

    assert found.people == (
        PersonDifference(ROLAND, 3, gained=("02016",)),
        PersonDifference(DAISY, 3, gained=("02016",)),
    )
    assert found.log == (
        LogChange(
            "campaign_notes",
            (WrittenLine("basic", "begun"), WrittenLine("basic", "won")),
        ),
    )
    assert found.tokens == (("skull", 1),)
    assert found.scenarios == (("one", "completed"), ("two", "playable"))
    assert (found.result, found.next_scenario) == ("", "two")


def test_trauma_can_kill_an_investigator() -> None:
    """Daisy has 5 health; cards are lost, a line is crossed out, a number grows."""
    before = folded(GUIDE, *won("one", 0))
    outcomes = {ROLAND: "alive", DAISY: "alive"}
    found = settlement(
        before, folded(GUIDE, *won("one", 0), *won("two", 0, **outcomes))
    )

    assert found.people == (
        PersonDifference(ROLAND, 1, physical=5, lost=("02016",)),
        PersonDifference(
            DAISY, 0, physical=5, fate=Fate.KILLED, fate_is_new=True, lost=("02016",)
        ),
    )
    assert found.log == (
        LogChange(
            "campaign_notes",
            (
                WrittenLine("basic", "one was defeated"),
                WrittenLine("basic", "won"),
            ),
            (WrittenLine("basic", "begun", True),),
        ),
    )
    assert found.counts == (("doubt", 2),)
    assert found.tokens == (("skull", -1),)
    assert found.next_scenario == ""


def test_undone_facts_are_differences_too() -> None:
    """The same differences in reverse: fate, cards, result, marks, the map."""
    guide = a_guide(
        a_game(
            "one",
            a_step(
                a_note("begun"),
                {"type": "add_card", "investigator": "all", "card": "02016"},
            ),
        )
    )
    effects: list[tuple[do.Effect, tuple[str, ...]]] = [
        (do.Trauma("input", killed=True), (DAISY,)),
        (do.RemoveCard("01039", "input", aside=True), (ROLAND,)),
        (course.SetResult("lose"), ()),
        (do.LogLine("campaign_notes", mark=do.Mark.CROSS_OUT), ()),
        (do.LogLine("campaign_notes", "begun", mark=do.Mark.CIRCLE), ()),
        (do.SeatCount("supplies", "food", "input", value=2), (ROLAND,)),
        (do.BindKey("keys", "eye", "investigator"), (ROLAND,)),
        (course.MapChange("unlock_location", "rome"), ()),
        (course.Embark("london"), ()),
    ]
    played: list[Entry] = [*starting(ROLAND, DAISY), *records(*won("one"))]
    stated: list[Entry] = [
        Stated("one", effect, codes, (), "so") for effect, codes in effects
    ]
    before, after = (
        fold(
            guide,
            [each._replace(sequence=at) for at, each in enumerate(entries, 1)],
            PEOPLE,
        )
        for entries in (played, [*played, *stated])
    )
    there, back = settlement(before, after), settlement(after, before)

    assert there.people == (
        PersonDifference(ROLAND, lost=("01039",)),
        PersonDifference(DAISY, fate=Fate.KILLED, fate_is_new=True),
    )
    assert back.people == (
        PersonDifference(ROLAND, gained=("01039",)),
        PersonDifference(DAISY, fate_is_new=True),
    )
    food = WrittenLine("count", "food", number=2)
    assert there.log == (
        LogChange("campaign_notes", circled=(("begun", True),), struck=True),
        LogChange("supplies", (food,), code=ROLAND),
    )
    assert back.log == (
        LogChange("campaign_notes", circled=(("begun", False),), struck=False),
        LogChange("supplies", gone=(food,), code=ROLAND),
    )
    assert (there.result, there.result_gone) == ("lose", "")
    assert (back.result, back.result_gone) == ("", "lose")
    assert there.map == MapDifference("london", ("rome",), (), (("eye", ROLAND),))
    assert back.map == MapDifference("", (), ("rome",), (("eye", ""),))


@pytest.mark.parametrize(
    ("had", "outcome", "fate"),
    [
        ((4, 0), "physical", Fate.KILLED),
        ((3, 0), "physical", Fate.ALIVE),
        ((0, 8), "mental", Fate.DRIVEN_INSANE),
        ((4, 8), "resigned", Fate.ALIVE),
        ((4, 8), "eliminated", Fate.ALIVE),
    ],
)
def test_printed_values_decide_who_continues(
    had: tuple[int, int], outcome: str, fate: Fate
) -> None:
    """TRA-06: Daisy has 5 health and 9 sanity; eliminated, she earns nothing more."""
    guide = a_guide(a_game("one"), a_game("two"))
    trauma = do.Trauma("input", physical=had[0], mental=had[1])
    before: list[Entry] = [Stated("one", trauma, (DAISY,), reason="So it is.")]
    ends = {ROLAND: "alive", DAISY: outcome}
    played = records(*won("one", 0), *won("two", 2, **ends))
    entries = [*starting(ROLAND, DAISY), *played, *before]
    state = fold(guide, entries, PEOPLE).state

    assert fate_of(state, DAISY) is fate
    assert state.people[DAISY].experience == (4 if fate is Fate.ALIVE else 1)
