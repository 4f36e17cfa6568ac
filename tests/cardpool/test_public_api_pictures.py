"""Pictures that were imported, in the public API: as addresses, and kept apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.test import Client

from cardpool.models import CardImport, Picture
from tests.cardpool.public_api import fetch, fetch_json

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 11, 1, tzinfo=UTC)
_IMPORTS = count()


def picture(code: str, *, is_back: bool = False, language: str = "en") -> str:
    """A picture as an import leaves it; the digest in its address."""
    digest = f"{'bf'[is_back] * 8}{language.encode().hex():0>8}"
    Picture.objects.create(
        code=code,
        is_back=is_back,
        digest=digest,
        width=600,
        height=840,
        source="here",
        language=language,
        checked_at=NOW,
    )
    return digest


def imported(state: str = CardImport.State.DONE) -> CardImport:
    """An import that is over, or goes on."""
    # Each test has an import of its own time: answers are kept by it.
    seen = NOW + timedelta(seconds=next(_IMPORTS))
    times = {"since": NOW, "begun_at": NOW, "seen_at": seen}
    return CardImport.objects.create(kind=CardImport.KIND, state=state, **times)


def test_a_picture_comes_behind_the_address_of_every_printing() -> None:
    """A path, as the site has it; the list of all cards has it too."""
    front, back = picture("01001"), picture("01001", is_back=True)
    imported()
    path = f"/cards/pictures/01001-front-{front}-large.webp"
    for code in ("01001", "01501"):
        card = fetch_json(f"card/{code}")
        assert card["imagesrc"] == path
        assert card["backimagesrc"] == path.replace("front", "back").replace(
            front, back
        )
        keys = list(card)
        assert keys[keys.index("url") + 1 :][:2] == ["imagesrc", "backimagesrc"]
    listed = {each["code"]: each.get("imagesrc") for each in fetch_json("cards/")}
    assert (listed["01001"], listed["01020"]) == (path, None)
    pack = {each["code"]: each.get("imagesrc") for each in fetch_json("cards/core")}
    assert pack["01001"] == path
    assert Client().get(path).status_code == 404  # its file is not here


def test_english_pictures_come_first_and_others_where_there_are_none() -> None:
    """The rest of the answer is English too."""
    german = picture("01020", language="de")
    english, other = picture("01016"), picture("01016", language="de")
    imported()
    assert german in fetch_json("card/01020")["imagesrc"]
    assert english in fetch_json("card/01016")["imagesrc"]
    assert other != english


def test_what_was_kept_before_the_pictures_came_is_not_current() -> None:
    """By tag and by date, also of one card."""
    before = fetch("card/01020")
    picture("01020")
    run = imported(CardImport.State.RUNNING)
    assert "imagesrc" not in fetch_json("card/01020")
    CardImport.objects.filter(pk=run.pk).update(state=CardImport.State.DONE)
    again = fetch("card/01020", If_None_Match=before["ETag"])
    assert again.status_code == 200
    assert b"imagesrc" in again.content
