"""Input no one should send, and what every door answers.

Measured by ``bench/api.py``, tried at each door by ``tests/decks/test_bad_input.py``,
listed in ``docs/bad-input.md``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from arkham.rules.snapshot import embedded_pool

MEGABYTE = 1_048_576


@dataclass(frozen=True, slots=True)
class Bad:
    """A body, the API's status, and what it says.

    ``says`` is the pointer of a problem, or the id of a rule that finds something.
    """

    body: bytes
    status: int
    says: str


def _deck(**changes: Any) -> bytes:
    """A deck of Roland Banks with something about it changed."""
    deck = {"investigator_code": "01001", "slots": {"01006": 1}, **changes}
    return json.dumps(deck, ensure_ascii=False).encode()


def _held(**circumstances: Any) -> bytes:
    deck = {"investigator_code": "01001", "slots": {"01006": 1}}
    return json.dumps({"deck": deck, "circumstances": circumstances}).encode()


def _entries(count: int, most: int = 1) -> dict[str, int]:
    return {f"x{number}": most for number in range(count)}


def _counted(slots: bytes) -> bytes:
    return b'{"investigator_code":"01001","slots":{%s}}' % slots


_POOL = embedded_pool()
_CARDS = [printing.code for card in _POOL.values() for printing in card.printings]
_SHEETS = [card.code for card in _POOL.values() if card.sheet]
_EVERY_CARD = dict.fromkeys(_CARDS, 2)

# One deck at a time: at POST /api/v1/legality, and as a line of a file.
DECKS: dict[str, Bad] = {
    # Not JSON at all, or JSON that cannot be meant.
    "nothing": Bad(b"", 400, ""),
    "white space": Bad(b" \t ", 400, ""),
    "an open brace": Bad(b"{", 400, ""),
    "half a deck": Bad(_deck()[:40], 400, ""),
    "two decks": Bad(_deck() + _deck(), 400, ""),
    "a trailing comma": Bad(b'{"investigator_code":"01001",}', 400, ""),
    "single quotes": Bad(b"{'slots': {}}", 400, ""),
    "a comment": Bad(b'{"slots": {} /* none */}', 400, ""),
    "a control character in a text": Bad(b'{"name": "a\x01b"}', 400, ""),
    "a NUL byte": Bad(b"\x00" + _deck(), 400, ""),
    "a NUL byte in a text": Bad(b'{"name": "a\x00b"}', 400, ""),
    "bytes that are not UTF-8": Bad(b'{"name": "\xe9"}', 400, ""),
    "UTF-16": Bad('{"slots": {}}'.encode("utf-16"), 400, ""),
    "a surrogate in UTF-8": Bad(b'{"name": "\xed\xa0\x80"}', 400, ""),
    "half a surrogate pair": Bad(b'{"name": "\\ud800"}', 400, ""),
    "NaN": Bad(_counted(b'"01006": NaN'), 400, "/slots/01006"),
    "Infinity": Bad(_counted(b'"01006": Infinity'), 400, "/slots/01006"),
    "1e999": Bad(_counted(b'"01006": 1e999'), 400, "/slots/01006"),
    "a million digits": Bad(
        _counted(b'"01006": ' + b"9" * 1_000_000), 400, "/slots/01006"
    ),
    "a key twice": Bad(
        b'{"investigator_code":"01001","slots":{},"slots":{}}', 400, "/slots"
    ),
    "a code twice": Bad(
        _counted(b'"01006":1,"01007":1,"01006":2'), 400, "/slots/01006"
    ),
    "a code twice, spelled differently": Bad(
        _counted(b'"01006":1,"0\\u0031006":2'), 400, "/slots/01006"
    ),
    "a code twice at the end of a megabyte": Bad(
        _counted(b",".join(b'"%05d":1' % n for n in range(90_000)) + b',"00007":1'),
        400,
        "/slots/00007",
    ),
    "a million open brackets": Bad(b"[" * 1_000_000, 400, ""),
    "objects without end": Bad(b'{"slots":' * 100_000, 400, ""),
    # Too large.
    "a byte more than a megabyte": Bad(
        _deck() + b" " * (MEGABYTE + 1 - len(_deck())), 413, ""
    ),
    "ten megabytes": Bad(b"x" * 10 * MEGABYTE, 413, ""),
    # JSON, but no deck.
    "null": Bad(b"null", 422, ""),
    "a boolean": Bad(b"true", 422, ""),
    "a number": Bad(b"17", 422, ""),
    "a text": Bad(b'"01001"', 422, ""),
    "an array": Bad(b"[" + _deck() + b"]", 422, ""),
    "an empty object": Bad(b"{}", 422, "/investigator_code"),
    "no slots": Bad(b'{"investigator_code":"01001"}', 422, "/slots"),
    "no investigator": Bad(b'{"slots":{}}', 422, "/investigator_code"),
    "null for an investigator": Bad(
        _deck(investigator_code=None), 422, "/investigator_code"
    ),
    "a number for an investigator": Bad(
        _deck(investigator_code=1001), 422, "/investigator_code"
    ),
    "an endless investigator": Bad(
        _deck(investigator_code="0" * 1_000_000), 422, "/investigator_code"
    ),
    "an array of codes": Bad(_deck(slots=["01006"]), 422, "/slots"),
    "a text of codes": Bad(_deck(slots="01006,01007"), 422, "/slots"),
    "a number of slots": Bad(_deck(slots=3), 422, "/slots"),
    "a text as quantity": Bad(_deck(slots={"01006": "1"}), 422, "/slots/01006"),
    "2.0 as quantity": Bad(_deck(slots={"01006": 2.0}), 422, "/slots/01006"),
    "true as quantity": Bad(_deck(slots={"01006": True}), 422, "/slots/01006"),
    "null as quantity": Bad(_deck(slots={"01006": None}), 422, "/slots/01006"),
    "an array as quantity": Bad(_deck(slots={"01006": [1]}), 422, "/slots/01006"),
    "an object as quantity": Bad(_deck(slots={"01006": {}}), 422, "/slots/01006"),
    "a huge quantity": Bad(_deck(slots={"01006": 10_001}), 422, "/slots/01006"),
    "a quantity of 400 digits": Bad(
        _counted(b'"01006":' + b"9" * 400), 422, "/slots/01006"
    ),
    "a bad code with a slash": Bad(_deck(slots={"a/b~": 1.5}), 422, "/slots/a~1b~0"),
    "more than ten thousand entries": Bad(_deck(slots=_entries(10_001)), 422, "/slots"),
    "a side deck of texts": Bad(
        _deck(sideSlots={"01006": "1"}), 422, "/sideSlots/01006"
    ),
    "an array of set-aside cards": Bad(
        _deck(ignoreDeckLimitSlots=["01006"]), 422, "/ignoreDeckLimitSlots"
    ),
    "true as taboo list": Bad(_deck(taboo_id=True), 422, "/taboo_id"),
    "1.5 as taboo list": Bad(_deck(taboo_id=1.5), 422, "/taboo_id"),
    "an object as taboo list": Bad(_deck(taboo_id={}), 422, "/taboo_id"),
    "an object as name": Bad(_deck(name={}), 422, "/name"),
    "an array as id": Bad(_deck(id=[1]), 422, "/id"),
    "a number as meta": Bad(_deck(meta=0), 422, "/meta"),
    "an array as meta": Bad(_deck(meta=["01006"]), 422, "/meta"),
    "meta that is not JSON": Bad(_deck(meta="faction_selected=rogue"), 422, "/meta"),
    "meta that is an array": Bad(_deck(meta="[1]"), 422, "/meta"),
    "meta that is a text": Bad(_deck(meta='"rogue"'), 422, "/meta"),
    "meta with a key twice": Bad(_deck(meta='{"a":1,"a":2}'), 422, "/meta/a"),
    "meta with half a surrogate pair": Bad(_deck(meta='{"a":"\\udc00"}'), 422, "/meta"),
    "meta without end": Bad(_deck(meta="{" + " " * 262_143 + "}"), 422, "/meta"),
    "meta with a key twice after 20,000 others": Bad(
        _deck(meta="{" + ",".join(f'"a{n}":1' for n in range(20_000)) + ',"a7":1}'),
        422,
        "/meta/a7",
    ),
    "a number as choice": Bad(
        _deck(meta={"faction_selected": 3}), 422, "/meta/faction_selected"
    ),
    "an endless choice": Bad(
        _deck(meta={"faction_selected": "r" * 500_000}), 422, "/meta/faction_selected"
    ),
    "a number as parallel side": Bad(
        _deck(meta={"alternate_back": 90_024}), 422, "/meta/alternate_back"
    ),
    "a sheet without marks": Bad(
        _deck(meta={"cus_09021": "all of them"}), 422, "/meta/cus_09021"
    ),
    "a negative mark": Bad(_deck(meta={"cus_09021": "1|-1"}), 422, "/meta/cus_09021"),
    "a mark of too many parts": Bad(
        _deck(meta={"cus_09021": "1|1|a|b"}), 422, "/meta/cus_09021"
    ),
    "200,000 marks on one sheet": Bad(
        _deck(meta={"cus_09021": ",".join(["1|1"] * 200_000)}), 422, "/meta/cus_09021"
    ),
    "sheets for a thousand cards": Bad(
        _deck(meta={f"cus_{n}": "1|1" for n in range(1_000)}), 422, "/meta/cus_500"
    ),
    "an array as second deck": Bad(
        _deck(meta={"extra_deck": ["01006"]}), 422, "/meta/extra_deck"
    ),
    "a second deck of 100,000 cards": Bad(
        _deck(meta={"extra_deck": "01006," * 100_000}), 422, "/meta/extra_deck"
    ),
    "fewer than no copies in a second deck": Bad(
        _deck(meta={"extra_deck": "01006:-1"}), 422, "/meta/extra_deck"
    ),
    "half a copy set aside": Bad(
        _deck(meta={"attachments_03264": "01022,01025:1.5"}),
        422,
        "/meta/attachments_03264",
    ),
    "a huge quantity set aside": Bad(
        _deck(meta={"attachments_03264": "01022:10001"}),
        422,
        "/meta/attachments_03264",
    ),
    "something beside deck and circumstances": Bad(
        b'{"deck":%s,"circumstance":{}}' % _deck(), 422, "/circumstance"
    ),
    "an array of circumstances": Bad(
        b'{"deck":%s,"circumstances":[]}' % _deck(), 422, "/circumstances"
    ),
    "an unknown circumstance": Bad(_held(weather="fog"), 422, "/circumstances/weather"),
    "an unknown mode": Bad(_held(mode="easy"), 422, "/circumstances/mode"),
    "true as mode": Bad(_held(mode=True), 422, "/circumstances/mode"),
    "an array as mode": Bad(_held(mode=["start"]), 422, "/circumstances/mode"),
    "negative experience": Bad(_held(experience=-1), 422, "/circumstances/experience"),
    "half an experience": Bad(_held(experience=0.5), 422, "/circumstances/experience"),
    "an unknown environment": Bad(
        _held(environment="modern"), 422, "/circumstances/environment/kind"
    ),
    "two cycles of three": Bad(
        _held(environment={"kind": "limited", "cycles": ["dwl", "ptc"]}),
        422,
        "/circumstances/environment/cycles",
    ),
    "the thirtieth of February": Bad(
        _held(environment={"kind": "current", "date": "2026-02-30"}),
        422,
        "/circumstances/environment/date",
    ),
    "an unknown ultimatum": Bad(
        _held(ultimatums=["doom"]), 422, "/circumstances/ultimatums"
    ),
    "an unknown ruling": Bad(
        _held(rulings={"weather": "fog"}), 422, "/circumstances/rulings/weather"
    ),
    "an unknown reading of a ruling": Bad(
        _held(rulings={"standalone.total": "guess"}),
        422,
        "/circumstances/rulings/standalone.total",
    ),
    "tasks without end": Bad(_held(tasks=["01001"] * 501), 422, "/circumstances/tasks"),
    "owning half a card": Bad(
        _held(owned={"01006": 0.5}), 422, "/circumstances/owned/01006"
    ),
    # A deck, but a nonsensical one: findings.
    "an empty deck": Bad(_deck(slots={}), 200, "deck.size"),
    "no copies of anything": Bad(_deck(slots={"01006": 0}), 200, "deck.size"),
    "an unknown investigator": Bad(
        _deck(investigator_code="99999"), 200, "deck.investigator"
    ),
    "no code for an investigator": Bad(
        _deck(investigator_code=""), 200, "deck.investigator"
    ),
    "an asset for an investigator": Bad(
        _deck(investigator_code="01016"), 200, "deck.investigator"
    ),
    "an unknown code": Bad(_deck(slots={"99999": 1}), 200, "deck.unknown-card"),
    "a code of nothing": Bad(_deck(slots={"": 1}), 200, "deck.unknown-card"),
    "right-to-left text as code": Bad(
        _deck(slots={"\u202e10060\u202c": 1}), 200, "deck.unknown-card"
    ),
    "Arabic digits as code": Bad(
        _deck(slots={"\u0660\u0661\u0660\u0660\u0666": 1}), 200, "deck.unknown-card"
    ),
    "an emoji as code": Bad(_deck(slots={"\U0001f419": 1}), 200, "deck.unknown-card"),
    "NUL as code": Bad(_deck(slots={"\x00": 1}), 200, "deck.unknown-card"),
    "a script as code": Bad(
        _deck(slots={"<script>alert(1)</script>": 1}), 200, "deck.unknown-card"
    ),
    "a place holder as code": Bad(_deck(slots={"{code}": 1}), 200, "deck.unknown-card"),
    "a code of a megabyte": Bad(
        _deck(slots={"0" * 1_000_000: 1}), 200, "deck.unknown-card"
    ),
    "ten thousand copies": Bad(_deck(slots={"01016": 10_000}), 200, "deck.size"),
    "ten thousand unknown cards": Bad(
        _deck(slots=_entries(10_000)), 200, "deck.unknown-card"
    ),
    "two of every card": Bad(_deck(slots=_EVERY_CARD), 200, "access.level"),
    "ten thousand of every card": Bad(
        _deck(slots=dict.fromkeys(_CARDS, 10_000)), 200, "access.level"
    ),
    "two of every card, every choice open": Bad(
        _deck(investigator_code="09018", slots=_EVERY_CARD), 200, "choice.assumed"
    ),
    "two of every card, all set aside": Bad(
        _deck(slots=_EVERY_CARD, ignoreDeckLimitSlots=_EVERY_CARD), 200, "deck.size"
    ),
    "every card, alone, with every ultimatum that touches decks": Bad(
        json.dumps(
            {
                "deck": {"investigator_code": "01001", "slots": _EVERY_CARD},
                "circumstances": {
                    "mode": "standalone",
                    "experience": 49,
                    "environment": "current",
                    "ultimatums": ["chaos", "highlander", "scream", "exile"],
                    "owned": {},
                },
            }
        ).encode(),
        200,
        "ultimatum.campaign-only",
    ),
    "every sheet filled beyond its lines": Bad(
        _deck(
            slots=dict.fromkeys(_SHEETS, 2),
            meta={f"cus_{code}": ",".join(["9|999"] * 100) for code in _SHEETS},
        ),
        200,
        "customization.line",
    ),
    "a negative quantity": Bad(_deck(slots={"01006": -1}), 200, "deck.below-zero"),
    "ten thousand negative quantities": Bad(
        _deck(slots=_entries(10_000, -1)), 200, "deck.below-zero"
    ),
    "an unknown taboo list": Bad(_deck(taboo_id=99), 200, "taboo.list"),
    "a negative taboo list": Bad(_deck(taboo_id=-1), 200, "taboo.list"),
    "an unknown choice": Bad(
        _deck(investigator_code="06002", meta={"deck_size_selected": "7"}),
        200,
        "choice.offered",
    ),
    "another investigator's back": Bad(
        _deck(meta={"alternate_back": "90001"}), 200, "deck.sides"
    ),
    "a back of another card": Bad(
        _deck(meta={"alternate_back": "01016"}), 200, "deck.sides"
    ),
    "a sheet for no card": Bad(
        _deck(meta={"cus_99999": "1|1"}), 200, "customization.card"
    ),
    "a second deck that isn't needed": Bad(
        _deck(meta={"extra_deck": "01006,x,x,x"}), 200, "side-deck.unasked"
    ),
    "a second deck of every card": Bad(
        _deck(investigator_code="90049", meta={"extra_deck": ",".join(_CARDS)}),
        200,
        "side-deck.size",
    ),
    "cards set aside under nothing": Bad(
        _deck(meta={"attachments_x": "01006"}), 200, "attached.holder"
    ),
    "every card set aside": Bad(
        _deck(slots={"03264": 1}, meta={"attachments_03264": ",".join(_CARDS)}),
        200,
        "attached.count",
    ),
    "a pool of unknown products": Bad(
        _deck(slots=_EVERY_CARD, meta={"card_pool": "x,y,z"}),
        200,
        "environment.product",
    ),
    "becoming an unknown investigator": Bad(
        _deck(meta={"transform_into": "x"}), 200, "deck.transformed"
    ),
}

# Many decks at once, at POST /api/v1/legality/batch: content type, body, answer.
JSON, LINES = "application/json", "application/x-ndjson"
BATCHES: dict[str, tuple[str, Bad]] = {
    "ten megabytes and a byte": (JSON, Bad(b" " * (10 * MEGABYTE + 1), 413, "")),
    "ten megabytes of nothing": (JSON, Bad(b" " * 10 * MEGABYTE, 400, "")),
    "ten megabytes of brackets": (JSON, Bad(b"[" * 10 * MEGABYTE, 400, "/0")),
    "ten megabytes of one text": (
        JSON,
        Bad(b'["' + b"x" * (10 * MEGABYTE - 4) + b'"]', 413, "/0"),
    ),
    "ten megabytes of one deck": (
        JSON,
        Bad(
            b"[" + _counted(b",".join(b'"%06d":1' % n for n in range(900_000))) + b"]",
            413,
            "/0",
        ),
    ),
    "ten megabytes of commas": (JSON, Bad(b"[" + b"," * 10_000_000, 400, "")),
    "a million numbers": (JSON, Bad(b"[" + b"1," * 1_000_000 + b"1]", 422, "/1000")),
    "a deck, not an array": (JSON, Bad(_deck(), 422, "")),
    "an array that does not end": (JSON, Bad(b"[" + _deck(), 400, "")),
    "ten million empty lines": (LINES, Bad(b"\n" * 10_000_000, 422, "")),
    "lines as an array": (JSON, Bad(_deck() + b"\n" + _deck(), 422, "")),
}
