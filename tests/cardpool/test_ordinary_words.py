"""Searches in ordinary words: conditions, names that contain such words, levels."""

from __future__ import annotations

import pytest

from cardpool.queries import NothingFound, found_codes, read_search
from cardpool.search import searched_instead
from cardpool.search.natural import PHRASES
from cardpool.search.query import parse, written
from tests.cardpool.helpers import codes

pytestmark = pytest.mark.usefixtures("rows")


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("level 0", "level:0"),
        ("lvl 2", "level:2"),
        ("3 xp", "level:3"),
        ("level 2+", "level>=2"),
        ("level 1-3 rogue", "level:1-3 class:rogue"),
        ("guardian events level 2 or less", "class:guardian type:event level<=2"),
        ("3 xp or more", "level>=3"),
        ("cost 1 or lower ally slot", "cost<=1 slot:ally"),
        ("cost 2", "cost:2"),
        ("0 cost", "cost:0"),
        ("cost x", "cost:x"),
        ("seeker event", "class:seeker type:event"),
        ("seeker events", "class:seeker type:event"),
        ("fast events", "is:fast type:event"),
        ("events for seekers", "class:seeker type:event"),
        ("guardian skill", "class:guardian type:skill"),
        ("seeker mystic asset", "class:seeker|mystic type:asset"),
        ("permanent survivor cards", "is:permanent class:survivor"),
        ("basic weakness", "is:basic-weakness"),
        ("basic weaknesses", "is:basic-weakness"),
        ("arcane slot level 5", "slot:arcane level:5"),
        ("fight weapon level 0", "fight weapon level:0"),
        ("draw cards", "draw"),
        ("c:seeker level 0", "class:seeker level:0"),
        ("c:seeker|mystic", "class:seeker|mystic"),
        ("rogue cost:0 events", "class:rogue cost:0 type:event"),
        ("seker event", "class:seeker type:event"),
        ("gaurdian skills", "class:guardian type:skill"),
        ("rouge events lvl 0", "class:rogue type:event level:0"),
        ("fight wepon level 0", "fight weapon level:0"),
        ("cheap survivor weapon", "cost<=2 class:survivor weapon"),
        ("survivor weapons", "class:survivor trait:weapon"),
        ("mystic allies level 0", "class:mystic trait:ally level:0"),
        ("heal horror seeker", "tag:heals-horror class:seeker"),
        ("seeker events without a test", "class:seeker type:event is:testless"),
        ("two-handed weapon", 'slot:"hand x2" weapon'),
        ("skill with 2 intellect icons", "type:skill intellect>=2"),
        ("expensive rogue events", "cost>=4 class:rogue type:event"),
        ("weapons for wendy", "trait:weapon access:01005"),
        ("bless tokens", "bless"),
        ("supplies", '"supplies"'),
        ("core set survivor", "cycle:core|core_ch2 class:survivor"),
        ("dunwich guardian events", "cycle:dwl class:guardian type:event"),
        ("edge of the earth rogue", "cycle:eoe class:rogue"),
        ("Dream-Eaters mystic", "cycle:tde class:mystic"),
        ("cheep survivor weapons", "cost<=2 class:survivor trait:weapon"),
    ],
)
def test_ordinary_words_are_conditions(words: str, conditions: str) -> None:
    assert sorted(codes(words)) == sorted(codes(conditions))
    assert codes(conditions)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("discover clue without test", "Working a Hunch"),
        ("discover clues without a test", "Intel Report"),
        ("move without provoking", "Cat Burglar"),
        ("cancel treachery", "Ward of Protection"),
        ("fight with willpower", "Shrivelling"),
        ("gain resources", "Emergency Cache"),
    ],
)
def test_phrases_of_players_find_the_cards_they_mean(words: str, name: str) -> None:
    search = read_search(words)
    found = {search.pool[code].name for code in found_codes(search)}
    assert name in found
    assert "Rabbit's Foot" not in found


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("storm of spirits mystic", "Storm of Spirits"),
        ("money talks level 2", "Money Talks"),
        ("seal of the elder sign mystic", "Seal of the Elder Sign"),
        ("hunter's mark guardian", "Hunter's Mark"),
        ("archaic glyphs asset", "Archaic Glyphs"),
        ("scrounge for supplies survivor", "Scrounge for Supplies"),
        ("seal of the elder sign spell", "Seal of the Elder Sign"),
        ("money favor", "Money Talks"),
        ("cheap trick", "Cheap Shot"),
        ("cheap guardian angel", "Guardian Angel"),
        ("cheap string of curses", "String of Curses"),
        ("cheap exploit weakness tactic", "Exploit Weakness"),
        ("expensive dreamers chronicle", "Dreamer's Chronicle"),
        ("ancients seeker", "Dial of Ancients"),
        ("connections seeker", "Professor William Webb"),
    ],
)
def test_a_name_beside_conditions_is_found(words: str, name: str) -> None:
    """Though a part of the name is a phrase of players, a class or a trait."""
    search = read_search(words)
    assert name in {search.pool[code].name for code in found_codes(search)[:4]}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("money talkaa", "money talks"),
        ("seal of the eldre isgn", "seal of the elder sign"),
        ("something eoryh fighting for", "something worth fighting for"),
    ],
)
def test_a_misspelt_name_wins_over_the_phrase_in_it(words: str, name: str) -> None:
    search = read_search(words)
    assert search.guess == (name,)
    assert found_codes(search)


def test_a_phrase_is_no_name_because_its_letters_are_within_one() -> None:
    """“Econ” is within “Second Wind”."""
    found = codes("econ guardians")
    assert set(found) == set(codes("econ class:guardian"))
    assert not set(found) & set(codes("name:second"))


def test_a_word_left_out_makes_no_phrase_of_a_name() -> None:
    """“Fighting” is a phrase, “fighting for” is in a name."""
    search = read_search("fighting for")
    first = search.pool[found_codes(search)[0]].name
    assert first == "Something Worth Fighting For"


@pytest.mark.parametrize("phrase", PHRASES)
def test_each_phrase_finds_the_cards_it_means(phrase: str) -> None:
    meant = found_codes(read_search(PHRASES[phrase]))
    assert meant
    assert set(meant) <= set(found_codes(read_search(phrase)))


def test_a_testless_card_is_no_skill_and_has_no_test() -> None:
    search = read_search("is:testless")
    found = [search.pool[code] for code in found_codes(search)]
    assert {"skill"}.isdisjoint(card.type for card in found)
    assert "The Council's Coffer" not in {card.name for card in found}


@pytest.mark.parametrize(
    ("words", "read", "fewer"),
    [
        (
            "survivor xyzzy weapon",
            "“xyzzy”, “weapon”, class survivor",
            ["without “xyzzy”"],
        ),
        ('class:seeker "clues" qwertz', "class seeker", ["without “qwertz”"]),
    ],
)
def test_a_search_that_finds_nothing_offers_less(
    words: str, read: str, fewer: list[str]
) -> None:
    nothing = NothingFound.of(words, read_search(words).pool)
    assert nothing.read.startswith(read)
    assert [each.name for each in nothing.fewer] == fewer
    assert all(codes(each.search) for each in nothing.fewer)


def test_a_word_in_quotation_marks_keeps_them() -> None:
    term = parse('"free" class:seeker')
    assert parse(written(term)) == parse('"free" class:seeker')


@pytest.mark.parametrize(
    "search",
    ["class:seeker|mystic -(trait:spell)", '"hot streak" (cost:0 OR level>=3)', "draw"],
)
def test_a_search_is_written_as_it_is_read(search: str) -> None:
    assert codes(written(parse(search))) == codes(search)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("beat cop 2", ["01028"]),
        ("Beat Cop (2)", ["01028"]),
        ("beat cop 0", ["01018"]),
        (".41 derringer 2", ["03234"]),
        ("peter sylvestre 2", ["02035"]),
        ("beat cop 2 class:guardian", ["01028"]),
        ("type:asset Beat Cop (2) sort:cost", ["01028"]),
    ],
)
def test_a_level_after_a_name_is_read(words: str, found: list[str]) -> None:
    assert codes(words) == found


def test_a_number_after_other_words_is_a_word() -> None:
    """No card is called “draw”; if Beat Cop has no level 4, both are shown."""
    assert sorted(codes("draw 2")) == sorted(codes('"draw" "2"'))
    assert codes("draw 2") != codes("draw level:2")
    assert codes("beat cop 4") == ["01018", "01028"]


def test_an_ambiguous_search_offers_both_readings() -> None:
    """“Guardian” and “asset” are words of other cards too, “seeker” and “event” not."""
    for words in ("guardian asset", "guardian asset sort:cost"):
        read = searched_instead(read_search(words))
        assert read == "Read as: class guardian, type asset."
    assert set(codes('"guardian" "asset"')) - set(codes("class:guardian type:asset"))
    for words in ("seeker event", "arcane slot level 5", "class:guardian type:asset"):
        assert searched_instead(read_search(words)) == ""


def test_a_name_made_of_such_words_is_a_name() -> None:
    assert codes("guardian angel") == codes('"guardian" "angel"') == ["07006"]
    named = codes("name:survivor")
    assert named
    assert codes("survivor")[: len(named)] == named
    assert set(codes("survivor")) == {*named, *codes("class:survivor")}
    assert codes("skill test")[:3] == codes('"skill" "test"')[:3]
    assert codes('"event"') != codes("event")
