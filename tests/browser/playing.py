"""Two people at one campaign, on two devices: each question answered on the real page.

A story tells what is answered where in the words people read: the scenario, the
question, what is chosen. Whoever is to answer waits until their page shows what the
other wrote, reads the question and fills in its form. A question the story has no
answer to fails it, and so does an answer nobody asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser.looks import scrolls_sideways, small_targets

POLL = 4_000  # milliseconds from one look for news to the next
Said = str | int | list[str] | dict[str, str] | None
# What is asked → what is answered: the words of a choice, several of them, a number,
# for each of several names their choice; None where it is filled in already.
Chapter = Mapping[str, Said]

BEGIN = "Begin"
USUAL: Chapter = {
    BEGIN: None,
    "Who plays this scenario?": None,
    "Play the scenario": "The scenario is over",
    "What happens?": "The scenario is over",
    "Bring the decks up to date": None,
}
CHANGED = "#table-after:not([value='{}']), button[name=confirm]"


class Device(NamedTuple):
    """Somebody's window: a laptop, or a phone that is touched."""

    name: str
    page: Page

    @property
    def is_phone(self) -> bool:
        """Whether it is touched, not clicked."""
        size = self.page.viewport_size
        return size is not None and size["width"] < 500

    def press(self, control: Locator) -> None:
        """By thumb on a phone, by mouse elsewhere."""
        if self.is_phone:
            control.tap()
        else:
            control.click()

    def sign_in(self, then: str) -> None:
        """Sign in, and go on to an address."""
        self.page.goto(f"/account/login/?next={then}")
        self.page.get_by_label("Username").fill(self.name)
        self.page.get_by_label("Password").fill(f"{self.name}-of-arkham")
        self.press(self.page.get_by_role("main").get_by_role("button", name="Sign in"))
        self.page.wait_for_url(f"**{then}")

    def fits(self) -> None:
        """Nothing off the side, and everything wide enough for a thumb."""
        assert not scrolls_sideways(self.page), self.page.url
        if self.is_phone:
            assert small_targets(self.page) == [], self.page.url


class Table:
    """A campaign kept on several devices; the first is its organiser's."""

    def __init__(self, address: str, *devices: Device) -> None:
        self.address = address
        self.devices = devices
        self.asked: list[tuple[str, str]] = []  # each question, and who answered it
        self.last = 0
        self._seen: set[tuple[str, str]] = set()

    def sit_down(self) -> None:
        """Everybody opens the page of the table."""
        for each in self.devices:
            each.page.clock.install()
            each.page.goto(self.address)
        self.last = _last(self.devices[0])

    def play(self, place: str, chapter: Chapter) -> None:
        """Answer all that is asked at a place, whoever is to answer, or in turn."""
        left = dict(chapter)
        while (asked := self._asked()) and asked[0] == place:
            question = asked[1]
            if question not in left and question not in USUAL:
                self._fail(f"“{question}” has no answer here", place)
            self._answer(question, left.pop(question, USUAL.get(question)))
        if left:
            self._fail(f"nobody asked {list(left)}", place)

    def _fail(self, what: str, place: str) -> None:
        before = "; ".join(question for question, _name in self.asked[-5:])
        raise AssertionError(f"{place}: {what}. Answered before: {before}")

    def _asked(self) -> tuple[str, str] | None:
        """Where the table is, and what is asked there; None at the end."""
        now = self.devices[0].page.locator("#now")
        self.catch_up(self.devices[0])
        if not now.locator(".eyebrow").count():
            return None
        place, asked = now.locator(".eyebrow").inner_text(), now.locator("h2").inner_text()
        return (asked, BEGIN) if place == "What comes next" else (place, asked)

    def catch_up(self, device: Device) -> None:
        """The page shows by itself what others wrote."""
        if _last(device) != self.last:
            device.page.clock.fast_forward(POLL)
        after = device.page.locator("#table-after")
        expect(after).to_have_value(str(self.last), timeout=10_000)

    def _next(self) -> Device:
        """Who answers: whoever is asked, else each in turn."""
        one = self.devices[len(self.asked) % len(self.devices)]
        self.catch_up(one)
        if one.page.locator("#now form[data-answer]").count():
            return one
        return next(each for each in self.devices if each is not one)

    def _answer(self, question: str, said: Said) -> None:
        device = self._next()
        self.catch_up(device)
        page = device.page
        now = page.locator("#now")
        if question != BEGIN:
            expect(now.locator("h2")).to_have_text(question)
        if (device.name, question) not in self._seen:
            self._seen.add((device.name, question))
            device.fits()
        form = now.locator("form[data-answer]")
        self._fill(form, said)
        device.press(form.get_by_role("button").last)
        changed = page.locator(CHANGED.format(self.last)).first
        changed.wait_for(state="attached")
        confirm = now.get_by_role("button", name="Confirm")
        if confirm.count():
            device.fits()
            device.press(confirm)
            page.locator(f"#table-after:not([value='{self.last}'])").wait_for(
                state="attached"
            )
        self.last = _last(device)
        self.asked.append((question, device.name))

    def _fill(self, form: Locator, said: Said) -> None:
        if isinstance(said, int):
            form.get_by_role("spinbutton").fill(str(said))
        elif isinstance(said, str):
            form.get_by_label(said, exact=True).check()
        elif isinstance(said, list):
            for each in form.get_by_role("checkbox").all():
                each.set_checked(False)
            for label in said:
                form.get_by_label(label, exact=True).check()
        elif isinstance(said, dict):
            for name, choice in said.items():
                group = form.get_by_role("group", name=name, exact=True)
                if group.count():
                    group.get_by_label(choice, exact=True).check()
                else:
                    form.get_by_label(name, exact=True).fill(choice)


def _last(device: Device) -> int:
    """The number of the last entry a page shows."""
    return int(device.page.locator("#table-after").get_attribute("value") or 0)
