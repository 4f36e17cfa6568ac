"""Clients that popular generators make from the API's description.

They can be imported, their types check, and a small program checks decks with them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.conftest import PROJECT
from tests.helpers import npm_packages

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

DESCRIPTION = PROJECT / "docs" / "openapi.yaml"
PROGRAMS = PROJECT / "docs" / "examples" / "generated-clients"
MOST_SECONDS = 300  # on a busy machine; usually some ten
# The Python generator's warning about bodies and responses it writes no code for.
UNWRITTEN = {
    "Unsupported content type application/zip",
    "Unsupported content type application/x-ndjson",
    "Unsupported content type application/jsonl",
    "Unsupported content_type application/x-ndjson",  # of a response
}
OMITTED = re.compile(r"^Cannot parse response .*\((.+)\), response will be omitted.*$")
IMPORT_ALL = """
import importlib, pkgutil, orne_client
for each in pkgutil.walk_packages(orne_client.__path__, "orne_client."):
    importlib.import_module(each.name)
"""


Done = subprocess.CompletedProcess[str]


def _run(*command: str | Path, at: Path, **variables: str) -> Done:
    """Return the output of a command, which must succeed."""
    done = subprocess.run(
        command,
        cwd=at,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def _must_be_right(done: Done) -> None:
    """Check the verdicts of one deck, of the same in a batch, and with its context."""
    told: list[dict[str, Any]] = json.loads(done.stdout)
    assert told[0] == told[1]
    assert [each["id"] for each in told] == ["alone", "alone", "held"]
    assert {each["status"] for each in told} == {"illegal"}
    assert all("access.level" in each["rules"] for each in told)


# -- Python --


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that contains ``orne_client`` and the program that uses it."""
    folder = tmp_path_factory.mktemp("python")
    tools = Path(sys.executable).parent
    done = _run(
        tools / "openapi-python-client",
        *("generate", "--meta", "none", "--output-path", "orne_client"),
        *("--path", DESCRIPTION),
        at=folder,
        PATH=os.pathsep.join((str(tools), os.environ["PATH"])),
    )
    warnings = re.findall(
        r"^(?:WARNING|ERROR) (.*)\n\n(.*)$", done.stderr, re.MULTILINE
    )
    assert {OMITTED.sub(r"\1", why) for _operation, why in warnings} == UNWRITTEN
    shutil.copy(PROGRAMS / "judge.py", folder)
    return folder


def test_a_python_client_can_be_imported(python_client: Path) -> None:
    """Every module of it."""
    _run(sys.executable, "-c", IMPORT_ALL, at=python_client)


def test_a_python_client_passes_strict_type_checks(python_client: Path) -> None:
    """All code generated from the description, and the program.

    The generator's fixed files are not checked.
    """
    _run(
        sys.executable,
        *("-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="),
        *("judge.py", "orne_client/api", "orne_client/models"),
        at=python_client,
    )


def test_a_python_client_checks_decks(
    python_client: Path, live_server: LiveServer
) -> None:
    """With one request for each, and with one for both."""
    _must_be_right(_run(sys.executable, "judge.py", live_server.url, at=python_client))


# -- TypeScript --


@pytest.fixture(scope="module")
def typescript_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that contains the program and its types."""
    tools = npm_packages(PROGRAMS) / ".bin"
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copy(PROGRAMS / "judge.ts", folder)
    shutil.copy(PROGRAMS / "package.json", folder)
    _run(tools / "openapi-typescript", DESCRIPTION, "-o", "orne.ts", at=folder)
    _run(
        tools / "tsc",
        *("--strict", "--noUncheckedIndexedAccess", "--target", "es2022"),
        *("--module", "nodenext", "--lib", "es2023,dom", "judge.ts"),
        at=folder,
    )
    return folder


def test_a_typescript_client_checks_decks(
    typescript_client: Path, live_server: LiveServer
) -> None:
    """The compiler has checked its types."""
    _must_be_right(_run("node", "judge.js", live_server.url, at=typescript_client))
