"""Lists and dicts that share their beginnings behave like separate ones."""

from __future__ import annotations

from copy import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.campaign.state.sharing import APART, SharedDict, SharedList

# The copy to use, the operation, and a number for it.
ACTS = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.sampled_from(["add", "copy", "first", "delete"]),
        st.integers(0, 2 * APART),
    ),
    max_size=25,
)


@given(ACTS)
def test_shared_lists_behave_like_lists(acts: list[tuple[int, str, int]]) -> None:
    """However they were copied and extended."""
    pairs: list[tuple[SharedList[int], list[int]]] = [(SharedList(), [])]
    for which, act, number in acts:
        ours, plain = pairs[which % len(pairs)]
        if act == "copy":
            pairs.append((copy(ours), copy(plain)))
        elif act == "first":
            pairs.append((ours.first(number), plain[:number]))
        else:
            ours.extend(range(number))
            plain.extend(range(number))
    for ours, plain in pairs:
        assert list(ours) == plain
        assert list(reversed(ours)) == plain[::-1]
        assert len(ours) == len(plain)
        assert ours == SharedList(plain)
        assert ours[-3:] == plain[-3:]
        for at in (0, -1, APART, len(plain) - 1, len(plain), -len(plain) - 1):
            if -len(plain) <= at < len(plain):
                assert ours[at] == plain[at]
            else:
                with pytest.raises(IndexError):
                    ours[at]
    assert (pairs[0][0] == pairs[-1][0]) == (pairs[0][1] == pairs[-1][1])


@given(ACTS)
def test_shared_dicts_behave_like_dicts(acts: list[tuple[int, str, int]]) -> None:
    """However they were copied and changed, except for the order."""
    pairs: list[tuple[SharedDict[int, int], dict[int, int]]] = [(SharedDict(), {})]
    for turn, (which, act, number) in enumerate(acts):
        ours, plain = pairs[which % len(pairs)]
        if act == "copy":
            pairs.append((copy(ours), copy(plain)))
        elif act == "delete" and number not in plain:
            with pytest.raises(KeyError):
                del ours[number]
        elif act == "delete":
            del ours[number], plain[number]
        else:
            for key in range(number, number + APART):
                ours[key] = plain[key] = turn
    for ours, plain in pairs:
        assert dict(ours) == plain
        assert sorted(ours.values()) == sorted(plain.values())
        assert len(ours) == len(plain)
        for key in (0, APART, 2 * APART):
            assert (key in ours) == (key in plain)
            assert ours.get(key, -1) == plain.get(key, -1)


def test_keys_keep_their_insertion_order() -> None:
    """Keys that are set again keep their place."""
    ours: SharedDict[int, str] = SharedDict()
    for key in range(2 * APART):
        ours[key] = "old"
    other = ours.copy()
    other[5] = "new"
    assert list(other) == list(range(2 * APART))
    assert (ours[5], other[5]) == ("old", "new")
