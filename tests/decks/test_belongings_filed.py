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
from decks.interchange.account_import import TakenIn, account_text, take_in
from decks.interchange.account_reading import read_account
from decks.models import Deck, Folder
from tests.decks.belongings import make_decks, rolands_content
from tests.decks.helpers import NOW, text_of


def _filed(owner: User) -> tuple[Deck, Deck]:
    """One deck in a folder and archived, one in the bin; a folder is empty."""
    kept = make_decks(owner)
    folder = services.make_folder(owner=owner, name="With friends", now=NOW)
    services.make_folder(owner=owner, name="Empty", now=NOW)
    services.move_to_folder(decks=[kept], folder=folder)
    gone = services.create_deck(owner=owner, content=rolands_content(), now=NOW)
    Deck.objects.filter(pk=kept.pk).update(archived_at=NOW)
    Deck.objects.filter(pk=gone.pk).update(deleted_at=NOW + timedelta(days=1))
    return kept, gone


def _where(owner: User) -> list[tuple[object, ...]]:
    """Where each deck of a person is kept."""
    values = ("name", "folder__name", "archived_at", "deleted_at")
    return list(Deck.everything.filter(owner=owner).order_by("pk").values_list(*values))


def test_where_decks_are_kept_goes_through_the_file(alice: User, bob: User) -> None:
    """Into a folder that is here under the same name, too; and twice over."""
    _filed(alice)
    save_preferences(user=alice, changed={"theme": "dark", "mode": "standalone"})
    services.make_folder(owner=bob, name="with FRIENDS", now=NOW)
    save_preferences(user=bob, changed={"theme": "light"})
    account = read_account(account_text(owner=alice, now=NOW))

    taken = TakenIn(3, 0, binned=1, preferences=1)
    assert take_in(owner=bob, account=account) == taken
    assert _where(bob) == [
        (name, folder and "with FRIENDS", *rest)
        for name, folder, *rest in _where(alice)
    ]
    folders = Folder.objects.filter(owner=bob).values_list("name", flat=True)
    assert sorted(folders) == ["Empty", "with FRIENDS"]
    bob.refresh_from_db()
    preferred = read_preferences(bob.preferences)
    assert (preferred.theme, preferred.mode) == ("light", "standalone")
    assert take_in(owner=bob, account=account) == TakenIn(0, 3)


def test_a_deck_in_the_bin_comes_back_where_the_file_has_it(alice: User) -> None:
    """Beside the one in the bin; one that the file has there too does not come."""
    kept, _gone = _filed(alice)
    account = read_account(account_text(owner=alice, now=NOW))
    Deck.objects.filter(pk=kept.pk).update(deleted_at=NOW)

    assert take_in(owner=alice, account=account) == TakenIn(1, 2)
    assert Deck.objects.filter(owner=alice, name=kept.name).count() == 1
    assert Deck.binned.filter(owner=alice).count() == 2


def test_a_file_of_version_3_has_nothing_of_it(alice: User, bob: User) -> None:
    _filed(alice)
    text = account_text(owner=alice, now=NOW).replace('"version":4', '"version":3')
    for key in ("folder", "archived_at", "deleted_at", "folders", "preferences"):
        text = text.replace(f'"{key}":', f'"not_{key}":')
    text = text.replace('"not_folders":["Empty","With friends"],', "")
    text = text.partition(',"not_preferences"')[0] + "}"
    take_in(owner=bob, account=read_account(text))
    assert [each[1:] for each in _where(bob)] == [(None, None, None)] * 3


def test_all_that_a_file_has_is_in_the_next(alice: User, bob: User) -> None:
    """Of an account that had nothing, whatever its folders are called."""
    kept, _gone = _filed(alice)
    for name in ("★", "—", "Дом"):
        folder = services.make_folder(owner=alice, name=name, now=NOW)
    services.move_to_folder(decks=[kept], folder=folder)
    save_preferences(user=alice, changed=ALL_PREFERRED)
    account = read_account(account_text(owner=alice, now=NOW))
    assert len(account.folders) == 5

    take_in(owner=bob, account=account)
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


def test_the_page_says_what_of_it_was_imported(
    as_alice: Client, as_bob: Client, alice: User
) -> None:
    _filed(alice)
    save_preferences(user=alice, changed=ALL_PREFERRED)
    text = _import(as_bob, _file_of(as_alice))
    assert "Decks imported: 3. Already here: 0." in text
    assert "Imported decks in the bin: 1. Preferences imported: 5." in text
    assert "Preferences imported" not in _import(as_bob, _file_of(as_alice))


def test_what_the_browser_keeps_is_preferred_here(
    as_alice: Client, as_bob: Client, bob: User
) -> None:
    """An account without preferences has those of its browser: they are in its file."""
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
def test_what_is_no_preference_is_reported(
    as_alice: Client, alice: User, name: str, value: object, expected: str
) -> None:
    file = _file_of(as_alice) | {"preferences": {name: value}}
    text = unescape(_import(as_alice, file))
    assert f"At /preferences/{name}: This isn’t what we expect here." in text
    assert f"Expected: {expected}." in text
    alice.refresh_from_db()
    assert not alice.preferences


def test_the_bin_holds_no_more_than_an_account(
    alice: User, bob: User, settings: Any
) -> None:
    """The oldest make room; decks in the bin take none of that of the others."""
    kept, _gone = _filed(alice)
    services.create_deck(owner=bob, content=rolands_content(c01020=1), now=NOW)
    Deck.objects.filter(pk=kept.pk).update(deleted_at=NOW)
    Deck.objects.filter(owner=alice).update(deleted_at=NOW - timedelta(days=1))
    account = read_account(account_text(owner=alice, now=NOW))
    settings.ORNE_QUOTAS = settings.ORNE_QUOTAS | {"decks": 1}

    take_in(owner=bob, account=account)
    assert Deck.objects.filter(owner=bob).count() == 1
    binned = Deck.binned.filter(owner=bob)
    assert [each.deleted_at for each in binned] == [NOW + timedelta(days=1)]
