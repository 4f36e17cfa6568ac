"""Carries out a request that was sent twice once.

Its sender gives it a name, ``Idempotency-Key``. What is made known here lasts for a day
(``arkham.accounts.services.ANSWER_LIFETIME``), as long as it is among the latest of its
account.
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
MOST_KEPT = 1_000  # answers of one account

P = ParamSpec("P")
Handler = Callable[Concatenate[Any, Request, P], HttpResponseBase]


def idempotent(handler: Handler[P]) -> Handler[P]:
    """Decorates a method of an API view; an asker without an account is refused: 403.

    A request is carried out and its answer kept in one transaction. The same request
    under the same name gets that answer again; it waits for the first while that is
    under way. Refusals change nothing and are not kept: the request may be mended and
    sent again under its name.
    """

    @wraps(handler)
    def answered(
        view: APIView, request: Request, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        def carry_out() -> HttpResponseBase:
            return handler(view, request, *args, **kwargs)

        if name_of(request) is None:
            return carry_out()
        return once(request, bodies.whole(request), carry_out)

    return takes_name(answered)


def takes_name(handler: Handler[P]) -> Handler[P]:
    """Decorates a method that calls ``once`` itself: it reads its body piece by piece.

    The mark is read by ``arkham.rest.openapi``.
    """
    handler.idempotent = True  # type: ignore[attr-defined]
    return handler


def name_of(request: Request) -> str | None:
    """The name that was sent; None if there was none.

    Raises a 400 problem for what is no name, and 403 for an asker without an account.
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
    """Carry out a request unless that was done under its name: the answer.

    ``body`` is what sets it apart: the body, or a digest of one.
    """
    key = name_of(request)
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
    """Refuse a name that is no name: 400."""
    named = 0 < len(key) <= LONGEST_IDEMPOTENCY_KEY
    if not (named and key.isascii() and key.isprintable()):
        raise Problem(
            400,
            _("%(header)s must have 1 to %(most)d printable ASCII characters.")
            % {"header": HEADER, "most": LONGEST_IDEMPOTENCY_KEY},
            kind="idempotency-key",
        )


def _hold(request: Request, key: str, body: bytes) -> tuple[KeptAnswer, bool]:
    """The answer of this name, and whether it is yet to be given.

    Of two that come together the database lets one make the row; the other waits for
    it, here. Raises a 422 problem if the name was that of another request.
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
    """Delete what is more than one account may have kept."""
    latest = KeptAnswer.objects.filter(owner=kept.owner_id).order_by("-made_at", "-pk")
    if oldest := list(latest.values_list("pk", flat=True)[MOST_KEPT:]):
        KeptAnswer.objects.filter(pk__in=oldest).delete()


def _fingerprint(request: Request, body: bytes) -> str:
    """A digest of everything that decides what a request does."""
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
    """Keep a good answer; let go of the name under which nothing was done."""
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
    """The body of an answer, which a view may have left to be written, and its type."""
    if isinstance(response, Response):
        return JSONRenderer().render(response.data), JSONRenderer.media_type
    assert isinstance(response, HttpResponse)
    return response.content, response["Content-Type"]


def _replay(kept: KeptAnswer) -> HttpResponse:
    """The answer once more; one without a body has no type."""
    headers = {**kept.headers, REPLAYED: "true"}
    again = HttpResponse(kept.body, status=kept.status, headers=headers)
    if not kept.body:
        del again["Content-Type"]
    return again
