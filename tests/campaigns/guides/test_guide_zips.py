"""Guide files are read from a zip within its limits."""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile

import pytest

from campaigns.guides import files as guide_zip
from campaigns.guides.files import UnusableGuides, zipped_guide_files
from tests.campaigns.helpers import zips
from tests.campaigns.helpers.zips import ONE, OWN, guide_files, zipped

FILES = guide_files()


def read(content: bytes) -> dict[str, bytes]:
    """Return the guide files in these bytes."""
    return zipped_guide_files(io.BytesIO(content))


@pytest.mark.parametrize("top", ["", "arkham-cards-data-master/", "a/b/c/"])
def test_files_are_found_below_a_folder(top: str) -> None:
    """At the top, or where a download from a repository puts them."""
    assert read(zipped(FILES, top)) == FILES


def test_other_files_are_ignored() -> None:
    """A whole checkout may be uploaded; its other files aren't unpacked."""
    others = {
        "README.md": b"read me",
        "packs/core.json": b"{",
        "campaigns/own/notes.txt": b"",
        "campaigns/campaign.json": b"{}",
        "build/campaigns/own/campaign.json": b"{}",
    }

    assert read(zipped({**others, **FILES}, "checkout/")) == FILES


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "can’t read this zip"),
        (b"campaigns/own/campaign.json", "can’t read this zip"),
        (b"PK\x05\x06" + b"\xff" * 18, "can’t read this zip"),
        (zipped(FILES)[:-30], "can’t read this zip"),
        (zipped({}), "The zip has no guides"),
        (zipped({"own/campaign.json": b"{}"}), "The zip has no guides"),
        (zipped({"a/b/c/d/campaigns/own/one.json": b"{}"}), "The zip has no guides"),
        (zipped({"campaigns/own/campaign.JSON": b"{}"}), "The zip has no guides"),
        (zipped({"a/" + OWN: b"", "b/" + OWN: b""}), "several folders"),
        (zipped({**FILES, "../out.json": b"{}"}), "“../out.json” in the zip leads out"),
        (zipped({"campaigns/own/../../../x.json": b""}), "leads out"),
        (zipped({"/campaigns/own/one.json": b""}), "leads out"),
        (zipped({"C:/campaigns/own/one.json": b""}), "leads out"),
        (zipped({"campaigns\\own\\one.json": b""}), "leads out"),
        (zips.twice(OWN), "is there twice"),
        (zips.link(ONE, "../../../etc/passwd"), "is a link"),
        (zips.locked(FILES), "locked with a password"),
        (zipped(FILES, method=zipfile.ZIP_LZMA), "packed in a way we can’t read"),
        (zipped(FILES, method=zipfile.ZIP_BZIP2), "packed in a way we can’t read"),
        (zipped({"campaigns/own/a\x1b[31m.json": b""}), "“campaigns/own/a?[31m.json”"),
        (zipped({f"campaigns/own/{'a' * 300}.json": b""}), "has a name that"),
        (zipped({OWN: b"{}" + b" " * 2_000_000}), "far more than its stated size"),
        (zipped({OWN: os.urandom(8_000_001)}), "larger than 8 MB"),
        (zips.one_on_another("campaigns/own/{:04}.json", 40), "overlap"),
        (
            zipped(FILES, method=zipfile.ZIP_STORED).replace(b"Our own", b"Our new"),
            "can’t be unpacked",
        ),
    ],
)
def test_invalid_zips_are_refused(content: bytes, what: str) -> None:
    """Each with what was found, and where."""
    with pytest.raises(
        UnusableGuides, match=what.replace("?", r"\?").replace("[", r"\[")
    ):
        read(content)


def test_an_understated_size_is_noticed() -> None:
    """Bytes are counted while unpacking, and no more is read."""
    bomb = zips.understated(OWN, b" " * 200_000_000)
    assert len(bomb) < 250_000

    tracemalloc.start()
    with pytest.raises(UnusableGuides, match="in the zip can’t be unpacked"):
        read(bomb)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 20_000_000


def test_many_files_that_are_too_large_together_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each is small enough."""
    monkeypatch.setattr(guide_zip, "MOST_BYTES", 3_000_000)
    content = zipped({f"campaigns/own/{n}.json": b" " * 900_000 for n in range(4)})

    with pytest.raises(UnusableGuides, match="unpack to more than"):
        read(content)


def test_too_many_json_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take few bytes but long to read; commas in a text count too."""
    monkeypatch.setattr(guide_zip, "MOST_VALUES", 1_000)
    one = b"[" + b"{}," * 300 + b"{}]"

    assert read(zipped({OWN: one}))
    with pytest.raises(UnusableGuides, match="have more than 1000 values"):
        read(zipped({OWN: one, ONE: one}))


def test_too_many_files_are_refused() -> None:
    """Of guides, and of any kind; an endless directory is not read."""
    with pytest.raises(UnusableGuides, match="more than 5000 files"):
        read(zipped({f"campaigns/own/{n}.json": b"" for n in range(5_001)}))
    with pytest.raises(UnusableGuides, match="more than 20000 files"):
        read(zipped({**FILES, **{str(n): b"" for n in range(20_001)}}))
    with pytest.raises(UnusableGuides, match="more than 20000 files"):
        read(zipped({f"{n:0200}": b"" for n in range(18_000)}))


def test_a_hundred_megabytes_are_not_read() -> None:
    """The size is enough."""

    class Huge(io.BytesIO):
        """A file that claims a hundred megabytes, and must not be read."""

        def seek(self, place: int, whence: int = 0) -> int:
            """Return the claimed size."""
            return 100_000_000 if whence == 2 else 0

        def read(self, size: int | None = -1) -> bytes:
            """Fail the test."""
            raise AssertionError

    with pytest.raises(UnusableGuides, match="larger than 64 MB"):
        zipped_guide_files(Huge())
