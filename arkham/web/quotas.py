"""Keep the number of stored things within the limits of the settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


class QuotaReached(Exception):
    """A quota is reached; the text says which, and what to do."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind


def lock_owner(keeper: Model) -> None:
    """Lock what an account stores until the transaction ends.

    Concurrent requests are then counted one after another.
    """
    rows = keeper._meta.model._base_manager.filter(pk=keeper.pk)
    rows.select_for_update(no_key=True).first()


def quota_of(kind: str) -> int:
    """Return the limit of a kind."""
    return int(settings.ORNE_QUOTAS[kind])


def require_room(kind: str, kept: QuerySet[Any] | int, more: int = 1) -> None:
    """Raise QuotaReached unless ``more`` of a kind fit in addition to those stored."""
    most = quota_of(kind)
    number = kept if isinstance(kept, int) else kept.count()
    if number + more <= most:
        return
    raise QuotaReached(_full(kind, most), kind)


def _full(kind: str, most: int) -> str:
    match kind:
        case "drafts":
            return _("This server can’t store more drafts. Sign in to save your deck.")
        case "draft_letters":
            return _(
                "This draft has reached its limit of changes. Sign in to save your "
                "deck and continue."
            )
        case "verdicts":
            return _("This server can’t store more shared verdicts right now.")
        case "links":
            text = ngettext(
                "This campaign has %(number)d open invitation, the most it can have.",
                "This campaign has %(number)d open invitations, the most it can have.",
                most,
            )
            return f"{text} {_('Revoke one you no longer need.')}" % {"number": most}
        case "revisions":
            text = ngettext(
                "This deck has %(number)d version, the most we can store.",
                "This deck has %(number)d versions, the most we can store.",
                most,
            )
            return f"{text} {_('Copy it, and change the copy.')}" % {"number": most}
        case "decks":
            text = ngettext(
                "You have %(number)d deck, the most an account can have.",
                "You have %(number)d decks, the most an account can have.",
                most,
            )
        case "collections":
            text = ngettext(
                "You have %(number)d collection, the most an account can have.",
                "You have %(number)d collections, the most an account can have.",
                most,
            )
        case "folders":
            text = ngettext(
                "You have %(number)d folder, the most an account can have.",
                "You have %(number)d folders, the most an account can have.",
                most,
            )
        case "campaigns":
            text = ngettext(
                "You organise %(number)d campaign, the most an account can have.",
                "You organise %(number)d campaigns, the most an account can have.",
                most,
            )
        case "jobs":
            text = ngettext(
                "You have %(number)d job, the most an account can have.",
                "You have %(number)d jobs, the most an account can have.",
                most,
            )
        case "webhooks":
            text = ngettext(
                "You have %(number)d webhook, the most an account can have.",
                "You have %(number)d webhooks, the most an account can have.",
                most,
            )
        case _:
            text = ngettext(
                "You have %(number)d campaign copy, the most you can have.",
                "You have %(number)d campaign copies, the most you can have.",
                most,
            )
    return f"{text} {_('Delete one you no longer need.')}" % {"number": most}
