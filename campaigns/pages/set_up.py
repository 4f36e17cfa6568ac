"""What does a table lay out for a scenario? The set-up checklist, line by line.

Facts and the state of the campaign say most of it; the guide adds its own steps, in its
own words where the visitor may read them. Each line has a mark, under which it is
ticked for the whole table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.by_hand.facts import facts_about
from arkham.rules.ultimatums import ALL, UltimatumMoment, belongs
from campaigns.guides.narration import told_steps
from campaigns.pages.board import Board, Player
from campaigns.play.bag import Shown
from campaigns.settling.weaknesses import Dealer
from campaigns.words.names import Names, readable
from cardpool.markup import rendered
from decks.lists.content import Content
from decks.lists.judging import current_judge
from decks.pages.display import Judged
from decks.pages.set_up import Item, Pile, ShownSetup, shown_setup

Words = str | Promise
SETTING_UP = (UltimatumMoment.BEFORE, UltimatumMoment.SETUP)


class Line(NamedTuple):
    """A line to tick: its mark, what it says, and what is to be known with it."""

    mark: str
    says: Words
    note: Words = ""
    code: str = ""
    points: tuple[SafeString, ...] = ()


class Part(NamedTuple):
    """Lines under a heading; ``tokens`` are those of the bag, where it is its part."""

    title: str
    lines: tuple[Line, ...]
    tokens: tuple[Shown, ...] = ()


def checklist(board: Board, scenario: str) -> list[Part]:
    """Everything to be laid out for a scenario, in the order it is done."""
    steps = told_steps(board.campaign, board.known.replay, scenario)
    parts = [
        Part(_("The table"), tuple(_table(board))),
        Part(_("Encounter sets"), tuple(sets_to_gather(board.names, scenario, steps))),
        Part(_("What the guide says"), tuple(_guide(board.names, scenario, steps))),
        Part(_("Chaos bag"), tuple(_bag(board)), board.bag),
        Part(_("Ultimatums and boons"), tuple(_sworn(board, scenario, *SETTING_UP))),
        *_people(board),
    ]
    return [part for part in parts if part.lines]


def marks_of(parts: Iterable[Part]) -> list[str]:
    """The marks of every line there is."""
    return [line.mark for part in parts for line in part.lines]


# -- the table --


def _table(board: Board) -> Iterator[Line]:
    lead = next((each.name for each in board.players if each.is_lead), "")
    if lead:
        yield Line("lead", _("Lead investigator: %(name)s") % {"name": lead})
    elif board.players:
        yield Line("lead", _("Choose the lead investigator."))


def sets_to_gather(names: Names, scenario: str, steps: Iterable[str]) -> Iterator[Line]:
    """The encounter sets to gather, by the names the card pool has for them.

    They are those of the steps that were told, where the guide names them there: which
    ones it is may depend on the log. Else all that may be, as facts have them.
    """
    base = scenario.partition("#")[0]
    listed = dict.fromkeys(
        code
        for step in steps
        for code in names.words.step(scenario, step).get("encounter_sets", ())
    )
    for facts in facts_about(names.guide.id):
        found = facts.scenarios.get(base)
        if found is None:
            continue
        for code in listed or found.sets:
            name = names.pool.encounter_sets.get(code) or facts.sets.get(code)
            yield Line(f"set:{code}", name or readable(code))
        return


def _guide(names: Names, scenario: str, steps: Iterable[str]) -> Iterator[Line]:
    """The steps of the guide up to what is asked next, in its words."""
    for step in steps:
        told = names.words.step(scenario, step)
        text = rendered(str(told.get("text", "")))
        points = tuple(rendered(str(each)) for each in told.get("bullets", ()) if each)
        if text or points:
            says = in_one_line(text) or str(told.get("title", ""))
            yield Line(f"step:{step}"[:100], says, points=points)


def in_one_line(text: SafeString) -> SafeString:
    """Paragraphs as what may stand within a line."""
    inside = text.removeprefix("<p>").removesuffix("</p>")
    return mark_safe(inside.replace("</p><p>", "<br>"))  # noqa: S308 (as it was)


def _bag(board: Board) -> Iterator[Line]:
    size = sum(each.count for each in board.bag)
    if size:
        says = ngettext(
            "Put these together: %(size)d token.",
            "Put these together: %(size)d tokens.",
            size,
        )
        yield Line("bag", says % {"size": size})


def in_force(board: Board, scenario: str) -> list[Line]:
    """The ultimatums and boons that matter while the scenario is played (ULT-00)."""
    return [
        *_sworn(
            board,
            scenario,
            UltimatumMoment.PLAY,
            UltimatumMoment.DEFEAT,
            UltimatumMoment.END,
        )
    ]


def _sworn(board: Board, scenario: str, *moments: UltimatumMoment) -> Iterator[Line]:
    base, guide = scenario.partition("#")[0], board.names.guide.id
    sworn = board.known.replay.state.ultimatums
    for each in (row for row in ALL.values() if row.id in sworn):
        if belongs(each, guide, base) and not {*moments}.isdisjoint(each.moments):
            yield Line(f"oath:{each.id}", each.name, _(each.effect))


# -- the investigators --


def _people(board: Board) -> Iterator[Part]:
    dealer = Dealer(board.campaign, board.known.replay.state)
    decks = dealer.decks
    for player in board.players:
        if player.is_playing and not player.fate:
            content = decks.get(player.code)
            told = dealer.circumstances_of(player.code)
            lines = _person(board, player, _laid_out(content, told))
            yield Part(player.name, tuple(lines))


def _laid_out(content: Content | None, told: dict[str, object]) -> ShownSetup | None:
    """What a deck kept here lays out before its first turn."""
    if content is None:
        return None
    told = content.circumstances | told
    built = Judged(Content(content.deck, told), current_judge()).built
    return shown_setup(built) if built is not None else None


def _person(board: Board, player: Player, laid: ShownSetup | None) -> Iterator[Line]:
    own = f"{player.code}:"
    yield from _trauma(own, player)
    person = board.known.replay.state.people.get(player.code)
    for code in (person.story if person is not None else None) or ():
        name = board.names.card(code)
        yield Line(f"{own}story:{code}", name, _("story card, in the deck"), code)
    if laid is None:
        return
    yield from _items(f"{own}play:", laid.in_play, _("begins in play"))
    yield from _items(f"{own}aside:", laid.set_aside, _("set aside"))
    for number, pile in enumerate(laid.piles):
        yield Line(f"{own}pile:{number}", _of_pile(pile), pile.note)
    for number, says in enumerate(laid.said):
        yield Line(f"{own}said:{number}", says)


def _trauma(own: str, player: Player) -> Iterator[Line]:
    """Trauma begins the game as damage and horror."""
    if player.physical:
        says = _("Place %(number)d damage: physical trauma.")
        yield Line(f"{own}physical", says % {"number": player.physical})
    if player.mental:
        says = _("Place %(number)d horror: mental trauma.")
        yield Line(f"{own}mental", says % {"number": player.mental})


def _items(mark: str, items: Iterable[Item], where: str) -> Iterator[Line]:
    for item in items:
        says = f"{item.copies} × {item.name}" if item.copies > 1 else item.name
        note = f"{where}, {item.note}" if item.note else where
        yield Line(f"{mark}{item.code}", says, note, item.code)


def _of_pile(pile: Pile) -> str:
    return ngettext(
        "%(title)s: %(count)d card", "%(title)s: %(count)d cards", pile.copies
    ) % {"title": pile.title, "count": pile.copies}
