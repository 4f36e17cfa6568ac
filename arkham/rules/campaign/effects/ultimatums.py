"""What ultimatums and boons do to a campaign while it is folded.

Nothing here is asked of a campaign without ultimatums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from arkham.rules.campaign.effects.people import earn
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.scenario_steps import CHANGES, NOT_DEFEATED
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.campaign.state.state import BY_ULTIMATUM, State
from arkham.rules.chaos.starting import ULTIMATUM_TOKENS
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.ultimatums import ALL, UltimatumEffect, belongs, under

Given = tuple[str, ...]
Numbers = tuple[int, ...]

# What Finality makes of a defeat by damage or horror; by a card, nothing (TRA-14).
_FATES = {"physical": "killed", "mental": "insane"}
_TOKENS = {row.id: row for row in ULTIMATUM_TOKENS}


def begin(
    state: State, encoded: str, chosen: Iterable[UltimatumChosen]
) -> Iterator[tuple[str, str, int]]:
    """A scenario begins: what was drawn for another is over, what is chosen holds.

    Gives a problem (rule, what was found, place in the log) for each entry that
    cannot hold here, which is passed over.
    """
    for each, game in list(state.ultimatums.items()):
        if game not in ("", encoded):
            del state.ultimatums[each]
    for entry in chosen:
        wrong = _misplaced(state, entry)
        if wrong:
            yield wrong, entry.ultimatum, entry.sequence
            continue
        state.because(encoded, "", entry.sequence)
        state.ultimatums[entry.ultimatum] = "" if entry.record is None else encoded
        state.note(
            "ultimatum", entry.ultimatum, "" if entry.record is None else encoded
        )


def _misplaced(state: State, entry: UltimatumChosen) -> str:
    row = ALL.get(entry.ultimatum)
    if row is None:
        return "" if entry.name.strip() else "oath.known"
    if row.campaign_only and state.is_single:
        return "oath.campaign-only"
    return "" if belongs(row, state.guide.id) else "oath.place"


def put_in(state: State, token: str, had: int) -> int:
    """How many of a token there are once one is put in while the bag is made.

    Of a token that is taken out at setup none; of one that is added, one more than
    the bag would have (BAG-20). A bag already in use is left alone (ULT-49), and so is
    what the table itself states of it.
    """
    if state.causes[state.cause].step == CHANGES:
        return had + 1
    is_made = state.scenario == SETUP or state.standalone
    # A bag may be finished after the setup: its first such token still makes it.
    is_first = token not in state.bag and token not in state.other_bag
    for each in state.ultimatums:
        row = _TOKENS.get(each)
        if row is None:
            continue
        if token in row.removed and is_made:
            return 0
        if token in row.added and (is_first or (is_made and not had)):
            return 2
    return had + 1


def defeated(state: State, effect: course.Defeated, codes: Given, _: Numbers) -> None:
    """Finality ends it, the Spiral adds a weakness, Persephone pays (ULT-08, 18, 28).

    Neither of the last two for somebody killed or driven insane (ULT-52).
    """
    ultimatums = state.ultimatums
    if not ultimatums or effect.status in NOT_DEFEATED:
        return
    is_fatal = under(ultimatums, UltimatumEffect.FATAL_DEFEATS)
    for code in codes:
        person = state.person(code)
        fate = _FATES.get(effect.status) if is_fatal else None
        if fate:
            setattr(person, fate, True)
            state.note(fate, code, True)
        if state.is_eliminated(code):
            continue
        if under(ultimatums, UltimatumEffect.WEAKNESS_FOR_DEFEAT):
            person.put_in(PLACEHOLDER)
            state.note("card", code, PLACEHOLDER)
        earned = under(ultimatums, UltimatumEffect.EXPERIENCE_FOR_DEFEAT)
        if earned:
            earn(state, code, person, earned)


def banish(state: State, effect: do.Banish, _: Given, __: Numbers) -> None:
    """A card is lost to the campaign: an ally (ULT-14), an expedition item (ULT-46)."""
    state.banish((effect.card,), BY_ULTIMATUM)


def retire(state: State, _: do.Retire, codes: Given, __: Numbers) -> None:
    """Investigators retire; what they have stays in the log (DECK-19, CAMP-07)."""
    for code in codes:
        state.person(code).retired = True
        state.note("retired", code, True)


ULTIMATUM_EFFECTS: dict[type, Callable[[State, Any, Given, Numbers], None]] = {
    course.Defeated: defeated,
    do.Banish: banish,
    do.Retire: retire,
}
