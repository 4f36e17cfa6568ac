"""Reads the prompts of our own guides: a reader for each kind.

``docs/guides-own.md`` lists all prompts with their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.conditions import Constant, Operand
from arkham.rules.campaign.model.prompts import Prompt, PromptChoice
from arkham.rules.campaign.reading.cursor import Cursor
from arkham.rules.campaign.reading.effects import DIFFICULTIES, POOLS, of_victory
from arkham.rules.campaign.reading.own_conditions import read_check, read_operand
from arkham.rules.campaign.reading.own_effects import (
    SUPPLIES,
    TEAM,
    TRAUMAS,
    read_batch,
    read_batches,
    read_partners,
)

_WHO = frozenset(
    {"all", "choice", "any", "alive", "resigned", "defeated", "not_defeated"}
)
_SOURCES = frozenset({"scenario", "deck"})
_SUPPLIED = frozenset({"all", "choice"})

Bags = Mapping[str, tuple[str, ...]]


class WordedPrompt(NamedTuple):
    """A prompt, and the texts of its choices by id."""

    prompt: Prompt
    choices: Mapping[str, str] = MappingProxyType({})


def read_prompt(table: Cursor, bags: Bags) -> WordedPrompt:
    """Read a prompt; a dead end, with a flaw, if its kind is unknown.

    ``bags`` are the tokens of each difficulty, for prompts that ask for one.
    """
    kind = table.known_or("ask", frozenset(PROMPTS), "")
    return PROMPTS[kind](table, bags) if kind else WordedPrompt(to.DeadEnd())


def read_choices(
    table: Cursor, key: str = "choices"
) -> tuple[tuple[PromptChoice, ...], dict[str, str]]:
    """Read choices, and their texts by id."""
    choices: list[PromptChoice] = []
    words: dict[str, str] = {}
    for each in table.items(key):
        choice = _choice(each)
        choices.append(choice)
        words[choice.id] = each.text("text")
        each.close()
    return tuple(choices), {name: text for name, text in words.items() if text}


def _choice(table: Cursor) -> PromptChoice:
    when = table.inner("when")
    if "id" not in table:
        table.flaw("guide.missing", "id", None, "an id")
    return PromptChoice(
        table.text("id"),
        None if when is None else read_check(when),
        read_batches(table),
        table.words("then"),
        table.flag("repeatable"),
        table.flag("hidden"),
        table.flag("duplicates"),
    )


def _limit(table: Cursor, key: str) -> Operand | None:
    return read_operand(table, key) if key in table else None


def _one(table: Cursor, bags: Bags) -> WordedPrompt:
    choices, words = read_choices(table)
    return WordedPrompt(to.ChooseOne(choices, table.flag("random")), words)


def _yes_or_no(table: Cursor, bags: Bags) -> WordedPrompt:
    """A single ``choice``; the step's effects and next steps follow from a yes."""
    choice = PromptChoice(
        table.text("choice", "yes"), None, read_batches(table), table.words("then")
    )
    return WordedPrompt(to.ChooseOne((choice,)), {choice.id: table.text("question")})


def _difficulty(table: Cursor, bags: Bags) -> WordedPrompt:
    """The difficulties of the bags: all four, or ``only`` those that the step names."""
    expected = table.words("only") or tuple(DIFFICULTIES)
    if set(bags) != set(expected):
        table.flaw("guide.missing", "ask", sorted(bags), ", ".join(expected))
    return WordedPrompt(
        to.ChooseOne(
            tuple(
                PromptChoice(
                    each,
                    batches=(
                        do.batch(
                            course.SetDifficulty(each), course.Tokens(bags[each], 1)
                        ),
                    ),
                )
                for each in DIFFICULTIES
                if each in bags
            )
        ),
        {each: each.capitalize() for each in DIFFICULTIES if each in bags},
    )


def _victory(table: Cursor, bags: Bags) -> WordedPrompt:
    """The cards in the victory display: each investigator earns them, plus ``bonus``.

    ``does`` replaces this, for example to give experience to some only.
    """
    if "does" in table:
        return WordedPrompt(
            to.VictoryDisplay(tuple(map(of_victory, read_batches(table))))
        )
    bonus, pool = table.number("bonus"), table.known_or("pool", POOLS)
    earned = do.EarnExperience("all", bonus=bonus, pool=pool, victory=True)
    return WordedPrompt(to.VictoryDisplay((do.batch(earned),)))


def _number(table: Cursor, bags: Bags) -> WordedPrompt:
    least, most = _limit(table, "least") or Constant(0), _limit(table, "most")
    return WordedPrompt(to.Counter(read_batches(table), least, most))


def _numbers(table: Cursor, bags: Bags) -> WordedPrompt:
    least, most = table.number_or_none("least"), table.number_or_none("most")
    trauma = table.known_or("trauma", TRAUMAS)
    counter = to.SeatCounter(read_batches(table), least, most, trauma=trauma)
    return WordedPrompt(counter)


def _each(table: Cursor, bags: Bags) -> WordedPrompt:
    choices, words = read_choices(table)
    when = table.inner("when")
    return WordedPrompt(
        to.SeatChoice(
            table.known_or("who", _WHO, "all"),
            choices,
            None if when is None else read_check(when),
            table.flag("in_turn"),
            table.flag("unique"),
            # A single choice is always optional.
            table.flag("optional") or len(choices) == 1,
            _limit(table, "least"),
            _limit(table, "most"),
        ),
        words,
    )


def _investigators(table: Cursor, bags: Bags) -> WordedPrompt:
    lead = read_batch(table, "lead_does")
    steps = table.words("if_nobody") if "if_nobody" in table else None
    return WordedPrompt(to.ChooseInvestigators(lead, steps))


def _checklist(table: Cursor, bags: Bags) -> WordedPrompt:
    choices, words = read_choices(table)
    least, most = table.number_or_none("least"), table.number_or_none("most")
    return WordedPrompt(to.Checklist(choices, least, most), words)


def _list(table: Cursor, bags: Bags) -> WordedPrompt:
    items, item_words = read_choices(table, "items")
    choices, words = read_choices(table)
    return WordedPrompt(to.ChoiceList(items, choices), {**item_words, **words})


def _cards(table: Cursor, bags: Bags) -> WordedPrompt:
    """Cards that the step itself lists, or several tables of ``cards``."""
    choices, words = read_choices(table)
    counts = table.flag("counts")
    least, most = table.number_or_none("least"), table.number_or_none("most")
    if "cards" not in table:
        queries: tuple[to.CardQuery, ...] = (_query(table),)
    else:
        queries = tuple(_closed(each) for each in table.items("cards"))
    unwritten = table.text("unless_in")
    return WordedPrompt(
        to.CardChoice(queries, choices, counts, least, most, unwritten), words
    )


def _closed(table: Cursor) -> to.CardQuery:
    found = _query(table)
    table.close()
    return found


def _query(table: Cursor) -> to.CardQuery:
    """Cards by their ``codes``, or those of the ``scenario`` or the ``deck``."""
    return to.CardQuery(
        table.words("codes"),
        table.known_or("from", _SOURCES, ""),
        table.words("traits"),
        table.words("types"),
        table.flag("only_unique"),
        table.flag("vengeance"),
        table.flag("no_story"),
        table.words("except"),
    )


def _play(table: Cursor, bags: Bags) -> WordedPrompt:
    branches, words = read_choices(table)
    notes, note_words = read_choices(table, "notes")
    return WordedPrompt(
        to.PlayScenario(
            branches,
            notes,
            table.text("ends_with"),
            table.text("only_resolution"),
            table.flag("no_resolutions"),
        ),
        {**words, **note_words},
    )


def _upgrade(table: Cursor, bags: Bags) -> WordedPrompt:
    """With ``later`` experience is only counted, and spent after another game.

    ``copies`` are cards whose number in each deck the players report.
    """
    pool, later = table.known_or("pool", POOLS), table.flag("later")
    counter, exile = table.text("counter"), table.flag("exile")
    copies = table.words("copies")
    return WordedPrompt(to.UpgradeDecks(pool, counter, copies, exile, later))


def _supplies(table: Cursor, bags: Bags) -> WordedPrompt:
    """What can be packed: ``items`` with their ``cost``; ``many`` more than once."""
    costs, words = [], {}
    for each in table.items("items"):
        name = each.text("id")
        costs.append((name, each.number("cost"), each.flag("many")))
        words[name] = each.text("text")
        each.close()
    section, points = table.text("section", SUPPLIES), table.numbers("points")
    pool = table.known_or("pool", POOLS)
    return WordedPrompt(to.Supplies(section, points, tuple(costs), pool), words)


def _use_supplies(table: Cursor, bags: Bags) -> WordedPrompt:
    """What follows if the supply is ``used``, and if there is too little of it."""
    (used, said), (unused, lacking) = _follows(table, "used"), _follows(table, "unused")
    section, supply = table.text("section", SUPPLIES), table.text("supply")
    who = table.known_or("who", _SUPPLIED, "all")
    least, most = table.number_or_none("least"), table.number_or_none("most")
    prompt = to.UseSupplies(section, supply, who, used, unused, least, most)
    return WordedPrompt(prompt, {"": lacking or said})


def _follows(table: Cursor, key: str) -> tuple[PromptChoice | None, str]:
    inner = table.inside(key)
    choice = PromptChoice("", None, read_batches(inner), inner.words("then"))
    text = inner.text("text")
    inner.close()
    return (choice if key in table else None), text


def _supplied(table: Cursor, bags: Bags) -> WordedPrompt:
    """One investigator; the first choice is for one who has the supply."""
    choices, words = read_choices(table)
    if len(choices) != 2:
        table.flaw("guide.missing", "choices", len(choices), "two choices")
        return WordedPrompt(to.DeadEnd())
    section = table.text("section", SUPPLIES)
    return WordedPrompt(to.SeatSupplies(section, table.text("supply"), *choices), words)


def _receive(table: Cursor, bags: Bags) -> WordedPrompt:
    """What the linked campaign sent under a name; players choose if none is linked."""
    choices, words = read_choices(table)
    return WordedPrompt(to.ReceiveLink(table.text("link"), choices), words)


def _place(table: Cursor, bags: Bags) -> WordedPrompt:
    return WordedPrompt(to.RandomPlaces(table.words("codes"), table.flag("several")))


def _partners(table: Cursor, bags: Bags) -> WordedPrompt:
    """A ``quantity``, or any number, of the partners with these ``states``."""
    quantity = _limit(table, "quantity")
    check, batches = read_partners(table, "states"), read_batches(table)
    return WordedPrompt(to.ChoosePartners(check, batches, quantity))


def _draw(table: Cursor, bags: Bags) -> WordedPrompt:
    """A card drawn for each of the ``items``: one of the choices."""
    (items, named), (choices, words) = read_choices(table, "items"), read_choices(table)
    return WordedPrompt(to.Randomizer(items, choices), {**named, **words})


PROMPTS: dict[str, Callable[[Cursor, Bags], WordedPrompt]] = {
    "one": _one,
    "yes_or_no": _yes_or_no,
    "difficulty": _difficulty,
    "victory": _victory,
    "number": _number,
    "numbers": _numbers,
    "each": _each,
    "investigators": _investigators,
    "checklist": _checklist,
    "list": _list,
    "cards": _cards,
    "play": _play,
    "upgrade_decks": _upgrade,
    "save_decks": lambda table, _: WordedPrompt(
        to.SaveDecks(table.flag("trauma"), table.flag("experience"))
    ),
    "supplies": _supplies,
    "use_supplies": _use_supplies,
    "supplied": _supplied,
    "send": lambda table, _: WordedPrompt(
        to.SendLink(table.text("link"), table.text("decision"))
    ),
    "receive": _receive,
    "text": lambda table, _: WordedPrompt(to.TextBox(read_batches(table))),
    "place": _place,
    "draw": _draw,
    "partners": _partners,
    "partner_each": lambda table, _: WordedPrompt(
        to.AssignPartners(read_partners(table, "states"))
    ),
    "partner_trauma": lambda table, _: WordedPrompt(
        to.PartnerTrauma(table.text("section", TEAM))
    ),
    "nothing": lambda _, __: WordedPrompt(to.DeadEnd()),
}
