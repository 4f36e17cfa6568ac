"""Filters of the card list: each a condition of the search language, in the address."""

from __future__ import annotations

import html
import json
import re
from urllib.parse import parse_qs

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.pool import CardPool
from cardpool.filter_fields import MARK_FIELD, SLOT_FIELD
from cardpool.filters import FilterForm
from cardpool.queries import found_codes, read_search
from tests.cardpool.helpers import names, text_of

pytestmark = pytest.mark.usefixtures("rows")


def form(address: str, owned: frozenset[str] | None = None) -> FilterForm:
    """The filters that an address names."""
    return FilterForm(QueryDict(address), owned=owned)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("by_class=seeker&by_class=mystic", "class:seeker|mystic"),
        ("type=asset&type=event", "type:asset|event"),
        ("least=1&most=3", "level:1-3"),
        ("least=2&most=2", "level:2"),
        ("least=0", "level>=0"),
        ("cost_most=2", "cost<=2"),
        ("slot=hand&slot=hand+x2", 'slot:hand|"hand x2"'),
        ("slot=none", "slot:none"),
        ("icon=willpower&icon=wild", "willpower>=1 wild>=1"),
        ("trait=spell&trait=silver+twilight", 'trait:spell|"silver twilight"'),
        ("pack=core", "pack:core"),
        ("cycle=dwl&pack=core", "(cycle:dwl or pack:core)"),
        ("mark=fast&mark=exile", "is:fast is:exile"),
        ("mark=seals&mark=unique", "tag:seals is:unique"),
        ("taboo=1", "taboo:2025-12-12"),
        ("q=machete", ""),
    ],
)
def test_a_filter_is_a_condition(address: str, words: str, rows: CardPool) -> None:
    date = rows.taboo_lists[-1].date
    filters = form(address)
    assert filters.words == words.replace("2025-12-12", date)
    assert found_codes(read_search(filters.term))
    assert filters.misread == []


@pytest.mark.parametrize("value", [value for value, _label in MARK_FIELD])
def test_every_property_finds_cards(value: str) -> None:
    assert found_codes(read_search(form(f"mark={value}").term))


@pytest.mark.parametrize("value", [value for value, _label in SLOT_FIELD])
def test_every_slot_finds_cards(value: str) -> None:
    assert found_codes(read_search(form(f"slot={value.replace(' ', '+')}").term))


def test_fast_is_the_keyword_and_not_a_word_of_the_gist() -> None:
    """Of an event, not of a free action."""
    fast = set(found_codes(read_search("is:fast")))
    assert {"01037", "01022", "01023"} <= fast
    assert not {"01088", "03006"} & fast


# -- what is owned --


def test_owned_cards_are_filtered() -> None:
    filters = form("owned=1&by_class=guardian", owned=frozenset({"01020", "01088"}))
    search = read_search(filters.term, owned=filters.owned_codes)
    assert filters.words == "class:guardian owned:yes"
    assert found_codes(search) == ("01020",)
    assert [chip.label for chip in filters.chips] == ["Guardian", "Only what I own"]


def test_two_readers_own_different_cards() -> None:
    """The cache of a search is not shared between them."""
    for code in ("01020", "01088"):
        assert found_codes(read_search("owned:yes", owned=frozenset({code}))) == (code,)


def test_an_unused_collection_is_offered(alice: User, client: Client) -> None:
    """Its owner isn't asked to add one."""
    client.force_login(alice)
    alice.collections.create(name="Attic", advises=False, changed_at=timezone.now())
    for address in ("/cards/", "/decks/new/?owned=1", "/account/preferences/"):
        page = client.get(address).content.decode()
        assert "Add your collection" not in page
        assert 'href="/decks/collections/">Choose the collection you use' in page


def test_without_a_collection_the_page_links_to_adding_one(client: Client) -> None:
    page = client.get("/cards/?owned=1")
    assert "Only what I own: we don’t know what you own yet." in text_of(page)
    assert 'href="/decks/collections/new">Add your collection' in page.content.decode()
    assert "1780 cards" in text_of(page)
    page = client.get("/cards/?q=owned:yes")
    assert "“owned:” needs your collection" in text_of(page)
    assert page.content.decode().count('href="/decks/collections/new">Add your') == 2
    answer = client.get("/api/v1/cards/?q=owned:yes")
    assert answer.status_code == 400
    assert answer.json()["parameter"] == "q"


# -- bad values --


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("trait=clown", "Trait: “clown” isn’t one of the choices."),
        ("least=3&most=1", "Level from: The lowest is above the highest."),
        ("cost_least=9&cost_most=2", "Cost from: The lowest is above the highest."),
        ("investigator=99999", "There is no investigator with this code."),
        ("investigator=0000000000000", "at most 8 characters"),
        ("sort=backwards", "Sort by: “backwards” isn’t one of the choices."),
        ("pack=core&pack=%00", "Product:"),
        ("mark=" + "x" * 500, "Properties:"),
        ("&".join(["trait=spell"] * 13), "Trait: Choose 12 at most."),
    ],
)
def test_invalid_filters_are_reported(client: Client, address: str, said: str) -> None:
    page = client.get(f"/cards/?{address}")
    assert said in html.unescape(text_of(page))
    assert "1780 cards" in text_of(page)


def test_too_many_filters_are_refused(client: Client) -> None:
    """Each field within its limits, but too long together."""
    address = "&".join(
        f"{name}={value.replace(' ', '+')}"
        for name in ("trait", "cycle", "pack", "mark", "slot", "icon", "by_class")
        for value in [each for each, _label in _choices(name)][:12]
    )
    page = client.get(f"/cards/?{address}&show=story&show=encounter&type=event")
    assert page.status_code == 200


def _choices(name: str) -> list[tuple[str, str]]:
    offered = form("").fields[name].choices  # type: ignore[attr-defined]
    flat: list[tuple[str, str]] = []
    for value, label in offered:
        flat += label if isinstance(label, list) else [(value, label)]
    return sorted(flat, key=lambda each: -len(each[0]))


# -- chips --


def test_a_chip_links_to_the_search_without_its_filter() -> None:
    filters = form("q=ward&by_class=seeker&by_class=mystic&least=1&most=2&trait=spell")
    without = {chip.label: parse_qs(chip.without) for chip in filters.chips}
    assert list(without) == ["Seeker", "Mystic", "Trait: Spell", "Level 1–2"]
    assert without["Seeker"] == {
        "q": ["ward"], "by_class": ["mystic"], "least": ["1"], "most": ["2"],
        "trait": ["spell"],
    }  # fmt: skip
    assert "least" not in without["Level 1–2"]
    assert "most" not in without["Level 1–2"]
    assert filters.without_filters == "q=ward"


def test_the_page_shows_chips_and_the_search_they_make(client: Client) -> None:
    page = client.get("/cards/?by_class=seeker&type=asset&sort=cost&group=type")
    body = html.unescape(page.content.decode())
    assert 'href="?type=asset&sort=cost&group=type"' in body
    assert "Remove the filter Seeker" in body
    assert 'href="?sort=cost&group=type"' in body  # Clear filters
    words = re.search(r'href="\?(q=[^"]+)"><code', body)
    assert words is not None
    assert names(client.get(f"/cards/?{words[1]}")) == names(page)


def test_htmx_gets_the_number_of_filters_too(client: Client) -> None:
    part = client.get(
        "/cards/?by_class=seeker&type=asset", headers={"HX-Request": "true"}
    ).content.decode()
    assert 'id="filters-active" hx-swap-oob="true">2' in part
    number = len(found_codes(read_search("class:seeker type:asset")))
    assert f"Show {number} cards" in part


def test_long_lists_are_loaded_when_the_filters_open(client: Client) -> None:
    """With the chosen values; without scripts a button requests the page with them."""
    option = '<option value="spell">'
    page = client.get("/cards/?trait=tome").content.decode()
    assert option not in page
    assert 'name="trait" value="tome" checked' in page
    part = client.get("/cards/filters/?trait=tome", headers={"HX-Request": "true"})
    assert option in part.content.decode()
    assert 'name="trait" value="tome" checked' in part.content.decode()
    assert "hx-get" not in part.content.decode()
    whole = client.get("/cards/filters/?trait=tome", follow=True)
    assert whole.redirect_chain == [("/cards/?trait=tome&long=1", 302)]
    assert option in whole.content.decode()


# -- groups --


@pytest.mark.parametrize("by", ["class", "type", "level", "cost", "slot", "set"])
def test_a_list_is_grouped_over_all_its_pages(client: Client, by: str) -> None:
    """Each group once, with the number of its cards."""
    titles: list[str] = []
    for number in range(1, 5):
        address = f"/cards/?q=level%3E=4&show=story&group={by}&page={number}"
        body = client.get(address).content.decode()
        found = re.findall(r'group-title">([^<]*) <span class="count">(\d+)', body)
        for title, count in found:
            if title not in titles:
                titles.append(title)
            assert int(count) > 0
    assert len(titles) > 1
    assert len(titles) == len(set(titles))


def test_cards_are_sorted_within_a_group(client: Client) -> None:
    page = client.get("/cards/?q=shrivelling&group=type&sort=level").content.decode()
    assert page.index("/cards/01060/") < page.index("/cards/02306/")


def test_the_preferred_taboo_list_is_used(client: Client, rows: CardPool) -> None:
    """Without a preference the latest."""
    first, latest = rows.taboo_lists[0], rows.taboo_lists[-1]
    assert f"taboo:{latest.date}" in text_of(client.get("/cards/?taboo=1"))
    client.cookies["preferences"] = json.dumps({"taboo": str(first.id)})
    assert f"taboo:{first.date}" in text_of(client.get("/cards/?taboo=1"))
