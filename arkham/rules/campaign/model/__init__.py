"""What a campaign guide says, as frozen values: steps, prompts, conditions, effects."""

from __future__ import annotations
