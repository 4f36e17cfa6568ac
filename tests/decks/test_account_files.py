"""An account's decks are exported to one file and imported from it unchanged."""

from __future__ import annotations

import json
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from decks import services
from decks.interchange.account_import import ImportResult, account_text, import_account
from decks.interchange.account_reading import read_account
from decks.models import Deck
from tests.decks.account_files import FILE, Spoil, make_decks, rolands_content

pytestmark = pytest.mark.usefixtures("rows")


def _everything(owner: User) -> list[Any]:
    return [
        (
            deck.name, deck.notes, deck.tags, deck.revision, deck.made_at,
            deck.changed_at,
            [
                (each.number, each.content, each.restores, each.made_at)
                for each in deck.revisions.order_by("number")
            ],
        )
        for deck in Deck.objects.filter(owner=owner).order_by("pk")
    ]  # fmt: skip


def test_a_file_has_all_decks_with_all_their_revisions(
    as_alice: Client, as_bob: Client, alice: User, bob: User
) -> None:
    """Another account that imports it has the same."""
    make_decks(alice)
    file = as_alice.get("/decks/everything/file.json")

    assert file["Content-Type"] == "application/json; charset=utf-8"
    assert file["Content-Disposition"].startswith('attachment; filename="orne-20')
    upload = SimpleUploadedFile("orne.json", file.content)
    answer = as_bob.post("/decks/everything/", {"file": upload}, follow=True)
    assert b"Decks imported: 2. Already here: 0." in answer.content
    assert _everything(bob) == _everything(alice)
    assert [each[3] for each in _everything(bob)] == [1, 3]


def test_importing_a_file_twice_changes_nothing(alice: User) -> None:
    """Nor does an older file; a deck that diverged is imported beside the first."""
    deck = make_decks(alice)
    account = read_account(account_text(owner=alice, now=timezone.now()))
    before = _everything(alice)

    assert import_account(owner=alice, account=account) == ImportResult(0, 2)
    services.revise_deck(
        deck=deck,
        content=rolands_content(c01025=1),
        expected_revision=3,
        now=timezone.now(),
    )
    assert import_account(owner=alice, account=account) == ImportResult(0, 2)
    assert [each[:3] for each in _everything(alice)] == [each[:3] for each in before]

    later = read_account(account_text(owner=alice, now=timezone.now()))
    deck.revisions.filter(number=4).delete()
    assert import_account(owner=alice, account=later) == ImportResult(1, 1)


SPOILT: dict[str, Spoil] = {
    "/format": lambda file: file.update(format="x"),
    "/version": lambda file: file.update(version=5),
    "/decks": lambda file: file.update(decks={}),
    "/campaigns": lambda file: file.update(campaigns=[]),
    "/decks/0": lambda file: file.update(decks=[5]),
    "/decks/0/name": lambda file: file["decks"][0].update(name="x" * 121),
    "/decks/0/folder": lambda file: file["decks"][0].update(folder="x" * 61),
    "/decks/0/deleted_at": lambda file: file["decks"][0].update(deleted_at="soon"),
    "/folders": lambda file: file.update(folders="Mine"),
    "/folders/0": lambda file: file.update(folders=["\x00"]),
    "/preferences/theme": lambda file: file.update(preferences={"theme": "x" * 21}),
    "/decks/0/notes": lambda file: file["decks"][0].update(notes="\x00"),
    "/decks/0/tags": lambda file: file["decks"][0].update(tags=None),
    "/decks/0/made_at": lambda file: file["decks"][0].update(made_at="2026-02-01"),
    "/decks/0/changed_at": lambda file: file["decks"][0].update(changed_at=5),
    "/decks/0/revisions": lambda file: file["decks"][0].update(revisions=[]),
    "/decks/0/revisions/0": lambda file: file["decks"][0].update(revisions=[None]),
    "/decks/0/revisions/0/number": lambda file: _step(file).update(number=2),
    "/decks/0/revisions/0/restores": lambda file: _step(file).update(restores=1),
    "/decks/0/revisions/0/made_at": lambda file: _step(file).pop("made_at"),
    "/decks/0/revisions/0/deck/slots/01020": lambda file: _step(file)["deck"][
        "slots"
    ].update({"01020": "two"}),
    "/decks/0/revisions/0/circumstances/mode": lambda file: _step(file)[
        "circumstances"
    ].update(mode="x"),
}


def _step(file: dict[str, Any]) -> dict[str, Any]:
    step: dict[str, Any] = file["decks"][0]["revisions"][0]
    return step


def test_the_unspoilt_file_is_valid() -> None:
    """So that each of the faults below is the only one."""
    (deck,) = read_account(json.dumps(FILE)).decks
    assert (deck.name, deck.notes, len(deck.revisions)) == ("One", "", 1)


@pytest.mark.parametrize("pointer", SPOILT)
def test_an_unreadable_file_is_reported_with_its_place(pointer: str) -> None:
    """Nothing of such a file is imported."""
    file = deepcopy(FILE)
    SPOILT[pointer](file)

    with pytest.raises(Unreadable) as refused:
        read_account(json.dumps(file))
    assert [fault.pointer for fault in refused.value.faults] == [pointer]


def test_every_fault_is_reported_and_nothing_imported(
    as_alice: Client, alice: User
) -> None:
    """The page shows where."""
    file = deepcopy(FILE)
    file["decks"].append({"revisions": 5})
    upload = SimpleUploadedFile("orne.json", json.dumps(file).encode())
    answer = as_alice.post("/decks/everything/", {"file": upload})

    assert isinstance(answer, HttpResponse)
    assert answer.status_code == 422
    page = answer.content.decode()
    expected = "This isn’t what we expect here. Expected: a list."
    assert f"At decks → 1 → revisions: {expected}" in page
    assert "At decks → 1 → made_at" in page
    assert not Deck.objects.filter(owner=alice).exists()


@pytest.mark.parametrize("content", [b"", b"no json", b"\xff\xfe\x00", b"[]"])
def test_a_file_of_no_account_is_refused(as_alice: Client, content: bytes) -> None:
    """On the page, not with a crash."""
    upload = SimpleUploadedFile("orne.json", content)
    answer = as_alice.post("/decks/everything/", {"file": upload})
    assert answer.status_code == 422


def test_strangers_cannot_export_an_account(client: Client) -> None:
    """They are asked to sign in."""
    for address in ("/decks/everything/", "/decks/everything/file.json"):
        assert client.get(address)["Location"].startswith("/account/login/")


def test_the_operator_exports_and_imports_files(
    alice: User, bob: User, tmp_path: Path
) -> None:
    """By two commands."""
    make_decks(alice)
    path = tmp_path / "alice.json"
    out = StringIO()
    call_command("export_account", "Alice", stdout=out)  # in any case of letters
    path.write_text(out.getvalue(), "utf-8")

    out = StringIO()
    call_command("import_account", "bob", str(path), stdout=out)
    assert out.getvalue() == "Decks imported: 2. Already here: 0.\n"
    assert _everything(bob) == _everything(alice)

    path.write_text("[]")
    with pytest.raises(CommandError, match="n’t a file exported from an account"):
        call_command("import_account", "bob", str(path))
    with pytest.raises(CommandError, match="We can’t read"):
        call_command("import_account", "bob", str(tmp_path / "none"))
    for command in (["export_account"], ["import_account", str(path)]):
        with pytest.raises(CommandError, match="We don’t know the account “charlie”"):
            call_command(command[0], "charlie", *command[1:])


def test_the_command_names_the_quota_that_is_full(
    alice: User, bob: User, tmp_path: Path, settings: Settings
) -> None:
    """Nothing is imported then."""
    make_decks(alice)
    path = tmp_path / "alice.json"
    path.write_text(account_text(owner=alice, now=timezone.now()), "utf-8")
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "decks": 1}
    with pytest.raises(CommandError, match="1 deck, the most"):
        call_command("import_account", "bob", str(path))
    assert not bob.decks.exists()
