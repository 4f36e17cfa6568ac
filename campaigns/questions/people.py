"""Questions about investigators: what each chooses, counts, draws, packs and brings.

Who plays, leads and goes along, supplies and partners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.effects import SeatCount
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import NO_PARTNER, GameOutcome
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
    of_these,
    one,
    people,
)
from campaigns.questions.question import (
    ANSWER,
    NO_CHOICE,
    FieldOption,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)

LEAD = "lead"  # a field, and the word of an answer


def _players(asking: QuestionContext, pending: Pending) -> Fields:
    if pending.step.startswith(scenario_steps.LEAD_INVESTIGATOR):
        scenario = asking.names.guide.scenarios.get(pending.scenario)
        leaders = scenario.leaders if scenario else ()
        codes = sorted(pending.codes, key=lambda code: code not in leaders)
        return (one(_("Lead investigator"), people(asking, codes)),)
    state = asking.replay.state
    gone = Roster(state).gone  # by title: those killed, driven insane or retired
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
    is_lead = question.pending.step.startswith(scenario_steps.LEAD_INVESTIGATOR)
    return dict(named(LEAD if is_lead else "chosen")(question, cleaned))


def lead_field(asking: QuestionContext, question: FormQuestion) -> QuestionField | None:
    """Return the field for the lead investigator, beside the question who plays.

    Initially it is the one the scenario offers first, else the last one, else the first
    player; None if the question is another one, or if there is no choice.
    """
    pending = question.pending
    if pending.step != scenario_steps.CHOOSE_INVESTIGATORS:
        return None
    scenario = asking.names.guide.scenarios.get(pending.scenario)
    players = question.fields[0].begins_with
    leaders = scenario.leaders if scenario else ()
    usual = (*leaders, asking.replay.state.latest.lead, *players)
    options = question.fields[0].options
    lead = next((code for code in usual if code in players), "")
    field = one(_("Lead investigator"), options, name=LEAD)
    field = field._replace(initial=lead, is_needed=False)
    return field if len(options) > 1 else None


def lead_of(given: Answer, lead: str) -> Answer | None:
    """Return the answer that makes one of the players chosen the lead investigator."""
    if given.step != scenario_steps.CHOOSE_INVESTIGATORS or len(given.value) < 2:
        return None
    if lead not in given.value:
        return None
    step = scenario_steps.LEAD_INVESTIGATOR
    return Answer(given.kind, given.scenario, step, {lead: (LEAD,)})


def _each_chooses(asking: QuestionContext, pending: Pending) -> Fields:
    """Return a choice for each investigator, for some of them, or for one."""
    able = [(code, ids) for code, ids in pending.by_code if ids]
    if not pending.each and (
        pending.most == 1 or all(len(ids) == 1 for _, ids in able)
    ):
        return (_for_some(asking, pending, able),)
    left_open = () if pending.each else (FieldOption(NO_CHOICE, _("Nothing")),)
    return tuple(
        QuestionField(
            code,
            asking.names.card(code),
            "one",
            (
                *(FieldOption(each, _named(asking, pending, each)) for each in ids),
                *left_open,
            ),
            is_needed=pending.each,
            initial=_expected(asking, pending, code, ids),
        )
        for code, ids in able
    )


def _expected(
    asking: QuestionContext, pending: Pending, code: str, ids: tuple[str, ...]
) -> str:
    """Return the initial choice: the only one, or what their play area shows.

    After defeat by both damage and horror, the player chooses the trauma.
    """
    if pending.each and len(ids) == 1:
        return ids[0]
    if not asks_for_outcomes(pending):
        return ""
    outcome = asking.outcomes.get(code, GameOutcome.SURVIVED)
    expected = STATUS_OF.get(outcome, "")
    return expected if expected in ids else ""


def asks_for_outcomes(pending: Pending) -> bool:
    """Return whether a question asks how the game ended for each investigator."""
    return pending.step.endswith("*investigator_status")


def _for_some(
    asking: QuestionContext, pending: Pending, able: list[tuple[str, tuple[str, ...]]]
) -> QuestionField:
    """Return a field for who is meant, with their choices if there are several."""
    names = asking.names
    options = [
        FieldOption(
            f"{code} {each}",
            " · ".join((names.card(code), *_counted(asking, pending, code)))
            if len(ids) == 1
            else f"{names.card(code)}: {_named(asking, pending, each)}",
        )
        for code, ids in able
        for each in ids
    ]
    least = min(pending.least or 0, len(able))
    if pending.most == 1:
        if not least:
            options.append(FieldOption(NO_CHOICE, _("No one")))
        return one(_("Investigator"), options)._replace(is_needed=bool(least))
    choices = {each for _code, ids in able for each in ids}
    label = _("Choose all that apply")
    if len(choices) == 1:
        label = _named(asking, pending, choices.pop())
    field = QuestionField(ANSWER, label, "several", tuple(options), least, pending.most)
    if draws_weaknesses(pending):
        # Most decks start without one; decks that have theirs get no second.
        chosen = (
            f"{code} {each}"
            for code, ids in able
            for each in ids
            if code not in asking.drawn
        )
        return field._replace(chosen=tuple(chosen))
    return field


def _counted(asking: QuestionContext, pending: Pending, code: str) -> Iterator[str]:
    """Yield what an investigator has whose progress the question counts: a task."""
    asked = asking.names.question_at(pending.scenario, pending.step)
    for choice in getattr(asked and asked.prompt, "choices", ()):
        for effect in (each for batch in choice.batches for each in batch.plain):
            if isinstance(effect, SeatCount):
                sections = asking.replay.state.seat_sections.get(effect.section, {})
                for line in sections[code].lines if code in sections else ():
                    if line.kind != "count":
                        yield asking.names.line(effect.section, line)


# Game outcomes, as guides name them; after defeat by both the player chooses.
STATUS_OF: Mapping[GameOutcome, str] = {
    GameOutcome.SURVIVED: "alive",
    GameOutcome.RESIGNED: "resigned",
    GameOutcome.DAMAGE: "physical",
    GameOutcome.HORROR: "mental",
}


def draws_weaknesses(pending: Pending) -> bool:
    """Return whether it is asked whose first deck draws its random basic weakness.

    Most campaigns ask it in their set-up, some in an interlude after a prologue.
    """
    return pending.step.startswith(scenario_steps.DRAWS)


def _named(asking: QuestionContext, pending: Pending, choice: str) -> str:
    return asking.names.choice(pending.scenario, pending.step, choice)


def _someone(asking: QuestionContext, pending: Pending) -> Fields:
    options = people(asking, pending.codes)
    if pending.prompt == "who_gives_up":
        least, most = pending.least, pending.most
        return (of_these(_("Investigators"), tuple(options), least, most),)
    is_needed = bool(pending.least and options)
    if not is_needed:
        options.append(FieldOption(NO_CHOICE, _("No one")))
    return (one(_("Investigator"), options)._replace(is_needed=is_needed),)


def _weaknesses(asking: QuestionContext, pending: Pending) -> Fields:
    """Return a field for each investigator's weakness, if it was drawn at the table."""
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


def packing(asking: QuestionContext, pending: Pending) -> Fields:
    """Return fields for the supplies each packs; single ones are ticked."""
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
            cost=cost,
        )
        for code in pending.codes
        for supply, cost, is_many in pending.costs
    )


def points_to_spend(number: int) -> str:
    points = ngettext("%(number)d point", "%(number)d points", number)
    return points % {"number": number}


def _packed(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, supply = field.name.partition(".")
        if cleaned[field.name]:
            found.setdefault(code, {})[supply] = cleaned[field.name]
    return found


def using_up(asking: QuestionContext, pending: Pending) -> Fields:
    """Return fields for how many each uses up; the number needed is shared out."""
    having = {code: most or 0 for code, _least, most in pending.limits}
    shares = _shares(pending.least or 0, having)
    return tuple(
        QuestionField(
            code,
            asking.names.card(code),
            "number",
            (),
            0,
            having.get(code, 0),
            initial=str(shares.get(code, 0)),
            hint=_("has %(number)d left") % {"number": having.get(code, 0)},
        )
        for code in pending.codes
    )


def _shares(needed: int, having: Mapping[str, int]) -> dict[str, int]:
    """Return each investigator's share if they give one in turn until it is enough."""
    shares = dict.fromkeys(having, 0)
    for _round in range(max(having.values(), default=0)):
        for code, most in having.items():
            if shares[code] < most and sum(shares.values()) < needed:
                shares[code] += 1
    return shares


def going_without(asking: QuestionContext, pending: Pending) -> Fields:
    """Return a field for who suffers from what could not be used up."""
    people = tuple(FieldOption(code, asking.names.card(code)) for code in pending.codes)
    label = _("Investigators")
    return (
        QuestionField(ANSWER, label, "several", people, pending.least, pending.most),
    )


def _partners(asking: QuestionContext, pending: Pending) -> Fields:
    options = tuple(people(asking, pending.keys))
    return (of_these(_("Partners"), options, pending.least, pending.most),)


def _assigned(asking: QuestionContext, pending: Pending) -> Fields:
    partners = [*people(asking, pending.keys), FieldOption(NO_PARTNER, _("No one"))]
    return tuple(
        one(asking.names.card(code), partners, name=code) for code in pending.codes
    )


def _hurt(asking: QuestionContext, pending: Pending) -> Fields:
    """Return fields for the damage and horror of each partner."""
    words = {"damage": _("Damage"), "horror": _("Horror")}
    return tuple(
        QuestionField(
            name, words[kind], "number", (), least, most, group=asking.names.card(code)
        )
        for name, least, most in pending.limits
        for code, _point, kind in (name.partition("."),)
    )


def _damage_and_horror(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Return the damage and horror of each partner as a pair."""
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
