"""The API of jobs: start one with a file, follow and cancel it, get its results."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle

from arkham.accounts.models import User
from arkham.jobs import files, services
from arkham.jobs.models import Job, JobKind, UnusableTerms, kind_named, kind_of
from arkham.rest.idempotency import accepts_key, key_of, once
from arkham.rest.messages import Address, Count, Message, Number, many, schema
from arkham.rules.vocabulary import is_digits
from arkham.web.bodies import JSONLBody, LinesBody
from arkham.web.limits import JobsOfAccounts
from arkham.web.problems import INVALID, Problem

TAGS = ["jobs"]
MOST_RESULTS = 10_000  # lines of one answer
LARGEST_FILE = 16 * 1024**3  # bytes; the real limit is the setting JOB_BYTES
STATES = list(Job.State.values)  # a single list, so that it has one name
LINES = "application/x-ndjson"
KIND = OpenApiParameter(
    "kind",
    {"type": "string", "enum": ["judge", "price", "import"]},
    required=True,
    description=(
        "judge: a verdict for each deck; price: an invoice for each upgrade; import: "
        "each deck comes into your account."
    ),
)
TERMS = [
    OpenApiParameter("taboo", str, description="A list's id or date, latest or none."),
    OpenApiParameter("environment", str, description="As check_decks takes it."),
    OpenApiParameter("mode", str, description="The mode: campaign or standalone."),
    OpenApiParameter("circumstances", str, description="Other circumstances, as JSON."),
]
FIRST = OpenApiParameter(
    "first", {"type": "integer", "minimum": 1}, description="The number of an item."
)
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MOST_RESULTS},
    description="How many lines at most.",
)


class JobShape(Message):
    """A job: its kind, its progress, and the results so far.

    The first `ready` items have results, which are at `results`.
    """

    id: Number
    kind: str
    state: Annotated[str, schema(enum=STATES)]
    done: Count
    total: Count
    ready: Count
    counts: dict[str, int]
    problems: Annotated[list[str], "The first of what couldn't be done, in words."]
    reason: Annotated[str, "Why it stopped; empty if it didn't."]
    begun_at: datetime
    ended_at: datetime | None
    results: Address | None


class JobView(generics.GenericAPIView[Any]):
    """The base of the job views: they need an account."""

    permission_classes = [IsAuthenticated]

    def jobs(self) -> QuerySet[Job]:
        """Return the jobs that the asker may see."""
        return services.jobs_of(self.request.user)

    def job(self, pk: int) -> Job:
        """Return one of them with its progress; or 404."""
        return services.progress(get_object_or_404(self.jobs(), pk=pk))

    def data(self, job: Job) -> Mapping[str, Any]:
        """Return the message for a job."""
        has_results = kind_of(job).has_results
        return JobShape.data(
            job,
            ready=services.ready(job),
            results=reverse("api:jobs:results", args=[job.pk], request=self.request)
            if has_results
            else None,
        )


class Jobs(JobView):
    """The jobs of an account."""

    has_quota = ("POST",)
    refuses = ("413", "422")
    ordering = "-id"
    parser_classes = [LinesBody, JSONLBody]
    largest_body = LARGEST_FILE

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the usual throttles; starting a job is also counted separately."""
        more = [JobsOfAccounts()] if self.request.method == "POST" else []
        return [*super().get_throttles(), *more]

    @extend_schema(operation_id="jobs", tags=TAGS, responses=many(JobShape))
    def get(self, request: Request) -> Response:
        """Your jobs, latest first, a page at a time."""
        page = self.paginate_queryset(self.jobs()) or ()
        return self.get_paginated_response(
            [self.data(services.progress(each)) for each in page]
        )

    @extend_schema(
        operation_id="job_start",
        tags=TAGS,
        parameters=[KIND, *TERMS],
        request={LINES: {"type": "string"}, JSONLBody.media_type: {"type": "string"}},
        responses={202: JobShape},
    )
    @accepts_key
    def post(self, request: Request) -> HttpResponseBase:
        """Start a job on a file of JSON lines, one deck per line.

        The lines are what `check_decks` and `price_upgrades` take in the shell, and so
        are the results. The file is read while it is sent, up to a million lines. A
        server without workers only takes small files and answers larger ones with the
        problem `needs-workers`.
        """
        negotiator = self.get_content_negotiator()
        if negotiator.select_parser(request, self.get_parsers()) is None:
            raise UnsupportedMediaType(request.content_type)
        kind = _kind(request.query_params.get("kind", ""))
        terms = _terms(kind, request.query_params)
        try:
            return self._started(request, kind, terms)
        except files.NeedsWorkers as error:
            raise Problem(413, str(error), kind="needs-workers") from None
        except files.FileTooLarge as error:
            raise Problem(413, str(error), kind="too-large") from None
        except files.NothingToDo:
            raise Problem(422, _("The file has no lines."), kind=INVALID) from None

    def _started(
        self, request: Request, kind: JobKind, terms: dict[str, Any]
    ) -> HttpResponseBase:
        """Start a job, or return the one started earlier under the same key.

        With a key it is sent after the answer is stored: workers see committed rows.
        """
        assert isinstance(request.user, User)
        owner, stream = request.user, request.stream
        begun: list[Job] = []
        has_key = key_of(request) is not None

        def begin() -> Response:
            job = services.begin(
                kind=kind,
                owner=owner,
                terms=terms,
                received=received,
                now=timezone.now(),
            )
            begun.append(job)
            if not has_key:
                services.send(job)
            where = reverse("api:jobs:job", args=[job.pk], request=request)
            data = self.data(services.progress(job))
            return Response(data, status=202, headers={"Location": where})

        read = stream.read if stream else lambda size: b""
        with files.received_for(kind, owner, read) as received:
            answer = once(request, received.digest, begin)
        for job in begun if has_key else ():
            services.send(job)
        return answer


def _kind(name: str) -> JobKind:
    kind = kind_named(name)
    if kind is None:
        message = _("We don’t know this kind of job. Expected: judge, price or import.")
        raise Problem(422, message, parameter="kind")
    return kind


def _terms(kind: JobKind, asked: Mapping[str, Any]) -> dict[str, Any]:
    assert kind.read_terms is not None
    try:
        return kind.read_terms(asked)
    except UnusableTerms as error:
        parameter = error.name
        raise Problem(422, str(error), parameter=parameter) from None


class JobDetail(JobView):
    """One job."""

    @extend_schema(operation_id="job", tags=TAGS, responses=JobShape)
    def get(self, request: Request, pk: int) -> Response:
        """The progress of a job."""
        return Response(self.data(self.job(pk)))

    @extend_schema(operation_id="job_delete", tags=TAGS, responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a job and its results; a running one is cancelled first."""
        services.delete(self.job(pk), now=timezone.now())
        return Response(status=204)


class JobCancelling(JobView):
    """Cancels a job."""

    @extend_schema(
        operation_id="job_cancel", tags=TAGS, request=None, responses=JobShape
    )
    def post(self, request: Request, pk: int) -> Response:
        """Cancel a job; its results so far are kept."""
        services.cancel(self.job(pk), now=timezone.now())
        return Response(self.data(self.job(pk)))


class JobContinuing(JobView):
    """Continues a job that stopped."""

    @extend_schema(
        operation_id="job_continue", tags=TAGS, request=None, responses=JobShape
    )
    def post(self, request: Request, pk: int) -> Response:
        """Continue a job that stopped."""
        services.resume(self.job(pk), now=timezone.now())
        return Response(self.data(self.job(pk)))


class JobResults(JobView):
    """The results of a job."""

    @extend_schema(
        operation_id="job_results",
        tags=TAGS,
        parameters=[FIRST, LIMIT],
        responses={(200, LINES): {"type": "string"}},
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The results as JSON lines, in the order of the file.

        The header `Link` with `rel="next"` leads to the following ones. While a job is
        running it returns what there is so far, perhaps nothing; ask for the next ones
        later.
        """
        job = get_object_or_404(self.jobs(), pk=pk)
        if not kind_of(job).has_results:
            raise Problem(404, _("Jobs of this kind have no results."))
        first = _number(request, "first", 1, max(job.total, 1))
        limit = _number(request, "limit", MOST_RESULTS, MOST_RESULTS)
        try:
            lines = list(services.results(job, first, limit))
        except FileNotFoundError:  # the job was deleted meanwhile
            raise Http404 from None
        answer = HttpResponse(b"".join(lines), content_type=LINES)
        after = first + len(lines)
        if after <= job.total and (lines or job.state == Job.State.RUNNING):
            where = reverse("api:jobs:results", args=[pk], request=request)
            answer["Link"] = f'<{where}?first={after}&limit={limit}>; rel="next"'
        return answer


def _number(request: Request, name: str, usual: int, most: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return usual
    if is_digits(text, 9) and 1 <= int(text) <= most:
        return int(text)
    message = _("Expected: a number from 1 to %(limit)d.") % {"limit": most}
    raise Problem(400, message, parameter=name)
