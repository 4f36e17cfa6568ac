"""The API for deck lists: import and export in every format.

An import is answered line by line, so that nothing is lost silently; an export says
what its format leaves out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

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

from arkham.rest import reading
from arkham.rest.idempotency import idempotent
from arkham.rest.messages import (
    Address,
    Data,
    Message,
    MessagePart,
    like,
    many,
    schema,
    source,
)
from arkham.rules.notation.exchanged import ObjectKind
from arkham.rules.notation.formats import FORMATS
from arkham.web.bodies import value_of
from arkham.web.problems import Problem
from cardpool.catalog import current_judge
from decks import services
from decks.api import examples
from decks.api.answers import content_data, kept_data
from decks.api.bodies import body_of, labels_data
from decks.api.decks import DeckView, number_in, revision_parameter
from decks.api.legality import OpenView
from decks.interchange.arkhamdb import Unreachable, is_address, read_address
from decks.interchange.export import copies_of, exchanged, file_name, text_of
from decks.interchange.importing import MOST_LETTERS, ReadList, read_list
from decks.models import Revision
from decks.serializers.decks import KeptDeckShape, NamedList
from decks.serializers.judged import CircumstancesShape
from decks.services import DeckLabels

LONGEST_FILE = 255  # of its file's name


class ListShape(Message):
    """A deck list from elsewhere, and the name of its file."""

    text: Annotated[
        str,
        reading.text(MOST_LETTERS, fewest=1),
        "ArkhamDB’s JSON or text, a list as people write it, Markdown, an OCTGN file, "
        "or the address of a deck.",
    ]
    file: Annotated[str, reading.text(LONGEST_FILE)] | None = None


class LinePart(MessagePart):
    """A line of a list."""

    line: Annotated[
        int | None,
        source(lambda line: line.line or None),
        "The number of the line, from 1; null if the list has no lines.",
    ]
    said: Annotated[str, "The line as the list has it."]
    understood: bool
    meaning: Annotated[str, "How we read the line."]
    expected: Annotated[str, "What we expected there."]
    note: Annotated[str, "A note, whether or not we could read it."]


class FaultPart(MessagePart):
    """Why a list isn't a deck."""

    where: str
    message: str
    expected: str


class ReadDeckPart(MessagePart):
    """A deck, and its circumstances."""

    deck: Annotated[Any, like(NamedList)]
    circumstances: Annotated[Any, like(CircumstancesShape)]


class ReadListShape(Message):
    """A list as we read it: the deck (null: none), and all the list says."""

    read: ReadDeckPart | None
    carried: Annotated[int, "Experience it can still spend."]
    is_under_way: Annotated[
        bool,
        "This can’t be a starting deck: unless its mode is given, it is judged as a "
        "deck of a campaign under way.",
    ]
    missed: Annotated[
        int, source(lambda read: len(read.missed)), "Lines not understood."
    ]
    lines: Annotated[list[LinePart], source("parts")]
    faults: Annotated[list[FaultPart], "Why it isn't a deck."]


class ImportedDeckShape(Message):
    """The deck created from a list, with the report on the list."""

    deck: Annotated[Any, like(KeptDeckShape)]
    report: ReadListShape


class ExportShape(Message):
    """A format for export: its address, and what it leaves out."""

    format: Annotated[str, schema(enum=list(FORMATS)), source("form.id")]
    media_type: Annotated[str, source("form.media_type")]
    file_name: str
    leaves_out: Annotated[
        list[str], source(lambda copy: [str(each) for each in copy.left])
    ]
    url: Address


TAGS = ["lists"]
LIST = OpenApiExample("A list", examples.LIST, request_only=True)
KINDS = {each.value: each for each in ObjectKind}


class AnyRenderer(JSONRenderer):
    """Accepts any media type for a file; errors are still JSON."""

    media_type = "*/*"


class Exports(DeckView):
    """The export formats of a deck."""

    pagination_class = None

    @extend_schema(operation_id="deck_exports", tags=TAGS, responses=many(ExportShape))
    def get(self, request: Request, pk: int) -> Response:
        """Every format, its address, and what it leaves out of this deck."""
        revision = self.latest(pk)
        pool = current_judge().pool
        copies = copies_of(exchanged(revision, pool), revision, pool)
        data = [
            ExportShape.data(
                copy,
                file_name=file_name(revision.deck.name, copy.form, pk),
                url=reverse("api:decks:export", [pk, copy.form.id], request=request),
            )
            for copy in copies
        ]
        return Response(data)


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
                {"type": "string", "enum": list(KINDS)},
                description=(
                    "For JSON: as a private “deck” or as a published "
                    "“decklist” (the default); ArkhamDB writes tags and “problem” "
                    "differently in each."
                ),
            ),
            revision_parameter("revision", "Its number; the latest if none."),
        ],
        responses={
            (200, form.media_type): OpenApiTypes.STR
            if form.id != "json"
            else OpenApiTypes.OBJECT
            # Some generators use the first type that is named for every answer.
            for form in sorted(FORMATS.values(), key=lambda form: form.id == "json")
        },
    )
    def get(self, request: Request, pk: int, form: str) -> HttpResponse:
        """The deck as a file in one format, as on its page."""
        wanted = FORMATS.get(form)
        if wanted is None:
            raise Http404
        revision = self._revision(request, pk)
        pool = current_judge().pool
        value = exchanged(revision, pool)
        held = request.query_params.get("held")
        if held is not None and held not in KINDS:
            expected = _("Expected: %(expected)s.") % {"expected": ", ".join(KINDS)}
            raise ValidationError({"held": expected})
        if held:
            value = replace(value, origin=replace(value.origin, kind=KINDS[held]))
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
    """Reads lists without saving them."""

    @extend_schema(
        operation_id="list_read",
        tags=TAGS,
        request={"application/json": ListShape},
        responses=ReadListShape,
        examples=[LIST],
    )
    def post(self, request: Request) -> Response:
        """Read a list line by line, without saving it: ArkhamDB's JSON, text as
        people write it, Markdown, OCTGN's files, or an address of a site this server
        may read. What we can't read is listed with what we expected."""
        return Response(read_data(_read(self.value(request))))


class Imports(DeckView):
    """Imports lists as decks."""

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
        """Create a deck from a list, and report line by line how it was read.

        Unspent experience of the list opens the ledger. A list that isn't a deck at all
        is 422 with the same report.
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
        data = {"deck": kept_data(request, made), "report": read_data(read)}
        answer = Response(data, status=201)
        answer["Location"] = reverse("api:decks:deck", [deck.pk], request=request)
        return answer


def _read(data: Any) -> ReadList:
    """Return the list in a body; 422 if it isn't one, or its address doesn't answer."""
    body = body_of(ListShape, data)
    text = body.text
    if is_address(text):
        try:
            text = read_address(text)
        except Unreachable as error:
            raise ValidationError({"text": str(error)}) from None
    return read_list(text, current_judge().pool, body.file or "")


def read_data(read: ReadList) -> Data:
    """Return what was understood of a list, line by line, and what wasn't."""
    labels = DeckLabels(read.name, read.notes, read.tags)
    content = read.content
    deck = content_data(content, labels_data(labels)) if content else None
    return ReadListShape.data(read, read=deck)
