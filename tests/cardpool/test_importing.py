"""Importing card data: from a folder, a zip and an API; refusals and reasons."""

from __future__ import annotations

import json
import socket
import stat
import threading
import zipfile
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from arkham.rules.snapshot import embedded_pool
from cardpool import importing
from cardpool.catalog import current_pool
from cardpool.models import Card, CardText, DataVersion, TabooEntry
from cardpool.reading import to_pool
from tests.cardpool.api_shape import answers, serving
from tests.cardpool.sources import LANTERN, a_source, a_zip

LAMP = LANTERN | {"code": "01002", "name": "Lamp", "position": 2}


def run(*arguments: object, **options: object) -> tuple[str, str]:
    """Return the command's stdout and stderr."""
    out, err = StringIO(), StringIO()
    call_command(
        "import_cards", *map(str, arguments), stdout=out, stderr=err, **options
    )
    return out.getvalue(), err.getvalue()


@pytest.mark.django_db
class TestCommand:
    def test_a_folder_becomes_the_card_pool(self, tmp_path: Path) -> None:
        out, err = run(a_source(tmp_path, LANTERN, LAMP))
        assert "2 cards read" in out
        assert "Changed 2: Lantern (01001), Lamp (01002)" in out
        assert err == ""
        assert [card.name for card in Card.objects.all()] == ["Lamp", "Lantern"]
        assert CardText.objects.get(card="01001").folded == "forced it glows"
        assert TabooEntry.objects.get().text == "It costs more."
        assert DataVersion.objects.get().embedded is False
        assert current_pool()["01001"].name == "Lantern"

    def test_importing_twice_changes_nothing(self, tmp_path: Path) -> None:
        source = a_source(tmp_path, LANTERN, LAMP)
        run(source)
        out, _err = run(source)
        assert "Added 0\n" in out
        assert "Changed 0\n" in out
        assert "Dropped 0\n" in out

    def test_changes_are_reported_by_name(self, tmp_path: Path) -> None:
        run(a_source(tmp_path / "old", LANTERN, LAMP))
        third = LAMP | {"code": "01003", "name": "Torch", "position": 3}
        out, _err = run(a_source(tmp_path / "new", LANTERN | {"cost": 3}, third))
        assert "Added 1: Torch (01003)" in out
        assert "Changed 1: Lantern (01001)" in out
        assert "Dropped 1: Lamp (01002)" in out

    def test_a_dry_run_reports_and_stores_nothing(self, tmp_path: Path) -> None:
        run(a_source(tmp_path / "old", LANTERN))
        out, _err = run(a_source(tmp_path / "new", LANTERN, LAMP), dry_run=True)
        assert "Added 1: Lamp (01002)" in out
        assert "nothing was saved" in out
        assert Card.objects.count() == 1

    def test_a_bad_record_refuses_the_whole(self, tmp_path: Path) -> None:
        run(a_source(tmp_path / "good", LANTERN))
        bad = LAMP | {"cost": "two"}
        err = StringIO()
        with pytest.raises(CommandError, match="1 problem; nothing was imported"):
            call_command(
                "import_cards",
                str(a_source(tmp_path / "bad", LANTERN, bad)),
                stdout=StringIO(),
                stderr=err,
            )
        assert (
            "pack/core/core.json 01002 cost: found two, expected a whole number"
            in err.getvalue()
        )
        assert Card.objects.count() == 1

    def test_the_rest_is_imported_on_request(self, tmp_path: Path) -> None:
        bad = LAMP | {"cost": "two"}
        _out, err = run(a_source(tmp_path, LANTERN, bad), keep_going=True)
        assert "01002 cost" in err
        assert [card.code for card in Card.objects.all()] == ["01001"]

    def test_a_card_of_an_unknown_product_is_reported(self, tmp_path: Path) -> None:
        stray = LAMP | {"pack_code": "nowhere"}
        _out, err = run(a_source(tmp_path, LANTERN, stray), keep_going=True)
        assert "01002 pack_code: found nowhere, expected the code of a product" in err
        assert [card.code for card in Card.objects.all()] == ["01001"]

    def test_a_source_without_cards_is_refused_even_then(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="The source has no cards"):
            run(a_source(tmp_path), keep_going=True)

    def test_a_source_must_be_named(self) -> None:
        with pytest.raises(CommandError, match="Enter where the texts are"):
            run()

    def test_a_missing_source_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="We can’t find"):
            run(tmp_path / "nothing")


class TestZip:
    @pytest.mark.parametrize("prefix", ["", "data/", "data-master/arkhamdb/"])
    def test_a_zip_is_read_as_its_folder(self, tmp_path: Path, prefix: str) -> None:
        source = a_source(tmp_path / "source", LANTERN, LAMP)
        zipped = a_zip(source, tmp_path / "cards.zip", prefix)
        assert importing.read_path(zipped) == importing.read_path(source)

    @pytest.mark.parametrize(
        "name",
        ["../out.json", "/etc/out.json", "pack\\..\\..\\out.json", "C:/out.json"],
    )
    def test_a_path_out_of_the_zip_is_refused(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / "bad.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, "[]")
        with pytest.raises(importing.UnreadableSource, match="leads out of it"):
            importing.read_path(path)
        assert not list(tmp_path.rglob("out.json"))

    def test_a_link_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "bad.zip"
        link = zipfile.ZipInfo("packs.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(link, "/etc/passwd")
        with pytest.raises(importing.UnreadableSource, match="leads out of it"):
            importing.read_path(path)

    def test_a_zip_that_unpacks_to_too_much_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importing, "MOST_BYTES", 100_000)
        path = tmp_path / "bomb.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("packs.json", " " * 60_000)
            archive.writestr("cycles.json", " " * 60_000)
        with pytest.raises(
            importing.UnreadableSource, match="larger than the 100000 bytes"
        ):
            importing.read_path(path)

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_a_zip_that_python_would_unpack_whole_is_refused(
        self, tmp_path: Path, method: int
    ) -> None:
        path = tmp_path / "cards.zip"
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("packs.json", "[]")
        with pytest.raises(importing.UnreadableSource, match="can’t be unpacked"):
            importing.read_path(path)

    def test_a_zip_of_too_many_files_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importing, "MOST_FILES", 2)
        zipped = a_zip(a_source(tmp_path / "s", LANTERN), tmp_path / "many.zip")
        with pytest.raises(
            importing.UnreadableSource, match="has 5 JSON files; we read at most 2"
        ):
            importing.read_path(zipped)

    def test_a_file_that_is_no_zip_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "cards.zip"
        path.write_bytes(b"PK\x03\x04 not really")
        with pytest.raises(importing.UnreadableSource, match="isn’t a zip file"):
            importing.read_path(path)

    def test_a_damaged_member_is_refused(self, tmp_path: Path) -> None:
        path = a_zip(a_source(tmp_path / "s", LANTERN), tmp_path / "cards.zip")
        data = bytearray(path.read_bytes())
        data[60] ^= 0xFF
        path.write_bytes(data)
        with pytest.raises(importing.UnreadableSource, match="can’t be unpacked"):
            importing.read_path(path)

    def test_any_damage_is_refused_or_harmless(self, tmp_path: Path) -> None:
        """Byte by byte, from the first to the last."""
        path = a_zip(a_source(tmp_path / "s", LANTERN), tmp_path / "cards.zip")
        whole = path.read_bytes()
        for place in range(0, len(whole), 5):
            data = bytearray(whole)
            data[place] ^= 0xFF
            path.write_bytes(data)
            with suppress(importing.UnreadableSource):
                importing.read_path(path)

    @pytest.mark.parametrize(
        "names", [("packs.json/a.json", "packs.json"), ("a" * 300 + ".json",)]
    )
    def test_file_names_that_cannot_be_unpacked_are_refused(
        self, tmp_path: Path, names: tuple[str, ...]
    ) -> None:
        path = tmp_path / "cards.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "[]")
        with pytest.raises(importing.UnreadableSource, match="can’t be unpacked"):
            importing.read_path(path)


class TestApi:
    def test_an_api_that_does_not_respond_is_refused(self) -> None:
        with (
            serving({}) as base,
            pytest.raises(importing.UnreadableSource, match="404"),
        ):
            importing.read_api(base)

    def test_a_response_without_json_is_refused(self) -> None:
        replies = {"/api/public/cards/?encounter=1": b"<html>"}
        with (
            serving(replies) as base,
            pytest.raises(importing.UnreadableSource, match="doesn’t answer with JSON"),
        ):
            importing.read_api(base)

    def test_a_response_without_a_list_is_refused(self) -> None:
        replies = {"/api/public/cards/?encounter=1": b'{"error": 500}'}
        with (
            serving(replies) as base,
            pytest.raises(importing.UnreadableSource, match="answers with dict"),
        ):
            importing.read_api(base)

    def test_an_endless_response_is_refused(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importing, "MOST_BYTES", 1_000)
        replies = {"/api/public/cards/?encounter=1": b"[" + b"0," * 1_000 + b"0]"}
        with (
            serving(replies) as base,
            pytest.raises(
                importing.UnreadableSource, match="larger than the 1000 bytes"
            ),
        ):
            importing.read_api(base)

    def test_a_redirect_to_another_site_is_refused(self) -> None:
        away = b"Location: http://127.0.0.2:9/cards"
        with (
            serving({"/api/public/cards/?encounter=1": away}) as base,
            pytest.raises(importing.UnreadableSource, match="leads to another host"),
        ):
            importing.read_api(base)

    def test_a_redirect_to_another_scheme_is_refused(self) -> None:
        """An address of the same host by FTP is another place."""
        replies: dict[str, bytes] = {}
        with serving(replies) as base:
            there = base.replace("http:", "ftp:")
            replies["/api/public/cards/?encounter=1"] = f"Location: {there}/".encode()
            with pytest.raises(importing.UnreadableSource, match="to another host"):
                importing.read_api(base)

    @pytest.mark.parametrize(
        "reply",
        [
            b"[" * 100_000,
            b'[{"code": NaN}]',
            b'[{"code": "\\u0000"}]',
            b'[{"code": "\\ud800"}]',
            b'[{"code": "\xff"}]',
        ],
    )
    def test_a_response_that_cannot_be_stored_is_refused(self, reply: bytes) -> None:
        with (
            serving({"/api/public/cards/?encounter=1": reply}) as base,
            pytest.raises(importing.UnreadableSource, match="answer with JSON"),
        ):
            importing.read_api(base)

    @pytest.mark.parametrize(
        "reply",
        [
            b"HELLO\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n[]",
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n[]",
        ],
    )
    def test_invalid_http_is_refused(self, reply: bytes) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]

            def answer() -> None:
                connection, _address = server.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(reply)

            thread = threading.Thread(target=answer)
            thread.start()
            with pytest.raises(importing.UnreadableSource, match="doesn’t answer"):
                importing.read_api(f"http://127.0.0.1:{port}")
            thread.join()

    @pytest.mark.parametrize(
        "address", ["http://[::1", "http://127.0.0.1:x", "http://a b", "http://"]
    )
    def test_an_invalid_address_is_refused(self, address: str) -> None:
        refused = "doesn’t answer|isn’t an address"
        with pytest.raises(importing.UnreadableSource, match=refused):
            importing.read_api(address)

    def test_a_product_may_have_any_cycle_position(self, tmp_path: Path) -> None:
        """Even one that isn’t a number."""
        replies = answers(a_source(tmp_path, LANTERN))
        replies["/api/public/packs/"].append({"code": "x", "cycle_position": {"a": 1}})
        encoded = {path: json.dumps(reply).encode() for path, reply in replies.items()}
        with serving(encoded) as base:
            assert importing.read_api(base).cards

    @pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://x", "cards"])
    def test_a_scheme_other_than_http_is_refused(self, address: str) -> None:
        with pytest.raises(importing.UnreadableSource, match="isn’t an address"):
            importing.read_api(address)

    def test_an_unknown_product_brings_its_cycle(self, tmp_path: Path) -> None:
        replies = answers(a_source(tmp_path, LANTERN))
        pack = {
            "code": "next",
            "name": "Next",
            "position": 1,
            "cycle_position": 13,
            "available": "2027-01-01",
        }
        replies["/api/public/packs/"].append(pack)
        encoded = {path: json.dumps(reply).encode() for path, reply in replies.items()}
        with serving(encoded) as base:
            pool = to_pool(importing.read_api(base))
        assert pool.packs["next"].cycle == "cycle_13"
        assert pool.cycles["cycle_13"].name == "Cycle 13"
        assert pool.packs["core"].cycle == "core"


@pytest.mark.django_db
class TestAllOfIt:
    """The whole of the shared card data, from every kind of source."""

    @pytest.mark.slow
    def test_a_folder_gives_the_embedded_pool_and_the_same_snapshot(
        self, shared_data: Path, tmp_path: Path
    ) -> None:
        out, _err = run(shared_data / "data" / "arkhamdb")
        assert "5739 cards read" in out
        assert current_pool() is embedded_pool()
        assert CardText.objects.count() == 5739
        for name in ("once", "again"):
            call_command("export_snapshot", str(tmp_path / name), stdout=StringIO())
        written = (tmp_path / "once").read_bytes()
        assert written == (tmp_path / "again").read_bytes()
        assert len(written) < 400_000

    def test_the_api_gives_the_same_pool(self, shared_data: Path) -> None:
        replies = answers(shared_data / "data" / "arkhamdb")
        encoded = {path: json.dumps(reply).encode() for path, reply in replies.items()}
        with serving(encoded) as base:
            out, _err = run(base)
        assert "5739 cards read" in out
        assert current_pool() is embedded_pool()

    def test_the_default_api_is_a_setting(self, settings: Any) -> None:
        settings.CARD_SOURCE = "http://127.0.0.1:9"
        with pytest.raises(CommandError, match=r"http://127\.0\.0\.1:9/api/public"):
            run()


@pytest.mark.django_db
def test_a_snapshot_holds_the_imported_pool(tmp_path: Path) -> None:
    run(a_source(tmp_path / "source", LANTERN))
    out = StringIO()
    call_command("export_snapshot", str(tmp_path / "snapshot"), stdout=out)
    assert "1 cards" in out.getvalue()
    assert b"glows" not in (tmp_path / "snapshot").read_bytes()
    call_command("export_snapshot", str(tmp_path / "no"), dry_run=True, stdout=out)
    assert not (tmp_path / "no").exists()
