"""Fill the database with a card pool; nothing else changes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models as db
from django.db import transaction
from django.db.models import Case, IntegerField, Value, When
from django.utils import timezone

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool import rows
from cardpool.catalog import current_pool
from cardpool.importing import name_of
from cardpool.models import (
    Card,
    CardText,
    Cycle,
    DataVersion,
    EncounterSet,
    Environment,
    Pack,
    Printing,
    PublicCard,
    PublicList,
    Scope,
    TabooEntry,
    TabooList,
)
from cardpool.pictures import WantedPicture
from cardpool.public.answers import (
    current_records,
    public_answers_are_current,
    public_cards,
    public_lists,
)
from cardpool.reading import SourceReading, to_pool
from cardpool.reading.records import Records, embedded_records

Texts = Mapping[str, Mapping[str, str]]  # by code, then by field of the source
TabooTexts = Mapping[int, Mapping[str, str]]  # by list, then by code

# Environments that every group may choose without creating one.
ENVIRONMENTS = (
    ("legacy", "Legacy", Environment.Kind.LEGACY),
    ("current", "Current", Environment.Kind.CURRENT),
)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """The changes of a load, as "name (code)"; versions are those of the pool."""

    version: str
    previous: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    cards: int = 0
    texts: int = 0

    def data(self, most: int) -> dict[str, Any]:
        """Return the numbers of added, changed and dropped cards, with some names."""
        named = {
            "added": self.added,
            "changed": self.changed,
            "dropped": self.dropped,
        }
        return {
            what: {"number": len(names), "names": list(names[:most])}
            for what, names in named.items()
        }


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything to be in the database: a pool and, from some sources, texts.

    Texts of None leave those in the database; given texts replace all of their
    language. ``records`` are the source's records, for the public API.
    """

    pool: CardPool
    source: str
    embedded: bool = False
    texts: Texts | None = None
    taboo_texts: TabooTexts = field(default_factory=dict)
    language: str = "en"
    records: Records = field(default_factory=Records)

    @classmethod
    def of(cls, reading: SourceReading, place: str, language: str) -> Contents:
        """Return everything that was read at a place."""
        return cls(
            pool=to_pool(reading),
            source=name_of(place),
            texts=reading.texts,
            taboo_texts=reading.taboo_texts,
            language=language,
            records=reading.records,
        )


def ensure_embedded_pool() -> LoadReport | None:
    """Load the embedded snapshot if the database is empty or has an older one.

    An imported pool stays, unless it was written in another layout. Returns the
    changes, None if nothing had to be done.
    """
    current = DataVersion.objects.first()
    if current is not None and _is_current(current):
        return None
    return load_pool(
        Contents(
            embedded_pool(),
            source="embedded",
            embedded=True,
            records=embedded_records(),
        )
    )


def _is_current(held: DataVersion) -> bool:
    if held.layout != rows.LAYOUT:
        return False
    return not held.embedded or held.version == embedded_pool().version


class _DryRun(Exception):
    """Rolls back what a preview has written."""


def preview_pool(contents: Contents) -> LoadReport:
    """Return what :func:`load_pool` would change, without keeping it."""
    report: LoadReport | None = None
    try:
        with transaction.atomic():
            report = load_pool(contents)
            raise _DryRun
    except _DryRun:
        assert report is not None
        return report


@transaction.atomic
def load_pool(contents: Contents) -> LoadReport:
    """Make the database contain exactly this pool; on any fault change nothing.

    Unchanged rows are not written, so that loading twice changes nothing.
    """
    pool = contents.pool
    previous = DataVersion.objects.select_for_update().first()
    known = {row.code: row for row in Card.objects.only(*_COMPARED)}
    cards = [rows.card_row(card, pool) for card in pool.values()]
    rewrite = previous is None or previous.layout != rows.LAYOUT
    written = [row for row in cards if rewrite or _differs(row, known.get(row.code))]

    _write(Cycle, [rows.cycle_row(each) for each in pool.cycles.values()])
    _write(Pack, [rows.pack_row(each) for each in pool.packs.values()])
    _write(
        EncounterSet,
        [rows.encounter_set_row(*each) for each in pool.encounter_sets.items()],
    )
    _write(Card, written)
    _write(
        Printing, [row for card in pool.values() for row in rows.printing_rows(card)]
    )
    _write(TabooList, [rows.taboo_list_row(each) for each in pool.taboo_lists])
    _write_taboo_entries(contents)
    _drop(contents)
    texts = _write_texts(contents)
    _write_public(contents.records, pool)
    _write_environments()
    DataVersion.objects.update_or_create(
        id=DataVersion.ONLY,
        defaults={
            "version": pool.version,
            "layout": rows.LAYOUT,
            "embedded": contents.embedded,
            "source": contents.source,
        },
    )
    return LoadReport(
        version=pool.version,
        previous=previous.version if previous else "",
        added=_named(row for row in written if row.code not in known),
        changed=_named(
            row
            for row in written
            if row.code in known and known[row.code].facts != row.facts
        ),
        dropped=_named(row for code, row in sorted(known.items()) if code not in pool),
        cards=len(cards),
        texts=texts,
    )


# Compared columns of cards; the first product also depends on dates.
_COMPARED = ("name", "facts", "first_pack")


def _differs(row: Card, known: Card | None) -> bool:
    return (
        known is None
        or known.facts != row.facts
        or known.first_pack_id != row.first_pack_id
    )


def _named(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(str(card) for card in cards)


def _write(model: type[db.Model], found: Sequence[db.Model]) -> None:
    """Insert or update rows."""
    key = model._meta.pk
    assert key is not None
    columns = [each.name for each in model._meta.concrete_fields if each is not key]
    model._default_manager.bulk_create(
        found, update_conflicts=True, unique_fields=[key.name], update_fields=columns
    )


def _write_taboo_entries(contents: Contents) -> None:
    kept = ["effects", "facts"]
    TabooEntry.objects.bulk_create(
        [
            row
            for taboo in contents.pool.taboo_lists
            for row in rows.taboo_entry_rows(
                taboo, contents.taboo_texts.get(taboo.id, {})
            )
        ],
        update_conflicts=True,
        unique_fields=["taboo_list", "card"],
        update_fields=kept if contents.texts is None else [*kept, "text"],
    )


@transaction.atomic
def load_texts(contents: Contents) -> int:
    """Replace the texts but not the cards; return how many cards have one now."""
    note_change()
    _write_taboo_entries(contents)
    return _write_texts(contents)


@transaction.atomic
def add_translation(contents: Contents) -> int:
    """Replace the texts of one language; return how many cards have one now."""
    note_change()
    return _write_texts(contents)


def note_change() -> None:
    """Invalidate what is cached about cards: searches, languages."""
    DataVersion.objects.update(loaded_at=timezone.now())


def _write_texts(contents: Contents) -> int:
    """Replace the printed texts, if given; return how many cards have one now."""
    if contents.texts is None:
        return CardText.objects.count()
    CardText.objects.filter(language=contents.language).delete()
    texts = [
        rows.text_row(code, contents.texts[code], contents.source, contents.language)
        for code in contents.pool
        if code in contents.texts
    ]
    CardText.objects.bulk_create(texts)
    return len(texts)


@transaction.atomic
def ensure_public_answers() -> bool:
    """Write the answers of the public API again if an older Orne wrote them.

    The source's records are stored, so that no import is needed. Return True if they
    were written.
    """
    held = DataVersion.objects.select_for_update().first()
    if held is None or public_answers_are_current():
        return False
    _write_public(current_records(), current_pool())
    held.save(update_fields=["loaded_at"])  # outdates clients’ caches
    return True


def _write_public(records: Records, pool: CardPool) -> None:
    """Replace the answers of the public API, from the source's records."""
    PublicCard.objects.all().delete()
    PublicList.objects.all().delete()
    PublicCard.objects.bulk_create(public_cards(records, pool))
    PublicList.objects.bulk_create(public_lists(records, pool))


def _drop(contents: Contents) -> None:
    """Delete what the pool doesn't have, dependent rows first."""
    pool = contents.pool
    entries = {(taboo.id, code) for taboo in pool.taboo_lists for code in taboo.changes}
    gone = [
        pk
        for pk, number, code in TabooEntry.objects.values_list(
            "pk", "taboo_list_id", "card_id"
        )
        if (number, code) not in entries
    ]
    _delete(TabooEntry, gone)
    printings = {each.code for card in pool.values() for each in card.printings}
    for model, kept in (
        (TabooList, {taboo.id for taboo in pool.taboo_lists}),
        (Printing, printings),
        (Card, set(pool)),
        (EncounterSet, set(pool.encounter_sets)),
        (Pack, set(pool.packs)),
        (Cycle, set(pool.cycles)),
    ):
        keys: Iterator[object] = model.objects.values_list("pk", flat=True).iterator()
        _delete(model, [key for key in keys if key not in kept])


def _delete(model: type[db.Model], keys: Sequence[object]) -> None:
    for start in range(0, len(keys), 500):
        model._default_manager.filter(pk__in=keys[start : start + 500]).delete()


def _write_environments() -> None:
    for slug, name, kind in ENVIRONMENTS:
        Environment.objects.get_or_create(
            slug=slug, defaults={"name": name, "kind": kind}
        )


def wanted_pictures(*, encounter_cards: bool) -> list[WantedPicture]:
    """Return the sides of all cards, those that players view most first."""
    order = [Scope.PLAYER, Scope.STORY, Scope.ENCOUNTER]
    cards = Card.objects.filter(scope__in=order if encounter_cards else order[:2])
    ranks = [When(scope=each, then=Value(rank)) for rank, each in enumerate(order)]
    codes = cards.order_by(Case(*ranks, output_field=IntegerField()), "code")
    printings: dict[str, list[str]] = {}
    for card, code in Printing.objects.order_by("code").values_list("card_id", "code"):
        printings.setdefault(card, []).append(code)
    doubles = set(
        PublicCard.objects.filter(record__double_sided=True).values_list(
            "code", flat=True
        )
    )
    return [
        WantedPicture(code, is_back, tuple(f"{each}{'b' * is_back}" for each in names))
        for code in codes.values_list("code", flat=True)
        for names in [list(dict.fromkeys([code, *printings.get(code, ())]))]
        for is_back in ([False, True] if code in doubles else [False])
    ]
