"""What somebody signed out sends is there again after signing in."""

from __future__ import annotations

import html
import re
from urllib.parse import quote, urlencode

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.utils import timezone

from arkham.accounts import authentication
from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from arkham.web.forms import sent
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Collection, Deck
from tests.decks.building import a_draft

pytestmark = pytest.mark.usefixtures("rows")

LOGIN, NEW = "/account/login/", "/decks/collections/new"
FORM = "application/x-www-form-urlencoded"
PASSWORD = "alice-of-arkham"


@pytest.fixture(autouse=True)
def _alice(db: None) -> None:
    User.objects.create_user("alice", password=PASSWORD)


def _send(client: Client, address: str, text: str) -> str:
    """Where a form leads that is sent as browsers send it."""
    answer = client.post(address, text, content_type=FORM)
    assert answer.status_code == 303
    return str(answer["Location"])


def _sign_in(client: Client, to: str) -> str:
    fields = {"login": "alice", "password": PASSWORD, "next": to}
    answer = client.post(LOGIN, fields)
    assert answer["Location"] == to
    return client.get(to).content.decode()


def test_what_was_written_is_sent_after_signing_in(client: Client) -> None:
    """Once, by a button; every field of it."""
    assert _send(client, NEW, "name=Attic+%26+more&lends=on&advises=on") == (
        f"{LOGIN}?next=%2Fdecks%2Fcollections%2Fnew"
    )
    asked = client.get(LOGIN, {"next": NEW}).content.decode()
    assert "Sign in, then send what you wrote." in asked
    page = _sign_in(client, NEW)
    assert "What you wrote before is still here." in page
    assert 'name="name" value="Attic &amp; more"' in page
    assert "<blockquote>Attic &amp; more</blockquote>" in page
    assert "<blockquote>on" not in page
    assert f'action="{NEW}"' in page
    assert not Collection.objects.exists()

    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    fields = {name: html.unescape(value) for name, value in hidden}
    fields.pop("csrfmiddlewaretoken", None)
    assert fields == {"name": "Attic & more", "lends": "on", "advises": "on"}
    assert client.post(NEW, fields).status_code == 303
    made = Collection.objects.get()
    assert (made.name, made.lends) == ("Attic & more", True)
    assert "What you wrote before" not in client.get(NEW).content.decode()


def test_a_button_alone_is_pressed_again(client: Client) -> None:
    """An address that nobody can visit is no dead end after signing in."""
    alice = User.objects.get()
    made = Collection.objects.create(
        owner=alice, name="Attic", products={}, changed_at=timezone.now()
    )
    address = f"/decks/collections/{made.pk}/delete"
    _send(client, address, "csrfmiddlewaretoken=x")
    assert "What you wrote before" in _sign_in(client, address)
    assert client.post(address).status_code == 303
    assert not Collection.objects.exists()


@pytest.fixture
def deck() -> Deck:
    """Alice's, of Roland, private."""
    content = starter_deck(embedded_pool(), "01001")
    return services.create_deck(
        owner=User.objects.get(), content=content, name="Badge", now=timezone.now()
    )


def test_a_page_that_is_not_found_offers_to_sign_in(client: Client, deck: Deck) -> None:
    """The same words for a private deck and for none."""
    for address in (f"/decks/{deck.pk}/", "/decks/4711/"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert (
            f'href="{LOGIN}?next={quote(address, safe="")}"' in answer.content.decode()
        )
    assert "Sign in" not in client.get("/api/v1/nothing").content.decode()
    client.force_login(User.objects.get())
    found = client.get("/decks/4711/").content.decode()
    assert "sign in to see it" not in found


def test_a_form_of_a_deck_is_sent_after_signing_in(client: Client, deck: Deck) -> None:
    """Of one's own deck, whose pages need the account."""
    address = f"/decks/{deck.pk}/about"
    lost = client.post(address, "name=For+Arkham", content_type=FORM)
    assert lost.status_code == 404
    assert "Sign in, then send what you wrote." in lost.content.decode()
    asked = client.get(LOGIN, {"next": address}).content.decode()
    assert "Sign in, then send what you wrote." in asked
    assert 'name="name" value="For Arkham"' in _sign_in(client, address)


def test_only_what_a_person_wrote_is_shown(client: Client, deck: Deck) -> None:
    """No codes, no JSON, nothing twice; all of it is sent."""
    address = f"/decks/{deck.pk}/about"
    fields = (
        ("name", "For Arkham"),
        ("initial-name", "Badge and all"),
        ("content", '{"slots": {"01006": 1}}'),
        ("step", "01001 rbw"),
    )
    client.post(address, urlencode(fields), content_type=FORM)
    page = _sign_in(client, address)
    assert page.count("<blockquote>") == 1
    assert "<blockquote>For Arkham</blockquote>" in page
    assert all(f'name="{name}"' in page for name, _value in fields)


def test_after_an_hour_it_is_forgotten(
    client: Client, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a shared browser another person may sign in by then."""
    address = f"/decks/{deck.pk}/about"
    client.post(address, "name=For+Arkham", content_type=FORM)
    monkeypatch.setattr(authentication, "KEPT_FOR", -1)
    assert "For Arkham" not in _sign_in(client, address)
    assert authentication.KEPT_KEY not in client.session


def test_nothing_is_kept_of_what_scripts_and_programs_send(
    client: Client, deck: Deck
) -> None:
    """They can't follow to a page where a person signs in."""
    address = f"/decks/{deck.pk}/about"
    client.post(address, {"name": "x"}, headers={"HX-Request": "true"})
    client.post("/api/v1/decks/4711/games", {})
    assert not client.session.keys()


def test_a_press_on_an_open_page_says_that_one_is_signed_out(
    client: Client, deck: Deck
) -> None:
    """The session ended while the builder was open; others never had an account."""
    address = f"/decks/{deck.pk}/edit"
    press = {"do": "add=01020", "revision": "1"}
    link = f'href="{LOGIN}?next=%2Fdecks%2F{deck.pk}%2Fedit"'
    guest = Client()
    a_draft(guest)
    client.force_login(User.objects.get(username="alice"))
    Session.objects.exclude(pk=guest.cookies["sessionid"].value).delete()
    for visitor, is_signed_out in ((client, True), (guest, False), (Client(), False)):
        answer = visitor.post(address, press, headers={"HX-Request": "true"})
        assert answer.status_code == 404
        page = answer.content.decode()
        assert ("You’re signed out. Sign in to continue." in page) is is_signed_out
        assert link in page


def test_of_who_sends_without_end_nothing_more_is_kept() -> None:
    """What is kept for strangers is counted, here too."""
    visitors = [Client() for _visitor in range(61)]
    for each in visitors:
        assert each.post("/decks/4711/about", {}).status_code == 404
    assert [bool(each.session.keys()) for each in visitors] == [True] * 60 + [False]


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("/account/close/", "password=secret-of-arkham&seen=1"),
        (NEW, f"name={'x' * 30_000}"),
    ],
)
def test_passwords_and_long_texts_are_not_kept(
    client: Client, address: str, text: str
) -> None:
    """Signing in leads to the page as it is for everybody."""
    _send(client, address, text)
    for session in Session.objects.all():
        assert "sent_signed_out" not in session.get_decoded()
    assert "What you wrote before" not in _sign_in(client, address)


def test_a_form_that_may_have_files_is_kept_without_one(
    client: Client, deck: Deck
) -> None:
    """A pasted list is as much of a loss as any other text."""
    address = f"/decks/{deck.pk}/paste"
    client.post(address, {"text": "2x Evidence!"})  # multipart
    assert "2x Evidence!" in _sign_in(client, address)


def test_files_are_not_kept(client: Client) -> None:
    """Nor what was sent with them: half a form would do something else."""
    file = SimpleUploadedFile("list.txt", b"2x Evidence!")
    answer = client.post(NEW, {"name": "Attic", "file": file})
    assert answer.status_code == 303
    assert "What you wrote before" not in _sign_in(client, NEW)


def test_a_broken_form_is_not_sent_once_more() -> None:
    """The page that would offer it is shown all the same."""
    kind = "multipart/form-data"  # and no boundary
    asked = RequestFactory().generic("POST", "/", b"text", content_type=kind)
    assert sent(asked) is None
