"""Published decks on other sites: badge, image, frame, oEmbed, verdict by number."""

from __future__ import annotations

import html
from io import BytesIO

import pytest
import yaml
from django.test import Client
from PIL import Image

from arkham.accounts.models import User
from decks import services
from decks.models import Deck, Showing
from decks.pages.deck_image import DeckCaption, badge_svg, deck_png
from tests.conftest import PROJECT
from tests.decks.helpers import NOW
from tests.decks.sharing.helpers import POOL, a_deck

pytestmark = pytest.mark.usefixtures("rows")

OEMBED = "/api/public/oembed"


@pytest.fixture
def mine(alice: User) -> Deck:
    """A deck of Alice's, with a name that must be escaped."""
    return a_deck(alice, name='Badge & "gun" <b>')


@pytest.fixture
def published(mine: Deck) -> Showing:
    """The same deck, published."""
    return services.publish_deck(deck=mine, number=1, pool=POOL, now=NOW)


def places(number: int) -> list[str]:
    """Return the addresses where other sites find a deck of this number."""
    return [
        f"/badge/{number}.svg",
        f"/decks/published/{number}/picture.png",
        f"/decks/published/{number}/embed",
        f"/api/v1/decklists/{number}/legality",
        f"{OEMBED}?url=http://testserver/decks/published/{number}/",
    ]


def test_a_badge_shows_the_verdict(published: Showing) -> None:
    """As an image that may be cached for ten minutes."""
    answer = Client().get(f"/badge/{published.pk}.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Cache-Control"] == "max-age=600, public"
    assert "<title>Orne: Legal</title>" in answer.content.decode()
    again = Client().get(
        f"/badge/{published.pk}.svg", headers={"If-None-Match": answer["ETag"]}
    )
    assert again.status_code == 304


def test_words_of_a_badge_are_escaped() -> None:
    """Whatever a translation contains."""
    svg = badge_svg("<a>", "&", "legal")
    assert "<a>" not in svg
    assert "&lt;a&gt;: &amp;" in svg


def test_an_image_has_the_size_that_sites_show(published: Showing) -> None:
    """It is not drawn again for those who have it."""
    path = f"/decks/published/{published.pk}/picture.png"
    answer = Client().get(path)
    with Image.open(BytesIO(answer.content)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
    again = Client().get(path, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("title", ["", "W" * 120, "Ж 漢 🂡 " * 20, " ".join("a" * 60)])
def test_any_title_is_drawn(title: str) -> None:
    """The longest, and letters that the fonts lack."""
    caption = DeckCaption(title, "Roland Banks", "By x", "legal", "Legal", "guardian")
    assert deck_png(caption).startswith(b"\x89PNG")


def test_only_the_embedded_view_may_be_framed(published: Showing) -> None:
    """It has no buttons; every other page refuses."""
    view = Client().get(f"/decks/published/{published.pk}/embed")
    assert "frame-ancestors *" in view["Content-Security-Policy"]
    assert "X-Frame-Options" not in view
    page = view.content.decode()
    assert "<form" not in page
    assert "<script" not in page
    assert "Badge &amp; &quot;gun&quot; &lt;b&gt;" in page
    for path in (f"/decks/published/{published.pk}/", "/", "/account/login/"):
        other = Client().get(path)
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
        assert other["X-Frame-Options"] == "DENY"


def test_links_to_a_published_deck_have_a_preview_card(published: Showing) -> None:
    """By the meta tags that sites and messengers read."""
    page = Client().get(f"/decks/published/{published.pk}/").content.decode()
    here = f"http://testserver/decks/published/{published.pk}/"
    assert f'<meta property="og:image" content="{here}picture.png">' in page
    assert f'<meta property="og:url" content="{here}">' in page
    address = page.partition("application/json+oembed")[2]
    address = html.unescape(address.partition('href="')[2].partition('"')[0])
    found = Client().get(address.removeprefix("http://testserver")).json()
    assert found["title"] == 'Badge & "gun" <b>'


def test_oembed_returns_a_decks_frame(published: Showing) -> None:
    """Within the site's width; names in the frame are escaped."""
    page = f"http://testserver/decks/published/{published.pk}/"
    found = Client().get(OEMBED, {"url": page, "maxwidth": "320"}).json()
    assert (found["version"], found["type"], found["width"]) == ("1.0", "rich", 320)
    assert f'src="{page}embed"' in found["html"]
    assert "<b>" not in found["html"]
    assert "thumbnail_url" not in found
    description = yaml.safe_load((PROJECT / "docs" / "openapi.yaml").read_text("utf-8"))
    shape = description["components"]["schemas"]["OEmbed"]
    assert set(shape["required"]) <= found.keys()
    whole = Client().get(OEMBED, {"url": page})
    assert whole.json()["thumbnail_url"] == f"{page}picture.png"
    assert whole["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "url",
    ["", "x", "http://[", "http://elsewhere/decks/published/1/", "http://testserver/"],
)
def test_oembed_only_knows_published_decks(
    published: Showing, mine: Deck, url: str
) -> None:
    """Not other pages, other sites or decks shared by a link."""
    assert Client().get(OEMBED, {"url": url}).status_code == 404
    showing = services.share_deck(deck=mine, now=NOW)
    link = f"http://testserver/decks/shared/{showing.key}/"
    assert Client().get(OEMBED, {"url": link}).status_code == 404


@pytest.mark.parametrize("width", ["0", "-1", "x", "9" * 20, "²"])
def test_invalid_widths_are_refused(published: Showing, width: str) -> None:
    """So are formats other than JSON, as the protocol says."""
    page = f"http://testserver/decks/published/{published.pk}/"
    asked = {"url": page, "maxwidth": width}
    assert Client().get(OEMBED, asked).status_code == 400
    xml = Client().get(OEMBED, {"url": page, "format": "xml"})
    assert xml.status_code == 400


def test_a_published_deck_is_checked_by_its_number(published: Showing) -> None:
    """From any site, without sending its cards."""
    answer = Client().get(
        f"/api/v1/decklists/{published.pk}/legality", headers={"Origin": "http://x"}
    )
    found = answer.json()
    assert (found["id"], found["status"]) == (published.pk, "legal")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["ETag"]


@pytest.mark.parametrize("place", range(5))
def test_an_unpublished_deck_is_not_found(
    published: Showing, mine: Deck, alice: User, place: int
) -> None:
    """Not by its owner either; nor are impossible numbers."""
    number = published.pk
    assert Client().get(places(number)[place]).status_code == 200
    services.share_deck(deck=mine, now=NOW)
    owner = Client()
    owner.force_login(alice)
    for client in (Client(), owner):
        for each in (number, mine.pk, 0, 10**25):
            assert client.get(places(each)[place]).status_code == 404
