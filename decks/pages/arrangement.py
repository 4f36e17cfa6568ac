"""Arrange the rows of a deck on a page: grouping, order and density."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from arkham.rules.legality.standing import CardRole
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType
from arkham.web.http import mark_of
from cardpool.shown import X
from cardpool.words import CLASSES, SLOTS
from decks.pages.rows import Row

Words = str | Promise

KINDS: dict[str, Words] = {
    "type": gettext_lazy("Type"),
    "class": gettext_lazy("Class"),
    "cost": gettext_lazy("Cost"),
    "level": gettext_lazy("Level"),
    "slot": gettext_lazy("Slot"),
    "product": gettext_lazy("Product"),
}
SORTS: dict[str, Words] = {"name": gettext_lazy("Name"), **KINDS}
LOOKS: dict[str, Words] = {
    "rows": gettext_lazy("Rows"),
    "text": gettext_lazy("With text"),
    "compact": gettext_lazy("Compact"),
    "faces": pgettext_lazy("look of a deck", "Cards"),
}
GROUPS: dict[str, Words] = {
    "asset": gettext_lazy("Assets"),
    "event": gettext_lazy("Events"),
    "skill": gettext_lazy("Skills"),
    "permanent": gettext_lazy("Permanents"),
    "signature": gettext_lazy("Required cards"),
    "weakness": gettext_lazy("Weaknesses"),
    "story": gettext_lazy("Story cards"),
    "other": pgettext_lazy("cards of a deck", "Others"),
}


@dataclass(frozen=True, slots=True)
class DeckArrangement:
    """How a reader wants decks arranged: grouping, order and look."""

    group: str = "type"
    sort: str = "name"
    look: str = "rows"

    @classmethod
    def read(cls, values: Mapping[str, object]) -> DeckArrangement:
        """Return the arrangement that these values name; ignore unknown ones."""
        known = {"group": KINDS, "sort": SORTS, "look": LOOKS}
        return cls(
            **{
                key: str(value)
                for key, value in values.items()
                if key in known and value in known[key]
            }
        )

    @property
    def data(self) -> dict[str, str]:
        """The arrangement as JSON types, which ``read`` takes."""
        return asdict(self)

    @property
    def choices(self) -> list[tuple[str, Words, str, list[tuple[str, Words]]]]:
        """Fields of the form that changes it: name, label, value, and choices."""
        return [
            ("group", _("Group by"), self.group, [*KINDS.items()]),
            ("sort", _("Sort by"), self.sort, [*SORTS.items()]),
            ("look", _("Show as"), self.look, [*LOOKS.items()]),
        ]


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows under one heading; ``copies`` is the sum of theirs."""

    key: str
    title: Words
    rows: tuple[Row, ...]
    copies: int

    @property
    def mark(self) -> str:
        """A digest of everything visible in the group; "" if a row has no card."""
        marks = [row.mark for row in self.rows]
        return mark_of("group", self.key, self.copies, marks) if all(marks) else ""


class HeadingPlace(NamedTuple):
    """The heading of a card, and the sort key among headings."""

    order: tuple[object, ...]
    key: str
    title: Words


def arranged(
    rows: Iterable[Row], view: DeckArrangement, pool: CardPool
) -> tuple[RowGroup, ...]:
    """Group the rows under headings and sort them; leave out empty groups."""
    place, sort = PLACES[view.group], PLACES.get(view.sort)
    places: dict[str, HeadingPlace] = {}
    gathered: dict[str, list[Row]] = {}
    for row in rows:
        at = place(row, pool)
        places[at.key] = at
        gathered.setdefault(at.key, []).append(row)

    def order(row: Row) -> tuple[object, ...]:
        return (sort(row, pool).order if sort else (), reading_order(row))

    return tuple(
        RowGroup(
            key,
            places[key].title,
            tuple(sorted(gathered[key], key=order)),
            sum(row.copies for row in gathered[key]),
        )
        for key in sorted(gathered, key=lambda each: places[each].order)
    )


def group_of(row: Row) -> str:
    """Return the key of the heading for a row, when rows are grouped by type."""
    card, role = row.card, row.standing.role
    if card is None or role in (CardRole.OUTSIDE, CardRole.FOREIGN, CardRole.UNLISTED):
        return "other"
    if card.weakness is not None:
        return "weakness"
    if role is CardRole.SIGNATURE:
        return "signature"
    if role is CardRole.STORY:
        return "story"
    if card.permanent:
        return "permanent"
    return card.type.value if card.type.value in GROUPS else "other"


def reading_order(row: Row) -> tuple[object, ...]:
    """Return the sort key by name, then level."""
    return (row.name.lstrip('"“.').casefold(), row.level or 0, row.code)


def _by_type(row: Row, pool: CardPool) -> HeadingPlace:
    key = group_of(row)
    return HeadingPlace(([*GROUPS].index(key),), key, GROUPS[key])


def _by_class(row: Row, pool: CardPool) -> HeadingPlace:
    names = [each.value for each in CardClass]
    card = row.card
    if card is None or card.weakness is not None:
        return HeadingPlace((9,), "weakness", GROUPS["weakness"])
    if len(card.classes) > 1:
        return HeadingPlace((7,), "multiclass", _("Multiclass"))
    if not card.classes:
        return HeadingPlace((8,), "neutral", CLASSES["neutral"])
    (one,) = card.classes
    return HeadingPlace((names.index(one.value),), one.value, CLASSES[one])


def _by_cost(row: Row, pool: CardPool) -> HeadingPlace:
    cost = row.card.cost if row.card and not row.card.permanent else None
    if cost is None:
        return HeadingPlace((2,), "cost-none", _("No cost"))
    if cost == X:
        return HeadingPlace((1,), "cost-x", _("Cost X"))
    return HeadingPlace((0, cost), f"cost-{cost}", _("Cost %(cost)d") % {"cost": cost})


def _by_level(row: Row, pool: CardPool) -> HeadingPlace:
    if row.level is None:
        return HeadingPlace((9,), "level-none", _("No level"))
    said = _("Level %(level)d") % {"level": row.level}
    return HeadingPlace((row.level,), f"level-{row.level}", said)


def _by_slot(row: Row, pool: CardPool) -> HeadingPlace:
    slots = [*SLOTS]
    held = [slot for slot in row.standing.slots or () if slot in SLOTS]
    if row.card is None or row.card.type is not CardType.ASSET or not held:
        return HeadingPlace((9,), "slot-none", pgettext("cards of a deck", "No slot"))
    return HeadingPlace((slots.index(held[0]),), f"slot-{held[0]}", SLOTS[held[0]])


def _by_product(row: Row, pool: CardPool) -> HeadingPlace:
    printings = row.card.printings if row.card else ()
    codes = [each.pack for each in printings if each.code == row.code]
    pack = pool.packs.get((codes or [each.pack for each in printings] or [""])[0])
    if pack is None:
        return HeadingPlace(("9",), "product-none", _("No product"))
    return HeadingPlace(
        (pack.released or "8", pack.position), f"product-{pack.code}", pack.name
    )


PLACES: dict[str, Callable[[Row, CardPool], HeadingPlace]] = {
    "type": _by_type,
    "class": _by_class,
    "cost": _by_cost,
    "level": _by_level,
    "slot": _by_slot,
    "product": _by_product,
}
