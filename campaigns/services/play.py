"""What a table does while it plays a scenario: its bag, counters, notes and ticks."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Stated
from arkham.rules.chaos import Token
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.log.replays import replayed
from campaigns.log.store import Appended
from campaigns.models import Campaign, Membership, PlayState
from campaigns.people import rights
from campaigns.people.rights import KeyReused, Refused
from campaigns.play import in_play, plays
from campaigns.play.in_play import Act, Misdone, Renamed
from campaigns.services.writing import Sight, require_open, state_fact


@transaction.atomic
def play(
    *, campaign: Campaign, member: Membership, scenario: str, act: Act, now: datetime
) -> PlayState:
    """Do something with what is kept of a scenario, for all who play it.

    Raises Forbidden for who looks on; Refused for a scenario the table has not come to,
    and what the rules forbid; KeyReused where something else was done under the key;
    Behind where others did what this depends on.
    """
    rights.require_play(member)
    require_open(campaign)
    replay = replayed(campaign).replay
    if scenario not in plays.reached(replay):
        finding = Finding(
            _("This scenario was not begun."), rule="log.scenario", actual=scenario
        )
        raise Refused(finding)
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
        after = in_play.done(before, act, by=member.name, version=version, bag=bag)
    except Misdone as misdone:
        raise Refused(*misdone.findings) from misdone
    except Renamed as error:
        raise KeyReused from error
    if after == before:
        return row
    row.content, row.version, row.changed_at = after.as_data(), version, now
    row.save(update_fields=["content", "version", "changed_at"])
    return row


@transaction.atomic
def keep_frost(
    *, campaign: Campaign, member: Membership, scenario: str, sight: Sight
) -> Appended:
    """Write into the log the frost tokens the live bag has gained, or lost (BAG-11).

    Raises LogMoved, Forbidden; Refused where the bag has as many as the log says.
    """
    known = replayed(campaign)
    content = plays.kept(campaign, scenario, known.replay).content
    gained = in_play.frost_left(content) - plays.frost_in_log(known, scenario)
    if not gained:
        raise Refused(
            Finding(_("The log has these frost tokens already."), rule="play.frost")
        )
    tokens = do.Tokens((Token.FROST.value,) * abs(gained), 1 if gained > 0 else -1)
    fact = Stated(scenario, tokens, (), (), gettext("Frost tokens stay in the bag."))
    return state_fact(campaign=campaign, member=member, fact=fact, sight=sight)
