"""What does a program want a deck to be?"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from arkham.rules.checking import parts_of
from arkham.rules.notation.reading import Unreadable
from decks.api.refusals import MISSHAPEN, refusal
from decks.content import Content, read_content
from decks.models import LONGEST_NAME, Revision


class Written(NamedTuple):
    """A deck as it was handed in."""

    content: Content
    name: str


def written(data: Any) -> Written:
    """The deck, its circumstances and name in the value of a body; or 422."""
    try:
        content = read_content(data)
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None
    parts = parts_of(data)
    name = parts.deck.get("name") or ""
    if len(name) > LONGEST_NAME:
        fault = _("A name has at most %(most)d characters.") % {"most": LONGEST_NAME}
        place: Any = {"name": [fault]}
        raise ValidationError({"deck": place} if parts.prefix else place)
    return Written(content, name)


def patched(latest: Revision, patch: Any) -> Written:
    """The deck as it is, changed by a JSON merge patch; or 422."""
    content = latest.content
    deck = {"name": latest.deck.name, **content.deck}
    return written(
        merged({"deck": deck, "circumstances": content.circumstances}, patch)
    )


def merged(target: Any, patch: Any) -> Any:
    """The target changed by a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
