"""The forms for files that are handed in: a campaign file, or guides.

A campaign file is JSON of a size a campaign has; guides come as a zip or by an address.
"""

from __future__ import annotations

from typing import IO, Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.notation.reading import Unreadable, read_json
from campaigns.files.campaign_file import MOST_BYTES
from campaigns.guides.incoming import LONGEST_ADDRESS

_UNREADABLE = gettext_lazy(
    "This file isn't a campaign of ours or a backup of Arkham Cards. It may be damaged "
    "or only part of the file; export it again and try once more."
)


class FileForm(forms.Form):
    """One file with a campaign."""

    file = forms.FileField(
        label=gettext_lazy("File with a campaign"),
        widget=forms.FileInput(attrs={"accept": ".json,.acb,application/json"}),
    )

    def clean_file(self) -> Any:
        """What is in it."""
        given = self.cleaned_data["file"]
        if (given.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                _("At most %(number)d MB.") % {"number": MOST_BYTES // 1024**2}
            )
        try:
            return read_json(given.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError(_UNREADABLE) from error
        except Unreadable as error:
            fault = error.faults[0]
            details = _("Line %(line)d, column %(column)d: %(fault)s") % {
                "fault": _(fault.message).format(found=fault.found),
                "line": fault.line,
                "column": fault.column,
            }
            raise forms.ValidationError([_UNREADABLE, _details(details)]) from error


def _details(text: str) -> forms.ValidationError:
    """What only those need who look into the file."""
    return forms.ValidationError(text, code="details")


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
