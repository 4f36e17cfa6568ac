"""Prompts for upgrading and saving decks: apply what players report, then bank it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.app_names import (
    BY_CARD,
    COPIES,
    COUNTED_BY_UPGRADE,
    EXPERIENCE,
    TRAUMA_BY_CARD,
)
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.prompts.kinds import PromptKind
from arkham.rules.campaign.run import LOST, Run
from arkham.rules.campaign.state.ledger import Banked, Person
from arkham.rules.campaign.state.lookup import upgrading
from arkham.rules.campaign.state.state import BY_ULTIMATUM, State

Values: TypeAlias = Mapping[str, tuple[int, ...]]
_REPORTED = "reported"  # marks a step whose reports are applied but not confirmed
_BANK = Group(Batch((course.Bank(),)))
_BANK_UNSPENT = Group(Batch((course.Bank(spent=False),)))
_BANK_CARDS = Group(Batch((course.BankCards(),)))
_BANK_WITH_EXPERIENCE = Group(Batch((course.BankCards(experience=True),)))
_BY_CARDS = (BY_CARD, TRAUMA_BY_CARD)
_OF_TRAUMA = 3  # physical, mental, and whether it kills
_NOT_CARDS = frozenset(
    {EXPERIENCE, "physical", "mental", COUNTED_BY_UPGRADE, "killed", "insane"}
)


def _describe_upgrade(state: State, prompt: to.UpgradeDecks, bare: Pending) -> Pending:
    """Add what is reported besides experience and trauma: a number, copies of cards."""
    counted = (COUNTED_BY_UPGRADE,) if state.redirect or prompt.counter else ()
    copies = tuple(f"{COPIES}{card}" for card in prompt.story_cards)
    return bare._replace(keys=(*counted, *copies), spends=not prompt.skip_decks)


def upgrade(run: Run, prompt: to.UpgradeDecks, step_id: str) -> bool:
    """Upgrade decks: apply what the players report for each, then bank everything."""
    if run.state.simulated:
        return run.apply(step_id, [_BANK])  # no experience is earned or spent

    def effects_of(code: str, values: Values) -> list[Effect]:
        return _upgraded(run.state, prompt, code, values)

    bank = _BANK_UNSPENT if prompt.skip_decks else _BANK
    return _apply_reports(run, prompt, step_id, effects_of, bank)


def _apply_reports(
    run: Run,
    prompt: to.UpgradeDecks | to.SaveDecks,
    step_id: str,
    effects_of: Callable[[str, Values], list[Effect]],
    bank: Group,
) -> bool:
    """Apply each report at once, as experience is spent now; bank when all is done.

    The step is walked twice: the second time, marked in its id, nothing is applied.
    Where a guide leads to it again, only cards that came since are banked.
    """
    asked, _mark, done = step_id.rpartition("#")
    if done != _REPORTED:
        if run.state.policy.settles_decks_at_once:
            if run.has_used("decision", step_id):
                codes = upgrading(run.state, run.encoded, step_id)
                return not is_unbanked(run.state, codes) or run.apply(step_id, [bank])
        elif run.answer("decision", step_id) is None:
            return _wait(run, prompt, step_id)
        _lost(run, step_id)
        for code in upgrading(run.state, run.encoded, step_id):
            answer = run.optional_answer("choice_list", f"{step_id}#{code}")
            effects = effects_of(code, answer.value) if answer is not None else []
            if effects and not run.apply(
                step_id, [Group(Batch(tuple(effects)), (code,))]
            ):
                return False
        run.push((f"{step_id}#{_REPORTED}",))
        return True
    if run.answer("decision", asked) is None:
        return _wait(run, prompt, asked)
    return run.apply(asked, [bank])


def _wait(run: Run, prompt: to.UpgradeDecks | to.SaveDecks, asked: str) -> bool:
    codes = upgrading(run.state, run.encoded, asked)
    return run.wait(asked, "decision", prompt, codes)


def _lost(run: Run, step_id: str) -> None:
    """Take cards stated as lost from decks before these are upgraded (ULT-14)."""
    run.unanswered_reads.add(LOST)
    for card, sequence in run.answers.banished(run.encoded):
        run.state.because(run.encoded, step_id, sequence)
        run.state.banish((card,), BY_ULTIMATUM)


def _first(values: Values, key: str) -> int:
    found = values.get(key)
    return found[0] if found else 0


def _upgraded(
    state: State, prompt: to.UpgradeDecks, code: str, values: Values
) -> list[Effect]:
    """Return the effects of what the players report for one investigator's deck."""
    effects: list[Effect] = []
    section = counted_by(state, prompt)
    count = _first(values, COUNTED_BY_UPGRADE)
    if count and section:
        effects.append(do.SeatCount(section, "$count", "input", value=count))
    effects += _experience(values, prompt.pool)
    effects += trauma_reported(values)
    effects += _cards(state, code, values)
    return effects


def counted_by(state: State, prompt: to.UpgradeDecks) -> str:
    """Return the section of the number that an upgrade adds to for each, or ""."""
    return state.redirect or prompt.counter


def _experience(values: Values, pool: str = "") -> list[Effect]:
    """Return the experience that cards of the deck give, and corrections by players."""
    earned = [
        do.EarnExperience(
            "input", bonus=counts[0], pool=pool, card=key.removeprefix(BY_CARD)
        )
        for key, counts in values.items()
        if key.startswith(BY_CARD) and counts and counts[0]
    ]
    right = _first(values, EXPERIENCE)
    if right:
        put = do.EarnExperience("input", bonus=right, pool=pool, correction=True)
        earned.append(put)
    return [*earned]


def trauma_reported(values: Values) -> list[do.Trauma]:
    """Return trauma and fates: by cards of the deck, and corrected by players."""
    by_cards = [
        do.Trauma("input", physical=counts[0], mental=counts[1], killed=counts[2] > 0)
        for key, counts in values.items()
        if key.startswith(TRAUMA_BY_CARD) and len(counts) == _OF_TRAUMA
    ]
    physical, mental = _first(values, "physical"), _first(values, "mental")
    killed, insane = _first(values, "killed"), _first(values, "insane")
    if not (physical or mental or killed or insane):
        return by_cards
    return [
        *by_cards,
        do.Trauma(
            "input",
            physical=physical,
            mental=mental,
            killed=bool(killed),
            insane=bool(insane),
        ),
    ]


def _cards(state: State, code: str, values: Values) -> list[Effect]:
    """Return the cards that leave a deck, and changed copies of counted ones."""
    effects: list[Effect] = []
    for key, counts in values.items():
        amount = counts[0] if counts else 0
        if key in _NOT_CARDS or key.startswith(_BY_CARDS) or not amount:
            continue
        if key.startswith(COPIES):
            effects.append(do.CardCount(key.removeprefix(COPIES), amount))
        elif key in _added(state, code):
            gone = do.RemoveCard(key, "input", aside=True)
            effects += [gone] * min(amount, _added(state, code).count(key))
        elif _is_counted(state, key, amount):
            effects.append(do.CardCount(key, -amount))
        else:
            effects.append(do.RemoveCard(key, "input"))
    return effects


def _added(state: State, code: str) -> tuple[str, ...]:
    """Return the cards added to a deck that aren't story cards, mostly weaknesses."""
    person = state.people.get(code)
    if person is None or not state.policy.takes_added_cards:
        return ()
    story = person.story or ()
    return tuple(card for card in person.added or () if card not in story)


def cards_reported(values: Values) -> list[str]:
    """Return the cards named in what the players report for one investigator's deck.

    Every key that isn't a known one can only be a card.
    """
    named = [key for key in values if key not in _NOT_CARDS]
    for mark in (BY_CARD, TRAUMA_BY_CARD, COPIES):
        named = [key.removeprefix(mark) for key in named]
    return [key.partition("#")[0] for key in named]


def _is_counted(state: State, card: str, amount: int) -> bool:
    """Return whether copies of a counted card are removed, not the card as a whole."""
    if not state.policy.exiles_single_copies:
        return amount != 1
    return any(card in (person.card_counts or ()) for person in state.people.values())


def _describe_save(state: State, prompt: to.SaveDecks, bare: Pending) -> Pending:
    return bare._replace(spends=prompt.experience)


def save(run: Run, prompt: to.SaveDecks, step_id: str) -> bool:
    """Bank the cards that decks were given; skipped if there is nothing to report."""
    state = run.state
    codes = upgrading(state, run.encoded, step_id)
    if not (prompt.trauma or prompt.experience or is_unbanked(state, codes)):
        return True

    def effects_of(code: str, values: Values) -> list[Effect]:
        is_saved = state.policy.saves_reported_cards
        earned = _experience(values) if is_saved or prompt.experience else []
        cards = _cards(state, code, values) if is_saved else []
        return [*earned, *trauma_reported(values), *cards]

    bank = _BANK_WITH_EXPERIENCE if prompt.experience else _BANK_CARDS
    return _apply_reports(run, prompt, step_id, effects_of, bank)


def is_unbanked(state: State, codes: Iterable[str]) -> bool:
    """Return whether anyone's story cards have changed since decks were settled."""
    for code in codes:
        person = state.people.get(code)
        banked = state.banked.get(code)
        if person is None:
            continue
        if held_cards(person) != (held_cards(banked) if banked else {}):
            return True
    return False


def held_cards(held: Person | Banked) -> dict[str, int]:
    """Return the copies of each card that the campaign added, or removed (−)."""
    counts: Counter[str] = Counter()
    numbers = held.card_counts or {}
    for card in held.story or ():
        counts[card] += numbers.get(card, 1)
    for card in held.added or ():
        counts[card] += 1
    for card in held.removed or ():
        counts[card] -= 1
    return {card: count for card, count in counts.items() if count}


DECKS: dict[type, PromptKind] = {
    to.UpgradeDecks: PromptKind("upgrade_decks", upgrade, _describe_upgrade),
    to.SaveDecks: PromptKind("save_decks", save, _describe_save),
}
