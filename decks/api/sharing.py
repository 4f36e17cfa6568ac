"""Decks that others see: visibility, and answers at ArkhamDB's addresses.

A decklist is a published deck, by the number of its publication. A deck is one shared
by a link, by the link's key or number, or a published one by its own number. Decks that
are not shown are answered by a 404 without a body. Clients take that for "no such deck"
and try the other kind of address, but read JSON as a deck, whatever the status.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.rest.messages import Message, component, many, schema
from arkham.rest.public import IF_NONE_MATCH
from arkham.rules.finding import Severity
from arkham.rules.legality import Verdict
from arkham.rules.notation.arkhamdb_object import write_object
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from arkham.web.bodies import value_of
from arkham.web.http import require_match
from arkham.web.problems import Problem
from cardpool.catalog import current_judge
from cardpool.public.answers import (
    TAGS,
    UNCHANGED,
    PublicApiView,
    answered,
    documented,
    etag_of,
)
from cardpool.public.cards import php_json
from decks import queries, services
from decks.api.answers import answer_of, kept_data
from decks.api.answers import etag_of as deck_etag
from decks.api.bodies import body_of
from decks.api.decks import TAGS as DECK_TAGS
from decks.api.decks import DeckView
from decks.interchange.export import shown_deck, shown_list
from decks.models import Revision, Showing
from decks.pages.display import Judged
from decks.serializers.decks import KeptDeckShape, VisibilityShape
from decks.serializers.judged import NoEntries
from decks.services.sharing import PRIVATE, history_of, shown_content, shown_revision

PublicCopies = Annotated[dict[str, int], component("PublicCopies")]
Copies = Annotated[PublicCopies | NoEntries, "Copies by card code; [] for none."]


class PublicDecklistShape(Message):
    """A published deck, in ArkhamDB's format and order of keys."""

    id: Annotated[int, schema(format="int64")]
    name: str
    date_creation: datetime
    date_update: datetime
    description_md: str
    user_id: int | None
    investigator_code: str
    investigator_name: str | None
    slots: Copies
    sideSlots: Copies  # noqa: N815 - the name there
    ignoreDeckLimitSlots: dict[str, int] | None  # noqa: N815 - the name there
    version: str
    xp: int | None
    xp_spent: int | None
    xp_adjustment: int
    exile_string: str | None
    taboo_id: int | None
    meta: Annotated[str, "JSON, written as a string."]
    tags: str
    previous_deck: int | None
    next_deck: int | None


class PublicDeckShape(PublicDecklistShape):
    """A person's deck: the fields of a decklist, and the deck's problem."""

    problem: str | None


# ArkhamDB's names for problems, by the beginning of our rule's id and in the order in
# which it looks for them; all others are cards that are not permitted.
PROBLEMS = (
    ("required.", "investigator"),
    ("choice.", "investigator"),
    ("weakness.required", "investigator"),
    ("copies.", "too_many_copies"),
)
SIZE = "deck.size"
ABSENT = OpenApiResponse(description="No such deck is shown; there is no body.")


class OpenDeckView(PublicApiView):
    """Base of views that answer absent decks without a body."""

    def handle_exception(self, exc: Exception) -> Response:
        """Answer 404 without a body; other refusals are problems as usual."""
        if isinstance(exc, Http404):
            return Response(status=404)
        return super().handle_exception(exc)


class Absent(OpenDeckView):
    """Addresses that can't be a deck's, such as ``deck/None``."""

    @extend_schema(exclude=True)
    def get(self, request: Request, place: str) -> HttpResponseBase:
        """Answer 404 without a body."""
        raise Http404


class Decklist(OpenDeckView):
    """A published deck."""

    @documented(
        "decklist",
        PublicDecklistShape,
        OpenApiParameter("number", int, OpenApiParameter.PATH),
        absent=ABSENT,
    )
    def get(self, request: Request, number: int) -> HttpResponseBase:
        """A published deck, as its owner published it."""
        return decklist_answer(request, number)


def decklist_answer(request: Request, number: int) -> HttpResponseBase:
    """Answer with a published deck, or an earlier version of it, by number."""
    showing, revision = published_version(number)
    body = php_json(_decklist(showing, revision, _pool()))
    return answered(request, body, etag=etag_of(body), modified=_changed(showing))


def published_version(number: int) -> tuple[Showing, Revision]:
    """Return a published deck, or an earlier version of it, by number; or 404."""
    if found := _earlier(number):
        return found
    published = queries.shown(Showing.Kind.PUBLISHED)
    showing = get_object_or_404(published, pk=number)
    return showing, _revision(showing)


def _earlier(number: int) -> tuple[Showing, Revision] | None:
    """Return the earlier version of a published deck by its number; None if unknown."""
    found = queries.earlier(number)
    if found is None:
        return None
    showing, wanted = found
    _revision(showing)  # raises 404 if the deck was deleted
    for revision in history_of(showing)[:-1]:
        if revision.number == wanted:
            return showing, revision
    return None


MOST_OF_A_DAY = 2_000_000  # characters of one answer; a whole year usually has fewer
A_FEW = 50  # decks fetched per query
MOST_SKIPPED = 999_999  # decks of a day to skip
SKIP = OpenApiParameter(
    "skip",
    {"type": "integer", "minimum": 0, "maximum": MOST_SKIPPED},
    description="How many of the day’s decks to skip.",
)


class DecklistsByDate(PublicApiView):
    """The decks published on a day."""

    @documented(
        "decklists_by_date",
        many(PublicDecklistShape),
        OpenApiParameter(
            "day", {"type": "string", "format": "date"}, OpenApiParameter.PATH
        ),
        SKIP,
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """The decks published on a day (UTC), in the order of their publication.

        If they don’t fit in one answer, its header `Link` names the next one.
        """
        try:
            start = datetime.combine(date.fromisoformat(day), time(), UTC)
            end = start + timedelta(days=1)
        except (ValueError, OverflowError):
            raise Problem(404, _("This date doesn’t exist.")) from None
        published = queries.shown(Showing.Kind.PUBLISHED).filter(
            since__gte=start, since__lt=end
        )
        bodies: list[str] = []
        left, letters = "", 0
        for place, body in _lists_from(published, _skipped(request)):
            letters += len(body)
            if bodies and letters > MOST_OF_A_DAY:
                left = request.build_absolute_uri(f"{request.path}?skip={place}")
                break
            bodies.append(body)
        body = f"[{','.join(bodies)}]"
        etag = etag_of(body, left) if left else etag_of(body)
        # There is no Last-Modified, because withdrawn decks leave no date.
        response = answered(request, body, etag=etag)
        if left:
            response["Link"] = f'<{left}>; rel="next"'
        return response


def _skipped(request: Request) -> int:
    """Return how many decks to skip; 400 for anything but a number."""
    text = request.query_params.get("skip", "0")
    if is_digits(text, len(str(MOST_SKIPPED))) and int(text) <= MOST_SKIPPED:
        return int(text)
    raise Problem(400, _("Expected: how many to skip."), parameter="skip")


def _lists_from(published: QuerySet[Showing], place: int) -> Iterator[tuple[int, str]]:
    """Yield each deck from this place on, with its place and as JSON."""
    ordered, pool = published.order_by("since", "pk"), _pool()
    while few := list(ordered[place : place + A_FEW]):
        seen = {each.pk: last for each, last in queries.shown_revisions(few)}
        for at, showing in enumerate(few, place):
            if revision := seen.get(showing.pk):
                yield at, php_json(_decklist(showing, revision, pool))
        if len(few) < A_FEW:
            return
        place += A_FEW


class PublicDeck(OpenDeckView):
    """A deck that is shown."""

    @extend_schema(
        operation_id="public_deck",
        tags=TAGS,
        auth=[],
        parameters=[
            OpenApiParameter(
                "place",
                str,
                OpenApiParameter.PATH,
                description=(
                    "The key of a link, its number, or the number of a published deck."
                ),
            ),
            IF_NONE_MATCH,
        ],
        responses={200: PublicDeckShape, 304: UNCHANGED, 404: ABSENT},
    )
    def get(self, request: Request, place: int | uuid.UUID) -> HttpResponseBase:
        """A deck that is shared by a link, or published."""
        return deck_answer(request, place)


def deck_answer(request: Request, place: int | uuid.UUID) -> HttpResponseBase:
    """Answer with a deck by the key or number of its link, or by its own number."""
    showing, revision = _shown(place)
    judged = Judged(shown_content(revision), current_judge())
    value = shown_deck(showing, revision, judged.pool, problem_of(judged.verdict))
    body = php_json(write_object(value))
    modified = max(_changed(showing), _seconds(revision.made_at))
    response = answered(
        request,
        body,
        etag=etag_of(body),
        modified=modified,
        max_age=None,
        has_scripts=False,
    )
    response["Cache-Control"] = "no-cache, private"
    return response


def _shown(place: int | uuid.UUID) -> tuple[Showing, Revision]:
    if isinstance(place, int):
        if found := _earlier(place):
            return found
        showing = queries.numbered(place)
    else:
        showing = queries.linked(place)
    if showing is None:
        raise Http404
    return showing, _revision(showing)


def _revision(showing: Showing) -> Revision:
    """Return the revision shown; 404 if the deck was deleted meanwhile."""
    try:
        return shown_revision(showing)
    except Revision.DoesNotExist:
        raise Http404 from None


def _decklist(showing: Showing, revision: Revision, pool: CardPool) -> dict[str, Any]:
    return write_object(shown_list(showing, revision, pool))


def problem_of(verdict: Verdict) -> str:
    """Return ArkhamDB's name for a deck's main problem; "" for a legal deck."""
    serious = [
        each.rule for each in verdict.findings if each.severity is not Severity.ADVICE
    ]
    for beginning, problem in PROBLEMS:
        if any(rule.startswith(beginning) for rule in serious):
            return problem
    if any(rule != SIZE for rule in serious):
        return "invalid_cards"
    if SIZE not in serious:
        return ""
    short = verdict.deck_size < verdict.deck_size_required
    return "too_few_cards" if short else "too_many_cards"


def _changed(showing: Showing) -> datetime:
    return _seconds(max(showing.changed_at, showing.since))


def _seconds(instant: datetime) -> datetime:
    """Return an instant with the precision of HTTP headers."""
    return instant.astimezone(UTC).replace(microsecond=0)


def _pool() -> CardPool:
    return current_judge().pool


class DeckVisibility(DeckView):
    """The visibility of a deck."""

    revisioned = ("PUT",)

    @extend_schema(
        operation_id="deck_visibility",
        tags=DECK_TAGS,
        request=VisibilityShape,
        responses=KeptDeckShape,
    )
    @idempotent
    @transaction.atomic
    def put(self, request: Request, pk: int) -> Response:
        """Make the deck private, share it by a link, or publish its latest revision.

        A link keeps working until the deck is private; sharing it again makes a new
        one. A published deck stays as it was published until you publish it again;
        `history` says whether the versions it grew from are published with it.
        """
        latest = self.lock_latest(pk)
        sent = body_of(VisibilityShape, value_of(request))
        wanted = sent.visibility
        deck, now = latest.deck, timezone.now()
        current = kept_data(request, latest)
        yours: dict[str, Any] = {"visibility": wanted}
        require_match(request, deck_etag(latest), current=current, yours=yours)
        if sent.history is not None:
            yours["history"] = sent.history
        if wanted == PRIVATE:
            services.withdraw_deck(deck=deck)
        elif wanted == Showing.Kind.LINK:
            services.share_deck(deck=deck, now=now)
        else:
            services.publish_deck(
                deck=deck, number=latest.number, pool=current_judge().pool, now=now
            )
            if sent.history is not None:
                services.show_history(deck=deck, shown=sent.history, now=now)
        return answer_of(request, self.latest(pk))
