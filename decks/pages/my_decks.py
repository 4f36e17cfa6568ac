"""The decks one has, found by words, class, folder and table, without judging any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import F, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from cardpool.languages import shown_name
from cardpool.words import fold
from decks.models import Deck, Folder, Revision
from decks.pages.rows import class_signs
from decks.services.hooks import DeckTable, tables_of

NONE = "none"  # in no folder, at no table
LONGEST_WORDS = 100
MOST_DIGITS = 10
ORDERS: dict[str, str | Promise] = {
    "changed": pgettext_lazy("order", "Last changed"),
    "name": pgettext_lazy("order", "Name"),
    "investigator": pgettext_lazy("order", "Investigator"),
}


@dataclass(frozen=True, slots=True)
class DeckFilter:
    """Which of one's decks are looked for; what is empty does not narrow.

    ``folder`` and ``table`` are numbers, or ``none``; ``archived`` asks for those that
    were put away instead of the others.
    """

    words: str = ""
    card_class: str = ""
    folder: str = ""
    table: str = ""
    archived: str = ""
    order: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> DeckFilter:
        """The filter of an address; what makes no sense is left out."""
        order = given.get("order", "")
        return cls(
            words=" ".join(given.get("words", "")[:LONGEST_WORDS].split()),
            card_class=given.get("card_class", "")[:MOST_DIGITS],
            folder=_number(given.get("folder", "")),
            table=_number(given.get("table", "")),
            archived="1" if given.get("archived") == "1" else "",
            order=order if order in ORDERS else "",
        )

    @property
    def values(self) -> list[tuple[str, str]]:
        """What is not empty, as an address and a form have it."""
        found = ((each.name, getattr(self, each.name)) for each in fields(self))
        return [(name, value) for name, value in found if value]

    @property
    def query(self) -> str:
        """The query of the address that asks for the same."""
        return urlencode(self.values)

    @property
    def narrows(self) -> bool:
        """Whether less is asked for than all decks that are not put away."""
        return any(name != "order" for name, _value in self.values)


def _number(text: str) -> str:
    is_number = text.isascii() and text.isdigit() and len(text) < MOST_DIGITS
    return text if is_number or text == NONE else ""


class OwnedDeck(NamedTuple):
    """What one's decks are looked for by."""

    pk: int
    name: str
    tags: str
    folder: int | None
    is_archived: bool
    card: Card | None
    tables: Sequence[DeckTable]

    @property
    def label(self) -> str:
        """Its name with its investigator's."""
        parts = (self.name, shown_name(self.card) if self.card else "")
        return " · ".join(filter(None, parts)) or str(self.pk)

    @property
    def sought(self) -> str:
        """What words are looked for in."""
        if self.card is None:
            return fold(f"{self.name} {self.tags}")
        names = (self.card.name, self.card.subname, shown_name(self.card))
        return fold(" ".join((self.name, self.tags, *names)))

    def is_wanted(self, wanted: DeckFilter, *, but: str = "") -> bool:
        """Whether a filter finds it, with all its parts ``but`` one."""
        tables = {str(each.pk) for each in self.tables} or {NONE}
        folder = str(self.folder or NONE)
        return (
            self.is_archived == bool(wanted.archived)
            and all(word in self.sought for word in fold(wanted.words).split())
            and wanted.card_class in ("", *class_signs(self.card))
            and (but == "folder" or wanted.folder in ("", folder))
            and (but == "table" or wanted.table in ("", *tables))
        )


class DeckShelf:
    """One's decks and where they are kept: two queries, one more for their tables."""

    def __init__(
        self, decks: QuerySet[Deck], folders: QuerySet[Folder], pool: CardPool
    ) -> None:
        self.folders = list(folders)
        code = KeyTextTransform("investigator_code", "list")
        rows = (
            Revision.objects.filter(deck__in=decks, number=F("deck__revision"))
            .order_by("-deck__changed_at", "-deck_id")
            .values_list(
                "deck_id", "deck__name", "deck__tags", "deck__folder_id",
                "deck__archived_at", code,
            )
        )  # fmt: skip
        found = list(rows)
        tables = tables_of([row[0] for row in found]) if found else {}
        self.decks = tuple(
            OwnedDeck(
                pk, name, tags, folder, archived is not None, pool.get_card(who or ""),
                tables.get(pk, ()),
            )
            for pk, name, tags, folder, archived, who in found
        )  # fmt: skip
        self.tables_of = tables

    def found(self, wanted: DeckFilter) -> list[int]:
        """The keys of the decks that are looked for, in order."""
        found = [each for each in self.decks if each.is_wanted(wanted)]
        if wanted.order == "name":
            found.sort(key=lambda each: (fold(each.name), each.sought))
        elif wanted.order == "investigator":
            found.sort(key=lambda each: shown_name(each.card) if each.card else "")
        return [each.pk for each in found]

    def in_folders(self, wanted: DeckFilter) -> list[tuple[str, str, int]]:
        """Each folder, its name and how many decks of it the filter finds otherwise."""
        found = Counter(
            each.folder for each in self.decks if each.is_wanted(wanted, but="folder")
        )
        rows = [(str(each.pk), each.name, found[each.pk]) for each in self.folders]
        return [*rows, (NONE, "", found[None])]

    @property
    def offers(self) -> list[tuple[str, str]]:
        """Each deck with a name to choose it by."""
        return [(str(each.pk), each.label) for each in self.decks]

    @cached_property
    def counts(self) -> Counter[int | None]:
        """How many decks are in each folder, those put away among them."""
        return Counter(each.folder for each in self.decks)

    @cached_property
    def tables(self) -> list[tuple[str, str]]:
        """Every table where one of them is played, by name."""
        found = {str(t.pk): t.name for each in self.decks for t in each.tables}
        return sorted(found.items(), key=lambda each: fold(each[1]))

    @cached_property
    def archived(self) -> int:
        """How many decks are put away."""
        return sum(each.is_archived for each in self.decks)
