"""All that the page of a scenario shows of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from arkham.rules.draws import Draw
from arkham.rules.draws.record import draw_replays
from campaigns import plays
from campaigns.board import Board
from campaigns.entries import Drawn
from campaigns.in_play import COUNTERS, InPlay, frost_left
from campaigns.places import places_of
from campaigns.playing import Practice
from campaigns.setting_up import Line, Part, checklist, in_force, marks_of


class Step(NamedTuple):
    """A step taken with the bag, in words, and who took it."""

    words: str
    by: str


class ShownDraw(NamedTuple):
    """What chance decided: what came of it, from what, by which seed; is it so?"""

    sequence: int
    result: str
    pool: str
    seed: str
    agrees: bool


class Helper(NamedTuple):
    """A helper for the table, with what is known here filled in."""

    name: str
    address: str


class ShownPlaces(NamedTuple):
    """Places one of which chance names, and what they are called; ``most`` at once."""

    step: str
    names: tuple[str, ...]
    most: int


class ShownScenario(NamedTuple):
    """The scenario a table is at. ``frost`` is how many frost tokens more the bag
    would keep than the log says, ``differs`` whether the log changed the bag since it
    was begun."""

    id: str
    name: str
    status: str
    version: int
    content: InPlay
    play: Practice
    steps: tuple[Step, ...]
    parts: tuple[Part, ...]
    done: int
    lines: int
    frost: int
    frost_now: int
    differs: bool
    sworn: tuple[Line, ...]
    draws: tuple[ShownDraw, ...]
    helpers: tuple[Helper, ...]
    places: tuple[ShownPlaces, ...]

    @property
    def is_laid_out(self) -> bool:
        """Whether the game has begun: all is ticked, or the bag was used."""
        return self.done == self.lines or bool(self.content.steps)

    @property
    def next_line(self) -> tuple[str, Line] | None:
        """The first line that is not ticked, after the title of its part."""
        ticked = set(self.content.ticked)
        lines = ((part.title, line) for part in self.parts for line in part.lines)
        return next((each for each in lines if each[1].mark not in ticked), None)

    @property
    def usual(self) -> tuple[str, ...]:
        """The counters that stay."""
        return COUNTERS


def shown_scenario(board: Board) -> ShownScenario | None:
    """The scenario a table is at; none before the first and after the last."""
    replay = board.known.replay
    scenario = plays.current(replay)
    if not scenario:
        return None
    version, content = plays.kept(board.campaign, scenario, replay)
    play, parts = content.play, checklist(board, scenario)
    marks = marks_of(parts)
    frost = frost_left(content)
    statuses = {each.id: each.status for each in replay.scenarios}
    bag = {kind: count for kind, count in replay.state.bag.items() if count}
    return ShownScenario(
        scenario,
        board.names.scenario(scenario),
        statuses.get(scenario, ""),
        version,
        content,
        play,
        tuple(map(Step, play.history, reversed(content.by))),
        tuple(parts),
        len(set(marks) & set(content.ticked)),
        len(marks),
        frost - plays.frost_in_log(board.known, scenario),
        frost,
        statuses.get(scenario) != "completed" and bag != dict(content.known),
        tuple(in_force(board, scenario)),
        tuple(_draws(board, scenario)),
        tuple(_helpers(board, play)),
        tuple(
            ShownPlaces(
                each.step,
                tuple(map(board.names.card, each.cards)),
                len(each.cards) if each.several else 1,
            )
            for each in places_of(board.names.guide, scenario)
        ),
    )


def _draws(board: Board, scenario: str) -> Iterator[ShownDraw]:
    """What chance decided in this scenario, the latest first."""
    for entry in reversed(board.known.entries):
        if isinstance(entry, Drawn) and entry.scenario == scenario:
            record = Draw.from_data(entry.record)
            yield ShownDraw(
                entry.sequence,
                ", ".join(_called(board, entry, code) for code in record.result),
                ", ".join(
                    _called(board, entry, code) + (f" × {n}" if n > 1 else "")
                    for code, n in record.pool
                ),
                record.seed,
                not [*draw_replays(record)],
            )


def _called(board: Board, entry: Drawn, code: str) -> str:
    if code in board.names.pool:
        return board.names.card(code)
    return board.names.choice(entry.scenario, entry.step, code)


def _helpers(board: Board, play: Practice) -> Iterator[Helper]:
    """The helpers beside the campaign; their addresses hold all there is of them."""
    bag = [(f"n_{token.value}", count) for token, count in play.bag.counts]
    yield Helper(_("A test"), f"/table/test/?{urlencode(bag)}")
    for player in board.players:
        if not player.is_playing or player.fate:
            continue
        told = {"investigator": player.code}
        deck = player.seat.deck_id if player.seat is not None else None
        hurt = {"deck": deck, "damage": player.physical, "horror": player.mental}
        area = told | {name: number for name, number in hurt.items() if number}
        yield Helper(
            _("Play area: %(name)s") % {"name": player.name},
            f"/table/area/?{urlencode(area)}",
        )
        lead = "yes" if player.is_lead else "no"
        yield Helper(
            _("Eliminated: %(name)s") % {"name": player.name},
            f"/table/elimination/?{urlencode(told | {'lead': lead})}",
        )
    yield Helper(_("The round"), "/table/round/")
