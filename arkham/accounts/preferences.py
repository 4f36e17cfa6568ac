"""A person's preferences for new decks and campaigns, and for pages.

An account's preferences are in its row; without an account they are in a cookie. They
are defaults for what is started later and don't change existing things.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from rest_framework.request import Request

from arkham.accounts.models import User

COOKIE = "preferences"
KEPT_FOR = timedelta(days=400)  # browsers keep no cookie longer
THEMES = ("light", "dark")
# The possible values besides "", where they are the same on every server.
PREFERABLE = {
    "environment": ("current",),
    "mode": ("campaign", "standalone"),
    "theme": THEMES,
}
VALUE = re.compile(r"[a-z0-9-]{0,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Preferences:
    """Each is "" if there is no preference.

    ``taboo`` is the id of a list, or ``latest``; ``environment`` and ``mode`` are as in
    circumstances; ``theme`` is one of ``THEMES``, "" to follow the system.
    ``card_language`` is the language of cards, "" for the server's first.
    """

    taboo: str = ""
    environment: str = ""
    mode: str = ""
    theme: str = ""
    card_language: str = ""


NO_PREFERENCES = Preferences()
NAMES = tuple(each.name for each in fields(Preferences))


def read_preferences(data: object) -> Preferences:
    """Return the preferences in JSON data; invalid ones are left out."""
    if not isinstance(data, Mapping):
        return NO_PREFERENCES
    values = {
        name: value
        for name in NAMES
        if isinstance(value := data.get(name), str)
        and VALUE.fullmatch(value)
        and value in PREFERABLE.get(name, (value,))
    }
    return Preferences(**values)


def preferences_of(request: HttpRequest | Request) -> Preferences:
    """Return the visitor's preferences: the account's, or the browser's without one.

    An account without preferences uses those of its browser.
    """
    # A request for an unknown host is refused before it has a user.
    user = getattr(request, "user", None)
    if isinstance(user, User) and user.preferences:
        return read_preferences(user.preferences)
    try:
        return read_preferences(json.loads(request.COOKIES.get(COOKIE, "{}")))
    except (ValueError, RecursionError):
        return NO_PREFERENCES


def kept_preferences(user: User, browser: Preferences) -> Preferences:
    """Return an account's preferences; without any, those of its browser."""
    return read_preferences(user.preferences) if user.preferences else browser


@transaction.atomic
def save_preferences(
    *, user: User, changed: Mapping[str, str], browser: Preferences = NO_PREFERENCES
) -> Preferences:
    """Change some preferences of an account; the others stay."""
    kept = User.objects.select_for_update().get(pk=user.pk)
    now = replace(kept_preferences(kept, browser), **changed)
    kept.preferences = asdict(now)
    kept.save(update_fields=["preferences"])
    user.preferences = kept.preferences
    return now


def keep_in_browser(response: HttpResponse, preferences: Preferences) -> None:
    """Store the preferences of a visitor without an account in their browser."""
    chosen = {name: value for name, value in asdict(preferences).items() if value}
    response.set_cookie(
        COOKIE,
        json.dumps(chosen, separators=(",", ":")),
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def for_templates(request: HttpRequest) -> dict[str, Any]:
    """Return the template context with the preferences, read when they are used."""
    return {"preferences": SimpleLazyObject(lambda: preferences_of(request))}
