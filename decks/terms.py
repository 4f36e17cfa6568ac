"""Which terms can a deck be judged on, and how is each of them called?"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from arkham.rules.card import Card, TabooList
from arkham.rules.deck import LEGACY, Circumstances, Environment
from arkham.rules.investigator import Choice
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode
from arkham.signs import SIGNS
from cardpool.relations import sides_of
from decks.display import Judged

Words = str | Promise
Offered = list[tuple[str, Words]]  # value, label

MODES: dict[Mode, Words] = {
    Mode.CAMPAIGN: gettext_lazy("Campaign under way"),
    Mode.START: gettext_lazy("First deck of a campaign"),
    Mode.STANDALONE: gettext_lazy("Standalone"),
}
ENVIRONMENTS: dict[str, Words] = {
    "legacy": gettext_lazy("Legacy: every product"),
    "current": gettext_lazy("Current"),
    "limited": gettext_lazy("Limited: three cycles"),
    "products": gettext_lazy("A list of products"),
}
CHOICES: dict[str, Words] = {
    "class": pgettext_lazy("choice", "Class"),
    "class_1": pgettext_lazy("choice", "First class"),
    "class_2": pgettext_lazy("choice", "Second class"),
    "trait": pgettext_lazy("choice", "Option"),
    "size": pgettext_lazy("choice", "Deck size"),
}


def taboo_label(taboo: TabooList | None) -> Words:
    """A list of taboos by its date; none is a choice as well."""
    if taboo is None:
        return _("No list of taboos")
    return _("Taboos of %(date)s") % {"date": taboo.date}


def taboos(pool: CardPool) -> Offered:
    """Every list, the newest first, after none."""
    newest_first = reversed(pool.taboo_lists)
    return [
        ("", taboo_label(None)),
        *((str(each.id), taboo_label(each)) for each in newest_first),
    ]


def modes() -> Offered:
    """How a deck may be about to be played."""
    return [(mode.value, label) for mode, label in MODES.items()]


def environment_label(environment: Environment, pool: CardPool) -> Words:
    """An environment in a few words."""
    if environment.kind == "current" and environment.date:
        return _("Current at %(date)s") % {"date": environment.date}
    if environment.kind == "limited":
        names = (
            pool.cycles[code].name for code in environment.cycles if code in pool.cycles
        )
        return _("Limited: %(cycles)s") % {"cycles": ", ".join(names)}
    if environment.kind == "products":
        count = len(environment.packs)
        return _("%(count)d products") % {"count": count}
    return ENVIRONMENTS[environment.kind]


def environment_of(judged: Judged) -> Environment:
    """The environment a deck is judged in: told, or the products its list names."""
    told = judged.asked.circumstances.environment
    if judged.asked.deck.card_pool and not told:
        return Environment("products", packs=judged.asked.deck.card_pool)
    return told or LEGACY


def choice_values(choice: Choice) -> Offered:
    """What the back offers."""
    return [(value, value_label(choice.kind, value)) for value in choice.offers]


def value_label(kind: str, value: str) -> Words:
    """One value of a choice as the reader knows it."""
    if kind == "class" and value in SIGNS:
        return SIGNS[value].title
    return value.capitalize()


def sides(card: Card, pool: CardPool) -> list[Card]:
    """Every version of the investigator that can build a deck, the original first."""
    assert card.investigator is not None
    base = card.investigator.base
    versions = [
        each
        for each in (card, *sides_of(card, pool))
        if each.investigator is not None and each.investigator.playable
    ]
    return sorted(versions, key=lambda each: (each.code != base, each.code))


def side_label(card: Card, pool: CardPool) -> str:
    """A version of an investigator: its product, and that it is parallel."""
    names = [
        pool.packs[printing.pack].name
        for printing in card.printings[:1]
        if printing.pack in pool.packs
    ]
    product = names[0] if names else card.code
    if card.investigator is not None and card.investigator.parallel:
        return _("Parallel (%(product)s)") % {"product": product}
    return product


def summary(judged: Judged) -> list[Words]:
    """The terms of a deck in a few words each, the usual ones left out."""
    pool, circumstances = judged.pool, judged.asked.circumstances
    taboo = (
        pool.taboo_list(judged.verdict.taboo_id) if judged.verdict.taboo_id else None
    )
    parts: list[Words] = [taboo_label(taboo), MODES[circumstances.mode]]
    if circumstances.experience is not None:
        parts.append(
            _("%(number)d experience granted") % {"number": circumstances.experience}
        )
    parts.append(environment_label(environment_of(judged), pool))
    parts.extend(_more(circumstances))
    return parts


def _more(circumstances: Circumstances) -> Iterable[Words]:
    if circumstances.ultimatums:
        count = len(circumstances.ultimatums)
        yield _("Ultimatums and boons: %(count)d") % {"count": count}
    if circumstances.rulings:
        yield _("Rulings of the table: %(count)d") % {
            "count": len(circumstances.rulings)
        }
