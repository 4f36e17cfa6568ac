"""Searching the embedded pool: every key finds cards, or reports an error."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool import services
from cardpool.models import Card, Scope
from cardpool.queries import found, found_codes, read_search
from cardpool.search import describe, searched_instead
from cardpool.search.keys import KEYS
from cardpool.search.lexicon import QueryError
from tests.cardpool.helpers import codes

pytestmark = pytest.mark.usefixtures("rows")


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        # Names: every word, whatever its accents, case and punctuation.
        ("shrivelling", "01060 02154 02306"),
        ("SHRIVELLING", "01060 02154 02306"),
        ("kohaku", "10012 10014"),  # and a card that names him
        ("name:Kōhaku", "10012"),
        ("double or nothing", "02026"),
        ("o'toole", "01003 90008"),
        ("OTOOLE", "01003 90008"),
        ('name="hot streak"', "01057 50006"),
        ("name=streak", ""),
        ('"louisiana lion"', "01048 01054"),  # a subtitle
        ("shrivelling|kohaku level!=3", "01060 02306 10012 10014"),
        # Codes, of any printing.
        ("01060", "01060"),
        ("01560", "01060"),
        ("99999", ""),
        # Numbers.
        (
            "class:mystic z:arcane level:5",
            "02306 04311 08070 12071 60430 60431 60432 60481 60482",
        ),
        (
            "p>4 class:mystic z:arcane",
            "02306 04311 08070 12071 60430 60431 60432 60481 60482",
        ),
        ("cost:x", "02010 03238 06034 07268 09087 10024 10038 60365 90085"),
        ("cost<0", ""),
        ("cost:x level:2-4", "03238 07268"),
        ("c>=3 -t:investigator", "03007 03118 08096 60126 60132 60529"),
        ("agility:2 t:skill level:0", "01092"),
        ("j>0", "02111 03016"),
        ("qt>3 -class:neutral -is:weakness", ""),
        ("limit:1 class:rogue t:asset level:0", "10062 08046"),
        (
            "sanity:none health>0 t:asset f:guardian",
            "02147 03021 03305 51001 60159 60181",
        ),
        # Words.
        ("is:customizable class:seeker", "09040 09041 09042"),
        ("customizable:yes f:seeker", "09040 09041 09042"),
        ("customizable!no f:seeker", "09040 09041 09042"),
        (
            "is:multiclass class:seeker level>=3",
            "08085 08086 08099 08100 08103 08107 08121 08123 08124",
        ),
        ("myriad:yes class:rogue", "06026 06199 11058"),
        ('slot:"hand x2" class:mystic', "08060 08093 08118"),
        ("tag:exile t:event", "02115 03156 03157 05237 08076 09110 60523"),
        ("owner:01001 t:treachery", "01007 90031 98006"),
        ("owner:roland t:treachery", "01007 90031 98006"),
        ('bonded:"Dream Diary"', "06113"),
        ("b:basic released>=2026-04", "60154 60254 60356 60454 60554"),
        ("b:basic released>2026-03", "60154 60254 60356 60454 60554"),
        ("b:basic released>2026", ""),
        # Products.
        ("cycle:dwl t:investigator", "02001 02002 02003 02004 02005"),
        ("y:2 t:investigator", "02001 02002 02003 02004 02005"),
        ("e:nat t:skill", "01025 60126"),
        ("e:core|nat t:skill f:guardian", "01025 60126"),
        ("e:rcore t:skill f:guardian", "01025"),
        ("pack:dwlp t:investigator", "02001 02002 02003 02004 02005"),  # repackaged
        ("r<2016-11-10", ""),
        # Taboo lists.
        ("taboo:1 class:seeker", "01033 02002 02187"),
        ("taboo:2019-04-20 class:seeker", "01033 02002 02187"),
        ("change:forbidden", "02026 08076 60233"),
        ("under:9 change:forbidden", "02026 60233"),
        # Scopes.
        ("m:rats", ""),
        ("m:rats show:all", "01159"),
        ("set:rats show:encounter", "01159"),
        ("show:story t:asset m:torch", "01117"),
        ("show:story is:reward", "12181"),
        # Joining.
        ("(kohaku or shrivelling) level:5", "02306"),
        ("name:kohaku OR shrivelling level:5", "10012 02306"),
    ],
)
def test_a_search_finds(search: str, expected: str) -> None:
    assert sorted(codes(search)) == sorted(expected.split())


def test_words_match_abilities_and_traits() -> None:
    """Each from its beginning; the words of a card may be in different places."""
    found = codes("fight weapon class:guardian level:0 type:asset")
    assert {"01016", "01020"} <= set(found)
    assert "01018" not in found  # Beat Cop is no weapon
    assert codes('"nvestigate" type:event') == []
    assert "02303" in codes("investigate shroud type:event")
    assert codes('text:"per clue here"') == ["01001", "98004"]


def test_cards_of_the_name_come_first() -> None:
    found = codes("shrivelling")
    assert found[:3] == ["01060", "02154", "02306"]
    first, *others = codes("kohaku")
    assert (first, others) == ("10012", ["10014"])


# -- words that are misspelt, and words that are conditions --


@pytest.mark.parametrize(
    ("words", "name"),
    [("shotgun", "Shotgun"), ("haunted", "Haunted"), ("wither", "Wither")],
)
def test_the_card_called_so_comes_before_longer_names(words: str, name: str) -> None:
    """Sawed-Off Shotgun, Haunted Musician and Norman Withers come after it."""
    names = [embedded_pool()[code].name for code in codes(words)]

    assert names[0] == name
    assert len(set(names)) > 1


@pytest.mark.parametrize(
    ("search", "guess", "first"),
    [
        ("machette", "machete", "01020"),
        ("rolnd", "roland", "01001"),
        ("banks rolnd", "banks roland", "01001"),
        ("gaurd dog", "guard dog", "01021"),
        ("evidnce!", "evidence", "01022"),
        ("hotstreak", "hot streak", "01057"),
        ("hot steak level:4", "hot streak", "01057"),
        ("shriveli", "shrivelling", "01060"),
        ("SHRIVELING", "shrivelling", "01060"),
        ("cards with c:guardian machette", "machete", "01020"),
        ("emergancy cash", "emergency cache", "01088"),
        ("guard dig", "guard dog", "01021"),  # each word is well spelled
        ("the sikver mmoth", "silver moth", "10137"),
    ],
)
def test_misspelt_words_are_corrected(search: str, guess: str, first: str) -> None:
    read = read_search(search)
    assert read.guess == (guess,)
    assert first in found_codes(read)[:3]
    assert f"”. Showing cards like “{guess}”." in searched_instead(read)


@pytest.mark.parametrize(
    "search", ["shrivling 5", "shrivling (5)", "shrivling level 5"]
)
def test_a_misspelt_name_keeps_its_level(search: str) -> None:
    read = read_search(search)
    assert found_codes(read) == ("02306",)
    assert "“shrivling”. Showing cards like “shrivelling”." in searched_instead(read)


def test_a_number_that_is_no_level_of_the_card_is_ignored() -> None:
    assert found_codes(read_search("machette 5")) == ("01020",)


def test_several_words_may_be_suggested() -> None:
    read = read_search("beet")
    assert set(read.guess) == {"been", "beat", "belt"}
    assert "01018" in found_codes(read)[:3]


@pytest.mark.parametrize(
    "search",
    [
        "shrivelling",
        "shriv",
        "machete class:seeker",  # spelled well, but not of the class
        '"machette"',
        "name:machette",
        "-machette",
        "machette or shrivling",
        "ghoul priest",  # an encounter card, which is not shown
        "ghuol priest",
        "zzzzzz",
        "日本語のカード",
        "ax",
        " ".join(["machette"] * 11),
        "m" * 31,
    ],
)
def test_correct_words_are_not_corrected(search: str) -> None:
    assert read_search(search).guess == ()


def test_only_visible_cards_are_suggested() -> None:
    assert read_search("ghuol priest show:all").guess == ("ghoul priest",)


def test_exact_searches_are_sorted_by_name() -> None:
    """Cards of that name first, each by name and level, then the others."""
    for search in ("knife", "fight", "lucky", "the", "evidence", "investigate"):
        read = read_search(search)
        found = list(found_codes(read))
        rows = {row.pk: row for row in Card.objects.filter(pk__in=found)}

        def place(code: str, rows: dict[str, Card] = rows, word: str = search) -> Any:
            row = rows[code]
            level = -1 if row.level is None else row.level
            return word not in row.folded_names, row.folded_name, level, code

        assert found == sorted(found, key=place)
        assert not read.guess


def test_a_condition_and_its_negation_cover_all_cards() -> None:
    everything = set(codes(""))
    for condition in ("level:2", "cost:x", "trait:spell", "e:core", "taboo:any"):
        having, lacking = set(codes(condition)), set(codes(f"-{condition}"))
        assert having
        assert having | lacking == everything
        assert not having & lacking


def test_every_example_of_the_help_works() -> None:
    for key in KEYS:
        if key.name not in ("text", "owned"):
            assert codes(f"{key.example} show:all"), key.example


def test_every_operator_of_every_key_works_or_is_refused() -> None:
    for key in KEYS:
        value = key.example.partition(key.name)[2].lstrip(":<=>!")
        for operator in (":", "=", "!", "!=", "<", "<=", ">", ">="):
            with suppress(QueryError):
                codes(f"{key.name}{operator}{value}")


def test_every_spelling_leads_to_one_key() -> None:
    spellings = [spelling for key in KEYS for spelling in key.spellings]
    assert len(spellings) == len(set(spellings))


# -- spoilers --


def test_encounter_and_story_cards_come_only_when_asked_for() -> None:
    assert all(card.scope == "player" for card in found(read_search("")))
    shown = read_search("show:story")
    assert shown.scopes == {Scope.PLAYER, Scope.STORY}
    assert {card.scope for card in found(shown)} == {"player", "story"}


def test_back_sides_are_never_found() -> None:
    assert codes("discipline show:all t:asset") == [
        "08011a",
        "08012a",
        "08013a",
        "08014a",
    ]


# -- refusals --


@pytest.mark.parametrize(
    ("search", "column", "suggestion"),
    [
        ("clas:seeker", 1, "class"),
        ("level:2 lvel:3", 9, "level"),
        ("class:seaker", 7, "seeker"),
        ("class:seeker|mistic", 14, "mystic"),
        ("trait:spel", 7, "spell"),
        ("is:permanant", 4, "permanent"),
        ("pack:dunwhich", 6, "return to the dunwich legacy"),
        ("sort:nam", 6, "name"),
        ("class<2", 1, "class:2"),
        ("level:two", 7, ""),
        ("level<2|3", 9, ""),
        ("level<x", 7, ""),
        ("level:99999999999", 7, ""),
        ("cost:²", 6, ""),
        ("cost:0000009999999999999999999", 6, ""),
        ("released:20", 10, ""),
        ("taboo:99", 7, ""),
        ("access:nobody", 8, ""),
        ("access:01006", 8, ""),
        ('access:"joe diamond"', 8, ""),  # two investigators
        ("show:storry", 6, ""),
        ("(show:all or flare)", 2, ""),
        ("-show:all", 2, ""),
        ("v:dark", 1, ""),
        ("x:!", 3, ""),
        ("!!!", 1, ""),
        ("name:'", 6, ""),
        ("unique:maybe", 8, ""),
        ("under:never", 7, ""),
        ("sort<name", 5, ""),
    ],
)
def test_unknown_values_are_refused_at_their_place(
    search: str, column: int, suggestion: str
) -> None:
    with pytest.raises(QueryError) as refusal:
        codes(search)
    assert (refusal.value.column, refusal.value.suggestion) == (column, suggestion)
    assert refusal.value.expected


def test_a_refusal_has_suggestions() -> None:
    with pytest.raises(
        QueryError,
        match="We don’t know “seaker”. Did you mean “seeker”?".replace("?", "[?]"),
    ):
        codes("class:seaker")
    with pytest.raises(
        QueryError, match="Expected: the code of one of them"
    ) as refusal:
        codes('access:"joe diamond"')
    assert "Joe Diamond 05002, Joe Diamond 12004" in refusal.value.expected


def refusal_of(search: str) -> QueryError | None:
    try:
        codes(search)
    except QueryError as refusal:
        return refusal
    return None


WORDS = st.sampled_from(
    [*(key.name for key in KEYS), *(key.letters for key in KEYS if key.letters),
     "show", "under", "sort", "nonsense"]
)  # fmt: skip
OPERATORS = st.sampled_from([":", "=", "!", "!=", "<", "<=", ">", ">="])
VALUES = st.one_of(
    st.sampled_from(
        ["seeker", "2", "x", "none", "1-3", "core", "latest", "yes", "01001"]
    ),
    st.text("abcé0129-", min_size=1, max_size=6),
)


@given(st.lists(st.tuples(WORDS, OPERATORS, VALUES), min_size=1, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_key_accepts_or_refuses_every_value(
    conditions: list[tuple[str, str, str]],
) -> None:
    search = " ".join(map("".join, conditions))
    refusal = refusal_of(search)
    if refusal is not None:
        assert 1 <= refusal.column <= len(search)
        assert refusal.expected


# -- order, text, cost --


def test_the_order_can_be_chosen() -> None:
    assert codes("shrivelling sort:level") == ["01060", "02154", "02306"]
    assert codes("cycle:dwl t:investigator sort:set") == [
        "02001",
        "02002",
        "02003",
        "02004",
        "02005",
    ]
    assert codes("cycle:dwl t:investigator") == [
        "02005",
        "02003",
        "02004",
        "02002",
        "02001",
    ]


def test_text_is_searched_once_imported(rows: CardPool) -> None:
    texts = {"01060": {"text": "<b>1</b> charge: \u201cburn\u201d [[Spell]] Æther."}}
    services.load_pool(services.Contents(embedded_pool(), "test", texts=texts))
    assert codes('x:"burn spell aether"') == ["01060"]
    assert codes('x:"1 charge burn"') == ["01060"]
    assert codes("x!burn shrivelling") == ["02154", "02306"]
    assert codes("text:unheard") == []


def test_a_search_takes_two_queries() -> None:
    codes("access:01001")  # compiled once; the order of all cards is known from here
    with CaptureQueriesContext(connection) as asked:
        codes("access:01001 class:seeker trait:tome e:core or taboo:latest")
    assert len(asked) == 2  # the version of the data; the cards
    with CaptureQueriesContext(connection) as asked:
        codes("investigate -shrouded access:01002")
    assert len(asked) == 1  # words and access are known without a query


def test_facts_are_not_loaded() -> None:
    assert "facts" in found(read_search("")).first().get_deferred_fields()  # type: ignore[union-attr]
    assert Card.objects.get(code="01060").facts["name"] == "Shrivelling"


# -- plain words --


@pytest.mark.parametrize(
    ("search", "words"),
    [
        ("", ""),
        ("hot streak", "“hot”, “streak”"),
        (
            "class:seeker|mystic level<=2 -trait:spell",
            "class seeker or mystic, level at most 2, not trait spell",
        ),
        (
            "access:01004 under:latest",
            "may be included by Agnes Baker (01004), "
            "under the taboo list of 2026-02-19",
        ),
        (
            "t:asset or (t:event cost:0)",
            "type asset or (type event, cost 0)",
        ),
        (
            "is:permanent unique:no myriad!yes",
            "permanent, not unique, not myriad",
        ),
        ("exile!0", "exile"),
        (
            "e:core y:2 m:torch",
            "product Core Set, cycle The Dunwich Legacy, encounter set The Gathering",
        ),
        (
            "cost!=2 w>1 i>=2 c<3",
            "cost other than 2, willpower icons above 1, "
            "intellect icons at least 2, combat icons below 3",
        ),
        ("show:story sort:set", "among: player cards, story cards, in order of set"),
        ('name="Lucky!"', "name “Lucky!”"),
    ],
)
def test_a_search_in_plain_words(search: str, words: str) -> None:
    assert describe(read_search(search)) == words


def test_a_search_checks_few_investigators() -> None:
    """Each takes a while; the same one is cached."""
    few = [f"0100{n}" for n in range(1, 6)]
    read_search(" or ".join(f"access:{code}" for code in [*few, *few]))

    with pytest.raises(QueryError, match="at most 5 investigators"):
        read_search(" or ".join(f"access:{code}" for code in [*few, "02001"]))
