"""Misconfiguration said plainly, before anything is served."""

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
    """E001: the secret key is long and random. E002: its file is its owner's alone."""
    messages: list[CheckMessage] = []
    key = settings.SECRET_KEY
    weak = len(key) < 50 or len(set(key)) < 5 or "insecure" in key
    if weak and not settings.DEBUG:
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


@register(Tags.security)
def debug_stays_at_home(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E003: DEBUG and the world do not go together."""
    local = {"127.0.0.1", "localhost", "[::1]", "testserver"}
    foreign = sorted(set(settings.ALLOWED_HOSTS) - local)
    if not (settings.DEBUG and foreign):
        return []
    return [
        Error(
            f"DEBUG is on while ALLOWED_HOSTS names {', '.join(foreign)}.",
            hint="Set DEBUG=false, or leave ALLOWED_HOSTS unset.",
            id="arkham.E003",
        )
    ]


@register(Tags.compatibility)
def signup_is_known(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """E004: ORNE_SIGNUP is one of its three words."""
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
    """E005: the table of OCTGN's ids, if there is one, is a table."""
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


@register(Tags.caches, deploy=True)
def counters_are_shared(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """W001: several processes count requests together only in a shared cache."""
    backend = settings.CACHES["default"]["BACKEND"]
    if settings.DEBUG or not backend.endswith("LocMemCache"):
        return []
    return [
        Warning(
            "Each process counts requests and sign-in attempts for itself.",
            hint="With more than one, set CACHE_URL, for example "
            "dbcache://orne_cache (then run createcachetable) or redis://….",
            id="arkham.W001",
        )
    ]
