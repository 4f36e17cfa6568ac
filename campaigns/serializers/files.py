"""How a campaign as a file is described to programs."""

from __future__ import annotations

from campaigns.files.campaign_file import FORMAT, LONGEST_ID, MOST_SEATS, VERSION
from campaigns.log.store import MOST_ENTRIES
from campaigns.models.campaign import LONGEST_NAME, LONGEST_SCENARIO
from campaigns.models.log import LONGEST_CAUSE
from campaigns.models.people import LONGEST_PERSON
from campaigns.models.seats import LONGEST_CODE
from campaigns.play.files import MOST_PLAYS
from campaigns.play.in_play import LONGEST_NOTES, LONGEST_TICK
from campaigns.serializers.tables import ANYTHING, COUNT, SENT, listed, sent
from decks.serializers.judged import Refer, Schema, Shape, or_null


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


class CampaignFileShape(Shape):
    """A whole campaign."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its guide, its terms, its seats, and its log in order.

        Files of the first version have no ``id``, ``plays`` and ``linked``.
        """
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
        counts = listed(COUNT)
        play = sent(
            ["scenario", "bag", "sealed", "known"],
            scenario=_text(LONGEST_SCENARIO),
            bag=counts,
            sealed=counts,
            known=counts,
            counters=counts,
            notes=_text(LONGEST_NOTES),
            notes_by=_text(LONGEST_PERSON),
            ticked={"type": "array", "items": _text(LONGEST_TICK)},
        )
        linked = sent(["id"], id=_text(LONGEST_ID), campaign=or_null(ANYTHING))
        properties: dict[str, Schema] = {
            "format": {"type": "string", "enum": [FORMAT]},
            "file_version": {"type": "integer", "minimum": 1, "maximum": VERSION},
            "id": _text(LONGEST_ID),
            "name": _text(LONGEST_NAME),
            "guide": guide,
            "guide_version": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
            "standalone": _text(LONGEST_SCENARIO),
            "simulated": _text(LONGEST_SCENARIO),
            "terms": ANYTHING,
            "seats": {"type": "array", "items": seat, "maxItems": MOST_SEATS},
            "plays": {"type": "array", "items": play, "maxItems": MOST_PLAYS},
            "linked": or_null(linked),
            "entries": {"type": "array", "items": entry, "maxItems": MOST_ENTRIES},
        }
        since_2 = ("id", "plays", "linked", "simulated")
        return sent([each for each in properties if each not in since_2], **properties)
