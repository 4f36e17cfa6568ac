"""Every reader of text is done with 100 KB of anything in no time."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest

from arkham.prose import rendered
from arkham.rules.campaign.reading.prepared import import_guides as bring_guides
from arkham.rules.checking import read_line
from arkham.rules.notation.octgn import read_octgn
from arkham.rules.notation.reading import Unreadable, read_items, read_json
from arkham.rules.snapshot import embedded_pool
from campaigns.files.backups import read_backup
from campaigns.files.campaign_file import FORMAT, VERSION, read_file
from cardpool.search.lexicon import QueryError
from cardpool.search.query import parse
from cardpool.words import fold_text
from decks.interchange.account_reading import read_account
from decks.interchange.arkhamdb import is_address
from decks.interchange.importing import read_list
from decks.lists.content import parse_content
from tests.house.timing import processor_time

LETTERS = 100_000
LONGEST = 0.05  # seconds
POOL = embedded_pool()
DECK = {"investigator_code": "01001", "slots": {"01006": 1}}
FILLS = (
    *(" ", "\t", "\n", "[", "]", "(", ")", "{", "}", "<", "[a](", '"', "'", "`"),
    # What Markdown stops at, and marks that are sorted when letters are taken apart.
    *("@", "=", "%", ":", "~a", "\\", "\u0327\u0301", "\u0f73"),
)


def _deck(**more: object) -> str:
    return json.dumps({**DECK, **more})


def _under(**terms: object) -> str:
    return json.dumps({"deck": DECK, "circumstances": terms})


def _sections(text: str) -> str:
    card = text.replace("<", "").replace("&", "")
    return f'<deck><section name="Asset"><card qty="1">{card}</card></section></deck>'


READERS: dict[str, Callable[[str], object]] = {
    "a list": lambda text: read_list(text, POOL),
    "a line of a list": lambda text: read_list(f"2x Machete{text}x", POOL),
    "a heading": lambda text: read_list(f"Roland Banks\nAssets{text}", POOL),
    "a name": lambda text: read_list(f"Name: {text}\nRoland Banks", POOL),
    "an investigator": lambda text: read_list(f"Investigator: {text}", POOL),
    "notes after a list": lambda text: read_list(f"Who\n## Notes\n{text}", POOL),
    "a side of a list": lambda text: read_list(f"Front: {text}", POOL),
    "a list in JSON": lambda text: read_list(f"{{{text}", POOL),
    "what follows JSON": lambda text: read_list(f"{_deck()}{text}", POOL),
    "a name in JSON": lambda text: read_list(_deck(name=text), POOL),
    "notes in JSON": lambda text: read_list(_deck(description_md=text), POOL),
    "tags in JSON": lambda text: read_list(_deck(tags=text), POOL),
    "meta": lambda text: read_list(_deck(meta=text), POOL),
    "marks": lambda text: read_list(
        _deck(meta=json.dumps({"cus_09021": text, "extra_deck": text})), POOL
    ),
    "experience": lambda text: read_list(_deck(xp_spent=text, exile_string=text), POOL),
    "a repeated key": lambda text: read_list(f'{{"a": 1, "a": 2{text}', POOL),
    "a file of OCTGN's": lambda text: read_list(f"<deck>{text}", POOL),
    "a card of OCTGN's": lambda text: read_octgn(_sections(text), POOL),
    "a deck of a form": parse_content,
    "a code": lambda text: parse_content(_deck(slots={text: 1})),
    "a mode": lambda text: parse_content(_under(mode=text)),
    "an environment": lambda text: parse_content(_under(environment={"kind": text})),
    "a day": lambda text: parse_content(
        _under(environment={"kind": "current", "date": text})
    ),
    "tasks": lambda text: parse_content(_under(tasks=[text], rulings={text: text})),
    "a line of the shell": read_line,
    "JSON": read_json,
    "a batch": lambda text: list(read_items(f"[{text}")),
    "an account": read_account,
    "an address": is_address,
    "Markdown": rendered.__wrapped__,
    "a search": parse,
    "a condition of a search": lambda text: parse(f't:"{text}'),
    "a name to search": fold_text,
    "a guide": lambda text: bring_guides(
        {"campaigns/a/a.json": json.dumps({"id": text, "log": [text]}).encode()}
    ),
    "a backup": lambda text: read_backup({"campaigns": {text: {}}, "guides": text}),
    "a campaign": lambda text: read_file(
        {"format": FORMAT, "file_version": VERSION, "name": text, "seed": text}
    ),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_no_time(reader: str) -> None:
    """Blanks, tabs, brackets and quotes; what is not understood may be refused."""

    def read(text: str) -> None:
        with suppress(Unreadable, QueryError):
            READERS[reader](text)

    read("")  # what is gathered once is gathered
    slow = {}
    for fill in FILLS:
        text = (fill * LETTERS)[:LETTERS]
        took = processor_time(lambda text=text: read(text), LONGEST)  # type: ignore[misc]
        if took > LONGEST:
            slow[fill] = took

    assert slow == {}


@pytest.mark.parametrize("line", ["[]", "(", "1|", "a ", "'", "\u2022"])
def test_a_list_of_long_lines_is_read_soon(line: str) -> None:
    """Every line of it as long as a line may be, and none a card."""
    text = "\n".join(f"2x {line * 250}"[:250] for _line in range(400))

    assert processor_time(lambda: read_list(text, POOL), LONGEST) < 6 * LONGEST


@pytest.mark.parametrize(
    "text",
    [
        "|a|b|c|\n|-|-|-|\n" + "|a|b|c|\n" * 10_000,
        "|a" * 100 + "|\n" + "|-" * 100 + "|\n" + "a\n" * 40_000,
        "\n".join(" " * (2 * (each % 40)) + "- a" for each in range(2_300)),
        "1. a\n\n" * 15_000,
        "<a>" * 30_000,
        "&amp;" * 20_000,
        "*a _b " * 16_000,
    ],
)
def test_markdown_of_many_elements_is_shown_soon(text: str) -> None:
    """As it was written, where there are too many."""
    assert processor_time(lambda: rendered.__wrapped__(text), LONGEST) < 8 * LONGEST
