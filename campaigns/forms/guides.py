"""Guides handed in: a zip, or the address of one."""

from __future__ import annotations

from typing import IO

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.guides.fetching import LONGEST_ADDRESS


class GuidesForm(forms.Form):
    """Where guides come from: one of the two."""

    file = forms.FileField(
        label=gettext_lazy("Zip with guides"),
        required=False,
        max_length=255,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    address = forms.CharField(
        label=gettext_lazy("Or its address"),
        required=False,
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(
            attrs={
                "inputmode": "url",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )

    @property
    def source(self) -> IO[bytes] | str:
        """The zip that was handed in, or the address."""
        file = self.cleaned_data.get("file")
        if not isinstance(file, UploadedFile):
            return str(self.cleaned_data["address"])
        assert file.file is not None
        return file.file

    def clean(self) -> None:
        """One of the two is needed, and both are too many."""
        given = [self.cleaned_data.get(name) for name in ("file", "address")]
        if not self.errors and sum(map(bool, given)) != 1:
            raise forms.ValidationError(
                _("Choose a zip, or give its address: one of the two.")
            )
