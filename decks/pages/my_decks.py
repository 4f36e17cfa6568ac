"""A person's decks with search and folders, and news of changed verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import F, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from arkham.rules.card import Card
from arkham.rules.finding import Severity
from arkham.rules.legality import finding_data
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from cardpool.languages import shown_name
from cardpool.words import fold
from decks.models import Deck, Folder, Notice, Revision, SharedVerdict
from decks.pages.display import STATUSES, Judged
from decks.pages.notes import SEVERITIES, Note
from decks.pages.rows import class_signs
from decks.services.hooks import DeckTable, tables_of
from decks.services.judgements import FindingData, differences, sameness

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
    """A filter of a person's decks; empty fields don't narrow it.

    ``folder`` and ``table`` are ids, or ``none``; ``archived`` selects archived decks
    instead of the others.
    """

    words: str = ""
    card_class: str = ""
    folder: str = ""
    table: str = ""
    archived: str = ""
    order: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> DeckFilter:
        """Read the filter from a query string, ignoring invalid values."""
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
        """Non-empty values for a query string or a form."""
        found = ((each.name, getattr(self, each.name)) for each in fields(self))
        return [(name, value) for name, value in found if value]

    @property
    def query(self) -> str:
        """The filter as a query string."""
        return urlencode(self.values)

    @property
    def narrows(self) -> bool:
        """True if it selects anything but all decks that aren't archived."""
        return any(name != "order" for name, _value in self.values)


def _number(text: str) -> str:
    return text if is_digits(text, MOST_DIGITS - 1) or text == NONE else ""


class OwnedDeck(NamedTuple):
    """The facts about a deck that the filter uses."""

    pk: int
    name: str
    tags: str
    folder: int | None
    is_archived: bool
    card: Card | None
    tables: Sequence[DeckTable]

    @property
    def sought(self) -> str:
        """The folded text that words are searched in."""
        if self.card is None:
            return fold(f"{self.name} {self.tags}")
        names = (self.card.name, self.card.subname, shown_name(self.card))
        return fold(" ".join((self.name, self.tags, *names)))

    def is_wanted(self, wanted: DeckFilter, *, but: str = "") -> bool:
        """Return True if the deck matches the filter, ignoring its part ``but``."""
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
    """A person's decks with folders, in two queries, and one more for their tables."""

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
        """Return the ids of the matching decks, in order."""
        found = [each for each in self.decks if each.is_wanted(wanted)]
        if wanted.order == "name":
            found.sort(key=lambda each: (fold(each.name), each.sought))
        elif wanted.order == "investigator":
            found.sort(key=lambda each: shown_name(each.card) if each.card else "")
        return [each.pk for each in found]

    def in_folders(self, wanted: DeckFilter) -> list[tuple[str, str, int]]:
        """Return each folder with its name and number of decks matching the rest."""
        found = Counter(
            each.folder for each in self.decks if each.is_wanted(wanted, but="folder")
        )
        rows = [(str(each.pk), each.name, found[each.pk]) for each in self.folders]
        return [*rows, (NONE, "", found[None])]

    @cached_property
    def counts(self) -> Counter[int | None]:
        """How many decks are in each folder, archived ones included."""
        return Counter(each.folder for each in self.decks)

    @cached_property
    def tables(self) -> list[tuple[str, str]]:
        """The tables where any of the decks is played, by name."""
        found = {str(t.pk): t.name for each in self.decks for t in each.tables}
        return sorted(found.items(), key=lambda each: fold(each[1]))

    @cached_property
    def archived(self) -> int:
        """How many decks are archived."""
        return sum(each.is_archived for each in self.decks)


class ShownVerdict:
    """A stored verdict in the form that templates use, without remedies."""

    def __init__(self, shared: SharedVerdict) -> None:
        verdict = shared.verdict
        self.status: str = verdict["status"]
        self.status_word: str | Promise = STATUSES[self.status]
        self.deck_size: int = verdict["deck_size"]
        self.experience: int = verdict["experience_required"]
        self.notes = tuple(
            note_of(number, each)
            for number, each in enumerate(_worst_first(verdict["findings"]), 1)
        )


def note_of(number: int, finding: Mapping[str, object]) -> Note:
    """Return a stored finding as a note, in its original words."""
    word = str(finding["severity"])
    cites, cards = finding["cites"], finding["cards"]
    assert isinstance(cites, list) and isinstance(cards, list)
    return Note(
        number,
        str(finding["rule"]),
        word,
        SEVERITIES[Severity[word.upper()]],
        str(finding["message"]),
        str(finding["remedy"] or ""),
        tuple(cites),
        tuple(cards),
        (),
    )


class News:
    """Changes of the verdict on a deck since its owner last dismissed them.

    ``notices`` are those not dismissed, oldest first, at least one.
    """

    def __init__(self, notices: Sequence[Notice]) -> None:
        self.first, self.last = notices[0], notices[-1]
        self._appeared, self._gone = _net(notices)

    @property
    def changed(self) -> int:
        """How many findings appeared or are gone; temporary ones don't count."""
        return len(self._appeared) + len(self._gone)

    @property
    def status_before(self) -> str | Promise:
        """The earlier status of the deck, in the reader's language."""
        return STATUSES[self.first.status_before]

    @property
    def status_after(self) -> str | Promise:
        """The status of the deck now."""
        return STATUSES[self.last.status_after]

    @property
    def experience(self) -> tuple[int, int] | None:
        """Experience required before and now; None if equal."""
        before, after = self.first.experience_before, self.last.experience_after
        return None if before == after else (before, after)

    @property
    def cards_changed(self) -> bool:
        """True if the cards or their taboos changed."""
        return self.first.pool_before != self.last.pool_after

    @property
    def rules_changed(self) -> bool:
        """True if the rules changed."""
        return self.first.rules_before != self.last.rules_after

    def appeared(self, judged: Judged) -> tuple[Note, ...]:
        """Return the new findings that still apply, with their remedies."""
        live = {
            sameness(finding_data(finding)): note
            for finding, note in zip(judged.findings, judged.notes, strict=False)
        }
        return tuple(
            live[sameness(each)] for each in self._appeared if sameness(each) in live
        )

    def settled(self, judged: Judged) -> tuple[Note, ...]:
        """Return the new findings that the owner has corrected since."""
        found = {sameness(finding_data(each)) for each in judged.findings}
        return _notes(each for each in self._appeared if sameness(each) not in found)

    @property
    def gone(self) -> tuple[Note, ...]:
        """The findings that no longer apply."""
        return _notes(self._gone)


def by_deck(notices: Iterable[Notice]) -> dict[int, News]:
    """Return the news of each deck that has any, by the deck's id.

    Changes that were reverted later don't count.
    """
    gathered: dict[int, list[Notice]] = {}
    for notice in notices:
        gathered.setdefault(notice.deck_id, []).append(notice)
    news = {key: News(each) for key, each in gathered.items()}
    return {key: each for key, each in news.items() if each.changed or each.experience}


def _notes(findings: Iterable[FindingData]) -> tuple[Note, ...]:
    return tuple(
        note_of(number, each) for number, each in enumerate(_worst_first(findings), 1)
    )


def _worst_first(findings: Iterable[FindingData]) -> list[FindingData]:
    """Sort stored findings; old verdicts have them in the order of the rules."""
    return sorted(findings, key=lambda each: -Severity[each["severity"].upper()])


def _net(notices: Iterable[Notice]) -> tuple[list[FindingData], list[FindingData]]:
    """Return the findings that appeared and those that are gone, in total."""
    appeared: list[FindingData] = []
    gone: list[FindingData] = []
    for notice in notices:
        new, gone = differences(gone, notice.appeared)
        lost, appeared = differences(appeared, notice.gone)
        appeared, gone = appeared + new, gone + lost
    return appeared, gone
