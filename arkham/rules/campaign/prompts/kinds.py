"""All that the rules know of a class of prompts, in one row; rules several share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from arkham.rules.campaign.asking import GUIDE, Given, Pending, not_offered
from arkham.rules.campaign.run import StepHandler
from arkham.rules.campaign.state.lookup import NO_PARTNER
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Rule, rule, rules_reference
from arkham.rules.finding import gettext_noop as _


class AnswerNames(Enum):
    """Whom or what an answer names: those asked, things that are listed, or others."""

    PEOPLE = "people"
    THINGS = "things"
    OTHERS = "others"


class PromptKind(NamedTuple):
    """What a prompt is called, asks and takes, and what it does with its answer.

    ``name`` is what records and pages call it. ``walk`` does what follows from the
    answer, or waits for it; effects that ask whom they concern have none. ``describe``
    says what is asked in this state, where it is more than of whom. ``names`` is whom
    or what an answer names, ``says_each`` that it says of each as many things as are
    asked for, ``in_all`` that its numbers have bounds together. ``rules`` judge its
    answers beside those that judge all.
    """

    name: str
    walk: StepHandler | None = None
    describe: Callable[[State, Any, Pending], Pending] | None = None
    names: AnswerNames = AnswerNames.OTHERS
    says_each: bool = False
    in_all: bool = False
    rules: tuple[Rule[Given], ...] = ()


@rule("answer.thing", rows=("CAMP-03",), cites=GUIDE)
def things_can_be_had(given: Given) -> Iterator[Finding]:
    """What is chosen for a thing, a card or a companion is one of what is offered."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    offered = tuple(offer.id for offer in asked.offers)
    if asked.each:  # of them a companion is asked, not of a thing
        offered = (*asked.keys, NO_PARTNER)
    for key, said in given.answer.value.items():
        for each in said:
            if each not in offered:
                yield not_offered(each, offered, key)


@rule("answer.once", rows=("CARD-10", "CYC-EE1"), cites=(rules_reference("Unique"),))
def nobody_has_the_same(given: Given) -> Iterator[Finding]:
    """What there is only once, a role or a companion, only one of them has."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    once = asked.once or asked.keys
    if not once:
        return
    taken = Counter(each for said in given.answer.value.values() for each in said)
    for each, count in taken.items():
        if each in once and count > 1:
            yield Finding(_("Only one of them can have this."), actual=each, expected=1)
