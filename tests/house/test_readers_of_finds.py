"""What fuzzing found is read, or properly refused, ever after.

``finds/NAME`` holds documents for the reader of that name in ``bench.readers``.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arkham.rules.notation.reading import Fault, Unreadable
from bench import readers
from bench.fuzz import Varied
from bench.readers import READERS, Reader, check

FINDS = Path(__file__).with_name("finds")
pytestmark = pytest.mark.usefixtures("rows")


@pytest.mark.parametrize(
    "find",
    sorted(FINDS.glob("*/*")),
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_a_find_is_found_no_more(find: Path) -> None:
    """By the reader it was found in."""
    check(find.parent.name, find.read_bytes())


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_the_documents_it_is_fuzzed_with(name: str) -> None:
    """Some of them are refused, and say why."""
    seeds = list(READERS[name].seeds())
    assert seeds
    for seed in seeds[:40]:
        check(name, seed)


def _breaks(_document: bytes) -> None:
    raise KeyError("code")


def _refuses_without_a_word(_document: bytes) -> None:
    raise Unreadable


def _expects_nothing(_document: bytes) -> None:
    raise Unreadable(Fault("/a", "It is broken.", ""))


def _is_nowhere(_document: bytes) -> None:
    raise Unreadable(Fault("a", "It is broken.", "a whole one"))


def _is_slow(_document: bytes) -> None:
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass


@pytest.mark.parametrize(
    ("reads", "found"),
    [
        (_breaks, KeyError),
        (_refuses_without_a_word, AssertionError),
        (_expects_nothing, AssertionError),
        (_is_nowhere, AssertionError),
        (_is_slow, AssertionError),
    ],
)
def test_a_fault_is_found(
    monkeypatch: pytest.MonkeyPatch,
    reads: Callable[[bytes], object],
    found: type[Exception],
) -> None:
    """What is no refusal, a refusal that helps no one, and what takes long."""
    monkeypatch.setattr(readers, "SLOWEST", 0.01)
    row = Reader(reads, (Unreadable,), lambda: iter([b"{}"]))
    monkeypatch.setattr(readers, "READERS", {"it": row})
    with pytest.raises(found):
        check("it", b"{}")


class _Cuts:
    """Varies bytes by leaving the last ones out."""

    def Mutate(self, document: bytes, most: int) -> bytes:  # noqa: N802
        """As atheris calls it."""
        return document[: most - 1]


@pytest.mark.parametrize("name", ["list", "request", "deck-zip", "form"])
def test_documents_are_varied_as_they_are_made(name: str) -> None:
    """Most are still what their reader can read some of; none is too long."""
    seeds = list(READERS[name].seeds())[:4]
    varied = Varied(READERS[name].made_of, seeds, _Cuts())
    chance = random.Random(7)
    made = [varied(seeds[0], 40_000, chance.getrandbits(32)) for _time in range(60)]

    assert len(set(made)) > 20 or name == "form"
    assert all(len(each) <= 40_000 for each in made)
    if name == "request":
        whole = [each for each in made if _is_json(each)]
        assert len(whole) > 30


def _is_json(document: bytes) -> bool:
    try:
        json.loads(document)
    except ValueError:
        return False
    return True
