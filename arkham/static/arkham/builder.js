// The builder with htmx: changes are sent in order and none is lost; open parts stay
// open, and a pressed button keeps its focus and its place on the screen.
const waiting = [];
const asked = new Set(); // forms of parts that were asked for since the last change was sent
let sending = false;
let pressed = "";
let held = null; // the focused element when a key pressed a button
let before = null;

const byId = (id) => document.getElementById(id);
const builder = () => byId("builder");

// The form of hundreds of buttons is taken off the page and sent from here: whenever one
// of its buttons comes or goes, browsers look through all of them for the default one.
const changes = byId("changes");
changes.remove();

document.addEventListener("click", (event) => {
  const button = event.target.closest("#builder button[form=changes]");
  if (!button) return;
  const values = new FormData(changes);
  values.set(button.name, button.value);
  enqueue(changes.action, values, button);
});

// The builder's other forms go through the queue, too; those marked data-whole load a page.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const ours = form.closest("#builder") && form.method === "post";
    if (!ours || "whole" in form.dataset || !builder().dataset.revision) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    enqueue(form.action, new FormData(form, event.submitter), event.submitter);
  },
  true,
);

function enqueue(address, values, button) {
  const at = held ?? button;
  pressed = [...named()].find(([, one]) => one === at)?.[0] ?? "";
  waiting.push([address, values]);
  sendNext();
}

async function sendNext() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const [address, values] = waiting.shift();
    const revision = builder()?.dataset.revision;
    if (!revision) break; // two versions are shown, and one has to be chosen first
    for (const { name } of byId("search").elements) values.delete(name);
    for (const [name, value] of new FormData(byId("search"))) values.append(name, value);
    for (const [name, value] of new FormData(byId("view") ?? undefined)) values.set(name, value);
    values.set("view", builder().classList.contains("view-add") ? "add" : "deck");
    values.set("revision", revision);
    values.set("shows", marks(builder()));
    asked.clear();
    try {
      await htmx.ajax("POST", address, { target: "#builder", swap: "outerHTML", values });
    } catch {
      break; // the notice says that the server was not reached
    }
  }
  waiting.length = 0;
  sending = false;
  // The results may lack pieces that another search has removed meanwhile; and the deck is
  // in the view from before the change.
  for (const form of asked) if (byId(form)) htmx.trigger(byId(form), "submit");
  asked.clear();
}

// The marks of pieces that are shown already, so that they are not sent again.
function marks(shown) {
  const pieces = shown.querySelectorAll("[data-mark]");
  return `${builder().dataset.edition}.${[...pieces].map((one) => one.dataset.mark).join("")}`;
}

document.addEventListener("htmx:configRequest", ({ detail: { target, headers } }) => {
  if (target.id !== "deck") return;
  headers["Orne-Revision"] = builder().dataset.revision;
  headers["Orne-Shows"] = marks(target);
  target.addEventListener("htmx:beforeSwap", onlyIfShown);
});

// A change was faster: its answer is in the view that was chosen, or the view is asked again.
function onlyIfShown({ currentTarget, detail }) {
  if (!currentTarget.isConnected) detail.shouldSwap = false;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target.id === "results") asked.add("search");
  if (event.detail.elt.id === "view") pressed = "";
});

document.addEventListener("change", ({ target }) => {
  if (target.form?.id === "view") asked.add("view");
});

// A phone shows one half at a time; both are already loaded.
function turnTo(view) {
  builder().classList.remove("view-deck", "view-add");
  builder().classList.add(`view-${view}`);
  for (const each of builder().querySelectorAll(".switch a")) {
    if (each.dataset.view === view) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#builder .switch a, [data-skip]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  turnTo(link.dataset.view ?? link.dataset.skip);
  if (link.dataset.skip) byId(link.hash.slice(1)).focus();
  else window.scrollTo(0, 0);
});

// Everything that can be pressed, by its id or else by what it does, made unique.
function named() {
  const all = new Map();
  for (const one of document.querySelectorAll("#builder :is(button, summary, a.found, .entry > .face h2 a)")) {
    let name = one.id || one.value || one.closest("[id]").id;
    while (all.has(name)) name += "'";
    if (name) all.set(name, one);
  }
  return all;
}

const top = (one) => one?.getBoundingClientRect().top;
const canBePressed = (one) => one && !one.disabled && one.checkVisibility();
const isRemedy = (one) => one?.matches(".finding .remedy button");

// Parts are replaced at once: htmx would visit every element that goes, and give what
// replaces it the attributes that it had, for a moment.
document.body.setAttribute("hx-ext", "at-once");
htmx.defineExtension("at-once", {
  handleSwap(style, target, part, settling) {
    if (style !== "at-once") return false;
    settling.elts = [...part.children];
    target.replaceWith(part);
    return settling.elts;
  },
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { target } = detail;
  if (!["builder", "deck", "results"].includes(target.id)) return;
  detail.swapOverride = "at-once settle:0ms";
  if (target.id === "results") return;
  const there = named();
  const names = [...there.keys()];
  const at = names.indexOf(pressed);
  const kind = held?.tagName;
  // If the pressed element is gone, the next one gets the focus; after a remedy, the next
  // remedy.
  const heirs = at < 0 ? [] : [...names.slice(at), ...names.slice(0, at).reverse()]
    .filter((name) => !kind || there.get(name).tagName === kind);
  const remedies = isRemedy(there.get(pressed)) ? heirs.filter((name) => isRemedy(there.get(name))) : [];
  const focused = target.contains(document.activeElement) ? document.activeElement : null;
  before = {
    open: [...target.querySelectorAll("details[open][id]")].map((it) => it.id),
    heirs: [...remedies, ...heirs],
    top: top(there.get(pressed)),
    list: byId("results")?.scrollTop ?? 0,
    focused: focused?.id,
  };
  focused?.blur(); // else the browser works out the layout when its focus is removed
});

document.addEventListener("htmx:afterSwap", () => {
  if (!before) return;
  const { open, heirs, top: was, list, focused } = before;
  before = null;
  held = null;
  for (const id of open) byId(id)?.setAttribute("open", "");
  if (byId("results")) byId("results").scrollTop = list;
  const there = named();
  const heir = heirs.map((name) => there.get(name)).find(canBePressed) ?? byId(focused);
  heir?.focus({ preventScroll: true });
  if (heir && was !== undefined) window.scrollBy(0, top(heir) - was);
});

// --- Keys ---

const LINES = ".entry > details > summary, .entry > a.found, .entry > .face h2 a";
const SECTIONS = { deck: "#deck", add: "#results" };
const lines = (view) => [...document.querySelectorAll(`${SECTIONS[view]} :is(${LINES})`)];

function goTo(view) {
  turnTo(view);
  lines(view)[0]?.focus();
}

// Moves one line up or down; from elsewhere in a section to its first line.
function move(by) {
  const at = document.activeElement;
  const view = at.closest("#add") ? "add" : at.closest("#deck") && "deck";
  if (!view) return false;
  const all = lines(view);
  const from = all.indexOf(at.closest(".entry")?.querySelector(LINES.replaceAll(".entry >", ":scope >")));
  const next = all[from < 0 ? 0 : from + by];
  next?.focus();
  return Boolean(next);
}

// Presses a button without moving the focus.
function pressFor(button) {
  if (!button || button.disabled) return;
  held = document.activeElement.closest("#builder") && document.activeElement;
  button.click();
}

const KEYS = {
  "/": () => { turnTo("add"); byId("q").focus(); byId("q").select(); },
  "?": () => byId("shortcuts").showModal(),
  u: () => pressFor(byId("undo")),
  r: () => pressFor(byId("redo")),
  ArrowLeft: () => goTo("deck"),
  ArrowRight: () => goTo("add"),
};

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!builder()?.dataset.revision || document.querySelector("dialog[open]")) return;
  const leaves = target.id === "q" && key === "ArrowDown";
  if (target.closest("input, textarea, select") && !leaves) return;
  if (key === "ArrowDown" || key === "ArrowUp") {
    if (move(key === "ArrowDown" ? 1 : -1)) event.preventDefault();
  } else if (!event.repeat && /^[0-3]$/.test(key)) {
    const buttons = target.closest(".entry")?.querySelectorAll(".quantity button") ?? [];
    pressFor([...buttons].find((one) => one.value.endsWith(`:${key}`)));
  } else if (!event.repeat && Object.hasOwn(KEYS, key)) {
    event.preventDefault();
    KEYS[key]();
  }
});

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-shortcuts]")) byId("shortcuts").showModal();
});
