"""Links between findings and the entries that explain their rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from arkham.rules.campaign.judging.answers import ANSWER_RULES
from arkham.rules.campaign.judging.facts import FACT_RULES
from arkham.rules.campaign.judging.roster import ROSTER_RULES
from arkham.rules.campaign.judging.side_scenarios import SIDE_RULES
from arkham.rules.campaign.judging.spending import SPENDING_RULES
from arkham.rules.campaign.judging.ultimatum_choice import OATH_RULES
from arkham.rules.campaign.transfer import TRANSFER_RULES
from arkham.rules.chaos.bag import BAG_RULES
from arkham.rules.chaos.changes import CHANGE_RULES
from arkham.rules.chaos.testing import TEST_RULES
from arkham.rules.draws.record import draw_replays
from arkham.rules.draws.weaknesses import are_weaknesses
from arkham.rules.finding import Rule
from arkham.rules.legality import DECK_RULES
from arkham.rules.legality.identity import investigator_known
from arkham.rules.library.entry import Entry
from arkham.rules.library.keeping import KEEPING_RULES, KeepingRule
from arkham.rules.library.reading import Library
from arkham.rules.play.area import PLAY_RULES
from arkham.rules.play.elimination import ELIMINATION_RULES
from arkham.rules.play.pile import PILE_RULES
from arkham.rules.rulings import RULINGS, Ruling
from arkham.rules.table import TABLE_RULES
from arkham.rules.upgrade import UPGRADE_RULES
from arkham.rules.upgrade.price_rules import PRICE_RULES, PriceRule

Check = Rule[Any] | PriceRule | KeepingRule


@cache
def all_checks() -> dict[str, Check]:
    """Every rule that makes findings, every price and rule of keeping, by its id."""
    checks: tuple[Check, ...] = (
        investigator_known,
        *DECK_RULES,
        *UPGRADE_RULES,
        *TABLE_RULES,
        *ANSWER_RULES,
        *FACT_RULES,
        *SIDE_RULES,
        *SPENDING_RULES,
        *ROSTER_RULES,
        *TRANSFER_RULES,
        *OATH_RULES,
        *BAG_RULES,
        *CHANGE_RULES,
        *TEST_RULES,
        *ELIMINATION_RULES,
        *PLAY_RULES,
        *PILE_RULES,
        draw_replays,
        are_weaknesses,
        *PRICE_RULES.values(),
        *KEEPING_RULES,
    )
    return {each.id: each for each in checks}


@cache
def entries_of(library: Library, rule_id: str) -> tuple[Entry, ...]:
    """The entries a rule rests on, by its rows; the one that claims it comes first."""
    check = all_checks().get(rule_id)
    rows = check.rows if check else ()
    claimed = [entry for entry in library.values() if rule_id in entry.checks]
    found = [library.by_row[row] for row in rows if row in library.by_row]
    return tuple(dict.fromkeys((*claimed, *found)))


def entry_of(library: Library, rule_id: str) -> Entry | None:
    """The entry to read about a finding of this rule; None if the id is unknown."""
    return next(iter(entries_of(library, rule_id)), None)


def checks_of(library: Library, entry: Entry) -> tuple[Check, ...]:
    """The rules and prices that rest on an entry."""
    return tuple(
        check
        for rule_id, check in all_checks().items()
        if entry in entries_of(library, rule_id)
    )


def open_questions(entry: Entry) -> tuple[Ruling, ...]:
    """The questions about it that the documents leave to each table."""
    rows = set(entry.rows)
    return tuple(each for each in RULINGS.values() if rows.intersection(each.rows))
