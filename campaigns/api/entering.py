"""The API's door for a campaign that began on paper."""

from __future__ import annotations

from typing import NamedTuple

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.openapi import IDEMPOTENCY_KEY
from arkham.rules.campaign.paper.entering import Beside, Entering, Position
from arkham.rules.campaign.settlement import Fate
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns import services
from campaigns.api.entries import LogView, written_answer
from campaigns.serializers.entries import EnterShape, WrittenShape
from campaigns.services.writing import LONGEST_REASON

_FATES = {
    "alive": Fate.ALIVE,
    "killed": Fate.KILLED,
    "driven_insane": Fate.DRIVEN_INSANE,
}
Places = tuple[tuple[str, str], ...]


class PersonBody(NamedTuple):
    """An investigator as the table has them."""

    investigator: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    fate: str = "alive"
    cards: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    counts: dict[str, int] = {}
    lines: tuple[str, ...] = ()


class PartnerBody(NamedTuple):
    """A partner as the table has them."""

    code: str
    damage: int = 0
    horror: int = 0
    states: tuple[str, ...] = ()


class WordsBody(NamedTuple):
    """A line in the table's own words."""

    section: str
    words: str


class EnterBody(NamedTuple):
    """Where a campaign stands."""

    after: int
    scenario: str
    people: tuple[PersonBody, ...]
    bag: dict[str, int] = {}
    difficulty: str = ""
    lines: tuple[str, ...] = ()
    crossed_out: tuple[str, ...] = ()
    words: tuple[WordsBody, ...] = ()
    counts: dict[str, int] = {}
    played: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    partners: tuple[PartnerBody, ...] = ()
    keys: dict[str, str] = {}
    location: str = ""
    visited: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    reason: str = ""


class PaperCampaignView(LogView):
    """Where does a campaign stand that began on paper?"""

    @extend_schema(
        operation_id="campaign_enter",
        tags=["log of a campaign"],
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": EnterShape},
        responses={200: WrittenShape, 201: WrittenShape},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Enter it: an organiser does, before anything else is reported.

        Nothing that was played before is asked. What is not told is nothing: no
        experience, no trauma, an empty bag.
        """
        member = self.member(pk)
        body: EnterBody = self.parse_body(EnterBody)
        done = services.enter_campaign(
            campaign=member.campaign,
            member=member,
            position=_position(body),
            sight=self.sight(body.after),
            reason=body.reason.strip()[:LONGEST_REASON],
        )
        return written_answer(member, done)


def _position(body: EnterBody) -> Position:
    """Where it stands. Raises Unreadable."""
    people = tuple(_person(each, f"/people/{n}") for n, each in enumerate(body.people))
    return Position(
        body.scenario,
        people,
        body.bag,
        body.difficulty,
        _places(body.lines, "/lines"),
        _places(body.crossed_out, "/crossed_out"),
        tuple((each.section, each.words) for each in body.words),
        body.counts,
        body.played,
        body.order,
        tuple(Beside(*each) for each in body.partners),
        body.keys,
        body.location,
        body.visited,
        body.opened,
    )


def _person(body: PersonBody, at: str) -> Entering:
    if body.fate not in _FATES:
        message = _("This is no fate a campaign can be entered with.")
        raise Unreadable(Fault(f"{at}/fate", message, ", ".join(_FATES), body.fate))
    return Entering(
        body.investigator,
        body.experience,
        body.physical,
        body.mental,
        _FATES[body.fate],
        body.cards,
        body.weaknesses,
        body.counts,
        _places(body.lines, f"{at}/lines"),
    )


def _places(told: tuple[str, ...], at: str) -> Places:
    """Sections and lines, with a point between them."""
    for number, each in enumerate(told):
        if not all(each.partition(".")):
            message = _("A section and a line are told with a point between them.")
            raise Unreadable(Fault(f"{at}/{number}", message, "SECTION.LINE", each))
    return tuple((each.partition(".")[0], each.partition(".")[2]) for each in told)
