"""How a scenario in play is described to programs."""

from __future__ import annotations

from arkham.rest.openapi import PROBLEM_SCHEMA
from arkham.rules.chaos import Token
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.play.in_play import MOST_COUNTED
from campaigns.serializers.tables import INTEGER, SENT, SEQUENCE, TEXT, listed, sent
from decks.serializers.judged import Refer, Schema, Shape, closed
from decks.serializers.kept import NUMBER

# What is done with the bag, and the letter that is kept of it.
BAG_STEPS = {
    "draw": "d",
    "end_test": "e",
    "end_game": "g",
    "add_token": "a",
    "remove_token": "t",
    "seal": "s",
    "release": "r",
}
# Everything else that is done, as ``campaigns.play.in_play`` calls it.
OTHERS = {
    "undo": "undo",
    "renew": "renew",
    "more": "more",
    "less": "less",
    "add_counter": "add",
    "drop_counter": "drop",
    "tick": "tick",
    "untick": "untick",
    "notes": "notes",
}
TOKENS = [token.value for token in Token]  # one name for them in the description
_TOKEN: Schema = {"type": "string", "enum": TOKENS}
_COUNTED: Schema = {"type": "object", "additionalProperties": NUMBER}
_COUNTERS: Schema = {
    "type": "object",
    "additionalProperties": {"type": "integer", "minimum": 0, "maximum": MOST_COUNTED},
}
_STEP: Schema = {"type": "string", "enum": [*BAG_STEPS]}


class PlayShape(Shape):
    """What a table keeps of the scenario it is at."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``start`` is the bag it began with; ``bag`` what lies in it now."""
        return closed(
            scenario=TEXT,
            version=INTEGER,
            commitment=TEXT
            | {"description": "The SHA-256 of the seed of the next draw."},
            start=_COUNTED,
            steps=listed(
                closed(
                    do=_STEP,
                    token=TEXT,
                    by=TEXT,
                    seed=TEXT | {"description": "Of a draw; else “”."},
                )
            ),
            bag=_COUNTED,
            revealed=listed(_TOKEN),
            sealed=listed(_TOKEN),
            counters=_COUNTERS,
            notes=TEXT,
            notes_by=TEXT,
            ticked=listed(TEXT),
        )


class BehindProblemShape(Shape):
    """Why something was not done at a table where others did something meanwhile."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A problem with all as it is now."""
        return {
            **PROBLEM_SCHEMA,
            "description": "Why it was not done: others did something meanwhile.",
            "required": [*PROBLEM_SCHEMA["required"], "current"],
            "properties": {**PROBLEM_SCHEMA["properties"], "current": refer(PlayShape)},
        }


class ActShape(Shape):
    """Something that is done in play."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``what`` is the token, the counter, the mark of a line, or the notes."""
        return sent(
            ["scenario", "do", "seen"],
            scenario={"type": "string", "maxLength": LONGEST_SCENARIO},
            do={"type": "string", "enum": [*BAG_STEPS, *OTHERS]},
            what=SENT,
            seen=SEQUENCE,
        )


class ChanceShape(Shape):
    """When chance answers."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """``after`` the last entry that was seen.

        ``step`` is one that leaves places to chance, of which this ``number`` is drawn.
        """
        return sent(["after"], after=SEQUENCE, step=SENT, number=SEQUENCE)
