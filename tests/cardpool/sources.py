"""Small folders of card data to import, and pictures drawn for tests."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

LANTERN = {
    "code": "01001",
    "name": "Lantern",
    "pack_code": "core",
    "position": 1,
    "quantity": 2,
    "type_code": "asset",
    "faction_code": "neutral",
    "xp": 0,
    "cost": 2,
    "deck_limit": 2,
    "traits": "Item.",
    "text": "<b>Forced</b> – It glows.",
}
PACK = {
    "code": "core",
    "name": "Core Set",
    "cycle_code": "core",
    "position": 1,
    "date_release": "2016-11-10",
}
TABOO = {
    "code": "001",
    "name": "Taboo List",
    "date_start": "2019-04-20",
    "cards": [{"code": "01001", "xp": 2, "text": "It costs more."}],
}


def a_source(folder: Path, *cards: Any, **files: Any) -> Path:
    """Make a small folder of card data in the layout of json-data."""
    contents = {
        "cycles.json": [{"code": "core", "name": "Core", "position": 1}],
        "packs.json": [PACK],
        "encounters.json": [],
        "taboos.json": [TABOO],
        "pack/core/core.json": list(cards),
    } | files
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return folder


def a_zip(folder: Path, path: Path, prefix: str = "") -> Path:
    """Zip the JSON files of a folder, below a prefix."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*.json")):
            archive.write(file, prefix + file.relative_to(folder).as_posix())
    return path


def a_picture(width: int, height: int, kind: str = "PNG") -> bytes:
    """Draw an arbitrary picture, as a file of this type."""
    image = Image.new("RGB", (width, height), "#345")
    ImageDraw.Draw(image).ellipse((5, 5, width - 5, height - 5), fill="#dc9")
    file = BytesIO()
    image.save(file, kind)
    return file.getvalue()
