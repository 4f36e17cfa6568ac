"""Letting chance answer what is asked: the draws are recorded with the answer."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from arkham.rules.campaign.answers import Answer
from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.fixed import CHOOSE_RESOLUTION
from arkham.rules.draws import Draw
from arkham.rules.draws.record import Purpose, draw
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns import log, rights
from campaigns.dealing import Dealer
from campaigns.entries import Drawn, Entry
from campaigns.models import Campaign, Membership
from campaigns.replays import Folded
from campaigns.services.writing import Refused, Sight, written

CAUSE = "drawn by chance"


@transaction.atomic
def draw_at_random(
    *, campaign: Campaign, member: Membership, sight: Sight
) -> log.Appended:
    """Let chance answer what is asked now; each draw is written before the answer.

    A weakness for each investigator concerned, out of the table's pool; an option for
    each thing the guide leaves to chance; or one of the choices there are. Raises
    LogMoved, Forbidden; Refused where nothing can be drawn.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        pending = known.replay.pending
        if pending is None or not is_drawn(pending):
            raise Refused(
                Finding(
                    _("What is asked now is not left to chance."), rule="draw.not-asked"
                )
            )
        seed = f"{campaign.seed}/{campaign.last + 1}"
        records, value, choice = _decided(campaign, known, pending, seed)
        given = Answer(pending.kind, pending.scenario, pending.step, value, 0, choice)
        rights.require_answer(member, given, pending)
        return [*(_drawn(pending, each) for each in records), given]

    return written(campaign, make, member, sight, cause=CAUSE)


def is_drawn(pending: Pending) -> bool:
    """Whether chance can answer what is asked."""
    if pending.prompt == "weakness":
        return bool(pending.codes)
    if pending.prompt == "randomizer":
        return bool(pending.keys and pending.offers)
    is_one_of = pending.prompt == "choose_one" or pending.step == CHOOSE_RESOLUTION
    return pending.kind == "choice" and is_one_of and len(pending.offers) > 1


def _decided(
    campaign: Campaign, known: Folded, pending: Pending, seed: str
) -> tuple[list[Draw], Any, str]:
    """The draws, the value of the answer, and the id of a choice."""
    if pending.prompt == "weakness":
        by_code = _weaknesses(campaign, known, pending, seed)
        value = {
            code: tuple(card for each in drawn for card in each.result)
            for code, drawn in by_code.items()
        }
        return [each for drawn in by_code.values() for each in drawn], value, ""
    offered = {offer.id: 1 for offer in pending.offers}
    if pending.prompt == "randomizer":
        # Cards of one small deck: what one thing draws is gone for the next.
        found = draw(Purpose.CHOICE, seed, offered, len(pending.keys))
        if len(found.result) < len(pending.keys):
            raise Refused(Finding(_("There are too few to draw."), rule="draw.few"))
        value = {
            key: (each,) for key, each in zip(pending.keys, found.result, strict=True)
        }
        return [found], value, ""
    record = draw(Purpose.CHOICE, seed, offered)
    (chosen,) = record.result
    number = next(each.number for each in pending.offers if each.id == chosen)
    return [record], number, chosen


def _weaknesses(
    campaign: Campaign, known: Folded, pending: Pending, seed: str
) -> dict[str, list[Draw]]:
    """As many draws as are asked for, for each investigator."""
    dealer = Dealer(campaign, known.replay.state)
    found: dict[str, list[Draw]] = {}
    for code in pending.codes:
        for number in range(pending.many):
            place = f"{seed}/{code}" + (f"/{number + 1}" if number else "")
            record = dealer.deal(code, pending.traits, place)
            if record is None:
                raise Refused(
                    Finding(
                        _("No weakness that may be drawn is left in the collection."),
                        rule="draw.empty-pool",
                        cards=(code,),
                    )
                )
            found.setdefault(code, []).append(record)
    return found


def _drawn(pending: Pending, record: Draw) -> Drawn:
    return Drawn(pending.scenario, pending.step, record.as_data())
