"""Laws of whole campaigns: the shared guides, played with random answers."""

from __future__ import annotations

from functools import cache

import pytest

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Entry, Retracted, UltimatumChosen
from arkham.rules.campaign.state.state import HARD_TIMES, HARD_TIMES_VALUE
from arkham.rules.chaos.bag import LIMITS
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.laws import shape
from tests.rules.campaign.helpers.table import PEOPLE, Table

GUIDES = ("core", "dwl", "ptc", "tfa", "tcu", "tic", "eoe", "tskc", "fhv", "tdc")
RUNS = [(name, seed) for name in GUIDES for seed in range(2)]
runs = pytest.mark.parametrize(("name", "seed"), RUNS)
MOST = 160


@cache
def played(name: str, seed: int) -> Table:
    """Play a campaign of a shared guide with random answers."""
    table = Table(shared_library().guides[name], seed)
    table.play(MOST)
    return table


def folded(table: Table, entries: list[Entry], after: Replay | None = None) -> Replay:
    """Fold these entries of a table."""
    return fold(table.guide, entries, PEOPLE, scopes=table.scopes, after=after)


@runs
def test_folding_in_two_halves_equals_folding_once(name: str, seed: int) -> None:
    """Wherever the log is cut."""
    table = played(name, seed)
    entries: list[Entry] = [*table.answers]
    whole = shape(folded(table, entries))

    for share in (3, 2):
        half = folded(table, entries[: len(entries) // share])
        assert shape(folded(table, entries, half)) == whole


@runs
def test_a_retracted_entry_has_no_effect(name: str, seed: int) -> None:
    """An early one, one in the middle, the last."""
    table = played(name, seed)
    entries: list[Entry] = [*table.answers]

    for place in (2, len(entries) // 2, len(entries) - 1):
        without = entries[:place] + entries[place + 1 :]
        gone = [*entries, Retracted(entries[place].sequence, 9_999)]
        assert shape(folded(table, gone)) == shape(folded(table, without))


@runs
def test_experience_is_the_sum_of_its_sources(name: str, seed: int) -> None:
    state = played(name, seed).replay.state
    earned = dict.fromkeys(state.people, 0)
    for change in state.changes:
        if change.what == "experience":
            earned[change.which] += int(str(change.value))

    assert earned == {code: each.experience or 0 for code, each in state.people.items()}


@runs
def test_the_bag_never_leaves_its_limits(name: str, seed: int) -> None:
    """At any time; tokens added and removed sum up to the bag."""
    state = played(name, seed).replay.state
    bag: dict[str, int] = {}
    for change in state.changes:
        if change.what == "bag":
            return  # the bags were exchanged
        if change.what == "token":
            bag[change.which] = bag.get(change.which, 0) + int(str(change.value))
            assert bag[change.which] >= 0
            for token, most in LIMITS.items():
                assert bag.get(token, 0) <= most

    assert {token: n for token, n in bag.items() if n} == {
        token: n for token, n in state.bag.items() if n
    }


class Dead:
    """The investigators killed or driven insane so far, while changes are read."""

    def __init__(self, replay: Replay) -> None:
        self.state = replay.state
        self.trauma: dict[tuple[str, str], int] = {}
        self.gone: set[str] = set()

    def sees(self, what: str, code: str, value: object) -> None:
        """Read one more change."""
        if what in ("killed", "insane"):
            self.gone.add(code)
        if what not in ("physical", "mental") or code not in PEOPLE:
            return
        key = what, code
        self.trauma[key] = self.trauma.get(key, 0) + int(str(value))
        printed = PEOPLE[code]
        limit = printed.health if what == "physical" else printed.sanity
        if HARD_TIMES in (self.state.people[code].story or ()):
            limit = max(limit, HARD_TIMES_VALUE)
        if self.trauma[key] >= limit:
            self.gone.add(code)


@runs
def test_eliminated_investigators_do_not_earn_or_play(name: str, seed: int) -> None:
    """From the change on that killed them or drove them insane."""
    replay = played(name, seed).replay
    dead = Dead(replay)
    for change in replay.state.changes:
        if change.what == "experience" and int(str(change.value)) > 0:
            assert change.which not in dead.gone
        if change.what == "players":
            assert isinstance(change.value, tuple)
            assert not dead.gone.intersection(change.value)
        dead.sees(change.what, change.which, change.value)


def test_some_investigators_are_eliminated_in_these_runs() -> None:
    """Otherwise the law above would prove nothing."""
    ends = [
        code
        for name, seed in RUNS
        for code in PEOPLE
        if played(name, seed).replay.state.is_eliminated(code)
    ]
    assert len(ends) > 5


@runs
def test_folding_in_two_halves_equals_folding_once_under_ultimatums(
    name: str, seed: int
) -> None:
    """Runs folded again with Finality, the Spiral and two others."""
    table = played(name, seed)
    sworn = [
        UltimatumChosen(SETUP, each, sequence=5_000 + number)
        for number, each in enumerate(("finality", "spiral", "failure", "persephone"))
    ]
    entries: list[Entry] = [*sworn, *table.answers]
    whole = folded(table, entries)
    half = folded(table, entries[: len(entries) // 2])

    assert shape(folded(table, entries, half)) == shape(whole)
    assert whole.state.ultimatums == dict.fromkeys(
        ("finality", "spiral", "failure", "persephone"), ""
    )
