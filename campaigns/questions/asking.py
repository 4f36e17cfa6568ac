"""Turn a guide's next prompt into a form question, and read the answer.

This module has the questions to the whole table: one or several of many, a number,
words, a journey, the menu of a campaign cleaned by hand, and a choice for each thing. A
question has few fields: a choice, a number, words, or one of these for each
investigator or thing concerned. During upgrades it also asks for what cards gave. Every
other family of prompts has its own module with fields and readers; all rows are
gathered here.
"""

from __future__ import annotations

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.recording import DONE
from arkham.rules.campaign.by_hand.scenarios import LEAD, leads_to
from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.judging.between_games import (
    Destination,
    destinations,
    journey,
    tickets,
)
from arkham.rules.campaign.model.guide import ASIDE
from arkham.rules.campaign.prompts.kinds import is_choice_left
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import standing_lines
from arkham.rules.chaos import Token
from arkham.web.language import word_of
from campaigns.questions.cards import CARDS, deck_fields, of_others
from campaigns.questions.display import display_fields
from campaigns.questions.display_form import display_of, fill_display
from campaigns.questions.form import Cleaned, Filled, QuestionForm, names_of
from campaigns.questions.kinds import (
    QuestionKind,
    Rows,
    fill_words,
    named,
    number,
    of_each,
    of_these,
    offered,
    one,
    the_chosen,
)
from campaigns.questions.people import (
    OF_EACH,
    PEOPLE,
    SUPPLIES,
    asks_for_outcomes,
    going_without,
)
from campaigns.questions.question import (
    ANSWER,
    DIFFICULTIES,
    EMBARK,
    FAST,
    NO_CHOICE,
    PASSING,
    FieldOption,
    Fields,
    FormQuestion,
    Misfilled,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import ASKED, USED, CampaignNames, implied, in_one_line
from cardpool.markup import rendered, unmarked

# Asked before anyone takes part; choices count from 1.
_PLAYER_COUNTS = frozenset({"ask_player_count"})


def _choice(asking: QuestionContext, pending: Pending) -> Fields:
    field = one(_("Choose one"), offered(asking, pending))
    seated = len(asking.sitting) if pending.step in _PLAYER_COUNTS else 0
    known = "".join(each.value for each in field.options[seated - 1 : seated])
    return (field._replace(initial=known),)


def _chosen_number(question: FormQuestion, cleaned: Cleaned) -> int:
    chosen = cleaned[question.fields[0].name]
    return next(offer.number for offer in question.pending.offers if offer.id == chosen)


def _fill_choice(question: FormQuestion, answer: Answer) -> Filled:
    offers = question.pending.offers
    by_number = {offer.number: offer.id for offer in offers}
    return {ANSWER: [answer.choice or by_number.get(answer.value, "")]}


def _decision(asking: QuestionContext, pending: Pending) -> Fields:
    label = ""
    if pending.offers:
        words, choice = asking.names.words, pending.offers[0].id
        label = unmarked(words.choice(pending.scenario, pending.step, choice))
    if label == asking.names.step(pending.scenario, pending.step):
        label = ""  # the heading asks it already: yes or no is enough
    yes_no = (FieldOption("yes", label or _("Yes")), FieldOption("no", _("No")))
    return (one(_("Yes or no"), yes_no),)


def _is_yes(question: FormQuestion, cleaned: Cleaned) -> bool:
    return bool(cleaned[question.fields[0].name] == "yes")


def _fill_decision(_question: FormQuestion, answer: Answer) -> Filled:
    return {ANSWER: ["yes" if answer.value else "no"]}


def _count(asking: QuestionContext, pending: Pending) -> Fields:
    now = pending.now
    hint = "" if now is None else _("%(number)d now") % {"number": now}
    return (number(ANSWER, _("How many?"), pending)._replace(hint=hint),)


def _words(_asking: QuestionContext, _pending: Pending) -> Fields:
    return (QuestionField(ANSWER, _("Text"), "words"),)


# Acts on lines of the log: offered only if it has lines.
_OF_LINES = frozenset({"cross_out", "cross_section", "circle"})


def _menu(asking: QuestionContext, pending: Pending) -> Fields:
    """Return buttons for what can be recorded; other menus are plain choices."""
    words = asking.names.words.step(pending.scenario, pending.step)
    groups = words.get("groups", {})
    options = tuple(
        FieldOption(
            offer.id,
            asking.names.choice(pending.scenario, pending.step, offer.id),
            groups.get(offer.id, ""),
        )
        for offer in pending.offers
        if _is_of_use(asking, pending, offer.id)
    )
    if groups:
        order = [*dict.fromkeys(option.group for option in options)]
        sorted_ = tuple(sorted(options, key=lambda option: order.index(option.group)))
        return (QuestionField(ANSWER, _("Choose one"), "menu", sorted_, initial=DONE),)
    return (QuestionField(ANSWER, _("Choose one"), "one", options),)


def _is_of_use(asking: QuestionContext, pending: Pending, offer: str) -> bool:
    """Return whether there is anything to record there now."""
    state = asking.replay.state
    if offer in _OF_LINES:
        return bool(standing_lines(state))
    asked = asking.names.question_at(pending.scenario, offer)
    return asked is None or is_choice_left(state, asked.prompt, state.alive())


def _checked(asking: QuestionContext, pending: Pending) -> Fields:
    most = len(pending.offers) if pending.most is None else pending.most
    options = tuple(offered(asking, pending))
    return (of_these(_("Choose all that apply"), options, pending.least, most),)


def _each_thing(asking: QuestionContext, pending: Pending) -> Fields:
    """Return one choice for each of several things."""
    if pending.least is not None:
        by_tokens = all(key in {*Token} for key in pending.keys)
        return (tokens if by_tokens else states)(asking, pending)
    names, options = asking.names, tuple(offered(asking, pending))
    return tuple(
        one(names.choice(pending.scenario, pending.step, key), options, name=key)
        for key in pending.keys
    )


def tokens(asking: QuestionContext, pending: Pending) -> Fields:
    """Return a field for each kind of chaos token, which may be left as it is."""
    bag = asking.replay.state.bag
    return tuple(
        field._replace(
            label=word_of(Token(field.name)),
            hint=_("%(number)d in the bag") % {"number": bag.get(field.name, 0)},
        )
        for field in states(asking, pending)
    )


def states(asking: QuestionContext, pending: Pending) -> Fields:
    """Return a field for each of several things, which may be left as they are."""
    names = asking.names
    options = (
        FieldOption(NO_CHOICE, _("as it is")),
        *(
            FieldOption(
                offer.id, names.choice(pending.scenario, pending.step, offer.id)
            )
            for offer in pending.offers
        ),
    )
    return tuple(
        QuestionField(key, names.card(key), "pick", options, is_needed=False)
        for key in pending.keys
    )


_CHOICE = QuestionKind(_choice, _chosen_number, _fill_choice)
_WORDS = QuestionKind(_words, the_chosen, fill_words)
CHOICES: Rows = {
    ("choose_one", "choice"): _CHOICE,
    ("choose_one", "decision"): QuestionKind(_decision, _is_yes, _fill_decision),
    ("menu", "choice"): QuestionKind(_menu, _chosen_number, _fill_choice),
    ("play_scenario", "choice"): _CHOICE,
    ("receive_link", "choice"): _CHOICE,
    ("receive_link", "campaign_link"): QuestionKind(_choice, the_chosen, fill_words),
    ("counter", "count"): QuestionKind(_count, the_chosen, fill_words),
    ("text_box", "text"): _WORDS,
    ("victory_display", "text"): _WORDS,  # the reason for a corrected total
    ("checklist", "string_choices"): QuestionKind(_checked, named("checked")),
    ("choice_list", "string_choices"): QuestionKind(_each_thing, of_each),
    ("randomizer", "string_choices"): QuestionKind(_each_thing, of_each),
}


def place_fields(asking: QuestionContext) -> Fields:
    """Return the fields for where the table travels, and how."""
    guide, replay = asking.names.guide, asking.replay
    options = [
        FieldOption(each.place, _destination(asking, each))
        for each in destinations(guide, replay)
    ]
    passing = QuestionField(PASSING, _("Pass through"), "tick", is_needed=False)
    passing = passing._replace(hint=_("without playing there"))
    here = asking.names.place(replay.state.map.location)
    fields = [one(_("From %(place)s to") % {"place": here}, options), passing]
    if tickets(guide, replay):
        card = asking.names.card(guide.fast_card)
        label = _("Use up %(card)s") % {"card": card}
        fast = QuestionField(FAST, label, "tick", is_needed=False)
        fields.append(fast._replace(hint=_("the journey takes 1 time")))
    return tuple(fields)


def _destination(asking: QuestionContext, reached: Destination) -> str:
    """Return a place as printed on the map, never what is played there."""
    name = asking.names.place(reached.place)
    label = _("%(place)s: %(time)d time") % {"place": name, "time": reached.time}
    known = leads_to(asking.replay.state, reached.place)
    notes = (_("file %(number)s") % {"number": what} for what in known if what != LEAD)
    label = " · ".join((label, *([_("lead")] if LEAD in known else ()), *notes))
    is_aside = asking.names.guide.map[reached.place].scenario == ASIDE
    return _("%(place)s · side scenario") % {"place": label} if is_aside else label


def journey_of(asking: QuestionContext, cleaned: Cleaned) -> Answer:
    """Return the answer for the chosen journey. Raises Misfilled."""
    found = journey(
        asking.names.guide,
        asking.replay,
        cleaned[ANSWER],
        fast=bool(cleaned.get(FAST)),
        passing=bool(cleaned[PASSING]),
    )
    if found is None:
        raise Misfilled({ANSWER: _("You can’t travel there.")})
    return Answer(START, found.next_scenario, "", found)


def question_of(asking: QuestionContext) -> FormQuestion | None:
    """Return the next question; None if the campaign is over."""
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
    if pending.prompt == "upgrade_decks" and not pending.spends:
        return _("Continue")
    if label := _SUBMITS.get(pending.prompt) or _SUBMITS.get(pending.kind):
        return str(label)
    if pending.prompt == "menu" and any(each.id == DONE for each in pending.offers):
        return asking.names.choice(pending.scenario, pending.step, DONE)
    return _("Continue")


_SUBMITS: dict[str, str | Promise] = {
    START: gettext_lazy("Begin"),
    EMBARK: gettext_lazy("Travel"),
    "upgrade_decks": gettext_lazy("Decks are up to date"),
    "save_decks": gettext_lazy("Decks are up to date"),
}


def _step_of_words(pending: Pending) -> str:
    """Return the step whose texts put the question."""
    if pending.prompt == "use_supplies":
        return pending.step.removesuffix(USED)
    return pending.step


def _heading(asking: QuestionContext, pending: Pending) -> str:
    names = asking.names
    if pending.prompt == EMBARK:
        return _("Where do you travel?")
    if pending.kind == START:
        return names.scenario(pending.scenario)
    if pending.is_upgrade:
        asked = ASKED["upgrade_decks" if pending.spends else "save_decks"]
        return names.first_cards(pending.scenario, pending.step) or str(asked)
    if kind_of(pending).fields is going_without:
        return _("Who goes without?")
    found = names.step(pending.scenario, _step_of_words(pending))
    if found:
        return found
    if asks_for_outcomes(pending):
        return implied(pending.step)
    if {offer.id for offer in pending.offers} >= DIFFICULTIES:
        return _("Which difficulty?")
    cards = ", ".join(map(names.card, pending.keys))
    if cards and pending.prompt == "who_takes":
        return _("Who takes %(cards)s?") % {"cards": cards}
    if cards and pending.prompt == "who_gives_up":
        return _("Who gives up %(cards)s?") % {"cards": cards}
    return str(ASKED.get(pending.prompt) or _("What happened?"))


ROWS: Rows = {**CHOICES, **PEOPLE, **CARDS, **SUPPLIES}


def kind_of(pending: Pending) -> QuestionKind:
    """Return how a prompt is shown, read and filled in."""
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
    """Return the answer a form gives. Raises Misfilled, with all errors."""
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
    """Return the initial values for an answer, by field; unknown ones are left out."""
    pending = question.pending
    if pending.is_display:
        return fill_display(question, answer, names)
    if answer.kind == START or answer.kind != pending.kind or question.is_upgrade:
        return {}
    filled = kind_of(pending).fill(question, answer)
    typed = {field.name for field in question.fields if field.kind in ("cards", "card")}
    return {
        name: [names_of(each, names.pool) for each in values]
        if name in typed
        else values
        for name, values in filled.items()
    }
