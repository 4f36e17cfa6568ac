"""How does a program sign in? With an API key, or in the session of a page."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from arkham.accounts import services
from arkham.accounts.models import ApiKey, User
from arkham.web.problems import Problem
from arkham.web.rate_limits import Throttle

if TYPE_CHECKING:
    # It looks for the classes of this module while it is being loaded.
    from rest_framework.views import APIView

SCHEME = "Bearer"


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer orne_…`` signs in the owner of the key.

    What the key may not do is refused here, so that no view can forget to. A view
    whose unsafe methods change nothing says so with ``only_reads = True``.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        """Who the key's owner is, and the key; None if none was sent."""
        scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        key = services.key_behind(text=text.strip(), now=timezone.now())
        if key is None:
            raise AuthenticationFailed(
                _("This API key is not known here, or was revoked.")
            )
        view = (request.parser_context or {}).get("view")
        only_reads = request.method in SAFE_METHODS or getattr(
            view, "only_reads", False
        )
        if not (key.may_write or only_reads):
            raise Problem(
                403,
                _("This API key may read only; make one that may write."),
                kind="read-only-key",
            )
        return key.owner, key

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return f'{SCHEME} realm="Orne"'


class BodilessSessionAuthentication(SessionAuthentication):
    """The session of a page; its token against forgery comes in the header.

    The body is left to be read by the view, whole and within its own bounds: looked
    through for a token here, it could be read no more.
    """

    def enforce_csrf(self, request: Request) -> None:
        """Refuse what another site has sent."""
        bare: Any = copy(request._request)
        bare._post = QueryDict()
        bare._files = MultiValueDict()
        super().enforce_csrf(bare)


class KeyRateThrottle(Throttle):
    """Counts the requests of each API key by itself, beside those of its account."""

    scope = "key"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Under which the key's requests are counted; None without one."""
        if not isinstance(request.auth, ApiKey):
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.auth.pk}
