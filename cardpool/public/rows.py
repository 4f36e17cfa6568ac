"""Keeps the answers of the public API: made once, when cards are loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from arkham.rules.pool import CardPool
from cardpool.models import PublicCard, PublicList
from cardpool.public.cards import FACTIONS, SHAPE, Teller, php_json
from cardpool.reading.layouts import read_taboo_entries
from cardpool.reading.records import Records, Values


def factions() -> list[Values]:
    """Every class, and what stands beside them."""
    return [
        {"code": code, "name": name, "is_primary": primary, "octgn_id": None}
        for code, name, primary in FACTIONS
    ]


def pack_rows(
    records: Iterable[Values],
    places: Mapping[str, tuple[int, int]],
    known: Counter[str],
) -> Iterator[Values]:
    """Every product in order of release; ``known`` counts the cards of each.

    Where the source numbers them not, they are numbered in that order.
    """
    ordered = sorted(
        records,
        key=lambda each: (
            str(each.get("date_release") or "9999"),
            places.get(each["code"], (0, 0)),
            each["code"],
        ),
    )
    numbered = all(isinstance(each.get("id"), int) for each in ordered)
    for number, each in enumerate(ordered, 1):
        code = each["code"]
        cycle, position = places.get(code, (0, 0))
        yield {
            "name": each.get("name", code),
            "code": code,
            "position": position,
            "cycle_position": cycle,
            "available": each.get("date_release") or "",
            "known": known[code],
            "total": each.get("size", each.get("total")) or 0,
            "url": f"/set/{code}",
            "id": each["id"] if numbered else number,
        }


def taboo_rows(records: Iterable[Values]) -> list[Values]:
    """Every list of taboos, the newest first; its cards are JSON in a string."""
    newest = sorted(records, key=lambda each: int(each["code"]), reverse=True)
    return [_taboo(each) for each in newest]


def _taboo(values: Values) -> Values:
    start: Any = values.get("date_start") or ""
    return {
        "id": int(values["code"]),
        "code": values["code"],
        "name": values.get("name") or "",
        "active": int(bool(values.get("active", 1))),
        "date_start": start,
        "date_update": values.get("date_update") or start,
        "cards": php_json(read_taboo_entries(values.get("cards")) or []),
    }


PACKS, TABOOS, SHAPED = "packs", "taboos", "shape"


def public_cards(records: Records, pool: CardPool) -> Iterator[PublicCard]:
    """A row for every printing, in the order of the list."""
    teller = Teller(records, pool.encounter_sets)
    for place, told in enumerate(teller.told(_places(pool))):
        yield PublicCard(
            code=told.code,
            pack=told.pack,
            place=place,
            encounter=told.encounter,
            hidden=told.hidden,
            body=told.body,
            bonded=told.bonded,
            record=records.cards[told.code],
        )


def public_lists(records: Records, pool: CardPool) -> Iterator[PublicList]:
    """A row for each of the lists that are told whole."""
    known = Counter(str(each.get("pack_code")) for each in records.cards.values())
    packs = list(pack_rows(records.packs, _places(pool), known))
    yield PublicList(name=PACKS, body=php_json(packs), records=records.packs)
    taboos = taboo_rows(records.taboos)
    yield PublicList(name=TABOOS, body=php_json(taboos), records=records.taboos)
    yield PublicList(name=SHAPED, body=str(SHAPE), records=[])


def public_answers_are_current() -> bool:
    """Whether the rows say what this version of Orne says of a card."""
    return PublicList.objects.filter(name=SHAPED, body=str(SHAPE)).exists()


def current_records() -> Records:
    """The records that the database holds."""
    held = dict(PublicList.objects.values_list("name", "records"))
    return Records(
        dict(PublicCard.objects.order_by("code").values_list("code", "record")),
        tuple(held.get(PACKS, ())),
        tuple(held.get(TABOOS, ())),
    )


def _places(pool: CardPool) -> dict[str, tuple[int, int]]:
    """Where products stand: the position of the cycle, and that within it."""
    return {
        pack.code: (pool.cycles[pack.cycle].position, pack.position)
        for pack in pool.packs.values()
    }
