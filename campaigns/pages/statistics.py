"""Sum up the campaigns of an account: outcomes, games, investigators."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import Q

from arkham.accounts.models import User
from arkham.rules.campaign.settlement import Fate
from arkham.rules.pool import CardPool
from campaigns import queries
from campaigns.files.campaign_file import file_id
from campaigns.files.summaries import Counted, PlayedInvestigator, counted
from campaigns.models import Campaign, Membership
from campaigns.people.table import Visitor

RUNNING = ""  # the result of an unfinished campaign
RESULTS = ("win", "survived", "lose", RUNNING)
DIFFICULTIES = ("easy", "standard", "hard", "expert")


class CampaignFilter(NamedTuple):
    """A filter of campaigns: one, a guide's, or those with one player.

    ``person`` is the key of an account; None or "" doesn't filter.
    """

    campaign: int | None = None
    guide: str = ""
    person: int | None = None


class ScenarioCount(NamedTuple):
    """A scenario: how often it was settled, by resolution, and the experience.

    ``experience`` is the total of all its players, ``players`` their number.
    """

    guide: str
    scenario: str
    name: str
    games: int
    resolutions: tuple[tuple[str, int], ...]
    experience: int
    players: int

    @property
    def average(self) -> float:
        """The experience per player."""
        return self.experience / self.players if self.players else 0.0


class PersonCount(NamedTuple):
    """An investigator: campaigns, games, experience, trauma and fates; ``classes`` are
    as printed."""

    code: str
    name: str
    classes: tuple[str, ...]
    campaigns: int
    games: int
    experience: int
    physical: int
    mental: int
    alive: int
    killed: int
    insane: int
    retired: int


class Statistics(NamedTuple):
    """Everything counted, with the number of campaigns; ``left`` aren't counted yet."""

    campaigns: int
    left: int
    results: tuple[tuple[str, int], ...]
    difficulties: tuple[tuple[str, int], ...]
    scenarios: tuple[ScenarioCount, ...]
    people: tuple[PersonCount, ...]
    classes: tuple[tuple[str, int], ...]

    @property
    def physical(self) -> int:
        """All physical trauma suffered."""
        return sum(each.physical for each in self.people)

    @property
    def mental(self) -> int:
        """All mental trauma suffered."""
        return sum(each.mental for each in self.people)

    @property
    def experience(self) -> int:
        """All experience earned."""
        return sum(each.experience for each in self.people)


class VisibleCampaigns(NamedTuple):
    """The campaigns an account may see, and its fellow players.

    ``people`` are pairs of an account's key and name; ``at`` maps campaigns to members.
    """

    campaigns: tuple[Campaign, ...]
    people: tuple[tuple[int, str], ...]
    at: Mapping[int, frozenset[int]]

    @property
    def guides(self) -> dict[str, str]:
        """The names of their guides, by id."""
        found = {each.guide.guide_id: each.guide.name for each in self.campaigns}
        return dict(sorted(found.items(), key=lambda each: each[1]))

    def matching(self, wanted: CampaignFilter) -> list[Campaign]:
        """Return the campaigns that a filter selects."""
        return [
            each
            for each in self.campaigns
            if wanted.campaign in (None, each.pk)
            and wanted.guide in ("", each.guide.guide_id)
            and (wanted.person is None or wanted.person in self.at.get(each.pk, ()))
        ]


def campaigns_of(user: User) -> VisibleCampaigns:
    """Return a user's campaigns, without copies made to try something.

    Two queries, however many there are.
    """
    found = queries.seen_campaigns(Visitor(user)).filter(branched_from=None)
    found = found.select_related("guide", "linked__guide", "summary").defer(
        "guide__prepared",
        "guide__words",
        "linked__guide__prepared",
        "linked__guide__words",
    )
    campaigns = tuple(_once(found.order_by("name", "pk")))
    sits = Membership.objects.filter(
        ~Q(user=None), campaign__in=[each.pk for each in campaigns], left_at=None
    )
    at: defaultdict[int, set[int]] = defaultdict(set)
    people: dict[int, str] = {}
    for campaign, person, name in sits.values_list(
        "campaign", "user", "user__username"
    ).order_by("user__username"):
        at[campaign].add(person)
        if person != user.pk:
            people[person] = name
    seats = {campaign: frozenset(each) for campaign, each in at.items()}
    return VisibleCampaigns(campaigns, tuple(people.items()), seats)


def _once(found: Iterable[Campaign]) -> list[Campaign]:
    """Return each campaign once, if imported again the copy played furthest."""
    campaigns = list(found)
    by_id = {file_id(each): each for each in campaigns}
    furthest: dict[str, Campaign] = {}
    for each in campaigns:
        first = _first_id(each, by_id)
        other = furthest.get(first)
        if other is None or (each.last, -each.pk) > (other.last, -other.pk):
            furthest[first] = each
    kept = {each.pk for each in furthest.values()}
    return [each for each in campaigns if each.pk in kept]


def _first_id(campaign: Campaign, by_id: Mapping[str, Campaign]) -> str:
    """Return the file id of a campaign's original, or its own."""
    seen = {campaign.pk}
    while campaign.imported_id:
        original = by_id.get(campaign.imported_id)
        if original is None or original.pk in seen:
            return campaign.imported_id
        seen.add(original.pk)
        campaign = original
    return file_id(campaign)


def statistics_of(campaigns: list[Campaign], pool: CardPool) -> Statistics:
    """Return the combined statistics of these campaigns."""
    known = counted(campaigns)
    rows = [(each, known[each.pk]) for each in campaigns if each.pk in known]
    people = _people((each for _campaign, each in rows), pool)
    results = Counter(each.result for _campaign, each in rows)
    difficulties = Counter(each.difficulty for _campaign, each in rows)
    by_class: Counter[str] = Counter()
    for person in people:
        for name in person.classes:
            by_class[name] += person.campaigns
    return Statistics(
        len(rows),
        len(campaigns) - len(rows),
        tuple((name, results[name]) for name in RESULTS),
        tuple((name, difficulties[name]) for name in DIFFICULTIES),
        _scenarios(rows),
        people,
        tuple(by_class.most_common()),
    )


def _scenarios(
    counted: Iterable[tuple[Campaign, Counted]],
) -> tuple[ScenarioCount, ...]:
    found: dict[tuple[str, str], list[tuple[str, str, int, int]]] = {}
    for campaign, each in counted:
        for game in each.scenarios:
            place = (campaign.guide.guide_id, game.scenario)
            played = (game.name, game.resolution, game.experience, game.players)
            found.setdefault(place, []).append(played)
    counts = (
        ScenarioCount(
            guide,
            scenario,
            games[0][0],
            len(games),
            tuple(sorted(Counter(game[1] for game in games).items())),
            sum(game[2] for game in games),
            sum(game[3] for game in games),
        )
        for (guide, scenario), games in found.items()
    )
    return tuple(sorted(counts, key=lambda each: -each.games))


def _people(counted: Iterable[Counted], pool: CardPool) -> tuple[PersonCount, ...]:
    """Count investigators, all versions of one name together."""
    found: dict[str, list[PlayedInvestigator]] = {}
    for each in counted:
        for person in each.people:
            card = pool.get_card(person.code)
            name = card.name if card is not None else person.code
            found.setdefault(name, []).append(person)
    counts = (_person(name, played, pool) for name, played in found.items())
    return tuple(sorted(counts, key=lambda each: (-each.campaigns, each.name)))


def _person(name: str, played: list[PlayedInvestigator], pool: CardPool) -> PersonCount:
    code = played[0].code
    card = pool.get_card(code)
    fates = Counter(each.fate for each in played)
    return PersonCount(
        code,
        name,
        tuple(each.value for each in card.classes) if card is not None else (),
        len(played),
        sum(each.games for each in played),
        sum(each.experience for each in played),
        sum(each.physical for each in played),
        sum(each.mental for each in played),
        fates[""],
        fates[Fate.KILLED],
        fates[Fate.DRIVEN_INSANE],
        fates[Fate.RETIRED],
    )
