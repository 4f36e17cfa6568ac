"""The guides that come with the rules, as guides are brought along.

A table is pinned to the guide it plays by, and a guide of ours may be another one after
the next release: so it can be kept like any other.
"""

from __future__ import annotations

import json

from arkham.rules.campaign.reading.bringing import Bringing, Brought
from arkham.rules.campaign.reading.own import (
    open_own_guide,
    own_files,
    own_guides,
    prepared_own,
)


def bring_own() -> Bringing:
    """All of them, in their prepared form, with their words; nothing is wrong."""
    return Bringing(tuple(map(_brought_own, own_guides())), ())


def _brought_own(guide_id: str) -> Brought:
    own = open_own_guide(guide_id)
    words = {
        "scenarios": dict(own.told["scenarios"]),
        "log": own.told["log"],
    }
    return Brought(
        guide_id,
        own.guide.name,
        own.guide.version,
        own.guide.digest,
        len(own.guide.scenarios),
        prepared_own(guide_id, own_files(guide_id)),
        json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode(),
        (),
    )
