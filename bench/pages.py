"""Pages: server time in this process, and what a first visit loads, compressed."""

from __future__ import annotations

import gzip
import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import long_logs
from bench.site import visitor
from bench.timing import median_seconds

if TYPE_CHECKING:
    from psycopg import Connection

DECKS = Path(__file__).with_name("decks.jsonl")
SERVER = "postgres://postgres@127.0.0.1:5432/postgres"
Measures = dict[str, tuple[float, str]]

_STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@cache
def _deck() -> str:
    """The address of a draft: a legal first deck, opened in the visitor's browser."""
    answer = visitor().post("/decks/new/01001/", {"starter": "1"})
    return str(answer["Location"]).removesuffix("edit")


def _milliseconds(address: str, **fields: str) -> float:
    def visit() -> None:
        ask = visitor().post if fields else visitor().get
        answer = ask(address, fields)
        assert answer.status_code in (200, 303), (address, answer.status_code)

    return median_seconds(visit) * 1_000


def home() -> Measures:
    """The first page, and the verdict on a pasted list."""
    visitor()
    from decks.services.beginning import SAMPLE_TEXT

    return {
        "pages.home_ms": (_milliseconds("/"), "ms"),
        "pages.judged_ms": (_milliseconds("/", text=SAMPLE_TEXT), "ms"),
    }


def builder() -> Measures:
    """The builder with a whole deck: shown, searched, changed."""
    edit = f"{_deck()}edit"
    return {
        "pages.builder_ms": (_milliseconds(edit), "ms"),
        "pages.builder_search_ms": (
            _milliseconds(f"{edit}?view=add&q=level:0-2&order=level"),
            "ms",
        ),
        "pages.deck_ms": (_milliseconds(_deck()), "ms"),
        "pages.terms_ms": (_milliseconds(f"{_deck()}terms"), "ms"),
        "pages.my_decks_ms": (_milliseconds("/decks/"), "ms"),
        "pages.investigators_ms": (_milliseconds("/decks/new/"), "ms"),
    }


def _desk() -> str:
    """The address of the upgrade desk of the newest deck, after its first game."""
    from django.utils import timezone

    from decks import services
    from decks.models import Deck
    from decks.services.ledger import Earned

    deck = Deck.objects.latest("pk")
    game = services.PlayedGame((Earned("victory", 8, ""),))
    services.mark_played(deck=deck, game=game, expected_revision=1, now=timezone.now())
    return f"/decks/{deck.pk}/upgrade/"


def upgrade() -> Measures:
    """The upgrade desk of a deck that was played."""
    visitor().post("/decks/new/01001/", {"starter": "1"})
    desk = _desk()
    return {
        "pages.desk_ms": (_milliseconds(desk), "ms"),
        "pages.desk_search_ms": (_milliseconds(f"{desk}?view=add&q=level:1-3"), "ms"),
    }


def change() -> Measures:
    """One card more and one card fewer, as the script of the builder asks for them.

    The page says which pieces it shows; those of the deck as it was loaded, so that
    every answer has the card that was pressed, and what follows from it, again.
    """
    address = f"{_deck()}edit"
    page = gzip.decompress(visitor().get(address).content).decode()
    marks = "".join(re.findall(r'data-mark="(\w+)"', page))
    shows = f"{_attribute('edition', page)}.{marks}"
    revision = _attribute("revision", page)
    headers = {"hx-request": "true", "hx-target": "builder"}

    def press(what: str) -> None:
        nonlocal revision
        fields = {"revision": revision, "do": what, "shows": shows}
        answer = visitor().post(address, fields, headers=headers)
        assert answer.status_code == 200
        revision = _attribute("revision", gzip.decompress(answer.content).decode())

    def both() -> None:
        press("add=01022")
        press("remove=01022")

    return {"pages.change_ms": (median_seconds(both) * 500, "ms")}


def _attribute(name: str, page: str) -> str:
    """What the builder on a page has as its ``data-`` attribute of this name."""
    found = re.search(rf'id="builder"[^>]* data-{name}="([^"]*)"', page)
    assert found is not None
    return found[1]


def rules() -> Measures:
    """The rules library: all of it listed, searched as one types, an entry."""
    return {
        "pages.rules_ms": (_milliseconds("/rules/"), "ms"),
        "pages.rules_search_ms": (_milliseconds("/rules/?q=weakness"), "ms"),
        "pages.rules_misspelt_ms": (_milliseconds("/rules/?q=permanant"), "ms"),
        "pages.rule_ms": (_milliseconds("/rules/permanent/"), "ms"),
    }


def table() -> Measures:
    """The helpers for the table, each in the middle of a game."""
    bag = "n_0=2&n_-1=3&n_-2=2&n_skull=2&n_bless=5&n_curse=5&n_frost=4&n_auto_fail=1"
    laid = "&".join(f"card={code}" for code in ("01006.4", "02147", "01020", "01018"))
    explored = "&".join(f"card=l.Place+{number}" for number in range(12))
    ended = "how=defeated_by_damage&clues=2&step=2"
    addresses = {
        "pages.elimination_ms": f"elimination/?{ended}",
        "pages.test_ms": f"test/?investigator=01001&{bag}&seed=a&drawn=qc",
        "pages.area_ms": f"area/?investigator=01001&{laid}&card=01087.3&card=01029.2",
        "pages.pile_ms": f"deck/?kind=exploration&{explored}&seed=a&steps=d.d.f3.d.d",
        "pages.round_ms": "round/?round=2&at=9",
    }
    timed = {
        name: (_milliseconds(f"/table/{address}"), "ms")
        for name, address in addresses.items()
    }
    heaviest = max(_weight(f"/table/{address}") for address in addresses.values())
    return {**timed, "pages.table_load_kb": (heaviest, "KB")}


def verdict() -> Measures:
    """A verdict that was shared."""
    answer = visitor().post(f"{_deck()}share")
    return {"pages.verdict_ms": (_milliseconds(answer["Location"]), "ms")}


def shown() -> Measures:
    """A list of published decks, and one of them."""
    visitor()
    from django.utils import timezone

    from arkham.accounts.models import User
    from cardpool.catalog import current_pool
    from decks import services
    from decks.lists.starter import starter_deck

    pool, now = current_pool(), timezone.now()
    author, _made = User.objects.get_or_create(username="bench")
    for _each in range(24):
        content = starter_deck(pool, "01001")
        deck = services.create_deck(owner=author, content=content, now=now)
        last = services.publish_deck(deck=deck, number=1, pool=pool, now=now)
    return {
        "pages.published_ms": (_milliseconds("/decks/published/"), "ms"),
        "pages.shown_ms": (_milliseconds(f"/decks/published/{last.pk}/"), "ms"),
    }


def campaign() -> Measures:
    """The pages of campaigns with 300 entries: the longest recorded run, and facts.

    The preview is that of the answer which settles the last game; statistics are of 30
    campaigns more. Without the shared data (``ORNE_SHARED``) nothing is measured.
    """
    from bench.guides import _files, _folder

    if not _files():
        return {}
    found = long_logs.measured(long_logs.laid(visitor, _folder()))
    named = {
        "campaign": "pages.campaign_ms",
        "campaign_log": "pages.campaign_log_ms",
        "campaign_timeline": "pages.campaign_timeline_ms",
        "settlement_preview": "pages.settlement_preview_ms",
        "poll_unchanged": "pages.poll_unchanged_ms",
        "scenario_poll_unchanged": "pages.scenario_poll_unchanged_ms",
        "statistics": "pages.statistics_ms",
    }
    return {
        named[name]: (statistics.median(each), "ms") for name, each in found.items()
    }


def campaign_on_postgresql() -> Measures:
    """The same on PostgreSQL, 95th percentiles, in a process and database of its own.

    ``ORNE_POSTGRESQL`` names a server; where none answers, that is said and nothing
    is measured.
    """
    from bench.guides import _files, _folder

    if not _files():
        return {}
    with _fresh_database() as address:
        if not address:
            return {}
        done = subprocess.run(  # noqa: S603 (this very program)
            [sys.executable, "-m", "bench.long_logs", str(_folder())],
            env={**os.environ, "DATABASE_URL": address},
            stdout=subprocess.PIPE,
            check=True,
        )
    found = json.loads(done.stdout)
    named = {
        "campaign": "pages.campaign_pg_p95_ms",
        "campaign_log": "pages.campaign_log_pg_p95_ms",
        "campaign_timeline": "pages.campaign_timeline_pg_p95_ms",
        "settlement_preview": "pages.settlement_preview_pg_p95_ms",
        "poll_unchanged": "pages.poll_unchanged_pg_p95_ms",
        "scenario_poll_unchanged": "pages.scenario_poll_unchanged_pg_p95_ms",
        "statistics": "pages.statistics_pg_p95_ms",
    }
    return {named[name]: (each, "ms") for name, each in found.items()}


def _connected(server: str) -> Connection[Any]:
    """A connection; ImportError without the driver, OSError where none answers."""
    import psycopg

    try:
        return psycopg.connect(server, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        raise OSError(str(error)) from error


@contextmanager
def _fresh_database() -> Iterator[str]:
    """The address of an empty database, which is dropped again; "" without a server."""
    server = os.environ.get("ORNE_POSTGRESQL", SERVER)
    try:
        connection = _connected(server)
    except (ImportError, OSError) as error:
        print(f"PostgreSQL is left out: {error}", file=sys.stderr)
        yield ""
        return
    name = f"orne_bench_{os.getpid()}"
    with connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def first_load() -> Measures:
    """The page with everything it links to, compressed, in kilobytes of 1,024.

    The builder and the desk are those of the deck with most cards of the set.
    """
    lists = [json.loads(line) for line in DECKS.read_text().splitlines()]
    fullest = max(lists, key=lambda each: len(each["slots"]))
    content = {name: fullest[name] for name in ("investigator_code", "slots")}
    visitor()
    opened = visitor().post("/decks/bring/", {"content": json.dumps(content)})
    weights = {
        "pages.first_load_kb": _weight("/"),
        "pages.builder_load_kb": _weight(opened["Location"]),
        "pages.investigators_load_kb": _weight("/investigators/"),
        "pages.desk_load_kb": _weight(_desk()),
    }
    return {name: (weight, "KB") for name, weight in weights.items()}


def _weight(address: str) -> float:
    page = visitor().get(address)
    text = gzip.decompress(page.content).decode()
    files = [visitor().get(file) for file in sorted(set(_STATIC.findall(text)))]
    bodies = [page.content, *(b"".join(answer) for answer in files)]
    heads = [f"{answer.headers}" for answer in (page, *files)]
    return round(sum(map(len, (*bodies, *heads))) / 1_024, 1)
