"""Helpers for the table: what their addresses hold, and how they are shown.

An address holds all there is of a helper (docs/table.md): it needs no account, survives
a locked phone, and can be sent to a friend. Numbers out of range are brought into it,
what is not understood is left out, so that every address shows something.
"""

from __future__ import annotations
