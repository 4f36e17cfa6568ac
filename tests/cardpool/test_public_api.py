"""The card pool on the public API: byte for byte as ArkhamDB would tell it."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.rules.snapshot import embedded_pool
from cardpool import services
from cardpool.catalog import current_pool
from cardpool.models import DataVersion, PublicCard
from cardpool.public.answers import current_records
from cardpool.public.cards import Teller, parsed, php_json
from cardpool.reading import read_directory, to_pool
from cardpool.reading.records import (
    EMBEDDED,
    Records,
    UnreadableRecords,
    embedded_records,
    facts_only,
    read_records,
    write_records,
)
from tests.cardpool.api_shape import answers, serving

pytestmark = pytest.mark.usefixtures("rows")

API = "/api/public/"
# The embedded records hold facts alone, so these are literal and whole.
ROLAND = (
    '{"pack_code":"core","pack_name":"Core Set","type_code":"investigator",'
    '"type_name":"Investigator","faction_code":"guardian","faction_name":"Guardian",'
    '"position":1,"exceptional":false,"myriad":false,"code":"01001",'
    '"name":"Roland Banks","real_name":"Roland Banks","subname":"The Fed",'
    '"real_text":"","quantity":1,"skill_willpower":3,"skill_intellect":3,'
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
    '"real_name":"Machete","cost":3,"real_text":"","quantity":2,"skill_combat":1,"xp":0,'
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


def _get(path: str, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Client().get(API + path, headers=named)


def _json(path: str) -> Any:
    answer = _get(path)
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


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
def test_a_card_is_told_byte_for_byte(code: str, body: str) -> None:
    """Every key in its order, nulls left out, slashes escaped."""
    answer = _get(f"card/{code}")
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
    """Where a literal of the whole would say too much."""
    assert _json(f"card/{code}")[key] == value


def test_errata_are_dated_as_php_dates() -> None:
    """The only date of a card."""
    assert _json("card/05313")["errata_date"] == {
        "date": "2022-08-26 00:00:00.000000",
        "timezone_type": 3,
        "timezone": "UTC",
    }


def test_bonded_cards_are_told_by_the_list_alone() -> None:
    """Not by the card's own address, nor by its product's: so it is there."""
    assert "bonded_cards" not in _json("card/05313")
    listed = {each["code"]: each for each in _json("cards/")}
    assert listed["05313"]["bonded_cards"] == [{"count": 3, "code": "05314"}]
    of_pack = {each["code"]: each for each in _json("cards/bbt")}
    assert "bonded_cards" not in of_pack["05313"]
    keys = list(listed["05313"])
    assert keys.index("url") < keys.index("bonded_cards") < keys.index("errata_date")


def test_no_other_address_tells_bonded_cards() -> None:
    """Whatever follows them in the list, or nothing, as with Dream Diary."""
    bringing = [each for each in _json("cards/") if "bonded_cards" in each]
    assert "06112" in {
        each["code"] for each in bringing if [*each][-1] == "bonded_cards"
    }
    for pack in {each["pack_code"] for each in bringing}:
        assert not [each for each in _json(f"cards/{pack}") if "bonded_cards" in each]
    assert "bonded_cards" not in _json("card/06112")


def test_a_bundle_has_no_cards_of_its_own() -> None:
    """It is a product all the same: every product that is listed can be asked for."""
    empty = [each["code"] for each in _json("packs/") if each["known"] == 0]
    assert "dwlp" in empty
    assert [_json(f"cards/{pack}") for pack in empty] == [[]] * len(empty)


def test_a_linked_card_is_told_whole() -> None:
    """With its own fields, inside the card whose back it is."""
    card = _json("card/01121a")
    assert card["linked_to_code"] == "01121b"
    assert card["linked_to_name"] == "The Masked Hunter"
    assert card["linked_card"]["code"] == "01121b"
    assert card["linked_card"]["enemy_fight"] == 4
    assert "linked_card" not in card["linked_card"]


def test_no_text_is_told_that_nobody_imported() -> None:
    """Facts alone come with us."""
    textual = {
        name: each
        for each in _json("cards/?encounter=1")
        for name in ("text", "real_text", "flavor", "back_text", "customization_text")
        if each.get(name)
    }
    assert textual == {}


# -- lists --


def test_the_list_of_cards_is_that_of_players_unless_all_are_asked_for() -> None:
    """Hidden ones, investigators and weaknesses among them."""
    players = _json("cards/")
    every = _json("cards/?encounter=1")
    assert _json("cards/?encounter=0") == players
    assert _json("cards/?encounter=true") == every
    assert len(every) == 5928
    assert {each["code"] for each in players} == {
        each["code"] for each in every if "encounter_code" not in each
    }
    assert {"01000", "01001", "01101"} <= {each["code"] for each in players}


def test_the_cards_of_a_product_come_without_hidden_backs() -> None:
    """By position; encounter cards as well."""
    cards = _json("cards/core")
    assert [each["code"] for each in cards[:3]] == ["01001", "01002", "01003"]
    positions = [each["position"] for each in cards]
    assert positions == sorted(positions)
    assert "01116" in {each["code"] for each in cards}
    assert not any(each.get("hidden") for each in cards)
    assert _get("cards/core.json").content == _get("cards/core").content
    assert _get("cards/Core").content == _get("cards/core").content


@pytest.mark.parametrize(
    ("form", "kind"),
    [("xml", "text/xml"), ("xlsx", "text/html"), ("xls", "text/html")],
)
def test_other_formats_are_declined_as_the_site_does(form: str, kind: str) -> None:
    """In words, and with 200."""
    answer = _get(f"cards/core.{form}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == f"{kind}; charset=UTF-8"
    said = f"{form} format not supported. Only json is supported."
    assert answer.content.decode() == said


def test_classes_are_told_byte_for_byte() -> None:
    """Nobody knows when they changed last."""
    answer = _get("factions/")
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


def test_products_are_told_byte_for_byte() -> None:
    """In order of release; the first three, and one without its date."""
    body = _get("packs/").content.decode()
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


def test_lists_of_taboos_hold_json_in_a_string() -> None:
    """The newest first."""
    lists = _json("taboos/")
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
    body = _get("taboos/").content.decode()
    assert r'"cards":"[{\"code\":\"01073\",\"xp\":2},' in body


def test_nothing_is_asked_about_cards_here() -> None:
    """An empty list for a card there is."""
    assert _get("faq/01001").content == b"[]"
    assert _get("faq/01001.json").content == b"[]"
    assert _get("faq/99999").status_code == 404


# -- what is not there --


@pytest.mark.parametrize(
    "path", ["card/99999", "card/01001.xml", "card/", "cards/nothing", "user/info", ""]
)
def test_what_is_not_there_is_404_and_says_so(path: str) -> None:
    """Not a fault of the server, and not an empty answer."""
    answer = _get(path)
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["status"] == 404


# -- headers --


@pytest.mark.parametrize(
    "path", ["cards/", "cards/core", "card/01001", "packs/", "taboos/", "faq/01001"]
)
def test_answers_are_kept_for_ten_minutes_and_asked_for_again(path: str) -> None:
    """Any site may read them; 304 by date and by tag; no cookie is set."""
    answer = _get(path)
    assert answer["Cache-Control"] == "max-age=600, public"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Set-Cookie" not in answer
    assert "Cookie" not in answer["Vary"]
    loaded = DataVersion.objects.get().loaded_at
    assert answer["Last-Modified"] == f"{loaded:%a, %d %b %Y %H:%M:%S} GMT"

    for again in (
        _get(path, If_Modified_Since=answer["Last-Modified"]),
        _get(path, If_None_Match=answer["ETag"]),
    ):
        assert (again.status_code, again.content) == (304, b"")
        assert again["Access-Control-Allow-Origin"] == "*"
        assert again["Cache-Control"] == "max-age=600, public"
    old = _get(path, If_Modified_Since="Thu, 10 Nov 2016 00:00:00 GMT")
    assert old.status_code == 200


def test_refusals_may_be_read_by_any_site_as_well() -> None:
    """And a preflight is answered."""
    assert _get("card/99999")["Access-Control-Allow-Origin"] == "*"
    asked = Client().options(
        f"{API}cards/",
        headers={
            "Origin": "https://bot.example",
            "Access-Control-Request-Method": "GET",
        },
    )
    assert asked.status_code == 204
    assert asked["Access-Control-Allow-Origin"] == "*"


def test_the_lists_come_packed_to_those_who_take_it() -> None:
    """The same content, made once for each state of the cards."""
    plain = _get("cards/?encounter=1")
    packed = _get("cards/?encounter=1", Accept_Encoding="gzip, br")
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 8
    assert packed["ETag"] == plain["ETag"]
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]


@pytest.mark.parametrize("name", ["cards", "factions", "packs", "taboos"])
def test_a_missing_slash_is_added(name: str) -> None:
    """301, with the query."""
    answer = _get(f"{name}?jsonp=x")
    assert answer.status_code == 301
    assert answer["Location"] == f"{API}{name}/?jsonp=x"
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["cards/", "cards/core", "card/01001", "packs/", "taboos/", "factions/"]
)
def test_a_script_may_be_asked_for(path: str) -> None:
    """The JSON as the argument of a function."""
    plain = _get(path)
    script = _get(f"{path}?jsonp=my.fn_1")
    assert script["Content-Type"] == "application/javascript"
    assert script.content == b"my.fn_1(" + plain.content + b")"
    assert script["X-Content-Type-Options"] == "nosniff"
    assert script["ETag"] != plain["ETag"]


@pytest.mark.parametrize(
    "name", ["", "a b", "alert(1)//", "<script>", "1a", "a..b", "a" * 101, "é"]
)
def test_what_is_no_function_is_refused(name: str) -> None:
    """400 that names the parameter."""
    answer = Client().get(f"{API}factions/", {"jsonp": name})
    assert answer.status_code == 400
    assert json.loads(answer.content)["parameter"] == "jsonp"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_it_is_only_read(method: str) -> None:
    """405 for the rest."""
    assert getattr(Client(), method)(f"{API}cards/").status_code == 405


def test_the_host_is_the_one_that_was_asked(settings: Any) -> None:
    """One server may have several names."""
    settings.ALLOWED_HOSTS = ["orne.example", "testserver"]
    answer = Client().get(f"{API}card/01001", headers={"Host": "orne.example"})
    assert b'"url":"http:\\/\\/orne.example\\/card\\/01001"' in answer.content
    listed = Client().get(f"{API}cards/", headers={"Host": "orne.example"})
    assert b"testserver" not in listed.content
    assert b"orne.example" not in _get("cards/").content


def test_addresses_in_answers_lead_to_pages() -> None:
    """As the site has them; here they are redirected."""
    assert Client().get("/card/01520")["Location"] == "/cards/01520/"
    assert Client().get("/card/99999").status_code == 404
    assert Client().get("/set/nothing").status_code == 404
    place = Client().get("/set/core")["Location"]
    assert place == "/cards/?q=e%3Acore+show%3Aall"
    assert "Cards: e:core show:all" in Client().get(place).content.decode()


def test_answers_take_few_questions_to_the_database(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """A list that was made is not made again."""
    _get("cards/")
    for path, most in (("cards/", 1), ("card/01001", 2), ("cards/core", 2)):
        with django_assert_max_num_queries(most):
            _get(path)


# -- parts --


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("size:30", {"size": 30}),
        ("card:01006", {"card": {"01006": {"01006": "01006"}}}),
        (
            "card:01006:90030",
            {"card": {"01006": {"01006": "01006", "90030": "90030"}}},
        ),
        (
            "random:subtype:basicweakness, random:subtype:basicweakness",
            {
                "random": [
                    {"target": "subtype", "value": "basicweakness"},
                    {"target": "subtype", "value": "basicweakness"},
                ]
            },
        ),
        (
            "investigator:01001:90024",
            {"investigator": {"01001": "01001", "90024": "90024"}},
        ),
        ("faction:x:1:2", {"faction": {"x": {"min": "1", "max": "2"}}}),
        (
            "cards:any:3:4",
            {"cards": {"any": {"min": 0, "max": "4", "limit": "3"}}},
        ),
        ("trait:scholar,trait:a b", {"trait": ["scholar", "a b"]}),
        # On the site the last of these takes the place of the others.
        (
            "investigator:11007, investigator:11008",
            {"investigator": {"11007": "11007", "11008": "11008"}},
        ),
        (
            "card:03018:90088, card:03018:90089",
            {"card": {"03018": {"03018": "03018", "90088": "90088", "90089": "90089"}}},
        ),
        ({"size": 30}, {"size": 30}),
        (None, None),
    ],
)
def test_requirements_are_parsed(text: Any, result: Any) -> None:
    """Each form there is; repeated ones stay."""
    assert parsed(text) == result


def test_json_is_written_as_php_writes_it() -> None:
    """ASCII, no blanks, slashes escaped, empty arrays for empty lists."""
    value: dict[str, Any] = {
        "name": "Ætherflux “é” 🐙",
        "url": "a/b",
        "none": [],
        "no": None,
    }
    assert php_json(value) == (
        r'{"name":"\u00c6therflux \u201c\u00e9\u201d \ud83d\udc19","url":"a\/b",'
        r'"none":[],"no":null}'
    )


def test_records_that_lead_in_circles_are_told_all_the_same() -> None:
    """Nobody's data stops the server."""
    cards = {
        "1": {"code": "1", "name": "A", "duplicate_of": "2"},
        "2": {"code": "2", "name": "B", "duplicate_of": "1", "back_link": "2"},
        "3": {"code": "3", "duplicate_of": "9", "pack_code": "x"},
    }
    told = list(Teller(Records(cards), {}).told({}))
    assert sorted(each.code for each in told) == ["1", "2", "3"]


# -- the records that come with us --


def _texts_within(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in ("deck_requirements", "restrictions"):
                yield from _texts_within(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts_within(each)
    elif isinstance(value, str):
        yield value


def test_the_embedded_records_are_facts() -> None:
    """Names and words, and the patterns by which a few options know a card's words."""
    records = embedded_records()
    assert records == facts_only(records)
    patterns = {
        text
        for card in records.cards.values()
        for option in card.get("deck_options") or []
        for text in option.get("text", [])
    }
    long = {
        text
        for held in (records.cards, records.packs, records.taboos)
        for text in _texts_within(
            list(held.values() if isinstance(held, dict) else held)
        )
        if len(text) > 60
    }
    assert long <= patterns
    assert len(patterns) == 4


def test_the_embedded_records_are_those_of_the_embedded_pool(
    shared_data: Path,
) -> None:
    """Nobody forgot to write them again after a change."""
    reading = read_directory(shared_data / "data" / "arkhamdb")
    version = to_pool(reading).version
    assert read_records(EMBEDDED.read_bytes())[1] == version == embedded_pool().version

    def unpacked(data: bytes) -> tuple[bytes, bytes]:
        header, _, body = data.partition(b"\n")
        return header, lzma.decompress(body)

    fresh = write_records(reading.records, version)
    assert unpacked(fresh) == unpacked(EMBEDDED.read_bytes())
    assert len(fresh) < 200_000


def test_exported_records_are_those_that_were_imported(tmp_path: Path) -> None:
    """From the database to a file."""
    call_command("export_snapshot", str(tmp_path / "pool"), stdout=StringIO())
    records, version = read_records((tmp_path / "pool.records").read_bytes())
    assert version == embedded_pool().version
    assert records == embedded_records() == current_records()


@pytest.mark.parametrize(
    "data", [b"", b"orne-snapshot 1 x\n", b"orne-records 1 x\nnothing"]
)
def test_a_file_that_is_none_is_refused(data: bytes) -> None:
    """And says what was expected."""
    with pytest.raises(UnreadableRecords):
        read_records(data)


# -- with the full texts --


@pytest.fixture
def imported(shared_data: Path) -> Iterator[Path]:
    """The shared data with all its texts in the database."""
    folder = shared_data / "data" / "arkhamdb"
    with transaction.atomic():
        call_command("import_cards", str(folder), stdout=StringIO(), stderr=StringIO())
        yield folder
        transaction.set_rollback(True)


# What the API's columns of 2024 do not have, and what only the files name.
_NOT_TOLD = ("back_illustrator", "back_traits", "back_subname")
# What the site loses of repeated items, and the side deck, is told whole here.
_MENDED = ("deck_requirements", "restrictions")


def test_every_card_is_told_field_by_field_as_the_site_does(imported: Path) -> None:
    """With its texts, as the keeper of this server has imported them."""
    expected = {
        each["code"]: each
        for each in answers(imported)["/api/public/cards/?encounter=1"]
    }
    told = {each["code"]: each for each in _json("cards/?encounter=1")}
    assert told.keys() == expected.keys()
    mended = set()
    for code, wanted in expected.items():
        found = told[code]
        for name, value in wanted.items():
            if name == "url":
                assert found[name] == f"http://testserver{value}"
            elif name in _MENDED and found[name] != value:
                mended.add(code)
            elif name == "errata_date":
                assert found[name]["date"] == f"{value} 00:00:00.000000"
            elif name in ("side_deck_requirements", *_NOT_TOLD):
                continue
            elif value is False or (value == 0 and name == "clues_fixed"):
                assert found.get(name, False) in (False, 0)
            else:
                assert found[name] == value, (code, name)
    assert {"03006", "90087"} <= mended
    assert all(told[code]["restrictions"] for code in mended - {"03006", "90087"})
    # Texts stand in their places, in the language of the site and in English.
    keys = list(_json("card/01020"))
    assert keys[keys.index("cost") + 1 :][:3] == ["text", "real_text", "quantity"]
    investigator = list(_json("card/01001"))
    assert investigator[investigator.index("deck_options") + 1 :][:8] == [
        "flavor",
        "illustrator",
        "is_unique",
        "permanent",
        "double_sided",
        "back_text",
        "back_flavor",
        "url",
    ]
    sheet = list(_json("card/09022"))
    assert sheet[sheet.index("real_text") + 1 :][:3] == [
        "customization_text",
        "customization_change",
        "customization_options",
    ]
    taboo = json.loads(_json("taboos/")[0]["cards"])
    assert any("text" in entry for entry in taboo)


def test_the_answers_can_be_imported_as_the_same_pool(imported: Path) -> None:
    """What another server reads here is the pool this one has, rule by rule."""
    paths = ("cards/?encounter=1", "packs/", "taboos/")
    replies = {API + path: _get(path).content for path in paths}
    services.load_pool(services.Contents(embedded_pool(), "test"))
    with serving(replies) as base:
        call_command("import_cards", api=base, stdout=StringIO(), stderr=StringIO())
    assert current_pool().version == embedded_pool().version
    # And told once more, they say the same.
    for path in paths:
        assert json.loads(_get(path).content) == json.loads(replies[API + path])


def test_a_pool_without_records_is_told_as_empty_lists(rows: object) -> None:
    """As a program might load one."""
    with transaction.atomic():
        services.load_pool(services.Contents(embedded_pool(), "test"))
        assert not PublicCard.objects.exists()
        assert _get("cards/").content == b"[]"
        assert _get("packs/").content == b"[]"
        assert _get("taboos/").content == b"[]"
        transaction.set_rollback(True)
