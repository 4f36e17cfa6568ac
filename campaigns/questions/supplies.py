"""Questions about supplies and partners: what is packed or used up, who goes along."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.state.lookup import NO_PARTNER
from campaigns.questions.form import Cleaned
from campaigns.questions.kinds import (
    QuestionKind,
    Rows,
    named,
    number_of_each,
    of_each,
    of_these,
    one,
    people,
)
from campaigns.questions.question import (
    ANSWER,
    FieldOption,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)


def packing(asking: QuestionContext, pending: Pending) -> Fields:
    """How many of each supply everybody packs; what may be packed once is ticked."""
    names = asking.names
    points = {code: most for code, _least, most in pending.limits}
    return tuple(
        QuestionField(
            f"{code}.{supply}",
            names.choice(pending.scenario, pending.step, supply),
            "number" if is_many else "tick",
            (),
            0,
            points.get(code, pending.most) if is_many else 1,
            is_needed=False,
            hint=points_to_spend(cost),
            group=names.card(code),
            budget=points.get(code, pending.most),
        )
        for code in pending.codes
        for supply, cost, is_many in pending.costs
    )


def points_to_spend(number: int) -> str:
    told = ngettext("%(number)d point", "%(number)d points", number)
    return told % {"number": number}


def _packed(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, supply = field.name.partition(".")
        if cleaned[field.name]:
            found.setdefault(code, {})[supply] = cleaned[field.name]
    return found


def using_up(asking: QuestionContext, pending: Pending) -> Fields:
    """How many each uses up of what they have; all of it where it takes all."""
    having = {code: most or 0 for code, _least, most in pending.limits}
    takes_all = pending.least == sum(having.values())
    return tuple(
        QuestionField(
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


def going_without(asking: QuestionContext, pending: Pending) -> Fields:
    """Who suffers for what could not be used up."""
    people = tuple(FieldOption(code, asking.names.card(code)) for code in pending.codes)
    label = _("Who goes without?")
    return (
        QuestionField(ANSWER, label, "several", people, pending.least, pending.most),
    )


def _partners(asking: QuestionContext, pending: Pending) -> Fields:
    options = tuple(people(asking, pending.keys))
    return (of_these(_("Partners"), options, pending.least, pending.most),)


def _assigned(asking: QuestionContext, pending: Pending) -> Fields:
    partners = [*people(asking, pending.keys), FieldOption(NO_PARTNER, _("Nobody"))]
    return tuple(
        one(asking.names.card(code), partners, name=code) for code in pending.codes
    )


def _hurt(asking: QuestionContext, pending: Pending) -> Fields:
    """Damage and horror of each partner."""
    return tuple(
        QuestionField(
            f"{code}.{kind}", word, "number", (), 0, 99, group=asking.names.card(code)
        )
        for code in pending.codes
        for kind, word in (("damage", _("Damage")), ("horror", _("Horror")))
    )


def _damage_and_horror(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Damage and horror of each partner, together."""
    found: dict[str, tuple[int, ...]] = {}
    for field in question.fields:
        code = field.name.rpartition(".")[0]
        found[code] = (*found.get(code, ()), cleaned[field.name])
    return found


SUPPLIES: Rows = {
    ("supplies", "supplies"): QuestionKind(packing, _packed),
    ("use_supplies", "choice_list"): QuestionKind(using_up, number_of_each),
    ("use_supplies", "string_choices"): QuestionKind(going_without, of_each),
    ("choose_partners", "string_choices"): QuestionKind(_partners, named("1")),
    ("assign_partners", "string_choices"): QuestionKind(_assigned, of_each),
    ("partner_trauma", "choice_list"): QuestionKind(_hurt, _damage_and_horror),
}
