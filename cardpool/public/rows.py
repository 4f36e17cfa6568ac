"""Keeps the answers of the public API: made once, when cards are loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from arkham.rules.pool import CardPool
from cardpool.models import PublicCard, PublicList
from cardpool.public import lists
from cardpool.public.cards import SHAPE, Teller, php_json
from cardpool.reading.records import Records

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
    packs = list(lists.pack_rows(records.packs, _places(pool), known))
    yield PublicList(name=PACKS, body=php_json(packs), records=records.packs)
    taboos = lists.taboo_rows(records.taboos)
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
