"""What a page says of an entry that was not written."""

from __future__ import annotations

from typing import Any

from campaigns.models import Membership
from campaigns.services import Forbidden, LogMoved, Refused

NOT_WRITTEN = (LogMoved, Refused, Forbidden)


def refusal_told(sitting: Membership, refusal: Exception) -> dict[str, Any]:
    """The status of a page, and what it needs to say why; for one of NOT_WRITTEN.

    Where the log moved, the campaign is read as it is now.
    """
    match refusal:
        case LogMoved():
            sitting.campaign.refresh_from_db()
            return {"status": 409, "missed": refusal.missed}
        case Refused():
            return {"status": 422, "findings": refusal.findings}
        case Forbidden():
            return {"status": 403, "needs": refusal.needs}
    raise refusal
