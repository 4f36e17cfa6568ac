"""Many decks of one account: found, in folders, archived, edited at once."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from arkham.accounts.models import User
from decks import services
from decks.lists.content import empty_content
from decks.models import Deck, Folder
from decks.views.filing import A_PAGE
from decks.views.my_decks import MOST_AT_ONCE
from tests.decks.building import a_draft
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")

ROLAND, WENDY = "01001", "01005"


def _deck(owner: User, name: str, code: str = ROLAND, tags: str = "") -> Deck:
    return services.create_deck(
        owner=owner, content=empty_content(code), now=NOW, name=name, tags=tags
    )


def _folder(owner: User, name: str) -> Folder:
    return services.make_folder(owner=owner, name=name, now=NOW)


def _mark(deck: Deck) -> str:
    return f"{deck.pk}.1"


def _many(client: Client, do: str, *decks: Deck, **fields: str) -> str:
    """Return the text of the page after an action on many decks."""
    data: dict[str, Any] = {"do": do, "deck": [_mark(each) for each in decks], **fields}
    return text_of(client.post("/decks/many", data, follow=True))


@pytest.fixture
def decks(alice: User) -> list[Deck]:
    """Three decks of Alice's."""
    return [
        _deck(alice, "Évidence first", tags="beginner solo"),
        _deck(alice, "Lucky", WENDY),
        _deck(alice, "Rusty"),
    ]


@pytest.mark.usefixtures("decks")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("words=evidence", {"Évidence first"}),
        ("words=wendy", {"Lucky"}),
        ("words=SOLO+beg", {"Évidence first"}),
        ("card_class=survivor", {"Lucky"}),
        ("card_class=guardian&words=rust", {"Rusty"}),
        ("words=nothing+like+it", set()),
        ("card_class=nonsense", set()),
        ("folder=a&table=x&order=odd&archived=2", {"Évidence first", "Lucky", "Rusty"}),
    ],
)  # fmt: skip
def test_decks_are_found_by_words_and_class(
    as_alice: Client, query: str, found: set[str]
) -> None:
    """Names, tags and investigators, ignoring accents."""
    page = text_of(as_alice.get(f"/decks/?{query}"))
    for name in ("Évidence first", "Lucky", "Rusty"):
        assert (name in page) == (name in found)


def test_a_deck_is_read_or_edited(as_alice: Client, decks: list[Deck]) -> None:
    """Its name leads to it, as on the first page; one word leads to the builder."""
    page = as_alice.get("/decks/").content.decode()
    for deck in decks:
        assert f'<h2 class="flush text-m"><a href="/decks/{deck.pk}/">' in page
        assert f'href="/decks/{deck.pk}/edit">Edit<' in page


@pytest.mark.usefixtures("decks")
def test_the_order_is_chosen(as_alice: Client) -> None:
    """By the last change, by name, by investigator."""
    page = text_of(as_alice.get("/decks/?order=name"))
    places = [page.index(f"Choose {each}") for each in ("Évidence", "Lucky", "Rusty")]
    assert places == sorted(places)


def test_pages_and_actions_keep_the_filter(as_alice: Client, alice: User) -> None:
    """What was asked for stays asked for."""
    for number in range(A_PAGE + 1):
        _deck(alice, f"Roland {number}")
    page = as_alice.get("/decks/?words=roland").content.decode()
    assert "?words=roland&amp;page=2" in page
    assert f"All {A_PAGE + 1} decks" in text_of(as_alice.get("/decks/"))
    answer = as_alice.post(
        "/decks/many", {"do": "archive", "words": "roland", "all": "1"}
    )
    assert answer["Location"] == "/decks/?words=roland"
    assert not Deck.objects.filter(archived_at=None).exists()


def test_many_decks_take_few_queries(
    as_alice: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    """A user with many decks causes as many as one with few."""
    folder = _folder(alice, "Solo")
    for number in range(3):
        services.move_to_folder(decks=[_deck(alice, f"Few {number}")], folder=folder)
    as_alice.get("/decks/")
    with django_assert_max_num_queries(11):
        as_alice.get("/decks/")
    for number in range(30):
        _deck(alice, f"Many {number}", WENDY)
    with django_assert_max_num_queries(11):
        as_alice.get("/decks/")


# -- folders --


def test_deleting_a_folder_keeps_its_decks(
    as_alice: Client, alice: User, decks: list[Deck]
) -> None:
    """Its decks are in none afterwards."""
    as_alice.post("/decks/folders/", {"name": "  Solo   runs "})
    folder = Folder.objects.get(owner=alice)
    assert folder.name == "Solo runs"
    said = _many(as_alice, "move", *decks[:2], into=str(folder.pk))
    assert "2 decks are in “Solo runs” now." in said
    assert "Rusty" not in text_of(as_alice.get(f"/decks/?folder={folder.pk}"))
    assert "Rusty" in text_of(as_alice.get("/decks/?folder=none"))
    as_alice.post(f"/decks/folders/{folder.pk}/rename", {"name": "Two-handed"})
    assert "Two-handed" in text_of(as_alice.get("/decks/folders/"))
    as_alice.post(f"/decks/folders/{folder.pk}/delete")
    assert not Folder.objects.exists()
    assert Deck.objects.filter(owner=alice, folder=None).count() == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Give the folder a name."),
        ("x" * 61, "The name of a folder has at most 60 letters."),
        ("SOLO", "You already have a folder “SOLO”."),
    ],
)
def test_an_invalid_name_is_refused(
    as_alice: Client, alice: User, name: str, said: str
) -> None:
    """When a folder is created and when it is renamed."""
    _folder(alice, "Solo")
    other = _folder(alice, "Other")
    for address in ("", f"{other.pk}/rename"):
        answer = as_alice.post(f"/decks/folders/{address}", {"name": name})
        assert answer.status_code == 422
        assert said in text_of(answer)
    assert {each.name for each in Folder.objects.all()} == {"Solo", "Other"}


def test_folders_have_a_quota(
    as_alice: Client, alice: User, settings: LazySettings
) -> None:
    """As everything an account keeps."""
    settings.ORNE_QUOTAS = {**settings.ORNE_QUOTAS, "folders": 1}
    _folder(alice, "Solo")
    answer = as_alice.post("/decks/folders/", {"name": "More"})
    assert "You have 1 folder, the most an account can have." in text_of(answer)


def test_a_new_folder_for_the_chosen_decks(
    as_alice: Client, alice: User, decks: list[Deck]
) -> None:
    """The page asks for its name, and moves them there."""
    said = _many(as_alice, "move", decks[0], into="new")
    assert "1 deck will be moved into it." in said
    assert "Give the folder a name." in _many(
        as_alice, "move", decks[0], into="new", name=" "
    )
    _many(as_alice, "move", decks[0], into="new", name="Solo")
    decks[0].refresh_from_db()
    assert decks[0].folder == Folder.objects.get(owner=alice, name="Solo")


def test_folders_of_others_do_not_exist(
    as_alice: Client, bob: User, decks: list[Deck]
) -> None:
    """They can't be filled, renamed or deleted."""
    his = _folder(bob, "His")
    said = _many(as_alice, "move", decks[0], into=str(his.pk))
    assert "Choose a folder. Nothing was moved." in said
    for act in ("rename", "delete"):
        answer = as_alice.post(f"/decks/folders/{his.pk}/{act}", {"name": "Mine"})
        assert answer.status_code == 404
    services.move_to_folder(decks=[decks[0]], folder=his)
    decks[0].refresh_from_db()
    assert decks[0].folder is None


# -- many at once --


def test_decks_are_archived_and_restored(as_alice: Client, decks: list[Deck]) -> None:
    """Archived ones aren't listed, but may be played."""
    assert "2 decks are in the archive." in _many(as_alice, "archive", *decks[:2])
    page = text_of(as_alice.get("/decks/"))
    assert "Lucky" not in page
    assert "Archive (2)" in page
    assert "Lucky" in text_of(as_alice.get("/decks/?archived=1"))
    assert as_alice.get(f"/decks/{decks[1].pk}/edit").status_code == 200
    _many(as_alice, "unarchive", *decks[:2], archived="1")
    assert "Lucky" in text_of(as_alice.get("/decks/"))


def test_many_are_deleted_after_one_question(
    as_alice: Client, decks: list[Deck]
) -> None:
    """A deck that was changed since the list was seen stays, and is named."""
    said = _many(as_alice, "delete", *decks)
    assert "Delete 3 decks?" in said
    assert Deck.objects.count() == 3
    services.revise_deck(
        deck=decks[2], content=empty_content(WENDY), expected_revision=1, now=NOW
    )
    said = _many(as_alice, "delete", *decks, sure="1")
    assert "2 decks are in the bin. You can restore them for 30 days." in said
    assert "Not deleted, because they have changed: “Rusty”" in said
    assert [each.name for each in Deck.objects.all()] == ["Rusty"]


def test_a_deck_gone_meanwhile_is_reported(as_alice: Client, decks: list[Deck]) -> None:
    """Another window deleted it; the others are changed."""
    services.delete_deck(deck=decks[0], expected_revision=1, now=NOW)
    said = _many(as_alice, "archive", *decks)
    assert "1 deck isn’t here any more." in said
    assert "2 decks are in the archive." in said


def test_many_are_exported_as_one_zip(as_alice: Client, alice: User) -> None:
    """A file for each, two of one name kept apart."""
    decks = [_deck(alice, "Same"), _deck(alice, "Same", WENDY)]
    data = {"do": "export", "deck": [_mark(each) for each in decks]}
    answer = as_alice.post("/decks/many", data)
    assert answer["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        found = [json.loads(file.read(name)) for name in file.namelist()]
    assert len(set(file.namelist())) == 2
    assert {each["investigator_code"] for each in found} == {ROLAND, WENDY}


def test_decks_of_others_are_ignored(as_bob: Client, decks: list[Deck]) -> None:
    """They don't exist for him."""
    for act in ("archive", "delete", "export", "move"):
        said = _many(as_bob, act, *decks, sure="1", into="none")
        assert "3 decks aren’t here any more." in said
    assert Deck.objects.filter(archived_at=None).count() == 3


def test_drafts_have_no_folder(client: Client, as_alice: Client, alice: User) -> None:
    """They are named; without an account there are no folders at all."""
    draft = a_draft(as_alice_draft := Client())
    assert "Sign in to keep your decks in folders." in _many(
        as_alice_draft, "move", draft, into="new"
    )
    as_alice_draft.force_login(alice)
    folder = _folder(alice, "Solo")
    said = _many(as_alice_draft, "move", draft, into=str(folder.pk))
    assert "Not moved, because drafts have no folder: “A deck of Roland Banks”" in said
    assert client.get("/decks/folders/").status_code == 302
    assert as_alice.get("/decks/folders/").status_code == 200


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"do": "archive", "deck": "x"}, 400),
        ({"do": "explode", "deck": "1.1"}, 400),
        ({"do": "archive", "deck": "1.99999999999"}, 400),
        ({"do": "archive"}, 303),
    ],
)
def test_invalid_forms_are_refused(
    as_alice: Client, data: dict[str, str], status: int
) -> None:
    """Without a chosen deck nothing happens."""
    assert as_alice.post("/decks/many", data).status_code == status


def test_the_number_of_decks_at_once_is_limited(as_alice: Client) -> None:
    """None of them is changed."""
    data = {"do": "archive", "deck": [f"{n}.1" for n in range(1, MOST_AT_ONCE + 2)]}
    answer = as_alice.post("/decks/many", data, follow=True)
    assert f"Choose at most {MOST_AT_ONCE} decks at once." in text_of(answer)


@pytest.mark.usefixtures("decks")
def test_import_links_to_the_form_on_the_first_page(
    as_alice: Client,
) -> None:
    page = as_alice.get("/decks/").content.decode()
    assert '<a class="button" href="/#import">Import a list</a>' in page
    assert 'id="import"' in as_alice.get("/").content.decode()


def test_a_played_deck_is_upgraded_and_not_edited(
    as_alice: Client, decks: list[Deck]
) -> None:
    """Its builder would only redirect to the deck."""
    game = services.PlayedGame()
    services.mark_played(deck=decks[0], game=game, expected_revision=1, now=NOW)
    page = as_alice.get("/decks/").content.decode()
    assert f"/decks/{decks[0].pk}/edit" not in page
    assert f'href="/decks/{decks[0].pk}/upgrade/">Upgrade' in page
    assert f"/decks/{decks[1].pk}/edit" in page


def test_a_new_account_is_offered_to_import_all_its_decks(
    as_alice: Client, client: Client
) -> None:
    many = 'href="/decks/import/">Import many</a>'
    assert many in as_alice.get("/decks/").content.decode()
    client.logout()
    assert many not in client.get("/decks/").content.decode()


def test_without_a_collection_the_page_says_how_to_add_one(as_alice: Client) -> None:
    text = text_of(as_alice.get("/decks/collections/"))
    assert "No collection yet Add a whole cycle or box with one tap." in text
