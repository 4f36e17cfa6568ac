"""Judges decks through a client that was generated from the API's description.

The address of the server is its argument. What it says of each deck is printed as JSON.
"""

from __future__ import annotations

import json
import sys

from orne_client import Client
from orne_client.api.legality import legality, legality_batch
from orne_client.models.circumstances_request import CircumstancesRequest
from orne_client.models.copies import Copies
from orne_client.models.deck_with_circumstances import DeckWithCircumstances
from orne_client.models.judged_deck import JudgedDeck
from orne_client.models.listed_deck import ListedDeck
from orne_client.models.mode_enum import ModeEnum
from orne_client.models.verdict import Verdict


def told(verdict: object) -> dict[str, object]:
    """What the program says of a verdict."""
    assert isinstance(verdict, Verdict), verdict
    rules = sorted({finding.rule for finding in verdict.findings})
    return {
        "id": verdict.id,
        "status": verdict.status.value,
        "size": verdict.deck_size,
        "rules": rules,
    }


client = Client(base_url=sys.argv[1])
slots = Copies.from_dict({"01006": 1, "01007": 1, "03307": 1})

alone = JudgedDeck(investigator_code="01001", slots=slots, id="alone")
first = legality.sync(client=client, body=alone)

listed = ListedDeck(investigator_code="01001", slots=slots)
terms = CircumstancesRequest(mode=ModeEnum.CAMPAIGN, experience_earned=5)
held = DeckWithCircumstances(deck=listed, circumstances=terms, id="held")
both = legality_batch.sync(client=client, body=[alone, held])
assert isinstance(both, list)

# A checker that knows the types finds these; one that does not, finds the comments.
JudgedDeck(investigator_code=1001, slots=slots)  # type: ignore[arg-type]
JudgedDeck(investigator_code="01001", slots=7)  # type: ignore[arg-type]
CircumstancesRequest(mode="campaign")  # type: ignore[arg-type]

print(json.dumps([told(first), *map(told, both)]))
