"""What several folders of tests need: programs with a key, local sites, npm."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
MOST_SECONDS = 120  # for npm on a busy machine


def program_of(
    owner: User,
    scope: ApiKey.Scope = ApiKey.Scope.WRITE,
    headers: Mapping[str, str] | None = None,
) -> APIClient:
    """A program with a key of theirs; it sends these headers as well."""
    _key, text = accounts.make_key(owner=owner, name="p", scope=scope, now=NOW)
    return APIClient(headers={"Authorization": f"Bearer {text}", **(headers or {})})


@contextmanager
def local_site(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The host and port of a site on this machine, while it serves."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def npm_packages(folder: Path) -> Path:
    """The ``node_modules`` that the lock in a folder asks for, kept between runs.

    The test is skipped where npm, node or the registry is out of reach.
    """
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("npm and node are needed to install packages of JavaScript")
    wanted = (folder / "package-lock.json").read_bytes()
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    kept = caches / "orne-tests" / hashlib.sha256(wanted).hexdigest()[:16]
    if kept.is_dir():
        return kept / "node_modules"
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(dir=kept.parent))
    for name in ("package.json", "package-lock.json"):
        shutil.copy(folder / name, new)
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    done = subprocess.run(
        ("npm", "ci", *options), cwd=new, timeout=MOST_SECONDS, check=False
    )
    if done.returncode:
        shutil.rmtree(new)
        pytest.skip("npm could not install the packages: is its registry in reach?")
    try:
        new.rename(kept)
    except OSError:  # another run was quicker
        shutil.rmtree(new)
    return kept / "node_modules"
