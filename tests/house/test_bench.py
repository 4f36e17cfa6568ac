"""The runner of the benchmarks finds what is asked for."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import bench
from bench import __main__ as runner
from bench.timing import percentile

BENCH = Path(__file__).parents[2] / "bench"
AREA = """
def quickness():
    return {"demo.speed": (20000.0, "decks/s"), "demo.weight": (3.5, "MB")}

def _apparatus():
    raise AssertionError("private")

def helper(times):
    raise AssertionError("apparatus")

def patience():
    return {"demo.wait.first": (0.25, "s")}
"""


@pytest.fixture(autouse=True)
def _demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "demo.py").write_text(AREA)
    monkeypatch.setattr(bench, "__path__", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "bench.demo", raising=False)


@pytest.mark.parametrize(
    ("name", "measures"),
    [
        ("", ["demo.speed", "demo.weight", "demo.wait.first"]),
        ("demo", ["demo.speed", "demo.weight", "demo.wait.first"]),
        ("demo.wait", ["demo.wait.first"]),
        ("demo.speed", ["demo.speed"]),
        ("demo.spe", []),
        ("other", []),
    ],
)
def test_measures_are_chosen_by_name(name: str, measures: list[str]) -> None:
    """All, an area, a group, one, none."""
    assert list(runner.selected(name)) == measures


def test_json_names_value_and_unit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As programs read it."""
    monkeypatch.setattr(sys, "argv", ["bench", "demo.wait", "--json"])
    monkeypatch.setattr("os.environ", {})

    assert runner.main() == 0
    assert json.loads(capsys.readouterr().out) == {
        "demo.wait.first": {"value": 0.25, "unit": "s"}
    }


def test_an_unknown_name_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, on stderr."""
    monkeypatch.setattr(sys, "argv", ["bench", "nothing"])
    monkeypatch.setattr("os.environ", {})

    assert runner.main() == 2
    assert "nothing" in capsys.readouterr().err


def test_every_measure_is_documented() -> None:
    """By its name, and no other."""
    named = re.compile(r'["`]((?:[a-z]+)\.[a-z0-9_]+)["`]')
    areas = {path.stem for path in BENCH.glob("*.py")}
    measures = {
        name
        for path in BENCH.glob("*.py")
        for name in named.findall(path.read_text("utf-8"))
        if name.partition(".")[0] == path.stem
    }
    documented = named.findall((BENCH.parent / "docs/benchmarks.md").read_text("utf-8"))
    told = [name for name in documented if name.partition(".")[0] in areas]
    assert "pages.home_ms" in measures
    assert measures == set(told)
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    ("percent", "expected"), [(50, 2.0), (95, 4.0), (75, 3.0), (100, 4.0), (1, 1.0)]
)
def test_a_percentile_is_a_sample(percent: float, expected: float) -> None:
    """The smallest that so many do not exceed."""
    assert percentile([4.0, 1.0, 3.0, 2.0], percent) == expected
