"""Campaigns, logs and people as the API answers them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rest_framework.request import Request
from rest_framework.reverse import reverse

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.steps import CardQuery, Worth
from arkham.rules.campaign.records.report import reported
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.settlement import LogChange, ReplayDifference, fate_of
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.draws.chance import commitment_to
from arkham.rules.legality.verdict import finding_data
from campaigns.log import entries
from campaigns.log.entries import Entry
from campaigns.log.replays import Folded
from campaigns.models import (
    Campaign,
    Guide,
    Invitation,
    LogEntry,
    Membership,
    Seat,
)
from campaigns.people.guests import token_of
from campaigns.play.plays import next_seed
from campaigns.services import Differences, EntryPreview
from campaigns.settling.cards import card_lines
from campaigns.settling.terms import DeckCompliance
from decks.models import Deck
from decks.services.beginning import to_spend

Data = dict[str, Any]


def entry_data(row: LogEntry) -> Data:
    """An entry of the log, its payload as it would be written now."""
    return {
        "sequence": row.sequence,
        "kind": row.kind,
        "version": entries.version_of(row.kind),
        "payload": entries.upcast(row.kind, row.version, row.payload),
        "cause": row.cause,
        "author": row.author_id,
        "author_name": row.author_name,
        "recorded_at": row.recorded_at,
    }


def given_data(entry: Entry) -> Data:
    """An entry that is not yet, or no longer, written."""
    encoded = entries.encode(entry)
    return {
        "sequence": entry.sequence,
        "kind": encoded.kind,
        "version": encoded.version,
        "payload": encoded.payload,
    }


def guide_data(guide: Guide) -> Data:
    """A version of a guide."""
    return {
        "id": guide.pk,
        "guide": guide.guide_id,
        "name": guide.name,
        "version": guide.version,
        "origin": guide.origin,
        "digest": guide.digest,
        "private": guide.is_private,
        "brought_at": guide.brought_at,
    }


def summary_data(campaign: Campaign) -> Data:
    """A campaign in a list."""
    return {
        "id": campaign.pk,
        "name": campaign.name,
        "guide": guide_data(campaign.guide),
        "standalone": campaign.standalone,
        "simulated": campaign.simulated,
        "last": campaign.last,
        "linked": campaign.linked_id,
        "branched_from": campaign.branched_from_id,
        "branched_at": campaign.branched_at,
        "made_at": campaign.made_at,
        "changed_at": campaign.changed_at,
        "archived_at": campaign.archived_at,
    }


def campaign_data(member: Membership, known: Folded) -> Data:
    """A campaign as somebody at the table sees it."""
    campaign = member.campaign
    return {
        **summary_data(campaign),
        "head": campaign.head,
        "terms": campaign.terms,
        "role": member.role,
        "member": member.pk,
        "next_draw": {
            "entry": campaign.last + 1,
            "commitment": commitment_to(next_seed(campaign)),
        },
        **replay_data(known.replay),
        "earning": [
            {
                "investigator": each.investigator,
                "card": each.card,
                "copies": each.copies,
                "amount": each.amount,
                "told": each.is_told,
            }
            for each in card_lines(campaign, known.replay)
        ],
    }


def replay_data(replay: Replay) -> Data:
    """What a campaign has come to, and what is asked next."""
    state = replay.state
    return {
        "pending": pending_data(replay.pending),
        "scenarios": [
            {"id": each.id, "name": each.name, "status": each.status}
            for each in replay.scenarios
        ],
        "fates": {code: fate_of(state, code).value for code in state.people},
        "state": reported(replay),
        "problems": [problem_data(each) for each in replay.problems],
    }


def pending_data(pending: Pending | None) -> Data | None:
    """What is asked next, and of whom."""
    if pending is None:
        return None
    return {
        "scenario": pending.scenario,
        "step": pending.step,
        "kind": pending.kind,
        "prompt": pending.prompt,
        "codes": list(pending.codes),
        "offers": [{"number": each.number, "id": each.id} for each in pending.offers],
        "by_code": [[code, list(ids)] for code, ids in pending.by_code],
        "keys": list(pending.keys),
        "others": pending.others,
        "least": pending.least,
        "most": pending.most,
        "each": pending.each,
        "traits": list(pending.traits),
        "many": pending.many,
        "once": list(pending.once),
        "limits": [list(each) for each in pending.limits],
        "costs": [list(each) for each in pending.costs],
        "worth": [worth_data(each) for each in pending.worth],
        "now": pending.now,
        "queries": [query_data(each) for each in pending.queries],
        "spends": pending.spends,
        "prices": [each._asdict() for each in pending.prices],
    }


def query_data(query: CardQuery) -> Data:
    """Of what kind the other cards are that may be named."""
    found = asdict(query)
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
    }


def worth_data(card: Worth) -> Data:
    """A card that can be expected in the victory display."""
    return {"code": card.code, "points": card.points, "copies": card.copies}


def problem_data(problem: Problem) -> Data:
    """Something that went wrong while folding."""
    return dict(problem._asdict())


def settlement_data(found: ReplayDifference) -> Data:
    """What changed between two moments of a campaign."""
    return {
        "people": [
            {
                **each._asdict(),
                "fate": each.fate.value,
                "pools": [list(pool) for pool in each.pools],
            }
            for each in found.people
        ],
        "log": [_log_data(each) for each in found.log],
        "counts": [list(each) for each in found.counts],
        "tokens": [list(each) for each in found.tokens],
        "scenarios": [list(each) for each in found.scenarios],
        "result": found.result,
        "result_gone": found.result_gone,
        "next_scenario": found.next_scenario,
        "map": {**found.map._asdict(), "keys": [list(each) for each in found.map.keys]},
    }


def _log_data(change: LogChange) -> Data:
    return {
        "section": change.section,
        "written": [_line_data(each) for each in change.written],
        "crossed_out": [_line_data(each) for each in change.crossed_out],
        "gone": [_line_data(each) for each in change.gone],
        "code": change.code,
        "circled": [list(each) for each in change.circled],
        "struck": change.struck,
    }


def _line_data(line: WrittenLine) -> Data:
    return dict(line._asdict())


def preview_data(found: EntryPreview, *, sits_beside: bool) -> Data:
    """What entries would change; of the linked campaign to who sits there too."""
    beside = found.beside if sits_beside else None
    return {
        "settlement": settlement_data(found.settlement),
        "pending": pending_data(found.pending),
        "problems": [problem_data(each) for each in found.problems],
        "changed": list(found.changed),
        "unreached": list(found.unreached),
        "reached": list(found.reached),
        "again": list(found.again),
        "linked": {
            "settlement": settlement_data(beside.settlement),
            "unreached": list(beside.unreached),
        }
        if beside is not None
        else None,
    }


def differences_data(found: Differences) -> Data:
    """What another version of the guide would change."""
    return {
        "settlement": settlement_data(found.settlement),
        "problems": [problem_data(each) for each in found.problems],
        "unreached": [given_data(each) for each in found.unreached],
    }


def member_data(member: Membership) -> Data:
    """Somebody at the table."""
    return {
        "id": member.pk,
        "name": member.name,
        "role": member.role,
        "is_guest": member.guest_id is not None,
        "joined_at": member.joined_at,
        "left_at": member.left_at,
    }


def seat_data(
    seat: Seat, member: Membership, decks: Mapping[str, DeckCompliance]
) -> Data:
    """An investigator at the table, and what is left of their experience here.

    ``balance`` below zero says that experience was spent and then taken back.
    ``decks`` are those kept here by the terms of the table; what is found is told to
    whose deck it is.
    """
    standing = decks.get(seat.investigator)
    mine = seat.deck is not None and seat.deck.owner_id == member.user_id
    verdict = standing.judged.verdict if standing is not None else None
    return {
        "id": seat.pk,
        "investigator": seat.investigator,
        "member": seat.member_id,
        "name": seat.name,
        "kind": seat.kind,
        "deck": seat.deck_id,
        "balance": _balance(seat.deck) if seat.deck is not None else None,
        "status": verdict.status if verdict is not None else None,
        "findings": [finding_data(each) for each in verdict.findings]
        if verdict is not None and mine
        else None,
    }


def _balance(deck: Deck) -> int:
    return to_spend(deck.revisions.get(number=deck.revision))


def invitation_data(request: Request, invitation: Invitation) -> Data:
    """A link that brings people to the table, which may be shown again."""
    token = token_of(invitation)
    return {
        "id": invitation.pk,
        "token": token,
        "page": reverse("campaigns:join", [token], request=request),
        "role": invitation.role,
        "seat": invitation.seat_id,
        "uses": invitation.uses,
        "most_uses": invitation.most_uses,
        "made_at": invitation.made_at,
        "expires_at": invitation.expires_at,
        "revoked_at": invitation.revoked_at,
    }
