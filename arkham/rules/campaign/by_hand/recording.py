"""What can be recorded after a game or an interlude; all of it is optional.

One question, asked again until the players are done: lines of the log, numbers, cards,
trauma, experience, chaos tokens, what comes next, how the campaign ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.by_hand.belonging import (
    LARGEST,
    belonging_choices,
    belonging_steps,
    later_choices,
    own_steps,
    pack_step,
    which,
)
from arkham.rules.campaign.by_hand.facts import (
    SIDE,
    CampaignFacts,
    CardFacts,
    ScenarioFacts,
)
from arkham.rules.campaign.by_hand.scenarios import (
    CLOSE_PLACES,
    OPEN_PLACES,
    RECORD,
    again,
    is_listed,
    order_choices,
    order_steps,
    place_steps,
)
from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.conditions import (
    ConditionOption,
    ConditionOptions,
    Constant,
)
from arkham.rules.campaign.model.effects import Effect, Mark, Tally, batch
from arkham.rules.campaign.model.guide import Ask, Section, Step
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.chaos.bag import Token

DONE = "done"
NUMBERS, OWN_WORDS = "numbers", "own_words"
GLYPHS, DAY = "glyphs", "day"
DRAW_WEAKNESS = "$draw_weakness"
EACH = "investigator_count"
COUNT = "$count"  # a section's own number
MOST_NUMBERS = 6  # offered directly; more are offered in a menu of their own
_MOST_EXPERIENCE = 20  # the most that can be earned at once
_NO_WORDS = frozenset({"count", EACH, "supplies", "header", "partner", "scarlet_keys"})
# Bless and curse tokens leave the bag when a game ends (BAG-09).
_TOKENS = tuple(
    token.value for token in Token if token not in (Token.BLESS, Token.CURSE)
)
# Changes of the chaos bag for a kind of token: how many, added (1) or removed (-1).
_MOVES = (
    ("one_in", 1, 1), ("two_in", 2, 1), ("three_in", 3, 1),
    ("one_out", 1, -1), ("two_out", 2, -1), ("three_out", 3, -1),
)  # fmt: skip
# What a guide may do to an investigator, besides the trauma of a defeat.
_HARMS: tuple[tuple[str, Effect], ...] = (
    ("physical",        do.Trauma("input", physical=1)),
    ("two_physical",    do.Trauma("input", physical=2)),
    ("mental",          do.Trauma("input", mental=1)),
    ("two_mental",      do.Trauma("input", mental=2)),
    ("healed_physical", do.Trauma("input", physical=-1)),
    ("healed_mental",   do.Trauma("input", mental=-1)),
    ("killed",          do.Trauma("input", killed=True)),
    ("insane",          do.Trauma("input", insane=True)),
)  # fmt: skip


def record_steps(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the steps of a scenario that offer what can be recorded after it."""
    offered = [*_written(facts, scenario), *_people(facts, scenario), again("tokens")]
    if is_listed(facts, scenario):
        offered += [*order_choices(facts, scenario)]
    # Newer choices come last, so that numbers in older logs keep their meaning.
    later = [*later_choices(facts, scenario), *_marked(facts)]
    yield Ask(RECORD, to.Menu((*offered, PromptChoice(DONE), *later)))
    if scenario.lines:
        yield Ask("lines", to.Checklist(tuple(_lines(facts, scenario))))
    for section, line_id in scenario.numbers:
        yield _number(section, line_id)
    if scenario.cards:
        taken = tuple(_taken(facts.cards[code]) for code in scenario.cards)
        yield Ask("cards", to.SeatChoice("choice", taken))
    for pack in scenario.packs[:1]:
        yield pack_step(pack)
    yield from own_steps(facts, scenario)
    if is_listed(facts, scenario):
        yield from order_steps(facts, scenario)


def shared_steps(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps that all scenarios of a campaign share."""
    yield Ask("cross_out", to.ChooseLines(Mark.CROSS_OUT))
    yield Ask("circle", to.ChooseLines(Mark.CIRCLE))
    yield Ask("cross_section", to.ChooseLines(Mark.CROSS_OUT, whole=True))
    yield from _own_words(facts)
    yield from _glyphs(facts)
    yield from _days(facts)
    yield from _numbers(facts)
    lost = tuple(_lost(card) for card in facts.cards.values())
    if lost:
        yield Ask("lose_cards", to.SeatChoice("choice", lost))
    harms = tuple(
        PromptChoice(name, batches=(batch(effect),)) for name, effect in _HARMS
    )
    yield Ask("trauma", to.SeatChoice("choice", harms))
    yield from _bonuses()
    yield from belonging_steps(facts)
    yield from place_steps(facts)
    yield _tokens()
    if _is_saved(facts):
        yield Ask("save_decks", to.SaveDecks())


def _bonuses() -> Iterator[Step]:
    """Yield the steps for experience besides the victory display, shared or by each."""
    earned = (batch(do.EarnExperience("all")),)
    bounds = Constant(-_MOST_EXPERIENCE), Constant(_MOST_EXPERIENCE)
    yield Ask("experience_all", to.Counter(earned, *bounds))
    each = (batch(do.EarnExperience("input")),)
    counted = to.SeatCounter(each, -_MOST_EXPERIENCE, _MOST_EXPERIENCE)
    yield Ask("experience_each", counted)


def _tokens() -> Step:
    moves = tuple(
        PromptChoice(name, batches=(batch(course.Tokens((do.INPUT,) * count, sign)),))
        for name, count, sign in _MOVES
    )
    items = tuple(PromptChoice(token) for token in _TOKENS)
    return Ask("tokens", to.ChoiceList(items, moves, optional=True))


def _is_saved(facts: CampaignFacts) -> bool:
    """Return whether some scenario or the setup ends without spending experience."""
    if facts.id == SIDE:
        return False
    return has_gains(facts.setup) or any(
        not each.upgrade for each in facts.scenarios.values()
    )


def has_gains(scenario: ScenarioFacts) -> bool:
    """Return whether any lines or cards can be recorded there."""
    return bool(scenario.lines or scenario.cards)


# --- the log


def _written(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[PromptChoice]:
    if scenario.lines:
        yield again("lines")
    if _worded(facts):
        yield again(OWN_WORDS)
    yield again("cross_out")
    numbers = [step.id for step in _each_number(facts)]
    if len(numbers) > MOST_NUMBERS:
        numbers = [NUMBERS]
    own = (number_id(*each) for each in scenario.numbers)
    for number in (*numbers, *own):
        yield again(number)


def _lines(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[PromptChoice]:
    """Yield the lines a scenario may record that aren't in the log yet."""
    for section, line_id in scenario.lines:
        absent = ConditionOptions({False: ConditionOption(False)})
        yield PromptChoice(
            f"{section}.{line_id}",
            ask.LogCheck(section, line_id, absent),
            (batch(do.LogLine(section, line_id)),),
        )


def _worded(facts: CampaignFacts) -> list[Section]:
    """Return the sections in which players can write their own text."""
    return [section for section in facts.sections if section.kind not in _NO_WORDS]


def _own_words(facts: CampaignFacts) -> Iterator[Step]:
    sections = _worded(facts)
    boxes = [
        Ask(
            f"{OWN_WORDS}.{section.id}" if len(sections) > 1 else OWN_WORDS,
            to.TextBox((batch(do.LogText(section.id)),)),
        )
        for section in sections
    ]
    yield from boxes
    if len(boxes) > 1:
        yield Ask(OWN_WORDS, which(boxes))


def _marked(facts: CampaignFacts) -> Iterator[PromptChoice]:
    """Yield the choices for other marks on lines, glyphs, days and places."""
    yield again("circle")
    yield again("cross_section")
    if facts.glyphs:
        yield again(GLYPHS)
    if facts.days:
        yield again(DAY)
    if facts.map.places:
        yield from (again(OPEN_PLACES), again(CLOSE_PLACES))


def _glyphs(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps for the meaning of each glyph, in the players' own words."""
    boxes = [
        Ask(
            f"{GLYPHS}.{section}.{glyph}",
            to.TextBox((batch(do.LogText(section, glyph)),)),
        )
        for section, listed in facts.glyphs.items()
        for glyph in listed
    ]
    yield from boxes
    if boxes:
        yield Ask(GLYPHS, which(boxes))


def _days(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the step for the current day: one line replaces the others there."""
    choices = [
        PromptChoice(
            f"{section}.{day}",
            batches=(
                batch(
                    *(do.LogLine(section, each, Mark.REMOVE) for each in days),
                    do.LogLine(section, day),
                ),
            ),
        )
        for section, days in facts.days.items()
        for day in days
    ]
    if choices:
        yield Ask(DAY, to.Menu(tuple(choices)))


def _each_number(facts: CampaignFacts) -> Iterator[Step]:
    """Yield a step for each number in the log, shared or by investigator."""
    for section in facts.sections:
        if section.kind == EACH:
            yield _number_of_each(section.id)
            continue
        for line_id in facts.numbers.get(section.id, ()):
            yield _number(section.id, line_id)


def _number_of_each(section: str) -> Step:
    ticked = do.SeatCount(section, "$count", "input", tally=Tally.ADD_INPUT, least=0)
    counter = to.SeatCounter((batch(ticked),), -LARGEST, LARGEST)
    return Ask(f"number.{section}", counter)


def _number(section: str, line_id: str) -> Step:
    """Return a step that adds to a number, so that corrections carry over."""
    own = line_id == COUNT
    counted = do.LogCount(section, "" if own else line_id, Tally.ADD_INPUT, least=0)
    bounds = Constant(-LARGEST), Constant(LARGEST)
    counter = to.Counter((batch(counted),), *bounds, of=(section, line_id))
    return Ask(number_id(section, line_id), counter)


def number_id(section: str, line_id: str) -> str:
    """Return the id of the step that changes a number in the log."""
    if line_id == COUNT:
        return f"number.{section}"
    return f"number.{section}.{line_id}"


def _numbers(facts: CampaignFacts) -> Iterator[Step]:
    steps = [*_each_number(facts)]
    yield from steps
    if len(steps) > MOST_NUMBERS:
        yield Ask(NUMBERS, which(steps))


# --- people


def _people(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[PromptChoice]:
    if scenario.cards:
        yield again("cards")
    if facts.cards:
        yield again("lose_cards")
    for name in (DRAW_WEAKNESS, "trauma", "experience_all", "experience_each"):
        yield again(name)
    yield from belonging_choices(facts, scenario)


def _taken(card: CardFacts) -> PromptChoice:
    effect = do.AddCard("input", card.code, aside=_is_basic(card))
    return PromptChoice(card.code, batches=(batch(effect),))


def _lost(card: CardFacts) -> PromptChoice:
    effect = do.RemoveCard(card.code, "input", aside=_is_basic(card))
    held = ask.HasCard(
        "any", card.code, ConditionOptions({True: ConditionOption(True)})
    )
    return PromptChoice(card.code, None if _is_basic(card) else held, (batch(effect),))


def _is_basic(card: CardFacts) -> bool:
    """Return whether it is a basic weakness instead of a card of the campaign."""
    return card.weakness == "basicweakness"
