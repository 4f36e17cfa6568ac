"""Puts what a guide asks next to a table, as fields that can be filled in.

One question has few fields: a choice, a number, words, or one of these for each
investigator or thing it concerns. While decks are brought up to date, what their cards
brought is asked as well. ``campaigns.questions.form_reading`` reads what was filled in.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.recording import DONE
from arkham.rules.campaign.interpreter.replay import START
from campaigns.questions.by_hand import HAND_FIELDS
from campaigns.questions.display import display_fields
from campaigns.questions.guide import guide_fields, place_fields
from campaigns.questions.question import (
    DIFFICULTIES,
    EMBARK,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.settling.cards import CardLine
from campaigns.words.names import ASKED, USED, implied, in_one_line
from cardpool.markup import rendered


def own_lines(asking: QuestionContext) -> list[CardLine]:
    """The cards of decks that the visitor may tell of."""
    return [line for line in asking.lines if line.investigator in asking.own]


def of_others(asking: QuestionContext, line: CardLine) -> str:
    """What a card of somebody else's deck brought, or that it is to be told."""
    told = {
        "who": asking.names.card(line.investigator),
        "card": line.name,
        "amount": line.amount,
    }
    if line.is_told:
        return _("%(who)s: %(amount)d experience by %(card)s.") % told
    return _("%(who)s has still to tell what %(card)s brought.") % told


def line_name(line: CardLine) -> str:
    """What the field of a card is called."""
    return f"card.{line.investigator}.{line.card}"


def card_line(asking: QuestionContext, line: CardLine) -> QuestionField:
    """The field in which it is told."""
    who = asking.names.card(line.investigator)
    label = _("%(who)s, experience by %(card)s") % {"who": who, "card": line.name}
    amount, hint = str(line.amount), line.hint
    return QuestionField(
        line_name(line), label, "number", (), -99, 99, initial=amount, hint=hint
    )


def question_of(asking: QuestionContext) -> FormQuestion | None:
    """What is asked next; nothing where the campaign is over."""
    asking = asking._replace(replay=asking.replay.as_asked)
    pending = asking.replay.pending
    if pending is None:
        return None
    names = asking.names
    told = names.words.step(pending.scenario, _told_at(pending))
    text = str(told.get("text", ""))
    heading = _heading(asking, pending)
    is_next = pending.kind == START and pending.prompt != EMBARK
    return FormQuestion(
        pending,
        heading,
        _("What comes next") if is_next else names.scenario(pending.scenario),
        rendered("" if heading == in_one_line(text) else text),
        tuple(rendered(str(each)) for each in told.get("bullets", ()) if each),
        _fields(asking, pending),
        _submit(asking, pending),
        tuple(
            of_others(asking, line)
            for line in asking.lines
            if line.investigator not in asking.own
        ),
    )


def _submit(asking: QuestionContext, pending: Pending) -> str:
    if told := _SUBMITS.get(pending.prompt) or _SUBMITS.get(pending.kind):
        return str(told)
    if pending.prompt == "menu" and any(each.id == DONE for each in pending.offers):
        return asking.names.choice(pending.scenario, pending.step, DONE)
    return _("Write")


_SUBMITS: dict[str, str | Promise] = {
    START: gettext_lazy("Begin"),
    EMBARK: gettext_lazy("Travel"),
    "upgrade_decks": gettext_lazy("The decks are up to date"),
    "save_decks": gettext_lazy("The decks are up to date"),
}


def _told_at(pending: Pending) -> str:
    """The step whose words say what is asked."""
    if pending.prompt == "use_supplies":
        return pending.step.removesuffix(USED)
    return pending.step


def _heading(asking: QuestionContext, pending: Pending) -> str:
    names = asking.names
    if pending.prompt == EMBARK:
        return _("Where does the table travel?")
    if pending.kind == START:
        return names.scenario(pending.scenario)
    if pending.is_upgrade:
        return str(ASKED[pending.prompt])
    found = names.step(pending.scenario, _told_at(pending))
    if found:
        return found
    if pending.step.endswith("*investigator_status"):
        return implied(pending.step)
    if {offer.id for offer in pending.offers} >= DIFFICULTIES:
        return _("Which difficulty?")
    asked = str(ASKED.get(pending.prompt) or _("What happened?"))
    if pending.prompt in ("who_takes", "who_gives_up"):
        return f"{asked} {', '.join(map(names.card, pending.keys))}".strip()
    return asked


def _fields(asking: QuestionContext, pending: Pending) -> Fields:
    if pending.prompt == EMBARK:
        return place_fields(asking)
    if pending.kind == START:
        return ()
    if pending.is_upgrade:
        return tuple(card_line(asking, line) for line in own_lines(asking))
    if pending.is_display:
        return display_fields(asking, pending)
    by_hand = HAND_FIELDS.get(pending.prompt)
    if by_hand is not None:
        return by_hand(asking, pending)
    return guide_fields(asking, pending)
