"""Cards: printings, levels, limits, keywords and what a deck can hold."""

from __future__ import annotations

from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    CardClass,
    WeaknessKind,
)


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


def test_cards_without_a_level_are_not_level_0(pool: CardPool) -> None:
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


def test_kinds_of_weaknesses(pool: CardPool) -> None:
    """Basic ones are drawn at random, the others are named."""
    assert pool["01097"].weakness is WeaknessKind.BASIC
    assert pool["01007"].weakness is WeaknessKind.OTHER
    assert pool["01020"].weakness is None


def test_slots_costs_and_icons(pool: CardPool) -> None:
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
    """Also without the last full stop, and with spaces inside."""
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


def test_conditions_for_buying_cards(pool: CardPool) -> None:
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


def test_cards_that_decks_can_include(pool: CardPool) -> None:
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


def test_collector_is_a_purchasable_encounter_card(pool: CardPool) -> None:
    """So files of player cards are no criterion."""
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
    """The data restricts Kate's currents, which no deck includes, not even hers."""
    for code in ("10006", "10007"):
        card = pool[code]
        assert card.bonded_to == ("Flux Stabilizer",)
        assert (card.restriction, card.signature) == (None, None)
