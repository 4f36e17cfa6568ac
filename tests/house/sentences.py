"""Every sentence a person can read: messages, the API's description, documents.

``python -m tests.house.sentences`` prints them with the place each is written at.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import django
import yaml
from django.core.management import call_command

PROJECT = Path(__file__).resolve().parents[2]
SOURCES = ("arkham", "campaigns", "cardpool", "decks", "templates", "manage.py")
UNREAD = shutil.ignore_patterns("__pycache__", "*.png", "*.json", "*.toml", "static")
# Made of what is read here already: the catalogue of messages, the description.
GENERATED = frozenset({"docs/rules.md"})
_DESCRIBED = ("summary", "description")
_QUOTED = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)?\s*"(.*)"$')
_BLOCK = re.compile(r"^(```|~~~).*?^\1\s*$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_TARGET = re.compile(r"\]\([^)]*\)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.|#+|>)\s+")


class Sentence(NamedTuple):
    """A text as it is written, and where."""

    place: str
    text: str


def make_template(folder: Path) -> Path:
    """Make the template of the catalogue of messages in an empty folder.

    It is made of a copy: Django writes a ``.py`` beside each template while it reads
    it, and other tests read the tree at the same time.
    """
    for name in SOURCES:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, folder / name, ignore=UNREAD)
        else:
            shutil.copy2(PROJECT / name, folder / name)
    (folder / "locale").mkdir()
    before = Path.cwd()
    os.chdir(folder)
    try:
        call_command("makemessages", all=True, keep_pot=True, verbosity=0)
    finally:
        os.chdir(before)
    return folder / "locale" / "django.pot"


def messages(template: Path) -> Iterator[Sentence]:
    """The messages of a catalogue, each plural as two."""
    for block in template.read_text(encoding="utf-8").split("\n\n")[1:]:
        place, key = "", ""
        texts: dict[str, str] = {}
        for line in block.splitlines():
            if line.startswith(("#: ", "#. ")) and (not place or place[0] == "#"):
                place = line[3:].split(", ")[0]
                place = place.split()[0] if line.startswith("#:") else place
            elif match := _QUOTED.match(line):
                key = match[1] or key
                texts[key] = texts.get(key, "") + ast.literal_eval(f'"{match[2]}"')
        for key in ("msgid", "msgid_plural"):
            if text := " ".join(texts.get(key, "").split()):
                yield Sentence(place, text)


def described() -> Iterator[Sentence]:
    """What the API's description says of its operations, messages and fields."""
    text = (PROJECT / "docs" / "openapi.yaml").read_text(encoding="utf-8")
    yield from _described(yaml.safe_load(text), "docs/openapi.yaml")


def _described(value: Any, place: str) -> Iterator[Sentence]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key in _DESCRIBED and isinstance(each, str):
                yield Sentence(place, " ".join(_CODE.sub("…", each).split()))
            elif key not in ("example", "examples"):
                yield from _described(
                    each, f"{place} {key}" if len(place) < 80 else place
                )
    elif isinstance(value, list):
        for each in value:
            yield from _described(each, place)


def documents() -> Iterator[Sentence]:
    """Paragraphs, items and cells of README and documents, without their code."""
    for path in (PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))):
        name = str(path.relative_to(PROJECT))
        if name in GENERATED:
            continue
        yield from (Sentence(name, text) for text in prose(path.read_text("utf-8")))


def prose(markdown: str) -> Iterator[str]:
    """What a document says, a paragraph, an item or a cell at a time."""
    text = _COMMENT.sub("", _BLOCK.sub("", markdown))
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)", text):
        lines = paragraph.strip().splitlines()
        if lines and lines[0].lstrip().startswith("|"):
            cells = (cell for line in lines for cell in line.strip(" |").split("|"))
            yield from (said for cell in cells if (said := _said(cell)))
        elif said := _said(" ".join(line.strip() for line in lines)):
            yield said


def _said(text: str) -> str:
    text = _TARGET.sub("]", _CODE.sub("…", _ITEM.sub("", text)))
    text = re.sub(r"[\[\]*]|\\(?=\W)", "", text)
    said = " ".join(text.split())
    return said if re.search(r"[^\W\d_]{2}", said) else ""


def _main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    wanted = tuple(sys.argv[1:]) or ("",)
    with tempfile.TemporaryDirectory() as folder:
        found = [*messages(make_template(Path(folder))), *described(), *documents()]
    for place, text in found:
        if place.startswith(wanted):
            sys.stdout.write(f"{place}\t{text}\n")


if __name__ == "__main__":
    _main()
