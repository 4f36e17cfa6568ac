"""The card pool on the public API: byte for byte as ArkhamDB serves it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.rules.gists import gist_of
from cardpool.models import DataVersion
from tests.cardpool.public_api import API, fetch, fetch_json

pytestmark = pytest.mark.usefixtures("rows")

# The embedded records hold facts alone, so these are literal and whole.
ROLAND = (
    '{"pack_code":"core","pack_name":"Core Set","type_code":"investigator",'
    '"type_name":"Investigator","faction_code":"guardian","faction_name":"Guardian",'
    '"position":1,"exceptional":false,"myriad":false,"code":"01001",'
    '"name":"Roland Banks","real_name":"Roland Banks","subname":"The Fed",'
    '"real_text":"[reaction] After defeating an enemy: discover 1 clue here '
    '(1\\/round).\\n[elder_sign]: +1 per clue here.",'
    '"quantity":1,"skill_willpower":3,"skill_intellect":3,'
    '"skill_combat":4,"skill_agility":2,"health":9,"health_per_investigator":false,"sanity":5,'
    '"deck_limit":1,"real_slot":"","traits":"Agency. Detective.",'
    '"real_traits":"Agency. Detective.",'
    '"deck_requirements":{"size":30,"card":{"01006":{"01006":"01006",'
    '"98005":"98005","90030":"90030"},"01007":{"01007":"01007","98006":"98006",'
    '"90031":"90031"}},"random":[{"target":"subtype","value":"basicweakness"}]},'
    '"deck_options":[{"faction":["guardian","neutral"],"level":{"min":0,"max":5}},'
    '{"faction":["seeker"],"level":{"min":0,"max":2}}],'
    '"illustrator":"Magali Villeneuve","is_unique":true,"permanent":false,'
    '"double_sided":true,"url":"http:\\/\\/testserver\\/card\\/01001",'
    '"duplicated_by":["01501"],"alternated_by":["90024","01501"]}'
)
MACHETE_AGAIN = (
    '{"pack_code":"rcore","pack_name":"Revised Core Set","type_code":"asset",'
    '"type_name":"Asset","faction_code":"guardian","faction_name":"Guardian",'
    '"duplicate_of_code":"01020","duplicate_of_name":"Machete","position":20,'
    '"exceptional":false,"myriad":false,"code":"01520","name":"Machete",'
    '"real_name":"Machete","cost":3,"real_text":"[action]: Fight, +1 [combat]; +1 '
    'damage if it and no other enemy is engaged with you.",'
    '"quantity":2,"skill_combat":1,"xp":0,'
    '"health_per_investigator":false,"deck_limit":2,"slot":"Hand",'
    '"real_slot":"Hand","traits":"Item. Weapon. Melee.",'
    '"real_traits":"Item. Weapon. Melee.","illustrator":"Jason Caffoe",'
    '"is_unique":false,"permanent":false,"double_sided":false,'
    '"url":"http:\\/\\/testserver\\/card\\/01520"}'
)
GHOUL_PRIEST = (
    '{"pack_code":"core","pack_name":"Core Set","type_code":"enemy",'
    '"type_name":"Enemy","faction_code":"mythos","faction_name":"Mythos",'
    '"encounter_code":"torch","encounter_name":"The Gathering","position":116,'
    '"exceptional":false,"myriad":false,"encounter_position":13,"code":"01116",'
    '"name":"Ghoul Priest","real_name":"Ghoul Priest","real_text":"","quantity":1,'
    '"health":5,'
    '"health_per_investigator":true,"enemy_damage":2,"enemy_horror":2,'
    '"enemy_fight":4,"enemy_evade":4,"victory":2,'
    '"real_slot":"","traits":"Humanoid. Monster. Ghoul. Elite.",'
    '"real_traits":"Humanoid. Monster. Ghoul. Elite.","illustrator":"Chun Lo",'
    '"is_unique":false,"permanent":false,"double_sided":false,'
    '"url":"http:\\/\\/testserver\\/card\\/01116","spoiler":1}'
)
TRAPPED = (
    '{"pack_code":"core","pack_name":"Core Set","type_code":"act","type_name":"Act",'
    '"faction_code":"mythos","faction_name":"Mythos","encounter_code":"torch",'
    '"encounter_name":"The Gathering","position":108,"exceptional":false,'
    '"myriad":false,"encounter_position":5,"code":"01108","name":"Trapped",'
    '"real_name":"Trapped","real_text":"","quantity":1,"clues":2,'
    '"health_per_investigator":false,"real_slot":"","stage":1,'
    '"illustrator":"Jose Vega","is_unique":false,"permanent":false,'
    '"double_sided":true,"back_name":"The Door on the Floor",'
    '"url":"http:\\/\\/testserver\\/card\\/01108","spoiler":1}'
)


# -- one card --


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("01001", ROLAND),
        ("01001.json", ROLAND),
        ("01520", MACHETE_AGAIN),
        ("01116", GHOUL_PRIEST),
        ("01108", TRAPPED),
    ],
)
def test_a_card_is_served_byte_for_byte(code: str, body: str) -> None:
    """Every key in its order, nulls left out, slashes escaped."""
    answer = fetch(f"card/{code}")
    assert answer.content.decode() == body
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("code", "key", "value"),
    [
        ("01006", "restrictions", {"investigator": {"01001": "01001"}}),
        ("01000", "subtype_name", "Basic Weakness"),
        ("01000", "hidden", True),
        ("02105", "skill_agility", 1),
        ("05314", "bonded_count", 3),
        ("05314", "bonded_to", "Hallowed Mirror"),
        (
            "11009",
            "restrictions",
            {"investigator": {"11007": "11007", "11008": "11008"}},
        ),
        ("11099", "restrictions", {"trait": ["miskatonic", "scholar"]}),
        (
            "09124",
            "restrictions",
            {"faction": {"guardian": {"min": False, "max": False}}},
        ),
        ("53010", "permanent", True),
        ("53010", "exceptional", True),
        (
            "90049",
            "side_deck_requirements",
            {"size": 9, "card": {"90053": {"90053": "90053"}}},
        ),
        (
            "90049",
            "side_deck_options",
            [{"trait": ["ally"], "level": {"min": 0, "max": 2}}],
        ),
        ("02114", "exile", True),
        ("06020", "myriad", True),
        ("02051", "clues_fixed", True),
        ("04062", "vengeance", 5),
        ("01105", "doom", 3),
        ("08120", "faction2_name", "Mystic"),
        ("08120", "faction3_code", "survivor"),
        ("01111", "shroud", 2),
        ("06002", "deck_limit", 1),
        ("90024", "alternate_of_code", "01001"),
        ("90024", "alternate_of_name", "Roland Banks"),
        ("01102", "faction_name", "Neutral"),
    ],
)
def test_a_field_of_a_card(code: str, key: str, value: Any) -> None:
    """Where a whole literal would be too long."""
    assert fetch_json(f"card/{code}")[key] == value


def test_errata_are_dated_as_php_dates() -> None:
    """The only date of a card."""
    assert fetch_json("card/05313")["errata_date"] == {
        "date": "2022-08-26 00:00:00.000000",
        "timezone_type": 3,
        "timezone": "UTC",
    }


def test_only_the_list_has_bonded_cards() -> None:
    """Neither the card's own address nor its product's has them."""
    assert "bonded_cards" not in fetch_json("card/05313")
    listed = {each["code"]: each for each in fetch_json("cards/")}
    assert listed["05313"]["bonded_cards"] == [{"count": 3, "code": "05314"}]
    of_pack = {each["code"]: each for each in fetch_json("cards/bbt")}
    assert "bonded_cards" not in of_pack["05313"]
    keys = list(listed["05313"])
    assert keys.index("url") < keys.index("bonded_cards") < keys.index("errata_date")


def test_no_other_address_has_bonded_cards() -> None:
    """Whatever follows them in the list, or nothing, as with Dream Diary."""
    bringing = [each for each in fetch_json("cards/") if "bonded_cards" in each]
    assert "06112" in {
        each["code"] for each in bringing if [*each][-1] == "bonded_cards"
    }
    for pack in {each["pack_code"] for each in bringing}:
        assert not [
            each for each in fetch_json(f"cards/{pack}") if "bonded_cards" in each
        ]
    assert "bonded_cards" not in fetch_json("card/06112")


def test_a_bundle_has_no_cards_of_its_own() -> None:
    """But it is a product: every listed product has an address."""
    empty = [each["code"] for each in fetch_json("packs/") if each["known"] == 0]
    assert "dwlp" in empty
    assert [fetch_json(f"cards/{pack}") for pack in empty] == [[]] * len(empty)


def test_a_linked_card_is_served_whole() -> None:
    """With its own fields, inside the card whose back it is."""
    card = fetch_json("card/01121a")
    assert card["linked_to_code"] == "01121b"
    assert card["linked_to_name"] == "The Masked Hunter"
    assert card["linked_card"]["code"] == "01121b"
    assert card["linked_card"]["enemy_fight"] == 4
    assert "linked_card" not in card["linked_card"]


def test_a_text_that_was_not_imported_is_left_out() -> None:
    """Only facts and our own gists are embedded."""
    textual = {
        name: each
        for each in fetch_json("cards/?encounter=1")
        for name in ("text", "flavor", "back_text", "customization_text")
        if each.get(name)
    }
    assert textual == {}
    assert fetch_json("card/01520")["real_text"] == gist_of("01020").text


# -- lists --


def test_the_list_of_cards_has_player_cards_unless_all_are_requested() -> None:
    """Hidden ones, investigators and weaknesses among them."""
    players = fetch_json("cards/")
    every = fetch_json("cards/?encounter=1")
    assert fetch_json("cards/?encounter=0") == players
    assert fetch_json("cards/?encounter=true") == every
    assert len(every) == 5928
    assert {each["code"] for each in players} == {
        each["code"] for each in every if "encounter_code" not in each
    }
    assert {"01000", "01001", "01101"} <= {each["code"] for each in players}


def test_the_cards_of_a_product_exclude_hidden_backs() -> None:
    """By position; encounter cards included."""
    cards = fetch_json("cards/core")
    assert [each["code"] for each in cards[:3]] == ["01001", "01002", "01003"]
    positions = [each["position"] for each in cards]
    assert positions == sorted(positions)
    assert "01116" in {each["code"] for each in cards}
    assert not any(each.get("hidden") for each in cards)
    assert fetch("cards/core.json").content == fetch("cards/core").content
    assert fetch("cards/Core").content == fetch("cards/core").content


@pytest.mark.parametrize(
    ("form", "kind"),
    [("xml", "text/xml"), ("xlsx", "text/html"), ("xls", "text/html")],
)
def test_other_formats_are_declined_as_on_the_site(form: str, kind: str) -> None:
    """In words, and with 200."""
    answer = fetch(f"cards/core.{form}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == f"{kind}; charset=UTF-8"
    said = f"{form} format not supported. Only json is supported."
    assert answer.content.decode() == said


def test_classes_are_served_byte_for_byte() -> None:
    """Without a modification date."""
    answer = fetch("factions/")
    assert answer.content.decode() == (
        '[{"code":"guardian","name":"Guardian","is_primary":true,"octgn_id":null},'
        '{"code":"seeker","name":"Seeker","is_primary":true,"octgn_id":null},'
        '{"code":"rogue","name":"Rogue","is_primary":true,"octgn_id":null},'
        '{"code":"mystic","name":"Mystic","is_primary":true,"octgn_id":null},'
        '{"code":"survivor","name":"Survivor","is_primary":true,"octgn_id":null},'
        '{"code":"neutral","name":"Neutral","is_primary":true,"octgn_id":null},'
        '{"code":"mythos","name":"Mythos","is_primary":false,"octgn_id":null}]'
    )
    assert "Last-Modified" not in answer


def test_products_are_served_byte_for_byte() -> None:
    """In order of release; the first three, and one without its date."""
    body = fetch("packs/").content.decode()
    assert body.startswith(
        '[{"name":"Core Set","code":"core","position":1,"cycle_position":1,'
        '"available":"2016-11-10","known":184,"total":184,'
        '"url":"http:\\/\\/testserver\\/set\\/core","id":1},'
        '{"name":"Curse of the Rougarou","code":"cotr","position":1,'
        '"cycle_position":70,"available":"2016-11-17","known":36,"total":36,'
        '"url":"http:\\/\\/testserver\\/set\\/cotr","id":2},'
    )
    packs = json.loads(body)
    assert len(packs) == 113
    assert [each["id"] for each in packs] == list(range(1, 114))


def test_taboo_lists_have_json_in_a_string() -> None:
    """The newest first."""
    lists = fetch_json("taboos/")
    assert [each["id"] for each in lists] == list(range(10, 0, -1))
    eighth = lists[2]
    assert list(eighth) == [
        "id",
        "code",
        "name",
        "active",
        "date_start",
        "date_update",
        "cards",
    ]
    assert eighth | {"cards": ""} == {
        "id": 8,
        "code": "008",
        "name": "Taboo List",
        "active": 1,
        "date_start": "2024-10-23",
        "date_update": "2024-10-23",
        "cards": "",
    }
    assert eighth["cards"].startswith('[{"code":"01073","xp":2},')
    body = fetch("taboos/").content.decode()
    assert r'"cards":"[{\"code\":\"01073\",\"xp\":2},' in body


def test_questions_about_a_card_are_an_empty_list() -> None:
    """If the card exists."""
    assert fetch("faq/01001").content == b"[]"
    assert fetch("faq/01001.json").content == b"[]"
    assert fetch("faq/99999").status_code == 404


# -- what is not there --


@pytest.mark.parametrize(
    "path", ["card/99999", "card/01001.xml", "card/", "cards/nothing", "user/info", ""]
)
def test_an_unknown_address_is_404_with_a_message(path: str) -> None:
    """Not a server error, and not an empty response."""
    answer = fetch(path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["status"] == 404


# -- headers --


@pytest.mark.parametrize(
    "path", ["cards/", "cards/core", "card/01001", "packs/", "taboos/", "faq/01001"]
)
def test_responses_are_cached_for_ten_minutes_and_revalidated(path: str) -> None:
    """Any site may read them; 304 by date and by ETag; no cookie is set."""
    answer = fetch(path)
    assert answer["Cache-Control"] == "max-age=600, public"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Set-Cookie" not in answer
    assert "Cookie" not in answer["Vary"]
    loaded = DataVersion.objects.get().loaded_at
    assert answer["Last-Modified"] == f"{loaded:%a, %d %b %Y %H:%M:%S} GMT"

    for again in (
        fetch(path, If_Modified_Since=answer["Last-Modified"]),
        fetch(path, If_None_Match=answer["ETag"]),
    ):
        assert (again.status_code, again.content) == (304, b"")
        assert again["Access-Control-Allow-Origin"] == "*"
        assert again["Cache-Control"] == "max-age=600, public"
    old = fetch(path, If_Modified_Since="Thu, 10 Nov 2016 00:00:00 GMT")
    assert old.status_code == 200


def test_refusals_may_be_read_by_any_site_as_well() -> None:
    """A preflight is answered."""
    assert fetch("card/99999")["Access-Control-Allow-Origin"] == "*"
    asked = Client().options(
        f"{API}cards/",
        headers={
            "Origin": "https://bot.example",
            "Access-Control-Request-Method": "GET",
        },
    )
    assert asked.status_code == 204
    assert asked["Access-Control-Allow-Origin"] == "*"


def test_lists_are_compressed_for_clients_that_accept_it() -> None:
    """The same content, made once for each state of the cards."""
    plain = fetch("cards/?encounter=1")
    packed = fetch("cards/?encounter=1", Accept_Encoding="gzip, br")
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 8
    assert packed["ETag"] == plain["ETag"]
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]


@pytest.mark.parametrize("name", ["cards", "factions", "packs", "taboos"])
def test_a_missing_slash_is_added(name: str) -> None:
    """301, with the query."""
    answer = fetch(f"{name}?jsonp=x")
    assert answer.status_code == 301
    assert answer["Location"] == f"{API}{name}/?jsonp=x"
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["cards/", "cards/core", "card/01001", "packs/", "taboos/", "factions/"]
)
def test_jsonp_is_supported(path: str) -> None:
    """The JSON as the argument of a function."""
    plain = fetch(path)
    script = fetch(f"{path}?jsonp=my.fn_1")
    assert script["Content-Type"] == "application/javascript"
    assert script.content == b"my.fn_1(" + plain.content + b")"
    assert script["X-Content-Type-Options"] == "nosniff"
    assert script["ETag"] != plain["ETag"]


@pytest.mark.parametrize(
    "name", ["", "a b", "alert(1)//", "<script>", "1a", "a..b", "a" * 101, "é"]
)
def test_an_invalid_callback_is_refused(name: str) -> None:
    """400 that names the parameter."""
    answer = Client().get(f"{API}factions/", {"jsonp": name})
    assert answer.status_code == 400
    assert json.loads(answer.content)["parameter"] == "jsonp"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_other_methods_are_refused(method: str) -> None:
    """405."""
    assert getattr(Client(), method)(f"{API}cards/").status_code == 405


def test_the_host_is_that_of_the_request(settings: Any) -> None:
    """One server may have several names."""
    settings.ALLOWED_HOSTS = ["orne.example", "testserver"]
    answer = Client().get(f"{API}card/01001", headers={"Host": "orne.example"})
    assert b'"url":"http:\\/\\/orne.example\\/card\\/01001"' in answer.content
    listed = Client().get(f"{API}cards/", headers={"Host": "orne.example"})
    assert b"testserver" not in listed.content
    assert b"orne.example" not in fetch("cards/").content


def test_addresses_in_responses_redirect_to_our_pages() -> None:
    """They are written as the site has them."""
    assert Client().get("/card/01520")["Location"] == "/cards/01520/"
    assert Client().get("/card/99999").status_code == 404
    assert Client().get("/set/nothing").status_code == 404
    place = Client().get("/set/core")["Location"]
    assert place == "/cards/?q=e%3Acore+show%3Aall"
    assert "Cards: e:core show:all" in Client().get(place).content.decode()


def test_responses_take_few_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """A cached list takes none."""
    fetch("cards/")
    for path, most in (("cards/", 1), ("card/01001", 2), ("cards/core", 2)):
        with django_assert_max_num_queries(most):
            fetch(path)
