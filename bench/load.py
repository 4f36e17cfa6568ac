"""The site as in production under a load tool: requests a second, and their times.

``python -m bench.load [SECONDS]`` fills an empty database of PostgreSQL
(``ORNE_POSTGRESQL``, as :mod:`bench.pages`), serves it by gunicorn with two workers and
counters in Redis (``ORNE_REDIS``), and has ``wrk`` ask for each page in turn. Needs the
shared data (``ORNE_SHARED``), for a long log. JSON is printed. Each request has a
connection of its own, as with the nginx of ``docs/operating.md``.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bench.pages import _attribute, _fresh_database

if TYPE_CHECKING:
    from django.test import Client

AT_ONCE = 4  # connections of the tool, each by a thread of its own
WORKERS, THREADS = 2, 2
REDIS = "redis://127.0.0.1:6379/14"
# Each thread has an address to ask for, and a cookie. Its requests are those of many
# visitors, because limits keep a list of each visitor's.
SCRIPT = """
local asked = ASKED
local number = 0
function setup(thread) thread:set("place", number); number = number + 1 end
function init() mine = asked[place % #asked + 1]; adds = true end
function request()
  local body = mine.body
  if mine.revision then
    local what = adds and "add" or "remove"
    body = body .. "&do=" .. what .. "%3D01022&revision=" .. mine.revision
  end
  local from = string.format("10.%d.%d.%d", math.random(255), math.random(255), place)
  mine.headers["X-Forwarded-For"] = from
  return wrk.format(mine.method, mine.path, mine.headers, body)
end
function response(status, headers, body)
  if status ~= mine.expected then failed = (failed or 0) + 1 end
  if mine.revision then
    mine.revision = body:match('data%-revision="(%d+)"')
      or body:match('name="revision" value="(%d+)"') or mine.revision
    adds = not adds
  end
end
function done(summary, latency, requests)
  io.write(string.format('\\nFOUND {"a_second": %.1f, "p95_ms": %.1f, "errors": %d}\\n',
    summary.requests * 1e6 / summary.duration, latency:percentile(95) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read
    + summary.errors.timeout))
end
"""


class Asked(NamedTuple):
    """What one connection asks for, again and again."""

    path: str
    cookie: str = ""
    method: str = "GET"
    body: str = ""
    kind: str = ""  # of the body
    expected: int = 200
    revision: str = ""  # of a deck that is changed each time
    more: tuple[tuple[str, str], ...] = ()  # headers

    def as_lua(self) -> str:
        """A table of the tool's language."""
        headers = {"Accept-Encoding": "identity" if self.revision else "gzip"}
        headers["Connection"] = "close"
        headers |= dict(self.more)
        headers |= {"Cookie": self.cookie} if self.cookie else {}
        headers |= {"Content-Type": self.kind} if self.kind else {}
        fields = {
            "path": self.path,
            "method": self.method,
            "body": self.body,
            "revision": self.revision or None,
        }
        written = [
            f"{name} = {json.dumps(each)}" for name, each in fields.items() if each
        ]
        named = (
            f"[{json.dumps(n)}] = {json.dumps(each)}" for n, each in headers.items()
        )
        written += [f"expected = {self.expected}", f"headers = {{{', '.join(named)}}}"]
        return f"{{{', '.join(written)}}}"


def main(arguments: list[str]) -> None:
    """Fill, serve and ask; print what was found."""
    seconds = int(arguments[0]) if arguments else 10
    with _fresh_database() as address, tempfile.TemporaryDirectory() as folder:
        if not address:
            return
        os.environ |= as_in_production(address, folder) | {"TRUSTED_PROXIES": "1"}
        pages = _pages()
        server = subprocess.Popen(  # noqa: S603 (this very program)
            [
                *(sys.executable, "-m", "gunicorn", "arkham.wsgi"),
                *("--bind", "127.0.0.1:8399", "--log-level", "error"),
                *("--workers", str(WORKERS), "--threads", str(THREADS)),
            ]
        )
        try:
            _wait()
            found = {}
            for name, asked in pages.items():
                # Warmed by others: a deck that a press changed has another revision.
                _loaded(asked[AT_ONCE:] or asked, folder, 3)
                found[name] = _loaded(asked, folder, seconds)
            print(json.dumps(found, indent=1))
        finally:
            server.terminate()
            server.wait()


_LIMITS = (
    "THROTTLE_ANONYMOUS",
    "THROTTLE_ACCOUNT",
    "THROTTLE_PAGES_ANONYMOUS",
    "THROTTLE_PAGES_ACCOUNT",
    "THROTTLE_KEPT_ANONYMOUS",
    "THROTTLE_LEGALITY",
)


def as_in_production(address: str, folder: str) -> dict[str, str]:
    """The environment of a server with this database and folder, without limits."""
    return {
        "DJANGO_SETTINGS_MODULE": "arkham.settings",
        "DATABASE_URL": address,
        "CACHE_URL": os.environ.get("ORNE_REDIS", REDIS),
        "SECRET_KEY": os.urandom(40).hex(),
        "ORNE_DATA": folder,
        "STATIC_ROOT": f"{folder}/static",
        "SECURE_SSL_REDIRECT": "false",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "LOG_LEVEL": "ERROR",
        "THROTTLE_WORK": "0",
        **dict.fromkeys(_LIMITS, "1000000/s"),
    }


def _pages() -> dict[str, list[Asked]]:
    """What is asked for, by a name: of each connection."""
    from bench import long_logs
    from bench.guides import _folder
    from bench.site import visitor

    tables = long_logs.laid(visitor, _folder())
    table, cookie = f"/campaigns/{tables.long}/", _cookie(tables.client)
    decks = Path(__file__).with_name("decks.jsonl").read_text().splitlines()
    deck = json.dumps({"deck": json.loads(decks[0])})
    return {
        "home": [Asked("/")],
        "legality": [
            Asked("/api/v1/legality", "", "POST", deck, "application/json"),
        ],
        "poll": [
            Asked(f"{table}news?after={long_logs.LONG}", cookie, expected=204),
        ],
        "builder_press": [_draft() for _connection in range(2 * AT_ONCE)],
        "campaign": [Asked(table, cookie)],
        "log": [Asked(f"{table}log/", cookie)],
    }


def _draft() -> Asked:
    """A builder of its own, that a card is added to and taken from."""
    from urllib.parse import urlencode

    from django.test import Client

    client = Client(headers={"accept-encoding": "gzip"}, SERVER_NAME="localhost")
    answer = client.post("/decks/new/01001/", {"starter": "1"})
    address = str(answer["Location"])
    page = gzip.decompress(client.get(address).content).decode()
    marks = "".join(re.findall(r'data-mark="(\w+)"', page))
    fields = {
        "shows": f"{_attribute('edition', page)}.{marks}",
        "csrfmiddlewaretoken": client.cookies["csrftoken"].value,
    }
    return Asked(
        address,
        _cookie(client),
        "POST",
        urlencode(fields),
        "application/x-www-form-urlencoded",
        revision=_attribute("revision", page),
        more=(("HX-Request", "true"), ("HX-Target", "builder")),
    )


def _cookie(client: Client) -> str:
    return "; ".join(f"{name}={each.value}" for name, each in client.cookies.items())


def _wait() -> None:
    for _second in range(60):
        try:
            urllib.request.urlopen("http://127.0.0.1:8399/healthz", timeout=5).read()
        except OSError:
            time.sleep(1)
        else:
            return
    raise TimeoutError


def _loaded(asked: list[Asked], folder: str, seconds: int) -> dict[str, float]:
    script = Path(folder) / "asked.lua"
    tables = ", ".join(each.as_lua() for each in asked)
    script.write_text(SCRIPT.replace("ASKED", f"{{{tables}}}"))
    size = str(AT_ONCE)
    done = subprocess.run(  # noqa: S603
        [
            *("wrk", "-t", size, "-c", size, "-d", f"{seconds}s"),
            *("-s", str(script), "http://127.0.0.1:8399"),
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout.rpartition("FOUND ")[2])
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
