"""Describes a scenario in play, and the odds of a skill test, to programs."""

from __future__ import annotations

from arkham.rest.openapi import PROBLEM_SCHEMA, named
from arkham.rest.shapes import Refer, Schema, Shape, closed, or_null
from arkham.rules.chaos import Automatic, RevealWay, Token
from arkham.rules.chaos.bag import TOLD
from arkham.rules.odds import (
    MOST_MODIFIER,
    MOST_OF_A_KIND,
    MOST_SKILL,
    MOST_SKILLS,
    USUAL_SKILLS,
)
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.play.in_play import MOST_COUNTED
from campaigns.serializers.tables import INTEGER, SENT, SEQUENCE, TEXT, listed, sent
from decks.serializers.judged import LABEL, FindingShape
from decks.serializers.kept import NUMBER

_SKILL: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_SKILL}
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_OF_A_KIND}


# Not as properties: classes have no names for them, +1 and -1 would be one.
_BAG: Schema = named(
    "TokenCounts",
    {
        "type": "object",
        "description": f"Tokens by kind: {', '.join(Token)}.",
        "additionalProperties": _COUNT,
    },
)


class OddsQuestionShape(Shape):
    """A test: its bag, what its tokens do, its difficulty."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Only the bag and the difficulty must be there."""
        meaning = named(
            "Meaning",
            {
                "type": "object",
                "properties": {
                    "modifier": {
                        "type": "integer",
                        "minimum": -MOST_MODIFIER,
                        "maximum": MOST_MODIFIER,
                        "default": 0,
                    },
                    "reveal_another": {"type": "boolean", "default": False},
                    "automatic": or_null(
                        {"type": "string", "enum": [each.value for each in Automatic]}
                    ),
                },
                "additionalProperties": False,
            },
        )
        return {
            "type": "object",
            "required": ["bag", "difficulty"],
            "properties": {
                "id": LABEL,
                "bag": {"description": "Tokens in the bag.", "allOf": [_BAG]},
                "sealed": or_null(
                    _BAG, description="Tokens on cards: out of the bag, but there."
                ),
                "meanings": or_null(
                    {
                        "type": "object",
                        "properties": {token.value: meaning for token in TOLD},
                        "additionalProperties": False,
                    },
                    description=(
                        "What symbols and the elder sign do in this scenario, for this "
                        "investigator; and bless, curse and the automatic failure "
                        "where a card changes them. What is not told counts as 0."
                    ),
                ),
                "difficulty": _SKILL,
                "skills": or_null(
                    {"type": "array", "maxItems": MOST_SKILLS, "items": _SKILL},
                    description=(
                        "Skill values, committed icons included; "
                        f"0 to {USUAL_SKILLS[-1]} if left out."
                    ),
                ),
                "reveal": or_null(
                    {"type": "string", "enum": [each.value for each in RevealWay]},
                    description=(
                        "How many tokens are revealed at once; “1 of 3”: as many are "
                        "chosen of them, the best for the test, the rest ignored."
                    ),
                ),
            },
            "additionalProperties": False,
        }


class OddsShape(Shape):
    """The odds of a test, exactly."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Odds are fractions as text and, rounded, numbers."""
        share: dict[str, Schema] = {
            "odds": {"type": "string", "description": "A fraction in lowest terms."},
            "value": {"type": "number", "minimum": 0, "maximum": 1},
        }
        number: Schema = {"type": "integer"}
        return closed(
            id=LABEL,
            tokens={"type": "integer", "description": "How many are in the bag."},
            difficulty=number,
            reveal={"type": "string"},
            passing=or_null(
                {"type": "array", "items": closed(skill=number, **share)},
                description="The odds of passing with each skill value.",
            ),
            modifiers=or_null(
                {"type": "array", "items": closed(modifier=number, **share)},
                description=(
                    "The odds of each sum of modifiers, chains included, where "
                    "nothing is chosen and nothing decides the test automatically."
                ),
            ),
            automatic_success=or_null(closed(**share)),
            automatic_failure=or_null(closed(**share)),
            findings={"type": "array", "items": refer(FindingShape)},
        )


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
