"""The pages of the rules library: found at once, read by anybody, as of any FAQ."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.library.views import excerpt, shown_text
from arkham.rules.library import library

pytestmark = pytest.mark.django_db


def page(
    client: Client,
    address: str,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


class TestIndex:
    def test_every_entry_is_a_link(self, client: Client) -> None:
        for address in ("/rules/", "/rules/?by=topic"):
            html = page(client, address)
            for slug in library():
                assert f'href="/rules/{slug}/"' in html

    def test_a_search_is_answered_without_scripts(self, client: Client) -> None:
        html = page(client, "/rules/?q=trwala")
        assert "1 entry" in text_of(html)
        assert 'href="/rules/permanent/">Permanent</a>' in html
        assert "Outside deck size" in html
        assert 'value="trwala"' in html

    def test_a_search_that_finds_nothing_says_what_to_do(self, client: Client) -> None:
        html = text_of(page(client, "/rules/?q=qqqqqq"))
        assert "We couldn’t find this rule or term" in html

    def test_htmx_gets_what_was_found_and_nothing_else(self, client: Client) -> None:
        answer = client.get("/rules/?q=aloof", headers={"HX-Request": "true"})
        html = answer.content.decode()
        assert "<h1" not in html
        assert "/rules/aloof/" in html
        assert answer["HX-Replace-Url"] == "/rules/?q=aloof"
        assert "HX-Request" in answer["Vary"]
        assert "HX-Target" in answer["Vary"]

    def test_a_misspelt_rule_is_found_and_the_page_says_so(
        self, client: Client
    ) -> None:
        html = text_of(page(client, "/rules/?q=atack"))
        assert "Showing rules like “attack”." in html
        assert "Showing rules" not in page(client, "/rules/?q=attack")

    def test_what_is_typed_is_never_markup(self, client: Client) -> None:
        html = page(client, '/rules/?q="><script>alert(1)</script>')
        assert "<script>alert" not in html

    @pytest.mark.parametrize("query", ["%00", "q=%00", "q=" + "x" * 5000, "by=odd"])
    def test_odd_requests_are_answered(self, client: Client, query: str) -> None:
        page(client, f"/rules/?{query}")


class TestEntry:
    @pytest.mark.parametrize("slug", library())
    def test_every_entry_can_be_read(self, client: Client, slug: str) -> None:
        html = page(client, f"/rules/{slug}/")
        told = html.partition('<div class="entry-text">')[2].partition("<aside")[0]
        assert not re.search(r"\]\(|\{[-\d]", told)
        if slug not in ("ultimatums", "boons"):  # where an asterisk is meant
            assert "*" not in told
        for link in re.findall(r'href="/rules/([a-z0-9-]+)/', html):
            assert link in library()

    def test_it_says_who_says_so_and_what_that_superseded(self, client: Client) -> None:
        html = text_of(page(client, "/rules/farthest/"))
        assert "FAQ 2.5 2.16" in html
        assert "greatest sum of distances" in html
        assert "We follow: FAQ 2.5, 2.16" in html

    def test_a_change_is_one_click_away(self, client: Client) -> None:
        html = page(client, "/rules/permanent/")
        old = re.search(r'<details class="was [^>]*>.*?</details>', html, re.DOTALL)
        assert old
        assert "cannot be discarded" in old[0]
        assert "The rule before FAQ 1.1" in old[0]
        assert 'href="/rules/permanent/?faq=2.0"' in html

    def test_what_a_later_faq_changed_is_marked(self, client: Client) -> None:
        """Each later version with what it says; nothing where none came later."""
        html = page(client, "/rules/slots/?faq=1.0")
        assert html.count('<details class="was later') == 1
        later = html.partition('<details class="was later')[2].partition(">")[2]
        assert text_of(later).lstrip().startswith("Changed later, by FAQ 1.3")
        now = text_of(html.partition('id="p')[2].partition("was later")[0])
        for change in library()["slots"].changes:
            assert str(shown_text(change.was[0].text, "1.0")) in html
            assert str(shown_text(change.now[0].text, "1.0")) in later
            assert change.now[0].text not in now
        for faq in ("1.3", "2.5"):
            assert "was later" not in page(client, f"/rules/slots/?faq={faq}")

    def test_it_can_be_read_as_of_an_older_faq(self, client: Client) -> None:
        html = page(client, "/rules/permanent/?faq=1.0")
        text = text_of(html.partition('<details class="was later')[0])
        assert "As it was at FAQ 1.0" in text
        assert "In play it cannot be discarded" in text
        assert "Once in a deck it stays" not in text
        assert 'href="/rules/deck-size/?faq=1.0"' in html
        before = text_of(page(client, "/rules/permanent/?faq=none"))
        assert "As it was before any FAQ" in before

    def test_what_was_not_yet_in_force_says_so(self, client: Client) -> None:
        text = text_of(page(client, "/rules/drowned-city/?faq=2.3"))
        assert "Doom of Arkham, first part" not in text
        assert "Artifacts are earned" in text

    def test_a_version_nobody_knows_is_the_newest(self, client: Client) -> None:
        assert "As it was" not in page(client, "/rules/permanent/?faq=9.9")

    def test_paragraphs_keep_their_anchors_in_every_version(
        self, client: Client
    ) -> None:
        anchors = {
            faq: re.findall(
                r'id="(p\d+)"', page(client, f"/rules/permanent/?faq={faq}")
            )
            for faq in ("1.0", "2.5")
        }
        assert anchors == {
            "1.0": ["p1", "p2", "p6"],
            "2.5": ["p1", "p3", "p4", "p5", "p6"],
        }

    def test_it_lists_what_is_judged_by_it_and_what_is_left_open(
        self, client: Client
    ) -> None:
        html = page(client, "/rules/myriad/")
        assert '<code translate="no">copies.myriad</code>' in html
        assert "Your table decides" in html

    def test_there_is_no_unknown_rule(self, client: Client) -> None:
        page(client, "/rules/house-rule/", 404)


class TestLinks:
    def test_a_finding_leads_to_its_rule(self, client: Client) -> None:
        deck = '{"investigator_code": "01001", "slots": {"01016": 2}}'
        html = client.post("/", {"text": deck}).content.decode()
        assert '<a href="/rules/deck-size/">Deck size</a>' in html

    def test_a_search_for_cards_shows_what_the_rules_call_so(
        self, client: Client
    ) -> None:
        html = page(client, "/cards/?q=permanent")
        assert "In the rules:" in html
        assert 'href="/rules/permanent/">Permanent</a>' in html
        assert "In the rules:" not in page(client, "/cards/?q=class:seeker")
        assert "In the rules:" not in page(client, "/cards/")

    def test_a_card_leads_to_the_rules_about_its_like(self, client: Client) -> None:
        html = page(client, "/cards/02158/")  # Charisma is permanent
        facts = html.partition("<dt>Related rules</dt>")[2].partition("</dd>")[0]
        assert 'href="/rules/permanent/"' in facts
        assert 'href="/rules/asset/"' in facts


class TestWords:
    def test_an_excerpt_is_without_marks(self) -> None:
        assert excerpt(library()["golden-rule"]).startswith("Golden Rule. What a card")
        assert excerpt(library()["trauma"]).startswith("Defeated by damage: 1 physical")

    def test_a_text_is_html_with_links_that_keep_the_version(self) -> None:
        assert shown_text("See [it](copy) & *Duke*.", "1.0") == (
            '<p>See <a href="/rules/copy/?faq=1.0">it</a> &amp; '
            '<em><a href="/cards/02014/">Duke</a></em>.</p>\n'
        )
        assert shown_text("- a\n- **b**").replace("\n", "") == (
            "<ul><li>a</li><li><strong>b</strong></li></ul>"
        )
