"""Upgrading and saving decks: what the table reports of each, then all is banked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.model.field_words import (
    BY_CARD,
    COPIES,
    COUNTED_BY_UPGRADE,
    EXPERIENCE,
    TRAUMA_BY_CARD,
)
from arkham.rules.campaign.prompts.kinds import PromptKind
from arkham.rules.campaign.run import LOST, Run
from arkham.rules.campaign.state.ledger import Banked, Person
from arkham.rules.campaign.state.state import BY_ULTIMATUM, State

Values: TypeAlias = Mapping[str, tuple[int, ...]]
_REPORTED = "told"  # marks a step of which all is reported but that it is done
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
    """What of each deck is reported beside experience and trauma: a number, copies."""
    counted = (COUNTED_BY_UPGRADE,) if state.redirect or prompt.counter else ()
    copies = tuple(f"{COPIES}{card}" for card in prompt.story_cards)
    return bare._replace(keys=(*counted, *copies), spends=not prompt.skip_decks)


def upgrade(run: Run, prompt: to.UpgradeDecks, step_id: str) -> bool:
    """Decks are upgraded: what the table reports of each, then all is banked."""
    if run.state.simulated:
        return run.apply(step_id, [_BANK])  # nothing was earned, nothing is spent

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
    """What is reported of a deck holds at once, for it is spent now; then all is done.

    The step is walked twice: the second time, marked in its id, nothing is applied.
    """
    asked, _mark, done = step_id.rpartition("#")
    if done != _REPORTED:
        if not run.state.policy.settles_decks_at_once and (
            run.answer("decision", step_id) is None
        ):
            return run.wait(step_id, "decision", prompt, run.state.alive())
        _lost(run, step_id)
        for code in run.state.alive():
            answer = run.maybe("choice_list", f"{step_id}#{code}")
            effects = effects_of(code, answer.value) if answer is not None else []
            if effects and not run.apply(
                step_id, [Group(Batch(tuple(effects)), (code,))]
            ):
                return False
        run.push((f"{step_id}#{_REPORTED}",))
        return True
    if run.answer("decision", asked) is None:
        return run.wait(asked, "decision", prompt, run.state.alive())
    return run.apply(asked, [bank])


def _lost(run: Run, step_id: str) -> None:
    """What the table states as lost leaves decks before they are upgraded (ULT-14)."""
    run.missed.add(LOST)
    for card, sequence in run.answers.banished(run.encoded):
        run.state.because(run.encoded, step_id, sequence)
        run.state.banish((card,), BY_ULTIMATUM)


def _first(values: Values, key: str) -> int:
    found = values.get(key)
    return found[0] if found else 0


def _upgraded(
    state: State, prompt: to.UpgradeDecks, code: str, values: Values
) -> list[Effect]:
    """What the table reports of one investigator's deck."""
    effects: list[Effect] = []
    section = counted_by(state, prompt)
    count = _first(values, COUNTED_BY_UPGRADE)
    if count and section:
        effects.append(do.SeatCount(section, "$count", "input", value=count))
    effects += _experience(values, prompt.pool)
    effects += _corrected(values)
    effects += _cards(state, code, values)
    return effects


def counted_by(state: State, prompt: to.UpgradeDecks) -> str:
    """The section in which an upgrade adds to everybody's own number, or none."""
    return state.redirect or prompt.counter


def _experience(values: Values, pool: str = "") -> list[Effect]:
    """What cards of the deck give or take, and what the table puts right."""
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


def _corrected(values: Values) -> list[Effect]:
    """Trauma and fates: by cards of the deck, and as the table corrects them."""
    by_cards: list[Effect] = [
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
    """Cards that leave a deck, and more or fewer copies of counted ones."""
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
    """The cards a deck got that are none of the story's: weaknesses above all."""
    person = state.people.get(code)
    if person is None or not state.policy.takes_added_cards:
        return ()
    story = person.story or ()
    return tuple(card for card in person.added or () if card not in story)


def cards_reported(values: Values) -> list[str]:
    """The cards named by what the table reports of one investigator's deck.

    What is none of the words there are can only be meant as a card.
    """
    named = [key for key in values if key not in _NOT_CARDS]
    for mark in (BY_CARD, TRAUMA_BY_CARD, COPIES):
        named = [key.removeprefix(mark) for key in named]
    return [key.partition("#")[0] for key in named]


def _is_counted(state: State, card: str, amount: int) -> bool:
    """Whether copies of a story card are taken from those counted, or the card goes."""
    if not state.policy.exiles_single_copies:
        return amount != 1
    return any(card in (person.card_counts or ()) for person in state.people.values())


def _describe_save(state: State, prompt: to.SaveDecks, bare: Pending) -> Pending:
    return bare._replace(spends=prompt.experience)


def save(run: Run, prompt: to.SaveDecks, step_id: str) -> bool:
    """Decks get the cards that were earned; nobody is asked if there are none."""
    state = run.state
    codes = state.alive()
    if not (prompt.trauma or prompt.experience or is_unbanked(state, codes)):
        return True

    def effects_of(code: str, values: Values) -> list[Effect]:
        if not state.policy.saves_reported_cards:
            earned = _experience(values) if prompt.experience else []
            return [*earned, *_corrected(values)]
        return [
            *_experience(values),
            *_corrected(values),
            *_cards(state, code, values),
        ]

    bank = _BANK_WITH_EXPERIENCE if prompt.experience else _BANK_CARDS
    return _apply_reports(run, prompt, step_id, effects_of, bank)


def is_unbanked(state: State, codes: Iterable[str]) -> bool:
    """Whether anybody's story cards have changed since decks were upgraded."""
    for code in codes:
        person = state.people.get(code)
        banked = state.banked.get(code)
        if person is None:
            continue
        if held_cards(person) != (held_cards(banked) if banked else {}):
            return True
    return False


def held_cards(held: Person | Banked) -> dict[str, int]:
    """How many copies of each card the campaign put into a deck, or took out (−)."""
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
