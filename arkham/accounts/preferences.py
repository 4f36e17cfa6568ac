"""What a person prefers wherever something of theirs begins.

An account has its preferences in its row; without an account a browser keeps them in a
cookie. They fill in what is begun from then on and change nothing that there is.
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
# What may be preferred besides "", where that is the same on every server.
PREFERABLE = {
    "environment": ("current",),
    "mode": ("campaign", "standalone"),
    "theme": THEMES,
}
VALUE = re.compile(r"[a-z0-9-]{0,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Preferences:
    """Each is "" where nothing is preferred.

    ``taboo`` is the id of a list, or ``latest``; ``environment`` and ``mode`` are as
    circumstances have them; ``theme`` is one of ``THEMES``, "" to follow the system.
    ``card_language`` is what cards are shown in, "" for the first of the server's.
    """

    taboo: str = ""
    environment: str = ""
    mode: str = ""
    theme: str = ""
    card_language: str = ""


NO_PREFERENCES = Preferences()
NAMES = tuple(each.name for each in fields(Preferences))


def read_preferences(data: object) -> Preferences:
    """The preferences in JSON data; what can't be one is left out."""
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
    """What the visitor prefers: of the account, or of the browser without one.

    An account without any has those of the browser it was made in.
    """
    # A request for another host is refused before it has a user.
    user = getattr(request, "user", None)
    if isinstance(user, User) and user.preferences:
        return read_preferences(user.preferences)
    try:
        return read_preferences(json.loads(request.COOKIES.get(COOKIE, "{}")))
    except (ValueError, RecursionError):
        return NO_PREFERENCES


def kept_preferences(user: User, browser: Preferences) -> Preferences:
    """What an account prefers; one without any has what its browser keeps."""
    return read_preferences(user.preferences) if user.preferences else browser


@transaction.atomic
def save_preferences(
    *, user: User, changed: Mapping[str, str], browser: Preferences = NO_PREFERENCES
) -> Preferences:
    """Change some of the preferences of an account; the others stay as they are."""
    kept = User.objects.select_for_update().get(pk=user.pk)
    now = replace(kept_preferences(kept, browser), **changed)
    kept.preferences = asdict(now)
    kept.save(update_fields=["preferences"])
    user.preferences = kept.preferences
    return now


def keep_in_browser(response: HttpResponse, preferences: Preferences) -> None:
    """Have the browser keep the preferences of a visitor without an account."""
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
    """The context processor: what every page may ask, read where one does."""
    return {"preferences": SimpleLazyObject(lambda: preferences_of(request))}
