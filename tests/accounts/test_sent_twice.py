"""A form that begins or ends something does so once, however often it is pressed."""

from __future__ import annotations

import pickle
import re
import threading
import time
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import caches
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from arkham.accounts.models import ApiKey, User
from arkham.rules.snapshot import embedded_pool
from arkham.web import forms
from arkham.webhooks.models import Webhook
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Collection, Deck, Folder, SharedVerdict
from tests.helpers import NOW

pytestmark = pytest.mark.usefixtures("rows")
BEGIN = "/decks/new/01001/"


@pytest.fixture(autouse=True)
def _fresh(db: None) -> None:
    caches["presses"].clear()


def _browser(user: User | None = None) -> Client:
    client = Client(enforce_csrf_checks=True)
    if user is not None:
        client.force_login(user)
    return client


def _press(client: Client, page: str, fields: dict[str, str], to: str = "") -> Any:
    """The answer to one form of a page, and to the same form sent again."""
    shown = client.get(page).content.decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown)
    assert found is not None
    form = {forms.TOKEN: found[1], **fields}
    return client.post(to or page, form), client.post(to or page, form)


@pytest.mark.parametrize(
    ("page", "to", "fields", "made"),
    [
        (BEGIN, "", {"required": "1"}, Deck),
        ("/account/keys/", "", {"name": "Bot", "scope": "read"}, ApiKey),
        (
            "/account/webhooks/",
            "",
            {"address": "https://1.1.1.1/hook", "events": "deck"},
            Webhook,
        ),
        ("/decks/collections/new", "", {"own": "core:1"}, Collection),
        ("/decks/collections/new", "", {"name": "Attic"}, Collection),
        ("/decks/folders/", "", {"name": "Fridays"}, Folder),
        ("/decks/import/", "", {"text": "Roland Banks\n1 Machete"}, Deck),
    ],
)
def test_pressed_twice_it_begins_one(
    page: str, to: str, fields: dict[str, str], made: type[Model]
) -> None:
    """The second press shows what the first would have."""
    owner = User.objects.create_user("alice")
    first, second = _press(_browser(owner), page, fields, to)
    assert first.status_code in {200, 303}
    assert made._default_manager.count() == 1
    assert second.status_code == first.status_code
    assert second.content == first.content
    assert second.get("Location") == first.get("Location")


def test_a_deck_is_copied_and_its_verdict_shared_once() -> None:
    """By forms of the deck's page."""
    owner = User.objects.create_user("alice")
    content = starter_deck(embedded_pool(), "01001", ())
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    page, browser = f"/decks/{deck.pk}/", _browser(owner)
    assert _press(browser, page, {}, f"{page}copy")[1].status_code == 303
    assert _press(browser, page, {}, f"{page}share")[1].status_code == 303
    assert (Deck.objects.count(), SharedVerdict.objects.count()) == (2, 1)


def test_what_was_deleted_is_not_missed_by_the_second_press() -> None:
    """It leads where the first would have, not to a page that was not found."""
    owner = User.objects.create_user("alice")
    content = starter_deck(embedded_pool(), "01001", ())
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    attic = Collection.objects.create(owner=owner, name="Attic", changed_at=NOW)
    folder = Folder.objects.create(owner=owner, name="Fridays", made_at=NOW)
    browser = _browser(owner)
    for page in (
        f"/decks/{deck.pk}/delete",
        f"/decks/collections/{attic.pk}/delete",
        f"/decks/folders/{folder.pk}/delete",
    ):
        first, second = _press(browser, BEGIN, {"revision": "1"}, page)
        assert first.status_code == second.status_code == 303, page
        assert first["Location"] == second["Location"]


def test_another_page_or_another_field_begins_another() -> None:
    """And so does the same form some seconds later."""
    browser = _browser(User.objects.create_user("alice"))
    _press(browser, BEGIN, {"required": "1"})
    _press(browser, BEGIN, {"required": "1"})
    assert Deck.objects.count() == 2
    _press(browser, BEGIN, {"required": "1", "name": "Two"})
    assert Deck.objects.count() == 3


def test_later_the_same_form_begins_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who goes back and presses again wants two."""
    monkeypatch.setattr(forms, "SECOND_PRESS", 0)
    browser = _browser(User.objects.create_user("alice"))
    _press(browser, BEGIN, {"required": "1"})
    assert Deck.objects.count() == 2


def test_a_refused_form_is_judged_again() -> None:
    """Nothing was begun by it."""
    owner = User.objects.create_user("alice")
    first, second = _press(_browser(owner), "/account/keys/", {"scope": "read"})
    assert (first.status_code, second.status_code) == (422, 422)


def test_a_stranger_has_the_draft_after_the_second_press() -> None:
    """The browser drops the first answer, and its cookie with it."""
    browser = _browser()
    shown = browser.get(BEGIN).content.decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown)
    assert found is not None
    form = {forms.TOKEN: found[1], "required": "1"}
    token = browser.cookies["csrftoken"]
    browser.post(BEGIN, form)
    browser.cookies.clear()
    browser.cookies["csrftoken"] = token.value
    second = browser.post(BEGIN, form)
    assert Deck.objects.count() == 1
    assert browser.get(second["Location"]).status_code == 200


def test_the_second_press_waits_for_the_first() -> None:
    """Two at the same time, as without JavaScript."""
    calls: list[int] = []

    @forms.sent_once
    def slow(request: HttpRequest) -> HttpResponse:
        calls.append(1)
        time.sleep(0.2)
        return HttpResponse(str(len(calls)))

    def send() -> None:
        answers.append(slow(_request()).content)

    answers: list[bytes] = []
    both = [threading.Thread(target=send) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert (calls, answers) == ([1], [b"1", b"1"])


def test_a_press_that_takes_long_is_not_worked_on_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second one is answered before the first, and holds no worker until then."""
    monkeypatch.setattr(forms, "LONGEST_WAIT", 0.1)
    answers: list[HttpResponse] = []

    @forms.sent_once
    def slow(request: HttpRequest) -> HttpResponse:
        answers.append(slow(_request()))
        return HttpResponse("done")

    assert slow(_request()).content == b"done"
    assert [each.status_code for each in answers] == [409]
    assert b"Still working on it" in answers[0].content
    assert slow(_request()).content == b"done"
    assert len(answers) == 1


def test_a_refused_press_lets_the_one_that_waits_try() -> None:
    """Two at the same time; what the first could not do, the second may."""
    calls: list[int] = []

    @forms.sent_once
    def refused(request: HttpRequest) -> HttpResponse:
        calls.append(1)
        time.sleep(0.1)
        return HttpResponse(status=422)

    both = [threading.Thread(target=refused, args=[_request()]) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert calls == [1, 1]


def test_the_cache_shows_no_answer_and_no_form() -> None:
    """A new key is shown once; who can read the cache can't read it there."""

    @forms.sent_once
    def key(request: HttpRequest) -> HttpResponse:
        return HttpResponse("a new key")

    key(_request())
    presses: Any = caches["presses"]
    kept = pickle.dumps(presses._cache)
    assert len(presses._cache) == 1
    assert b"a new key" not in kept
    assert b"a name" not in kept


def test_presses_take_no_room_of_counters() -> None:
    """In memory, where the oldest give way."""
    presses: Any = caches["presses"]
    counters: Any = caches["default"]
    assert presses._cache is not counters._cache
    assert presses._max_entries < 1_000 < counters._max_entries


def _request() -> Any:
    request = RequestFactory().post("/", {forms.TOKEN: "t", "name": "a name"})
    request.user = AnonymousUser()
    request.session = SessionStore()
    return request
