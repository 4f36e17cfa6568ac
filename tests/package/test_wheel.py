"""``orne-rules``, installed in an empty environment, answers as Orne does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import venv
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from arkham.rules import __version__, check_line, embedded_pool, judge_of, price_line
from arkham.rules.checking import AnswerLine, answers_to
from arkham.rules.deck import ANY_TABLE
from tests.conftest import PROJECT
from tests.rules import upgrades

pytestmark = pytest.mark.slow

README = PROJECT / "arkham" / "rules" / "README.md"
MOST_BYTES = 1_000_000
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UNREADABLE = [b"", b"{", b'{"investigator_code": 7}', b"[]", b"\xff"]
# Every module can be loaded where nothing but the standard library is installed.
LOAD_ALL = """
import pkgutil, sys
import arkham.rules
for module in pkgutil.walk_packages(arkham.rules.__path__, "arkham.rules."):
    __import__(module.name)
print(arkham.__file__, arkham.rules.__file__.startswith(sys.prefix))
"""


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    install = ("install", "--no-index", "--no-deps", "--quiet", wheel)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", folder, *install], check=True
    )
    return folder / "bin"


def _python(environment: Path, program: str, at: Path) -> str:
    """What a program prints there, apart from the project's own folder."""
    done = subprocess.run(
        [environment / "python", "-I", "-c", program],
        cwd=at,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def _examples() -> list[tuple[str, str]]:
    """The examples in Python of the README, and what each prints."""
    blocks = BLOCK.findall(README.read_text("utf-8"))
    return [
        (text, printed)
        for (language, text), (_none, printed) in pairwise(blocks)
        if language == "python"
    ]


def test_the_wheel_is_small_and_holds_the_rules_of_decks_alone(wheel: Path) -> None:
    assert wheel.name == f"orne_rules-{__version__}-py3-none-any.whl"
    assert wheel.stat().st_size <= MOST_BYTES
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert "arkham/rules/py.typed" in names
    assert {name for name in names if not name.endswith(".py")} == {
        "arkham/rules/py.typed",
        "arkham/rules/data/snapshot",
    }
    assert "arkham/__init__.py" not in names
    assert all(name.startswith("arkham/rules/") for name in names)
    assert not [name for name in names if "/campaign/" in name or "/library/" in name]


def test_the_version_is_a_semantic_one() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


def test_it_needs_nothing_but_the_standard_library(
    environment: Path, tmp_path: Path
) -> None:
    """And leaves the name ``arkham`` to other packages as well."""
    assert _python(environment, LOAD_ALL, tmp_path).split() == ["None", "True"]


def _lines_of_decks() -> list[bytes]:
    """Every deck of the corpus, and lines that can't be read between them."""
    lines = []
    for path in sorted(upgrades.CORPUS.glob("decks/*/*.toml")):
        data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        asked = {key: data[key] for key in ("deck", "circumstances") if key in data}
        lines.append(json.dumps({"id": path.stem, **asked}).encode())
    return [*lines[:9], *UNREADABLE, *lines[9:]]


def _lines_of_upgrades() -> list[bytes]:
    lines = [json.dumps(upgrades.request_of(path)).encode() for path in upgrades.FILES]
    return [*lines, *UNREADABLE]


@pytest.mark.parametrize(
    ("command", "lines", "answer_line"),
    [
        ("check", _lines_of_decks(), check_line),
        ("price", _lines_of_upgrades(), price_line),
    ],
    ids=["check", "price"],
)
def test_the_command_answers_the_corpus_as_orne_does(
    environment: Path,
    tmp_path: Path,
    command: str,
    lines: list[bytes],
    answer_line: AnswerLine,
) -> None:
    """Byte for byte; a line that can't be read is named and spoils no other."""
    wanted, outcome = answers_to(
        lines, 1, judge_of(embedded_pool()), ANY_TABLE, answer_line
    )

    done = subprocess.run(
        [environment / "orne-rules", command],
        cwd=tmp_path,
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=False,
    )

    assert done.stdout.decode() == wanted
    assert done.returncode == outcome == 2
    errors = [json.loads(line) for line in wanted.splitlines()]
    faulty = [each["error"]["line"] for each in errors if "error" in each]
    first = lines.index(UNREADABLE[0]) + 1
    assert faulty == [*range(first, first + len(UNREADABLE))]


@pytest.mark.parametrize(
    ("command", "lines", "code"),
    [
        ("check", [b'{"investigator_code": "01001", "slots": {}}'], 1),
        ("price", [b'{"prev": {}, "next": {}}'], 2),
        ("check", [b"{}"], 2),
        ("check", [], 0),
    ],
)
def test_exit_codes_are_those_of_the_readme(
    environment: Path, command: str, lines: list[bytes], code: int
) -> None:
    done = subprocess.run(
        [environment / "orne-rules", command],
        input=b"".join(line + b"\n" for line in lines),
        capture_output=True,
        check=False,
    )
    assert done.returncode == code


def test_arguments_that_cannot_be_used_are_explained(environment: Path) -> None:
    command = (environment / "orne-rules", "check", "--taboo", "1899-01-01")
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "There is no taboo list 1899-01-01." in done.stderr


def test_the_command_says_its_version(environment: Path) -> None:
    done = subprocess.run(
        [environment / "orne-rules", "--version"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == f"orne-rules {__version__}\n"


def test_the_readme_has_examples() -> None:
    assert len(_examples()) == 2


@pytest.mark.parametrize("example", _examples())
def test_examples_of_the_readme_print_what_it_says(
    environment: Path, tmp_path: Path, example: tuple[str, str]
) -> None:
    program, printed = example
    assert _python(environment, program, tmp_path) == printed


def test_examples_in_the_shell_answer_as_the_readme_says(
    environment: Path, tmp_path: Path
) -> None:
    """What stands before the first ellipsis of each answer."""
    commands = README.read_text("utf-8").split("## In the shell\n\n```\n")[1]
    (tmp_path / "decks.jsonl").write_text('{"investigator_code": "01001", "slots": {}}')
    shown = commands.split("```")[0]
    answers = [line.split(" …")[0] for line in shown.splitlines() if line[0] == "{"]
    script = "\n".join(line for line in shown.splitlines() if line[0] != "{")
    done = subprocess.run(
        ["sh", "-c", script.replace("$ ", "")],
        cwd=tmp_path,
        env={"PATH": f"{environment}:/usr/bin:/bin"},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stderr == ""
    assert len(answers) == 2
    for line, begun in zip(done.stdout.splitlines(), answers, strict=True):
        assert line.startswith(begun)


def test_its_types_hold_for_those_who_install_it(
    environment: Path, tmp_path: Path
) -> None:
    """A strict checker takes the examples, and finds a misuse of each."""
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    first, second = (program for program, _printed in _examples())
    good.write_text(f"{first}\n{second}\nsize: int = verdict.deck_size\n")
    bad.write_text(f"{first}\nverdict.legal + 'x'\ncheck_deck({{}}, deck)\n")

    def checked(path: Path) -> subprocess.CompletedProcess[str]:
        installed = ("--python-executable", environment / "python")
        return subprocess.run(
            [
                *(sys.executable, "-m", "mypy", "--strict", "--config-file="),
                *(*installed, path.name),
            ],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            text=True,
        )

    right, wrong = checked(good), checked(bad)
    assert right.returncode == 0, right.stdout
    assert wrong.stdout.count("error:") == 3, wrong.stdout
