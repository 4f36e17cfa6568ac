"""Our account pages and their forms; the others are allauth's.

Sign-up asks for an invitation code if one is needed; API keys are created here.
"""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)
from oauth2_provider.models import Application

from arkham.accounts import oauth, services
from arkham.accounts.authentication import account_required
from arkham.accounts.models import LONGEST_KEY_NAME, ApiKey, User
from arkham.web.forms import sent_once
from arkham.web.request_limits import NOWHERE


class LoginForm(AllauthLoginForm):  # type: ignore[misc]
    """Name and password; the page itself has the link to reset a password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""
        self.fields["remember"].label = _("Keep me signed in")


class SignupForm(AllauthSignupForm):  # type: ignore[misc]
    """Name, password and, if sign-up is by invitation, the code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "At least 8 characters, not all digits, and not a common password."
        )
        if settings.ORNE_SIGNUP == "invitation":
            self.fields["invitation"] = forms.CharField(
                label=_("Invitation code"),
                max_length=64,
                help_text=_(
                    "You get it from the operator of this server. It works once."
                ),
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            self.order_fields(["invitation", *self.fields])

    def clean_invitation(self) -> str:
        """Refuse a code that is unknown, expired or used, without saying which."""
        code = str(self.cleaned_data["invitation"])
        if not services.is_open(code=code, now=timezone.now()):
            raise forms.ValidationError(
                _("We don’t know this code, or it was used or has expired.")
            )
        return code

    @transaction.atomic
    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account and use up the invitation, both or neither."""
        try:
            with transaction.atomic():
                user, response = super().try_save(request)
        except IntegrityError:
            # The name was taken after the check, or the form was sent twice.
            name = self.cleaned_data["username"]
            if not User.objects.filter(username__iexact=name).exists():
                raise
            messages.error(
                request, _("This name is already taken. Choose another, or sign in.")
            )
            return None, redirect("account_signup")
        code = self.cleaned_data.get("invitation")
        if user is None or code is None:
            return user, response
        if services.redeem(code=code, user=user, now=timezone.now()):
            return user, response
        # Another visitor used the code after this form was checked.
        transaction.set_rollback(True)
        messages.error(request, _("Someone else has just used this code."))
        return None, redirect("account_signup")


class FirstCodeForm(ActivateTOTPForm):  # type: ignore[misc]
    """The code with which a second step is set up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code that the app shows")


class KeyForm(forms.Form):
    """A program's name and its access."""

    name = forms.CharField(
        label=gettext_lazy("Name of the program"),
        max_length=LONGEST_KEY_NAME,
        help_text=gettext_lazy("So you know which key to revoke."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.TypedChoiceField(
        label=gettext_lazy("Access"),
        choices=ApiKey.Scope.choices,
        coerce=ApiKey.Scope,
        initial=ApiKey.Scope.READ,
    )


@account_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the account, with links to change it."""
    context = {"email_configured": settings.EMAIL_CONFIGURED}
    return render(request, "account/overview.html", context)


def password_reset(request: HttpRequest) -> HttpResponseBase:
    """Send a reset link by e-mail; without e-mail, say whom to ask."""
    if settings.EMAIL_CONFIGURED:
        response: HttpResponseBase = allauth_views.password_reset(request)
        return response
    return render(request, "account/password_reset_by_keeper.html")


class Sessions(ListUserSessionsView):  # type: ignore[misc]
    """The signed-in browsers, and a way to sign out all others."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the sessions; an older one that isn't listed yet is added."""
        key = self.request.session.session_key
        if not UserSession.objects.filter(session_key=key).exists():
            UserSession.objects.create_from_request(self.request)
        context: dict[str, Any] = super().get_context_data(**kwargs)
        for each in context["sessions"]:
            each.browser = _browser_of(each.user_agent)
            each.place = _("an unknown address") if each.ip == NOWHERE else each.ip
        return context


# In order of lookup: most browsers also name those they resemble.
_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}


def _browser_of(agent: str) -> str:
    """Return a browser's name in plain words, or the start of its user agent."""
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    if browser and system:
        values = {"browser": browser, "system": system}
        return _("%(browser)s on %(system)s") % values
    return agent[:60] or _("Unknown browser")


sessions = Sessions.as_view()


class Addresses(allauth_views.EmailView):  # type: ignore[misc]
    """The e-mail addresses of the account."""

    def _action_send(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponseBase | None:
        """Resend the link to an address, or say that it was just sent."""
        response: HttpResponseBase | None = super()._action_send(
            request, *args, **kwargs
        )
        if not self._did_send_verification_email:
            messages.info(
                request,
                _(
                    "We sent a link to this address a moment ago, and it still works. "
                    "If it doesn’t arrive, try again in a few minutes."
                ),
            )
        return response


def email(request: HttpRequest) -> HttpResponseBase:
    """Show the account's addresses, on a server that sends e-mail."""
    if not settings.EMAIL_CONFIGURED:
        raise Http404
    response: HttpResponseBase = Addresses.as_view()(request)
    return response


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def keys(request: HttpRequest) -> HttpResponse:
    """List the API keys, and create one; its text is shown here, once."""
    assert isinstance(request.user, User)
    form = KeyForm(request.POST if request.method == "POST" else None)
    made = None
    if form.is_valid():
        try:
            made = services.make_key(
                owner=request.user, now=timezone.now(), **form.cleaned_data
            )
            form = KeyForm()
        except services.TooManyKeys:
            form.add_error(
                None,
                _(
                    "You have %(most)d keys, the most an account can have. Revoke one "
                    "you don’t need."
                )
                % {"most": services.MOST_KEYS},
            )
    status = 422 if form.errors else 200
    return _keys_page(request, form=form, made=made, status=status)


def _keys_page(request: HttpRequest, status: int = 200, **shown: Any) -> HttpResponse:
    """Return the page of keys and apps, with the forms for new ones."""
    assert isinstance(request.user, User)
    context = {
        "form": KeyForm(),
        "app_form": oauth.AppForm(),
        "keys": request.user.api_keys.all(),
        "granted": oauth.granted_apps(request.user, settings.OAUTH2_PROVIDER["SCOPES"]),
        "apps": Application.objects.filter(user=request.user),
        **shown,
    }
    return render(request, "account/keys.html", context, status=status)


@account_required
@never_cache
@require_POST
@sent_once
def new_app(request: HttpRequest) -> HttpResponse:
    """Register an app; its client id and secret are shown here, the secret once."""
    assert isinstance(request.user, User)
    form = oauth.AppForm(request.POST)
    if not form.is_valid():
        return _keys_page(request, 422, app_form=form)
    sent = form.cleaned_data
    try:
        made = oauth.register_app(
            owner=request.user,
            name=sent["app_name"],
            redirects=sent["redirects"],
            has_secret=sent["has_secret"],
        )
    except oauth.TooManyApps:
        said = _("You have %(most)d apps, the most an account can register.")
        form.add_error(None, said % {"most": oauth.MOST_APPS})
        return _keys_page(request, 422, app_form=form)
    return _keys_page(request, made_app=made)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def delete_app(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete an app, after confirmation; it loses access to all accounts."""
    app = get_object_or_404(Application, pk=pk, user=request.user)
    if request.method != "POST":
        context = {"app": app, "deletes": True}
        return render(request, "account/revoke_app.html", context)
    oauth.delete_app(app=app)
    messages.success(request, _("App deleted."))
    return redirect("account_keys")


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def revoke_app(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke an app's access to this account, after confirmation."""
    assert isinstance(request.user, User)
    granted = oauth.granted_apps(request.user, settings.OAUTH2_PROVIDER["SCOPES"])
    app = next((each.app for each in granted if each.app.pk == pk), None)
    if app is None:
        raise Http404
    if request.method != "POST":
        return render(request, "account/revoke_app.html", {"app": app})
    oauth.revoke_app(user=request.user, app=app)
    messages.success(request, _("Access revoked."))
    return redirect("account_keys")


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def revoke_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a key, after confirmation."""
    key = get_object_or_404(ApiKey, pk=pk, owner=request.user, revoked_at=None)
    if request.method != "POST":
        return render(request, "account/revoke_key.html", {"key": key})
    services.revoke_key(key=key, now=timezone.now())
    messages.success(request, _("Key revoked."))
    return redirect("account_keys")
