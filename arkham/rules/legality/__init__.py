"""Judges whether a deck may be played."""

from __future__ import annotations

from functools import lru_cache

from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.finding import Finding, Rule, Severity
from arkham.rules.legality import (
    agreements,
    at_least,
    attachments,
    copies,
    customization,
    entitlement,
    identity,
    modes,
    options,
    required,
    side_decks,
    tally,
)
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.standing import Share
from arkham.rules.legality.verdict import RULES_VERSION, Verdict, abridged, finding_data
from arkham.rules.pool import CardPool

__all__ = [
    "DECK_RULES",
    "Judge",
    "Verdict",
    "check_deck",
    "finding_data",
    "judge_of",
]

# The order in which findings are shown to players.
DECK_RULES: tuple[Rule[BuiltDeck], ...] = (
    identity.sides_belong_together,
    options.choice_offered,
    options.choices_different,
    options.choice_assumed,
    agreements.taboo_list_known,
    agreements.orthodoxy,
    agreements.ultimatum_available,
    agreements.products_known,
    agreements.investigator_in_environment,
    identity.cards_known,
    identity.cards_of_a_deck,
    identity.copies_below_zero,
    identity.bonded_stay_out,
    copies.deck_size,
    required.signatures_present,
    required.signatures_exact,
    required.versions_in_pairs,
    required.unlisted_signatures,
    required.side_cards,
    at_least.basic_weaknesses,
    at_least.weaknesses_gained,
    at_least.weakness_undrawn,
    at_least.at_least_of_classes,
    at_least.at_least_of_type,
    at_least.hunch_events,
    entitlement.no_foreign_signature,
    entitlement.may_hold,
    options.admitted,
    options.level_within_reach,
    options.sheet_within_reach,
    options.places_enough,
    options.raised_by_own_ability,
    options.restriction_kept,
    entitlement.story_earned,
    entitlement.reward_earned,
    entitlement.research_done,
    copies.two_by_title,
    copies.one_exceptional,
    copies.three_myriad,
    copies.printed_limit,
    copies.limit_by_subtitle,
    copies.singleton_deck,
    copies.one_covenant,
    attachments.one_branded,
    copies.weakness_copies,
    customization.sheet_has_a_card,
    customization.lines_exist,
    customization.boxes_within_line,
    customization.ten_boxes,
    customization.choices_written,
    customization.choices_open,
    agreements.taboo_forbidden,
    agreements.card_in_environment,
    modes.campaign_only,
    modes.creation_only,
    modes.multiplayer_only,
    modes.standalone_total,
    modes.start_experience,
    modes.start_unspent,
    modes.start_trauma,
    copies.highlander,
    agreements.induction,
    agreements.lost_to_the_campaign,
    agreements.the_scream,
    side_decks.side_deck_asked,
    side_decks.side_deck_known,
    side_decks.side_deck_size,
    side_decks.side_deck_required,
    side_decks.side_deck_access,
    side_decks.side_deck_different,
    attachments.attached_to_something,
    attachments.attached_count,
    attachments.attached_fit,
    attachments.attached_different,
    attachments.hunch_includes,
    identity.transformed,
    identity.set_aside_copies,
    agreements.owned,
)

_new = tuple.__new__  # twice as fast as calling the class of a named tuple
MOST_WEIGHED = 300  # entries up to which every reading of a deck is compared


@lru_cache(maxsize=2)  # the pool in use, and the one being replaced
def judge_of(pool: CardPool) -> Judge:
    """Return the judge for a card pool, cached while the pool is in use."""
    return Judge(pool)


def check_deck(
    deck: DeckList, pool: CardPool, circumstances: Circumstances = ANY_TABLE
) -> Verdict:
    """Judge a deck by every rule and return all findings at once.

    A choice the list leaves open is read in the way that leaves the fewest illegal
    findings, and a finding says so; a list of hundreds of cards is read the first way.
    """
    return check(judge_of(pool), deck, circumstances)


def check(
    judge: Judge, deck: DeckList, circumstances: Circumstances = ANY_TABLE
) -> Verdict:
    """Judge a deck as :func:`check_deck` does, with a judge the caller has already."""
    built, findings = judged(judge, deck, circumstances)
    if built is None:
        return _unbuilt(judge, deck, findings)
    return _verdict(judge, built, findings)


def judged(
    judge: Judge, deck: DeckList, circumstances: Circumstances = ANY_TABLE
) -> tuple[BuiltDeck | None, tuple[Finding, ...]]:
    """Return the deck as it was read, and what the rules find in it.

    The deck is None if its investigator can't be resolved.
    """
    best: tuple[tuple[int, int], BuiltDeck, tuple[Finding, ...]] | None = None
    for built in judge.builds(deck, circumstances):
        findings = findings_of(built)
        if not built.assumptions or len(deck.entries) > MOST_WEIGHED:
            return built, findings
        illegal = sum(each.severity is Severity.ILLEGAL for each in findings)
        weight = (illegal, sum(each.severity for each in findings))
        if best is None or weight < best[0]:
            best = weight, built, findings
    if best is None:
        return None, _findings_unbuilt(judge, deck)
    return best[1], best[2]


def findings_of(built: BuiltDeck) -> tuple[Finding, ...]:
    """Call the rules that may find something in this deck, and return their findings.

    The tally shows whether the counts that every deck must meet are met, and which
    other rules are concerned. For a plain legal deck no rule is called at all.
    """
    awake = built.tally & tally.ALL_CONCERNS | built.unmet
    if not awake:
        return ()
    found: list[Finding] = []
    for rule in _woken(awake):
        found += rule(built)
    return tuple(found)


@lru_cache(maxsize=4_096)
def _woken(awake: int) -> tuple[Rule[BuiltDeck], ...]:
    """The rules that these bits wake, in order."""
    return tuple(rule for rule in DECK_RULES if awake & rule.wakes)


def every_finding_of(built: BuiltDeck) -> tuple[Finding, ...]:
    """Call every rule, whatever the tally says; return all findings (for tests)."""
    return tuple(finding for rule in DECK_RULES for finding in rule(built))


def _verdict(judge: Judge, built: BuiltDeck, findings: tuple[Finding, ...]) -> Verdict:
    frame = built.frame
    # In the order of Verdict's fields.
    fields = (
        abridged(findings),
        built.assignment(),
        built.counted,
        frame.size,
        built.experience,
        RULES_VERSION,
        judge.pool.version,
        frame.taboo.id if frame.taboo else None,
    )
    return _new(Verdict, fields)


def _findings_unbuilt(judge: Judge, deck: DeckList) -> tuple[Finding, ...]:
    """Findings for a deck whose investigator can't be resolved."""
    findings = [*identity.investigator_known((deck, judge.pool))]
    unknown = sorted(code for code in deck.entries if code not in judge.pool)
    findings.extend(
        finding.stamped(identity.cards_known.id, identity.cards_known.cites)
        for finding in identity.unknown_cards(deck, unknown)
    )
    return tuple(findings)


def _unbuilt(judge: Judge, deck: DeckList, findings: tuple[Finding, ...]) -> Verdict:
    """The verdict on a deck whose investigator can't be resolved."""
    total = sum(deck.entries.values())
    return Verdict(
        findings=abridged(findings),
        assignment={
            code: (Share("none", copies),) for code, copies in deck.entries.items()
        },
        deck_size=total,
        deck_size_required=0,
        experience_required=0,
        rules_version=RULES_VERSION,
        pool_version=judge.pool.version,
        taboo_id=None,
    )
