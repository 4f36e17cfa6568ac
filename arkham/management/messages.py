"""Lists the sentences that stand only in data, for the catalogue of messages.

An extractor reads calls of gettext. Rulings are rows, a rule is the docstring of its
function, library and guides are TOML.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from arkham.rules.library import library
from arkham.rules.library.links import all_checks
from arkham.rules.rulings import RULINGS

# What a guide of ours says; the other words of its files are ids and printed names.
SPOKEN = frozenset({"text", "question", "bullets", "title"})

Sentence = tuple[str, str]  # where it stands, what it says


def sentences() -> Iterator[Sentence]:
    """Every sentence of the data, with the place it stands at."""
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
