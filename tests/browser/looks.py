"""Checks that a page suits a thumb and a screen reader: targets, widths, axe-core."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

# Links within a sentence are exempt, as in WCAG 2.5.8; so is what is invisible.
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

# The builder as text, without secrets, open details, typed text, and the
# revision in forms, for which the script sends the current one.
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

# Words of card names that continue in the next line.
_BROKEN = """() => {
  const broken = [];
  for (const name of document.querySelectorAll(":is(#builder, .decklist) .name")) {
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
    """Return the words of card names that are broken at the end of a line."""
    found: list[str] = _settled(page).evaluate(_BROKEN)
    return found


def as_shown_and_loaded(page: Page) -> tuple[list[str], list[str]]:
    """Return the lines of the builder (or desk) as shown, and after a reload."""
    shown, loaded = page.evaluate(_BUILDER)
    return shown.splitlines(), loaded.splitlines()


def small_targets(page: Page) -> list[str]:
    """Return the controls below 44 × 44 pixels, with their sizes."""
    found: list[str] = _settled(page).evaluate(_SMALL)
    return found


def axe_faults(page: Page) -> list[str]:
    """Return what axe-core finds wrong with the page, and where."""
    # "Preload" would copy our style sheets into the page, which our CSP refuses.
    options = {"preload": False, "resultTypes": ["violations"]}
    # A page that has axe-core already needn't read it again.
    axe = Axe("0") if page.evaluate("() => 'axe' in window") else Axe()
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in axe.run(page, options=options).response["violations"]
        for node in each["nodes"]
    ]


def bottom(part: Locator) -> float:
    """Return where a part of the page ends, in pixels; infinity if it isn't shown."""
    box = part.bounding_box()
    return box["y"] + box["height"] if box else float("inf")


def scrolls_sideways(page: Page) -> bool:
    """Return whether the page is wider than its window."""
    wider: bool = _settled(page).evaluate("it => it.scrollWidth > it.clientWidth")
    return wider


def names_without_preview(page: Page, names: list[str]) -> list[str]:
    """Return card names that neither link to their card nor show its preview.

    Exempt are buttons that say what they do to a card, a gist on its own card's page,
    and messages below the name of their card.
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
    """Wait until the page is loaded: a link that was followed may still be loading."""
    page.wait_for_load_state("load")
    expect(page.locator("footer")).to_be_attached()
    return page.locator("html")
