"""The scenarios in play as a file has them: bag, counters, notes and ticks.

The bag is written as it is, not as it came to be: what it was drawn from is not to be
told. What a test has brought out is back, as after the test; sealed tokens stay sealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from arkham.rules.chaos import Token
from arkham.rules.chaos.bag import LIMITS
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault
from campaigns.models import PlayState
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.models.people import LONGEST_PERSON
from campaigns.play import in_play
from campaigns.play.in_play import InPlay
from campaigns.words.tokens import LETTERS

MOST_PLAYS = 200
MOST_TOKENS = 99  # of one kind
_SEEN = _("This is not what is expected here: {found}.")
Counts = tuple[tuple[str, int], ...]


class PlayRead(NamedTuple):
    """What is kept of one scenario.

    ``bag`` are the tokens in the bag by kind, ``sealed`` those on cards; ``known`` is
    the campaign's bag this one was filled from.
    """

    scenario: str
    bag: Counts
    sealed: Counts
    known: Counts
    counters: Counts = ()
    notes: str = ""
    notes_by: str = ""
    ticked: tuple[str, ...] = ()


def play_data(row: PlayState) -> dict[str, Any]:
    """What is kept of a scenario, as JSON."""
    content = in_play.read(row.content)
    bag = content.play.bag.after_the_test()
    sealed = Counter(token.value for _card, token in bag.sealed)
    return {
        "scenario": row.scenario,
        "bag": [[token.value, count] for token, count in bag.counts],
        "sealed": [list(each) for each in sorted(sealed.items())],
        "known": [list(each) for each in content.known.items()],
        "counters": [list(each) for each in content.counters],
        "notes": content.notes,
        "notes_by": content.notes_by,
        "ticked": list(content.ticked),
    }


def in_play_of(read: PlayRead, *, secret: str, by: str) -> InPlay:
    """The same again, its draws derived from ``secret``; ``by`` is who brings it."""
    start = Counter(dict(read.bag))
    start.update(dict(read.sealed))
    steps = [f"s{LETTERS[Token(kind)]}" for kind, n in read.sealed for _ in range(n)]
    return InPlay(
        start=dict(start),
        known=dict(read.known),
        seed="",
        secret=secret,
        steps=tuple(steps),
        by=(by,) * len(steps),
        counters=read.counters,
        notes=read.notes,
        notes_by=read.notes_by,
        ticked=read.ticked,
    )


def faults_of(plays: Iterable[PlayRead]) -> Iterator[Fault]:
    """What nobody can have kept, each with its JSON pointer."""
    found = list(plays)
    scenarios = {each.scenario for each in found}
    if len(found) > MOST_PLAYS or len(scenarios) < len(found):
        expected = f"at most {MOST_PLAYS} scenarios, each once"
        yield Fault("/plays", _SEEN, expected, f"{len(found)} scenarios")
    for place, each in enumerate(found):
        for name, text, most in _texts(each):
            if len(text) > most:
                at = f"/plays/{place}/{name}"
                yield Fault(at, _SEEN, f"at most {most} letters", str(len(text)))
        for name, expected in (*_wrong_bags(each), *_wrong_counters(each)):
            yield Fault(f"/plays/{place}/{name}", _SEEN, expected, "others")


def _texts(read: PlayRead) -> Iterator[tuple[str, str, int]]:
    yield "scenario", read.scenario, LONGEST_SCENARIO
    yield "notes", read.notes, in_play.LONGEST_NOTES
    yield "notes_by", read.notes_by, LONGEST_PERSON
    for number, text in enumerate(read.ticked):
        yield f"ticked/{number}", text, in_play.LONGEST_TICK
    for number, (text, _count) in enumerate(read.counters):
        yield f"counters/{number}/0", text, in_play.LONGEST_COUNTER


def _wrong_bags(read: PlayRead) -> Iterator[tuple[str, str]]:
    kinds = {token.value for token in Token}
    for name in ("bag", "sealed", "known"):
        counts: Counts = getattr(read, name)
        right = all(kind in kinds and 0 < n <= MOST_TOKENS for kind, n in counts)
        if not right or len(dict(counts)) < len(counts):
            yield name, f"tokens, each kind once, 1 … {MOST_TOKENS} of it"
            return
    held = Counter(dict(read.bag)) + Counter(dict(read.sealed))
    for token, most in LIMITS.items():
        if held[token.value] > most:
            yield "bag", f"at most {most} {token.value}, sealed ones counted"


def _wrong_counters(read: PlayRead) -> Iterator[tuple[str, str]]:
    most, names = in_play.MOST_COUNTERS, dict(read.counters)
    right = all(name and 0 <= n <= in_play.MOST_COUNTED for name, n in read.counters)
    if not right or len(names) < len(read.counters) or len(names) > most:
        expected = f"at most {most} names, each once, with 0 … {in_play.MOST_COUNTED}"
        yield "counters", expected
