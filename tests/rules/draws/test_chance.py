"""Draws are uniform, replay exactly, and show when they were tampered with."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.draws import Chance, DrawRecord, Purpose, draw, replayed
from arkham.rules.draws.record import draw_replays, pool_of


def test_the_stream_is_as_documented() -> None:
    """Byte for byte as in docs/draws.md."""
    block = sha256(b"orne-chance-1\0night of the zealot\0" + bytes(8)).digest()
    chance = Chance("night of the zealot")
    assert [chance.below(256) for _byte in range(32)] == list(block)


def test_the_numbers_of_a_seed_never_change() -> None:
    """These are literals, because other programs must compute the same numbers."""
    chance = Chance("night of the zealot")
    assert [chance.below(limit) for limit in (10, 10, 10, 1, 6, 52, 1000, 2**40)] == [
        4, 9, 8, 0, 5, 8, 802, 51510224679,
    ]  # fmt: skip


def test_a_limit_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Chance("").below(0)


@given(st.text(), st.integers(1, 10_000))
def test_every_number_is_below_its_limit(seed: str, limit: int) -> None:
    assert 0 <= Chance(seed).below(limit) < limit


def test_rejection_leaves_no_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over every first byte, each number below 6 is equally frequent."""
    counts: Counter[int] = Counter()
    for byte in range(256):
        stream = [byte.to_bytes(1, "big")] + [b"\x00"] * 9
        chance = Chance("")
        given_out: list[int] = []

        def take(count: int, stream: list[bytes] = stream) -> bytes:
            given_out.append(count)  # noqa: B023 (called within the round)
            return stream.pop(0)

        monkeypatch.setattr(chance, "_bytes", take)
        number = chance.below(6)
        if len(given_out) == 1:
            counts[number] += 1
    assert counts == dict.fromkeys(range(6), 32)


POOL = {"01096": 2, "01097": 2, "01098": 1, "01099": 1}


def test_a_draw_has_a_fixed_result_and_can_be_replayed() -> None:
    record = draw(Purpose.WEAKNESS, "seed-1", POOL, 3)
    assert record.pool == (("01096", 2), ("01097", 2), ("01098", 1), ("01099", 1))
    assert record.result == ("01097", "01097", "01096")
    assert DrawRecord.from_data(record.as_data()) == record
    assert replayed(record) == record
    assert draw_replays(record) == []


@pytest.mark.parametrize(
    "forged",
    [
        {"result": ("01098", "01097", "01096")},
        {"seed": "seed-2"},
        {"pool": (("01096", 2), ("01097", 1), ("01098", 1), ("01099", 1))},
        {"pool": (("01097", 2), ("01096", 2), ("01098", 1), ("01099", 1))},
        {"count": 2},
        {"generator": "dice"},
    ],
)
def test_a_forged_draw_is_a_finding(forged: dict[str, object]) -> None:
    record = replace(draw(Purpose.WEAKNESS, "seed-1", POOL, 3), **forged)  # type: ignore[arg-type]
    (finding,) = draw_replays(record)
    assert finding.rule == "draw.replay"
    assert finding.actual == ", ".join(record.result)


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 4)),
    st.text(max_size=8),
    st.integers(0, 12),
)
def test_a_draw_takes_only_copies_in_the_pool(
    cards: dict[str, int], seed: str, count: int
) -> None:
    record = draw(Purpose.WEAKNESS, seed, cards, count)
    assert len(record.result) == min(count, sum(cards.values()))
    assert Counter(record.result) <= Counter(cards)
    assert draw(Purpose.WEAKNESS, seed, dict(reversed(cards.items())), count) == record


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 4)), st.text())
def test_a_longer_draw_begins_like_a_shorter_one(
    cards: dict[str, int], seed: str
) -> None:
    whole = draw(Purpose.WEAKNESS, seed, cards, sum(cards.values())).result
    for count in range(len(whole)):
        assert draw(Purpose.WEAKNESS, seed, cards, count).result == whole[:count]


def test_a_pool_is_sorted_and_leaves_out_zeros() -> None:
    assert pool_of({"b": 1, "a": 2, "c": 0}) == (("a", 2), ("b", 1))


def test_an_empty_pool_gives_no_card() -> None:
    assert draw(Purpose.WEAKNESS, "seed", {}, 2).result == ()
