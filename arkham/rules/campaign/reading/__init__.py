"""Reads guides from files in the Arkham Cards format or our own, and reports flaws."""

from __future__ import annotations
