"""How does a card stand in the decks of given terms?

What it is to the deck, its level and price, how many copies of it there may be, and
which options admit it: worked out once for a card and the boxes marked on its sheet.
"""

from __future__ import annotations

from dataclasses import replace

from arkham.rules.card import Card
from arkham.rules.deck import SheetMark
from arkham.rules.legality import tally
from arkham.rules.legality.settled import Settled
from arkham.rules.legality.sheets import MOST_BOXES, boxes_of, is_sound, open_choices
from arkham.rules.legality.standing import (
    GENERAL_LIMIT,
    MYRIAD_LIMIT,
    Role,
    Standing,
    completed,
    fits,
    sheet_limit,
    with_sheet,
)
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import DECK_MODIFIERS, TRAIT_LIMITS
from arkham.rules.vocabulary import CardType, WeaknessKind

DECK_TYPES = frozenset({CardType.ASSET, CardType.EVENT, CardType.SKILL})
# Products that lie outside every environment, and whether a table allows them.
BESIDE = {
    "parallel": "environment.parallel",
    "promotional": "environment.promo",
}
PLACEHOLDER = "01000"  # the field's stand-in for a random basic weakness
_LIMITED_TRAITS = frozenset(row.trait for row in TRAIT_LIMITS)
_ROLE_CONCERNS: dict[Role, tuple[Concern, ...]] = {
    Role.UNLISTED: (Concern.SIGNATURE,),
    Role.STORY: (Concern.STORY,),
    Role.FOREIGN: (Concern.FOREIGN,),
    Role.OUTSIDE: (Concern.OUTSIDE,),
}


def stand(terms: Settled, card: Card, marks: tuple[SheetMark, ...]) -> Standing:
    change = terms.taboo.changes.get(card.code) if terms.taboo else None
    role = role_of(terms, card)
    concerns = list(_ROLE_CONCERNS.get(role, ()))
    if not may_hold(terms, card):
        concerns.append(Concern.FOREIGN)
    if change is not None and change.deck_limit == 0:
        concerns.append(Concern.FORBIDDEN)
    if card.code in DECK_MODIFIERS:
        concerns.append(Concern.MODIFIER)
    if role is Role.SIGNATURE and card.code not in terms.originals:
        concerns.append(Concern.SIGNATURE)
    if card.code == PLACEHOLDER:
        concerns.append(Concern.PLACEHOLDER)
    if card.title in terms.gone_titles:
        concerns.append(Concern.BANNED)
    if not in_environment(terms, card, role):
        concerns.append(Concern.OUT_OF_POOL)
    of_a_mode = card.campaign_only or card.multiplayer_only or card.creation_only
    if of_a_mode or card.reward:
        concerns.append(Concern.MODE)
    plain = Standing(
        card=card,
        role=role,
        title=card.title,
        counts=role is Role.ORDINARY and not card.permanent,
        limit=_entry_limit(terms, card, role),
        tags=frozenset(tag for tag, _ in card.tags),
        traits=frozenset(card.traits),
        slots=card.slots,
        exceptional=card.exceptional,
        taboo=change,
        concerns=tuple(concerns),
    )
    if role is not Role.ORDINARY:
        return plain
    return _ordinary(terms, card, plain, marks)


def _ordinary(
    terms: Settled, card: Card, plain: Standing, marks: tuple[SheetMark, ...]
) -> Standing:
    """An ordinary card: level, price, limits and the options that admit it."""
    change = plain.taboo
    sheet = change.sheet if change and change.sheet is not None else card.sheet
    exceptional = card.exceptional
    if change is not None and change.exceptional is not None:
        exceptional = change.exceptional
    standing = replace(plain, exceptional=exceptional, sheet=sheet)
    level = card.level
    boxes = boxes_of(sheet, marks)
    if marks:
        level = (min(boxes, MOST_BOXES) + 1) // 2
        standing = with_sheet(standing, marks)
    effective = _effective_cost(terms, card, standing)
    cost, cost_once = _price(terms, card, level, boxes, marks, standing, effective)
    standing = replace(
        standing,
        level=level,
        limit=_title_limit(terms, card, standing, exceptional, marks),
        cost=cost,
        cost_once=cost_once,
        effective=effective,
    )
    concerns = list(standing.concerns)
    if card.researched:
        concerns.append(Concern.RESEARCHED)
    if sheet and not is_sound(sheet, marks, card.slots, terms.pool):
        concerns.append(Concern.CUSTOMIZED)
    if any(open_choices(sheet, marks)):
        concerns.append(Concern.UNWRITTEN)
    if standing.traits & _LIMITED_TRAITS:
        concerns.append(Concern.TRAIT_LIMIT)
    free, limited = _admitting(terms, card, standing)
    forbidden_by = _forbidding(terms, card, standing)
    if free < 0 and not limited:
        concerns.append(Concern.NOT_ADMITTED)
    if forbidden_by >= 0:
        concerns.append(Concern.BARRED)
    return replace(
        standing,
        free=free,
        limited=limited,
        forbidden_by=forbidden_by,
        concerns=tuple(concerns),
    )


def role_of(terms: Settled, card: Card) -> Role:
    """What a card is to decks of this frame."""
    if card.code in terms.signatures or card.code in terms.extras:
        return Role.SIGNATURE
    restriction = card.restriction
    if restriction is not None and restriction.investigators:
        mine = terms.base in restriction.investigators
        return Role.UNLISTED if mine else Role.FOREIGN
    if not card.in_decks:
        return Role.OUTSIDE
    if card.weakness is WeaknessKind.BASIC:
        return Role.BASIC_WEAKNESS
    if card.weakness is not None:
        return Role.STORY
    if card.type not in DECK_TYPES:
        # A transformation that lasts the campaign is kept as a permanent card.
        lasting = card.permanent and card.type is CardType.INVESTIGATOR
        return Role.STORY if lasting else Role.OUTSIDE
    if card.level is None:
        return Role.STORY
    return Role.ORDINARY


def may_hold(terms: Settled, card: Card) -> bool:
    """Whether the investigator's traits and class meet the card's restriction."""
    restriction = card.restriction
    if restriction is None:
        return True
    if restriction.traits and not set(restriction.traits) & set(terms.front.traits):
        return False
    return not restriction.classes or bool(
        set(restriction.classes) & set(terms.front.classes)
    )


def packs_counted(terms: Settled, card: Card) -> tuple[str, ...]:
    """The packs whose printing of a card brings it into an environment."""
    first_only = terms.rulings["environment.reprints"] == "first"
    printings = card.printings[:1] if first_only else card.printings
    return tuple(printing.pack for printing in printings)


def beside_environments(terms: Settled, card: Card) -> bool | None:
    """Whether a parallel or promotional card is allowed; None if it is neither."""
    cycles = {
        pack.cycle
        for printing in card.printings
        if (pack := terms.pool.packs.get(printing.pack)) is not None
    }
    for cycle, ruling in BESIDE.items():
        if cycle in cycles:
            return terms.rulings[ruling] == "allowed"
    return None


def in_environment(terms: Settled, card: Card, role: Role) -> bool:
    """Whether the pool of products in use holds the card (ENV rows)."""
    if terms.packs is None or card.code == PLACEHOLDER:
        return True
    if any(pack in terms.packs for pack in packs_counted(terms, card)):
        return True
    beside = beside_environments(terms, card)
    if beside is not None:
        return beside
    if role in (Role.SIGNATURE, Role.UNLISTED, Role.FOREIGN):
        return True  # judged with the investigator
    if role is Role.BASIC_WEAKNESS:
        limited = terms.environment.kind == "limited"
        return limited and terms.rulings["environment.weaknesses"] == "no"
    if role is Role.STORY:
        return terms.rulings["environment.story"] == "allowed"
    return False


def _entry_limit(terms: Settled, card: Card, role: Role) -> int:
    """Copies one entry may hold before a rule must look."""
    if role is Role.STORY and card.weakness is None and terms.one_of_each:
        return 1
    if role is Role.BASIC_WEAKNESS or role is Role.STORY:
        return most_outside_options(card)
    return tally.MOST_COPIES


def _title_limit(
    terms: Settled,
    card: Card,
    standing: Standing,
    exceptional: bool,
    marks: tuple[SheetMark, ...],
) -> int:
    change = standing.taboo
    if terms.one_of_each or exceptional:
        return 1
    if change is not None and change.deck_limit:
        return change.deck_limit
    by_sheet = sheet_limit(standing.sheet, marks)
    if by_sheet is not None:
        return by_sheet
    return most_copies(card)


def _effective_cost(terms: Settled, card: Card, standing: Standing) -> int:
    """The level, doubled if exceptional, with the taboo change (XP-39, TABOO-06)."""
    change = standing.taboo.experience if standing.taboo else 0
    times = 2 if standing.exceptional else 1
    if terms.rulings["prices.exceptional-taboo"] == "doubled":
        change *= times
    return (card.level or 0) * times + change


def _price(
    terms: Settled,
    card: Card,
    level: int | None,
    boxes: int,
    marks: tuple[SheetMark, ...],
    standing: Standing,
    effective: int,
) -> tuple[int, bool]:
    """Experience for a copy, and whether it is paid once for all copies.

    A marked customizable costs its boxes, once for all copies (CUST-11); a
    myriad card is paid for once (KW-11). Source: row XP-40.
    """
    if boxes:
        done = completed(standing.sheet, marks)
        surcharge = sum(line.surcharge for line in done)
        change = standing.taboo.experience if standing.taboo else 0
        return boxes + surcharge + change, True
    least = 1 if level and terms.rulings["prices.discounted-minimum"] == "one" else 0
    return max(effective, least), card.myriad


def _admitting(terms: Settled, card: Card, standing: Standing) -> tuple[int, int]:
    """The unlimited option that admits a card for nothing, or the limited ones.

    Source: FAQ 1.15 and 1.16. A limited option printed without "other" takes
    every card it matches, whatever else admits it; one printed with "other"
    takes only cards that nothing else admits.
    """
    matching = [
        index
        for index, option in enumerate(terms.options)
        if fits(option, card, standing, terms.mode)
    ]
    free = [index for index in matching if terms.options[index].limit is None]
    limited = [index for index in matching if terms.options[index].limit is not None]
    greedy = [index for index in limited if not terms.options[index].other]
    if greedy:
        usable = set(greedy)
        if terms.rulings["options.full-limited-option"] == "capacity":
            usable |= {index for index in limited if index in terms.granted}
        return -1, _bits(terms, usable)
    if free:
        return free[0], 0
    return -1, _bits(terms, limited)


def _bits(terms: Settled, indexes: list[int] | set[int]) -> int:
    return sum(1 << terms.limited.index(index) for index in indexes)


def _forbidding(terms: Settled, card: Card, standing: Standing) -> int:
    """The first restriction that shuts a card out, -1 if none does."""
    if terms.restrictions and _named_by_an_option(terms, card, standing):
        return -1
    for index, restriction in enumerate(terms.restrictions):
        if standing.traits & set(restriction.spares):
            continue
        if fits(restriction, card, standing, terms.mode):
            return index
    return -1


def _named_by_an_option(terms: Settled, card: Card, standing: Standing) -> bool:
    """Whether the table lets an option by trait or text outrank a restriction."""
    if terms.rulings["options.restriction-outranks"] == "veto":
        return False
    return any(
        (option.traits or option.tags or option.uses)
        and fits(option, card, standing, terms.mode)
        for option in terms.options
    )


def most_outside_options(card: Card) -> int:
    """Copies of a weakness or story card: those there are, or the printed limit."""
    there_are = copies_there_are(card)
    if card.weakness is not None and card.deck_limit is not None:
        return min(there_are, max(card.deck_limit, 1))
    return there_are


def most_copies(card: Card) -> int:
    """Copies of a card by its printed limit, whatever deck it is in."""
    if card.exceptional:
        return 1
    if card.deck_limit is not None:
        return card.deck_limit
    return MYRIAD_LIMIT if card.myriad else GENERAL_LIMIT


def copies_there_are(card: Card) -> int:
    """Copies of a card in one of each of its products, the most a deck can hold."""
    if card.code == PLACEHOLDER:
        return tally.MOST_COPIES
    return max(sum(printing.quantity for printing in card.printings), 1)
