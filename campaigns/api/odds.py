"""The API of skill test odds, which need no campaign."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request

from arkham.rest.messages import (
    Message,
    MessagePart,
    Refer,
    Schema,
    component,
    schema,
    schema_of,
)
from arkham.rules.chaos import Automatic, RevealWay, Token
from arkham.rules.chaos.bag import WITH_MEANINGS
from arkham.rules.notation.reading import Unreadable
from arkham.rules.odds import (
    MOST_MODIFIER,
    MOST_OF_A_KIND,
    MOST_SKILL,
    MOST_SKILLS,
    USUAL_SKILLS,
    odds_text,
    read_odds,
)
from campaigns.api import bodies
from decks.api.bodies import MISSHAPEN, refusal
from decks.api.legality import LegalityThrottle, OpenView
from decks.serializers.judged import FindingShape, Label


class OddsThrottle(LegalityThrottle):
    """Counts anonymous requests for odds; the rate is a setting."""

    scope = "odds"


# Not as properties: in generated classes +1 and -1 would get one name.
TokenCounts = Annotated[
    dict[str, Annotated[int, schema(minimum=0, maximum=MOST_OF_A_KIND)]],
    f"Tokens by kind: {', '.join(Token)}.",
    component("TokenCounts"),
]
Skill = Annotated[int, schema(minimum=0, maximum=MOST_SKILL)]
Modifier = Annotated[int, schema(minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER)]
Skills = Annotated[list[Skill], schema(maxItems=MOST_SKILLS)]


class MeaningPart(MessagePart, component="Meaning"):
    """The effect of a token in a scenario."""

    modifier: Annotated[Modifier, schema(default=0)] = 0
    reveal_another: Annotated[bool, schema(default=False)] = False
    automatic: Automatic | None = None


class MeaningsPart(MessagePart):
    """The effects of the tokens, by kind."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Describe one meaning for each kind of token."""
        meaning = schema_of(MeaningPart, refer)
        return super().describe(refer) | {
            "properties": {token.value: meaning for token in WITH_MEANINGS}
        }


class OddsQuestionShape(Message):
    """A test: its bag, what its tokens do, its difficulty."""

    id: Label = None
    bag: Annotated[TokenCounts, "Tokens in the bag."]
    sealed: Annotated[
        TokenCounts | None, "Tokens on cards: out of the bag, but there."
    ] = None
    meanings: Annotated[
        MeaningsPart | None,
        "What symbols and the elder sign do in this scenario, for this investigator; "
        "and bless, curse and the automatic failure where a card changes them. What is "
        "left out counts as 0.",
    ] = None
    difficulty: Skill
    skills: Annotated[
        Skills | None,
        f"Skill values, committed icons included; 0 to {USUAL_SKILLS[-1]} if left out.",
    ] = None
    reveal: Annotated[
        RevealWay | None,
        "How many tokens are revealed at once; “1 of 3”: three are revealed, the best "
        "one for the test counts and the rest are ignored.",
    ] = None


class ChancePart(MessagePart):
    """A chance, exact and rounded."""

    odds: Annotated[str, "A fraction in lowest terms."]
    value: Annotated[float, schema(minimum=0, maximum=1)]


class SkillChancePart(ChancePart):
    """The chance with a skill value."""

    skill: int


class ModifierChancePart(ChancePart):
    """The chance of a sum of modifiers."""

    modifier: int


class OddsShape(Message):
    """The odds of a test, exact (fractions as text) and as rounded numbers."""

    id: Label
    tokens: Annotated[int, "How many are in the bag."]
    difficulty: int
    reveal: str
    passing: Annotated[
        list[SkillChancePart] | None, "The odds of passing with each skill value."
    ]
    modifiers: Annotated[
        list[ModifierChancePart] | None,
        "The odds of each sum of modifiers, chains included, where nothing is chosen "
        "and nothing decides the test automatically.",
    ]
    automatic_success: ChancePart | None
    automatic_failure: ChancePart | None
    findings: list[FindingShape]


class TestOdds(OpenView):
    """The odds of a skill test."""

    throttle_classes = [OddsThrottle]

    @extend_schema(
        operation_id="odds",
        tags=["odds"],
        request={"application/json": OddsQuestionShape},
        responses={200: OddsShape},
        examples=[
            OpenApiExample("A test", bodies.QUESTION, request_only=True),
            OpenApiExample("Its odds", bodies.ANSWER, response_only=True),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """The odds of a test, as exact fractions.

        Takes the tokens in the bag, what the symbols do, and the difficulty; answers
        with the odds of passing at each skill value and of every sum of modifiers.
        Tokens that reveal another are followed to the end. A bag beyond its limits is a
        finding and still has odds.
        """
        value = self.value(request)
        try:
            asked = read_odds(value)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN) from None
        return HttpResponse(odds_text(asked), content_type="application/json")
