// Shows what others did as soon as they did it, prevents double taps from drawing twice,
// and keeps what is being typed or chosen, and what is unfolded, while the page is
// updated.
const scenario = document.getElementById("scenario");
const news = document.getElementById("scenario-news");
const play = document.getElementById("play");
const FREE = /^(more|less|tick|untick|area|[at][qrs]$)/; // repeated presses all count
const DRAW = /^d(:\d)?$/;
const DOUBLE_TAP = 1500; // ms
const SECOND_DRAW = 500; // ms; the page may show the first by then
let sending = 0;
let roundAt = 0;
let drewAt = 0;
let typed = null;
let begun = []; // fields with a typed or chosen value: a card, a counter
let unfolded = []; // the ids of the parts that are open
let around = []; // the ids of the focused element and its ancestors, before a swap
let inSight = false; // the focused element was visible then
let followed = false; // the next line of the setup was ticked below the list
let drew = false; // a token was requested: show it instead of the pressed button

const nextLine = () => document.getElementById("next");
const notes = () => scenario.querySelector("form[data-notes]");

function isInSight(one) {
  const { top, bottom } = one.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
function noteFocus() {
  around = [];
  inSight = isInSight(document.activeElement);
  for (let one = document.activeElement; scenario.contains(one) && one !== scenario; one = one.parentElement) {
    if (one.id) around.push(one.id);
  }
}
// If the pressed element is gone or disabled by then, focus the one next to it.
function keepFocus() {
  if (!around.length || document.activeElement !== document.body) return;
  const there = around.map((id) => document.getElementById(id));
  const found = there.find((each) => each?.checkVisibility()); // not if it is folded
  if (found?.matches("button:enabled, summary")) return found.focus({ preventScroll: true });
  const place = found?.closest('[role="group"]') ?? found ?? scenario;
  place.querySelector("button:enabled, summary")?.focus({ preventScroll: true });
}
// The bag moves above the setup once it is used: keep the pressed element in sight.
function keepSight() {
  const focused = document.activeElement;
  if (inSight && scenario.contains(focused) && !isInSight(focused)) {
    focused.scrollIntoView({ block: "center" });
  }
}

// Sent fields are no longer being typed; a card that leaves play moves the others.
function noteBegun({ elt, formData }) {
  const fields = [...scenario.querySelectorAll("input[id]:not([type=hidden]), select[id]")];
  begun = fields.filter((each) => each.form !== elt && each.value).map(({ id, value }) => [id, value]);
  const moves = /\.out$|^reset$/.test(formData?.get("do"));
  unfolded = [...scenario.querySelectorAll("details[open][id]")].map(({ id }) => id);
  if (moves) unfolded = unfolded.filter((id) => !/^more-\d|^reset/.test(id));
}
function keepBegun() {
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, value] of begun) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  begun = unfolded = [];
}

scenario.addEventListener("click", (event) => {
  const button = event.target.closest('button[form="play"], [data-steps] button[name="do"]');
  if (!button?.value || button.disabled) return;
  event.preventDefault();
  const isStep = button.form !== play && !/^(un)?round$/.test(button.value); // of a play area
  if (sending && !isStep && !FREE.test(button.value)) return;
  if (button.value === "round") {
    if (Date.now() - roundAt < DOUBLE_TAP) return; // a double tap
    roundAt = Date.now();
  }
  const draws = DRAW.test(button.value);
  if ((draws || button.value === "e") && Date.now() - drewAt < SECOND_DRAW) return; // a double tap
  drewAt = draws ? Date.now() : 0; // after another press it is intended
  sending += 1;
  drew = draws;
  followed = button === nextLine();
  const done = () => (sending -= 1);
  const values = { do: button.value };
  htmx.ajax("POST", play.action, { source: play, values, target: scenario }).then(done, done);
});
// A browser that goes back restores the typed notes: restore the version they are based
// on, too.
scenario.addEventListener("input", ({ target }) => {
  const form = notes();
  if (form?.contains(target)) history.replaceState({ seen: form.elements.seen.value }, "");
});
addEventListener("pageshow", () => {
  const { what, seen } = notes()?.elements ?? {};
  if (what && what.value !== what.defaultValue) seen.value = history.state?.seen ?? seen.value;
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target !== scenario) return;
  noteFocus();
  noteBegun(detail.requestConfig);
  const form = notes();
  const { what, seen } = form?.elements ?? {};
  const { elt, formData } = detail.requestConfig;
  const kept = elt === form ? formData.get("what") : what?.defaultValue;
  typed = what && what.value !== kept ? { what: what.value, seen: seen.value } : null;
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === news) {
    if (!news.firstElementChild) return;
    // The notice says that the server was not reached.
    htmx.ajax("GET", play.action, { source: scenario, target: scenario }).catch(() => {});
  } else if (detail.target === scenario) {
    news.replaceChildren();
    keepBegun();
    keepFocus();
    keepSight();
    const token = scenario.querySelector(".token-now");
    if (drew) token?.scrollIntoView({ block: "nearest" });
    drew = false;
    // Scroll to the next line in the list, which has all its points and its map.
    const lines = followed ? [...scenario.querySelectorAll("li:has(> .tick)")] : [];
    const next = lines.find((line) => line.querySelector(".tick").value === nextLine()?.value);
    next?.scrollIntoView({ block: "nearest" });
    // After the last line the bag comes first, and play begins.
    if (followed && !nextLine()) scenario.querySelector(".scenario-name").scrollIntoView();
    followed = false;
    const form = notes();
    if (!typed || !form) return;
    // Sent with the version they are based on, so that others' notes are not lost.
    form.elements.what.value = typed.what;
    form.elements.seen.value = typed.seen;
  }
});
