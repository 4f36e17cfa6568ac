"""The form fields of questions that only campaigns kept by hand ask.

What else is written down, which lines are crossed out, what becomes of chaos tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.recording import DONE
from arkham.rules.campaign.model.steps import NOBODY as NO_HOLDER
from arkham.rules.campaign.prompts.taking import is_choice_left
from arkham.rules.campaign.state.lookup import copies_in, holding, standing_lines
from arkham.rules.chaos import Token
from campaigns.questions.question import (
    ANSWER,
    NOBODY,
    FieldOption,
    Fields,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import CampaignNames
from campaigns.words.tokens import word_of


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


# What is done to lines that stand in the log: nothing, where none does.
_OF_LINES = frozenset({"cross_out", "cross_section", "circle"})


def _menu(asking: QuestionContext, pending: Pending) -> Fields:
    """Things to write down as buttons; other menus are choices like any."""
    told = asking.names.words.step(pending.scenario, pending.step)
    groups = told.get("groups", {})
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
    """Whether there is anything to write down there now."""
    state = asking.replay.state
    if offer in _OF_LINES:
        return bool(standing_lines(state))
    asked = asking.names.question_at(pending.scenario, offer)
    return asked is None or is_choice_left(state, asked.prompt, state.alive())


def _lines(asking: QuestionContext, pending: Pending) -> Fields:
    """The lines that stand in the log, by their sections, or those sections."""
    options = tuple(_standing(asking, pending.keys))
    label = _("All that apply")
    return (QuestionField(ANSWER, label, "several", options, 0, len(options)),)


def _standing(asking: QuestionContext, places: Iterable[str]) -> Iterator[FieldOption]:
    state, names = asking.replay.state, asking.names
    for place in places:
        section, point, line_id = place.partition(".")
        if not point:
            yield FieldOption(place, names.section(section))
            continue
        line = next(
            each
            for each in state.section(section).lines
            if each.id == line_id and not each.crossed_out
        )
        yield FieldOption(
            place, f"{names.section(section)}: {names.line(section, line)}"
        )


def tokens(asking: QuestionContext, pending: Pending) -> Fields:
    """What becomes of each kind of chaos token; nothing, where nothing is said."""
    names, bag = asking.names, asking.replay.state.bag
    moves = [
        FieldOption(offer.id, names.choice(pending.scenario, pending.step, offer.id))
        for offer in pending.offers
    ]
    return tuple(
        QuestionField(
            key,
            word_of(Token(key)),
            "pick",
            (FieldOption(NOBODY, _("as it is")), *moves),
            is_needed=False,
            hint=_("%(number)d in the bag") % {"number": bag.get(key, 0)},
        )
        for key in pending.keys
    )


def _holders(asking: QuestionContext, pending: Pending) -> Fields:
    """Who has each thing now; nothing, where nothing is said."""
    names = asking.names
    options = (
        FieldOption(NOBODY, _("as it is")),
        *(FieldOption(each.id, _holder(names, each.id)) for each in pending.offers),
    )
    return tuple(
        QuestionField(
            key,
            names.choice(pending.scenario, pending.step, key),
            "pick",
            options,
            is_needed=False,
            hint=", ".join(map(names.card, holding(asking.replay.state, key))),
        )
        for key in pending.keys
    )


def _card_counts(asking: QuestionContext, pending: Pending) -> Fields:
    """How many copies of each card lie in each deck, as it is known."""
    names, state = asking.names, asking.replay.state
    return tuple(
        QuestionField(
            f"{code}.{card}",
            names.card(card),
            "number",
            (),
            0,
            most,
            initial=str(copies_in(state, code, card)),
            group=names.card(code),
        )
        for code in pending.codes
        for card, _least, most in pending.limits
    )


def _holder(names: CampaignNames, code: str) -> str:
    return _("Nobody") if code == NO_HOLDER else names.card(code)


def states(asking: QuestionContext, pending: Pending) -> Fields:
    """What becomes of each of several; nothing, where nothing is said."""
    names = asking.names
    options = (
        FieldOption(NOBODY, _("as it is")),
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


HAND_FIELDS: dict[str, Callable[[QuestionContext, Pending], Fields]] = {
    "menu": _menu,
    "choose_lines": _lines,
    "holders": _holders,
    "card_counts": _card_counts,
}
