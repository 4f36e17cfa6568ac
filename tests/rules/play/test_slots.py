"""Slots: what fits, what doesn't, and what may be discarded, compared with a trial."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arkham.rules.play.slots import (
    EXCHANGES,
    GRANTS,
    SHARINGS,
    HeldAsset,
    arranged,
    slots_of,
    wants_of,
    ways_out,
)
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool

POOL = embedded_pool()
# Codes of cards for one hand, two hands, a weapon's slot, arcane and hand, …
MACHETE, SHOTGUN, BANDOLIER, CHARISMA = "01020", "01029", "02147", "02158"
BEAT_COP, TOTE_BAG, OLD_BOOK, FLASHLIGHT = "01018", "01008", "01031", "01087"
SLED_DOG, SHRIVELLING, HIEROPHANT, HOLY_ROSARY = "08127", "01060", "54007", "01059"


def held(*codes: str) -> list[HeldAsset]:
    return [HeldAsset(POOL[code]) for code in codes]


@pytest.mark.parametrize("row", GRANTS, ids=lambda row: row.code)
def test_every_card_of_the_table_exists(row: object) -> None:
    assert isinstance(row, type(GRANTS[0]))
    card = POOL[row.code]
    bare = row.name.split(" (")[0].removeprefix("Directive: ")
    bare = bare.replace("“", '"').replace("”", '"')
    assert card.name in (bare, "Directive")


def test_every_name_that_shares_a_slot_exists() -> None:
    for row in SHARINGS:
        found = [card for card in POOL.values() if card.name == row.name]
        assert found
        assert all(row.kind in card.slots for card in found)


def test_every_card_that_exchanges_slots_exists() -> None:
    assert [POOL[row.code].name for row in EXCHANGES] == ["The Hierophant • V"]


def test_every_investigator_has_the_standard_slots() -> None:
    kinds = sorted(kind for place in slots_of(None, []) for kind in place.kinds)
    assert kinds == [
        *("accessory", "ally", "arcane", "arcane"),
        *("body", "hand", "hand", "head", "tarot"),
    ]


@pytest.mark.parametrize(
    "codes",
    [
        (),
        (MACHETE, FLASHLIGHT),
        (SHOTGUN,),
        (BANDOLIER, MACHETE, FLASHLIGHT, MACHETE),
        (CHARISMA, BEAT_COP, BEAT_COP),
        (TOTE_BAG, OLD_BOOK, OLD_BOOK, MACHETE, FLASHLIGHT),
        (SLED_DOG, SLED_DOG),
        (HIEROPHANT, SHRIVELLING, SHRIVELLING, SHRIVELLING, HOLY_ROSARY),
        (HIEROPHANT, SHRIVELLING, HOLY_ROSARY, HOLY_ROSARY),
    ],
)
def test_cards_that_fit_need_no_discard(codes: tuple[str, ...]) -> None:
    assert arranged(None, held(*codes)).fits
    assert ways_out(None, held(*codes)) == ()


@pytest.mark.parametrize(
    ("codes", "ways"),
    [
        ((MACHETE, FLASHLIGHT, MACHETE), ((0,), (1,))),
        ((MACHETE, FLASHLIGHT, SHOTGUN), ((0, 1),)),
        ((SHOTGUN, MACHETE), ((0,),)),
        ((BEAT_COP, BEAT_COP), ((0,),)),
        # The bag's slots are for tomes only: a third tool has no place there.
        ((TOTE_BAG, OLD_BOOK, MACHETE, FLASHLIGHT, FLASHLIGHT), ((2,), (3,))),
        ((SLED_DOG, SLED_DOG, SLED_DOG), ((0,), (1,))),
        ((BANDOLIER, MACHETE, MACHETE, MACHETE, SHOTGUN), ((1, 2), (1, 3), (2, 3))),
    ],
)
def test_cards_that_do_not_fit_name_what_to_discard(
    codes: tuple[str, ...], ways: tuple[tuple[int, ...], ...]
) -> None:
    assert not arranged(None, held(*codes)).fits
    assert ways_out(None, held(*codes)) == ways


def test_a_card_that_takes_no_slot_always_fits() -> None:
    cards = [*held(MACHETE, FLASHLIGHT), HeldAsset(POOL[MACHETE], slotless=True)]
    assert arranged(None, cards).fits


def test_players_may_adjust_the_number_of_slots() -> None:
    cards = held(MACHETE, FLASHLIGHT, MACHETE)
    assert arranged(None, cards, {"hand": 1}).fits
    assert not arranged(None, held(MACHETE, MACHETE), {"hand": -1}).fits


def test_investigators_may_have_more_or_fewer_slots(pool: CardPool) -> None:
    charlie, marion = pool["09018"], pool["11001"]
    assert arranged(charlie, held(*[BEAT_COP] * 4)).fits
    assert not arranged(charlie, held(*[BEAT_COP] * 5)).fits
    assert not arranged(marion, held(SHOTGUN)).fits


def test_a_card_that_can_never_fit_has_no_way_out() -> None:
    cards = held(SHOTGUN)
    assert ways_out(POOL["11001"], cards) == ()
    assert not arranged(POOL["11001"], cards).fits


# -- by trial: every order of the places is tried --


def fits_by_trial(cards: Sequence[HeldAsset]) -> bool:
    wants = wants_of(cards)
    places = slots_of(None, cards)
    kinds = {want.kind for want in wants}
    places = tuple(place for place in places if place.kinds & kinds)
    if len(wants) > len(places):
        return False
    return any(
        all(
            place.takes(want.kind, cards[want.assets[0]].card)
            for place, want in zip(order, wants, strict=False)
        )
        for order in permutations(places, len(wants))
    )


def ways_by_trial(cards: Sequence[HeldAsset]) -> set[tuple[int, ...]]:
    enough = [
        set(gone)
        for size in range(1, len(cards))
        for gone in combinations(range(len(cards) - 1), size)
        if fits_by_trial([each for at, each in enumerate(cards) if at not in gone])
    ]
    return {
        tuple(sorted(each))
        for each in enough
        if not any(other < each for other in enough)
    }


SOME = st.sampled_from(
    [MACHETE, SHOTGUN, OLD_BOOK, FLASHLIGHT, TOTE_BAG, BANDOLIER, "10132", "05112"]
)


@settings(deadline=None, max_examples=150)
@given(st.lists(SOME, max_size=5))
def test_an_arrangement_is_found_exactly_if_one_exists(codes: list[str]) -> None:
    cards = held(*codes)
    assert arranged(None, cards).fits == fits_by_trial(cards)
    if not fits_by_trial(cards):
        assert set(ways_out(None, cards)) == ways_by_trial(cards)


@given(
    st.lists(
        st.sampled_from(sorted(c.code for c in POOL.values() if c.slots)), max_size=8
    )
)
def test_no_slot_is_used_twice_and_every_want_is_reported(codes: list[str]) -> None:
    cards = held(*codes)
    arrangement = arranged(None, cards)
    served = [want for _place, want in arrangement.places if want is not None]
    assert sorted((*served, *arrangement.unmet)) == sorted(wants_of(cards))
    for place, want in arrangement.places:
        assert want is None or place.takes(want.kind, cards[want.assets[0]].card)
