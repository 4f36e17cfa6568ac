"""ArkhamDB's card data, read as the facts our rules use. Pure: no Django here."""

from __future__ import annotations

from cardpool.reading.corrections import DataCorrections, load_corrections
from cardpool.reading.library import ParsedSource
from cardpool.reading.problems import RecordProblem
from cardpool.reading.source import SourceReading, read_directory, read_source, to_pool

__all__ = [
    "DataCorrections",
    "ParsedSource",
    "RecordProblem",
    "SourceReading",
    "load_corrections",
    "read_directory",
    "read_source",
    "to_pool",
]
