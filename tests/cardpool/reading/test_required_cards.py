"""The cards an investigator's back requires, and their alternatives."""

from __future__ import annotations

import pytest

from arkham.rules.investigator import Requirement
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    SignatureKind,
)
from tests.cardpool.reading.helpers import back_of

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
    """Write a requirement as the table does: code, then copies unless one."""
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


def test_products_have_the_required_copies(pool: CardPool) -> None:
    """A printed number equals the copies in the product."""
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
def test_nautical_prowess_replaces_either_signature(pool: CardPool, code: str) -> None:
    """Silas's harpoon or net, as the player chooses."""
    harpoon, net, call = back_of(pool, code).requirements
    assert harpoon.replacements == net.replacements == (("98014", 1),)
    assert call.replacements == (("98015", 1),)


@pytest.mark.parametrize("code", ["03006", "90087"])
def test_five_leading_ladies_replace_two_improvisations(
    pool: CardPool, code: str
) -> None:
    """And one Samuel Blake both crises."""
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
    """As printed on the card; cards anyone may include are no signatures."""
    assert pool["01006"].signature is SignatureKind.ORIGINAL
    assert pool["90030"].signature is SignatureKind.ADVANCED
    assert pool["98005"].signature is SignatureKind.REPLACEMENT
    assert pool["90025"].signature is SignatureKind.ORIGINAL  # a Directive
    assert pool["01020"].signature is None
    assert pool["11099"].signature is None  # restricted by trait only
