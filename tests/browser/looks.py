"""What a page must be for a thumb: wide enough targets, nothing off the side."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

# Links within a sentence are exempt, as in WCAG 2.5.8; so is what cannot be seen.
_SMALL = """() => {
  const small = [];
  const selector =
    "a[href], button, input:not([type=hidden]), select, textarea, summary";
  for (const one of document.querySelectorAll(selector)) {
    const style = getComputedStyle(one);
    if (style.display === "inline" && one.closest("p, li, dd, td")) continue;
    const target = one.matches("[type=checkbox], [type=radio]")
      ? one.closest("label, .choice, .fields > div") ?? one
      : one;
    const box = target.getBoundingClientRect();
    if (!box.width || box.bottom < 0 || box.right < 0) continue;
    if (box.width < 44 || box.height < 44)
      small.push(`${one.outerHTML.slice(0, 80)} ${box.width}×${box.height}`);
  }
  return small;
}"""

# The builder as text: without what is secret, what is open, what was typed, and the
# revision in forms, for which the script sends that of the whole.
_BUILDER = """async () => {
  const text = (page) => {
    const builder = page.getElementById("builder").cloneNode(true);
    const other = "[name=csrfmiddlewaretoken], [name=revision], #search";
    for (const one of builder.querySelectorAll(other)) one.remove();
    for (const one of [builder, ...builder.querySelectorAll("*")]) {
      one.removeAttribute("open");
      if (one.matches("[class='']")) one.removeAttribute("class");
    }
    return builder.outerHTML.replace(/>\\s+/g, ">").replace(/\\s+</g, "<")
      .replaceAll("><", ">\\n<");
  };
  const address = new URL(location.href);
  const adding = document.getElementById("builder").matches(".view-add");
  address.searchParams.set("view", adding ? "add" : "deck");
  const answer = await fetch(address);
  const loaded = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [text(document), text(loaded)];
}"""

# Words of card names that go on in the next line.
_BROKEN = """() => {
  const broken = [];
  for (const name of document.querySelectorAll("#builder .name")) {
    const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const word of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = [...range.getClientRects()].map((box) => Math.round(box.top));
        if (new Set(lines).size > 1) broken.push(word[0]);
      }
  }
  return broken;
}"""


def broken_words(page: Page) -> list[str]:
    """The words of card names that are broken at the end of a line."""
    found: list[str] = _settled(page).evaluate(_BROKEN)
    return found


def as_shown_and_loaded(page: Page) -> tuple[list[str], list[str]]:
    """The lines of the builder (or desk) as it is, and as a visit would show it."""
    shown, loaded = page.evaluate(_BUILDER)
    return shown.splitlines(), loaded.splitlines()


def small_targets(page: Page) -> list[str]:
    """The controls under 44 × 44 pixels, with their sizes."""
    found: list[str] = _settled(page).evaluate(_SMALL)
    return found


def bottom(part: Locator) -> float:
    """Where a part of the page ends, in pixels; infinite where it isn't shown."""
    box = part.bounding_box()
    return box["y"] + box["height"] if box else float("inf")


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    wider: bool = _settled(page).evaluate("it => it.scrollWidth > it.clientWidth")
    return wider


def names_without_preview(page: Page, names: list[str]) -> list[str]:
    """Names of cards on the page that neither lead to their card nor show it.

    A button says what it does to a card, a gist is read on the card it is of, and what
    is said at a row is said below the name of its card.
    """
    found: list[str] = page.evaluate(_NAMED, names)
    return found


_NAMED = """names => {
  const known = new Set(names);
  const apart = "script, style, template, option, button, nav, h1, footer, .unseen, "
    + ".face, .subtitle, .gist, .gist-line, .at-card, [data-card], a[href*='/cards/']";
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    if (!walk.currentNode.parentElement.closest(apart) && known.has(text))
      found.push(text);
  }
  return found;
}"""


def _settled(page: Page) -> Locator:
    """The page once it is there as a whole: a link followed may still be on its way."""
    page.wait_for_load_state("load")
    expect(page.locator("footer")).to_be_attached()
    return page.locator("html")
