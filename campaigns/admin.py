"""Guides in the admin: to see which there are, and to remove them."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from campaigns.guides.keeping import played_by
from campaigns.models import Guide


@admin.register(Guide)
class GuideAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Whose guides there are; one that campaigns are played by stays."""

    list_display = ("name", "guide_id", "version", "origin", "owner", "brought_at")
    list_filter = ("origin",)
    list_select_related = ("owner",)
    search_fields = ("name", "guide_id", "owner__username")
    exclude = ("prepared", "words")  # what somebody brought is theirs to read
    actions = None  # one by one, for each is asked whether it is needed

    def has_add_permission(self, request: HttpRequest) -> bool:
        """They are brought by a command, a page or a program."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """A guide never changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Not while it is played by."""
        allowed = super().has_delete_permission(request)
        return allowed and not (isinstance(obj, Guide) and played_by(obj).exists())
