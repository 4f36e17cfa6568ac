"""The API of a scenario in play and of random draws at the table.

A scenario in play has a bag, counters and notes; draws can answer its questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import REPLAYED
from arkham.rest.messages import Message, MessagePart, Number, schema, source
from arkham.rest.openapi import IDEMPOTENCY_KEY, ProblemShape
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.rest.reading import Sent, Sequence, text
from arkham.rules.campaign.state.lookup import GameOutcome
from arkham.rules.chaos import Token
from arkham.rules.finding import gettext_noop
from arkham.rules.notation.reading import Fault, Unreadable
from arkham.rules.play.area import PlayArea
from arkham.web.http import etag, is_known
from arkham.web.problems import CONTENT_TYPE, Problem
from campaigns import services
from campaigns.api.access import CampaignView, key_of
from campaigns.api.answers import WrittenShape
from campaigns.api.entries import LogView, written_answer
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.play import plays
from campaigns.play.addresses import LETTERS, TOKEN_OF
from campaigns.play.in_play import MOST_COUNTED, Act, Behind
from campaigns.play.plays import StoredPlay
from cardpool.catalog import current_pool

TAGS = ["scenario in play"]
# Acts on the bag, and the letters they are stored as.
BAG_STEPS = {
    "draw": "d",
    "draw_offline": "p",
    "end_test": "e",
    "end_game": "g",
    "add_token": "a",
    "remove_token": "t",
    "seal": "s",
    "release": "r",
}
# All other acts, as ``campaigns.play.in_play`` names them.
_SAME = ["undo", "renew", "more", "less", "tick", "untick", "notes", "area", "round"]
_NAMED = {"add_counter": "add", "drop_counter": "drop", "undo_round": "unround"}
OTHERS = dict(zip(_SAME, _SAME, strict=True)) | _NAMED
TOKENS = [token.value for token in Token]  # a single list, so that it has one name
_ALONE = frozenset("deg")  # steps that name no token
_WORDS = {letter: word for word, letter in BAG_STEPS.items()}
ScenarioId = Annotated[str, text(LONGEST_SCENARIO)]
TokenName = Annotated[str, schema(enum=TOKENS)]
Counter = Annotated[int, schema(minimum=0, maximum=MOST_COUNTED)]


class StepPart(MessagePart):
    """A step of the bag."""

    do: Annotated[str, schema(enum=[*BAG_STEPS])]
    token: str
    by: str
    seed: Annotated[str, "The seed of a draw; “” for other steps."]


class CardPart(MessagePart):
    """A card in play; steps name it by its index in the list, from 0."""

    code: Annotated[str, source(lambda each: each.card.code)]
    uses: Counter
    damage: Counter
    horror: Counter
    exhausted: bool
    used: Annotated[bool, "Whether it was used this round."]
    slotless: Annotated[bool, "Whether it takes no slot."]


class PlayAreaPart(MessagePart):
    """An investigator's play area; ``health`` and ``sanity`` are the limits.

    ``outcome`` is how the game ends for the investigator, as marked.
    """

    investigator: str
    damage: Counter
    horror: Counter
    resources: Counter
    clues: Counter
    hand: Counter
    actions: Counter
    health: Annotated[int | None, source(lambda area: area.most_damage)]
    sanity: Annotated[int | None, source(lambda area: area.most_horror)]
    resigned: bool
    outcome: Annotated[str, schema(enum=[*GameOutcome])]
    cards: list[CardPart]


class PlayShape(Message):
    """The stored state of the current scenario.

    ``start`` is the bag at the start; ``bag`` is its contents now.
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
    areas: list[PlayAreaPart]


class BehindProblemShape(ProblemShape):
    """Why it wasn't done: someone else was first."""

    current: PlayShape


class ActShape(Message):
    """An action, by someone who saw the version ``seen``.

    ``what`` is the token, the counter, the mark of a line, or the notes. A token that
    was drawn without network is recorded by ``draw_offline``, and marked as such. For
    an ``area`` it is the investigator, “/” and a step: ``01001/damage+`` (``damage``,
    ``horror``, ``resources``, ``clues``, ``hand``, ``actions``, ``limit``, ``health``,
    ``sanity``, or ``s_arcane`` for its slots, each with ``+`` or ``-``),
    ``01001/lay.01016``, ``01001/c0.uses-`` (``uses``, ``damage``, ``horror``;
    ``exhausted``, ``used``, ``slotless``), ``01001/c0.out``, ``01001/resigned+``, or
    ``01001/reset``, which returns it to the start of the game.
    """

    scenario: ScenarioId
    do: Annotated[str, schema(enum=[*BAG_STEPS, *OTHERS])]
    what: Sent = ""
    seen: Sequence


class ChanceShape(Message):
    """A random draw, ``after`` the last entry you saw.

    ``step`` needs random locations, of which this ``number`` is drawn.
    """

    after: Sequence
    step: Sent = ""
    number: Sequence = 1


class Play(CampaignView):
    """The stored state of the current scenario."""

    @extend_schema(
        operation_id="campaign_play",
        tags=TAGS,
        parameters=[IF_NONE_MATCH],
        responses={200: PlayShape, 304: UNCHANGED},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The live bag with every step, counters, notes and ticks.

        ``scenario`` is “” before the first scenario. Each draw shows its seed; the next
        one only its ``commitment``, the SHA-256 of its seed.
        """
        member = self.member(pk)
        scenario = plays.current(replayed(member.campaign).replay)
        tag = _tag(member, scenario, plays.version_of(member.campaign, scenario))
        if is_known(request, tag):
            return Response(status=304, headers={"ETag": tag})
        return Response(_current_play(member, scenario), headers={"ETag": tag})

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
        """Draw, count, tick or write notes.

        An action that depends on what others did since the version ``seen`` is 412,
        with the current state. Counting, ticking, and adding or removing bless, curse
        and frost tokens always work. What the rules forbid is 422. ``round`` begins a
        new one for everyone in the game: ready cards, a card, a resource, actions;
        ``undo_round`` undoes it until a play area or a counter changes.
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
            detail = _("Someone else was first. Your change wasn’t made.")
            now = _current_play(member, body.scenario)
            raise Problem(412, detail, kind="stale", current=now) from behind
        headers = {} if is_new else {REPLAYED: "true"}
        return Response(_current_play(member, body.scenario), headers=headers)


class DrawsView(LogView):
    """Random draws of the table."""

    @extend_schema(
        operation_id="campaign_draw",
        tags=TAGS,
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": ChanceShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Answer the question at random: a weakness for each investigator, or one
        choice. The draws are written before the answer, each with its pool and seed.
        With ``step``, a step of the scenario in play that needs random locations, those
        are drawn instead, and nothing is answered."""
        member = self.member(pk)
        body = self.parse_body(ChanceShape)
        if body.step:
            done = services.draw_place(
                campaign=member.campaign,
                member=member,
                scenario=plays.current(replayed(member.campaign).replay),
                step=body.step,
                count=body.number,
                context=self.write_context(body.after),
            )
            return written_answer(member, done)
        done = services.draw_at_random(
            campaign=member.campaign,
            member=member,
            context=self.write_context(body.after),
        )
        return written_answer(member, done)


def act_of(body: ActShape, key: str) -> Act:
    """Return the act that a body asks for. Raises Unreadable for an unknown token."""
    letter = BAG_STEPS.get(body.do)
    if letter is None:
        return Act(OTHERS[body.do], body.what, body.seen, key)
    if letter in _ALONE:
        return Act(letter, "", body.seen, key)
    if body.what not in {*Token}:
        message = gettext_noop("We don’t know the token {found}.")
        raise Unreadable(Fault("/what", message, ", ".join(Token), body.what[:60]))
    return Act(letter + LETTERS[Token(body.what)], "", body.seen, key)


def token_in(step: str) -> str:
    """Return the token a step names, or “”."""
    return TOKEN_OF[step[1]].value if len(step) > 1 else ""


def _tag(member: Membership, scenario: str, version: int) -> str:
    # Until something is done, the bag and the next draw depend on the log and on the
    # linked campaign's decisions; play areas are as decks begin.
    campaign, linked = member.campaign, member.campaign.linked
    parts = (campaign.pk, campaign.last, scenario or "none", version)
    decks = campaign.seats.filter(deck__isnull=False).order_by("pk")
    begun = decks.values_list("deck", "deck__revision")
    return etag(
        *parts,
        *(number for each in begun for number in each),
        *((linked.pk, linked.last) if linked is not None else ()),
    )


def _current_play(member: Membership, scenario: str) -> dict[str, Any]:
    campaign = member.campaign
    replay = replayed(campaign).replay
    kept = plays.stored_play(campaign, scenario, replay)
    seats, pool = campaign.seats.all(), current_pool()
    areas = plays.areas(replay, kept.content, seats, pool) if scenario else {}
    return play_data(scenario, kept, areas)


def play_data(
    scenario: str, kept: StoredPlay, areas: Mapping[str, PlayArea]
) -> dict[str, Any]:
    """Return the stored state of a scenario."""
    content = kept.content
    bag = content.play.bag
    steps = zip(content.steps, content.by, content.seeds, strict=True)
    return PlayShape.data(
        content,
        scenario=scenario,
        version=kept.version,
        # Sorted, because databases order the keys of objects differently.
        start=dict(sorted(content.start.items())),
        counters=dict(content.counters),
        steps=[
            {"do": _WORDS[step[0]], "token": token_in(step), "by": by, "seed": seed}
            for step, by, seed in steps
        ],
        bag={token.value: count for token, count in bag.counts},
        revealed=[token.value for token in bag.revealed],
        sealed=[token.value for _card, token in bag.sealed],
        areas=[
            PlayAreaPart.data(area, investigator=code) for code, area in areas.items()
        ],
    )
