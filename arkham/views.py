"""The addresses that belong to no app: the sign, and whether the server is well."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The lamp, for what asks at the old address."""
    return redirect(static("arkham/lamp.svg"))


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the server answers and its database does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
