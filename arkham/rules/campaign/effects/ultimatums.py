"""The effects of ultimatums and boons while a campaign is folded.

Campaigns without ultimatums need nothing of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from arkham.rules.campaign.effects.people import earn
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Codes, Numbers
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.scenario_steps import CHANGES, NOT_DEFEATED
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.campaign.state.state import BY_ULTIMATUM, State
from arkham.rules.chaos.starting import ULTIMATUM_TOKENS
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.ultimatums import ALL, UltimatumEffect, belongs, under

# What a defeat by damage or horror becomes under Finality; none by a card (TRA-14).
_FATES = {"physical": "killed", "mental": "insane"}
_TOKENS = {row.id: row for row in ULTIMATUM_TOKENS}


def begin(
    state: State, encoded: str, chosen: Iterable[UltimatumChosen]
) -> Iterator[tuple[str, str, int]]:
    """Drop ultimatums drawn for another scenario, and put the chosen ones into effect.

    Yield a problem (rule, ultimatum, place in the log) for each entry that is not
    allowed here; such entries are skipped.
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
    """Return how many tokens of a kind there are after adding one.

    While the bag is built, ultimatums change this: tokens removed at setup stay at 0,
    and of an added kind there is one more (BAG-20). A bag in use is left alone
    (ULT-49), and so are tokens that the players state themselves.
    """
    if state.causes[state.cause].step == CHANGES:
        return had + 1
    is_made = state.scenario == SETUP or state.standalone
    # The bag may be completed after the setup: the first token of a kind counts too.
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


def defeated(state: State, effect: course.Defeated, codes: Codes, _: Numbers) -> None:
    """Apply Finality, the Spiral and Persephone after a defeat (ULT-08, 18, 28).

    The last two don't apply to those who were killed or driven insane (ULT-52).
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


def banish(state: State, effect: do.Banish, _: Codes, __: Numbers) -> None:
    """Ban a card from the campaign: an ally (ULT-14) or an expedition item (ULT-46)."""
    state.banish((effect.card,), BY_ULTIMATUM)


def retire(state: State, _: do.Retire, codes: Codes, __: Numbers) -> None:
    """Retire investigators; what they have stays in the log (DECK-19, CAMP-07)."""
    for code in codes:
        state.person(code).retired = True
        state.note("retired", code, True)


ULTIMATUM_EFFECTS: dict[type, Callable[[State, Any, Codes, Numbers], None]] = {
    course.Defeated: defeated,
    do.Banish: banish,
    do.Retire: retire,
}
