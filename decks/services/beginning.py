"""Begin decks: as first decks or with their campaign under way.

A deck built from scratch is a first deck until its first game. An imported list that no
first deck could be is treated as the deck of a campaign under way. Experience that deck
creation grants and the player doesn't spend stays available to the first deck; it
enters the ledger with the first game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arkham.accounts.preferences import Preferences
from arkham.rules.finding import Severity
from arkham.rules.legality import Judge, check, granting
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.granting import Creation, Grant
from arkham.rules.modifiers import when_gained
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.upgrade.window import window_copies
from arkham.rules.vocabulary import Mode
from cardpool.catalog import current_judge
from decks.lists.content import LIFE, Content
from decks.lists.editing import Edit, apply
from decks.lists.starter import starter_deck
from decks.models import LedgerEntry, Revision
from decks.services import ledger
from decks.services.ledger import CARRIED, Earned, is_first, is_played

Kind = LedgerEntry.Kind
MODE, ARRIVAL = "mode", "arrival"
# Only a deck whose campaign has begun can have these.
_OF_A_CAMPAIGN = (
    "experience_earned",
    "tasks",
    "story_cards",
    "campaign_cards",
    "lost_cards",
    "given_signatures",
)


def preferred(content: Content, preferences: Preferences, pool: CardPool) -> Content:
    """Return the content of a new deck, gaps filled from its maker's preferences."""
    named = content.deck.get("taboo_id"), content.circumstances.get("taboo")
    taboo = taboo_named(preferences, pool)
    if taboo and not any(named):
        content = apply(content, [Edit("choose", "taboo", value=taboo)], pool)
    more: dict[str, object] = {}
    if preferences.environment and not content.deck["meta"].get("card_pool"):
        more["environment"] = {"kind": preferences.environment}
    if preferences.mode:
        more[MODE] = preferences.mode
    circumstances = more | content.circumstances
    return replace(content, circumstances=dict(sorted(circumstances.items())))


def taboo_named(preferences: Preferences, pool: CardPool) -> str:
    """Return the id of the preferred taboo list, or "" if there is none."""
    found = pool.taboo_list(preferences.taboo) if preferences.taboo else None
    return str(found.id) if found else ""


def begun(content: Content, judge: Judge, *, is_upgraded: bool = False) -> Content:
    """Return the content with its mode: a first deck unless it can't be one.

    ``is_upgraded`` means that the imported deck had experience, or an earlier version.
    """
    if MODE in content.circumstances:
        return content
    later = is_upgraded or is_under_way(content, judge)
    mode = Mode.CAMPAIGN if later else Mode.START
    return _in_mode(content, mode)


def continued(content: Content, before: Content) -> Content:
    """Return the content with the mode of the deck it revises, unless it has its own.

    It also keeps how the investigator joined a running campaign. Experience carried in
    the ledger is never read from a list.
    """
    circumstances = {
        key: v for key, v in content.circumstances.items() if key != CARRIED
    }
    for key in (MODE, ARRIVAL, CARRIED):
        if key in before.circumstances:
            circumstances.setdefault(key, before.circumstances[key])
    return replace(content, circumstances=dict(sorted(circumstances.items())))


def is_under_way(content: Content, judge: Judge) -> bool:
    """Return True if a list shows that its campaign has begun.

    Its cards cost experience, it has experience or exile, or it has more illegal
    findings as a first deck than as one of a campaign.
    """
    circumstances = content.circumstances
    if any(content.deck.get(key) for key in LIFE) or any(
        circumstances.get(key) for key in _OF_A_CAMPAIGN
    ):
        return True
    first = _in_mode(content, Mode.START)
    if (built := _built(first, judge)) is None:
        return False
    later = _in_mode(content, Mode.CAMPAIGN)
    return built.start_cost > 0 or _faults(first, judge) > _faults(later, judge)


def creation_of(content: Content, judge: Judge | None = None) -> Creation | None:
    """Return what a first deck was granted; None for other decks."""
    if not is_first(content):
        return None
    built = _built(content, judge or current_judge())
    return built.creation if built is not None else None


def _built(content: Content, judge: Judge) -> BuiltDeck | None:
    asked = content.asked()
    return next(judge.builds(asked.deck, asked.circumstances), None)


def has_lived(revision: Revision) -> bool:
    """Return True if a deck earned or spent experience before this moment.

    It was played, has a ledger, or is no first deck and has cards that cost experience.
    """
    if is_played(revision) or revision.deck.ledger.exists():
        return True
    if is_first(revision.content):
        return False
    built = _built(_in_mode(revision.content, Mode.START), current_judge())
    return built is not None and built.start_cost > 0


def left_at_creation(revision: Revision, judge: Judge | None = None) -> int:
    """Return the unspent part of what deck creation granted, before the first game.

    Experience already in the ledger counts there, not here. The result is negative if
    some of it pays for cards.
    """
    creation = None if is_played(revision) else creation_of(revision.content, judge)
    return creation.left - creation.carried if creation is not None else 0


def to_spend(revision: Revision) -> int:
    """Return the experience that the latest revision of the deck can spend."""
    return ledger.balance_of(revision.deck) + left_at_creation(revision)


class Unpayable(Exception):
    """A side scenario costs more experience than the deck has; the message says so."""


def require_paid(latest: Revision, earned: Iterable[Earned]) -> None:
    """Raise Unpayable if a side scenario costs more than the deck can spend."""
    cost = -sum(each.amount for each in earned if each.kind == Kind.COST)
    if cost > 0 and cost > (unspent := to_spend(latest)):
        message = _(
            "You have %(unspent)d experience, and this scenario costs %(cost)d. Enter "
            "what you paid, or correct your experience first."
        )
        raise Unpayable(message % {"unspent": unspent, "cost": cost})


def entries_of(creation: Creation) -> Iterator[Earned]:
    """Yield the ledger entries that deck creation adds with the first game."""
    for each in creation.grants:
        if each.source == granting.CARRIED:
            continue
        yield Earned(Kind.GRANTED, each.amount, name_of(each))
    yield Earned(Kind.SPENT, -creation.spent, _("At deck creation"))


def entries_when_gained(content: Content, copies: Mapping[str, int]) -> list[Earned]:
    """Return ledger entries for cards gained in a campaign, or lost (negative copies).

    Under the Ultimatum of Induction no one gains experience.
    """
    if not copies:
        return []
    circumstances = content.asked().circumstances
    none_is_gained = under(circumstances.ultimatums, UltimatumEffect.NO_EXPERIENCE)
    if circumstances.mode is Mode.STANDALONE or none_is_gained:
        return []
    gained = when_gained(copies, current_judge().pool)
    return [Earned(Kind.GRANTED, each.amount, each.card.name) for each in gained]


def name_of(grant: Grant) -> str:
    """Return the name of what grants the experience, in the reader's language."""
    return _(grant.name) if grant.name else _("Agreed at the table")


def withdrawn(played: Revision) -> Iterator[Earned]:
    """Yield the entries that undo what was granted along with this game.

    That is what deck creation granted, and what cards that came into the deck did.
    """
    if played.played_at is None:
        return
    # A game and its entries are written at the same moment.
    booked = played.deck.ledger.filter(revision=played.number, made_at=played.played_at)
    came = window_copies(played.aftermath, "granted")
    creation = creation_of(played.content)
    reason = _("Game undone")
    if creation is not None:
        reason = _("At deck creation, game undone")
        moved = booked.filter(kind__in=(Kind.SPENT, Kind.RETURNED))
        yield Earned(Kind.RETURNED, -_sum(moved), reason)
    names = {reason, *map(name_of, creation.grants if creation is not None else ())}
    names |= {each.reason for each in entries_when_gained(played.content, came)}
    granted = booked.filter(kind=Kind.GRANTED, reason__in=names)
    yield Earned(Kind.GRANTED, -_sum(granted), reason)


# -- private --


def _sum(entries: QuerySet[LedgerEntry]) -> int:
    return entries.aggregate(sum=Sum("amount"))["sum"] or 0


def _in_mode(content: Content, mode: Mode) -> Content:
    circumstances = {**content.circumstances, MODE: mode.value}
    return replace(content, circumstances=dict(sorted(circumstances.items())))


def _faults(content: Content, judge: Judge) -> int:
    asked = content.asked()
    found = check(judge, asked.deck, asked.circumstances).findings
    return sum(each.severity is Severity.ILLEGAL for each in found)


# An illegal first deck, as another program would export it.
SAMPLE_TEXT = """\
Three faults in thirty cards

Roland Banks

Assets
2x .45 Automatic (Core Set)
2x Physical Training (Core Set)
3x Machete (Core Set)
2x Beat Cop (Core Set)
2x Guard Dog (Core Set)
2x First Aid (Core Set)
1x Roland's .38 Special (Core Set)
2x Old Book of Lore (Core Set)

Events
2x Evidence! (Core Set)
2x Dodge (Core Set)
2x Mind over Matter (Core Set)
2x Working a Hunch (Core Set)
1x Drawn to the Flame (Core Set)

Skills
2x Vicious Blow (Core Set)
2x Guts (Core Set)
2x Perception (Core Set)

Treachery
1x Random Basic Weakness (Core Set)
"""


def demo_decks(pool: CardPool) -> tuple[tuple[str, Content], ...]:
    """Return a legal, an unfinished and an illegal deck, each with its name."""
    roland, daisy, wendy = (
        starter_deck(pool, code) for code in ("01001", "01002", "01005")
    )
    first_asset = next(code for code in daisy.deck["slots"] if pool[code].level == 0)
    return (
        (gettext_noop("Roland’s first deck"), roland),
        (
            gettext_noop("Daisy, unfinished"),
            apply(
                daisy, [Edit("remove", first_asset, 2), Edit("remove", "01009")], pool
            ),
        ),
        (
            gettext_noop("Wendy, with cards she can’t have"),
            apply(wendy, [Edit("add", "01020", 2), Edit("add", "01016")], pool),
        ),
    )


class DemoGame(NamedTuple):
    """A game of the demo campaign, and the upgrade made after it.

    ``exiled`` are the codes of the copies exiled in it, ``changes`` the upgrade.
    """

    earned: tuple[Earned, ...]
    exiled: tuple[str, ...]
    changes: tuple[Edit, ...]


DEMO_GAMES = (
    DemoGame(
        (Earned("victory", 4), Earned("bonus", 1, gettext_noop("Everyone escaped"))),
        (),
        (
            Edit("remove", "02033"), Edit("add", "02035"),  # Peter Sylvestre
            Edit("remove", "02024"), Edit("add", "02115"),  # Flare for Liquid Courage
            Edit("mark", "09100", line=1),  # a line of Makeshift Trap
        ),
    ),
    DemoGame(
        (Earned("victory", 3),),
        ("02115",),  # Flare
        (
            Edit("add", "02024"),  # Liquid Courage, free in its place
            Edit("remove", "02033"), Edit("add", "02035"),
            Edit("mark", "09100"),
        ),
    ),
)  # fmt: skip


def demo_beginning(pool: CardPool) -> tuple[str, Content]:
    """Return the name of the deck that the demo campaign begins with, and the deck."""
    changes = [
        Edit("remove", "01089", 2), Edit("add", "09100", 2),  # Makeshift Trap
        Edit("remove", "01000"), Edit("add", "01097"),  # a weakness drawn
    ]  # fmt: skip
    return gettext_noop("Pete after two scenarios"), apply(
        starter_deck(pool, "02005"), changes, pool
    )
