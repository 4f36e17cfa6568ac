"""Everything that the page of a scenario shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from arkham.rules.campaign.by_hand.scenarios import (
    exploration_cards,
    has_tekeli_li_deck,
    symbols_at,
)
from arkham.rules.chaos import Meaning, Token
from arkham.rules.chaos.bag import LIMITS, PASSING, PRINTED
from arkham.rules.chaos.starting import Difficulty
from arkham.rules.gists import gist_of
from arkham.rules.modifiers import SIDE_ROWS
from arkham.rules.play.pile import PileKind
from campaigns.at_table.odds import (
    Facts,
    LiveOdds,
    LiveToken,
    does_here,
    live_odds,
    live_token,
)
from campaigns.at_table.play_area import ShownArea, ShownCounter, shown_area
from campaigns.at_table.rounds import setting_parameter
from campaigns.at_table.skill_test import MAY_VARY, elder_sign_of, test_pairs
from campaigns.at_table.small_deck import TITLES
from campaigns.log.entries import DrawEntry
from campaigns.pages.board import Board, Player
from campaigns.pages.set_up import (
    ChecklistLine,
    ChecklistPart,
    checklist,
    in_force,
    is_laid_out,
    marks_of,
)
from campaigns.play import plays
from campaigns.play.addresses import Pairs
from campaigns.play.bag import Practice, ShownToken, hint_of
from campaigns.play.in_play import COUNTERS, ScenarioInPlay
from campaigns.play.plays import places_of
from campaigns.settling.terms import Dealer
from campaigns.words.reasons import ShownDraw, shown_draw

HUNCH_DECKS = frozenset(row.code for row in SIDE_ROWS if row.hunch is not None)
MARKED = ("damage", "horror", "clues", "resources")


class BagStep(NamedTuple):
    """A step of the bag in words, and who took it; ``seed`` is a draw's."""

    words: str
    by: str
    seed: str


class Helper(NamedTuple):
    """A helper for the table, filled in with what is known here."""

    name: str
    address: str
    is_test: bool = False
    player: str = ""


class ShownSymbol(NamedTuple):
    """The effect of a symbol; ``owner`` is set for an elder sign, ``in_force`` if it is
    revealed."""

    token: ShownToken
    gist: str
    owner: str
    in_force: bool


class PhoneToken(NamedTuple):
    """A token as the bag on a phone needs it: its count, its meaning and its words.

    ``second``: what a second one does if it fails the test. ``varies``: the player
    enters its value. ``returns``: it goes back into the bag when the test ends.
    """

    shown: ShownToken
    meaning: Meaning
    second: str
    varies: bool
    returns: bool
    does: str
    hint: str


class ShownPlaces(NamedTuple):
    """Locations to draw from at random, by name; ``most`` at once."""

    step: str
    names: tuple[str, ...]
    most: int


class AreaOfPlayer(NamedTuple):
    """The play area of an investigator, and its counters in one line."""

    player: Player
    shown: ShownArea
    is_new_round: bool  # it can be undone

    @property
    def marked(self) -> Iterator[ShownCounter]:
        """The counters that others want to see: damage, horror, clues, resources."""
        return (each for each in self.shown.counters if each.key in MARKED)

    @property
    def ability(self) -> str:
        """The investigator's own text, in our words."""
        found = self.shown.area.investigator
        return gist_of(found.code).text if found is not None else ""


class ShownScenario(NamedTuple):
    """The current scenario of a table. ``frost`` is how many more frost tokens the bag
    would keep than the log says, ``differs`` if the log changed the bag since the
    scenario began."""

    id: str
    name: str
    status: str
    version: int
    content: ScenarioInPlay
    play: Practice
    steps: tuple[BagStep, ...]
    parts: tuple[ChecklistPart, ...]
    done: int
    lines: int
    frost: int
    frost_now: int
    differs: bool
    ultimatums: tuple[ChecklistLine, ...]
    draws: tuple[ShownDraw, ...]
    helpers: tuple[Helper, ...]
    places: tuple[ShownPlaces, ...]
    symbols: tuple[ShownSymbol, ...]
    phone_bag: tuple[PhoneToken, ...]
    token: LiveToken | None
    odds: LiveOdds | None
    areas: tuple[AreaOfPlayer, ...]

    @property
    def tests(self) -> tuple[Helper, ...]:
        """A skill test for each player, with the bag as it is."""
        return tuple(each for each in self.helpers if each.is_test)

    @property
    def others(self) -> tuple[Helper, ...]:
        """The other helpers."""
        return tuple(each for each in self.helpers if not each.is_test)

    @property
    def has_limited(self) -> bool:
        """Whether bless, curse or frost tokens are in play here."""
        return any(each.shown.count for each in self.play.counters)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.status in plays.OVER

    @property
    def is_laid_out(self) -> bool:
        """Whether the game has begun: all is ticked, the bag was used, or it ended."""
        return self.is_over or is_laid_out(marks_of(self.parts), self.content)

    @property
    def next_line(self) -> tuple[str, ChecklistLine] | None:
        """The first line that isn't ticked, with the title of its part."""
        ticked = set(self.content.ticked)
        lines = ((part.title, line) for part in self.parts for line in part.lines)
        return next((each for each in lines if each[1].mark not in ticked), None)

    @property
    def usual(self) -> tuple[str, ...]:
        """The counters that can't be removed."""
        return COUNTERS


def shown_scenario(board: Board) -> ShownScenario | None:
    """Return the current scenario; None before the first one."""
    replay = board.known.replay
    scenario = plays.current(replay)
    if not scenario:
        return None
    version, content = plays.stored_play(board.campaign, scenario, replay)
    play, parts = content.play, checklist(board, scenario)
    marks = marks_of(parts)
    status = replay.state.statuses.get(scenario, "")
    bag = {kind: count for kind, count in replay.state.bag.items() if count}
    facts = _facts(board, scenario)
    mine = next((each.code for each in playing(board)), "")
    # An elder sign differs by investigator: the visitor's own counts.
    known = {**facts, Token.ELDER_SIGN: replace(elder_sign_of(mine), varies=True)}
    return ShownScenario(
        scenario,
        board.names.scenario(scenario),
        status,
        version,
        content,
        play,
        tuple(
            map(BagStep, play.history, reversed(content.by), reversed(content.seeds))
        ),
        tuple(parts),
        len(set(marks) & set(content.ticked)),
        len(marks),
        play.frost_left - plays.frost_in_log(board.known, scenario),
        play.frost_left,
        status != "completed" and bag != dict(content.known),
        tuple(in_force(board, scenario)),
        tuple(_draws(board, scenario)),
        tuple(_helpers(board, play, scenario, facts)),
        tuple(
            ShownPlaces(
                each.step,
                tuple(map(board.names.card, each.cards)),
                len(each.cards) if each.several else 1,
            )
            for each in places_of(board.names.guide, scenario)
        ),
        tuple(_symbols(board, play, facts)),
        tuple(_phone_bag(play, known)),
        live_token(play, facts),
        live_odds(play, known),
        tuple(_shown_areas(board, content, is_over=status in plays.OVER)),
    )


def _draws(board: Board, scenario: str) -> Iterator[ShownDraw]:
    """Yield the random draws of this scenario, latest first."""
    for entry in reversed(board.known.entries):
        if isinstance(entry, DrawEntry) and entry.scenario == scenario:
            yield shown_draw(entry, board.names)


def _facts(board: Board, scenario: str) -> Facts:
    """Return what the symbols do here at this difficulty."""
    state = board.known.replay.state
    return symbols_at(
        state.guide.id,
        scenario,
        Difficulty(state.difficulty or Difficulty.STANDARD),
        frozenset(state.ultimatums),
    )


def _symbols(board: Board, play: Practice, facts: Facts) -> Iterator[ShownSymbol]:
    """Yield the symbols of the reference card, then each player's elder sign."""
    revealed = set(play.bag.revealed)
    for token, fact in facts.items():
        yield ShownSymbol(ShownToken(token), fact.gist, "", token in revealed)
    sign = ShownToken(Token.ELDER_SIGN)
    for player in playing(board):
        if gist := gist_of(player.code).elder_sign:
            yield ShownSymbol(sign, gist, player.name, sign.token in revealed)


def playing(board: Board) -> list[Player]:
    """Return the investigators in play, the visitor's own first."""
    found = [each for each in board.players if each.is_playing and not each.fate]
    return sorted(found, key=lambda each: not each.is_mine)


def _phone_bag(play: Practice, facts: Facts) -> Iterator[PhoneToken]:
    """Yield the tokens held here, and those that may be added at any time."""
    for token in Token:
        if not (play.bag.held(token) or token in LIMITS):
            continue
        fact = facts.get(token)
        meaning = fact.meaning if fact else PRINTED.get(token, Meaning())
        varies = token in MAY_VARY and (fact is None or fact.varies)
        yield PhoneToken(
            ShownToken(token, play.bag[token]),
            meaning,
            hint_of((token, token)) if token is Token.FROST else "",
            varies,
            token not in PASSING,
            does_here(token, facts),
            hint_of((token,)),
        )


def _tests(board: Board, play: Practice, facts: Facts) -> Iterator[Helper]:
    """Yield a skill test for each player, own first, with the symbols as here."""
    tested = {each.code: each.name for each in playing(board)} or {"": ""}
    for code, name in tested.items():
        pairs = test_pairs(play.bag, facts, code, str(board.campaign.pk))
        title = _("Skill test: %(name)s") % {"name": name} if name else _("Skill test")
        yield Helper(title, f"/table/test/?{urlencode(pairs)}", True, name)


def _decks(board: Board, scenario: str, playing: list[Player]) -> Iterator[Helper]:
    """Yield the extra decks of the scenario and of investigators."""
    guide, back = board.names.guide.id, board.campaign.pk
    if listed := exploration_cards(board.known.replay.state, scenario):
        # With the scenario its address differs from those of other games.
        kind = PileKind.EXPLORATION.value
        where = {"kind": kind, "campaign": back, "scenario": scenario, **listed}
        title = str(TITLES[PileKind.EXPLORATION])
        yield Helper(title, f"/table/deck/?{urlencode(where)}")
    if has_tekeli_li_deck(guide):
        pairs: Pairs = [("kind", PileKind.TEKELI_LI.value), ("campaign", back)]
        pairs += [("player", player.name) for player in playing]
        yield Helper(
            str(TITLES[PileKind.TEKELI_LI]), f"/table/deck/?{urlencode(pairs)}"
        )
    for player in playing:
        if player.code in HUNCH_DECKS:
            yield from _hunch_deck(board, scenario, player)


def _areas(board: Board, content: ScenarioInPlay) -> Iterator[AreaOfPlayer]:
    seats = (each.seat for each in board.players if each.seat is not None)
    areas = plays.areas(board.known.replay, content, seats, board.names.pool)
    for player in playing(board):
        if player.code in areas:
            shown = shown_area(areas[player.code], board.names.pool)
            yield AreaOfPlayer(player, shown, content.earlier is not None)


def _shown_areas(
    board: Board, content: ScenarioInPlay, *, is_over: bool
) -> Iterator[AreaOfPlayer]:
    """Yield the play areas; after the game only those that were used.

    The others would then show trauma that this game gave.
    """
    used = {each.investigator for each in content.areas}
    for each in _areas(board, content):
        if not is_over or each.player.code in used:
            yield each


def area_of_player(board: Board, code: str) -> AreaOfPlayer | None:
    """Return the play area of an investigator in the current scenario."""
    replay = board.known.replay
    scenario = plays.current(replay)
    if not scenario:
        return None
    content = plays.stored_play(board.campaign, scenario, replay).content
    return next((a for a in _areas(board, content) if a.player.code == code), None)


def _hunch_deck(board: Board, scenario: str, player: Player) -> Iterator[Helper]:
    """Yield the hunch deck of an investigator, if their deck lists it."""
    dealer = Dealer(board.campaign, board.known.replay.state)
    content = dealer.decks.get(player.code)
    apart = content.asked().deck.attachments.get(player.code) if content else None
    if not apart:
        return
    cards = [
        board.names.card(code)
        for code, copies in apart.items()
        for _copy in range(copies)
    ]
    pairs: Pairs = [("kind", PileKind.HUNCH.value), ("names", "\n".join(cards))]
    pairs += [("campaign", board.campaign.pk), ("scenario", scenario)]
    title = str(TITLES[PileKind.HUNCH])
    yield Helper(f"{title}: {player.name}", f"/table/deck/?{urlencode(pairs)}")


def _helpers(
    board: Board, play: Practice, scenario: str, facts: Facts
) -> Iterator[Helper]:
    """Yield helpers outside the campaign; their addresses are their whole state."""
    players = playing(board)
    yield from _tests(board, play, facts)
    setting = setting_parameter(board.names.guide.id)
    setting["campaign"] = str(board.campaign.pk)
    for player in players:
        parameters = {"investigator": player.code}
        lead = "yes" if player.is_lead else "no"
        yield Helper(
            _("Elimination of %(name)s") % {"name": player.name},
            f"/table/elimination/?{urlencode(parameters | {'lead': lead} | setting)}",
        )
    yield from _decks(board, scenario, players)
    yield Helper(_("The round"), f"/table/round/?campaign={board.campaign.pk}")
