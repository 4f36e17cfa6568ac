"""Measures how easily a newcomer finds their way: modules, names, importers, tests.

``python -m tests.house.structure`` prints the table; with ``--check`` it fails where a
figure is worse than its limit, with ``--list FIGURE`` it names what is counted.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
APPS = ("arkham", "cardpool", "decks", "campaigns")
SHORT = 40  # lines; a module below is a reason to ask whether it must be one
LONG = 400
LONG_TEST = 500  # lines; a longer file of tests is about more than one topic
# Short modules that Django, DRF or Python look for under these names.
FRAMEWORK = frozenset({
    "__init__", "__main__", "apps", "admin", "urls", "tasks", "asgi", "wsgi", "celery",
    "middleware", "formats",
})  # fmt: skip


@dataclass(frozen=True)
class Module:
    """One file of the product."""

    name: str
    path: Path
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def lines(self) -> int:
        return self.source.count("\n")

    @property
    def short_name(self) -> str:
        return self.path.stem

    @property
    def is_framework(self) -> bool:
        """Whether a framework asks for it: its name or folder is not ours to choose."""
        return (
            self.short_name in FRAMEWORK
            or "commands" in self.path.parts
            or "templatetags" in self.path.parts
        )

    @property
    def asks(self) -> bool:
        """Whether the first sentence of its docstring is a question."""
        docstring = ast.get_docstring(self.tree) or ""
        return docstring.split("\n\n")[0].rstrip().endswith("?")


def modules() -> Mapping[str, Module]:
    """The modules of the product by dotted name, without migrations and empty files."""
    found = {}
    for path in sorted(path for app in APPS for path in (PROJECT / app).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not source.strip() or "migrations" in path.parts:
            continue
        parts = path.relative_to(PROJECT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        found[name] = Module(name, path, source)
    return found


def _imports_of(module: Module, known: Mapping[str, Module]) -> Iterator[str]:
    """What a module imports: a known module by its name, else what holds the name."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                yield inner if inner in known else node.module
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


class Structure:
    """The product's modules and what imports what."""

    def __init__(self) -> None:
        self.modules = modules()

    @cached_property
    def importers(self) -> Mapping[str, frozenset[str]]:
        """The modules that import each module."""
        found: dict[str, set[str]] = defaultdict(set)
        for module in self.modules.values():
            for imported in _imports_of(module, self.modules):
                found[imported].add(module.name)
        return {name: frozenset(found[name]) for name in self.modules}

    def product_lines(self) -> list[str]:
        """Every line of Python and CSS; the list has one item a file."""
        return [
            f"{path.relative_to(PROJECT)}: {text.count(chr(10))}"
            for path in self._product_files()
            if (text := path.read_text(encoding="utf-8"))
        ]

    def _product_files(self) -> Iterator[Path]:
        yield from (module.path for module in self.modules.values())
        yield from sorted(PROJECT.glob("arkham/static/**/*.css"))

    def style_lines(self) -> list[str]:
        """Every line of CSS; the list has one item a file."""
        return [each for each in self.product_lines() if ".css: " in each]

    def all_modules(self) -> list[str]:
        return list(self.modules)

    def short_modules(self) -> list[str]:
        """Modules under 40 lines that no framework asks for."""
        return [
            f"{name}: {module.lines}"
            for name, module in self.modules.items()
            if module.lines < SHORT and not module.is_framework
        ]

    def long_modules(self) -> list[str]:
        """Modules over 400 lines."""
        return [
            f"{name}: {module.lines}"
            for name, module in self.modules.items()
            if module.lines > LONG
        ]

    def shared_class_names(self) -> list[str]:
        """Names of public classes that stand for more than one class."""
        holders: dict[str, list[str]] = defaultdict(list)
        for module in self.modules.values():
            for node in module.tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    holders[node.name].append(module.name)
        return [
            f"{name}: {', '.join(where)}"
            for name, where in sorted(holders.items())
            if len(where) > 1 and name not in {"Command", "Meta"}
        ]

    def single_importers(self) -> list[str]:
        """Modules that exactly one other module imports."""
        return [
            f"{name} ← {next(iter(importers))}"
            for name, importers in self.importers.items()
            if len(importers) == 1 and not self.modules[name].is_framework
        ]

    def questions(self) -> list[str]:
        """Modules whose docstring begins with a question."""
        return [name for name, module in self.modules.items() if module.asks]

    def top_level(self, app: str) -> list[str]:
        """The modules of an app that lie in none of its packages."""
        return [
            name
            for name, module in self.modules.items()
            if module.path.parent == PROJECT / app
        ]

    def outside_layers(self) -> list[str]:
        """Parts of an app or of the rules that no exhaustive layer contract names."""
        settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
        contracts = settings["tool"]["importlinter"]["contracts"]
        placed: dict[str, set[str]] = defaultdict(set)
        for contract in contracts:
            if contract["type"] == "layers" and contract.get("exhaustive"):
                for container in contract["containers"]:
                    placed[container] |= {
                        part.strip("() ")
                        for layer in contract["layers"]
                        for part in layer.replace("|", ":").split(":")
                    } | set(contract.get("exhaustive_ignores", ()))
        return [
            part
            for container in ("arkham.rules", "cardpool", "decks", "campaigns")
            for part in sorted(self._parts_of(container))
            if part.removeprefix(f"{container}.") not in placed[container]
        ]

    @cached_property
    def tests(self) -> Mapping[str, Module]:
        """The Python files of the tests by dotted name, helpers among them."""
        return {
            name: Module(name, path, path.read_text(encoding="utf-8"))
            for path in sorted(PROJECT.glob("tests/**/*.py"))
            if (name := ".".join(path.relative_to(PROJECT).with_suffix("").parts))
        }

    def long_tests(self) -> list[str]:
        """Files of tests over 500 lines."""
        return [
            f"{name}: {module.lines}"
            for name, module in self.tests.items()
            if module.lines > LONG_TEST
        ]

    def imported_tests(self) -> list[str]:
        """Test modules that others import: what they share belongs to a helper."""
        importers: dict[str, set[str]] = defaultdict(set)
        for module in self.tests.values():
            for imported in _imports_of(module, self.tests):
                if imported.rpartition(".")[2].startswith("test_"):
                    importers[imported].add(module.name)
        return [
            f"{name} ← {', '.join(sorted(importers[name]))}"
            for name in self.tests
            if name in importers
        ]

    def _parts_of(self, container: str) -> set[str]:
        depth = container.count(".") + 2
        return {
            ".".join(name.split(".")[:depth])
            for name in self.modules
            if name.startswith(f"{container}.")
        }


class Figure(NamedTuple):
    """One line of the table: what is counted, and how much of it is too much."""

    key: str
    title: str
    counted: Callable[[Structure], list[str]]
    limit: int

    def value(self, structure: Structure) -> int:
        counted = self.counted(structure)
        if self.key in {"lines", "css"}:
            return sum(int(each.rpartition(": ")[2]) for each in counted)
        return len(counted)


# A limit is lowered with each figure that falls. It is raised only for what people can
# use, never to make room; the commit that raises it says what for.
FIGURES = (
    Figure("lines", "product lines (Python and CSS)", Structure.product_lines, 138_380),
    Figure("css", "lines of CSS", Structure.style_lines, 7_220),
    Figure("modules", "modules outside tests", Structure.all_modules, 540),
    Figure("short", "modules under 40 lines", Structure.short_modules, 1),
    Figure("long", "modules over 400 lines", Structure.long_modules, 0),
    Figure(
        "shared-names",
        "class names used for more than one thing",
        Structure.shared_class_names,
        10,
    ),
    Figure(
        "one-importer",
        "modules with exactly one importer",
        Structure.single_importers,
        87,
    ),
    Figure("questions", "module docstrings that ask", Structure.questions, 0),
    Figure(
        "campaigns-top",
        "top-level modules of campaigns/",
        lambda structure: structure.top_level("campaigns"),
        12,
    ),
    Figure(
        "decks-top",
        "top-level modules of decks/",
        lambda structure: structure.top_level("decks"),
        12,
    ),
    Figure("outside-layers", "parts in no layer contract", Structure.outside_layers, 0),
    Figure("long-tests", "test files over 500 lines", Structure.long_tests, 0),
    Figure(
        "imported-tests",
        "test modules that others import",
        Structure.imported_tests,
        0,
    ),
)


def table(structure: Structure) -> Iterator[str]:
    """The table as lines of text: figure, value, limit."""
    yield f"{'figure':<16}{'now':>9}{'limit':>9}  what it counts"
    for figure in FIGURES:
        value = figure.value(structure)
        yield f"{figure.key:<16}{value:>9,}{figure.limit:>9,}  {figure.title}"


def beyond_limit(structure: Structure) -> list[str]:
    """The keys of the figures that are worse than their limits."""
    return [each.key for each in FIGURES if each.value(structure) > each.limit]


def main(arguments: list[str]) -> int:
    """Prints the table, or what one figure counts; 1 where --check finds a fault."""
    structure = Structure()
    match arguments:
        case ["--list", key]:
            counted = next(each.counted for each in FIGURES if each.key == key)
            print("\n".join(counted(structure)))
            return 0
        case [] | ["--check"]:
            print("\n".join(table(structure)))
        case _:
            print(__doc__)
            return 2
    worse = beyond_limit(structure) if arguments else []
    if worse:
        print(f"Worse than its limit: {', '.join(worse)}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
