"""The products of a deck's environment are kept with it everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rules.collection import listed_products, packs_of
from arkham.rules.deck import Environment
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.interchange.importing import read_list
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.decks.edits import apply
from tests.decks.helpers import NOW, terms_form, text_of

pytestmark = pytest.mark.usefixtures("rows")

POOL = embedded_pool()
FLASHLIGHT, DYNAMITE = "01087", "02026"  # of the core set; of The Dunwich Legacy
LIST = {"investigator_code": "01001", "slots": {FLASHLIGHT: 1, "02023": 1}}
LIMITED = {"kind": "limited", "cycles": ["ptc", "tcu", "tfa"]}
ONLY_CORE = {"kind": "products", "packs": ["core"]}
WITH_DUNWICH = {"kind": "products", "packs": ["core", "dwl"]}
KINDS: list[tuple[dict[str, Any] | None, bool]] = [
    (None, True),
    ({"kind": "legacy"}, True),
    ({"kind": "current"}, False),
    ({"kind": "current", "date": "2018-01-01"}, True),
    (LIMITED, False),
    ({"kind": "limited", "cycles": ["dwl", "ptc", "tfa"]}, True),
    (ONLY_CORE, False),
    (WITH_DUNWICH, True),
]


def _content(environment: dict[str, Any] | str | None, **meta: str) -> Any:
    told = {"environment": environment} if environment else {}
    return {"deck": LIST | {"meta": meta}, "circumstances": told}


def _deck(owner: User, environment: dict[str, Any] | str | None, **meta: str) -> Deck:
    content = read_content(_content(environment, **meta))
    return services.create_deck(owner=owner, content=content, now=NOW, name="Teddy")


def _names_dunwich(findings: list[dict[str, Any]]) -> bool:
    return any(
        each["rule"] == "environment.card" and "02023" in each["cards"]
        for each in findings
    )


class TestDoors:
    @pytest.mark.parametrize(("environment", "allowed"), KINDS)
    def test_every_interface_judges_by_it(
        self,
        alice: User,
        as_alice: Client,
        api: APIClient,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        environment: dict[str, Any] | None,
        allowed: bool,
    ) -> None:
        """The page, the API for a stored deck and one sent, and the shell."""
        deck = _deck(alice, environment)
        kept = as_alice.get(f"/api/v1/decks/{deck.pk}/legality").json()
        handed_in = api.post(
            "/api/v1/legality", _content(environment), format="json"
        ).json()
        file = tmp_path / "deck.jsonl"
        file.write_text(json.dumps(_content(environment)) + "\n")
        with pytest.raises(SystemExit):
            call_command("check_decks", str(file))
        shell = json.loads(capsys.readouterr().out)
        page = text_of(as_alice.get(f"/decks/{deck.pk}/"))
        found = [_names_dunwich(each["findings"]) for each in (kept, handed_in, shell)]
        assert found == [not allowed] * 3
        assert ("isn’t in any product of the" in page) is not allowed

    def test_the_api_keeps_it(self, alice: User, as_alice: Client) -> None:
        deck = _deck(alice, LIMITED)
        kept = as_alice.get(f"/api/v1/decks/{deck.pk}/").json()
        assert kept["circumstances"] == {"environment": LIMITED, "mode": "start"}

    @pytest.mark.parametrize(
        ("environment", "shown"),
        [
            (None, "Every product"),
            ({"kind": "legacy"}, "Legacy: every product"),
            ({"kind": "current"}, "Current"),
            ({"kind": "current", "date": "2025-01-01"}, "Current as of 2025-01-01"),
            (
                LIMITED,
                "Limited: The Path to Carcosa, The Circle Undone, The Forgotten Age",
            ),
            (WITH_DUNWICH, "Products: Core Set, The Dunwich Legacy"),
        ],
    )
    @pytest.mark.parametrize("page", ["", "edit", "sheet"])
    def test_the_pages_show_it(
        self,
        alice: User,
        as_alice: Client,
        environment: dict[str, Any] | None,
        shown: str,
        page: str,
    ) -> None:
        deck = _deck(alice, environment)
        assert shown in text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))


class TestBuilder:
    def _choose(self, client: Client, deck: Deck, **fields: str) -> dict[str, Any]:
        deck.refresh_from_db()
        form = terms_form(mode="campaign", **fields)
        data = {"revision": deck.revision, **form}
        answer = client.post(f"/decks/{deck.pk}/edit", data)
        assert answer.status_code == 303
        deck.refresh_from_db()
        told = dict(deck.revisions.get(number=deck.revision).circumstances)
        assert told.pop("mode") == "campaign"
        return told

    def test_it_is_chosen_on_the_pages(self, alice: User, as_alice: Client) -> None:
        deck = _deck(alice, None)
        told = self._choose(as_alice, deck, environment="current")
        assert told == {"environment": {"kind": "current"}}
        told = self._choose(as_alice, deck, environment="legacy")
        assert told == {"environment": {"kind": "legacy"}}
        assert self._choose(as_alice, deck, environment="") == {}

    @pytest.mark.parametrize(
        "environment", [LIMITED, ONLY_CORE, {"kind": "current", "date": "2025-01-01"}]
    )
    def test_the_short_form_keeps_an_environment_it_cannot_edit(
        self, alice: User, as_alice: Client, environment: dict[str, Any]
    ) -> None:
        """It offers it unchanged, and removes it only on request."""
        deck = _deck(alice, environment)
        page = as_alice.get(f"/decks/{deck.pk}/edit").content.decode()
        assert '<option value="unchanged" selected>' in page
        told = self._choose(as_alice, deck, environment="unchanged", experience="3")
        assert told == {"environment": environment, "experience": 3}
        assert (
            self._choose(as_alice, deck, experience="4")["environment"] == environment
        )
        assert self._choose(as_alice, deck, environment="legacy") == {
            "environment": {"kind": "legacy"}
        }

    def test_an_environment_not_offered_is_refused(
        self, alice: User, as_alice: Client
    ) -> None:
        deck = _deck(alice, None)
        answer = as_alice.post(
            f"/decks/{deck.pk}/edit",
            {"revision": 1, **terms_form(mode="campaign", environment="unchanged")},
        )
        assert answer.status_code == 422
        assert deck.revisions.count() == 1


class TestFiles:
    @pytest.mark.parametrize("file", ["list.json", "plain.txt", "list.md"])
    @pytest.mark.parametrize(
        ("environment", "allowed"), [each for each in KINDS if each[0]]
    )
    def test_its_products_survive_a_round_trip(
        self,
        alice: User,
        as_alice: Client,
        file: str,
        environment: dict[str, Any],
        allowed: bool,
    ) -> None:
        """As ``card_pool``; the same cards are included when it is read."""
        deck = _deck(alice, environment, card_pool="tskp")
        text = as_alice.get(f"/decks/{deck.pk}/{file}").content.decode()
        read = read_list(text, POOL)
        assert read.content is not None
        back = services.create_deck(owner=alice, content=read.content, now=NOW)
        verdict = as_alice.get(f"/api/v1/decks/{back.pk}/legality").json()
        assert _names_dunwich(verdict["findings"]) is not allowed

    def test_custom_products_are_named_one_by_one(
        self, alice: User, as_alice: Client
    ) -> None:
        deck = _deck(alice, WITH_DUNWICH)
        data = as_alice.get(f"/decks/{deck.pk}/list.json").json()
        assert json.loads(data["meta"])["card_pool"] == "core,dwl"

    def test_the_environment_of_a_list_stays_unless_changed(
        self, alice: User, as_alice: Client
    ) -> None:
        deck = _deck(alice, None, card_pool="core,cycle:dwl")
        data = as_alice.get(f"/decks/{deck.pk}/list.json").json()
        assert json.loads(data["meta"])["card_pool"] == "core,cycle:dwl"

    def test_legacy_names_no_products(self, alice: User, as_alice: Client) -> None:
        deck = _deck(alice, {"kind": "legacy"}, card_pool="core")
        data = as_alice.get(f"/decks/{deck.pk}/list.json").json()
        assert "card_pool" not in json.loads(data["meta"])

    @pytest.mark.parametrize(
        ("environment", "said"),
        [(LIMITED, 3), (ONLY_CORE, 0), ("current", 3), ("legacy", 0)],
    )
    def test_the_page_says_what_a_file_leaves_out(
        self,
        alice: User,
        as_alice: Client,
        environment: dict[str, Any] | str,
        said: int,
    ) -> None:
        """The products are included; that they are a limited environment isn't."""
        deck = _deck(alice, environment)
        page = text_of(as_alice.get(f"/decks/{deck.pk}/"))
        assert page.count("the environment of the products") == said


def _packs(environment: Environment) -> set[str]:
    packs = packs_of(environment, POOL, DEFAULT_RULINGS)
    assert packs is not None
    return {code for code in packs if not code.startswith("cycle:")}


@pytest.mark.parametrize(
    "environment",
    [
        Environment("current"),
        Environment("current", "2021-01-01"),
        Environment("current", "2016-11-11"),
        Environment("limited", cycles=("dwl", "ptc", "tfa")),
        Environment("limited", cycles=("eoe", "tsk", "fhv")),
        Environment("products", packs=("core", "cycle:dwl", "tskp")),
    ],
)
def test_a_list_of_its_products_holds_the_same_cards(environment: Environment) -> None:
    """Product by product, or whole cycles."""
    listed = listed_products(environment, POOL, DEFAULT_RULINGS)
    again = Environment("products", packs=listed)
    assert _packs(again) == _packs(environment)


@pytest.mark.parametrize(
    ("terms", "out", "price"),
    [
        ({"environment": {"kind": "current"}}, "02017", 0),
        ({"environment": LIMITED}, "02017", 0),
        ({"environment": ONLY_CORE}, "02017", 0),
        ({"environment": {"kind": "current"}}, "01025", 1),  # it is in the environment
        ({"environment": WITH_DUNWICH}, "02017", 1),
        ({"ultimatums": ["highlander"]}, "01025", 0),  # one of two copies
        ({}, "02017", 1),
    ],
)
def test_cards_outside_what_is_chosen_in_mid_campaign_are_replaced_for_nothing(
    alice: User, terms: dict[str, Any], out: str, price: int
) -> None:
    """Until then they were allowed, so they are forced to leave (FAQ 1.18)."""
    changes = [("remove", "01020"), ("add", "02017")]
    content = apply(starter_deck(POOL, "01001"), changes, POOL)
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=1, now=NOW
    )
    opened = services.opened(deck.revisions.get())
    content = apply(opened, [("remove", out), ("add", FLASHLIGHT)], POOL)
    content = replace(content, circumstances={**content.circumstances, **terms})
    preview = services.preview_upgrade(deck=deck, content=content)
    assert preview.invoice.total == price


def test_a_limited_environment_is_listed_by_its_cycles() -> None:
    listed = listed_products(
        Environment("limited", cycles=("dwl", "ptc", "tfa")), POOL, DEFAULT_RULINGS
    )
    assert set(listed) == {
        *("core", "rcore", "nat", "har", "win", "jac", "ste"),
        *("rtdwl", "rtptc", "rttfa", "cycle:dwl", "cycle:ptc", "cycle:tfa"),
    }
