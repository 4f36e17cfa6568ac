"""What ``./run`` installs is enough: no module needs a package of tests."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
APPS = ("arkham", "campaigns", "cardpool", "decks")

# Loaded by name where a setting or a command asks for them, and never else.
OPTIONAL = {"arkham.web.counters", "arkham.mcp_server"}  # Redis; mcp

PROBE = """
import importlib, pkgutil, sys

absent, apps, but = (set(each.split(",")) for each in sys.argv[1:])

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())

import django
django.setup()
for app in sorted(apps):
    package = importlib.import_module(app)
    for module in pkgutil.walk_packages(package.__path__, app + "."):
        if module.name not in but and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""


def named(text: str) -> str:
    """A distribution's name as all spellings of it are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", text).lower()


def test_every_module_loads_with_the_packages_of_run_alone() -> None:
    """All others count as absent, though the tests have them installed."""
    lock = (PROJECT / "requirements.txt").read_text()
    installed = {named(each) for each in re.findall(r"^([\w.-]+)==", lock, re.M)}
    absent = {
        module
        for module, distributions in packages_distributions().items()
        if not any(named(each) in installed for each in distributions)
    } - {"pip", "setuptools", "pkg_resources", "_distutils_hack"}
    assert {"redis", "mcp"} <= absent
    assert "django" not in absent

    result = subprocess.run(
        [sys.executable, "-c", PROBE]
        + [",".join(each) for each in (absent, APPS, OPTIONAL)],
        cwd=PROJECT,
        env={"PATH": "", "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
    )

    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("extra", ["mcp", "production"])
def test_an_extra_lock_changes_no_package_of_run(extra: str) -> None:
    """It adds packages; those of ``./run`` stay at their versions."""

    def pins(lock: str) -> set[str]:
        text = (PROJECT / lock).read_text("utf-8")
        return {*re.findall(r"^[\w.-]+==[\w.]+", text, re.M)}

    assert pins("requirements.txt") <= pins(f"requirements-{extra}.txt")
