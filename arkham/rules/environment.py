"""The products that belong to an environment, the part of the card pool in use."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.deck import INVESTIGATOR_CYCLES, Environment
from arkham.rules.pool import CardPool

CORE_SETS = ("core", "rcore")
STARTER_DECKS = ("nat", "har", "win", "jac", "ste")
CHAPTER_2 = ("core_2026", "tom", "car", "and", "mar", "mig")
RETURN_TO = {"dwl": "rtdwl", "ptc": "rtptc", "tfa": "rttfa", "tcu": "rttcu"}
CURRENT_CYCLES = 3


def first_release(cycle: str, pool: CardPool) -> str:
    """The ISO date the investigators of a cycle first appeared, "" if never.

    Repackaged products hold no card of their own, so an old cycle does not become
    new by being packed again.
    """
    dates = {
        pool.packs[printing.pack].released
        for card in pool.investigators
        for printing in card.printings
        if printing.pack in pool.packs and pool.packs[printing.pack].cycle == cycle
    }
    return min((date for date in dates if date), default="")


def current_cycles(date: str, pool: CardPool) -> tuple[str, ...]:
    """The newest three investigator cycles at a date (ISO; "" is the newest known).

    Source: FAQ 2.5, Current Environment.
    """
    released = {cycle: first_release(cycle, pool) for cycle in INVESTIGATOR_CYCLES}
    out = [
        cycle
        for cycle, first in released.items()
        if first and (not date or first <= date)
    ]
    return tuple(sorted(out, key=released.__getitem__)[-CURRENT_CYCLES:])


def packs_of(
    environment: Environment, pool: CardPool, rulings: Mapping[str, str]
) -> frozenset[str] | None:
    """The codes of the packs cards may come from; None is every pack there is."""
    if environment.kind == "legacy":
        return None
    if environment.kind == "products":
        known = set(environment.packs).difference(unknown_products(environment, pool))
        return unpacked(tuple(known), pool) if known else None
    allowed = {*CORE_SETS, *STARTER_DECKS}
    if environment.kind == "current":
        cycles = current_cycles(environment.date, pool)
        if rulings["environment.chapter-2"] == "in":
            allowed.update(CHAPTER_2)
        if rulings["environment.side-products"] == "in":
            cycles = (*cycles, "side_stories")
    else:
        cycles = environment.cycles
        allowed.update(RETURN_TO[cycle] for cycle in cycles if cycle in RETURN_TO)
    allowed.update(pack.code for pack in pool.packs.values() if pack.cycle in cycles)
    return frozenset(allowed)


def listed_products(
    environment: Environment, pool: CardPool, rulings: Mapping[str, str]
) -> tuple[str, ...]:
    """The products of an environment as a list names them, in order; () for all.

    A cycle that belongs to it with all its packs is named as one, ``cycle:dwl``. What
    the table chose as a list of products is that list.
    """
    if environment.kind == "products":
        return environment.packs
    allowed = packs_of(environment, pool, rulings)
    if allowed is None:
        return ()
    outside = {p.cycle for p in pool.packs.values() if p.code not in allowed}
    whole = [
        cycle
        for cycle in INVESTIGATOR_CYCLES
        if cycle in pool.cycles and cycle not in outside
    ]
    rest = [
        pack.code
        for pack in pool.packs.values()
        if pack.code in allowed and pack.cycle not in whole
    ]
    return (*rest, *(f"cycle:{code}" for code in whole))


def unknown_products(environment: Environment, pool: CardPool) -> tuple[str, ...]:
    """The products of an environment that are none of the pool's."""
    cycles = {f"cycle:{code}" for code in pool.cycles}
    return tuple(
        code
        for code in environment.packs
        if code not in pool.packs and code not in cycles
    )


def unpacked(packs: tuple[str, ...], pool: CardPool) -> frozenset[str]:
    """The packs named, with those that a repackaged product holds.

    ``cycle:dwl`` names every pack of a cycle, as the field writes it.
    """
    allowed = set(packs)
    for code in packs:
        pack = pool.packs.get(code)
        if pack is not None:
            if pack.holds_type != "campaign":  # player cards are in the other box
                allowed.update(pack.holds)
        elif code.startswith("cycle:"):
            cycle = code.removeprefix("cycle:")
            allowed.update(
                each.code for each in pool.packs.values() if each.cycle == cycle
            )
    return frozenset(allowed)
