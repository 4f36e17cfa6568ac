"""Every setting that varies is documented, and nothing else is."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from cardpool import services

PROJECT = Path(__file__).resolve().parents[2]
SETTINGS = "".join(
    (PROJECT / "arkham" / name).read_text()
    for name in ("settings.py", "api_settings.py", "data_folder.py")
)
DOCUMENT = (PROJECT / "docs/operating.md").read_text()
_JOINED = re.compile(r"(#|manage) .* \./run manage\b").search


def test_every_variable_is_in_the_table() -> None:
    """And every row of the table is a variable."""
    calls = r'(?:env\.\w+|rate)\(\s*"([A-Z_]+)"|os\.environ\.get\("(ORNE_[A-Z]+)"\)'
    read = {one or other for one, other in re.findall(calls, SETTINGS)}

    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", DOCUMENT, re.MULTILINE))

    assert "DATABASE_URL" in read
    assert documented == read


def test_every_check_of_settings_is_named_where_it_bites() -> None:
    """The two that a keeper of a server meets."""
    assert "arkham.E003" in DOCUMENT
    assert "arkham.W001" in DOCUMENT


def test_every_example_is_named() -> None:
    """A file that no step names is not put in its place."""
    for each in (PROJECT / "docs/examples/server").iterdir():
        named = re.sub(r"^orne-.*service$", "orne-*.service", each.name)
        assert f"{named}" in DOCUMENT, each


def test_each_file_of_the_server_is_put_in_its_place_by_a_command() -> None:
    """The guide has a command for each, besides those of containers."""
    folder = PROJECT / "docs/examples/server"
    commands = re.findall(r"^ {3}(?:cp|install) (.*)$", DOCUMENT, re.MULTILINE)
    copied = [name for each in commands for name in each.partition("#")[0].split()]
    missing = {
        file.name
        for file in folder.iterdir()
        if not any(fnmatch(file.name, name) for name in copied)
    }
    assert missing == {"Dockerfile", "compose.yaml"}


def test_a_table_is_whole() -> None:
    """A blank line in one would show the rest as text."""
    assert not re.findall(r"^\|.*\n\n\|", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize(
    ("kind", "said"), [("postgresql", "DATABASE_URL"), ("sqlite", "ORNE_DATA")]
)
@pytest.mark.django_db
def test_a_database_that_is_down_is_no_matter_of_the_folder(
    monkeypatch: pytest.MonkeyPatch, kind: str, said: str
) -> None:
    """``up --prepare`` names what to look at."""

    def refuse() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(services, "ensure_embedded_pool", refuse)
    monkeypatch.setattr(connection, "vendor", kind)
    with pytest.raises(CommandError, match=said):
        call_command("up", "--prepare")


def test_each_command_of_a_code_block_begins_a_line() -> None:
    """A block whose lines were filled like prose can't be copied."""
    documents = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"]
    blocks = (
        block
        for document in (*documents, *sorted((PROJECT / "docs").rglob("*.md")))
        for block in re.findall(
            r"^```\w*\n(.*?)^```", document.read_text(), re.M | re.S
        )
    )

    joined = [line for block in blocks for line in block.splitlines() if _JOINED(line)]

    assert joined == []
