"""How an account as a whole is described to programs."""

from __future__ import annotations

from campaigns.people.closing import Fate
from campaigns.serializers.tables import SENT, TEXT, listed, sent
from decks.serializers.judged import Refer, Schema, Shape, closed, or_null
from decks.serializers.kept import MOMENT, NUMBER

_COUNT: Schema = {"type": "integer", "minimum": 0}
_FATE: Schema = {"type": "string", "enum": [each.value for each in Fate]}


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
