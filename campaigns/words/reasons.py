"""Explain every change in a campaign: scenario, step, answer, author and time.

Random draws are shown so that anyone can check them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.by_hand.scenarios import display_at
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.effects import Mark
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.ledger import BONUS, ExperienceOrigin
from arkham.rules.campaign.state.lookup import Reason
from arkham.rules.draws import DrawRecord
from arkham.rules.draws.record import draw_replays
from arkham.web.language import signed
from campaigns.log.entries import DrawEntry, Entry
from campaigns.models import Campaign, LogEntry, Membership
from campaigns.words import log_entries
from campaigns.words.log_entries import drawn_named
from campaigns.words.names import CampaignNames


class ShownDraw(NamedTuple):
    """A random draw: its result, what it was drawn from, and its record."""

    sequence: int
    result: str
    pool: str
    record: DrawRecord

    @property
    def seed(self) -> str:
        """The seed of the draw."""
        return self.record.seed

    @property
    def agrees(self) -> bool:
        """Whether drawing again with this seed gives the same result."""
        return not [*draw_replays(self.record)]


def shown_draw(entry: DrawEntry, names: CampaignNames) -> ShownDraw:
    """Return a draw of the log with the names of the cards or choices."""
    record = DrawRecord.from_data(entry.record)
    return ShownDraw(
        entry.sequence,
        ", ".join(drawn_named(entry, code, names) for code in record.result),
        ", ".join(
            drawn_named(entry, code, names) + (f" × {copies}" if copies > 1 else "")
            for code, copies in record.pool
        ),
        record,
    )


class Authorship(NamedTuple):
    """The author of an entry, by their name at the time, and when they wrote it.

    ``now`` says who they are if that has changed: a guest has an account now, or the
    account was closed.
    """

    author: str
    at: datetime
    now: str = ""


class Why(NamedTuple):
    """One reason why something is as it is.

    ``amount`` is the change with its sign, or what was done; ``answer`` the answer that
    led to it, and ``sequence`` the answer's number in the log, 0 if there is none.
    ``origin`` is set for experience.
    """

    amount: str
    scenario: str
    place: str
    step: str
    answer: str
    sequence: int
    author: str
    at: datetime | None
    origin: ExperienceOrigin | None = None


Whys = tuple[Why, ...]
Said = Callable[[object], str | None]  # puts a change into words, or ignores it (None)


def written_of(campaign: Campaign) -> dict[int, Authorship]:
    """Return the author and time of each entry, with one query if the log is cached."""
    people = campaign.memberships.select_related(
        "user", "guest", "claimed_by__user", "claimed_by__guest"
    )
    now = {each.pk: each.claimed_by or each for each in people}
    return {
        sequence: Authorship(author, at, _since(author, now.get(member or 0)))
        for sequence, author, at, member in _rows(
            campaign.pk, campaign.secret, campaign.head
        )
    }


@lru_cache(maxsize=24)
def _rows(
    campaign: int, _secret: str, _head: str
) -> list[tuple[int, str, datetime, int | None]]:
    """Return authors and times of a log, cached by its head.

    Entries never change but for authors; a number may be reused, a secret is not.
    """
    rows = LogEntry.objects.filter(campaign=campaign)
    return list(rows.values_list("sequence", "author_name", "recorded_at", "author"))


def _since(author: str, member: Membership | None) -> str:
    """Return who an author is now if the name they wrote under doesn't show it."""
    if member is None or member.name == author:
        return ""
    if member.is_closed:
        return member.name
    return _("now %(name)s") % {"name": member.name}


class Reasons:
    """All changes of a campaign, indexed by what they changed."""

    def __init__(
        self,
        replay: Replay,
        entries: tuple[Entry, ...],
        written: Mapping[int, Authorship],
        names: CampaignNames,
    ) -> None:
        self._written, self._names = written, names
        self._entries = {entry.sequence: entry for entry in entries}
        self._spoken: dict[int, str] = {}
        self._steps: dict[tuple[str, str], str] = {}
        self._found: dict[tuple[str, str], list[Reason]] = {}
        # For the many lines of a section, and the cards of a person.
        self._parts: dict[tuple[str, str, object], list[Reason]] = {}
        causes = replay.state.causes
        for what, which, value, cause, origin in replay.state.changes:
            reason = Reason(value, *causes[cause], origin)
            self._found.setdefault((what, which), []).append(reason)
            if what in _PARTS:
                part = what, which, _PARTS[what](value)
                self._parts.setdefault(part, []).append(reason)

    def of(self, what: str, which: str, said: Said) -> Whys:
        """Return every change of something that ``said`` has words for, in order."""
        return tuple(
            self._why(reason, text)
            for reason in self._found.get((what, which), ())
            if (text := said(reason.value)) is not None
        )

    def _of_part(self, what: str, which: str, part: object, said: Said) -> Whys:
        """Return the changes of one part of something, by the index of parts."""
        return tuple(
            self._why(reason, text)
            for reason in self._parts.get((what, which, part), ())
            if (text := said(reason.value)) is not None
        )

    def number(self, what: str, which: str) -> Whys:
        """Return the changes of a number."""
        return self.of(what, which, _amount)

    def line(self, section: str, line_id: str) -> Whys:
        """Return why a section has a line, or why it is crossed out."""

        def marked(value: object) -> str | None:
            return str(MARKS.get(_last(value), ""))

        return (
            *self._of_part("line", section, line_id, marked),
            *self._of_part("line_count", section, line_id, _last_amount),
        )

    def own(self, code: str, section: str, line_id: str) -> Whys:
        """Return why an investigator's own section has a line."""

        part = section, line_id
        found = (
            *self._of_part("seat_count", code, part, _last_amount),
            *self._of_part("supply", code, line_id, _nothing),
            *self._of_part("supply_lost", code, line_id, _nothing),
        )
        return found or self.line(code, line_id)

    def card(self, code: str, card: str) -> Whys:
        """Return why an investigator has a card."""

        return (
            *self._of_part("card", code, card, _nothing),
            *self._of_part("card_count", code, card, _last_amount),
        )

    def _why(self, reason: Reason, amount: str) -> Why:
        written = self._written.get(reason.answer)
        step, answer = self._asked_and_said(reason)
        return Why(
            amount,
            reason.scenario,
            self._names.scenario(reason.scenario),
            step,
            answer,
            reason.answer,
            written.author if written else "",
            written.at if written else None,
            reason.origin,
        )

    def _asked_and_said(self, reason: Reason) -> tuple[str, str]:
        """Return the question and answer that led to a change, or the text of a step.

        A step that follows from an answer has a text of its own, or none.
        """
        scenario, step = reason.scenario, reason.step
        entry = self._entries.get(reason.answer)
        words = log_entries.words_of(scenario, step, self._names)
        if entry is None or (isinstance(entry, Answer) and not entry.step):
            return words, ""
        if not isinstance(entry, Answer):
            title = log_entries.title_of(entry, self._names)
            return words or title, self._said(entry)
        if reason.origin == BONUS and display_at(self._names.guide, scenario, step):
            return _("Experience from the resolution"), ""
        if words and not is_asked_by(scenario, step, entry.step, self._names):
            return words, ""
        return self._step(entry.scenario, entry.step), self._said(entry)

    def _step(self, scenario: str, step: str) -> str:
        found = self._steps.get((scenario, step))
        if found is None:
            found = log_entries.question(scenario, step, self._names)
            self._steps[scenario, step] = found
        return found

    def _said(self, entry: Entry) -> str:
        found = self._spoken.get(entry.sequence)
        if found is None:
            found = log_entries.text_of(entry, self._names)
            reason = log_entries.reason_of(entry, self._names)
            found = f"{found} ({reason})" if reason else found
            self._spoken[entry.sequence] = found
        return found


def is_asked_by(scenario: str, step: str, asked: str, names: CampaignNames) -> bool:
    """Return whether a step asks a question, whose id begins with the step's."""
    begin, mark = asked[: len(step)], asked[len(step) :]
    if mark.startswith("_"):  # unless the guide has a question of that name
        return begin == step and names.question_at(scenario, asked) is None
    return begin == step and mark[:1] in ("", "#")


MARKS: Mapping[object, str | Promise] = {
    Mark.RECORD: "",
    Mark.CROSS_OUT: gettext_lazy("crossed out"),
    Mark.RESTORE: gettext_lazy("counts again"),
    Mark.CIRCLE: gettext_lazy("circled"),
    Mark.REMOVE: gettext_lazy("removed"),
}


def _whole(value: object) -> object:
    return value


def _first(value: object) -> object:
    return value[0] if isinstance(value, tuple) else ""


def _first_two(value: object) -> object:
    return value[:2] if isinstance(value, tuple) else ""


# The part of a section or person that a change is about, by kind of change.
_PARTS: Mapping[str, Callable[[object], object]] = {
    "line": _first,
    "line_count": _first,
    "card_count": _first,
    "seat_count": _first_two,
    "supply": _whole,
    "supply_lost": _whole,
    "card": _whole,
}


def _last(value: object) -> object:
    return value[-1] if isinstance(value, tuple) else ""


def _last_amount(value: object) -> str | None:
    return _amount(_last(value))


def _nothing(value: object) -> str:
    return ""


def _amount(value: object) -> str | None:
    return signed(value) if isinstance(value, int) else None
