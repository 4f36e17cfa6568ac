"""The numbers for a deck's charts, and cards that change the experience earned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from arkham.charts import Datum, Drawing, draw_bars, draw_columns
from arkham.rules.card import Card
from arkham.rules.legality.trauma import DEADLY_CARDS
from arkham.rules.modifiers import EXPERIENCE_CARDS, ExperienceCard, ExperienceMoment
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType
from arkham.signs import SIGNS
from arkham.web.language import signed
from cardpool.shown import SKILLS, X
from cardpool.words import CLASSES, SLOTS, TYPES
from decks.pages.rows import Row


class Earning(NamedTuple):
    """Copies of a card that change the experience earned."""

    card: ExperienceCard
    copies: int

    def by_itself(self, *, defeated: bool = False) -> int:
        """Return the experience it always gives; 0 if that depends on its text."""
        if not self.card.by_itself or (defeated and self.card.undefeated):
            return 0
        return self.card.amount * self.copies

    @property
    def description(self) -> str:
        """Notes on it for the player."""
        if self.card.bars:
            return _("%(name)s: you don’t earn experience.") % {"name": self.card.name}
        if self.card.undefeated:
            text = _("If you were defeated, you get nothing: leave it empty.")
            if self.card.code in DEADLY_CARDS:
                return _("%(text)s You are also killed.") % {"text": text}
            return text
        if self.card.by_itself:
            return ""
        text = _("%(amount)s per copy, if its text says so.")
        return text % {"amount": signed(self.card.amount)}

    @property
    def at_choice(self) -> int:
        """The experience it may give if that depends on its text."""
        return 0 if self.card.by_itself else self.card.amount * self.copies

    def described_for(self, games: int) -> str:
        """Describe it, if one number is entered for several games."""
        if games > 1 and not (self.card.bars or self.card.by_itself):
            text = _("%(amount)s per copy and game, if its text says so: add them up.")
            return text % {"amount": signed(self.card.amount)}
        return self.description


def earning(entries: Iterable[tuple[str, int]], pool: CardPool) -> Iterator[Earning]:
    """Yield the cards among these codes and copies that change experience earned."""
    for code, copies in entries:
        card = pool.get_card(code)
        found = EXPERIENCE_CARDS.get(card.code) if card is not None else None
        if found is not None and found.moment is ExperienceMoment.RESOLUTION:
            yield Earning(found, copies)


DEAREST = 6  # costs from here on share a column
HIGHEST = 5  # level


@dataclass(frozen=True, slots=True)
class DeckFigure:
    """A chart with its title and its numbers: labels and values, as in the table."""

    title: str
    draw: Callable[[], Drawing]
    numbers: tuple[tuple[str, int], ...]

    @property
    def svg(self) -> SafeString:
        """The chart as SVG; the drawing escapes its texts."""
        return mark_safe(self.draw().svg())  # noqa: S308

    @property
    def table_rows(self) -> SafeString:
        """The numbers as table rows."""
        row = '<tr><th scope="row">{}</th><td class="number">{}</td></tr>'
        return format_html_join("\n", row, self.numbers)


def figures(rows: Sequence[Row], first: str = "") -> tuple[DeckFigure, ...]:
    """Return the charts of a deck, without weaknesses and unknown cards.

    ``first`` is the key of the chart to put first, as the deck is sorted by it.
    """
    cards = [
        (row.card, row.copies)
        for row in rows
        if row.card is not None and row.card.weakness is None
    ]
    if not cards:
        return ()
    levels = [(row.level, row.copies) for row in rows if row.level is not None]
    shown = {
        "cost": _figure(_("Cost"), _costs(cards), draw_columns),
        "level": _figure(_("Level"), _levels(levels), draw_columns),
        "class": _figure(_class_title(cards), _classes(cards), draw_bars),
        "type": _figure(_("Type"), _types(cards), draw_bars),
        "icons": _figure(_("Skill icons"), _icons(cards), draw_bars),
        "slot": _figure(_("Slots"), _slots(cards), draw_bars),
    }
    return tuple(shown[key] for key in sorted(shown, key=lambda key: key != first))


Cards = list[tuple[Card, int]]


def _figure(title: str, data: list[Datum], draw: Callable[..., Drawing]) -> DeckFigure:
    spoken = ", ".join(f"{datum.label} {datum.value}" for datum in data)
    numbers = tuple((each.label, each.value) for each in data)
    return DeckFigure(title, partial(draw, data, title=f"{title}: {spoken}"), numbers)


def _levels(levels: list[tuple[int, int]]) -> list[Datum]:
    """Count cards by level."""
    counts: Counter[int] = Counter()
    for level, copies in levels:
        counts[level] += copies
    return [Datum(str(level), counts[level]) for level in range(HIGHEST + 1)]


def _costs(cards: Cards) -> list[Datum]:
    """Count assets and events by cost; X and none only if there are any."""
    counts: Counter[str] = Counter()
    for card, copies in cards:
        if card.type in (CardType.ASSET, CardType.EVENT) and not card.permanent:
            counts[_cost_label(card.cost)] += copies
    usual = [str(cost) for cost in range(DEAREST)] + [_cost_label(DEAREST)]
    rare = [label for label in (_cost_label(X), _cost_label(None)) if counts[label]]
    return [Datum(label, counts[label]) for label in usual + rare]


def _cost_label(cost: int | None) -> str:
    if cost is None:
        return "–"
    if cost == X:
        return "X"
    return f"{DEAREST}+" if cost >= DEAREST else str(cost)


def _class_title(cards: Cards) -> str:
    if any(len(card.classes) > 1 for card, _copies in cards):
        return _("Class (multiclass cards count for each)")
    return _("Class")


def _classes(cards: Cards) -> list[Datum]:
    """Count cards by class; multiclass cards count for each class."""
    counts: Counter[str] = Counter()
    for card, copies in cards:
        for name in [each.value for each in card.classes] or ["neutral"]:
            counts[name] += copies
    parts = [
        *((each.value, str(CLASSES[each])) for each in CardClass),
        ("neutral", str(CLASSES["neutral"])),
    ]
    return [Datum(label, counts[key], key) for key, label in parts if counts[key]]


def _types(cards: Cards) -> list[Datum]:
    counts: Counter[CardType] = Counter()
    for card, copies in cards:
        counts[card.type] += copies
    usual = (CardType.ASSET, CardType.EVENT, CardType.SKILL)
    return [Datum(str(TYPES[each]), counts[each]) for each in usual]


def _icons(cards: Cards) -> list[Datum]:
    sums = [
        sum(card.icons[index] * copies for card, copies in cards)
        for index in range(len(SKILLS))
    ]
    return [
        Datum(str(SIGNS[skill].title), count)
        for skill, count in zip(SKILLS, sums, strict=True)
    ]


def _slots(cards: Cards) -> list[Datum]:
    """Count assets by slot; a two-handed asset counts twice."""
    counts: Counter[str] = Counter(_slots_taken(cards))
    return [Datum(str(word), counts[slot]) for slot, word in SLOTS.items()]


def _slots_taken(cards: Cards) -> Iterator[str]:
    for card, copies in cards:
        for slot in card.slots:
            yield from (slot for _copy in range(copies))
