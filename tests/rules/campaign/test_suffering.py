"""Trauma of boons, ultimatums and cards, as stated by a table."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.effects.personal import SOURCES, sources_of
from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Entry, Stated, UltimatumChosen
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    a_guide,
    records,
    starting,
)

OSIRIS = UltimatumChosen(SETUP, "osiris", sequence=100)


def told(source: str, physical: int = 0, mental: int = 0, code: str = ROLAND) -> Stated:
    """A statement of trauma at the end of the first game."""
    effect = do.Trauma("input", physical=physical, mental=mental, source=source)
    return Stated("one", effect, (code,), reason="So it was.")


def folded(
    *entries: Entry, guide: str = "small", games: int = 1, daisy: str = "alive"
) -> Replay:
    """Roland survives, and Daisy too unless another outcome is given."""
    ends = {ROLAND: "alive", DAISY: daisy}
    played = [raw for game in ("one", "two")[:games] for raw in won(game, 2, **ends)]
    given = starting(ROLAND, DAISY) + records(*played)
    answers = [each._replace(sequence=n) for n, each in enumerate(given, 1)]
    later = [each._replace(sequence=200 + n) for n, each in enumerate(entries)]
    games_of = a_guide(a_game("one"), a_game("two"), id=guide)
    return fold(games_of, [*answers, *later], PEOPLE)


def problems(replay: Replay) -> list[tuple[str, str]]:
    """Return the problems of a replay."""
    return [(each.rule, each.found) for each in replay.problems]


def trauma(state: State, code: str = ROLAND) -> tuple[int, int]:
    """Return physical and mental trauma."""
    person = state.people[code]
    return person.physical or 0, person.mental or 0


def test_osiris_prevents_a_defeat_but_not_its_trauma() -> None:
    """TRA-16: the investigator survives and earns experience."""
    replay = folded(OSIRIS, told("osiris", physical=1), told("osiris", 0, 1, DAISY))

    assert problems(replay) == []
    assert trauma(replay.state) == (1, 0)
    assert trauma(replay.state, DAISY) == (0, 1)
    assert replay.state.outcomes_of("one")[ROLAND] == "alive"
    assert replay.state.people[ROLAND].experience == 3


def test_without_osiris_nothing_prevents_a_defeat() -> None:
    replay = folded(told("osiris", physical=1))

    assert problems(replay) == [("log.suffered", f"osiris {ROLAND}")]
    assert trauma(replay.state) == (0, 0)


def test_osiris_helps_each_investigator_once_a_game() -> None:
    again = told("osiris", mental=1)
    replay = folded(OSIRIS, told("osiris", physical=1), again)
    later = folded(OSIRIS, told("osiris", 1), again._replace(scenario="two"), games=2)

    assert problems(replay) == [("log.suffered", f"osiris {ROLAND}")]
    assert trauma(replay.state) == (1, 0)
    assert problems(later) == []
    assert trauma(later.state) == (1, 1)


def test_the_trauma_of_a_prevented_defeat_can_kill() -> None:
    """Daisy has 5 health (TRA-06)."""
    had = Stated("one", do.Trauma("input", physical=4), (DAISY,), reason="Before.")
    replay = folded(OSIRIS, had, told("osiris", 1, 0, DAISY))

    assert fate_of(replay.state, DAISY) is Fate.KILLED


@pytest.mark.parametrize(
    ("guide", "sworn", "fact", "fits"),
    [
        ("tfa", "venom", told("venom", physical=2), True),
        ("tfa", "venom", told("venom", mental=1), False),
        ("tfa", "venom", told("venom", physical=2, code=DAISY), False),  # resigned
        ("tfa", "finality", told("venom", physical=1), False),
        ("ptc", "unspeakable-name", told("unspeakable-name", mental=3), True),
        ("ptc", "unspeakable-name", told("unspeakable-name", physical=1), False),
        ("core", "osiris", told("osiris", 1, 1), False),  # it is one trauma
        ("core", "osiris", told("osiris", -1), False),
        ("core", "osiris", told("osiris"), False),
        ("core", "osiris", told("smite-the-wicked", 0, 1, DAISY), True),
        ("core", "osiris", told("searching-for-izzie", mental=2), False),
        ("rttskc", "osiris", told("seeing-red", mental=1), True),
        ("core", "osiris", told("seeing-red", mental=1), False),
        ("core", "osiris", told("a-draught", mental=1), False),
    ],
)
def test_each_source_gives_its_kind_of_trauma_where_it_applies(
    guide: str, sworn: str, fact: Stated, fits: bool
) -> None:
    """TRA-17, TRA-18, TRA-20, TRA-21."""
    oath = UltimatumChosen(SETUP, sworn, sequence=100)
    replay = folded(oath, fact, guide=guide, daisy="resigned")
    assert isinstance(fact.effect, do.Trauma)
    suffered = (fact.effect.physical, fact.effect.mental) if fits else (0, 0)

    assert trauma(replay.state, fact.codes[0]) == suffered
    assert [rule for rule, _found in problems(replay)] == (
        [] if fits else ["log.suffered"]
    )


def test_sources_that_are_not_chosen_are_not_offered() -> None:
    assert {each.id for each in sources_of(folded().state)} == {
        "smite-the-wicked",
        "searching-for-izzie",
    }
    assert "osiris" in {each.id for each in sources_of(folded(OSIRIS).state)}


def test_every_source_has_citations() -> None:
    assert all(each.rows and each.cites and each.kinds for each in SOURCES.values())
