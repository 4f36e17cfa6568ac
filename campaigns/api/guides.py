"""The API of guides: listing, importing and removing them.

Guides that other accounts imported are hidden, except for their texts at tables that
use them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import closing, nullcontext
from datetime import datetime
from typing import IO, Annotated, Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from arkham.accounts.models import User
from arkham.rest import reading
from arkham.rest.messages import (
    Count,
    Message,
    MessagePart,
    Number,
    many,
    schema,
    source,
)
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.web.bodies import CHUNK, StrictJSONParser, too_large
from arkham.web.problems import Problem, pointer
from campaigns.guides import keeping, opening
from campaigns.guides.files import (
    MOST_FORM_BYTES,
    MOST_ZIP_BYTES,
    BringingThrottle,
    UnusableGuides,
)
from campaigns.guides.keeping import (
    GuideChange,
    GuideInUse,
    ImportReport,
    NoGuideFound,
    TooMuchKept,
    guides_from,
)
from campaigns.models import Guide

TAGS = ["guides"]
IN_MEMORY = 4 * 1024 * 1024


class FlawShape(Message):
    """Something wrong with a guide."""

    rule: Annotated[str, "The permanent id of the flaw."]
    at: Annotated[str, "The path: campaign, file, step, place in it."]
    found: str
    expected: str
    serious: Annotated[
        bool,
        source(lambda flaw: flaw.rule not in HARMLESS),
        "Whether it loses something or stops a campaign.",
    ]


class GuidePart(MessagePart):
    """A guide and who has it."""

    id: Annotated[Number, source("pk")]
    guide: Annotated[str, source("guide_id"), "Its id in the app, such as dwl."]
    name: str
    version: Count
    digest: Annotated[str, "The digest of its whole content."]
    side_digest: Annotated[
        str | None,
        source(lambda guide: guide.side_digest or None),
        "The digest of the side scenarios it came with.",
    ]
    origin: Annotated[str, schema(enum=list(Guide.Origin.values))]
    private: Annotated[bool, source("is_private"), "Whether it isn't for everyone."]
    scenarios: Count
    serious_flaws: Annotated[Count, source("serious")]
    brought_at: datetime


class KeptGuideShape(GuidePart, Message):
    """A guide that campaigns can follow."""


class WholeGuideShape(GuidePart, Message):
    """A guide with all its flaws."""

    flaws: Annotated[list[FlawShape], source(lambda guide: _flaws(guide))]


class BroughtGuidePart(GuidePart):
    """An imported guide, and whether it is new."""

    flaws: Annotated[list[FlawShape], source(lambda guide: _flaws(guide))]
    change: GuideChange


class BroughtGuidesShape(Message):
    """Each guide with its flaws, and the flaws that belong to none of them."""

    guides: list[BroughtGuidePart]
    flaws: list[FlawShape]


class GuideAddressShape(Message):
    """The address of a zip, at one of the hosts this server reads guides from."""

    address: Annotated[str, reading.text(1000, fewest=1)]


class ZipParser(BaseParser):
    """A zip as the body: buffered, and never read beyond the limit."""

    media_type = "application/zip"

    def parse(  # type: ignore[override]
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> IO[bytes]:
        """Return the zip; 413 if it is too large."""
        body = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        size = 0
        while chunk := stream.read(CHUNK):
            size += len(chunk)
            if size > MOST_ZIP_BYTES:
                raise too_large(MOST_ZIP_BYTES)
            body.write(chunk)
        return body


class GuideView(generics.GenericAPIView[Any]):
    """The base of the guide views: they need an account."""

    permission_classes = [IsAuthenticated]


class Guides(GuideView):
    """Guides that the account can use."""

    ordering = "pk"
    parser_classes = [StrictJSONParser, ZipParser, MultiPartParser]
    refuses = ("409",)
    largest_body = MOST_FORM_BYTES

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the usual throttles; imports are also counted separately."""
        more = [BringingThrottle()] if self.request.method == "POST" else []
        return [*super().get_throttles(), *more]

    @extend_schema(operation_id="guides", tags=TAGS, responses=many(KeptGuideShape))
    def get(self, request: Request) -> Response:
        """Guides for everyone on this server and your own, in every version.

        The side scenarios, which can't start a campaign, come with the guides they were
        imported with.
        """
        guides = opening.usable_by(request.user).exclude(guide_id=SIDE)
        guides = guides.defer(*opening.LARGE, "flaws")
        page = self.paginate_queryset(guides)
        return self.get_paginated_response(
            [KeptGuideShape.data(each) for each in page or ()]
        )

    @extend_schema(
        operation_id="guides_bring",
        tags=TAGS,
        request={
            # The form isn't described: client generators support one body, and for two
            # write code that can't be imported.
            "application/zip": OpenApiTypes.BINARY,
            "application/json": GuideAddressShape,
        },
        responses={200: BroughtGuidesShape, 201: BroughtGuidesShape},
    )
    def post(self, request: Request) -> Response:
        """Import the guides of a zip, or of one at an address; they are yours.

        Each is listed with its flaws. A guide with the same content stays as it is, so
        the request is safe to repeat. A zip without a guide, or a harmful one, is
        refused and nothing of it is stored. A form (multipart/form-data) can send the
        zip as ``file``.
        """
        source = _source(request.data)
        # Left open, a file of 64 MB would stay on disk until garbage collection.
        with nullcontext() if isinstance(source, str) else closing(source):
            report = _taken_in(request.user, source)
        is_news = any(
            each.change is not GuideChange.UNCHANGED for each in report.guides
        )
        guides = [
            BroughtGuidePart.data(guide, change=change.value)
            for guide, change in report.guides
        ]
        answer = BroughtGuidesShape.data(report, guides=guides)
        return Response(answer, status=201 if is_news else 200)


class GuideDetail(GuideView):
    """A guide of the server or the account."""

    refuses = ("409",)

    @extend_schema(operation_id="guide", tags=TAGS, responses=WholeGuideShape)
    def get(self, request: Request, pk: int) -> Response:
        """The guide with all its flaws."""
        guides = opening.usable_by(request.user).defer(*opening.LARGE)
        return Response(WholeGuideShape.data(get_object_or_404(guides, pk=pk)))

    @extend_schema(operation_id="guide_remove", tags=TAGS, responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove one of your guides; 409 while campaigns use it.

        A guide never changes, so If-Match isn't needed.
        """
        own = Guide.objects.filter(owner=_actor(request.user)).defer(*opening.LARGE)
        try:
            keeping.remove_guide(guide=get_object_or_404(own, pk=pk))
        except GuideInUse as refusal:
            raise Problem(
                409,
                _("Campaigns use this guide, so you can’t remove it."),
                kind="guide-in-use",
                campaigns=refusal.campaigns,
            ) from None
        return Response(status=204)


class GuideWords(GuideView):
    """The texts of a guide."""

    @extend_schema(operation_id="guide_words", tags=TAGS, responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The texts of a guide by scenario and step, and lines of its log, as untrusted
        markup. For the account that imported it and members of tables that use it;
        guides of the server are for every account."""
        guide = get_object_or_404(opening.readable_by(request.user), pk=pk)
        if guide.words is None:
            raise Http404
        return HttpResponse(
            opening.words_text(guide),
            content_type="application/json",
            headers={"Cache-Control": "private, no-store"},
        )


def _flaws(guide: Guide) -> list[Flaw]:
    return [Flaw(*each) for each in guide.flaws]


def _actor(user: Any) -> User:
    assert isinstance(user, User)
    return user


def _source(data: Any) -> IO[bytes] | str:
    """Return the zip in a body, or the address of one; 422 for anything else."""
    if hasattr(data, "read"):
        return data  # type: ignore[no-any-return]
    fields = data if isinstance(data, Mapping) else {}
    if unknown := sorted(fields.keys() - {"file", "address"}):
        raise ValidationError({key: [_("This must be left out.")] for key in unknown})
    file, address = fields.get("file"), fields.get("address")
    if isinstance(file, UploadedFile) and file.file is not None:
        return file.file
    if isinstance(address, str) and address:
        return address
    expected = _("Expected: a zip as the body or as “file”, or its “address”.")
    raise ValidationError({"address": expected})


def _taken_in(user: Any, source: IO[bytes] | str) -> ImportReport:
    try:
        guide_import = guides_from(source)
        return keeping.store_guides(
            guide_import=guide_import, owner=_actor(user), now=timezone.now()
        )
    except UnusableGuides as refusal:
        where = {"pointer": pointer("address")} if isinstance(source, str) else {}
        raise Problem(422, str(refusal), kind="no-guides", **where) from None
    except NoGuideFound as refusal:
        flaws = [FlawShape.data(Flaw(*flaw)) for flaw in refusal.flaws]
        raise Problem(422, str(refusal), kind="no-guides", flaws=flaws) from None
    except TooMuchKept as refusal:
        raise Problem(409, str(refusal), kind="too-many-guides") from None
