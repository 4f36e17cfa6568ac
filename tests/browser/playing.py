"""Two people play a campaign on two devices, and answer each question on its page.

A test lists the answers by the words people read: the scenario, the question, the
choice. The device that answers waits until its page shows what the other wrote,
reads the question and fills in its form. A question without an answer in the list
fails the test, and so does an answer to a question that was never asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser.looks import scrolls_sideways, small_targets

POLL = 4_000  # milliseconds between two polls for news
BEGIN, UPGRADE = "Begin", "Upgrade your decks"
SAVES = {UPGRADE, "Weaknesses in your decks", "Before you go on"}  # each for their own
WHO, LEAD = "Who plays this scenario?", "Who is the lead investigator?"
CHANCE = "Draw for every investigator"
TOTAL = "Corrected total"  # of the victory display, where no card is ticked
Said = str | int | list[str] | dict[str, str] | None
# Question → answer: the label of a choice, several labels, a number, the choice or
# text for each of several names; None if the form is filled in already; a tuple of
# answers if the same question is asked several times.
Chapter = Mapping[str, Said | tuple[Said, ...]]

USUAL: Mapping[str, Said] = {
    BEGIN: None,
    WHO: None,
    "Play the scenario": "End the scenario",
    **dict.fromkeys(SAVES),
}


class Device(NamedTuple):
    """A player's window: a laptop, or a phone with touch."""

    name: str
    page: Page

    @property
    def is_phone(self) -> bool:
        """Return whether the device is touched rather than clicked."""
        size = self.page.viewport_size
        return size is not None and size["width"] < 500

    def press(self, control: Locator) -> None:
        """Tap on a phone, click on a laptop."""
        if self.is_phone:
            control.tap()
        else:
            control.click()

    def sign_in(self) -> None:
        """Fill in the sign-in form of the current page."""
        self.page.get_by_label("Username").fill(self.name)
        self.page.get_by_label("Password").fill(f"{self.name}-of-arkham")
        self.press(self.page.get_by_role("main").get_by_role("button", name="Sign in"))

    def fits(self) -> None:
        """Check that nothing scrolls sideways and every target is large enough."""
        assert not scrolls_sideways(self.page), self.page.url
        if self.is_phone:
            assert small_targets(self.page) == [], self.page.url


class Table:
    """A campaign kept on several devices, which take turns after so many questions."""

    def __init__(self, address: str, *devices: Device, turn: int = 1) -> None:
        self.address = address
        self.devices = devices
        self.turn = turn
        self.at = devices[0]  # who answered last
        self.asked: list[tuple[str, str]] = []  # each question, and who answered it
        self.last = 0
        self._seen: set[tuple[str, str]] = set()
        for each in devices:
            each.page.clock.install()
        self.sit_down()

    def sit_down(self) -> None:
        """Open the page of the table on every device."""
        for each in self.devices:
            each.page.goto(self.address)
        self.last = _last(self.devices[0])

    def play(self, place: str, chapter: Chapter | None = None, until: str = "") -> None:
        """Answer the questions of a place, to its end or until ``until`` is asked."""
        left = {each: _one_by_one(said) for each, said in (chapter or {}).items()}
        while (asked := self._question()) and asked[0] == place and asked[1] != until:
            question = asked[1]
            if not left.get(question) and question not in USUAL:
                self._fail(f"“{question}” has no answer here", place)
            answers = left.get(question) or [USUAL[question]]
            said = answers.pop(0)
            if question == WHO and said is None and LEAD in left:
                said = {"Lead investigator": str(left.pop(LEAD)[0])}
            self._answer(question, said)
            if not answers:
                left.pop(question, None)
        if left or (until and (asked is None or asked[1] != until)):
            self._fail(f"nobody asked {[*left] or until}", place)

    def _fail(self, what: str, place: str) -> None:
        before = "; ".join(question for question, _name in self.asked[-5:])
        raise AssertionError(f"{place}: {what}. Answered before: {before}")

    def _question(self) -> tuple[str, str] | None:
        """Return the place and the question asked there; None at the end."""
        now = self.at.page.locator("#now")
        if not now.locator(".eyebrow").count():
            return None
        place = now.locator(".eyebrow").inner_text()
        asked = now.locator("h2").inner_text()
        return (asked, BEGIN) if place == "What comes next" else (place, asked)

    def catch_up(self, device: Device) -> None:
        """Wait until the page shows what others wrote, which its next poll brings."""
        if _last(device) != self.last:
            device.page.clock.fast_forward(POLL)
        expect(device.page.locator("#table-after")).to_have_value(str(self.last))

    def _next(self) -> Device:
        """Return who answers next: the only device with a form, or each in turn."""
        first = len(self.asked) // self.turn % len(self.devices)
        for one in (*self.devices[first:], *self.devices[:first]):
            self.catch_up(one)
            if one.page.locator("#now form[data-answer] button:visible").count():
                return one
        raise AssertionError("Nobody may answer what is asked.")

    def _mark(self, question: str) -> None:
        """Mark on each device that its own deck is up to date; the last continues."""
        written = f"#table-after:not([value='{self.last}'])"
        for device in self.devices:
            self.catch_up(device)
            now = device.page.locator("#now")
            form = now.locator("form[data-answer]")
            device.press(form.get_by_role("button", name="up to date").first)
            waits = now.locator(".waits, .for-another")
            device.page.locator(written).or_(waits).first.wait_for(state="attached")
            if not waits.count():
                break
        self.last, self.at = _last(device), device
        self.asked.append((question, device.name))

    def _answer(self, question: str, said: Said) -> None:
        if question in SAVES:
            self._mark(question)
            return
        device = self._next()
        now = device.page.locator("#now")
        if (device.name, question) not in self._seen:
            self._seen.add((device.name, question))
            device.fits()
        form = now.locator("form[data-answer]")
        if said == CHANCE:
            device.press(now.get_by_role("button", name=CHANCE))
        elif tapped := choice_in(form, said):
            device.press(tapped)
        else:
            _fill(form, said)
            device.press(form.locator(".button.main, .wide-button:not([name])").first)
        written = f"#table-after:not([value='{self.last}'])"
        confirm = now.get_by_role("button", name="Confirm")
        device.page.locator(written).or_(confirm).first.wait_for(state="attached")
        if confirm.count():
            device.fits()
            device.press(confirm)
            device.page.locator(written).wait_for(state="attached")
        self.last, self.at = _last(device), device
        self.asked.append((question, device.name))

    def upgrade(self, device: Device, words: str, code: str, price: int) -> None:
        """Buy one card at the deck's upgrade desk, from the table and back."""
        page = device.page
        self.catch_up(device)
        device.press(page.locator(".desks").get_by_role("link", name="Upgrade"))
        page.wait_for_url("**/upgrade/**")
        device.fits()
        if device.is_phone:
            device.press(page.get_by_role("link", name="Buy", exact=True))
        page.locator("#q").fill(words)
        # Search once: pressing Enter again would take the button away from below.
        page.wait_for_url(re.compile("[?&]q=" + words.replace(" ", r"\+")))
        before = page.locator("#builder").get_attribute("data-revision") or ""
        device.press(page.locator(f"#buy-{code}"))
        builder = page.locator("#builder")
        expect(builder).not_to_have_attribute("data-revision", before)
        if device.is_phone:
            device.press(page.get_by_role("link", name="Cart and deck"))
        device.fits()
        name = f"Upgrade for {price} experience"
        device.press(page.get_by_role("button", name=name))
        page.wait_for_url(f"**{self.address}")
        device.fits()


class Sheet(NamedTuple):
    """The contents of the log page: each investigator's numbers and cards, the lines of
    each section (crossed out ones between tildes), the chaos bag, and the ending.
    """

    numbers: dict[str, tuple[int, int, int]]  # experience, physical, mental
    fates: dict[str, str]
    cards: dict[str, list[str]]
    lines: dict[str, list[str]]
    bag: dict[str, int]
    result: str


def sheet_on(device: Device, address: str) -> Sheet:
    """Read the sheet as a device shows it."""
    page = device.page
    page.goto(f"{address}log/")
    device.fits()
    people: dict[str, Locator] = {
        each.locator("h2").inner_text().strip(): each
        for each in page.locator(".sheet-person").all()
    }
    parts = page.locator(".sheet-parts .part").all()
    return Sheet(
        {name: _numbers(each) for name, each in people.items()},
        {
            name: fate.inner_text()
            for name, each in people.items()
            for fate in each.locator(".fate").all()
        },
        {name: _lines(each) for name, each in people.items()},
        {
            part.locator("h3").inner_text(): _lines(part)
            for part in parts
            if part.locator(".written").count()
        },
        _tokens(page.locator(".log-bag")),
        " ".join(page.locator(".sheet-result").all_inner_texts()),
    )


def _numbers(person: Locator) -> tuple[int, int, int]:
    told = [each.inner_text() for each in person.locator("summary .figure").all()]
    earned, physical, mental = (int(each.partition("/")[0]) for each in told)
    return earned, physical, mental


def _tokens(bag: Locator) -> dict[str, int]:
    told = [each.inner_text().split("×") for each in bag.locator("summary").all()]
    return {token.strip(): int(number.split()[0]) for token, number in told}


def _lines(part: Locator) -> list[str]:
    return [
        " ".join(each.inner_text().split())
        for each in part.locator(".written > li").all()
    ]


def _one_by_one(said: Said | tuple[Said, ...]) -> list[Said]:
    return list(said) if isinstance(said, tuple) else [said]


def choice_in(form: Locator, said: object) -> Locator | None:
    """Return the button of a choice that is the whole answer, in folded parts too."""
    if not isinstance(said, str):
        return None
    button = form.get_by_role("button", name=said, exact=True)
    folded = form.locator("details.in-play:not([open]) > summary")
    if not button.count() and folded.count():
        folded.click()
    return button if button.count() else None


def _fill(form: Locator, said: Said) -> None:
    if isinstance(said, int):
        total = form.get_by_label(TOTAL)
        if total.count() and not total.is_visible():
            form.locator("summary", has_text="another total").click()
        number = total if total.count() else form.get_by_role("spinbutton")
        number.fill(str(said))
    elif isinstance(said, str):
        form.get_by_label(said, exact=True).check()
    elif isinstance(said, list):
        for each in form.get_by_role("checkbox").all():
            name = each.evaluate("it => it.labels[0].innerText.trim()")
            each.set_checked(name in said)
        expect(form.get_by_role("checkbox", checked=True)).to_have_count(len(said))
    elif isinstance(said, dict):
        for name, choice in said.items():
            group = form.get_by_role("group", name=name, exact=True)
            if group.count():
                group.get_by_label(choice, exact=True).check()
            else:
                form.get_by_label(name, exact=True).fill(choice)


def _last(device: Device) -> int:
    """Return the number of the last entry that a page shows."""
    return int(device.page.locator("#table-after").get_attribute("value") or 0)
