"""Report published decks to the operators, who withdraw a deck or dismiss a report."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as noop

from arkham.accounts.models import User
from decks.lists.content import whole
from decks.models import LONGEST_REPORT, Deck, Report, Showing
from decks.services.sharing import withdraw_deck

MOST_OPEN = 20  # reports of one deck; operators look at the deck anyway
MOST_OF_ACCOUNT = 3  # of them from one account


class NotKept(Enum):
    """Why a report isn't kept, in words."""

    REPORTED = noop(
        "Your report isn’t kept: you have reported this deck already, and an operator "
        "will look at it."
    )
    FULL = noop("Your report isn’t kept: the deck has enough open reports already.")


@transaction.atomic
def report_deck(
    *, showing: Showing, reporter: User | None, reason: str, text: str, now: datetime
) -> NotKept | None:
    """Report a published deck, beside all earlier reports of it.

    Where it has as many open ones as it may, an account's first replaces the oldest
    without an account. Returns why the report isn't kept, if it isn't.
    """
    Deck.objects.select_for_update().get(pk=showing.deck_id)
    open_ones = Report.objects.filter(deck=showing.deck_id, decision="")
    said = {"reason": reason, "text": _kept(text), "made_at": now}
    own = open_ones.filter(reporter=reporter).count() if reporter is not None else 0
    if own >= MOST_OF_ACCOUNT:
        return NotKept.REPORTED
    if open_ones.count() >= MOST_OPEN:
        oldest = open_ones.filter(reporter=None).first()
        if reporter is None or own or oldest is None:
            return NotKept.REPORTED if own else NotKept.FULL
        oldest.delete()
    Report.objects.create(deck_id=showing.deck_id, reporter=reporter, **said)
    return None


@transaction.atomic
def decide_report(
    *, report: Report, decision: Report.Decision, answer: str, by: User, now: datetime
) -> bool:
    """Withdraw the deck, which closes its other open reports, or dismiss a report.

    The owner keeps the deck and reads this report's reason and ``answer``. Returns
    False, and changes nothing, if another operator has decided, or if a deck to
    withdraw isn't published any more: its report waits until it is.
    """
    deck = Deck.everything.select_for_update().get(pk=report.deck_id)
    open_ones = Report.objects.filter(deck=deck, decision="")
    one = open_ones.filter(pk=report.pk)
    if decision == Report.Decision.WITHDRAWN:
        one = one.filter(deck__showing__kind=Showing.Kind.PUBLISHED)
    made: dict[str, Any] = {"decided_by": by, "decided_at": now}
    if not one.update(decision=decision, answer=_kept(answer), **made):
        return False
    if decision == Report.Decision.WITHDRAWN:
        withdraw_deck(deck=deck)
        open_ones.update(decision=Report.Decision.CLOSED, **made)
    return True


def _kept(text: str) -> str:
    return " ".join(whole(text).split())[:LONGEST_REPORT]
