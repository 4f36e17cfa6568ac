"""Accounts, invitations and API keys in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from arkham.accounts.models import ApiKey, Invitation, User


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    """Lists accounts; the command ``close_account`` closes one."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Refuse: its tables would be left without an organiser."""
        return False


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists invitations; the command ``invite`` creates them."""

    list_display = ("note", "created_at", "expires_at", "used_at", "used_by")
    readonly_fields = ("created_at", "used_at", "used_by")
    exclude = ("digest",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: the code could not be shown here."""
        return False


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists API keys; a key can be revoked here, but not created."""

    list_display = ("owner", "name", "scope", "prefix", "used_at", "revoked_at")
    readonly_fields = ("owner", "name", "scope", "prefix", "made_at", "used_at")
    exclude = ("digest",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: the key could not be shown here."""
        return False
