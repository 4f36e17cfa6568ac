"""The ultimatums, boons and refractions a table may choose, and those in force."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.judging import ultimatum_choice
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.ultimatums import (
    ALL,
    REFRACTIONS,
    ULTIMATUMS,
    Ultimatum,
    UltimatumKind,
    UltimatumMoment,
    belongs,
)
from campaigns.log.replays import Folded
from campaigns.models import Campaign
from campaigns.services.agreements import chosen_ultimatums, next_game
from campaigns.words.names import CampaignNames
from decks.lists.content import whole

LONGEST_OWN = 80  # characters in the name of a table's own ultimatum
MOMENTS: dict[UltimatumMoment, str | Promise] = {
    UltimatumMoment.DECKS: gettext_lazy("when decks are built"),
    UltimatumMoment.CAMPAIGN: gettext_lazy("when the campaign begins"),
    UltimatumMoment.BEFORE: gettext_lazy("before each game"),
    UltimatumMoment.SETUP: gettext_lazy("during setup"),
    UltimatumMoment.PLAY: gettext_lazy("during play"),
    UltimatumMoment.DEFEAT: gettext_lazy("when an investigator is defeated"),
    UltimatumMoment.END: gettext_lazy("after a game"),
    UltimatumMoment.UPGRADES: gettext_lazy("when decks change"),
    UltimatumMoment.ROSTER: gettext_lazy("when an investigator is replaced"),
}
_PLAYING = frozenset(
    {
        UltimatumMoment.SETUP,
        UltimatumMoment.PLAY,
        UltimatumMoment.DEFEAT,
        UltimatumMoment.END,
    }
)
_PREPARING = frozenset(
    {
        UltimatumMoment.DECKS,
        UltimatumMoment.CAMPAIGN,
        UltimatumMoment.BEFORE,
        UltimatumMoment.SETUP,
        UltimatumMoment.ROSTER,
    }
)


class UltimatumOption(NamedTuple):
    """An ultimatum that can be chosen or is in force, with its entry in the log.

    ``since`` is the scenario it applies from; ``is_drawn`` if it applies to that game
    only.
    """

    id: str
    name: str
    effect: str
    moments: str
    campaign_only: bool = False
    is_enforced: bool = False
    entry: int = 0
    since: str = ""
    is_drawn: bool = False


class UltimatumOptions(NamedTuple):
    """Every ultimatum a table may choose, and those it has chosen.

    ``to_draw`` is the name of the game that needs a draw now, if any.
    """

    in_force: tuple[UltimatumOption, ...]
    ultimatums: tuple[UltimatumOption, ...]
    boons: tuple[UltimatumOption, ...]
    here: tuple[UltimatumOption, ...]
    elsewhere: tuple[UltimatumOption, ...]
    to_draw: str


def ultimatum_options(
    campaign: Campaign, known: Folded, names: CampaignNames
) -> UltimatumOptions:
    """Return a table's ultimatums, those in force apart from the others."""
    chosen = chosen_ultimatums(known)
    taken = {each.ultimatum for each in chosen if not each.record}
    free = [row for row in ULTIMATUMS.values() if row.id not in taken]
    if known.replay.state.is_single:
        free = [row for row in free if not row.campaign_only]
    apart = [row for row in REFRACTIONS.values() if row.id not in taken]
    guide = campaign.guide.guide_id
    return UltimatumOptions(
        tuple(_in_force(each, names) for each in chosen),
        tuple(option_of(row) for row in free if row.kind is UltimatumKind.ULTIMATUM),
        tuple(option_of(row) for row in free if row.kind is UltimatumKind.BOON),
        tuple(option_of(row) for row in apart if belongs(row, guide)),
        tuple(option_of(row) for row in apart if not belongs(row, guide)),
        to_draw(known, names),
    )


def ultimatum_and_name(ultimatum: str, name: str) -> tuple[str, str]:
    """Return an ultimatum's id, and its name if it is the table's own."""
    called = " ".join(whole(name).split())[:LONGEST_OWN]
    return whole(ultimatum)[:LONGEST_OWN], "" if ultimatum in ALL else called


def option_of(row: Ultimatum) -> UltimatumOption:
    """Return a printed ultimatum, described in our words."""
    return UltimatumOption(
        row.id,
        row.name,
        _(row.effect),
        get_text_list([str(MOMENTS[each]) for each in row.moments], _("and")),
        row.campaign_only,
        bool(row.by),
    )


def scenario_for(campaign: Campaign, known: Folded) -> str:
    """Return the scenario a new ultimatum applies from: the setup, or the next game."""
    if campaign.standalone:
        return campaign.standalone
    if not any(game.players for game in known.replay.state.games.values()):
        return SETUP
    begun = [each.id for each in known.replay.scenarios if each.status == "started"]
    return begun[-1] if begun else next_game(known) or SETUP


def mattering(known: Folded, names: CampaignNames) -> tuple[UltimatumOption, ...]:
    """Return those in force that matter now; a table's own always do."""
    state = known.replay.state
    if not state.ultimatums:
        return ()
    now = _now(known)
    return tuple(
        _in_force(each, names)
        for each in chosen_ultimatums(known)
        if each.ultimatum in state.ultimatums
        and (each.ultimatum not in ALL or now & {*ALL[each.ultimatum].moments})
    )


def _now(known: Folded) -> frozenset[UltimatumMoment]:
    """Return what the table is doing now: upgrading, playing, or preparing."""
    pending, state = known.replay.pending, known.replay.state
    if pending is not None and pending.is_upgrade:
        return frozenset({UltimatumMoment.UPGRADES, UltimatumMoment.END})
    game = state.games.get(state.scenario)
    if state.statuses.get(state.scenario) == "started" and game and game.players:
        return _PLAYING
    return _PREPARING


def _in_force(each: UltimatumChosen, names: CampaignNames) -> UltimatumOption:
    row = ALL.get(each.ultimatum)
    line = option_of(row) if row else UltimatumOption(each.ultimatum, each.name, "", "")
    return line._replace(
        entry=each.sequence,
        since="" if each.scenario == SETUP else names.scenario(each.scenario),
        is_drawn=bool(each.record),
    )


def to_draw(known: Folded, names: CampaignNames) -> str:
    """Return the name of the game that needs a draw now; "" for none."""
    game = next_game(known)
    if not game or not ultimatum_choice.is_due(known.replay.state, game):
        return ""
    if any(each.scenario == game and each.record for each in chosen_ultimatums(known)):
        return ""
    return names.scenario(game)
