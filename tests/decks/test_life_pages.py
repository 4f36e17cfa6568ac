"""The pages of a deck's life: games, the ledger, the upgrade desk, comparisons."""

from __future__ import annotations

import html
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content, read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk, Revision
from decks.services import ledger
from decks.services.ledger import Earned
from tests.decks.edits import apply

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HTMX = {"hx-request": "true"}
BEAT_COP, BEAT_COP_2, MACHETE, RUNIC_AXE = "01018", "01028", "01020", "09022"
ACE, COVER_UP = "05040", "01007"  # a card a scenario gives; Roland's weakness
UPGRADE_COP = f"remove={BEAT_COP} add={BEAT_COP_2}"


def _text(response: HttpResponseBase) -> str:
    assert isinstance(response, HttpResponse)
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def _content() -> Content:
    """A legal deck with a weakness drawn and a customizable card."""
    changes = [
        ("remove", "01000"),
        ("add", "01101"),
        ("remove", "01022:2"),
        ("add", f"{RUNIC_AXE}:2"),
    ]
    return apply(starter_deck(embedded_pool(), "01001"), changes, embedded_pool())


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's deck before its first game."""
    return services.create_deck(owner=alice, content=_content(), now=NOW, name="Axes")


@pytest.fixture
def played(alice: User, deck: Deck) -> Deck:
    """The same after a game that brought 6 and took a Machete."""
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(
            earned=(
                Earned("victory", 5),
                Earned("bonus", 1, "spared her"),
            ),
            aftermath={"exiled": {MACHETE: 1}},
        ),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    return deck


def _latest(deck: Deck) -> Revision:
    deck.refresh_from_db()
    return deck.revisions.get(number=deck.revision)


def _token(client: Client, deck: Deck) -> str:
    """What the desk shows to be in sight of."""
    page = client.get(f"/decks/{deck.pk}/upgrade/").content.decode()
    found = re.search(r'data-revision="([\d.]+)"', page)
    assert found is not None
    return found[1]


def _last_game(deck: Deck) -> dict[str, str]:
    """What the form sends that takes back the last game."""
    latest = _latest(deck)
    return {"revision": str(latest.number), "game": latest.game_mark}


def _press(client: Client, deck: Deck, **fields: Any) -> HttpResponse:
    headers = fields.pop("headers", None)
    fields.setdefault("revision", _token(client, deck))
    answer = client.post(f"/decks/{deck.pk}/upgrade/", fields, headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer


# -- who may --


@pytest.mark.parametrize(
    "address", ["", "played", "correct", "upgrade/", "compare/", "taboos/"]
)
def test_a_deck_lives_for_its_owner_alone(
    as_charlie: Client, client: Client, played: Deck, address: str
) -> None:
    """For all others it does not exist."""
    for stranger in (as_charlie, client):
        send = stranger.post if address == "correct" else stranger.get
        assert send(f"/decks/{played.pk}/{address}").status_code == 404


# -- a game --


def test_a_game_is_written_down(as_alice: Client, alice: User, deck: Deck) -> None:
    """With every source of experience and every copy exiled; then comes the desk."""
    answer = as_alice.post(
        f"/decks/{deck.pk}/played",
        {
            "revision": "1",
            "victory": "3",
            "bonus_1": "2",
            "bonus_1_for": "interviewed",
            "card_1": "1",
            "card_1_for": "Delve Too Deep",
            f"exiled-{MACHETE}": "2",
            "granted": "Lita Chantler\n1 01117",
        },
    )
    assert (answer.status_code, answer["Location"]) == (
        303,
        f"/decks/{deck.pk}/upgrade/",
    )
    entries = list(deck.ledger.values_list("kind", "amount", "reason", "author"))
    assert entries == [
        ("victory", 3, "", alice.pk),
        ("bonus", 2, "interviewed", alice.pk),
        ("card", 1, "Delve Too Deep", alice.pk),
    ]
    assert _latest(deck).aftermath == {"exiled": {MACHETE: 2}, "granted": {"01117": 2}}


@pytest.mark.parametrize("line", ["bonus_1", "card_2"])
def test_a_reason_without_its_experience_is_asked_about(
    as_alice: Client, deck: Deck, line: str
) -> None:
    """It is not dropped without a word; nothing is written down."""
    data = {"revision": "1", "victory": "3", f"{line}_for": "interviewed"}

    answer = as_alice.post(f"/decks/{deck.pk}/played", data)

    assert answer.status_code == 422
    assert "How much was it?" in _text(answer)
    assert not deck.ledger.exists()


def _line(page: str, number: int) -> tuple[str, str]:
    """The amount and the card of a line for experience by a card, as offered."""
    found = []
    for name in (f"card_{number}", f"card_{number}_for"):
        tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
        assert tag is not None
        value = re.search(r'value="([^"]*)"', tag[0])
        found.append(html.unescape(value[1]) if value else "")
    return found[0], found[1]


def test_what_cards_grant_by_themselves_is_filled_in(
    as_alice: Client, alice: User
) -> None:
    """Obol and Great Work with their amount, Unspeakable Oath with its name alone."""
    changes = [("add", code) for code in ("03308", "11068a", "52011")]
    deck = services.create_deck(
        owner=alice,
        content=apply(_content(), changes, embedded_pool()),
        now=NOW,
        name="Ferry",
    )
    address = f"/decks/{deck.pk}/played"
    page = as_alice.get(address).content.decode()
    assert [_line(page, number) for number in range(1, 5)] == [
        ("2", "Charon's Obol"),
        ("1", "The Great Work"),
        ("", "Unspeakable Oath"),
        ("", ""),
    ]
    shown, _summary, _folded = page.partition("<details")
    assert "Unspeakable Oath" in shown  # nothing is earned that one has to look for
    assert "Nothing if you were defeated" in page
    assert "-2 a copy, where its text says so." in page
    as_alice.post(
        address,
        {
            "revision": "1",
            "victory": "3",
            "card_1": "",
            "card_1_for": "Charon's Obol",
            "card_2": "1",
            "card_2_for": "The Great Work",
            "card_3": "-2",
            "card_3_for": "Unspeakable Oath",
        },
    )
    entries = list(deck.ledger.values_list("kind", "amount", "reason"))
    assert entries == [
        ("victory", 3, ""),
        ("card", 1, "The Great Work"),
        ("card", -2, "Unspeakable Oath"),
    ]


def test_who_earns_nothing_is_told_so(as_alice: Client, alice: User) -> None:
    """Ascetic ends what is earned; cards for everyone are in the victory display."""
    changes = [("add", "11095"), ("add", "02111")]
    deck = services.create_deck(
        owner=alice,
        content=apply(_content(), changes, embedded_pool()),
        now=NOW,
        name="Poor",
    )
    page = as_alice.get(f"/decks/{deck.pk}/played").content.decode()
    assert "Ascetic: no experience is earned." in page
    assert _line(page, 1) == ("", "")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"victory": "many"}, "Enter a whole number."),
        ({"granted": "Nobody Ever"}, "No card is called “Nobody Ever”."),
        (
            {"granted": "Machette"},
            "No card is called “Machette”. Did you mean “Machete”?",
        ),
        ({"granted": "Beat Cop"}, "Several cards are called “Beat Cop”: 01018, 01028"),
        ({f"exiled-{MACHETE}": "3"}, "3 is not one of the available choices."),
    ],
)
def test_what_cannot_be_written_down_is_asked_again(
    as_alice: Client, deck: Deck, fields: dict[str, str], told: str
) -> None:
    """Nothing of it is kept."""
    answer = as_alice.post(f"/decks/{deck.pk}/played", {"revision": "1", **fields})
    assert answer.status_code == 422
    assert told in html.unescape(_text(answer))
    assert _latest(deck).played_at is None


@pytest.mark.parametrize(
    ("typed", "button", "code"),
    [
        ("2 Machette", "1:2 Machete", MACHETE),
        ("Beat Cop", "1:01028", "01028"),
    ],
)
def test_a_card_that_came_is_put_right_by_a_button(
    as_alice: Client, deck: Deck, typed: str, button: str, code: str
) -> None:
    """A misspelt name, and one that several cards have."""
    form, address = {"revision": "1", "granted": typed}, f"/decks/{deck.pk}/played"
    page = as_alice.post(address, form).content.decode()
    assert f'name="take-granted" value="{button}"' in page

    pressed = as_alice.post(address, form | {"take-granted": button})
    assert pressed.status_code == 303
    copies = int(typed[0]) if typed[0].isdigit() else 1
    assert _latest(deck).aftermath["granted"] == {code: copies}


def test_a_misspelt_scenario_is_asked_about(as_alice: Client, deck: Deck) -> None:
    """What was meant is a button that sends the whole form; so is one's own name."""
    address = f"/decks/{deck.pk}/played"
    fields = {"revision": "1", "victory": "4", "scenario": "Carnival of Horors"}
    answer = as_alice.post(address, fields)
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert "We don’t know a scenario called “Carnival of Horors”." in page
    assert 'name="scenario" value="Carnevale of Horrors"' in page
    assert 'name="own_name" value="Carnival of Horors"' in page
    first_button = page[page.index('<form class="played-form ') :].index("<button")
    assert (
        'tabindex="-1"'
        in page[page.index('<form class="played-form ') :][
            first_button : first_button + 60
        ]
    )  # Enter sends what is written
    assert _latest(deck).played_at is None

    as_alice.post(address, fields | {"own_name": "Carnival of Horors"})
    assert _lines(deck) == [("victory", 4, "Carnival of Horors")]


def test_the_scenario_meant_is_taken(as_alice: Client, deck: Deck) -> None:
    """A form sends the field first and then the button; its price is booked."""
    written = ["Carnival of Horors", "Carnevale of Horrors"]
    fields = {"revision": "1", "scenario": written}
    assert as_alice.post(f"/decks/{deck.pk}/played", fields).status_code == 303
    assert _lines(deck) == [("cost", -3, "Carnevale of Horrors")]


def test_a_game_needs_to_know_its_revision(as_alice: Client, played: Deck) -> None:
    """A form of a page shown before is stale; one without a revision asks for it."""
    address = f"/decks/{played.pk}/played"
    assert as_alice.post(address, {"victory": "1"}).status_code == 428
    services.upgrade_deck(
        deck=played,
        content=_content(),
        expected_revision=1,
        now=NOW,
        repair="it was found again",
    )
    answer = as_alice.post(address, {"revision": "1", "victory": "1"})
    assert answer.status_code == 412
    assert ledger.balance_of(played) == 6


def test_a_game_of_a_deck_changed_meanwhile_is_asked_again(
    as_alice: Client, deck: Deck
) -> None:
    """What was filled in stays, and is saved from the page that says so."""
    content = _latest(deck).content
    fewer = apply(content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=fewer, expected_revision=1, now=NOW)
    address = f"/decks/{deck.pk}/played"
    fields = {"scenario": "The Gathering", "victory": "5", "granted": "01117"}
    answer = as_alice.post(address, fields | {"revision": "1"})
    assert answer.status_code == 412
    assert "so nothing was saved" in _text(answer)
    page = answer.content.decode()
    assert 'value="The Gathering"' in page
    assert 'name="victory" value="5"' in page
    assert "01117" in page
    assert '<input type="hidden" name="revision" value="2">' in page
    assert f'href="/decks/{deck.pk}/#ledger"' in page
    assert as_alice.post(address, fields | {"revision": "2"}).status_code == 303
    assert ledger.balance_of(deck) == 5


def test_another_game_after_one_that_was_taken_back_is_not_written(
    as_alice: Client, deck: Deck
) -> None:
    """Its form was open meanwhile; nobody reads that a game is in the ledger."""
    address = f"/decks/{deck.pk}/played"
    fields = {"revision": "1", "victory": "2"}
    as_alice.post(address, fields)
    as_alice.post(f"{address}/take-back", _last_game(deck))

    answer = as_alice.post(address, fields | {"again": "1"})

    assert answer.status_code == 409
    assert "The game before this one was taken back." in _text(answer)
    assert "is in the ledger" not in _text(answer)
    assert ledger.balance_of(deck) == 0


def test_a_form_sent_twice_is_one_game(as_alice: Client, deck: Deck) -> None:
    """The second time it says so; another game without an upgrade is another form."""
    address = f"/decks/{deck.pk}/played"
    fields = {"revision": "1", "victory": "2"}
    assert as_alice.post(address, fields).status_code == 303
    answer = as_alice.post(address, fields)
    assert answer.status_code == 409
    assert "Nothing was counted twice." in _text(answer)
    assert f'href="/decks/{deck.pk}/#ledger"' in answer.content.decode()
    assert "This is another one" in _text(as_alice.get(address))
    again = fields | {"again": "1"}
    assert as_alice.post(address, again).status_code == 303
    assert as_alice.post(address, again).status_code == 412
    assert _latest(deck).number == 2
    assert ledger.balance_of(deck) == 4


def test_a_deck_that_was_played_has_no_builder(as_alice: Client, played: Deck) -> None:
    """Its page is shown; a change is refused with the way to the desk."""
    address = f"/decks/{played.pk}/edit"
    assert as_alice.get(address)["Location"] == f"/decks/{played.pk}/"
    fields = {"revision": "1", "do": f"add={MACHETE}"}
    for headers in ({}, HTMX):
        answer = as_alice.post(address, fields, headers=headers)
        assert answer.status_code == 409
        assert "From now on the deck changes by upgrades" in _text(answer)
        assert f'href="/decks/{played.pk}/upgrade/"' in answer.content.decode()
    terms = as_alice.post(f"/decks/{played.pk}/terms", {"revision": "1", "players": 2})
    assert terms.status_code == 409


# -- the ledger --


def test_the_deck_page_tells_its_life(
    as_alice: Client,
    played: Deck,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """Revisions, why and when and by whom; every point with the running balance."""
    _press(as_alice, played, do=UPGRADE_COP)
    _press(as_alice, played, do="add=02018")
    _press(as_alice, played, confirm="1")
    with django_assert_max_num_queries(14):
        text = _text(as_alice.get(f"/decks/{played.pk}/"))
    assert "4 experience to spend" in text
    assert "Bonus: spared her revision 1" in text
    assert "+1 6" in text
    assert "Spent revision 2" in text
    assert "-2 4" in text
    assert "Upgraded · 2 experience" in text
    assert "Built · Played" in text


def test_edits_are_told_as_one(as_alice: Client, deck: Deck) -> None:
    """The timeline is not a list of clicks."""
    for revision in range(1, 4):
        do = f"remove={MACHETE}" if revision % 2 else f"add={MACHETE}"
        fields = {"revision": str(revision), "do": do}
        as_alice.post(f"/decks/{deck.pk}/edit", fields)
    text = _text(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Edited in 3 steps" in text
    assert "Compare with revision 1" in text


def test_experience_is_put_right_with_a_reason(as_alice: Client, played: Deck) -> None:
    """Without one it is not."""
    address = f"/decks/{played.pk}/correct"
    answer = as_alice.post(address, {"amount": "-2", "reason": "counted twice"})
    assert answer["Location"] == f"/decks/{played.pk}/#ledger"
    assert ledger.balance_of(played) == 4
    assert as_alice.post(address, {"amount": "2", "reason": " "}).status_code == 422
    assert ledger.balance_of(played) == 4


def test_a_refused_correction_keeps_what_was_typed(
    as_alice: Client, played: Deck
) -> None:
    """The deck's page shows it in the open form, with the fault at its field."""
    fields = {"amount": "0", "reason": "miscounted"}
    refused = as_alice.post(f"/decks/{played.pk}/correct", fields)
    page = refused.content.decode()
    assert refused.status_code == 422
    assert "Nought changes nothing." in page
    assert 'value="miscounted"' in page
    assert 'aria-invalid="true"' in page
    assert re.search(r"<details[^>]* open>\s*<summary>Correct<", page)


def test_a_copy_brings_its_experience_along(
    as_alice: Client, alice: User, played: Deck
) -> None:
    """As its last game left it: what was exiled is gone, what was earned is there."""
    page = _text(as_alice.get(f"/decks/{played.pk}/"))
    assert "the list as it is and the experience to spend" in page
    answer = as_alice.post(f"/decks/{played.pk}/copy", follow=True)
    assert "It has 6 experience to spend." in _text(answer)
    copy = alice.decks.exclude(pk=played.pk).get()
    assert _latest(copy).list["slots"][MACHETE] == 1
    assert (copy.revision, _latest(copy).cause, _latest(copy).base) == (
        1,
        "built",
        None,
    )
    assert [(e.kind, e.amount, e.reason) for e in copy.ledger.all()] == [
        ("correction", 6, "Brought along to be spent")
    ]
    assert ledger.balance_of(played) == 6


def test_a_copy_of_a_deck_without_a_ledger_has_none(
    as_alice: Client, alice: User, deck: Deck
) -> None:
    """And nothing is said of it."""
    answer = as_alice.post(f"/decks/{deck.pk}/copy", follow=True)
    assert not re.search("It has .* experience to spend", _text(answer))
    assert not alice.decks.exclude(pk=deck.pk).get().ledger.exists()


def test_a_list_taken_over_brings_its_experience_if_that_is_wanted(
    as_alice: Client, deck: Deck
) -> None:
    """The page says what the deck has; the ledger is corrected to what the list has."""
    services.correct_ledger(deck=deck, amount=2, reason="a gift", now=NOW)
    listed = dict(_latest(deck).list, xp=7, xp_adjustment=-2)
    listed["slots"] = {MACHETE: 2}
    answer = as_alice.post(f"/decks/{deck.pk}/paste", {"text": json.dumps(listed)})
    assert 'name="carried" value="5"' in _source(answer)
    assert "The deck has 2 now." in _text(answer)
    form = {"revision": "2", "content": json.dumps({"deck": listed})}

    as_alice.post(f"/decks/{deck.pk}/edit", form)
    assert (ledger.balance_of(deck), _latest(deck).number) == (2, 3)
    form |= {"revision": "3", "carried": "5"}
    for _press_twice in range(2):
        as_alice.post(f"/decks/{deck.pk}/edit", form)
    assert (ledger.balance_of(deck), _latest(deck).number) == (5, 3)
    last = deck.ledger.order_by("number").last()
    assert last is not None
    assert (last.kind, last.amount, last.revision) == ("correction", 3, 3)

    answer = as_alice.post(f"/decks/{deck.pk}/paste", {"text": json.dumps(listed)})
    assert 'name="carried"' not in _source(answer)


def test_a_list_taken_over_too_late_keeps_its_experience(
    as_alice: Client, deck: Deck
) -> None:
    """Whoever insists on their version brings it along as well; nothing was booked."""
    content = _latest(deck).content
    fewer = apply(content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=fewer, expected_revision=1, now=NOW)
    form = {"revision": "1", "content": content.as_json(), "carried": "5"}
    answer = as_alice.post(f"/decks/{deck.pk}/edit", form)
    assert answer.status_code == 412
    assert '<input type="hidden" name="carried" value="5">' in _source(answer)
    assert ledger.balance_of(deck) == 0


def test_what_a_played_deck_has_to_spend_is_not_overwritten(
    as_alice: Client, played: Deck
) -> None:
    """Its ledger is put right by a correction that says why."""
    same = _latest(played).content.as_json()
    form = {"revision": "1", "content": same, "carried": "50"}
    assert as_alice.post(f"/decks/{played.pk}/edit", form).status_code == 409
    assert ledger.balance_of(played) == 6


def test_my_decks_tell_what_they_have_to_spend(
    as_alice: Client,
    played: Deck,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """Those that were played, with one query for all."""
    with django_assert_max_num_queries(7):
        text = _text(as_alice.get("/decks/"))
    assert "Upgrade: 6 to spend" in text
    services.create_deck(owner=played.owner, content=_content(), now=NOW)
    with django_assert_max_num_queries(7):
        assert _text(as_alice.get("/decks/")).count("to spend") == 1


# -- the desk --


def test_before_the_first_game_the_desk_says_what_to_do(
    as_alice: Client, deck: Deck
) -> None:
    """Nothing was earned yet."""
    assert "Not played yet" in _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))


def test_the_desk_begins_with_what_the_game_left(
    as_alice: Client,
    played: Deck,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """What may be spent, what was exiled, what is missing; nothing is written."""
    with django_assert_max_num_queries(17):
        text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "6 of 6 left" in text
    assert "1 × Machete Exiled or taken" in text
    assert "The deck has 29 of the 30 cards it needs." in text
    assert not Desk.objects.exists()


def test_higher_versions_of_cards_held_come_first(
    as_alice: Client, played: Deck
) -> None:
    """Each with its price; a level 0 card fills the gap for nothing."""
    page = as_alice.get(f"/decks/{played.pk}/upgrade/?view=add")
    buttons = re.findall(r'id="buy-(\w+)"[^>]*>(.*?)</button>', _source(page))
    labels = [(code, re.sub("<[^>]+>", " ", label)) for code, label in buttons]
    # What is heard begins with what is seen: voice control finds the button by it.
    assert " ".join(labels[1][1].split()) == "2 Experience : upgrade to Beat Cop (2)"
    assert labels[1][0] == BEAT_COP_2
    kinds = [label.partition(": ")[2].split()[0] for _code, label in labels]
    assert kinds == sorted(kinds, reverse=True)


def _source(response: HttpResponseBase) -> str:
    assert isinstance(response, HttpResponse)
    return response.content.decode()


def test_only_what_fits_the_investigator_is_offered(
    as_alice: Client, played: Deck
) -> None:
    """By the search language; words that are none are explained."""
    address = f"/decks/{played.pk}/upgrade/?view=add&q="
    headers = {**HTMX, "hx-target": "results"}
    found = as_alice.get(address + "name:shrivelling", headers=headers)
    assert "No card found. Try fewer words." in _text(found)
    assert "<h1" not in _source(found)
    misread = as_alice.get(address + "level:::", headers=headers)
    assert 'role="alert"' in _source(misread)


@pytest.mark.parametrize(("kept", "page"), [("deck", "edit"), ("played", "upgrade/")])
@pytest.mark.parametrize(
    ("search", "instead"),
    [("name:Machette", "name%3AMachete"), ("clas:guardian", "class%3Aguardian")],
)
def test_a_misspelt_search_is_put_right_by_a_button(
    request: pytest.FixtureRequest,
    as_alice: Client,
    kept: str,
    page: str,
    search: str,
    instead: str,
) -> None:
    """A name and a word of the search language, as on the page of all cards."""
    address = f"/decks/{request.getfixturevalue(kept).pk}/{page}"
    shown = as_alice.get(address, {"view": "add", "q": search})
    assert f'href="{address}?view=add&amp;q={instead}#add"' in _source(shown)


def test_a_change_is_kept_on_the_desk(as_alice: Client, played: Deck) -> None:
    """A redirect without scripts, the desk alone with them."""
    answer = _press(as_alice, played, do=UPGRADE_COP, view="add", q="cop")
    assert answer.status_code == 303
    address = answer["Location"]
    assert address.startswith(f"/decks/{played.pk}/upgrade/?")
    text = _text(as_alice.get(address))
    assert "4 of 6 left" in text
    assert "2 Beat Cop (2) Upgrade from Beat Cop price.upgrade" in text
    assert "Otherwise : Beat Cop (2) New card: +0" in text
    fragment = _press(as_alice, played, do="add=02018", headers=HTMX)
    assert fragment.status_code == 200
    assert "Changed. Legal. Spent 2, left 4." in _text(fragment)
    assert "<html" not in _source(fragment)
    assert _latest(played).number == 1


def test_the_second_device_is_told_and_sees_the_desk(
    as_alice: Client, played: Deck
) -> None:
    """What the first one did lies there; what was pressed was not done."""
    seen = _token(as_alice, played)
    _press(as_alice, played, do=UPGRADE_COP)
    answer = _press(as_alice, played, do="add=02018", revision=seen)
    assert answer.status_code == 412
    text = _text(answer)
    assert "The desk was changed meanwhile" in text
    assert "Upgrade from Beat Cop" in text
    assert as_alice.post(f"/decks/{played.pk}/upgrade/", {"do": "x"}).status_code == 428


def test_a_desk_cleared_and_laid_out_anew_is_another(
    as_alice: Client, played: Deck
) -> None:
    """What a device never showed is not agreed to on it: versions count anew."""
    _press(as_alice, played, do="add=02018")
    seen = _token(as_alice, played)
    _press(as_alice, played, anew="1")
    _press(as_alice, played, do=UPGRADE_COP)
    assert _press(as_alice, played, confirm="1", revision=seen).status_code == 412
    assert _latest(played).number == 1


def test_an_upgrade_is_not_agreed_to_twice(as_alice: Client, played: Deck) -> None:
    """A form sent twice leaves one revision and one payment."""
    _press(as_alice, played, do=UPGRADE_COP)
    _press(as_alice, played, do="add=02018")
    seen = _token(as_alice, played)
    assert _press(as_alice, played, confirm="1", revision=seen).status_code == 303
    assert _press(as_alice, played, confirm="1", revision=seen).status_code == 412
    assert _latest(played).number == 2
    assert ledger.balance_of(played) == 4


def test_what_the_rules_find_bars_the_agreement(as_alice: Client, played: Deck) -> None:
    """Unless the player says why it is so."""
    refused = _press(as_alice, played, confirm="1")
    assert refused.status_code == 422
    assert "Mend it, or say why it is so." in _text(refused)
    assert _latest(played).number == 1
    _press(as_alice, played, confirm="1", repair="we found it again")
    latest = _latest(played)
    assert (latest.cause, latest.reason) == ("repaired", "we found it again")
    text = _text(as_alice.get(f"/decks/{played.pk}/"))
    assert "Repaired · 0 experience" in text
    assert "we found it again" in text


def test_a_pairing_is_chosen_and_the_difference_shown(
    as_alice: Client, played: Deck
) -> None:
    """And let go again."""
    _press(as_alice, played, do=UPGRADE_COP)
    _press(as_alice, played, do=f"pin={BEAT_COP_2}:purchase")
    text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "You insist: Beat Cop (2), New card." in text
    assert "price.purchase" in text
    _press(as_alice, played, do=f"unpin={BEAT_COP_2}")
    assert "You insist" not in _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))


def test_a_reduction_is_refused(as_alice: Client, alice: User) -> None:
    """Arcane Research makes the first spell cheaper; the player may do without."""
    pool = embedded_pool()
    content = apply(starter_deck(pool, "01004"), [("add", "04109")], pool)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 9),)),
        expected_revision=1,
        now=NOW,
    )
    held = [c for c in content.deck["slots"] if c == "01060"]
    assert held == ["01060"]  # Shrivelling
    _press(as_alice, deck, do="remove=01060 add=02306")
    text = _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "1 less by Arcane Research" in text
    assert "Arcane Research saves 1." in text
    _press(as_alice, deck, do="refuse=04109")
    text = _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "You do without Arcane Research. It costs 1 more." in text
    _press(as_alice, deck, do="accept=04109")
    assert "saves 1" in _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))


def test_what_was_exiled_is_put_right_at_the_desk(
    as_alice: Client, played: Deck
) -> None:
    """One was not; or one more was."""
    _press(as_alice, played, do=f"unexile={MACHETE} add={MACHETE}")
    text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "Exiled or taken" not in text
    assert "Legal" in text
    _press(as_alice, played, do=f"exile={BEAT_COP} remove={BEAT_COP}")
    text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "1 × Beat Cop Exiled or taken" in text


def test_a_game_is_told_better(as_alice: Client, played: Deck) -> None:
    """The desk follows: what was not exiled is back, what was gained is there."""
    _press(as_alice, played, do=f"pin={BEAT_COP_2}:upgrade")
    address = f"/decks/{played.pk}/upgrade/told"
    page = _source(as_alice.get(address))
    (chosen,) = re.findall(rf'<input[^>]*"id_exiled-{MACHETE}_1"[^>]*>', page)
    assert "checked" in chosen
    fields = {
        "revision": _token(as_alice, played),
        f"exiled-{MACHETE}": "0",
        f"exiled-{BEAT_COP}": "1",
        "granted": "01117",
    }
    assert as_alice.post(address, fields).status_code == 303
    text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "1 × Beat Cop Exiled or taken" in text
    assert "1 × Machete" not in text
    desk = Desk.objects.get()
    assert desk.window["exiled"] == {BEAT_COP: 1}
    assert desk.window["pins"] == [{"card": BEAT_COP_2, "way": "upgrade"}]
    slots = desk.list["slots"]
    assert (slots[MACHETE], slots[BEAT_COP], slots["01117"]) == (2, 1, 1)
    late = as_alice.post(address, fields | {"granted": "01118"})
    assert late.status_code == 412
    assert "so nothing was saved" in _text(late)
    assert "01118" in late.content.decode()  # what was filled in stays
    assert _token(as_alice, played) in late.content.decode()
    bad = fields | {"revision": _token(as_alice, played), "granted": "Nobody Ever"}
    assert as_alice.post(address, bad).status_code == 422


def test_copies_that_do_not_count_are_told_better(as_alice: Client, deck: Deck) -> None:
    """What was given after all, or not, leaves the bought copies in the deck size."""
    address = f"/decks/{deck.pk}/"
    game = {"revision": "1", "granted": f"1 {MACHETE}\n1 {ACE}"}
    as_alice.post(f"{address}played", game)

    def _told(**fields: str) -> tuple[int, dict[str, int]]:
        fields["revision"] = _token(as_alice, deck)
        assert as_alice.post(f"{address}upgrade/told", fields).status_code == 303
        listed = Desk.objects.get().list
        return listed["slots"].get(MACHETE, 0), listed["ignoreDeckLimitSlots"]

    assert _told(granted=f"1 {ACE}") == (2, {ACE: 1})
    assert "Legal" in _text(as_alice.get(f"{address}upgrade/"))
    assert _told(granted=f"1 {ACE}\n1 {MACHETE}") == (3, {MACHETE: 1, ACE: 1})
    _press(as_alice, deck, confirm="1")
    lost = {f"exiled-{MACHETE}": "3", f"exiled-{ACE}": "1"}
    as_alice.post(f"{address}played", {"revision": "2", **lost})
    _press(as_alice, deck, do=f"unexile={ACE} add={ACE} aside={ACE}")
    page = _source(as_alice.get(f"{address}upgrade/"))
    assert f'value="unexile={MACHETE} add={MACHETE} aside={MACHETE}"' in page
    assert _told(**{f"exiled-{MACHETE}": "2"}) == (1, {MACHETE: 1, ACE: 1})
    assert _told() == (3, {MACHETE: 1, ACE: 1})
    _press(as_alice, deck, do=f"remove={ACE}")
    page = _source(as_alice.get(f"{address}upgrade/"))
    assert f'value="add={ACE} aside={ACE}"' in page


def test_what_was_taken_is_put_right_at_the_desk(as_alice: Client, deck: Deck) -> None:
    """It was not: nothing is bought, and a required card is required again."""
    taken = {f"taken-{BEAT_COP}": "1", f"taken-{COVER_UP}": "1"}
    as_alice.post(f"/decks/{deck.pk}/played", {"revision": "1", **taken})
    for code in (BEAT_COP, COVER_UP):
        _press(as_alice, deck, do=f"unexile={code} add={code}")
    text = _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Exiled or taken" not in text
    assert "Nothing bought yet." in text
    desk = Desk.objects.get()
    assert desk.window == {"taken": {}}
    assert "lost_cards" not in desk.circumstances


def test_boxes_are_marked_at_the_desk(as_alice: Client, played: Deck) -> None:
    """Each costs its experience; what is written on the sheet costs nothing."""
    _press(as_alice, played, do="add=02018")
    _press(as_alice, played, do=f"mark={RUNIC_AXE}:0:1")
    text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "1 Runic Axe Boxes marked: 1 price.boxes" in text
    assert "5 of 6 left" in text


def test_the_second_deck_is_bought_for_as_well(as_alice: Client, alice: User) -> None:
    """Parallel Jim's spirits: found by their own options, told apart on the invoice."""
    content = read_content(
        {
            "investigator_code": "02004",
            "slots": {},
            "meta": {"alternate_back": "90049"},
        }
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 9),)),
        expected_revision=1,
        now=NOW,
    )
    page = as_alice.get(f"/decks/{deck.pk}/upgrade/?view=add&into=side&level=3")
    changes = re.search(r'value="(side-add=\w+)"', _source(page))
    assert changes is not None
    _press(as_alice, deck, do=changes[1], into="side")
    text = _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "New card · second deck price.purchase" in text
    assert "6 of 9 left" in text


@pytest.mark.parametrize(
    "deck_data",
    [
        {"investigator_code": "99999", "slots": {"01020": 2, "77777": 1}},
        {"investigator_code": "01001", "slots": {"77777": 99, "01020": 99}},
    ],
)
def test_a_hopeless_deck_has_a_desk_too(
    as_alice: Client, alice: User, deck_data: dict[str, Any]
) -> None:
    """Nobody's investigator, cards nobody knows: found illegal, never an error."""
    content = read_content(deck_data)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    assert as_alice.get(f"/decks/{deck.pk}/played").status_code == 200
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=NOW
    )
    for address in ("", "upgrade/", "upgrade/told", "taboos/?to=10"):
        assert as_alice.get(f"/decks/{deck.pk}/{address}").status_code == 200
    _press(as_alice, deck, do="remove=77777")
    _press(as_alice, deck, confirm="1", repair="it is so")
    assert as_alice.get(f"/decks/{deck.pk}/compare/").status_code == 200


def test_the_desk_is_cleared(as_alice: Client, played: Deck) -> None:
    """Nothing of it was bought."""
    _press(as_alice, played, do=UPGRADE_COP)
    _press(as_alice, played, anew="1")
    assert "6 of 6 left" in _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))


def test_an_upgrade_not_played_yet_is_gone_on_with(
    as_alice: Client, played: Deck
) -> None:
    """What was bought lies on the desk with its price, and what was spent is back."""
    for do in (UPGRADE_COP, "add=02018"):
        _press(as_alice, played, do=do)
    _press(as_alice, played, confirm="1")
    text = _text(as_alice.get(f"/decks/{played.pk}/upgrade/"))
    assert "4 of 6 left" in text
    assert "Upgrade from Beat Cop" in text


@pytest.mark.parametrize(
    "do", ["", "dance=01018", "pin=", "exile=", f"pin={'x' * 200}"]
)
def test_what_no_page_sends_is_not_understood(
    as_alice: Client, played: Deck, do: str
) -> None:
    """400, and nothing is kept."""
    assert _press(as_alice, played, do=do).status_code == 400
    assert not Desk.objects.exists()


def test_an_unreadable_pin_is_not_kept(as_alice: Client, played: Deck) -> None:
    """There is no such way to have a card."""
    assert _press(as_alice, played, do=f"pin={BEAT_COP}:theft").status_code == 400
    assert not Desk.objects.exists()


def test_terms_are_changed_at_the_desk(as_alice: Client, played: Deck) -> None:
    """Another list of taboos, for one."""
    _press(as_alice, played, terms="1", taboo="8", mode="campaign", experience="")
    assert Desk.objects.get().list["taboo_id"] == 8


# -- two revisions, two lists --


def test_two_revisions_are_compared(as_alice: Client, played: Deck) -> None:
    """Added, removed, exiled, customized, and the invoice of the upgrade that held."""
    for do in (UPGRADE_COP, "add=02018", f"mark={RUNIC_AXE}:0:1"):
        _press(as_alice, played, do=do)
    _press(as_alice, played, confirm="1")
    text = _text(as_alice.get(f"/decks/{played.pk}/compare/?from=1&to=2"))
    added = text[text.index("Added") : text.index("Removed")]
    assert "1 × Beat Cop (2)" in added
    removed = text[text.index("Removed") : text.index("Exiled")]
    assert "1 × Beat Cop" in removed
    assert "Machete" not in removed
    assert "Exiled 1 × Machete" in text
    assert "Upgrade sheet of Runic Axe: – → Heirloom 1" in text
    assert "Invoice 3 experience" in text
    assert "Upgrade from Beat Cop" in text


@pytest.mark.parametrize("query", ["?from=0", "?to=9", "?from=x", "?to=-1"])
def test_a_revision_that_never_was_is_not_compared(
    as_alice: Client, played: Deck, query: str
) -> None:
    """404."""
    assert as_alice.get(f"/decks/{played.pk}/compare/{query}").status_code == 404


def _knowing() -> Content:
    """A deck with a card that the list of 2026 makes 2 dearer."""
    changes = [("remove", "01035:2"), ("add", "05231:2")]
    return apply(_content(), changes, embedded_pool())


def test_a_move_to_another_list_is_shown_first(as_alice: Client, alice: User) -> None:
    """What a copy costs until now and from here on; then it is judged by the list."""
    deck = services.create_deck(owner=alice, content=_knowing(), now=NOW)
    text = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "2 × Knowledge is Power 0 2" in text
    assert "Judge by this list" in text
    as_alice.post(f"/decks/{deck.pk}/edit", {"revision": "1", "do": "choose=taboo:10"})
    assert _latest(deck).list["taboo_id"] == 10


def test_what_was_paid_stays_paid_under_another_list(
    as_alice: Client, alice: User
) -> None:
    """The cards of the deck cost nothing more; a new one has its new price."""
    deck = services.create_deck(owner=alice, content=_knowing(), now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 5),)),
        expected_revision=1,
        now=NOW,
    )
    _press(as_alice, deck, do="choose=taboo:10")
    text = _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "5 of 5 left" in text
    assert "Legal" in text


def test_what_another_list_forbids_is_replaced_free(
    as_alice: Client, alice: User
) -> None:
    """The Necronomicon leaves a deck of Daisy's; a level 0 card takes its place."""
    pool = embedded_pool()
    start = starter_deck(pool, "01002")
    first = next(c for c in start.deck["slots"] if pool[c].level == 0)
    changes = [("remove", first), ("add", "60233"), ("remove", "01000")]
    content = apply(start, [*changes, ("add", "01101")], pool)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=NOW
    )
    text = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "What is found then" in text
    assert "1 × The Necronomicon (5) 5 forbidden" in text
    assert "Repair it at the upgrade desk" in text
    for do in ("choose=taboo:10", f"remove=60233 add={first}"):
        _press(as_alice, deck, do=do)
    text = _text(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Free, in place of a card lost" in text
    assert "0 of 0 left" in text
    assert "Legal" in text


def test_a_played_deck_moves_at_the_desk(as_alice: Client, played: Deck) -> None:
    """In sight of what lies there."""
    page = as_alice.get(f"/decks/{played.pk}/taboos/?to=8")
    found = re.search(r'name="revision" value="([\d.]+)"', _source(page))
    assert found is not None
    assert found[1] == _token(as_alice, played)
    _press(as_alice, played, do="choose=taboo:8", revision=found[1])
    assert Desk.objects.get().list["taboo_id"] == 8


def test_a_deck_moves_and_is_repaired_in_one_step(
    as_alice: Client, alice: User
) -> None:
    """A forbidden card leaves with the move; the finding before is told to be gone."""
    pool = embedded_pool()
    start = starter_deck(pool, "01002")
    content = apply(start, [("add", "60233"), ("choose", "taboo:none")], pool)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    page = as_alice.get(f"/decks/{deck.pk}/taboos/?to=10")
    repair = "choose=taboo:10 remove=60233:1"
    assert f'value="{repair}"' in _source(page)
    assert "Move, with the repairs that leave no choice" in _text(page)
    as_alice.post(f"/decks/{deck.pk}/edit", {"revision": "1", "do": repair})
    moved = _latest(deck).list
    assert (moved["taboo_id"], "60233" in moved["slots"]) == (10, False)
    back = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=none"))
    assert "Nothing new is found." in back
    assert "with the repairs" not in back


def test_what_another_list_allows_is_told(as_alice: Client, alice: User) -> None:
    pool = embedded_pool()
    content = apply(
        starter_deck(pool, "01002"), [("add", "60233"), ("choose", "taboo:10")], pool
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    text = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=none"))
    assert "What is found no more" in text
    assert "is forbidden by the list of taboos of 2026-02-19" in text


def test_what_a_deck_would_have_cost_in_all(as_alice: Client, alice: User) -> None:
    deck = services.create_deck(owner=alice, content=_knowing(), now=NOW)
    text = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "2 × Knowledge is Power 0 2 4" in text
    assert "The whole deck 0 4" in text


def test_lines_of_sheets_that_another_list_words_otherwise(
    as_alice: Client, alice: User
) -> None:
    """Power Word's second line is another one; Runic Axe's hunt costs one more."""
    changes = [
        ("add", "09081"),
        ("mark", "09081:1:1"),
        ("add", RUNIC_AXE),
        ("choose", "taboo:none"),
    ]
    content = apply(starter_deck(embedded_pool(), "01004"), changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    text = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=10"))
    assert "Power Word: the line Mercy is Cower. It is marked;" in text
    assert "Inscription of the Hunt costs 1 beyond its boxes, until now 0." in text
    same = _text(as_alice.get(f"/decks/{deck.pk}/taboos/?to=5"))
    assert "Upgrade sheets" not in same


def test_versions_of_one_level_are_told_apart(as_alice: Client, alice: User) -> None:
    """On the button, beside it where it is narrow, and on the invoice."""
    content = apply(
        starter_deck(embedded_pool(), "01002"), [("add", "02021")], embedded_pool()
    )
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    game = services.PlayedGame((Earned("victory", 5),), {}, ("02021",))
    services.mark_played(deck=deck, game=game, expected_revision=1, now=NOW)
    address = f"/decks/{deck.pk}/upgrade/"

    page = as_alice.get(f"{address}?view=add&q=Strange+Solution").content.decode()
    assert ": upgrade to Strange Solution: Acidic Ichor (4)</span></button>" in page
    assert '<span class="tag">Acidic Ichor</span>' in page
    assert '<span class="subtitle">Acidic Ichor' not in page
    as_alice.post(
        address, {"revision": _token(as_alice, deck), "do": "remove=02021 add=02263"}
    )
    assert "Strange Solution: Acidic Ichor (4)" in _text(as_alice.get(address))


# -- which game it was --


def _play(client: Client, deck: Deck, **fields: str) -> HttpResponse:
    deck.refresh_from_db()
    data = {"revision": str(deck.revision), **fields}
    answer = client.post(f"/decks/{deck.pk}/played", data, follow=True)
    assert isinstance(answer, HttpResponse)
    return answer


def _lines(deck: Deck) -> list[tuple[str, int, str]]:
    entries = deck.ledger.order_by("number")
    return [(each.kind, each.amount, each.reason) for each in entries]


def test_the_form_asks_which_scenario(as_alice: Client, deck: Deck) -> None:
    """The known ones are offered; the ledger and the timeline name it."""
    page = as_alice.get(f"/decks/{deck.pk}/played").content.decode()
    assert '<input type="text" name="scenario" list="scenarios"' in page
    assert '<option value="The Gathering">The Night of the Zealot</option>' in page
    rougarou = '<option value="Curse of the Rougarou">side story, 1 experience</option>'
    assert rougarou in page
    assert 'value="Prologue"' not in page

    _play(
        as_alice,
        deck,
        scenario=" The Gathering ",
        victory="2",
        bonus_1="1",
        bonus_1_for="spared her",
    )

    assert _lines(deck) == [
        ("victory", 2, "The Gathering"),
        ("bonus", 1, "The Gathering: spared her"),
    ]
    text = _text(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Victory display: The Gathering" in text
    assert "Played: The Gathering" in text


def test_a_scenario_of_ones_own_has_any_name(as_alice: Client, deck: Deck) -> None:
    """Free text, without a price; no name at all is fine as well."""
    _play(as_alice, deck, scenario="Our <b>cellar</b>", victory="1")
    assert _lines(deck) == [("victory", 1, "Our <b>cellar</b>")]
    assert "<b>cellar" not in as_alice.get(f"/decks/{deck.pk}/").content.decode()
    deck.refresh_from_db()
    _play(as_alice, deck, again="1", victory="1")
    assert _lines(deck)[1:] == [("victory", 1, "")]


@pytest.mark.parametrize(
    ("scenario", "cost", "mode", "booked"),
    [
        ("Curse of the Rougarou", "", "campaign", -1),
        ("curse of the rougarou", "", "campaign", -1),
        ("Carnevale of Horrors", "", "campaign", -3),
        ("Carnevale of Horrors", "0", "campaign", None),
        ("Carnevale of Horrors", "2", "campaign", -2),
        ("Carnevale of Horrors", "", "standalone", None),
        ("The Gathering", "", "campaign", None),
        ("Our own", "2", "campaign", -2),
    ],
)
def test_a_side_story_is_paid_for(
    as_alice: Client,
    deck: Deck,
    scenario: str,
    cost: str,
    mode: str,
    booked: int | None,
) -> None:
    """As it is printed, or as they say; alone it costs nothing."""
    latest = _latest(deck)
    latest.circumstances = {**latest.circumstances, "mode": mode}
    latest.save()
    answer = _play(as_alice, deck, scenario=scenario, cost=cost, victory="4")
    costs = [amount for kind, amount, _why in _lines(deck) if kind == "cost"]
    assert costs == ([] if booked is None else [booked])
    assert ledger.balance_of(deck) == 4 + (booked or 0)
    assert ledger.earned_by(deck) == 4  # what is paid stays earned
    printed = {"curse of the rougarou": "Curse of the Rougarou"}.get(scenario, scenario)
    assert (f"{printed} cost " in _text(answer)) is bool(booked)


def test_a_game_written_down_by_mistake_is_taken_back(
    as_alice: Client, deck: Deck
) -> None:
    """The deck can be built again; the ledger shows both ways, the sums are right."""
    _play(as_alice, deck, scenario="Curse of the Rougarou", victory="5")
    assert as_alice.get(f"/decks/{deck.pk}/edit").status_code == 303
    address = f"/decks/{deck.pk}/played/take-back"
    for page in (f"/decks/{deck.pk}/", f"/decks/{deck.pk}/upgrade/"):
        assert f'href="{address}"' in as_alice.get(page).content.decode()
    asked = _text(as_alice.get(address))
    assert "Victory display: Curse of the Rougarou +5" in asked
    assert "Side story: Curse of the Rougarou -1" in asked
    assert _latest(deck).played_at is not None

    told = as_alice.post(address, _last_game(deck), follow=True)

    assert "The game is taken back." in _text(told)
    assert (ledger.balance_of(deck), ledger.earned_by(deck)) == (0, 0)
    assert _lines(deck)[2:] == [
        ("cost", 1, "Game taken back: Curse of the Rougarou"),
        ("victory", -5, "Game taken back: Curse of the Rougarou"),
    ]
    latest = _latest(deck)
    assert (latest.played_at, latest.scenario, latest.aftermath) == (None, "", {})
    assert as_alice.get(f"/decks/{deck.pk}/edit").status_code == 200
    _play(as_alice, deck, scenario="The Gathering", victory="2")
    assert (ledger.balance_of(deck), ledger.earned_by(deck)) == (2, 2)
    as_alice.post(address, _last_game(deck))
    assert (ledger.balance_of(deck), ledger.earned_by(deck)) == (0, 0)


def test_a_game_that_earned_nothing_is_taken_back(as_alice: Client, deck: Deck) -> None:
    """No word of a ledger that shows it."""
    _play(as_alice, deck, scenario="The Gathering")
    page = _text(as_alice.get(f"/decks/{deck.pk}/"))
    assert "Nothing earned yet." in page
    assert "when you have played a scenario" not in page
    address = f"/decks/{deck.pk}/played/take-back"
    assert "The ledger" not in _text(as_alice.get(address))

    told = _text(as_alice.post(address, _last_game(deck), follow=True))

    assert "The game is taken back." in told
    assert "The ledger still shows it." not in told
    assert "when you have played a scenario" in told


def test_an_upgrade_on_the_desk_goes_with_the_game(
    as_alice: Client, played: Deck
) -> None:
    """Nothing of it was bought."""
    _press(as_alice, played, do=UPGRADE_COP)
    assert Desk.objects.exists()
    as_alice.post(f"/decks/{played.pk}/played/take-back", _last_game(played))
    assert not Desk.objects.exists()
    assert ledger.balance_of(played) == 0
    assert as_alice.get(f"/decks/{played.pk}/edit").status_code == 200


def test_a_game_that_was_not_seen_is_neither_taken_back_nor_deleted(
    as_alice: Client, deck: Deck
) -> None:
    """Another window took the one back that the old page shows, and wrote another."""
    asked = {"revision": "1", "game": ""}
    _play(as_alice, deck, scenario="The Gathering", victory="5")
    refused = as_alice.post(f"/decks/{deck.pk}/delete", asked)
    assert refused.status_code == 412
    assert "Nothing was deleted" in _text(refused)
    address = f"/decks/{deck.pk}/played/take-back"
    old_page = _last_game(deck)
    as_alice.post(address, old_page)
    _play(as_alice, deck, scenario="The Midnight Masks", victory="2")

    refused = as_alice.post(address, old_page)

    assert refused.status_code == 412
    assert "The Midnight Masks +2" in _text(refused)
    assert ledger.balance_of(deck) == 2
    assert as_alice.post(address, _last_game(deck)).status_code == 303
    assert ledger.balance_of(deck) == 0


def test_an_old_page_of_the_desk_is_not_of_another_game(
    as_alice: Client, deck: Deck
) -> None:
    """What the first game exiled is not told of the second."""
    _play(as_alice, deck, victory="5")
    old_page = _token(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/played/take-back", _last_game(deck))
    _play(as_alice, deck, victory="2")
    told = {"revision": old_page, f"exiled-{MACHETE}": "1", "granted": ""}

    assert as_alice.post(f"/decks/{deck.pk}/upgrade/told", told).status_code == 412
    for pressed in ({"do": UPGRADE_COP}, {"confirm": "1"}):
        assert _press(as_alice, deck, revision=old_page, **pressed).status_code == 412
    assert not Desk.objects.exists()


def test_what_stands_on_a_game_keeps_it(
    as_alice: Client, as_bob: Client, alice: User, played: Deck
) -> None:
    """Upgraded since, never played, changed since, not mine: nothing happens."""
    address = f"/decks/{played.pk}/played/take-back"
    assert as_bob.post(address, {"revision": "1"}).status_code == 404
    assert as_alice.post(address, {"revision": "7"}).status_code == 412
    assert as_alice.post(address, {}).status_code == 428
    unplayed = services.create_deck(owner=alice, content=_content(), now=NOW)
    refused = as_alice.get(f"/decks/{unplayed.pk}/played/take-back")
    assert refused.status_code == 409
    assert "No game of this deck is saved." in _text(refused)
    before = _lines(played)
    services.upgrade_deck(
        deck=played,
        content=services.opened(_latest(played)),
        expected_revision=1,
        actor=alice,
        now=NOW,
        repair="So",
    )
    for answer in (
        as_alice.get(address),
        as_alice.post(address, {"revision": "2"}),
    ):
        assert answer.status_code == 409
        assert "You upgraded the deck after its last game" in _text(answer)
    assert _lines(played) == before


def test_a_second_game_is_taken_back_alone(as_alice: Client, played: Deck) -> None:
    """The first one, and what it brought, stays."""
    _play(as_alice, played, again="1", scenario="The Midnight Masks", victory="3")
    played.refresh_from_db()
    assert ledger.balance_of(played) == 9
    as_alice.post(f"/decks/{played.pk}/played/take-back", _last_game(played))
    assert ledger.balance_of(played) == 6
    assert as_alice.get(f"/decks/{played.pk}/upgrade/").status_code == 200


def _offers_to_take_back(page: str) -> bool:
    return 'played/take-back"' in page


def test_a_game_that_stays_is_not_offered_to_be_taken_back(
    as_alice: Client, alice: User, played: Deck
) -> None:
    """The deck's page and its desk say why, where the button was."""
    pages = (f"/decks/{played.pk}/", f"/decks/{played.pk}/upgrade/")
    services.upgrade_deck(
        deck=played,
        content=services.opened(_latest(played)),
        expected_revision=1,
        actor=alice,
        now=NOW,
        repair="So",
    )
    for page in pages:
        answer = as_alice.get(page)
        assert not _offers_to_take_back(answer.content.decode())
        assert "You upgraded the deck after its last game" in _text(answer)


def test_a_deck_brought_along_has_no_game_to_take_back(
    as_alice: Client, alice: User
) -> None:
    """It has a desk, and was not played here yet; nor is it once it is upgraded."""
    told = Content(_content().deck, {"mode": "campaign"})
    deck = services.create_deck(owner=alice, content=told, now=NOW, carried=4)
    page = as_alice.get(f"/decks/{deck.pk}/upgrade/")
    assert "Take back the last game" not in _text(page)
    services.upgrade_deck(
        deck=deck, content=told, expected_revision=1, now=NOW, repair="So"
    )
    refused = as_alice.get(f"/decks/{deck.pk}/played/take-back")
    assert "No game of this deck is saved." in _text(refused)


def test_what_is_no_upgrade_is_not_called_one(as_alice: Client, played: Deck) -> None:
    """A second game taken back leaves the first, and says what keeps it."""
    _play(as_alice, played, again="1", victory="3")
    address = f"/decks/{played.pk}/played/take-back"
    as_alice.post(address, _last_game(played))
    refused = as_alice.get(address)
    assert refused.status_code == 409
    assert "You upgraded" not in _text(refused)
    assert "another game was written down and taken back" in _text(refused)


def test_a_card_outside_the_deck_size_is_put_back_by_one_press(
    as_alice: Client, alice: User
) -> None:
    """Taken out, or made to count: the button mends both."""
    ace = "05040"  # Ace of Rods, which a scenario gives
    content = apply(_content(), [("add", ace), ("aside", ace)], embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW, name="Ace")
    game = services.PlayedGame(earned=(Earned("victory", 5),))
    services.mark_played(
        deck=deck, game=game, expected_revision=1, actor=alice, now=NOW
    )
    for mistake in (f"remove={ace}", f"count={ace}"):
        _press(as_alice, deck, do=mistake)
        page = as_alice.get(f"/decks/{deck.pk}/upgrade/").content.decode()
        (value,) = set(re.findall(r'value="([^"]*)"[^>]*>Put Ace of Rods', page))
        _press(as_alice, deck, do=value)
        page = as_alice.get(f"/decks/{deck.pk}/upgrade/").content.decode()
        assert "stays in the deck, outside the deck size" not in page


def test_an_upgrade_taken_back_leaves_the_copy_outside_the_deck_size(
    as_alice: Client, alice: User
) -> None:
    """As it was before: it makes no room, and takes none."""
    cache, cache_2 = "01088", "02194"
    changes = [("add", cache), ("aside", cache)]
    content = apply(_content(), changes, embedded_pool())
    deck = services.create_deck(owner=alice, content=content, now=NOW, name="Cache")
    game = services.PlayedGame(earned=(Earned("victory", 5),))
    services.mark_played(
        deck=deck, game=game, expected_revision=1, actor=alice, now=NOW
    )
    _press(as_alice, deck, do=f"remove={cache} add={cache_2}")
    assert Desk.objects.get().list["ignoreDeckLimitSlots"] == {}
    page = _source(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    (back,) = re.findall('value="([^"]*)">Take back<span[^>]*>: Emergency', page)

    _press(as_alice, deck, do=back)

    desk = Desk.objects.get().list
    assert desk["slots"] == content.deck["slots"]
    assert desk["ignoreDeckLimitSlots"] == {cache: 1}
