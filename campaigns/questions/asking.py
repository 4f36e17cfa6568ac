"""Puts what a guide asks next to a table, and reads the answer.

One question has few fields: a choice, a number, words, or one of these for each
investigator or thing it concerns. While decks are brought up to date, what their cards
brought is asked as well. Each family of prompts has a module with its fields and how
they are read; the rows of all are gathered here.
"""

from __future__ import annotations

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.recording import DONE
from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.state.answers import Answer
from campaigns.questions.cards import CARDS
from campaigns.questions.choices import CHOICES, journey_of, place_fields
from campaigns.questions.display import display_fields
from campaigns.questions.display_form import display_of, fill_display
from campaigns.questions.form import Filled, QuestionForm
from campaigns.questions.kinds import QuestionKind, Rows
from campaigns.questions.people import OF_EACH, PEOPLE, SUPPLIES, deck_fields, of_others
from campaigns.questions.question import (
    ANSWER,
    DIFFICULTIES,
    EMBARK,
    Fields,
    FormQuestion,
    QuestionContext,
)
from campaigns.words.names import ASKED, USED, CampaignNames, implied, in_one_line
from cardpool.markup import rendered


def question_of(asking: QuestionContext) -> FormQuestion | None:
    """What is asked next; nothing where the campaign is over."""
    asking = asking._replace(replay=asking.replay.as_asked)
    pending = asking.replay.pending
    if pending is None:
        return None
    names = asking.names
    words = names.words.step(pending.scenario, _step_of_words(pending))
    text = str(words.get("text", ""))
    heading = _heading(asking, pending)
    is_next = pending.kind == START and pending.prompt != EMBARK
    return FormQuestion(
        pending,
        heading,
        _("What comes next") if is_next else names.scenario(pending.scenario),
        rendered("" if heading == in_one_line(text) else text),
        tuple(rendered(str(each)) for each in words.get("bullets", ()) if each),
        _fields(asking, pending),
        _submit(asking, pending),
        tuple(
            of_others(asking, line)
            for line in asking.lines
            if line.investigator not in asking.own
        ),
    )


def _submit(asking: QuestionContext, pending: Pending) -> str:
    if label := _SUBMITS.get(pending.prompt) or _SUBMITS.get(pending.kind):
        return str(label)
    if pending.prompt == "menu" and any(each.id == DONE for each in pending.offers):
        return asking.names.choice(pending.scenario, pending.step, DONE)
    return _("Write")


_SUBMITS: dict[str, str | Promise] = {
    START: gettext_lazy("Begin"),
    EMBARK: gettext_lazy("Travel"),
    "upgrade_decks": gettext_lazy("The decks are up to date"),
    "save_decks": gettext_lazy("The decks are up to date"),
}


def _step_of_words(pending: Pending) -> str:
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
    found = names.step(pending.scenario, _step_of_words(pending))
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


ROWS: Rows = {**CHOICES, **PEOPLE, **CARDS, **SUPPLIES}


def kind_of(pending: Pending) -> QuestionKind:
    """How a prompt is put, read and filled in."""
    return ROWS.get((pending.prompt, pending.kind), OF_EACH)


def _fields(asking: QuestionContext, pending: Pending) -> Fields:
    if pending.prompt == EMBARK:
        return place_fields(asking)
    if pending.kind == START:
        return ()
    if pending.is_upgrade:
        return deck_fields(asking)
    if pending.is_display:
        return display_fields(asking, pending)
    return kind_of(pending).fields(asking, pending)


def answer_of(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> Answer:
    """The answer a form gives. Raises Misfilled, with all that is wrong."""
    pending = question.pending
    if pending.kind == START and pending.prompt != EMBARK:
        return Answer(START, pending.scenario, "", None)
    if pending.is_display:
        return display_of(asking, question, data)
    place = pending.kind, pending.scenario, pending.step
    if question.is_upgrade:
        return Answer(*place, True)
    cleaned = QuestionForm(asking, question, data).read()
    if pending.prompt == EMBARK:
        return journey_of(asking, cleaned)
    value = kind_of(pending).read(question, cleaned)
    choice = cleaned[ANSWER] if pending.kind == "choice" else ""
    return Answer(*place, value, 0, choice)


def refilled(question: FormQuestion, answer: Answer, names: CampaignNames) -> Filled:
    """What is filled in, by the name of the field; what is unknown is left out."""
    pending = question.pending
    if pending.is_display:
        return fill_display(question, answer, names)
    if answer.kind == START or answer.kind != pending.kind or question.is_upgrade:
        return {}
    return kind_of(pending).fill(question, answer)
