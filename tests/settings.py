"""Orne's own settings, as the tests need them: quick hashes, no e-mail, no files."""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "test-results" / "data"
DATA.mkdir(parents=True, exist_ok=True)

os.environ["ORNE_LOCAL"] = "true"
os.environ["ORNE_DATA"] = str(DATA)
os.environ["SECRET_KEY"] = "tests-only-" + "0123456789" * 5
os.environ["LOG_LEVEL"] = "WARNING"
os.environ["THROTTLE_WORK"] = "0"  # all tests come from one address
for name in ("DEBUG", "ALLOWED_HOSTS", "EMAIL_URL", "ORNE_SIGNUP", "CACHE_URL"):
    os.environ.pop(name, None)

from arkham.settings import *  # noqa: E402, F403

TIDY_AFTER_ANSWERS = False  # tests count queries
ORNE_CARDS_KEPT = 0.0  # each test has a database of its own
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":  # noqa: F405
    # In memory, a live server and its test would share one connection, and each could
    # find a table locked that the other is at.
    file = DATA / f"test-{os.getpid()}.sqlite3"  # one for each run
    DATABASES["default"]["TEST"] = {"NAME": str(file)}  # noqa: F405
