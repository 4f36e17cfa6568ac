"""Finds the choice that the number in an answer stands for."""

from __future__ import annotations

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.state.answers import Answer


def with_choice(answer: Answer, pending: Pending | None) -> Answer:
    """The answer with the stable id of the choice it names by its number alone.

    The number only says where a choice stood when it was chosen; the id stays.
    """
    if answer.kind != "choice" or answer.choice or pending is None:
        return answer
    if (answer.scenario, answer.step) != (pending.scenario, pending.step):
        return answer
    ids = {offer.number: offer.id for offer in pending.offers}
    return answer._replace(choice=ids.get(answer.value, ""))
