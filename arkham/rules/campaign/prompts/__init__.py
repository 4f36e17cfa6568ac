"""The table of prompts: for each class of prompt, what it asks and does."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign.asking import CHOSEN_WEAKNESS, Pending
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.prompts.cards import CARDS, DISPLAYS
from arkham.rules.campaign.prompts.choices import CHOICES, PLAY
from arkham.rules.campaign.prompts.decks import DECKS
from arkham.rules.campaign.prompts.kinds import PromptKind
from arkham.rules.campaign.prompts.people import PEOPLE
from arkham.rules.campaign.prompts.supplies import SUPPLIES
from arkham.rules.campaign.run import Awaited
from arkham.rules.campaign.state.state import State

PROMPTS: Mapping[type, PromptKind] = {
    **CHOICES,
    **PEOPLE,
    **SUPPLIES,
    **CARDS,
    **DISPLAYS,
    **DECKS,
    **PLAY,
}
_NO_PROMPT = PromptKind("")  # for the start of a scenario
_BY_NAME: Mapping[str, PromptKind] = {
    **{kind.name: kind for kind in PROMPTS.values()},
    CHOSEN_WEAKNESS: PROMPTS[do.AddWeakness],
}


def pending_of(state: State, encoded: str, awaited: Awaited) -> Pending:
    """Return the question that a waiting prompt asks in this state."""
    step, answer_kind, prompt, codes = awaited
    kind = PROMPTS[prompt.__class__]
    bare = Pending(encoded, step, answer_kind, kind.name, codes)
    return bare if kind.describe is None else kind.describe(state, prompt, bare)


def prompt_name(prompt: object) -> str:
    """Return the name of a prompt in records and on pages; "" if it isn't one."""
    return PROMPTS.get(prompt.__class__, _NO_PROMPT).name


def kind_of(pending: Pending) -> PromptKind:
    """Return the table row of the prompt that is asked."""
    return _BY_NAME.get(pending.prompt, _NO_PROMPT)
