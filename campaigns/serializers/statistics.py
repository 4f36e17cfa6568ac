"""How statistics across campaigns are described to programs."""

from __future__ import annotations

from campaigns.serializers.tables import INTEGER, TEXT, listed
from decks.serializers.judged import Refer, Schema, Shape, closed
from decks.serializers.kept import NUMBER


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
            games=NUMBER,
            players=NUMBER,
            experience=INTEGER,
            resolutions=listed(closed(resolution=TEXT, games=NUMBER)),
        )
        person = closed(
            code=TEXT,
            name=TEXT,
            classes=listed(TEXT),
            campaigns=NUMBER,
            games=NUMBER,
            experience=INTEGER,
            physical=INTEGER,
            mental=INTEGER,
            alive=NUMBER,
            killed=NUMBER,
            insane=NUMBER,
            retired=NUMBER,
        )
        return closed(
            campaigns=NUMBER,
            left=NUMBER,
            results=listed(closed(result=TEXT, campaigns=NUMBER)),
            difficulties=listed(closed(difficulty=TEXT, campaigns=NUMBER)),
            scenarios=listed(scenario),
            investigators=listed(person),
            classes=listed(closed(**{"class": TEXT, "investigators": NUMBER})),
        )
