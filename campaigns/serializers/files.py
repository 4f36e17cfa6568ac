"""How a campaign as a file is described to programs."""

from __future__ import annotations

from campaigns.files import FORMAT, MOST_SEATS, VERSION
from campaigns.log import MOST_ENTRIES
from campaigns.models.campaign import LONGEST_NAME, LONGEST_SCENARIO
from campaigns.models.log import LONGEST_CAUSE
from campaigns.models.people import LONGEST_PERSON
from campaigns.models.seats import LONGEST_CODE
from campaigns.serializers.tables import ANYTHING, SENT, sent
from decks.serializers.judged import Refer, Schema, Shape


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


class CampaignFileShape(Shape):
    """A whole campaign."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its guide, its terms, its seats, and its log in order."""
        guide = sent(
            ["id", "digest"], id=SENT, digest=SENT, side_digest=SENT, name=SENT
        )
        seat = sent(
            ["investigator"],
            investigator=_text(LONGEST_CODE),
            name=_text(LONGEST_PERSON),
        )
        entry = sent(
            ["kind", "version", "payload", "at"],
            kind=SENT,
            version={"type": "integer", "minimum": 1},
            payload=ANYTHING,
            at={"type": "string", "format": "date-time"},
            author=_text(LONGEST_PERSON),
            cause=_text(LONGEST_CAUSE),
        )
        properties: dict[str, Schema] = {
            "format": {"type": "string", "enum": [FORMAT]},
            "file_version": {"type": "integer", "enum": [VERSION]},
            "name": _text(LONGEST_NAME),
            "guide": guide,
            "guide_version": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
            "standalone": _text(LONGEST_SCENARIO),
            "terms": ANYTHING,
            "seats": {"type": "array", "items": seat, "maxItems": MOST_SEATS},
            "entries": {"type": "array", "items": entry, "maxItems": MOST_ENTRIES},
        }
        return sent([*properties], **properties)
