"""Pictures of cards: how they are stored and shown."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client
from PIL import Image
from pytest_django import Settings

from cardpool import pictures
from cardpool.models import CardText, Picture
from cardpool.pictures import (
    FolderPictures,
    UnusablePicture,
    WantedPicture,
    ZippedPictures,
    decoded,
    file_of,
    keep,
)
from cardpool.shown import PICTURE_SIZES, pictures_of
from tests.cardpool.sources import a_picture

NOW = datetime(2026, 11, 1, tzinfo=UTC)
MACHETE = WantedPicture("01020", False, ("01020", "01520"))
BACK = WantedPicture("01001", True, ("01001b", "01501b"))


@pytest.fixture(autouse=True)
def _data(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"


def no_wait(seconds: float) -> None:
    """Files need no pause."""


def kept(wanted: WantedPicture, source: pictures.PictureSource) -> tuple[Picture, bool]:
    """Store a picture; return its row."""
    row, is_new = keep(wanted, source, "en", NOW, no_wait)
    row.save()
    return row, is_new


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a front and, deeper, a back."""
    (tmp_path / "in" / "core").mkdir(parents=True)
    (tmp_path / "in" / "01020.png").write_bytes(a_picture(750, 1050))
    (tmp_path / "in" / "core" / "01001b.JPG").write_bytes(a_picture(420, 300, "JPEG"))
    return tmp_path / "in"


@pytest.mark.django_db
class TestKeeping:
    def test_a_picture_is_stored_in_two_sizes(self, folder: Path) -> None:
        row, is_new = kept(MACHETE, FolderPictures(folder))
        assert is_new
        assert (row.width, row.height) == (600, 840)
        for size, pixels in PICTURE_SIZES.items():
            with Image.open(file_of("01020", "front", row.digest, size)) as image:
                assert (image.format, max(image.size)) == ("WEBP", pixels)

    def test_a_small_picture_is_not_enlarged(self, folder: Path) -> None:
        row, _is_new = kept(BACK, FolderPictures(folder))
        assert (row.side, row.width, row.height) == ("back", 420, 300)

    def test_the_same_picture_is_not_read_again(self, folder: Path) -> None:
        source = FolderPictures(folder)
        first, _is_new = kept(MACHETE, source)
        again, is_new = kept(MACHETE, source)
        assert (again.digest, is_new) == (first.digest, False)

    def test_another_picture_replaces_it(self, folder: Path) -> None:
        first, _is_new = kept(MACHETE, FolderPictures(folder))
        (folder / "01020.png").write_bytes(a_picture(300, 420))
        second, is_new = kept(MACHETE, FolderPictures(folder))
        assert is_new
        assert file_of("01020", "front", second.digest, "small").is_file()
        assert not file_of("01020", "front", first.digest, "small").exists()

    def test_lost_files_are_made_again(self, folder: Path) -> None:
        source = FolderPictures(folder)
        row, _is_new = kept(MACHETE, source)
        file_of("01020", "front", row.digest, "large").unlink()
        assert kept(MACHETE, source)[1]

    def test_a_reprints_picture_is_used_for_the_first_printing(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "01520.webp").write_bytes(a_picture(300, 420, "WEBP"))
        assert kept(MACHETE, FolderPictures(tmp_path))[1]

    def test_a_missing_picture_is_remembered(self, tmp_path: Path) -> None:
        row, is_new = kept(MACHETE, FolderPictures(tmp_path))
        assert (row.digest, is_new, row.checked_at) == ("", False, NOW)

    def test_a_zip_that_python_would_unpack_whole_is_refused(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "pictures.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("01001.webp", bytes(1000))
        with pytest.raises(UnusablePicture, match="packing method"):
            ZippedPictures(path).find("01001", {}, lambda _seconds: None)

    def test_a_zip_is_read_where_it_is(self, folder: Path, tmp_path: Path) -> None:
        path = tmp_path / "pictures.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(folder / "01020.png", "any/where/01020.png")
        source = ZippedPictures(path)
        assert kept(MACHETE, source)[1]
        assert not kept(MACHETE, source)[1]

    def test_a_bad_picture_keeps_the_one_before(self, folder: Path) -> None:
        first, _is_new = kept(MACHETE, FolderPictures(folder))
        (folder / "01020.png").write_bytes(b"<html>")
        with pytest.raises(UnusablePicture):
            kept(MACHETE, FolderPictures(folder))
        assert file_of("01020", "front", first.digest, "small").is_file()
        assert Picture.objects.get().digest == first.digest


def _bad_pictures() -> Iterator[tuple[str, bytes]]:
    whole = a_picture(300, 420)
    yield "half of one", whole[: len(whole) // 2]
    yield "a page", b"<!doctype html><title>Sign in</title>"
    yield "nothing", b""
    yield "a drawing", b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    gif = BytesIO()
    Image.new("P", (10, 10)).save(gif, "GIF")
    yield "another format", gif.getvalue()
    huge = BytesIO()
    Image.new("1", (8_000, 8_000)).save(huge, "PNG")
    yield "a small file of many pixels", huge.getvalue()


@pytest.mark.parametrize("data", [each for _name, each in _bad_pictures()])
def test_files_that_are_no_pictures_are_refused(data: bytes) -> None:
    """Broken ones, pages, and bombs."""
    with pytest.raises(UnusablePicture):
        decoded(data)


def test_any_damage_is_refused_or_harmless() -> None:
    """Byte by byte."""
    whole = bytearray(a_picture(40, 56))
    for place in range(0, len(whole), 7):
        data = bytearray(whole)
        data[place] ^= 0xFF
        try:
            assert decoded(bytes(data)).width > 0
        except UnusablePicture:
            continue


@pytest.mark.django_db
class TestShowing:
    def test_a_picture_is_cached_for_ever_at_its_address(
        self, client: Client, folder: Path
    ) -> None:
        row, _is_new = kept(MACHETE, FolderPictures(folder))
        address = f"/cards/pictures/01020-front-{row.digest}-small.webp"
        answer = client.get(address, HTTP_ACCEPT_ENCODING="gzip")
        assert answer["Content-Type"] == "image/webp"
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Cookie" not in answer.get("Vary", "")
        assert "Content-Encoding" not in answer
        known = client.get(address, HTTP_IF_NONE_MATCH=answer["ETag"])
        assert (known.status_code, known.content) == (304, b"")
        assert known["Cache-Control"] == answer["Cache-Control"]

    @pytest.mark.parametrize(
        "name",
        ["01020-front-0123456789abcdef-small", "01020-front-0123456789abcdef-huge"],
    )
    def test_other_addresses_are_404(self, client: Client, name: str) -> None:
        assert client.get(f"/cards/pictures/{name}.webp").status_code == 404

    def test_a_picture_replaces_the_drawn_card(
        self, client: Client, folder: Path
    ) -> None:
        row, _is_new = kept(MACHETE, FolderPictures(folder))
        face = client.get("/cards/01020/face").content.decode()
        assert f"01020-front-{row.digest}-large.webp 600w" in face
        assert 'width="600" height="840" loading="lazy"' in face
        assert 'class="unseen"' in face
        assert "Machete</a></h2>" in face

    def test_the_page_shows_both_sides_and_their_source(
        self, client: Client, folder: Path
    ) -> None:
        (folder / "01001.png").write_bytes(a_picture(420, 300))
        source = FolderPictures(folder)
        kept(BACK, source)
        kept(WantedPicture("01001", False, ("01001",)), source)
        assert [each.side for each in pictures_of(["01001"])["01001"]] == [
            "front",
            "back",
        ]
        page = client.get("/cards/01001/").content.decode()
        assert 'alt="Roland Banks"' in page
        assert 'alt="Back of Roland Banks"' in page
        assert "Picture: in." in page

    def test_without_pictures_cards_are_drawn(self, client: Client) -> None:
        face = client.get("/cards/01020/face").content.decode()
        assert "<img" not in face
        assert "unseen" not in face.partition("<header")[0]

    def test_a_text_replaces_the_gist(self, client: Client) -> None:
        CardText.objects.create(
            card_id="01020",
            text="<b>Walka</b>. Coś.",
            folded="",
            source="x",
            language="pl",
        )
        face = client.get("/cards/01020/face").content.decode()
        assert '<div class="printed" lang="pl"><p><b>Walka</b>. Coś.</p>' in face
        assert 'class="gist"' not in face
        page = client.get("/cards/01020/").content.decode()
        assert page.count("<b>Walka</b>") == 1
        assert "Text of this card: x." in page
        assert 'class="gist"' in page

    def test_the_text_is_beside_a_picture(self, client: Client, folder: Path) -> None:
        """No card is drawn, and the facts are listed."""
        kept(MACHETE, FolderPictures(folder))
        CardText.objects.create(card_id="01020", text="Coś.", folded="", source="x")
        page = client.get("/cards/01020/").content.decode()
        assert "Full text</h2>" in page
        assert "<dt>Cost</dt>" in page
        assert page.count("<h1") == 1
        assert 'class="face ' not in page

    def test_a_card_without_a_text_keeps_its_gist(self, client: Client) -> None:
        CardText.objects.create(card_id="01020", folded="", source="x")
        assert 'class="gist"' in client.get("/cards/01020/face").content.decode()
        assert "Full text" not in client.get("/cards/01020/").content.decode()
