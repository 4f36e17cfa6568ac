"""Searches of cards as they come: none is remembered, many are misspelt."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache, partial

from bench.pool import SEARCHES
from bench.site import visitor
from bench.timing import percentile, processor_ms

Measures = dict[str, tuple[float, str]]

SEED = 1926
MISTYPED = 400  # names
TWO_ERRORS = 9  # letters of a name in which two are made
WORDS = (
    "fight weapon level 0",
    "cards with c:guardian machette",
    "seeker events",
    "gaurdian skil",
    "level 2+ mystic assets",
    "rouge events lvl 0",
    "0 cost survivor",
    "basic weakness",
    "zzzzzzzz",
    "guard dig",
    "machete class:seeker",
    "draw cards lsoe hororr",
)
# A mistyped name with a filter, a level, or another word, as players mix them.
MIXED = (
    "{typed} level:0-5",
    "{typed} class:guardian|seeker|rogue",
    "{typed} type:asset cost<=4",
    "{typed} 2",
    "{word} {other}",
    "{typed} {other}",
    "{word} -trait:spell sort:cost",
    "seeker {word} level 0",
)
_BESIDE = {
    letter: row[max(place - 1, 0) : place] + row[place + 1 : place + 2]
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for place, letter in enumerate(row)
}


def _mistyped(name: str, chance: random.Random) -> str:
    """A name with a letter swapped, dropped, doubled, or of the key beside it."""
    letters = [place for place, each in enumerate(name) if each in _BESIDE]
    for _error in range(1 if len(name) < TWO_ERRORS else 2):
        place = chance.choice(letters)
        before, letter, after = name[:place], name[place], name[place + 1 :]
        name = chance.choice(
            (
                before + after[:1] + letter + after[1:],
                before + after,
                before + letter + letter + after,
                before + chance.choice(_BESIDE[letter]) + after,
            )
        )
        letters = [place for place, each in enumerate(name) if each in _BESIDE]
    return name


@cache
def _names() -> tuple[tuple[str, str], ...]:
    """Names as they are mistyped, and as they are."""
    visitor()

    from arkham.rules.snapshot import embedded_pool
    from cardpool.words import fold

    chance = random.Random(SEED)
    cards = embedded_pool().values()
    every = {
        fold(each.name) for each in cards if not (each.encounter_set or each.hidden)
    }
    long = sorted(name for name in every if sum(each in _BESIDE for each in name) > 3)
    chosen = chance.sample(long, MISTYPED)
    pairs = ((_mistyped(name, chance), name) for name in chosen)
    return tuple((typed, name) for typed, name in pairs if typed != name)


def _found(search: str) -> tuple[str, ...]:
    """What a search finds, as if it were the first."""
    from cardpool import queries

    for kept in (queries._codes, queries._answered):
        kept.cache_clear()
    return queries.found_codes(queries.read_search(search))


def _times(searches: Iterable[str]) -> list[float]:
    """The processor time of each search in milliseconds."""
    _found("machette")  # the words of all cards are read once
    return [processor_ms(partial(_found, search)) for search in searches]


def exact() -> Measures:
    """The searches of ``pool.*``, without what their answers leave behind."""
    visitor()
    _times(SEARCHES)  # orders, and what investigators may include, are found once
    times = _times(SEARCHES)
    return {
        "search.exact_median_ms": (percentile(times, 50), "ms"),
        "search.exact_p95_ms": (percentile(times, 95), "ms"),
    }


def forgiving() -> Measures:
    """Mistyped names and ordinary words; how often a name is among the first three."""
    from arkham.rules.snapshot import embedded_pool
    from cardpool.words import fold

    pool = embedded_pool()
    names = _names()
    times = _times([*(typed for typed, _name in names), *WORDS])
    found = sum(
        name in [fold(pool[code].name) for code in _found(typed)[:3]]
        for typed, name in names
    )
    return {
        "search.forgiving_median_ms": (percentile(times, 50), "ms"),
        "search.forgiving_p95_ms": (percentile(times, 95), "ms"),
        "search.forgiving_max_ms": (max(times), "ms"),
        "search.recall_at_3": (100 * found / len(names), "%"),
    }


def mixed() -> Measures:
    """Mistyped names beside filters, levels and other words, each different."""
    names = _names()
    searches = [
        MIXED[place % len(MIXED)].format(
            typed=typed, word=name.split()[0], other=names[place - 1][1].split()[-1]
        )
        for place, (typed, name) in enumerate(names)
    ]
    times = _times(dict.fromkeys(searches))
    return {
        "search.mixed_median_ms": (percentile(times, 50), "ms"),
        "search.mixed_p95_ms": (percentile(times, 95), "ms"),
        "search.mixed_max_ms": (max(times), "ms"),
    }


def header() -> Measures:
    """What is offered under the search box of every page, letter by letter."""
    from urllib.parse import quote

    headers = {"hx-request": "true", "hx-target": "glance"}
    typed = [
        name[:length] for name, _ in _names()[:25] for length in range(2, len(name))
    ]

    def glance(text: str) -> object:
        return visitor().get(f"/search/?q={quote(text)}", headers=headers)

    glance("machette")
    times = [processor_ms(partial(glance, text)) for text in typed]
    return {
        "search.header_median_ms": (percentile(times, 50), "ms"),
        "search.header_p95_ms": (percentile(times, 95), "ms"),
    }
