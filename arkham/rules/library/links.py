"""Links between findings and the entries that explain their rules."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from arkham.rules.campaign.judging import FACT_RULES, is_within_health
from arkham.rules.campaign.judging.answers import ANSWER_RULES
from arkham.rules.campaign.judging.between_games import SPENDING_RULES
from arkham.rules.campaign.judging.roster import ROSTER_RULES
from arkham.rules.campaign.judging.side_scenarios import SIDE_RULES
from arkham.rules.campaign.judging.ultimatum_choice import ULTIMATUM_CHOICE_RULES
from arkham.rules.campaign.transfer import TRANSFER_RULES
from arkham.rules.chaos.bag import BAG_RULES
from arkham.rules.chaos.changes import CHANGE_RULES
from arkham.rules.chaos.testing import TEST_RULES
from arkham.rules.draws.record import draw_replays
from arkham.rules.draws.weaknesses import are_weaknesses
from arkham.rules.finding import Citation, Rule
from arkham.rules.legality import DECK_RULES
from arkham.rules.legality.identity import investigator_known
from arkham.rules.library.entries import Entry, Library
from arkham.rules.play.area import PLAY_RULES
from arkham.rules.play.elimination import ELIMINATION_RULES
from arkham.rules.play.pile import PILE_RULES
from arkham.rules.rulings import RULINGS, Ruling
from arkham.rules.table import TABLE_RULES
from arkham.rules.upgrade import UPGRADE_RULES
from arkham.rules.upgrade.price_rules import PRICE_RULES, PriceRule


class KeepingRule(NamedTuple):
    """A rule for keeping a log: its permanent id, and the rule in one sentence."""

    id: str
    sentence: str
    rows: tuple[str, ...] = ()
    cites: tuple[Citation, ...] = ()


_R = KeepingRule

# In the order of the entries that explain them (``data/keeping.toml``).
KEEPING_RULES: tuple[KeepingRule, ...] = (
    # -- what is written
    _R("log.entry", "You can correct only an entry of the log that still counts."),
    _R("log.correction", "A correction answers the question the first answer did."),
    _R("log.reason", "A change by hand needs a reason."),
    _R(
        "log.key",
        "A request sent twice counts once; a different request needs a key of its own.",
    ),
    _R("log.full", "A log has at most 20,000 entries."),
    _R("log.scenario", "You record things only about a scenario that has begun."),
    _R("log.card", "Every card exists in the card pool or the guide."),
    _R("log.begun", "You enter a paper campaign before you record anything else."),
    _R("log.archived", "An archived campaign is read only."),
    _R("log.entered-unknown", "A paper log can contain only what its campaign has."),
    _R("log.entered-players", "One to four investigators play on, each of them once."),
    _R("log.entered-played", "The scenario you play now wasn’t played before."),
    _R("log.entered-number", "Numbers aren’t below zero or above what exists."),
    _R("log.achievement", "You tick achievements of your campaign, up to their limit."),
    _R("log.faq", "A table uses a version of the FAQ that exists."),
    # -- what a table states besides its answers
    _R("log.assertion", "A value your table confirms agrees with its log."),
    _R("log.effect", "Some things can’t be changed by hand."),
    _R(
        "log.gone",
        "An investigator who was killed or driven insane doesn’t earn experience.",
        ("XP-29", "TRA-08"),
    ),
    _R(
        "log.suffered",
        "A boon, an ultimatum or a card gives trauma only as its text says.",
        ("TRA-16", "TRA-17", "TRA-18"),
    ),
    # -- what is asked
    _R("answer.out-of-range", "The choice is one of those offered."),
    _R("answer.unknown-card", "An answer names cards that exist."),
    _R("answer.unknown-choice", "You choose one of the things offered at that moment."),
    _R("fold.nothing-to-choose", "A question with options offers at least one."),
    _R("draw.not-asked", "Only what the guide leaves to chance is drawn at random."),
    _R("draw.few", "There are at least as many things to draw as the guide asks for."),
    _R(
        "draw.empty-pool",
        "You draw a random basic weakness from those left in the collection.",
        ("WEAK-08",),
    ),
    # -- the people of a table
    _R("seat.once", "An investigator has only one seat at a table."),
    _R("seat.most", "A table has at most 40 seats, including players who left."),
    _R("seat.gone", "Only an investigator who still plays can retire."),
    _R("seat.investigator", "A deck is played on the seat of its investigator."),
    _R("seat.one-table", "A deck is played at one table at a time."),
    _R("table.organiser", "Every table has an organiser."),
    _R(
        "table.full",
        "At most 60 people are at a table; people who left don’t count.",
    ),
    _R(
        "transfer.nobody",
        "At least one investigator goes on to another campaign.",
        ("CAMP-10",),
    ),
    _R(
        "terms.collection",
        "Weaknesses come from every product, or from your collection.",
        ("WEAK-05",),
    ),
    _R(
        "terms.orthodoxy",
        "Under the Ultimatum of Orthodoxy your table can’t play without taboos.",
        ("ULT-13", "TABOO-02"),
    ),
    # -- a scenario in play
    _R("play.unknown", "You can do only what the play area offers."),
    _R("play.full", "Notes, counters and the history of a game have limits."),
    _R(
        "play.round",
        "You can go back to the round before only if nothing has changed since.",
    ),
    _R("play.empty-bag", "You can’t reveal a token from an empty bag.", ("BAG-01",)),
    _R(
        "play.frost",
        "You record frost tokens in the log only if the bag has more or fewer than "
        "the log.",
        ("BAG-11",),
    ),
    _R("bag.token", "A chaos token is of a kind that exists in the game.", ("BAG-01",)),
    _R(
        "bag.limit",
        "The bag never has more of a token than the game allows.",
        ("BAG-26",),
    ),
    # -- guides and files
    _R("campaign.guide", "A campaign may use another version of its own guide."),
    _R("campaign.linked", "A campaign is linked to one other."),
    _R("backup.empty", "A backup contains at least one campaign."),
    _R("backup.kept", "A campaign waiting for its guide is kept by hand only once."),
    _R("backup.unreadable", "Everything in a campaign from a backup can be read."),
    _R("fold.unknown-scenario", "A guide has the scenario its campaign reaches."),
    _R("fold.unknown-step", "A guide has the step another one names."),
    _R("fold.unknown-resolution", "A guide has the resolution a step names."),
    _R("fold.endless", "A scenario ends or asks a question."),
    _R("fold.too-many-scenarios", "A campaign has at most 200 scenarios."),
    _R("guide.unreadable", "Every file of a guide can be read."),
    _R("guide.too-large", "Nothing in a guide is larger than guides need."),
    _R("guide.too-deep", "Nothing in a guide is nested deeper than guides need."),
    _R("guide.wrong-type", "Everything in a guide is of the kind its place asks for."),
    _R("guide.missing", "A guide has what each of its parts needs."),
    _R("guide.unknown-key", "A guide of ours has the keys its format names."),
    _R("guide.unknown-kind", "Steps, conditions and effects are of kinds known here."),
    _R("guide.unfit-id", "The id of a guide is letters, digits, - and _."),
    _R("guide.duplicate-guide", "Each guide of a package has an id of its own."),
    _R("guide.duplicate-step", "Each step of a scenario has an id of its own."),
    _R("guide.duplicate-scenario", "Each scenario of a guide has an id of its own."),
    _R("guide.duplicate-resolution", "Each resolution of a scenario has its own id."),
    _R("guide.unknown-original", "A Return to guide changes something that exists."),
    _R("guide.unknown-step", "The steps a guide names exist."),
    _R("guide.unknown-resolution", "The resolutions a guide names exist."),
    _R("guide.unknown-scenario", "The scenarios a guide names exist."),
    _R("guide.unknown-hidden-scenario", "The hidden scenarios of a guide exist."),
    _R("guide.unknown-place", "The neighbours of a place are on the map."),
    _R(
        "guide.unknown-partner", "A partner named in a guide is in one of its sections."
    ),
    _R("guide.unknown-rule", "The rules a scenario names are among its steps."),
    _R("guide.circle", "Steps that lead back to themselves ask a question on the way."),
    _R(
        "guide.bonus-and-count",
        "An experience effect is a bonus or a number, not both.",
    ),
    _R("guide.unreachable-step", "Every step can be reached."),
    _R("guide.undeclared-section", "A guide declares the sections of its log."),
    _R("guide.unwritten-section", "A section of the log that is read is written too."),
    _R("guide.unnamed-set", "A guide of ours names the encounter sets it uses."),
    _R("guide.untold-line", "A guide of ours has words for each line it writes."),
)

Check = Rule[Any] | PriceRule | KeepingRule


@cache
def all_checks() -> dict[str, Check]:
    """Every rule that makes findings, every price and every rule for logs, by id."""
    checks: tuple[Check, ...] = (
        investigator_known,
        *DECK_RULES,
        *UPGRADE_RULES,
        *TABLE_RULES,
        *ANSWER_RULES,
        *FACT_RULES,
        is_within_health,
        *SIDE_RULES,
        *SPENDING_RULES,
        *ROSTER_RULES,
        *TRANSFER_RULES,
        *ULTIMATUM_CHOICE_RULES,
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
    """The entries a rule is based on, by its rows; one that claims it comes first."""
    check = all_checks().get(rule_id)
    rows = check.rows if check else ()
    claimed = [entry for entry in library.values() if rule_id in entry.checks]
    found = [library.by_row[row] for row in rows if row in library.by_row]
    return tuple(dict.fromkeys((*claimed, *found)))


def entry_of(library: Library, rule_id: str) -> Entry | None:
    """The entry to read about a finding of this rule; None if the id is unknown."""
    return next(iter(entries_of(library, rule_id)), None)


def checks_of(library: Library, entry: Entry) -> tuple[Check, ...]:
    """The rules and prices that are based on an entry."""
    return tuple(
        check
        for rule_id, check in all_checks().items()
        if entry in entries_of(library, rule_id)
    )


def open_questions(entry: Entry) -> tuple[Ruling, ...]:
    """The questions about an entry that the documents leave to each table."""
    rows = set(entry.rows)
    return tuple(each for each in RULINGS.values() if rows.intersection(each.rows))
