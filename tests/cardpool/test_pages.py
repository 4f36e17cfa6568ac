"""The pages of the card pool: their contents, and hidden spoilers."""

from __future__ import annotations

import gzip
import html
import re
from urllib.parse import quote

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.rules.snapshot import embedded_pool
from cardpool import services
from tests.cardpool.helpers import names, text_of

pytestmark = pytest.mark.usefixtures("rows")

HTMX = {"HX-Request": "true"}


class TestBrowsing:
    def test_all_cards_are_paginated(self, client: Client) -> None:
        first = client.get("/cards/")
        assert "1780 cards" in text_of(first)
        assert "Page 1 of 36" in text_of(first)
        assert len(names(first)) == 50
        last = client.get("/cards/?page=36")
        assert len(names(last)) == 30
        assert names(client.get("/cards/?page=999")) == names(last)
        assert names(client.get("/cards/?page=x")) == names(first)

    def test_a_search_is_put_in_plain_words(self, client: Client) -> None:
        page = client.get("/cards/", {"q": "shrivelling level>0"})
        assert names(page) == ["Shrivelling", "Shrivelling"]
        assert "2 cards : “shrivelling”, level above 0" in text_of(page)

    def test_the_form_uses_the_same_language(self, client: Client) -> None:
        by_form = client.get(
            "/cards/",
            {"by_class": ["mystic"], "type": "asset", "least": "5", "sort": "cost"},
        )
        by_words = client.get(
            "/cards/", {"q": "class:mystic type:asset level>=5 sort:cost"}
        )
        assert names(by_form) == names(by_words) != []
        assert "class:mystic type:asset level&gt;=5 sort:cost" in text_of(by_form)

    def test_invalid_filters_are_reported(self, client: Client) -> None:
        page = client.get("/cards/", {"by_class": "clown", "type": "pun", "least": "x"})
        assert "1780 cards" in text_of(page)
        for said in ("Class: “clown”", "Type: “pun”", "Level from: “x”"):
            assert f"{said} isn’t one of the choices." in text_of(page)

    def test_an_investigators_cards_are_listed(self, client: Client) -> None:
        page = client.get("/cards/?investigator=01001&type=skill")
        assert "Cards Roland Banks may include" in text_of(page)
        assert "access:01001" in text_of(page)
        assert "Overpower" in names(page)
        assert client.get("/cards/?investigator=nobody").status_code == 200

    def test_spoilers_are_hidden(self, client: Client) -> None:
        assert names(client.get("/cards/?q=lita")) == []
        assert names(client.get("/cards/?q=lita&show=story")) == ["Lita Chantler"]
        assert names(client.get("/cards/?q=ghoul priest show:encounter")) == [
            "Ghoul Priest"
        ]

    def test_an_empty_result_says_what_to_do(self, client: Client) -> None:
        assert "Try fewer words" in text_of(client.get("/cards/?q=zzzz"))

    def test_a_misspelt_name_is_found_and_reported(self, client: Client) -> None:
        for words, name in (("machette", "machete"), ("rolnd banks", "roland banks")):
            text = text_of(client.get("/cards/", {"q": words}))
            assert f"No card matches “{words}”. Showing cards like “{name}”." in text
        text = text_of(client.get("/cards/", {"q": "machete"}))
        assert "Showing cards" not in text

    @pytest.mark.parametrize(
        "search",
        [f'name:shrivling "{"x" * 983}"', "Leading Lady (Femae Fatale) cost:0"],
    )
    def test_a_suggestion_that_spoils_the_search_is_left_out(
        self, client: Client, search: str
    ) -> None:
        """With the name it would be too long, or have a parenthesis too many."""
        page = client.get("/cards/", {"q": search})
        assert page.status_code == 200
        assert "Did you mean" not in text_of(page)

    @pytest.mark.parametrize(
        ("search", "instead"),
        [
            ("name:Machette", "name:Machete"),
            ("name=machette class:guardian", "name=Machete class:guardian"),
            ('title:"rolnd banks"', 'title:"Roland Banks"'),
            ("type:asset (machette or shrivling)", "type:asset (Machete or shrivling)"),
            ("type:asset “machette”", "type:asset Machete"),
        ],
    )
    def test_a_misspelt_name_among_conditions_is_suggested(
        self, client: Client, search: str, instead: str
    ) -> None:
        """Only the name is corrected; the rest of the search stays as typed."""
        body = client.get("/cards/", {"q": search}).content.decode()
        assert f'href="/cards/?q={quote(instead, safe="/")}"' in body

    @pytest.mark.parametrize(
        "search", ["-machette", "name!=machette name:zz", "machete class:seeker"]
    )
    def test_words_that_are_not_misspelt_get_no_suggestion(
        self, client: Client, search: str
    ) -> None:
        body = client.get("/cards/", {"q": search}).content.decode()
        assert "Did you mean" not in body

    def test_the_next_page_keeps_the_search(self, client: Client) -> None:
        page = client.get("/cards/?q=class:seeker&sort=level&type=&page=2")
        assert 'href="?q=class%3Aseeker&amp;sort=level&amp;page=3"' in (
            page.content.decode()
        )

    def test_htmx_gets_only_the_results(self, client: Client) -> None:
        part = client.get("/cards/?q=shrivelling", headers=HTMX)
        assert b"<html" not in part.content
        assert names(part) == ["Shrivelling"] * 3
        assert "HX-Request" in part["Vary"]

    def test_the_address_is_that_of_the_search(self, client: Client) -> None:
        part = client.get("/cards/?q=a b&type=&sort=level&page=2", headers=HTMX)
        assert part["HX-Replace-Url"] == "/cards/?q=a+b&sort=level"

    def test_a_list_takes_few_queries(
        self,
        client: Client,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        client.get("/cards/")
        with django_assert_max_num_queries(3):
            client.get("/cards/?q=class:seeker&page=2")


class TestFaults:
    def test_the_faulty_place_is_marked_and_corrected(self, client: Client) -> None:
        page = client.get("/cards/", {"q": "level:2 clas:seeker"})
        body = page.content.decode()
        assert "level:2 <mark>clas</mark>:seeker" in body
        assert "is not a key of the search language" in text_of(page)
        assert 'href="?q=level%3A2%20class%3Aseeker"' in body

    def test_a_name_of_several_words_is_quoted(self, client: Client) -> None:
        page = client.get("/cards/", {"q": "pack:dunwhich"})
        assert "pack%3A%22return%20to%20the%20dunwich%20legacy%22" in (
            page.content.decode()
        )

    @pytest.mark.parametrize(
        ("search", "at", "instead"),
        [
            ('access:"roland bankz" a', '"roland bankz"', 'access:"roland banks" a'),
            ("pack:“dunwhich”", "“dunwhich”", 'pack:"return to the dunwich legacy"'),
            ("a class<seeker|rogue", "class<seeker", "a class:seeker|rogue"),
            ('class>"seeker" a', 'class>"seeker"', "class:seeker a"),
            ('trait>="a b" c', 'trait>="a b"', 'trait:"a b" c'),
        ],
    )
    def test_a_remedy_replaces_the_whole_marked_part(
        self, client: Client, search: str, at: str, instead: str
    ) -> None:
        page = client.get("/cards/", {"q": search})
        body = html.unescape(page.content.decode())
        assert f"<mark>{at}</mark>" in body
        assert f'href="?q={quote(instead, safe="/")}"' in body

    @pytest.mark.parametrize(
        "search",
        ["(", ")", '"', ":", "a|", "class:", "x" * 1_001, "\x00", "<script>", "-" * 99,
         "level:" + "9" * 500, "{{ 7 }}", "%", "_", "\\", "x:draw", "'; DROP TABLE"],
    )  # fmt: skip
    def test_no_input_causes_an_error(self, client: Client, search: str) -> None:
        page = client.get("/cards/", {"q": search})
        assert page.status_code == 200
        assert b"<script>" not in page.content.replace(b"<script src", b"")


class TestCard:
    def test_its_facts(self, client: Client) -> None:
        page = text_of(client.get("/cards/01060/"))
        for words in (
            "Class Mystic", "Asset · Spell.", "Shrivelling", "Level 0", "Cost 3",
            "Arcane", "Uses charges", "All levels", "Core Set", "Revised Core Set",
        ):  # fmt: skip
            assert words in page
        assert "Text" not in page.split("Uses charges")[1]  # nothing is imported

    def test_the_drawn_card_comes_first_without_repetitions(
        self, client: Client
    ) -> None:
        """Its name is the heading and no link, its traits are links."""
        body = client.get("/cards/01020/").content.decode()
        first = body[body.index("<main") :].partition('<article class="face')
        assert "<h" not in first[0]
        assert "<h1>Machete</h1>" in first[2]
        assert 'href="/cards/01020/"' not in body
        assert 'href="/cards/?q=trait:%22melee%22">Melee.</a>' in first[2]
        page = text_of(client.get("/cards/01020/"))
        for words in ("Cost 3", "Level 0", "Melee", "Hand", "+1 damage if"):
            assert page.count(words) == 1, words

    def test_a_slot_is_named_on_the_drawn_card(self, client: Client) -> None:
        """Also one without a symbol of its own."""
        assert " Head " in text_of(client.get("/cards/12087/"))

    def test_its_levels_link_to_one_another(self, client: Client) -> None:
        body = client.get("/cards/01060/").content.decode()
        assert 'href="/cards/02154/"' in body
        assert 'href="/cards/02306/"' in body

    def test_a_reprint_redirects_to_the_card(self, client: Client) -> None:
        assert client.get("/cards/01560/")["Location"] == "/cards/01060/"

    def test_investigators_who_may_include_it_are_listed(self, client: Client) -> None:
        page = text_of(client.get("/cards/02306/"))  # Shrivelling (5)
        assert "Agnes Baker Core Set Mystic and neutral cards, level 0–5" in page
        assert "Agnes Baker Parallel (Bad Blood) Mystic" in page
        assert "Jenny Barnes" not in page
        assert "Jenny Barnes" in text_of(client.get("/cards/01060/"))

    def test_a_choice_at_deck_creation_is_named(self, client: Client) -> None:
        page = text_of(client.get("/cards/01066/"))
        assert "Mandy Thompson" in page
        assert "if you choose Mystic" in page

    def test_its_taboo_history(self, client: Client) -> None:
        page = text_of(client.get("/cards/02026/"))
        assert "From Until Change 2020-10-15 now Forbidden" in page
        assert "2019-09-27 2020-10-15 3 more experience" in page
        assert "Not on the newest taboo list." not in page
        freed = text_of(client.get("/cards/01020/"))
        assert "Taboo Not on the newest taboo list. From Until Change" in freed

    def test_its_errata_with_the_faq_that_brought_them(self, client: Client) -> None:
        assert "FAQ 1.7" in text_of(client.get("/cards/06195/"))

    def test_bonded_cards(self, client: Client) -> None:
        assert "Bonded cards Essence of the Dream" in text_of(
            client.get("/cards/06112/")
        )
        assert "Bonded to Dream Diary" in text_of(client.get("/cards/06113/"))

    def test_researched_cards(self, client: Client) -> None:
        assert "Researched into Dream Diary" in text_of(client.get("/cards/06112/"))
        assert "Researched from Dream Diary" in text_of(client.get("/cards/06236/"))

    def test_an_upgrade_sheet(self, client: Client) -> None:
        page = text_of(client.get("/cards/09060/"))
        assert "Upgrade sheet" in page
        assert "choose a trait" in page

    def test_a_signature_names_its_owner(self, client: Client) -> None:
        assert "Only for Roland Banks" in text_of(client.get("/cards/01006/"))

    def test_its_text_once_imported(self, client: Client) -> None:
        texts = {
            "01060": {"text": "<b>Fight.</b> Spend [willpower] <script>x</script>"}
        }
        services.load_pool(services.Contents(embedded_pool(), "test", texts=texts))
        body = client.get("/cards/01060/").content.decode()
        assert "<b>Fight.</b>" in body
        assert "sign-willpower" in body
        assert "<script>x" not in body

    def test_an_encounter_card(self, client: Client) -> None:
        page = text_of(client.get("/cards/01118/"))
        assert "Enemy" in page
        assert "Class Mythos" in page
        assert "Who may include it" not in page

    @pytest.mark.parametrize("code", ["99999", "00000zz"])
    def test_an_unknown_card_is_404(self, client: Client, code: str) -> None:
        assert client.get(f"/cards/{code}/").status_code == 404

    def test_a_page_takes_few_queries(
        self,
        client: Client,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        client.get("/cards/01088/")
        with django_assert_max_num_queries(4):
            client.get("/cards/01088/")


class TestInvestigator:
    def test_investigators_and_their_deckbuilding_are_shown(
        self, client: Client
    ) -> None:
        page = text_of(client.get("/cards/02003/"))
        for words in (
            "Class Rogue", "Investigator · Drifter.", "The Dilettante", "Deck size 30",
            "1 random basic weakness", "Rogue and neutral cards, level 0–5",
            "Searching for Izzie", "(Advanced signature)", "(Replacement signature)",
            "Browse 808 cards", "Other versions", "Pistols and Pearls Parallel",
        ):  # fmt: skip
            assert words in page

    def test_choices_of_an_investigator_are_shown(self, client: Client) -> None:
        page = text_of(client.get("/cards/06002/"))
        assert "To choose at deck creation Deck size 30, 40, 50" in page
        assert "Class Mystic, Rogue, Survivor" in page
        assert "{choice}" not in page
        assert "1–3 × Occult Evidence" in page

    def test_other_investigators_of_the_name_are_linked(self, client: Client) -> None:
        page = text_of(client.get("/cards/05002/"))  # Joe Diamond, also in 2026
        assert "Others with this name Joe Diamond" in page

    def test_a_deck_begins_from_here(self, client: Client) -> None:
        page = client.get("/cards/03006/").content.decode()
        assert 'href="/decks/new/03006/"' in page

    def test_an_investigator_without_decks_has_no_button(self, client: Client) -> None:
        page = client.get("/cards/05046/")
        assert "You can’t build a deck with this investigator" in text_of(page)
        assert "/decks/new/05046/" not in page.content.decode()

    def test_every_investigator_has_a_page(self, client: Client) -> None:
        for card in embedded_pool().investigators:
            assert client.get(f"/cards/{card.code}/").status_code == 200, card.code


class TestOthers:
    def test_products(self, client: Client) -> None:
        page = text_of(client.get("/cards/products/"))
        assert "The Dunwich Legacy" in page
        assert "Revised Core Set 2020-10-01" in page

    def test_the_language(self, client: Client) -> None:
        page = text_of(client.get("/cards/language/"))
        assert "access do may be included by access:01004" in page


@pytest.mark.parametrize(
    "address",
    ["/cards/", "/cards/?q=clas:x", "/cards/01088/", "/cards/01001/", "/cards/09022/",
     "/cards/products/", "/cards/language/"],
)  # fmt: skip
class TestEveryPage:
    def test_a_page_has_one_heading_and_valid_labels(
        self, client: Client, address: str
    ) -> None:
        body = client.get(address).content.decode()
        assert body.count("<h1") == 1
        ids = re.findall(r'\bid="([^"]+)"', body)
        assert len(ids) == len(set(ids))
        for label in re.findall(r'aria-labelledby="([^"]+)"', body):
            assert label in ids
        for target in re.findall(r'<label [^>]*for="([^"]+)"', body):
            assert target in ids

    def test_pages_have_no_inline_styles_or_scripts(
        self, client: Client, address: str
    ) -> None:
        body = client.get(address).content.decode()
        assert "style=" not in body
        assert not re.search(r"\son\w+=", body)

    def test_pages_are_small(self, client: Client, address: str) -> None:
        assert len(gzip.compress(client.get(address).content)) < 20_000
