"""Which numbers follow from a seed? The same everywhere, for ever.

Documented with test vectors in ``docs/draws.md``, so that a draw can be checked
without this program.
"""

from __future__ import annotations

from hashlib import sha256

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
