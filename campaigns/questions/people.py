"""Questions about investigators: who plays, and what each chooses, counts or draws."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.draws.weaknesses import is_drawn
from campaigns.questions.form import Cleaned
from campaigns.questions.kinds import (
    CHOSEN,
    QuestionKind,
    Rows,
    named,
    number_fields,
    number_of_each,
    of_each,
    one,
    people,
)
from campaigns.questions.question import (
    ANSWER,
    NOBODY,
    FieldOption,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import TRAUMA


def _players(asking: QuestionContext, pending: Pending) -> Fields:
    if pending.step.startswith(fixed_steps.LEAD_INVESTIGATOR):
        return (one(_("Lead investigator"), people(asking, pending.codes)),)
    state = asking.replay.state
    gone = Roster(state).gone  # by title: the killed, the insane and the retired
    able = [code for code in asking.sitting if state.title(code) not in gone]
    field = QuestionField(
        ANSWER, _("Investigators"), "several", tuple(people(asking, able)), 1, 4
    )
    known = [code for code in state.players if code in able]
    played = {code for game in state.games.values() for code in game.players or ()}
    newcomers = [code for code in able if code not in (*known, *played)]
    expected = [*known, *newcomers] or able
    return (field._replace(initial=" ".join(expected[:4])),)


def _who_plays(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    is_lead = question.pending.step.startswith(fixed_steps.LEAD_INVESTIGATOR)
    return dict(named("lead" if is_lead else "chosen")(question, cleaned))


def _each_chooses(asking: QuestionContext, pending: Pending) -> Fields:
    """A choice for each investigator, for some of them, or for one."""
    able = [(code, ids) for code, ids in pending.by_code if ids]
    if not pending.each and (
        pending.most == 1 or all(len(ids) == 1 for _, ids in able)
    ):
        return (_for_some(asking, pending, able),)
    left_open = () if pending.each else (FieldOption(NOBODY, _("Nothing")),)
    return tuple(
        QuestionField(
            code,
            asking.names.card(code),
            "one",
            (
                *(
                    FieldOption(each, _of_somebody(asking, pending, each))
                    for each in ids
                ),
                *left_open,
            ),
            is_needed=pending.each,
            initial=ids[0] if pending.each and len(ids) == 1 else "",
        )
        for code, ids in able
    )


def _for_some(
    asking: QuestionContext, pending: Pending, able: list[tuple[str, tuple[str, ...]]]
) -> QuestionField:
    """Who is meant, with what they choose if there is more than one thing."""
    names = asking.names
    options = [
        FieldOption(
            f"{code} {each}",
            names.card(code)
            if len(ids) == 1
            else f"{names.card(code)}: {_of_somebody(asking, pending, each)}",
        )
        for code, ids in able
        for each in ids
    ]
    least = min(pending.least or 0, len(able))
    if pending.most == 1:
        if not least:
            options.append(FieldOption(NOBODY, _("Nobody")))
        return one(_("Investigator"), options)._replace(is_needed=bool(least))
    choices = {each for _code, ids in able for each in ids}
    label = _("All that apply")
    if len(choices) == 1:
        label = _of_somebody(asking, pending, choices.pop())
    field = QuestionField(ANSWER, label, "several", tuple(options), least, pending.most)
    if draws_weaknesses(pending):
        # Most decks begin without one; whose has it is given no second.
        chosen = (
            f"{code} {each}"
            for code, ids in able
            for each in ids
            if code not in asking.drawn
        )
        return field._replace(chosen=tuple(chosen))
    return field


DRAWS = "draw_weakness"  # begins the id of the step of a set-up that draws one


def draws_weaknesses(pending: Pending) -> bool:
    """Whether it is asked whose first deck is given its random basic weakness."""
    return pending.scenario == SETUP and pending.step.startswith(DRAWS)


def _of_somebody(asking: QuestionContext, pending: Pending, choice: str) -> str:
    if pending.prompt == "physical_or_mental":
        return str(TRAUMA[choice])
    return asking.names.choice(pending.scenario, pending.step, choice)


def _someone(asking: QuestionContext, pending: Pending) -> Fields:
    options = people(asking, pending.codes)
    is_needed = bool(pending.least and options)
    if not is_needed:
        options.append(FieldOption(NOBODY, _("Nobody")))
    return (one(_("Investigator"), options)._replace(is_needed=is_needed),)


def _weaknesses(asking: QuestionContext, pending: Pending) -> Fields:
    """Which weakness everybody got: named, where it was drawn at the table."""
    names = asking.names
    drawn = (card for card in names.pool.values() if is_drawn(card))
    wanted = {each.lower() for each in pending.traits}
    fitting = [card for card in drawn if not wanted or wanted & {*card.traits}]
    fitting.sort(key=lambda card: (card.name, card.subname or "", card.code))
    options = tuple(FieldOption(card.code, names.card(card.code)) for card in fitting)
    return tuple(
        QuestionField(code, names.card(code), "card", options) for code in pending.codes
    )


def _drawn(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    return {field.name: tuple(cleaned[field.name]) for field in question.fields}


OF_EACH = QuestionKind(_each_chooses, of_each)
_WEAKNESS = QuestionKind(_weaknesses, _drawn)
_SOMEONE = QuestionKind(_someone, named(CHOSEN))
PEOPLE: Rows = {
    ("choose_investigators", "string_choices"): QuestionKind(_players, _who_plays),
    ("investigator_choice", "string_choices"): OF_EACH,
    ("physical_or_mental", "string_choices"): OF_EACH,
    ("investigator_counter", "choice_list"): QuestionKind(
        number_fields, number_of_each
    ),
    ("weakness", "string_choices"): _WEAKNESS,
    ("chosen_weakness", "string_choices"): _WEAKNESS,
    ("who_takes", "string_choices"): _SOMEONE,
    ("who_gives_up", "string_choices"): _SOMEONE,
    ("investigator_choice_supplies", "string_choices"): _SOMEONE,
}
