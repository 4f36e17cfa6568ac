"""How does ArkhamDB write JSON? As PHP does where nobody tells it otherwise."""

from __future__ import annotations

import json
from typing import Any


def php_json(value: Any) -> str:
    r"""The value as PHP's ``json_encode`` writes it: ASCII alone, slashes as ``\/``."""
    return json.dumps(value, separators=(",", ":")).replace("/", r"\/")
