"""System checks that report misconfiguration before anything is served."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from arkham.rules.notation.octgn import read_ids

SIGNUP_CHOICES = ("open", "invitation", "closed")


@register(Tags.security)
def secret_key_is_secret(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E001: the secret key is long and random. E002: only its owner can read it."""
    messages: list[CheckMessage] = []
    key = settings.SECRET_KEY
    weak = len(key) < 50 or len(set(key)) < 5 or "insecure" in key
    if weak and not settings.ORNE_LOCAL:
        messages.append(
            Error(
                "SECRET_KEY is short or a development value.",
                hint="Leave it unset: a good one is made and kept in ORNE_DATA.",
                id="arkham.E001",
            )
        )
    path = settings.DATA_DIR / "secret-key"
    if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        messages.append(
            Error(
                "The file secret-key in ORNE_DATA can be read by others.",
                hint="Run: chmod 600 secret-key. If it may have been read, delete it; "
                "a new one is made and everybody has to sign in again.",
                id="arkham.E002",
            )
        )
    return messages


# Private files, and the check that reports them.
_PRIVATE_FILES = {"settings.env": "arkham.E006", "orne.sqlite3": "arkham.E007"}
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


@register(Tags.security)
def data_is_private(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E006, E007: settings and database can't be read by other users of the machine.

    Files in a folder that others can't enter are safe.
    """
    folder: Path = settings.DATA_DIR
    if not folder.is_dir() or not folder.stat().st_mode & _OTHERS:
        return []
    return [
        Error(
            f"The file {name} in ORNE_DATA can be read by others.",
            hint=f"Run: chmod 700 {folder}; chmod 600 {folder / name}. If others may "
            "have read it, change the passwords in it.",
            id=identity,
        )
        for name, identity in _PRIVATE_FILES.items()
        if (folder / name).exists() and (folder / name).stat().st_mode & _OTHERS
    ]


@register(Tags.security)
def local_settings_stay_local(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E003: a public server has both ``DEBUG`` and ``ORNE_LOCAL`` off."""
    local = {"127.0.0.1", "localhost", "[::1]", "testserver"}
    foreign = sorted(set(settings.ALLOWED_HOSTS) - local)
    if not (settings.ORNE_LOCAL and foreign):
        return []
    name = "DEBUG" if settings.DEBUG else "ORNE_LOCAL"
    return [
        Error(
            f"{name} is on while ALLOWED_HOSTS names {', '.join(foreign)}.",
            hint=f"Set {name}=false, or leave ALLOWED_HOSTS unset.",
            id="arkham.E003",
        )
    ]


@register(Tags.compatibility)
def signup_is_known(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E004: ORNE_SIGNUP is one of its three values."""
    if settings.ORNE_SIGNUP in SIGNUP_CHOICES:
        return []
    return [
        Error(
            f"ORNE_SIGNUP is “{settings.ORNE_SIGNUP}”.",
            hint=f"Choose one of: {', '.join(SIGNUP_CHOICES)}.",
            id="arkham.E004",
        )
    ]


@register(Tags.files)
def octgn_ids_are_readable(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E005: the file of OCTGN's ids, if there is one, can be read."""
    if not settings.ORNE_OCTGN_IDS:
        return []
    try:
        read_ids(Path(settings.ORNE_OCTGN_IDS).read_text("utf-8"))
    except (OSError, ValueError) as error:
        return [
            Error(
                f"ORNE_OCTGN_IDS cannot be read: {error}",
                hint="Name a JSON file that maps codes to ids, or leave it unset.",
                id="arkham.E005",
            )
        ]
    return []


LEAST_NUMBER, MOST_NUMBER = 10_000, 900_000_000


@register(Tags.compatibility)
def numbers_have_five_digits(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E008: published decks have numbers that programs for ArkhamDB recognise."""
    if LEAST_NUMBER <= settings.ORNE_FIRST_NUMBER <= MOST_NUMBER:
        return []
    return [
        Error(
            f"ORNE_FIRST_NUMBER is {settings.ORNE_FIRST_NUMBER}.",
            hint=f"Choose a number from {LEAST_NUMBER} to {MOST_NUMBER}.",
            id="arkham.E008",
        )
    ]


@register(Tags.caches, deploy=True)
def counters_are_shared(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """W001: several processes only count requests together in a shared cache."""
    backend = settings.CACHES["default"]["BACKEND"]
    if settings.ORNE_LOCAL or not backend.endswith("LocMemCache"):
        return []
    return [
        Warning(
            "Each process counts requests and sign-in attempts for itself.",
            hint="With more than one, set CACHE_URL, for example "
            "dbcache://orne_cache (then run createcachetable) or redis://….",
            id="arkham.W001",
        )
    ]
