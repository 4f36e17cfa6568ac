"""Where a table travels on, and the journey read from the form."""

from __future__ import annotations

from django.utils.translation import gettext as _

from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.judging.travel import (
    Destination,
    destinations,
    journey,
    tickets,
)
from arkham.rules.campaign.model.guide import ASIDE
from arkham.rules.campaign.state.answers import Answer
from campaigns.questions.form import Cleaned
from campaigns.questions.kinds import one
from campaigns.questions.question import (
    ANSWER,
    FAST,
    PASSING,
    FieldOption,
    Fields,
    Misfilled,
    QuestionContext,
    QuestionField,
)


def place_fields(asking: QuestionContext) -> Fields:
    """Where the table may travel, and how."""
    guide, replay = asking.names.guide, asking.replay
    options = [
        FieldOption(each.place, _destination(asking, each))
        for each in destinations(guide, replay)
    ]
    passing = QuestionField(PASSING, _("Only pass through"), "tick", is_needed=False)
    passing = passing._replace(hint=_("nothing is played there this time"))
    fields = [one(_("Destination"), options), passing]
    if tickets(guide, replay):
        card = asking.names.card(guide.fast_card)
        told = _("Use up %(card)s") % {"card": card}
        fast = QuestionField(FAST, told, "tick", is_needed=False)
        fields.append(fast._replace(hint=_("the journey takes time 1")))
    return tuple(fields)


def _destination(asking: QuestionContext, reached: Destination) -> str:
    """A place as it is printed on the map, never what is played there."""
    name = asking.names.place(reached.place)
    told = _("%(place)s: time %(time)d") % {"place": name, "time": reached.time}
    if asking.names.guide.map[reached.place].scenario == ASIDE:
        told = _("%(told)s, room for a side scenario") % {"told": told}
    return told


def journey_of(asking: QuestionContext, cleaned: Cleaned) -> Answer:
    """The journey that was chosen. Raises Misfilled."""
    found = journey(
        asking.names.guide,
        asking.replay,
        cleaned[ANSWER],
        fast=bool(cleaned.get(FAST)),
        passing=bool(cleaned[PASSING]),
    )
    if found is None:
        raise Misfilled({ANSWER: _("No way leads there.")})
    return Answer(START, found.next_scenario, "", found)
