"""Served as in production: hashed files, small pages, plain error pages."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

PROJECT = Path(__file__).resolve().parents[2]

PROBE = """
import gzip, json, re
from django.test import Client
from django.urls import get_resolver, path

def breaks(request):
    raise RuntimeError("a secret of the server")

get_resolver().url_patterns.insert(0, path("breaks", breaks))
client = Client(raise_request_exception=False)

def get(address):
    answer = client.get(address, secure=True, headers={"accept-encoding": "gzip"})
    body = b"".join(answer) if answer.streaming else answer.content
    packed = answer.get("Content-Encoding") == "gzip"
    return answer, len(body), gzip.decompress(body) if packed else body

page, size, body = get("/account/login/")
assets = re.findall(rb'(?:href|src)="(/static/[^"]+)"', body)
files = {}
for asset in sorted({asset.decode() for asset in assets}):
    answer, weight, _body = get(asset)
    files[asset] = [answer.status_code, weight, answer["Cache-Control"]]
print(json.dumps({
    "page": [page.status_code, size],
    "headers": dict(page.headers),
    "files": files,
    "missing": [get("/nowhere")[0].status_code, get("/nowhere")[2].decode()],
    "broken": [get("/breaks")[0].status_code, get("/breaks")[2].decode()],
    "worker": get("/sw.js")[2].decode(),
    "plain": client.get("/").headers.get("Location"),
    "sheet": get(next(each for each in files if "site" in each))[2].decode(),
    "script": get(next(each for each in files if "page" in each))[2].decode(),
}))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the probe saw."""
    folder = tmp_path_factory.mktemp("production")
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    environment = kept | {
        "ORNE_DATA": str(folder / "data"),
        "STATIC_ROOT": str(folder / "static"),
        "ALLOWED_HOSTS": "testserver",
        "LOG_LEVEL": "CRITICAL",
    }

    def manage(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout

    manage("migrate", "--verbosity", "0")
    manage("collectstatic", "--no-input", "--verbosity", "0")
    return json.loads(manage("shell", "--no-imports", "-c", PROBE))


def test_a_first_load_is_light(served: Any) -> None:
    """Page, styles and scripts together stay under 100 kB, compressed."""
    status, size = served["page"]
    weights = [weight for _status, weight, _cache in served["files"].values()]

    assert status == 200
    assert len(weights) == 9  # among them two fonts and two icons
    assert size + sum(weights) < 75_000


def test_a_sheet_holds_those_it_imports_without_comments(served: Any) -> None:
    """One file for every page, and no words for those who write it."""
    assert "@import" not in served["sheet"]
    assert served["sheet"].index("--paper:") < served["sheet"].index(".masthead")
    assert "/*" not in served["sheet"]
    assert "\n//" not in served["script"].replace(" ", "")
    assert "addEventListener" in served["script"]


def test_the_worker_keeps_no_sheet_twice(served: Any) -> None:
    """Those within another aren't files that a page asks for."""
    facts = json.loads(served["worker"].partition("\n")[0][len("const ORNE = ") : -1])
    names = {each.rpartition("/")[2].split(".")[0] for each in facts["files"]}

    assert {"site", "decks", "page", "text"} <= names
    assert names.isdisjoint({"tokens", "base", "layout", "components", "worker"})


def test_no_script_has_a_text_of_several_lines() -> None:
    """Its indentation would be taken away with that of the code."""
    for script in (PROJECT / "arkham/static/arkham").glob("*.js"):
        lines = script.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line.count("`") % 2 or "/*" in line] == []


def test_files_are_compressed_as_well_where_none_were_collected() -> None:
    """`./run` serves them from the code: to phones in the room, too."""
    client, name = Client(), "/static/arkham/components.css"
    plain = b"".join(client.get(name))
    packed = client.get(name, headers={"accept-encoding": "gzip"})
    again = client.get(
        name,
        headers={"accept-encoding": "gzip", "if-none-match": packed["ETag"]},
    )
    part = client.get(name, headers={"accept-encoding": "gzip", "range": "bytes=0-9"})

    assert gzip.decompress(b"".join(packed)) == plain
    assert again.status_code == 304
    assert b"".join(part) == plain[:10]


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_a_file_that_is_known_is_not_sent_again(accepted: str) -> None:
    """Without content there is nothing to compress, or a server would fail."""
    client, name = Client(), "/static/arkham/components.css"
    sent = client.get(name, headers={"accept-encoding": accepted})
    known = {"accept-encoding": accepted, "if-none-match": sent["ETag"]}
    again = client.get(name, headers=known)
    head = client.head(name, headers={"accept-encoding": accepted})

    assert (again.status_code, again["ETag"]) == (304, sent["ETag"])
    assert "Content-Encoding" not in again
    assert "Accept-Encoding" in again["Vary"]
    assert head.get("Content-Encoding") == sent.get("Content-Encoding")
    assert b"".join(again) == b"".join(head) == b""


def test_a_compressed_file_is_never_completed_by_a_plain_part() -> None:
    """Its ETag is weak, and who asks for a part by a condition gets the whole file."""
    client, name = Client(), "/static/arkham/components.css"
    plain = client.get(name)
    packed = client.get(name, headers={"accept-encoding": "gzip"})
    rest = client.get(name, headers={"range": "bytes=9-", "if-range": plain["ETag"]})

    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert rest.status_code == 200
    assert b"".join(rest) == b"".join(plain)


def test_fonts_are_not_compressed_again() -> None:
    """They are already."""
    name = "/static/arkham/fonts/text.woff2"
    answer = Client().get(name, headers={"accept-encoding": "gzip"})

    assert "Content-Encoding" not in answer


def test_files_are_named_by_their_content_and_kept(served: Any) -> None:
    """For ever, as their names change with them."""
    assert {status for status, _size, _cache in served["files"].values()} == {200}
    assert all(
        "immutable" in cache for _status, _size, cache in served["files"].values()
    )


def test_headers_are_strict(served: Any) -> None:
    """HTTPS only, no frames, no sniffing."""
    headers = served["headers"]

    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_plain_http_is_sent_to_https(served: Any) -> None:
    """At once."""
    assert served["plain"] == "https://testserver/"


def test_what_is_missing_has_a_page(served: Any) -> None:
    """With a way out."""
    status, page = served["missing"]

    assert status == 404
    assert "There is nothing at this address." in page
    assert 'href="/"' in page


def test_what_is_broken_has_a_page_without_details(served: Any) -> None:
    """The fault is in the log, not on the page."""
    status, page = served["broken"]

    assert status == 500
    assert "This is our fault" in page
    assert "secret" not in page
    assert "Sign in" not in page  # nobody was asked whether they are
    assert 'href="/account/"' in page
