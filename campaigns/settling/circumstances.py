"""Whether each deck of a table keeps to its terms and ultimatums.

A deck has terms of its own, by which its pages judge it. What the table says comes
before them: its list of taboos, environment, readings of open rules, and the
ultimatums and boons in force that decks are judged under, and the cards it has lost
(ULT-00, TABOO-02, CYC-DW1). The latter are told to the deck as well, as they happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.vocabulary import Mode
from campaigns.models import Campaign
from campaigns.settling import outcome
from campaigns.settling.terms import circumstances_of, read_terms
from campaigns.settling.weaknesses import decks_of
from cardpool.catalog import current_judge, current_pool
from decks.lists.content import Content
from decks.pages.display import Judged
from decks.pages.notes import Note

MOST_TOLD = 5


class Standing(NamedTuple):
    """A deck by the terms of its table; ``notes`` are what stands against it.

    ``names_others`` says that the deck itself names another list of taboos than the
    table, whose date is ``taboos`` (“” for none): its upgrades are priced by its own.
    """

    judged: Judged
    notes: tuple[Note, ...]
    names_others: bool
    taboos: str

    @property
    def told(self) -> tuple[Note, ...]:
        """As many of them as a seat has room for."""
        return self.notes[:MOST_TOLD]

    @property
    def left_out(self) -> int:
        """How many more there are."""
        return len(self.notes) - len(self.told)


def standings(campaign: Campaign, replay: Replay) -> dict[str, Standing]:
    """The decks kept here that a table plays, by investigator."""
    terms, pool = read_terms(campaign.terms), current_pool()
    is_alone = bool(campaign.standalone or campaign.simulated)
    return {
        code: _standing(
            content,
            circumstances_of(terms, code) | {"mode": _mode(content, is_alone)},
            outcome.terms(replay, code, pool),
        )
        for code, content in decks_of(campaign).items()
    }


def _mode(content: Content, is_alone: bool) -> str:
    """How a deck is played here; whether it is its first game, it says itself."""
    if is_alone:
        return Mode.STANDALONE.value
    own = str(content.circumstances.get("mode", ""))
    return Mode.START.value if own == Mode.START else Mode.CAMPAIGN.value


def _standing(
    content: Content, table: Mapping[str, Any], added: Mapping[str, Iterable[str]]
) -> Standing:
    """What the table says comes before what the deck does; ``added`` goes with it."""
    own = content.circumstances
    told = {**own, **table}
    if "rulings" in table:
        told["rulings"] = {**own.get("rulings", {}), **table["rulings"]}
    for key, values in added.items():
        told[key] = sorted({*(own.get(key) or ()), *values})
    judge = current_judge()
    judged = Judged(Content(content.deck, told), judge)
    wanted, _doubts = judge.taboo_of(judged.asked.deck, judged.asked.circumstances)
    alone = content.asked()
    followed, _doubts = judge.taboo_of(alone.deck, alone.circumstances)
    return Standing(
        judged,
        tuple(note for note in judged.notes if note.style != "advice"),
        wanted != followed,
        wanted.date if wanted is not None else "",
    )
