"""Any entry is either refused or written; none breaks the replay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.judging import is_volunteered
from arkham.rules.campaign.judging.answers import findings_of
from arkham.rules.campaign.model.effects import Effect
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.replaying import reported
from tests.campaigns.helpers.entries import VALUES, effects
from tests.campaigns.helpers.tables import MISKATONIC
from tests.rules.campaign.helpers.games import begun, won
from tests.rules.campaign.helpers.small import (
    DAISY,
    MAP,
    PEOPLE,
    ROLAND,
    a_guide,
    records,
    starting,
)

GUIDE = a_guide(*MISKATONIC, scarlet=MAP)
PLAYED = [*starting(ROLAND, DAISY), *records(*won("one"))]
STARTED = [*PLAYED, *records(*begun("two", ROLAND, DAISY)[:1])]
ids = st.sampled_from(["", ROLAND, DAISY, "one", "two", "doubt", "campaign_notes"])
kinds = st.sampled_from(sorted(VALUES))


@given(
    effects,
    st.lists(ids, max_size=2).map(tuple),
    st.lists(st.integers(-9, 9), max_size=2).map(tuple),
)
def test_any_effect_is_written_or_refused(
    effect: Effect, codes: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    """Its ids may be unknown here."""
    replay = fold(GUIDE, [*PLAYED, Stated("one", effect, codes, numbers, "So")], PEOPLE)

    assert reported(replay)["scenarios"]


@given(st.data(), kinds, st.sampled_from([PLAYED[:1], PLAYED[:4], PLAYED, STARTED]))
def test_any_answer_is_written_or_refused(
    data: st.DataObject, kind: str, before: list[Answer]
) -> None:
    """Even answers to the question with impossible values."""
    replay = fold(GUIDE, before, PEOPLE)
    pending = replay.pending
    assert pending is not None
    value = data.draw(VALUES[kind])
    answer = Answer(kind, pending.scenario, pending.step, value)
    fits = (kind, answer.step) == (pending.kind, pending.step)
    findings = findings_of(answer, pending, replay.state)
    is_volunteered(answer, replay)

    assert fits or findings
    assert reported(fold(GUIDE, [*before, answer], PEOPLE))
