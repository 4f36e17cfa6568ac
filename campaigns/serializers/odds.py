"""How a question about odds and its answer are described to programs."""

from __future__ import annotations

from arkham.rest.openapi import named
from arkham.rules.chaos import Automatic, RevealWay, Token
from arkham.rules.chaos.meaning import TOLD
from arkham.rules.odds import (
    MOST_MODIFIER,
    MOST_OF_A_KIND,
    MOST_SKILL,
    MOST_SKILLS,
    USUAL_SKILLS,
)
from decks.serializers.judged import (
    LABEL,
    FindingShape,
    Refer,
    Schema,
    Shape,
    closed,
    or_null,
)

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
