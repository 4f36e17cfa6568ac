"""The helper pages: what their addresses show, and where buttons lead."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from campaigns.at_table.rounds import setting_parameter
from campaigns.at_table.small_deck import MOST_STEPS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_cards")]
HTMX = {"hx-request": "true"}
PAGES = ("round", "elimination", "test", "area", "deck")
BAG = {"n_0": "1", "n_bless": "1", "n_-1": "1", "seed": "abc"}
EXPLORED = {
    "kind": "exploration",
    "card": ["l.Jungle", "t.Snakes", "l.River"],
    "seed": "a",
}


@pytest.fixture
def _cards(monkeypatch: pytest.MonkeyPatch) -> CardPool:
    """The shipped cards, without a database of them."""
    pool = embedded_pool()
    monkeypatch.setattr("campaigns.views.at_table.current_pool", lambda: pool)
    return pool


def text_of(answer: object) -> str:
    """What is read on a page."""
    assert isinstance(answer, HttpResponse)
    page = re.sub(r"<(svg|option).*?</\1>", " ", answer.content.decode(), flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def query_of(answer: object) -> dict[str, list[str]]:
    """Return the query that a response redirects to."""
    assert isinstance(answer, HttpResponse)
    assert answer.status_code == 302
    return parse_qs(urlsplit(answer["Location"]).query)


# -- all of them --


def test_helpers_are_linked_from_everywhere(client: Client) -> None:
    index = client.get("/table/").content.decode()
    for page in PAGES:
        assert f'href="{reverse(f"table:{page}")}"' in index
    assert 'href="/table/"' in client.get("/campaigns/").content.decode()
    assert 'href="/table/"' in client.get("/cards/").content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_htmx_gets_only_the_fragment(client: Client, page: str) -> None:
    query = BAG if page == "test" else {}
    answer = client.get(reverse(f"table:{page}"), query, headers=HTMX)
    assert "<h1" not in answer.content.decode()
    assert "HX-Request" in answer["Vary"]


def test_going_back_shows_a_whole_page(client: Client) -> None:
    headers = {**HTMX, "hx-history-restore-request": "true"}
    page = client.get("/table/round/", {"round": "2"}, headers=headers)
    assert "<h1" in page.content.decode()
    assert "HX-History-Restore-Request" in page["Vary"]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "query",
    [
        "round=-1&at=999&ultimatum=x",
        "round=&at=%00",
        "how=nonsense&step=99",
        "how=resigned&step=99&left=x&lead=maybe&setting=nowhere&trauma=both",
        "card=01006.x.-3.999.zzz&card=&card=.&card=99999&damage=-1&hand=1e9",
        "investigator=01006&damage=999&s_hand=-99&limit=-99&deck=99999999999",
        "do=c99.uses%2B&card=01006",
        "do=__class__%2B",
        "card=" + "&card=".join(["01006"] * 99),
        "seed=%00%00&drawn=zzzz!&skill=-4&n_0=1",
        "n_0=1&do=token.z&seed=x",
        "kind=nowhere&card=x.&card=l.&card=%00&steps=t99.h9:1.d.d.d.d.d&do=q",
        "kind=tekeli-li&card=a&player=&steps=h4:0.h1:0.ha:0&seed=x",
        "add=%25%00&do=",
    ],
)
def test_no_address_is_an_error(client: Client, page: str, query: str) -> None:
    answer = client.get(f"{reverse(f'table:{page}')}?{query}", follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_get_requests_change_nothing(client: Client, page: str) -> None:
    assert client.post(reverse(f"table:{page}")).status_code == 405


# -- the round --


def test_the_first_round_begins_with_its_second_phase(client: Client) -> None:
    text = text_of(client.get("/table/round/"))
    assert "Round 1 · Investigation 2.1 The phase begins." in text
    text = text_of(client.get("/table/round/", {"ultimatum": "dread"}))
    assert "Round 1 · Mythos 1.1 The phase begins." in text


def test_the_last_step_leads_to_the_next_round(client: Client) -> None:
    answer = client.get("/table/round/", {"round": "1", "at": "25"})
    assert "4.6 The round ends." in text_of(answer)
    assert 'href="?round=2&amp;at=0"' in answer.content.decode()


def test_an_action_leads_back_to_the_player_window(client: Client) -> None:
    page = client.get("/table/round/", {"round": "1", "at": "10"}).content.decode()
    assert re.search(r'id="next" href="\?round=1&amp;at=9"', page)
    page = client.get("/table/round/", {"round": "1", "at": "9"}).content.decode()
    assert re.search(r'id="other" href="\?round=1&amp;at=11"', page)


def test_a_turn_may_be_followed_by_another(client: Client) -> None:
    page = client.get("/table/round/", {"round": "1", "at": "11"}).content.decode()
    assert "Next investigator" in page
    assert re.search(r'id="other" href="\?round=1&amp;at=8"', page)


# -- an elimination --


def test_an_elimination_begins_with_its_cause(client: Client) -> None:
    text = text_of(client.get("/table/elimination/", {"investigator": "01001"}))
    assert "Roland Banks" in text
    assert "Defeated by both at once" in text


def test_counters_of_an_earlier_page_are_kept_to_the_end(client: Client) -> None:
    told = {"investigator": "01001", "clues": "2", "resources": "7"}
    page = client.get("/table/elimination/", told).content.decode()
    assert '<input type="hidden" name="clues" value="2">' in page
    told["how"] = "defeated_by_horror"
    page = client.get("/table/elimination/", told).content.decode()
    assert "clues=2&amp;resources=7&amp;step=1" in page
    assert 'href="?investigator=01001&amp;clues=2&amp;resources=7"' in page  # back


def test_each_step_has_instructions(client: Client) -> None:
    told = {"how": "defeated_by_damage", "clues": "2", "resources": "0", "step": "2"}
    text = text_of(client.get("/table/elimination/", told))
    assert "Clues: 2." in text
    assert "Resources: 0" not in text


def test_a_question_must_be_answered(client: Client) -> None:
    told = {"how": "resigned", "step": "5"}
    page = client.get("/table/elimination/", told).content.decode()
    assert "lead=yes" in page
    assert "lead=no" in page
    assert 'id="done"' not in page
    text = text_of(client.get("/table/elimination/", {**told, "lead": "no"}))
    assert "Nothing to do in this step." in text


def test_the_record_has_the_trauma(client: Client) -> None:
    told = {"how": "defeated_by_both", "step": "7"}
    assert "or mental trauma" in text_of(client.get("/table/elimination/", told))
    told["trauma"] = "mental"
    assert "1 mental trauma" in text_of(client.get("/table/elimination/", told))


# -- a test --


def test_a_skill_test_begins_with_a_usual_bag_and_a_seed(client: Client) -> None:
    query = query_of(client.get("/table/test/"))
    assert query["n_0"] == ["2"]
    assert query["seed"] != query_of(client.get("/table/test/"))["seed"]


def test_a_scenario_brings_its_bag(client: Client) -> None:
    asked = {"scenario": "core.tentacles", "level": "hard", "investigator": "01001"}
    query = query_of(client.get("/table/test/", asked))
    assert (query["n_-5"], query["m_cultist"]) == (["1"], ["-4"])
    assert query["investigator"] == ["01001"]


def test_unknown_symbols_count_as_nothing_and_say_so(client: Client) -> None:
    bag = {"n_0": "1", "n_skull": "1", "n_tablet": "1", "m_tablet": "-2"}
    query = query_of(client.get("/table/test/", bag))
    assert query["varies"] == ["skull"]
    text = text_of(client.get("/table/test/", {**bag, "varies": "skull", "seed": "a"}))
    assert "These tokens vary. In this test they count as: Skull" in text
    fields = {**bag, "m_skull": "-1", "seed": "a"}
    assert "These tokens vary" not in text_of(client.get("/table/test/", fields))


@pytest.mark.parametrize("asked", [{}, {"scenario": "core.torch", "level": "standard"}])
@pytest.mark.parametrize(
    ("investigator", "number", "varies"),
    [
        ("02005", "2", False),  # Pete
        ("01002", "0", False),  # Daisy, who also draws cards
        ("01001", "0", True),  # Roland: by clues
        ("01005", "0", True),  # Wendy: by a card in play
        ("08004", "0", True),  # Norman: by a card of the deck
        ("", "1", True),  # anyone
    ],
)
def test_an_elder_sign_counts_as_on_the_investigator(
    client: Client, asked: dict[str, str], investigator: str, number: str, varies: bool
) -> None:
    """What depends on the game is named, and is +0 at first."""
    answer = client.get("/table/test/", {**asked, "investigator": investigator})
    query = query_of(answer)
    assert query["m_elder_sign"] == [number]
    assert ("elder_sign" in query["varies"]) == varies


def test_an_elder_sign_may_succeed_automatically(client: Client) -> None:
    answer = client.get("/table/test/", {"investigator": "04004"})
    assert query_of(answer)["e_elder_sign"] == ["success"]


def test_odds_count_the_icons(client: Client) -> None:
    """0, −1 and bless: 2 against 3 passes if the bless comes first."""
    asked = {**BAG, "skill": "1", "icons": "1", "difficulty": "3"}
    text = text_of(client.get("/table/test/", asked))
    assert "33.3 % skill 2 against difficulty 3 1/3" in text


def test_the_tokens_in_the_bag_are_counted(client: Client) -> None:
    asked = {"n_0": "3", "n_skull": "2", "seed": "a"}
    text = text_of(client.get("/table/test/", asked, follow=True))
    assert "5 tokens in this bag." in text


def test_an_investigator_shows_the_skills(client: Client) -> None:
    asked = {**BAG, "investigator": "01001"}
    page = client.get("/table/test/", asked).content.decode()
    assert 'aria-label="Combat 4"' in page
    query = query_of(client.get("/table/test/", {**asked, "do": "base.4"}))
    assert query["skill"] == ["4"]


def test_tokens_are_drawn_until_the_chain_ends(client: Client) -> None:
    for seed in "abcdefgh":
        query = query_of(
            client.get("/table/test/", {**BAG, "seed": seed, "do": "draw"})
        )
        assert query["drawn"][0] in ("b", "c", "qb", "qc")
        again = query_of(
            client.get("/table/test/", {**BAG, "seed": seed, "do": "draw"})
        )
        assert again == query


def test_a_token_of_a_custom_bag_is_shown(client: Client) -> None:
    query = query_of(client.get("/table/test/", {**BAG, "do": "token.q"}))
    assert query["drawn"] == ["q"]
    asked = {**BAG, "skill": "3", "difficulty": "3", "drawn": "q"}
    assert "Reveal another token" in text_of(client.get("/table/test/", asked))
    text = text_of(client.get("/table/test/", {**asked, "drawn": "qc"}))
    assert "Passed by 1 3 + 1 → 4" in text


def test_the_next_test_is_without_the_drawn_bless(client: Client) -> None:
    asked = {**BAG, "skill": "3", "icons": "2", "drawn": "qc"}
    page = unescape(client.get("/table/test/", asked).content.decode())
    (onward,) = re.findall(r'id="next" href="\?([^"]+)"', page)
    query = parse_qs(onward)
    assert "n_bless" not in query
    assert (query["n_-1"], query["skill"], query["icons"]) == (["1"], ["3"], ["0"])


def test_a_failure_is_shown_with_its_margin(client: Client) -> None:
    asked = {**BAG, "skill": "1", "difficulty": "4", "drawn": "c"}
    assert "Failed by 4" in text_of(client.get("/table/test/", asked))


def test_an_unreadable_bag_is_reported(client: Client) -> None:
    answer = client.get("/table/test/", {"n_0": "many", "seed": "x"})
    assert answer.status_code == 422
    assert "We can’t read this bag." in text_of(answer)


# -- a play area --


def _area(client: Client, **asked: str | list[str]) -> dict[str, list[str]]:
    return query_of(client.get("/table/area/", asked))


def test_counters_go_up_and_down_and_never_below_0(client: Client) -> None:
    assert _area(client, damage="2", do="damage+")["damage"] == ["3"]
    assert _area(client, clues="0", do="clues-")["clues"] == ["0"]


def test_an_investigator_shows_health_and_sanity(client: Client) -> None:
    text = text_of(client.get("/table/area/", {"investigator": "01001"}))
    assert "Damage 0 /9" in text
    assert "Horror 0 /5" in text


def test_a_card_is_found_by_its_name_and_enters_with_its_uses(client: Client) -> None:
    assert _area(client, add="forbidden knowledge")["card"] == ["01058.4.0.0"]
    assert _area(client, add="01020", card=["01006.4"])["card"] == [
        "01006.4.0.0",
        "01020.0.0.0",
    ]


def test_a_name_of_several_cards_offers_them(client: Client) -> None:
    page = client.get("/table/area/", {"add": "bandolier"}).content.decode()
    assert 'name="add" value="02147"' in page
    assert 'name="add" value="51001"' in page


def test_an_unknown_name_is_reported(client: Client) -> None:
    assert "We couldn’t find a card called “nonesuch”" in text_of(
        client.get("/table/area/", {"add": "nonesuch"})
    )


def test_a_misspelt_name_is_corrected(client: Client) -> None:
    page = client.get("/table/area/", {"add": "Machette"})
    assert "“Machette” that you can put into play. Did you mean" in text_of(page)
    assert 'name="add" value="Machete"' in page.content.decode()


def test_missing_slots_are_reported_with_cards_to_discard(client: Client) -> None:
    asked = {"card": ["01006.4", "01087.3", "01020"]}
    text = text_of(client.get("/table/area/", asked))
    assert "Too few slots: hand. Discard Roland's .38 Special; Flashlight." in text
    free = {"card": ["01006.4", "01087.3", "01020.0.0.0.n"]}
    assert "Too few slots" not in text_of(client.get("/table/area/", free))


def test_cards_are_ticked_and_leave(client: Client) -> None:
    card = ["01087.3", "01020"]
    assert _area(client, card=card, do="c0.uses-")["card"][0] == "01087.2.0.0"
    assert _area(client, card=card, do="c0.exhausted")["card"][0] == "01087.3.0.0.x"
    assert _area(client, card=card, do="c1.used")["card"][1] == "01020.0.0.0.u"
    assert _area(client, card=card, do="c0.out")["card"] == ["01020.0.0.0"]


def test_a_new_round_readies_everything(client: Client) -> None:
    query = _area(
        client,
        card=["01087.3.0.0.xu"],
        actions="0",
        resources="2",
        hand="4",
        do="round",
    )
    assert query["card"] == ["01087.3.0.0"]
    counted = [query[key][0] for key in ("actions", "resources", "hand")]
    assert counted == ["3", "3", "5"]


def test_a_defeat_leads_to_the_elimination(client: Client) -> None:
    asked = {"investigator": "01001", "damage": "9", "clues": "2", "resources": "1"}
    page = unescape(client.get("/table/area/", asked).content.decode())
    assert "how=defeated_by_damage&clues=2&resources=1" in page
    page = unescape(
        client.get("/table/area/", {**asked, "horror": "5"}).content.decode()
    )
    assert "how=defeated_by_both" in page


def test_slots_without_a_row_are_counted_by_hand(client: Client) -> None:
    answer = client.get("/table/area/", {"do": "s_hand+"})
    assert query_of(answer)["s_hand"] == ["1"]
    shown = client.get(answer["Location"]).content.decode()
    assert 'id="more-slots" class="no-print" open' in shown


def test_a_deck_begins_with_its_permanents_and_parameters(client: Client) -> None:
    """Charisma begins in play; damage and resources are those of the address."""
    content = {"investigator_code": "01001", "slots": {"02158": 1, "01020": 2}}
    made = client.post("/decks/bring/", {"content": json.dumps(content), "name": "x"})
    number = re.findall(r"/decks/(\d+)/", made["Location"])[0]
    query = _area(client, deck=number, damage="2")
    assert query["investigator"] == ["01001"]
    assert (query["damage"], query["resources"]) == (["2"], ["5"])
    assert query["card"] == ["02158.0.0.0"]
    assert _area(client, deck=number, resources="3")["resources"] == ["3"]
    offered = client.get("/table/area/", {"deck": number, "actions": "3"})
    assert '<option value="01020">Machete</option>' in offered.content.decode()


def test_a_deck_of_another_player_is_not_shown(client: Client) -> None:
    content = {"investigator_code": "01001", "slots": {"01020": 2}}
    made = client.post("/decks/bring/", {"content": json.dumps(content), "name": "x"})
    number = re.findall(r"/decks/(\d+)/", made["Location"])[0]
    page = Client().get("/table/area/", {"deck": number}).content.decode()
    assert "Machete" not in page


# -- small decks --


def _deck(client: Client, steps: str, **asked: str | list[str]) -> str:
    query = {**EXPLORED, **asked, "steps": steps}
    return text_of(client.get("/table/deck/", query))


def test_the_lists_of_the_form_become_a_deck(client: Client) -> None:
    asked = {
        "kind": "exploration",
        "locations": "Jungle\n River \n\n",
        "treacheries": "Snakes",
        "begin": "1",
    }
    query = query_of(client.get("/table/deck/", asked))
    assert query["card"] == ["l.Jungle", "l.River", "t.Snakes"]
    assert query["seed"]


def test_an_address_always_deals_the_same(client: Client) -> None:
    assert _deck(client, "d.d") == _deck(client, "d.d")


def test_an_exploration_that_finds_shuffles_the_rest_back(client: Client) -> None:
    """With this seed the river comes first."""
    assert "River Is it a location" in _deck(client, "d")
    text = _deck(client, "d.d.f2")
    assert "2 cards left" in text
    assert "In play: 1" in text


def test_undo_takes_back_the_whole_end(client: Client) -> None:
    page = client.get("/table/deck/", {**EXPLORED, "steps": "d.f2"}).content.decode()
    assert re.search(r'id="back" href="[^"]+steps=d"', page)


def test_a_treachery_ends_the_exploration(client: Client) -> None:
    page = client.get("/table/deck/", {**EXPLORED, "steps": "d.d.d"}).content.decode()
    assert "the exploration fails" in page
    assert re.search(r'id="draw"[^>]* disabled', page)


def test_steps_redirect_to_the_address_after_them(client: Client) -> None:
    query = query_of(client.get("/table/deck/", {**EXPLORED, "do": "d"}))
    assert query["steps"] == ["d"]


def test_a_refusal_has_a_reason(client: Client) -> None:
    assert "The deck is empty." in _deck(client, "d.d.d.d")


def test_the_tekeli_li_deck_begins_with_sixteen_cards(client: Client) -> None:
    asked = {"kind": "tekeli-li", "begin": "1", "player": ["Roland", ""]}
    answer = client.get("/table/deck/", asked)
    query = query_of(answer)
    assert len(query["card"]) == 16
    assert query["player"] == ["Roland"]
    assert "16 cards left" in text_of(client.get(answer["Location"]))


def test_a_card_goes_into_a_players_deck_and_returns(client: Client) -> None:
    deck: dict[str, str | list[str]] = {"kind": "tekeli-li", "player": ["Roland"]}
    shown = _deck(client, "d.h1:2", **deck)
    assert "2 cards left" in shown
    assert "Roland: 1" in shown
    shown = _deck(client, "d.h1:2.b2", **deck)
    assert "3 cards left" in shown
    assert "Roland: 1" not in shown


def test_the_number_of_steps_in_an_address_is_limited(client: Client) -> None:
    text = _deck(client, ".".join(["d", "k"] * MOST_STEPS))
    assert f"History: {MOST_STEPS} steps" in text
    assert "The deck has reached its limit of steps" in text


@pytest.mark.parametrize(
    ("guide", "told"),
    [
        ("tic", {"setting": "tic"}),
        ("rtdwl", {"setting": "dwl"}),
        ("core", {}),
        ("", {}),
    ],
)
def test_an_elimination_has_the_campaigns_additions(
    guide: str, told: dict[str, str]
) -> None:
    assert setting_parameter(guide) == told
