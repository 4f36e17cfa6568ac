"""Keep the state of a scenario during play, and answer questions by chance.

The table keeps its bag, counters, notes and ticks. Draws are recorded with the answer
they decide.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import course
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.chaos import Token
from arkham.rules.draws import DrawRecord
from arkham.rules.draws.record import Purpose, draw
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.play.area import PlayArea, next_round
from arkham.rules.pool import CardPool
from campaigns.log import store
from campaigns.log.entries import DrawEntry, Entry
from campaigns.log.replays import Folded, replayed
from campaigns.log.store import Appended
from campaigns.models import Campaign, Membership, PlayState
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.models.log import LONGEST_CAUSE
from campaigns.people import rights
from campaigns.people.rights import EntryRefused, KeyReused
from campaigns.play import in_play, plays
from campaigns.play.areas import (
    LAID,
    MOST_CARDS,
    RESET,
    card_laid,
    changed,
    is_area_step,
    laid,
    query_of,
)
from campaigns.play.in_play import Act, ActKeyReused, ImpossibleAct, ScenarioInPlay
from campaigns.play.plays import LONGEST_CODE, places_of
from campaigns.services.writing import WriteContext, require_open, state_fact, written
from campaigns.settling.terms import Dealer
from cardpool.catalog import current_pool

CAUSE = "drawn by chance"
FEW = _("There isn’t enough left to draw from.")


def _refusal(
    message: str, rule: str, actual: int | str | None = None, **more: Any
) -> EntryRefused:
    return EntryRefused(Finding(message, rule=rule, actual=actual, **more))


@transaction.atomic
def draw_at_random(
    *, campaign: Campaign, member: Membership, context: WriteContext
) -> store.Appended:
    """Answer the current question by chance; each draw is logged before the answer.

    Draws a weakness for each investigator concerned, from the table's pool; an option
    for each thing the guide leaves to chance; or one of its choices. Raises LogMoved,
    Forbidden; EntryRefused if nothing can be drawn.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        pending = known.replay.pending
        if pending is None or not is_drawn(pending):
            raise _refusal(_("This question isn’t left to chance."), "draw.not-asked")
        seed = plays.next_seed(campaign)
        records, value, choice = _decided(campaign, known, pending, seed)
        given = Answer(pending.kind, pending.scenario, pending.step, value, 0, choice)
        rights.require_answer(member, given, pending)
        return [*(_drawn(pending, each) for each in records), given]

    return written(campaign, make, member, context, cause=CAUSE)


@transaction.atomic
def draw_place(
    *,
    campaign: Campaign,
    member: Membership,
    scenario: str,
    step: str,
    context: WriteContext,
    count: int = 1,
) -> store.Appended:
    """Draw random locations of the scenario in play; nothing follows from them.

    Raises LogMoved, Forbidden; EntryRefused if the table isn't playing this scenario,
    or if its guide leaves no location, or fewer, to chance.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require_play(member)
        if scenario != plays.current(known.replay):
            actual = scenario[:LONGEST_SCENARIO]
            raise _refusal(_("This scenario hasn’t begun."), "log.scenario", actual)
        found = places_of(known.replay.state.guide, scenario)
        places = next((each for each in found if each.step == step), None)
        if places is None:
            actual = step[:LONGEST_SCENARIO]
            raise _refusal(
                _("Nothing here is left to chance."), "draw.not-asked", actual
            )
        most = len(places.cards) if places.several else 1
        if not 1 <= count <= most:
            raise _refusal(FEW, "draw.few", count, expected=most)
        seed = plays.next_seed(campaign)
        pool = dict.fromkeys(places.cards, 1)
        record = draw(Purpose.CHOICE, seed, pool, count)
        return [DrawEntry(scenario, step, record.as_data())]

    cause = f"{CAUSE} {step} {count}"[:LONGEST_CAUSE]
    return written(campaign, make, member, context, cause=cause)


def is_drawn(pending: Pending) -> bool:
    """Return whether chance can answer a question."""
    if pending.prompt == "weakness":
        return bool(pending.codes)
    if pending.prompt == "randomizer":
        return bool(pending.keys and pending.offers)
    return pending.random and len(pending.open_offers) > 1


def _decided(
    campaign: Campaign, known: Folded, pending: Pending, seed: str
) -> tuple[list[DrawRecord], Any, str]:
    """Return the draws, the value of the answer, and the id of a choice."""
    if pending.prompt == "weakness":
        by_code = _weaknesses(campaign, known, pending, seed)
        value = {
            code: tuple(card for each in drawn for card in each.result)
            for code, drawn in by_code.items()
        }
        return [each for drawn in by_code.values() for each in drawn], value, ""
    offered = {offer.id: 1 for offer in pending.open_offers}
    if pending.prompt == "randomizer":
        # Cards of one small deck: drawn without replacement.
        found = draw(Purpose.CHOICE, seed, offered, len(pending.keys))
        if len(found.result) < len(pending.keys):
            raise _refusal(FEW, "draw.few")
        value = {
            key: (each,) for key, each in zip(pending.keys, found.result, strict=True)
        }
        return [found], value, ""
    record = draw(Purpose.CHOICE, seed, offered)
    (chosen,) = record.result
    number = next(each.number for each in pending.offers if each.id == chosen)
    return [record], number, chosen


def _weaknesses(
    campaign: Campaign, known: Folded, pending: Pending, seed: str
) -> dict[str, list[DrawRecord]]:
    """Draw as many weaknesses as are asked for, for each investigator."""
    dealer = Dealer(campaign, known.replay.state)
    found: dict[str, list[DrawRecord]] = {}
    for code in pending.codes:
        for number in range(pending.many):
            place = f"{seed}/{code}" + (f"/{number + 1}" if number else "")
            record = dealer.deal(code, pending.traits, place)
            if record is None:
                message = _("The collection has no weakness left to draw.")
                raise _refusal(message, "draw.empty-pool", cards=(code,))
            found.setdefault(code, []).append(record)
    return found


def _drawn(pending: Pending, record: DrawRecord) -> DrawEntry:
    return DrawEntry(pending.scenario, pending.step, record.as_data())


@transaction.atomic
def play(
    *, campaign: Campaign, member: Membership, scenario: str, act: Act, now: datetime
) -> bool:
    """Change the shared play state of a scenario.

    Returns False if the act's key was used for it before. Raises Forbidden for
    spectators; EntryRefused for a scenario the table has not reached, and for what the
    rules forbid; KeyReused if the key was used for something else; Behind if others
    changed what this depends on.
    """
    rights.require_play(member)
    require_open(campaign)
    replay = replayed(campaign).replay
    if scenario not in plays.reached_scenarios(replay):
        raise _refusal(_("This scenario hasn’t begun."), "log.scenario", scenario)
    bag = dict(replay.state.bag)
    first = in_play.begun(bag, plays.secret_of(campaign, scenario))
    PlayState.objects.get_or_create(
        campaign=campaign,
        scenario=scenario,
        defaults={"content": first.as_data(), "changed_at": now},
    )
    row = PlayState.objects.select_for_update().get(
        campaign=campaign, scenario=scenario
    )
    before, version = plays.content_of(row, campaign), row.version + 1
    if act.key:
        act = act._replace(key=f"{member.pk}:{act.key}")
    try:
        if in_play.was_done(before, act):
            return False
        after = in_play.done(
            before,
            act,
            by=member.name,
            version=version,
            bag=bag,
            areas=_areas_after(campaign, replay, before, act),
        )
    except ImpossibleAct as impossible:
        raise EntryRefused(*impossible.findings) from impossible
    except ActKeyReused as error:
        raise KeyReused from error
    if after != before:
        row.content, row.version, row.changed_at = after.as_data(), version, now
        row.save(update_fields=["content", "version", "changed_at"])
    return True


def _areas_after(
    campaign: Campaign, replay: Replay, content: ScenarioInPlay, act: Act
) -> dict[str, str]:
    """Return the play areas that an act changes, after it. Raises ImpossibleAct."""
    if act.do not in ("area", "round"):
        return {}
    pool = current_pool()
    areas = plays.areas(replay, content, campaign.seats.all(), pool)
    if act.do == "round":
        return {code: query_of(next_round(area)) for code, area in areas.items()}
    code, _slash, step = act.what.partition("/")
    if code not in areas:
        message = _("This investigator isn’t in the game.")
        raise ImpossibleAct(
            Finding(message, rule="play.unknown", actual=code[:LONGEST_CODE])
        )
    if step == RESET:
        others = tuple(each for each in content.areas if each.investigator != code)
        begun = replace(content, areas=others)
        areas = plays.areas(replay, begun, campaign.seats.all(), pool)
    return {code: query_of(_area_after(areas[code], step, pool))}


def _area_after(area: PlayArea, step: str, pool: CardPool) -> PlayArea:
    if not is_area_step(step):
        raise ImpossibleAct(Finding(_("You can’t do this here."), rule="play.unknown"))
    code = card_laid(step)
    if not code:
        return changed(area, step)
    card = pool.get_card(code)
    if card is None or card.type not in LAID:
        message = _("This isn’t a card that you put into play.")
        raise ImpossibleAct(Finding(message, rule="play.unknown", actual=code))
    if len(area.cards) >= MOST_CARDS:
        message = _("You have {count} cards in play, the most there can be.")
        values = (("count", MOST_CARDS),)
        raise ImpossibleAct(Finding(message, rule="play.full", values=values))
    return laid(area, card)


@transaction.atomic
def keep_frost(
    *, campaign: Campaign, member: Membership, scenario: str, context: WriteContext
) -> Appended:
    """Log the frost tokens that the live bag has gained or lost (BAG-11).

    Raises LogMoved, Forbidden; EntryRefused if the bag has as many as the log.
    """
    known = replayed(campaign)
    content = plays.stored_play(campaign, scenario, known.replay).content
    gained = content.play.frost_left - plays.frost_in_log(known, scenario)
    if not gained:
        raise _refusal(_("The log already has these frost tokens."), "play.frost")
    tokens = course.Tokens((Token.FROST.value,) * abs(gained), 1 if gained > 0 else -1)
    fact = Stated(scenario, tokens, (), (), gettext("Frost tokens stay in the bag."))
    return state_fact(campaign=campaign, member=member, fact=fact, context=context)
