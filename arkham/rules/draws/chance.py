"""Turns a seed into numbers: the same everywhere, for ever.

Documented with test vectors in ``docs/draws.md``, so that a draw can be checked
without this program.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from hashlib import sha256

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


GENERATOR = "orne-chance-1"  # another way of drawing would need another name


class Chance:
    """Uniform numbers from a seed: SHA-256 in counter mode, rejection sampling.

    Block *i* is SHA-256 of the generator's name, a zero byte, the seed in UTF-8, a
    zero byte, and *i* in eight bytes, the highest first; the blocks make one stream of
    bytes.
    """

    def __init__(self, seed: str) -> None:
        self._head = b"%s\0%s\0" % (GENERATOR.encode(), seed.encode())
        self._block = 0
        self._rest = b""

    def _bytes(self, count: int) -> bytes:
        while len(self._rest) < count:
            block = self._head + self._block.to_bytes(8, "big")
            self._rest += sha256(block).digest()
            self._block += 1
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1, every one equally likely.

        As many bytes as ``limit`` - 1 needs, the highest first, their surplus bits
        cleared; drawn again while the number is not below the limit. A limit of 1
        takes no bytes.
        """
        if limit < 1:
            raise ValueError(f"no number is below {limit}")
        bits = (limit - 1).bit_length()
        while True:
            number = int.from_bytes(self._bytes((bits + 7) // 8), "big")
            number &= (1 << bits) - 1
            if number < limit:
                return number
