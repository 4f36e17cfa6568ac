"""Seeds that nobody can foresee before a draw and everybody can check after it.

A table keeps one secret. The seed of each draw is derived from the secret and the
place of the draw, and shown only with its result: one seed says nothing of the next.
Before the draw its commitment is shown, a digest that only this seed has, so nobody
can change the seed afterwards either.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping

SEED_DIGITS = 32  # hexadecimal: 128 bits

# The seed of draw n, from 1, out of a pool: how many copies each code has in it.
Seeds = Callable[[int, Mapping[str, int]], str]


def derived_seed(secret: str, place: str) -> str:
    """The seed of the draw at this place: HMAC-SHA-256 of the place, cut to 128 bits.

    The place names the draw once and for all, such as ``14`` for a log entry.
    """
    key, message = secret.encode(), place.encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:SEED_DIGITS]


def commitment_to(seed: str) -> str:
    """What is shown before the draw: the SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def numbered(seed: str) -> Seeds:
    """Seeds for practice, open to all: draw *n* is made from ``seed/n``."""
    return lambda number, _pool: f"{seed}/{number}"


def derived(secret: str) -> Seeds:
    """Seeds of draws that can be taken back: from the secret, the number and the pool.

    A draw that is made again from the same pool has the same seed and result. From
    another pool it has another seed, so that the one already shown says nothing of it.
    """

    def seed(number: int, pool: Mapping[str, int]) -> str:
        copies = ",".join(f"{code}:{pool[code]}" for code in sorted(pool))
        return derived_seed(secret, f"{number}/{copies}")

    return seed
