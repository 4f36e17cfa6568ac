"""Do the facts read from ArkhamDB's data say what is printed?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arkham.rules.card import Card
from arkham.rules.investigator import Back, DeckOption, Requirement
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    BoxChoice,
    CardClass,
    CardType,
    SignatureKind,
    Tag,
    WeaknessKind,
)
from cardpool.reading import SourceReading, read_directory, to_pool

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def reading(shared_data: Path) -> SourceReading:
    """The shared data, read with the committed corrections."""
    return read_directory(shared_data / "data" / "arkhamdb")


@pytest.fixture(scope="module")
def pool(reading: SourceReading) -> CardPool:
    """The pool it makes."""
    return to_pool(reading)


def back_of(pool: CardPool, code: str) -> Back:
    """The back of an investigator card."""
    facts = pool[code].investigator
    assert facts is not None
    assert facts.back is not None
    return facts.back


def tags_of(card: Card) -> set[Tag]:
    """The tags of a card without their sources."""
    return {tag for tag, _ in card.tags}


# -- the source as a whole --


def test_whole_source_reads_with_two_remarks_and_no_fault(
    reading: SourceReading,
) -> None:
    """5928 codes, 189 of them reprints; two codes come twice and say so."""
    assert len(reading.cards) == 5739
    assert reading.faults == ()
    assert [(each.code, each.field) for each in reading.problems] == [
        ("11536", "code"),
        ("11552", "code"),
    ]


def test_products_cycles_sets_and_lists(reading: SourceReading) -> None:
    """Every product, cycle, encounter set and taboo list is there."""
    assert (len(reading.packs), len(reading.cycles)) == (113, 18)
    assert len(reading.encounter_sets) == 371
    assert reading.encounter_sets["torch"] == "The Gathering"
    packs = {pack.code: pack for pack in reading.packs}
    assert packs["dwlp"].holds == (
        *("dwl", "tmm", "tece", "bota", "uau", "wda", "litas"),
    )
    assert packs["dwlp"].holds_type == "player"
    assert packs["core_2026"].chapter == 2
    assert packs["core"].released == "2016-11-10"


def test_reading_needs_no_django() -> None:
    """In a fresh interpreter nothing of Django is loaded."""
    probe = "import sys, cardpool.reading; print('django' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"


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
    """The options of a back, choices included, that take a number of cards."""
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


# -- required cards --

REQUIRED = {
    "01001": "01006 01007",  # Roland Banks
    "01002": "01008 01009",  # Daisy Walker
    "01003": "01010 01011",  # "Skids" O'Toole
    "01004": "01012 01013",  # Agnes Baker
    "01005": "01014 01015",  # Wendy Adams
    "02001": "02006 02007",  # Zoey Samaras
    "02002": "02008 02009",  # Rex Murphy
    "02003": "02010 02011",  # Jenny Barnes
    "02004": "02012 02013",  # Jim Culver
    "02005": "02014 02015",  # "Ashcan" Pete
    "03001": "03007 03008 03009",  # Mark Harrigan
    "03002": "03010 03011",  # Minh Thi Phan
    "03003": "03012×3 03013",  # Sefina Rousseau
    "03004": "03014 03015",  # Akachi Onyele
    "03005": "03016 03017",  # William Yorick
    "03006": "03018×2 03019×2",  # Lola Hayes
    "04001": "04006 04007",  # Leo Anderson
    "04002": "04008 04009",  # Ursula Downs
    "04003": "04010 04011 04012",  # Finn Edwards
    "04004": "04013 04014",  # Father Mateo
    "04005": "04015 04016",  # Calvin Wright
    "05001": "05007 05008",  # Carolyn Fern
    "05002": "05009 05010",  # Joe Diamond
    "05003": "05011 05012",  # Preston Fairmont
    "05004": "05013 05014 05015",  # Diana Stanley
    "05005": "05016 05017",  # Rita Young
    "05006": "05018 05019",  # Marie Lambeau
    "06001": "06006 06007",  # Tommy Muldoon
    "06002": "06008 06009",  # Mandy Thompson
    "06003": "06010 06011×2 06012",  # Tony Morgan
    "06004": "06013 06014",  # Luke Robinson
    "06005": "06016 06017",  # Patrice Hathaway
    "07001": "07006 07007",  # Sister Mary
    "07002": "07008 07009",  # Amanda Sharpe
    "07003": "07010 07011",  # Trish Scarborough
    "07004": "07012 07013",  # Dexter Drake
    "07005": "07014 07015 07016",  # Silas Marsh
    "08001": "08002 08003",  # Daniela Reyes
    "08004": "08005 08006",  # Norman Withers
    "08007": "08008 08009",  # Monterey Jack
    "08010": "08015×1-4",  # Lily Chen
    "08016": "08017 08018",  # Bob Jenkins
    "09001": "09002×2 09003",  # Carson Sinclair
    "09004": "09005 09006×1-4 09007",  # Vincent Lee
    "09008": "09009 09010",  # Kymani Jones
    "09011": "09012 09013 09014",  # Amina Zidane
    "09015": "09016 09017",  # Darrell Simmons
    "09018": "09019 09020",  # Charlie Kane
    "10001": "10002 10003",  # Wilson Richards
    "10004": "10005 10008",  # Kate Winthrop
    "10009": "10010×3 10011",  # Alessandra Zorzi
    "10012": "10013 10014",  # Kōhaku Narukami
    "10015": "10017 10018",  # Hank Samson
    "11001": "11002×2 11003",  # Marion Tavares
    "11004": "11005 11006",  # Lucius Galloway
    "11007": "11009 11010",  # Agatha Crane
    "11008": "11009 11010",  # Agatha Crane
    "11011": "11012 11013",  # Michael McGlen
    "11014": "11015×3 11016×3",  # Gloria Goldberg
    "11017": "11018×3 11019",  # George Barnaby
    "12001": "12002 12003",  # Daniela Reyes
    "12004": "12005 12006",  # Joe Diamond
    "12007": "12008 12009",  # Trish Scarborough
    "12010": "12011 12012",  # Dexter Drake
    "12013": "12014 12015",  # Isabelle Barnes
    "60101": "60102 60103",  # Nathaniel Cho
    "60151": "60152 60153",  # Tommy Muldoon
    "60201": "60202 60203",  # Harvey Walters
    "60251": "60252 60253",  # Carolyn Fern
    "60301": "60302 60303",  # Winifred Habbamock
    "60351": "60352 60353 60354 60355",  # André Patel
    "60401": "60402 60403",  # Jacqueline Fine
    "60451": "60452 60453",  # Marie Lambeau
    "60501": "60502×3 60503",  # Stella Clark
    "60551": "60552 60553",  # Miguel de la Cruz
    "89001": "89002 89003×3 89004×3",  # Subject 5U-21
    "90001": "01008 01009",  # Daisy Walker
    "90008": "01010 01011",  # "Skids" O'Toole
    "90017": "01012 01013",  # Agnes Baker
    "90024": "01006 01007",  # Roland Banks
    "90037": "01014 01015",  # Wendy Adams
    "90046": "02014 02015",  # "Ashcan" Pete
    "90049": "02012 02013 90052",  # Jim Culver
    "90059": "02006 02007",  # Zoey Samaras
    "90062": "08008 08009",  # Monterey Jack
    "90078": "02008 02009",  # Rex Murphy
    "90081": "04013 04014",  # Father Mateo
    "90084": "02010 02011",  # Jenny Barnes
    "90087": "03018×2 03019×2",  # Lola Hayes
    "98001": "02010 02011",  # Jenny Barnes
    "98004": "01006 01007",  # Roland Banks
    "98007": "08005 08006",  # Norman Withers
    "98010": "05007 05008",  # Carolyn Fern
    "98013": "07014 07015 07016",  # Silas Marsh
    "98016": "07012 07013",  # Dexter Drake
    "98019": "11015×3 11016×3",  # Gloria Goldberg
    "99001": "05018 05019",  # Marie Lambeau
}


def as_listed(requirement: Requirement) -> str:
    """A requirement as the table writes it: code, then copies unless one."""
    least, most = requirement.copies, requirement.copies_at_most
    times = f"×{least}-{most}" if most else f"×{least}" if least > 1 else ""
    return f"{requirement.original}{times}"


def test_required_cards_and_copies_of_every_back(pool: CardPool) -> None:
    """All 97 backs, with the number of copies printed."""
    found = {
        card.code: " ".join(
            as_listed(each) for each in back_of(pool, card.code).requirements
        )
        for card in pool.investigators
    }
    assert len(found) == 97
    assert found == REQUIRED


def test_product_holds_the_copies_required(pool: CardPool) -> None:
    """Where a number is printed the product brings exactly as many."""
    for card in pool.investigators:
        for each in back_of(pool, card.code).requirements:
            held = pool[each.original].printings[0].quantity
            most = each.copies_at_most or max(
                [each.copies, *(copies for _, copies in each.copies_by_size)]
            )
            assert held == most, each.original


def test_occult_evidence_by_deck_size(pool: CardPool) -> None:
    """One, two or three copies at 30, 40 or 50 cards."""
    evidence = back_of(pool, "06002").requirements[0]
    assert (evidence.copies, evidence.copies_by_size) == (1, ((40, 2), (50, 3)))


def test_basic_weaknesses_and_experience_on_backs(pool: CardPool) -> None:
    """One basic weakness but for Subject 5U-21; three backs grant experience."""
    backs = {card.code: back_of(pool, card.code) for card in pool.investigators}
    assert [c for c, back in backs.items() if back.basic_weaknesses != 1] == ["89001"]
    assert backs["89001"].basic_weaknesses == 2
    granted = {c: b.bonus_experience for c, b in backs.items() if b.bonus_experience}
    assert granted == {"04004": 5, "09008": 5, "90024": 5}


# -- alternatives --


@pytest.mark.parametrize("code", ["01001", "90024", "98004"])
def test_roland_has_the_same_alternatives_on_every_back(
    pool: CardPool, code: str
) -> None:
    """Advanced from the parallel, replacements from the novella."""
    weapon, cover_up = back_of(pool, code).requirements
    assert (weapon.advanced, weapon.replacements) == ("90030", (("98005", 1),))
    assert (cover_up.advanced, cover_up.replacements) == ("90031", (("98006", 1),))


@pytest.mark.parametrize("code", ["02003", "90084", "98001"])
def test_jenny_of_the_novella_has_the_advanced_signatures_too(
    pool: CardPool, code: str
) -> None:
    """The data leaves them out on 98001."""
    guns, izzie = back_of(pool, code).requirements
    assert (guns.advanced, guns.replacements) == ("90085", (("98002", 1),))
    assert (izzie.advanced, izzie.replacements) == ("90086", (("98003", 1),))


@pytest.mark.parametrize("code", ["07005", "98013"])
def test_nautical_prowess_stands_for_either_signature(
    pool: CardPool, code: str
) -> None:
    """Silas's harpoon or net, whichever the player leaves."""
    harpoon, net, call = back_of(pool, code).requirements
    assert harpoon.replacements == net.replacements == (("98014", 1),)
    assert call.replacements == (("98015", 1),)


@pytest.mark.parametrize("code", ["03006", "90087"])
def test_five_leading_ladies_stand_for_two_improvisations(
    pool: CardPool, code: str
) -> None:
    """And one Samuel Blake for both crises."""
    improvisation, crisis = back_of(pool, code).requirements
    assert improvisation.replacements == (
        *(("90088", 1), ("90089", 1), ("90090", 1), ("90091", 1), ("90092", 1)),
    )
    assert crisis.replacements == (("90093", 1),)
    assert (improvisation.advanced, crisis.advanced) == (None, None)


def test_most_investigators_have_no_alternatives(pool: CardPool) -> None:
    """Those who have any are the parallels, the novellas and Samuel Blake's star."""
    having = {
        pool[card.code].investigator.base  # type: ignore[union-attr]
        for card in pool.investigators
        for each in back_of(pool, card.code).requirements
        if each.advanced or each.replacements
    }
    assert having == {
        *("01001", "01002", "01003", "01004", "01005", "02001", "02002", "02003"),
        *("02004", "02005", "03006", "04004", "05001", "07004", "07005", "08004"),
        *("08007", "11014"),
    }


def test_kinds_of_signatures(pool: CardPool) -> None:
    """What the card calls itself; cards anyone may hold are no signatures."""
    assert pool["01006"].signature is SignatureKind.ORIGINAL
    assert pool["90030"].signature is SignatureKind.ADVANCED
    assert pool["98005"].signature is SignatureKind.REPLACEMENT
    assert pool["90025"].signature is SignatureKind.ORIGINAL  # a Directive
    assert pool["01020"].signature is None
    assert pool["11099"].signature is None  # restricted by trait only


# -- who is who --


@pytest.mark.parametrize(
    ("code", "base"),
    [
        ("01501", "01001"),
        ("90024", "01001"),
        ("98004", "01001"),
        ("98001", "02003"),
        ("98007", "08004"),
        ("98010", "05001"),
        ("98013", "07005"),
        ("98016", "07004"),
        ("98019", "11014"),
        ("99001", "05006"),
        ("11007", "11007"),
        ("11008", "11007"),
        ("12001", "12001"),
        ("60551", "60551"),
    ],
)
def test_base_of_an_investigator(pool: CardPool, code: str, base: str) -> None:
    """Reprints, parallels, promos and the second Agatha share one; Chapter 2 not."""
    facts = pool[code].investigator
    assert facts is not None
    assert facts.base == base


def test_thirteen_parallels(pool: CardPool) -> None:
    """Novella investigators are no parallels."""
    parallels = [c for c in pool.investigators if c.investigator.parallel]  # type: ignore[union-attr]
    assert len(parallels) == 13
    assert {card.code[:2] for card in parallels} == {"90"}


def test_who_cannot_start_a_deck(pool: CardPool) -> None:
    """Prologue investigators and what investigators turn into."""
    never = {
        card.code
        for code in pool
        if (card := pool[code]).investigator and not card.investigator.playable
    }
    assert never == {
        *("04244", "05046", "05047", "05048", "05049", "10016a", "10016b"),
        *("10661", "11068b"),
    }


def test_signatures_are_restricted_to_the_base(pool: CardPool) -> None:
    """So that every version of the investigator shares them."""
    restricted = {"05007": "05001", "98002": "02003", "11009": "11007"}
    for code, base in restricted.items():
        restriction = pool[code].restriction
        assert restriction is not None
        assert restriction.investigators == (base,)


def test_marie_of_the_promo_has_the_same_signatures(pool: CardPool) -> None:
    """99002 and 99003 are printings of 05018 and 05019."""
    assert pool["99002"] is pool["05018"]
    assert pool["99003"] is pool["05019"]
    assert [each.code for each in pool["05018"].printings] == ["05018", "99002"]


# -- options --


def test_silas_takes_innate_skills_only(pool: CardPool) -> None:
    """The data forgets the type."""
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


def test_parallel_rex_has_no_workaround(pool: CardPool) -> None:
    """The data lists neutral Cursed cards first to get round its own order."""
    assert [each.id for each in back_of(pool, "90078").options] == [
        "cursed-0-4",
        "no-fortune-blessed",
        "seeker-0-3",
        "neutral-0-5",
        "gambit-0-4",
        "rogue-0-0-limit-5",
    ]


def test_ids_and_labels_are_one_of_a_kind_on_a_back(pool: CardPool) -> None:
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
        assert all(each.label for each in every)


def test_labels_in_plain_words(pool: CardPool) -> None:
    """One of each make."""
    labels = {
        each.id: each.label
        for code in ("01001", "02001", "05001", "08010", "90078", "90081", "90084")
        for each in back_of(pool, code).options
    }
    assert labels["guardian-neutral-0-5"] == "Guardian and neutral cards, level 0–5"
    assert labels["other-0-0-limit-5"] == (
        "At most 5 other cards of level 0 from the other classes"
    )
    assert labels["no-weapon-1-5"] == "No Weapon cards of level 1–5"
    assert labels["no-firearm-asset"] == "No Firearm assets"
    assert labels["heals-horror-0-5"] == "Cards healing horror, level 0–5"
    assert labels["seals-0-5-limit-5"] == "At most 5 other cards of level 0–5 that seal"
    assert labels["not-permanent-talent-0-5-limit-10"] == (
        "At most 10 other Talent cards of level 0–5, not permanent"
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


def test_subject_5u_21_starts_at_level_0(pool: CardPool) -> None:
    """Class cards of level 0 at first, any level by upgrading."""
    option = next(o for o in back_of(pool, "89001").options if o.start_levels)
    assert (option.start_levels, option.levels) == ((0, 0), (0, 5))


def test_akachi_takes_cards_that_use_charges(pool: CardPool) -> None:
    """One option; the data's empty tag beside it is left out."""
    options = [each.id for each in back_of(pool, "03004").options]
    assert options == ["mystic-neutral-0-5", "charges-0-4", "occult-0-0"]
    assert pool["01060"].uses == "charges"
    assert pool["12068"].uses == "charges"
    assert pool["03014"].uses == ""  # speaks of such cards, is none


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


# -- cards --


def test_a_reprint_is_a_printing(pool: CardPool) -> None:
    """60169 repeats 12025, which repeats 01025: one card, five products."""
    card = pool["60169"]
    assert card.code == "01025"
    assert [each.code for each in card.printings] == [
        *("01025", "01525", "12025", "60119", "60169"),
    ]
    assert [each.pack for each in card.printings] == [
        *("core", "rcore", "core_2026", "nat", "tom"),
    ]
    assert card.printings[1].quantity == 2


def test_no_level_is_not_level_0(pool: CardPool) -> None:
    """Signatures (the five of CARD-05 too), weaknesses, story and bonded cards."""
    for code in ("01006", "01008", "01010", "01012", "01014", "01117", "05314"):
        assert pool[code].level is None, code
    weaknesses = [pool[code] for code in pool if pool[code].weakness]
    assert all(card.level is None for card in weaknesses)
    assert pool["01020"].level == 0
    assert pool["09021"].level == 0  # customizable


def test_classes_neutral_and_mythos(pool: CardPool) -> None:
    """Several classes in printed order; neutral and mythos cards have none."""
    assert pool["01020"].classes == (CardClass.GUARDIAN,)
    assert len(pool["08127"].classes) == 0
    assert pool["08127"].is_neutral
    multi = [pool[c] for c in pool if len(pool[c].classes) > 1]
    assert len([card for card in multi if len(card.classes) == 2]) == 42
    assert len([card for card in multi if len(card.classes) == 3]) == 5
    assert pool["01116"].scenario
    assert not pool["01116"].is_neutral
    assert not pool["01117"].scenario


def test_weakness_kinds(pool: CardPool) -> None:
    """Basic ones are drawn at random, the others come by name."""
    assert pool["01097"].weakness is WeaknessKind.BASIC
    assert pool["01007"].weakness is WeaknessKind.OTHER
    assert pool["01020"].weakness is None


def test_slots_costs_icons(pool: CardPool) -> None:
    """Two-handed and combined slots count one by one; X and dash costs differ."""
    assert pool["01029"].slots == ("hand", "hand")
    assert pool["09080"].slots == ("ally", "arcane")
    assert pool["01022"].cost == 1
    assert pool["01025"].cost is None  # a skill
    assert sum(pool[code].cost == -2 for code in pool) == 9
    assert pool["01091"].icons == (0, 0, 2, 0, 0)
    assert pool["01001"].skills == (3, 3, 4, 2)
    assert pool["01001"].icons == (0, 0, 0, 0, 0)


def test_traits_are_split_and_lower_case(pool: CardPool) -> None:
    """Also where the last full stop is missing, and with spaces inside."""
    assert pool["01001"].traits == ("agency", "detective")
    assert pool["11607"].traits == ("hazard",)
    assert pool["02106"].traits == ("ally",)
    assert "silver twilight" in pool.traits
    assert not any(trait.endswith(".") or not trait for trait in pool.traits)


def test_titles_of_events_drop_their_subtitle(pool: CardPool) -> None:
    """The Leading Ladies are copies of one another."""
    assert {pool[f"900{n}"].title for n in range(88, 93)} == {"Leading Lady"}
    assert pool["90088"].name == "Leading Lady (Heroine)"
    player = [
        pool[c] for c in pool if "(" in pool[c].name and not pool[c].encounter_set
    ]
    assert len(player) == 5


LIMIT_1 = {
    *("04102", "04106", "05313", "05316", "06018", "06030", "06276", "06330"),
    *("07110", "07113", "07116", "07120", "07122", "08019", "08031", "08033"),
    *("08041", "08042", "08043", "08044", "08046", "08059", "08071", "08125"),
    *("10044", "10059", "10060", "10061", "10062", "10085", "10127", "10132"),
    *("10133", "11030", "11035", "11046", "11047", "11048", "11068a", "11095"),
    *("11098", "11099", "11118", "12181", "54002", "54004", "54013", "60232"),
    *("60233", "60478"),
}
LIMIT_1_BY_SUBTITLE = {
    *("06241", "06242", "06243", "08114", "08115", "11121", "11122", "11123"),
}


def test_printed_limits(pool: CardPool) -> None:
    """Only what the general rules do not give; Rod of Carnamagos (2) prints none."""
    printed = {c: pool[c].deck_limit for c in pool if pool[c].deck_limit is not None}
    assert printed == {
        **dict.fromkeys(LIMIT_1 | LIMIT_1_BY_SUBTITLE, 1),
        "08127": 4,
    }
    by_subname = {code for code in pool if pool[code].limit_by_subname}
    assert by_subname == LIMIT_1_BY_SUBTITLE
    assert pool["10098"].deck_limit is None


def test_keywords(pool: CardPool) -> None:
    """Flags and the keyword in the text agree; counts from the data."""
    cards = [pool[code] for code in pool]
    assert sum(card.myriad for card in cards) == 25
    assert sum(card.exceptional for card in cards) == 26
    assert sum(card.permanent for card in cards if not card.encounter_set) == 68
    assert sum(bool(card.sheet) for card in cards) == 16
    assert sum(bool(card.bonded_to) for card in cards) == 31


def test_when_cards_may_be_bought(pool: CardPool) -> None:
    """At deck creation only, in campaigns only, with several players only."""
    creation = {code for code in pool if pool[code].creation_only}
    assert creation == {
        *("08019", "08031", "08046", "08059", "08071", "08125", "11068a", "11095"),
        "12181",
    }
    campaign = {code for code in pool if pool[code].campaign_only}
    assert campaign == {
        *("04038", "04040", "11095", "52011", "52012", "52013", "53013"),
    }
    several = {code for code in pool if pool[code].multiplayer_only}
    assert several == {"06035", "06036", "06037", "06038"}
    assert {code for code in pool if pool[code].reward} == {"12181"}


RESEARCHED = {
    "02021": ("identified", "02262 02263 02264 51004"),
    "03025": ("translated", "03192 03193 52004"),
    "04022": ("identified", "04230 04231 53004"),
    "06112": ("interpreted", "06236 06237 06238"),
    "07022": ("translated", "07191 07192"),
    "08033": ("identified", "08041 08042 08043 08044"),
    "10044": ("classified", "10059 10060 10061"),
    "11035": ("calculated", "11046 11047 11048"),
    "60210": ("translated", "60229 60230"),
    "60259": ("unearthed", "60279 60280 60281"),
}


def test_researched_cards_and_their_tasks(pool: CardPool) -> None:
    """The 17 of the erratum (KW-19) and those that print the keyword themselves."""
    upper = {
        code: lower
        for lower, (_, listed) in RESEARCHED.items()
        for code in listed.split()
    }
    assert {code for code in pool if pool[code].researched} == set(upper)
    for code, lower in upper.items():
        assert pool[code].researched_from == (lower,)
        assert pool[code].task == pool[lower].task == RESEARCHED[lower][0]
        assert not pool[lower].researched


def test_what_a_deck_can_hold(pool: CardPool) -> None:
    """Missing limits are no zero, and zero is not only "bonded"."""
    outside = {
        *("05314", "10134"),  # bonded, the second with a limit in the data
        *("08587", "08714"),  # partners
        *("08011b", "10005b", "89002b", "03009b"),  # other sides
        *("01001", "10016a", "11068b", "05046"),  # investigators
        *("01116", "89005", "10695"),  # scenario cards
    }
    assert not [code for code in outside if pool[code].in_decks]
    inside = {"01117", "02178", "12181", "04244", "11753a", "11753b", "01000", "90053"}
    assert [code for code in sorted(inside) if not pool[code].in_decks] == []


def test_collector_is_a_purchasable_card_of_the_encounter_side(pool: CardPool) -> None:
    """Player-card files are no safe border."""
    card = pool["12181"]
    assert (card.level, card.permanent, card.deck_limit) == (0, True, 1)
    assert (card.encounter_set, card.is_neutral) == ("queen_of_ash", True)


def test_restrictions_by_trait_and_class(pool: CardPool) -> None:
    """27 cards by trait, five by class; both separators of the data are read."""
    by_trait = [
        card
        for code in pool
        if (card := pool[code]).restriction and card.restriction.traits
    ]
    assert len(by_trait) == 27
    oath = pool["11121"].restriction
    assert oath is not None
    assert oath.traits == ("cultist", "cursed", "silver twilight")
    by_class = {
        code: pool[code].restriction.classes  # type: ignore[union-attr]
        for code in ("09124", "09125", "09126", "09127", "09128")
    }
    assert by_class == {
        "09124": (CardClass.GUARDIAN,),
        "09125": (CardClass.SEEKER,),
        "09126": (CardClass.ROGUE,),
        "09127": (CardClass.MYSTIC,),
        "09128": (CardClass.SURVIVOR,),
    }


def test_bonded_cards_are_no_signatures(pool: CardPool) -> None:
    """The data restricts Kate's currents; no deck holds them, hers neither."""
    for code in ("10006", "10007"):
        card = pool[code]
        assert card.bonded_to == ("Flux Stabilizer",)
        assert (card.restriction, card.signature) == (None, None)


# -- tags --

# Text that speaks of healing, parleying, sealing or firearms (FAQ 1.15: the words
# anywhere, even conditionally), written apart from the data's tags.
SPEAKS = {
    Tag.HEALS_HORROR: r"\bheals?\b[^.]*\bhorror\b|\bhorror you heal\b",
    Tag.HEALS_DAMAGE: r"\bheals?\b[^.]*\bdamage\b|\bdamage and/or horror you heal\b",
    Tag.PARLEY: r"\bparley",
    Tag.SEALS: r"\bseal(?:s|ed)?\b(?! of )",
    Tag.FIREARM: r"\bfirearm\b",
}


def test_tags_against_the_printed_text(pool: CardPool, reading: SourceReading) -> None:
    """On every card with a level: tagged exactly where the text says so."""
    for tag, words in SPEAKS.items():
        pattern = re.compile(words, re.IGNORECASE)
        for code in pool:
            card = pool[code]
            if card.level is None or (tag is Tag.FIREARM and "firearm" in card.traits):
                continue
            text = reading.texts[code].get("text", "")
            assert (tag in tags_of(card)) == bool(pattern.search(text)), (tag, code)


def test_tags_the_data_misses_or_misspells(pool: CardPool) -> None:
    """A tag without its dot, and two cards that speak of healing untagged."""
    assert tags_of(pool["11112"]) == {Tag.HEALS_DAMAGE, Tag.HEALS_HORROR}
    assert tags_of(pool["60257"]) == {Tag.HEALS_HORROR}
    assert tags_of(pool["09123"]) == {Tag.HEALS_DAMAGE, Tag.HEALS_HORROR}


def test_every_tag_has_a_source(pool: CardPool) -> None:
    """The printed text, or the row that corrects the data."""
    assert dict(pool["01019"].tags)[Tag.HEALS_DAMAGE] == "printed text"
    assert dict(pool["60257"].tags)[Tag.HEALS_HORROR] == (
        "Private Practice speaks of healing horror; FAQ 2.5, 1.15"
    )
    assert all(source for code in pool for _, source in pool[code].tags)


EXILE = {
    *("02114", "02115", "02271", "03156", "03157", "05196", "05236", "05237"),
    *("08076", "08080", "08113", "09110", "09765", "60520", "60521", "60523"),
    "60531",
}


def test_exile_is_in_the_text_box(pool: CardPool) -> None:
    """Credits of a designer (09034, 09122, 11027) are no text box."""
    assert {code for code in pool if Tag.EXILE in tags_of(pool[code])} == EXILE


# -- upgrade sheets --


def test_a_sheet_line_by_line(pool: CardPool) -> None:
    """Summoned Servitor: boxes, ids of our own, the slot to be circled."""
    sheet = pool["09080"].sheet
    assert [(each.id, each.boxes) for each in sheet] == [
        ("armored-carapace", 1),
        ("claws-that-catch", 1),
        ("jaws-that-snatch", 1),
        ("eyes-of-flame", 1),
        ("wings-of-night", 1),
        ("dominance", 2),
        ("dreaming-call", 3),
        ("daemonic-influence", 5),
    ]
    assert [each.position for each in sheet] == list(range(8))
    assert (sheet[5].choice, sheet[5].picks) == (BoxChoice.SLOT, 1)


def test_sheets_that_ask_for_choices(pool: CardPool) -> None:
    """Traits, skills and named cards; repeated lines are told apart."""
    grizzled = pool["09101"].sheet
    assert [each.id for each in grizzled[:3]] == [
        "chosen-trait",
        "specialist",
        "specialist-2",
    ]
    assert (grizzled[0].boxes, grizzled[0].picks) == (0, 2)
    quill = pool["09042"].sheet
    assert quill[0].card_types == (CardType.ASSET,)
    assert quill[0].card_traits == ("tome", "spell")
    assert (quill[4].id, quill[4].picks) == ("endless-inkwell", 2)
    assert pool["09079"].sheet[0].choice is BoxChoice.SKILL


def test_sheets_that_change_the_card(pool: CardPool) -> None:
    """Traits, slots, tags and limits that matter for deckbuilding."""
    armor = pool["09021"].sheet[0]
    assert armor.traits == ("item", "armor", "relic")
    assert armor.slots == ("arcane",)
    assert pool["09040"].sheet[0].tags == (Tag.HEALS_DAMAGE,)
    assert pool["09061"].sheet[6].deck_limit == 3
    assert pool["09081"].sheet[7].deck_limit == 3
    boxes = {code: sum(each.boxes for each in pool[code].sheet) for code in pool}
    assert {code: total for code, total in boxes.items() if total not in (0, 15)} == {
        "09119": 18
    }


# -- taboo lists --


def test_ten_lists_by_date(pool: CardPool) -> None:
    """Each complete in itself; reprints' entries are their originals'."""
    assert [(each.id, each.date) for each in pool.taboo_lists] == [
        (1, "2019-04-20"),
        (2, "2019-09-27"),
        (3, "2020-10-15"),
        (4, "2021-06-28"),
        (5, "2022-08-26"),
        (6, "2023-08-30"),
        (7, "2024-02-20"),
        (8, "2024-10-23"),
        (9, "2025-07-11"),
        (10, "2026-02-19"),
    ]
    latest = pool.taboo_lists[-1].changes
    assert "01573" not in latest
    assert latest["01073"].experience == 2


CHAINED = {
    **{"01073": 2, "06332": 2, "02108": 1, "02300": -2, "04305": 1, "05159": 3},
    **{"05231": 2, "07197": -2, "07308": -2, "60327": -1, "08099": 2, "09077": 2},
    **{"09108": 2, "09117": 1, "10031": 1, "10037": -2, "10060": 1, "10085": 2},
    **{"10098": 2, "11031": -2, "11055": 1, "11117": -2},
}


def test_latest_list_changes_experience(pool: CardPool) -> None:
    """FAQ 2.5, Chained and unchained: complete."""
    latest = pool.taboo_lists[-1].changes
    found = {c: each.experience for c, each in latest.items() if each.experience}
    assert found == CHAINED


def test_latest_list_changes_deckbuilding(pool: CardPool) -> None:
    """Forbidden, exceptional or not, campaign only, sheets, Mandy: and no more."""
    latest = pool.taboo_lists[-1].changes
    assert {c for c, each in latest.items() if each.deck_limit == 0} == {
        *("02026", "08076", "60233"),
    }
    assert {c for c, each in latest.items() if each.exceptional is not None} == {
        *("03315", "07268"),
    }
    assert latest["03315"].exceptional is True
    assert (latest["07268"].exceptional, latest["07268"].deck_limit) == (False, 1)
    assert {c for c, each in latest.items() if each.campaign_only} == {"08113"}
    assert {c for c, each in latest.items() if each.sheet} == {"09022", "09081"}
    assert {c for c, each in latest.items() if each.size or each.requirements} == {
        "06002"
    }
    plain = [each for each in latest.values() if not each.text_only]
    assert len(plain) == len(CHAINED) + 3 + 2 + 1 + 2 + 1


def test_mandy_under_taboo(pool: CardPool) -> None:
    """Fifty cards, three Occult Evidence, the class still to be chosen."""
    for number in range(5, 11):
        change = pool.taboo_lists[number - 1].changes["06002"]
        assert change.size == 50
        assert change.drops_choices == ("size",)
        assert change.options is None
        assert change.requirements is not None
        evidence, discovery = change.requirements
        assert (evidence.original, evidence.copies) == ("06008", 3)
        assert evidence.copies_by_size == ()
        assert (discovery.original, discovery.copies) == ("06009", 1)
    assert "06002" not in pool.taboo_lists[3].changes


def test_runic_axe_costs_more_and_keeps_its_boxes(pool: CardPool) -> None:
    """One experience more on one line; no list adds a box (it would add level)."""
    for number in range(6, 11):
        sheet = pool.taboo_lists[number - 1].changes["09022"].sheet
        assert sheet is not None
        assert {each.id: each.surcharge for each in sheet if each.surcharge} == {
            "inscription-of-the-hunt": 1
        }
        assert [each.boxes for each in sheet] == [1, 1, 1, 1, 1, 3, 3, 4]
    assert "09022" not in pool.taboo_lists[4].changes


def test_power_word_loses_mercy(pool: CardPool) -> None:
    """The sheet of the list has Cower in its place, which heals nobody."""
    sheet = pool.taboo_lists[-1].changes["09081"].sheet
    assert sheet is not None
    assert [each.id for each in sheet][:4] == ["betray", "cower", "confess", "distract"]
    assert sheet[1].tags == ()
    assert pool["09081"].sheet[1].tags == (Tag.HEALS_DAMAGE, Tag.HEALS_HORROR)


def test_dark_prophecy_keeps_its_own_text_in_the_jacqueline_fine_deck(
    reading: SourceReading,
) -> None:
    """The data gives number 17 the text of another card."""
    texts = reading.taboo_texts[10]
    assert texts["60417"] == texts["04032"]
    assert texts["60417"] != texts["04110"]


# -- errata --


def test_errata_by_version(pool: CardPool) -> None:
    """A card shows which FAQ brought its errata, and what about."""
    assert pool["01014"].errata == (
        ("1.0", "it has no level, which is not level 0"),
        ("1.9", "when its Forced ability works"),
    )
    assert pool["05282"].errata == (("1.9", "its trait: Trick"),)
    assert pool["05282"].traits == ("trick",)
    assert pool["01020"].errata == ()
    assert sum(bool(pool[code].errata) for code in pool) == 160


def test_corrected_traits_and_titles_are_in_the_data(pool: CardPool) -> None:
    """Row ERR-40: nothing is left to correct."""
    assert not {"lunatic", "human"} & pool.traits
    assert pool["02078"].traits == ("humanoid", "criminal", "elite")
    assert pool["10578"].traits == ("coastal", "cave")
    assert pool["03178"].traits == ()
    names = {pool[code].name for code in ("03095", "03096", "03184")}
    assert names == {"Seer of the Sign", "Puppet of Hastur", "Haunted Patient"}
