"""Describes campaign files, and backups of the Arkham Cards app, to programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from campaigns.files.campaign_file import FORMAT, LONGEST_ID, MOST_SEATS, VERSION
from campaigns.log.store import MOST_ENTRIES
from campaigns.models import WaitingBackup
from campaigns.models.campaign import LONGEST_NAME, LONGEST_SCENARIO
from campaigns.models.log import LONGEST_CAUSE
from campaigns.models.people import LONGEST_PERSON
from campaigns.models.seats import LONGEST_CODE
from campaigns.play.in_play import LONGEST_NOTES, LONGEST_TICK
from campaigns.play.plays import MOST_PLAYS
from campaigns.serializers.tables import ANYTHING, COUNT, SENT, TEXT, listed, sent
from campaigns.services.backups import BackupOutcome, Left
from decks.pages.notes import translated
from decks.serializers.kept import MOMENT, NUMBER

_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}


def outcome_data(found: BackupOutcome) -> dict[str, Any]:
    """What became of a backup, as JSON types."""
    return {
        "restored": [
            {
                "campaign": each.campaign.pk,
                "name": each.campaign.name,
                "other_version": each.is_other,
                "problems": len(each.problems),
            }
            for each in found.restored
        ],
        "left": [_left_data(each) for each in found.left],
        "by_hand": list(found.by_hand),
        "decks": found.decks,
    }


def _left_data(left: Left) -> dict[str, Any]:
    reason, _remedy = translated(left.finding)
    return {
        "name": left.name,
        "reason": reason,
        "waiting": left.waiting.pk if left.waiting is not None else None,
    }


def waiting_data(waiting: WaitingBackup, missing: Iterable[str]) -> dict[str, Any]:
    """A campaign that waits for its guide, as JSON types."""
    return {
        "id": waiting.pk,
        "name": waiting.name,
        "missing": list(missing),
        "kept_by_hand": waiting.is_by_hand,
        "made_at": waiting.made_at,
    }


class BackupShape(Shape):
    """A backup as the app writes it."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What the app calls ``campaigns`` and ``guides``; the rest is only counted."""
        objects = {"type": "array", "items": ANYTHING}
        return {
            **sent(["campaigns"], campaigns=objects, guides=objects),
            "additionalProperties": True,
        }


class OutcomeShape(Shape):
    """What became of a backup."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The campaigns restored, and those left out with the reason.

        ``waiting`` is the number under which one waits for its guide; ``by_hand`` and
        ``decks`` can't be imported.
        """
        restored = closed(
            campaign=NUMBER, name=TEXT, other_version=_FLAG, problems=_COUNT
        )
        left = closed(name=TEXT, reason=TEXT, waiting=or_null(NUMBER))
        return closed(
            restored=listed(restored),
            left=listed(left),
            by_hand=listed(TEXT),
            decks=_COUNT,
        )


class WaitingBackupShape(Shape):
    """A campaign of a backup that waits for its guide."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``missing`` are the guides that are still not here; none: it can come."""
        return closed(
            id=NUMBER,
            name=TEXT,
            missing=listed(TEXT),
            kept_by_hand=_FLAG,
            made_at=MOMENT,
        )


class KeptByHandShape(Shape):
    """The campaigns that are kept by hand now."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """One, or the two halves that belong together."""
        return closed(campaigns=listed(NUMBER))


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
        heard = sent(
            ["link", "decision"], link={"type": "string"}, decision={"type": "string"}
        )
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
            "heard": or_null({"type": "array", "items": heard, "maxItems": MOST_PLAYS}),
            "entries": {"type": "array", "items": entry, "maxItems": MOST_ENTRIES},
        }
        since_2 = ("id", "plays", "linked", "simulated", "heard")
        return sent([each for each in properties if each not in since_2], **properties)
