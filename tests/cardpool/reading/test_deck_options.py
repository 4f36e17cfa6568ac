"""The options, choices and requirements on the backs of investigators, as printed."""

from __future__ import annotations

import re

import pytest

from arkham.rules.finding import english
from arkham.rules.investigator import Back, DeckOption, option_label
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    CardClass,
    CardType,
)
from tests.cardpool.reading.helpers import back_of

# -- limited options: who prints "other" --


LIMITED = {
    "02001": ("other-0-0-limit-5", True),  # Zoey Samaras
    "02002": ("other-0-0-limit-5", True),  # Rex Murphy
    "02003": ("other-0-0-limit-5", True),  # Jenny Barnes
    "02004": ("other-0-0-limit-5", True),  # Jim Culver
    "02005": ("other-0-0-limit-5", True),  # "Ashcan" Pete
    "04003": ("seeker-survivor-0-0-limit-5", True),  # Finn Edwards
    "05001": ("seeker-mystic-0-1-limit-15", True),  # Carolyn Fern
    "05006": ("seeker-survivor-0-0-limit-5", True),  # Marie Lambeau
    "06002": ("chosen-event-skill-0-1-limit-10", False),  # Mandy Thompson
    "06003": ("chosen-event-skill-0-1-limit-10", False),  # Tony Morgan
    "08001": ("survivor-0-0-limit-5", True),  # Daniela Reyes
    "08004": ("mystic-0-0-limit-5", True),  # Norman Withers
    "08007": ("seeker-0-0-limit-5", True),  # Monterey Jack
    "08010": ("guardian-0-0-limit-5", True),  # Lily Chen
    "08016": ("rogue-0-0-limit-5", True),  # Bob Jenkins
    "09001": ("chosen-event-skill-0-1-limit-10", False),  # Carson Sinclair
    "09004": ("guardian-survivor-0-1-limit-15", True),  # Vincent Lee
    "10001": ("improvised-upgrade-0-1-limit-5", True),  # Wilson Richards
    "10015": ("spirit-innate-0-2-limit-10", True),  # Hank Samson
    "11001": ("survivor-0-0-limit-5", True),  # Marion Tavares
    "11007": ("mystic-0-0-limit-10", True),  # Agatha Crane
    "11008": ("seeker-0-0-limit-10", True),  # Agatha Crane
    "11014": ("chosen-event-skill-0-1-limit-10", False),  # Gloria Goldberg
    "11017": ("seeker-rogue-0-0-limit-10", True),  # George Barnaby
    "90001": ("guardian-mystic-0-0-limit-5", True),  # Daisy Walker
    "90046": ("guardian-0-0-limit-5", True),  # "Ashcan" Pete
    "90049": ("survivor-0-0-limit-5", True),  # Jim Culver
    "90059": ("mystic-0-0-limit-5", True),  # Zoey Samaras
    "90062": ("seeker-0-0-limit-5", True),  # Monterey Jack
    "90078": ("rogue-0-0-limit-5", True),  # Rex Murphy
    "90081": ("seals-0-5-limit-5", True),  # Father Mateo
    "90084": ("not-permanent-talent-0-5-limit-10", True),  # Jenny Barnes
    "98001": ("other-0-0-limit-5", True),  # Jenny Barnes
    "98007": ("mystic-0-0-limit-5", True),  # Norman Withers
    "98010": ("seeker-mystic-0-1-limit-15", True),  # Carolyn Fern
    "98019": ("chosen-event-skill-0-1-limit-10", False),  # Gloria Goldberg
    "99001": ("seeker-survivor-0-0-limit-5", True),  # Marie Lambeau
}


def limited(back: Back) -> list[DeckOption]:
    """Return a back's options, choices included, that take a number of cards."""
    templates = [each.template for each in back.choices if each.template]
    return [each for each in (*back.options, *templates) if each.limit]


def test_every_limited_option_and_its_other(pool: CardPool) -> None:
    """The word "other" is a fact of each limited option (FAQ 1.15, 1.16)."""
    found = {
        card.code: [(each.id, each.other) for each in options]
        for card in pool.investigators
        if (options := limited(back_of(pool, card.code)))
    }
    assert found == {code: [option] for code, option in LIMITED.items()}


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("02001", CardClass.GUARDIAN),
        ("02002", CardClass.SEEKER),
        ("02003", CardClass.ROGUE),
        ("02004", CardClass.MYSTIC),
        ("02005", CardClass.SURVIVOR),
        ("98001", CardClass.ROGUE),
    ],
)
def test_dunwich_five_take_level_0_cards_of_the_four_other_classes(
    pool: CardPool, code: str, own: CardClass
) -> None:
    """Class cards only, level 0 only, five in all (FAQ 2.5, Card Errata v1.5)."""
    (option,) = limited(back_of(pool, code))
    assert set(option.classes) == set(CardClass) - {own}
    assert (option.levels, option.limit, option.neutral) == ((0, 0), 5, False)


# -- options --


def test_silas_takes_innate_skills_only(pool: CardPool) -> None:
    """The data omits the type."""
    for code in ("07005", "98013"):
        option = next(each for each in back_of(pool, code).options if each.traits)
        assert (option.traits, option.types) == (("innate",), (CardType.SKILL,))


def test_restrictions(pool: CardPool) -> None:
    """Every restriction line, and no other."""
    found = {
        card.code: each
        for card in pool.investigators
        for each in back_of(pool, card.code).options
        if each.forbids
    }
    assert sorted(found) == [
        *("02002", "05001", "05003", "08010", "89001", "90078", "98010"),
    ]
    assert found["02002"].traits == ("fortune",)
    assert found["08010"].traits == ("firearm",)
    assert found["08010"].types == (CardType.ASSET,)
    assert found["05001"].levels == (1, 5)
    assert found["89001"].permanent is True
    assert found["90078"].traits == ("fortune", "blessed")
    assert found["90078"].spares == ("cursed",)
    assert found["90078"].levels is None


def test_parallel_rex_needs_no_workaround(pool: CardPool) -> None:
    """The data lists neutral Cursed cards first because of its own order."""
    assert [each.id for each in back_of(pool, "90078").options] == [
        "cursed-0-4",
        "no-fortune-blessed",
        "seeker-0-3",
        "neutral-0-5",
        "gambit-0-4",
        "rogue-0-0-limit-5",
    ]


def test_option_ids_are_unique_on_a_back(pool: CardPool) -> None:
    """Choices included."""
    for card in pool.investigators:
        back = back_of(pool, card.code)
        every = [
            *back.options,
            *(each.template for each in back.choices if each.template),
            *(
                o
                for each in back.choices
                for _, options in each.grants
                for o in options
            ),
        ]
        assert len({each.id for each in every}) == len(every), card.code
        assert all(re.fullmatch(r"[a-z0-9-]+", each.id) for each in every)


def test_labels_in_plain_words(pool: CardPool) -> None:
    """One of each form."""
    labels = {
        each.id: english(option_label(each))
        for code in ("01001", "02001", "05001", "08010", "90078", "90081", "90084")
        for each in back_of(pool, code).options
    }
    assert labels["guardian-neutral-0-5"] == "Guardian and neutral cards, level 0–5"
    assert labels["other-0-0-limit-5"] == ("At most 5 level 0 cards from other classes")
    assert labels["no-weapon-1-5"] == "No level 1–5 Weapon cards"
    assert labels["no-firearm-asset"] == "No Firearm assets"
    assert labels["heals-horror-0-5"] == "Cards healing horror, level 0–5"
    assert labels["seals-0-5-limit-5"] == "At most 5 other level 0–5 cards that seal"
    assert labels["not-permanent-talent-0-5-limit-10"] == (
        "At most 10 other level 0–5 Talent cards, not permanent"
    )


def test_at_least_requirements(pool: CardPool) -> None:
    """Both Lolas and Subject 5U-21; parallel Lola's line admits nothing itself."""
    found = {
        card.code: (each.at_least.classes, each.at_least.cards, each.counts_only)
        for card in pool.investigators
        for each in back_of(pool, card.code).options
        if each.at_least
    }
    assert found == {
        "03006": (3, 7, False),
        "89001": (5, 7, False),
        "90087": (5, 6, True),
    }


def test_subject_5u_21_begins_at_level_0(pool: CardPool) -> None:
    """Class cards of level 0 at first, any level by upgrading."""
    option = next(o for o in back_of(pool, "89001").options if o.start_levels)
    assert (option.start_levels, option.levels) == ((0, 0), (0, 5))


def test_akachi_takes_cards_that_use_charges(pool: CardPool) -> None:
    """One option; the data's empty tag beside it is left out."""
    options = [each.id for each in back_of(pool, "03004").options]
    assert options == ["mystic-neutral-0-5", "charges-0-4", "occult-0-0"]
    assert pool["01060"].uses == "charges"
    assert pool["12068"].uses == "charges"
    assert pool["03014"].uses == ""  # mentions such cards, but isn't one


def test_choices(pool: CardPool) -> None:
    """Classes, traits and sizes, with what each brings."""
    size, chosen = back_of(pool, "06002").choices
    assert (size.key, size.offers) == ("size", ("30", "40", "50"))
    assert size.sizes == (("30", 0), ("40", 10), ("50", 20))
    assert chosen.offers == ("mystic", "rogue", "survivor")
    assert chosen.template is not None
    assert chosen.template.types == (CardType.EVENT, CardType.SKILL)
    assert [each.key for each in back_of(pool, "09018").choices] == [
        "class_1",
        "class_2",
    ]
    (trait,) = back_of(pool, "90037").choices
    assert (trait.offers, trait.sizes) == (
        ("blessed", "cursed", "both"),
        (("both", 5),),
    )
    assert dict(trait.grants)["both"][0].traits == ("blessed", "cursed")
    (trait,) = back_of(pool, "11001").choices
    assert trait.offers == ("improvised", "gambit", "fortune")
    assert dict(trait.grants)["gambit"][0].types == (CardType.EVENT,)


def test_spirit_deck(pool: CardPool) -> None:
    """Ten cards: nine Ally assets of any class, level 0–2, and Vengeful Shade."""
    side = back_of(pool, "90049").side_deck
    assert side is not None
    assert (side.size, side.required) == (10, ("90053",))
    (option,) = side.options
    assert (option.types, option.traits) == ((CardType.ASSET,), ("ally",))
    assert (option.levels, option.classes) == ((0, 2), tuple(CardClass))
    assert [c.code for c in pool.investigators if back_of(pool, c.code).side_deck] == [
        "90049"
    ]
