"""Our three campaigns, played with decks by two accounts on two devices.

Alice organises at a laptop, Bob has a phone. The log and the decks are compared with
literal numbers, and with what the rules alone make of the answers that were written.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from campaigns.models import Campaign
from cardpool.services import ensure_embedded_pool
from tests.browser.campaign_play import (
    BUILT,
    BY_HORROR,
    DISPLAY,
    ENDED,
    LAPTOP,
    PHONE,
    RESOLUTION,
    SET_UP,
    STANDARD,
    SURVIVED,
    UPGRADED,
    WEAKNESS,
    WEAKNESSES,
    begin_campaign,
    booked_by_game,
    build_deck,
    causes_of,
    check_sheet,
    copies_in,
    join_table,
    save_deck,
)
from tests.browser.playing import CHANCE, LEAD, UPGRADE, Device, Sheet, Table, sheet_on
from tests.campaigns.helpers.tables import have_our_guides

Devices = tuple[Device, Device]


@pytest.fixture
def devices(live_server: LiveServer, browser: Browser) -> Iterator[Devices]:
    """A laptop and a phone, each with an account."""
    ensure_embedded_pool()
    have_our_guides()
    found, contexts = [], []
    for name, options in (("alice", LAPTOP), ("bob", PHONE)):
        User.objects.create_user(name, password=f"{name}-of-arkham")
        context = browser.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        found.append(Device(name, context.new_page()))
    alice, bob = found
    yield alice, bob
    for context in contexts:
        context.close()


def test_the_night_of_the_zealot_is_played(devices: Devices) -> None:
    """Bob begins as a player, who answers like anyone; later he may write too."""
    alice, bob = devices
    daisy = save_deck("bob", "01002", "Bob’s")
    roland = build_deck(alice, "01001")
    campaign = begin_campaign(
        alice, "The Night of the Zealot", "A deck of Roland Banks", "01002"
    )
    address = f"/campaigns/{campaign.pk}/"
    join_table(alice, bob, address, "Player", "Daisy Walker")

    bob.page.goto(address)
    expect(bob.page.locator("form[data-answer]")).to_have_count(1)
    alice.page.goto(f"{address}people/")
    alice.press(alice.page.locator("summary", has_text="Change bob"))
    members = alice.page.get_by_role("region", name="People")
    members.get_by_label("Role").last.select_option(label="Scribe")
    alice.press(alice.page.get_by_role("button", name="Change the role").last)

    table = Table(address, alice, bob)
    table.play(
        "Campaign setup",
        {
            **SET_UP,
            WEAKNESSES: {"Roland Banks": "Haunted", "Daisy Walker": "Paranoia"},
        },
    )
    assert copies_in(roland, "01000", "01098") == [0, 1]
    assert copies_in(daisy, "01000", "01097") == [0, 1]

    table.play(
        "The Gathering",
        {
            LEAD: "Roland Banks",
            RESOLUTION: "Resolution 1",
            ENDED: {"Roland Banks": SURVIVED, "Daisy Walker": BY_HORROR},
            "Who takes Lita Chantler?": "Roland Banks",
            DISPLAY: ["Ghoul Priest 2 points", "Attic 1 point"],
        },
        until=UPGRADE,
    )
    assert ("Who takes Lita Chantler?", "alice") in table.asked
    table.upgrade(alice, "beat cop", "01028", 2)
    table.upgrade(bob, "magnifying glass", "01040", 1)
    assert copies_in(roland, "01117", "01028", "01018") == [1, 1, 1]
    assert copies_in(daisy, "01117", "01040", "01030") == [0, 1, 1]
    table.play("The Gathering")
    table.play(
        "The Midnight Masks",
        {
            LEAD: "Daisy Walker",
            RESOLUTION: "Resolution 1",
            ENDED: {"Roland Banks": SURVIVED, "Daisy Walker": "Resigned"},
            "Which unique cultists are in the victory display?": [
                "Herman Collins",
                "Ruth Turner",
            ],
            "Which unique cultists are in play or still in their deck?": [
                "Victoria Devereux"
            ],
            DISPLAY: [
                "Herman Collins 1 point",
                "Ruth Turner 1 point",
                "Graveyard 1 point",
            ],
        },
    )
    table.play(
        "The Devourer Below",
        {
            LEAD: "Roland Banks",
            RESOLUTION: "Resolution 1",
            ENDED: {"Roland Banks": SURVIVED, "Daisy Walker": SURVIVED},
            DISPLAY: 0,
        },
    )
    expect(alice.page.get_by_text("The investigators have won")).to_be_visible()
    table.catch_up(bob)
    expect(bob.page.get_by_text("The investigators have won")).to_be_visible()

    sheet = sheet_on(alice, address)
    assert sheet_on(bob, address) == sheet
    assert sheet == Sheet(
        numbers={"Roland Banks": (13, 0, 3), "Daisy Walker": (13, 0, 3)},
        fates={},
        cards={
            "Roland Banks": ["Lita Chantler", "Haunted"],
            "Daisy Walker": ["Paranoia"],
        },
        lines={
            "Campaign Notes": [
                "your house has burned to the ground",
                "the ritual to summon Umôrdhoth was broken",
            ],
            "Cultists We Interrogated": ["Herman Collins", "Ruth Turner"],
            "Cultists Who Got Away": ["Victoria Devereux"],
            "Scenarios": [
                "Campaign setup played",
                "The Gathering Resolution 1",
                "The Midnight Masks Resolution 1",
                "The Devourer Below Resolution 1",
            ],
        },
        bag=STANDARD | {"Tablet": 1, "Elder thing": 1},
        result="The investigators have won.",
    )
    check_sheet(campaign, sheet)
    earned = {"The Gathering": 5, "The Midnight Masks": 3, "The Devourer Below": 5}
    assert booked_by_game(roland) == earned | {"spent": -2}
    assert booked_by_game(daisy) == earned | {"spent": -1}
    for deck in (roland, daisy):
        assert causes_of(deck) == [BUILT, WEAKNESS, UPGRADED, UPGRADED]


def test_brethren_of_ash_is_played(devices: Devices) -> None:
    """Weaknesses are drawn, a codex is read, and one investigator doesn't return."""
    alice, bob = devices
    daniela = save_deck("alice", "12001", "Ours")
    joe = save_deck("bob", "12004", "Bob’s")
    campaign = begin_campaign(alice, "Brethren of Ash", "Ours (Daniela Reyes)", "12004")
    Campaign.objects.update(secret="Brethren of Ash 4711")
    address = f"/campaigns/{campaign.pk}/"
    join_table(alice, bob, address, "Scribe", "Joe Diamond")

    table = Table(address, alice, bob, turn=3)
    table.play("Campaign setup", {**SET_UP, WEAKNESSES: CHANCE})
    table.play(
        "Spreading Flames",
        {
            LEAD: "Joe Diamond",
            RESOLUTION: "Resolution 1",
            ENDED: {"Daniela Reyes": SURVIVED, "Joe Diamond": BY_HORROR},
            "Who takes Dr. Henry Armitage?": "Joe Diamond",
            DISPLAY: 2,
            "Do you stay to fight the fire, or go with Dr. Armitage?": "We stay",
        },
        until=UPGRADE,
    )
    table.upgrade(bob, "magnifying glass", "01040", 1)
    assert copies_in(joe, "12115", "01040", "01030") == [1, 1, 1]
    table.play("Spreading Flames")
    table.play(
        "Smoke and Mirrors",
        {
            LEAD: "Daniela Reyes",
            "Play the scenario": (
                "Read a codex entry",
                "Read a codex entry",
                "Read a codex entry",
                "Add a Mark of Elokoss to each deck",
                "End the scenario",
            ),
            "Which codex entry do you read?": (
                "1: David Renfield",
                "1: David Renfield",
                "Φ: Servant of Flame",
            ),
            "What happens to the Servant of Flame?": "Killed",
            RESOLUTION: "Resolution 1",
            ENDED: {"Daniela Reyes": SURVIVED, "Joe Diamond": "Resigned"},
            "Who is the harbinger you set aside during setup?": "Naomi O’Bannion",
            "Did six Elite enemies end up in the victory display?": "No",
            DISPLAY: 3,
        },
    )
    table.play(
        "Queen of Ash",
        {
            LEAD: "Daniela Reyes",
            "Play the scenario": ("Read a codex entry", "End the scenario"),
            "Which codex entry do you read?": "Φ: Servant of Flame",
            RESOLUTION: "Resolution 3",
            ENDED: {"Daniela Reyes": "Resigned", "Joe Diamond": SURVIVED},
            DISPLAY: 2,
        },
    )
    sheet = sheet_on(alice, address)
    assert sheet_on(bob, address) == sheet
    assert sheet == Sheet(
        numbers={"Daniela Reyes": (15, 1, 3), "Joe Diamond": (10, 1, 1)},
        fates={"Joe Diamond": "Killed"},
        cards={
            "Daniela Reyes": ["Mark of Elokoss", "The 13th Vision"],
            "Joe Diamond": [
                "Dr. Henry Armitage",
                "Mark of Elokoss",
                "Pursued",
            ],
        },
        lines={
            "Campaign Notes": [
                "the investigators defeated their masked pursuer",
                "the investigators saved Miskatonic University",
                "the investigators discovered the cult’s whereabouts",
                "Naomi O’Bannion is the harbinger of Elokoss",
                "the investigators killed the Servant of Flame",
                "the investigators flooded the Brethren of Ash’s summoning ritual",
            ],
            "Scenarios": [
                "Campaign setup played",
                "Spreading Flames Resolution 1",
                "Smoke and Mirrors Resolution 1",
                "Queen of Ash Resolution 3",
            ],
        },
        # From the start, and added by the second and the third game.
        bag=STANDARD | {"Cultist": 2, "Tablet": 2, "Elder thing": 2},
        result="The investigators have won.",
    )
    check_sheet(campaign, sheet)
    earned = {"Spreading Flames": 6, "Smoke and Mirrors": 4}
    assert booked_by_game(daniela) == earned | {"Queen of Ash": 5}
    assert booked_by_game(joe) == earned | {"spent": -1}
    for deck in (daniela, joe):
        assert causes_of(deck) == [BUILT, WEAKNESS, UPGRADED, UPGRADED]


def test_the_dunwich_legacy_is_played(devices: Devices) -> None:
    """Both first scenarios, two interludes, and the epilogue."""
    alice, bob = devices
    zoey = save_deck("alice", "02001", "Ours")
    rex = save_deck("bob", "02002", "Bob’s")
    campaign = begin_campaign(
        alice, "The Dunwich Legacy", "Ours (Zoey Samaras)", "02002"
    )
    address = f"/campaigns/{campaign.pk}/"
    join_table(alice, bob, address, "Scribe", "Rex Murphy")
    both = {"Zoey Samaras": SURVIVED, "Rex Murphy": SURVIVED}

    table = Table(address, alice, bob, turn=3)
    table.play(
        "Campaign setup",
        {**SET_UP, WEAKNESSES: {"Zoey Samaras": "Haunted", "Rex Murphy": "Paranoia"}},
    )
    table.play(
        "Prologue",
        {"Who do you look for first?": "Professor Rice (Extracurricular Activity)"},
    )
    table.play(
        "Extracurricular Activity",
        {
            LEAD: "Rex Murphy",
            RESOLUTION: "Resolution 1",
            ENDED: both,
            "Who takes Professor Warren Rice?": "Rex Murphy",
            DISPLAY: 2,
        },
        until=UPGRADE,
    )
    table.upgrade(bob, "magnifying glass", "01040", 1)
    table.play("Extracurricular Activity")
    table.play(
        "The House Always Wins",
        {
            LEAD: "Zoey Samaras",
            RESOLUTION: "Resolution 2",
            ENDED: both,
            "Who takes Dr. Francis Morgan?": "Zoey Samaras",
            "Did anyone cheat?": "Yes",
            DISPLAY: 3,
        },
    )
    table.play(
        "Armitage's Fate",
        {"Who takes Dr. Henry Armitage?": "Zoey Samaras"},
        until=UPGRADE,
    )
    table.upgrade(alice, "beat cop", "01028", 2)
    table.play("Armitage's Fate")
    table.play(
        "The Miskatonic Museum",
        {
            LEAD: "Zoey Samaras",
            "Play the scenario": (
                "Harold Walsted or Adam Lynch leaves play",
                "End the scenario",
            ),
            "Who left play? Either way, add a tablet to the bag until the "
            "campaign ends.": ("Harold Walsted"),
            RESOLUTION: "Resolution 2",
            ENDED: both,
            "Who takes The Necronomicon?": "Zoey Samaras",
            DISPLAY: 2,
        },
    )
    table.play(
        "The Essex County Express",
        {
            LEAD: "Zoey Samaras",
            RESOLUTION: "Resolution 2",
            ENDED: {"Zoey Samaras": SURVIVED, "Rex Murphy": BY_HORROR},
            DISPLAY: 1,
        },
    )
    table.play(
        "Blood on the Altar",
        {
            LEAD: "Zoey Samaras",
            RESOLUTION: "Resolution 2",
            ENDED: both,
            "Which unique cards are under the agenda deck?": ["Professor Warren Rice"],
            DISPLAY: 3,
        },
    )
    table.play(
        "The Survivors",
        {
            "Who takes Powder of Ibn Ghazi?": "Rex Murphy",
            "Who takes Zebulon Whateley?": "Rex Murphy",
            "Who takes Earl Sawyer?": "No one",
        },
    )
    table.play(
        "Undimensioned and Unseen",
        {
            "What do you tell the people of Dunwich?": (
                "We calm them, and ask what they know"
            ),
            LEAD: "Zoey Samaras",
            WEAKNESSES: {"Zoey Samaras": "Hypochondria", "Rex Murphy": "Psychosis"},
            RESOLUTION: "Resolution 1",
            ENDED: both,
            "How many of the brood are in play, or still set aside?": 2,
            DISPLAY: 3,
        },
    )
    table.play(
        "Where Doom Awaits",
        {LEAD: "Zoey Samaras", RESOLUTION: "Resolution 1", ENDED: both, DISPLAY: 2},
    )
    table.play(
        "Lost in Time and Space",
        {
            LEAD: "Zoey Samaras",
            RESOLUTION: "Resolution 1",
            ENDED: {
                "Zoey Samaras": SURVIVED,
                "Rex Murphy": "Eliminated, without trauma",
            },
            DISPLAY: 4,
        },
    )
    table.play("Epilogue")
    for each in devices:
        table.catch_up(each)
        expect(each.page.get_by_role("heading", name="The end")).to_be_visible()
        expect(each.page.get_by_text("read Epilogue 1")).to_be_visible()
        each.fits()
    sheet = sheet_on(alice, address)
    assert sheet_on(bob, address) == sheet
    assert sheet == Sheet(
        numbers={"Zoey Samaras": (27, 2, 2), "Rex Murphy": (19, 0, 1)},
        fates={"Rex Murphy": "Killed"},
        cards={
            "Zoey Samaras": [
                "Dr. Francis Morgan",
                "Dr. Henry Armitage",
                "The Necronomicon",
                "Haunted",
                "Hypochondria",
            ],
            "Rex Murphy": [
                "Across Space and Time",
                "Zebulon Whateley",
                "Paranoia",
                "Psychosis",
            ],
        },
        lines={
            "Campaign Notes": [
                "the investigators rescued Professor Warren Rice",
                "the investigators failed to save the students",
                "the O’Bannion gang has a bone to pick with the investigators",
                "the investigators rescued Dr. Francis Morgan",
                "the investigators rescued Dr. Henry Armitage",
                "the investigators took custody of the Necronomicon",
                "Professor Warren Rice was kidnapped",
                "the investigators were delayed on their way to Dunwich",
                "the investigators restored Silas Bishop",
                "Dr. Henry Armitage survived The Dunwich Legacy",
                "Dr. Francis Morgan survived The Dunwich Legacy",
                "Zebulon Whateley survived The Dunwich Legacy",
                "Earl Sawyer survived The Dunwich Legacy",
                "you calmed the townsfolk",
                "2 brood escaped into the wild",
                "the investigators entered the gate",
                "the investigators closed the tear in reality",
            ],
            "Sacrificed to Yog-Sothoth": ["Professor Warren Rice"],
            "Scenarios": [
                "Campaign setup played",
                "Prologue played",
                "Extracurricular Activity Resolution 1",
                "The House Always Wins Resolution 2",
                "Armitage's Fate played",
                "The Miskatonic Museum Resolution 2",
                "The Essex County Express Resolution 2",
                "Blood on the Altar Resolution 2",
                "The Survivors played",
                "Undimensioned and Unseen Resolution 1",
                "Where Doom Awaits Resolution 1",
                "Lost in Time and Space Resolution 1",
                "Epilogue played",
            ],
        },
        # The students and Harold Walsted, the cheat and the book, the train, the hill.
        bag=STANDARD | {"Tablet": 2, "Elder thing": 2, "−3": 2, "−5": 1},
        result="The investigators have won.",
    )
    check_sheet(campaign, sheet)
    earned = {
        "Extracurricular Activity": 2,
        "The House Always Wins": 3,
        "The Miskatonic Museum": 2,
        "The Essex County Express": 1,
        "Blood on the Altar": 5,
        "Undimensioned and Unseen": 3,
        "Where Doom Awaits": 2,
    }
    assert booked_by_game(zoey) == earned | {"Lost in Time and Space": 9, "spent": -2}
    # Those defeated on the train have 1 more; those who finished it have none of it.
    assert booked_by_game(rex) == earned | {"The Essex County Express": 2, "spent": -1}
    # Dr. Morgan and Dr. Armitage joined Zoey's deck between two games.
    games = [UPGRADED] * 7
    assert causes_of(zoey) == [
        BUILT,
        WEAKNESS,
        UPGRADED,
        ("upgraded", False),
        *games[1:],
    ]
    # Rex’s deck had lost Professor Rice before survivors could join it.
    between = ("upgraded", False)
    assert causes_of(rex) == [BUILT, WEAKNESS, *games[:4], between, *games[4:]]
