"""The words of the field's records, where ours are others."""

from __future__ import annotations

EXPERIENCE = "xp"  # what an upgrade's record calls it
EARN_EXPERIENCE = "$earn_xp"  # the step that counts a side scenario's victory display
