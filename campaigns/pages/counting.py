"""Statistics as pages show them: charts with their numbers, and tables in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.charts import Datum, Drawing, Series, draw_bars, draw_columns, draw_steps
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.vocabulary import is_digits
from campaigns.pages.statistics import PersonCount, ScenarioCount, Statistics
from campaigns.words.names import CHOICES, CampaignNames, readable
from cardpool.words import CLASSES

STYLES = 6  # distinct line styles; more investigators reuse them


class NumbersRow(NamedTuple):
    """A person's numbers, one per scenario; ``style`` is that of their line."""

    name: str
    style: str
    numbers: tuple[str, ...]


class After(NamedTuple):
    """A row of a chart's table: a scenario, and everyone's number after it."""

    number: int
    name: str
    numbers: tuple[str, ...]


class Chart(NamedTuple):
    """A chart, its columns (number and name of a scenario) and its numbers."""

    title: str
    svg: SafeString
    columns: tuple[tuple[int, str], ...]
    rows: tuple[NumbersRow, ...]

    @property
    def lines(self) -> list[After]:
        """The numbers by scenario."""
        return [
            After(number, name, tuple(row.numbers[place] for row in self.rows))
            for place, (number, name) in enumerate(self.columns)
        ]


def charts_of(replay: Replay, names: CampaignNames) -> tuple[Chart, ...]:
    """Return the charts that show any experience or trauma."""
    played = [each for each in replay.begun if each != SETUP]
    people = [code for code in replay.state.people if code not in replay.state.partners]
    experience = _sums(replay, "experience", people, played)
    physical = _sums(replay, "physical", people, played)
    mental = _sums(replay, "mental", people, played)
    both = {
        code: tuple(map(sum, zip(physical[code], mental[code], strict=True)))
        for code in people
    }
    suffered = {
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
        (_("Trauma, physical + mental"), both, suffered),
    ):
        if any(any(each) for each in sums.values()):
            found.append(_chart(title, sums, shown, columns, names))
    return tuple(found)


def _chart(
    title: str,
    sums: Mapping[str, tuple[int, ...]],
    shown: Mapping[str, tuple[str, ...]],
    columns: tuple[tuple[int, str], ...],
    names: CampaignNames,
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
        NumbersRow(names.card(code), styles[code], numbers)
        for code, numbers in shown.items()
    )
    # The drawing escapes its texts itself.
    return Chart(title, mark_safe(drawing.svg()), columns, rows)  # noqa: S308


def _sums(
    replay: Replay, what: str, people: Iterable[str], played: list[str]
) -> dict[str, tuple[int, ...]]:
    """Return everyone's running total after each scenario, campaign setup included."""
    state = replay.state
    change: dict[tuple[str, str], int] = {}
    for each in state.changes:
        if each.what == what and isinstance(each.value, int):
            place = (each.which, state.causes[each.cause].scenario)
            change[place] = change.get(place, 0) + each.value
    found = {}
    for code in people:
        total, sums = change.get((code, SETUP), 0), []
        for scenario in played:
            total += change.get((code, scenario), 0)
            sums.append(total)
        found[code] = tuple(sums)
    return found


MOST_COLUMNS = 10  # scenarios in the chart, and in the table at once
RESULTS: dict[str, str | Promise] = {
    "win": gettext_lazy("Won"),
    "survived": gettext_lazy("Survived"),
    "lose": gettext_lazy("Lost"),
    "": gettext_lazy("Unfinished"),
}


class ChartFigure(NamedTuple):
    """A chart with its heading, labels and values."""

    title: str
    svg: SafeString
    numbers: tuple[tuple[str, int], ...]


class ScenarioLine(NamedTuple):
    """A scenario in the table; ``number`` is its column in the chart, or 0."""

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


def figures_of(statistics: Statistics) -> tuple[ChartFigure, ...]:
    """Return the charts that have numbers."""
    trauma = [
        Datum(_("Physical"), max(statistics.physical, 0)),
        Datum(_("Mental"), max(statistics.mental, 0)),
    ]
    drawn = (
        _figure(_("Outcome"), _named(statistics.results, RESULTS), draw_bars),
        _figure(
            _("Campaigns by difficulty"),
            _named(statistics.difficulties, CHOICES),
            draw_bars,
        ),
        _figure(_("Investigators by class"), list(_classes(statistics)), draw_bars),
        _figure(_("Trauma suffered"), trauma, draw_bars),
        _figure(
            _("Experience earned by each investigator, by scenario"),
            [
                Datum(str(n), max(round(each.average), 0))
                for n, each in _columns(statistics)
            ],
            draw_columns,
        ),
    )
    return tuple(figure for figure in drawn if any(n for _label, n in figure.numbers))


def scenario_lines(
    statistics: Statistics, guides: dict[str, str]
) -> list[ScenarioLine]:
    """Return every scenario that was settled, most played first."""
    shown = {each: number for number, each in _columns(statistics)}
    return [
        ScenarioLine(
            shown.get(each, 0),
            each.name,
            guides.get(each.guide, each.guide),
            each.games,
            ", ".join(_resolution(name, count) for name, count in each.resolutions),
            f"{each.average:.1f}",
        )
        for each in statistics.scenarios
    ]


def person_lines(statistics: Statistics) -> list[PersonLine]:
    """Return every investigator that was played, most played first."""
    return [PersonLine(each, each.classes) for each in statistics.people]


def _columns(statistics: Statistics) -> list[tuple[int, ScenarioCount]]:
    return list(enumerate(statistics.scenarios[:MOST_COLUMNS], 1))


def _resolution(name: str, count: int) -> str:
    number = name.lower().removeprefix("r")
    if not name:
        label = _("none recorded")
    elif is_digits(number):
        label = _("Resolution %(number)s") % {"number": number}
    else:
        label = str(CHOICES.get(name) or readable(name))
    return f"{label} × {count}"


def _named(
    counts: Iterable[tuple[str, int]], words: dict[str, str | Promise]
) -> list[Datum]:
    return [Datum(str(words[name]), count) for name, count in counts]


def _classes(statistics: Statistics) -> Iterable[Datum]:
    for name, count in statistics.classes:
        word = next((w for key, w in CLASSES.items() if key == name), name)
        yield Datum(str(word), count, name)


def _figure(title: str, data: list[Datum], draw: Callable[..., Drawing]) -> ChartFigure:
    spoken = ", ".join(f"{datum.label} {datum.value}" for datum in data)
    drawing = draw(data, title=f"{title}: {spoken}")
    numbers = tuple((each.label, each.value) for each in data)
    # The drawing escapes its texts itself.
    return ChartFigure(title, mark_safe(drawing.svg()), numbers)  # noqa: S308
