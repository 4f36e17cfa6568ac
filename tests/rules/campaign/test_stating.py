"""Facts that a table may state by hand, and the investigators they concern."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.judging import FACT_RULES, concerned, findings_of
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer, Asserted, Changes, Fact, Stated
from tests.rules.campaign.helpers.games import a_game, folded, won
from tests.rules.campaign.helpers.guides import PROJECT
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS, a_guide

NOBODY = "99999"
REPLAY = folded(a_guide(a_game("one"), a_game("two")), *won("one"))


def stated(effect: Effect, *codes: str) -> Stated:
    """A statement at the end of the setup."""
    return Stated(SETUP, effect, codes, (), "So it is.")


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (stated(course.SetDifficulty("hard")), []),
        (stated(course.SetDifficulty("nightmare")), ["fact.word"]),
        (stated(course.SetResult("survived")), []),
        (stated(course.SetResult("drawn")), ["fact.word"]),
        (stated(course.Tokens(("skull", "-3", "frost"), 1)), []),
        (stated(course.Tokens(("skull", "skill"), 1)), ["fact.word"]),
        (stated(course.Tokens((do.INPUT,), 1), "bless"), []),
        (stated(course.Tokens((do.INPUT,), 1), "curses"), ["fact.word"]),
        (stated(course.Outcome("resigned"), ROLAND), []),
        (stated(course.Outcome("fled"), ROLAND), ["fact.word"]),
        (stated(course.ScenarioStatus("completed")), []),
        (stated(course.ScenarioStatus("over")), ["fact.word"]),
        (stated(course.NextScenario("two")), []),
        (stated(course.ReplayScenario("one")), []),
        (stated(course.NextScenario("three")), ["fact.scenario"]),
        (stated(course.SkipScenario("three")), ["fact.scenario"]),
        (stated(course.SetScenarios(("two", "one"))), []),
        (stated(course.SetScenarios(("two", "three"))), ["fact.scenario"]),
        (stated(do.Trauma("input", mental=1), ROLAND), []),
        (stated(do.Trauma("input", mental=1), "p1"), []),
        (stated(do.Trauma("input", mental=1), NOBODY), ["fact.person"]),
        (stated(do.Trauma("all", mental=1)), []),
        (stated(do.Trauma("input", physical=9), ROLAND), []),
        (stated(do.Trauma("input", physical=10), ROLAND), ["fact.trauma"]),
        (stated(do.Trauma("all", mental=6)), ["fact.trauma"]),
        (stated(do.Trauma("input", physical=-12), ROLAND), []),
        (stated(do.Trauma("input", either=1), ROLAND), ["fact.whom"]),
        (stated(do.AddCard("any", "01117")), ["fact.whom"]),
        (stated(do.EarnExperience("everybody", bonus=1)), ["fact.whom"]),
        (stated(course.Players(), ROLAND, SKIDS), []),
        (stated(course.Players(), ROLAND, NOBODY), ["fact.person"]),
        (stated(course.JoinScenario(NOBODY)), ["fact.person"]),
        (Asserted("one", "token", "skull", 0), []),
        (Asserted("one", "token", "skill", 0), ["fact.word"]),
        (Asserted("one", "luck", ROLAND, 7), ["fact.word"]),
        (Asserted("one", "experience", ROLAND, 99), []),
        (Asserted("one", "mental", NOBODY, 0), ["fact.person"]),
    ],
)
def test_a_meaningless_fact_is_found(fact: Fact, expected: list[str]) -> None:
    """Valid facts have no findings; that an assertion is true is checked elsewhere."""
    assert [each.rule for each in findings_of(fact, REPLAY)] == expected


@pytest.mark.parametrize(("mental", "expected"), [(5, []), (6, ["fact.trauma"])])
def test_trauma_changed_by_hand_is_at_most_health_and_sanity(
    mental: int, expected: list[str]
) -> None:
    """After a scenario; for investigators without known values anything is possible."""
    for code, rules in ((ROLAND, expected), (NOBODY, [])):
        changed = Changes(((code, 0, mental, False, False),), ())
        found = findings_of(Answer("inter_scenario", "one", "", changed), REPLAY)
        assert [each.rule for each in found] == rules


@pytest.mark.parametrize(
    ("had", "effect", "expected"),
    [
        (4, do.Trauma("input", mental=2), []),
        (4, do.Trauma("all", mental=5), []),
        (4, do.Trauma("input", mental=6), [6]),
        (5, do.Trauma("input", mental=2), [2]),
        (5, do.Trauma("input", physical=2), []),
        (5, do.Trauma("all", mental=2), []),
    ],
)
def test_suffered_trauma_may_go_beyond_what_is_left(
    had: int, effect: do.Trauma, expected: list[int]
) -> None:
    """Roland has a sanity of 5: one effect may take him from 4 to 6, or more at once.

    With 5 he is insane: he can't suffer more, and what all suffer passes him by.
    """
    state = REPLAY.state.copy()
    state.person(ROLAND).mental = had
    found = findings_of(stated(effect, ROLAND), REPLAY._replace(state=state))
    assert [dict(each.values)["number"] for each in found] == expected


def test_less_trauma_than_before_is_always_possible() -> None:
    """An earlier version let Roland have 12, more than his health."""
    state = REPLAY.state.copy()
    state.person(ROLAND).physical = 12
    changed = Changes(((ROLAND, 11, 0, False, False),), ())
    given = Answer("inter_scenario", "one", "", changed)
    assert findings_of(given, REPLAY._replace(state=state)) == ()


@pytest.mark.parametrize(
    "effect", [course.Players(), course.Lead(), course.JoinScenario(DAISY)]
)
@pytest.mark.parametrize("gone", ["killed", "insane", "retired"])
def test_an_eliminated_investigator_cannot_be_stated_to_play(
    effect: Effect, gone: str
) -> None:
    """Before that she can."""
    state = REPLAY.state.copy()
    setattr(state.person(DAISY), gone, True)
    found = findings_of(stated(effect, DAISY), REPLAY._replace(state=state))

    assert [each.rule for each in found] == ["fact.plays"]
    assert findings_of(stated(effect, DAISY), REPLAY) == ()


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (do.EarnExperience("input", bonus=1), (DAISY,)),
        (do.Retire(), (DAISY,)),
        (do.EarnExperience("all", bonus=1), ()),
        (do.RemoveCard("01006"), ()),
        (course.Tokens((do.INPUT,), 1), ()),
        (course.SetResult("lose"), ()),
        (course.Players(), ()),
    ],
)
def test_a_statement_may_concern_one_investigator_only(
    effect: Effect, expected: tuple[str, ...]
) -> None:
    """Naming one doesn't matter if the effect is on the whole table."""
    assert concerned(stated(effect, DAISY)) == expected


def test_each_rule_is_in_the_docs() -> None:
    """With its sentence."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")
    for rule in FACT_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in FACT_RULES)
