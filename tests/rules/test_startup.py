"""The command answers a deck without loading modules that other requests need."""

from __future__ import annotations

import json
import subprocess
import sys

LINE = json.dumps({"investigator_code": "01001", "slots": {"01016": 2}})
# Modules that processes, prices and archives need, but a single deck doesn't.
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


def test_judging_a_deck_loads_no_other_modules() -> None:
    """The garbage collector doesn't scan the card pool again and again either."""
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
