"""What ``check`` says when its answers can't be written, as on a full disk."""

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
