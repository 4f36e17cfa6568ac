"""The pages of a deck: terms, lists, verdicts to share, renaming and deleting."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from decks.lists.content import read_content
from decks.models import Deck, SharedVerdict
from decks.services.beginning import SAMPLE_TEXT
from tests.decks.building import LEGAL_JSON, a_draft, list_of, press
from tests.decks.helpers import HTMX, text_of

pytestmark = pytest.mark.usefixtures("rows")

# -- terms, lists, sharing --


def test_all_terms_have_a_page(client: Client) -> None:
    """Environment, campaign, ultimatums, rulings."""
    deck = a_draft(client)
    response = client.post(
        f"/decks/{deck.pk}/terms",
        {
            "revision": "1",
            "taboo": "",
            "mode": "standalone",
            "experience": "19",
            "players": "2",
            "environment": "limited",
            "cycles": ["dwl", "ptc", "tfa"],
            "ultimatums": ["highlander"],
            "banned_titles": "Peter Sylvestre\n",
            "options.restriction-outranks": "specific",
        },
    )
    assert response.status_code == 303
    assert deck.revisions.get(number=2).circumstances == {
        "banned_titles": ["Peter Sylvestre"],
        "environment": {"kind": "limited", "cycles": ["dwl", "ptc", "tfa"]},
        "experience": 19,
        "mode": "standalone",
        "players": 2,
        "rulings": {"options.restriction-outranks": "specific"},
        "ultimatums": ["highlander"],
    }


def test_unchanged_terms_stay_the_same(client: Client) -> None:
    """Saving the page without changes."""
    told = {
        "environment": {"kind": "current", "date": "2025-01-01"},
        "story_cards": ["01117"],
        "tasks": ["04022"],
        "lost_cards": ["01006", "01096", "01096"],
    }
    deck = {"investigator_code": "01001", "slots": {"01117": 1, "04230": 1}}
    content = read_content({"deck": deck, "circumstances": told})
    client.post("/decks/bring/", {"content": content.as_json()})
    made = Deck.objects.get()
    page = client.get(f"/decks/{made.pk}/terms").content.decode()
    fields: dict[str, Any] = {"revision": "1"}
    for name, value in re.findall(
        r'<input type="checkbox" name="([^"]+)"(?: value="([^"]+)")?[^>]* checked', page
    ):
        fields.setdefault(name, []).append(value or "on")
    for name, options in re.findall(
        r'<select name="([^"]+)".*?>(.*?)</select>', page, re.S
    ):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    fields["date"] = "2025-01-01"
    assert client.post(f"/decks/{made.pk}/terms", fields).status_code == 303
    made.refresh_from_db()
    assert made.revision == 1


@pytest.mark.parametrize(
    ("taboo", "environment", "told"),
    [
        ("", "", {}),
        ("none", "legacy", {"taboo": "none", "environment": {"kind": "legacy"}}),
    ],
)
def test_unspecified_and_none_are_different_answers(
    client: Client, taboo: str, environment: str, told: dict[str, Any]
) -> None:
    """The form offers both, and keeps the choice."""
    deck = a_draft(client)
    fields = {
        "revision": "1",
        "taboo": taboo,
        "mode": "campaign",
        "experience": "3",
        "environment": environment,
    }
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 303
    assert (
        deck.revisions.get(number=2).circumstances
        == {
            "mode": "campaign",
            "experience": 3,
        }
        | told
    )
    page = client.get(f"/decks/{deck.pk}/terms").content.decode()
    for value in (taboo, environment):
        assert f'<option value="{value}" selected>' in page


@pytest.mark.parametrize("day", ["", "2025-06-01"])
def test_the_current_environment_may_have_a_day(client: Client, day: str) -> None:
    """Without one it is the newest."""
    deck = a_draft(client)
    told = {"date": day} if day else {}
    fields = {"revision": "1", "mode": "campaign", "environment": "current"}
    response = client.post(f"/decks/{deck.pk}/terms", fields | {"date": day})
    assert response.status_code == 303
    kept = deck.revisions.get(number=2).circumstances["environment"]
    assert kept == {"kind": "current"} | told
    assert client.get(f"/decks/{deck.pk}/edit").status_code == 200


def test_a_limited_environment_has_three_cycles(client: Client) -> None:
    """No more and no fewer."""
    deck = a_draft(client)
    fields = {
        "revision": "1",
        "mode": "campaign",
        "environment": "limited",
        "cycles": ["dwl"],
    }
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 422
    assert "Choose three cycles." in text_of(response)


def test_a_list_of_products_needs_one(client: Client) -> None:
    """Without any no card could be in the deck."""
    deck = a_draft(client)
    fields = {"revision": "1", "mode": "campaign", "environment": "products"}
    response = client.post(f"/decks/{deck.pk}/terms", fields)
    assert response.status_code == 422
    assert "Choose the products." in text_of(response)


def test_every_offered_cycle_can_be_chosen(client: Client) -> None:
    """Each with two others: those a limited environment can't have aren't offered."""
    deck = a_draft(client)
    page = client.get(f"/decks/{deck.pk}/terms").content.decode()
    offered = re.findall(r'name="cycles" value="(\w+)"', page)
    assert len(offered) > 3
    for at, cycle in enumerate(offered):
        fields = {
            "revision": str(at + 1),
            "mode": "campaign",
            "environment": "limited",
            "cycles": [cycle, offered[at - 1], offered[at - 2]],
        }
        response = client.post(f"/decks/{deck.pk}/terms", fields)
        assert response.status_code == 303, cycle


def test_values_that_are_not_offered_are_shown_by_name(client: Client) -> None:
    """Not by their codes."""
    deck = a_draft(client)
    circumstances = {"lost_cards": ["01048"], "ultimatums": ["finality"]}
    content = {"deck": {"investigator_code": "01001", "slots": {}}}
    told = read_content(content | {"circumstances": circumstances}).as_json()
    press(client, deck, content=told)
    page = client.get(f"/decks/{deck.pk}/terms").content.decode()
    for value, label in (
        ("01048", "Leo De Luca"),
        ("finality", "Ultimatum of Finality"),
    ):
        assert re.search(rf'value="{value}"[^>]* checked> {label}</label>', page)


def test_each_copy_of_a_lost_card_has_a_box(client: Client) -> None:
    """One of two is lost, the other isn't."""
    deck = a_draft(client)
    listed = {"investigator_code": "03003", "slots": {}}  # three Painted Worlds
    content = {"deck": listed, "circumstances": {"lost_cards": ["03012"]}}
    press(client, deck, content=read_content(content).as_json())
    page = client.get(f"/decks/{deck.pk}/terms").content.decode()
    found = re.findall(r'value="03012"[^>]*?( checked)?> ([^<]*)</label>', page)
    name = "The Painted World (copy {})"
    assert found == [(" checked", name.format(1))] + [
        ("", name.format(n)) for n in (2, 3)
    ]


@pytest.mark.parametrize("place", ["terms", "paste"])
def test_a_played_deck_has_no_form_that_would_be_refused(
    client: Client, place: str
) -> None:
    """Its page is shown instead, as for the builder."""
    deck = a_draft(client)
    game = {"revision": "1", "scenario": "The Gathering", "victory": "2"}
    assert client.post(f"/decks/{deck.pk}/played", game).status_code == 303
    answer = client.get(f"/decks/{deck.pk}/{place}")
    assert (answer.status_code, answer["Location"]) == (303, f"/decks/{deck.pk}/")


def test_a_deck_without_an_investigator_has_no_broken_links(
    client: Client,
) -> None:
    """It offers no draws."""
    deck = {"investigator_code": "", "slots": {"01020": 2}}
    content = read_content({"deck": deck}).as_json()
    response = client.post("/decks/bring/", {"content": content})
    address = response["Location"].removesuffix("edit")
    page = client.get(address)
    links = re.findall(r'href="(/[^"#]*)', page.content.decode())
    assert {client.get(unescape(each)).status_code for each in {*links}} <= {
        200,
        302,
        303,
    }


def test_an_imported_list_is_previewed(client: Client) -> None:
    """The changes are shown before they are made."""
    deck = a_draft(client)
    response = client.post(f"/decks/{deck.pk}/paste", {"text": LEGAL_JSON})
    assert "What changes What Current deck Imported list Machete – 2" in text_of(
        response
    )
    assert list_of(deck)["slots"] == {}
    content = re.search(r'name="content" value="([^"]+)"', response.content.decode())
    assert content is not None
    press(client, deck, content=content[1].replace("&quot;", '"'))
    assert list_of(deck)["slots"] == {"01020": 2}


def test_an_invalid_list_changes_nothing(client: Client) -> None:
    """The page says why."""
    deck = a_draft(client)
    assert client.post(f"/decks/{deck.pk}/paste", {"text": ""}).status_code == 422
    response = client.post(f"/decks/{deck.pk}/paste", {"text": "{"})
    assert response.status_code == 422
    assert deck.revisions.count() == 1


def test_a_verdict_is_shared_by_its_link(client: Client) -> None:
    """Anyone with the link sees the deck as it was judged; the key reveals nothing."""
    deck = a_draft(client)
    press(client, deck, do="add=01020:3")
    response = client.post(f"/decks/{deck.pk}/share")
    shared = SharedVerdict.objects.get()
    assert response["Location"] == f"/verdicts/{shared.key}/"
    press(client, deck, do="remove=01020:3")
    page = Client().get(response["Location"])
    assert "Illegal 3 cards 0 experience" in text_of(page)
    assert "3 copies of Machete; at most 2 are allowed." in text_of(page)
    assert "noindex" in page.content.decode()
    assert Client().get("/verdicts/not-a-key/").status_code == 404


def test_a_verdict_by_older_rules_says_so(client: Client) -> None:
    """Its findings stay; today's are beside them."""
    deck = a_draft(client)
    client.post(f"/decks/{deck.pk}/share")
    shared = SharedVerdict.objects.get()
    shared.verdict |= {"status": "legal", "findings": []}
    shared.rules_version = "FAQ 1.0/1"
    shared.save()
    text = text_of(client.get(f"/verdicts/{shared.key}/"))
    assert "by the rules of FAQ 1.0. This is a snapshot" in text
    assert "Judged today: Incomplete." in text


def test_a_list_without_a_deck_can_be_shared(client: Client) -> None:
    """Straight from the first page."""
    content = read_content(json.loads(LEGAL_JSON)).as_json()
    response = client.post(
        "/decks/share/", {"content": content, "name": "Loose leaves"}
    )
    assert "Loose leaves" in text_of(client.get(response["Location"]))


@pytest.mark.parametrize("name", ["", "Loose leaves"])
def test_a_shared_verdict_on_an_unknown_investigator_is_readable(
    client: Client, name: str
) -> None:
    """A server with other cards may have made it; the link works all the same."""
    deck = json.loads(LEGAL_JSON) | {"investigator_code": "99999"}
    content = read_content(deck).as_json()
    response = client.post("/decks/share/", {"content": content, "name": name})
    page = client.get(response["Location"])

    assert page.status_code == 200
    assert (name or "Deck") in text_of(page)


def test_a_deck_is_renamed_copied_and_deleted(client: Client) -> None:
    """Deleting asks first."""
    deck = a_draft(client)
    page = client.get(f"/decks/{deck.pk}/about").content.decode()
    seen = re.findall(r'name="seen" value="(\w+)"', page)[0]
    client.post(f"/decks/{deck.pk}/about", {"name": "Case closed", "seen": seen})
    client.post(f"/decks/{deck.pk}/copy")
    copy = Deck.objects.exclude(pk=deck.pk).get()
    assert copy.name == "Case closed (copy)"
    assert "Delete this deck?" in text_of(client.get(f"/decks/{deck.pk}/delete"))
    answer = client.post(f"/decks/{deck.pk}/delete", {"revision": "1"})
    assert answer["Location"] == "/decks/"
    assert list(Deck.objects.all()) == [copy]


def test_a_deck_changed_meanwhile_is_not_deleted(client: Client) -> None:
    """The page says so and asks again; a form without a revision is refused."""
    deck = a_draft(client)
    assert client.post(f"/decks/{deck.pk}/delete").status_code == 428
    client.post(f"/decks/{deck.pk}/edit", {"revision": "1", "do": "add=01020"})
    answer = client.post(f"/decks/{deck.pk}/delete", {"revision": "1"})
    assert answer.status_code == 412
    assert "has changed since you opened this page. Nothing was deleted." in text_of(
        answer
    )
    assert 'name="revision" value="2"' in answer.content.decode()
    client.post(f"/decks/{deck.pk}/delete", {"revision": "2"})
    assert not Deck.objects.exists()


def test_a_deck_is_exported_to_a_file(client: Client) -> None:
    """ArkhamDB's JSON and text, which import as the same deck."""
    deck = a_draft(client, starter="1")
    answer = client.get(f"/decks/{deck.pk}/list.json")
    assert (
        answer["Content-Disposition"] == f'attachment; filename="deck-{deck.pk}.json"'
    )
    left = answer.json()
    assert (left["meta"], left["ignoreDeckLimitSlots"]) == ("{}", None)
    assert read_content(left).deck == list_of(deck)
    text = client.get(f"/decks/{deck.pk}/list.txt")
    assert "Legal 30 of 30 cards" in text_of(
        client.post("/", {"text": text.content.decode()})
    )


def test_an_unreadable_earlier_revision_can_be_shown(client: Client) -> None:
    """Unknown investigators and cards and absurd numbers of copies are findings."""
    deck = {"investigator_code": "ffff", "slots": {"\u202efoo": 3, "01020": 9999}}
    content = read_content(deck)
    client.post("/decks/bring/", {"content": content.as_json()})
    made = Deck.objects.get()
    for address in ("", "edit", "terms"):
        assert client.get(f"/decks/{made.pk}/{address}").status_code == 200
    assert "No card has the code ffff." in text_of(client.get(f"/decks/{made.pk}/edit"))


@pytest.mark.parametrize("code", ["\\u0000", "\\ud800", "x\\udfffy"])
def test_text_that_no_database_stores_is_refused(client: Client, code: str) -> None:
    """NUL and lone surrogates; by every form."""
    text = '{"investigator_code":"01001","slots":{"CODE":1}}'.replace("CODE", code)
    response = client.post("/", {"text": text})
    assert response.status_code == 422
    assert "Expected: " in text_of(response)
    for address in ("/decks/bring/", "/decks/share/"):
        content = f'{{"deck":{text},"circumstances":{{}}}}'
        assert client.post(address, {"content": content}).status_code == 400
    broken = text.replace(":1}}", ':"1"}}')
    assert client.post("/", {"text": broken}).status_code == 422
    deck = a_draft(client)
    assert press(client, deck, do="add=\x00").status_code == 400
    written = press(client, deck, write="1", card="09042", line="4", written="\x00")
    assert written.status_code in (400, 422)
    assert deck.revisions.count() == 1


def test_terms_beyond_the_limits_are_refused(client: Client) -> None:
    """More than is stored with a deck, and names that no card has."""
    deck = a_draft(client)
    page = client.get(f"/decks/{deck.pk}/terms")
    form = {
        name: "" if field.initial is None else field.initial
        for name, field in page.context["form"].fields.items()
    }
    form |= {"revision": "1", "mode": "campaign", "arrival": "newcomer"}

    address = f"/decks/{deck.pk}/terms"
    many = "Beat Cop\n" * 6_000
    too_many = client.post(address, form | {"banned_titles": many})
    too_long = client.post(address, form | {"banned_titles": "x" * 100_000})
    no_card = client.post(address, form | {"banned_titles": r"\u0000"})

    refused = (too_many, too_long, no_card)
    assert [each.status_code for each in refused] == [422, 422, 422]
    assert "There are 6000 entries." in text_of(too_many)
    assert "We couldn’t find a card called “xxx" in text_of(too_long)
    assert "We couldn’t find a card called “\\u0000”." in text_of(no_card)
    assert deck.revisions.count() == 1


def test_a_misspelt_ally_lost_to_the_scream_gets_a_suggestion(client: Client) -> None:
    """The typed text stays; case and blanks don't matter."""
    deck = a_draft(client)
    address = f"/decks/{deck.pk}/terms"
    form = {"revision": "1", "mode": "campaign", "ultimatums": ["scream"]}
    typed = "Guard Dog\nLeo DeLuka"
    refused = client.post(address, form | {"banned_titles": typed})
    assert refused.status_code == 422
    assert "We couldn’t find a card called “Leo DeLuka”." in text_of(refused)
    assert "Did you mean “Leo De Luca”" in text_of(refused)
    assert typed in refused.content.decode()
    assert deck.revisions.count() == 1
    button = 'name="take-banned_titles" value="2:Leo De Luca"'
    assert button in refused.content.decode()

    lost = " guard dog \n\n Leo de Luca"
    assert client.post(address, form | {"banned_titles": lost}).status_code == 303
    told = deck.revisions.get(number=2).circumstances
    assert told["banned_titles"] == ["Guard Dog", "Leo De Luca"]


def test_a_misspelt_ally_is_corrected_by_its_button(client: Client) -> None:
    deck = a_draft(client)
    form = {"revision": "1", "mode": "campaign", "ultimatums": ["scream"]}
    form |= {"banned_titles": "Guard Dog\nLeo DeLuka"}
    pressed = form | {"take-banned_titles": "2:Leo De Luca"}
    assert client.post(f"/decks/{deck.pk}/terms", pressed).status_code == 303
    told = deck.revisions.get(number=2).circumstances
    assert told["banned_titles"] == ["Guard Dog", "Leo De Luca"]


def test_a_name_is_kept_whole(client: Client) -> None:
    """Whatever its characters."""
    content = read_content(json.loads(LEGAL_JSON)).as_json()
    client.post("/decks/bring/", {"content": content, "name": "a\x00b"})
    assert Deck.objects.get().name == "a?b"
    text = '{"investigator_code":"01001","slots":{},"name":"a\\u0000b"}'
    assert "a?b" in text_of(client.post("/", {"text": text}))


def test_impossible_addresses_are_404(client: Client) -> None:
    """Numbers beyond the database's, keys with other characters."""
    for address in (
        "/decks/99999999999999999999/edit",
        "/decks/0/",
        "/decks/draft/%00/",
        "/verdicts/%00/",
    ):
        assert client.get(address).status_code == 404


# -- how much it asks of the database --


def test_my_decks_take_a_constant_number_of_queries(
    as_alice: Client, django_assert_max_num_queries: Any
) -> None:
    """Session, account, cards, folders, which, tables, these, balances, bin, news."""
    for _each in range(3):
        a_draft(as_alice, starter="1")
    with django_assert_max_num_queries(10):
        few = as_alice.get("/decks/")
    for _each in range(9):
        a_draft(as_alice)
    with django_assert_max_num_queries(10):
        many = as_alice.get("/decks/")
    assert text_of(few).count("A deck of Roland Banks") == 9  # box, heading, link
    assert text_of(many).count("A deck of Roland Banks") == 36


def test_the_builder_takes_few_queries(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    """Session, deck, version of the cards, the search, undo; a change adds its writes.

    Besides: the ledger, and the campaigns whose seats the deck may have.
    """
    deck = a_draft(client, starter="1")
    client.get(f"/decks/{deck.pk}/edit")  # the order of the cards is remembered
    with django_assert_max_num_queries(5):
        client.get(f"/decks/{deck.pk}/edit")
    deck.refresh_from_db()
    fields = {"revision": str(deck.revision), "do": "remove=01020"}
    with django_assert_max_num_queries(15):
        client.post(f"/decks/{deck.pk}/edit", fields, headers=HTMX)


def test_a_visit_to_the_first_page_leaves_no_trace(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    """No session; one query, for which cards are in use."""
    client.get("/")  # a process looks up the languages of cards once
    with django_assert_max_num_queries(1):
        client.get("/")
    client.post("/", {"text": SAMPLE_TEXT})
    assert not Session.objects.exists()
