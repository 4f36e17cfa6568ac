"""API messages of cards, products, taboo lists and environments."""

from __future__ import annotations

from typing import Annotated, Any

from arkham.rest.messages import Message, schema, source
from arkham.rules import card as facts
from arkham.rules.collection import packs_of
from arkham.rules.deck import Environment
from arkham.rules.finding import english
from arkham.rules.gists import LONGEST, gist_of
from arkham.rules.investigator import InvestigatorFacts, option_label
from arkham.rules.pool import CardPool
from arkham.rules.rulings import DEFAULT_RULINGS
from arkham.rules.vocabulary import (
    BoxChoice,
    CardClass,
    CardType,
    SignatureKind,
    Tag,
    WeaknessKind,
)
from cardpool import models
from cardpool.relations import bonded_with, versions_of
from cardpool.rows import scope_of


class SkillsShape(Message):
    """The skills of an investigator."""

    willpower: Annotated[int, source(0)]
    intellect: Annotated[int, source(1)]
    combat: Annotated[int, source(2)]
    agility: Annotated[int, source(3)]


class IconsShape(SkillsShape):
    """The skill icons of a card."""

    wild: Annotated[int, source(4)]


class PrintingShape(Message):
    """One appearance of a card in a product."""

    code: str
    pack: Annotated[str, "Code of the product."]
    position: int
    quantity: Annotated[int, "Copies in the product."]


class CardTagShape(Message):
    """An effect of a card's text that deckbuilding options refer to."""

    tag: Annotated[Tag, source(0)]
    cite: Annotated[str, source(1), "Where the rules say so."]


class RestrictionShape(Message):
    """The only investigators who may have it; empty parts don't restrict."""

    investigators: Annotated[list[str], "Codes of the original investigators."]
    traits: Annotated[list[str], "One of them on the investigator's front is enough."]
    classes: list[CardClass]


class SheetOptionShape(Message):
    """One line of an upgrade sheet."""

    id: Annotated[str, "An id of ours that never changes."]
    name: str
    position: Annotated[int, "Its place in ArkhamDB's formats."]
    boxes: Annotated[int, "Boxes to mark for it; 0 for a choice that needs none."]
    choice: Annotated[BoxChoice | None, "What the player writes on it."]
    picks: Annotated[int, "How many of these the player writes."]


class ErratumShape(Message):
    """A correction of the printed card."""

    faq: Annotated[str, source(0), "The version of the FAQ that brought it."]
    concerns: Annotated[str, source(1)]


class OptionShape(Message):
    """One category of Deckbuilding Options, or a restriction."""

    id: Annotated[str, "An id of ours that never changes."]
    label: Annotated[str, source(lambda option: english(option_label(option)))]
    limit: Annotated[int | None, "How many copies it allows; null for any number."]
    other: Annotated[bool, "Whether it is printed with the word “other”."]
    forbids: Annotated[bool, "Whether it is a restriction, not an option."]


class ChoiceShape(Message):
    """Something the player decides at deck creation."""

    key: Annotated[str, "Its key in a deck."]
    offers: list[str]


class ReplacementShape(Message):
    """A card that may replace a required one."""

    code: Annotated[str, source(0)]
    copies: Annotated[int, source(1)]


class RequirementShape(Message):
    """A card that the deck must include."""

    code: Annotated[str, source("original")]
    copies: int
    copies_at_most: Annotated[
        int,
        source(lambda required: required.copies_at_most or required.copies),
        "If it is more than ``copies``, any number in between is right.",
    ]
    advanced: str | None
    replacements: list[ReplacementShape]


def _of_back(name: str, default: object = None) -> source:
    return source(lambda found: getattr(found.back, name, default))


def _options(found: InvestigatorFacts) -> list[Any]:
    options = found.back.options if found.back else ()
    return [each for each in options if not each.counts_only]


class InvestigatorShape(Message):
    """The deckbuilding facts of an investigator card."""

    base: Annotated[str, "Code of the original of the investigator."]
    playable: Annotated[bool, "Whether a deck may begin with it."]
    parallel: bool
    deck_size: Annotated[int | None, _of_back("size")]
    basic_weaknesses: Annotated[int | None, _of_back("basic_weaknesses")]
    bonus_experience: Annotated[int | None, _of_back("bonus_experience")]
    options: Annotated[list[OptionShape], source(_options)]
    choices: Annotated[list[ChoiceShape], _of_back("choices", ())]
    requirements: Annotated[list[RequirementShape], _of_back("requirements", ())]


class GistShape(Message):
    """A summary of a card, in lines of Orne's own words; "" if there is none.

    Symbols are in brackets, as ArkhamDB writes them: ``[action]``.
    """

    text: Annotated[str, schema(maxLength=LONGEST)]
    elder_sign: Annotated[str, "What the elder sign does.", schema(maxLength=LONGEST)]
    lines: Annotated[list[str], "What each line of its upgrade sheet does."]


class CardShape(Message):
    """A card, once, however many products it was printed in."""

    code: Annotated[str, "The code of the first printing."]
    name: str
    subname: str
    type: CardType
    scope: Annotated[models.Scope, source(scope_of)]
    classes: Annotated[list[CardClass], "None if neutral, a weakness, or mythos."]
    weakness: WeaknessKind | None
    level: Annotated[int | None, "Its level; null if it has none, which isn’t level 0."]
    cost: Annotated[int | None, "Its cost to play; -2 is X."]
    icons: IconsShape
    skills: Annotated[SkillsShape | None, "Only investigators have them."]
    slots: Annotated[list[str], "Its slots; a kind is listed twice if it takes two."]
    traits: Annotated[list[str], "Its traits, in lower case."]
    health: int | None
    sanity: int | None
    victory: int | None
    unique: bool
    permanent: bool
    exceptional: bool
    myriad: bool
    researched: bool
    researched_from: Annotated[list[str], "Codes of the cards it is upgraded from."]
    deck_limit: Annotated[int | None, "The printed limit; null: the general rule."]
    uses: Annotated[str, "The kind of token."]
    tags: list[CardTagShape]
    bonded_to: Annotated[list[str], "The titles of the cards it is bonded to."]
    encounter_set: Annotated[
        str | None, source(lambda card: card.encounter_set or None)
    ]
    restriction: RestrictionShape | None
    signature: SignatureKind | None
    creation_only: bool
    campaign_only: bool
    multiplayer_only: bool
    reward: bool
    in_decks: Annotated[bool, "Whether any deck may include it."]
    customization: Annotated[list[SheetOptionShape], source("sheet")]
    errata: list[ErratumShape]
    printings: list[PrintingShape]
    investigator: InvestigatorShape | None
    gist: Annotated[GistShape, source(lambda card: gist_of(card.code))]


class TabooChangeShape(Message):
    """The change of a taboo list to a card; null changes nothing."""

    code: str
    experience: Annotated[int, "How much it adds to the experience cost."]
    exceptional: bool | None
    deck_limit: Annotated[int | None, "The new deck limit; 0 forbids the card."]
    campaign_only: bool
    text_only: Annotated[bool, "Whether only the text changes."]


class TabooHistoryShape(TabooChangeShape):
    """The change of a taboo list to a card, with the list."""

    taboo_list: int
    date: str


class TextShape(Message):
    """The printed text, if the operator has imported it."""

    front: Annotated[str, source("text")]
    back: Annotated[str, source("back_text")]
    customization: Annotated[str, source("sheet_text")]


class CardDetailShape(CardShape):
    """A card with everything that belongs to it."""

    versions: Annotated[list[str], "Codes of the cards of the same title, by level."]
    bonded: Annotated[list[str], "Codes of the bonded cards it brings."]
    taboo: Annotated[list[TabooHistoryShape], "Its taboos, newest first."]
    text: TextShape | None


def detail_of(
    card: facts.Card, pool: CardPool, text: models.CardText | None
) -> dict[str, Any]:
    """Return a card with everything that belongs to it, as JSON types."""
    return CardDetailShape.data(
        card,
        versions=[each.code for each in versions_of(card, pool)],
        bonded=[each.code for each in bonded_with(card, pool)],
        taboo=[
            TabooHistoryShape.data(change, taboo_list=each.id, date=each.date)
            for each in reversed(pool.taboo_lists)
            if (change := each.changes.get(card.code))
        ],
        text=TextShape.data(text) if text else None,
    )


class PackShape(Message):
    """A product."""

    code: str
    name: str
    cycle: Annotated[str, source("cycle_id"), "Code of the cycle."]
    cycle_name: Annotated[str, source("cycle.name")]
    position: Annotated[int, "Its place in the cycle."]
    released: Annotated[
        str | None, source(lambda pack: pack.released or None), "ISO date."
    ]
    chapter: int
    holds: Annotated[list[str], "Codes of the products that this one contains."]


class TabooListShape(Message):
    """One edition of the taboo list."""

    id: int
    date: Annotated[str, "ISO date on which it took effect."]
    cards: Annotated[
        int, source(lambda taboo: len(taboo.changes)), "How many cards it changes."
    ]


class TabooListDetailShape(TabooListShape):
    """One edition of the taboo list, with its changes."""

    changes: Annotated[
        list[TabooChangeShape],
        source(lambda taboo: [each for _code, each in sorted(taboo.changes.items())]),
    ]


class EnvironmentShape(Message):
    """A named part of the card pool."""

    slug: str
    name: str
    kind: Annotated[str, schema(enum=models.Environment.Kind.values)]
    date: Annotated[str | None, source(lambda row: row.date or None)]
    cycles: Annotated[list[str], "The cycles chosen, of a limited environment."]
    packs: Annotated[list[str] | None, "Codes of the products; null is every product."]


def environment_data(row: models.Environment, pool: CardPool) -> dict[str, Any]:
    """Return an environment and the products in it, as JSON types."""
    terms = Environment(
        kind=row.kind,
        date=row.date,
        cycles=tuple(sorted(cycle.pk for cycle in row.cycles.all())),
        packs=tuple(sorted(pack.pk for pack in row.packs.all())),
    )
    packs = packs_of(terms, pool, DEFAULT_RULINGS)
    return EnvironmentShape.data(
        row,
        cycles=list(terms.cycles),
        packs=None if packs is None else sorted(packs & set(pool.packs)),
    )
