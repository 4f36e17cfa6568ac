"""List what a table sets up for a scenario, line by line.

Facts and the campaign's state provide most lines; the guide adds its steps as far as it
was read, with their texts if the visitor may read them. Each line has a mark, which is
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
from arkham.rules.campaign.conditions import leads_on, matches
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.guide import Ask, Border, Branch, Plain
from arkham.rules.campaign.model.scenario_steps import PLAY, ScenarioScope
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import GOES_WITH
from arkham.rules.ultimatums import ALL, UltimatumMoment, belongs
from campaigns.guides import opening
from campaigns.models import Campaign
from campaigns.pages.board import Board, Player
from campaigns.play import plays
from campaigns.play.bag import ShownToken
from campaigns.play.in_play import ScenarioInPlay
from campaigns.settling.terms import Dealer
from campaigns.words.names import CampaignNames, readable
from cardpool.catalog import current_judge
from cardpool.markup import rendered
from decks.lists.content import Content
from decks.pages.display import Judged
from decks.pages.set_up import SetUpItem, SetUpPile, ShownSetup, shown_setup

MOST_STEPS = 200  # the longest known setup has about 40


def steps_to_read(campaign: Campaign, replay: Replay, scenario: str) -> list[str]:
    """Return the steps with a text, in order, up to the current question.

    Nothing after a question that is still to come, after the play step, or of a
    scenario that has not begun. Questions that were passed over (for a supply that no
    one has, for decks where there are none) end nothing.
    """
    scope = _scope(campaign, replay, scenario)
    if scope is None:
        return []
    pending = replay.pending
    asked = pending.step if pending and pending.scenario == scenario else ""
    return _walked(scope, replay, _answered(replay, scenario), asked)


def _scope(campaign: Campaign, replay: Replay, scenario: str) -> ScenarioScope | None:
    begun = {each.id for each in replay.scenarios if each.status != "playable"}
    scopes = opening.in_use(campaign.guide).scopes
    found = scopes.scenario(scenario.partition("#")[0])
    if found is None or scenario not in begun:
        return None
    return scopes.scope(found, standalone=bool(campaign.standalone))


def _answered(replay: Replay, scenario: str) -> dict[str, Answer]:
    return {
        each.step: each
        for each in replay.used
        if isinstance(each, Answer) and each.scenario == scenario
    }


def _walked(
    scope: ScenarioScope, replay: Replay, answered: dict[str, Answer], asked: str
) -> list[str]:
    steps: list[str] = []
    end = None  # before the first question that may be still to come
    stack = list(reversed(scope.first))
    for _turn in range(MOST_STEPS):
        step = scope.steps.get(stack.pop()) if stack else None
        match step:
            case Plain() | Border():
                steps.append(step.id)
                stack.extend(reversed(step.steps))
            case Branch():
                found = matches(replay.state, step.condition)
                if leads_on(found):
                    steps.append(step.id)
                for match in reversed(found):
                    stack.extend(reversed(match.option.steps))
            case Ask() if step.id == asked:
                return steps
            case Ask() if given := answered.get(step.id):
                end = None
                if isinstance(step.prompt, to.ChooseOne):
                    choices = {each.id: each.steps for each in step.prompt.choices}
                    stack.extend(reversed(choices.get(given.choice, ())))
            case Ask() if end is None:
                end = len(steps)
            case None if not stack:
                break
        if isinstance(step, Ask) and isinstance(step.prompt, to.PlayScenario):
            break
    return steps[:end]


Words = str | Promise
SETTING_UP = (UltimatumMoment.BEFORE, UltimatumMoment.SETUP)


class MapCell(NamedTuple):
    """A location on the map, "" for a gap, and how many columns it spans."""

    name: str
    columns: int = 1


class ChecklistLine(NamedTuple):
    """A line to tick: its mark, its text, and notes.

    ``map`` has rows of locations in their places. ``is_rule``: it sets nothing up.
    """

    mark: str
    says: Words
    note: Words = ""
    code: str = ""
    points: tuple[SafeString, ...] = ()
    map: tuple[tuple[MapCell, ...], ...] = ()
    is_rule: bool = False


class ChecklistPart(NamedTuple):
    """Lines under a heading; ``tokens`` for the part about the bag."""

    title: str
    lines: tuple[ChecklistLine, ...]
    tokens: tuple[ShownToken, ...] = ()


def checklist(board: Board, scenario: str) -> list[ChecklistPart]:
    """Return everything to set up for a scenario, in printed order (SETUP-01)."""
    steps = steps_to_read(board.campaign, board.known.replay, scenario)
    status = board.known.replay.state.statuses.get(scenario)
    # Most interludes have nothing to set up, but some are played with the bag.
    is_game = board.names.guide.is_game(scenario)
    is_played = is_game or bool(board.names.prompt(scenario, PLAY))
    lines = list(guide_lines(board.names, scenario, steps))
    setup = tuple(each for each in lines if not each.is_rule)
    rules = tuple(each for each in lines if each.is_rule)
    parts = [
        ChecklistPart(_("Players"), (*_table(board), *_pairs(board, scenario))),
        ChecklistPart(
            _("Ultimatums and boons"),
            tuple(_ultimatum_lines(board, scenario, *SETTING_UP)),
        ),
        # Investigators are shown as of now, which after the game includes its results.
        *(_people(board) if is_game and status not in plays.OVER else ()),
        ChecklistPart(
            _("Chaos bag"), tuple(_bag(board) if is_played else ()), board.bag
        ),
        ChecklistPart(
            _("Encounter sets"), tuple(sets_to_gather(board.names, scenario, steps))
        ),
        ChecklistPart(_("What the guide says"), setup),
        ChecklistPart(_("Rules of this scenario"), rules),
    ]
    return [part for part in parts if part.lines]


def marks_of(parts: Iterable[ChecklistPart]) -> list[str]:
    """Return the marks of all lines."""
    return [line.mark for part in parts for line in part.lines]


def is_laid_out(marks: Iterable[str], content: ScenarioInPlay) -> bool:
    """Return whether the game has begun: all is ticked, or the bag was used."""
    return bool(content.steps) or set(marks) <= set(content.ticked)


def is_to_lay_out(board: Board) -> bool:
    """Return whether the scenario is in play and its setup unfinished."""
    asked, replay = board.question, board.known.replay
    if asked is None or not asked.is_play:
        return False
    scenario = plays.current(replay)
    content = plays.stored_play(board.campaign, scenario, replay).content
    return not is_laid_out(marks_of(checklist(board, scenario)), content)


# -- the table --


def _table(board: Board) -> Iterator[ChecklistLine]:
    lead = next((each.name for each in board.players if each.is_lead), "")
    if lead:
        yield ChecklistLine("lead", _("Lead investigator: %(name)s") % {"name": lead})
    elif board.players:
        yield ChecklistLine("lead", _("Choose the lead investigator."))


def _pairs(board: Board, scenario: str) -> Iterator[ChecklistLine]:
    """Yield whom each investigator takes along, if the scenario asked for it."""
    replay, names = board.known.replay, board.names
    scope = _scope(board.campaign, replay, scenario)
    for step in sorted(_answered(replay, scenario)):
        asked = scope.steps.get(step) if scope else None
        if not isinstance(asked, Ask) or not isinstance(
            asked.prompt, to.AssignPartners
        ):
            continue
        section = asked.prompt.check.section
        for code in replay.state.players:
            lines = replay.state.section(section).named(GOES_WITH + code)
            for line in [*lines][-1:]:
                yield ChecklistLine(f"with:{code}", names.line(section, line))


def sets_to_gather(
    names: CampaignNames, scenario: str, steps: Iterable[str]
) -> Iterator[ChecklistLine]:
    """Yield the encounter sets to gather, named as in the card pool.

    Those of the steps read so far, if the guide names them there, as they may depend on
    the log; else all possible ones, from the facts.
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
            yield ChecklistLine(f"set:{code}", name or readable(code))
        return


def guide_lines(
    names: CampaignNames, scenario: str, steps: Iterable[str]
) -> Iterator[ChecklistLine]:
    """Yield the steps of the guide up to the current question, with their texts.

    A text about “these sets” is followed by the names that it and its bullets lack; not
    the text that gathers the scenario's own set, which is first among those to tick.
    """
    steps = list(steps)
    sets = {
        each.mark: str(each.says) for each in sets_to_gather(names, scenario, steps)
    }
    own = next(iter(sets), "")
    for step in steps:
        words = names.words.step(scenario, step)
        bullets = [str(each) for each in words.get("bullets", ()) if each]
        text = rendered(str(words.get("text", "")))
        written = " ".join((str(words.get("text", "")), *bullets))
        points = [rendered(each) for each in bullets]
        if text or points:
            title, is_rule = str(words.get("title", "")), "rule" in words
            points[:0] = [text] if is_rule and title and text else []
            # If there are only points, the first is the line.
            says = title if is_rule else in_one_line(text) or title
            says = says or in_one_line(points.pop(0))
            drawn = tuple(_drawn(words.get("layout", ()), words.get("half", False)))
            marks = [f"set:{each}" for each in words.get("encounter_sets", ())]
            meant = [sets[each] for each in marks if each in sets]
            # Names of the card data have straight apostrophes.
            lacks = any(each.replace("'", "’") not in written for each in meant)
            if text and lacks and own not in marks:
                points.append(rendered(", ".join(meant)))
            mark = f"step:{step}"[:100]
            yield ChecklistLine(mark, says, "", "", tuple(points), drawn, is_rule)


def _drawn(rows: Iterable[Iterable[str]], half: bool) -> Iterator[tuple[MapCell, ...]]:
    """Yield the rows of a map; on a map of half columns a name spans two."""
    for row in rows:
        cells: list[MapCell] = []
        covered = False
        for name in row:
            if not covered:
                cells.append(MapCell(name, 2 if half and name else 1))
            covered = half and bool(name) and not covered
        yield tuple(cells)


def in_one_line(text: SafeString) -> SafeString:
    """Return paragraphs as inline HTML."""
    inside = text.removeprefix("<p>").removesuffix("</p>")
    return mark_safe(inside.replace("</p><p>", "<br>"))  # noqa: S308 (as it was)


def _bag(board: Board) -> Iterator[ChecklistLine]:
    size = sum(each.count for each in board.bag)
    if size:
        says = ngettext(
            "Put this %(size)d token into the bag.",
            "Put these %(size)d tokens into the bag.",
            size,
        )
        yield ChecklistLine("bag", says % {"size": size})


def in_force(board: Board, scenario: str) -> list[ChecklistLine]:
    """Return the ultimatums and boons that matter during play (ULT-00)."""
    moments = UltimatumMoment.PLAY, UltimatumMoment.DEFEAT, UltimatumMoment.END
    return list(_ultimatum_lines(board, scenario, *moments))


def _ultimatum_lines(
    board: Board, scenario: str, *moments: UltimatumMoment
) -> Iterator[ChecklistLine]:
    base, guide = scenario.partition("#")[0], board.names.guide.id
    chosen = board.known.replay.state.ultimatums
    for each in (row for row in ALL.values() if row.id in chosen):
        if belongs(each, guide, base) and not {*moments}.isdisjoint(each.moments):
            yield ChecklistLine(f"oath:{each.id}", each.name, _(each.effect))


# -- the investigators --


def _people(board: Board) -> Iterator[ChecklistPart]:
    dealer = Dealer(board.campaign, board.known.replay.state)
    decks = dealer.decks
    for player in board.players:
        if player.is_playing and not player.fate:
            content = decks.get(player.code)
            circumstances = dealer.circumstances_of(player.code)
            lines = _person(board, player, _laid_out(content, circumstances))
            yield ChecklistPart(player.name, tuple(lines))


def _laid_out(
    content: Content | None, circumstances: dict[str, object]
) -> ShownSetup | None:
    """Return what a deck stored here sets up before its first turn."""
    if content is None:
        return None
    circumstances = content.circumstances | circumstances
    built = Judged(Content(content.deck, circumstances), current_judge()).built
    return shown_setup(built) if built is not None else None


def _person(
    board: Board, player: Player, laid: ShownSetup | None
) -> Iterator[ChecklistLine]:
    own = f"{player.code}:"
    yield from _trauma(own, player)
    person = board.known.replay.state.people.get(player.code)
    for code in (person.story if person is not None else None) or ():
        card = board.names.pool.get_card(code)
        kind = _("weakness") if card and card.weakness else _("story card")
        yield ChecklistLine(f"{own}story:{code}", board.names.card(code), kind, code)
    for key, bearer, _enemy in board.known.replay.state.map.keys:
        if bearer == player.code:
            yield ChecklistLine(f"{own}key:{key}", board.names.key(key), _("key"))
    if laid is None:
        return
    yield from _items(f"{own}play:", laid.in_play, _("begins in play"))
    yield from _items(f"{own}aside:", laid.set_aside, _("set aside"))
    for number, pile in enumerate(laid.piles):
        yield ChecklistLine(f"{own}pile:{number}", _of_pile(pile), pile.note)
    for number, says in enumerate(laid.said):
        yield ChecklistLine(f"{own}said:{number}", says)


def _trauma(own: str, player: Player) -> Iterator[ChecklistLine]:
    """Yield trauma, which begins the game as damage and horror."""
    if player.physical:
        says = _("Place %(number)d damage: physical trauma.")
        yield ChecklistLine(f"{own}physical", says % {"number": player.physical})
    if player.mental:
        says = _("Place %(number)d horror: mental trauma.")
        yield ChecklistLine(f"{own}mental", says % {"number": player.mental})


def _items(
    mark: str, items: Iterable[SetUpItem], where: str
) -> Iterator[ChecklistLine]:
    for item in items:
        says = f"{item.copies} × {item.name}" if item.copies > 1 else item.name
        note = f"{where}, {item.note}" if item.note else where
        yield ChecklistLine(f"{mark}{item.code}", says, note, item.code)


def _of_pile(pile: SetUpPile) -> str:
    return ngettext(
        "%(title)s: %(count)d card", "%(title)s: %(count)d cards", pile.copies
    ) % {"title": pile.title, "count": pile.copies}
