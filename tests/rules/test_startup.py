"""The shell's door answers a deck without loading what other lines need."""

from __future__ import annotations

import json
import subprocess
import sys

LINE = json.dumps({"investigator_code": "01001", "slots": {"01016": 2}})
# What starting processes, prices and archives need, and one deck does not.
SPARED = (
    "arkham.rules.upgrade",
    "concurrent.futures",
    "hashlib",
    "importlib.resources",
    "multiprocessing",
)
_PROGRAM = """
import gc, sys
from arkham.rules.__main__ import main
code = main(["check"])
print(code, gc.isenabled(), gc.get_freeze_count() > 10_000, *sys.modules)
"""


def test_a_deck_is_answered_without_loading_more() -> None:
    """Nor does the garbage collector look through the card pool again and again."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=LINE,
        capture_output=True,
        check=True,
        text=True,
    )
    answer, said = done.stdout.splitlines()
    code, enabled, frozen, *modules = said.split()

    assert json.loads(answer)["status"] == "incomplete"
    assert (code, enabled, frozen) == ("1", "True", "True")
    assert set(modules).isdisjoint(SPARED)
