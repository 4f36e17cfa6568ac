"""Lists pasted from other sites, chats and spreadsheets."""

from __future__ import annotations

import pytest

from arkham.rules.notation.lines import LineKind
from arkham.rules.notation.text import read_text
from arkham.rules.snapshot import embedded_pool

POOL = embedded_pool()
HEAD = "Roland Banks (01001)\n"


@pytest.mark.parametrize(
    ("text", "code", "copies"),
    [
        ("[2x]Machete", "01020", 2),
        ("(2x)Machete", "01020", 2),
        ("2x (01020)", "01020", 2),
        ("(01020)", "01020", 1),
        ("(#01020)", "01020", 1),
        ("2 [01020]", "01020", 2),
        ("2x(01020)", "01020", 2),
        ("(01020) x2", "01020", 2),
        ("(01020): 2", "01020", 2),
        ("2x (01020) (Core Set)", "01020", 2),
        ("1x (11068b)", "11068b", 1),
        ("2x 01020 Machete", "01020", 2),
        ("2x (01020) Machete", "01020", 2),
        ("(01020) Machete x2", "01020", 2),
        ("(01020) 2x Machete", "01020", 2),
        ("2x #01020: Machete", "01020", 2),
        ("01020 Machete", "01020", 1),
        ("01020 Machete x2", "01020", 2),
        ("01020: Machete", "01020", 1),
        ("01020 2", "01020", 2),
        ("01020\t2", "01020", 2),
        ('"01020": 2,', "01020", 2),
        ("2\tMachete", "01020", 2),
        ("1\tShotgun\t4", "01029", 1),
        ("1\tShotgun\t4\tGuardian", "01029", 1),
        ("2,Machete", "01020", 2),
        ("1,Shotgun,4", "01029", 1),
        ('2,"Old Book of Lore",0', "01031", 2),
        ("2;Machete", "01020", 2),
        ("Machete,2", "01020", 2),
        ('"Machete",2', "01020", 2),
        ("Machete - 2", "01020", 2),
        ("Machete – 2", "01020", 2),
        ("Machete, 2", "01020", 2),
        ("Beat Cop (2) - 1", "01028", 1),
        ("Machete\t0\t2", "01020", 2),
        ("Machete,2,0", "01020", 2),
        ("2x\tMachete\t0", "01020", 2),
        ("Shotgun\tGuardian\t4\t1", "01029", 1),
        ("| Beat Cop | 2 | 1 |", "01028", 1),
        ("Vicious Blow;2;2", "02299", 2),
        ("01020,Machete,2", "01020", 2),
        ("01020 Machete 2", "01020", 2),
        ("01020 2x Machete", "01020", 2),
        ("01020,2,Machete", "01020", 2),
        ("01020\t2\tMachete", "01020", 2),
        ('"01020","Machete","2"', "01020", 2),
        ('01079,"""Look what I found!""",2', "01079", 2),
        ("01029,1,Shotgun,4", "01029", 1),
        ("01029,Shotgun,4,1", "01029", 1),
        ("01020,Machete,2,Core Set,guardian", "01020", 2),
        ("01520 Machete x2", "01520", 2),
        ("01104 x2", "01104", 2),
        ("01104 The Gathering x2", "01104", 2),
        ("2x Predator or Prey? (#01121a)", "01121a", 2),
        ("2x Predator or Prey? (#09107)", "09107", 2),
        ("1x Jim Culver (4)", "60479", 1),
        ("Jim Culver (4)", "60479", 1),
        ("Jim Culver [4]", "60479", 1),
        ("1x Cornered! #09543", "09543", 1),
        ("21 or Bust #08048", "08048", 1),
        ("08048 21 or Bust x2", "08048", 2),
        ('2\tMr. "Rook"\t0', "05153", 2),
        ('2,"""Look what I found!""",0', "01079", 2),
        ("3. 2x Machete", "01020", 2),
        ("4) Machete x2", "01020", 2),
        ("> 2x Machete", "01020", 2),
        ("> - 2x Machete", "01020", 2),
        ("`2x Machete`", "01020", 2),
        ("||2x Machete||", "01020", 2),
        ("| 2 | Machete | 0 |", "01020", 2),
        ("| Machete | 2 |", "01020", 2),
        ("| 1 | Shotgun | 4 | Guardian |", "01029", 1),
        ("| 2 | [Beat Cop](/card/01028) | 2 |", "01028", 2),
        ("- [ ] 2x Machete", "01020", 2),
        ("- [x] 2x Machete", "01020", 2),
        ("☐ 2x Machete", "01020", 2),
        ("▪ 2x Machete", "01020", 2),
        ("[b]2x[/b] Machete", "01020", 2),
        ("<b>2x</b> Machete", "01020", 2),
        ('2x <a href="/card/01020">Machete</a>', "01020", 2),
        ("2x Beat Cop lvl 2", "01028", 2),
        ("2x Beat Cop, level 2", "01028", 2),
        ("2x Beat Cop 2xp", "01028", 2),
        ("2x Beat Cop 2 XP", "01028", 2),
        ("2x Beat Cop (lvl. 2)", "01028", 2),
        ("2x Beat Cop (••)", "01028", 2),
        ("2x Beat Cop ★★", "01028", 2),
        ("2x Maczeta #01020", "01020", 2),
        ("2x Beat Cop (2) #01028", "01028", 2),
        ("2x Beat Cop (#01028)", "01028", 2),
        ("2x Beat Cop [#01028]", "01028", 2),
        ("05178d Unfinished Business x2", "05178d", 2),
        ("05178j,Unfinished Business,1", "05178j", 1),
        ("01121A\t2\tPredator or Prey?", "01121a", 2),
    ],
)
def test_a_pasted_line_is_understood(text: str, code: str, copies: int) -> None:
    """Not as the name of the deck either, though it comes first."""
    read = read_text(f"{HEAD}{text}\n2x Knife\n", POOL)
    line = read.lines[1]
    assert (line.kind, line.code, line.copies) == (LineKind.CARD, code, copies)
    assert "skipped" not in line.text
    assert read.deck["name"] == ""


@pytest.mark.parametrize(
    "around",
    [
        ("| Qty | Card | Level |", "|-----|:----:|------:|", "| 2 | Machete | 0 |", ""),
        ("Quantity\tName\tLevel", "2\tMachete\t0"),
        ("Name\tLevel\tCopies", "Machete\t0\t2"),
        ("Copies\tLevel\tName", "2\t0\tMachete"),
        ("Card,Subtitle,Cost,XP,Qty", '"Machete",,3,0,2x'),
        ("Level\tCard\tQty", "\tMachete\t2"),
        ("| XP | Card | Qty |", "|  | Machete | 2 |"),
        ("ID,Cost,XP,Class,Copies,Card", "01020,3,0,Guardian,2,Machete"),
        ("Card;Copies", "Assets", "Machete;2"),
        ("Card\tLevel", "Machete\t0", "Machete\t0"),
        ("<ul>", "<li>2x Machete</li>", "</ul>"),
        ("<table>", "<tr><td>2x Machete</td></tr>", "</table>"),
    ],
)
def test_what_only_frames_a_list_is_passed_over(around: tuple[str, ...]) -> None:
    read = read_text(HEAD + "\n".join(around), POOL)
    assert read.understood
    assert (read.deck["slots"], read.deck["name"]) == ({"01020": 2}, "")


@pytest.mark.parametrize(
    ("heading", "code", "copies"),
    [("Name\tLevel\tCopies", "02154", 5), ("Name\tCopies\tLevel", "02306", 3)],
)
def test_the_heading_of_a_table_tells_level_from_copies(
    heading: str, code: str, copies: int
) -> None:
    """Without it, a row that can be read both ways is not; each way is suggested."""
    row = "Shrivelling\t3\t5"
    assert read_text(f"{HEAD}{heading}\n{row}", POOL).deck["slots"] == {code: copies}
    line = read_text(HEAD + row, POOL).lines[1]
    assert line.text == "Either number may be the level."
    assert [name for name, _line in line.suggestions] == [
        "5x Shrivelling (3)",
        "3x Shrivelling (5)",
    ]


def test_a_misspelt_name_in_a_table_is_suggested_in_its_row() -> None:
    read = read_text(f"{HEAD}Name\tLevel\tCopies\nBeet Cop\t2\t1", POOL)
    assert read.lines[-1].suggestions == (("Beat Cop", "Beat Cop\t2\t1"),)


@pytest.mark.parametrize(
    ("text", "code", "skipped"),
    [
        ("2x Beat Cop (2) #01018", "01018", "2"),
        ("2x Beat Cop [0] #01028", "01028", "0"),
        ("[Beat Cop (2)](/card/01018) x2", "01018", "2"),
        ("2x Grizzled [3] (09101)", "09101", "3"),
        ("2x Grizzled [3] #09101", "09101", "3"),
        ("2x Machete #01016", "01016", "Machete"),
        ("1x Shrivelling [5] (Core Set)", "02306", "Core Set"),
        ("01020,Machete,2,by hand", "01020", "by hand"),
        ("01020: Maczeta", "01020", "Maczeta"),
        ("01016,Machete,2", "01016", "Machete"),
        ("01029 Shotgun (of Zoey)", "01029", "of Zoey"),
        ("1x Predator or Prey? (#01121a) [foo]", "01121a", "foo"),
        ("2x Machete [foo] #01020", "01020", "foo"),
        ("2x Beat Cop (01028) [signed] (Guardian) (Core Set)", "01028", "signed"),
        ("1x Shrivelling (01060) (The Dunwich Legacy)", "01060", "The Dunwich Legacy"),
        ("2x Machete (01020) (01016)", "01020", "01016"),
    ],
)
def test_what_disagrees_is_reported(text: str, code: str, skipped: str) -> None:
    """A code outranks level and name, a level outranks the product."""
    line = read_text(HEAD + text, POOL).lines[1]
    assert (line.code, line.text) == (code, f"We skipped “{skipped}”.")


def test_skipped_words_are_reported_beside_a_choice_between_cards() -> None:
    line = read_text(f"{HEAD}2x Strange Solution [4] (mine)", POOL).lines[1]
    assert line.text.startswith("Several cards are called Strange Solution")
    assert line.text.endswith("We skipped “mine”.")


@pytest.mark.parametrize(
    "text",
    ["99999 Machete", "10001x Machete", "Machete x99999", "Machete (x10001)",
     "01020 x99999", "99999 01020", "6000 Machete\n6000 Machete"],
)  # fmt: skip
def test_more_copies_than_any_list_has_are_refused(text: str) -> None:
    """They are not silently reduced to the most there may be."""
    read = read_text(f"{HEAD}2x Knife\n{text}", POOL)
    assert read.lines[-1].kind is LineKind.NOT_UNDERSTOOD
    assert "isn’t a number of copies" in read.lines[-1].text
    assert read.deck["slots"].get("01020", 0) in (0, 6_000)


@pytest.mark.parametrize(
    "heading",
    ["Sidedeck:", "Side board", "Maybeboard", "Upgrades", "Side deck (x2)", "Side - 2",
     "Side deck (2 cards)"],
)  # fmt: skip
def test_cards_to_buy_later_are_set_apart(heading: str) -> None:
    """Until a heading returns to the deck."""
    read = read_text(f"{HEAD}{heading}\n2x Machete\nMain deck\n2x Knife\n", POOL)
    assert read.understood
    assert (read.deck["slots"], read.deck["sideSlots"]) == ({"01086": 2}, {"01020": 2})


def test_only_bonded_cards_are_passed_over_under_their_heading() -> None:
    """Another section may follow."""
    read = read_text(f"{HEAD}Bonded\n3x Soothing Melody\nSkills\n2x Guts\n", POOL)
    assert read.deck["slots"] == {"01089": 2}


def test_experience_beside_an_investigator_is_no_level() -> None:
    read = read_text("Agnes Baker (5 XP)\n2x Machete\n", POOL)
    assert read.deck["investigator_code"] == "01004"


@pytest.mark.parametrize("line", ["12 XP", "5 packs required.", "Total 30 cards"])
def test_a_count_is_passed_over(line: str) -> None:
    assert read_text(HEAD + line, POOL).understood


def test_an_investigator_with_a_quantity_is_not_another_side_of_their_card() -> None:
    read = read_text("1x Hank Samson\n2x Knife\n", POOL)
    assert read.deck["investigator_code"] == "10015"


@pytest.mark.parametrize(
    "line",
    ["01001 x1", "01001 1x", "01001 1", "01001,Roland Banks,1", "01001;Roland Banks;1"],
)
def test_an_investigator_may_be_given_by_code_with_a_quantity(line: str) -> None:
    assert read_text(f"{line}\n2x Knife\n", POOL).deck["investigator_code"] == "01001"


def test_a_code_after_a_name_makes_an_investigator_a_card() -> None:
    read = read_text(f"{HEAD}1x Daisy Walker #01002\n", POOL)
    assert read.deck["slots"] == {"01002": 1}


@pytest.mark.parametrize(
    "line",
    ["01020 is bad", "10001 nights of Arkham", "12001 hours", "60101 is my favourite",
     "01016 Machete"],
)  # fmt: skip
def test_words_that_begin_with_a_code_are_no_card(line: str) -> None:
    read = read_text(f"{HEAD}{line}\n2x Knife\n", POOL)
    assert read.lines[1].kind is LineKind.NOT_UNDERSTOOD
    assert read.deck["slots"] == {"01086": 2}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Gavriella Mizrah", "05046"),
        ("Jerome Davids", "05047"),
        ("Valentino Rivas", "05048"),
        ("Penny White", "05049"),
    ],
)
def test_a_code_or_product_chooses_someone_without_a_deck(name: str, code: str) -> None:
    """Story assets of the same name come later."""
    for words in (f"({code})", f"[{code}]", "(The Circle Undone)"):
        line = read_text(f"{HEAD}1x {name} {words}\n", POOL).lines[1]
        assert (line.code, line.text) == (code, "")


@pytest.mark.parametrize("title", ["Upgrades", "Maybe", "Upgrade path", "Side deck"])
@pytest.mark.parametrize("investigator", ["Roland Banks", "1x Roland Banks"])
def test_the_first_line_is_no_side_section(title: str, investigator: str) -> None:
    read = read_text(f"{title}\n\n{investigator}\n2x Machete\n", POOL)
    assert read.understood
    assert (read.deck["name"], read.deck["slots"]) == (title, {"01020": 2})


@pytest.mark.parametrize("heading", ["Weaknesses", "Basic weakness (1)"])
def test_weaknesses_are_in_no_side_deck(heading: str) -> None:
    read = read_text(f"{HEAD}Side deck\n2x Machete\n{heading}\n1x Amnesia\n", POOL)
    assert (read.deck["slots"], read.deck["sideSlots"]) == ({"01096": 1}, {"01020": 2})


@pytest.mark.parametrize("label", ["", "Investigator: "])
def test_experience_is_no_level_of_another_card_of_the_name(label: str) -> None:
    read = read_text(f"{label}Jim Culver (4)\n2x Machete\n", POOL)
    assert read.deck["investigator_code"] == "02004"


@pytest.mark.parametrize("said", ["2x (99999)", "2x [#99999]"])
def test_an_unknown_code_in_brackets_is_named(said: str) -> None:
    line = read_text(HEAD + said, POOL).lines[-1]
    assert line.text == "We couldn’t find a card called “99999”."


@pytest.mark.parametrize(
    "said",
    ["(01004)", "Investigator: (01004)", "Investigator: 01004"],
)
def test_a_code_in_brackets_names_the_investigator(said: str) -> None:
    deck = read_text(f"{said}\n2x (01020)", POOL).deck
    assert (deck["investigator_code"], deck["slots"]) == ("01004", {"01020": 2})


@pytest.mark.parametrize("said", ["100000x (01020)", "2x (01020) and more"])
def test_other_words_beside_a_code_in_brackets_are_no_card(said: str) -> None:
    assert read_text(HEAD + said, POOL).deck["slots"] == {}


@pytest.mark.parametrize("said", ["2x Foo #Machete", "Tags: solo #Teamwork"])
def test_a_hashtag_is_no_card(said: str) -> None:
    assert read_text(HEAD + said, POOL).deck["slots"] == {}


def test_a_code_beside_the_investigators_name_is_no_card_of_the_deck() -> None:
    deck = read_text("Investigator: Roland Banks #01020\n2x (01016)", POOL).deck
    assert (deck["investigator_code"], deck["slots"]) == ("01001", {"01016": 2})


@pytest.mark.parametrize("named", ["01020", "(01020)", "Machete", "2x Machete"])
def test_a_card_labelled_as_the_investigator_is_no_card_of_the_deck(named: str) -> None:
    read = read_text(f"Investigator: {named}\n2x (01016)", POOL)
    assert read.deck["slots"] == {"01016": 2}
    assert read.lines[0].text.startswith("We couldn’t find the investigator “")
