"""Report again what cards in decks gave, when a game is corrected after the upgrade.

Defeat decides what Charon's Obol pays and whether it kills; the experience earned
decides what the Ascetic forgoes. Amounts that players chose themselves stay.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.app_names import BY_CARD
from arkham.rules.campaign.model.guide import Ask, Step
from arkham.rules.campaign.model.prompts import UpgradeDecks
from arkham.rules.campaign.model.scenario_steps import FIXED_STEPS
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import UpgradedGames
from campaigns.guides import opening
from campaigns.log.entries import folded
from campaigns.log.replays import Folded, folded_over
from campaigns.models import Campaign, Seat
from campaigns.settling.cards import (
    automatic_earnings,
    defeats,
    earned_by,
    played_in,
    reported_for,
    slots_of,
    upgrade_of,
    was_defeated,
    with_decks,
)
from campaigns.settling.trauma import killed_with, kills

Reported = Mapping[str, tuple[int, ...]]


def corrected_answers(
    campaign: Campaign, known: Folded, after: Replay, fresh: Container[int] = ()
) -> list[Answer]:
    """Return the answers that cards in decks now imply, if the log has others.

    ``known`` is the campaign before the correction. Answers with a sequence in
    ``fresh`` are new, so they need none.
    """
    if after.state.is_single:
        return []
    found: dict[tuple[str, str], Answer] = {}
    used = {each.sequence for each in known.replay.used}
    for last in _last_words(campaign, after):
        if last.sequence in fresh:
            continue
        was, now = upgrade_of(known.replay, last), upgrade_of(after, last)
        codes = [
            code
            for code in after.state.people
            if last.sequence not in used  # reached again, perhaps after other outcomes
            or _of(known.replay, was, code) != _of(after, now, code)
        ]
        for seat in with_decks(campaign, codes) if codes else ():
            for each in _again(campaign, seat, last, known, after, now):
                found[each.scenario, each.step] = each
    return list(found.values())


def _last_words(campaign: Campaign, replay: Replay) -> Iterator[Answer]:
    """Yield the answers that decks are up to date."""
    _guide, scopes = opening.in_use(campaign.guide)
    for each in replay.used:
        if not isinstance(each, Answer) or each.kind != "decision":
            continue
        scenario = scopes.scenario(each.scenario.partition("#")[0])
        steps: Mapping[str, Step] = FIXED_STEPS
        if scenario is not None:
            steps = scopes.scope(scenario, standalone=False).steps
        step = steps.get(each.step.partition("#")[0])
        if isinstance(step, Ask) and isinstance(step.prompt, UpgradeDecks):
            yield each


def _of(replay: Replay, upgraded: UpgradedGames, code: str) -> tuple[object, ...]:
    """Return how the games before an upgrade ended for an investigator, and the pay."""
    ended = was_defeated(replay, upgraded, code), defeats(replay, upgraded, code)
    return upgraded.games, ended, earned_by(upgraded, code)


def _again(
    campaign: Campaign,
    seat: Seat,
    last: Answer,
    known: Folded,
    after: Replay,
    upgraded: UpgradedGames,
) -> Iterator[Answer]:
    """Yield the answer for one deck, if it has to change."""
    code, played = seat.investigator, played_in(seat, upgraded)
    if upgraded.played and played is None:
        games = _then(campaign, known, last, code).state.games
        had_played = (
            games[each].players or () for each in upgraded.played if each in games
        )
        if seat.deck is None or any(code in players for players in had_played):
            return  # the deck came later
        played = seat.deck.revisions.get(number=seat.deck.revision)  # added to the game
    had: Reported = reported_for(after, last, code)
    now = {key: value for key, value in had.items() if not kills(key, value)}
    slots = played.list["slots"] if played is not None else slots_of(seat)
    gains = automatic_earnings(slots, after, upgraded, code)
    brings = {each.card.code: amount for each, amount in gains}
    if brings or any(key.startswith(BY_CARD) for key in now):
        # Finding out what cards gave then takes a fold. Some may give nothing any more.
        before = _then(campaign, known, last, code)
        then = automatic_earnings(slots, before, upgrade_of(before, last), code)
        was = {each.card.code: amount for each, amount in then}
        for card in {**brings, **was}:
            key, amount = f"{BY_CARD}{card}", brings.get(card, 0)
            if now.get(key, (0,)) == (was.get(card, 0),) != (amount,):
                now[key] = (amount,)
    if played is not None and was_defeated(after, upgraded, code):
        paid = any(defeats(after, upgraded, code))
        killed = killed_with(code, played, paid=paid)
        now |= {each.key: (0, 0, 1) for each in killed}
    if now != had:
        yield Answer("choice_list", last.scenario, f"{last.step}#{code}", now)


def _then(campaign: Campaign, known: Folded, last: Answer, code: str) -> Replay:
    """Return the campaign as it was when the answer for a deck was written."""
    question = ("choice_list", last.scenario, f"{last.step}#{code}")
    places = [
        each.sequence
        for each in folded(known.entries)
        if isinstance(each, Answer)
        and ((each.kind, each.scenario, each.step) == question or each == last)
    ]
    written = max(places, default=last.sequence)
    return folded_over(campaign, [e for e in known.entries if e.sequence <= written])
