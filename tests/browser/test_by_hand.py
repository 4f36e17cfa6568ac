"""Campaigns kept by hand on a phone and without scripts; and one with our guide.

Players enter what they read on paper; the expected results are literal numbers.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from cardpool.services import ensure_embedded_pool
from tests.browser.playing import Device, choice_in, sheet_on
from tests.campaigns.helpers.tables import have_our_guides

NOW = datetime(2026, 3, 1, 19, tzinfo=UTC)
SURVIVED, RESIGNED = "Survived", "Resigned"
BY_DAMAGE = "Defeated by damage: 1 physical trauma"
BY_HORROR = "Defeated by horror: 1 mental trauma"
ROLAND, DAISY, SKIDS = "Roland Banks", "Daisy Walker", '"Skids" O\'Toole'
MENU = "What do you record?"
DISPLAY = "What is in the victory display?"


@pytest.fixture
def guides(live_server: LiveServer) -> None:
    """Cards, guides, and an account."""
    ensure_embedded_pool()
    have_our_guides()
    User.objects.create_user("alice", password="alice-of-arkham")


class Keeper:
    """A player who keeps a campaign alone, on one page after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.device = Device("alice", page)
        self.now = page.locator("#now")
        self.address = ""
        self._seen: set[str] = set()

    def starts(self, campaign: str, *seats: str, group: str = "Kept by hand") -> None:
        """Sign in, and begin a campaign with these investigators."""
        page = self.page
        page.goto("/account/login/?next=/campaigns/new/")
        self.device.sign_in()
        page.wait_for_url("**/campaigns/new/")
        options = page.locator(f'optgroup[label^="{group}"] option')
        wanted = options.filter(has_text=re.compile(f"^{re.escape(campaign)}$"))
        value = wanted.get_attribute("value")
        page.get_by_label("Campaign", exact=True).select_option(value)
        for number, name in enumerate(seats, 1):
            seat = page.get_by_label(f"Seat {number}", exact=True)
            seat.select_option(label=f"{name} – Core Set")
        self.device.press(page.get_by_role("button", name="Begin", exact=True))
        page.wait_for_url(re.compile(r"/campaigns/\d+/"))
        found = re.search(r"/campaigns/\d+/", page.url)
        assert found is not None
        self.address = found[0]

    def reads(self, question: str) -> None:
        """Check that this question is on a page that fits a phone."""
        expect(self.now.locator("h2")).to_have_text(question)
        if question not in self._seen:
            self._seen.add(question)
            self.device.fits()

    def press(self, name: str) -> None:
        """Press a button of the question and wait for the page."""
        before = self.page.locator("#table-after").get_attribute("value")
        button = self.now.get_by_role("button", name=name, exact=True)
        self.device.press(button)
        gone_on = self.page.locator(f"#table-after:not([value='{before}'])")
        confirm = self.now.get_by_role("button", name="Confirm")
        gone_on.or_(confirm).first.wait_for(state="attached")

    def answers(self, question: str, *chosen: str, **filled: int | str) -> None:
        """Answer a question with these choices or values."""
        self.reads(question)
        if len(chosen) == 1 and choice_in(self.now, chosen[0]) is not None:
            self.press(chosen[0])
            return
        for each in chosen:
            self.now.get_by_label(each, exact=True).check()
        for name, value in filled.items():
            at = f'[name="{name.lstrip("_")}"]'
            press = self.now.locator(f'label:has({at}[value="{value}"][type="radio"])')
            if press.count():
                press.click()
            else:
                self.now.locator(at).fill(str(value))
        self.press("Continue")

    def begins(self, scenario: str) -> None:
        """Begin this scenario, which is offered next."""
        expect(self.now.locator(".eyebrow")).to_have_text("What comes next")
        self.reads(scenario)
        self.press("Begin")

    def plays(self, scenario: str, lead: str) -> None:
        """Begin the scenario that is offered next, with everyone playing."""
        self.begins(scenario)
        self.reads("Who plays this scenario?")
        leads = self.now.get_by_role("group", name="Lead investigator")
        leads.get_by_label(lead, exact=True).check()
        self.press("Continue")

    def ends(self, resolution: str, **outcomes: str) -> None:
        """Answer how it ended for each investigator."""
        self.answers("Play the scenario", "End the scenario")
        self.answers("Which resolution was reached?", resolution)
        self.reads("How did it end for each investigator?")
        for name, outcome in outcomes.items():
            group = self.now.get_by_role("group", name=_NAMES[name], exact=True)
            group.get_by_label(outcome, exact=True).check()
        self.press("Continue")

    def notes(
        self, what: str, question: str, *chosen: str, **filled: int | str
    ) -> None:
        """Record something else."""
        self.reads(MENU)
        self.press(what)
        self.answers(question, *chosen, **filled)

    def nothing_else(self) -> None:
        """Answer that nothing else is to be recorded."""
        self.reads(MENU)
        self.press("Nothing else")

    def shows(self, *cards: str, **filled: int | str) -> None:
        """Record nothing else; put these cards in the victory display."""
        self.nothing_else()
        self.reads(DISPLAY)
        folded = self.now.locator("details:not([open]) > summary")
        while folded.count():
            self.device.press(folded.first)
        self.answers(DISPLAY, *cards, **filled)

    def settles(self, *told: str) -> None:
        """Confirm the consequences, if there are any, and then the decks."""
        if told:
            self.reads("Results of this answer")
            for each in told:
                expect(self.now).to_contain_text(each)
            self.press("Confirm")
        self.reads("Upgrade your decks")
        self.press("Decks are up to date")

    def enters(self, scenario: str, difficulty: str) -> None:
        """Enter a campaign begun on paper that is before this scenario."""
        page = self.page
        self.device.press(page.get_by_role("link", name="Already started on paper?"))
        page.wait_for_url("**/enter/")
        self.device.fits()
        playing = page.get_by_label("The scenario you will play now")
        playing.select_option(label=scenario)
        page.get_by_label("Difficulty").select_option(label=difficulty)
        self.device.press(page.get_by_role("button", name="Continue"))
        page.wait_for_url("**/enter/?*")
        self.device.fits()

    def person(self, name: str, cards: str = "", **numbers: int) -> None:
        """Enter an investigator's part of the paper sheet."""
        own = self.page.get_by_role("group", name=name, exact=True)
        for what, number in numbers.items():
            own.get_by_label(what.replace("_", " "), exact=True).fill(str(number))
        own.get_by_label("Story cards and weaknesses").fill(cards)

    def goes_on(self) -> None:
        """Continue after the last part of the form."""
        button = self.page.get_by_role("button", name="Continue from here")
        self.device.press(button)
        expect(
            self.page.get_by_text("The campaign continues from here.")
        ).to_be_visible()

    def counted(self, *sections: str) -> list[int]:
        """Return the numbers of these sections on the log page."""
        found = []
        for title in sections:
            heading = self.page.get_by_role("heading", name=title, exact=True)
            part = self.page.locator(".part").filter(has=heading)
            found.append(int(re.sub(r"\D", "", part.locator("summary").inner_text())))
        return found

    def bag(self) -> str:
        """Return the chaos bag as the page of the table shows it."""
        line = self.page.locator("#bag-title + ul").text_content() or ""  # symbols too
        return " ".join(line.split())


_NAMES = {"roland": ROLAND, "daisy": DAISY, "skids": SKIDS}


@pytest.mark.django_db(transaction=True)
def test_the_path_to_carcosa_is_kept_by_hand_on_a_phone(
    guides: None, phone: Page
) -> None:
    """From setup to epilogue; Roland is killed on the way, and Skids replaces him."""
    table = Keeper(phone)
    table.starts("The Path to Carcosa", ROLAND, DAISY)
    table.answers("Who plays?")
    table.answers("Which difficulty?", "Standard")
    assert table.bag() == (
        "+1 × 1 0 × 2 −1 × 3 −2 × 2 −3 × 1 −4 × 1"
        " Skull × 3 Auto-fail × 1 Elder sign × 1"
    )
    printing = "Which of these does your campaign guide have?"
    table.answers(printing, "Interlude I: Reality's Shadow")
    table.begins("Prologue")
    table.nothing_else()

    table.plays("Curtain Call", DAISY)
    table.ends("Resolution 1", roland=SURVIVED, daisy=BY_HORROR)
    lines = "Which of these are recorded?"
    table.notes("Lines", lines, "the police are suspicious of you.")
    table.notes("Doubt", "Doubt", answer=1)
    table.notes("Conviction", "Conviction", answer=2)
    table.notes("Cards earned", "Who takes which card?", DAISY)
    table.shows("Royal Emissary 2 points", "Balcony 1 point")
    table.settles(
        "+3 experience · +1 mental trauma · gets The Man in the Pallid Mask",
        "Doubt: +1",
        "Conviction: +2",
    )

    # The table's own words, and its own total with a reason.
    table.plays("The Last King", ROLAND)
    resigned = "No resolution was reached: some resigned"
    table.ends(resigned, roland=BY_DAMAGE, daisy=RESIGNED)
    everybody = "How much experience does each investigator earn?"
    table.notes("Experience for all", everybody, answer=2)
    table.notes("A line of text", "In which section?", "VIPs Slain")
    table.answers("VIPs Slain", answer="Jordan Perry")
    table.notes("Chasing the Stranger", "Chasing the Stranger", answer=1)
    delve: dict[str, int | str] = {
        "02111": 2,
        "total": 1,
        "total_reason": "One is back",
    }
    table.shows(**delve)
    table.settles("+3 experience · +1 physical trauma", "Jordan Perry")

    table.begins("Reality's Shadow")
    table.notes("Lines", lines, "you intruded on a secret meeting.")
    table.notes("Doubt", "Doubt", answer=3)
    table.nothing_else()
    table.settles("Doubt: +3")

    table.plays("Echoes of the Past", DAISY)
    table.ends("Resolution 2", roland=SURVIVED, daisy=SURVIVED)
    table.reads(MENU)
    table.press("Cards earned")
    table.reads("Who takes which card?")
    daisy = table.now.get_by_role("group", name=DAISY, exact=True)
    daisy.get_by_label("Clasp of Black Onyx").check()
    table.press("Continue")
    table.reads(MENU)
    table.press("Chaos tokens")
    table.reads("Which chaos tokens do you add or remove?")
    table.now.get_by_label("Cultist 0 in the bag").select_option(label="add 2")
    table.now.get_by_label("−4 1 in the bag").select_option(label="remove 1")
    table.press("Continue")
    table.shows("Hidden Library 2 points", "Possessed Oathspeaker 2 points")
    table.settles("+4 experience · gets Clasp of Black Onyx", "+2 × Cultist")
    assert table.bag() == (
        "+1 × 1 0 × 2 −1 × 3 −2 × 2 −3 × 1"
        " Skull × 3 Cultist × 2 Auto-fail × 1 Elder sign × 1"
    )

    # Roland is killed: he earns nothing, and a new investigator takes his seat.
    table.plays("The Unspeakable Oath", ROLAND)
    table.ends("No resolution was reached", roland=BY_HORROR, daisy=BY_DAMAGE)
    table.reads(MENU)
    table.press("Trauma and fates")
    table.reads("Who suffers or heals what?")
    roland = table.now.get_by_role("group", name=ROLAND, exact=True)
    roland.get_by_label("killed").check()
    table.press("Continue")
    table.shows("Mess Hall 1 point")
    table.settles("+1 experience · +1 physical trauma", "Killed")
    phone.goto(f"{table.address}people/")
    table.device.press(phone.get_by_role("link", name="Choose another investigator"))
    phone.get_by_label("Investigator").select_option(label=f"{SKIDS} – Core Set")
    table.device.press(phone.get_by_role("button", name="Choose this investigator"))
    phone.wait_for_url(f"**{table.address}")

    table.begins("Lost Soul")
    table.notes("Lines", lines, "you heeded Daniel’s warning.")
    table.nothing_else()
    table.settles("you heeded Daniel’s warning.")

    table.plays("A Phantom of Truth", SKIDS)
    table.ends("Resolution 3", skids=RESIGNED, daisy=SURVIVED)
    table.shows(_01175=2)
    table.settles("+2 experience")

    table.plays("The Pallid Mask", DAISY)
    table.ends("Resolution 1", skids=SURVIVED, daisy=SURVIVED)
    warned = "Campaign Notes: you heeded Daniel’s warning."
    table.notes("Cross out", "Which lines are crossed out?", warned)
    table.shows("Specter of Death 2 points")
    table.settles("+2 experience")

    table.plays("Black Stars Rise", SKIDS)
    table.ends("Resolution 1", skids=SURVIVED, daisy=SURVIVED)
    table.shows()
    table.settles()

    table.plays("Dim Carcosa", DAISY)
    table.ends("Resolution 4", skids=SURVIVED, daisy=BY_DAMAGE)
    table.reads(MENU)
    table.press("The campaign is won")
    table.shows()
    table.settles("+1 physical trauma", "The investigators have won.")

    table.begins("Epilogue")
    table.nothing_else()
    expect(table.now).to_contain_text("The investigators have won.")

    sheet = sheet_on(table.device, table.address)
    assert sheet.numbers == {
        DAISY: (15, 2, 1),
        SKIDS: (4, 0, 0),
        ROLAND: (10, 1, 1),
    }
    assert sheet.fates == {ROLAND: "Killed"}
    assert sheet.cards[DAISY] == ["The Man in the Pallid Mask", "Clasp of Black Onyx"]
    assert sheet.lines == {
        "Campaign Notes": [
            "the police are suspicious of you.",
            "you intruded on a secret meeting.",
            "you heeded Daniel’s warning.",
        ],
        "VIPs Slain": ["Jordan Perry"],
        "Scenarios": [
            "Campaign setup played",
            "Prologue played",
            "Curtain Call Resolution 1",
            "The Last King No resolution was reached: some resigned",
            "Reality's Shadow played",
            "Echoes of the Past Resolution 2",
            "The Unspeakable Oath No resolution was reached",
            "Lost Soul played",
            "A Phantom of Truth Resolution 3",
            "The Pallid Mask Resolution 1",
            "Black Stars Rise Resolution 1",
            "Dim Carcosa Resolution 4",
            "Epilogue played",
        ],
    }
    expect(phone.locator(".sheet-parts s")).to_have_text("you heeded Daniel’s warning.")
    assert table.counted("Chasing the Stranger", "Doubt", "Conviction") == [1, 4, 2]


BAGS = {
    "Easy": "+1 × 2 0 × 3 −1 × 3 −2 × 2",
    "Standard": "+1 × 1 0 × 2 −1 × 3 −2 × 2 −3 × 1 −4 × 1",
    "Hard": "0 × 3 −1 × 2 −2 × 2 −3 × 2 −4 × 1 −5 × 1",
    "Expert": "0 × 1 −1 × 2 −2 × 2 −3 × 2 −4 × 2 −5 × 1 −6 × 1 −8 × 1",
}
SYMBOLS = "Skull × 3 Auto-fail × 1 Elder sign × 1"


@pytest.mark.django_db(transaction=True)
def test_each_difficulty_has_its_bag_without_scripts(
    guides: None, scriptless: Page
) -> None:
    """An answer is undone and another given; then a game is settled."""
    table = Keeper(scriptless)
    table.starts("The Path to Carcosa", ROLAND, DAISY)
    table.answers("Who plays?")
    for difficulty, numbers in BAGS.items():
        table.answers("Which difficulty?", difficulty)
        assert table.bag() == f"{numbers} {SYMBOLS}"
        scriptless.get_by_role("button", name="Undo the last answer").click()
        table.reads("Which difficulty?")
    table.answers("Which difficulty?", "Expert")
    printing = "Which of these does your campaign guide have?"
    table.answers(printing, "Interlude I: Lunacy's Reward")
    table.begins("Prologue")
    table.nothing_else()
    table.plays("Curtain Call", ROLAND)
    table.ends("Resolution 2", roland=SURVIVED, daisy=RESIGNED)
    table.notes("Conviction", "Conviction", answer=3)
    table.shows("Royal Emissary 2 points", _02111=1)
    table.settles("+3 experience", "Conviction: +3")
    expect(table.now.locator("h2")).to_have_text("The Last King")


@pytest.mark.django_db(transaction=True)
def test_a_paper_campaign_continues_by_hand(guides: None, phone: Page) -> None:
    """The Forgotten Age, before The Boundary Beyond."""
    table = Keeper(phone)
    table.starts("The Forgotten Age", ROLAND, DAISY)
    table.enters("The Boundary Beyond", "Hard")
    table.person(ROLAND, Unspent_experience=6, Physical=1)
    table.person(DAISY, cards="Poisoned", Unspent_experience=2, Mental=2)
    phone.get_by_label("Tablet", exact=True).fill("1")
    phone.locator("summary", has_text="Campaign Notes").tap()
    wary = "Ichtaca is wary of the investigators."
    phone.get_by_role("checkbox", name=wary).check()  # not that among those crossed out
    phone.locator("summary", has_text="Yig's Fury").tap()
    phone.get_by_label("Yig's Fury", exact=True).fill("7")
    table.goes_on()

    table.plays("The Boundary Beyond", DAISY)
    table.ends("Resolution 1", roland=SURVIVED, daisy=BY_HORROR)
    table.shows(_02111=1)
    table.begins("The Jungle Beckons")  # the experience is spent after it is earned
    sheet = sheet_on(table.device, table.address)
    assert sheet.numbers == {ROLAND: (7, 1, 0), DAISY: (3, 0, 3)}
    assert sheet.cards[DAISY] == ["Poisoned"]
    assert sheet.lines["Campaign Notes"] == ["Ichtaca is wary of the investigators."]
    assert table.counted("Yig's Fury") == [7]
    phone.goto(table.address)
    assert "Tablet × 1" in table.bag()


@pytest.mark.django_db(transaction=True)
def test_a_paper_campaign_continues_with_our_guide(guides: None, page: Page) -> None:
    """The Dunwich Legacy, before Blood on the Altar."""
    table = Keeper(page)
    table.starts("The Dunwich Legacy", ROLAND, DAISY, group="Guided")
    table.enters("Blood on the Altar", "Easy")
    table.person(ROLAND, Unspent_experience=3)
    table.person(DAISY, cards="Dr. Henry Armitage", Physical=1)
    table.goes_on()

    expect(table.now.locator(".eyebrow")).to_have_text("What comes next")
    table.begins("Blood on the Altar")
    table.answers("Who plays this scenario?")
    assert table.bag() == (
        "+1 × 2 0 × 3 −1 × 3 −2 × 2 Skull × 2 Cultist × 1 Auto-fail × 1 Elder sign × 1"
    )
    sheet = sheet_on(table.device, table.address)
    assert sheet.numbers == {ROLAND: (3, 0, 0), DAISY: (0, 1, 0)}
    assert sheet.cards[DAISY] == ["Dr. Henry Armitage"]
