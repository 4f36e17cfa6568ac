"""Guides in the admin: to list and remove them."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from campaigns.guides.keeping import played_by
from campaigns.models import Guide


@admin.register(Guide)
class GuideAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists guides and their owners; guides in use can't be deleted."""

    list_display = ("name", "guide_id", "version", "origin", "owner", "brought_at")
    list_filter = ("origin",)
    list_select_related = ("owner",)
    search_fields = ("name", "guide_id", "owner__username")
    exclude = ("prepared", "words")  # imported texts are private
    actions = None  # one by one, because each deletion is checked

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: guides are imported by a command, a page or a program."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Refuse: a guide never changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Refuse while campaigns use it."""
        allowed = super().has_delete_permission(request)
        return allowed and not (isinstance(obj, Guide) and played_by(obj).exists())
