"""Read request bodies: a deck to save, a game, an upgrade.

All faults of a body are reported at once, with their pointers. A deck is refused if it
is unreadable or if its terms name unknown cards: those would have no effect, and the
player wouldn't notice. Stored decks are read as they are, even if their cards are no
longer known.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from arkham.rest import reading
from arkham.rest.messages import Message
from arkham.rules.checking import parts_of
from arkham.rules.deck import Circumstances
from arkham.rules.finding import gettext_noop
from arkham.rules.finding import gettext_noop as noop
from arkham.rules.notation import circumstances_json
from arkham.rules.notation.arkhamdb_object import read_object
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.names import names_of
from arkham.rules.notation.reading import Fault, Unreadable, shortened
from arkham.rules.pool import CardPool
from arkham.rules.pricing import check_size
from arkham.rules.rulings import RULINGS
from arkham.web import bodies
from arkham.web.problems import Problem
from cardpool.catalog import current_pool
from decks.interchange.importing import carried
from decks.lists.content import Content, read_content
from decks.models import (
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_TAGS,
    Deck,
    LedgerEntry,
    Revision,
)
from decks.serializers.life import AgreedUpgradeShape, CorrectionShape, GameShape
from decks.services import DeckLabels, PlayedGame
from decks.services.games import booked, price_of
from decks.services.ledger import MOST_CORRECTED, Earned


def check_named(circumstances: Circumstances, pool: CardPool) -> None:
    """Raise Unreadable with every title and code that no card has.

    Story cards and tasks are not checked: only the campaign's players know them.
    """
    faults = [
        *_titles(circumstances.banned_titles, pool),
        *_codes("campaign_cards", circumstances.campaign_cards, pool),
        *_codes("lost_cards", circumstances.lost_cards, pool),
        *_codes("given_signatures", circumstances.given_signatures, pool),
    ]
    if faults:
        raise Unreadable(*faults)


def _titles(titles: frozenset[str], pool: CardPool) -> Iterator[Fault]:
    """Yield a fault for each title that no card has, with similar titles."""
    if not titles:
        return
    for each in sorted(titles - {card.title for card in pool.values()}):
        alike = [card.title for card in names_of(pool).called(each)]
        meant = ", ".join(alike[:1] or names_of(pool).like(each))
        yield Fault(
            "/circumstances/banned_titles",
            noop("No card has the title {found}."),
            meant or noop("the title of a card"),
            shortened(each),
        )


def _codes(key: str, codes: Iterable[str], pool: CardPool) -> Iterator[Fault]:
    for each in sorted(set(codes)):
        if pool.get_card(each) is None:
            message, expected = (
                noop("No card has the code {found}."),
                noop("a card code"),
            )
            yield Fault(f"/circumstances/{key}", message, expected, shortened(each))


Body = TypeVar("Body", bound=Message)
MOST_DETAILS = 3  # faults in a problem's detail; errors has all


class Refusal(NamedTuple):
    """A kind of refusal: its status and its permanent name."""

    status: int
    name: str


PLACE = ("pointer", "line", "column")
NOT_JSON = Refusal(400, "not-json")
TOO_LARGE = Refusal(413, "too-large")
MISSHAPEN = Refusal(422, "invalid")
TOO_MUCH = Refusal(429, "too-much")


def refusal(error: Unreadable, kind: Refusal, where: str | None = None) -> Problem:
    """Return the problem with every fault.

    ``where`` is the pointer to the deck in question; if it is None, the fault is in the
    whole body, and line and column are given.
    """
    errors = [_error_data(fault, kind, where) for fault in error.faults]
    details = [_placed(each) for each in errors]
    more = len(details) - MOST_DETAILS
    if more > 0:
        details[MOST_DETAILS:] = [_("And %(count)d more.") % {"count": more}]
    members = {key: errors[0][key] for key in PLACE if key in errors[0]}
    return Problem(
        kind.status,
        " ".join(details),
        kind=kind.name,
        **members,
        errors=errors,
    )


def body_of(message: type[Body], value: Any) -> Body:
    """Return the value of a body as this message; or 422 with every fault."""
    try:
        return reading.read(message, value, apart=True)  # type: ignore[no-any-return]
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None


def _error_data(fault: Fault, kind: Refusal, where: str | None) -> dict[str, Any]:
    """Return a fault as an entry of ``errors``."""
    error = bodies.fault_data(replace(fault, pointer=(where or "") + fault.pointer))
    broken_here = kind is NOT_JSON and where is None
    if not (broken_here or fault.inside):
        del error["line"], error["column"]
    return error


def _placed(error: dict[str, Any]) -> str:
    """Return what is wrong, after the pointer to it."""
    pointer, detail = error["pointer"], error["detail"]
    return f"{pointer}: {detail}" if pointer else str(detail)


LONGEST = {
    "name": LONGEST_NAME,
    "description_md": LONGEST_NOTES,
    "tags": LONGEST_TAGS,
}


# Circumstances that are objects with parts.
PARTS: dict[str, Collection[str]] = {
    "rulings": RULINGS,
    "environment": ("kind", "date", "cycles", "packs"),
}
# Objects whose parts, named by players or cards, have parts themselves.
PARTS_OF_EACH: dict[str, Collection[str]] = {"trauma": circumstances_json.KINDS}


class WrittenDeck(NamedTuple):
    """A deck as it was sent, with its labels.

    ``carried`` is experience that it brings along to spend.
    """

    content: Content
    labels: DeckLabels
    carried: int = 0


def written(data: Any) -> WrittenDeck:
    """Return the deck, its circumstances and labels in a body; or 422."""
    found = _read(data)
    _check_named(found.content.asked().circumstances)
    return found


def _check_named(circumstances: Circumstances) -> None:
    try:
        check_named(circumstances, current_pool())
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None


def _read(data: Any) -> WrittenDeck:
    """Read a deck without checking the cards that its circumstances name."""
    try:
        content = read_content(data)
    except Unreadable as error:
        raise refusal(error, MISSHAPEN, "") from None
    parts = parts_of(data)
    faults: Any = dict(_faults(parts.deck))
    if faults:
        raise ValidationError({"deck": faults} if parts.prefix else faults)
    deck = read_object(parts.deck).value
    name = parts.deck.get("name") or ""
    labels = DeckLabels(name, deck.notes, " ".join(deck.tags))
    return WrittenDeck(content, labels, carried(deck.experience))


def _faults(deck: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield wrong types, too long texts and too much experience, by key."""
    for key, most in LONGEST.items():
        value = deck.get(key)
        if value is not None and not isinstance(value, str):
            yield key, [_("Expected: text or null.")]
        elif value is not None and len(value) > most:
            yield key, [_("Expected: at most %(most)d characters.") % {"most": most}]
    if abs(read_object(deck).value.experience.left) > MOST_CORRECTED:
        said = _("Expected: at most %(most)d experience to spend.")
        yield "xp", [said % {"most": MOST_CORRECTED}]


def labels_data(labels: DeckLabels | Deck) -> dict[str, str]:
    """Return name, notes and tags of a deck, under ArkhamDB's keys."""
    return {
        "name": labels.name,
        "description_md": labels.notes,
        "tags": labels.tags,
    }


def patched(latest: Revision, patch: Any) -> WrittenDeck:
    """Return the deck changed by a JSON merge patch; or 422."""
    _check(patch)
    content = latest.content
    deck = labels_data(latest.deck) | content.deck
    return _read(merged({"deck": deck, "circumstances": content.circumstances}, patch))


def _check(patch: Any) -> None:
    """Refuse keys that decks don't have: merging might drop them silently."""
    if not isinstance(patch, dict):
        return
    if patch.get("deck", {}) is None:
        raise ValidationError({"deck": [_("Expected: a {…} block.")]})
    unknown = sorted(patch.keys() - {"deck", "circumstances"})
    if unknown:
        raise ValidationError({key: [_("This must be left out.")] for key in unknown})
    patched = patch.get("circumstances")
    if isinstance(patched, dict):
        patched = {key: _without_nulls(key, value) for key, value in patched.items()}
    if patched is not None:
        try:
            circumstances = read_circumstances(patched)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN, "") from None
        _check_named(circumstances)


def _without_nulls(key: str, value: Any) -> Any:
    """Return a circumstance without nulls for its known parts."""
    kept = _parted(value, PARTS.get(key))
    inner = PARTS_OF_EACH.get(key)
    if inner is None or not isinstance(kept, dict):
        return kept
    return {name: _parted(each, inner) for name, each in kept.items()}


def _parted(value: Any, parts: Collection[str] | None) -> Any:
    """Drop nulls from an object, except for unknown parts, which are refused later."""
    if not isinstance(value, dict):
        return value
    return {
        part: each
        for part, each in value.items()
        if each is not None or (parts is not None and part not in parts)
    }


def merged(target: Any, patch: Any) -> Any:
    """Return the target changed by a merge patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


class UpgradeWish(NamedTuple):
    """The wanted content of a deck, and the window that it is bought in.

    ``repair`` is the reason to make the upgrade in spite of findings.
    """

    content: Content
    window: dict[str, Any]
    repair: str = ""


class GameReport(NamedTuple):
    """A game; ``again`` if it is another one, played without an upgrade in between."""

    game: PlayedGame
    again: bool


def wished(data: Any, opening: Content) -> UpgradeWish:
    """Read the wanted deck; without circumstances it keeps those of the opening.

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
    """Read the results and cost of a game with this deck. Raises a 422 problem."""
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
    """Read a correction of the ledger. Raises a 422 problem."""
    body = body_of(CorrectionShape, data)
    return Earned(LedgerEntry.Kind.CORRECTION, body.amount, body.reason)


def _check_texts(window: dict[str, Any]) -> None:
    """Raise Unreadable if the window contains NUL, which databases can't store."""
    if "\\u0000" in json.dumps(window):
        raise Unreadable(
            Fault(
                "",
                gettext_noop("It contains a NUL character."),
                gettext_noop("text without NUL"),
            )
        )
