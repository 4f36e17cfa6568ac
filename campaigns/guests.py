"""Who plays without an account, and how are they known again?

Their browser has a key, signed, in a cookie; only a digest of it is kept.
"""

from __future__ import annotations

import hashlib
import secrets

from campaigns.models import Guest

COOKIE = "orne_guest"
LIFETIME = 400 * 24 * 60 * 60  # seconds; browsers keep nothing longer
KEY_BYTES = 24


def new_guest_key() -> str:
    """A key nobody guesses."""
    return secrets.token_urlsafe(KEY_BYTES)


def digest_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def guest_behind(key: str) -> Guest | None:
    """The guest a key belongs to."""
    if not key:
        return None
    return Guest.objects.filter(digest=digest_of(key)).first()
