"""Published decks on other sites: a badge, a picture, and a view for frames.

The badge is an SVG with the verdict; the picture is a PNG of the size that sites and
messengers show next to a link.
"""

from __future__ import annotations

from functools import cache
from html import escape
from io import BytesIO
from typing import NamedTuple

from csp.decorators import csp_replace
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from PIL import Image, ImageDraw, ImageFont

from arkham.web.http import conditional
from cardpool.catalog import current_judge
from cardpool.languages import shown_name
from cardpool.public.answers import MAX_AGE, etag_of
from decks.models import Showing
from decks.pages.display import Judged
from decks.services.sharing import shown_content, shown_revision
from decks.views.reach import title_of
from decks.views.shown import explain_not_shown, published_or_explained

WIDTH, HEIGHT = 1200, 630
MARGIN = 80
PAPER, INK, MUTED = "#fffdf7", "#17201b", "#555b51"
# Colours of the light theme.
CLASSES = {
    "guardian": "#1f568f",
    "seeker": "#7f5200",
    "rogue": "#236b2e",
    "mystic": "#613f97",
    "survivor": "#a32a25",
}
STATUSES = {"legal": "#236b2e", "incomplete": "#7d5000", "illegal": "#a32a25"}
MOST_LINES = 3
LETTER, PADDING = 6.6, 8  # of a badge, in its units: about a letter of Verdana 11


class DeckCaption(NamedTuple):
    """The texts of a picture; ``status`` and ``card_class`` choose its colours."""

    title: str
    investigator: str
    author: str
    status: str
    verdict: str
    card_class: str


def badge_svg(label: str, verdict: str, status: str) -> str:
    """Return a badge with its label on the left, the verdict on the right."""
    left, right = (round(len(text) * LETTER) + 2 * PADDING for text in (label, verdict))
    spoken = escape(f"{label}: {verdict}")
    colour = STATUSES.get(status, MUTED)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" '
        f'role="img" aria-label="{spoken}"><title>{spoken}</title>'
        f'<rect width="{left + right}" height="20" rx="3" fill="{INK}"/>'
        f'<rect x="{left}" width="{right}" height="20" rx="3" fill="{colour}"/>'
        f'<rect x="{left}" width="4" height="20" fill="{colour}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" '
        'text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14">{escape(label)}</text>'
        f'<text x="{left + right / 2:g}" y="14">{escape(verdict)}</text></g></svg>'
    )


def deck_png(caption: DeckCaption) -> bytes:
    """Return the picture of a deck as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    colour = CLASSES.get(caption.card_class, MUTED)
    draw.rectangle((0, 0, 24, HEIGHT), fill=colour)
    draw.text((MARGIN, 56), caption.investigator, fill=colour, font=_font("text", 40))
    top = 132
    for line in _lines(caption.title, _font("display", 76)):
        draw.text((MARGIN, top), line, fill=INK, font=_font("display", 76))
        top += 96
    status = STATUSES.get(caption.status, MUTED)
    words = _font("text", 40)
    width = words.getlength(caption.verdict)
    box = (MARGIN, 440, MARGIN + width + 48, 508)
    draw.rounded_rectangle(box, radius=6, fill=status)
    draw.text((MARGIN + 24, 450), caption.verdict, fill=PAPER, font=words)
    draw.text((MARGIN, 540), caption.author, fill=MUTED, font=_font("text", 34))
    mark = _font("display", 44)
    place = WIDTH - MARGIN - mark.getlength("Orne")
    draw.text((place, 534), "Orne", fill=INK, font=mark)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Load a typeface of the pages."""
    return ImageFont.truetype(str(finders.find(f"arkham/fonts/{name}.woff2")), size)


def _lines(title: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """Wrap a title into at most ``MOST_LINES`` lines, cutting what doesn't fit."""
    most = WIDTH - 2 * MARGIN
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or font.getlength(longer) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1]} …"]
    return [_cut(line, font, most) for line in lines]


def _cut(line: str, font: ImageFont.FreeTypeFont, most: float) -> str:
    while font.getlength(line) > most:
        line = f"{line.removesuffix('…')[:-2]}…"
    return line


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
