"""``python -m bench.fuzz NAME SECONDS``: a reader of ``bench.readers`` is fuzzed.

Without a name it lists them. It needs atheris: make an environment with ``python3
-m venv FOLDER`` and install ``requirements.txt``, ``requirements-dev.txt`` and
``atheris`` there, one after the other. A fault is written to ``test-results/fuzz/NAME``
at its first time; once mended it belongs to ``tests/house/finds``.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import sys
import tempfile
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

FOUND = Path(__file__).resolve().parents[1] / "test-results" / "fuzz"
MEASURED = ["arkham", "cardpool", "decks", "campaigns"]
LONGEST = 40_000  # bytes of a document
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 1.5, 10**6, 2**63, -(10**30), 1e300),
    *("", " ", "0", "1", "a", "\0", "\ud800", "é", "½", "٣", "/", "~", "x" * 300),
    *("$", "#1", "a#b", "{found}", "%s", "<b>", "2026-01-01T00:00:00+00:00"),
    *([], {}, [[]], [{}], {"": 0}, {"a": []}, [None] * 20),
)  # fmt: skip
_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


class Varied:
    """Makes new documents of known ones, in the form their reader expects."""

    def __init__(self, made_of: str, seeds: list[bytes], plainly: Any) -> None:
        self.plainly = plainly  # varies bytes
        self.vary = {"json": self._json, "zip": self._zip}.get(made_of, self._text)
        self.is_plain = made_of == "bytes"
        self.values: list[Any] = []
        self.words: list[str] = []
        for each in seeds:
            with suppress(ValueError):
                self.values += list(_parts(json.loads(each)))
            if made_of in ("text", "query"):
                self.words += _WORD.findall(each.decode("utf-8", "replace"))

    def __call__(self, document: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if not self.is_plain and chance.random() < 0.8:
            with suppress(Exception):
                made = self.vary(document, chance)
                if len(made) <= most:
                    return made
        return bytes(self.plainly.Mutate(document, most))

    def _json(self, document: bytes, chance: random.Random) -> bytes:
        whole = [json.loads(document)]
        for _time in range(chance.choice((1, 1, 1, 2, 3, 5))):
            self._change(whole, chance)
        return json.dumps(whole[0], ensure_ascii=chance.random() < 0.5).encode()

    def _change(self, whole: list[Any], chance: random.Random) -> None:
        """Change one thing somewhere in a value."""
        places = list(_places(whole))
        inside, key = chance.choice(places)
        act = chance.randrange(7)
        if act == 0 and inside is not whole:
            del inside[key]
        elif act == 1 and isinstance(inside, dict):
            named = self._value(chance)
            if chance.random() < 0.5:
                named = chance.choice(places)[1]
            inside[str(named)[:99]] = inside.pop(key)
        elif act == 2:
            other, there = chance.choice(places)
            inside[key] = _copied(other[there])
        elif act == 3 and isinstance(inside, list) and inside is not whole:
            inside.insert(chance.randrange(len(inside) + 1), self._value(chance))
        elif act == 4 and isinstance(inside[key], str):
            inside[key] = self._words_of(inside[key], chance)
        elif act == 5 and isinstance(inside[key], int | float):
            inside[key] += chance.choice((-1, 1, 100, 10**9))
        else:
            inside[key] = self._value(chance)

    def _value(self, chance: random.Random) -> Any:
        known = self.values and chance.random() < 0.6
        return _copied(chance.choice(self.values if known else ODD))

    def _text(self, document: bytes, chance: random.Random) -> bytes:
        text = document.decode("utf-8", "replace")
        for _time in range(chance.choice((1, 1, 2, 4))):
            text = self._words_of(text, chance)
        return text.encode("utf-8", "replace")

    def _words_of(self, text: str, chance: random.Random) -> str:
        """A text with a word or sign more, fewer, elsewhere or another."""
        words = _WORD.findall(text) or [""]
        at, to = chance.randrange(len(words)), chance.randrange(len(words))
        act = chance.randrange(5)
        if act == 0:
            del words[at : at + chance.randint(1, 4)]
        elif act == 1:
            words[at:at] = words[to : to + chance.randint(1, 12)]
        elif act == 2:
            words[at:at] = [words[to]] * chance.randint(1, 9)
        else:
            odd = [str(each) for each in ODD if isinstance(each, str | int)]
            words[at : at + act - 3] = [chance.choice(self.words or odd)]
            if chance.random() < 0.2:
                words[at] = chance.choice(odd)
        return "".join(words)

    def _zip(self, document: bytes, chance: random.Random) -> bytes:
        """A zip of changed files, or with another list of what it holds."""
        with zipfile.ZipFile(io.BytesIO(document)) as old:
            files = {each: old.read(each) for each in old.namelist()}
        name = chance.choice([*files])
        content = files.pop(name)
        act = chance.randrange(5)
        if act == 0:
            name = self._words_of(name, chance)
        elif act == 1:
            files["/".join(("..", name)[: chance.randint(1, 2)])] = content
        elif act == 2:
            content = bytes(self.plainly.Mutate(content, 4 * len(content) + 9))
        else:
            with suppress(ValueError):
                content = self._json(content, chance)
        files[name] = content
        stream = io.BytesIO()
        ways = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA)
        with zipfile.ZipFile(stream, "w", chance.choice(ways)) as new:
            for each, kept in files.items():
                new.writestr(each, kept)
        return stream.getvalue()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where every part of a value is: what holds it, and under which key."""
    waiting = [value]
    while waiting:
        inside = waiting.pop()
        keys = inside if isinstance(inside, dict) else range(len(inside))
        for key in keys:
            yield inside, key
            if isinstance(inside[key], dict | list):
                waiting.append(inside[key])


def _parts(value: Any) -> Iterator[Any]:
    """Parts of a value that are not large."""
    for inside, key in _places([value]):
        if len(json.dumps(inside[key])) < 400:
            yield inside[key]


def _copied(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _tries(check: Callable[[str, bytes], None], name: str) -> Callable[[bytes], None]:
    """What has a document read; each fault is written to a file at its first time."""
    known: set[tuple[str, ...]] = set()

    def read(document: bytes) -> None:
        try:
            check(name, document)
        except Exception as error:
            steps = traceback.extract_tb(error.__traceback__)
            place = tuple(f"{step.filename}:{step.lineno}" for step in steps[-2:])
            fault = (type(error).__name__, *place)
            if fault in known:
                return
            known.add(fault)
            FOUND.joinpath(name).mkdir(parents=True, exist_ok=True)
            FOUND.joinpath(name, f"{len(known):03}").write_bytes(document)
            print(f"FOUND {len(known):03} {fault} {str(error)[:300]}", flush=True)

    return read


def _readers(name: str = "") -> Any:
    """The table; for a reader that looks for cards, with a database that holds them."""
    import django

    django.setup()
    from django.db import connection

    found = import_module("bench.readers")
    if name in found.NEED_CARDS:
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        import_module("cardpool.services").ensure_embedded_pool()
    return found


def main(arguments: list[str]) -> int:
    """List the readers, or fuzz one; libFuzzer ends the process itself."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    os.environ.setdefault("LOG_LEVEL", "CRITICAL")
    if len(arguments) != 2:
        print(*_readers().READERS, sep="\n")
        return 0
    atheris = import_module("atheris")  # not where the names alone are wanted

    name, seconds = arguments
    with atheris.instrument_imports(include=MEASURED):
        readers = _readers(name)
    corpus = Path(tempfile.mkdtemp(prefix="orne-fuzz-"))
    seeds = [each for each in readers.READERS[name].seeds() if len(each) <= LONGEST]
    for number, each in enumerate(seeds):
        corpus.joinpath(f"seed-{number}").write_bytes(each)
        readers.check(name, each)  # a seed is good, and what is read once is kept
    varied = Varied(readers.READERS[name].made_of, seeds, atheris)
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=60"]
    limits += ["-print_final_stats=1", "-rss_limit_mb=3000", "-len_control=0"]
    atheris.Setup(
        [sys.argv[0], *limits, str(corpus)],
        _tries(readers.check, name),
        custom_mutator=varied,
    )
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
