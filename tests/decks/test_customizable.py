"""Every line of every upgrade sheet: in the builder, at the desk, in files, judged."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.finding import Severity, english
from arkham.rules.legality import Verdict, check_deck
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.interchange.importing import read_list
from decks.lists.content import Content, read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk
from decks.services.ledger import Earned
from tests.decks.customizable import LINES, SHEETS, Filled
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import (
    RUNIC_AXE,
    axes_content,
    desk_mark,
    press_at_desk,
)
from tests.decks.helpers import latest_of

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
POOL = embedded_pool()
MOST = 10
each_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=[s.name for s in SHEETS])


def _content(sheet: Filled, *changes: tuple[str, str]) -> Content:
    start = starter_deck(POOL, sheet.investigator)
    return apply(start, [("add", sheet.code), *changes], POOL)


def _deck(owner: User, sheet: Filled, *changes: tuple[str, str]) -> Deck:
    return services.create_deck(owner=owner, content=_content(sheet, *changes), now=NOW)


def _meta(deck: Deck, sheet: Filled) -> str | None:
    deck.refresh_from_db()
    meta = deck.revisions.get(number=deck.revision).list["meta"]
    found: str | None = meta.get(f"cus_{sheet.code}")
    return found


def _filled(sheet: Filled, **told: Any) -> Content:
    changes = [
        ("mark", f"{sheet.code}:{at}:1") for at, n in enumerate(sheet.boxes) if n
    ]
    content = _content(sheet, *changes)
    deck = content.deck | {"meta": {f"cus_{sheet.code}": sheet.meta}} | told
    return Content(deck, content.circumstances)


def _verdict(content: Content) -> Verdict:
    asked = content.asked()
    return check_deck(asked.deck, POOL, asked.circumstances)


def _found(content: Content) -> dict[str, tuple[object, object]]:
    """Return found and expected of the findings about sheets, by rule."""
    return {
        each.rule: (each.actual, english(each.expected))
        for each in _verdict(content).findings
        if each.rule.startswith("customization.")
    }


def _fields(page: str, code: str, line: int) -> list[tuple[str, list[str]]]:
    """Return the fields of one line: their kind, and the values they offer."""
    form = next(
        form
        for form in re.findall(r'<form class="write".*?</form>', page, re.S)
        if f'name="card" value="{code}"' in form
        and f'name="line" value="{line}"' in form
    )
    offered = re.findall(r'<option value="([^"]+)"', form)
    return [
        (kind, [unescape(each) for each in offered])
        for kind in re.findall(r'<(select|input) name="written"', form)
    ]


def test_the_table_has_every_sheet() -> None:
    assert {card.code for card in POOL.values() if card.sheet} == LINES.keys()
    assert [sheet.code for sheet in SHEETS] == list(LINES)


@each_sheet
def test_lines_keep_their_ids_and_positions(sheet: Filled) -> None:
    """Decks store a line by its position, which must never change."""
    lines = POOL[sheet.code].sheet
    assert " ".join(line.id for line in lines) == LINES[sheet.code]
    assert [line.position for line in lines] == list(range(len(sheet.boxes)))
    assert tuple(line.boxes for line in lines) == sheet.boxes


# -- in the builder and at the desk --


# Some of what may be written where it is not chosen among a few.
SUGGESTED = {
    "09042": ("Book of Shadows", "Encyclopedia", "Shrivelling"),
    "09060": ("Illicit", "Trick"),
    "09101": ("Ancient One", "Monster"),
}


@each_sheet
def test_the_page_has_every_box_and_every_choice(
    alice: User, as_alice: Client, sheet: Filled
) -> None:
    """The printed number of boxes, and a field for each text or choice."""
    deck = _deck(alice, sheet)
    page = as_alice.get(f"/decks/{deck.pk}/edit?open={sheet.code}").content.decode()
    for line, boxes in enumerate(sheet.boxes):
        found = re.findall(rf'id="box-{sheet.code}-{line}-(\d)"', page)
        assert found == [str(number) for number in range(1, boxes + 1)]
        if line in sheet.written:
            wanted = len(sheet.written[line])
            assert len(_fields(page, sheet.code, line)) == wanted
    suggested = re.search(
        rf'<datalist id="suggested-{sheet.code}">(.*?)</datalist>', page
    )
    offered = re.findall(r'value="([^"]+)"', suggested[1]) if suggested else []
    assert set(SUGGESTED.get(sheet.code, ())) <= set(offered)
    assert bool(offered) is (sheet.code in SUGGESTED)
    forms = page.count(f'name="card" value="{sheet.code}"')
    assert forms == len(sheet.written)


@each_sheet
def test_a_sheet_is_filled_in_at_the_builder(
    alice: User, as_alice: Client, sheet: Filled
) -> None:
    """Box by box and choice by choice, with the page's buttons."""
    deck = _deck(alice, sheet)
    for line, boxes in enumerate(sheet.boxes):
        if boxes:
            as_alice.post(
                f"/decks/{deck.pk}/edit",
                {"revision": deck.revision, "do": f"mark={sheet.code}:{line}:1"},
            )
            deck.refresh_from_db()
        if line in sheet.written:
            answer = as_alice.post(
                f"/decks/{deck.pk}/edit",
                {
                    "revision": deck.revision,
                    "write": "1",
                    "card": sheet.code,
                    "line": line,
                    "written": sheet.written[line],
                },
            )
            assert answer.status_code == 303
            deck.refresh_from_db()
    assert _meta(deck, sheet) == sheet.meta


@each_sheet
def test_a_box_is_marked_and_unmarked(
    alice: User, as_alice: Client, sheet: Filled
) -> None:
    """Pressing the last box fills a line; pressed again, it is cleared."""
    line = max(range(len(sheet.boxes)), key=sheet.boxes.__getitem__)
    most = sheet.boxes[line]
    deck = _deck(alice, sheet)
    for wanted in (most, most - 1):
        page = as_alice.get(f"/decks/{deck.pk}/edit?open={sheet.code}").content.decode()
        button = re.search(
            rf'id="box-{sheet.code}-{line}-{most}"[^>]*value="([^"]+)"', page
        )
        assert button is not None
        as_alice.post(
            f"/decks/{deck.pk}/edit", {"revision": deck.revision, "do": button[1]}
        )
        left = f"{line}|{wanted}" if wanted else None
        assert _meta(deck, sheet) == left


@pytest.mark.slow
@each_sheet
def test_a_sheet_is_filled_in_at_the_desk(
    alice: User, as_alice: Client, sheet: Filled
) -> None:
    """A point for every box; texts and choices cost nothing."""
    deck = _deck(alice, sheet)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame((Earned("victory", 10),)),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    address = f"/decks/{deck.pk}/upgrade/"
    for line, boxes in enumerate(sheet.boxes):
        forms: list[dict[str, Any]] = []
        if boxes:
            forms.append({"do": f"mark={sheet.code}:{line}:1"})
        if line in sheet.written:
            written = {"card": sheet.code, "line": line, "written": sheet.written[line]}
            forms.append({"write": "1"} | written)
        for form in forms:
            page = as_alice.get(address).content.decode()
            seen = re.search(r'data-revision="([\d.]+)"', page)
            assert seen is not None
            answer = as_alice.post(address, form | {"revision": seen[1]})
            assert answer.status_code == 303
    assert Desk.objects.get().list["meta"][f"cus_{sheet.code}"] == sheet.meta
    marked = sum(1 for boxes in sheet.boxes if boxes)
    page = " ".join(
        re.sub(r"<[^>]+>", " ", as_alice.get(address).content.decode()).split()
    )
    assert f"{10 - marked} of 10 left" in page


# -- files --


@each_sheet
@pytest.mark.parametrize("file", ["list.json", "plain.txt", "list.md"])
def test_a_sheet_survives_a_round_trip(
    alice: User, as_alice: Client, sheet: Filled, file: str
) -> None:
    """Positions, boxes and texts, as ArkhamDB's formats have them."""
    deck = services.create_deck(owner=alice, content=_filled(sheet), now=NOW)
    text = as_alice.get(f"/decks/{deck.pk}/{file}").content.decode()
    if file == "list.json":
        assert json.loads(json.loads(text)["meta"]) == {f"cus_{sheet.code}": sheet.meta}
    read = read_list(text, POOL)
    assert read.content is not None
    assert read.missed == ()
    assert read.content.deck["meta"] == {f"cus_{sheet.code}": sheet.meta}


# -- rules --


@each_sheet
def test_a_correctly_filled_in_sheet_has_no_findings(sheet: Filled) -> None:
    assert _found(_filled(sheet)) == {}


@each_sheet
def test_the_level_is_half_the_boxes(sheet: Filled) -> None:
    """Rounded up; the experience is the boxes."""
    marked = sum(1 for boxes in sheet.boxes if boxes)
    verdict = _verdict(_filled(sheet))
    plain = _verdict(_content(sheet))
    assert verdict.experience_required - plain.experience_required == marked


@each_sheet
def test_an_eleventh_box_is_a_finding(sheet: Filled) -> None:
    """Ten boxes of a sheet may be marked, whatever the lines."""
    lines, left = [], MOST + 1
    for line, boxes in enumerate(sheet.boxes):
        marked = min(boxes, left)
        left -= marked
        if marked:
            lines.append(f"{line}|{marked}")
    meta = {f"cus_{sheet.code}": ",".join(lines)}
    content = _content(sheet)
    found = _found(Content(content.deck | {"meta": meta}, {}))
    assert found["customization.cap"] == (11, 10)


@each_sheet
def test_a_box_too_many_on_a_line_is_a_finding(sheet: Filled) -> None:
    line = max(range(len(sheet.boxes)), key=sheet.boxes.__getitem__)
    most = sheet.boxes[line]
    content = _content(sheet, ("mark", f"{sheet.code}:{line}:{most + 1}"))
    assert _found(content)["customization.boxes"] == (most + 1, most)


@each_sheet
def test_an_unknown_line_is_a_finding(sheet: Filled) -> None:
    last = len(sheet.boxes)
    content = _content(sheet, ("mark", f"{sheet.code}:{last}:1"))
    assert _found(content)["customization.line"] == (last, f"0–{last - 1}")


@each_sheet
def test_a_text_on_a_line_without_one_is_a_finding(sheet: Filled) -> None:
    line = next(at for at in range(len(sheet.boxes)) if at not in sheet.written)
    content = _content(sheet, ("write", f"{sheet.code}:{line}:Relic"))
    assert _found(content)["customization.choice"] == ("Relic", "nothing")


@pytest.mark.parametrize(
    "sheet", [s for s in SHEETS if s.written], ids=lambda s: s.name
)
def test_a_missing_choice_is_reported(sheet: Filled) -> None:
    """On a filled line; a line that is not filled needs no choice."""
    content = _content(
        sheet,
        *(("mark", f"{sheet.code}:{at}:{sheet.boxes[at]}") for at in sheet.written),
    )
    assert _found(content)["customization.unwritten"] == (0, len(sheet.written))


@each_sheet
def test_boxes_raise_the_level_that_counts_for_access(sheet: Filled) -> None:
    """Zoey and Rex may have level 0 of other classes: two boxes are level 1."""
    who = "02002" if sheet.investigator == "01001" else "02001"
    line = max(range(len(sheet.boxes)), key=sheet.boxes.__getitem__)
    found = {}
    for boxes in (0, 2):
        meta = {f"cus_{sheet.code}": f"{line}|{boxes}"}
        deck = {"investigator_code": who, "slots": {sheet.code: 1}, "meta": meta}
        found[boxes] = {
            each.rule
            for each in _verdict(read_content(deck)).findings
            if sheet.code in each.cards and each.severity is not Severity.ADVICE
        }
    neutral = sheet.code == "09119"
    assert found[0] == set()
    assert found[2] == (set() if neutral else {"customization.access"})


WRONG = {
    "09042": ("01032", "Tome/Spell"),  # an ally
    "09060": ("Nonsense", "a trait"),
    "09079": ("wild", "a skill"),
    "09080": ("2", "one of its slots"),
    "09101": ("Nonsense", "a trait"),
}


@pytest.mark.parametrize(
    "sheet", [s for s in SHEETS if s.written], ids=lambda s: s.name
)
def test_an_invalid_choice_is_a_finding(sheet: Filled) -> None:
    written, expected = WRONG[sheet.code]
    line = next(iter(sheet.written))
    content = _content(sheet, ("write", f"{sheet.code}:{line}:{written}"))
    assert _found(content)["customization.choice"] == (written, expected)


@pytest.mark.parametrize(
    "sheet", [s for s in SHEETS if len(s.written) > 1], ids=lambda s: s.name
)
def test_choices_may_not_repeat(sheet: Filled) -> None:
    """On another line of the sheet."""
    first, second = list(sheet.written)[:2]
    named = sheet.meta.split(",")[first].split("|")[2].split("^")[0]
    content = _content(
        sheet,
        ("write", f"{sheet.code}:{first}:{named}"),
        ("write", f"{sheet.code}:{second}:{named.lower()}"),
    )
    assert _found(content)["customization.choice"][1] == "another one"


# -- taboo lists --


@each_sheet
def test_a_list_of_taboos_changes_two_sheets(
    alice: User, as_alice: Client, sheet: Filled
) -> None:
    """Power Word's second line, and the price of a line of the Runic Axe."""
    deck = _deck(alice, sheet)
    address = f"/decks/{deck.pk}/edit?open={sheet.code}"
    without = as_alice.get(address).content.decode()
    services.revise_deck(
        deck=deck,
        content=_content(sheet, ("choose", "taboo:10")),
        expected_revision=1,
        now=NOW,
    )
    under = as_alice.get(address).content.decode()
    assert ("Mercy" in without, "Cower" in without) == (sheet.code == "09081", False)
    assert ("Mercy" in under, "Cower" in under) == (False, sheet.code == "09081")
    assert "1 more experience" not in without
    assert ("1 more experience" in under) is (sheet.code == "09022")


def test_the_hunt_costs_one_more_under_taboos(alice: User, as_alice: Client) -> None:
    """One experience besides its boxes; the level only counts boxes."""
    axe = next(sheet for sheet in SHEETS if sheet.code == "09022")
    costs = {
        taboo: _verdict(
            _content(axe, ("choose", f"taboo:{taboo}"), ("mark", "09022:3:1"))
        ).experience_required
        for taboo in ("none", "10")
    }
    assert costs["10"] - costs["none"] == 1


def _axes_exiled(owner: User) -> Deck:
    """Return a deck whose two axes with boxes marked were exiled in a game."""
    marks = [("mark", f"{RUNIC_AXE}:1:1"), ("write", f"{RUNIC_AXE}:2:Kept")]
    content = apply(axes_content(), marks, POOL)
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    game = services.PlayedGame(aftermath={"exiled": {RUNIC_AXE: 2}})
    services.mark_played(deck=deck, game=game, expected_revision=1, now=NOW)
    return deck


def _sheet_on_desk(deck: Deck) -> str:
    desk = services.desk_of(latest_of(deck))
    assert desk is not None
    return str(desk.content.deck["meta"].get(f"cus_{RUNIC_AXE}", ""))


SHEET = "1|1,2|0|Kept"


def test_a_card_that_was_not_exiled_keeps_its_sheet(
    alice: User, as_alice: Client
) -> None:
    """An exiled card is bought again, and its sheet is blank."""
    deck = _axes_exiled(alice)
    press_at_desk(as_alice, deck, do=f"add={RUNIC_AXE}")
    assert _sheet_on_desk(deck) == ""
    press_at_desk(as_alice, deck, do=f"unexile={RUNIC_AXE} add={RUNIC_AXE}")
    assert _sheet_on_desk(deck) == SHEET
    press_at_desk(as_alice, deck, do=f"remove={RUNIC_AXE}:2")
    press_at_desk(as_alice, deck, do=f"add={RUNIC_AXE}")
    assert _sheet_on_desk(deck) == SHEET


def test_a_corrected_game_restores_the_sheet(alice: User, as_alice: Client) -> None:
    """A copy stayed in the deck after all."""
    deck = _axes_exiled(alice)
    fields = {"revision": desk_mark(as_alice, deck), f"exiled-{RUNIC_AXE}": "1"}
    answer = as_alice.post(f"/decks/{deck.pk}/upgrade/told", fields)
    assert answer.status_code == 303
    assert _sheet_on_desk(deck) == SHEET
