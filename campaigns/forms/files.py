"""The form for a campaign file: JSON of a size a campaign has."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.notation.reading import Unreadable, read_json
from campaigns.files.campaign_file import MOST_BYTES

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
            told = _("Line %(line)d, column %(column)d: %(fault)s") % {
                "fault": _(fault.message).format(found=fault.found),
                "line": fault.line,
                "column": fault.column,
            }
            raise forms.ValidationError([_UNREADABLE, _details(told)]) from error


def _details(told: str) -> forms.ValidationError:
    """What only those need who look into the file."""
    return forms.ValidationError(told, code="details")
