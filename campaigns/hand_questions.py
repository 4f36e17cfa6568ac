"""How is what only campaigns kept by hand ask put to a table?

What else is written down, which cards lie in the victory display, which lines are
crossed out, what becomes of chaos tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.recording import DONE
from arkham.rules.campaign.model.steps import Worth
from arkham.rules.campaign.standing import standing_lines
from arkham.rules.campaign.victory import TOTAL
from arkham.rules.chaos import Token
from campaigns.asked import ANSWER, NOBODY, Asking, Field, Fields, Option
from campaigns.tokens import word_of

CROSS_OUT = "cross_out"
MOST_COPIES = 99


def _menu(asking: Asking, pending: Pending) -> Fields:
    """Things to write down as buttons; other menus are choices like any."""
    told = asking.names.words.step(pending.scenario, pending.step)
    groups = told.get("groups", {})
    options = tuple(
        Option(
            offer.id,
            asking.names.choice(pending.scenario, pending.step, offer.id),
            groups.get(offer.id, ""),
        )
        for offer in pending.offers
        if offer.id != CROSS_OUT or standing_lines(asking.replay.state)
    )
    if groups:
        return (Field(ANSWER, _("Choose one"), "menu", options, initial=DONE),)
    return (Field(ANSWER, _("Choose one"), "one", options),)


def _display(asking: Asking, pending: Pending) -> Fields:
    """The cards with their points; what they come to is counted, if not told."""
    of_players_last = sorted(pending.worth, key=lambda card: card.copies is None)
    names = Counter(asking.names.card(card.code) for card in of_players_last)
    cards = tuple(_displayed(asking, card, names) for card in of_players_last)
    label = _("Another total, if it is not what these come to")
    return (*cards, Field(TOTAL, label, "number", (), 0, MOST_COPIES, False))


def _displayed(asking: Asking, card: Worth, names: Counter[str]) -> Field:
    """One card with its points; the second name tells those of one name apart."""
    points = ngettext("%(number)d point", "%(number)d points", card.points)
    label = asking.names.card(card.code)
    printed = asking.names.pool.get_card(card.code)
    if names[label] > 1 and printed is not None and printed.subname:
        label = f"{label}: {printed.subname}"
    field = Field(
        card.code,
        label,
        "tick" if card.copies == 1 else "number",
        (),
        0,
        card.copies or MOST_COPIES,
        False,
    )
    return field._replace(hint=points % {"number": card.points})


def _lines(asking: Asking, _pending: Pending) -> Fields:
    """The lines that stand in the log, by their sections."""
    options = tuple(_standing(asking))
    label = _("All that apply")
    return (Field(ANSWER, label, "several", options, 0, len(options)),)


def _standing(asking: Asking) -> Iterator[Option]:
    state, names = asking.replay.state, asking.names
    for place in standing_lines(state):
        section, _point, line_id = place.partition(".")
        line = next(
            each
            for each in state.section(section).lines
            if each.id == line_id and not each.crossed_out
        )
        yield Option(place, f"{names.section(section)}: {names.line(section, line)}")


def tokens(asking: Asking, pending: Pending) -> Fields:
    """What becomes of each kind of chaos token; nothing, where nothing is said."""
    names, bag = asking.names, asking.replay.state.bag
    moves = [
        Option(offer.id, names.choice(pending.scenario, pending.step, offer.id))
        for offer in pending.offers
    ]
    return tuple(
        Field(
            key,
            word_of(Token(key)),
            "pick",
            (Option(NOBODY, _("as it is")), *moves),
            is_needed=False,
            hint=_("%(number)d in the bag") % {"number": bag.get(key, 0)},
        )
        for key in pending.keys
    )


HAND_FIELDS: dict[str, Callable[[Asking, Pending], Fields]] = {
    "menu": _menu,
    "victory_display": _display,
    "choose_lines": _lines,
}
