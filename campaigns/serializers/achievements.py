"""Describes achievements, statistics and the FAQ of a table to programs."""

from __future__ import annotations

from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from arkham.rules.library import VERSIONS
from campaigns.serializers.tables import INTEGER, SENT, SEQUENCE, TEXT, listed, sent
from decks.serializers.kept import NUMBER

_COUNT: Schema = {"type": "integer", "minimum": 0}


class StatisticsShape(Shape):
    """What campaigns come to together."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``result`` is win, survived, lose, or empty for one that is not over.

        ``experience`` of a scenario is that of all its ``players`` together.
        """
        scenario = closed(
            guide=TEXT,
            scenario=TEXT,
            name=TEXT,
            games=_COUNT,
            players=_COUNT,
            experience=INTEGER,
            resolutions=listed(closed(resolution=TEXT, games=_COUNT)),
        )
        person = closed(
            code=TEXT,
            name=TEXT,
            classes=listed(TEXT),
            campaigns=_COUNT,
            games=_COUNT,
            experience=INTEGER,
            physical=INTEGER,
            mental=INTEGER,
            alive=_COUNT,
            killed=_COUNT,
            insane=_COUNT,
            retired=_COUNT,
        )
        return closed(
            campaigns=_COUNT,
            left=_COUNT,
            results=listed(closed(result=TEXT, campaigns=_COUNT)),
            difficulties=listed(closed(difficulty=TEXT, campaigns=_COUNT)),
            scenarios=listed(scenario),
            investigators=listed(person),
            classes=listed(closed(**{"class": TEXT, "investigators": _COUNT})),
        )


_FLAG: Schema = {"type": "boolean"}
_FAQ: Schema = {"type": "string", "enum": list(VERSIONS)}


class AchievementShape(Shape):
    """An achievement as it stands."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``by_log``: the log says so, by all that is ``needed``.

        ``entry`` ticked it by hand; ``most`` is null where a count has no end.
        """
        item = closed(id=TEXT, name=TEXT, ticked=_FLAG, by_log=_FLAG)
        return closed(
            id=TEXT,
            title=TEXT,
            kind={"type": "string", "enum": ["binary", "count", "list"]},
            done=_FLAG,
            by_log=_FLAG,
            number=NUMBER,
            most=or_null(NUMBER),
            items=listed(item),
            entry=or_null(NUMBER),
            needed=listed(TEXT),
        )


class TickShape(Shape):
    """How an achievement stands, as the table says."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``number`` is 1, or 0 to tick it off; for a list, the ``items`` ticked."""
        return sent(
            ["after", "achievement"],
            after=SEQUENCE,
            achievement=SENT,
            number=SEQUENCE,
            items=listed(SENT) | {"maxItems": 60},
        )


class KeptFaqShape(Shape):
    """The FAQ a table keeps to, and the one its reports are settled by."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``none`` is the Rules Reference before any."""
        return closed(faq=_FAQ, settled_by=_FAQ)


class FaqPinShape(Shape):
    """The FAQ to keep to."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``none`` is the Rules Reference before any."""
        return sent(["after", "faq"], after=SEQUENCE, faq=_FAQ)
