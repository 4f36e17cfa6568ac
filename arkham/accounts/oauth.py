"""Apps that act for an account by OAuth 2, at the same addresses as ArkhamDB.

Anyone with an account can register an app; others allow it to act for them on a page
that says what it may do. Tokens are stored as digests, last as long as the settings
say, and are listed and revoked together with API keys.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.views import AuthorizationView, TokenView
from oauthlib.oauth2.rfc6749.errors import UnsupportedCodeChallengeMethodError
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from arkham.accounts.models import User
from arkham.web.problems import Problem
from arkham.web.quotas import lock_owner
from arkham.web.request_limits import Throttle

MOST_APPS = 20  # registered by one account
LONGEST_NAME = 80
LONGEST_ADDRESSES = 1_000
READ, WRITE = "read", "write"
GRANTS = ("authorization_code", "refresh_token")  # grants that tokens are issued for
# How long a reused refresh token is refused without revoking its whole family.
A_MOMENT = timedelta(seconds=10)
# An app's own URL scheme; not one that browsers run or read files by.
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
_UNFIT = frozenset(
    ("javascript", "data", "vbscript", "file", "about", "blob", "view-source", "ftp")
)
_LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


def may_act(app: Application | None) -> bool:
    """Return whether this is an app whose account isn't blocked."""
    return app is not None and (app.user is None or app.user.is_active)


class Validator(OAuth2Validator):  # type: ignore[misc]
    """Requires PKCE of public apps, which can't keep a secret.

    Apps of blocked accounts are unknown, and no tokens are issued for blocked accounts.
    """

    def validate_client_id(self, client_id: str, request: Any, *args: Any) -> bool:
        """Return whether there is such an app, which may act."""
        known = super().validate_client_id(client_id, request, *args)
        return known and may_act(request.client)

    def authenticate_client(self, request: Any, *args: Any) -> bool:
        """Return whether an app with a secret has sent it, and may act."""
        return super().authenticate_client(request, *args) and may_act(request.client)

    def authenticate_client_id(self, client_id: str, request: Any, *args: Any) -> bool:
        """Return whether there is such an app without a secret, which may act."""
        known = super().authenticate_client_id(client_id, request, *args)
        return known and may_act(request.client)

    def validate_code(self, client_id: str, code: str, *args: Any) -> bool:
        """Return whether tokens are issued for a code.

        If a code is used twice, all its tokens are revoked: either use may have been by
        a thief (RFC 6749, 4.1.2).
        """
        client, request = args
        if super().validate_code(client_id, code, client, request):
            return bool(request.user.is_active)
        if not Grant.objects.filter(code=code).exists():
            RefreshToken.revoke_family(_family_of(code, client))
        return False

    def _create_refresh_token(
        self, request: Any, token: str, access: AccessToken, before: RefreshToken | None
    ) -> RefreshToken:
        """Return a refresh token, marked with the family of its code."""
        made = super()._create_refresh_token(request, token, access, before)
        if before is None:
            made.token_family = _family_of(request.code, request.client)
            made.save(update_fields=["token_family"])
        return made

    def validate_refresh_token(self, *args: Any) -> bool:
        """Return whether new tokens are issued for a refresh token."""
        if _was_just_used(args[0]):  # two threads of an app, not a thief
            return False
        return bool(super().validate_refresh_token(*args) and args[-1].user.is_active)

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Application, request: Any
    ) -> bool:
        """Return whether these scopes may be requested; an empty ``scope`` is all."""
        if scopes == [""]:
            request.scopes = scopes = self.get_default_scopes(client_id, request)
        return bool(super().validate_scopes(client_id, scopes, client, request))

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        """Return whether a challenge is required: an app with a secret may omit it.

        If one is sent, it must be hashed.
        """
        if request.code_challenge and request.code_challenge_method != "S256":
            raise UnsupportedCodeChallengeMethodError(request=request)
        app = Application.objects.filter(client_id=client_id).first()
        is_public = app is not None and app.client_type == Application.CLIENT_PUBLIC
        return app is None or bool(is_public)


def _was_just_used(refresh_token: str) -> bool:
    """Return whether this refresh token was exchanged a moment ago."""
    used = AccessToken.objects.filter(
        source_refresh_token__token_checksum=_digest(refresh_token),
        source_refresh_token__revoked__gt=timezone.now() - A_MOMENT,
    )
    return bool(used.exists())


def _family_of(code: str, app: Application) -> UUID:
    """Return the id shared by all refresh tokens that descend from an app's code."""
    return UUID(_digest(f"{app.pk} {code}")[:32])


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class TokensByGrant(TokenView):  # type: ignore[misc]
    """Issues tokens once per code and refresh token, also for concurrent requests."""

    @transaction.atomic
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the tokens or a refusal; requests with the same token wait."""
        named = request.POST.get("grant_type")
        if named not in GRANTS:
            kind = "unsupported_grant_type" if named else "invalid_request"
            expected = f"Expected: a form with grant_type, one of {', '.join(GRANTS)}."
            refusal = {"error": kind, "error_description": expected}
            return JsonResponse(refusal, status=400)
        given = request.POST.get("refresh_token", "")
        codes = Grant.objects.filter(code=request.POST.get("code", ""))
        for held in (
            RefreshToken.objects.filter(token_checksum=_digest(given)),
            codes,
        ):
            list(held.select_for_update(of=("self",)).values_list("pk"))
        answer: HttpResponse = self.authorization_flow_token_response(request)
        return answer


# -- registering --


class TooManyApps(Exception):
    """The account has registered as many apps as it may."""


def read_redirects(text: str) -> str:
    """Return an app's redirect addresses, separated by blanks; ValueError for others.

    Allowed are HTTPS, plain HTTP on the local machine, or the app's own scheme.
    """
    addresses = text.split()
    for address in addresses:
        parts = urlsplit(address)
        scheme = parts.scheme.lower()
        is_fit = (
            not parts.fragment
            and "*" not in address
            and _SCHEME.fullmatch(scheme) is not None
            and scheme not in _UNFIT
        )
        if scheme == "https":
            is_fit &= bool(parts.hostname)
        if scheme == "http":
            is_fit &= parts.hostname in _LOOPBACK
        if not is_fit or not (parts.netloc or parts.path):
            raise ValueError(address)
    return " ".join(dict.fromkeys(addresses))


class AppForm(forms.Form):
    """The name of a new app and its redirect addresses."""

    app_name = forms.CharField(
        label=gettext_lazy("Name of the app"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("People see this name when they are asked for access."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    redirects = forms.CharField(
        label=gettext_lazy("Redirect addresses"),
        max_length=LONGEST_ADDRESSES,
        help_text=gettext_lazy(
            "One per line: https://…, http://localhost… or a scheme of the app’s own, "
            "such as myapp://signed-in."
        ),
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
    )
    has_secret = forms.BooleanField(
        label=gettext_lazy("It runs on a server, so it can store a client secret"),
        required=False,
    )

    def clean_redirects(self) -> str:
        """Return the addresses; an error names the first that isn't allowed."""
        try:
            return read_redirects(self.cleaned_data["redirects"])
        except ValueError as error:
            raise forms.ValidationError(
                _("“%(address)s” isn’t an address we can send people back to.")
                % {"address": error}
            ) from None


@transaction.atomic
def register_app(
    *, owner: User, name: str, redirects: str, has_secret: bool
) -> tuple[Application, str]:
    """Register an app; return it and its secret, which isn't stored ("" if public)."""
    lock_owner(owner)
    if Application.objects.filter(user=owner).count() >= MOST_APPS:
        raise TooManyApps
    secret = generate_client_secret() if has_secret else ""
    app = Application.objects.create(
        user=owner,
        name=name.strip(),
        redirect_uris=redirects,
        client_type=(
            Application.CLIENT_CONFIDENTIAL if has_secret else Application.CLIENT_PUBLIC
        ),
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        client_secret=secret or generate_client_secret(),
    )
    return app, secret


def delete_app(*, app: Application) -> None:
    """Delete a registered app; it loses access to every account."""
    app.delete()


# -- access --


class GrantedApp(NamedTuple):
    """An app that may act for an account, with its scopes, and since when."""

    app: Application
    scopes: tuple[Any, ...]
    since: datetime


def granted_apps(user: User, words: dict[str, Any]) -> list[GrantedApp]:
    """Return the apps with access to an account, latest first, with scope labels."""
    found: dict[int, GrantedApp] = {}
    now = timezone.now()
    living = RefreshToken.objects.filter(user=user, revoked=None)
    held = AccessToken.objects.filter(user=user).select_related("application")
    usable = held.filter(expires__gt=now) | held.filter(refresh_token__in=living)
    for token in usable.order_by("-created").distinct():
        scopes = tuple(words[each] for each in token.scope.split() if each in words)
        found.setdefault(
            token.application_id, GrantedApp(token.application, scopes, token.created)
        )
    return list(found.values())


@transaction.atomic
def revoke_app(*, user: User, app: Application) -> None:
    """Revoke an app's access to this account."""
    for model in (AccessToken, RefreshToken, Grant):
        model.objects.filter(user=user, application=app).delete()


# -- consent --


class Authorize(AuthorizationView):  # type: ignore[misc]
    """The page that asks a person whether an app may act for them."""

    template_name = "account/authorize.html"

    def redirect(self, redirect_to: str, application: Application | None) -> Any:
        """Redirect the person to the app, which may have its own URL scheme."""
        if application is None:
            known = self.request.GET.get("client_id", "")
            application = Application.objects.filter(client_id=known).first()
        own = application.redirect_uris.split() if application else []
        schemes = {urlsplit(each).scheme for each in own} - _UNFIT
        return OAuth2ResponseRedirect(redirect_to, schemes)

    def render_to_response(self, context: Any, **options: Any) -> HttpResponse:
        """Return the page; its form may only lead to the app."""
        response: HttpResponse = super().render_to_response(context, **options)
        address = urlsplit(str(context.get("redirect_uri") or ""))
        if address.scheme in ("http", "https"):
            places = [f"{address.scheme}://{address.netloc}"]
        else:
            places = [f"{address.scheme}:"] if address.scheme else []
        response._csp_update = {"form-action": places}  # type: ignore[attr-defined]
        response["Cache-Control"] = "no-store"
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer the app as the person chose."""
        form = self.get_form()
        app = Application.objects.filter(client_id=request.POST.get("client_id", ""))
        # Only values from our page get here: anything else is forged.
        is_known = app.exists() and form.is_valid()
        if is_known and app.get().redirect_uri_allowed(
            form.cleaned_data["redirect_uri"]
        ):
            answer: HttpResponse = self.form_valid(form)
            return answer
        error = {"error": "invalid_request", "description": ""}
        return self.render_to_response({"error": error}, status=400)


# -- signing in --


class TokenRefused(AuthenticationFailed):
    """401 for an unknown or expired token, with ArkhamDB's wording."""


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer …`` or ``?access_token=…`` of an app.

    Scopes are checked here, so that no view can forget to.
    """

    def authenticate(self, request: Request) -> tuple[User, AccessToken]:
        """Return the app's account, and its token; 401 without a valid one."""
        text = _token_of(request)
        if not text:
            raise NotAuthenticated
        found = AccessToken.objects.select_related("user", "application__user")
        token = found.filter(token_checksum=_digest(text)).first()
        if token is None or not (may_act(token.application) and token.user.is_active):
            raise TokenRefused("The access token provided is invalid.")
        if token.is_expired():
            raise TokenRefused("The access token provided has expired.")
        needed = READ if request.method in SAFE_METHODS else WRITE
        if not token.allow_scopes([needed]):
            said = (
                _("This app only has permission to read.")
                if needed == WRITE
                else _("This app doesn’t have permission to read.")
            )
            raise Problem(403, said, kind="insufficient-scope")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401."""
        return 'Bearer realm="Service", error="access_denied"'


def _token_of(request: Request) -> str:
    scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return text.strip()
    return request.query_params.get("access_token", "")


class AppThrottle(Throttle):
    """Counts the requests of each app for an account, like those of a key."""

    scope = "key"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the counter's key; None without an app."""
        if not isinstance(request.auth, AccessToken):
            return None
        ident = f"app-{request.auth.application_id}-{request.auth.user_id}"
        return self.cache_format % {"scope": self.scope, "ident": ident}
