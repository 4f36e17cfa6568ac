"""Entries of every kind: as they were written once, and as Hypothesis makes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from hypothesis import strategies as st

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Changes,
    Journey,
    Retracted,
    SideScenario,
    Stated,
)
from campaigns.log.entries import Adopted, DrawEntry, EntryCorrection, Pinned, Ticked

FIXTURES = Path(__file__).parents[1] / "fixtures"  # one of each version
words = st.text(
    st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=12
)
numbers = st.integers(-1_000_000, 1_000_000)
st.register_type_strategy(str, words)
st.register_type_strategy(int, numbers)
journeys = st.builds(
    Journey, words, words, words, numbers, words, st.booleans(), st.booleans()
)
maybe = st.none() | numbers
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "choice": numbers,
    "decision": st.booleans(),
    "count": numbers,
    "string_choices": st.dictionaries(
        words, st.lists(words, max_size=3).map(tuple), max_size=4
    ),
    "choice_list": st.dictionaries(
        words, st.lists(numbers, max_size=3).map(tuple), max_size=4
    ),
    "supplies": st.dictionaries(
        words, st.dictionaries(words, numbers, max_size=3), max_size=4
    ),
    "text": words,
    "campaign_link": words,
    "inter_scenario": st.builds(
        Changes,
        st.lists(
            st.tuples(words, maybe, maybe, st.booleans(), st.booleans()), max_size=3
        ).map(tuple),
        st.lists(words, max_size=3).map(tuple),
    ),
    "start_scenario": st.none() | journeys,
    "start_side_scenario": st.builds(
        SideScenario, words, words, words, numbers, st.none() | journeys
    ),
}
answers = st.one_of(
    *(
        st.builds(Answer, st.just(kind), words, words, value, st.just(7), words)
        for kind, value in VALUES.items()
    )
)
effects = st.one_of(*(st.from_type(kind) for kind in get_args(do.Effect)))
few = st.lists(words, max_size=3).map(tuple)
facts = st.one_of(
    st.builds(
        Stated,
        words,
        effects,
        few,
        st.lists(numbers, max_size=3).map(tuple),
        words,
        st.just(7),
    ),
    st.builds(Asserted, words, words, words, numbers, st.just(7)),
    st.builds(Retracted, numbers, st.just(7)),
    st.builds(EntryCorrection, numbers, words, st.just(7)),
    st.builds(Adopted, words, words, st.just(7)),
    st.builds(Ticked, words, numbers, few, st.just(7)),
    st.builds(Pinned, words, st.just(7)),
    st.builds(DrawEntry, words, words, st.dictionaries(words, numbers), st.just(7)),
)
