"""Zips of guides, whole and hostile, made by hand."""

from __future__ import annotations

import io
import json
import stat
import struct
import warnings
import zipfile
from collections.abc import Mapping
from typing import Any

from tests.rules.campaign.helpers.small import Raw, a_note, a_scenario, a_step

OWN = "campaigns/own/campaign.json"
ONE = "campaigns/own/one.json"


def a_campaign(guide_id: str = "own", **more: Any) -> Raw:
    """A campaign of one scenario called “one”."""
    return {
        "id": guide_id,
        "name": "Our own",
        "version": 2,
        "campaign_type": "campaign",
        "campaign_log": [{"id": "campaign_notes", "title": "Notes"}],
        "scenarios": ["one"],
        "setup": [],
        "steps": [],
        **more,
    }


def guide_files(guide_id: str = "own", *steps: Raw, **more: Any) -> dict[str, bytes]:
    """The files of a guide of one scenario of these steps."""
    scenario = a_scenario("one", *(steps or (a_step(a_note("a")),)))
    folder = f"campaigns/{guide_id}"
    return {
        f"{folder}/campaign.json": json.dumps(a_campaign(guide_id, **more)).encode(),
        f"{folder}/one.json": json.dumps(scenario).encode(),
    }


def zipped(
    files: Mapping[str, bytes], top: str = "", method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Return a zip of files, all in one folder if it is given."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for path, content in files.items():
            archive.writestr(top + path, content)
    return stream.getvalue()


def twice(path: str) -> bytes:
    """Return a zip that contains a file twice."""
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w") as archive:
        warnings.simplefilter("ignore")
        for content in (b"{}", b"[]"):
            archive.writestr(path, content)
    return stream.getvalue()


def link(path: str, target: str) -> bytes:
    """Return a zip that contains a link."""
    member = zipfile.ZipInfo(path)
    member.create_system = 3
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(member, target)
    return stream.getvalue()


def locked(files: Mapping[str, bytes]) -> bytes:
    """Return a zip whose files claim to be encrypted."""
    content = bytearray(zipped(files))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := content.find(mark, at + 1)) >= 0:
            content[at + place] |= 1
    return bytes(content)


def one_on_another(path: str, count: int) -> bytes:
    """Return a zip whose directory names one packed file repeatedly."""
    content = zipped({path.format(0): b"[" + b"1," * 50_000 + b"1]"})
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    entry = content[start:end]
    names = [path.format(number).encode() for number in range(count)]
    entries = b"".join(
        entry.replace(path.format(0).encode(), name, 1) for name in names
    )
    tail = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(entries), start, 0
    )
    return content[:start] + entries + tail


def understated(path: str, content: bytes) -> bytes:
    """Return a zip that claims a file unpacks to one byte."""
    packed = bytearray(zipped({path: content}))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = packed.index(mark)
        packed[at + place : at + place + 4] = struct.pack("<L", 1)
    return bytes(packed)
