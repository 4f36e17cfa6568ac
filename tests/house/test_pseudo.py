"""No English is left where another language is spoken."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from gettext import GNUTranslations
from itertools import chain
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils.translation import trans_real

from arkham.rules.checking import read_request
from arkham.rules.legality import check, judge_of
from arkham.rules.snapshot import embedded_pool
from arkham.rules.ultimatums import ALL
from arkham.web.language import advice_text, finding_text
from campaigns.models import Campaign
from cardpool import views
from cardpool.templatetags import cards
from decks.models import Deck
from decks.services.games import known_scenarios
from tests.house.addresses import ADDRESSES
from tests.house.pseudo import PROJECT, Spoken, beside, catalogue, plain_words

# Of the site and of what it speaks, the same in every language.
PROPER = frozenset({"Orne", "API", "FAQ", "JSON", "OpenAPI"})
# What the guide of the campaigns here calls itself, its scenario and its sections.
GUIDE = frozenset({"Our own", "Friday", "one", "Team", "Campaign Notes", "Memories"})
DECKS = sorted((PROJECT / "tests/rules/corpus/decks").glob("*/*.toml"))


@pytest.fixture(scope="module")
def wide(template_of_messages: Path) -> GNUTranslations:
    """The catalogue of today in wide letters."""
    wide = catalogue(template_of_messages, template_of_messages.parent)
    beside(wide)
    return wide


@pytest.fixture(scope="module")
def names() -> frozenset[str]:
    """What the card data call things: they come in languages of their own."""
    pool = embedded_pool()
    chaos = json.loads((PROJECT / "arkham/rules/data/chaos.json").read_text())
    cards = [pool[code] for code in pool]
    return frozenset(
        [
            *(each.name for each in cards),
            *(each.subname for each in cards),
            *(trait.title() for each in cards for trait in each.traits),
            *(line.name for each in cards for line in each.sheet),
            *(each.name for each in pool.packs.values()),
            *(each.name for each in pool.cycles.values()),
            *pool.encounter_sets.values(),
            *(each.name for each in ALL.values()),
            *(each["name"] for each in (*chaos["campaigns"], *chaos["scenarios"])),
        ]
    ) - {""}


@pytest.fixture
def spoken(wide: GNUTranslations, monkeypatch: pytest.MonkeyPatch) -> None:
    """The language is spoken in the place of English."""
    english = trans_real.translation("en")
    monkeypatch.setattr(english, "_catalog", trans_real.TranslationCatalog(wide))
    # Lines of cards are kept by language, and this one goes by the name of English.
    monkeypatch.setattr(views, "_LINES", WeakKeyDictionary())
    # Plates of investigators are kept too.
    monkeypatch.setattr(cards, "_plate", cards._plate.__wrapped__)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from (key, *_strings(each))
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, str):
        yield value


@pytest.mark.usefixtures("spoken")
def test_findings_of_the_corpus_say_no_english(names: frozenset[str]) -> None:
    """Beside names of cards and what the deck itself says."""
    judge = judge_of(embedded_pool())
    left = {}
    for path in DECKS:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        terms = data.get("circumstances", {})
        asked = read_request({"deck": data["deck"], "circumstances": terms})
        own = {
            word
            for each in _strings([data["deck"], terms])
            for word in plain_words(each)
        }
        for finding in check(judge, asked.deck, asked.circumstances).findings:
            texts = [finding_text(finding), advice_text(finding)]
            words = [w for each in texts for w in plain_words(each, names | own)]
            if words:
                left[finding.rule, finding.text] = words
    assert left == {}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_say_no_english(
    as_alice: Client, names: frozenset[str], address: str
) -> None:
    """Beside names, and what is marked as being in no language."""
    answer = as_alice.get(address)
    if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
        return
    page = Spoken()
    page.feed(answer.content.decode())
    left = {text: plain_words(text, names | PROPER | {"alice"}) for text in page.texts}
    assert {text: words for text, words in left.items() if words} == {}


def _addresses_of(app: str, pk: int) -> Iterator[str]:
    """Every address of an app that needs one number."""
    for entry in get_resolver(f"{app}.urls").url_patterns:
        route = str(entry.pattern)
        if isinstance(entry, URLPattern) and re.findall("<[^>]*>", route) == [
            "<int:pk>"
        ]:
            yield f"/{app}/" + route.replace("<int:pk>", str(pk))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("spoken", "rows")
def test_pages_of_decks_and_campaigns_say_no_english(
    as_alice: Client, pages: list[str], names: frozenset[str]
) -> None:
    """Beside names, and what the guide and its sections are called."""
    scenarios = (str(name) for each in known_scenarios() for name in each[:2])
    called = names | PROPER | GUIDE | {"alice", "](address)", embedded_pool().version}
    called |= frozenset(scenarios)
    decks = (_addresses_of("decks", each.pk) for each in Deck.objects.all())
    tables = (_addresses_of("campaigns", each.pk) for each in Campaign.objects.all())
    left: dict[str, tuple[list[str], str]] = {}
    read = 0
    for address in {*chain(*decks, *tables), *pages}.difference(ADDRESSES):
        answer = as_alice.get(address)
        if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
            continue
        read += 1
        page = Spoken()
        page.feed(answer.content.decode())
        words = {text: plain_words(text, called) for text in page.texts}
        left |= {text: (each, address) for text, each in words.items() if each}
    assert sorted(left.items()) == []
    assert read > 40
