"""Rules on the products a table plays with."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.card import Card
from arkham.rules.environment import unknown_products
from arkham.rules.finding import (
    Finding,
    Remedy,
    faq,
    gettext_noop,
    rule,
)
from arkham.rules.legality.admission import beside_environments, packs_counted
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.remedies import by_card, taken_out
from arkham.rules.legality.standing import Role
from arkham.rules.legality.tally import Concern, wakes

_DECK_ROLES = (Role.ORDINARY, Role.BASIC_WEAKNESS, Role.STORY)


@rule(
    "environment.product",
    rows=("ENV-01", "ENV-11"),
    cites=(faq("Environments"),),
    wakes=wakes(Concern.ENVIRONMENT),
)
def products_known(built: BuiltDeck) -> Iterator[Finding]:
    """The products that make up an environment are products of the game."""
    for code in unknown_products(built.frame.environment, built.frame.pool):
        yield Finding(
            gettext_noop("No product has the code {code}."),
            actual=code,
            expected="a product",
            remedy=Remedy("change"),
            remedy_text=gettext_noop("Correct the list of products."),
            values=(("code", code),),
        )


def _sides_outside(built: BuiltDeck) -> tuple[Card, ...]:
    """The sides in use that no product of the environment brings."""
    frame = built.frame
    if frame.packs is None:
        return ()
    terms = frame.standings.terms
    anywhere = frame.rulings["environment.investigators"] == "anywhere"
    limited = frame.environment.kind == "limited"
    outside = []
    for side in dict.fromkeys((frame.front.code, frame.back.code)):
        card = frame.pool[side]
        if any(pack in frame.packs for pack in packs_counted(terms, card)):
            continue
        beside = beside_environments(terms, card)
        if not beside and not (beside is None and limited and anywhere):
            outside.append(card)
    return tuple(outside)


@rule(
    "environment.investigator",
    rows=("ENV-01", "ENV-02", "ENV-04", "ENV-06", "ENV-07", "ENV-08"),
    cites=(faq("Environments"),),
    wakes=wakes(Concern.ENVIRONMENT),
)
def investigator_in_environment(built: BuiltDeck) -> Iterator[Finding]:
    """The investigator comes from a product of the environment."""
    for side in _sides_outside(built):
        yield Finding(
            gettext_noop("{name} is in no product of the {kind} environment."),
            cards=(side.code,),
            actual=", ".join(printing.pack for printing in side.printings),
            expected=built.frame.environment.kind,
            remedy=Remedy("choose"),
            remedy_text=gettext_noop("Choose another investigator."),
            values=(("name", side.name), ("kind", built.frame.environment.kind)),
        )


@rule(
    "environment.card",
    rows=("ENV-01", "ENV-02", "ENV-03", "ENV-04", "ENV-07", "ENV-09", "ENV-11"),
    cites=(faq("Environments"),),
    wakes=wakes(Concern.OUT_OF_POOL, Concern.SIDE_DECK),
)
def card_in_environment(built: BuiltDeck) -> Iterator[Finding]:
    """Every card has a printing in a product of the environment."""
    frame = built.frame
    # Signatures of an investigator who is out are out with him or her.
    roles = _DECK_ROLES if _sides_outside(built) else (*_DECK_ROLES, Role.SIGNATURE)
    kind = frame.environment.kind
    for lines in built.each_deck(*roles):
        outside = (
            line for line in lines if Concern.OUT_OF_POOL in line.standing.concerns
        )
        for held in by_card(outside):
            yield taken_out(
                held,
                gettext_noop("{name} is in no product of the {kind} environment."),
                expected=kind,
                kind=kind,
            )
