"""Every card whose text changes slots or has uses is in a table or documented."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arkham.rules.play.area import USES
from arkham.rules.play.slots import EXCHANGE_OF, GRANTS_OF, SHARING_OF
from arkham.rules.pool import CardPool

PAGE = Path(__file__).parents[3] / "docs" / "table.md"
FIELDS = ("text", "back_text", "customization_text")
CHANGES = re.compile(
    r"(?<!or )\b(additional|fewer)\b (?!token)[^.]{0,40}\bslots?"
    r"|\+\d \w+ slot"
    r"|not take up[^.]*slots?"
    r"|(?<!that )take[s]? up (no|a single|1|an|a) [^.]*slots?"
    r"|takes? up no slots|no longer takes up"
    r"|slots can be used",
    re.IGNORECASE,
)


def records(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield every card by its first printing."""
    for path in sorted(folder.glob("data/arkhamdb/pack/*/*.json")):
        for record in json.loads(path.read_text(encoding="utf-8")):
            if not record.get("duplicate_of"):
                yield record


def told(record: dict[str, Any]) -> str:
    """Return the text of a card without markup."""
    text = "\n".join(record.get(field) or "" for field in FIELDS)
    return re.sub(r"<[^>]+>|\[\[|\]\]", "", text)


def by_hand() -> set[str]:
    """Return the cards that the documentation leaves to counting by hand."""
    rows = re.findall(r"^\| ([\w, ]+) \| .+ \| (?:tick|count)", PAGE.read_text(), re.M)
    return {code for row in rows for code in row.split(", ")}


def test_every_card_that_changes_slots_is_in_the_table_or_listed(
    shared_data: Path, pool: CardPool
) -> None:
    known = by_hand() | set(GRANTS_OF) | set(EXCHANGE_OF)
    missing = {
        (record["code"], record.get("name"))
        for record in records(shared_data)
        if CHANGES.search(told(record))
        and record["code"] not in known
        and record.get("name") not in SHARING_OF
        and record["code"] in pool
        and pool[record["code"]].code not in known
    }
    assert missing == set()


def test_no_card_is_both_in_the_table_and_counted_by_hand() -> None:
    counted = {code for code, row in GRANTS_OF.items() if not row.varies}
    assert not by_hand() & counted


def test_uses_match_the_printed_numbers(shared_data: Path, pool: CardPool) -> None:
    printed = {
        pool[record["code"]].code: int(found.group(1))
        for record in records(shared_data)
        if record["code"] in pool
        and pool[record["code"]].uses
        and (found := re.search(r"Uses \((\d+) (?!\[per|charge for)", told(record)))
    }
    ours = {
        code: int(number)
        for number, codes in json.loads(USES.read_text(encoding="utf-8")).items()
        for code in codes
    }
    assert ours == printed
