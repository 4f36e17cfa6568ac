"""Cards of the embedded pool are read when they are first used."""

from __future__ import annotations

from pkgutil import get_data
from threading import Thread

import pytest

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool, read_snapshot

ROLAND, GUARD_DOG, GUARD_DOG_AGAIN = "01001", "01021", "01521"


@pytest.fixture
def fresh() -> CardPool:
    """An embedded pool of which nothing has been read yet."""
    return embedded_pool.__wrapped__()


def test_a_lazy_pool_equals_a_fully_read_one(fresh: CardPool) -> None:
    """In the same order, whichever card was used first."""
    data = get_data("arkham.rules", "data/snapshot")
    assert data is not None
    whole = read_snapshot(data)
    assert fresh[GUARD_DOG_AGAIN] is fresh[GUARD_DOG]
    assert [*fresh.items()] == [*whole.items()]
    assert len(fresh) == len(whole)
    printings = {each.code for card in whole.values() for each in card.printings}
    assert all(fresh.get_card(code) == whole[code] for code in printings)
    assert fresh.titles == whole.titles
    assert fresh.version == whole.version


def test_an_unknown_code_is_not_in_the_pool(fresh: CardPool) -> None:
    """Before and after other cards were read."""
    assert "nothing" not in fresh
    assert fresh.get_card("nothing") is None
    with pytest.raises(KeyError):
        fresh["nothing"]
    assert ROLAND in fresh


def test_a_card_is_read_once_by_several_threads(fresh: CardPool) -> None:
    """Every thread gets the same objects."""
    found: list[list[object]] = [[] for _ in range(4)]

    def ask(into: list[object]) -> None:
        into.extend(map(id, fresh.values()))

    threads = [Thread(target=ask, args=(into,)) for into in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1] == found[2] == found[3]
    assert len(found[0]) == len(fresh)
