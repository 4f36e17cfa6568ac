"""Moves an investigator to another campaign, with what the rules let them keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import TRANSFERRED, Stated
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Rule, faq, rule
from arkham.rules.finding import gettext_noop as _

_TRANSFER = (faq("1.11 Transferring Investigators"),)


class Departure(NamedTuple):
    """An investigator about to leave a campaign for another.

    ``unspent`` is the experience they still have; ``after`` are the codes that already
    play in the other campaign. ``is_resolving``: their last game isn't fully resolved,
    so they may still gain something.
    """

    code: str
    state: State
    unspent: int = 0
    after: tuple[str, ...] = ()
    is_resolving: bool = False


class Transfer(NamedTuple):
    """What an investigator takes to another campaign (CAMP-11).

    ``story`` are story assets and weaknesses in the log; ``added`` weaknesses and other
    cards that the campaign put into the deck and left there; ``counted`` story cards
    that can have several copies. Notes, the bag and bonuses at the start stay behind
    (CAMP-12, CAMP-13, CAMP-14).
    """

    code: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    story: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    counted: tuple[tuple[str, int], ...] = ()


def transferred(departure: Departure) -> Transfer:
    """Return what the rules let them keep: experience, trauma and earned cards."""
    person = departure.state.people.get(departure.code)
    if person is None:
        return Transfer(departure.code, departure.unspent)
    story, counted = person.story or (), (person.card_counts or {}).items()
    counts = {card: n for card, n in counted if n > 0 and card in story}
    return Transfer(
        departure.code,
        departure.unspent,
        person.physical or 0,
        person.mental or 0,
        tuple(card for card in story if card not in counts),
        _left(person.added or (), person.removed or ()),
        tuple(counts.items()),
    )


def _left(added: Iterable[str], removed: Iterable[str]) -> tuple[str, ...]:
    """Return the cards that were added to a deck and not removed again."""
    left = list(added)
    for card in removed:
        if card in left:
            left.remove(card)
    return tuple(left)


def arrival(transfer: Transfer) -> tuple[Stated, ...]:
    """Return the facts that start this investigator's log in the other campaign."""
    effects: list[do.Effect] = []
    if transfer.experience:
        effects.append(do.EarnExperience("input", bonus=transfer.experience))
    if transfer.physical or transfer.mental:
        effects.append(
            do.Trauma("input", physical=transfer.physical, mental=transfer.mental)
        )
    effects += [do.AddCard("input", card) for card in transfer.story]
    effects += [do.CardCount(card, count) for card, count in transfer.counted]
    effects += [do.AddCard("input", card, aside=True) for card in transfer.added]
    if not effects:  # the log records every arrival
        effects.append(do.EarnExperience("input"))
    return tuple(
        Stated(SETUP, effect, (transfer.code,), reason=TRANSFERRED)
        for effect in effects
    )


@rule("transfer.survivor", rows=("CAMP-10",), cites=_TRANSFER)
def survives(departure: Departure) -> Iterator[Finding]:
    """Only a surviving investigator goes on to another campaign."""
    fate = fate_of(departure.state, departure.code)
    if fate in (Fate.KILLED, Fate.DRIVEN_INSANE):
        yield Finding(
            _("This investigator was killed or driven insane."),
            cards=(departure.code,),
            actual=fate.value,
            expected=Fate.ALIVE.value,
        )


@rule("transfer.over", rows=("CAMP-10",), cites=_TRANSFER)
def is_over(departure: Departure) -> Iterator[Finding]:
    """An investigator moves to another campaign between games."""
    status = departure.state.statuses.get(departure.state.scenario)
    game = departure.state.games.get(departure.state.scenario)
    is_on = status == "started" or departure.is_resolving
    if is_on and game and departure.code in (game.players or ()):
        yield Finding(
            _("Finish this scenario first."),
            cards=(departure.code,),
            actual=departure.state.scenario,
        )


@rule("transfer.taken", rows=("CARD-01", "CARD-10"), cites=_TRANSFER)
def is_free(departure: Departure) -> Iterator[Finding]:
    """An investigator who already plays in a campaign can't join it again, even in
    another version."""
    title = departure.state.title(departure.code)
    for other in departure.after:
        if departure.state.title(other) == title:
            yield Finding(
                _("Another player has this investigator."),
                cards=(departure.code, other),
            )


TRANSFER_RULES: tuple[Rule[Departure], ...] = (survives, is_over, is_free)


def findings_of(departure: Departure) -> tuple[Finding, ...]:
    """Return all findings against a transfer."""
    return tuple(finding for each in TRANSFER_RULES for finding in each(departure))
