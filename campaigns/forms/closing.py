"""Closing an account: what is asked before."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class ClosingForm(forms.Form):
    """The password once more, and that one is sure."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(
        label=gettext_lazy("I am sure: it cannot be undone."),
        error_messages={"required": gettext_lazy("Say that you are sure.")},
    )
    seen = forms.CharField(widget=forms.HiddenInput)
