"""How statistics are shown: charts with their numbers, and tables in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.charts.bars import draw_bars
from arkham.charts.columns import draw_columns
from arkham.charts.svg import Datum, Drawing
from campaigns.pages.statistics import PersonCount, ScenarioCount, Statistics
from campaigns.words.names import CHOICES, readable
from cardpool.words import CLASSES

MOST_COLUMNS = 10  # scenarios in the chart, and in the table at once
RESULTS: dict[str, str | Promise] = {
    "win": gettext_lazy("Won"),
    "survived": gettext_lazy("Survived"),
    "lose": gettext_lazy("Lost"),
    "": gettext_lazy("Not over"),
}


class Figure(NamedTuple):
    """A chart with its heading and its numbers: labels and values."""

    title: str
    svg: SafeString
    numbers: tuple[tuple[str, int], ...]


class ScenarioLine(NamedTuple):
    """A scenario in the table; ``number`` is that of its column in the chart, or 0."""

    number: int
    name: str
    guide: str
    games: int
    resolutions: str
    average: str


class PersonLine(NamedTuple):
    """An investigator in the table."""

    person: PersonCount
    signs: tuple[str, ...]


def figures_of(told: Statistics) -> tuple[Figure, ...]:
    """The charts; those without a number are left out."""
    trauma = [
        Datum(_("Physical"), max(told.physical, 0)),
        Datum(_("Mental"), max(told.mental, 0)),
    ]
    drawn = (
        _figure(_("Outcome"), _named(told.results, RESULTS), draw_bars),
        _figure(
            _("Campaigns by difficulty"), _named(told.difficulties, CHOICES), draw_bars
        ),
        _figure(_("Investigators by class"), list(_classes(told)), draw_bars),
        _figure(_("Trauma suffered"), trauma, draw_bars),
        _figure(
            _("Experience for each investigator, by scenario"),
            [Datum(str(n), max(round(each.average), 0)) for n, each in _columns(told)],
            draw_columns,
        ),
    )
    return tuple(figure for figure in drawn if any(n for _label, n in figure.numbers))


def scenario_lines(told: Statistics, guides: dict[str, str]) -> list[ScenarioLine]:
    """Every scenario that was settled, the most played first."""
    shown = {each: number for number, each in _columns(told)}
    return [
        ScenarioLine(
            shown.get(each, 0),
            each.name,
            guides.get(each.guide, each.guide),
            each.games,
            ", ".join(_resolution(name, count) for name, count in each.resolutions),
            f"{each.average:.1f}",
        )
        for each in told.scenarios
    ]


def person_lines(told: Statistics) -> list[PersonLine]:
    """Every investigator that was played, the most played first."""
    return [PersonLine(each, each.classes) for each in told.people]


def _columns(told: Statistics) -> list[tuple[int, ScenarioCount]]:
    return list(enumerate(told.scenarios[:MOST_COLUMNS], 1))


def _resolution(name: str, count: int) -> str:
    number = name.lower().removeprefix("r")
    if not name:
        told = _("none told")
    elif number.isdigit():
        told = _("Resolution %(number)s") % {"number": number}
    else:
        told = str(CHOICES.get(name) or readable(name))
    return f"{told} × {count}"


def _named(
    counts: Iterable[tuple[str, int]], words: dict[str, str | Promise]
) -> list[Datum]:
    return [Datum(str(words[name]), count) for name, count in counts]


def _classes(told: Statistics) -> Iterable[Datum]:
    for name, count in told.classes:
        word = next((w for key, w in CLASSES.items() if key == name), name)
        yield Datum(str(word), count, name)


def _figure(title: str, data: list[Datum], draw: Callable[..., Drawing]) -> Figure:
    spoken = ", ".join(f"{datum.label} {datum.value}" for datum in data)
    drawing = draw(data, title=f"{title}: {spoken}")
    numbers = tuple((each.label, each.value) for each in data)
    # The drawing escapes its texts itself.
    return Figure(title, mark_safe(drawing.svg()), numbers)  # noqa: S308
