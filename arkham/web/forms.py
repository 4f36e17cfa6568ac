"""Forms on pages: how fields are rendered, and what happens to submitted forms.

Labels have no colon, long values are not shown again, raw values are not quoted. A
refused form keeps its values, and a form sent twice is handled once.
"""

from __future__ import annotations

import pickle
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from hashlib import sha256
from typing import Any, NamedTuple, Self

from cryptography.fernet import Fernet
from django import forms
from django.contrib.sessions.backends.base import UpdateError
from django.core.cache import BaseCache, caches
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.forms.boundfield import BoundField
from django.forms.renderers import DjangoTemplates
from django.forms.widgets import Widget
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arkham.web.bodies import announced_length

LONGEST_SHOWN = 500_000  # letters; half a list of decks' most, far more than any name


class PageField(BoundField):
    """A field on a page, whose label has no suffix."""

    def value(self) -> Any:
        """Return the value to show; nothing if it is longer than any field accepts.

        A page may contain a refused form again, and escapes a quote as six letters.
        """
        value = super().value()
        is_long = isinstance(value, str) and len(value) > LONGEST_SHOWN
        return "" if is_long else value

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: Widget | None = None
    ) -> dict[str, Any]:
        """Return the attributes; the first field with an error gets the focus.

        On a long page the error would go unnoticed otherwise.
        """
        attrs = super().build_widget_attrs(attrs, widget)
        refused = (each.name for each in self.form.visible_fields() if each.errors)
        is_first = self.name == next(refused, "")
        is_seen = widget is None or not widget.is_hidden
        if self.errors and is_first and is_seen:
            attrs["autofocus"] = True
        return attrs

    def label_tag(
        self,
        contents: str | None = None,
        attrs: dict[str, Any] | None = None,
        label_suffix: str | None = None,
        tag: str | None = None,
    ) -> SafeString:
        """Return the label, without the suffix that Django would add."""
        return super().label_tag(contents, attrs, label_suffix="", tag=tag)


class Renderer(DjangoTemplates):
    """Django's own form templates, with our fields."""

    bound_field_class = PageField


def offer_choices(
    form: forms.Form, name: str, choices: Iterable[tuple[Any, Any]]
) -> None:
    """Set the choices of a field."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def hide_raw_values() -> None:
    """Omit the value from errors about unavailable choices: it is an internal key.

    The choice may have been available when the page was opened.
    """
    message = forms.ModelChoiceField.default_error_messages["invalid_choice"]
    for field in (forms.ChoiceField, forms.MultipleChoiceField):
        field.default_error_messages["invalid_choice"] = message


FORM = "application/x-www-form-urlencoded"
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 (the name of a field)
OURS = re.compile(r"\A(?:[{\[]|\d{5}\w*+ \S++\Z)")
MOST_SHOWN = 200_000  # bytes of a form that a page shows again
SECOND_PRESS = 5  # seconds after the answer in which the same form is a second press
LONGEST_WAIT = 10  # seconds to wait for the answer to the first press
LONGEST_WORK = 180  # seconds until an unanswered press is forgotten
LOOK = 0.05  # seconds between two checks
WORKING = b""  # stored instead of an answer
UNREADABLE = (OSError, BadRequest, MultiPartParserError, SuspiciousOperation)
Fields = list[tuple[str, str]]


class Sent(NamedTuple):
    """A form that can be sent again: its address, its fields, and the text in it."""

    to: str
    fields: Fields
    written: list[str]


def sent(request: HttpRequest) -> Sent | None:
    """Return the form of a request; None for files, passwords or too much.

    It keeps the token it was sent with: a forged form stays refused.
    """
    if request.method != "POST" or announced_length(request) > MOST_SHOWN:
        return None
    # The unreadable part may be the body itself.
    with suppress(*UNREADABLE):
        fields = fields_of(request)
        if is_form(request) and fields and not is_secret(fields):
            return Sent(request.get_full_path(), fields, written(fields))
    return None


def written_here(request: HttpRequest) -> list[str]:
    """Return the text written in a form of this site; nothing from other sites."""
    here = f"{request.scheme}://{request.get_host()}"
    is_ours = request.headers.get("Origin") == here
    if not is_ours or announced_length(request) > MOST_SHOWN:
        return []
    # The unreadable part may be the body itself.
    with suppress(*UNREADABLE):
        fields = fields_of(request)
        return [] if is_secret(fields) else written(fields)
    return []


def is_form(request: HttpRequest) -> bool:
    """Return whether it can be sent again: a form without a file."""
    kind = request.content_type
    return kind == FORM or (kind == "multipart/form-data" and not request.FILES)


def fields_of(request: HttpRequest) -> Fields:
    """Return the fields of a form, in order."""
    return [
        (name, str(value)) for name, values in request.POST.lists() for value in values
    ]


def is_secret(fields: Fields) -> bool:
    """Return whether a password is among the fields."""
    return any("password" in name for name, _value in fields)


def written(fields: Fields) -> list[str]:
    """Return what a person wrote, judging by its having more than one word.

    Initial values, decks as JSON, and cards with their choices are ours.
    """
    return [
        value
        for name, value in fields
        if len(value.split()) > 1
        and not name.startswith("initial-")
        and not OURS.match(value)
    ]


def sent_once(view: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a page whose form creates or ends something: a double press counts once.

    A page has its own token, so the same fields with the same token are the same form.
    The second press gets the answer to the first, which the browser has dropped, or 409
    while the first is still running.
    """

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer: HttpResponseBase
        if request.method != "POST" or not request.POST.get(TOKEN):
            answer = view(request, *args, **kwargs)
            return answer
        press = _Press.of(request)
        if not press.is_first():
            if kept := press.answer():
                answer, session = kept
                if session and request.session.session_key is None:
                    request.session = type(request.session)(session)
                    request.session.modified = True
                return answer
            return _still_working(request)
        kept = None
        try:
            answer = view(request, *args, **kwargs)
            if answer.status_code < 400:
                if request.session.modified:
                    # If the session has ended, the middleware refuses it.
                    with suppress(UpdateError):
                        request.session.save()
                kept = answer, request.session.session_key
        finally:
            press.end(kept)
        return answer

    return page


class _Press(NamedTuple):
    """One form from one page by one person; its answer is kept for a second press."""

    key: str
    lock: Fernet

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """Identify a press by its form; the cache has a hash and an encrypted answer.

        For files, names and sizes suffice: other files from the page are a new form.
        """
        files = [
            (str(each), getattr(each, "size", 0)) for each in request.FILES.values()
        ]
        form = (request.user.pk, request.get_full_path(), fields_of(request), files)
        text = repr(form).encode()
        lock = urlsafe_b64encode(sha256(b"answer:" + text).digest())
        return cls(sha256(text).hexdigest(), Fernet(lock))

    def is_first(self) -> bool:
        """Return whether to handle it; False after waiting for the first press."""
        until = time.monotonic() + LONGEST_WAIT
        while not (first := self._cache.add(self.key, WORKING, LONGEST_WORK)):
            if self._kept() != WORKING or time.monotonic() > until:
                break
            time.sleep(LOOK)
        return bool(first)

    def answer(self) -> Any:
        """Return the first press's answer and session; None if there is none yet."""
        kept = self._kept()
        return None if kept == WORKING else pickle.loads(self.lock.decrypt(kept))  # noqa: S301 (its own)

    def end(self, answer: tuple[HttpResponseBase, str | None] | None) -> None:
        """Store the answer briefly; None lets the form be sent again."""
        if answer is None:
            self._cache.delete(self.key)
        else:
            kept = self.lock.encrypt(pickle.dumps(answer))
            self._cache.set(self.key, kept, SECOND_PRESS)

    def _kept(self) -> Any:
        return self._cache.get(self.key, WORKING)

    @property
    def _cache(self) -> BaseCache:
        return caches["presses"]


def _still_working(request: HttpRequest) -> HttpResponse:
    """Return 409: the first press takes long."""
    context = {
        "title": _("Still working on it"),
        "detail": _(
            "You pressed twice, and we’re still working on the first press. Wait a "
            "moment, then check whether it worked before you send it again."
        ),
    }
    return render(request, "error.html", context, status=409)
