"""Decks, revisions and shared verdicts in the admin: to look at, not to change."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from decks.models import (
    Collection,
    Correction,
    Deck,
    Draw,
    LedgerEntry,
    Notice,
    Revision,
    SharedVerdict,
    Showing,
)


class _Kept(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that never change once they are made."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """They are made by services."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """What was once so stays so."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """A gap in a chain or a ledger would change every balance after it."""
        return False


class _Removable(_Kept):
    """The same for what may go: nothing is built on it."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Who may delete in the admin may delete these."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Deck)
class DeckAdmin(_Kept):
    """Whose decks there are, and when they last changed."""

    list_display = ("__str__", "owner", "revision", "made_at", "changed_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    exclude = ("key",)  # whoever knows it may change the deck


@admin.register(Showing)
class ShowingAdmin(_Removable):
    """Decks that others see; a published one may be withdrawn here."""

    list_display = ("deck", "kind", "revision", "since", "changed_at")
    list_filter = ("kind",)
    list_select_related = ("deck",)
    exclude = ("key",)  # whoever knows it may see the deck


@admin.register(Revision)
class RevisionAdmin(_Kept):
    """How decks stood once."""

    list_display = ("deck", "number", "cause", "made_by", "made_at", "played_at")
    list_select_related = ("deck", "made_by")


@admin.register(LedgerEntry)
class LedgerEntryAdmin(_Kept):
    """Experience, and where it came from or went."""

    list_display = ("deck", "number", "kind", "amount", "reason", "author", "made_at")
    list_select_related = ("deck", "author")


@admin.register(SharedVerdict)
class SharedVerdictAdmin(_Removable):
    """Verdicts given away."""

    list_display = ("__str__", "rules_version", "pool_version", "made_at")


@admin.register(Draw)
class DrawAdmin(_Kept):
    """What came by chance."""

    list_display = ("__str__", "deck", "revision", "made", "made_at")
    list_select_related = ("deck",)


@admin.register(Correction)
class CorrectionAdmin(_Kept):
    """Draws that do not hold."""

    list_display = ("draw", "reason", "made_at")
    list_select_related = ("draw",)


@admin.register(Collection)
class CollectionAdmin(_Removable):
    """Who owns which products."""

    list_display = ("name", "owner", "changed_at")
    list_select_related = ("owner",)


@admin.register(Notice)
class NoticeAdmin(_Kept):
    """What is found otherwise since rules or cards changed."""

    list_display = ("deck", "status_before", "status_after", "is_serious", "made_at")
    list_select_related = ("deck",)
