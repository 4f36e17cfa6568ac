"""Experience and trauma over a campaign, as charts with their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from arkham.charts.steps import Series, draw_steps
from arkham.rules.campaign.interpreter.replay import Replay
from campaigns.words.names import Names

STYLES = 6  # of lines that are told apart; more investigators begin again


class Row(NamedTuple):
    """Somebody's numbers, one a scenario; ``style`` is that of their line."""

    name: str
    style: str
    numbers: tuple[str, ...]


class After(NamedTuple):
    """A scenario in the table of a chart, with everybody's number after it."""

    number: int
    name: str
    numbers: tuple[str, ...]


class Chart(NamedTuple):
    """A chart, its columns (number and name of a scenario) and its numbers."""

    title: str
    svg: SafeString
    columns: tuple[tuple[int, str], ...]
    rows: tuple[Row, ...]

    @property
    def lines(self) -> list[After]:
        """The numbers scenario by scenario."""
        return [
            After(number, name, tuple(row.numbers[place] for row in self.rows))
            for place, (number, name) in enumerate(self.columns)
        ]


def charts_of(replay: Replay, names: Names) -> tuple[Chart, ...]:
    """The charts of a campaign; none before anybody has earned or suffered anything."""
    played = [*replay.begun]
    people = [code for code in replay.state.people if code not in replay.state.partners]
    experience = _sums(replay, "experience", people, played)
    physical = _sums(replay, "physical", people, played)
    mental = _sums(replay, "mental", people, played)
    both = {
        code: tuple(map(sum, zip(physical[code], mental[code], strict=True)))
        for code in people
    }
    told = {
        code: tuple(
            f"{first} + {second}"
            for first, second in zip(physical[code], mental[code], strict=True)
        )
        for code in people
    }
    plain = {code: tuple(map(str, sums)) for code, sums in experience.items()}
    columns = tuple(
        (number, names.scenario(each)) for number, each in enumerate(played, 1)
    )
    found = []
    for title, sums, shown in (
        (_("Experience earned"), experience, plain),
        (_("Trauma, physical + mental"), both, told),
    ):
        if any(any(each) for each in sums.values()):
            found.append(_chart(title, sums, shown, columns, names))
    return tuple(found)


def _chart(
    title: str,
    sums: Mapping[str, tuple[int, ...]],
    shown: Mapping[str, tuple[str, ...]],
    columns: tuple[tuple[int, str], ...],
    names: Names,
) -> Chart:
    styles = {code: f"line-{place % STYLES + 1}" for place, code in enumerate(sums)}
    drawing = draw_steps(
        [
            Series(tuple(max(each, 0) for each in numbers), styles[code])
            for code, numbers in sums.items()
        ],
        [str(number) for number, _name in columns],
        title=title,
    )
    rows = tuple(
        Row(names.card(code), styles[code], numbers) for code, numbers in shown.items()
    )
    # The drawing escapes its texts itself.
    return Chart(title, mark_safe(drawing.svg()), columns, rows)  # noqa: S308


def _sums(
    replay: Replay, what: str, people: Iterable[str], played: list[str]
) -> dict[str, tuple[int, ...]]:
    """What everybody had of something after each scenario."""
    state = replay.state
    change: dict[tuple[str, str], int] = {}
    for each in state.changes:
        if each.what == what and isinstance(each.value, int):
            place = (each.which, state.causes[each.cause].scenario)
            change[place] = change.get(place, 0) + each.value
    found = {}
    for code in people:
        total, sums = 0, []
        for scenario in played:
            total += change.get((code, scenario), 0)
            sums.append(total)
        found[code] = tuple(sums)
    return found
