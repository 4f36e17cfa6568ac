"""What belongs to people: supplies, keys, tasks, partners, pools besides experience.

If something exists only once, taking it means taking it from its previous holder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arkham.rules.campaign.by_hand.facts import (
    CampaignFacts,
    CardFacts,
    PackFacts,
    ScenarioFacts,
)
from arkham.rules.campaign.by_hand.scenarios import again, tekeli_li
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import INPUT, Effect, Mark, Tally, batch
from arkham.rules.campaign.model.guide import Ask, Section, Step
from arkham.rules.campaign.model.prompts import PromptChoice

PACK, SUPPLIES, KEYS, KEYS_GONE = "pack", "supplies", "keys", "keys_gone"
PARTNERS, PARTNER_STATES = "partners", "partner_states"
TEKELI_LI, TASKS, NAMED = "tekeli_li", "tasks", "named"
POOL, REDIRECT, EARNED_AGAIN = "pool", "redirect", "earned_again"
LARGEST = 99  # the most that can be ticked or packed at once
# Sixteen weaknesses of one title, with numbers (CYC-EE4).
TEKELI_LI_TITLE = "Tekeli-li"
# What can happen to a partner besides damage: the status, and whether it is gained.
# Statuses that only guides ask for are left out.
_STATES = (
    ("resolute", "resolute", True),
    ("not_resolute", "resolute", False),
    ("mia", "mia", True),
    ("not_mia", "mia", False),
    ("safe", "safe", True),
    ("not_safe", "safe", False),
    ("eliminated", "eliminated", True),
    ("not_eliminated", "eliminated", False),
    ("heal_damage", "heal_damage", True),
    ("heal_horror", "heal_horror", True),
)


def belonging_choices(
    facts: CampaignFacts, scenario: ScenarioFacts
) -> Iterator[PromptChoice]:
    """Yield the choices for what changes hands after a scenario."""
    if scenario.packs:
        yield again(PACK)
    if facts.supplies:
        yield again(SUPPLIES)
    if facts.keys:
        yield from (again(KEYS), again(KEYS_GONE))
    if _partners(facts):
        yield again(PARTNERS)


def later_choices(
    facts: CampaignFacts, scenario: ScenarioFacts
) -> Iterator[PromptChoice]:
    """Yield the choices for other belongings, and for lines that name someone."""
    if _partners(facts):
        yield again(PARTNER_STATES)
    if tekeli_li(facts):
        yield again(TEKELI_LI)
    if scenario.tasks:
        yield again(TASKS)
    if scenario.named:
        yield again(NAMED)
    for pool in facts.pools:
        yield again(f"{POOL}.{pool}")
    if facts.redirect:
        yield again(REDIRECT, course.Redirect(facts.redirect))
        yield again(EARNED_AGAIN, course.Redirect(""))


def own_steps(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the steps of one scenario: its tasks, and its lines that name someone."""
    if scenario.tasks:
        taken, left = [], []
        for section, task in scenario.tasks:
            place = f"{section}.{task}"
            taken.append(_done(place, do.LogLine(INPUT, task, seat_section=section)))
            gone = do.LogLine(INPUT, task, Mark.REMOVE, section)
            left.append(_done(place, gone))
        yield Ask(TASKS, to.Holders(tuple(taken), tuple(left)))
    if scenario.named:
        lines = tuple(
            _done(f"{section}.{line_id}", do.LogCards(section, line_id, "$input_value"))
            for section, line_id in scenario.named
        )
        partners = tuple(PromptChoice(code) for code in facts.partners)
        if partners:  # the lines name partners
            yield Ask(NAMED, to.ChoiceList(partners, lines, optional=True))
        else:
            yield Ask(NAMED, to.SeatChoice("choice", lines))


def belonging_steps(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps that all scenarios share."""
    for section in _partners(facts):
        yield Ask(PARTNERS, to.PartnerTrauma(section.id))
        partners = tuple(PromptChoice(each.code) for each in section.partners)
        states = tuple(
            _done(name, do.PartnerStatus(section.id, word, added=added))
            for name, word, added in _STATES
        )
        yield Ask(PARTNER_STATES, to.ChoiceList(partners, states, optional=True))
    yield from _supplies(facts)
    yield from _keys(facts)
    cards = tekeli_li(facts)
    if cards:
        copies = tuple((card.code, card.copies) for card in cards)
        yield Ask(TEKELI_LI, to.CardCounts(copies))
    for pool in facts.pools:
        earned = batch(do.EarnExperience("input", pool=pool))
        yield Ask(f"{POOL}.{pool}", to.SeatCounter((earned,), -LARGEST, LARGEST))


def pack_step(pack: PackFacts) -> Step:
    """Return the step that asks what each investigator packs."""
    prompt = to.Supplies(pack.section, pack.points, pack.costs, pack.pool)
    return Ask(PACK, prompt)


def numbered(card: CardFacts) -> str:
    """Return the name of a card with its printed number.

    Its code ends with that number, plus 500 for cards of a campaign box.
    """
    return f"{card.name} {int(card.code[2:]) % 500}"


def which(steps: Iterable[Step]) -> to.Menu:
    """Return a menu of several steps."""
    return to.Menu(
        tuple(
            PromptChoice(step.id, steps=(step.id,), repeatable=True) for step in steps
        )
    )


def _done(choice: str, effect: Effect) -> PromptChoice:
    return PromptChoice(choice, batches=(batch(effect),))


def _supplies(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps for supplies used or found: how many of each, by investigator."""
    steps = []
    for section, names in facts.supplies.items():
        for supply in names:
            changed = do.SeatCount(
                section, supply, "input", tally=Tally.ADD_INPUT, least=0
            )
            counter = to.SeatCounter((batch(changed),), -LARGEST, LARGEST)
            steps.append(Ask(f"number.{section}.{supply}", counter))
    yield from steps
    if steps:
        yield Ask(SUPPLIES, which(steps))


def _keys(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps for who bears which key, and which keys were lost."""
    borne, gone = [], []
    for section, names in facts.keys.items():
        for key in names:
            taken = do.BindKey(section, key, "investigator")
            borne.append(PromptChoice(key, batches=(batch(taken),)))
            gone.append(
                PromptChoice(key, batches=(batch(do.BindKey(section, key, "enemy")),))
            )
    if borne:
        yield Ask(KEYS, to.SeatChoice("choice", tuple(borne)))
        yield Ask(KEYS_GONE, to.Checklist(tuple(gone)))


def _partners(facts: CampaignFacts) -> list[Section]:
    return [section for section in facts.sections if section.partners][:1]
