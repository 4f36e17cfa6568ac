"""Forms of pages: how their fields are written, and what a form has sent.

Fields have no colon, no endless text, no raw value. What was sent is kept where it was
refused, and done once where it came twice.
"""

from __future__ import annotations

import pickle
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
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
    """A field on a page; its label is the label and nothing more."""

    def value(self) -> Any:
        """What the field shows; nothing where more was sent than any field takes.

        A page may hold a refused form again, and writes a quote in six letters.
        """
        value = super().value()
        is_long = isinstance(value, str) and len(value) > LONGEST_SHOWN
        return "" if is_long else value

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: Widget | None = None
    ) -> dict[str, Any]:
        """The attributes; the first field that is refused is where the page opens.

        On a long page the refusal would go unseen otherwise.
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
        """The label, without the suffix Django would add."""
        return super().label_tag(contents, attrs, label_suffix="", tag=tag)


class Renderer(DjangoTemplates):
    """Django's own form templates, with our fields."""

    bound_field_class = PageField


def hide_raw_values() -> None:
    """Refuse a choice that isn't offered without its value: that is ours, not a word.

    It was perhaps offered when the page was opened.
    """
    message = forms.ModelChoiceField.default_error_messages["invalid_choice"]
    for field in (forms.ChoiceField, forms.MultipleChoiceField):
        field.default_error_messages["invalid_choice"] = message


FORM = "application/x-www-form-urlencoded"
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 (the name of a field)
OURS = re.compile(r"\A(?:[{\[]|\d{5}\w*+ \S++\Z)")
MOST_SHOWN = 200_000  # bytes of a form that a page gives back
SECOND_PRESS = 5  # seconds after its answer in which the same form is a second press
LONGEST_WAIT = 10  # seconds for the answer to the first press
LONGEST_WORK = 180  # seconds until a press that was never answered is forgotten
LOOK = 0.05  # seconds between two looks
WORKING = b""  # kept instead of an answer
UNREADABLE = (OSError, BadRequest, MultiPartParserError, SuspiciousOperation)
Fields = list[tuple[str, str]]


class Sent(NamedTuple):
    """A form that can be sent once more: where to, its fields, what was written."""

    to: str
    fields: Fields
    written: list[str]


def sent(request: HttpRequest) -> Sent | None:
    """The form of a request; None for none, files, passwords and more than is shown.

    It has the token it was sent with and no new one: a form that was forged elsewhere
    stays refused.
    """
    if request.method != "POST" or announced_length(request) > MOST_SHOWN:
        return None
    # The body may be what could not be read.
    with suppress(*UNREADABLE):
        fields = fields_of(request)
        if is_form(request) and fields and not is_secret(fields):
            return Sent(request.get_full_path(), fields, written(fields))
    return None


def written_here(request: HttpRequest) -> list[str]:
    """What was written in a form of this site; nothing that another site sent."""
    here = f"{request.scheme}://{request.get_host()}"
    is_ours = request.headers.get("Origin") == here
    if not is_ours or announced_length(request) > MOST_SHOWN:
        return []
    # The body may be what could not be read.
    with suppress(*UNREADABLE):
        fields = fields_of(request)
        return [] if is_secret(fields) else written(fields)
    return []


def is_form(request: HttpRequest) -> bool:
    """Whether it can be sent once more: a form, without a file that was chosen."""
    kind = request.content_type
    return kind == FORM or (kind == "multipart/form-data" and not request.FILES)


def fields_of(request: HttpRequest) -> Fields:
    """The fields of a form, in order."""
    return [
        (name, str(value)) for name, values in request.POST.lists() for value in values
    ]


def is_secret(fields: Fields) -> bool:
    """Whether a password is among them."""
    return any("password" in name for name, _value in fields)


def written(fields: Fields) -> list[str]:
    """What a person wrote themselves, as far as can be seen: more than one word.

    A field's value before it was changed, a deck as JSON and a card with what was
    chosen for it are our own.
    """
    return [
        value
        for name, value in fields
        if len(value.split()) > 1
        and not name.startswith("initial-")
        and not OURS.match(value)
    ]


def sent_once(view: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a page whose form begins or ends something: done once if pressed twice.

    A page has a token of its own, so the same fields with the same token are the same
    form. The second press is answered as the first, which the browser has dropped, or
    with 409 while the first is still being worked on.
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
                    # Where it has ended meanwhile, the middleware refuses it.
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
        """It goes by the form: the cache shows neither that nor, locked, the answer.

        Names and sizes are enough of the files: from one page, others are a new form.
        """
        files = [
            (str(each), getattr(each, "size", 0)) for each in request.FILES.values()
        ]
        form = (request.user.pk, request.get_full_path(), fields_of(request), files)
        text = repr(form).encode()
        lock = urlsafe_b64encode(sha256(b"answer:" + text).digest())
        return cls(sha256(text).hexdigest(), Fernet(lock))

    def is_first(self) -> bool:
        """Whether it has to be worked on; False for one that waited for the first."""
        until = time.monotonic() + LONGEST_WAIT
        while not (first := self._cache.add(self.key, WORKING, LONGEST_WORK)):
            if self._kept() != WORKING or time.monotonic() > until:
                break
            time.sleep(LOOK)
        return bool(first)

    def answer(self) -> Any:
        """What the first press was answered, with its session; None for not yet."""
        kept = self._kept()
        return None if kept == WORKING else pickle.loads(self.lock.decrypt(kept))  # noqa: S301 (its own)

    def end(self, answer: tuple[HttpResponseBase, str | None] | None) -> None:
        """Keep the answer for a moment; None for a form that may be sent again."""
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
    """409: the first press takes long."""
    context = {
        "title": _("Still working on it"),
        "detail": _(
            "You pressed twice, and we’re still working on the first press. Wait a "
            "moment, then check whether it worked before you send it again."
        ),
    }
    return render(request, "error.html", context, status=409)
