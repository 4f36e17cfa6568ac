"""A Return-to campaign is laid over the one it returns to, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign.reading.fields import Fields, Raw

CAMPAIGN = "campaign"


def overlaid(
    fields: Fields, at: str, base: Mapping[str, Raw], over: Mapping[str, Raw]
) -> dict[str, Raw]:
    """The files of the whole campaign, by their stem.

    ``base`` and ``over`` are files by stem. Interludes and epilogues are carried over
    as they are; scenarios and shared steps only where the overlay names them, each
    once.
    """
    whole: dict[str, Raw] = {}
    if CAMPAIGN in base and CAMPAIGN in over:
        returned, there = over[CAMPAIGN].get("original_id"), base[CAMPAIGN].get("id")
        if returned is not None and returned != there:
            where = f"{at}/{CAMPAIGN}.original_id"
            fields.flaw("guide.unknown-original", where, returned, str(there))
        whole[CAMPAIGN] = _laid(base[CAMPAIGN], over[CAMPAIGN])
    for stem, raw in base.items():
        if stem != CAMPAIGN and raw.get("type") in ("interlude", "epilogue"):
            whole[stem] = raw
    laid: set[str] = set()
    by_id = {str(raw.get("id")): raw for stem, raw in base.items() if stem != CAMPAIGN}
    for stem, raw in over.items():
        if stem == CAMPAIGN:
            continue
        original = str(raw.get("original_id"))
        if original in laid:
            expected = "an original of its own"
            fields.flaw("guide.duplicate-scenario", f"{at}/{stem}", original, expected)
            continue
        below = by_id.get(original) or base.get(original)
        if below is None:
            fields.flaw(
                "guide.unknown-original", f"{at}/{stem}", original, "a scenario's id"
            )
            below = {}
        else:
            laid.add(original)
        whole[stem] = _laid(below, raw)
    return whole


def _laid(base: Raw, over: Raw) -> Raw:
    """One object over another: every key anew, steps by their id."""
    whole = {**base, **over}
    whole.pop("original_id", None)
    if "steps" in over and isinstance(over["steps"], list):
        named = {
            str(step.get("id")) for step in over["steps"] if isinstance(step, dict)
        }
        below = base.get("steps")
        whole["steps"] = [
            step
            for step in (below if isinstance(below, list) else [])
            if isinstance(step, dict) and str(step.get("id")) not in named
        ] + over["steps"]
    return whole
