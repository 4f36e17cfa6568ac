"""The card pool: searches, its pages, its API, and how soon it is ready."""

from __future__ import annotations

import subprocess
import sys
from functools import cache, partial
from typing import TYPE_CHECKING

from bench.timing import median_seconds, percentile

if TYPE_CHECKING:
    from django.test import Client

Measures = dict[str, tuple[float, str]]

# As players search: names, single facts, several, products, access, whole lists.
SEARCHES = (
    "",
    "shrivelling",
    "hot streak",
    '"hot streak"',
    "double or nothing",
    "kohaku",
    "skids",
    "beat",
    "the",
    "01060",
    "01560",
    "class:seeker",
    "f:mystic|rogue",
    "f!neutral",
    "class:guardian type:asset",
    "class:survivor type:event level:0",
    "type:skill sort:class",
    "level:5",
    "level<=2 cost<3",
    "p:0 o>4",
    "level:1-3 class:rogue sort:level",
    "cost:x",
    "level:none",
    "trait:spell",
    "k:tome|relic f!neutral",
    "trait:ally slot:ally health>=3",
    "-trait:item type:asset",
    "slot:arcane uses:charges",
    'slot:"hand x2"',
    "uses:ammo class:guardian",
    "tag:heals-horror",
    "tag:parley class:rogue",
    "is:customizable",
    "is:permanent level:3",
    "is:exceptional or is:myriad",
    "unique:yes type:asset class:seeker",
    "bonded:yes",
    "is:researched",
    "weakness:basic",
    "is:signature class:mystic",
    "owner:01001",
    "w>=2",
    "combat>1 agility>0",
    "wild:2",
    "victory>0",
    "pack:core",
    "e:core|dwl",
    "cycle:dunwich sort:set",
    "y:12",
    "released>=2025",
    "r<2017 class:rogue",
    "set:rats show:all",
    "show:story type:asset",
    "show:all",
    "taboo:latest",
    "taboo:any -taboo:latest",
    "change:dearer",
    "access:01004",
    'access:"roland banks" type:event level:0',
    "access:02003 class:survivor",
    "access:06002 under:latest type:skill",
    "access:09018 level>=3",
    "access:01001 -access:01004",
    "(class:seeker or class:mystic) (type:asset or type:event cost:0) level<=2",
    "trait:weapon -(trait:firearm or trait:melee)",
)


@cache
def _visitor() -> Client:
    """A browser without an account, on a site with the embedded cards."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)

    from django.test import Client

    from cardpool.services import ensure_embedded_pool

    ensure_embedded_pool()
    return Client(headers={"accept-encoding": "gzip"}, SERVER_NAME="localhost")


def _get(address: str, **headers: str) -> None:
    answer = _visitor().get(address, headers=headers)
    assert answer.status_code == 200, (address, answer.status_code)


def _milliseconds(address: str, **headers: str) -> float:
    return median_seconds(partial(_get, address, **headers)) * 1_000


def searches() -> Measures:
    """Every search of the list above, as htmx asks and as programs ask."""
    from urllib.parse import quote

    asked = [quote(search) for search in SEARCHES]
    by_page = [
        _milliseconds(f"/cards/?q={each}", **{"hx-request": "true"}) for each in asked
    ]
    by_api = [_milliseconds(f"/api/v1/cards/?q={each}") for each in asked]
    return {
        "pool.search_median_ms": (percentile(by_page, 50), "ms"),
        "pool.search_p95_ms": (percentile(by_page, 95), "ms"),
        "pool.api_search_p95_ms": (percentile(by_api, 95), "ms"),
    }


def pages() -> Measures:
    """The whole pages: the list, the fullest card, an investigator."""
    return {
        "pool.cards_page_ms": (_milliseconds("/cards/"), "ms"),
        "pool.card_page_ms": (_milliseconds("/cards/01088/"), "ms"),
        "pool.investigator_page_ms": (_milliseconds("/cards/09018/"), "ms"),
        "pool.products_page_ms": (_milliseconds("/cards/products/"), "ms"),
    }


def ready() -> Measures:
    """A fresh process until it has the embedded pool, imports included."""
    program = (
        "import time; start = time.perf_counter();"
        "from arkham.rules.snapshot import embedded_pool; embedded_pool();"
        "print(time.perf_counter() - start)"
    )

    def seconds() -> float:
        found = subprocess.run(  # noqa: S603 (this very interpreter)
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        return float(found.stdout)

    times = sorted(seconds() for _run in range(5))
    return {"pool.ready_ms": (times[2] * 1_000, "ms")}


def loading() -> Measures:
    """The embedded pool into an empty database, and its rows back into a pool."""
    _visitor()

    from arkham.rules.snapshot import embedded_pool
    from cardpool import catalog, services
    from cardpool.models import Card, DataVersion

    def load() -> None:
        Card.objects.all().delete()
        DataVersion.objects.all().delete()
        services.ensure_embedded_pool()

    def read() -> None:
        catalog.read_pool.cache_clear()
        catalog.read_pool(embedded_pool().version)

    return {
        "pool.load_s": (median_seconds(load), "s"),
        "pool.rows_to_pool_ms": (median_seconds(read) * 1_000, "ms"),
    }
