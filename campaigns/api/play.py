"""The API's doors to a scenario in play, to chance at the table, and to odds.

A scenario in play has a bag, counters and notes; chance answers what is asked of it;
the odds of a skill test need no campaign.
"""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import REPLAYED
from arkham.rest.messages import Message, Number, Part, component, schema, schema_of
from arkham.rest.openapi import IDEMPOTENCY_KEY, PROBLEM_SCHEMA
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.rest.reading import Sent, Sequence
from arkham.rest.shapes import Refer, Schema
from arkham.rules.chaos import Automatic, RevealWay, Token
from arkham.rules.chaos.bag import TOLD
from arkham.rules.finding import gettext_noop
from arkham.rules.notation.reading import Fault, Unreadable
from arkham.rules.odds import (
    MOST_MODIFIER,
    MOST_OF_A_KIND,
    MOST_SKILL,
    MOST_SKILLS,
    USUAL_SKILLS,
    odds_text,
    read_odds,
)
from arkham.web.http import etag, is_known
from arkham.web.problems import CONTENT_TYPE, Problem
from campaigns import services
from campaigns.api import bodies
from campaigns.api.access import CampaignView, key_of
from campaigns.api.answers import WrittenShape
from campaigns.api.entries import LogView, written_answer
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.play import plays
from campaigns.play.in_play import MOST_COUNTED, Act, Behind
from campaigns.play.plays import Kept
from campaigns.words.tokens import LETTERS, TOKEN_OF
from decks.api.legality import LegalityThrottle, OpenView
from decks.api.refusals import MISSHAPEN, refusal
from decks.serializers.judged import FindingShape, Label


class OddsThrottle(LegalityThrottle):
    """Counts strangers' questions about odds; the rate is a setting."""

    scope = "odds"


# Not as properties: classes have no names for them, +1 and -1 would be one.
TokenCounts = Annotated[
    dict[str, Annotated[int, schema(minimum=0, maximum=MOST_OF_A_KIND)]],
    f"Tokens by kind: {', '.join(Token)}.",
    component("TokenCounts"),
]
Skill = Annotated[int, schema(minimum=0, maximum=MOST_SKILL)]
Modifier = Annotated[int, schema(minimum=-MOST_MODIFIER, maximum=MOST_MODIFIER)]
Skills = Annotated[list[Skill], schema(maxItems=MOST_SKILLS)]


class MeaningPart(Part, component="Meaning"):
    """What a token does in a scenario."""

    modifier: Annotated[Modifier, schema(default=0)] = 0
    reveal_another: Annotated[bool, schema(default=False)] = False
    automatic: Automatic | None = None


class MeaningsPart(Part):
    """What the tokens do that tell something."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A meaning for each of them."""
        meaning = schema_of(MeaningPart, refer)
        return super().describe(refer) | {
            "properties": {token.value: meaning for token in TOLD}
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
        "not told counts as 0.",
    ] = None
    difficulty: Skill
    skills: Annotated[
        Skills | None,
        f"Skill values, committed icons included; 0 to {USUAL_SKILLS[-1]} if left out.",
    ] = None
    reveal: Annotated[
        RevealWay | None,
        "How many tokens are revealed at once; “1 of 3”: as many are chosen of them, "
        "the best for the test, the rest ignored.",
    ] = None


class ChancePart(Part):
    """A chance, exactly and rounded."""

    odds: Annotated[str, "A fraction in lowest terms."]
    value: Annotated[float, schema(minimum=0, maximum=1)]


class SkillChancePart(ChancePart):
    """The chance with a skill value."""

    skill: int


class ModifierChancePart(ChancePart):
    """The chance of a sum of modifiers."""

    modifier: int


class OddsShape(Message):
    """The odds of a test, exactly: fractions as text and, rounded, numbers."""

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
    """How likely is this test to be passed?"""

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
        with the odds of passing at each skill value and those of every sum of
        modifiers. Tokens that have another revealed are followed to the end. A bag
        beyond its limits is a finding; its odds are told all the same.
        """
        value = self.value(request)
        try:
            asked = read_odds(value)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN) from None
        return HttpResponse(odds_text(asked), content_type="application/json")


TAGS = ["scenario in play"]
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
_ALONE = frozenset("deg")  # steps that name no token
_WORDS = {letter: word for word, letter in BAG_STEPS.items()}
ScenarioId = Annotated[str, schema(maxLength=LONGEST_SCENARIO)]
TokenName = Annotated[str, schema(enum=TOKENS)]
Counter = Annotated[int, schema(minimum=0, maximum=MOST_COUNTED)]


class StepPart(Part):
    """Something that was done with the bag."""

    do: Annotated[str, schema(enum=[*BAG_STEPS])]
    token: str
    by: str
    seed: Annotated[str, "Of a draw; else “”."]


class PlayShape(Message):
    """What a table keeps of the scenario it is at.

    ``start`` is the bag it began with; ``bag`` what lies in it now.
    """

    scenario: str
    version: int
    commitment: Annotated[str, "The SHA-256 of the seed of the next draw."]
    start: dict[str, Number]
    steps: list[StepPart]
    bag: dict[str, Number]
    revealed: list[TokenName]
    sealed: list[TokenName]
    counters: dict[str, Counter]
    notes: str
    notes_by: str
    ticked: list[str]


class BehindProblemShape(Message):
    """Why something was not done where others did something meanwhile."""

    current: PlayShape

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """A problem with all as it is now."""
        more = super().describe(refer)["properties"]
        return {
            **PROBLEM_SCHEMA,
            "description": "Why it was not done: others did something meanwhile.",
            "required": [*PROBLEM_SCHEMA["required"], *more],
            "properties": {**PROBLEM_SCHEMA["properties"], **more},
        }


class ActShape(Message):
    """Something that is done in sight of the version ``seen``.

    ``what`` is the token, the counter, the mark of a line, or the notes.
    """

    scenario: ScenarioId
    do: Annotated[str, schema(enum=[*BAG_STEPS, *OTHERS])]
    what: Sent = ""
    seen: Sequence


class ChanceShape(Message):
    """When chance answers: ``after`` the last entry that was seen.

    ``step`` is one that leaves places to chance, of which this ``number`` is drawn.
    """

    after: Sequence
    step: Sent = ""
    number: Sequence = 1


class Play(CampaignView):
    """What a table keeps of the scenario it is at."""

    @extend_schema(
        operation_id="campaign_play",
        tags=TAGS,
        parameters=[IF_NONE_MATCH],
        responses={200: PlayShape, 304: UNCHANGED},
    )
    def get(self, request: Request, pk: int) -> HttpResponse | Response:
        """The live bag with every step, counters, notes and ticks.

        ``scenario`` is “” while the table has come to none. Each draw has its seed
        beside it; of the next one there is only the ``commitment``, the SHA-256 of its
        seed.
        """
        member = self.member(pk)
        scenario = plays.current(replayed(member.campaign).replay)
        tag = _tag(member, scenario, plays.version_of(member.campaign, scenario))
        if is_known(request, tag):
            return HttpResponse(status=304, headers={"ETag": tag})
        return Response(_told(member, scenario), headers={"ETag": tag})

    @extend_schema(
        operation_id="campaign_act",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": ActShape},
        responses={200: PlayShape, (412, CONTENT_TYPE): BehindProblemShape},
        examples=[
            OpenApiExample(
                "A token is revealed",
                {"scenario": "torch", "do": "draw", "seen": 7},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Do something with it: draw, count, tick, write.

        What depends on what others did since the version ``seen`` is refused with 412
        and all as it is now; counting, ticking, and adding or taking out bless, curse
        and frost never are. What the rules forbid is refused with 422.
        """
        member = self.member(pk)
        body = self.parse_body(ActShape)
        act = act_of(body, key_of(self.request))
        try:
            is_new = services.play(
                campaign=member.campaign,
                member=member,
                scenario=body.scenario,
                act=act,
                now=timezone.now(),
            )
        except Behind as behind:
            detail = _("Others did something meanwhile; yours was not done.")
            now = _told(member, body.scenario)
            raise Problem(412, detail, kind="stale", current=now) from behind
        headers = {} if is_new else {REPLAYED: "true"}
        return Response(_told(member, body.scenario), headers=headers)


class DrawsView(LogView):
    """Chance at the table."""

    @extend_schema(
        operation_id="campaign_draw",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": ChanceShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Let chance answer what is asked now: a weakness for each, or one choice.

        The draws are written before the answer, each with its pool and seed. With
        ``step``, a step of the scenario in play that leaves places to chance, one of
        those is drawn instead, or as many as told; nothing is answered by it.
        """
        member = self.member(pk)
        body = self.parse_body(ChanceShape)
        if body.step:
            done = services.draw_place(
                campaign=member.campaign,
                member=member,
                scenario=plays.current(replayed(member.campaign).replay),
                step=body.step,
                count=body.number,
                sight=self.sight(body.after),
            )
            return written_answer(member, done)
        done = services.draw_at_random(
            campaign=member.campaign, member=member, sight=self.sight(body.after)
        )
        return written_answer(member, done)


def act_of(body: ActShape, key: str) -> Act:
    """What a body asks for. Raises Unreadable for an unknown token."""
    letter = BAG_STEPS.get(body.do)
    if letter is None:
        return Act(OTHERS[body.do], body.what, body.seen, key)
    if letter in _ALONE:
        return Act(letter, "", body.seen, key)
    if body.what not in {*Token}:
        message = gettext_noop("There is no token called {found}.")
        raise Unreadable(Fault("/what", message, ", ".join(Token), body.what[:60]))
    return Act(letter + LETTERS[Token(body.what)], "", body.seen, key)


def token_in(step: str) -> str:
    """The token a step names, or “”."""
    return TOKEN_OF[step[1]].value if len(step) > 1 else ""


def _tag(member: Membership, scenario: str, version: int) -> str:
    # Until something is done, the bag and the next draw are those of the log.
    last = member.campaign.last
    return etag(member.campaign_id, last, scenario or "none", version)


def _told(member: Membership, scenario: str) -> dict[str, Any]:
    replay = replayed(member.campaign).replay
    return play_data(scenario, plays.kept(member.campaign, scenario, replay))


def play_data(scenario: str, kept: Kept) -> dict[str, Any]:
    """All that is kept of a scenario."""
    content = kept.content
    bag = content.play.bag
    steps = zip(content.steps, content.by, content.seeds, strict=True)
    return PlayShape.data(
        content,
        scenario=scenario,
        version=kept.version,
        counters=dict(content.counters),
        steps=[
            {"do": _WORDS[step[0]], "token": token_in(step), "by": by, "seed": seed}
            for step, by, seed in steps
        ],
        bag={token.value: count for token, count in bag.counts},
        revealed=[token.value for token in bag.revealed],
        sealed=[token.value for _card, token in bag.sealed],
    )
