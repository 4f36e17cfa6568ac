"""The API of a campaign's log: reading entries and writing them."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import REPLAYED
from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.vocabulary import is_digits
from arkham.web.http import etag, is_known
from campaigns import queries, services
from campaigns.api import bodies
from campaigns.api.access import CampaignView, key_of
from campaigns.api.answers import (
    CampaignPreviewShape,
    EntryShape,
    LogEntriesShape,
    WrittenShape,
)
from campaigns.api.bodies import (
    AnswerCorrectionShape,
    AppendShape,
    CampaignQuestionShape,
    RetractionShape,
    answer_of,
    entry_of,
)
from campaigns.api.questions import pending_data, problems_data
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Membership
from campaigns.services import WriteContext

TAGS = ["log of a campaign"]
MOST = 999_999_999
SINCE = OpenApiParameter(
    "since",
    {"type": "integer", "minimum": 0, "maximum": MOST, "default": 0},
    description="Only entries after this one.",
)


class LogView(CampaignView):
    """The base of the views of a log."""

    def write_context(self, after: int) -> WriteContext:
        """Return the last entry the sender saw, and the request's idempotency key."""
        return WriteContext(after, timezone.now(), key_of(self.request))


class Entries(LogView):
    """The log of a campaign."""

    @extend_schema(
        operation_id="campaign_entries",
        tags=TAGS,
        parameters=[SINCE, IF_NONE_MATCH],
        responses={200: LogEntriesShape, 304: UNCHANGED},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The log's entries after ``since``, in order, undone ones included.

        Send the ETag of the last answer: while nothing is new you get 304 immediately,
        so you can ask every second or two.
        """
        since = _since(request)
        end = queries.end_of_log(pk, self.visitor())
        if end is None:
            raise Http404
        tag = etag(pk, end.last, end.head[:12], since)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if is_known(request, tag):
            return Response(status=304, headers=headers)
        campaign = Campaign(pk=pk, last=end.last)
        found = store.rows(campaign, min(since, end.last))
        data = {"last": end.last, "entries": [EntryShape.data(row) for row in found]}
        return Response(data, headers=headers)

    @extend_schema(
        operation_id="campaign_append",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": AppendShape},
        responses={200: WrittenShape, 201: WrittenShape},
        examples=[OpenApiExample("An answer", bodies.ANSWERED, request_only=True)],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write an answer or a fact after the last entry you saw.

        If the log is longer by now, it is 409 with the entries ``missed``, and nothing
        is written. What breaks a rule is 422 with every finding. A repeated request
        with the same ``Idempotency-Key`` returns the same entries with 200.
        """
        member = self.member(pk)
        body = self.parse_body(AppendShape)
        entry = entry_of(body.entry)
        campaign, context = member.campaign, self.write_context(body.after)
        if isinstance(entry, Answer):
            done = services.answer(
                campaign=campaign, member=member, given=entry, context=context
            )
        else:
            done = services.state_fact(
                campaign=campaign, member=member, fact=entry, context=context
            )
        return written_answer(member, done)


class CorrectionsView(LogView):
    """Corrections of earlier answers."""

    @extend_schema(
        operation_id="campaign_correct",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": AnswerCorrectionShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Correct an answer; everything after it is folded again."""
        member = self.member(pk)
        body = self.parse_body(AnswerCorrectionShape)
        done = services.correct(
            campaign=member.campaign,
            member=member,
            target=body.target,
            given=answer_of(body.entry),
            reason=body.reason,
            context=self.write_context(body.after),
        )
        return written_answer(member, done)


class Retractions(LogView):
    """Retractions of entries."""

    @extend_schema(
        operation_id="campaign_retract",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": RetractionShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Undo an entry (``target``), or a ``scenario`` from its start.

        Nothing is erased: a retraction is an entry, and can be retracted. An organiser
        drops an ultimatum chosen by mistake with a ``reason``.
        """
        member = self.member(pk)
        body = self.parse_body(RetractionShape)
        context = self.write_context(body.after)
        _one_of(body.target, body.scenario)
        if body.scenario is not None:
            done = services.return_to_start(
                campaign=member.campaign,
                member=member,
                scenario=body.scenario,
                context=context,
            )
        else:
            done = services.retract(
                campaign=member.campaign,
                member=member,
                target=body.target or 0,
                reason=body.reason,
                context=context,
            )
        return written_answer(member, done)


class Previews(LogView):
    """Previews of entries."""

    only_reads = True

    @extend_schema(
        operation_id="campaign_preview",
        tags=TAGS,
        request={"application/json": CampaignQuestionShape},
        responses=CampaignPreviewShape,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Preview an ``entry``; with ``target``, in place of that one.

        ``target`` or ``scenario`` alone: what undoing it would change. Other answers
        are named by their sequence: those that would mean something else, those that
        would be dropped, those asked again; all others stay. ``linked`` is what would
        change in the linked campaign, if you are a member there too.
        """
        campaign = self.member(pk).campaign
        body = self.parse_body(CampaignQuestionShape)
        found = _previewed(campaign, body)
        sits_beside = queries.linked_to(campaign, self.visitor()) is not None
        if not sits_beside:
            found = found._replace(beside=None)
        return Response(CampaignPreviewShape.data(found))


def _previewed(
    campaign: Campaign, body: CampaignQuestionShape
) -> services.EntryPreview:
    if body.scenario is not None:
        _one_of(body.target or body.entry, body.scenario)
        return services.preview_return(campaign=campaign, scenario=body.scenario)
    if body.entry is None:
        _one_of(body.target, None)
        return services.preview_retraction(campaign=campaign, target=body.target or 0)
    if body.target is None:
        return services.preview(campaign=campaign, given=[entry_of(body.entry)])
    return services.preview_correction(
        campaign=campaign, target=body.target, given=answer_of(body.entry)
    )


def _one_of(target: object, scenario: str | None) -> None:
    if (target is None) == (scenario is None):
        raise ValidationError({"target": [_("Expected: a target or a scenario.")]})


def written_answer(member: Membership, done: services.Appended) -> Response:
    """Return the entries and the next question: 201, or 200 if they were repeated."""
    campaign = member.campaign
    replay = replayed(campaign).replay
    data: dict[str, Any] = {
        "last": campaign.last,
        "entries": [EntryShape.data(row) for row in done.entries],
        "pending": pending_data(replay.pending),
        "problems": problems_data(replay.problems),
    }
    if done.is_new:
        return Response(data, status=201)
    return Response(data, headers={REPLAYED: "true"})


def _since(request: Request) -> int:
    text = request.query_params.get("since", "0")
    if not is_digits(text, 9):
        raise ValidationError(
            {
                "since": [
                    _("Expected: a whole number from 0 to %(most)d.") % {"most": MOST}
                ]
            }
        )
    return int(text)
