"""Brings guides: those of some files, and those that come with the rules.

Each guide comes in its prepared form, its words apart from it, with everything that is
wrong with it; flaws that belong to no guide are listed as well. A table is pinned to
the guide it plays by, and a guide of ours may change with the next release: so it is
kept like any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from arkham.rules.campaign.model.guide import CampaignGuide, Scenario
from arkham.rules.campaign.reading.cursor import Flaw, FlawsFound, Raw
from arkham.rules.campaign.reading.files import whole_campaigns
from arkham.rules.campaign.reading.guides import SIDE, read_guide
from arkham.rules.campaign.reading.lint import lint_guide
from arkham.rules.campaign.reading.own import (
    open_own_guide,
    own_files,
    own_guides,
    prepared_own,
)
from arkham.rules.campaign.reading.prepared import prepared_form
from arkham.rules.campaign.reading.words import words_of

LONGEST_ID, LONGEST_NAME = 60, 120
_FIT_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{LONGEST_ID - 1}}}")


class Brought(NamedTuple):
    """A guide that was brought: what is kept of it, and what is wrong with it.

    ``prepared`` and ``words`` are JSON; ``scenarios`` is how many it has.
    """

    guide_id: str
    name: str
    version: int
    digest: str
    scenarios: int
    prepared: bytes
    words: bytes
    flaws: tuple[Flaw, ...]


class Bringing(NamedTuple):
    """All guides of some files, and the flaws that belong to none of them."""

    guides: tuple[Brought, ...]
    flaws: tuple[Flaw, ...]

    @property
    def side(self) -> Brought | None:
        """The side scenarios among them, if they were brought."""
        return next((each for each in self.guides if each.guide_id == SIDE), None)

    def without_words(self) -> Bringing:
        """The same without the words of the guides."""
        bare = tuple(each._replace(words=b"") for each in self.guides)
        return self._replace(guides=bare)


def bring(files: Mapping[str, bytes]) -> Bringing:
    """The guides in files by their path, such as ``campaigns/dwl/campaign.json``."""
    wrong = FlawsFound()
    campaigns = whole_campaigns(wrong, files)
    side = _read(FlawsFound(), SIDE, campaigns.get(SIDE, {}))
    asides = side.scenarios if side is not None else {}
    found: dict[str, Brought] = {}
    for name, stems in campaigns.items():
        if not stems:
            continue  # a Return to alone: the flaw is noted
        brought = _brought(wrong, name, stems, asides)
        if brought is None:
            continue
        if brought.guide_id in found:
            at = f"{name}/campaign.id"
            wrong.flaw("guide.duplicate-guide", at, brought.guide_id, "its own id")
        else:
            found[brought.guide_id] = brought
    return Bringing(tuple(found.values()), tuple(wrong.flaws))


def _read(
    wrong: FlawsFound, name: str, stems: Mapping[str, Raw]
) -> CampaignGuide | None:
    return read_guide(wrong, name, stems) if stems else None


def _brought(
    wrong: FlawsFound,
    name: str,
    stems: Mapping[str, Raw],
    asides: Mapping[str, Scenario],
) -> Brought | None:
    """One guide; None, with flaws that belong to no guide, if it cannot be kept."""
    own = FlawsFound()
    guide = read_guide(own, name, stems)
    if guide is None or not _is_fit(own, name, guide):
        wrong.flaws += own.flaws
        return None
    linted = guide if guide.id == SIDE else replace(guide, side=asides)
    return Brought(
        guide.id,
        guide.name[:LONGEST_NAME] or guide.id,
        max(guide.version, 0),
        guide.digest,
        len(guide.scenarios),
        prepared_form(guide, stems),
        json.dumps(words_of(stems), ensure_ascii=False, separators=(",", ":")).encode(),
        tuple(_once([*own.flaws, *lint_guide(linted)])),
    )


def _is_fit(wrong: FlawsFound, name: str, guide: CampaignGuide) -> bool:
    """Whether a guide can be kept under its id."""
    if _FIT_ID.fullmatch(guide.id):
        return True
    expected = f"at most {LONGEST_ID} letters, digits, - and _"
    wrong.flaw("guide.unfit-id", f"{name}/campaign.id", guide.id, expected)
    return False


def _once(flaws: list[Flaw]) -> Iterator[Flaw]:
    """Each flaw once, in order."""
    yield from dict.fromkeys(flaws)


def bring_own() -> Bringing:
    """All of them, in their prepared form, with their words; nothing is wrong."""
    return Bringing(tuple(map(_brought_own, (*own_guides(), SIDE))), ())


def _brought_own(guide_id: str) -> Brought:
    own = open_own_guide(guide_id)
    return Brought(
        guide_id,
        own.guide.name,
        own.guide.version,
        own.guide.digest,
        len(own.guide.scenarios),
        prepared_own(guide_id, own_files(guide_id)),
        json.dumps(
            own.raw_words, default=dict, ensure_ascii=False, separators=(",", ":")
        ).encode(),
        (),
    )
