"""Applies effects on people: experience, trauma, cards, supplies, partners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arkham.rules.campaign.effects.personal import SOURCES, can_give_trauma
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Codes, Numbers
from arkham.rules.campaign.model.scenario_steps import CHANGES
from arkham.rules.campaign.state.ledger import (
    BONUS,
    CORRECTION,
    COST,
    EARNING,
    PAID,
    VICTORY,
    ExperienceOrigin,
    Person,
    WrittenLine,
)
from arkham.rules.campaign.state.lookup import copies_in, reasons
from arkham.rules.campaign.state.state import BY_GUIDE, State
from arkham.rules.ultimatums import UltimatumEffect, under


def known_people(state: State) -> list[str]:
    """Return everyone who has an entry in the state, and everyone who plays."""
    known = list(state.people)
    known.extend(code for code in state.players if code not in state.people)
    return known


def _experience(
    state: State, effect: do.EarnExperience, codes: Codes, numbers: Numbers
) -> None:
    policy = state.policy
    if state.is_single and not policy.pays_single_games:
        return  # no experience is counted (STAND-06, XP-24)
    is_cost = effect.side_scenario_cost or (
        effect.named_cost and policy.waives_named_costs
    )
    if is_cost and state.guide.free_side_scenarios:
        return
    if effect.bonus_only and not policy.adds_number_to_bonus:
        numbers = ()
    carried = effect.scale * (numbers[0] if numbers else 0)
    amount = carried + effect.bonus
    targets = state.select(effect.who, codes)
    if state.redirect:
        _redirected(state, effect, targets, numbers, amount)
        return
    earning = amount > 0 or bool(effect.emptied_pool)
    origin = _origin(effect)
    if origin == BONUS and not effect.emptied_pool:
        state.note(EARNING, "", amount)
    parts = [(origin, amount)]
    if effect.victory:
        parts = [(VICTORY, carried), (origin, effect.bonus)]
    for code in targets:
        if earning and _is_gone(state, code):
            continue
        person = state.person(code)
        if effect.emptied_pool:
            _emptied(state, code, person, effect.emptied_pool)
        elif effect.pool:
            _put_by(state, code, person, effect.pool, parts)
        else:
            for origin, part in parts:
                earn(state, code, person, part, origin)


def _is_gone(state: State, code: str) -> bool:
    """Return whether they are killed or insane and so can't earn (XP-29, TRA-08).

    Guides skip them silently; if the players state the experience although they know,
    it is a problem.
    """
    if state.policy.pays_the_dead or not state.is_eliminated(code):
        return False
    if _stated_after(state, code, "killed", "insane", "physical", "mental"):
        state.trouble.append(("log.gone", code))
    return True


def _stated_after(state: State, code: str, *changes: str) -> bool:
    """Return whether a fact is applied that was stated after these changes.

    Facts of a scenario's end may be stated before it is known how it ends.
    """
    cause = state.causes[state.cause] if state.causes else None
    if cause is None or cause.step != CHANGES:
        return False
    found = (each for what in changes for each in reasons(state, what, code))
    return all(each.answer <= cause.answer for each in found)


def _origin(effect: do.EarnExperience) -> ExperienceOrigin:
    if effect.card:
        return ExperienceOrigin("card", effect.card)
    if effect.side_scenario_cost or effect.named_cost:
        return COST
    if (
        effect.who == "input"
        and not effect.correction
        and effect.bonus + effect.scale < 0
    ):
        return PAID
    return CORRECTION if effect.correction else BONUS


def earn(
    state: State,
    code: str,
    person: Person,
    amount: int,
    origin: ExperienceOrigin = BONUS,
) -> None:
    """Add experience for an investigator; under Induction it stays the same (XP-25)."""
    if under(state.ultimatums, UltimatumEffect.NO_EXPERIENCE):
        amount = 0
    person.experience = (person.experience or 0) + amount
    if amount:
        state.note("experience", code, amount, origin)


def _put_by(
    state: State,
    code: str,
    person: Person,
    pool: str,
    parts: list[tuple[ExperienceOrigin, int]],
) -> None:
    """Change a pool; experience pays what the pool cannot.

    Under Induction nothing is added to pools either (XP-25).
    """
    if under(state.ultimatums, UltimatumEffect.NO_EXPERIENCE):
        return
    amount = sum(part for _origin, part in parts)
    pooled = dict((person.pooled or {}).get(pool, {}))
    for origin, part in parts:
        pooled[origin] = pooled.get(origin, 0) + part
    left = (person.pools or {}).get(pool, 0) + amount
    person.pools = {**(person.pools or {}), pool: max(left, 0)}
    person.pooled = {**(person.pooled or {}), pool: pooled if left > 0 else {}}
    state.note("pool", code, amount)
    if left < 0:
        earn(state, code, person, left, parts[-1][0])


def _emptied(state: State, code: str, person: Person, pool: str) -> None:
    """Turn a pool into experience, keeping the origin of each point."""
    pooled = (person.pooled or {}).get(pool, {})
    person.pools = {**(person.pools or {}), pool: 0}
    person.pooled = {**(person.pooled or {}), pool: {}}
    for origin, amount in pooled.items() or [(BONUS, 0)]:
        earn(state, code, person, amount, origin)


def _redirected(
    state: State,
    effect: do.EarnExperience,
    targets: Sequence[str],
    numbers: Numbers,
    amount: int,
) -> None:
    if not state.policy.keeps_redirected:
        if effect.who in ("input", "fixed"):
            return
        amount = effect.bonus + (numbers[0] if numbers else 0)
    people = state.seat_sections.setdefault(state.redirect, {})
    for code in targets:
        own = people[code] = state.writing(people.get(code))
        own.count("$count", own.number("$count") + amount)
        state.note("redirected", code, amount)


def _trauma(state: State, effect: do.Trauma, codes: Codes, numbers: Numbers) -> None:
    source = SOURCES.get(effect.source)
    of_defeat = effect.of_defeat or (source is not None and source.of_defeat)
    if of_defeat and state.is_single and not state.policy.pays_single_games:
        return  # only what a resolution orders counts (STAND-10, TRA-12)
    for code in state.select(effect.who, codes):
        if effect.source:
            if not can_give_trauma(state, effect, code):
                is_out = source is not None and source.is_over_for(state, code)
                if not is_out or _stated_after(state, code, "outcome"):
                    state.trouble.append(("log.suffered", f"{effect.source} {code}"))
                continue
            state.note(effect.source, code, effect.physical + effect.mental)
        person = state.person(code)
        if effect.healed:
            amount = numbers[0] if numbers else 0
            if effect.healed == "physical":
                _suffer(state, code, person, -amount, 0)
            else:
                _suffer(state, code, person, 0, -amount)
        _suffer(state, code, person, effect.physical, effect.mental)
        _set_trauma(state, code, person, effect)
        if effect.killed:
            person.killed = True
            state.note("killed", code, True)
        if effect.insane:
            person.insane = True
            state.note("insane", code, True)


def _suffer(
    state: State, code: str, person: Person, physical: int, mental: int
) -> None:
    if physical:
        had = person.physical or 0
        person.physical = state.policy.healed(had + physical)
        state.note("physical", code, person.physical - had)
    if mental:
        had = person.mental or 0
        person.mental = state.policy.healed(had + mental)
        state.note("mental", code, person.mental - had)


def _set_trauma(state: State, code: str, person: Person, effect: do.Trauma) -> None:
    sets_zero = state.policy.sets_trauma_to_zero
    if effect.set_physical is not None and (effect.set_physical or sets_zero):
        physical = state.policy.healed(effect.set_physical)
        state.note("physical", code, physical - (person.physical or 0))
        person.physical = physical
    if effect.set_mental is not None and (effect.set_mental or sets_zero):
        mental = state.policy.healed(effect.set_mental)
        state.note("mental", code, mental - (person.mental or 0))
        person.mental = mental


# --- cards


def _add_card(state: State, effect: do.AddCard, codes: Codes, _: Numbers) -> None:
    card = effect.card
    for code in state.select(effect.who, codes):
        person = state.person(code)
        if effect.aside:
            person.put_in(card)
        elif card not in (person.story or ()):
            person.story = (*(person.story or ()), card)
        if effect.beyond_limit and card not in (person.beyond_limit or ()):
            person.beyond_limit = (*(person.beyond_limit or ()), card)
        state.note("card", code, card)


def _remove_card(state: State, effect: do.RemoveCard, codes: Codes, _: Numbers) -> None:
    cards = codes if effect.card == do.INPUT else (effect.card,)
    targets = known_people(state)
    if not effect.who and (effect.card == do.INPUT or effect.exile):
        state.banish(cards, BY_GUIDE)  # players' own cards, banned from every deck
    if effect.who:
        meant = state.select(effect.who, codes)
        targets = [code for code in targets if code in meant]
    for code in targets:
        person = state.person(code)
        if effect.aside:
            person.take_out(cards, exile=effect.exile)
            state.note("removed", code, cards)
            continue
        had = person.story or ()
        person.story = tuple(card for card in had if card not in cards)
        if person.story != had:
            if person.card_counts and state.policy.exiles_single_copies:
                left = person.card_counts.items()
                person.card_counts = {card: n for card, n in left if card not in cards}
            state.note("removed", code, cards)


def _replace_card(
    state: State, effect: do.ReplaceCard, codes: Codes, _: Numbers
) -> None:
    targets = state.select(effect.who, codes) if effect.who else known_people(state)
    for code in targets:
        person = state.people.get(code)
        if person is None or effect.old not in (person.story or ()):
            continue
        if effect.holding and effect.holding not in (person.story or ()):
            continue
        person.story = tuple(
            effect.new if card == effect.old else card for card in person.story or ()
        )
        state.note("card", code, effect.new)


def _card_count(state: State, effect: do.CardCount, codes: Codes, _: Numbers) -> None:
    card = effect.card
    for code in codes:
        person = state.person(code)
        counts, story = person.card_counts or {}, person.story or ()
        is_ruled = state.policy.exiles_single_copies
        had = copies_in(state, code, card) if is_ruled else counts.get(card, 0)
        count = max(had + effect.quantity, 0)
        person.card_counts = {**counts, card: count}
        others = tuple(each for each in story if each != card)
        person.story = story if card in story and count else (*others, *[card][:count])
        state.note("card_count", code, (card, effect.quantity))


# --- supplies and partners


def _gain(state: State, effect: do.GainSupplies, codes: Codes, _: Numbers) -> None:
    people = state.seat_sections.setdefault(effect.section, {})
    for code in codes:
        for supply in effect.supplies:
            own = people[code] = state.writing(people.get(code))
            crossed_out = state.policy.counts_crossed_out
            had = own.counted_before(supply) if crossed_out else own.number(supply)
            own.count(supply, had + 1)
            state.note("supply", code, supply)


def _lose(state: State, effect: do.LoseSupplies, _: Codes, __: Numbers) -> None:
    people = state.seat_sections.setdefault(effect.section, {})
    for code, own in people.items():
        people[code] = own = state.writing(own)
        own.mark(effect.supply, do.Mark.CROSS_OUT, frozenset())
        state.note("supply_lost", code, effect.supply)


def _partner(state: State, effect: do.PartnerStatus, codes: Codes, _: Numbers) -> None:
    for code in (effect.partner,) if effect.partner else codes:
        person = state.person(code)
        state.note("partner", code, effect.status)
        match effect.status:
            case "eliminated":
                person.killed = effect.added
            case "heal_damage":
                person.physical = max((person.physical or 0) - 1, 0)
            case "heal_horror":
                person.mental = max((person.mental or 0) - 1, 0)
            case word if effect.added:
                if word not in (person.story or ()):
                    person.story = (*(person.story or ()), word)
            case word:
                person.story = tuple(w for w in person.story or () if w != word)


PEOPLE_EFFECTS: dict[type, Callable[[State, Any, Codes, Numbers], None]] = {
    do.EarnExperience: _experience,
    do.Trauma: _trauma,
    do.AddCard: _add_card,
    do.RemoveCard: _remove_card,
    do.ReplaceCard: _replace_card,
    do.CardCount: _card_count,
    do.GainSupplies: _gain,
    do.LoseSupplies: _lose,
    do.PartnerStatus: _partner,
}
__all__ = ["PEOPLE_EFFECTS", "WrittenLine", "known_people"]
