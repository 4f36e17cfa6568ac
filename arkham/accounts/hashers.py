"""Password hashing that a small machine survives when many people sign in at once."""

from __future__ import annotations

import os
from threading import BoundedSemaphore

from django.contrib.auth.hashers import Argon2PasswordHasher

# More at a time would be no faster, and each takes ``memory_cost``.
_AT_ONCE = BoundedSemaphore(max(2, os.cpu_count() or 1))


class BoundedArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB and two passes (OWASP), only as many at once as cores.

    Django's own settings take 100 MiB each; hashes made with them are read, and made
    again when their owner signs in.
    """

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """The hash of a password, once there is room to make it."""
        with _AT_ONCE:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is the one, once there is room to try it."""
        with _AT_ONCE:
            return super().verify(password, encoded)
