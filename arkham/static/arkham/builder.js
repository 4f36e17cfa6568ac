// The builder with htmx: changes are sent one after the other and none is lost; what
// was open stays open, what was pressed keeps its focus and its place on the screen.
const waiting = [];
let sending = false;
let searched = false; // since the last change was sent
let pressed = "";
let before = null;

const byId = (id) => document.getElementById(id);
const builder = () => byId("builder");

// Forms of the builder go through the queue; those marked data-whole load a page.
document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const ours = form.closest("#builder") && form.method === "post";
    if (!ours || "whole" in form.dataset || !builder().dataset.revision) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed = [...named()].find(([, one]) => one === event.submitter)?.[0] ?? "";
    waiting.push([form.action, new FormData(form, event.submitter)]);
    sendNext();
  },
  true,
);

async function sendNext() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const [address, values] = waiting.shift();
    const revision = builder()?.dataset.revision;
    if (!revision) break; // two versions are shown: first one has to be chosen
    for (const [name, value] of new FormData(byId("search"))) values.set(name, value);
    values.set("view", builder().classList.contains("view-add") ? "add" : "deck");
    values.set("revision", revision);
    values.set("shows", marks());
    searched = false;
    try {
      await htmx.ajax("POST", address, { target: "#builder", swap: "outerHTML", values });
    } catch {
      break; // that the server was not reached is said by the notice
    }
  }
  waiting.length = 0;
  sending = false;
  // What was found may lack pieces that another search has put away meanwhile.
  if (searched) htmx.trigger("#search", "submit");
  searched = false;
}

// The pieces that are there already, by their marks: they are not sent again.
function marks() {
  const pieces = builder().querySelectorAll("[data-mark]");
  return `${builder().dataset.edition}.${[...pieces].map((one) => one.dataset.mark).join("")}`;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target.id === "results") searched = true;
});

// On a phone one half is seen at a time; both are there already.
document.addEventListener("click", (event) => {
  const link = event.target.closest("#builder .switch a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const view = link.dataset.view;
  builder().classList.remove("view-deck", "view-add");
  builder().classList.add(`view-${view}`);
  for (const each of builder().querySelectorAll(".switch a")) {
    each.removeAttribute("aria-current");
  }
  link.setAttribute("aria-current", "true");
  window.scrollTo(0, 0);
});

// What can be pressed, each by its id or else by what it does; two of one kind stay two.
function named() {
  const all = new Map();
  for (const one of document.querySelectorAll("#builder :is(button, summary)")) {
    let name = one.id || one.value;
    while (all.has(name)) name += "'";
    if (name) all.set(name, one);
  }
  return all;
}

const top = (one) => one?.getBoundingClientRect().top;
const canBePressed = (one) => one && !one.disabled && one.getClientRects().length;

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "builder") return;
  const there = named();
  const names = [...there.keys()];
  before = {
    open: [...document.querySelectorAll("#builder details[open][id]")].map((it) => it.id),
    // Where the one pressed is gone, the next one takes its place.
    heirs: there.has(pressed) ? names.slice(names.indexOf(pressed)) : [],
    top: top(there.get(pressed)),
    list: byId("results")?.scrollTop ?? 0,
  };
});

document.addEventListener("htmx:afterSwap", () => {
  if (!before) return;
  const { open, heirs, top: was, list } = before;
  before = null;
  for (const id of open) byId(id)?.setAttribute("open", "");
  if (byId("results")) byId("results").scrollTop = list;
  const there = named();
  const heir = heirs.map((name) => there.get(name)).find(canBePressed);
  heir?.focus({ preventScroll: true });
  if (heir && was !== undefined) window.scrollBy(0, top(heir) - was);
});
