"""The embedded card pool is complete, small, reproducible and free of card texts."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.card import Card, TabooChange
from arkham.rules.pool import CardPool
from arkham.rules.snapshot import (
    UnreadableSnapshot,
    card_facts,
    card_from_facts,
    embedded_pool,
    make_pool,
    read_snapshot,
    taboo_facts,
    taboo_from_facts,
    write_snapshot,
)
from arkham.rules.vocabulary import CardType
from tests.rules.printed import printed_runs, runs, strings

PROJECT = Path(__file__).resolve().parents[2]
EMBEDDED = PROJECT / "arkham" / "rules" / "data" / "snapshot"


@pytest.fixture(scope="module")
def content() -> dict[str, Any]:
    """The embedded file as plain JSON."""
    body = EMBEDDED.read_bytes().partition(b"\n")[2]
    found: dict[str, Any] = json.loads(lzma.decompress(body))
    return found


@pytest.fixture(scope="module")
def pool() -> CardPool:
    """The embedded pool."""
    return embedded_pool()


# -- complete --


def test_the_pool_is_complete(pool: CardPool) -> None:
    """The numbers of cards, investigators, products, sets and taboo lists."""
    assert len(pool) == 5739
    assert len(pool.investigators) == 97
    assert len({card.name for card in pool.investigators}) == 68
    assert len(pool.packs) == 113
    assert len(pool.cycles) == 18
    assert len(pool.encounter_sets) == 371
    assert [each.id for each in pool.taboo_lists] == list(range(1, 11))


def test_every_printing_leads_to_its_card(pool: CardPool) -> None:
    """All 5928 codes of the data are known."""
    printings = [each.code for code in pool for each in pool[code].printings]
    assert len(printings) == len(set(printings)) == 5928
    assert pool["01501"] is pool["01001"]


def test_codes_that_cards_name_exist(pool: CardPool) -> None:
    """Signatures, alternatives, lower versions, other sides, packs and sets."""
    for code in pool:
        card = pool[code]
        named = [*card.researched_from, *filter(None, [card.back_code])]
        if card.restriction is not None:
            named += card.restriction.investigators
        if card.investigator is not None:
            named.append(card.investigator.base)
            if card.investigator.back is not None:
                for each in card.investigator.back.requirements:
                    named += each.codes()
        assert all(each in pool for each in named), code
        assert all(each.pack in pool.packs for each in card.printings)
        assert not card.encounter_set or card.encounter_set in pool.encounter_sets
    assert all(pack.cycle in pool.cycles for pack in pool.packs.values())
    assert all(held in pool.packs for p in pool.packs.values() for held in p.holds)
    assert all(code in pool for each in pool.taboo_lists for code in each.changes)


# -- small and quick --


def test_the_embedded_file_is_small() -> None:
    """Below 400 KB, as the project promises."""
    assert EMBEDDED.stat().st_size < 400_000


def test_the_pool_loads_quickly_in_a_fresh_process() -> None:
    """The aim, measured by the bench, is 0.2 s including the import."""
    probe = (
        "import time; start = time.perf_counter();"
        "from arkham.rules.snapshot import embedded_pool; embedded_pool();"
        "print(time.perf_counter() - start)"
    )
    took = [
        float(
            subprocess.run(
                [sys.executable, "-c", probe],
                cwd=PROJECT,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for _ in range(3)
    ]
    assert min(took) < 1.0


# -- reproducible --


def unpacked(data: bytes) -> tuple[bytes, bytes]:
    """Return header and JSON, since another packer version may compress differently."""
    header, _, body = data.partition(b"\n")
    return header, lzma.decompress(body)


def test_a_snapshot_round_trips(pool: CardPool) -> None:
    """The same bytes twice, and the content of the embedded file."""
    written = write_snapshot(pool)
    assert written == write_snapshot(read_snapshot(written))
    assert unpacked(written) == unpacked(EMBEDDED.read_bytes())


def test_the_order_of_the_input_does_not_matter(pool: CardPool) -> None:
    """Cards, packs, cycles, sets and lists in reverse order."""
    again = make_pool(
        cards={code: pool[code] for code in reversed(list(pool))},
        taboo_lists=reversed(pool.taboo_lists),
        packs=reversed(list(pool.packs.values())),
        cycles=reversed(list(pool.cycles.values())),
        encounter_sets=dict(reversed(list(pool.encounter_sets.items()))),
    )
    assert again.version == pool.version
    assert write_snapshot(again) == write_snapshot(pool)


def test_facts_round_trip(pool: CardPool) -> None:
    """Each card and each change of a taboo list."""
    for code in pool:
        assert card_from_facts(card_facts(pool[code])) == pool[code]
    for each in pool.taboo_lists:
        for change in each.changes.values():
            assert taboo_from_facts(taboo_facts(change)) == change


def test_the_embedded_file_matches_the_shared_data(shared_data: Path) -> None:
    """It must be exported again after a change to how data are read."""
    from cardpool.reading import read_directory, to_pool

    fresh = to_pool(read_directory(shared_data / "data" / "arkhamdb"))
    assert fresh.version == embedded_pool().version
    assert unpacked(write_snapshot(fresh)) == unpacked(EMBEDDED.read_bytes())


def test_the_version_depends_on_the_content(pool: CardPool) -> None:
    """Another card makes another version."""
    assert re.fullmatch(r"[0-9a-f]{12}", pool.version)
    cards = {"01020": pool["01020"]}
    one = make_pool(cards=cards).version
    assert one == make_pool(cards=cards).version
    assert one != make_pool(cards={"01020": pool["01021"]}).version
    assert one != pool.version


# -- facts as plain JSON --


def test_defaults_are_left_out() -> None:
    """A card with few facts is a small JSON object."""
    card = Card(code="09999", name="Lantern", type=CardType.ASSET, printings=())
    facts = card_facts(card)
    assert facts == {
        "code": "09999",
        "name": "Lantern",
        "type": "asset",
        "printings": [],
    }
    assert card_from_facts(facts) == card
    assert taboo_facts(TabooChange("09999")) == {"code": "09999"}


def test_facts_are_plain_json_and_unchanged_by_reading(pool: CardPool) -> None:
    """The same facts can be read twice."""
    facts = card_facts(pool["90049"])
    assert json.loads(json.dumps(facts)) == facts
    before = json.dumps(facts)
    assert card_from_facts(facts) == card_from_facts(facts) == pool["90049"]
    assert json.dumps(facts) == before


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"code": "1", "name": "x", "type": "gadget", "printings": []},
        {"code": "1", "name": "x", "type": "asset"},
        {"code": "1", "name": "x", "type": "asset", "printings": [], "odd": 1},
        {"code": "1", "name": "x", "type": "asset", "printings": [["1"]]},
        {"code": "1", "name": "x", "type": "asset", "printings": [], "tags": ["y"]},
    ],
)
def test_invalid_facts_are_refused(facts: dict[str, Any]) -> None:
    """The message names the card."""
    with pytest.raises(UnreadableSnapshot, match="card "):
        card_from_facts(facts)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        b"orne-snapshot 0 abc\n",
        b"orne-snapshot 1 abc\n",
        b"orne-snapshot 1 abc\n" + lzma.compress(b"{}"),
        b"orne-snapshot 1 abc\n" + lzma.compress(b"[]"),
        b"orne-snapshot 1 abc\n" + lzma.compress(b"{"),
        b"orne-snapshot 1 abc\n" + lzma.compress(b'{"cards":[{"code":"1"}]}'),
    ],
)
def test_files_that_are_not_snapshots_are_refused(data: bytes) -> None:
    """Empty, foreign, of another format, damaged."""
    with pytest.raises(UnreadableSnapshot):
        read_snapshot(data)


def test_a_truncated_snapshot_is_refused() -> None:
    with pytest.raises(UnreadableSnapshot, match="damaged"):
        read_snapshot(EMBEDDED.read_bytes()[:50_000])


# -- facts only --


def keys(value: Any) -> Iterator[str]:
    """Yield every key in a JSON value."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from keys(each)


def test_no_key_for_text_flavour_or_pictures(content: dict[str, Any]) -> None:
    """``text_only`` says that a taboo list changes only text; it contains none."""
    found = set(keys({**content, "encounter_sets": {}}))
    telling = re.compile("text|flavou?r|illustrat|image|src|url|octgn")
    assert {key for key in found if telling.search(key)} == {"text_only"}


def test_no_long_string(content: dict[str, Any]) -> None:
    """No string is over 80 characters, so there is no room for rules text."""
    assert [text for _, text in strings(content) if len(text) > 80] == []


def test_no_six_words_in_a_row_of_any_text(
    content: dict[str, Any], shared_data: Path
) -> None:
    """Except in names of cards, sets and products, which texts mention."""
    printed = printed_runs(shared_data)
    names = {"name", "subname", "bonded_to", "encounter_set"}
    content = {**content, "encounter_sets": {}}
    checked = 0
    for key, text in strings(content):
        if key not in names:
            checked += 1
            assert not runs(text) & printed, text
    assert checked > 30_000


def test_a_label_in_an_older_snapshot_is_ignored() -> None:
    """Options once had an English label; now it is built where it is shown."""
    card = embedded_pool()["01001"]
    facts = card_facts(card)
    for option in facts["investigator"]["back"]["options"]:
        option["label"] = "Guardian cards"
    assert card_from_facts(facts) == card
