"""The data model of a campaign guide: steps, prompts, conditions and effects."""

from __future__ import annotations
