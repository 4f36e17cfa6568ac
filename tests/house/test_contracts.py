"""The import graph is as the contracts in ``pyproject.toml`` say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_every_import_contract_is_kept() -> None:
    """The contracts say what was broken, and where."""
    linter = Path(sys.executable).parent / "lint-imports"

    result = subprocess.run(
        [str(linter), "--no-cache"], cwd=PROJECT, capture_output=True, text=True
    )

    assert result.returncode == 0, result.stdout
    assert ", 0 broken" in result.stdout
