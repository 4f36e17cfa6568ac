"""Guides by API: imported, listed, removed; refusals are problem documents."""

from __future__ import annotations

import tempfile
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rules.campaign.reading.prepared import import_guides
from campaigns.guides.keeping import store_guides
from campaigns.models import Campaign, Guide, Membership, Role
from tests.campaigns.guides.helpers import API, FLAWED, NOW, TOLD, kept, send
from tests.campaigns.helpers.zips import OWN, guide_files, zipped
from tests.helpers import program_of

pytestmark = pytest.mark.django_db


def test_a_zip_is_imported_as_a_body(alices: APIClient) -> None:
    """201 and each guide with its flaws; 200 if it exists already."""
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
def test_the_temporary_file_is_closed(
    alices: APIClient, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large zip is on disk as long as it is open."""
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


def test_a_zip_is_imported_by_a_form(alices: APIClient) -> None:
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
def test_invalid_requests_are_refused(
    alices: APIClient, body: bytes, media_type: str, status: int
) -> None:
    """Always with a problem document."""
    answer = send(alices, body, media_type)

    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert not Guide.objects.exists()


def test_large_bodies_are_refused(
    alices: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """413, with or without a Content-Length."""
    monkeypatch.setattr("campaigns.api.guides.MOST_ZIP_BYTES", 1_000)
    assert send(alices, b"x" * 2_000).status_code == 413
    monkeypatch.setattr("campaigns.api.guides.Guides.largest_body", 1_000)
    assert send(alices, b"x" * 2_000).json()["type"] == "urn:orne:problem:too-large"


def test_requests_without_an_account_are_refused(api: APIClient) -> None:
    assert api.get(API).status_code == 401
    assert send(api, zipped(FLAWED)).status_code == 401


def test_guides_of_others_do_not_exist(
    alices: APIClient, alice: User, bob: User
) -> None:
    """Neither their words nor a way to remove them."""
    guide = kept(TOLD, alice)
    bobs = program_of(bob)

    assert bobs.get(API).json()["results"] == []
    for method, path in (("GET", ""), ("DELETE", ""), ("GET", "words")):
        path = f"{API}{guide.pk}/{path}"
        assert bobs.generic(method, path).status_code == 404
    assert alices.get(f"{API}{guide.pk}/").json()["private"] is True


def test_words_are_private(alices: APIClient, alice: User, bob: User) -> None:
    """For the user who imported them, and the campaign's members; never cached."""
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


def test_words_that_were_left_out_are_404(alices: APIClient, alice: User) -> None:
    guide = (
        store_guides(
            guide_import=import_guides(TOLD).without_words(), owner=alice, now=NOW
        )
        .guides[0]
        .guide
    )

    assert alices.get(f"{API}{guide.pk}/words").status_code == 404


def test_a_guide_is_removed(alices: APIClient, alice: User) -> None:
    """204; 409 while campaigns use it."""
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
