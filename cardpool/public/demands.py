"""Requirements and restrictions of json-data as ArkhamDB's API has them.

The site lets a repeated ``card:`` of the same code, or a repeated ``investigator:``,
take the place of the one before; here all of them stay.
"""

from __future__ import annotations

from typing import Any


def parsed(value: Any) -> Any:
    """``card:01006:90030, size:30`` as an object; what an API gave already, as it is.

    ``{"card": {"01006": {"01006": "01006", "90030": "90030"}}, "size": 30}``
    """
    if not isinstance(value, str):
        return value
    result: dict[str, Any] = {}
    for item in (part.strip() for part in value.split(",")):
        kind, *bits = item.split(":")
        if bits:
            _take(result, kind, bits)
    return result


def _take(result: dict[str, Any], kind: str, bits: list[str]) -> None:
    match kind, bits:
        case "size", [size] if size.isdigit():
            result["size"] = int(size)
        case "card", [first, *_]:
            groups = result.setdefault("card", {})
            groups.setdefault(first, {}).update({code: code for code in bits})
        case "investigator", _:
            result.setdefault("investigator", {}).update({code: code for code in bits})
        case "random", [target, value]:
            random = result.setdefault("random", [])
            random.append({"target": target, "value": value})
        case "faction", _:
            # As the site says that no level is named.
            name, least, most = [*bits, False, False][:3]
            result.setdefault("faction", {})[name] = {"min": least, "max": most}
        case "cards", [name, limit, most]:
            bounds = {"min": 0, "max": most, "limit": limit}
            result.setdefault("cards", {})[name] = bounds
        case _:
            result.setdefault(kind, []).append(":".join(bits))
