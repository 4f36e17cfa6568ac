"""The fields of what a guide asks, by the kind of its question and its prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.judging.roster import Roster
from arkham.rules.campaign.judging.travel import Destination, destinations, tickets
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model.guide import ASIDE, SETUP
from arkham.rules.campaign.state.lookup import NO_PARTNER
from arkham.rules.chaos import Token
from arkham.rules.draws.weaknesses import is_drawn
from campaigns.play.plays import branches_that_draw
from campaigns.questions.by_hand import going_without, packing, states, tokens, using_up
from campaigns.questions.question import (
    ANSWER,
    FAST,
    MOST,
    NOBODY,
    OTHERS,
    PASSING,
    FieldOption,
    Fields,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import TRAUMA
from cardpool.markup import unmarked

DRAWS = "draw_weakness"  # begins the id of the step of a set-up that draws one


def guide_fields(asking: QuestionContext, pending: Pending) -> Fields:
    """What is filled in to answer a guide."""
    if pending.prompt == "use_supplies":
        is_number = pending.kind == "choice_list"
        return (using_up if is_number else going_without)(asking, pending)
    by_kind = _BY_KIND.get(pending.kind)
    if by_kind is not None and pending.prompt != "partner_trauma":
        return by_kind(asking, pending)
    return _BY_PROMPT.get(pending.prompt, _of_each)(asking, pending)


def _one(
    label: str, options: Iterable[FieldOption], *, name: str = ANSWER
) -> QuestionField:
    return QuestionField(name, label, "one", tuple(options))


def offered(asking: QuestionContext, pending: Pending) -> list[FieldOption]:
    """What can be chosen now, by its id."""
    names = asking.names
    found = []
    drawn = frozenset[str]()
    if pending.prompt == "play_scenario":
        drawn = branches_that_draw(names.guide, pending.scenario)
    for offer in pending.offers:
        if offer.id in drawn:
            continue  # the page of the scenario draws a place
        if pending.step == fixed_steps.CHOOSE_RESOLUTION:
            label = names.ending(pending.scenario, offer.id)
        else:
            label = names.choice(pending.scenario, pending.step, offer.id)
        found.append(FieldOption(offer.id, label))
    return found


def _choice(asking: QuestionContext, pending: Pending) -> Fields:
    return (_one(_("Choose one"), offered(asking, pending)),)


def _decision(asking: QuestionContext, pending: Pending) -> Fields:
    label = ""
    if pending.offers:
        choice = pending.offers[0].id
        told = asking.names.words.choice(pending.scenario, pending.step, choice)
        label = unmarked(told)
    if label == asking.names.step(pending.scenario, pending.step):
        label = ""  # what the heading asks is answered by yes or no
    yes_no = (FieldOption("yes", label or _("Yes")), FieldOption("no", _("No")))
    return (_one(_("Yes or no"), yes_no),)


def _count(asking: QuestionContext, pending: Pending) -> Fields:
    field = _number(ANSWER, _("How many?"), pending)
    if pending.now is not None:
        told = _("%(number)d now") % {"number": pending.now}
        return (field._replace(hint=told),)
    return (field,)


def _number(name: str, label: str, pending: Pending) -> QuestionField:
    most = MOST if pending.most is None else pending.most
    least = 0 if pending.least is None else pending.least
    initial = str(min(max(least, 0), most))
    return QuestionField(name, label, "number", (), least, most, initial=initial)


def _words(_asking: QuestionContext, _pending: Pending) -> Fields:
    return (QuestionField(ANSWER, _("In your own words"), "words"),)


def _people(asking: QuestionContext, codes: Sequence[str]) -> list[FieldOption]:
    return [FieldOption(code, asking.names.card(code)) for code in codes]


def _players(asking: QuestionContext, pending: Pending) -> Fields:
    if pending.step.startswith(fixed_steps.LEAD_INVESTIGATOR):
        return (_one(_("Lead investigator"), _people(asking, pending.codes)),)
    state = asking.replay.state
    gone = Roster(state).gone  # by title: the killed, the insane and the retired
    able = [code for code in asking.sitting if state.title(code) not in gone]
    field = QuestionField(
        ANSWER, _("Investigators"), "several", tuple(_people(asking, able)), 1, 4
    )
    known = [code for code in state.players if code in able]
    played = {code for game in state.games.values() for code in game.players or ()}
    newcomers = [code for code in able if code not in (*known, *played)]
    expected = [*known, *newcomers] or able
    return (field._replace(initial=" ".join(expected[:4])),)


def _of_each(asking: QuestionContext, pending: Pending) -> Fields:
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
        return _one(_("Investigator"), options)._replace(is_needed=bool(least))
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


def draws_weaknesses(pending: Pending) -> bool:
    """Whether it is asked whose first deck is given its random basic weakness."""
    return pending.scenario == SETUP and pending.step.startswith(DRAWS)


def _of_somebody(asking: QuestionContext, pending: Pending, choice: str) -> str:
    if pending.prompt == "physical_or_mental":
        return str(TRAUMA[choice])
    return asking.names.choice(pending.scenario, pending.step, choice)


def _someone(asking: QuestionContext, pending: Pending) -> Fields:
    options = _people(asking, pending.codes)
    is_needed = bool(pending.least and options)
    if not is_needed:
        options.append(FieldOption(NOBODY, _("Nobody")))
    return (_one(_("Investigator"), options)._replace(is_needed=is_needed),)


def _numbers(asking: QuestionContext, pending: Pending) -> Fields:
    keys = pending.codes or pending.keys or asking.in_reach
    if not keys:
        return (
            QuestionField(ANSWER, _("Cards, one a line"), "cards", is_needed=False),
        )
    whole = pending
    if pending.others:
        whole = pending._replace(least=0, most=None)  # those are of how many are named
    limits = {code: (least, most) for code, least, most in pending.limits}
    found = []
    for key in keys:
        least, most = limits.get(key, (whole.least, whole.most))
        own = pending._replace(least=least, most=most)
        found.append(_number(key, asking.names.card(key), own))
    if pending.others:
        found.append(_unlisted())
    return tuple(found)


def _checked(asking: QuestionContext, pending: Pending) -> Fields:
    most = len(pending.offers) if pending.most is None else pending.most
    options = tuple(offered(asking, pending))
    return (_of_these(_("All that apply"), options, pending.least, most),)


def _of_these(
    label: str, options: tuple[FieldOption, ...], least: int | None, most: int | None
) -> QuestionField:
    """Some of several; where it is one at most, one of them or none."""
    if most != 1 or len(options) == 1:
        return QuestionField(ANSWER, label, "several", options, least, most)
    none = () if least else (FieldOption(NOBODY, _("None of these")),)
    return _one(label, (*options, *none))._replace(is_needed=bool(least))


def _each_thing(asking: QuestionContext, pending: Pending) -> Fields:
    """One choice for each of several things."""
    if pending.least is not None:
        by_tokens = all(key in {*Token} for key in pending.keys)
        return (tokens if by_tokens else states)(asking, pending)
    names, options = asking.names, tuple(offered(asking, pending))
    return tuple(
        _one(names.choice(pending.scenario, pending.step, key), options, name=key)
        for key in pending.keys
    )


def _cards(asking: QuestionContext, pending: Pending) -> Fields:
    """Some cards, each with a choice; those the guide does not list are named."""
    options = tuple(offered(asking, pending))
    keys = (*pending.keys, *asking.in_reach)
    if not keys and not pending.others:
        return ()  # all of them are told of already
    if not keys:
        label = options[0].label if len(options) == 1 else _("Cards, one a line")
        return (QuestionField(ANSWER, label, "cards", options, is_needed=False),)
    listed = _listed(asking, pending, keys, options)
    return (*listed, _unlisted(options)) if pending.others else listed


def _unlisted(options: tuple[FieldOption, ...] = ()) -> QuestionField:
    """Cards nobody here can list, as those of a deck on paper."""
    more = _("Other cards, one a line")
    return QuestionField(OTHERS, more, "cards", options, is_needed=False)


def _listed(
    asking: QuestionContext,
    pending: Pending,
    keys: tuple[str, ...],
    options: tuple[FieldOption, ...],
) -> Fields:
    """Cards that are listed: ticked where one thing can be said of them."""
    names = asking.names
    if len(options) == 1:
        ticks = tuple(FieldOption(key, names.card(key)) for key in keys)
        return (
            QuestionField(ANSWER, options[0].label, "several", ticks, 0, pending.most),
        )
    left_out = (*options, FieldOption(NOBODY, _("Neither")))
    return tuple(
        _one(names.card(key), left_out, name=key)._replace(is_needed=False)
        for key in keys
    )


def _partners(asking: QuestionContext, pending: Pending) -> Fields:
    options = tuple(_people(asking, pending.keys))
    return (_of_these(_("Partners"), options, pending.least, pending.most),)


def _assigned(asking: QuestionContext, pending: Pending) -> Fields:
    partners = [*_people(asking, pending.keys), FieldOption(NO_PARTNER, _("Nobody"))]
    return tuple(
        _one(asking.names.card(code), partners, name=code) for code in pending.codes
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


def place_fields(asking: QuestionContext) -> Fields:
    """Where the table may travel, and how."""
    guide, replay = asking.names.guide, asking.replay
    options = [
        FieldOption(each.place, _destination(asking, each))
        for each in destinations(guide, replay)
    ]
    passing = QuestionField(PASSING, _("Only pass through"), "tick", is_needed=False)
    passing = passing._replace(hint=_("nothing is played there this time"))
    fields = [_one(_("Destination"), options), passing]
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


_BY_KIND: dict[str, Callable[[QuestionContext, Pending], Fields]] = {
    "choice": _choice,
    "decision": _decision,
    "count": _count,
    "text": _words,
    "campaign_link": _choice,
    "supplies": packing,
    "choice_list": _numbers,
}
_BY_PROMPT: dict[str, Callable[[QuestionContext, Pending], Fields]] = {
    "choose_investigators": _players,
    "weakness": _weaknesses,
    "chosen_weakness": _weaknesses,
    "checklist": _checked,
    "choice_list": _each_thing,
    "randomizer": _each_thing,
    "card_choice": _cards,
    "choose_partners": _partners,
    "assign_partners": _assigned,
    "partner_trauma": _hurt,
    "who_takes": _someone,
    "who_gives_up": _someone,
    "investigator_choice_supplies": _someone,
}
