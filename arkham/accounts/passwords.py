"""Password hashing that a small machine survives when many people sign in at once."""

from __future__ import annotations

import os
from threading import BoundedSemaphore

from allauth.core import ratelimit
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.http import HttpRequest

from arkham.accounts.models import User


class TooManyTries(Exception):
    """The password was guessed at too often; it may be tried again later."""


def confirms(*, request: HttpRequest, user: User, password: str) -> bool:
    """Whether the password is the account's. Raises TooManyTries."""
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        raise TooManyTries
    return user.check_password(password)


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
