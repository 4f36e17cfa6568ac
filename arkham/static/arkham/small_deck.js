// A deck begun from a scenario is found again as it was left: its form leads back to it, on
// this device, until the deck is changed.
const FORMS = "form of the deck of ";
const DECKS = "deck of ";

const form = () => localStorage.getItem(FORMS + new URLSearchParams(location.search).get("campaign"));

function keep() {
  const isBegun = new URLSearchParams(location.search).has("seed");
  if (isBegun && form()) localStorage.setItem(DECKS + form(), location.search);
}

function open() {
  const asked = new URLSearchParams(location.search);
  if (asked.has("campaign") && !asked.has("seed")) {
    localStorage.setItem(FORMS + asked.get("campaign"), location.search);
    const left = localStorage.getItem(DECKS + location.search);
    if (left) location.replace(left);
  } else keep();
}

document.addEventListener("click", ({ target }) => {
  const change = target.closest("[data-change]");
  if (!change || !form()) return;
  localStorage.removeItem(DECKS + form());
  change.href = form();
});
document.addEventListener("htmx:pushedIntoHistory", keep);
open();
