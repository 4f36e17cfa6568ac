"""Extract messages to translate: from code, templates and data.

The extractor reads calls of gettext. Rulings are rows, a rule is the docstring of its
function, library and guides are TOML.

This is Django's command, extended by the keywords of the rules and by texts that exist
only in data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from arkham.rules.library import library
from arkham.rules.library.links import all_checks
from arkham.rules.rulings import RULINGS

# Keys of texts in our guides; all else is ids and printed names.
SPOKEN = frozenset({"text", "question", "bullets", "title"})

Sentence = tuple[str, str]  # its place, its text


def sentences() -> Iterator[Sentence]:
    """Yield every sentence of the data, with its place."""
    yield from _rulings()
    for rule_id, check in all_checks().items():
        yield f"rule {rule_id}", check.sentence
    yield from _library()
    yield from _guides()


def _rulings() -> Iterator[Sentence]:
    for ruling in RULINGS.values():
        yield f"ruling {ruling.id}", ruling.question
        for value, words in ruling.readings:
            yield f"ruling {ruling.id}, {value}", words


def _library() -> Iterator[Sentence]:
    for entry in library().values():
        place = f"library {entry.slug}"
        yield place, entry.title
        for paragraph in entry.paragraphs:
            yield place, paragraph.text


def _guides() -> Iterator[Sentence]:
    for folder in files("arkham.rules.campaign").joinpath("data/guides").iterdir():
        for file in sorted(folder.iterdir(), key=lambda each: each.name):
            yield from _guide(folder, file)


def _guide(folder: Traversable, file: Traversable) -> Iterator[Sentence]:
    place = f"guide {folder.name}/{file.name}"
    for text in _spoken(tomllib.loads(file.read_text())):
        yield place, text


def _spoken(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _spoken(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _spoken(each, key)
    elif isinstance(value, str) and key in SPOKEN:
        yield value


class Command(makemessages.Command):
    """``makemessages``, including the texts of the rules."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=ngettext_noop:1,2",
    ]

    def process_locale_dir(self, locale_dir: str, files: list[Any]) -> None:
        """Read code and templates as Django does, then add the data's texts."""
        super().process_locale_dir(locale_dir, files)
        catalogue = Path(locale_dir) / f"{self.domain}.pot"
        with catalogue.open("a", encoding="utf-8") as file:
            for place, text in sentences():
                file.write(f'\n#. {place}\nmsgid {_quoted(text)}\nmsgstr ""\n')


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
