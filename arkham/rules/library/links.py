"""Links between findings and the entries that explain their rules."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from arkham.rules.campaign.judging.answers import ANSWER_RULES
from arkham.rules.campaign.judging.facts import FACT_RULES
from arkham.rules.campaign.judging.roster import ROSTER_RULES
from arkham.rules.campaign.judging.side_scenarios import SIDE_RULES
from arkham.rules.campaign.judging.spending import SPENDING_RULES
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
from arkham.rules.library.entry import Entry
from arkham.rules.library.reading import Library
from arkham.rules.play.area import PLAY_RULES
from arkham.rules.play.elimination import ELIMINATION_RULES
from arkham.rules.play.pile import PILE_RULES
from arkham.rules.rulings import RULINGS, Ruling
from arkham.rules.table import TABLE_RULES
from arkham.rules.upgrade import UPGRADE_RULES
from arkham.rules.upgrade.price_rules import PRICE_RULES, PriceRule


class KeepingRule(NamedTuple):
    """A rule of keeping a log: its permanent id, and the rule in one sentence."""

    id: str
    sentence: str
    rows: tuple[str, ...] = ()
    cites: tuple[Citation, ...] = ()


_R = KeepingRule

# In the order of the entries that explain them (``data/keeping.toml``).
KEEPING_RULES: tuple[KeepingRule, ...] = (
    # -- what is written
    _R("log.entry", "Only an entry that stands in the log and holds is taken back."),
    _R("log.correction", "A correction answers the question the first answer did."),
    _R("log.reason", "What a table states by hand has a reason."),
    _R("log.key", "One sending is written once; something else is sent anew."),
    _R("log.full", "A log holds 20 000 entries."),
    _R("log.scenario", "What is reported belongs to a scenario that was begun."),
    _R("log.card", "A card that is named is one the pool or the guide knows."),
    _R("log.begun", "A paper campaign is entered before anything is reported here."),
    _R("log.archived", "A campaign that was put away is read only."),
    _R("log.entered-unknown", "A sheet of paper names what its campaign has."),
    _R("log.entered-players", "One to four play on, each of them once."),
    _R("log.entered-played", "What is played now was not played before."),
    _R("log.entered-number", "No number is below zero, nor above what there is."),
    _R("log.achievement", "An achievement is ticked as far as its campaign counts it."),
    _R("log.faq", "A table keeps to a version of the FAQ there is."),
    # -- what a table says beside its answers
    _R("log.assertion", "What a table asserts agrees with what its log comes to."),
    _R("log.effect", "A statement changes what statements can change."),
    _R(
        "log.gone",
        "Nobody who was killed or driven insane earns experience.",
        ("XP-29", "TRA-08"),
    ),
    _R(
        "log.suffered",
        "Trauma of a boon, an ultimatum or a card is what that gives here.",
        ("TRA-16", "TRA-17", "TRA-18"),
    ),
    # -- what is asked
    _R("answer.out-of-range", "The number of a choice is that of one offered."),
    _R("answer.unknown-card", "An answer names cards that there are."),
    _R("answer.unknown-choice", "An answer chooses what the guide offers then."),
    _R("fold.nothing-to-choose", "What asks for a choice offers one."),
    _R("draw.not-asked", "Chance answers what the guide leaves to it."),
    _R("draw.few", "There are as many things to draw as are asked for."),
    _R(
        "draw.empty-pool",
        "A random basic weakness comes from those left in the collection.",
        ("WEAK-08",),
    ),
    # -- the people of a table
    _R("seat.once", "An investigator sits once at a table."),
    _R("seat.most", "A table has 40 seats, those who are gone included."),
    _R("seat.gone", "Only who still plays retires."),
    _R("seat.investigator", "A deck is played on the seat of its investigator."),
    _R("seat.one-table", "A deck is played at one table at a time."),
    _R("table.organiser", "Somebody organises a table."),
    _R(
        "table.full",
        "At most sixty people sit at a table; those who have left don't count.",
    ),
    _R("transfer.nobody", "Somebody goes along to another campaign.", ("CAMP-10",)),
    _R(
        "terms.collection",
        "Weaknesses come from every product, or from a collection of one's own.",
        ("WEAK-05",),
    ),
    _R(
        "terms.orthodoxy",
        "Under Orthodoxy no table agrees on play without taboos.",
        ("ULT-13", "TABOO-02"),
    ),
    # -- a scenario in play
    _R("play.unknown", "What is done in play is something one can do there."),
    _R("play.full", "Notes, counters and the history of a game have an end."),
    _R("play.empty-bag", "A token is drawn from a bag that has one.", ("BAG-01",)),
    _R(
        "play.frost",
        "Frost tokens are written in the log where the bag has others.",
        ("BAG-11",),
    ),
    _R("bag.token", "A chaos token is of one of the kinds there are.", ("BAG-01",)),
    _R(
        "bag.limit",
        "No more of a token enters the bag than may be in the game.",
        ("BAG-26",),
    ),
    # -- guides and files
    _R("campaign.guide", "A campaign goes on with another version of its own guide."),
    _R("campaign.linked", "A campaign is linked to one other."),
    _R("backup.empty", "A backup brings campaigns that were played by a guide."),
    _R("backup.unreadable", "Everything a campaign of a backup holds can be read."),
    _R("fold.unknown-scenario", "A guide has the scenario its campaign comes to."),
    _R("fold.unknown-step", "A guide has the step another one names."),
    _R("fold.unknown-resolution", "A guide has the resolution a step names."),
    _R("fold.endless", "A scenario comes to an end, or to a question."),
    _R("fold.too-many-scenarios", "A campaign has at most 200 scenarios."),
    _R("guide.unreadable", "Every file of a guide can be read."),
    _R("guide.too-large", "A guide has no more of anything than guides need."),
    _R("guide.too-deep", "Nothing in a guide is nested deeper than guides need."),
    _R("guide.wrong-type", "Everything in a guide is of the kind its place asks for."),
    _R("guide.missing", "A guide has what each of its parts needs."),
    _R("guide.unknown-key", "A guide of ours has the keys its format names."),
    _R("guide.unknown-kind", "Steps, conditions and effects are of kinds known here."),
    _R("guide.unfit-id", "The id of a guide is letters, digits, hyphens and lines."),
    _R("guide.duplicate-guide", "Each guide of a package has an id of its own."),
    _R("guide.duplicate-step", "Each step of a scenario has an id of its own."),
    _R("guide.duplicate-scenario", "Each scenario of a guide has an id of its own."),
    _R("guide.duplicate-resolution", "Each resolution of a scenario has its own id."),
    _R("guide.unknown-original", "A return-to changes something that is there."),
    _R("guide.unknown-step", "The steps a guide names are there."),
    _R("guide.unknown-resolution", "The resolutions a guide names are there."),
    _R("guide.unknown-scenario", "The scenarios a guide names are there."),
    _R("guide.unknown-hidden-scenario", "The hidden scenarios of a guide are there."),
    _R("guide.unknown-place", "The neighbours of a place are on the map."),
    _R("guide.unknown-partner", "A partner who is named stands in a section."),
    _R("guide.unknown-rule", "The rules a scenario names are among its steps."),
    _R("guide.circle", "Steps that lead back to themselves ask somebody on the way."),
    _R("guide.bonus-and-count", "Experience is a bonus or a number, not both."),
    _R("guide.unreachable-step", "Some way leads to every step."),
    _R("guide.undeclared-section", "The sections of a log are announced."),
    _R("guide.unwritten-section", "A section of the log that is read is written too."),
    _R("guide.unnamed-set", "A guide of ours names the encounter sets it uses."),
    _R("guide.untold-line", "A guide of ours has words for each line it writes."),
)

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
