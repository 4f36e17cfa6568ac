"""What a campaign log on paper names: cards, people, enemies, experience that waits.

Either every line of a section is a card, as of those sacrificed, or a line names who it
is about, as who was captured. Later questions ask for the card, not for its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import INPUT, Batch, Effect, Mark
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.prompts import CardChoice
from arkham.rules.campaign.reading.references import parts

Place = tuple[str, str]


def place_of(which: str) -> Place:
    """A section and a line of it, if there is a point between them."""
    section, _, line_id = which.partition(".")
    return section, line_id


def _naming(guide: CampaignGuide) -> Iterator[tuple[do.LogCards, Batch]]:
    """What writes down cards a table names, each with all that comes with it."""
    hidden = {section.id for section in guide.sections if section.hidden}
    for scenario in guide.scenarios.values():
        for batch in parts(tuple(scenario.steps.values())):
            if isinstance(batch, Batch):
                for each in (*batch.plain, *batch.personal):
                    if (
                        isinstance(each, do.LogCards)
                        and each.mark is Mark.RECORD
                        and each.section not in {*hidden, INPUT}
                        and not each.codes
                        and (each.cards or each.id == INPUT)
                    ):
                        yield each, batch


def listed_cards(guide: CampaignGuide) -> dict[str, tuple[str, ...]]:
    """The sections whose lines are cards, each with the cards a guide knows of it."""
    found: dict[str, dict[str, None]] = {}
    for each, _batch in _naming(guide):
        if each.id == INPUT:
            found.setdefault(each.section, {})
    for scenario in guide.scenarios.values():
        for part in parts(tuple(scenario.steps.values())):
            if isinstance(part, CardChoice):
                for section in {e.section for e in _recorded(part)} & found.keys():
                    for query in part.queries:
                        found[section] |= dict.fromkeys(query.codes)
    return {section: tuple(codes) for section, codes in found.items()}


def _recorded(choice: CardChoice) -> Iterator[do.LogCards]:
    return (each for each in parts(choice) if isinstance(each, do.LogCards))


def naming_lines(guide: CampaignGuide) -> dict[Place, None]:
    """The lines that name cards or people, in the order of the guide."""
    found = ((each.section, each.id) for each, _batch in _naming(guide))
    return dict.fromkeys(place for place in found if place[1] != INPUT)


def written_with(
    guide: CampaignGuide, lines: tuple[Place, ...], named: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Effect, tuple[str, ...]]]:
    """Lines as a guide writes them, each once, with the cards it names.

    What leaves every deck with it, as who was sacrificed, no deck may have again.
    """
    fixed = {
        (each.section, each.id): each
        for scenario in guide.scenarios.values()
        for each in parts(tuple(scenario.steps.values()))
        if isinstance(each, do.LogCards) and each.codes and each.mark is Mark.RECORD
    }
    known = {(each.section, each.id): batch for each, batch in _naming(guide)}
    places = {place_of(which): codes for which, codes in named.items()}
    for section, line_id in dict.fromkeys((*lines, *places)):
        codes = places.get((section, line_id), ())
        batch, which = known.get((section, line_id)), line_id
        effect: Effect = fixed.get((section, line_id), do.LogLine(section, line_id))
        if (section, INPUT) in known and (section, line_id) not in known:
            batch, codes, which = known[section, INPUT], (line_id,), INPUT
            effect = do.LogCards(section, which)
        elif codes:
            effect = do.LogCards(section, which, INPUT)
        yield effect, codes
        if batch is not None and do.RemoveCard(INPUT) in batch.plain and codes:
            yield do.RemoveCard(INPUT), codes


def waiting_pool(guide: CampaignGuide) -> str:
    """Where experience waits until it can be spent; "" where none ever does."""
    everything = (each for s in guide.scenarios.values() for each in parts(s))
    pools = (e.emptied_pool for e in everything if isinstance(e, do.EarnExperience))
    return next(filter(None, pools), "")


def key_thieves(guide: CampaignGuide) -> dict[str, None]:
    """The enemies that bear a key at times."""
    everything = (each for s in guide.scenarios.values() for each in parts(s))
    bound = (each for each in everything if isinstance(each, do.BindKey))
    return dict.fromkeys(sorted(each.enemy for each in bound if each.enemy))
