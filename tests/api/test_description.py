"""The OpenAPI description is right for readers and generators of any kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from arkham import api
from arkham.api import load_descriptions
from arkham.rest.messages import NAME
from arkham.rest.openapi import with_components
from arkham.templatetags.arkham import with_code
from tests.conftest import PROJECT

TEXT = (PROJECT / "docs" / "openapi.yaml").read_text("utf-8")
UNIONS = ("anyOf", "oneOf")
# Plain scalars of the core schema of YAML 1.2 (10.3.2); all others are strings.
CORE = (
    ("null", r"null|Null|NULL|~|"),
    ("bool", r"true|True|TRUE|false|False|FALSE"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"),
    ("float", r"[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN"),
)


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The parsed description."""
    return dict(yaml.safe_load(TEXT))


def _schemas(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every object of the description with its path."""
    if isinstance(node, dict):
        yield path, node
        for key, each in node.items():
            yield from _schemas(each, f"{path}/{key}")
    elif isinstance(node, list):
        for number, each in enumerate(node):
            yield from _schemas(each, f"{path}/{number}")


def test_every_array_has_items(description: dict[str, Any]) -> None:
    """An array without items is useless in most languages."""
    arrays = [(path, each) for path, each in _schemas(description) if "items" in each]
    assert len(arrays) > 100
    assert not [path for path, each in arrays if not each["items"]]
    kinds = [
        path
        for path, each in _schemas(description)
        if each.get("type") == "array" and "items" not in each
    ]
    assert not kinds


def test_a_body_of_a_delete_is_mentioned_in_words(description: dict[str, Any]) -> None:
    """OpenAPI 3.0 has no body of a DELETE; closing an account needs one."""
    closing = description["paths"]["/api/v1/me/"]["delete"]
    assert "requestBody" not in closing
    assert "body is an object with the `password`" in closing["description"]


def test_common_responses_are_described_at_every_operation(
    description: dict[str, Any],
) -> None:
    """Refusals of chunked bodies, and of reads with a failed precondition."""
    missing = [
        (method, path)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        for status in (["412"] if method == "get" else ["411", "413", "415"])
        if method != "delete" and status not in operation["responses"]
    ]
    assert not missing


PYTHONS_OWN = re.compile(r"\\[AZ]|\(\?P")


def test_patterns_mean_the_same_in_every_language(description: dict[str, Any]) -> None:
    r"""They are ECMA-262 patterns, in which \A is a letter or an error."""
    patterns = {
        each["pattern"]
        for _path, each in _schemas(description)
        if isinstance(each.get("pattern"), str)
    }
    assert len(patterns) > 5
    assert not [each for each in patterns if PYTHONS_OWN.search(each)]


def test_texts_sent_to_campaigns_exclude_nul(description: dict[str, Any]) -> None:
    """Databases can't store it, so it is refused; programs can know before."""
    schemas = description["components"]["schemas"]
    names = ["AppendRequest", "RetractionRequest", "JoinRequest", "RetireRequest"]
    names += ["GameRequest", "CorrectionRequest", "ActRequest", "TickRequest"]
    texts = [
        each
        for name in names
        for _path, each in _schemas(schemas[name]["properties"])
        if each.get("maxLength", 0) > 40 and "enum" not in each
    ]
    assert len(texts) > 8
    for each in texts:
        assert not re.search(each["pattern"], "a\0b")
        assert re.search(each["pattern"], "a\nb")


def test_request_lists_have_a_maximum_length(description: dict[str, Any]) -> None:
    """A longer list is refused, and programs can know before."""
    schemas = description["components"]["schemas"]
    sent = {name: each for name, each in schemas.items() if name.endswith("Request")}
    # The app makes backups as long as they need; lines of decks are counted when read.
    counted = [name for name in sent if name != "BackupRequest"]
    assert len(counted) > 30
    assert not [
        f"{name}{path}"
        for name in counted
        for path, each in _schemas(sent[name])
        if each.get("type") == "array" and "maxItems" not in each
    ]


@pytest.mark.parametrize("name", ["StartRequest", "PatchedCampaignChangeRequest"])
def test_terms_of_a_table_are_described_like_those_of_a_deck(
    description: dict[str, Any], name: str
) -> None:
    """Any other products, readings, lists or FAQ are refused."""
    schemas = description["components"]["schemas"]
    terms = schemas[name]["properties"]["terms"]["properties"]
    of_a_deck = schemas["CircumstancesRequest"]["properties"]
    assert terms["rulings"]["properties"] == of_a_deck["rulings"]["properties"]
    assert terms["rulings"]["additionalProperties"] is False
    environments = terms["environment"]["anyOf"]
    assert environments == of_a_deck["environment"]["anyOf"][1:]
    for key, text in (("taboo", "latest"), ("faq", "9.9")):
        pattern = terms[key]["pattern"]
        assert not re.search(pattern, text)
        assert re.search(pattern, "none")
        assert re.search(pattern, "")


def test_an_upgrade_describes_no_limits_of_ignored_fields(
    description: dict[str, Any],
) -> None:
    """Its name, notes and tags are not read, whatever they are."""
    schemas = description["components"]["schemas"]
    deck = schemas["AgreedUpgradeRequest"]["properties"]["deck"]["allOf"][0]["$ref"]
    told = schemas[deck.rpartition("/")[2]]["properties"]
    assert not {"description_md", "tags"} & told.keys()
    assert "maxLength" not in told["name"]


def test_a_backup_is_described_as_it_is_read(description: dict[str, Any]) -> None:
    """With its guides; campaigns and guides may be a list, or an object by id."""
    backup = description["components"]["schemas"]["BackupRequest"]
    assert backup["required"] == ["campaigns", "guides"]
    for member in backup["properties"].values():
        assert [each.get("type", "object") for each in member["anyOf"]] == [
            "array",
            "object",
        ]


def test_messages_are_described_by_their_types() -> None:
    """Without serializers: what is read, written and described is one class."""
    packages = ("arkham", "cardpool", "decks", "campaigns")
    modules = [path for each in packages for path in (PROJECT / each).rglob("*.py")]
    others = re.compile(r"rest_framework import .*\bserializers\b|inline_serializer")
    assert [
        str(path.relative_to(PROJECT))
        for path in modules
        if others.search(path.read_text("utf-8"))
    ] == ["arkham/rest/messages.py"]


def test_every_component_has_a_description(description: dict[str, Any]) -> None:
    """Except pages of lists and values, which the library generates."""
    schemas = description["components"]["schemas"]
    assert not [
        name
        for name, each in schemas.items()
        if "description" not in each
        and "properties" in each
        and not name.startswith("Paginated")
    ]


def test_every_object_of_a_union_is_a_component(description: dict[str, Any]) -> None:
    """Generators tell the members of a union apart by the names of their classes."""
    choices = [
        (f"{path}/{way}", each)
        for path, schema in _schemas(description)
        for way in UNIONS
        for each in schema.get(way, ())
    ]
    assert len(choices) > 50
    # A schema that is no string, number or array has neither properties nor a name.
    assert not [
        path
        for path, each in choices
        if "$ref" not in each and each.get("type", "object") == "object"
    ]


def test_no_placeholder_is_left(description: dict[str, Any]) -> None:
    """Every named schema has become a component."""
    assert "x-component" not in TEXT
    components = description["components"]["schemas"]
    assert list(components) == sorted(components)
    assert {"Copies", "NoEntries", "ListedDeck"} <= components.keys()


def test_the_lists_of_the_public_api_are_described(description: dict[str, Any]) -> None:
    """The redirect from the address without the slash doesn't replace them."""
    for name in ("cards", "factions", "packs", "taboos"):
        assert f"/api/public/{name}/" in description["paths"]
        assert f"/api/public/{name}" not in description["paths"]


def test_only_lists_are_described_as_pages(
    description: dict[str, Any],
) -> None:
    """Operations that write have no pages."""
    claim = description["paths"]["/api/v1/campaigns/claim"]["post"]
    answer = claim["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer["type"] == "array"
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            names = {each["name"] for each in operation.get("parameters", ())}
            assert method == "get" or "cursor" not in names, path


def test_a_response_that_may_be_text_lists_text_first(
    description: dict[str, Any],
) -> None:
    """openapi-python-client reads every response as the first of its types."""
    answers = description["paths"]["/api/v1/decks/{id}/exports/{form}"]["get"]
    types = [*answers["responses"]["200"]["content"]]
    assert types[0] == "text/plain"
    assert "application/json" in types


def test_a_late_scenario_action_is_described(
    description: dict[str, Any],
) -> None:
    """412, with the current state of the scenario."""
    act = description["paths"]["/api/v1/campaigns/{id}/play"]["post"]
    problem = act["responses"]["412"]["content"]["application/problem+json"]["schema"]
    name = problem["$ref"].rpartition("/")[2]
    described = description["components"]["schemas"][name]
    assert described["properties"]["current"]["$ref"].endswith("/Play")
    assert "current" in described["required"]


@pytest.mark.django_db
def test_expected_values_of_a_fault_are_described(
    description: dict[str, Any], client: Client
) -> None:
    """Every member of a fault, both in the list and of the first at the top level."""
    described = description["components"]["schemas"]["Problem"]["properties"]
    of_each = described["errors"]["items"]["properties"]
    for body in ('{"slots": 1}', "{", '{"deck": {}, "circumstances": {"mode": "x"}}'):
        answer = client.post("/api/v1/legality", body, "application/json").json()
        assert answer.keys() <= described.keys()
        for each in answer["errors"]:
            assert each.keys() <= of_each.keys()


def test_only_endpoints_that_negotiate_describe_406(
    description: dict[str, Any],
) -> None:
    """The public API sends JSON to everyone; elsewhere other formats are refused."""
    refusals = {
        (path.startswith("/api/public/"), "406" in operation["responses"])
        for path, operations in description["paths"].items()
        for operation in operations.values()
    }
    assert refusals == {(True, False), (False, True)}


def test_every_read_describes_304(
    description: dict[str, Any],
) -> None:
    """Lists and files included."""
    reading = [each["get"] for each in description["paths"].values() if "get" in each]
    assert len(reading) > 40
    for operation in reading:
        names = [each["name"] for each in operation["parameters"]]
        assert names.count("If-None-Match") == 1, operation["operationId"]
        assert "304" in operation["responses"], operation["operationId"]


def test_taking_back_a_game_describes_its_response(
    description: dict[str, Any],
) -> None:
    """The deck, as it was before."""
    answers = description["paths"]["/api/v1/decks/{id}/games"]["delete"]["responses"]
    deck = answers["200"]["content"]["application/json"]["schema"]
    assert deck["$ref"].endswith("/KeptDeck")
    assert "204" not in answers


def test_two_schemas_of_one_name_are_an_error() -> None:
    """Both among the named ones and with an existing component."""
    text, number = (
        {NAME: "Thing", "type": "string"},
        {NAME: "Thing", "type": "number"},
    )
    for path, there in (
        ({"a": text, "b": number}, {}),
        ({"a": text}, {"Thing": {"type": "number"}}),
    ):
        result = {"paths": path, "components": {"schemas": there}}
        with pytest.raises(ValueError, match="Thing"):
            with_components(result, None, None, public=True)


def test_a_yaml_1_2_parser_reads_the_same() -> None:
    """A code like 01088 stays a string, and nothing else is read differently."""
    read = {
        (node.value, _kind_of(node.value), node.tag.rpartition(":")[2])
        for node in _scalars(yaml.compose(TEXT))
        if node.style is None
    }
    assert len(read) > 1_000
    assert not [each for each in read if each[1] != each[2]]
    assert "'01088': 2" in TEXT


def _kind_of(plain: str) -> str:
    fitting = (kind for kind, form in CORE if re.fullmatch(form, plain))
    return next(fitting, "str")


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
        return
    assert node is not None
    for each in node.value:
        for part in each if isinstance(each, tuple) else (each,):
            yield from _scalars(part)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/decks/",
        "/api/v1/decks/import",
        "/api/v1/decks/{id}/ledger/",
        "/api/v1/decks/{id}/games",
        "/api/v1/campaigns/",
        "/api/v1/campaigns/{id}/branches/",
        "/api/v1/campaigns/{id}/invitations/",
    ],
)
def test_a_full_quota_is_described(description: dict[str, Any], path: str) -> None:
    """409 where something is created."""
    assert "409" in description["paths"][path]["post"]["responses"]


@pytest.mark.django_db
def test_names_in_descriptions_are_rendered_as_code(client: Client) -> None:
    """Without backticks; the text around them stays text."""
    page = client.get("/api/docs").content.decode()

    assert "<code>encounter=1</code> every card" in page
    assert "`" not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL)
    assert with_code("``a`` <b> `c`") == "<code>a</code> &lt;b&gt; <code>c</code>"


@pytest.mark.django_db
def test_a_server_generates_the_description_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its first visitor, so that none has to wait."""
    load_descriptions()
    monkeypatch.delattr(SchemaGenerator, "get_schema")
    monkeypatch.delattr(api, "render_to_string")
    for address in ("docs", "schema", "schema?format=json"):
        assert client.get(f"/api/{address}").status_code == 200


# These create a thing once, however often they are sent.
MADE_ONCE = {"campaign_join", "guides_bring"}


def test_operations_that_create_accept_an_idempotency_key(
    description: dict[str, Any],
) -> None:
    """A program that got no response sends the request again."""
    unnamed = {
        operation["operationId"]
        for methods in description["paths"].values()
        for method, operation in methods.items()
        if method == "post"
        and operation["responses"].keys() & {"201", "202"}
        and "Idempotency-Key"
        not in {each["name"] for each in operation.get("parameters", ())}
    }
    assert unnamed == MADE_ONCE
