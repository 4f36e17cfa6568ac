"""The API's door to lists: decks in every format, in and out.

A list that comes in is answered line by line, so that nothing is lost in silence; a
deck that leaves says what its format has no place for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from arkham.rest.idempotency import idempotent
from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from arkham.rules.notation.exchanged import Held
from arkham.rules.notation.formats import FORMATS
from arkham.web.bodies import value_of
from arkham.web.problems import Problem
from cardpool.catalog import current_judge
from decks import services
from decks.api import examples
from decks.api.answers import content_data, kept_data
from decks.api.decks import DeckView, number_in, revision_parameter
from decks.api.legality import OpenView
from decks.api.writing import beside_data
from decks.interchange.export import copies_of, exchanged, file_name, text_of
from decks.interchange.fetching import Unreachable, is_address, read_address
from decks.interchange.importing import MOST_LETTERS, ReadList, read_list
from decks.models import Revision
from decks.serializers.judged import CircumstancesShape
from decks.serializers.kept import KeptDeckShape, named_content
from decks.services import DeckLabels

LONGEST_FILE = 255  # of the name of its file
_TEXT: Schema = {"type": "string"}


class ListShape(Shape):
    """A deck list from elsewhere."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its text, and the name of its file where the format knows none."""
        return {
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": MOST_LETTERS,
                    "description": (
                        "ArkhamDB’s JSON or text, a list as people write it, Markdown, "
                        "an OCTGN file, or the address of a deck."
                    ),
                },
                "file": or_null({"type": "string", "maxLength": LONGEST_FILE}),
            },
            "additionalProperties": False,
        }


class ReadListShape(Shape):
    """A list as it was understood."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The deck it is (null: none), and everything it says."""
        line = closed(
            line=or_null(
                {"type": "integer"}, description="From 1; null where there are none."
            ),
            said=_TEXT | {"description": "As it stands there."},
            understood={"type": "boolean"},
            meaning=_TEXT | {"description": "What was understood."},
            expected=_TEXT | {"description": "What could have been."},
            note=_TEXT | {"description": "Worth knowing either way."},
        )
        read = closed(deck=named_content(), circumstances=refer(CircumstancesShape))
        return closed(
            read=or_null(read),
            carried={
                "type": "integer",
                "description": "Experience it has still to spend.",
            },
            is_under_way={
                "type": "boolean",
                "description": "No first deck looks like this: unless told otherwise, "
                "it is judged as a deck of a campaign under way.",
            },
            missed={"type": "integer", "description": "Lines not understood."},
            lines={"type": "array", "items": line},
            faults={
                "type": "array",
                "description": "Why it is no deck.",
                "items": closed(where=_TEXT, message=_TEXT, expected=_TEXT),
            },
        )


class ImportedDeckShape(Shape):
    """The deck that a list became."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """With the report on the list."""
        return closed(deck=refer(KeptDeckShape), report=refer(ReadListShape))


class ExportShape(Shape):
    """A format the deck leaves in."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its address, and what it has no place for."""
        return closed(
            format={"type": "string", "enum": list(FORMATS)},
            media_type=_TEXT,
            file_name=_TEXT,
            leaves_out={"type": "array", "items": _TEXT},
            url={"type": "string", "format": "uri"},
        )


TAGS = ["lists"]
LIST = OpenApiExample("A list", examples.LIST, request_only=True)
HELD = {each.value: each for each in Held}


class AnyRenderer(JSONRenderer):
    """What a list is called for is its format's; refusals are JSON all the same."""

    media_type = "*/*"


class Exports(DeckView):
    """In which formats does the deck leave?"""

    pagination_class = None

    @extend_schema(
        operation_id="deck_exports", tags=TAGS, responses=ExportShape(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """Every format, its address, and what of this deck it leaves out."""
        revision = self.latest(pk)
        pool = current_judge().pool
        copies = copies_of(exchanged(revision, pool), revision, pool)
        told = [
            {
                "format": copy.form.id,
                "media_type": copy.form.media_type,
                "file_name": file_name(revision.deck.name, copy.form, pk),
                "leaves_out": [str(each) for each in copy.left],
                "url": reverse("api:decks:export", [pk, copy.form.id], request=request),
            }
            for copy in copies
        ]
        return Response(told)


class DeckExport(DeckView):
    """The deck in a format."""

    renderer_classes = [AnyRenderer]

    @extend_schema(
        operation_id="deck_export",
        tags=TAGS,
        parameters=[
            OpenApiParameter(
                "form",
                {"type": "string", "enum": list(FORMATS)},
                OpenApiParameter.PATH,
            ),
            OpenApiParameter(
                "held",
                {"type": "string", "enum": list(HELD)},
                description=(
                    "For JSON: as somebody’s own “deck” or as a published “decklist”, "
                    "which is usual; ArkhamDB writes tags and “problem” otherwise."
                ),
            ),
            revision_parameter("revision", "Its number; the latest if none."),
        ],
        responses={
            (200, form.media_type): OpenApiTypes.STR
            if form.id != "json"
            else OpenApiTypes.OBJECT
            # Some generators read every answer as the first type that is named.
            for form in sorted(FORMATS.values(), key=lambda form: form.id == "json")
        },
    )
    def get(self, request: Request, pk: int, form: str) -> HttpResponse:
        """The text of its file, as a page would hand it out."""
        wanted = FORMATS.get(form)
        if wanted is None:
            raise Http404
        revision = self._revision(request, pk)
        pool = current_judge().pool
        value = exchanged(revision, pool)
        held = request.query_params.get("held")
        if held is not None and held not in HELD:
            expected = _("Expected: %(expected)s.") % {"expected": ", ".join(HELD)}
            raise ValidationError({"held": expected})
        if held:
            value = replace(value, origin=replace(value.origin, held=HELD[held]))
        name = file_name(revision.deck.name, wanted, pk)
        headers = {"Content-Disposition": content_disposition_header(True, name) or ""}
        return HttpResponse(
            text_of(value, wanted, pool),
            content_type=f"{wanted.media_type}; charset=utf-8",
            headers=headers,
        )

    def _revision(self, request: Request, pk: int) -> Revision:
        deck = get_object_or_404(self.decks(), pk=pk)
        number = number_in(request, "revision", deck.revision)
        return get_object_or_404(deck.revisions, number=number)


class ListReading(OpenView):
    """What does a list from elsewhere say?"""

    @extend_schema(
        operation_id="list_read",
        tags=TAGS,
        request={"application/json": ListShape},
        responses=ReadListShape,
        examples=[LIST],
    )
    def post(self, request: Request) -> Response:
        """Read a list in any format there is, line by line; nothing is kept.

        ArkhamDB's JSON, text as people write it, Markdown, OCTGN's files, or an
        address of a site that this server may read. What was not understood is told
        with what was expected.
        """
        return Response(read_data(_read(self.value(request))))


class Imports(DeckView):
    """A list from elsewhere becomes a deck."""

    has_quota = ("POST",)

    @extend_schema(
        operation_id="deck_import",
        tags=TAGS,
        request={"application/json": ListShape},
        responses={201: ImportedDeckShape},
        examples=[LIST],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Begin a deck with what a list says, and tell line by line what that is.

        Experience that the list has still to spend opens the ledger. A list that is
        no deck at all is refused with 422 and the same report.
        """
        read = _read(value_of(request))
        if read.content is None:
            raise Problem(
                422,
                " ".join(each.message for each in read.faults),
                kind="no-deck",
                report=read_data(read),
            )
        deck = services.create_deck(
            owner=self.actor(),
            content=read.content,
            now=timezone.now(),
            name=read.name,
            notes=read.notes,
            tags=read.tags,
            carried=read.carried,
        )
        made = self.latest(deck.pk)
        told = {"deck": kept_data(request, made), "report": read_data(read)}
        answer = Response(told, status=201)
        answer["Location"] = reverse("api:decks:deck", [deck.pk], request=request)
        return answer


def _read(data: Any) -> ReadList:
    """The list in a body; 422 for what is none, and for addresses nobody answers."""
    faults: dict[str, str] = {}
    value = data if isinstance(data, dict) else {}
    text, file = value.get("text"), value.get("file")
    file = "" if file is None else file
    if not isinstance(text, str) or not 0 < len(text) <= MOST_LETTERS:
        faults["text"] = _("A text of 1 to 1,000,000 characters is expected.")
    if not isinstance(file, str) or len(file) > LONGEST_FILE:
        faults["file"] = _("A text of at most 255 characters is expected.")
    for key in value.keys() - {"text", "file"}:
        faults[key] = _("Nothing is expected here.")
    if faults or not isinstance(text, str):
        raise ValidationError(faults)
    if is_address(text):
        try:
            text = read_address(text)
        except Unreachable as error:
            raise ValidationError({"text": str(error)}) from None
    return read_list(text, current_judge().pool, file)


def read_data(read: ReadList) -> dict[str, Any]:
    """What was understood of a list, line by line, and what was not."""
    beside = DeckLabels(read.name, read.notes, read.tags)
    content = read.content
    return {
        "read": content_data(content, beside_data(beside)) if content else None,
        "carried": read.carried,
        "is_under_way": read.is_under_way,
        "missed": len(read.missed),
        "lines": [
            {
                "line": each.line or None,
                "said": each.said,
                "understood": each.understood,
                "meaning": each.meaning,
                "expected": each.expected,
                "note": each.note,
            }
            for each in read.heard
        ],
        "faults": [
            {
                "where": each.where,
                "message": each.message,
                "expected": each.expected,
            }
            for each in read.faults
        ],
    }
