"""Seeds are derived from a secret in one way and reveal nothing about each other."""

from __future__ import annotations

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.draws.record import commitment_to, derived, derived_seed, numbered


def test_a_seed_is_the_documented_digest() -> None:
    """So that anyone who learns the secret later can derive every seed."""
    expected = hmac.new(b"secret", b"14", hashlib.sha256).hexdigest()[:32]
    assert derived_seed("secret", "14") == expected


def test_a_commitment_is_the_sha_256_of_the_seed() -> None:
    """The literal was computed with another tool."""
    assert commitment_to("abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


_POOLS = st.dictionaries(st.sampled_from("abc"), st.integers(1, 3))


@given(st.text(min_size=1), *[st.tuples(st.integers(1, 50), _POOLS)] * 2)
def test_seeds_differ_by_number_and_pool(
    secret: str, one: tuple[int, dict[str, int]], other: tuple[int, dict[str, int]]
) -> None:
    seeds = derived(secret)
    assert (seeds(*one) == seeds(*other)) == (one == other)


def test_a_seed_does_not_depend_on_the_order_of_the_pool() -> None:
    """Its input lists the codes in sorted order."""
    seed = derived("secret")(2, {"b": 1, "a": 3})
    assert seed == derived_seed("secret", "2/a:3,b:1")


def test_seeds_of_practice_are_numbered() -> None:
    """They are public and part of the page's address."""
    assert [numbered("abc")(number, {}) for number in (1, 2)] == ["abc/1", "abc/2"]
