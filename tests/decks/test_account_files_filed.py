"""Folders, archive, bin and preferences in the file of an account."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from arkham.accounts.models import User
from arkham.accounts.preferences import COOKIE, read_preferences, save_preferences
from decks import services
from decks.interchange.account_import import ImportResult, account_text, import_account
from decks.interchange.account_reading import read_account
from decks.models import Deck, Folder
from decks.services.sharing import DeckLabels, save_labels
from tests.decks.account_files import make_decks, rolands_content
from tests.decks.helpers import NOW, text_of


def _filed(owner: User) -> tuple[Deck, Deck]:
    """Put one deck in a folder and archive it, one in the bin; one folder is empty."""
    kept = make_decks(owner)
    folder = services.make_folder(owner=owner, name="With friends", now=NOW)
    services.make_folder(owner=owner, name="Empty", now=NOW)
    services.move_to_folder(decks=[kept], folder=folder)
    gone = services.create_deck(owner=owner, content=rolands_content(), now=NOW)
    Deck.objects.filter(pk=kept.pk).update(archived_at=NOW)
    Deck.objects.filter(pk=gone.pk).update(deleted_at=NOW + timedelta(days=1))
    return kept, gone


def _where(owner: User) -> list[tuple[object, ...]]:
    """Return where each deck of an account is filed."""
    values = ("name", "folder__name", "archived_at", "deleted_at")
    return list(Deck.everything.filter(owner=owner).order_by("pk").values_list(*values))


def test_folders_archive_and_bin_survive_a_round_trip(alice: User, bob: User) -> None:
    """A folder of the same name is used; importing twice changes nothing."""
    _filed(alice)
    save_preferences(user=alice, changed={"theme": "dark", "mode": "standalone"})
    services.make_folder(owner=bob, name="with FRIENDS", now=NOW)
    save_preferences(user=bob, changed={"theme": "light"})
    account = read_account(account_text(owner=alice, now=NOW))

    result = ImportResult(3, 0, binned=1, preferences=1)
    assert import_account(owner=bob, account=account) == result
    assert _where(bob) == [
        (name, folder and "with FRIENDS", *rest)
        for name, folder, *rest in _where(alice)
    ]
    folders = Folder.objects.filter(owner=bob).values_list("name", flat=True)
    assert sorted(folders) == ["Empty", "with FRIENDS"]
    bob.refresh_from_db()
    preferred = read_preferences(bob.preferences)
    assert (preferred.theme, preferred.mode) == ("light", "standalone")
    assert import_account(owner=bob, account=account) == ImportResult(0, 3)


def test_a_deck_in_the_bin_is_imported_where_the_file_has_it(alice: User) -> None:
    """Beside the one in the bin; one in the file's bin is not imported again."""
    kept, _gone = _filed(alice)
    account = read_account(account_text(owner=alice, now=NOW))
    Deck.objects.filter(pk=kept.pk).update(deleted_at=NOW)

    assert import_account(owner=alice, account=account) == ImportResult(1, 2)
    assert Deck.objects.filter(owner=alice, name=kept.name).count() == 1
    assert Deck.binned.filter(owner=alice).count() == 2


def test_a_file_of_version_3_has_no_filing(alice: User, bob: User) -> None:
    _filed(alice)
    text = account_text(owner=alice, now=NOW).replace('"version":4', '"version":3')
    for key in ("folder", "archived_at", "deleted_at", "folders", "preferences"):
        text = text.replace(f'"{key}":', f'"not_{key}":')
    text = text.replace('"not_folders":["Empty","With friends"],', "")
    text = text.partition(',"not_preferences"')[0] + "}"
    import_account(owner=bob, account=read_account(text))
    assert [each[1:] for each in _where(bob)] == [(None, None, None)] * 3


def test_importing_and_exporting_again_loses_nothing(alice: User, bob: User) -> None:
    """Into an empty account, whatever its folders are called."""
    kept, _gone = _filed(alice)
    for name in ("★", "—", "Дом"):
        folder = services.make_folder(owner=alice, name=name, now=NOW)
    services.move_to_folder(decks=[kept], folder=folder)
    save_preferences(user=alice, changed=ALL_PREFERRED)
    account = read_account(account_text(owner=alice, now=NOW))
    assert len(account.folders) == 5

    import_account(owner=bob, account=account)
    again = read_account(account_text(owner=bob, now=NOW))
    assert replace(again, account="alice") == account


ALL_PREFERRED = {
    "taboo": "latest",
    "environment": "current",
    "mode": "campaign",
    "theme": "dark",
    "card_language": "pt-br",
}


def _file_of(client: Client) -> dict[str, Any]:
    file: dict[str, Any] = json.loads(client.get("/decks/everything/file.json").content)
    return file


def _import(client: Client, file: dict[str, Any]) -> str:
    upload = SimpleUploadedFile("orne.json", json.dumps(file).encode())
    return text_of(client.post("/decks/everything/", {"file": upload}, follow=True))


def test_the_page_lists_the_imported_folders(
    as_alice: Client, as_bob: Client, alice: User
) -> None:
    _filed(alice)
    save_preferences(user=alice, changed=ALL_PREFERRED)
    text = _import(as_bob, _file_of(as_alice))
    assert "Decks imported: 3. Already here: 0." in text
    assert "Imported decks in the bin: 1. Preferences imported: 5." in text
    assert "Preferences imported" not in _import(as_bob, _file_of(as_alice))


def test_preferences_of_the_browser_are_exported(
    as_alice: Client, as_bob: Client, bob: User
) -> None:
    """For an account without preferences."""
    as_alice.cookies[COOKIE] = '{"theme": "dark", "taboo": "latest"}'
    as_bob.cookies[COOKIE] = '{"theme": "light", "mode": "standalone"}'
    _import(as_bob, _file_of(as_alice))
    bob.refresh_from_db()
    kept = read_preferences(bob.preferences)
    assert (kept.theme, kept.taboo, kept.mode) == ("light", "latest", "standalone")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("theme", "sepia", 'one of "", light, dark'),
        ("mode", "start", 'one of "", campaign, standalone'),
        ("environment", "legacy", 'one of "", current'),
        ("taboo", "Nö <b>", "small letters, digits and hyphens"),
        ("card_language", "\n", "small letters, digits and hyphens"),
        ("taboo", 5, "a text of at most 20 characters"),
    ],
)
def test_invalid_preferences_are_reported(
    as_alice: Client, alice: User, name: str, value: object, expected: str
) -> None:
    file = _file_of(as_alice) | {"preferences": {name: value}}
    text = unescape(_import(as_alice, file))
    assert f"At preferences → {name}: This isn’t what we expect here." in text
    assert f"Expected: {expected}." in text
    alice.refresh_from_db()
    assert not alice.preferences


def test_the_bin_has_the_quota_of_an_account(
    alice: User, bob: User, settings: Any
) -> None:
    """The oldest make room; decks in the bin don't count for the others' quota."""
    kept, _gone = _filed(alice)
    services.create_deck(owner=bob, content=rolands_content(c01020=1), now=NOW)
    Deck.objects.filter(pk=kept.pk).update(deleted_at=NOW)
    Deck.objects.filter(owner=alice).update(deleted_at=NOW - timedelta(days=1))
    account = read_account(account_text(owner=alice, now=NOW))
    settings.ORNE_QUOTAS = settings.ORNE_QUOTAS | {"decks": 1}

    import_account(owner=bob, account=account)
    assert Deck.objects.filter(owner=bob).count() == 1
    binned = Deck.binned.filter(owner=bob)
    assert [each.deleted_at for each in binned] == [NOW + timedelta(days=1)]


def test_a_deck_described_later_in_the_file_is_imported(alice: User, bob: User) -> None:
    """As a second deck, once; an older file changes nothing."""
    deck = services.create_deck(
        owner=alice, content=rolands_content(), now=NOW, name="Old"
    )
    old = read_account(account_text(owner=alice, now=NOW))
    assert import_account(owner=bob, account=old)[:2] == (1, 0)
    save_labels(deck, DeckLabels("New", "Keep the axe.", ""), NOW + timedelta(days=1))
    new = read_account(account_text(owner=alice, now=NOW))
    assert import_account(owner=bob, account=new)[:2] == (1, 0)
    assert import_account(owner=bob, account=new)[:2] == (0, 1)
    assert import_account(owner=bob, account=old)[:2] == (0, 1)
    assert {each.notes for each in bob.decks.all()} == {"", "Keep the axe."}
    assert import_account(owner=alice, account=old)[:2] == (0, 1)
