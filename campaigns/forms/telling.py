"""What the forms of all that is told unasked share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.interpreter.replay import START, START_SIDE, Replay
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer
from campaigns.words.names import Names


class Told:
    """The campaign something is told of, and what things are called there."""

    def __init__(self, replay: Replay, names: Names) -> None:
        self.replay, self.names = replay, names

    @property
    def last(self) -> str:
        """The scenario that was over last; "" before the first."""
        found = [
            each.id for each in self.replay.scenarios if each.status == "completed"
        ]
        return found[-1] if found else ""

    @property
    def again(self) -> str:
        """The scenario begun last, which may be begun again; "" for none."""
        # Those played before the log began have no answers to take back.
        starts = {
            each.scenario
            for each in self.replay.used
            if isinstance(each, Answer) and each.kind in (START, START_SIDE)
        }
        found = [each for each in self.replay.begun if each in starts]
        return found[-1] if found and found[-1] != SETUP else ""

    @property
    def is_between(self) -> bool:
        """Whether no scenario is under way."""
        pending = self.replay.pending
        return bool(self.last) and (pending is None or pending.kind == START)

    @property
    def upgrading(self) -> tuple[str, ...]:
        """Whose decks are brought up to date just now."""
        pending = self.replay.pending
        if pending is None or not pending.is_upgrade:
            return ()
        return pending.codes


class BetweenForm(forms.Form):
    """Something a table tells."""

    title: str | Promise = ""
    help: str | Promise = ""
    submit: str | Promise = gettext_lazy("Write it in the log")
    kind = ""
    codes: tuple[str, ...] = ()  # whom it concerns; the table, where there are none

    def __init__(self, told: Told, data: Any = None, *, prefix: str = "") -> None:
        super().__init__(data, auto_id=f"{prefix or self.kind}_%s")
        self.told = told
        self.prepare()

    def prepare(self) -> None:
        """Fill in what can be chosen."""

    @property
    def named_rows(self) -> Iterable[tuple[str, list[forms.BoundField]]]:
        """Fields that stand beside each other, with whom they are about, if anybody."""
        return [("", [field]) for field in self]

    def answer(self) -> Answer:
        """What is told; only of a form that is valid."""
        raise NotImplementedError
