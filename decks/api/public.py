"""Decks that others show, at the addresses ArkhamDB has for decks and decklists.

A decklist is a published deck, by the number of its publication. A deck is one that is
shared, by the key of its link, or a published one by its own number. Whatever is not
shown is answered as if it were not there.
"""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.http import Http404, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from arkham.problems import Problem
from arkham.rules.finding import Severity
from arkham.rules.legality import Verdict
from arkham.rules.notation.arkhamdb_object import write_object
from arkham.rules.pool import CardPool
from cardpool.public.answers import (
    IF_NONE_MATCH,
    TAGS,
    UNCHANGED,
    OpenView,
    answered,
    documented,
    etag_of,
)
from cardpool.public.encoding import php_json
from decks import queries
from decks.display import Judged
from decks.exchange import shown_deck, shown_list
from decks.judging import current_judge
from decks.models import Revision, Showing
from decks.serializers.public import PublicDecklistShape, PublicDeckShape
from decks.showing import shown_content, shown_revision

# What the site calls a finding of ours, by the beginning of the rule's id, in the
# order in which it looks for what is wrong; all else is a card that is not permitted.
PROBLEMS = (
    ("required.", "investigator"),
    ("choice.", "investigator"),
    ("weakness.required", "investigator"),
    ("copies.", "too_many_copies"),
)
SIZE = "deck.size"


class Decklist(OpenView):
    """A published deck."""

    @documented(
        "decklist",
        PublicDecklistShape,
        OpenApiParameter("number", int, OpenApiParameter.PATH),
    )
    def get(self, request: Request, number: int) -> HttpResponseBase:
        """A published deck, as its owner published it."""
        published = queries.shown(Showing.Kind.PUBLISHED)
        showing = get_object_or_404(published, pk=number)
        body = php_json(_decklist(showing, _revision(showing), _pool()))
        return answered(request, body, etag=etag_of(body), modified=_changed(showing))


class DecklistsByDate(OpenView):
    """What was published on a day."""

    @documented(
        "decklists_by_date",
        PublicDecklistShape(many=True),
        OpenApiParameter(
            "day", {"type": "string", "format": "date"}, OpenApiParameter.PATH
        ),
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """The decks published on a day (UTC), in the order of their publication."""
        try:
            start = datetime.combine(date.fromisoformat(day), time(), UTC)
            end = start + timedelta(days=1)
        except (ValueError, OverflowError):
            raise Problem(404, _("There is no such day.")) from None
        showings = queries.shown(Showing.Kind.PUBLISHED).filter(
            since__gte=start, since__lt=end
        )
        found = list(showings.order_by("since", "pk"))
        pool = _pool()
        lists = [
            _decklist(showing, revision, pool)
            for showing, revision in queries.shown_revisions(found)
        ]
        body = php_json(lists)
        modified = max((_changed(each) for each in found), default=None)
        return answered(request, body, etag=etag_of(body), modified=modified)


class Deck(OpenView):
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
                description="The key of a link, or the number of a published deck.",
            ),
            IF_NONE_MATCH,
        ],
        responses={
            200: PublicDeckShape,
            302: OpenApiResponse(description="No such deck is shown: please sign in."),
            304: UNCHANGED,
        },
    )
    def get(self, request: Request, place: str) -> HttpResponseBase:
        """A deck that is shared by a link, or published."""
        try:
            showing = _shown(place)
            revision = _revision(showing)
        except Http404:
            # As the site does: it is told to nobody whether there is such a deck.
            return HttpResponseRedirect(reverse("account_login"))
        judged = Judged(shown_content(revision), current_judge())
        value = shown_deck(revision, judged.pool, problem_of(judged.verdict))
        body = php_json(write_object(value))
        modified = max(_changed(showing), _seconds(revision.made_at))
        response = answered(
            request, body, etag=etag_of(body), modified=modified, max_age=None
        )
        response["Cache-Control"] = "no-cache, private"
        return response


def _shown(place: str) -> Showing:
    if place.isdigit():
        published = queries.shown(Showing.Kind.PUBLISHED)
        return get_object_or_404(published, deck__pk=int(place))
    shared = queries.shown(Showing.Kind.LINK)
    return get_object_or_404(shared, key=uuid.UUID(place))


def _revision(showing: Showing) -> Revision:
    """What is shown; 404 if the deck was deleted meanwhile."""
    try:
        return shown_revision(showing)
    except Revision.DoesNotExist:
        raise Http404 from None


def _decklist(showing: Showing, revision: Revision, pool: CardPool) -> dict[str, Any]:
    return write_object(shown_list(showing, revision, pool))


def problem_of(verdict: Verdict) -> str:
    """What the site calls what is wrong with a deck; "" for a legal one."""
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
    """An instant as headers have it."""
    return instant.astimezone(UTC).replace(microsecond=0)


def _pool() -> CardPool:
    return current_judge().pool
