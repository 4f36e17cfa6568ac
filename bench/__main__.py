"""``./run bench [NAME] [--json]``: every measure, or those of an area, or one."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

import bench

Measures = dict[str, tuple[float, str]]


def benchmarks(area: str) -> Iterator[Callable[[], Measures]]:
    """The benchmarks of an area, in the order they are written."""
    module = import_module(f"bench.{area}")
    for name, function in vars(module).items():
        if not inspect.isfunction(function) or name.startswith("_"):
            continue
        # What takes arguments, or comes from elsewhere, is apparatus.
        own = function.__module__ == module.__name__
        if own and not inspect.signature(function).parameters:
            yield cast("Callable[[], Measures]", function)


def selected(name: str) -> Measures:
    """All measures whose name is ``name`` or begins with it; all for no name."""
    areas = [module.name for module in pkgutil.iter_modules(bench.__path__)]
    wanted_area = name.partition(".")[0]
    measures: Measures = {}
    for area in areas:
        if area != "__main__" and wanted_area in ("", area):
            for benchmark in benchmarks(area):
                measures |= benchmark()
    return {
        key: value
        for key, value in measures.items()
        if name in ("", key) or key.startswith(f"{name}.")
    }


def main() -> int:
    """Print the measures, as a table or as JSON; 2 if nothing has that name."""
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__)
    parser.add_argument("name", nargs="?", default="", help="an area or a measure")
    parser.add_argument("--json", action="store_true", help="name → value and unit")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="orne-bench-") as folder:
        # As in production, on data of its own.
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "arkham.settings",
            "DEBUG": "false",
            "ORNE_LOCAL": "false",
            "LOG_LEVEL": "ERROR",
            "ORNE_DATA": folder,
            "SECURE_SSL_REDIRECT": "false",
            "STATIC_ROOT": f"{folder}/static",
            "THROTTLE_ANONYMOUS": "1000000/s",
            "THROTTLE_PAGES_ANONYMOUS": "1000000/s",
            "THROTTLE_PAGES_ACCOUNT": "1000000/s",
            "THROTTLE_KEPT_ANONYMOUS": "1000000/s",
            "THROTTLE_WORK": "0",
            "THROTTLE_LEGALITY": "1000000/s",
            "THROTTLE_PUBLIC": "1000000/s",
            "THROTTLE_ODDS": "1000000/s",
        }
        measures = selected(arguments.name)
    if not measures:
        print(f"No measure is called {arguments.name!r}.", file=sys.stderr)
        return 2
    if arguments.json:
        named = {
            name: {"value": value, "unit": unit}
            for name, (value, unit) in measures.items()
        }
        print(json.dumps(named, indent=2))
    else:
        for name, (value, unit) in measures.items():
            print(f"{name:<40} {value:>14,.6g} {unit}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
