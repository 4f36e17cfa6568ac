"""The card pool in use, and the judge for it."""

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
    """The card pool of the database, read once for each version of its data.

    A database without cards, and one that holds exactly the embedded snapshot, are
    answered with the embedded pool.
    """
    return pool_of(data_version())


def pool_of(version: str) -> CardPool:
    """The card pool of this version of the data in the database, "" for none."""
    embedded = embedded_pool()
    if version in ("", embedded.version):
        return embedded
    return read_pool(version)


def data_version() -> str:
    """The version of the data in the database, "" for none."""
    found = loaded()
    return found.version if found else ""


class Loaded(NamedTuple):
    """Which data is in the database, and when all of it was written last."""

    version: str
    at: datetime


# What was loaded when the request asked last, as the only item; None in no request.
LAST_SEEN: ContextVar[list[Loaded | None] | None] = ContextVar(
    "last_seen", default=None
)


# As SQL, which every request would else make of a query set: that takes longer.
_WHICH = "SELECT id, version, loaded_at FROM cardpool_dataversion ORDER BY id LIMIT 1"


# What a request found, and when: others needn't ask for some seconds.
_FOUND: list[tuple[float, Loaded | None]] = []


def loaded() -> Loaded | None:
    """What is in the database now; None for nothing.

    A request may get what another one found up to ``ORNE_CARDS_KEPT`` seconds ago;
    jobs and commands always ask.
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


def seen() -> Loaded | None:
    """What was in the database when this request asked last, or else what is now."""
    kept = LAST_SEEN.get()
    return kept[0] if kept else loaded()


def seen_pool() -> CardPool:
    """The card pool as this request saw it last: asked for again for every name."""
    data = seen()
    return pool_of(data.version if data else "")


@lru_cache(maxsize=2)  # the one in use, and the one it replaces
def read_pool(version: str) -> CardPool:
    """The rows as a pool of this version, kept as long as the version is in use."""
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
    """The judge for the pool in use; the same one as long as its data is the same.

    Asks the database which data that is, and nothing else.
    """
    return judge_of(current_pool())
