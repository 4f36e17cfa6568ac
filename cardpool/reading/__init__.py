"""ArkhamDB's card data, read as the facts our rules use. Pure: no Django here."""

from __future__ import annotations

from cardpool.reading.corrections import Corrections, load_corrections
from cardpool.reading.problems import Problem
from cardpool.reading.products import Source
from cardpool.reading.source import Reading, read_directory, read_source, to_pool

__all__ = [
    "Corrections",
    "Problem",
    "Reading",
    "Source",
    "load_corrections",
    "read_directory",
    "read_source",
    "to_pool",
]
