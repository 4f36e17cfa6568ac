"""How Orne's rules of sign-up are told to allauth."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Opens and closes sign-up by the setting ``ORNE_SIGNUP``."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """True unless the keeper of this server has closed sign-up."""
        return bool(settings.ORNE_SIGNUP != "closed")
