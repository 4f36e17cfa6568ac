"""Looks things up in a state: reasons, upgrades, partners, lines, how games ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.model.conditions import PartnerCheck
from arkham.rules.campaign.state.answers import COUNTED, Answer
from arkham.rules.campaign.state.ledger import (
    EARNING,
    UPGRADED,
    ExperienceOrigin,
    Game,
    StateChange,
)
from arkham.rules.campaign.state.state import Printed, State
from arkham.rules.card import TabooList
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType


class Reason(NamedTuple):
    """One change that contributed to a value, and its cause.

    ``answer`` is the place in the log of the answer that led to it, or 0; ``origin`` is
    the source of experience.
    """

    value: object
    scenario: str
    step: str
    answer: int
    origin: ExperienceOrigin | None = None


def reasons(state: State, what: str, which: str = "") -> list[Reason]:
    """Return everything that changed a value, in order.

    ``what`` is ``experience``, ``pool``, ``physical``, ``mental``, ``killed``,
    ``insane``, ``card``, ``removed``, ``token``, ``line``, ``section``, ``count``,
    ``line_count``, ``seat_count``, ``scenario``, ``next_scenario``, ``result`` and so
    on; ``which`` is the investigator, token, section or scenario.
    """
    found = []
    for change in state.changes:
        if change.what == what and change.which == which:
            cause = state.causes[change.cause]
            found.append(Reason(change.value, *cause, change.origin))
    return found


class UpgradedGames(NamedTuple):
    """The games that decks are upgraded after, and all changes since the last upgrade.

    ``played`` are all games; ``games`` only those that gave experience, even 0.
    """

    played: tuple[str, ...]
    games: tuple[str, ...]
    changes: tuple[StateChange, ...]


def upgrade_at(state: State, scenario: str, step: str) -> UpgradedGames:
    """Return what the upgrade at a step covers; everything if it isn't reached yet.

    The upgrade may be in another scenario than its game: many are in interludes, and
    parts of a later scenario may be played before it.
    """
    ended, since, upgraded = dict[str, None](), list[StateChange](), set[str]()
    for change in state.changes:
        cause = state.causes[change.cause]
        if change.what == UPGRADED:
            if (cause.scenario, cause.step) == (scenario, step):
                break
            upgraded.update(ended)
            ended, since = {}, []
        elif _is_ending(change) and cause.scenario not in upgraded:
            ended[cause.scenario] = None
        since.append(change)
    paid = {state.causes[c.cause].scenario for c in since if c.what == EARNING}
    played = tuple(each for each in ended if state.guide.is_game(each))
    games = tuple(each for each in played if each in paid)
    return UpgradedGames(played, games, tuple(since))


def upgrading(state: State, scenario: str, step: str) -> list[str]:
    """Return who upgrades at a step, whether or not they play the latest game.

    If you sit out the second of two games, you still upgrade after the first (CAMP-07).
    """
    games, alive = state.games, state.alive()
    everybody = {code for game in games.values() for code in game.players or ()}
    if not (state.policy.upgrades_the_absent and everybody.difference(alive)):
        return alive
    played = upgrade_at(state, scenario, step).played
    stay = (code for game in played for code in games.get(game, Game()).players or ())
    return state.alive(stay)


def _is_ending(change: StateChange) -> bool:
    resolved = (change.what, change.value) == ("scenario", "resolution")
    return resolved or change.what == "outcome"


SELECTED = "$selected_partners"
GOES_WITH = "$investigator_partner_"
NO_PARTNER = "none"  # on the line of an investigator without a partner


def is_pairing(line_id: str) -> bool:
    """Return whether a line pairs partners with investigators (in no printed log)."""
    return line_id == SELECTED or line_id.startswith(GOES_WITH)


def partners_matching(state: State, check: PartnerCheck) -> list[tuple[str, bool]]:
    """Return the partners asked about, each with whether they match the check."""
    if check.partner:
        codes: list[str] = [check.partner]
    else:
        codes = [
            partner.code
            for section in state.guide.sections
            if section.id == check.section
            for partner in section.partners
        ]
    judge = all if check.every else any
    return [
        (
            code,
            judge(
                partner_is(state, check.section, code, status)
                for status in check.statuses
            ),
        )
        for code in codes
    ]


def partner_is(state: State, section: str, code: str, status: str) -> bool:
    """Return whether a partner has this status."""
    if status == "eliminated":
        return state.is_eliminated(code)
    if status == "alive":
        return not state.is_eliminated(code)
    if status == "has_damage":
        return state.trauma(code)[0] > 0
    if status == "has_horror":
        return state.trauma(code)[1] > 0
    if status == "investigator_defeated":
        return any(
            _last(state, section, GOES_WITH + investigator) == ((code, 1),)
            for investigator in state.outcome_group("defeated")
        )
    if status == "investigator_selected":
        return any(card == code for card, _ in _last(state, section, SELECTED))
    person = state.people.get(code)
    return person is not None and status in (person.story or ())


def _last(state: State, section: str, line_id: str) -> tuple[tuple[str, int], ...]:
    """Return the cards of the last line with this id: partners change every game."""
    for line in reversed(state.section(section).named(line_id)):
        if not line.crossed_out:
            return line.cards
    return ()


def standing_lines(state: State) -> tuple[str, ...]:
    """Return ``section.line`` of each line that is not crossed out.

    Hidden sections are left out.
    """
    hidden = {section.id for section in state.guide.sections if section.hidden}
    found: dict[str, None] = {}
    for name, section in state.sections.items():
        if name in hidden or section.crossed_out:
            continue
        for line in section.lines:
            if not line.crossed_out:
                found[f"{name}.{line.id}"] = None
    return tuple(found)


def owners_of_line(state: State, thing: str) -> list[str]:
    """Return who has a line of their own, given as ``section.line``."""
    section, _point, line_id = thing.partition(".")
    own = state.seat_sections.get(section, {})
    return [code for code, lines in own.items() if lines.has(line_id)]


def copies_in(state: State, code: str, card: str) -> int:
    """Return how many copies of a story card an investigator's deck has."""
    person = state.people.get(code)
    if person is None or card not in (person.story or ()):
        return 0
    return (person.card_counts or {}).get(card, 1)


class GameOutcome(StrEnum):
    """How the game ended for an investigator (ELIM-14)."""

    SURVIVED = "survived"
    RESIGNED = "resigned"
    DAMAGE = "defeated_by_damage"
    HORROR = "defeated_by_horror"
    BOTH = "defeated_by_both"
    CARD = "defeated_by_card"

    @property
    def is_defeat(self) -> bool:
        """Whether the investigator was defeated; resigning is not a defeat (TRA-04)."""
        return self not in (GameOutcome.SURVIVED, GameOutcome.RESIGNED)


class TraumaKind(StrEnum):
    """The two kinds of trauma."""

    PHYSICAL = "physical"
    MENTAL = "mental"


def trauma_of(
    outcome: GameOutcome, chosen: TraumaKind | None = None
) -> TraumaKind | None:
    """Return the trauma of a defeat by damage or horror (TRA-01 … TRA-04), or None.

    A defeat by both at once gives the ``chosen`` kind. Surviving and resigning give
    none, and a card gives what it says.
    """
    match outcome:
        case GameOutcome.DAMAGE:
            return TraumaKind.PHYSICAL
        case GameOutcome.HORROR:
            return TraumaKind.MENTAL
        case GameOutcome.BOTH:
            return chosen
    return None


def printed_values(pool: CardPool) -> dict[str, Printed]:
    """Return health, sanity, class, traits and title of each investigator by code."""
    found: dict[str, Printed] = {}
    for card in pool.values():
        if card.type is not CardType.INVESTIGATOR:
            continue
        printed = Printed(
            card.health or 0,
            card.sanity or 0,
            card.classes[0].value if card.classes else "",
            card.traits,
            card.title,
        )
        found[card.code] = printed
        for printing in card.printings:
            found[printing.code] = printed
    return found


TOTAL = "total"  # key in an answer: the total as the players state it


def worth_of(points: Iterable[int]) -> int:
    """Return the total of these victory points; a card never subtracts any (VIC-01)."""
    return sum(max(each, 0) for each in points)


# How many cards of a title can be there under taboo lists that change the title
# (VIC-05, TABOO-M07); no limit is printed on a card.
TABOO_LIMITS = {"Delve Too Deep": 2}


class Limit(NamedTuple):
    """The most cards of a title (any of its codes) in the group's victory display."""

    title: str
    most: int
    codes: frozenset[str]


def limits_under(taboos: TabooList, pool: CardPool) -> tuple[Limit, ...]:
    """Return the limits in the victory display if all decks follow a taboo list."""
    found = []
    for title, most in TABOO_LIMITS.items():
        cards = (pool.get_card(code) for code in pool)
        codes = frozenset(each.code for each in cards if each and each.name == title)
        if codes & taboos.changes.keys():
            found.append(Limit(title, most, codes))
    return tuple(found)


class DisplayedCard(NamedTuple):
    """A card in the victory display: how many copies, and the points of each."""

    code: str
    copies: int
    points: int


class ShownDisplay(NamedTuple):
    """The victory display as it was answered.

    ``stated`` is the total that the players gave, None if it follows from the cards.
    ``is_listed`` is true if cards were named; ``unknown`` are those whose points are
    not known.
    """

    cards: tuple[DisplayedCard, ...] = ()
    stated: int | None = None
    reason: str = ""
    is_listed: bool = True
    unknown: tuple[str, ...] = ()

    @property
    def counted(self) -> int:
        """The sum of the cards' points (VIC-09)."""
        return worth_of(each.copies * each.points for each in self.cards)

    @property
    def total(self) -> int:
        """The total that the players stated, else the sum of the cards' points."""
        return self.counted if self.stated is None else self.stated

    @property
    def is_corrected(self) -> bool:
        """Whether the stated total differs from the sum of the cards."""
        return self.is_listed and self.total != self.counted


def shown_by(answer: Answer, points: Callable[[str], int | None]) -> ShownDisplay:
    """Return the victory display as given by an answer: its cards, or only a total.

    ``points`` returns the points printed on a card, or None if unknown; the answer may
    then give them after the number of copies.
    """
    if answer.kind == COUNTED:
        return ShownDisplay(stated=answer.value, is_listed=False)
    cards, unknown, stated = [], [], None
    for code, numbers in answer.value.items():
        if not numbers:
            continue
        if code == TOTAL:
            stated = numbers[0]
            continue
        each = points(code)
        if each is None:
            each = numbers[1] if len(numbers) > 1 else 0
            if len(numbers) == 1:
                unknown.append(code)
        if numbers[0]:
            cards.append(DisplayedCard(code, numbers[0], each))
    return ShownDisplay(tuple(cards), stated, answer.reason, unknown=tuple(unknown))
