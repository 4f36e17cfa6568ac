"""Decks, revisions and shared verdicts in the admin, read-only."""

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
    """Base for rows that never change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Services create these rows."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """These rows never change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """A gap in a chain or a ledger would change every balance after it."""
        return False


class _Removable(_Kept):
    """Base for rows that may be deleted, because nothing depends on them."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Ask for Django's usual permission."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Deck)
class DeckAdmin(_Kept):
    """Owners of decks, and when the decks last changed."""

    list_display = ("__str__", "owner", "revision", "made_at", "changed_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    exclude = ("key",)  # anyone who knows it may change the deck


@admin.register(Showing)
class ShowingAdmin(_Removable):
    """Decks that others see; delete a row to withdraw the deck."""

    list_display = ("deck", "kind", "revision", "since", "changed_at")
    list_filter = ("kind",)
    list_select_related = ("deck",)
    exclude = ("key",)  # anyone who knows it may see the deck


@admin.register(Revision)
class RevisionAdmin(_Kept):
    """All revisions of decks."""

    list_display = ("deck", "number", "cause", "made_by", "made_at", "played_at")
    list_select_related = ("deck", "made_by")


@admin.register(LedgerEntry)
class LedgerEntryAdmin(_Kept):
    """Experience earned and spent."""

    list_display = ("deck", "number", "kind", "amount", "reason", "author", "made_at")
    list_select_related = ("deck", "author")


@admin.register(SharedVerdict)
class SharedVerdictAdmin(_Removable):
    """Verdicts shared by their address."""

    list_display = ("__str__", "rules_version", "pool_version", "made_at")


@admin.register(Draw)
class DrawAdmin(_Kept):
    """Random draws."""

    list_display = ("__str__", "deck", "revision", "made", "made_at")
    list_select_related = ("deck",)


@admin.register(Correction)
class CorrectionAdmin(_Kept):
    """Draws declared invalid."""

    list_display = ("draw", "reason", "made_at")
    list_select_related = ("draw",)


@admin.register(Collection)
class CollectionAdmin(_Removable):
    """Products that people own."""

    list_display = ("name", "owner", "changed_at")
    list_select_related = ("owner",)


@admin.register(Notice)
class NoticeAdmin(_Kept):
    """Changes of verdicts after rules or cards changed."""

    list_display = ("deck", "status_before", "status_after", "is_serious", "made_at")
    list_select_related = ("deck",)
