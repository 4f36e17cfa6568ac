"""A deck is admitted exactly if some assignment of its cards to options works."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from arkham.rules.card import Card, Printing
from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.investigator import (
    Back,
    Choice,
    DeckOption,
    InvestigatorFacts,
)
from arkham.rules.legality import Verdict, check_deck
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType
from tests.rules.strategies import cards, is_ordinary
from tests.rules.trial import admitted_by_trial, granted_options, matches

LETTER = Circumstances(rulings=(("options.full-limited-option", "letter"),))
CAPACITY = Circumstances(rulings=(("options.full-limited-option", "capacity"),))
VERSATILE = "06167"
COLLECTOR = "12181"


def admitted_by_judge(verdict: Verdict) -> bool:
    wrong = {"access.option", "access.level", "access.limit", "customization.access"}
    return not any(finding.rule in wrong for finding in verdict.findings)


# -- small option sets of our own --

CLASSES = (CardClass.GUARDIAN, CardClass.SEEKER, CardClass.MYSTIC)
TYPES = (CardType.ASSET, CardType.EVENT)
TRAITS = ("spell", "charm", "tactic")


@st.composite
def option_sets(draw: DrawFn) -> tuple[DeckOption, ...]:
    """Up to four options of every kind, limited ones with and without "other"."""
    options = []
    for index in range(draw(st.integers(1, 4))):
        lowest = draw(st.integers(0, 1))
        limit = draw(st.one_of(st.none(), st.integers(0, 3)))
        options.append(
            DeckOption(
                id=f"option-{index}",
                classes=tuple(draw(st.lists(st.sampled_from(CLASSES), max_size=2))),
                neutral=draw(st.booleans()),
                levels=(lowest, draw(st.integers(lowest, 2))),
                types=tuple(draw(st.lists(st.sampled_from(TYPES), max_size=1))),
                traits=tuple(draw(st.lists(st.sampled_from(TRAITS), max_size=1))),
                limit=limit,
                other=limit is not None and draw(st.booleans()),
            )
        )
    return tuple(options)


@cache
def small_cards() -> tuple[Card, ...]:
    """Cards admitted in many different ways, and the two that grant options."""
    made = []
    for number, (classes, level, kind, traits) in enumerate(
        (
            ((CLASSES[0],), 0, TYPES[0], ("spell",)),
            ((CLASSES[0],), 1, TYPES[1], ("tactic",)),
            ((CLASSES[1],), 0, TYPES[0], ("charm",)),
            ((CLASSES[1],), 2, TYPES[1], ()),
            ((CLASSES[2],), 0, TYPES[1], ("spell",)),
            ((CLASSES[2],), 1, TYPES[0], ("charm",)),
            (CLASSES[:2], 0, TYPES[1], ("tactic",)),
            (CLASSES[1:], 0, TYPES[0], ("spell", "charm")),
            (CLASSES[:2], 1, TYPES[0], ()),
            (CLASSES, 0, TYPES[1], ("charm",)),
            ((), 0, TYPES[0], ("charm",)),
            ((), 1, TYPES[1], ("spell",)),
        )
    ):
        code = f"card-{number:02}"
        made.append(
            Card(
                code=code,
                name=f"Card {number}",
                type=kind,
                printings=(Printing(code, "pack", number, 2),),
                classes=classes,
                level=level,
                traits=traits,
            )
        )
    granting = (cards()[VERSATILE], cards()[COLLECTOR])
    return (*made, *granting)


def small_pool(options: tuple[DeckOption, ...]) -> CardPool:
    investigator = Card(
        code="nobody",
        name="Nobody",
        type=CardType.INVESTIGATOR,
        printings=(Printing("nobody", "pack", 0, 1),),
        investigator=InvestigatorFacts(
            base="nobody", back=Back(size=30, options=options, basic_weaknesses=0)
        ),
    )
    every = {card.code: card for card in (*small_cards(), investigator)}
    return CardPool(version="small", cards=every)


@pytest.mark.slow
@given(option_sets(), st.booleans(), st.booleans(), st.data())
@settings(max_examples=1_000, deadline=None)
def test_a_small_deck_is_admitted_exactly_if_a_trial_finds_places(
    options: tuple[DeckOption, ...], letter: bool, wild: bool, data: st.DataObject
) -> None:
    """Most decks use cards that some option admits, so that the limits decide."""
    offered = [
        card
        for card in small_cards()
        if wild or any(matches(option, card) for option in options)
    ]
    assume(offered)
    picked = data.draw(
        st.lists(st.sampled_from(offered), min_size=1, max_size=6, unique_by=id)
    )
    held = [(card, data.draw(st.integers(1, 2))) for card in picked]
    grants = tuple(granted_options(held))
    every = (*options, *grants)
    granted = frozenset(range(len(options), len(every)))

    verdict = check_deck(
        DeckList("nobody", {card.code: copies for card, copies in held}),
        small_pool(options),
        LETTER if letter else CAPACITY,
    )

    assert admitted_by_judge(verdict) == admitted_by_trial(
        held, every, granted, letter=letter
    )


# -- the backs of the game --


def limited_backs() -> list[str]:
    """Investigators whose back has a limited option."""
    found = []
    for card in cards().investigators:
        assert card.investigator is not None
        back = card.investigator.back
        assert back is not None
        templates = [each.template for each in back.choices if each.template]
        if any(option.limit for option in (*back.options, *templates)):
            found.append(card.code)
    return found


def _chosen(choice: Choice, value: str) -> tuple[DeckOption, ...]:
    if choice.template is not None:
        return (replace(choice.template, classes=(CardClass(value),)),)
    return dict(choice.grants).get(value, ())


@st.composite
def chosen_values(draw: DrawFn, back: Back) -> dict[str, str]:
    """A value for every choice of a back; classes differ."""
    values: dict[str, str] = {}
    for choice in back.choices:
        left = [each for each in choice.offers if each not in values.values()]
        values[choice.key] = draw(st.sampled_from(left))
    return values


@cache
def near_the_border(code: str) -> tuple[Card, ...]:
    """Ordinary cards that match a limited option of this back."""
    back = cards()[code].investigator
    assert back is not None
    assert back.back is not None
    limited = [each for each in back.back.options if each.limit]
    templates = [each.template for each in back.back.choices if each.template]
    limited.extend(replace(each, classes=()) for each in templates if each.limit)
    return tuple(
        card
        for card in cards().values()
        if is_ordinary(card)
        and not card.sheet
        and not card.myriad
        and card.code not in DECK_MODIFIERS
        and any(matches(option, card) for option in limited)
    )


@pytest.mark.slow
@given(st.data())
@settings(max_examples=600, deadline=None)
def test_a_deck_near_a_real_limit_is_admitted_exactly_if_a_trial_finds_places(
    data: st.DataObject,
) -> None:
    code = data.draw(st.sampled_from(limited_backs()))
    facts = cards()[code].investigator
    assert facts is not None
    assert facts.back is not None
    values = data.draw(chosen_values(facts.back))
    options = [each for each in facts.back.options if not each.counts_only]
    for choice in facts.back.choices:
        options.extend(_chosen(choice, values[choice.key]))
    assume(not any(option.start_levels for option in options))
    admitting = [option for option in options if not option.forbids]
    near = st.sampled_from(near_the_border(code))
    picked = data.draw(st.lists(near, min_size=3, max_size=9, unique_by=id))
    held = [(card, data.draw(st.integers(1, 2))) for card in picked]
    versatile = data.draw(st.integers(0, 2))
    if versatile:
        held.append((cards()[VERSATILE], versatile))
    every = (*admitting, *granted_options(held))
    granted = frozenset(range(len(admitting), len(every)))

    verdict = check_deck(
        DeckList(code, {card.code: copies for card, copies in held}, choices=values),
        cards(),
    )

    assert admitted_by_judge(verdict) == admitted_by_trial(
        held, every, granted, letter=False
    )
