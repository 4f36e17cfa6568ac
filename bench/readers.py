"""Every reader of text and files from outside, for the fuzzer and for its finds.

``READERS`` has a row for each: what reads a document, which exceptions are its proper
refusals, how a document is varied, and documents to begin with. ``bench.fuzz`` looks
for more; ``tests/house/test_readers_of_finds.py`` reads again what it found.
"""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from arkham.accounts.oauth import read_redirects
from arkham.accounts.preferences import read_preferences
from arkham.prose import rendered
from arkham.rest import reading
from arkham.rest.messages import Message
from arkham.rest.paging import Pages
from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model.guide import GuideLibrary
from arkham.rules.campaign.policy import BY_THE_RULES
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.own import (
    open_own_guide,
    own_files,
    own_guides,
    read_own,
)
from arkham.rules.campaign.reading.prepared import import_guides, open_guide
from arkham.rules.campaign.records import read_answers
from arkham.rules.chaos import ChaosBag, RevealWay, Token
from arkham.rules.checking import check_line, read_request, text_of
from arkham.rules.legality import Judge
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.formats import FORMATS
from arkham.rules.notation.octgn import read_octgn
from arkham.rules.notation.reading import Unreadable, read_items, read_json
from arkham.rules.odds import odds_data, odds_text, read_odds
from arkham.rules.pricing import price_line
from arkham.rules.replaying import Reader as RunReader
from arkham.rules.snapshot import embedded_pool, read_snapshot, write_snapshot
from arkham.web.reaching import any_place, place_of, quoted_path
from campaigns.at_table.small_deck import listed, read_deck
from campaigns.files.backups import (
    BackedUp,
    backup_of,
    read_backup,
    wholes_of,
)
from campaigns.files.campaign_file import read_file
from campaigns.guides.files import UnusableGuides, zipped_guide_files
from campaigns.log import entries
from campaigns.log.replays import printed_cards
from campaigns.play.areas import area_of, query_of, read_area
from campaigns.play.bag import practice_of, read_steps
from campaigns.settling.terms import read_terms, terms_data
from campaigns.views.scenario import read_act
from cardpool.importing import UnreadableSource, read_path
from cardpool.languages import read_languages
from cardpool.queries import found_codes, read_search
from cardpool.reading import ParsedSource, read_source, to_pool
from cardpool.search import describe
from cardpool.search.lexicon import QueryError, lexicon_of
from decks.forms.collections import MissingForm
from decks.interchange.account_file import FORMAT as ACCOUNT
from decks.interchange.account_reading import read_account
from decks.interchange.arkhamdb import Unreachable, find_place, is_address
from decks.interchange.export import text_of as written_as
from decks.interchange.importing import read_list
from decks.interchange.many import TooMany, places_in, places_in_zip
from decks.lists.content import Content, checked, parse_content
from decks.lists.editing import Misread, apply, read_edits
from decks.models import Collection

PROJECT = Path(__file__).resolve().parents[1]
FIXTURES = PROJECT / "tests" / "campaigns" / "fixtures"
SLOWEST = 1.0  # seconds of processor time for one document
Refusals = tuple[type[Exception], ...]


class Reader(NamedTuple):
    """What reads a document, what it may raise, how documents are made."""

    read: Callable[[bytes], object]
    refusals: Refusals
    seeds: Callable[[], Iterator[bytes]]
    made_of: str = "json"  # or text, query, zip, bytes: how one is varied


def check(name: str, document: bytes) -> None:
    """Have a reader read a document; AssertionError, or what it must not raise."""
    reader = READERS[name]
    begun = time.process_time()
    try:
        reader.read(document)
    except reader.refusals as error:
        _explains_itself(error)
    took = time.process_time() - begun
    if took > SLOWEST:  # perhaps for once
        begun = time.process_time()
        with suppress(*reader.refusals):
            reader.read(document)
        took = min(took, time.process_time() - begun)
    assert took <= SLOWEST, f"it took {took:.1f} seconds"


def _explains_itself(error: Exception) -> None:
    """A refusal says what is wrong, and where, as far as its class promises that."""
    if isinstance(error, Unreadable):
        assert error.faults
        for fault in error.faults:
            assert fault.text, fault
            assert fault.expected, fault
            assert not fault.pointer or fault.pointer.startswith("/"), fault
            assert fault.line >= 1 <= fault.column, fault
    elif isinstance(error, QueryError):
        assert 1 <= error.column <= error.end, error
        assert str(error), error
        assert error.expected, error
    elif not isinstance(error, Misread):  # a button that is not of our pages
        assert str(error)


def _text(document: bytes) -> str:
    return document.decode("utf-8", "replace")


@cache
def _pool() -> Any:
    return embedded_pool()


@cache
def _judge() -> Judge:
    return Judge(_pool())


# -- decks --


def _list(document: bytes) -> None:
    """A list of any format: never refused, and what is kept of it is read back."""
    read = read_list(_text(document), _pool(), "deck.txt")
    if read.content is None:
        assert read.faults
        return
    assert parse_content(read.content.as_json()) == read.content
    _written(read.content)


def _written(content: Content) -> None:
    """The same cards come back from every format that has codes."""
    value = read_object(content.deck).value
    for name in ("json", "octgn"):
        again = read_list(written_as(value, FORMATS[name], _pool()), _pool())
        assert again.content is not None, name
        known = {
            code: copies
            for code, copies in content.deck["slots"].items()
            if name == "json" or _pool().get_card(code) is not None
        }
        if _is_listed(content):
            assert again.content.deck["slots"].items() >= known.items(), name


def _is_listed(content: Content) -> bool:
    """Whether numbers and codes are such as lists for people can have."""
    codes = [content.deck["investigator_code"], *content.deck["slots"]]
    return all(map(_pool().get_card, codes)) and all(
        copies < 100 for copies in content.deck["slots"].values()
    )


def _octgn(document: bytes) -> None:
    read_octgn(_text(document), _pool())


def _request(document: bytes) -> None:
    """A line of decks: answered in one line of JSON, whatever it is."""
    answer, _outcome = check_line(document, 1, _judge())
    assert "\n" not in answer
    json.loads(answer)
    asked = read_request(read_json(text_of(document)))
    assert asked.deck is not None


def _content(document: bytes) -> None:
    content = parse_content(_text(document))
    assert parse_content(content.as_json()) == content


def _batch(document: bytes) -> None:
    """Item by item the same as the whole."""
    text = text_of(document)
    found = list(read_items(text))
    with suppress(Unreadable):
        assert found == read_json(text)


def _price(document: bytes) -> None:
    answer, _outcome = price_line(document, 1, _judge())
    json.loads(answer)


OF_WINDOW = ("exile", "grant")


def _edits(document: bytes) -> None:
    """Changes of a deck as a page sends them, one after the other."""
    edits = read_edits(_text(document), OF_WINDOW)
    edits = [each for each in edits if each.verb not in OF_WINDOW]
    start = parse_content('{"investigator_code":"01001","slots":{"01006":1,"09021":1}}')
    content = checked(apply(start, edits, _pool()))
    assert parse_content(content.as_json()) == content


def _account(document: bytes) -> None:
    for deck in read_account(_text(document)).decks:
        for step in deck.revisions:
            kept = Content(step.deck, step.circumstances)
            assert parse_content(kept.as_json()) == kept


def _many(document: bytes) -> None:
    for place in places_in(_text(document)):
        if not is_address(place.text):
            read_list(place.text, _pool(), place.file)


def _many_zipped(document: bytes) -> None:
    for place in places_in_zip(document):
        read_list(place.text, _pool(), place.file)


def _missing(document: bytes) -> None:
    """Cards that lack in a collection, one a line."""
    collection = Collection(products={"core": 1, "dwl": 2}, missing={})
    form = MissingForm({"missing": _text(document)}, collection, _pool())
    if not form.is_valid():
        assert form.errors.as_json()


# -- campaigns --


def _campaign_file(document: bytes) -> None:
    """A campaign, its entries as they were written; its guide makes something of it."""
    found = read_file(read_json(_text(document)))
    read = [
        entries.decode(row.kind, row.version, row.payload, row.sequence)
        for row in found.rows
    ]
    for row, entry in zip(found.rows, read, strict=True):
        assert entries.encode(entry) == (row.kind, row.version, row.payload)
    guide_id = found.guide.id if found.guide.id in own_guides() else "core"
    kept = entries.folded(read)
    fold(open_own_guide(guide_id).guide, kept, printed_cards(_pool()))


def _entry(document: bytes) -> None:
    """An entry of a log, by itself."""
    data = read_json(_text(document))
    if not isinstance(data, dict):
        return
    kind, version = data.get("kind"), data.get("version")
    if type(kind) is str and type(version) is int:
        entry = entries.decode(kind, version, data.get("payload"))
        written = entries.encode(entry)
        again = entries.decode(*written)
        assert again == entry
        assert entries.decode(*_as_stored(written)) == entry


def _as_stored(written: entries.Encoded) -> entries.Encoded:
    return written._replace(payload=json.loads(json.dumps(written.payload)))


def _backup(document: bytes) -> None:
    """A backup; each campaign of it by itself is read the same once more."""
    found = read_backup(read_json(_text(document)))
    known = [each for each in found.campaigns if isinstance(each, BackedUp)]
    for whole in wholes_of(known):
        again = read_backup(backup_of(whole)).campaigns
        assert [each.answers for each in whole] == [
            each.answers for each in again if isinstance(each, BackedUp)
        ]


@cache
def _runs() -> RunReader:
    guides = {each: open_own_guide(each).guide for each in own_guides()}
    library = GuideLibrary(guides, open_own_guide(SIDE).guide)
    return RunReader(library, printed_cards(_pool()), policy=BY_THE_RULES)


def _run(document: bytes) -> None:
    """Recorded answers, folded by a guide of ours."""
    answer, _outcome = _runs().answer(document, 1)
    json.loads(answer)


def _guide(document: bytes) -> None:
    """The files of guides; what is kept of them is opened, and played a little."""
    data = read_json(_text(document))
    if not isinstance(data, dict):
        return
    inputs = data.pop("inputs", [])
    answers = read_answers(inputs, "/inputs")
    files = {path: json.dumps(each).encode() for path, each in data.items()}
    brought = import_guides(files)
    for each in brought.guides:
        guide = open_guide(each.prepared)
        assert (guide.id, guide.digest) == (each.guide_id, each.digest)
        json.loads(each.words)
        fold(guide, answers, printed_cards(_pool()))


def _guide_zip(document: bytes) -> None:
    import_guides(zipped_guide_files(io.BytesIO(document)))


def _own_guide(document: bytes) -> None:
    """A guide as ours are written: TOML by the name of its file."""
    data = read_json(_text(document))
    if isinstance(data, dict) and all(isinstance(each, str) for each in data.values()):
        files = {name: text.encode() for name, text in data.items()}
        found = read_own("own", files)
        if not found.flaws:
            fold(found.own.guide, [], printed_cards(_pool()))


def _terms(document: bytes) -> None:
    agreed = terms_data(read_terms(read_json(_text(document))))
    assert terms_data(read_terms(agreed)) == agreed


def _play(document: bytes) -> None:
    """Play areas, small decks, bags and acts as addresses and buttons have them."""
    asked = QueryDict(document)
    area = read_area(asked, _pool())
    assert area_of(query_of(area), _pool()) == area
    read_deck(asked)
    listed(asked)
    read_act(asked.get("act", ""), asked.get("seen", ""), asked.get("key", ""))
    steps = asked.get("steps", "")
    bag = ChaosBag.of({Token.SKULL: 2, Token.ZERO: 1, Token.BLESS: 1})
    practice_of(bag, asked.get("seed", ""), read_steps(steps))


# -- cards --


def _cards(document: bytes) -> None:
    """The data of an operator; as a snapshot the pool is read the same again."""
    data = read_json(_text(document))
    if not isinstance(data, dict):
        return
    lists = {name: each for name, each in data.items() if isinstance(each, list)}
    found = read_source(
        ParsedSource(
            records=tuple(("cards", each) for each in lists.get("cards", ())),
            packs=tuple(lists.get("packs", ())),
            cycles=tuple(lists.get("cycles", ())),
            encounters=tuple(lists.get("encounters", ())),
            taboos=tuple(lists.get("taboos", ())),
        )
    )
    for problem in found.problems:
        assert problem.expected
    pool = to_pool(found)
    assert read_snapshot(write_snapshot(pool)).version == pool.version
    lexicon_of(pool)


def _card_zip(document: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(document)
        file.flush()
        to_pool(read_path(Path(file.name)))


def _search(document: bytes) -> None:
    """A search, in words again, and what it finds."""
    search = read_search(_text(document), owned=frozenset(["01001"]))
    describe(search)
    found_codes(search)


# -- the rest --


def _odds(document: bytes) -> None:
    asked = read_odds(read_json(_text(document)))
    assert json.loads(odds_text(asked)) == json.loads(json.dumps(odds_data(asked)))


def _body(document: bytes) -> None:
    """A body of the API, read as the message of that name."""
    data = read_json(_text(document))
    shape = _bodies().get(str(data.get("shape"))) if isinstance(data, dict) else None
    if shape is not None:
        reading.read(shape, data.get("body"), apart=True)


@cache
def _bodies() -> Mapping[str, type[Message]]:
    import arkham.api  # noqa: F401 (all messages are there)

    asked: set[str] = set()
    for app in ("arkham", "decks", "campaigns"):
        for path in (PROJECT / app).rglob("*.py"):
            asked.update(_ASKED.findall(path.read_text()))
    return {
        each.__name__: each
        for each in Message.__subclasses__()
        if each.__name__ in asked
    }


_ASKED = re.compile(r"(?:body_of|parse_body)\((\w+)")


ELEMENTS = frozenset((
    *("a", "p", "br", "em", "strong", "s", "del", "code", "pre", "blockquote", "hr"),
    *("ul", "ol", "li", "div", "table", "thead", "tbody", "tr", "th", "td"),
    *("h3", "h4", "h5", "h6"),
))  # fmt: skip


class _SafeHtml(HTMLParser):
    """Refuses what no notes may have."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ELEMENTS, tag
        for name, value in attrs:
            assert name in ("href", "title", "rel", "class", "start"), name
            if name == "href":
                scheme = urlsplit((value or "").strip()).scheme.lower()
                assert scheme not in ("javascript", "vbscript", "data", "file"), value


def _markdown(document: bytes) -> None:
    _SafeHtml().feed(rendered.__wrapped__(_text(document)))


def _cursor(document: bytes) -> None:
    """A cursor of a list of the API."""
    request = HttpRequest()
    request.META["QUERY_STRING"] = urlencode({"cursor": _text(document)})
    Pages().decode_cursor(Request(request))


def _address(document: bytes) -> None:
    """Addresses of decks, of other sites, of programs, of apps."""
    text = _text(document).strip()
    is_address(text)
    with suppress(ValueError):
        read_redirects(text)
    with suppress(ValueError):
        parts = urlsplit(text)
        for place in (
            any_place(parts, quoted_path(parts), ()),
            place_of(parts, quoted_path(parts), ("arkhamdb.com", ".example.org"), ()),
        ):
            if place is not None:
                assert (place.scheme, place.own) == ("https", False)
                assert urlsplit(place.address).hostname == place.host
    place = find_place(text)
    assert place.own or place.scheme == "https"


def _preferences(document: bytes) -> None:
    read_preferences(read_json(_text(document)))
    with suppress(ValueError):
        read_languages(_text(document))


def _form(document: bytes) -> None:
    """A form with files, as a browser sends it."""
    from django.http.multipartparser import MultiPartParser

    meta = {
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
        "CONTENT_LENGTH": len(document),
    }
    MultiPartParser(meta, io.BytesIO(document), []).parse()


# -- documents to begin with --


def _some(
    *documents: str | bytes | dict[str, Any] | list[Any],
) -> Callable[[], Iterator[bytes]]:
    def seeds() -> Iterator[bytes]:
        for each in documents:
            if isinstance(each, bytes):
                yield each
            else:
                yield (each if isinstance(each, str) else json.dumps(each)).encode()

    return seeds


@cache
def _decks() -> list[dict[str, Any]]:
    lines = (PROJECT / "bench" / "decks.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[:12]]


TERMS = {
    "mode": "campaign",
    "taboo": 9,
    "experience": 10,
    "environment": {"kind": "current", "date": "2026-01-01"},
    "tasks": ["a"],
    "rulings": {},
    "trauma": {"01001": {"physical": 1, "mental": 0}},
    "lost_cards": ["01006"],
}


def _of_decks() -> Iterator[bytes]:
    for each in _decks()[:6]:
        yield json.dumps(each).encode()
        yield json.dumps({"deck": each, "circumstances": TERMS, "id": 1}).encode()


def _lists() -> Iterator[bytes]:
    yield from _of_decks()
    for each in _decks()[:4]:
        value = read_object(each).value
        for form in FORMATS.values():
            yield written_as(value, form, _pool()).encode()


def _octgn_files() -> Iterator[bytes]:
    for each in _decks()[:6]:
        yield written_as(read_object(each).value, FORMATS["octgn"], _pool()).encode()


def _batches() -> Iterator[bytes]:
    yield json.dumps(_decks()[:3]).encode()
    yield b'[1, "a\\ud83d\\ude00", {"a": {"b": [1e3]}}, null]'


def _upgrades() -> Iterator[bytes]:
    for line in (PROJECT / "bench" / "upgrades.jsonl").open("rb"):
        if len(line) < 6_000:
            yield line
            break
    one, other = _decks()[:2]
    yield json.dumps({"prev": one, "next": other, "exiled": {"01006": 1}}).encode()


def _accounts() -> Iterator[bytes]:
    at = "2026-01-01T00:00:00+00:00"
    step = {
        "number": 1,
        "cause": "built",
        "made_at": at,
        "made_by": "a",
        "deck": _decks()[0],
        "circumstances": {"mode": "campaign"},
        "window": {},
        "played_at": at,
    }
    entry = {"number": 1, "kind": "granted", "amount": 3, "revision": 1, "made_at": at}
    deck = {"name": "a", "made_at": at, "changed_at": at, "revisions": [step]}
    later = deck | {"experience": {"balance": 3}, "ledger": [entry], "draws": []}
    owned = {"name": "a", "products": {"core": 1}, "missing": {}, "changed_at": at}
    collection = {**owned, "lends": True, "advises": True}
    beside = {"folders": ["b"], "collections": [collection]}
    for version, each in ((1, deck), (2, later), (3, later), (4, later)):
        whole = {"format": ACCOUNT, "version": version, "account": "a", "decks": [each]}
        yield json.dumps(whole | (beside if version == 4 else {})).encode()


def _campaigns() -> Iterator[bytes]:
    for path in sorted(FIXTURES.glob("files/*.json")):
        yield json.dumps(json.loads(path.read_bytes())["file"]).encode()


def _entries() -> Iterator[bytes]:
    for path in sorted(FIXTURES.glob("*.json")):
        kind, version = path.name.split(".")[:2]
        payload = json.loads(path.read_bytes())["payload"]
        entry = {"kind": kind, "version": int(version), "payload": payload}
        yield json.dumps(entry).encode()


def _shared(*parts: str) -> Path:
    folder = os.environ.get("ORNE_SHARED") or PROJECT.parent / "shared"
    return Path(folder, "data", *parts)


def _recorded() -> Iterator[dict[str, Any]]:
    path = _shared("guides", "cases.jsonl")
    lines = path.read_text().splitlines() if path.exists() else ()
    for line in lines:
        run = json.loads(line)
        if run["campaign"] in own_guides():
            yield {
                key: run[key]
                for key in ("campaign", "standalone", "investigators", "inputs")
            }


START = {"type": "start_scenario", "scenario": "$campaign_setup"}
WHO = {
    "type": "string_choices",
    "scenario": "$campaign_setup",
    "step": "choose_investigators",
    "choices": {"01001": ["chosen"], "01002": ["chosen"]},
}


def _recorded_runs() -> Iterator[bytes]:
    yield json.dumps({"campaign": "core", "inputs": [START, WHO]}).encode()
    for run in _recorded():
        yield json.dumps(run | {"inputs": run["inputs"][:60]}).encode()


def _backups() -> Iterator[bytes]:
    runs = [{"inputs": [START, WHO]}, *_recorded()][:3]
    yield json.dumps(runs[0] | {"campaign": "core"}).encode()
    yield json.dumps(
        {
            "campaigns": [
                {"uuid": str(n), "name": "a", "cycleCode": "core", "guideVersion": 1}
                for n in range(len(runs))
            ],
            "guides": [
                {"uuid": str(n), "inputs": run["inputs"][:30]}
                for n, run in enumerate(runs)
            ],
            "decks": [],
        }
    ).encode()
    link = {"type": "campaign_link", "scenario": "a", "step": "b", "decision": "c"}
    yield json.dumps(
        {
            "campaigns": {
                "a": {"cycleCode": "tdea", "linkedCampaignUuid": "c"},
                "b": {"cycleCode": "tdeb", "linkedCampaignUuid": "c"},
                "c": {"link": {"tdea": "a", "tdeb": "b"}},
            },
            "guides": {"a": {"inputs": [link]}, "b": {"inputs": [link]}},
        }
    ).encode()


CAMPAIGN = {
    "id": "a",
    "version": 1,
    "name": "A",
    "setup": ["who"],
    "scenarios": ["one"],
    "campaign_log": [{"id": "notes", "title": "Notes"}],
    "tarots": [],
    "achievements": [],
    "steps": [
        {
            "id": "who",
            "type": "input",
            "input": {"type": "choose_investigators", "min": 1, "max": 4},
        }
    ],
}
SCENARIO = {
    "id": "one",
    "scenario_name": "One",
    "full_name": "One",
    "header": "One",
    "setup": ["x", "$play_scenario"],
    "resolutions": [{"id": "r1", "title": "R1", "steps": ["x"]}],
    "steps": [
        {
            "id": "x",
            "type": "branch",
            "condition": {
                "type": "campaign_log",
                "section": "notes",
                "id": "b",
                "options": [{"boolCondition": True, "steps": ["y"]}],
            },
        },
        {
            "id": "y",
            "effects": [{"type": "campaign_log", "section": "notes", "id": "b"}],
        },
    ],
}


def _guides() -> Iterator[bytes]:
    small = {"campaigns/a/campaign.json": CAMPAIGN, "campaigns/a/one.json": SCENARIO}
    yield json.dumps(small | {"inputs": [START, WHO]}).encode()
    folder = _shared("guides", "campaigns")
    for path in sorted(folder.glob("*/*.json")):
        content = path.read_bytes()
        if len(content) < 30_000 and path.stem != "campaign":
            whole = json.loads((path.parent / "campaign.json").read_bytes())
            yield json.dumps(
                {
                    "campaigns/a/campaign.json": _short(whole),
                    "campaigns/a/one.json": _short(json.loads(content)),
                    "inputs": [START, WHO],
                }
            ).encode()


def _short(value: Any) -> Any:
    """The same with only the beginnings of its texts, which are words."""
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_short(each) for each in value]
    return value[:12] if isinstance(value, str) and " " in value else value


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of some files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _guide_zips() -> Iterator[bytes]:
    files = {
        "a/campaigns/a/campaign.json": json.dumps(CAMPAIGN).encode(),
        "a/campaigns/a/one.json": json.dumps(SCENARIO).encode(),
    }
    yield zipped(files)
    yield zipped({"campaigns/a/campaign.json": b"{}", "b.txt": b"1"})


def _deck_zips() -> Iterator[bytes]:
    lists = [*_lists()][-8:]
    yield zipped({f"d/{n}.txt": each for n, each in enumerate(lists)})
    yield zipped({"a.json": json.dumps(_decks()[:2]).encode(), "b.o8d": b"<deck/>"})


OWN = """name = "Ours"
version = 1
scenarios = ["one"]
setup = ["who"]
[bags]
easy = "0 skull"
standard = "-1 skull"
hard = "-2 skull"
expert = "-3 skull"
[sections.campaign_notes]
title = "Notes"
[lines.campaign_notes]
a = "a was written"
[steps.who]
ask = "investigators"
cites = ["set-up"]
"""
ONE = """name = "One"
setup = ["x", "$play_scenario"]
[steps.x]
cites = ["set-up"]
"""


def _own_guides() -> Iterator[bytes]:
    yield json.dumps({"campaign": OWN, "one": ONE}).encode()
    files = {name: text.decode() for name, text in own_files("core").items()}
    kept = {name: text for name, text in files.items() if "/" not in name}
    yield json.dumps(kept).encode()


def _records() -> Iterator[bytes]:
    folder = _shared("arkhamdb")
    beside: dict[str, list[Any]] = {}
    for name in ("packs", "cycles", "encounters", "taboos"):
        for path in folder.glob(f"**/{name}.json"):
            beside[name] = json.loads(path.read_bytes())[:2]
    cards: list[Any] = []
    for path in sorted(folder.glob("**/pack/*/*.json"))[:40]:
        cards += [_short(each) for each in json.loads(path.read_bytes())[:2]]
    for start in range(0, len(cards), 8):
        yield json.dumps(_short(beside | {"cards": cards[start : start + 8]})).encode()
    yield b'{"cards": [{"code": "01001", "name": "A", "type_code": "investigator"}]}'


def _card_zips() -> Iterator[bytes]:
    for document in [*_records()][:3]:
        data = json.loads(document)
        files = {
            f"a/{name}.json": json.dumps(data.get(name, [])).encode()
            for name in ("packs", "cycles", "encounters", "taboos")
        }
        files["a/pack/a/a.json"] = json.dumps(data["cards"]).encode()
        yield zipped(files)


def _shapes() -> Iterator[bytes]:
    for name in sorted(_bodies()):
        yield json.dumps({"shape": name, "body": {}}).encode()


ODDS = {
    "bag": {"skull": 2, "0": 1, "-1": 3, "elder_sign": 1, "auto_fail": 1, "bless": 2},
    "sealed": {"curse": 1},
    "meanings": {"skull": {"modifier": -1, "reveal_another": True}},
    "difficulty": 3,
    "skills": [1, 2, 3],
    "reveal": RevealWay.ONE.value,
    "id": "a",
}
SEARCHES = (
    "Machete",
    't:asset trait:"weapon" c:guardian level<=2',
    "(cost>3 or -is:fast) sort:cost show:all",
    'access:"Roland Banks" under:none owned:yes released>=2021-06',
    "“Shrivelling” 5 seeker tome",
    "pack:core|dwl text:draw uses:charges slot:hand",
)
NOTES = (
    "# A\n\n- *b*\n- [c](https://a.b 'd')\n\n> e\n\n|a|b|\n|-|-|\n|1|2|\n",
    "![a](b) <b onclick=1>c</b> `d` ~~e~~\n\n1. a\n   ```\n   b\n   ```\n",
    "[a]: b 'c'\n[a]",
)
ADDRESSES = (
    "https://arkhamdb.com/decklist/view/59663/a",
    "https://arkham.build/deck/view/1",
    "http://[::1]:80/a?b#c",
    "https://0x7f.1/ myapp://signed-in http://localhost:1/",
    "https://user@example.org:443/api/public/deck/1.json",
)
AREAS = (
    "investigator=01001&damage=2&card=01016.4.0.1.xu&s_hand=1&limit=2&resigned=yes",
    "kind=exploration&card=l.A&card=t.B&player=C&seed=a&steps=d.s.g.b0.p1.2",
    "act=more:Doom&seen=3&key=a&seed=1&steps=d.e.as.ta.ss.rs.g",
)
EDITS = (
    "add=01020:2 remove=01006 aside=01006 choose=class:rogue side-add=01020",
    "mark=09021:0:1 attach=03264:01022 detach=03264:01022 count=01006 set=01020:1",
    "write=09021:0:a record=a:b share=1:1 without=01006 consider=01020 exile=01020",
)
CURSORS = ("cD0wMTAyMA==", "WzAsZmFsc2UsIjEiXQ:AAAA", ":", "")
BODY = (
    b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.zip"\r\n'
    b"Content-Type: application/zip\r\n\r\nPK\r\n--x--\r\n"
)
MOVED = {"taboo": "9", "taboos": {"01001": "none"}, "faq": "2.5", "answers": ""}

SAID = (Unreadable,)
READERS: Mapping[str, Reader] = {
    "guide": Reader(_guide, SAID, _guides),
    "run": Reader(_run, (), _recorded_runs),
    "campaign-file": Reader(_campaign_file, SAID, _campaigns),
    "cards": Reader(_cards, SAID, _records),
    "list": Reader(_list, (), _lists, "text"),
    "request": Reader(_request, SAID, _of_decks),
    "backup": Reader(_backup, SAID, _backups),
    "search": Reader(_search, (QueryError,), _some(*SEARCHES), "text"),
    "octgn": Reader(_octgn, SAID, _octgn_files, "text"),
    "account": Reader(_account, SAID, _accounts),
    "entry": Reader(_entry, SAID, _entries),
    "price": Reader(_price, (), _upgrades),
    "guide-zip": Reader(_guide_zip, (UnusableGuides,), _guide_zips, "zip"),
    "markdown": Reader(_markdown, (), _some(*NOTES), "text"),
    "odds": Reader(_odds, SAID, _some(ODDS)),
    "edits": Reader(_edits, (Misread, Unreadable), _some(*EDITS), "text"),
    "play": Reader(_play, (), _some(*AREAS), "query"),
    "body": Reader(_body, SAID, _shapes),
    "many": Reader(_many, (TooMany,), _lists, "text"),
    "own-guide": Reader(_own_guide, SAID, _own_guides),
    "address": Reader(_address, (Unreachable,), _some(*ADDRESSES), "text"),
    "content": Reader(_content, SAID, _of_decks),
    "batch": Reader(_batch, SAID, _batches, "text"),
    "deck-zip": Reader(_many_zipped, (TooMany,), _deck_zips, "zip"),
    "card-zip": Reader(_card_zip, (UnreadableSource,), _card_zips, "zip"),
    "terms": Reader(_terms, SAID, _some(MOVED)),
    "missing": Reader(_missing, (), _some("2 Machete\n01020\nRex (3)"), "text"),
    "cursor": Reader(_cursor, (ValidationError,), _some(*CURSORS), "text"),
    "preferences": Reader(_preferences, SAID, _some({"taboo": "9", "theme": "dark"})),
    "form": Reader(_form, (), _some(BODY), "bytes"),
}
NEED_CARDS = frozenset(["search"])  # in a database
