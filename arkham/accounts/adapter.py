"""How Orne's rules of sign-up are told to allauth."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from arkham.web.rate_limits import address_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Opens and closes sign-up by the setting ``ORNE_SIGNUP``."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """True unless the keeper of this server has closed sign-up."""
        return bool(settings.ORNE_SIGNUP != "closed")

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address sign-in attempts are counted by, the same as everywhere."""
        return address_of(request)

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Under which failures to sign in are counted: the name and the address.

        Counted by the name alone, a stranger could lock out anybody whose name is
        known. All names together are limited by address beside this.
        """
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{self.get_client_ip(request)}"
