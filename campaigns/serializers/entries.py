"""Describes the entries of a log, and a campaign entered from paper, to programs."""

from __future__ import annotations

from arkham.rules.campaign.paper.judging import MOST_TOKENS, STATES
from arkham.rules.chaos.starting import Difficulty
from campaigns.log.shapes import MOST_NUMBER
from campaigns.serializers.tables import SENT, SEQUENCE, listed, sent
from decks.serializers.judged import Refer, Schema, Shape

_NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_NUMBER}
_NUMBERS: Schema = {"type": "object", "additionalProperties": _NUMBER}
_TOKENS: Schema = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MOST_TOKENS},
}
_NAMES = listed(SENT)
_PLACES = _NAMES | {"description": "A section and the id of a line: SECTION.LINE."}


class EnteredPersonShape(Shape):
    """An investigator as the table has them."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What is unspent, suffered and held; ``counts`` and ``lines`` of their own."""
        return sent(
            ["investigator"],
            investigator=SENT,
            experience=_NUMBER,
            physical=_NUMBER,
            mental=_NUMBER,
            fate={"type": "string", "enum": ["alive", "killed", "driven_insane"]},
            cards=_NAMES,
            weaknesses=_NAMES,
            counts=_NUMBERS,
            lines=_PLACES,
        )


class EnteredPartnerShape(Shape):
    """A partner as the table has them."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What they suffered, and what they are."""
        states = listed({"type": "string", "enum": list(STATES)})
        return sent(["code"], code=SENT, damage=_NUMBER, horror=_NUMBER, states=states)


class EnteredWordsShape(Shape):
    """A line in the table's own words."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its section, and what stands there."""
        return sent(["section", "words"], section=SENT, words=SENT)


class EnterShape(Shape):
    """Where a campaign stands that began on paper."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``scenario`` is the one to be played now; ``played`` those before it."""
        return sent(
            ["after", "scenario", "people"],
            after=SEQUENCE,
            scenario=SENT,
            people=listed(refer(EnteredPersonShape)) | {"minItems": 1, "maxItems": 40},
            bag=_TOKENS,
            difficulty={"type": "string", "enum": [*Difficulty]},
            lines=_PLACES,
            crossed_out=_PLACES,
            words=listed(refer(EnteredWordsShape)),
            counts=_NUMBERS,
            played=_NAMES,
            order=_NAMES,
            partners=listed(refer(EnteredPartnerShape)),
            keys={"type": "object", "additionalProperties": SENT},
            location=SENT,
            visited=_NAMES,
            opened=_NAMES,
            reason=SENT,
        )
