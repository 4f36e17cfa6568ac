"""Small card pools for tests."""

from __future__ import annotations

from arkham.rules.card import Card, Cycle, Pack, Printing, TabooChange, TabooList
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import make_pool
from arkham.rules.vocabulary import CardType


def a_card(
    code: str = "01001",
    *,
    name: str = "Lantern",
    level: int | None = 0,
    pack: str = "core",
    traits: tuple[str, ...] = ("item",),
) -> Card:
    """Make a neutral asset with one printing of two copies."""
    return Card(
        code=code,
        name=name,
        type=CardType.ASSET,
        printings=(Printing(code, pack, int(code[2:5]), 2),),
        level=level,
        cost=2,
        traits=traits,
    )


def a_pool(*cards: Card, taboo: TabooChange | None = None) -> CardPool:
    """Make a pool of these cards, in one cycle of two products."""
    lists = (TabooList(1, "2019-04-20", {taboo.code: taboo}),) if taboo else ()
    return make_pool(
        cards={card.code: card for card in cards},
        taboo_lists=lists,
        cycles=(Cycle("core", "Core", 1),),
        packs=(
            Pack("core", "Core Set", "core", 1, "2016-11-10", 1),
            Pack("rcore", "Revised Core Set", "core", 2, "2021-11-01", 1),
        ),
        encounter_sets={"torch": "The Gathering"},
    )
