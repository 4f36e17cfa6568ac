"""Plans remembered for the shape of one title are never used for another shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.titles import TitleCopies, _shape


@dataclass(frozen=True)
class _Card:
    subname: str = ""


@dataclass(frozen=True)
class _Version:
    """The facts of a version that the shape of its title depends on."""

    code: str
    alike: int
    title: str = "Title"
    traits: frozenset[str] = frozenset()
    card: _Card = _Card()


def _shape_of(versions: list[Any], copies: list[dict[Any, int]], offers: Offers) -> Any:
    base, after, stay = copies
    title = TitleCopies(base, after, stay, reduced=False)
    return _shape(title, versions, offers, side=False)


def test_one_version_and_three_versions_have_different_shapes() -> None:
    """As flat lists of numbers both would be the same."""
    one, *three = (_Version(code, 7) for code in "abcd")
    alone = _shape_of([one], [{one: 1}, {one: 1}, {}], Offers(exiled={"a": 7}))
    copies = [dict.fromkeys(three[:2], 1), {three[0]: 1}, {}]
    together = _shape_of(three, copies, Offers())

    assert len(alone) == len(together)
    assert alone != together
