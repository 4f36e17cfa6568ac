"""Published decks on other sites (badge, picture, frame), and reports of them."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from arkham.web.forms import sent_once
from arkham.web.http import conditional
from arkham.web.limits import ReportsOfVisitors, refused_by
from cardpool.catalog import current_judge
from cardpool.languages import shown_name
from cardpool.public.answers import MAX_AGE, etag_of
from decks import services
from decks.forms.lists import ReportForm
from decks.models import Showing
from decks.pages.deck_image import DeckCaption, badge_svg, deck_png
from decks.pages.display import Judged
from decks.services.sharing import address_of, shown_content, shown_revision
from decks.views.reach import owner_of, see_other, title_of
from decks.views.shown import explain_not_shown, published_or_explained

FRAMES = {"frame-ancestors": ["*"]}


@require_safe
@explain_not_shown
def badge(request: HttpRequest, number: int) -> HttpResponse:
    """Return the verdict on a published deck as a badge."""
    _showing, judged = _judged(number)
    svg = badge_svg("Orne", str(judged.status_word), judged.status)
    return _kept(request, svg.encode(), "image/svg+xml")


@require_safe
@explain_not_shown
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the picture that sites show next to a link to a published deck."""
    showing, judged = _judged(pk)
    deck, card = showing.deck, judged.investigator
    caption = DeckCaption(
        title_of(deck, card),
        shown_name(card) if card else "",
        _("By %(author)s") % {"author": deck.owner.username if deck.owner else ""},
        judged.status,
        f"{judged.status_word} · {judged.size_words}",
        judged.signs[0] if judged.signs else "",
    )
    # The picture is drawn only if the client doesn't have it yet.
    tag = etag_of(*caption)
    if request.headers.get("If-None-Match") == tag:
        return _kept(request, b"", "image/png", tag)
    return _kept(request, deck_png(caption), "image/png", tag)


@require_safe
@xframe_options_exempt
@csp_replace(FRAMES)
@explain_not_shown
def embedded(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a published deck, read-only, in a frame on another site."""
    showing, judged = _judged(pk)
    context = {
        "showing": showing,
        "deck": showing.deck,
        "title": title_of(showing.deck, judged.investigator),
        "judged": judged,
    }
    return render(request, "decks/embedded.html", context)


@explain_not_shown
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a published deck to the operators, with or without an account."""
    showing, judged = _judged(pk)
    form = ReportForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        if refusal := refused_by(ReportsOfVisitors(), request):
            return refusal
        not_kept = services.report_deck(
            showing=showing,
            reporter=owner_of(request),
            now=timezone.now(),
            **form.cleaned_data,
        )
        if not_kept is None:
            text = _("Thank you. An operator will look at the deck.")
            messages.success(request, text)
        else:
            messages.warning(request, _(not_kept.value))
        return see_other(address_of(showing))
    context = {
        "form": form,
        "showing": showing,
        "title": title_of(showing.deck, judged.investigator),
    }
    status = 422 if form.errors else 200
    return render(request, "decks/report.html", context, status=status)


def _judged(number: int) -> tuple[Showing, Judged]:
    showing = published_or_explained(number)
    content = shown_content(shown_revision(showing))
    return showing, Judged(content, current_judge())


def _kept(
    request: HttpRequest, content: bytes, kind: str, tag: str = ""
) -> HttpResponse:
    """Return a public image, cached for ten minutes."""
    response = HttpResponse(content, content_type=kind)
    response["Cache-Control"] = f"max-age={MAX_AGE}, public"
    response["ETag"] = tag or etag_of(content.decode())
    response["Access-Control-Allow-Origin"] = "*"
    answer = conditional(request, response["ETag"], None, response)
    assert isinstance(answer, HttpResponse)
    return answer
