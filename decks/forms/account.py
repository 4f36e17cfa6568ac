"""The file of an account, handed in."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from decks.interchange.account_file import MOST_BYTES


class AccountFileForm(forms.Form):
    """A file that was taken from an account, here or elsewhere."""

    file = forms.FileField(label=gettext_lazy("File of an account"), max_length=255)

    def clean_file(self) -> str:
        """The text of the file."""
        file = self.cleaned_data["file"]
        assert isinstance(file, UploadedFile)
        if file.size is None or file.size > MOST_BYTES:
            raise forms.ValidationError(
                _("The file is larger than an account’s can be (64 MB).")
            )
        try:
            return str(file.read(), "utf-8-sig")
        except UnicodeDecodeError as error:
            raise forms.ValidationError(
                _("The file is not text: at byte %(place)d UTF-8 was expected.")
                % {"place": error.start}
            ) from None
