"""Imported pictures in the public API: their addresses and caching."""

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
    """Store a picture as an import does; the digest is in its address."""
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
    """Make an import that is over, or in progress."""
    # Each test's import has its own time: responses are cached by it.
    seen = NOW + timedelta(seconds=next(_IMPORTS))
    times = {"since": NOW, "begun_at": NOW, "seen_at": seen}
    return CardImport.objects.create(kind=CardImport.KIND, state=state, **times)


def test_every_printing_has_the_pictures_address() -> None:
    """A path, as on the site; the list of all cards has it too."""
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


def test_english_pictures_are_preferred() -> None:
    """The rest of the response is English too."""
    german = picture("01020", language="de")
    english, other = picture("01016"), picture("01016", language="de")
    imported()
    assert german in fetch_json("card/01020")["imagesrc"]
    assert english in fetch_json("card/01016")["imagesrc"]
    assert other != english


def test_responses_from_before_the_pictures_are_outdated() -> None:
    """By ETag and by date, also of one card."""
    before = fetch("card/01020")
    picture("01020")
    run = imported(CardImport.State.RUNNING)
    assert "imagesrc" not in fetch_json("card/01020")
    CardImport.objects.filter(pk=run.pk).update(state=CardImport.State.DONE)
    again = fetch("card/01020", If_None_Match=before["ETag"])
    assert again.status_code == 200
    assert b"imagesrc" in again.content
