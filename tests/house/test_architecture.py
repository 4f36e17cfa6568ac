"""The map of the code is true: what it names is there, in the order it gives."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
MAP = PROJECT / "docs" / "architecture.md"
DOCUMENTS = [
    PROJECT / "CONTRIBUTING.md",
    *(
        PROJECT / "docs" / f"{name}.md"
        for name in (
            "architecture",
            "folding",
            "glossary",
            "legality",
            "pricing",
            "translating",
        )
    ),
    *sorted((PROJECT / "docs" / "decisions").glob("*.md")),
]
TOP = (
    "arkham",
    "bench",
    "campaigns",
    "cardpool",
    "decks",
    "docs",
    "templates",
    "tests",
)
APPS = ("arkham", "campaigns", "cardpool", "decks")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
ORDER = re.compile(r"^```order\n([\w.]+): (.+)\n```$", re.MULTILINE)
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
FUNCTION = re.compile(r"([\w./-]+\.py):([\w.]+)")
PATH = re.compile(rf"(?:{'|'.join(TOP)}|\.ci)/[\w./*-]*|[\w-]+\.md|pyproject\.toml")
DOTTED = re.compile(rf"(?:{'|'.join((*TOP, 'tests'))})(?:\.\w+)+")
NAME = re.compile(
    r"[A-Z][a-z]+[A-Za-z]*(?:\.\w+)?|_?[a-z]\w*\(\)|(?!ORNE)[A-Z]+_[A-Z_]+|test_\w+"
)
THREAD = re.compile(
    r"<!-- thread: (\d+) hops, (\d+) files, (\d+) shapes -->"
    r"(.*?)^Shapes: (.*?)(?:\n\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


@cache
def defined_in(path: Path) -> frozenset[str]:
    """What a module defines: names at its top, and ``Class.member``."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        names = [*_bound(node)]
        found.update(names)
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                found.update(f"{node.name}.{each}" for each in _bound(inner))
    return frozenset(found)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names a statement binds, those that are imported left out."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


@cache
def defined_anywhere() -> frozenset[str]:
    """What any module of the product or of the tests defines."""
    folders = (*APPS, "bench", "tests")
    paths = [path for each in folders for path in (PROJECT / each).rglob("*.py")]
    return frozenset().union(*(defined_in(path) for path in paths))


def is_there(name: str) -> bool:
    """Whether a dotted name is a package, a module, or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        place, rest = PROJECT.joinpath(*parts[:length]), ".".join(parts[length:])
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return not rest or rest in defined_in(path)
        if place.is_dir():
            return not rest
    return False


def is_found(quoted: str) -> bool | None:
    """Whether what is quoted exists; None for what is no name of ours."""
    if found := FUNCTION.fullmatch(quoted):
        path = PROJECT / found[1]
        return path.is_file() and found[2] in defined_in(path)
    if PATH.fullmatch(quoted):
        return any(PROJECT.glob(quoted)) or any((PROJECT / "docs").glob(quoted))
    if DOTTED.fullmatch(quoted):
        return is_there(quoted)
    if NAME.fullmatch(quoted):
        name = quoted.removesuffix("()")
        return name in defined_anywhere() or hasattr(builtins, name)
    return None


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        ("arkham/rules/finding.py", True),
        ("arkham/rules/finding.py:Finding.text", True),
        ("arkham/rules/finding.py:nothing", False),
        ("arkham/rules/nothing/", False),
        ("arkham.rules.finding.Finding", True),
        ("arkham.rules.nothing", False),
        ("arkham.rules.finding.nothing", False),
        ("BuiltDeck.assignment", True),
        ("NoSuchThing", False),
        ("findings_of()", True),
        ("pyproject.toml", True),
        ("test_no_such_test", False),
        ("deck.size", None),
        ("./run test", None),
    ],
)
def test_the_check_itself(quoted: str, found: bool | None) -> None:
    assert is_found(quoted) is found


@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT))
)
def test_what_a_document_names_exists(document: Path) -> None:
    """Files, folders, modules, classes and functions, and what it links to."""
    text = FENCED.sub("", document.read_text("utf-8"))
    assert [each for each in QUOTED.findall(text) if is_found(each) is False] == []
    links = {each for each in LINK.findall(text) if each}
    assert [each for each in links if not (document.parent / each).exists()] == []


def orders() -> dict[str, list[list[str]]]:
    """What the map says of each package: its parts, group after group."""
    return {
        package: [group.split() for group in groups.split(" · ")]
        for package, groups in ORDER.findall(MAP.read_text("utf-8"))
    }


def parts_of(package: str) -> set[str]:
    """The modules and packages directly in a package, but for what is empty."""
    folder = PROJECT.joinpath(*package.split("."))
    modules = {path.stem for path in folder.glob("*.py") if path.read_text("utf-8")}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    without_code = {"data"} if package == "arkham.rules" else set()
    return (modules | packages) - {"__init__", "migrations"} - without_code


def imports_in(package: str) -> Iterator[tuple[str, str, str]]:
    """Every import between two parts of a package: the file, from, to."""
    folder = PROJECT.joinpath(*package.split("."))
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder)
        here = place.parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for each in node.names:
                    name = f"{node.module}.{each.name}"
                    if name.startswith(f"{package}."):
                        there = name.removeprefix(f"{package}.").split(".")[0]
                        yield str(place), here, there


@pytest.mark.parametrize("package", sorted(orders()))
def test_the_order_of_imports_is_the_one_drawn(package: str) -> None:
    """Each part imports from later groups alone; every part but apps.py is named."""
    place = {
        part: number for number, group in enumerate(orders()[package]) for part in group
    }
    assert parts_of(package) - place.keys() - {"apps"} == set()
    assert place.keys() - parts_of(package) == set()
    upwards = {
        f"{package}.{path} imports {there}"
        for path, here, there in imports_in(package)
        if here in place and there in place and here != there
        if place[here] >= place[there]
    }
    assert upwards == set()


def test_the_threads_are_counted_as_they_are_listed() -> None:
    """Hops are the lines, files those named in them, shapes those named after them."""
    threads = THREAD.findall(MAP.read_text("utf-8"))
    assert len(threads) == 3
    for hops, files, shapes, listed, named in threads:
        lines = re.findall(r"^\d+\. `([\w./]+):", listed, re.MULTILINE)
        numbers = re.findall(r"^(\d+)\. `", listed, re.MULTILINE)
        assert [int(each) for each in numbers] == [*range(1, len(lines) + 1)]
        counted = len(lines), len({*lines}), named.count("→") + 1
        assert (hops, files, shapes) == tuple(map(str, counted))
        told = re.sub(r"\s+", " ", listed)
        assert f"{hops} hops in {files} files, {shapes} shapes" in told
