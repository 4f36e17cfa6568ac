"""Finds what logs on paper name: cards, people, enemies, waiting experience.

Either each line of a section is a card, such as those sacrificed, or a line names whom
it is about, such as captives. Later questions need the card, not its name.
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
    """Return the section and the line of ``section.line``; "" if there is no line."""
    section, _, line_id = which.partition(".")
    return section, line_id


def _naming(guide: CampaignGuide) -> Iterator[tuple[do.LogCards, Batch]]:
    """Yield the effects that record named cards, each with the batch it is in."""
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
    """Return the sections whose lines are cards, with the cards the guide knows."""
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
    """Return the lines that name cards or people, in the order of the guide."""
    found = ((each.section, each.id) for each, _batch in _naming(guide))
    return dict.fromkeys(place for place in found if place[1] != INPUT)


def written_with(
    guide: CampaignGuide, lines: tuple[Place, ...], named: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Effect, tuple[str, ...]]]:
    """Yield the effects that record lines, each once, with the cards they name.

    Cards that also leave every deck, such as those sacrificed, are banned from decks.
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
    """Return the pool of experience that waits to be spent; "" if there is none."""
    everything = (each for s in guide.scenarios.values() for each in parts(s))
    pools = (e.emptied_pool for e in everything if isinstance(e, do.EarnExperience))
    return next(filter(None, pools), "")


def key_thieves(guide: CampaignGuide) -> dict[str, None]:
    """Return the enemies that can bear a key."""
    everything = (each for s in guide.scenarios.values() for each in parts(s))
    bound = (each for each in everything if isinstance(each, do.BindKey))
    return dict.fromkeys(sorted(each.enemy for each in bound if each.enemy))
