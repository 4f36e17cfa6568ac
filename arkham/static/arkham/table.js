// Shows what others wrote unless something that is being filled in would be lost. An answer
// that could not be sent is stored, by its key, until it is saved or discarded. It belongs
// to its member, and is dropped if another member uses the same device.
const table = document.getElementById("table");
const news = document.getElementById("news");
const again = document.getElementById("again");
const OF_TABLE = `answer ${location.pathname} `;
const KEPT = `${OF_TABLE}${again.dataset.member} `;
const waiting = document.getElementById("waiting");
const NOT_READ = [403, 404, 429]; // refused, whatever the answer is
let touched = false;
let reading = ""; // the entry before the visible question

const skip = () => {}; // the notice says that the server was not reached
const shown = (what) => document.getElementById(`table-${what}`).value;
const asked = () => table.querySelector(".turn")?.dataset.turn;
const bar = () => table.querySelector(".turn")?.getBoundingClientRect().bottom ?? 0;
const undecided = () => table.querySelector("[data-discard]") !== null;
const isAnswer = ({ elt }) => elt === again || elt.matches("form[data-answer]");
const placeOf = ({ requestConfig }) => KEPT + requestConfig.formData.get("key");

function dropOthers() {
  const kept = Object.keys(localStorage).filter((name) => name.startsWith(OF_TABLE));
  const others = kept.filter((name) => !name.startsWith(KEPT));
  for (const name of others) localStorage.removeItem(name);
  document.getElementById("dropped").hidden = others.length === 0;
}

function letGo() {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(KEPT)) localStorage.removeItem(name);
  }
  waiting.hidden = true;
}

// Shown next to the pressed button; a swap may have removed it.
function showWaiting() {
  (table.querySelector("form[data-answer]") ?? table).append(waiting);
  waiting.hidden = false;
}

function keep(detail) {
  const pairs = [...detail.requestConfig.formData];
  const values = pairs.filter(([name]) => name !== "csrfmiddlewaretoken");
  localStorage.setItem(placeOf(detail), JSON.stringify(values));
}

// Sending again is safe: the server saves the answer of each key only once.
function sendKept() {
  const place = Object.keys(localStorage).find((name) => name.startsWith(KEPT));
  if (place && !navigator.onLine) showWaiting();
  else waiting.hidden = true;
  if (!place || !navigator.onLine || undecided() || touched) return;
  const values = {};
  for (const [name, value] of JSON.parse(localStorage.getItem(place))) {
    (values[name] ??= []).push(value);
  }
  htmx.ajax("POST", again.action, { source: again, values, target: table }).catch(skip);
}

// A browser that goes back restores fields without an event.
function isFilledIn(control) {
  if (control.type === "hidden") return false;
  if (control.matches("select")) return (control.querySelector("[selected]") ?? control[0])?.selected === false;
  if (/^(radio|checkbox)$/.test(control.type)) return control.checked !== control.defaultChecked;
  return control.matches("input, textarea") && control.value !== control.defaultValue;
}

// Shows how many points the supplies leave, or cost too much.
function countPoints() {
  for (const budget of table.querySelectorAll("[data-budget]")) {
    const counted = [...budget.closest(".packed").querySelectorAll("[data-cost]")];
    const many = (one) => (one.type === "checkbox" ? Number(one.checked) : Number(one.value));
    const left = counted.reduce((sum, one) => sum - one.dataset.cost * many(one), Number(budget.dataset.budget));
    budget.textContent = `${left < 0 ? budget.dataset.over : budget.dataset.left} ${Math.abs(left)}`;
    budget.classList.toggle("too-many", left < 0);
  }
}

addEventListener("pageshow", () => {
  countPoints();
  const form = table.querySelector("form[data-answer]");
  touched ||= [...(form?.elements ?? [])].some(isFilledIn);
});
table.addEventListener("input", () => {
  touched = true;
  countPoints();
});
table.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-discard]")?.dataset.discard;
  if (key) localStorage.removeItem(KEPT + key);
  if (target.closest("[data-let-go]")) letGo();
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === table) {
    touched = undecided();
    countPoints();
    news.replaceChildren();
    document.querySelector(".messages")?.remove(); // it is about an earlier action
    // After an answer, focus the text that follows it, or the next question.
    if (isAnswer(detail.requestConfig)) {
      table.querySelector("#said-title, #now-title")?.focus({ preventScroll: true });
    } else if (reading && asked() !== reading) {
      // Readers of the previous question continue where the new text begins.
      const fresh = table.querySelector("#new");
      const { top } = fresh.getBoundingClientRect();
      if (top < bar() || top > innerHeight / 2) fresh.scrollIntoView();
    }
    sendKept();
  } else if (detail.target === news && news.firstElementChild) {
    // News that arrived while an answer was saved is already shown.
    const { last, seated } = news.firstElementChild.dataset;
    if (Number(last) <= Number(shown("after")) && seated === shown("seated")) news.replaceChildren();
    else {
      // Shown at once, it would move the question down until the table is loaded.
      news.classList.toggle("unseen", !touched);
      const show = () => news.classList.remove("unseen");
      // The link in it does the same, but htmx doesn't process it before the swap ends.
      if (!touched) htmx.ajax("GET", again.action, { source: table, target: table }).then(show, show);
    }
  }
});
// Don't replace a form that was touched while the table was loading.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt } = detail.requestConfig;
  const isAsked = elt === table || (elt === again && detail.xhr.status === 409);
  if (isAsked && touched) detail.shouldSwap = false;
  if (detail.target !== table) return;
  const isInSight = table.querySelector("#new")?.getBoundingClientRect().bottom > bar();
  reading = isInSight ? asked() : "";
});
document.addEventListener("htmx:sendError", ({ detail }) => {
  if (!isAnswer(detail)) return;
  keep(detail);
  touched = false; // the values are stored
  showWaiting();
  waiting.scrollIntoView({ block: "nearest" });
});
// Before the swap, because afterwards the form is gone.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  const { status } = detail.xhr;
  if (!status || !isAnswer(detail)) return;
  if (NOT_READ.includes(status)) {
    if (detail.elt === again) showWaiting();
    return;
  }
  if (status === 409 || status >= 500) keep(detail);
  else if (detail.elt === again) localStorage.removeItem(placeOf(detail));
  else letGo(); // this replaces a stored answer
  if (status >= 500) touched = false;
  if (status >= 500) showWaiting();
  else waiting.hidden = true;
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt === news && detail.successful) sendKept();
});
addEventListener("online", sendKept);
dropOthers();
sendKept();
