"""The first page: a deck is judged in one step, without an account."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from arkham.rules.notation.reading import Unreadable
from arkham.web.limits import keeps_something
from cardpool.catalog import current_judge
from decks import services
from decks.forms.lists import ListForm
from decks.interchange.importing import read_list
from decks.lists.content import parse_content
from decks.pages.display import Judged
from decks.pages.figures import figures
from decks.services.samples import SAMPLE_TEXT
from decks.views.answers import carried_of, not_understood, opened
from decks.views.reach import owner_of


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """Paste a deck; see what was understood, and the verdict."""
    if request.method != "POST":
        return render(request, "home.html", {"form": ListForm()})
    data = request.POST.copy()
    if "sample" in data:
        data["text"] = SAMPLE_TEXT
    form = ListForm(data, request.FILES)
    if not form.is_valid():
        return render(request, "home.html", {"form": form}, status=422)
    judge = current_judge()
    text = form.list_text
    read = read_list(text, judge.pool, form.file_name)
    context = {"form": ListForm(initial={"text": text}), "read": read}
    if read.content is None:
        return render(request, "home.html", context, status=422)
    judged = Judged(read.content, judge)
    context |= {"judged": judged, "figures": figures(judged.rows)}
    return render(request, "home.html", context)


@keeps_something
@require_POST
def bring(request: HttpRequest) -> HttpResponse:
    """A deck that was judged becomes one to build on."""
    try:
        content = parse_content(request.POST.get("content", ""))
    except Unreadable:
        return not_understood(request)
    now = timezone.now()
    services.forget_drafts(now=now)
    deck = services.create_deck(
        owner=owner_of(request),
        content=content,
        now=now,
        name=request.POST.get("name", ""),
        notes=request.POST.get("notes", ""),
        tags=request.POST.get("tags", ""),
        carried=carried_of(request) or 0,
    )
    return opened(request, deck)
