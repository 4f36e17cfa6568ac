"""Helpers of tests of the card pages."""

from __future__ import annotations

import re
from typing import Any

from cardpool.queries import found_codes, read_search


def text_of(response: Any) -> str:
    """Return a page's text: without tags, with single spaces."""
    assert response.status_code == 200, response.status_code
    page = response.content.decode()
    body = page[page.find("<main") :] if "<main" in page else page
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def names(response: Any) -> list[str]:
    """Return the names in a list of cards."""
    return re.findall(
        r'<a class="name" href="[^"]*"[^>]*>([^<]*)<', response.content.decode()
    )


def codes(search: str) -> list[str]:
    """Return the codes of the cards a search finds, in order."""
    return list(found_codes(read_search(search)))
