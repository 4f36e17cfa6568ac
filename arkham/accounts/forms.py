"""The forms at the door, with an invitation code where one is asked for; API keys."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.accounts import services
from arkham.accounts.models import LONGEST_KEY_NAME, ApiKey, User


class LoginForm(AllauthLoginForm):  # type: ignore[misc]
    """Name and password; the way out for the forgetful stands on the page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""
        self.fields["remember"].label = _("Keep me signed in")


class SignupForm(AllauthSignupForm):  # type: ignore[misc]
    """Name, password and, when sign-up is by invitation, the code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "At least eight characters, not only digits, and no common password."
        )
        if settings.ORNE_SIGNUP == "invitation":
            self.fields["invitation"] = forms.CharField(
                label=_("Invitation code"),
                max_length=64,
                help_text=_("The keeper of this server gave it to you. It works once."),
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            self.order_fields(["invitation", *self.fields])

    def clean_invitation(self) -> str:
        """Refuse a code that is unknown, expired or used, without saying which."""
        code = str(self.cleaned_data["invitation"])
        if not services.is_open(code=code, now=timezone.now()):
            raise forms.ValidationError(
                _("This code is not known here, was used already or has expired.")
            )
        return code

    @transaction.atomic
    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account and use up the invitation, both or neither."""
        try:
            with transaction.atomic():
                user, response = super().try_save(request)
        except IntegrityError:
            # The name was taken since this was checked, or the form was sent twice.
            name = self.cleaned_data["username"]
            if not User.objects.filter(username__iexact=name).exists():
                raise
            messages.error(
                request, _("This name has just been taken. Choose another, or sign in.")
            )
            return None, redirect("account_signup")
        code = self.cleaned_data.get("invitation")
        if user is None or code is None:
            return user, response
        if services.redeem(code=code, user=user, now=timezone.now()):
            return user, response
        # Somebody else used the code since this form was checked.
        transaction.set_rollback(True)
        messages.error(request, _("This code has just been used by somebody else."))
        return None, redirect("account_signup")


class KeyForm(forms.Form):
    """What a program is called, and what it may do."""

    name = forms.CharField(
        label=gettext_lazy("Name of the program"),
        max_length=LONGEST_KEY_NAME,
        help_text=gettext_lazy("By it you will know which key to revoke."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.TypedChoiceField(
        label=gettext_lazy("It may"),
        choices=ApiKey.Scope.choices,
        coerce=ApiKey.Scope,
        initial=ApiKey.Scope.READ,
    )
