"""Reads what a program sends of a game, an upgrade or the ledger.

Every fault of a body is told at once, with its pointer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.circumstances_json import LONGEST
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened
from arkham.rules.pricing import check_size
from arkham.rules.upgrade.window import READERS, read_window
from cardpool.catalog import current_pool
from decks.api.refusals import MISSHAPEN, check_named, refusal
from decks.lists.content import Content, read_content
from decks.models import LONGEST_REASON, LONGEST_SCENARIO, LedgerEntry
from decks.serializers.life import MOST_ENTRIES, MOST_TASKS
from decks.services import PlayedGame
from decks.services.games import booked, price_of
from decks.services.ledger import EARNED, MOST_CORRECTED, MOST_EARNED, Earned

KINDS = tuple(kind.value for kind in EARNED)
AVAILABLE = "available"  # the ledger knows it, and nobody tells it otherwise

_NO_WINDOW: dict[str, Any] = {}
_NOTHING_EARNED: tuple[Earned, ...] = ()
_NO_TASKS: tuple[str, ...] = ()

T = TypeVar("T")


class UpgradeWish(NamedTuple):
    """What a deck is to become, and what is told of the time between the games.

    ``repair`` is the reason for which it is made so whatever the rules find.
    """

    content: Content
    window: dict[str, Any]
    repair: str = ""


class GameReport(NamedTuple):
    """A game, and whether it is another one with the deck as the last one left it."""

    game: PlayedGame
    again: bool


class _Body:
    """A body while it is read."""

    def __init__(self, data: Any, keys: Iterable[str]) -> None:
        self.faults: list[Fault] = []
        self.data: dict[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.fail("", _("This is {found}."), _("an object"), kind_of(data))
        for key in sorted(self.data.keys() - set(keys)):
            self.fail(token(key), _("Nothing is expected here."), ", ".join(keys))
        if "\\u0000" in json.dumps(data):
            self.fail("", _("A NUL stands in it."), _("text without NUL"))

    def fail(self, pointer: str, message: str, expected: str, found: str = "") -> None:
        """Note a fault."""
        self.faults.append(Fault(pointer, message, expected, found))

    def part(self, key: str, read: Callable[[Any], T], nothing: T) -> T:
        """What stands under a key; ``nothing`` if it is absent or null."""
        value = self.data.get(key)
        if value is None:
            return nothing
        try:
            return read(value)
        except Unreadable as error:
            self.faults.extend(error.faults)
        return nothing

    def end(self) -> None:
        """Refuse the body with 422 if there is any fault."""
        if self.faults:
            raise refusal(Unreadable(*self.faults), MISSHAPEN, "") from None


def wished(data: Any, opening: Content) -> UpgradeWish:
    """What a deck is to become; told no circumstances, it keeps those of the opening.

    Raises a 422 problem.
    """
    body = _Body(data, ("deck", "circumstances", "window", "repair"))
    told = body.data.get("circumstances")
    if told is None:
        told = opening.circumstances
    content = opening
    try:
        content = read_content({"deck": body.data.get("deck"), "circumstances": told})
        asked = content.asked()
        check_size(asked.deck, current_pool(), "/deck")
        if told is not opening.circumstances:
            check_named(asked.circumstances, current_pool())
    except Unreadable as error:
        body.faults.extend(error.faults)
    window = body.part("window", _window, _NO_WINDOW)
    repair = body.part("repair", lambda value: _text(value, "/repair"), "")
    body.end()
    return UpgradeWish(content, window, repair)


def reported(data: Any, content: Content) -> GameReport:
    """What a game with this deck brought and cost. Raises a 422 problem."""
    keys = ("scenario", "cost", "earned", "window", "tasks", "again")
    body = _Body(data, keys)
    scenario = body.part("scenario", _scenario, "")
    cost = body.part("cost", _cost, price_of(scenario, content))
    earned = body.part("earned", _earned, _NOTHING_EARNED)
    window = body.part("window", _window, _NO_WINDOW)
    tasks = body.part("tasks", _tasks, _NO_TASKS)
    again = body.part("again", _flag, False)
    body.end()
    entries = booked(scenario, cost, earned)
    return GameReport(PlayedGame(entries, window, tasks, scenario=scenario), again)


def corrected(data: Any) -> Earned:
    """A correction of the ledger. Raises a 422 problem."""
    body = _Body(data, ("amount", "reason"))
    amount = body.data.get("amount")
    if type(amount) is not int or not 0 < abs(amount) <= MOST_CORRECTED:
        expected = _("an integer from -999 to 999, not 0")
        body.fail("/amount", _("{found} is not understood."), expected, _shown(amount))
    reason = body.part("reason", lambda value: _text(value, "/reason"), "")
    if not (body.faults or reason):
        body.fail("/reason", _("This is missing."), _("a reason"))
    body.end()
    return Earned(LedgerEntry.Kind.CORRECTION, amount or 0, reason)


# -- parts --


def _window(value: Any) -> dict[str, Any]:
    """The time between two games, as JSON; without what was null."""
    read_window(value)
    if value.get(AVAILABLE) is not None:
        here = f"/window/{AVAILABLE}"
        known = ", ".join(key for key in READERS if key != AVAILABLE)
        raise Unreadable(Fault(here, _("The ledger tells this."), known))
    return {key: told for key, told in value.items() if told is not None}


def _earned(value: Any) -> tuple[Earned, ...]:
    if not isinstance(value, list) or len(value) > MOST_ENTRIES:
        expected = _("a list of at most 20 entries")
        raise _misread("/earned", value, expected)
    return tuple(_entry(each, f"/earned/{at}") for at, each in enumerate(value))


def _entry(value: Any, here: str) -> Earned:
    if not isinstance(value, dict):
        raise _misread(here, value, _("an object with kind and amount"))
    for key in sorted(value.keys() - set(Earned._fields)):
        raise _misread(here + token(key), key, ", ".join(Earned._fields))
    kind, amount = value.get("kind"), value.get("amount")
    if kind not in KINDS:
        raise _misread(f"{here}/kind", kind, ", ".join(KINDS))
    # Only what is in the victory display never takes experience away.
    least = 0 if kind == LedgerEntry.Kind.VICTORY else -MOST_EARNED
    if type(amount) is not int or not least <= amount <= MOST_EARNED:
        expected = (
            _("an integer from -99 to 99") if least else _("an integer from 0 to 99")
        )
        raise _misread(f"{here}/amount", amount, expected)
    reason = value.get("reason")
    reason = "" if reason is None else _text(reason, f"{here}/reason")
    return Earned(kind, amount, reason)


def _scenario(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_SCENARIO:
        expected = _("the name of a scenario, at most 120 characters")
        raise _misread("/scenario", value, expected)
    return value.strip()


def _cost(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST_EARNED:
        raise _misread("/cost", value, _("an integer from 0 to 99"))
    return value


def _tasks(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_TASKS:
        raise _misread("/tasks", value, _("a list of at most 100 card codes"))
    for at, code in enumerate(value):
        if not isinstance(code, str) or not 0 < len(code) <= LONGEST:
            raise _misread(f"/tasks/{at}", code, _("a card code"))
    return tuple(value)


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise _misread("/again", value, _("true or false"))
    return value


def _text(value: Any, here: str) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_REASON:
        raise _misread(here, value, _("a text of at most 300 characters"))
    return value.strip()


def _misread(here: str, value: Any, expected: str) -> Unreadable:
    message = _("{found} is not understood.")
    return Unreadable(Fault(here, message, expected, _shown(value)))


def _shown(value: Any) -> str:
    plain = isinstance(value, (str, int, float))
    return shortened(repr(value)) if plain else kind_of(value)
