// Shows a card where it is named: next to the link for mouse and keyboard, in a sheet
// from below for touch. Without this script a link leads to the page of the card.
const PAGE = /\/cards\/[0-9]{5}[a-z]{0,2}\/$/;
const WAIT = 250; // milliseconds that a pointer rests on a link
const STROKE = 48; // pixels to the side that turn to another card
const words = document.querySelector("template[data-preview]");
const faces = new Map(); // address of a card: its face, or the promise of it

const beside = document.createElement("aside");
beside.className = "preview";
beside.popover = "manual";
document.body.append(beside);

const sheet = words.content.firstElementChild.cloneNode(true);
document.body.append(sheet);

// A row of a deck can be opened: its name is not a link, but has the card's address.
const addressOf = (name) => name.dataset.card ?? new URL(name.href).pathname;

const nameAt = (place) => {
  const name = place instanceof Element && place.closest("a[href], [data-card]");
  if (!name || name.closest(".face, .masthead, .button, nav")) return null;
  const ours = "card" in name.dataset || name.origin === location.origin;
  const address = ours ? addressOf(name) : "";
  return PAGE.test(address) && address !== location.pathname ? name : null;
};

// Returns the cards named in the same list as a name; for a deck, in all its groups.
function namesBeside(name) {
  const list = name.closest(".decklist") ?? name.closest("ul, ol, table") ?? name.parentElement;
  const named = [...list.querySelectorAll("a[href], [data-card]")].filter(nameAt);
  return [...new Map(named.map((one) => [addressOf(one), one])).values()];
}

const placeOf = (name, names) => names.findIndex((one) => addressOf(one) === addressOf(name));

function faceOf(name) {
  const address = addressOf(name);
  if (!faces.has(address)) {
    const answer = fetch(`${address}face`).then((said) => {
      if (!said.ok) throw new Error(said.statusText);
      return said.text();
    });
    answer.catch(() => faces.delete(address));
    faces.set(address, answer);
  }
  return faces.get(address);
}

// --- Next to the link ---

let shownFor = null;
let stoodAt = 0;
let waiting = 0;

function hide() {
  clearTimeout(waiting);
  shownFor = null;
  if (beside.matches(":popover-open")) beside.hidePopover();
}

async function show(link) {
  shownFor = link;
  let face;
  try {
    face = await faceOf(link);
  } catch {
    return;
  }
  if (shownFor !== link || !link.isConnected) return;
  beside.innerHTML = face;
  beside.showPopover();
  const at = link.getBoundingClientRect();
  stoodAt = at.top;
  const { width, height } = beside.getBoundingClientRect();
  const gap = 12;
  const right = innerWidth - at.right > width + 2 * gap;
  const left = right ? at.right + gap : Math.max(gap, at.left - width - gap);
  const covers = !right && at.left < width + 2 * gap; // no room on either side
  const above = covers ? at.bottom + gap : at.top + at.height / 2 - height / 2;
  beside.style.left = `${covers ? gap : left}px`;
  beside.style.top = `${Math.max(gap, Math.min(above, innerHeight - height - gap))}px`;
}

document.addEventListener("pointerover", ({ pointerType, target }) => {
  if (pointerType !== "mouse") return;
  const link = nameAt(target)?.closest(":not(.cards *)"); // lines there show enough
  if (link === shownFor) return;
  hide();
  if (link) waiting = setTimeout(show, WAIT, link);
});
document.addEventListener("focusin", ({ target }) => {
  // A line to open or to tick gets the focus as a whole, with the name in it.
  const line = target.matches("summary") ? target : target.closest("label, button");
  const link = nameAt(target) ?? nameAt(line?.querySelector("[data-card]"));
  hide();
  if (link && target.matches(":focus-visible")) show(link);
});
document.addEventListener("focusout", hide);
document.addEventListener("scroll", () => {
  const moved = shownFor && shownFor.getBoundingClientRect().top !== stoodAt;
  if (moved && beside.matches(":popover-open")) hide();
}, { passive: true });
document.addEventListener("htmx:beforeSwap", hide);
document.addEventListener("pointerdown", hide);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // The builder uses the arrow keys itself.
  if (!step || shownFor !== document.activeElement || document.getElementById("builder")) return;
  const names = namesBeside(shownFor);
  const next = names[placeOf(shownFor, names) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// --- A sheet from below ---

let links = [];
let at = 0;
const part = (name) => sheet.querySelector(`[data-${name}]`);
const row = () => links[at].closest("li");
const copies = () => row()?.querySelector(".stepper output");
const quantity = () => [...(row()?.querySelectorAll(".quantity button") ?? [])];

const still = matchMedia("(prefers-reduced-motion: reduce)");

async function turn(to) {
  const way = sheet.open ? Math.sign(to - at) : 0;
  const asked = (to + links.length) % links.length;
  at = asked;
  let face;
  try {
    face = await faceOf(links[at]);
  } catch {
    location.assign(addressOf(links[at]));
    return;
  }
  if (asked !== at) return; // turned again before this one was loaded
  part("face").innerHTML = face;
  if (way && !still.matches) {
    part("face").animate([{ opacity: 0, transform: `translateX(${2 * way}rem)` }, {}], { duration: 160, easing: "ease-out" });
  }
  count();
  for (const one of [part("before"), part("after")]) one.disabled = links.length < 2;
  if (!sheet.open) sheet.showModal();
}

// Shows the row's numbers of copies, or else buttons for one more and one fewer.
function count() {
  const numbers = quantity();
  const stepper = copies();
  for (const one of [part("fewer"), part("more"), part("copies")]) one.hidden = !stepper || numbers.length;
  part("copies").textContent = stepper?.textContent ?? "";
  part("quantity").hidden = !numbers.length;
  part("quantity").replaceChildren(...numbers.map((one) => {
    const copy = one.cloneNode(true);
    copy.removeAttribute("id");
    copy.type = "button";
    return copy;
  }));
}

document.addEventListener("click", (event) => {
  const link = nameAt(event.target);
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  // A touch on a line to open, to tick or to follow does that.
  if (!link || !plain || event.pointerType !== "touch" || link.parentElement.closest("summary, label, button, a") || sheet.open) return;
  event.preventDefault();
  links = namesBeside(link);
  turn(placeOf(link, links));
});

sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || target.closest("[data-close]")) sheet.close();
  else if (target.closest("[data-before]")) turn(at - 1);
  else if (target.closest("[data-after]")) turn(at + 1);
  else if (target.closest("[data-quantity] button")) quantity().find((one) => one.value === target.closest("button").value)?.click();
  else if (target.closest("[data-fewer]")) row().querySelector(".stepper button").click();
  else if (target.closest("[data-more]")) row().querySelector(".stepper button:last-of-type").click();
});
sheet.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowLeft") turn(at - 1);
  if (key === "ArrowRight") turn(at + 1);
});
// A swipe of one finger to the side turns to another card; up or down scrolls, and two
// fingers, or one on an enlarged card, zoom and pan.
let from = null;
sheet.addEventListener("touchstart", ({ touches }) => {
  from = touches.length === 1 && visualViewport.scale < 1.01 ? touches[0] : null;
}, { passive: true });
sheet.addEventListener("touchend", ({ changedTouches: [one] }) => {
  if (!from) return;
  const [across, down] = [one.clientX - from.clientX, one.clientY - from.clientY];
  if (Math.abs(across) > Math.max(STROKE, 2 * Math.abs(down))) turn(across < 0 ? at + 1 : at - 1);
});
// The answer replaces the row: find it again by its card.
document.addEventListener("htmx:afterSettle", () => {
  if (!sheet.open) return;
  const path = addressOf(links[at]);
  links = links.map((one) => (one.isConnected ? one : (document.querySelector(`a.found[href="${addressOf(one)}"]`) ?? one)));
  at = Math.max(links.findIndex((one) => addressOf(one) === path), 0);
  count();
});
