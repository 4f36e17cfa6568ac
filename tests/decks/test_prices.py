"""The price endpoint and command: one invoice for two revisions."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from decks.api import examples
from tests.rules.upgrades import read_base

pytestmark = pytest.mark.django_db
PRICE = "/api/v1/upgrades/price"


def send(asked: object) -> tuple[int, Any]:
    response = Client().post(PRICE, json.dumps(asked), "application/json")
    return response.status_code, json.loads(response.content)


def upgrade(**changes: Any) -> dict[str, Any]:
    return {**examples.UPGRADE, **changes}


def test_the_example_is_true() -> None:
    """The response equals that of the description."""
    assert send(examples.UPGRADE) == (200, examples.INVOICE)


def test_exiled_copies_are_named_with_the_new_deck() -> None:
    """An exiled copy is gone and can't be upgraded."""
    after = {**examples.UPGRADE["next"], "exile_string": "01060"}
    _status, invoice = send(upgrade(next=after))
    assert [(line["rule"], line["paid"]) for line in invoice["lines"]] == [
        ("price.purchase", 3),
        ("price.upgrade", 3),
    ]


def test_overspending_is_a_finding() -> None:
    """The balance is that of the new deck, or of the request."""
    after = {**examples.UPGRADE["next"], "xp_adjustment": -2}
    short = send(upgrade(next=after))[1]["findings"][0]
    assert (short["rule"], short["actual"], short["expected"]) == (
        "upgrade.experience",
        6,
        5,
    )
    told = send(upgrade(next=after, window={"available": 6}))[1]["findings"]
    assert "upgrade.experience" not in [each["rule"] for each in told]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"prev": None}, "/prev"),
        ({"next": {**examples.UPGRADE["next"], "xp": "7"}}, "/next/xp"),
        ({"next": {**examples.UPGRADE["next"], "exile_string": 1}}, "/next/exile_st"),
        ({"exiled": "01060"}, "/exiled"),
        ({"exiled": {"01060": -1}}, "/exiled/01060"),
        ({"window": {"pelt": 1}}, "/window/pelt"),
        ({"window": {"owed": [1]}}, "/window/owed"),
        ({"window": {"owed": {"deck": -1}}}, "/window/owed/deck"),
        ({"window": {"owed": {"places": 1}}}, "/window/owed/places"),
        ({"window": {"used": {"swaps": -1}}}, "/window/used/swaps"),
        ({"window": {"earlier": {"mode": "x"}}}, "/window/earlier/mode"),
        ({"window": {"pins": [{"card": "02154", "way": "stolen"}]}}, "/window/pins/0"),
        ({"circumstances": {"mode": "dream"}}, "/circumstances/mode"),
        ({"deck": {}}, "/deck"),
    ],
)
def test_an_invalid_request_is_refused(changes: dict[str, Any], pointer: str) -> None:
    """With a pointer."""
    status, problem = send(upgrade(**changes))
    assert status == 422
    assert problem["pointer"].startswith(pointer)


MACHETE, BEAT_COP, BEAT_COP_2 = "01020", "01018", "01028"
INDUCTION = {"ultimatums": ["induction"]}


@pytest.mark.parametrize(
    ("had", "window", "circumstances", "total"),
    [
        ([], {}, {}, 1),
        ([], {"owed": {"deck": 1}}, {}, 0),
        ([], {"owed": {"side_deck": 1}}, {}, 1),
        ([BEAT_COP_2], {}, INDUCTION, 1),
        ([BEAT_COP_2], {"earlier": {}}, INDUCTION, 1),
        ([BEAT_COP_2], {"earlier": {"ultimatums": []}}, INDUCTION, 0),
    ],
)
def test_a_window_has_places_owed_and_earlier_circumstances(
    had: list[str], window: dict[str, Any], circumstances: dict[str, Any], total: int
) -> None:
    """What is left out of the earlier circumstances is as in the new ones."""
    kept = Counter(read_base("upgrades/bases/roland")["slots"])
    kept[BEAT_COP] -= 1
    prev, new = (
        {"investigator_code": "01001", "slots": kept + Counter(more)}
        for more in (had, [MACHETE])
    )
    asked = {"window": window, "circumstances": circumstances}
    invoice = send({"prev": prev, "next": new, **asked})[1]
    assert invoice["experience_spent"] == total


def test_the_shell_gives_the_same_results(tmp_path: Any, capsys: Any) -> None:
    """One line for each; an invalid line gets an error."""
    asked = tmp_path / "pairs.jsonl"
    asked.write_text(f"{json.dumps(examples.UPGRADE)}\n{{\n")
    with pytest.raises(SystemExit) as ended:
        call_command("price_upgrades", str(asked), stdout=StringIO())
    first, second = capsys.readouterr().out.splitlines()
    assert json.loads(first) == examples.INVOICE
    assert json.loads(second)["error"]["line"] == 2
    assert ended.value.code == 2
