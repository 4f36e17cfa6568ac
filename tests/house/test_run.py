"""The one door: what ``./run`` says, prepares and serves."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def environment(data: Path, **more: str) -> dict[str, str]:
    """A clean one, with data of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME")}
    return kept | {"ORNE_DATA": str(data)} | more


def run(
    data: Path, *arguments: str, where: Path = PROJECT, **more: str
) -> subprocess.CompletedProcess[str]:
    """``./run`` to its end."""
    return subprocess.run(
        [str(where / "run"), *arguments],
        cwd=data,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_help_and_version(tmp_path: Path) -> None:
    """They need no environment and make none."""
    assert "./run [COMMAND]" in run(tmp_path, "help").stdout
    assert run(tmp_path, "--version").stdout == "Orne 0.1.0\n"
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_is_named(tmp_path: Path) -> None:
    """Exit code 2, on stderr."""
    result = run(tmp_path, "tset")

    assert (result.returncode, result.stdout) == (2, "")
    assert "There is no command “tset”." in result.stderr


def test_manage_speaks_only_the_commands_words(tmp_path: Path) -> None:
    """Preparation talks on stderr, so that the output can be piped."""
    result = run(tmp_path, "manage", "invite")

    assert result.returncode == 0, result.stderr
    assert re.fullmatch(r"[\w-]{16}\n", result.stdout)
    assert (tmp_path / "orne.sqlite3").stat().st_size > 0


def test_a_missing_venv_module_is_said_in_one_line(tmp_path: Path) -> None:
    """As on a fresh Debian."""
    for name in ("run", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *ensurepip*) exit 1 ;; esac\n')
    python.chmod(0o755)

    result = run(tmp_path, where=tmp_path, PYTHON=str(python))

    assert result.returncode == 1
    assert result.stderr == (
        "Python's venv module is missing: apt install python3-venv\n"
    )


def test_an_old_python_is_said_in_one_line(tmp_path: Path) -> None:
    """Before anything is made."""
    for name in ("run", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)

    result = run(tmp_path, where=tmp_path, PYTHON=str(python))

    assert result.returncode == 1
    assert result.stderr == "Orne needs Python 3.11 or later; PYTHON may name it.\n"


@pytest.mark.parametrize("port", ["80a", "0", "65536"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    """With what was expected."""
    result = run(tmp_path, PORT=port)

    assert result.returncode == 1
    assert f"PORT is “{port}”; a number from 1 to 65535 is expected." in result.stderr


def test_a_worker_without_a_broker_is_not_needed(tmp_path: Path) -> None:
    """It says so instead of waiting for ever."""
    result = run(tmp_path, "worker")

    assert result.returncode == 1
    assert "CELERY_BROKER_URL" in result.stderr


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def serve(data: Path) -> tuple[str, bytes]:
    """Serve until the first page came; what was printed, and the page."""
    port = free_port()
    log = data / "log"
    start = time.monotonic()
    with log.open("w") as out:
        server = subprocess.Popen(
            [str(PROJECT / "run")],
            cwd=data,
            env=environment(data, PORT=str(port)),
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    address = f"http://127.0.0.1:{port}/"
    try:
        while address not in log.read_text():
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < start + 60, log.read_text()
            time.sleep(0.05)
        with urllib.request.urlopen(address) as answer:
            page: bytes = answer.read()
    finally:
        server.terminate()
        server.wait(timeout=20)
    return log.read_text(), page


def test_it_serves_and_shows_the_demo_password_once(tmp_path: Path) -> None:
    """The second start keeps the secret."""
    first, page = serve(tmp_path)
    second, _page = serve(tmp_path)

    assert re.search(r"Demo account: demo, password: [\w-]{12}", first)
    assert b"<h1" in page
    assert "password" not in second
