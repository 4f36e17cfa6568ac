"""Derives achievements from a campaign's log, with the facts that earn them.

The table of rows is ``data/achievements.toml``. Achievements that a log can't show,
such as how an enemy was defeated, have no row: the players tick them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.interpreter.walking import BEGUN
from arkham.rules.campaign.model.guide import Achievement
from arkham.rules.campaign.reading.references import place_of
from arkham.rules.campaign.state.ledger import LogSection
from arkham.rules.campaign.state.state import State
from arkham.rules.ultimatums import ALL, UltimatumKind

_DATA = Path(__file__).parent / "data" / "achievements.toml"


class Fact(NamedTuple):
    """A condition of an achievement, and whether it is met.

    ``what`` is the name of a field of a row, ``which`` the lines, tokens or scenarios
    it lists, ``least`` and ``most`` the limits of a number. ``noted`` are the changes
    of the state that explain it (what, which, and the line of a section).
    """

    what: str
    which: tuple[str, ...]
    holds: bool
    noted: tuple[tuple[str, str, str], ...] = ()
    least: int | None = None
    most: int | None = None


class Known(NamedTuple):
    """What a log shows of an achievement: its facts, or those of each item."""

    facts: tuple[Fact, ...]
    items: Mapping[str, Fact]

    @property
    def holds(self) -> bool:
        """Whether it is achieved."""
        found = self.facts or tuple(self.items.values())
        return all(each.holds for each in found)

    @property
    def ticked(self) -> tuple[str, ...]:
        """The items that are achieved."""
        return tuple(item for item, fact in self.items.items() if fact.holds)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table as written there."""

    result: tuple[str, ...] = ()
    difficulty: tuple[str, ...] = ()
    ultimatums: int = 0
    investigator: str = ""
    trait: str = ""
    played: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    least: int = 0
    without: tuple[str, ...] = ()
    numbers: tuple[Mapping[str, Any], ...] = ()
    tokens: Mapping[str, tuple[int, int]] | None = None
    items: Mapping[str, str] | None = None


@cache
def rows() -> dict[str, dict[str, _Row]]:
    """Return the rows by campaign and achievement."""
    with _DATA.open("rb") as file:
        written = tomllib.load(file)
    return {
        campaign: {name: _row(each) for name, each in named.items()}
        for campaign, named in written.items()
    }


def _row(written: Mapping[str, Any]) -> _Row:
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in written.items()
    }
    return _Row(**fields)


def known_of(replay: Replay) -> dict[str, Known]:
    """Return what the log shows of the guide's achievements, by their ids."""
    state = replay.state
    listed = {each.id: each for each in state.guide.achievements}
    return {
        name: _known(row, replay, listed[name])
        for name, row in rows().get(state.guide.id, {}).items()
        if name in listed
    }


def _known(row: _Row, replay: Replay, achievement: Achievement) -> Known:
    state = replay.state
    items = row.items or {}
    return Known(
        tuple(_facts(row, replay)),
        {
            item: _item(state, items[item])
            for item in achievement.items
            if item in items
        },
    )


def _facts(row: _Row, replay: Replay) -> Iterator[Fact]:
    state = replay.state
    if row.result:
        ended = (("result", "", ""),)
        held = state.campaign_result in row.result
        yield Fact("result", row.result, held, ended if held else ())
    if row.difficulty:
        held = state.difficulty in row.difficulty
        noted = (("difficulty", "", ""),) if held else ()
        yield Fact("difficulty", row.difficulty, held, noted)
    if row.ultimatums:
        yield _ultimatums(state, row.ultimatums)
    if row.investigator:
        yield _somebody(state, "investigator", row.investigator)
    if row.trait:
        yield _somebody(state, "trait", row.trait)
    yield from _scenarios(row, replay)
    if row.lines:
        yield _lines(state, row)
    if row.without:
        stood = any(_ever_stood(state, each) for each in row.without)
        yield Fact("without", row.without, not stood)
    for each in row.numbers:
        yield _number(state, tuple(each["of"]), each.get("least"), each.get("most"))
    for token, (least, most) in (row.tokens or {}).items():
        held = least <= state.bag.get(token, 0) <= most
        noted = (("token", token, ""),) if held and least else ()
        yield Fact("tokens", (token,), held, noted, least, most)


def _ultimatums(state: State, least: int) -> Fact:
    """Return the fact of chosen ultimatums, not boons or those drawn for one game."""
    ultimatums = tuple(
        each
        for each, game in state.ultimatums.items()
        if not game and (each not in ALL or ALL[each].kind is UltimatumKind.ULTIMATUM)
    )
    noted = tuple(("ultimatum", each, "") for each in ultimatums)
    return Fact("ultimatums", (), len(ultimatums) >= least, noted, least)


def _somebody(state: State, what: str, wanted: str) -> Fact:
    """Return whether such an investigator plays and is neither killed nor insane."""

    def is_meant(code: str) -> bool:
        printed = state.investigators.get(code)
        if printed is None:
            return False
        if what == "trait":
            return wanted.lower() in {trait.lower() for trait in printed.traits}
        return wanted == printed.title

    alive = (code for code in state.players if not state.is_eliminated(code))
    return Fact(what, (wanted,), any(map(is_meant, alive)))


def _scenarios(row: _Row, replay: Replay) -> Iterator[Fact]:
    bases = {each.id.partition("#")[0]: each.status for each in replay.scenarios}
    if row.played:
        held = all(bases.get(each) == "completed" for each in row.played)
        yield Fact("played", row.played, held)
    if row.unplayed:
        held = not any(bases.get(each) in BEGUN for each in row.unplayed)
        yield Fact("unplayed", row.unplayed, held)


def _lines(state: State, row: _Row) -> Fact:
    standing = [each for each in row.lines if _stands(state, each)]
    least = row.least or len(row.lines)
    noted = tuple(("line", *place_of(each)) for each in standing)
    return Fact("lines", row.lines, len(standing) >= least, noted, row.least or None)


def _number(
    state: State, of: tuple[str, ...], least: int | None, most: int | None
) -> Fact:
    total = sum(_count(state, each) for each in of)
    held = (least is None or total >= least) and (most is None or total <= most)
    noted = tuple(_counted(state, of)) if held else ()
    return Fact("numbers", of, held, noted, least, most)


def _item(state: State, where: str) -> Fact:
    section, name = place_of(where)
    if section == "key":
        held = any(key == name and bearer for key, bearer, _enemy in state.map.keys)
        noted = (("key", name, ""),) if held else ()
        return Fact("key", (name,), held, noted)
    held = _stands(state, where)
    return Fact("lines", (where,), held, (("line", section, name),) if held else ())


def _section(state: State, name: str) -> LogSection:
    return state.sections.get(name) or LogSection()


def _stands(state: State, where: str) -> bool:
    section, name = place_of(where)
    return _section(state, section).has(name)


def _ever_stood(state: State, where: str) -> bool:
    """Return whether the section has this line, crossed out or not."""
    section, name = place_of(where)
    return bool(_section(state, section).named(name))


def _count(state: State, where: str) -> int:
    section, name = place_of(where)
    if not name:
        return state.counts.get(section, 0)
    return _section(state, section).number(name)


def _counted(state: State, of: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for where in of:
        section, name = place_of(where)
        if not name:
            yield "count", section, ""
        elif name != "$num_entries":
            yield "line", section, name
        else:
            for line in _section(state, section).lines:
                yield "line", section, line.id
