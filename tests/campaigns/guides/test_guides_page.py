"""Guides on the web page: imported from a zip, shown, removed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts.models import User
from arkham.web import bodies
from campaigns.guides import files as zips
from campaigns.models import Campaign, Guide
from campaigns.views.files import guides
from tests.campaigns.guides.helpers import FLAWED, NOW, PAGE, kept, upload
from tests.campaigns.helpers.zips import OWN, guide_files, zipped

pytestmark = pytest.mark.django_db


def test_an_import_reports_flaws(as_alice: Client, alice: User) -> None:
    """With the path of each; then the guide is listed."""
    answer = upload(as_alice, zipped(FLAWED))

    page = answer.content.decode()
    assert answer.status_code == 200
    assert "1 is new." in page
    assert "own/one · b" in page
    assert "guide.unknown-step" in page
    assert Guide.objects.get().owner == alice
    assert "Our own" in as_alice.get(PAGE).content.decode()


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    """And sees the public guides."""
    kept(guide_files(), None)

    assert "Our own" in client.get(PAGE).content.decode()
    answer = upload(client, zipped(FLAWED))
    assert answer.status_code == 302
    assert Guide.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no zip", "We can’t read this zip"),
        (zipped({"../a.json": b"{}"}), "“../a.json” in the zip leads out"),
        (zipped({OWN: b" " * 3_000_000}), "far more than its stated size"),
        (zipped({OWN: b"{"}), "We couldn’t read any guide in the zip."),
        (b"", "The submitted file is empty."),
    ],
)
def test_invalid_uploads_are_refused(
    as_alice: Client, content: bytes, said: str
) -> None:
    """422, saying why; nothing is kept."""
    answer = upload(as_alice, content)

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Guide.objects.exists()


def test_a_zip_or_an_address_is_required(as_alice: Client) -> None:
    """Neither and both are refused."""
    both = upload(as_alice, zipped(FLAWED), address="https://x.example/a.zip")
    neither = as_alice.post(PAGE, {})

    for answer in (both, neither):
        assert answer.status_code == 422
        assert "not both" in answer.content.decode()


def test_a_path_on_the_server_is_no_address(as_alice: Client) -> None:
    for address in ("/etc/passwd", "file:///etc/passwd", "../guides"):
        answer = as_alice.post(PAGE, {"address": address})
        assert answer.status_code == 422
        assert "isn’t the address of a zip" in answer.content.decode()


def test_a_large_upload_is_not_read(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """413, by its Content-Length."""
    monkeypatch.setattr(guides, "largest_body", 1_000)

    answer = upload(as_alice, b"x" * 2_000)

    assert answer.status_code == 413
    assert "That is too large" in answer.content.decode()


def test_a_form_of_another_site_is_refused(alice: User) -> None:
    """Only a form refused unread needs no token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)

    assert upload(client, zipped(FLAWED)).status_code == 403
    assert not Guide.objects.exists()


def test_imports_per_hour_are_limited(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading guides takes time."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"guides": "1/h"})

    assert upload(as_alice, zipped(FLAWED)).status_code == 200
    assert upload(as_alice, zipped(FLAWED)).status_code == 429


def test_guides_of_others_do_not_exist(as_bob: Client, alice: User) -> None:
    """Neither their page nor a way to remove them."""
    guide = kept(guide_files(), alice)

    assert "Our own" not in as_bob.get(PAGE).content.decode()
    assert as_bob.get(f"{PAGE}{guide.pk}/").status_code == 404
    assert as_bob.post(f"{PAGE}{guide.pk}/remove").status_code == 404
    assert Guide.objects.exists()


def test_a_guide_is_removed(as_alice: Client, alice: User) -> None:
    """After a question; not while a campaign uses it."""
    guide = kept(FLAWED, alice)
    assert "own/one · b" in as_alice.get(f"{PAGE}{guide.pk}/").content.decode()
    campaign = Campaign.objects.create(
        name="Ours", guide=guide, made_at=NOW, changed_at=NOW
    )

    refused = as_alice.post(f"{PAGE}{guide.pk}/remove")
    assert refused.status_code == 409
    assert "1 campaign uses it" in refused.content.decode()

    campaign.delete()
    assert as_alice.get(f"{PAGE}{guide.pk}/remove").status_code == 200
    assert as_alice.post(f"{PAGE}{guide.pk}/remove").status_code == 303
    assert not Guide.objects.exists()


def test_public_guides_are_removed_only_by_the_operator(as_alice: Client) -> None:
    guide = kept(guide_files(), None)

    assert as_alice.post(f"{PAGE}{guide.pk}/remove").status_code == 404
    assert "Remove it" not in as_alice.get(f"{PAGE}{guide.pk}/").content.decode()


def test_names_are_escaped(as_alice: Client) -> None:
    page = upload(
        as_alice, zipped(guide_files(name="<b onclick=x>Bold</b>"))
    ).content.decode()

    assert "&lt;b onclick=x&gt;Bold" in page
    assert "<b onclick" not in page


def test_many_guides_take_few_queries(
    as_alice: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    """However many there are."""
    for number in range(12):
        kept(guide_files(f"own{number}"), alice)

    with django_assert_max_num_queries(4):
        as_alice.get(PAGE)


def test_a_far_too_large_upload_is_cut_off() -> None:
    """Moderate excess is read for the sake of a response."""
    asked: list[int] = []

    def body(size: int) -> bytes:
        asked.append(size)
        return b"x" if len(asked) < 3 else b""

    bodies.drain_body(body, bodies.MOST_DRAINED + 1)
    assert asked == []
    bodies.drain_body(body, zips.MOST_ZIP_BYTES + 1)
    assert len(asked) == 3
