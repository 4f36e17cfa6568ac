"""The current card pool, and the judge for it."""

from __future__ import annotations

from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from time import monotonic
from typing import NamedTuple

from django.conf import settings

from arkham.rules.card import Cycle, Pack, TabooChange, TabooList
from arkham.rules.legality import Judge, judge_of
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import card_from_facts, embedded_pool, taboo_from_facts
from cardpool import models


def current_pool() -> CardPool:
    """Return the card pool of the database, read once for each version of its data.

    If the database has no cards, or exactly those of the embedded snapshot, return the
    embedded pool.
    """
    return pool_of(data_version())


def pool_of(version: str) -> CardPool:
    """Return the card pool of this version; the embedded one for ""."""
    embedded = embedded_pool()
    if version in ("", embedded.version):
        return embedded
    return read_pool(version)


def data_version() -> str:
    """Return the version of the data in the database, "" for none."""
    found = loaded()
    return found.version if found else ""


class Loaded(NamedTuple):
    """The version of the data in the database, and when they were written."""

    version: str
    at: datetime


# A list with what the request saw last, or an empty one; None outside requests.
LAST_SEEN: ContextVar[list[Loaded | None] | None] = ContextVar(
    "last_seen", default=None
)


# As SQL, because building a query set in every request takes longer.
_WHICH = "SELECT id, version, loaded_at FROM cardpool_dataversion ORDER BY id LIMIT 1"


# The result of some request, and until when others may use it.
_FOUND: list[tuple[float, Loaded | None]] = []


def loaded() -> Loaded | None:
    """Return what is in the database now; None for nothing.

    A request may get what another one found up to ``ORNE_CARDS_KEPT`` seconds ago; jobs
    and commands always query.
    """
    kept = LAST_SEEN.get()
    if kept is not None and _FOUND and _FOUND[0][0] > monotonic():
        kept[:] = [_FOUND[0][1]]
        return kept[0]
    found = next(iter(models.DataVersion.objects.raw(_WHICH)), None)
    data = Loaded(found.version, found.loaded_at) if found else None
    if kept is not None:
        kept[:] = [data]
        _FOUND[:] = [(monotonic() + settings.ORNE_CARDS_KEPT, data)]
    return data


def seen_data() -> Loaded | None:
    """Return what this request saw in the database last, or else what is there now."""
    kept = LAST_SEEN.get()
    return kept[0] if kept else loaded()


def seen_pool() -> CardPool:
    """Return the card pool as this request saw it last, usually without a query."""
    data = seen_data()
    return pool_of(data.version if data else "")


@lru_cache(maxsize=2)  # the current one, and the one it replaces
def read_pool(version: str) -> CardPool:
    """Build a pool of this version from the rows, cached while it is current."""
    cards = {
        code: card_from_facts(facts)
        for code, facts in models.Card.objects.order_by("code").values_list(
            "code", "facts"
        )
    }
    changes: dict[int, dict[str, TabooChange]] = {}
    entries = models.TabooEntry.objects.order_by("taboo_list_id", "card_id")
    for number, code, facts in entries.values_list("taboo_list_id", "card_id", "facts"):
        changes.setdefault(number, {})[code] = taboo_from_facts(facts)
    return CardPool(
        version=version,
        cards=cards,
        taboo_lists=tuple(
            TabooList(each.id, each.date, changes.get(each.id, {}))
            for each in models.TabooList.objects.all()
        ),
        packs=tuple(_pack(each) for each in models.Pack.objects.all()),
        cycles=tuple(
            Cycle(each.code, each.name, each.position)
            for each in models.Cycle.objects.all()
        ),
        encounter_sets=dict(
            models.EncounterSet.objects.values_list("code", "name"),
        ),
    )


def _pack(row: models.Pack) -> Pack:
    return Pack(
        code=row.code,
        name=row.name,
        cycle=row.cycle_id,
        position=row.position,
        released=row.released,
        chapter=row.chapter,
        holds=tuple(row.holds),
        holds_type=row.holds_type,
    )


def current_judge() -> Judge:
    """Return the judge for the current pool, cached as long as the data are the same.

    It only queries the version of the data.
    """
    return judge_of(current_pool())
