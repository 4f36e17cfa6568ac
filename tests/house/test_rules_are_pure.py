"""The rules can be used without Django, Celery or any other library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

PROBE = """
import pkgutil, sys
import arkham.rules, arkham.charts
for module in pkgutil.walk_packages(arkham.rules.__path__, "arkham.rules."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
foreign = sorted(
    name
    for name in {name.partition(".")[0] for name in sys.modules}
    if name not in sys.stdlib_module_names
    and name not in {"arkham", "__main__"}
    and not name.startswith("_")
)
print(" ".join(foreign))
"""


def test_rules_and_charts_import_nothing_but_the_standard_library() -> None:
    """In a fresh interpreter, isolated from site packages' start-up hooks."""
    probe = subprocess.run(
        [sys.executable, "-S", "-c", PROBE],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert probe.stdout.strip() == ""


def test_the_project_package_stays_empty() -> None:
    """Importing ``arkham.rules`` runs it, and it must not bring in Celery."""
    assert (PROJECT / "arkham" / "__init__.py").read_text() == ""
