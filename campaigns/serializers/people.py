"""How those who sit at a table are described to programs."""

from __future__ import annotations

from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from campaigns.models import Role
from campaigns.models import Seat as KeptSeat
from campaigns.people.closing import TableFate
from campaigns.serializers.tables import INTEGER, KEY, SEAT, SENT, TEXT, listed, sent
from campaigns.services.people import MOST_USES
from decks.serializers.judged import STATUSES, FindingShape
from decks.serializers.kept import ADDRESS, MOMENT, NUMBER

_COUNT: Schema = {"type": "integer", "minimum": 0}
_FATE: Schema = {"type": "string", "enum": [each.value for each in TableFate]}


class AccountShape(Shape):
    """An account, and what would become of all it has."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """How many of what there are; each table with its fate.

        ``shown`` are the decks others see, ``entries`` those that stay in logs,
        ``backups`` the campaigns of backups that wait for their guide;
        ``organiser`` is who organises the table then, if somebody has to.
        """
        table = closed(campaign=NUMBER, name=TEXT, fate=_FATE, organiser=or_null(TEXT))
        return closed(
            name=TEXT,
            since=MOMENT,
            decks=_COUNT,
            shown=_COUNT,
            collections=_COUNT,
            keys=_COUNT,
            entries=_COUNT,
            backups=_COUNT,
            tables=listed(table),
            guides_left=listed(NUMBER),
            guides_gone=listed(NUMBER),
            seen=TEXT,
        )


class CloseShape(Shape):
    """That an account is to be closed."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The password, and what was ``seen`` before."""
        return sent(["password"], password=SENT, seen=or_null(SENT))


_ROLE: Schema = {"type": "string", "enum": Role.values}
KINDS = KeptSeat.Kind.values  # one name for them in the description
MOST_HOURS = 8_760


class MemberShape(Shape):
    """Somebody at the table."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Who has left has a time at which they did."""
        return closed(
            id=NUMBER,
            name=TEXT,
            role=_ROLE,
            is_guest={"type": "boolean"},
            joined_at=MOMENT,
            left_at=or_null(MOMENT),
        )


class RoleShape(Shape):
    """What somebody is from now on."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A role."""
        return sent(["role"], role=_ROLE)


class SeatShape(Shape):
    """An investigator at the table."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``balance`` is the experience of its deck; below zero, it was spent twice.

        ``status`` is how a deck kept here stands by the terms of the table: its list of
        taboos, environment and ultimatums. What is found is told to whose deck it is.
        """
        return closed(
            id=NUMBER,
            investigator=TEXT,
            member=or_null(NUMBER),
            name=TEXT,
            kind={"type": "string", "enum": KINDS},
            deck=or_null(NUMBER),
            balance=or_null(INTEGER),
            status=or_null({"type": "string", "enum": STATUSES}),
            findings=or_null({"type": "array", "items": refer(FindingShape)}),
        )


class SitShape(Shape):
    """An investigator who sits down."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``mine`` if you play it; a ``deck`` of your own is linked at once."""
        return SEAT


class SeatChangeShape(Shape):
    """Who plays an investigator from now on, and with what."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A deck is of the kind here."""
        return sent(
            ["member", "kind", "deck"],
            member=or_null(KEY),
            kind={"type": "string", "enum": KINDS},
            deck=or_null(KEY),
        )


class InviteShape(Shape):
    """A link to be made."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """It lasts so many hours, two weeks if nothing is said."""
        return sent(
            [],
            role=_ROLE,
            seat=or_null(KEY),
            hours={"type": "integer", "minimum": 1, "maximum": MOST_HOURS},
            most_uses=or_null(
                {"type": "integer", "minimum": 1, "maximum": MOST_USES},
                description="How many people it lets in; null for any number.",
            ),
        )


class InvitationShape(Shape):
    """A link that brings people to the table."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The ``token`` is what /campaigns/join takes."""
        return closed(
            id=NUMBER,
            token=TEXT,
            page=ADDRESS | {"description": "What people are sent to join by."},
            role=_ROLE,
            seat=or_null(NUMBER),
            uses=INTEGER,
            most_uses=or_null(INTEGER),
            made_at=MOMENT,
            expires_at=MOMENT,
            revoked_at=or_null(MOMENT),
        )


class JoinShape(Shape):
    """A link that is followed."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A guest says what they are called."""
        return sent(["token"], token=SENT, name=SENT)


class JoinedShape(Shape):
    """Where somebody sits now."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The campaign, and as what."""
        return closed(campaign=NUMBER, member=refer(MemberShape))
