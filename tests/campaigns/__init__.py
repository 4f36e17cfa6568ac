"""Tests of the campaigns app."""

from __future__ import annotations
