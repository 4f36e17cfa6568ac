"""Draw a published deck for other sites: a badge and a picture.

The badge is an SVG with the verdict; the picture is a PNG of the size that sites and
messengers show next to a link.
"""

from __future__ import annotations

from functools import cache
from html import escape
from io import BytesIO
from typing import NamedTuple

from django.contrib.staticfiles import finders
from PIL import Image, ImageDraw, ImageFont

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
