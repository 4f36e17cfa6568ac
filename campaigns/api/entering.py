"""The API for entering a campaign that began on paper."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.messages import Message, like, schema
from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rest.reading import Sent, Sequence
from arkham.rules.campaign.paper import EnteredInvestigator, EnteredPartner, Position
from arkham.rules.campaign.paper.judging import STATES
from arkham.rules.campaign.settlement import Fate
from arkham.rules.chaos.bag import MOST_OF_A_KIND
from arkham.rules.chaos.starting import Difficulty
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns import services
from campaigns.api.answers import WrittenShape
from campaigns.api.entries import LogView, written_answer
from campaigns.services.writing import LONGEST_REASON

_FATES = {
    "alive": Fate.ALIVE,
    "killed": Fate.KILLED,
    "driven_insane": Fate.DRIVEN_INSANE,
}
Places = tuple[tuple[str, str], ...]
# Numbers beyond their limits are reported by the rules.
Amount = Annotated[int, like(Sequence)]
Names = tuple[Sent, ...]
LineIds = Annotated[Names, "A section and the id of a line: SECTION.LINE."]
NamedThere = Annotated[
    dict[str, Names], "The cards or people a line names, by SECTION.LINE."
]
CrossedOut = Annotated[Names, "Lines as in ``lines``, or SECTION for a whole section."]
Tokens = Annotated[int, like(Annotated[int, schema(minimum=0, maximum=MOST_OF_A_KIND)])]


class EnteredPersonShape(Message):
    """An investigator as recorded on paper.

    Their experience, trauma and cards; their own ``counts`` and ``lines``. ``waiting``
    is experience that can't be spent yet.
    """

    investigator: Sent
    experience: Amount = 0
    physical: Amount = 0
    mental: Amount = 0
    fate: Annotated[str, schema(enum=list(_FATES))] = "alive"
    cards: Names = ()
    weaknesses: Names = ()
    counts: dict[str, Amount] = field(default_factory=dict)
    lines: LineIds = ()
    waiting: Amount = 0


class EnteredPartnerShape(Message):
    """A partner as recorded on paper: damage, horror and states."""

    code: Sent
    damage: Amount = 0
    horror: Amount = 0
    states: tuple[Annotated[str, schema(enum=list(STATES))], ...] = ()


class EnteredWordsShape(Message):
    """A line in the table's own words, and its section."""

    section: Sent
    words: Sent


class EnterShape(Message):
    """A campaign that began on paper.

    ``scenario`` is the current one; ``played`` are those before it; if it is left out,
    all of them in the order of play.
    """

    after: Sequence
    scenario: Sent
    people: Annotated[tuple[EnteredPersonShape, ...], schema(minItems=1, maxItems=40)]
    bag: dict[str, Tokens] = field(default_factory=dict)
    difficulty: Annotated[str, schema(enum=[*Difficulty])] = ""
    lines: LineIds = ()
    crossed_out: CrossedOut = ()
    words: tuple[EnteredWordsShape, ...] = ()
    counts: dict[str, Amount] = field(default_factory=dict)
    played: Names | None = None
    order: Names = ()
    partners: tuple[EnteredPartnerShape, ...] = ()
    keys: dict[str, Sent] = field(default_factory=dict)
    location: Sent = ""
    visited: Names = ()
    opened: Names = ()
    named: NamedThere = field(default_factory=dict)
    reason: Sent = ""


class PaperCampaignView(LogView):
    """The position of a campaign that began on paper."""

    @extend_schema(
        operation_id="campaign_enter",
        tags=["log of a campaign"],
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": EnterShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Enter a paper campaign, before anything else is recorded; only an
        organiser can. Earlier scenarios aren't asked about. What you leave out
        counts as nothing: no experience, no trauma, an empty bag."""
        member = self.member(pk)
        body = self.parse_body(EnterShape)
        done = services.enter_campaign(
            campaign=member.campaign,
            member=member,
            position=_position(body),
            context=self.write_context(body.after),
            reason=body.reason.strip()[:LONGEST_REASON],
        )
        return written_answer(member, done)


def _position(body: EnterShape) -> Position:
    """Return the position in a body. Raises Unreadable."""
    people = tuple(_person(each, f"/people/{n}") for n, each in enumerate(body.people))
    return Position(
        body.scenario,
        people,
        body.bag,
        body.difficulty,
        _places(body.lines, "/lines"),
        _places(body.crossed_out, "/crossed_out", or_whole=True),
        tuple((each.section, each.words) for each in body.words),
        body.counts,
        body.played,
        body.order,
        tuple(
            EnteredPartner(each.code, each.damage, each.horror, each.states)
            for each in body.partners
        ),
        body.keys,
        body.location,
        body.visited,
        body.opened,
        body.named,
    )


def _person(body: EnteredPersonShape, at: str) -> EnteredInvestigator:
    return EnteredInvestigator(
        body.investigator,
        body.experience,
        body.physical,
        body.mental,
        _FATES[body.fate],
        body.cards,
        body.weaknesses,
        body.counts,
        _places(body.lines, f"{at}/lines"),
        waiting=body.waiting,
    )


def _places(places: Names, at: str, *, or_whole: bool = False) -> Places:
    """Read SECTION.LINE texts as pairs; perhaps a section alone."""
    found = []
    for number, each in enumerate(places):
        section, point, line_id = each.partition(".")
        if not section or not ((point and line_id) or (or_whole and not point)):
            message = _("Write it as SECTION.LINE.")
            raise Unreadable(Fault(f"{at}/{number}", message, "SECTION.LINE", each))
        found.append((section, line_id))
    return tuple(found)
