"""Tests of the campaign engine."""

from __future__ import annotations
