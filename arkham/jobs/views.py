"""The pages of jobs: start one, watch it, cancel it, download its results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.jobs import files, services
from arkham.jobs.models import Job, UnusableTerms, kind_named, kind_of, kinds_of_files
from arkham.web.forms import offer_choices, sent_once
from arkham.web.http import page_or_fragment
from arkham.web.limits import JobsOfAccounts, refused_by
from arkham.web.request_limits import AROUND_A_FILE, takes_up_to

LARGEST_FILE = 64 * 1024 * 1024  # bytes that a browser may send; programs may send more
ON_A_PAGE = 50
PART = 1024 * 1024  # bytes


class JobForm(forms.Form):
    """A file of JSON lines, and the kind of job."""

    kind = forms.ChoiceField(label=gettext_lazy("Job"))
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "One deck per line, in ArkhamDB’s JSON format; up to 64 MB. Programs can "
            "send larger files through the API."
        ),
        widget=forms.FileInput(attrs={"accept": ".jsonl,.ndjson,.json,text/plain"}),
    )
    taboo = forms.ChoiceField(label=gettext_lazy("Taboo list"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = kinds_of_files()
        offer_choices(self, "kind", [(each.name, each.title) for each in kinds])
        lists = (each.taboo_lists() for each in kinds if each.taboo_lists)
        offer_choices(self, "taboo", [("", _("Each deck’s own")), *next(lists, ())])


@takes_up_to(LARGEST_FILE + AROUND_A_FILE)
@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def index(request: HttpRequest) -> HttpResponse:
    """List your jobs, or start one."""
    if request.method != "POST":
        return _index(request, JobForm())
    form = JobForm(request.POST, request.FILES)
    if not form.is_valid():
        return _index(request, form, status=422)
    if refusal := refused_by(JobsOfAccounts(), request):
        return refusal
    try:
        job = _started(request, form.cleaned_data)
    except UnusableTerms as error:
        form.add_error("taboo", str(error))
    except files.NothingToDo:
        form.add_error("file", _("The file has no lines."))
    except (files.NeedsWorkers, files.FileTooLarge) as error:
        form.add_error("file", str(error))
    else:
        return HttpResponseRedirect(reverse("jobs:show", args=[job.pk]), status=303)
    return _index(request, form, status=422)


def _started(request: HttpRequest, said: dict[str, Any]) -> Job:
    kind = kind_named(said["kind"])
    assert kind is not None
    assert kind.read_terms is not None
    assert isinstance(request.user, User)
    return services.start_with_file(
        kind=kind,
        owner=request.user,
        terms=kind.read_terms(said),
        read=said["file"].read,
        now=timezone.now(),
    )


def _index(request: HttpRequest, form: JobForm, *, status: int = 200) -> HttpResponse:
    jobs = services.jobs_of(request.user)[:ON_A_PAGE]
    context = {
        "form": form,
        "jobs": [(each, kind_of(each)) for each in map(services.progress, jobs)],
    }
    return render(request, "jobs/index.html", context, status=status)


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a job's progress and results so far, or act on it."""
    job = get_object_or_404(services.jobs_of(request.user), pk=pk)
    kind = kind_of(job)
    if kind.page:
        return redirect(kind.page)
    if request.method == "POST":
        return _done(request, job)
    services.progress(job)
    is_running = job.state == Job.State.RUNNING
    context = {
        "job": job,
        "kind": kind,
        "is_running": is_running,
        "counts": [
            (words, job.counts[name])
            for name, words in kind.words.items()
            if name in job.counts
        ],
        "ready": services.ready(job) if kind.has_results else 0,
    }
    names = "jobs/show.html", "jobs/_job.html"
    response = page_or_fragment(request, *names, context)
    if not is_running:
        response["HX-Refresh"] = "true"  # the page without polling
    return response


def _done(request: HttpRequest, job: Job) -> HttpResponse:
    now, here = timezone.now(), reverse("jobs:show", args=[job.pk])
    match request.POST.get("act"):
        case "cancel":
            services.cancel(job, now=now)
        case "continue":
            services.resume(job, now=now)
        case "delete":
            services.delete(job, now=now)
            here = reverse("jobs:index")
    return HttpResponseRedirect(here, status=303)


@account_required
@never_cache
@require_safe
def results(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Return all results as a file of JSON lines."""
    job = get_object_or_404(services.jobs_of(request.user), pk=pk)
    if not kind_of(job).has_results:
        raise Http404
    return StreamingHttpResponse(
        _parts(services.results(job, 1, job.total)),
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="job-{pk}.jsonl"'},
    )


def _parts(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines in few parts: each takes a step of the server."""
    part = bytearray()
    for line in lines:
        part += line
        if len(part) >= PART:
            yield bytes(part)
            part.clear()
    yield bytes(part)
