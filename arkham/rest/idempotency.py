"""Handle a request that was sent twice once.

Its sender names it with ``Idempotency-Key``. Answers are kept for a day
(``arkham.accounts.services.ANSWER_LIFETIME``), as long as they are among the latest of
their account.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arkham.accounts.models import LONGEST_IDEMPOTENCY_KEY, KeptAnswer, User
from arkham.accounts.services import ANSWER_LIFETIME
from arkham.web import bodies
from arkham.web.problems import Problem

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
KEPT_HEADERS = ("ETag", "Location")
MOST_KEPT = 1_000  # answers per account

P = ParamSpec("P")
Handler = Callable[Concatenate[Any, Request, P], HttpResponseBase]


def idempotent(handler: Handler[P]) -> Handler[P]:
    """Decorate a method of an API view; askers without an account get 403.

    The request is handled and its answer stored in one transaction. The same request
    under the same key gets that answer again; it waits while the first is running.
    Refusals change nothing and are not stored: the request may be corrected and sent
    again under its key.
    """

    @wraps(handler)
    def answered(
        view: APIView, request: Request, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        def carry_out() -> HttpResponseBase:
            return handler(view, request, *args, **kwargs)

        if key_of(request) is None:
            return carry_out()
        return once(request, bodies.whole(request), carry_out)

    return accepts_key(answered)


def accepts_key(handler: Handler[P]) -> Handler[P]:
    """Decorate a method that calls ``once`` itself because it streams its body.

    ``arkham.rest.openapi`` reads the mark.
    """
    handler.idempotent = True  # type: ignore[attr-defined]
    return handler


def key_of(request: Request) -> str | None:
    """Return the key that was sent; None if there was none.

    Raises a 400 problem for an invalid key, and 403 for an asker without an account.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return None
    check_key(key)
    if not isinstance(request.user, User):
        message = _("%(header)s needs an account: leave it out.")
        raise Problem(403, message % {"header": HEADER}, kind="account")
    return key


def once(
    request: Request, body: bytes, carry_out: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Handle a request unless it was handled under its key; return the answer.

    ``body`` identifies the request: its body, or a digest.
    """
    key = key_of(request)
    if key is None:
        return carry_out()
    with transaction.atomic():
        kept, is_new = _hold(request, key, body)
        if not is_new:
            return _replay(kept)
        _forget_oldest(kept)
        response = carry_out()
        _keep(kept, response)
    return response


def check_key(key: str) -> None:
    """Raise 400 for an invalid key."""
    named = 0 < len(key) <= LONGEST_IDEMPOTENCY_KEY
    if not (named and key.isascii() and key.isprintable()):
        raise Problem(
            400,
            _("%(header)s must have 1 to %(most)d printable ASCII characters.")
            % {"header": HEADER, "most": LONGEST_IDEMPOTENCY_KEY},
            kind="idempotency-key",
        )


def _hold(request: Request, key: str, body: bytes) -> tuple[KeptAnswer, bool]:
    """Return the stored answer of this key, and whether it is new.

    Of two concurrent requests the database lets one create the row; the other waits
    here. Raises a 422 problem if another request used the key.
    """
    assert isinstance(request.user, User)
    now, fingerprint = timezone.now(), _fingerprint(request, body)
    names = KeptAnswer.objects.filter(owner=request.user, key=key)
    names.filter(made_at__lte=now - ANSWER_LIFETIME).delete()
    kept, is_new = KeptAnswer.objects.get_or_create(
        owner=request.user,
        key=key,
        defaults={"fingerprint": fingerprint, "made_at": now},
    )
    if kept.fingerprint != fingerprint:
        raise Problem(
            422,
            _(
                "Another request already used this %(header)s. Give each request its "
                "own."
            )
            % {"header": HEADER},
            kind="idempotency-key-reused",
        )
    return kept, is_new


def _forget_oldest(kept: KeptAnswer) -> None:
    """Delete the answers beyond an account's limit."""
    latest = KeptAnswer.objects.filter(owner=kept.owner_id).order_by("-made_at", "-pk")
    if oldest := list(latest.values_list("pk", flat=True)[MOST_KEPT:]):
        KeptAnswer.objects.filter(pk__in=oldest).delete()


def _fingerprint(request: Request, body: bytes) -> str:
    """Return a digest of everything that decides what a request does."""
    parts = (
        request.method or "",
        request.get_full_path(),
        request.headers.get("If-Match", ""),
        request.content_type or "",
    )
    digest = hashlib.sha256("\n".join(parts).encode() + b"\n")
    digest.update(body)
    return digest.hexdigest()


def _keep(kept: KeptAnswer, response: HttpResponseBase) -> None:
    """Store a successful answer; otherwise free the key."""
    if not 200 <= response.status_code < 300:
        kept.delete()
        return
    kept.status = response.status_code
    kept.headers = {
        name: response[name] for name in KEPT_HEADERS if response.has_header(name)
    }
    body, kept.headers["Content-Type"] = _written(response)
    kept.body = body.decode()
    kept.save()


def _written(response: HttpResponseBase) -> tuple[bytes, str]:
    """Return the body of an answer, rendered if necessary, and its media type."""
    if isinstance(response, Response):
        return JSONRenderer().render(response.data), JSONRenderer.media_type
    assert isinstance(response, HttpResponse)
    return response.content, response["Content-Type"]


def _replay(kept: KeptAnswer) -> HttpResponse:
    """Return the stored answer; without a body it has no media type."""
    headers = {**kept.headers, REPLAYED: "true"}
    again = HttpResponse(kept.body, status=kept.status, headers=headers)
    if not kept.body:
        del again["Content-Type"]
    return again
