"""Between two games: what is the upgraded deck begun with, and what is it priced by?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arkham.rules.deck import DeckList
from arkham.rules.finding import Finding
from arkham.rules.legality import Judge
from arkham.rules.pool import CardPool
from arkham.rules.upgrade import Invoice, Window, price_upgrade
from arkham.rules.upgrade.window_json import read_window
from arkham.rules.vocabulary import Mode
from decks.content import LIFE, Content
from decks.editing import apply, copies_of
from decks.models import Revision

TASKS = "tasks"  # recorded in the campaign log: told of the table, not of the window
# What holds for the first deck of a campaign holds for it no more once it is played.
_OF_A_FIRST_DECK = ("mode", "experience")


class Preview(NamedTuple):
    """What an upgrade would come to.

    ``base`` is the played revision it grows from, ``before`` the deck as it was then,
    ``told`` the window as JSON;
    ``available`` what may be spent: an earlier upgrade in this window given back.
    """

    base: Revision
    before: DeckList
    content: Content
    told: dict[str, Any]
    window: Window
    available: int
    invoice: Invoice

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the rules find: about the change first, then about the new deck."""
        return (*self.invoice.findings, *self.invoice.legality)

    @property
    def left(self) -> int:
        """What would be left of it."""
        return self.available - self.invoice.total


def base_of(latest: Revision) -> Revision | None:
    """The played revision that an upgrade starts from; None before the first game."""
    if latest.played_at is not None:
        return latest
    if latest.base is None:
        return None
    return Revision.objects.get(deck_id=latest.deck_id, number=latest.base)


def aftermath_of(window: Mapping[str, Any], tasks: Iterable[str]) -> dict[str, Any]:
    """What a game left behind: the window after it, and the tasks recorded since."""
    recorded = sorted(set(tasks))
    return {**window, TASKS: recorded} if recorded else dict(window)


def window_after(base: Revision) -> dict[str, Any]:
    """The window as it was written down after the game, as JSON."""
    return {key: told for key, told in base.aftermath.items() if key != TASKS}


def window_of(base: Revision, upgraded: Revision) -> Window:
    """The window as an upgrade used it."""
    return read_window(window_after(base) | upgraded.window)


def preview(
    judge: Judge,
    base: Revision,
    content: Content,
    told: Mapping[str, Any],
    available: int,
) -> Preview:
    """Price a content from the played revision. Raises Unreadable for the window."""
    told = {key: value for key, value in told.items() if key != "available"}
    told = window_after(base) | told | {"available": available}
    window = read_window(told)
    asked = content.asked()
    before = base.content.asked().deck
    invoice = price_upgrade(judge, before, asked.deck, window, asked.circumstances)
    return Preview(base, before, content, told, window, available, invoice)


def after_game(base: Revision, earned: int, pool: CardPool) -> Content:
    """The deck as the game left it: what was exiled or taken is gone."""
    window = read_window(window_after(base))
    # What its list said of experience and exile was of an earlier upgrade.
    listed = {key: told for key, told in base.list.items() if key not in LIFE}
    content = Content(listed, _told_since(base, earned))
    changes = []
    lost = Counter(window.exiled) + Counter(window.taken)
    for code, copies in lost.items():
        # Which of two decks lost it nobody told: the first one, as far as it had it.
        here = min(copies_of(content, code, pool), copies)
        changes += [("remove", f"{code}:{here}")] if here else []
        changes += [("side-remove", f"{code}:{copies - here}")] if copies > here else []
    changes += [("add", f"{code}:{copies}") for code, copies in window.granted.items()]
    return apply(content, changes, pool)


def told_anew(
    content: Content,
    window: Mapping[str, Any],
    anew: Mapping[str, Any],
    pool: CardPool,
) -> Content:
    """The content on the desk once the game is told otherwise than before."""
    before, after = read_window(dict(window)), read_window(dict(anew))
    changes: list[tuple[str, str]] = []
    for old, new, more, fewer in (
        (before.exiled, after.exiled, "remove", "add"),
        (before.taken, after.taken, "remove", "add"),
        (before.granted, after.granted, "add", "remove"),
    ):
        for code in sorted({*old, *new}):
            copies = new.get(code, 0) - old.get(code, 0)
            if copies:
                changes.append((more if copies > 0 else fewer, f"{code}:{abs(copies)}"))
    return apply(content, changes, pool)


def _told_since(base: Revision, earned: int) -> dict[str, Any]:
    """The circumstances of a deck that was played."""
    told = dict(base.circumstances)
    if told.get("mode") == Mode.START:
        told = {key: told[key] for key in told if key not in _OF_A_FIRST_DECK}
    if told.get("mode") != Mode.STANDALONE:
        told["experience_earned"] = max(earned, 0)
    tasks = {*told.get(TASKS, ()), *base.aftermath.get(TASKS, ())}
    if tasks:
        told[TASKS] = sorted(tasks)
    return told
