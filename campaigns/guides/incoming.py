"""How do guides come in over the web? By a zip or an address, so many an hour."""

from __future__ import annotations

from typing import IO

from arkham.rules.campaign.reading.bringing import Bringing, bring
from arkham.web.body_limits import AROUND_A_FILE
from arkham.web.rate_limits import UserThrottle
from campaigns.guides.fetching import guide_files_at
from campaigns.guides.zips import MOST_ZIP_BYTES, zipped_guide_files

MOST_FORM_BYTES = MOST_ZIP_BYTES + AROUND_A_FILE


class BringingThrottle(UserThrottle):
    """Counts what an account brings: reading it takes seconds."""

    scope = "guides"


def guides_from(source: IO[bytes] | str) -> Bringing:
    """The guides of a zip, or of one at an address; raises Unusable, saying why."""
    if isinstance(source, str):
        return bring(guide_files_at(source))
    return bring(zipped_guide_files(source))
