"""The API for legality: verdicts on one deck or on a batch of decks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import exceptions
from rest_framework.parsers import BaseParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from arkham.rules.checking import (
    Label,
    judge_request,
    label_of,
    read_line,
    read_request,
    text_of,
    verdict_text,
)
from arkham.rules.finding import gettext_noop as noop
from arkham.rules.legality import Judge, check
from arkham.rules.notation.reading import (
    MOST_BYTES,
    Fault,
    NotAnArray,
    TooLarge,
    Unreadable,
    read_items,
    read_json,
)
from arkham.web import bodies
from arkham.web.bodies import JSONLBody, LinesBody
from arkham.web.measuring import note_verdict
from arkham.web.problems import Problem, document, pointer
from arkham.web.request_limits import AnonThrottle
from cardpool.catalog import current_judge
from decks.api import examples
from decks.api.bodies import (
    MISSHAPEN,
    NOT_JSON,
    TOO_LARGE,
    TOO_MUCH,
    Refusal,
    check_named,
    refusal,
)
from decks.api.sharing import published_version
from decks.serializers.judged import (
    MOST_DECKS,
    BatchAnswerShape,
    BatchLinesShape,
    BatchShape,
    DeckShape,
    VerdictShape,
)
from decks.services.sharing import shown_content

LARGEST_BATCH = 10 * MOST_BYTES  # bytes


class JSONBody(BaseParser):
    """A JSON body, left to the view, which knows how large it may be."""

    media_type = "application/json"


class LegalityThrottle(AnonThrottle):
    """Limits anonymous requests; a batch counts as several. The rate is a setting."""

    scope = "legality"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return True if there is room for a request of the view's weight."""
        self.weight = cast("OpenView", view).weight
        return super().allow_request(request, view)


class OpenView(APIView):
    """Base of the open views: no accounts, no cookies, JSON bodies."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [LegalityThrottle]
    parser_classes: Sequence[type[BaseParser]] = [JSONBody]
    largest_body = MOST_BYTES
    weight = 1

    def parser(self, request: Request) -> BaseParser:
        """Return the parser for the body; 415 if there is none."""
        negotiator = self.get_content_negotiator()
        parser = negotiator.select_parser(request, self.get_parsers())
        if parser is None:
            raise exceptions.UnsupportedMediaType(request.content_type)
        return parser

    def body(self, request: Request) -> bytes:
        """Return the whole body."""
        stream = request.stream
        return bodies.read(stream, self.largest_body) if stream else b""

    def value(self, request: Request) -> Any:
        """Return the value of the JSON body; 400 if it isn't JSON."""
        try:
            self.parser(request)
            return read_json(text_of(self.body(request)))
        except Unreadable as error:
            raise refusal(error, NOT_JSON) from None


class Legality(OpenView):
    """The verdict on a deck that is sent."""

    @extend_schema(
        operation_id="legality",
        tags=["legality"],
        request={"application/json": DeckShape},
        responses={200: VerdictShape},
        examples=[
            OpenApiExample("A deck", examples.DECK, request_only=True),
            OpenApiExample(
                "A deck and its circumstances", examples.HELD, request_only=True
            ),
            OpenApiExample("Its verdict", examples.VERDICT, response_only=True),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Judge one deck.

        Takes a deck in ArkhamDB's format, alone or with its circumstances. Whatever is
        wrong with the deck is a finding; only unreadable input is refused, and
        circumstances that name unknown cards.
        """
        value = self.value(request)
        try:
            verdict = _verdict(value, current_judge())
        except Unreadable as error:
            raise refusal(error, MISSHAPEN) from None
        return HttpResponse(verdict, content_type="application/json")


class DecklistLegality(OpenView):
    """The verdict on a published deck."""

    @extend_schema(
        operation_id="decklist_legality",
        tags=["legality"],
        responses={200: VerdictShape},
        examples=[
            OpenApiExample("Its verdict", examples.VERDICT, response_only=True),
        ],
    )
    def get(self, request: Request, number: int) -> HttpResponse:
        """Judge a published deck by its number, as it is published.

        The collection and experience of its owner are private and not considered.
        """
        _showing, revision = published_version(number)
        asked = shown_content(revision).asked()._replace(id=number)
        verdict, _outcome = judge_request(current_judge(), asked)
        return HttpResponse(verdict, content_type="application/json")


class LegalityBatch(OpenView):
    """The verdicts on a batch of decks."""

    parser_classes = [JSONBody, LinesBody, JSONLBody]
    largest_body = LARGEST_BATCH
    weight = 20

    @extend_schema(
        operation_id="legality_batch",
        tags=["legality"],
        request={
            "application/json": BatchShape,
            "application/x-ndjson": BatchLinesShape,
            "application/jsonl": BatchLinesShape,
        },
        responses={200: BatchAnswerShape},
        examples=[
            OpenApiExample(
                "Two decks, one of them unreadable",
                examples.BATCH,
                request_only=True,
                media_type="application/json",
            ),
            OpenApiExample("The answer", examples.BATCH_ANSWER, response_only=True),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Judge many decks.

        Takes an array of decks, or JSON lines, and answers an array with one answer for
        each, in order. An unreadable deck has a problem in its place. When a batch has
        used up its time or the bytes of its answer, each remaining deck has the problem
        `too-much` (429); send those again.
        """
        lines = isinstance(self.parser(request), LinesBody)
        body = self.body(request)
        judge = current_judge()
        answers: list[str] = []
        budget = _Budget()
        given = _lines(body) if lines else _array(body)
        for place, each in enumerate(given):
            if place == MOST_DECKS:
                raise Problem(
                    422,
                    _("There are more than %(most)d decks.") % {"most": MOST_DECKS},
                    kind=MISSHAPEN.name,
                    pointer="" if lines else pointer(place),
                )
            if budget.is_spent:
                each = TooMuch(label_of(each))
            answers.append(_answer(each, place, lines, judge, request.path))
            budget.note(answers[-1])
        text = f"[{','.join(answers)}]"
        return HttpResponse(text, content_type="application/json")


Given = Any  # a value, or the Unreadable in its place


class TooMuch(Unreadable):
    """A deck that was not judged, because those before it used up the budget."""

    def __init__(self, label: Label) -> None:
        super().__init__(
            Fault(
                "",
                noop("The decks before this one took all the time a batch has."),
                noop("a smaller batch"),
            )
        )
        self.label = label


class _Budget:
    """The budget of a batch: seconds of processor time, and bytes of the answer."""

    def __init__(self) -> None:
        self._until = time.thread_time() + settings.ORNE_BATCH_SECONDS
        self._room = settings.ORNE_BATCH_BYTES

    def note(self, answer: str) -> None:
        """Count an answer."""
        self._room -= len(answer)

    @property
    def is_spent(self) -> bool:
        """True if no further deck is judged."""
        return bool(self._room <= 0 or time.thread_time() > self._until)


def _array(body: bytes) -> Iterator[Given]:
    """Yield the items of an array; refuse a body that isn't one, or not JSON."""
    try:
        yield from read_items(text_of(body, LARGEST_BATCH))
    except TooLarge as error:
        raise refusal(error, TOO_LARGE) from None
    except NotAnArray as error:
        raise refusal(error, MISSHAPEN) from None
    except Unreadable as error:
        raise refusal(error, NOT_JSON) from None


def _lines(body: bytes) -> Iterator[Given]:
    """Yield the values of JSON lines; an invalid line affects only itself."""
    start = 0
    while start < len(body):
        end = body.find(b"\n", start)
        end = len(body) if end < 0 else end
        try:
            yield read_line(text_of(body[start:end]))
        except Unreadable as error:
            yield error
        start = end + 1


def _kind_of(error: Unreadable) -> Refusal:
    match error:
        case TooMuch():
            return TOO_MUCH
        case TooLarge():
            return TOO_LARGE
    return NOT_JSON


def _verdict(given: Given, judge: Judge) -> str:
    """Return the verdict on a deck. Raises Unreadable."""
    asked = read_request(given)
    check_named(asked.circumstances, judge.pool)
    verdict = check(judge, asked.deck, asked.circumstances)
    note_verdict(verdict.status, (each.rule for each in verdict.findings))
    return verdict_text(asked.id, verdict)


def _answer(given: Given, place: int, lines: bool, judge: Judge, path: str) -> str:
    """Return the answer to one deck of a batch: a verdict, or a problem."""
    kind = MISSHAPEN
    try:
        if isinstance(given, Unreadable):
            kind = _kind_of(given)
            raise given
        return _verdict(given, judge)
    except Unreadable as error:
        if lines and kind is NOT_JSON:
            faults = (replace(fault, line=place + 1) for fault in error.faults)
            error = Unreadable(*faults)
        refused = refusal(error, kind, None if lines else pointer(place))
        problem = document(
            refused.status_code, str(refused.detail), path, kind=refused.kind
        )
        problem |= refused.members
        if lines:
            problem["line"] = place + 1
        label = None
        if isinstance(given, TooMuch):
            label = given.label
        elif kind is MISSHAPEN:
            label = label_of(given)
        return json.dumps({"id": label, "problem": problem})
