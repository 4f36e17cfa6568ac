"""The base of public API answers: the same for all, without cookies, with ETags."""

from __future__ import annotations

import hashlib
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import generics
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from arkham.accounts.authentication import KeyAuthentication
from arkham.rest.paging import Pages
from arkham.web.http import etag, is_known

SHAPE = 1  # increased when the format of answers changes

UNCHANGED = OpenApiResponse(
    description="Nothing has changed since the ETag sent in If-None-Match."
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of an earlier answer: 304 if nothing has changed since.",
)


class PublicView(generics.GenericAPIView[Any]):
    """Public and the same for everyone; answers have an ETag.

    A key is only read to count its requests separately: many programs may share an
    address.
    """

    authentication_classes = [KeyAuthentication]
    only_reads = True
    permission_classes = [AllowAny]
    pagination_class: type[Pages] | None = None

    def version(self) -> object:
        """Return what the answer depends on besides its address."""
        raise NotImplementedError

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Add the ETag to a successful answer; 304 if the client knows it."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if response.status_code != 200 or request.method not in ("GET", "HEAD"):
            return response
        parts = f"{SHAPE} {self.version()} {request.get_full_path()}"
        current = etag(hashlib.sha256(parts.encode()).hexdigest()[:24])
        if is_known(request, current):
            response.status_code, response.data = 304, None
        response["ETag"] = current
        response["Cache-Control"] = "public, no-cache"
        return response
