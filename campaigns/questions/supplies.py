"""The form fields of questions about supplies.

What everybody packs, each for points of their own; who uses a supply up, as many as
they have of it; and who suffers for what is missing.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from campaigns.questions.question import ANSWER, Asking, Field, Fields, Option


def packing(asking: Asking, pending: Pending) -> Fields:
    """How many of each supply everybody packs; what may be packed once is ticked."""
    names = asking.names
    points = {code: most for code, _least, most in pending.limits}
    return tuple(
        Field(
            f"{code}.{supply}",
            names.choice(pending.scenario, pending.step, supply),
            "number" if is_many else "tick",
            (),
            0,
            points.get(code, pending.most) if is_many else 1,
            is_needed=False,
            hint=_points(cost),
            group=names.card(code),
            budget=points.get(code, pending.most),
        )
        for code in pending.codes
        for supply, cost, is_many in pending.costs
    )


def _points(number: int) -> str:
    told = ngettext("%(number)d point", "%(number)d points", number)
    return told % {"number": number}


def using_up(asking: Asking, pending: Pending) -> Fields:
    """How many each uses up of what they have; all of it where it takes all."""
    having = {code: most or 0 for code, _least, most in pending.limits}
    takes_all = pending.least == sum(having.values())
    return tuple(
        Field(
            code,
            asking.names.card(code),
            "number",
            (),
            0,
            having.get(code, 0),
            initial=str(having.get(code, 0) if takes_all else 0),
            hint=_("has %(number)d") % {"number": having.get(code, 0)},
        )
        for code in pending.codes
    )


def going_without(asking: Asking, pending: Pending) -> Fields:
    """Who suffers for what could not be used up."""
    people = tuple(Option(code, asking.names.card(code)) for code in pending.codes)
    label = _("Who goes without?")
    return (Field(ANSWER, label, "several", people, pending.least, pending.most),)
