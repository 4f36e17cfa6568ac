"""How do guides come in over the web? By a zip or an address, so many an hour."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from rest_framework.throttling import UserRateThrottle

from arkham.rules.campaign.reading.bringing import Bringing, bring
from campaigns.guide_fetching import guide_files_at
from campaigns.guide_zip import MOST_ZIP_BYTES, zipped_guide_files

MOST_FORM_BYTES = MOST_ZIP_BYTES + 64 * 1024  # a zip with what a form puts around it
MOST_HEARD_OUT = 4 * MOST_ZIP_BYTES  # who sends more is not listened to
CHUNK = 256 * 1024


class BringingThrottle(UserRateThrottle):
    """Counts what an account brings: reading it takes seconds."""

    scope = "guides"


def guides_from(source: IO[bytes] | str) -> Bringing:
    """The guides of a zip, or of one at an address; raises Unusable, saying why."""
    if isinstance(source, str):
        return bring(guide_files_at(source))
    return bring(zipped_guide_files(source))


def hear_out(read: Callable[[int], bytes], length: int) -> None:
    """Let somebody send a body that is refused, so that they hear the refusal."""
    if length <= MOST_HEARD_OUT:
        while read(CHUNK):
            pass
