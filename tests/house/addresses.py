"""The addresses of pages that need no argument."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

# What is not ours to draw, or no page.
ELSEWHERE = (
    "admin/",
    "api/",
    "healthz",
    "metrics",
    "favicon.ico",
    "manifest.webmanifest",
    "sw.js",
)


def addresses(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    """Every address that needs no argument."""
    for entry in resolver.url_patterns:
        route = str(entry.pattern)
        if route.startswith(ELSEWHERE) or set(route) & set("<(^"):
            continue
        if isinstance(entry, URLResolver):
            yield from addresses(entry, prefix + route)
        elif isinstance(entry, URLPattern):
            yield prefix + route


ADDRESSES = sorted(set(addresses(get_resolver("arkham.urls"))))
