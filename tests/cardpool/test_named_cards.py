"""Names of cards in texts become links."""

from __future__ import annotations

import pytest

from arkham.rules.snapshot import embedded_pool
from cardpool.markup import CardMentions, rendered

POOL = embedded_pool()
IN_GERMAN = {"06189": "Goldenes Kalb"}
MENTIONS = CardMentions(POOL, lambda card: IN_GERMAN.get(card.code, card.name))


def _link(code: str, name: str) -> str:
    return f'<a class="named" href="/cards/{code}/">{name}</a>'


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("Ask Lita Chantler.", f"Ask {_link('01117', 'Lita Chantler')}."),
        ("Beat Cop or Beat Cop (2)?", f"{_link('01018', 'Beat Cop')} or "
         f"{_link('01028', 'Beat Cop (2)')}?"),
        ("Roland&#x27;s .38 Special", _link("01006", "Roland&#x27;s .38 Special")),
        ("<b>Ghoul Priest</b>!", f"<b>{_link('01116', 'Ghoul Priest')}</b>!"),
        ("Paranoia", _link("01097", "Paranoia")),
        ("One: Paranoia; two: Amnesia", f"One: {_link('01097', 'Paranoia')}; "
         f"two: {_link('01096', 'Amnesia')}"),
        ("Goldenes Kalb", _link("06189", "Goldenes Kalb")),
    ],
)  # fmt: skip
def test_a_name_is_a_link(text: str, becomes: str) -> None:
    """To its level if given; by English names and those of the reader."""
    assert MENTIONS.linked(text) == becomes


@pytest.mark.parametrize(
    "text",
    [
        "A machete, Machete and Guts.",  # a word that may be any word
        "Shuffle in Ancient Evils.",  # the set is meant
        "The Gathering begins.",
        "Beat Coppers, XBeat Cop",  # parts of words
        "beat cop",
        "Haunted places: Haunted by them",
        "<b>Haunted</b> - Test it.",
        '<a href="/x/">Beat Cop</a>',
        '<span title="Beat Cop">It</span>',
        "",
    ],
)
def test_other_text_stays(text: str) -> None:
    """No link is put into a link or an attribute."""
    assert MENTIONS.linked(text) == text


def test_a_cards_own_name_is_no_link() -> None:
    """Other names are."""
    cop = POOL["01018"]
    text = "Beat Cop and Guard Dog"
    assert MENTIONS.linked(text, cop) == f"Beat Cop and {_link('01021', 'Guard Dog')}"


def test_a_name_in_a_label_previews_its_card() -> None:
    """A link would be followed instead of the label's press."""
    assert MENTIONS.pointed("Take Lita Chantler") == (
        'Take <span data-card="/cards/01117/">Lita Chantler</span>'
    )


def test_escaped_text_stays_escaped() -> None:
    """Names bring in nothing unsafe."""
    text = rendered("<script>Beat Cop</script> [willpower] [[Beat Cop]]")
    named = MENTIONS.linked(text)
    assert "<script" not in named
    assert named.count("/cards/01018/") == 2


def test_of_one_name_the_nearest_card_is_meant() -> None:
    """That of the campaign, or of the encounter set of the card that names it."""
    near = frozenset(("at_deaths_doorstep",))
    assert MENTIONS.linked("Entry Hall") == _link("03127", "Entry Hall")
    assert MENTIONS.linked("Entry Hall", near=near) == _link("05071", "Entry Hall")
    assert "/cards/05071/" in MENTIONS.pointed("Entry Hall", near)


def test_a_one_word_location_is_named_in_its_own_set() -> None:
    """Within a sentence, where no other word has its capital letter."""
    near = frozenset(("torch",))
    text = "Put the Study, Attic into play. Study it, or study."
    study, attic = _link("01111", "Study"), _link("01113", "Attic")
    put = f"Put the {study}, {attic} into play. Study it, or study."
    assert MENTIONS.linked(text, near=near) == put
    assert MENTIONS.linked(text) == text
