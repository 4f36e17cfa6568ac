"""How what is found otherwise of a deck is told and described to programs."""

from __future__ import annotations

from typing import Any

from decks.models import Notice
from decks.serializers.judged import FindingShape, Refer, Schema, Shape, closed, or_null

_NUMBER: Schema = {"type": "integer", "minimum": 1}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_STATUS: Schema = {"type": "string", "enum": ["legal", "incomplete", "illegal"]}
_EXPERIENCE: Schema = {"type": "integer", "minimum": 0}
_VERSION: Schema = {"type": "string"}


def notice_data(notice: Notice) -> dict[str, Any]:
    """A notice as JSON types."""
    return {
        "id": notice.pk,
        "deck": notice.deck_id,
        "revision": notice.revision,
        "made_at": notice.made_at,
        "dismissed_at": notice.dismissed_at,
        "serious": notice.is_serious,
        "before": {
            "status": notice.status_before,
            "experience_required": notice.experience_before,
            "rules_version": notice.rules_before,
            "pool_version": notice.pool_before,
        },
        "after": {
            "status": notice.status_after,
            "experience_required": notice.experience_after,
            "rules_version": notice.rules_after,
            "pool_version": notice.pool_after,
        },
        "appeared": notice.appeared,
        "gone": notice.gone,
    }


class NoticeShape(Shape):
    """What is found otherwise of a deck that nobody changed."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The verdict before and after, and the findings that tell them apart."""
        verdict = closed(
            status=_STATUS,
            experience_required=_EXPERIENCE,
            rules_version=_VERSION,
            pool_version=_VERSION,
        )
        findings: Schema = {"type": "array", "items": refer(FindingShape)}
        return closed(
            id=_NUMBER,
            deck=_NUMBER,
            revision=_NUMBER | {"description": "The revision judged twice."},
            made_at=_MOMENT,
            dismissed_at=or_null(_MOMENT),
            serious={
                "type": "boolean",
                "description": "Whether more than advice changed.",
            },
            before=verdict,
            after=verdict,
            appeared=findings,
            gone=findings,
        )
