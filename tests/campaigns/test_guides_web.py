"""Guides over the web: brought by page and API, by zip and address; whose they are."""

from __future__ import annotations

import json
import re
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.rules.campaign.reading.bringing import bring
from arkham.web import bodies
from campaigns.guides import files as zips
from campaigns.guides import incoming
from campaigns.guides.files import UnusableGuides
from campaigns.guides.incoming import guide_place
from campaigns.guides.keeping import take_in_guides
from campaigns.models import Campaign, Guide, Membership, Role
from campaigns.views.files import guides
from tests.campaigns.zips import OWN, guide_files, zipped
from tests.rules.campaign.small import does, line

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
PAGE, API = "/campaigns/guides/", "/api/v1/guides/"
FLAWED = guide_files("own", does(line("a")), {"id": "b", "steps": ["gone"]})
TOLD = guide_files("own", {"id": "told", "type": "story", "text": "What is told."})


def kept(files: dict[str, bytes], owner: User | None) -> Guide:
    """The guide of these files, kept for somebody."""
    report = take_in_guides(bringing=bring(files), owner=owner, now=NOW)
    return report.taken[0].guide


def upload(client: Client, content: bytes, **more: str) -> Any:
    """Hand in a zip on the page."""
    file = SimpleUploadedFile("guides.zip", content, "application/zip")
    return client.post(PAGE, {"file": file, **more})


def program_of(user: User) -> APIClient:
    """A program of somebody's that may write."""
    scope = ApiKey.Scope.WRITE
    _key, text = accounts.make_key(owner=user, name="p", scope=scope, now=NOW)
    return APIClient(headers={"Authorization": f"Bearer {text}"})


def send(program: APIClient, body: bytes, media_type: str = "application/zip") -> Any:
    """Bring guides as a program does."""
    sent: Any = body
    return program.generic("POST", API, sent, media_type)


@pytest.fixture
def alices(alice: User) -> APIClient:
    """A program of Alice's."""
    return program_of(alice)


class TestPages:
    """What a person sees."""

    def test_bringing_tells_what_is_wrong(self, as_alice: Client, alice: User) -> None:
        """With the path of each flaw, and then it is on the shelf."""
        answer = upload(as_alice, zipped(FLAWED))

        page = answer.content.decode()
        assert answer.status_code == 200
        assert "1 is new." in page
        assert "own/one · b" in page
        assert "guide.unknown-step" in page
        assert Guide.objects.get().owner == alice
        assert "Our own" in as_alice.get(PAGE).content.decode()

    def test_a_stranger_is_asked_to_sign_in(self, client: Client) -> None:
        """And sees what is there for everybody."""
        kept(guide_files(), None)

        assert "Our own" in client.get(PAGE).content.decode()
        answer = upload(client, zipped(FLAWED))
        assert answer.status_code == 302
        assert Guide.objects.count() == 1

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"no zip", "This is no zip that can be read"),
            (zipped({"../a.json": b"{}"}), "“../a.json” in the zip leads out"),
            (zipped({OWN: b" " * 3_000_000}), "far more than it seems"),
            (zipped({OWN: b"{"}), "No guide in it could be read."),
            (b"", "The submitted file is empty."),
        ],
    )
    def test_what_is_refused(self, as_alice: Client, content: bytes, said: str) -> None:
        """422, saying why; nothing is kept."""
        answer = upload(as_alice, content)

        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert not Guide.objects.exists()

    def test_a_zip_or_an_address(self, as_alice: Client) -> None:
        """Neither and both are refused."""
        both = upload(as_alice, zipped(FLAWED), address="https://x.example/a.zip")
        neither = as_alice.post(PAGE, {})

        for answer in (both, neither):
            assert answer.status_code == 422
            assert "one of the two" in answer.content.decode()

    def test_a_path_of_the_server_is_no_address(self, as_alice: Client) -> None:
        """Nobody on the web names a file here."""
        for address in ("/etc/passwd", "file:///etc/passwd", "../guides"):
            answer = as_alice.post(PAGE, {"address": address})
            assert answer.status_code == 422
            assert "is not the address of a zip" in answer.content.decode()

    def test_what_is_too_large_is_not_read(
        self, as_alice: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """413, from what the request says of itself."""
        monkeypatch.setattr(guides, "largest_body", 1_000)

        answer = upload(as_alice, b"x" * 2_000)

        assert answer.status_code == 413
        assert "That is too large" in answer.content.decode()

    def test_a_form_from_elsewhere_is_refused(self, alice: User) -> None:
        """What is refused unread is the only thing that needs no token."""
        client = Client(enforce_csrf_checks=True)
        client.force_login(alice)

        assert upload(client, zipped(FLAWED)).status_code == 403
        assert not Guide.objects.exists()

    def test_so_many_an_hour(
        self, as_alice: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Reading guides takes time."""
        monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"guides": "1/h"})

        assert upload(as_alice, zipped(FLAWED)).status_code == 200
        assert upload(as_alice, zipped(FLAWED)).status_code == 429

    def test_what_others_brought_is_not_there(
        self, as_bob: Client, alice: User
    ) -> None:
        """Neither its page nor a way to remove it."""
        guide = kept(guide_files(), alice)

        assert "Our own" not in as_bob.get(PAGE).content.decode()
        assert as_bob.get(f"{PAGE}{guide.pk}/").status_code == 404
        assert as_bob.post(f"{PAGE}{guide.pk}/remove").status_code == 404
        assert Guide.objects.exists()

    def test_removing(self, as_alice: Client, alice: User) -> None:
        """Asked first; not while a campaign is played by it."""
        guide = kept(FLAWED, alice)
        assert "own/one · b" in as_alice.get(f"{PAGE}{guide.pk}/").content.decode()
        campaign = Campaign.objects.create(
            name="Ours", guide=guide, made_at=NOW, changed_at=NOW
        )

        refused = as_alice.post(f"{PAGE}{guide.pk}/remove")
        assert refused.status_code == 409
        assert "1 campaign is played by it" in refused.content.decode()

        campaign.delete()
        assert as_alice.get(f"{PAGE}{guide.pk}/remove").status_code == 200
        assert as_alice.post(f"{PAGE}{guide.pk}/remove").status_code == 303
        assert not Guide.objects.exists()

    def test_everybodys_guides_are_the_keepers_to_remove(
        self, as_alice: Client
    ) -> None:
        """Not anybody's."""
        guide = kept(guide_files(), None)

        assert as_alice.post(f"{PAGE}{guide.pk}/remove").status_code == 404
        assert "Remove it" not in as_alice.get(f"{PAGE}{guide.pk}/").content.decode()

    def test_names_are_text(self, as_alice: Client) -> None:
        """Whatever a guide is called, it is no markup."""
        page = upload(
            as_alice, zipped(guide_files(name="<b onclick=x>Bold</b>"))
        ).content.decode()

        assert "&lt;b onclick=x&gt;Bold" in page
        assert "<b onclick" not in page

    def test_a_long_shelf_takes_few_questions(
        self, as_alice: Client, alice: User, django_assert_max_num_queries: Any
    ) -> None:
        """However many guides there are."""
        for number in range(12):
            kept(guide_files(f"own{number}"), alice)

        with django_assert_max_num_queries(4):
            as_alice.get(PAGE)


class TestPrograms:
    """What a program is told."""

    def test_a_zip_as_body(self, alices: APIClient) -> None:
        """201 and each guide with its flaws; 200 when it was here already."""
        answer = send(alices, zipped(FLAWED))

        assert answer.status_code == 201
        (told,) = answer.json()["guides"]
        assert told["change"] == "added"
        assert told["flaws"] == [
            {
                "rule": "guide.unknown-step",
                "at": "own/one · b",
                "found": "gone",
                "expected": "a step's id",
                "serious": True,
            }
        ]
        again = send(alices, zipped(FLAWED))
        assert again.status_code == 200
        assert again.json()["guides"][0]["change"] == "unchanged"

    @pytest.mark.parametrize("content", [zipped(TOLD), b"no zip"])
    def test_nothing_of_the_zip_is_left_open(
        self, alices: APIClient, content: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A large one lies on the disk as long as it is open."""
        opened: list[Any] = []

        def open_one(**told: Any) -> Any:
            opened.append(tempfile.TemporaryFile())  # noqa: SIM115
            return opened[-1]

        monkeypatch.setattr(
            "campaigns.api.guides.tempfile",
            SimpleNamespace(SpooledTemporaryFile=open_one),
        )
        send(alices, content)

        assert [each.closed for each in opened] == [True]

    def test_a_zip_in_a_form(self, alices: APIClient) -> None:
        """As browsers and curl send it."""
        file = SimpleUploadedFile("guides.zip", zipped(FLAWED), "application/zip")

        answer = alices.post(API, {"file": file}, format="multipart")

        assert answer.status_code == 201
        assert alices.get(API).json()["results"][0]["guide"] == "own"

    @pytest.mark.parametrize(
        ("body", "media_type", "status"),
        [
            (b"no zip", "application/zip", 422),
            (b"", "application/zip", 422),
            (zipped({OWN: b"{"}), "application/zip", 422),
            (zipped({"/a": b""}), "application/zip", 422),
            (b"{}", "application/json", 422),
            (b'{"file": "x"}', "application/json", 422),
            (b'{"address": 7}', "application/json", 422),
            (b'{"address": "/etc/passwd"}', "application/json", 422),
            (b"[", "application/json", 400),
            (b"", "application/json", 422),
            (b"x", "multipart/form-data; boundary=y", 422),
            (b"x", "multipart/form-data", 400),
            (b"x", "text/plain", 415),
        ],
    )
    def test_what_is_refused(
        self, alices: APIClient, body: bytes, media_type: str, status: int
    ) -> None:
        """Always a problem document."""
        answer = send(alices, body, media_type)

        assert answer.status_code == status
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["detail"]
        assert not Guide.objects.exists()

    def test_what_is_too_large(
        self, alices: APIClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """413, whether the request says so of itself or not."""
        monkeypatch.setattr("campaigns.api.guides.MOST_ZIP_BYTES", 1_000)
        assert send(alices, b"x" * 2_000).status_code == 413
        monkeypatch.setattr("campaigns.api.guides.Guides.largest_body", 1_000)
        assert send(alices, b"x" * 2_000).json()["type"] == "urn:orne:problem:too-large"

    def test_who_is_not_signed_in(self, api: APIClient) -> None:
        """Neither sees nor brings anything."""
        assert api.get(API).status_code == 401
        assert send(api, zipped(FLAWED)).status_code == 401

    def test_what_others_brought_is_not_there(
        self, alices: APIClient, alice: User, bob: User
    ) -> None:
        """Neither itself, nor its words, nor a way to remove it."""
        guide = kept(TOLD, alice)
        bobs = program_of(bob)

        assert bobs.get(API).json()["results"] == []
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "words")):
            path = f"{API}{guide.pk}/{path}"
            assert bobs.generic(method, path).status_code == 404
        assert alices.get(f"{API}{guide.pk}/").json()["private"] is True

    def test_words(self, alices: APIClient, alice: User, bob: User) -> None:
        """For who brought them, and at the table; never to be kept on the way."""
        guide = kept(TOLD, alice)
        path = f"{API}{guide.pk}/words"

        answer = alices.get(path)
        told = answer.json()["scenarios"]["one"]["steps"]["told"]["text"]
        assert told == "What is told."
        assert answer["Cache-Control"] == "private, no-store"
        same = alices.get(path, headers={"If-None-Match": answer["ETag"]})
        assert (same.status_code, same.content) == (304, b"")

        campaign = Campaign.objects.create(
            name="Ours", guide=guide, made_at=NOW, changed_at=NOW
        )
        Membership.objects.create(
            campaign=campaign, user=bob, role=Role.PLAYER, joined_at=NOW
        )
        assert program_of(bob).get(path).status_code == 200

    def test_words_that_were_left_out(self, alices: APIClient, alice: User) -> None:
        """404."""
        guide = (
            take_in_guides(bringing=bring(TOLD).without_words(), owner=alice, now=NOW)
            .taken[0]
            .guide
        )

        assert alices.get(f"{API}{guide.pk}/words").status_code == 404

    def test_removing(self, alices: APIClient, alice: User) -> None:
        """204; 409 while campaigns are played by it."""
        guide = kept(guide_files(), alice)
        campaign = Campaign.objects.create(
            name="Ours", guide=guide, made_at=NOW, changed_at=NOW
        )

        refused = alices.delete(f"{API}{guide.pk}/")
        assert refused.status_code == 409
        assert refused.json()["campaigns"] == 1
        campaign.delete()
        assert alices.delete(f"{API}{guide.pk}/").status_code == 204
        assert alices.delete(f"{API}{guide.pk}/").status_code == 404


# -- by address --


class Site(BaseHTTPRequestHandler):
    """A site with a zip of guides; ``asked`` notes what it was asked."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Answer in the way the path says."""
        self.asked.append(self.path)
        getattr(self, f"answer_{self.path.strip('/').partition('?')[0]}")()

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_zip(self) -> None:
        """Guides."""
        self.send(200, zipped(guide_files(), "checkout-main/"))

    def answer_elsewhere(self) -> None:
        """They are elsewhere."""
        self.send(302, Location="http://169.254.169.254/zip")

    def answer_page(self) -> None:
        """A page, and no zip."""
        self.send(200, b"<!doctype html>")

    def answer_missing(self) -> None:
        """Nothing there."""
        self.send(404)

    def answer_endless(self) -> None:
        """More than any zip of guides has."""
        self.send(200, b"x" * 300_000)

    def answer_slow(self) -> None:
        """A byte now and then, for ever."""
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):  # the one who asked has left
            for _byte in range(100):
                self.wfile.write(b"P")
                self.wfile.flush()
                time.sleep(0.05)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(settings: Settings) -> Iterator[str]:
    """A site of the keeper's own; its address."""
    Site.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    settings.ORNE_OWN_GUIDE_SITES = [host]
    yield f"http://{host}"
    server.shutdown()
    server.server_close()


class TestAddresses:
    """A zip at an address, from hosts that were named and no others."""

    def test_guides_are_read_from_there(self, alices: APIClient, site: str) -> None:
        """As if the zip had been handed in."""
        body = json.dumps({"address": f"{site}/zip?ref=main"}).encode()

        answer = send(alices, body, "application/json")

        assert answer.status_code == 201
        assert answer.json()["guides"][0]["guide"] == "own"
        assert Site.asked == ["/zip?ref=main"]

    def test_on_the_page(self, as_alice: Client, site: str) -> None:
        """Which says from where it reads."""
        assert re.search(
            r"From 127\.0\.0\.1:\d+\.", as_alice.get(PAGE).content.decode()
        )

        answer = as_alice.post(PAGE, {"address": f"{site}/zip"})

        assert "1 is new." in answer.content.decode()

    @pytest.mark.parametrize(
        ("path", "said"),
        [
            ("elsewhere", "sends us on to http://169.254.169.254/zip"),
            ("page", "This is no zip that can be read"),
            ("missing", "it says 404"),
            ("endless", "larger than"),
            ("slow", "did not answer in time"),
        ],
    )
    def test_what_is_refused(
        self,
        as_alice: Client,
        site: str,
        path: str,
        said: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """No redirect is followed, nothing endless read, and nobody waited for."""
        monkeypatch.setattr(incoming, "MOST_ZIP_BYTES", 200_000)
        monkeypatch.setattr(incoming, "MOST_SECONDS", 0.5)

        answer = as_alice.post(PAGE, {"address": f"{site}/{path}"})

        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert Site.asked == [f"/{path}"]
        assert not Guide.objects.exists()

    @pytest.mark.parametrize(
        "address",
        [
            "https://guides.example.evil.example/a.zip",
            "https://evilguides.example/a.zip",
            "https://guides.example@evil.example/a.zip",
            "https://guides.example:8443/a.zip",
            "https://127.0.0.1/a.zip",
            "http://localhost/a.zip",
            "ftp://guides.example/a.zip",
            "https://guides.example:x/a.zip",
            "guides.example/a.zip",
            "https://guides.example/" + "a" * 1_000,
        ],
    )
    def test_nothing_else_is_asked(
        self, address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Refused before a name is looked up."""
        settings.ORNE_GUIDE_SITES = ["guides.example"]
        monkeypatch.setattr(socket, "getaddrinfo", pytest.fail)

        with pytest.raises(UnusableGuides):
            incoming.guide_files_at(address)

    def test_a_named_host_is_asked_over_tls(self, settings: Settings) -> None:
        """Whatever else the address says."""
        settings.ORNE_GUIDE_SITES = [".guides.example"]

        place = guide_place("http://get.guides.example/a b/\r\nX: y.zip?q=1 2#part")

        assert place.address == "https://get.guides.example/a%20b/X:%20y.zip?q=1%202"
        assert not place.own

    def test_a_private_address_behind_a_name(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Is nobody's business."""
        settings.ORNE_GUIDE_SITES = ["guides.example"]
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 443))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: found)
        monkeypatch.setattr(socket, "create_connection", pytest.fail)

        with pytest.raises(UnusableGuides, match="are not read from here"):
            incoming.guide_files_at("https://guides.example/a.zip")

    def test_a_server_that_names_no_host(self) -> None:
        """Reads no addresses, and says what to do."""
        with pytest.raises(UnusableGuides, match="Hand in the zip itself"):
            guide_place("https://guides.example/a.zip")


def test_who_sends_far_too_much_is_not_heard_out() -> None:
    """So much is worth an answer, and no more."""
    asked: list[int] = []

    def body(size: int) -> bytes:
        asked.append(size)
        return b"x" if len(asked) < 3 else b""

    bodies.drain_body(body, bodies.MOST_HEARD_OUT + 1)
    assert asked == []
    bodies.drain_body(body, zips.MOST_ZIP_BYTES + 1)
    assert len(asked) == 3
