"""The shared state of a scenario in play, and the acts that change it.

It has the live chaos bag with every step taken, counters, a notepad, and ticks. An act
names the version its author saw. Acts that don't depend on the rest (one more doom, a
tick) always succeed; a draw or a change of the notes raises :class:`Behind` if the bag
or the notes have changed since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.chaos import ChaosBag
from arkham.rules.chaos.bag import LIMITS
from arkham.rules.draws.record import Draws, bag_pool, commitment_to, derived, numbered
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.play.addresses import LETTERS
from campaigns.play.areas import is_of_a_card, removes
from campaigns.play.bag import (
    Practice,
    findings_against,
    is_step,
    practice_of,
    step_of,
    steps_between,
)

MOST_STEPS = 1_000  # of one bag; a long scenario takes about 300
MOST_COUNTERS = 12
MOST_COUNTED = 999
MOST_TICKS = 400
MOST_KEYS = 300  # of earlier requests, to recognise repeated ones
MOST_AT_ONCE = 5  # tokens revealed by one press
LONGEST_COUNTER = 40
LONGEST_NOTES = 2_000
LONGEST_TICK = 120
ROUND = "Round"
COUNTERS = ("Doom", "Clues", ROUND)  # every scenario begins with these
_FREE = frozenset(LETTERS[token] for token in LIMITS)  # may come and go at any time


class Behind(Exception):
    """Others have changed what this depends on; nothing was done."""


class ActKeyReused(Exception):
    """Something else was done under this key before; nothing was done."""


class ImpossibleAct(Exception):
    """An act is impossible; ``findings`` say why. Nothing was done."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(each.rule for each in findings))
        self.findings = findings


class Act(NamedTuple):
    """An act of a player: its kind, its object, and the version they saw.

    ``do`` is a step of the bag as ``campaigns.play.bag`` writes it (for a draw ``what``
    is the number of tokens, 1 by default; for a step taken without network the letters
    of the tokens its author saw revealed, “/”, and of those sealed), ``undo``,
    ``renew``, ``more`` or ``less`` (of the counter ``what``), ``add`` or ``drop`` (a
    counter), ``tick`` or ``untick``, ``notes`` (``what`` is the whole text), ``area``
    (``what`` is an investigator, “/” and a step of ``campaigns.play.areas``) or
    ``round``, which begins a new one for everyone (``unround`` undoes it). Acts with
    the same ``key`` of one author are done once.
    """

    do: str
    what: str = ""
    seen: int = 0
    key: str = ""


class KeptArea(NamedTuple):
    """An investigator's play area as text, and when a card last left it.

    ``moved_at`` is that version: indexes of cards in older ones are outdated.
    """

    investigator: str
    text: str
    moved_at: int = 0


@dataclass(frozen=True, slots=True)
class ScenarioInPlay:
    """Everything stored about a scenario in play.

    ``start`` is the bag at the start, ``known`` the campaign's bag it was made from;
    ``steps`` are the steps since, ``by`` their authors. ``bag_at`` and ``notes_at`` are
    the versions of the last change of the bag and the notes, ``round_at`` that of the
    last round. ``areas`` are the play areas that players have changed; ``earlier``
    undoes the round, until an area or a counter changes.

    Draws from number ``secret_from`` on derive from ``secret``, which is never shown;
    earlier ones derive from ``seed``, which everyone saw.
    """

    start: Mapping[str, int]
    known: Mapping[str, int]
    seed: str
    steps: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    bag_at: int = 0
    counters: tuple[tuple[str, int], ...] = tuple(
        (each, int(each == ROUND)) for each in COUNTERS
    )
    notes: str = ""
    notes_by: str = ""
    notes_at: int = 0
    ticked: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    secret: str = ""
    secret_from: int = 1
    areas: tuple[KeptArea, ...] = ()
    round_at: int = 0
    earlier: Mapping[str, Any] | None = None

    @property
    def play(self) -> Practice:
        """The bag after every step."""
        return practice_of(
            ChaosBag.of(self.start),
            self.seed,
            list(self.steps),
            most=MOST_STEPS,
            seeds=self._seed_of_draw,
        )

    @property
    def commitment(self) -> str:
        """A digest of the next draw's seed, known before the draw."""
        pool = bag_pool(self.play.bag)
        return commitment_to(self._seed_of_draw(self.draws + 1, pool))

    @property
    def seeds(self) -> tuple[str, ...]:
        """The seed of each step that drew a token, "" for other steps."""
        draws = (event.draw for event in self.play.events)
        return tuple(each.seed if each is not None else "" for each in draws)

    @property
    def draws(self) -> int:
        """The number of tokens drawn."""
        return sum(isinstance(step_of(each), Draws) for each in self.steps)

    def _seed_of_draw(self, number: int, pool: Mapping[str, int]) -> str:
        is_secret = self.secret and number >= self.secret_from
        seeds = derived(self.secret) if is_secret else numbered(self.seed)
        return seeds(number, pool)

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {**asdict(self), "counters": [list(each) for each in self.counters]}


def begun(bag: Mapping[str, int], secret: str) -> ScenarioInPlay:
    """Return the start of a scenario: the campaign's bag, and nothing counted."""
    tokens = {kind: count for kind, count in bag.items() if count > 0}
    return ScenarioInPlay(tokens, dict(tokens), seed="", secret=secret)


def with_secret(content: ScenarioInPlay, secret: str) -> ScenarioInPlay:
    """Return the state with a secret, so that no one can foresee its next draws."""
    if content.secret:
        return content
    return replace(content, secret=secret, secret_from=content.draws + 1)


def read(data: Mapping[str, Any]) -> ScenarioInPlay:
    """Read what :meth:`ScenarioInPlay.as_data` wrote."""
    fields = dict(data)
    fields["counters"] = tuple((name, count) for name, count in fields["counters"])
    for name in ("steps", "by", "ticked", "keys"):
        fields[name] = tuple(fields[name])
    fields["areas"] = tuple(KeptArea(*each) for each in fields.get("areas", ()))
    return ScenarioInPlay(**fields)


def done(
    content: ScenarioInPlay,
    act: Act,
    *,
    by: str,
    version: int,
    bag: Mapping[str, int],
    areas: Mapping[str, str] = MappingProxyType({}),
) -> ScenarioInPlay:
    """Return the state after an act, as ``version``; ``bag`` is the campaign's.

    ``areas`` are the play areas after the act, by investigator. Raises Behind,
    ActKeyReused, and ImpossibleAct for what the rules or the limits forbid.
    """
    if was_done(content, act):
        return content
    if act.do in ("area", "round"):
        made = _with_areas(content, act, version, areas)
    else:
        made = _done(content, act, by, version, bag)
    is_moved = (made.areas, made.counters) != (content.areas, content.counters)
    if is_moved and act.do != "round":
        made = replace(made, earlier=None)
    if not act.key:
        return made
    return replace(made, keys=(*content.keys, _kept_key(act))[-MOST_KEYS:])


def was_done(content: ScenarioInPlay, act: Act) -> bool:
    """Return whether the act was done under its key before.

    Raises ActKeyReused if something else was.
    """
    if not act.key:
        return False
    name, _colon, digest = _kept_key(act).partition(":")
    before = dict(each.partition(":")[::2] for each in content.keys)
    if before.get(name, digest) != digest:
        raise ActKeyReused
    return name in before


def _kept_key(act: Act) -> str:
    return f"{_digest(act.key)}:{_digest(f'{act.do}:{act.what}')}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _done(
    content: ScenarioInPlay, act: Act, by: str, version: int, bag: Mapping[str, int]
) -> ScenarioInPlay:
    match act.do:
        case "more" | "less":
            return _counted(content, act.what, 1 if act.do == "more" else -1)
        case "add":
            return _with_counter(content, act.what)
        case "drop":
            kept = tuple(each for each in content.counters if each[0] != act.what)
            return replace(content, counters=kept)
        case "tick" | "untick":
            return _ticked(content, act)
        case "notes":
            return _noted(content, act, by, version)
        case "unround":
            return _round_undone(content, act, version)
    return replace(_with_bag(content, act, by, bag), bag_at=version)


def _counted(content: ScenarioInPlay, name: str, by: int) -> ScenarioInPlay:
    counters = tuple(
        (each, min(max(count + by, 0), MOST_COUNTED) if each == name else count)
        for each, count in content.counters
    )
    return replace(content, counters=counters)


def _with_counter(content: ScenarioInPlay, name: str) -> ScenarioInPlay:
    name = " ".join(name.split())[:LONGEST_COUNTER]
    held = {each for each, _count in content.counters}
    if not name or name in held:
        return content
    if len(held) >= MOST_COUNTERS:
        raise ImpossibleAct(
            _full(_("You have {count} counters, the most there can be."), held)
        )
    return replace(content, counters=(*content.counters, (name, 0)))


def _ticked(content: ScenarioInPlay, act: Act) -> ScenarioInPlay:
    what = act.what[:LONGEST_TICK]
    left = tuple(each for each in content.ticked if each != what)
    if act.do == "untick" or not what:
        return replace(content, ticked=left)
    return replace(content, ticked=(*left, what)[-MOST_TICKS:])


def _noted(content: ScenarioInPlay, act: Act, by: str, version: int) -> ScenarioInPlay:
    notes = act.what.replace("\r\n", "\n")[:LONGEST_NOTES]
    if notes == content.notes:
        return content
    if content.notes_at > act.seen:
        raise Behind
    return replace(content, notes=notes, notes_by=by, notes_at=version)


# -- play areas --


def _with_areas(
    content: ScenarioInPlay, act: Act, version: int, areas: Mapping[str, str]
) -> ScenarioInPlay:
    """Return the state with changed areas; a new round is counted too."""
    kept = {each.investigator: each for each in content.areas}
    code, _slash, step = act.what.partition("/")
    if act.do == "round":
        if content.round_at > act.seen:
            raise Behind
        earlier = {"areas": content.areas, "counters": content.counters}
        counted = _counted(content, ROUND, 1)
        content = replace(counted, round_at=version, earlier=earlier)
    elif is_of_a_card(step) and code in kept and kept[code].moved_at > act.seen:
        raise Behind
    for each, text in areas.items():
        before = kept[each].moved_at if each in kept else 0
        kept[each] = KeptArea(each, text, version if removes(step) else before)
    return replace(content, areas=tuple(kept.values()))


def _round_undone(content: ScenarioInPlay, act: Act, version: int) -> ScenarioInPlay:
    """Return the areas and counters as they were before the round."""
    if content.round_at > act.seen:
        raise Behind
    if content.earlier is None:
        message = _("Play areas or counters have changed: you can’t undo the round.")
        raise ImpossibleAct(Finding(message, rule="play.round"))
    before = read({**content.as_data(), **content.earlier})
    return replace(before, round_at=version, earlier=None)


# -- the bag --


def _with_bag(
    content: ScenarioInPlay, act: Act, by: str, bag: Mapping[str, int]
) -> ScenarioInPlay:
    if _is_behind(content, act):
        raise Behind
    match act.do:
        case "undo":
            return replace(content, steps=content.steps[:-1], by=content.by[:-1])
        case "renew":
            return _renewed(content, by, bag)
    if not is_step(act.do):
        raise ImpossibleAct(Finding(_("You can’t do this here."), rule="play.unknown"))
    times = _tokens_of(act)
    if len(content.steps) + times > MOST_STEPS:
        message = _(
            "You have taken {count} steps, the most there can be. Reset the bag."
        )
        raise ImpossibleAct(_full(message, content.steps))
    if found := findings_against(content.play.bag, act.do):
        raise ImpossibleAct(*found)
    times = min(times, max(content.play.bag.size, 1))
    return replace(
        content,
        steps=(*content.steps, *[act.do] * times),
        by=(*content.by, *[by] * times),
    )


def _tokens_of(act: Act) -> int:
    """Return the number of tokens a draw reveals."""
    several = {str(number): number for number in range(1, MOST_AT_ONCE + 1)}
    return several.get(act.what, 1) if act.do == "d" else 1


def _is_free(do: str) -> bool:
    """Return whether a step is independent of others: bless, curse and frost tokens."""
    return len(do) == 2 and do[0] in "at" and do[1] in _FREE


def _is_behind(content: ScenarioInPlay, act: Act) -> bool:
    """Return whether others have changed what a step of the bag depends on.

    Several steps of a phone without network follow each other, so what counts is the
    test they belong to, and for sealed tokens which those are.
    """
    if _is_free(act.do):
        return False
    revealed, slash, sealed = act.what.partition("/")
    if not slash:
        return content.bag_at > act.seen
    is_sealing = act.do[0] in "sr"
    return content.play.revealed_letters != revealed or (
        is_sealing and content.play.sealed_letters != sealed
    )


def _renewed(
    content: ScenarioInPlay, by: str, bag: Mapping[str, int]
) -> ScenarioInPlay:
    """Return the bag with the changes the campaign's bag has had since."""
    steps = steps_between(content.play.bag, content.known, bag)
    taken = (*content.steps, *steps)
    return replace(
        content, steps=taken, by=(*content.by, *([by] * len(steps))), known=dict(bag)
    )


def _full(message: str, held: Any) -> Finding:
    return Finding(message, rule="play.full", values=(("count", len(held)),))
