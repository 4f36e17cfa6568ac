"""Lists of cards as people write them and as ArkhamDB exports them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.notation.lines import LineKind, LineRead, ListRead
from arkham.rules.notation.names import fold
from arkham.rules.notation.text import read_text
from arkham.rules.snapshot import embedded_pool

POOL = embedded_pool()
EXPORT = """The skull buries them all\r
\r
Leo Anderson\r
Packs: From Core Set (2) to Where Doom Awaits\r
\r
Assets\r
2x Guard Dog (Core Set)\r
2x Beat Cop [2] (Core Set)\r
2x Leo De Luca :The Louisiana Lion [1] (Core Set)\r
2x Joey "The Rat" Vigil :Lookin' Out for #1 (Where Doom Awaits)\r
2x Treasure Hunter [1] (The Forgotten Age)\r
\r
Event\r
2x Prepared for the Worst (Blood on the Altar)\r
\r
Skills\r
2x Guts (Core Set)\r
2x Overpower (Core Set)\r
\r
Treacheries\r
1x Random Basic Weakness (Core Set)\r
1x Bought in Blood (The Forgotten Age)\r
\r
"""


def test_an_export_of_arkhamdb_is_fully_understood() -> None:
    """Name, investigator and every card, in the printings it names."""
    read = read_text(EXPORT, POOL)

    assert read.deck == {
        "name": "The skull buries them all",
        "investigator_code": "04001",
        "slots": {
            "01021": 2, "01028": 2, "01054": 2, "02265": 2, "04025": 2,
            "02184": 2, "01089": 2, "01091": 2, "01000": 1, "04007": 1,
        },
        "sideSlots": {},
        "taboo_id": None,
    }  # fmt: skip
    assert read.understood
    assert [(each.kind, each.message) for each in read.lines if each.message] == []


def one(text: str) -> LineRead:
    """Return how a single line is understood."""
    (read,) = read_text(text, POOL).lines
    return read


@pytest.mark.parametrize(
    ("text", "code", "copies"),
    [
        ("2x Machete", "01020", 2),
        ("2 Machete", "01020", 2),
        ("2 x machete", "01020", 2),
        ("2× MACHETE", "01020", 2),
        ("x2 Machete", "01020", 2),
        ("(2x) Machete", "01020", 2),
        ("Machete x2", "01020", 2),
        ("Machete ×2", "01020", 2),
        ("Machete (x2)", "01020", 2),
        ("Machete (2x)", "01020", 2),
        ("Machete [2x]", "01020", 2),
        ("[2x] Machete", "01020", 2),
        ("Machete\t2", "01020", 2),
        ("Machete 2x", "01020", 2),
        ("2xMachete", "01020", 2),
        ("2x21 or Bust", "08048", 2),
        ("2x01020", "01020", 2),
        ("Machete: 2", "01020", 2),
        ("21 or Bust = 2", "08048", 2),
        ("2x.45 Automatic #01016", "01016", 2),
        ("- 2 Machete", "01020", 2),
        ("  * 2x **Machete**", "01020", 2),
        ("2x [Machete](/card/01020)", "01020", 2),
        ("2x [Machete](https://arkhamdb.com/card/01020#reviews)", "01020", 2),
        ("2x 01020", "01020", 2),
        ("2x Machete (Core Set)", "01020", 2),
        ("2x Machete (Revised Core Set)", "01520", 2),
        ("2x Machete #01520", "01520", 2),
        ("Machete x2 #01520", "01520", 2),
        ("Machete (x2) #01520", "01520", 2),
        ("[Machete](https://arkhamdb.com/card/01020) x2", "01020", 2),
        ("[Machete](https://arkhamdb.com/card/01020) (x2)", "01020", 2),
        ("- [Machete](/card/01020)", "01020", 1),
        ("[21 or Bust](/card/08048) x2", "08048", 2),
        ("2x [21 or Bust](/card/08048)", "08048", 2),
        ("[21 or Bust](/card/08048)", "08048", 1),
        ("2x Beat Cop [2]", "01028", 2),
        ("2x Beat Cop (2)", "01028", 2),
        ("2x Beat Cop ••", "01028", 2),
        ("2x Beat Cop (2 XP)", "01028", 2),
        ("2x Beat Cop [lvl 2]", "01028", 2),
        ("2x Beat Cop (Level 2) (Core Set)", "01028", 2),
        ("Beat Cop •• x2", "01028", 2),
        ("2x Beat Cop ●● (Core Set)", "01028", 2),
        ("2x Beat Cop•• [Core Set]", "01028", 2),
        ("2x Beat Cop (Core Set) [2]", "01028", 2),
        ("2x Beat Cop [2] (Core Set)", "01028", 2),
        ("1x Leo De Luca :The Louisiana Lion [1]", "01054", 1),
        ("1x Leo De Luca: The Louisiana Lion (1)", "01054", 1),
        ("1x Leo De Luca (The Louisiana Lion) (1)", "01054", 1),
        ("2x Strange Solution :Acidic Ichor [4]", "02263", 2),
        ("2x Strange Solution (Acidic Ichor) [4]", "02263", 2),
        ("1x Daisy's Tote Bag", "01008", 1),
        ("1x Daisy’s tote bag", "01008", 1),
        ("2x I've had worse... [4]", "02261", 2),
        ("1x The Tower • XVI", "05042", 1),
        ("1x Leading Lady (Mentor)", "90089", 1),
        (".45 Automatic", "01016", 1),
        ("2 .45 Automatic", "01016", 2),
        ("21 or Bust", "08048", 1),
        ("2 21 or Bust", "08048", 2),
        ("1x Cosmic Flame (Core Set (2026))", "12059", 1),
        ("1x Random Basic Weakness", "01000", 1),
        ("Occult Lexicon", "05316", 1),
    ],
)
def test_a_card_is_understood_however_it_is_written(
    text: str, code: str, copies: int
) -> None:
    """Quantity before or after; level, subtitle and product in brackets."""
    read = one(text)

    assert (read.kind, read.code, read.copies) == (LineKind.CARD, code, copies)


_LEVEL_0 = "No level given; we took Beat Cop at level 0."
_OTHER_PRODUCT = "We skipped “Undimensioned and Unseen”."


@pytest.mark.parametrize(
    ("text", "code", "message", "candidates"),
    [
        ("2x Machete", "01020", "", ()),
        (
            "2x Beat Cop",
            "01018",
            _LEVEL_0,
            ("01028",),
        ),
        ("2x Beat Cop (Core Set)", "01018", "", ()),
        ("2x Beat Cop (L2)", "01018", f"{_LEVEL_0} We skipped “L2”.", ("01028",)),
        (
            "2x Strange Solution [4]",
            "02262",
            "Several cards are called Strange Solution; "
            "we took this one: Restorative Concoction.",
            ("02263", "02264", "51004"),
        ),
        (
            "2x .45 Thompson [3]",
            "05186",
            "Several cards are called .45 Thompson; we took this one: "
            "For the Greater Good (05186).",
            ("05187",),
        ),
        (
            "Roland Banks",
            "01001",
            "Several cards are called Roland Banks; we took this one: Core Set.",
            ("98004", "90024"),
        ),
        ("2x Lucky! (my pet card) [0]", "01080", "We skipped “my pet card”.", ()),
        ("2x Strange Solution (4) (02263)", "02263", "", ()),
        ("2x Beat Cop (2) (01018)", "01028", "We skipped “01018”.", ()),
        ("2x Beat Cop [01028] (2)", "01028", "", ()),
        ("2x Machete [01520]", "01520", "", ()),
        ("2x Machete (01016)", "01020", "We skipped “01016”.", ()),
        ("Roland Banks (90024)", "90024", "", ()),
        ("Agatha Crane (Mystic)", "11008", "", ()),
        ("2x .45 Thompson (Rogue) [3]", "05187", "", ()),
        ("1x Flux Stabilizer", "10005", "", ()),
        ("2x Runic Axe (3)", "09022", "We skipped “3”.", ()),
        ("2x Machete (Undimensioned and Unseen)", "01020", _OTHER_PRODUCT, ()),
        ("2x Dark Horse (The Dunwich Legacy Investigator Expansion)", "02234", "", ()),
    ],
)
def test_an_assumption_about_a_card_is_reported(
    text: str, code: str, message: str, candidates: tuple[str, ...]
) -> None:
    """With the other cards that may have been meant."""
    read = one(text)

    assert (read.code, read.text, read.candidates) == (code, message, candidates)


@pytest.mark.parametrize(
    ("investigator", "name", "code"),
    [
        ("Roland Banks", "The Necronomicon", "02140"),
        ("Daisy Walker", "The Necronomicon", "01009"),
        ("Tommy Muldoon (The Officer)", "Becky", "60152"),
        ("Tommy Muldoon", "Becky", "06006"),
    ],
)
def test_a_shared_name_means_the_investigators_own_signature(
    investigator: str, name: str, code: str
) -> None:
    """Other investigators' signatures come last."""
    read = read_text(f"{investigator}\n1x {name}\n", embedded_pool())

    assert read.deck["slots"] == {code: 1}


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("2x Machette", "We couldn’t find a card called “Machette”.", "Machete"),
        ("2x Leo De Luca [3]", "Leo De Luca has no level 3.", "0, 1"),
        (
            "2x zzzzz",
            "We couldn’t find a card called “zzzzz”.",
            "the English name of a card, or its code",
        ),
        (
            "2x 99999",
            "We couldn’t find a card called “99999”.",
            "the English name of a card, or its code",
        ),
        ("2x Machete " + "x" * 300, "This line is too long.", "at most 300 characters"),
    ],
)
def test_a_line_that_is_not_understood_is_reported(
    text: str, message: str, expected: str
) -> None:
    """With what would have been understood, or names that look alike."""
    read = one(text)

    assert read.kind is LineKind.NOT_UNDERSTOOD
    assert (read.text, read.expected, read.code) == (message, expected, "")


def test_a_line_without_a_quantity_is_told_to_add_one() -> None:
    """A line with a quantity gets advice about names and codes only."""
    _who, read = read_text("Roland Banks\nzzzzz [2]", POOL).lines
    assert read.expected == "the number of copies, then the card: 2x Machete"


def kinds(text: str) -> list[tuple[int, LineKind]]:
    """Return how every line is understood."""
    return [(each.line, each.kind) for each in read_text(text, POOL).lines]


def test_a_loosely_written_list_is_understood() -> None:
    """Name, investigator, headings, a taboo list, a side deck, bonded cards."""
    text = (
        "My deck\n"
        "Investigator: Agnes Baker\n"
        "Taboo List: 2023-08-30 (mutated)\n"
        "\n"
        "Assets (4)\n"
        "2x Holy Rosary\n"
        "1 Holy Rosary\n"
        "--- \n"
        "Total cards: 30\n"
        "what is this\n"
        "Side deck:\n"
        "2x Shrivelling [5]\n"
        "Bonded Cards\n"
        "3x Soothing Melody\n"
        "Wendy Adams\n"
    )

    assert kinds(text) == [
        (1, LineKind.NAME),
        (2, LineKind.INVESTIGATOR),
        (3, LineKind.TABOO),
        (5, LineKind.PASSED_OVER),
        (6, LineKind.CARD),
        (7, LineKind.CARD),
        (8, LineKind.PASSED_OVER),
        (9, LineKind.PASSED_OVER),
        (10, LineKind.NOT_UNDERSTOOD),
        (11, LineKind.PASSED_OVER),
        (12, LineKind.SIDE_CARD),
        (13, LineKind.PASSED_OVER),
        (14, LineKind.PASSED_OVER),
        (15, LineKind.PASSED_OVER),
    ]
    read = read_text(text, POOL)
    assert read.deck == {
        "name": "My deck",
        "investigator_code": "01004",
        "slots": {"01059": 3},
        "sideSlots": {"02306": 2},
        "taboo_id": 6,
    }
    assert read.lines[-1].text == "The list already has an investigator: Agnes Baker."
    assert not read.understood


def test_a_first_line_without_a_quantity_is_the_name_if_others_have_one() -> None:
    """Even if a card has that name; in a list without quantities it is the card."""
    assert read_text("Lucky!\n2x Machete", POOL).deck["name"] == "Lucky!"
    assert read_text("19xp Roland\n2x Machete", POOL).deck["name"] == "19xp Roland"
    assert read_text("Lucky!\nMachete", POOL).deck["slots"] == {"01080": 1, "01020": 1}


def test_an_unknown_taboo_list_is_reported() -> None:
    """With the dates of the taboo lists."""
    read = one("Taboo list: 2018-01-01")

    assert read.kind is LineKind.NOT_UNDERSTOOD
    assert read.expected.startswith("2019-04-20, 2019-09-27")
    assert one("Taboo: none").kind is LineKind.PASSED_OVER


def test_the_investigator_may_have_a_quantity() -> None:
    """Some programs write it."""
    read = read_text("1x Roland Banks\n2x Machete", POOL)

    assert read.deck["investigator_code"] == "01001"
    assert read.deck["slots"] == {"01020": 2}


@pytest.mark.parametrize("text", ["", "\n\n \n", "\ufeff"])
def test_an_empty_text_is_an_empty_list(text: str) -> None:
    assert read_text(text, POOL) == ListRead(
        {
            "name": "",
            "investigator_code": "",
            "slots": {},
            "sideSlots": {},
            "taboo_id": None,
        },
        (),
    )


def test_a_list_is_read_up_to_a_limit() -> None:
    """Five hundred lines; the rest is reported as not read."""
    read = read_text("1x Machete\n" * 501, POOL)

    assert read.deck["slots"] == {"01020": 500}
    assert read.lines[-1].text == "The list is too long; we didn’t read the rest."


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    """Every line that is not blank gets a result."""
    read = read_text(text, POOL)

    told = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    assert len(read.lines) == len(told)


def test_accents_capitals_and_punctuation_do_not_matter() -> None:
    """People leave them out when they type."""
    assert fold("Kōhaku’s “Skids” O'Toole") == "kohakus skids otoole"
    assert fold("…A Device, of Some Sort!") == "a device of some sort"
    assert fold("Søren & Łukasz") == "soren lukasz"


@pytest.mark.parametrize(
    ("text", "line", "suggestion"),
    [
        ("Roland Bank\n2x Machete", 1, ("Roland Banks", "Roland Banks")),
        ("Rolnd\n2x Machete", 1, ("Roland Banks", "Roland Banks")),
        (
            "Investigator: Rolland Banks\n2 Machete",
            1,
            ("Roland Banks", "Investigator: Roland Banks"),
        ),
        ("My deck\nDaisy Wallker\n2 Machete", 2, ("Daisy Walker", "Daisy Walker")),
        (
            "My deck\nRoland Bank\nPacks: Core Set\n2x Machete",
            2,
            ("Roland Banks", "Roland Banks"),
        ),
        ("Roland Banks\n2x Machette", 2, ("Machete", "2x Machete")),
        ("Roland Banks\n  - Gaurd Dog (2)", 2, ("Guard Dog", "  - Guard Dog (2)")),
        ("Roland Banks\n1x Evidnce!", 2, ("Evidence!", "1x Evidence!")),
    ],
)
def test_a_misspelt_name_is_suggested(
    text: str, line: int, suggestion: tuple[str, str]
) -> None:
    """With the corrected line, which is then understood."""
    found = next(each for each in read_text(text, POOL).lines if each.line == line)
    assert found.kind is LineKind.NOT_UNDERSTOOD
    assert suggestion in found.suggestions

    lines = text.splitlines()
    lines[line - 1] = suggestion[1]
    corrected = read_text("\n".join(lines), POOL)
    read = next(each for each in corrected.lines if each.line == line)
    assert read.kind in (LineKind.CARD, LineKind.INVESTIGATOR)


def test_a_misspelt_card_after_others_is_not_the_name_of_the_deck() -> None:
    """Not even if those before it were misspelt too."""
    read = read_text("Roland Banks\n2x Machette\nEvidnce!\n1 Guts", POOL)
    assert read.deck["name"] == ""
    kinds = [each.kind for each in read.lines]
    missed = LineKind.NOT_UNDERSTOOD
    assert kinds == [LineKind.INVESTIGATOR, missed, missed, LineKind.CARD]


def test_a_misspelt_investigator_is_not_the_name_of_the_deck() -> None:
    """Unless another line names the investigator."""
    read = read_text("Roland Bank\n2x Machete", POOL)
    assert read.deck["name"] == ""
    assert read.lines[0].text == "We couldn’t find the investigator “Roland Bank”."
    for text in (
        "Roland Bank\nRoland Banks\n2x Machete",
        "Name: Roland Bank\n2x Machete",
    ):
        assert read_text(text, POOL).deck["name"] == "Roland Bank"
    for name in ("Guns and evidence", "Learning the ropes", "Big Money"):
        read = read_text(f"{name}\n2x Machete", POOL)
        assert (read.deck["name"], read.lines[0].kind) == (name, LineKind.NAME)


@pytest.mark.parametrize(
    "said",
    ["-2x", "-2", "−2x", "–2x", "+2x", "1.5x", "2,5x", "½x", "²x", "1e3x", "99999999x",
     "2x2", "2/2", "(2)", "#2", "-0x"],
)  # fmt: skip
@pytest.mark.parametrize("head", ["Roland Banks\n", "My deck\nRoland Banks\n", ""])
def test_an_invalid_quantity_is_reported(said: str, head: str) -> None:
    """It adds no copy, and the line is not the name of the deck either."""
    for card in ("Machete", "Machete #01020", "[Machete](/card/01020)"):
        read = read_text(f"{head}{said} {card}\n2x Knife\n", POOL)
        assert "01020" not in read.deck["slots"]
        assert read.deck["name"] in ("", "My deck")
        line = next(each for each in read.lines if "Machete" in each.said)
        assert (line.kind, line.message) == (
            LineKind.NOT_UNDERSTOOD,
            "“{said}” isn’t a number of copies.",
        )


@pytest.mark.parametrize("name", ["2.0 beta", "-1 to all", "3,000 ways to die", "1/2"])
def test_the_name_of_a_deck_may_begin_with_a_number(name: str) -> None:
    """A line that names no card may still be the name."""
    assert read_text(f"{name}\nRoland Banks\n2x Knife\n", POOL).deck["name"] == name


@pytest.mark.parametrize("name", ["Roland Banks (Parallel)", "Roland Banks [parallel]"])
def test_a_parallel_investigator_may_be_marked_as_such(name: str) -> None:
    """Nothing is assumed, as there is only one of that name."""
    read = one(name)
    assert (read.kind, read.code, read.message) == (LineKind.INVESTIGATOR, "90024", "")


def test_a_parallel_investigator_may_have_a_subtitle() -> None:
    for name in (
        "Roland Banks: The Fed (Parallel)",
        "Roland Banks (The Fed) [parallel]",
    ):
        assert (
            read_text(f"{name}\n2x Machete", POOL).deck["investigator_code"] == "90024"
        )


@pytest.mark.parametrize(
    ("first", "name", "copies"),
    [
        ("Build 2x", "Build 2x", None),
        ("Build x2", "Build x2", None),
        ("My deck: 2", "My deck: 2", None),
        ("Machete: 2", "", 2),
        ("Machete 2x", "", 2),
        ("Machette 2x", "", None),
    ],
)
def test_a_first_line_may_end_with_a_number(
    first: str, name: str, copies: int | None
) -> None:
    """It is the name of the deck if no card has that name or a similar one."""
    read = read_text(f"{first}\nRoland Banks\n2x Knife", POOL)
    assert read.deck["name"] == name
    assert read.deck["slots"].get("01020") == copies
    assert read.deck["slots"]["01086"] == 2
    assert read.understood is (first != "Machette 2x")


def test_a_name_may_end_in_a_number_if_quantities_come_last() -> None:
    """A code after a colon is not a quantity."""
    read = read_text("Episode 4: 3\nRoland Banks\nMachete x2\nKnife: 2", POOL)
    assert read.deck["name"] == "Episode 4: 3"
    assert read.deck["slots"] == {"01020": 2, "01086": 2}
    assert read.understood
    assert "01020" not in read_text("Roland Banks\nMachete: 01020", POOL).deck["slots"]
