"""The API's doors to a scenario in play, to chance at the table, and to odds.

A scenario in play has a bag, counters and notes; chance answers what is asked of it;
the odds of a skill test need no campaign.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import REPLAYED
from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.rules.chaos import Token
from arkham.rules.finding import gettext_noop
from arkham.rules.notation.reading import Fault, Unreadable
from arkham.rules.odds import odds_text, read_odds
from arkham.web.http import etag, is_known
from arkham.web.problems import CONTENT_TYPE, Problem
from campaigns import services
from campaigns.api import bodies
from campaigns.api.access import CampaignView, key_of
from campaigns.api.entries import LogView, written_answer
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.play import plays
from campaigns.play.in_play import Act, Behind
from campaigns.play.plays import Kept
from campaigns.serializers.entries import WrittenShape
from campaigns.serializers.play import (
    BAG_STEPS,
    OTHERS,
    ActShape,
    BehindProblemShape,
    ChanceShape,
    OddsQuestionShape,
    OddsShape,
    PlayShape,
)
from campaigns.words.tokens import LETTERS, TOKEN_OF
from decks.api.legality import LegalityThrottle, OpenView
from decks.api.refusals import MISSHAPEN, refusal


class OddsThrottle(LegalityThrottle):
    """Counts strangers' questions about odds; the rate is a setting."""

    scope = "odds"


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
_ALONE = frozenset("deg")  # steps that name no token
_WORDS = {letter: word for word, letter in BAG_STEPS.items()}


class ActBody(NamedTuple):
    """What is done, and the version that was seen."""

    scenario: str
    do: str
    seen: int
    what: str = ""


class DrawBody(NamedTuple):
    """When chance answers: after the last entry that was seen.

    With a ``step`` that leaves places to chance, it names this ``number`` of them.
    """

    after: int
    step: str = ""
    number: int = 1


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
        body: ActBody = self.parse_body(ActBody)
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
        body: DrawBody = self.parse_body(DrawBody)
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


def act_of(body: ActBody, key: str) -> Act:
    """What a body asks for. Raises Unreadable for what nobody can do."""
    letter = BAG_STEPS.get(body.do)
    if letter is None:
        if body.do not in OTHERS:
            expected = ", ".join([*BAG_STEPS, *OTHERS])
            message = gettext_noop("Nobody can do {found}.")
            raise Unreadable(Fault("/do", message, expected, body.do[:60]))
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
    return {
        "scenario": scenario,
        "version": kept.version,
        "commitment": content.commitment,
        "start": dict(content.start),
        "steps": [
            {"do": _WORDS[step[0]], "token": token_in(step), "by": by, "seed": seed}
            for step, by, seed in zip(
                content.steps, content.by, content.seeds, strict=True
            )
        ],
        "bag": {token.value: count for token, count in bag.counts},
        "revealed": [token.value for token in bag.revealed],
        "sealed": [token.value for _card, token in bag.sealed],
        "counters": dict(content.counters),
        "notes": content.notes,
        "notes_by": content.notes_by,
        "ticked": list(content.ticked),
    }
