"""Tests of the chaos bag."""

from __future__ import annotations
