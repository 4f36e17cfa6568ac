"""Folders, archive, bin and preferences in the file of an account."""

from __future__ import annotations

from datetime import timedelta

from arkham.accounts.models import User
from arkham.accounts.preferences import read_preferences, save_preferences
from decks import services
from decks.interchange.account_import import TakenIn, account_text, take_in
from decks.interchange.account_reading import read_account
from decks.models import Deck, Folder
from tests.decks.belongings import make_decks, rolands_content
from tests.decks.helpers import NOW


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

    assert take_in(owner=bob, account=account) == TakenIn(3, 0)
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
