"""A campaign as its table sees it: players, the current question, results so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.model.scenario_steps import (
    CHOOSE_INVESTIGATORS,
    CUSTOM,
    LEAD_INVESTIGATOR,
)
from arkham.rules.campaign.settlement import fate_of, settlement
from arkham.rules.campaign.state.answers import (
    Answer,
    Retracted,
    SideScenario,
    UltimatumDropped,
)
from arkham.rules.campaign.state.lookup import GameOutcome
from arkham.rules.campaign.state.state import State
from arkham.rules.chaos import Token
from arkham.rules.pool import CardPool
from campaigns.guides import opening
from campaigns.log.entries import EntryCorrection
from campaigns.log.replays import Folded, folded_over, replayed, replayed_as_begun
from campaigns.models import Campaign, Membership, Role, Seat
from campaigns.people import rights
from campaigns.people.rights import addressed, may_answer
from campaigns.play import plays
from campaigns.play.bag import ShownToken
from campaigns.questions.asking import question_of
from campaigns.questions.cards import cards_in_reach
from campaigns.questions.people import asks_for_outcomes, draws_weaknesses
from campaigns.questions.question import FormQuestion, QuestionContext
from campaigns.settling.cards import card_lines, in_the_display
from campaigns.settling.outcome import is_settled
from campaigns.settling.terms import everybody_answers, with_weaknesses
from campaigns.words.changes import (
    RESULTS,
    ChangesInWords,
    describe_changes,
    of_fate,
    pools_in_words,
)
from campaigns.words.names import CampaignNames
from cardpool.catalog import seen_pool
from decks.pages.rows import class_signs

STATUSES: dict[str, str | Promise] = {
    "completed": gettext_lazy("played"),
    "started": gettext_lazy("now"),
    "playable": gettext_lazy("next"),
    "skipped": gettext_lazy("left out"),
}


class Player(NamedTuple):
    """An investigator of the table, with trauma and its limits."""

    code: str
    name: str
    signs: tuple[str, ...]
    seat: Seat | None
    player: str
    experience: int
    physical: int
    mental: int
    health: int | None
    sanity: int | None
    fate: str
    lost: str  # a sentence about that fate
    is_playing: bool
    is_absent: bool
    is_lead: bool
    is_mine: bool
    supplies: str
    saved: str  # points and experience for later


class ScenarioSummary(NamedTuple):
    """A scenario as far as the table has played it."""

    id: str
    name: str
    status: str
    word: str


class Board(NamedTuple):
    """A campaign at one moment, as one member sees it."""

    campaign: Campaign
    member: Membership
    known: Folded
    asking: QuestionContext
    question: FormQuestion | None
    players: tuple[Player, ...]
    chapters: tuple[ScenarioSummary, ...]
    later: tuple[ScenarioSummary, ...]
    bag: tuple[ShownToken, ...]
    waits_for: str
    may_answer: bool
    result: str
    upgrading: tuple[Seat, ...]

    @property
    def is_for_another(self) -> bool:
        """Whether someone else should answer, though the visitor may."""
        return self.may_answer and bool(self.waits_for)

    @property
    def is_mine(self) -> bool:
        """Whether the visitor should answer, alone or with the others."""
        return (self.may_answer or self.upgrades_own) and not self.waits_for

    @property
    def upgrades_own(self) -> bool:
        """Whether decks are being upgraded and the visitor isn't done with theirs."""
        return any(seat.member_id == self.member.pk for seat in self.upgrading)

    @property
    def marks_own(self) -> bool:
        """Whether the visitor can mark their own deck as up to date."""
        return self.upgrades_own and (self.awaits_decks or not self.may_answer)

    @property
    def awaits_decks(self) -> bool:
        """Whether other players are still upgrading their decks."""
        return any(seat.member_id != self.member.pk for seat in self.upgrading)

    @property
    def may_unmark(self) -> bool:
        """Whether the visitor marked their deck while others still upgrade theirs."""
        own = rights.own_upgrades(self.member, self.known.replay.pending)
        return bool(own) and self.awaits_decks and not self.upgrades_own

    @property
    def turn(self) -> str:
        """Whose turn it is, in a word or two; "" at the end."""
        if self.question is None:
            return ""
        if self.waits_for:
            return _("Waiting for %(name)s") % {"name": self.waits_for}
        mine = {each.code for each in self.players if each.is_mine}
        is_named = bool(mine & {*addressed(self.known.replay.pending)})
        is_alone = all(each.is_mine for each in self.players)
        is_own = is_named or self.upgrades_own or is_alone
        if is_own or not everybody_answers(self.campaign):
            return _("Your turn")
        return _("Anyone can answer")

    @property
    def settled(self) -> ScenarioSummary | None:
        """The last game, once decks have what it gave; None while one is played.

        Its name includes the interludes since, as their results are shown together.
        """
        guide, begun = self.names.guide, ("started", "completed")
        played = [each for each in self.chapters if each.status in begun]
        games = [at for at, each in enumerate(played) if guide.is_game(each.id)]
        if self.question is None or not games:  # the end has a page of its own
            return None
        last, state = played[games[-1]], self.known.replay.state
        if not is_settled(self.known.replay, last.id, last.status):
            return None
        # A guide may let decks be upgraded within the set-up of a game.
        if last.status == "started" and not state.outcomes_of(last.id):
            return None
        return last._replace(name=" · ".join(each.name for each in played[games[-1] :]))

    @property
    def has_survivors(self) -> bool:
        """Whether an investigator can move on to another campaign."""
        return any(not each.fate for each in self.players)

    @property
    def may_seat(self) -> bool:
        """Whether the visitor may add investigators to the table."""
        return self.member.role == Role.ORGANISER

    @property
    def lacks_players(self) -> bool:
        """Whether the question is who plays, and the table has no investigators."""
        asked = self.question
        return asked is not None and asked.is_about_players and not self.players

    @property
    def to_replace(self) -> tuple[Player, ...]:
        """Lost investigators whom the visitor may replace."""
        replaced = {each.seat.instead_id for each in self.players if each.seat}
        plays = self.member.role != Role.SPECTATOR
        return tuple(
            each
            for each in self.players
            if each.fate
            and each.seat is not None
            and each.seat.pk not in replaced
            and (self.may_seat or (plays and each.seat.member_id == self.member.pk))
        )

    @property
    def asked_since(self) -> int:
        """The last entry that could have changed the question."""
        leading = (Answer, EntryCorrection, UltimatumDropped, Retracted)
        entries = reversed(self.known.entries)
        return next((it.sequence for it in entries if isinstance(it, leading)), 0)

    @property
    def counts(self) -> list[tuple[str, int]]:
        """What the log counts for the whole table, such as time passed."""
        state, sections = self.known.replay.state, self.names.guide.sections
        shown = [each.id for each in sections if not each.hidden]
        counted = [(self.names.section(it), state.counts.get(it, 0)) for it in shown]
        return [each for each in counted if each[1]]

    @property
    def names(self) -> CampaignNames:
        """The names of things here."""
        return self.asking.names


def names_at(member: Membership, known: Folded | None = None) -> CampaignNames:
    """Return the names for a member of a table; ``known`` saves a fold."""
    known = known or replayed(member.campaign)
    guide = opening.opened(member.campaign.guide)
    own = {
        each.scenario: each.value.name.strip()
        for each in known.entries
        if isinstance(each, Answer)
        and isinstance(each.value, SideScenario)
        and each.value.kind == CUSTOM
    }
    return CampaignNames(seen_pool(), guide, opening.words_at(member), own)


def board_of(member: Membership) -> Board:
    """Return the campaign as it is now. Raises LogBroken, GuideMissing."""
    campaign = member.campaign
    known = replayed(campaign)
    names = names_at(member, known)
    seats = list(campaign.seats.select_related("member__user", "member__guest", "deck"))
    asking = QuestionContext(
        known.replay,
        names,
        tuple(seat.investigator for seat in seats),
        rights.reportable_decks(member, known.replay.pending),
        card_lines(campaign, known.replay),
        in_the_display(campaign, known.replay),
        cards_in_reach(campaign, known.replay, names),
        _drawn(campaign, known.replay),
        _outcomes(campaign, known.replay, seats, names.pool),
    )
    own = frozenset(each.investigator for each in seats if each.member == member)
    upgrading = tuple(rights.decks_awaited(campaign, known.replay.pending))
    chapters = tuple(_chapters(known.replay, names))
    shown = tuple(each for each in chapters if each.word)
    result, bag = known.replay.state.campaign_result, known.replay.state.bag
    question = question_of(asking)
    return Board(
        campaign,
        member,
        known,
        asking,
        question and question.in_order(own, known.replay.state.players),
        tuple(_players(known.replay, names, seats, own)),
        shown,
        tuple(each for each in chapters if not each.word),
        tuple(ShownToken(each, bag[each]) for each in Token if bag.get(each)),
        _waits_for(known.replay, seats, member, upgrading),
        may_answer(member, known.replay.pending),
        str(RESULTS.get(result, "")) if result else "",
        upgrading,
    )


def _drawn(campaign: Campaign, replay: Replay) -> frozenset[str]:
    """Return whose deck has its weaknesses, if it is asked who draws one."""
    pending = replay.pending
    if pending is None or not draws_weaknesses(pending):
        return frozenset()
    return with_weaknesses(campaign)


def _outcomes(
    campaign: Campaign, replay: Replay, seats: list[Seat], pool: CardPool
) -> dict[str, GameOutcome]:
    """Return the outcomes by the play areas, if it is asked how the game ended."""
    pending = replay.pending
    if pending is None or not asks_for_outcomes(pending):
        return {}
    content = plays.stored_play(campaign, pending.scenario, replay).content
    areas = plays.areas(replay, content, seats, pool)
    return {code: area.outcome for code, area in areas.items()}


def _players(
    replay: Replay, names: CampaignNames, seats: list[Seat], mine: frozenset[str]
) -> Iterable[Player]:
    state, pending = replay.state, replay.pending
    by_code = {seat.investigator: seat for seat in seats}
    # While the table is asked who plays and leads, these are the last scenario's.
    is_known = pending is None or not pending.step.startswith(
        (CHOOSE_INVESTIGATORS, LEAD_INVESTIGATOR)
    )
    is_begun = bool(pending and state.statuses.get(pending.scenario) == "started")
    some_play = is_known and is_begun and bool(state.players)
    for code in dict.fromkeys((*state.players, *by_code)):
        person = state.people.get(code)
        health, sanity = state.limits(code, person) or (None, None)
        seat = by_code.get(code)
        sits = seat.member.name if seat and seat.member else seat.name if seat else ""
        yield Player(
            code,
            names.card(code),
            class_signs(names.pool.get_card(code)),
            seat,
            sits or _("Free seat"),
            (person.experience or 0) if person else 0,
            *state.trauma(code),
            health,
            sanity,
            *of_fate(fate_of(state, code), names.card(code)),
            code in state.players,
            some_play and code not in state.players,
            is_known and code == state.lead,
            code in mine,
            ", ".join(_supplies(state, names, code)),
            " · ".join(pools_in_words(person.pools if person else None)),
        )


def _supplies(state: State, names: CampaignNames, code: str) -> Iterable[str]:
    """Yield the supplies of an investigator that aren’t crossed off."""
    for each in names.guide.sections:
        own = state.seat_sections.get(each.id, {}).get(code)
        for line in own.lines if own and each.kind == "supplies" else ():
            if not line.crossed_out:
                text = names.line(each.id, line)
                is_said = line.number < 2 or str(line.number) in text.split()
                yield text if is_said else f"{text} × {line.number}"


def _chapters(replay: Replay, names: CampaignNames) -> Iterable[ScenarioSummary]:
    """Yield every scenario in order of play; future ones have no status label."""
    for each in replay.scenarios:
        word = str(STATUSES.get(each.status, ""))
        yield ScenarioSummary(each.id, names.scenario(each.id), each.status, word)


def _waits_for(
    replay: Replay, seats: list[Seat], member: Membership, upgrading: tuple[Seat, ...]
) -> str:
    """Return the names of those who should answer or write, unless the visitor may.

    During upgrades: the players who are ``upgrading`` their decks.
    """
    players = {each.member_id: each.member.name for each in upgrading if each.member}
    if players:
        return "" if member.pk in players else ", ".join(players.values())
    for code in addressed(replay.pending):
        for seat in seats:
            sits = seat.member if seat.investigator == code else None
            if sits is not None and sits.pk != member.pk and sits.left_at is None:
                return sits.name
    if replay.pending is None or may_answer(member, replay.pending):
        return ""
    roles = [Role.ORGANISER, Role.SCRIBE]
    if everybody_answers(member.campaign):
        roles.append(Role.PLAYER)
    writers = member.campaign.memberships.filter(left_at=None, role__in=roles)
    return ", ".join(each.name for each in writers.select_related("user", "guest"))


def outcome_of(board: Board, scenario: str, after: Replay) -> ChangesInWords:
    """Return what a scenario changed up to the replay ``after``, in words."""
    before = replayed_as_begun(board.campaign, board.known, scenario)
    changes = settlement(before, after)
    if scenario == SETUP or not before.state.bag:  # it is shown whole, not as a change
        changes = changes._replace(tokens=())
    return describe_changes(changes, board.names)


def replayed_with(board: Board, given: Answer) -> Replay:
    """Return the campaign's replay with one more answer."""
    known = board.known
    numbered = given._replace(sequence=known.last + 1)
    return folded_over(board.campaign, [*known.entries, numbered], after=known.replay)
