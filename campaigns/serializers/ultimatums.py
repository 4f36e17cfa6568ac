"""How ultimatums, retirement and transfers are described to programs."""

from __future__ import annotations

from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from campaigns.serializers.tables import KEY, SENT, SEQUENCE, TEXT, sent
from decks.serializers.kept import NUMBER

MOST_UNSPENT = 999


class OathShape(Shape):
    """What a table has sworn to."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``scenario`` is what it holds from; drawn, it holds for that one only."""
        return closed(
            sequence=NUMBER,
            ultimatum=TEXT,
            name=TEXT,
            scenario=TEXT,
            drawn={"type": "boolean"},
        )


class SwearShape(Shape):
    """What is sworn to."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The id of a printed one, or any other with a ``name`` of your own."""
        return sent(["after", "ultimatum"], after=SEQUENCE, ultimatum=SENT, name=SENT)


class OathDrawShape(Shape):
    """A draw for the next game."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``also`` leaves in those that change decks after a game."""
        also: Schema = {"type": "array", "items": {"type": "string"}, "maxItems": 2}
        return sent(["after"], after=SEQUENCE, also=also)


class RetireShape(Shape):
    """Somebody retires."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """With the reason, for the log."""
        return sent(["after", "reason"], after=SEQUENCE, reason=SENT)


class TransferShape(Shape):
    """Another campaign, and who goes on to it."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``unspent`` is what is left in the deck here, if it is not told."""
        unspent: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_UNSPENT}
        one = sent(["seat"], seat=KEY, unspent=or_null(unspent))
        going: Schema = {"type": "array", "items": one, "minItems": 1, "maxItems": 40}
        return sent(["guide", "going"], guide=KEY, going=going, name=SENT)


class TransferredShape(Shape):
    """The campaign that was begun."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its key."""
        return closed(campaign=NUMBER)
