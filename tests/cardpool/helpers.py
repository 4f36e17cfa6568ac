"""What tests of the card pages share."""

from __future__ import annotations

import re
from typing import Any


def text_of(response: Any) -> str:
    """What is read on a page: without tags, one space between words."""
    assert response.status_code == 200, response.status_code
    page = response.content.decode()
    body = page[page.find("<main") :] if "<main" in page else page
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def names(response: Any) -> list[str]:
    """The names in a list of cards."""
    return re.findall(
        r'<a class="name" href="[^"]*"[^>]*>([^<]*)<', response.content.decode()
    )
