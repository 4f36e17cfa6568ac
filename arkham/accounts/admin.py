"""Accounts, invitations and API keys in the admin."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from arkham.accounts.models import ApiKey, Invitation, User


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]
    """Who has an account; the command ``close_account`` closes one."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Its tables would be left without an organiser."""
        return False


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Who was invited; invitations are made by the command ``invite``."""

    list_display = ("note", "created_at", "expires_at", "used_at", "used_by")
    readonly_fields = ("created_at", "used_at", "used_by")
    exclude = ("digest",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The code could not be shown here."""
        return False


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Which programs act in whose name; a key can be revoked here, not made."""

    list_display = ("owner", "name", "scope", "prefix", "used_at", "revoked_at")
    readonly_fields = ("owner", "name", "scope", "prefix", "made_at", "used_at")
    exclude = ("digest",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The key could not be shown here."""
        return False
