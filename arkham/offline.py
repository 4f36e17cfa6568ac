"""What makes the site an app that can be installed: its name, colours and icons."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

SHEET, PAPER = "#fffdf7", "#f5f1e6"  # of tokens.css, by day
SIZES = (192, 512)
SHORTCUTS: tuple[tuple[str, str | Promise], ...] = (
    ("campaigns:index", gettext_lazy("Campaigns")),
    ("decks:index", gettext_lazy("Decks")),
    ("library:index", gettext_lazy("Rules")),
    ("table:index", gettext_lazy("At the table")),
)


@cache_control(public=True, max_age=3600)
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """How the site is installed on a phone or a computer."""
    content = {
        "id": reverse("home"),
        "name": "Orne",
        "short_name": "Orne",
        "description": _(
            "Decks and campaigns of Arkham Horror: The Card Game, judged and explained."
        ),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "theme_color": SHEET,
        "background_color": PAPER,
        "icons": [
            _icon("lamp.svg", "any", "image/svg+xml"),
            *(_icon(f"icons/icon-{each}.png", f"{each}x{each}") for each in SIZES),
            _icon("icons/maskable-512.png", "512x512") | {"purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": str(name), "url": reverse(page)} for page, name in SHORTCUTS
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


def _icon(file: str, sizes: str, kind: str = "image/png") -> dict[str, str]:
    return {"src": static(f"arkham/{file}"), "sizes": sizes, "type": kind}
