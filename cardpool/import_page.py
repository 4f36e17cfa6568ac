"""The operator's page that imports texts and pictures of cards."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arkham.accounts.authentication import operators_only
from arkham.jobs import services as jobs
from arkham.web.http import page_or_fragment
from arkham.web.request_limits import AROUND_A_FILE, takes_up_to
from cardpool import tasks
from cardpool.languages import read_languages
from cardpool.models import CardImport

ARKHAMDB = "https://arkhamdb.com"
LONGEST_PLACE = 400  # characters
MOST_ZIP_BYTES = 64 * 1024 * 1024
ENOUGH_TO_GUESS = 20  # pictures, before the page estimates the remaining time


class ImportForm(forms.Form):
    """The source of texts and pictures, and which of them to import."""

    source = forms.CharField(
        label=gettext_lazy("From"),
        max_length=LONGEST_PLACE,
        required=False,
        help_text=gettext_lazy(
            "ArkhamDB or a site like it, or a folder or a zip on this server. Other "
            "languages: https://{language}.arkhamdb.com"
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    zip = forms.FileField(
        label=gettext_lazy("Or a zip from your device"),
        required=False,
        help_text=gettext_lazy("Up to 64 MB; put larger ones on the server."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    texts = forms.BooleanField(label=gettext_lazy("Texts"), required=False)
    pictures = forms.BooleanField(label=gettext_lazy("Pictures"), required=False)
    encounter_cards = forms.BooleanField(
        label=gettext_lazy("Pictures of encounter cards too"), required=False
    )
    images = forms.CharField(
        label=gettext_lazy("Pictures from elsewhere"),
        max_length=LONGEST_PLACE,
        required=False,
        help_text=gettext_lazy(
            "An address with {code}, like https://example.org/{code}.jpg, or a folder "
            "or zip with files like 01001.png. Leave empty to use the same source."
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    language = forms.CharField(
        label=gettext_lazy("Languages"),
        max_length=100,
        help_text=gettext_lazy(
            "ArkhamDB’s language codes: en, de, fr, pl, zh-cn … People choose among "
            "those you have imported."
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )

    def clean_language(self) -> str:
        """Return the languages, separated by commas."""
        try:
            return ",".join(read_languages(self.cleaned_data["language"]))
        except ValueError:
            raise forms.ValidationError(
                _("Enter languages as “en” or “en, zh-cn”.")
            ) from None

    def clean(self) -> dict[str, Any]:
        """Require texts or pictures, and a source for them."""
        said: dict[str, Any] = self.cleaned_data
        if not said.get("texts") and not said.get("pictures"):
            self.add_error(None, _("Choose texts, pictures, or both."))
        has_source = said.get("source") or said.get("zip")
        if said.get("texts") and not has_source and "source" not in self.errors:
            self.add_error("source", _("Enter where the texts are."))
        if said.get("pictures") and not has_source and not said.get("images"):
            self.add_error("source", _("Enter where the pictures are."))
        return said


def _initial() -> dict[str, Any]:
    return {
        "source": settings.CARD_SOURCE or ARKHAMDB,
        "images": settings.CARD_IMAGES,
        "language": settings.CARD_LANGUAGE,
        "texts": True,
        "pictures": True,
    }


@takes_up_to(MOST_ZIP_BYTES + AROUND_A_FILE)
@operators_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_cards(request: HttpRequest) -> HttpResponse:
    """Begin, watch, cancel or continue an import."""
    now, latest = timezone.now(), CardImport.latest()
    if request.method != "POST":
        return _page(request, ImportForm(initial=_initial()), latest, now)
    act = request.POST.get("act")
    if act == "cancel":
        if latest is not None:
            jobs.cancel(latest, now=now)
        return _back()
    form = ImportForm(request.POST, request.FILES, initial=_initial())
    try:
        if act == "continue" and latest is not None and not latest.is_preview:
            tasks.run_beside(tasks.continue_import(latest, now=now))
            return _back()
        if form.is_valid() and act == "preview" and not form.cleaned_data["texts"]:
            form.add_error("texts", _("Only texts have a preview."))
        if not form.is_valid():
            return _page(request, form, latest, now, status=422)
        if latest is not None and latest.is_active(now):
            raise tasks.AlreadyRunning
        tasks.run_beside(_begun(act, form.cleaned_data, now))
    except tasks.AlreadyRunning:
        if act == "continue":
            return _back()
        form.add_error(None, _("An import is running. Wait for it, or cancel it."))
        return _page(request, form, CardImport.latest(), now, status=409)
    except OSError as error:
        form.add_error(
            "zip", _("We couldn’t save it: %(why)s.") % {"why": error.strerror}
        )
        return _page(request, form, latest, now, status=422)
    return _back()


def _begun(act: str | None, said: dict[str, Any], now: datetime) -> CardImport:
    """Create an import, or a preview of one, to be run."""
    places = _places(said)
    if act != "preview":
        return tasks.begin_import(**places, now=now)
    return tasks.begin_preview(
        texts_from=places["texts_from"], language=places["language"], now=now
    )


def _back() -> HttpResponse:
    return HttpResponseRedirect(reverse("cardpool:import"), status=303)


def _places(said: dict[str, Any]) -> dict[str, Any]:
    source = _kept(said["zip"]) if said["zip"] else said["source"]
    return {
        "texts_from": source if said["texts"] else "",
        "pictures_from": (said["images"] or source) if said["pictures"] else "",
        "language": said["language"],
        "encounter_cards": said["encounter_cards"],
    }


def _kept(sent: UploadedFile[Any]) -> str:
    """Save an uploaded zip, deleting earlier ones; return its path."""
    folder = tasks.uploads()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in folder.iterdir():
        each.unlink()
    path = folder / get_valid_filename(Path(sent.name or "cards.zip").name[-80:])
    with path.open("wb") as file:
        for chunk in sent.chunks():
            file.write(chunk)
    return str(path)


def _page(
    request: HttpRequest,
    form: ImportForm,
    row: CardImport | None,
    now: datetime,
    *,
    status: int = 200,
) -> HttpResponse:
    active = row is not None and row.is_active(now)
    context = {
        "form": form,
        "row": row,
        "active": active,
        "can_continue": row is not None and row.can_continue(now),
        "minutes": _minutes_left(row, now) if row is not None and active else None,
    }
    names = "cardpool/import.html", "cardpool/_import.html"
    response = page_or_fragment(request, *names, context, status=status)
    if not active:
        response["HX-Refresh"] = "true"  # watchers get the form again
    return response


def _minutes_left(row: CardImport, now: datetime) -> int | None:
    """Estimate the minutes left, from the time per picture so far."""
    looked_at = row.new + row.unchanged + row.missing + row.failed
    if looked_at < ENOUGH_TO_GUESS:
        return None
    seconds = (now - row.begun_at).total_seconds() / looked_at
    return max(1, round(seconds * (row.total - row.done) / 60))
