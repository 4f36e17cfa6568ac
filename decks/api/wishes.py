"""Reads what a program sends of a game, an upgrade or the ledger.

Every fault of a body is given at once, with its pointer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from arkham.rest import reading
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault, Unreadable
from arkham.rules.pricing import check_size
from cardpool.catalog import current_pool
from decks.api.refusals import MISSHAPEN, body_of, check_named, refusal
from decks.lists.content import Content, read_content
from decks.models import LedgerEntry
from decks.serializers.life import AgreedUpgradeShape, CorrectionShape, GameShape
from decks.services import PlayedGame
from decks.services.games import booked, price_of
from decks.services.ledger import Earned


class UpgradeWish(NamedTuple):
    """What a deck is to become, and what happened between the games.

    ``repair`` is the reason for which it is made so whatever the rules find.
    """

    content: Content
    window: dict[str, Any]
    repair: str = ""


class GameReport(NamedTuple):
    """A game, and whether it is another one with the deck as the last one left it."""

    game: PlayedGame
    again: bool


def wished(data: Any, opening: Content) -> UpgradeWish:
    """What a deck is to become; without circumstances it keeps those of the opening.

    Raises a 422 problem with every fault.
    """
    faults: list[Fault] = []
    content, body = opening, None
    try:
        body = reading.read(AgreedUpgradeShape, data, apart=True)
        _check_texts(body.window)
    except Unreadable as error:
        faults.extend(error.faults)
    try:
        if isinstance(data, dict) and "deck" in data:
            content = _content(data, opening)
    except Unreadable as error:
        faults.extend(error.faults)
    if faults or body is None:
        raise refusal(Unreadable(*faults), MISSHAPEN, "")
    return UpgradeWish(content, body.window, (body.repair or "").strip())


def _content(data: Mapping[str, Any], opening: Content) -> Content:
    given = data.get("circumstances")
    terms = opening.circumstances if given is None else given
    content = read_content({"deck": data["deck"], "circumstances": terms})
    asked = content.asked()
    check_size(asked.deck, current_pool(), "/deck")
    if given is not None:
        check_named(asked.circumstances, current_pool())
    return content


def reported(data: Any, content: Content) -> GameReport:
    """What a game with this deck brought and cost. Raises a 422 problem."""
    body = body_of(GameShape, data)
    try:
        _check_texts(body.window)
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None
    scenario = (body.scenario or "").strip()
    cost = price_of(scenario, content) if body.cost is None else body.cost
    entries = booked(scenario, cost, body.earned or ())
    game = PlayedGame(entries, body.window, body.tasks or (), scenario=scenario)
    return GameReport(game, bool(body.again))


def corrected(data: Any) -> Earned:
    """A correction of the ledger. Raises a 422 problem."""
    body = body_of(CorrectionShape, data)
    return Earned(LedgerEntry.Kind.CORRECTION, body.amount, body.reason)


def _check_texts(window: dict[str, Any]) -> None:
    """Raise Unreadable for a NUL, which no database keeps."""
    if "\\u0000" in json.dumps(window):
        raise Unreadable(Fault("", _("A NUL stands in it."), _("text without NUL")))
