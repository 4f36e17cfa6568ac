"""How statistics across campaigns are described to programs."""

from __future__ import annotations

from campaigns.serializers.tables import INTEGER, TEXT, listed
from decks.serializers.judged import Refer, Schema, Shape, closed

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
