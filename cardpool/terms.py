"""Turns a stored environment into the terms of the rules."""

from __future__ import annotations

from arkham.rules.deck import Environment
from cardpool import models


def environment_of(row: models.Environment) -> Environment:
    """The environment of a row; the rules' defaults where a row says nothing."""
    return Environment(
        kind=row.kind,
        date=row.date,
        cycles=tuple(sorted(cycle.pk for cycle in row.cycles.all())),
        packs=tuple(sorted(pack.pk for pack in row.packs.all())),
    )
