"""The wheel of ``orne-rules``, built without a network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made by the build backend that the tests have installed."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            *options,
            "-w",
            folder,
            "./arkham/rules",
        ],
        cwd=PROJECT,
        check=True,
    )
    (made,) = folder.glob("*.whl")
    return made
