"""``manage.py`` in an interpreter of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import PROJECT


def in_fresh_interpreter(
    data: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """``manage.py`` with these variables and no others of ours."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=kept | {"ORNE_DATA": str(data)} | environment,
        capture_output=True,
        text=True,
    )
