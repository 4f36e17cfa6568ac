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


class Moving(NamedTuple):
    """An investigator about to leave a campaign for another.

    ``unspent`` is the experience still there; ``after`` the codes that already play
    in the other campaign. ``is_resolving``: the last game is not resolved to its
    end yet: what it brings is still to come.
    """

    code: str
    state: State
    unspent: int = 0
    after: tuple[str, ...] = ()
    is_resolving: bool = False


class Transfer(NamedTuple):
    """What an investigator takes along (CAMP-11).

    ``story`` are story assets and weaknesses under their name in the log; ``added``
    weaknesses and other cards the campaign put into the deck and has left there;
    ``counted`` are story cards of which there may be several. Notes, the bag and
    bonuses of a beginning stay behind (CAMP-12, CAMP-13, CAMP-14).
    """

    code: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    story: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    counted: tuple[tuple[str, int], ...] = ()


def transferred(moving: Moving) -> Transfer:
    """Deck, experience, trauma, earned cards: nothing else."""
    person = moving.state.people.get(moving.code)
    if person is None:
        return Transfer(moving.code, moving.unspent)
    counts = {card: n for card, n in (person.card_counts or {}).items() if n > 0}
    return Transfer(
        moving.code,
        moving.unspent,
        person.physical or 0,
        person.mental or 0,
        tuple(card for card in person.story or () if card not in counts),
        _left(person.added or (), person.removed or ()),
        tuple(counts.items()),
    )


def _left(added: Iterable[str], removed: Iterable[str]) -> tuple[str, ...]:
    """What was put into a deck and not taken out again."""
    left = list(added)
    for card in removed:
        if card in left:
            left.remove(card)
    return tuple(left)


def arrival(transfer: Transfer) -> tuple[Stated, ...]:
    """The facts that begin the log of the other campaign for this investigator."""
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
    if not effects:  # the log says of everybody who arrives that they did
        effects.append(do.EarnExperience("input"))
    return tuple(
        Stated(SETUP, effect, (transfer.code,), reason=TRANSFERRED)
        for effect in effects
    )


@rule("transfer.survivor", rows=("CAMP-10",), cites=_TRANSFER)
def survives(moving: Moving) -> Iterator[Finding]:
    """Only a surviving investigator goes on to another campaign."""
    fate = fate_of(moving.state, moving.code)
    if fate in (Fate.KILLED, Fate.DRIVEN_INSANE):
        yield Finding(
            _("This investigator was killed or driven insane."),
            cards=(moving.code,),
            actual=fate.value,
            expected=Fate.ALIVE.value,
        )


@rule("transfer.over", rows=("CAMP-10",), cites=_TRANSFER)
def is_over(moving: Moving) -> Iterator[Finding]:
    """An investigator moves to another campaign between games."""
    status = moving.state.statuses.get(moving.state.scenario)
    game = moving.state.games.get(moving.state.scenario)
    is_on = status == "started" or moving.is_resolving
    if is_on and game and moving.code in (game.players or ()):
        yield Finding(
            _("Finish this scenario first."),
            cards=(moving.code,),
            actual=moving.state.scenario,
        )


@rule("transfer.taken", rows=("CARD-01", "CARD-10"), cites=_TRANSFER)
def is_free(moving: Moving) -> Iterator[Finding]:
    """An investigator who already plays in a campaign can't join it again, even in
    another version."""
    title = moving.state.title(moving.code)
    for other in moving.after:
        if moving.state.title(other) == title:
            yield Finding(
                _("Another player has this investigator."),
                cards=(moving.code, other),
            )


TRANSFER_RULES: tuple[Rule[Moving], ...] = (survives, is_over, is_free)


def findings_of(moving: Moving) -> tuple[Finding, ...]:
    """Everything that stands against a transfer, at once."""
    return tuple(finding for each in TRANSFER_RULES for finding in each(moving))
