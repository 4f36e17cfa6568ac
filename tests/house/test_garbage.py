"""The garbage collector is tuned where processes start, and nowhere else."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

from decks.apps import GARBAGE_THRESHOLD

PROJECT = Path(__file__).parents[2]
PLACES = {
    "arkham/rules/__main__.py",
    "arkham/rules/shell.py",
    "campaigns/management/commands/replay_guide.py",
    "decks/apps.py",
    "decks/management/commands/check_decks.py",
}


def _imports_gc(path: Path) -> bool:
    tree = ast.parse(path.read_text("utf-8"))
    return any(
        isinstance(node, ast.Import) and any(each.name == "gc" for each in node.names)
        for node in ast.walk(tree)
    )


def test_no_look_up_touches_the_garbage_collector() -> None:
    """What answers requests may run in any process, whose collector is not its own."""
    apps = ("accounts", "arkham", "campaigns", "cardpool", "charts", "decks")
    found = {
        str(path.relative_to(PROJECT))
        for app in apps
        for path in (PROJECT / app).rglob("*.py")
        if _imports_gc(path)
    }
    assert found == PLACES


def test_every_process_of_the_site_looks_for_garbage_less_often() -> None:
    """From its start: a deck with thousands of findings makes that many objects."""
    assert gc.get_threshold()[0] == GARBAGE_THRESHOLD
    assert gc.get_freeze_count() > 0
