"""Laws: facts stated one by one have the same effect as at once, in linear time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arkham.rules.campaign.interpreter import walking
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Mark
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Asserted, Entry, Stated
from tests.house.timing import times_as_long
from tests.rules.campaign.helpers.laws import shape, small_campaign
from tests.rules.campaign.helpers.small import ROLAND
from tests.rules.campaign.helpers.table import PEOPLE, Table

SMALL = small_campaign()
NOTES = "campaign_notes"
MARKS = (Mark.CROSS_OUT, Mark.RESTORE, Mark.RECORD, Mark.CIRCLE, Mark.REMOVE)
EFFECTS: Mapping[str, Callable[[int], do.Effect]] = {
    "line": lambda n: do.LogLine(NOTES, f"l{n % 4}", MARKS[n % len(MARKS)]),
    "section": lambda n: do.LogLine(NOTES, "", MARKS[n % 2]),
    "text": lambda n: do.LogText(NOTES),
    "count": lambda n: do.LogCount(NOTES, f"c{n % 3}", value=n),
    "cards": lambda n: do.LogCards(NOTES, "l1", "$input_value"),
    "experience": lambda n: do.EarnExperience("input", bonus=n),
    "trauma": lambda n: do.Trauma("input", physical=1),
    "card": lambda n: do.AddCard("input", "01117", aside=bool(n % 2)),
    "exile": lambda n: do.RemoveCard("01117", "input", aside=True, exile=bool(n % 2)),
    "banish": lambda n: do.Banish(f"0101{n % 10}"),
    "supply": lambda n: do.SeatCount("supplies", "rope", "input", value=n),
}
ANSWER, ASSERT = "answer", "assert"
TOLD = st.lists(
    st.tuples(
        st.sampled_from([*EFFECTS, ASSERT, ANSWER]),
        st.integers(0, 3),
        st.integers(0, 20),
    ),
    max_size=25,
)


def a_fact(kind: str, replay: Replay, game: int, n: int, sequence: int) -> Entry:
    """A fact about one of the scenarios begun last."""
    begun = replay.begun or (SETUP,)
    where = begun[-1 - game % len(begun)]
    if kind == ASSERT:
        return Asserted(where, "line", f"{NOTES}.l{n % 4}", 1, sequence)
    codes = (f"Words {n}",) if kind == "text" else (ROLAND,)
    return Stated(where, EFFECTS[kind](n), codes, sequence=sequence)


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10_000), told=TOLD)
def test_facts_stated_one_by_one_equal_facts_stated_at_once(
    seed: int, told: list[tuple[str, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """About any scenario, with answers in between, even after many facts."""
    monkeypatch.setattr(walking, "MANY_FACTS", 2)
    table = Table(SMALL, seed)
    table.play(60)
    entries: list[Entry] = [*table.answers[:30]]
    later = table.answers[30:]
    replay = fold(SMALL, entries, PEOPLE)
    for number, (kind, game, n) in enumerate(told, 1_000):
        if kind == ANSWER:
            entries += later[:1]
            del later[:1]
        else:
            entries.append(a_fact(kind, replay, game, n, number))
        before = shape(replay)
        going_on = fold(SMALL, entries, PEOPLE, after=replay)
        assert shape(going_on) == shape(fold(SMALL, entries, PEOPLE))
        assert shape(replay) == before  # continuing a replay never changes it
        replay = going_on


def many(kind: str, count: int) -> list[Entry]:
    """``count`` facts about a game that is over, each about its own line."""
    table = Table(SMALL, 1)
    table.play(60)
    where = table.replay.begun[1]
    made: Mapping[str, Callable[[int], Entry]] = {
        "text": lambda n: Stated(
            where, do.LogText(NOTES), (f"Line {n}",), sequence=n + 1_000
        ),
        "count": lambda n: Stated(
            where, do.LogCount(NOTES, f"c{n}", value=1), sequence=n + 1_000
        ),
        "crossed out": lambda n: Stated(
            where, do.LogLine(NOTES, f"l{n // 2}", MARKS[2 - n % 2]), sequence=n + 1_000
        ),
        "asserted": lambda n: Asserted(where, "line", f"{NOTES}.none", 0, n + 1_000),
        "card": lambda n: Stated(
            where,
            do.AddCard("input", f"{n}", aside=True),
            (ROLAND,),
            sequence=n + 1_000,
        ),
    }
    return [*table.answers, *map(made[kind], range(count))]


@pytest.mark.parametrize("kind", ["text", "count", "crossed out", "asserted", "card"])
def test_four_times_as_many_facts_take_four_times_as_long(kind: str) -> None:
    """The time to fold a log with thousands of lines is linear."""
    few, lots = many(kind, 2_000), many(kind, 8_000)
    ratio = times_as_long(
        lambda: fold(SMALL, lots, PEOPLE), lambda: fold(SMALL, few, PEOPLE), enough=8
    )
    assert ratio < 8


def test_one_more_fact_does_not_fold_the_others_again() -> None:
    """Even about a game that is over; only later entries are folded again."""
    entries = many("text", 8_000)
    before = fold(SMALL, entries[:-1], PEOPLE)
    ratio = times_as_long(
        lambda: fold(SMALL, entries, PEOPLE, after=before),
        lambda: fold(SMALL, entries, PEOPLE),
        enough=0.25,
    )
    assert ratio < 0.25
