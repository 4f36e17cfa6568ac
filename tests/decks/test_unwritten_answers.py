"""What ``check`` says when it can't read its input or write its answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

FULL = Path("/dev/full")
LEGAL_OR_NOT = b'{"investigator_code": "01001", "slots": {}}\n'


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
def test_a_full_disk_is_said_and_is_not_a_verdict() -> None:
    """2 in one line: 1 would say that a deck isn't legal."""
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arkham.rules", "check"],
            cwd=PROJECT,
            input=LEGAL_OR_NOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode == 2
    assert b"error: No space left on device." in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_closed_input_is_named() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m arkham.rules check <&-', sys.executable],
        cwd=PROJECT,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 2
    assert b"error: The standard input is closed." in done.stderr
    assert b"Traceback" not in done.stderr
