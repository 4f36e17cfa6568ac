"""Decks to look at before one has any: a list to be judged, and decks of the demo."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from arkham.rules.pool import CardPool
from decks.lists.content import Content
from decks.lists.editing import Edit, apply
from decks.lists.starter import starter_deck
from decks.services.ledger import Earned

# A first deck with the faults of first decks, as another program would export it.
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
    """A legal deck, an unfinished one and an illegal one, with their names."""
    roland, daisy, wendy = (
        starter_deck(pool, code) for code in ("01001", "01002", "01005")
    )
    first_asset = next(code for code in daisy.deck["slots"] if pool[code].level == 0)
    return (
        (_("Roland’s first deck"), roland),
        (
            _("Daisy, unfinished"),
            apply(
                daisy, [Edit("remove", first_asset, 2), Edit("remove", "01009")], pool
            ),
        ),
        (
            _("Wendy, with cards she can’t have"),
            apply(wendy, [Edit("add", "01020", 2), Edit("add", "01016")], pool),
        ),
    )


class DemoGame(NamedTuple):
    """A game of the demo's campaign, and what was done with the deck after it.

    ``exiled`` are the codes of copies exiled in it, ``changes`` those of the upgrade.
    """

    earned: tuple[Earned, ...]
    exiled: tuple[str, ...]
    changes: tuple[Edit, ...]


DEMO_GAMES = (
    DemoGame(
        (Earned("victory", 4), Earned("bonus", 1, _("Everyone escaped"))),
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
    """The deck that the demo's campaign begins with, and its name."""
    changes = [
        Edit("remove", "01089", 2), Edit("add", "09100", 2),  # Makeshift Trap
        Edit("remove", "01000"), Edit("add", "01097"),  # a weakness drawn
    ]  # fmt: skip
    return _("Pete after two scenarios"), apply(
        starter_deck(pool, "02005"), changes, pool
    )
