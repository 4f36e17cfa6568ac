"""Helpers for the table: their addresses, and how they are shown.

The address is the whole state of a helper (docs/table.md): it needs no account,
survives a locked phone, and can be sent to a friend. Numbers out of range are clamped
and unknown values left out, so every address shows something.
"""

from __future__ import annotations
