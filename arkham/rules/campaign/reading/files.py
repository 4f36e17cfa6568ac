"""The files of guides → whole campaigns, as plain JSON; a Return to over its original.

No file may hold what is too large, too deep, or not to be kept in a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arkham.rules.campaign.reading.cursor import FlawsFound, Raw
from arkham.rules.notation.reading import Unreadable, read_json

CAMPAIGN = "campaign"
BASE_DIRECTORY = "campaigns"
OVER_DIRECTORY = "return_campaigns"
LARGEST_FILE = 8_000_000  # bytes; the longest today has a fiftieth of it
DEEPEST = 40  # lists and objects inside each other; the deepest today has a third
LARGEST_NUMBER = 1_000_000  # either way; the largest today is 1,893
NUL = "\0"  # what no database keeps
_NUL_IN_JSON = b"\\u0000"
_NEVER_UNFIT = {dict, list, str, bool, type(None)}  # where there is no NUL


def whole_campaigns(
    flaws: FlawsFound, files: Mapping[str, bytes]
) -> dict[str, dict[str, Raw]]:
    """The files of each campaign by its directory and their stem, Return tos whole.

    A Return to is none of another Return to: each would hold all below it once more.
    """
    bases = _directories(flaws, files, BASE_DIRECTORY)
    found = dict(bases)
    for name, stems in _directories(flaws, files, OVER_DIRECTORY).items():
        below = bases.get(name.removeprefix("rt"))
        if below is None:
            flaws.flaw("guide.unknown-original", name, name, "a campaign below it")
        else:
            found[name] = overlaid(flaws, name, below, stems)
    return found


def _directories(
    flaws: FlawsFound, files: Mapping[str, bytes], below: str
) -> dict[str, dict[str, Raw]]:
    """The JSON objects of each directory, by directory and stem, in order."""
    found: dict[str, dict[str, Raw]] = {}
    for path in sorted(files):
        parts = path.split("/")
        if len(parts) < 3 or parts[-3] != below or not parts[-1].endswith(".json"):
            continue
        raw = read_file(flaws, path, files[path])
        if raw is not None:
            found.setdefault(parts[-2], {})[parts[-1].removesuffix(".json")] = raw
    return found


def overlaid(
    found: FlawsFound, at: str, base: Mapping[str, Raw], over: Mapping[str, Raw]
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
            found.flaw("guide.unknown-original", where, returned, str(there))
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
            found.flaw("guide.duplicate-scenario", f"{at}/{stem}", original, expected)
            continue
        below = by_id.get(original) or base.get(original)
        if below is None:
            found.flaw(
                "guide.unknown-original", f"{at}/{stem}", original, "a scenario's id"
            )
            below = {}
        else:
            laid.add(original)
        whole[stem] = _laid(below, raw)
    return whole


def _laid(base: Raw, over: Raw) -> Raw:
    """One object over another: key by key, steps by their id."""
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


def read_file(found: FlawsFound, path: str, content: bytes) -> Raw | None:
    """The object a file holds; None, with a flaw, where it is none of a guide's."""
    if len(content) > LARGEST_FILE:
        found.flaw("guide.too-large", path, len(content), f"{LARGEST_FILE} bytes")
        return None
    try:
        raw = read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        found.flaw("guide.unreadable", path, f"byte {error.start}", "UTF-8")
        return None
    except Unreadable as error:
        fault = error.faults[0]
        at = f"{path}, line {fault.line}, column {fault.column}"
        found.flaw("guide.unreadable", at, fault.text, fault.expected)
        return None
    if not isinstance(raw, dict):
        found.flaw("guide.wrong-type", path, raw, "a {…} block")
        return None
    return raw if _is_fit(found, path, raw, has_nul=_NUL_IN_JSON in content) else None


def _is_fit(found: FlawsFound, path: str, raw: Raw, *, has_nul: bool) -> bool:
    """Whether nothing in a file is too deep, too large, or not to be kept."""
    level: list[Any] = [raw]
    is_unfit = False
    for _depth in range(DEEPEST):
        if has_nul or not _NEVER_UNFIT.issuperset(map(type, level)):
            is_unfit = is_unfit or any(map(_is_unfit, level))
        level = [
            part
            for whole in level
            if type(whole) is dict or type(whole) is list
            for part in (whole.values() if type(whole) is dict else whole)
        ]
    if level:
        found.flaw("guide.too-deep", path, level[0], f"{DEEPEST} levels at most")
    elif is_unfit:
        at, unfit = next(_unfit_places(path, raw))
        expected = f"a number to {LARGEST_NUMBER}, a text without NUL"
        found.flaw("guide.wrong-type", at, unfit, expected)
    return not level and not is_unfit


def _is_unfit(part: Any) -> bool:
    kind = type(part)
    if kind is str:
        return NUL in part
    if kind is int or kind is float:
        return bool(abs(part) > LARGEST_NUMBER)
    return kind is dict and any(NUL in key for key in part)


def _unfit_places(at: str, whole: Any) -> Iterator[tuple[str, Any]]:
    """Where something unfit is, and what; the nesting is known to be bounded."""
    if _is_unfit(whole):
        yield at, whole
    elif type(whole) is dict:
        for key, part in whole.items():
            yield from _unfit_places(f"{at}.{key}", part)
    elif type(whole) is list:
        for index, part in enumerate(whole):
            yield from _unfit_places(f"{at}[{index}]", part)
