"""Products, cards and lists read from ArkhamDB's data as a whole."""

from __future__ import annotations

import subprocess
import sys

from cardpool.reading import SourceReading
from tests.conftest import PROJECT


def test_whole_source_reads_with_two_remarks_and_no_fault(
    reading: SourceReading,
) -> None:
    """5928 codes, 189 of them reprints; two codes come twice and say so."""
    assert len(reading.cards) == 5739
    assert reading.faults == ()
    assert [(each.code, each.field) for each in reading.problems] == [
        ("11536", "code"),
        ("11552", "code"),
    ]


def test_products_cycles_sets_and_lists(reading: SourceReading) -> None:
    """Every product, cycle, encounter set and taboo list is there."""
    assert (len(reading.packs), len(reading.cycles)) == (113, 18)
    assert len(reading.encounter_sets) == 371
    assert reading.encounter_sets["torch"] == "The Gathering"
    packs = {pack.code: pack for pack in reading.packs}
    assert packs["dwlp"].holds == (
        *("dwl", "tmm", "tece", "bota", "uau", "wda", "litas"),
    )
    assert packs["dwlp"].holds_type == "player"
    assert packs["core_2026"].chapter == 2
    assert packs["core"].released == "2016-11-10"


def test_reading_needs_no_django() -> None:
    """In a fresh interpreter nothing of Django is loaded."""
    probe = "import sys, cardpool.reading; print('django' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"
