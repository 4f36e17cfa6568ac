"""A language that nobody speaks: English whose letters are wide ones.

What is written in plain letters where this language is spoken was never translated.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from gettext import GNUTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from django.utils.translation import trans_real

PROJECT = Path(__file__).resolve().parents[2]
_KEPT = re.compile(r"%\(\w+\)[a-z]|%[a-z%]|\{[^{}]*\}|<[^<>]*>|&\w+;|\]\([^)]*\)")
_WIDE = {
    ord(letter): chr(ord(letter) + 0xFEE0)
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
}
_WORD = re.compile(r"[A-Za-z]{2,}")


def widened(sentence: str) -> str:
    """The sentence in wide letters, its places and its mark-up as they are."""
    parts, last = [], 0
    for kept in _KEPT.finditer(sentence):
        parts += [sentence[last : kept.start()].translate(_WIDE), kept[0]]
        last = kept.end()
    return "".join([*parts, sentence[last:].translate(_WIDE)])


def catalogue(template: Path, folder: Path) -> GNUTranslations:
    """What a catalogue holds, each message in wide letters."""
    english, compiled = folder / "en.po", folder / "en.mo"
    subprocess.run(["msgen", "-o", english, template], check=True)
    forms = "nplurals=INTEGER; plural=EXPRESSION;"
    of_two = english.read_text().replace(forms, "nplurals=2; plural=(n != 1);")
    english.write_text(of_two)
    subprocess.run(["msgfmt", "-o", compiled, english], check=True)
    with compiled.open("rb") as file:
        wide = GNUTranslations(file)
    known: dict[object, str] = wide._catalog  # type: ignore[attr-defined]
    known.update({key: widened(said) for key, said in known.items() if key})
    return wide


def beside(catalogue: GNUTranslations) -> None:
    """Add what Django and allauth say: they bring translations of their own."""
    known: dict[object, str] = catalogue._catalog  # type: ignore[attr-defined]
    theirs: Any = trans_real.translation("pl")
    for key in theirs._catalog.keys():  # noqa: SIM118 (no mapping)
        said = key[0] if isinstance(key, tuple) else key
        if said:
            known.setdefault(key, widened(said.rpartition("\x04")[2]))


def plain_words(text: str, names: Iterable[str] = ()) -> list[str]:
    """The words of a text that are neither wide nor part of one of the names."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return _WORD.findall(text)


class Spoken(HTMLParser):
    """Collects what a page says, except where it says ``translate="no"``.

    Gists are data in one language, and say so.
    """

    ATTRIBUTES = frozenset({"alt", "title", "placeholder", "aria-label"})
    VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is spoken of an element, and whether it is silent."""
        values = dict(attrs)
        if self._silent:
            if tag not in self.VOID:
                self._silent.append(tag)
            return
        self.texts += [str(v) for k, v in attrs if k in self.ATTRIBUTES and v]
        silent = tag in ("script", "style") or values.get("translate") == "no"
        classes = (values.get("class") or "").split()
        gist = values.get("lang") == "en" and not {"gist", "gist-line"}.isdisjoint(
            classes
        )
        silent = silent or gist
        if silent and tag not in self.VOID:
            self._silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave a silent element."""
        if self._silent and tag not in self.VOID:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        """Keep what is said."""
        if not self._silent and data.strip():
            self.texts.append(" ".join(data.split()))
