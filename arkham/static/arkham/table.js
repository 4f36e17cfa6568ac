// Shows what others wrote as soon as nothing that is being filled in would be lost. An
// answer that could not be sent is kept, under its key, until it is written or discarded.
// It is its member's: where another member uses the same device, it is dropped.
const table = document.getElementById("table");
const news = document.getElementById("news");
const again = document.getElementById("again");
const OF_TABLE = `answer ${location.pathname} `;
const KEPT = `${OF_TABLE}${again.dataset.member} `;
const waiting = document.getElementById("waiting");
const NOT_READ = [403, 404, 429]; // refused, whatever the answer says
let touched = false;
let reading = ""; // the entry that led to the question in sight

const skip = () => {}; // that the server was not reached is said by the notice
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

// Said where the button is that was pressed. Whatever a swap takes away comes back here.
function showWaiting() {
  (table.querySelector("form[data-answer]") ?? table).append(waiting);
  waiting.hidden = false;
}

function keep(detail) {
  const pairs = [...detail.requestConfig.formData];
  const values = pairs.filter(([name]) => name !== "csrfmiddlewaretoken");
  localStorage.setItem(placeOf(detail), JSON.stringify(values));
}

// What was written under its key before is not written twice: sending again is safe.
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

// A browser that comes back fills in again what was filled in, and says nothing of it.
function isFilledIn(control) {
  if (control.type === "hidden") return false;
  if (control.matches("select")) return (control.querySelector("[selected]") ?? control[0])?.selected === false;
  if (/^(radio|checkbox)$/.test(control.type)) return control.checked !== control.defaultChecked;
  return control.matches("input, textarea") && control.value !== control.defaultValue;
}

// What supplies leave of the points there are, or cost too much.
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
    document.querySelector(".messages")?.remove(); // what it announced is done
    // Whoever answered goes on reading: what the guide says, then the next question.
    if (isAnswer(detail.requestConfig)) {
      table.querySelector("#said-title, #now-title")?.focus({ preventScroll: true });
    } else if (reading && asked() !== reading) {
      // Those who read what was asked until now read on where the new words begin.
      const fresh = table.querySelector("#new");
      const { top } = fresh.getBoundingClientRect();
      if (top < bar() || top > innerHeight / 2) fresh.scrollIntoView();
    }
    sendKept();
  } else if (detail.target === news && news.firstElementChild) {
    // What was on its way while one's own answer was written is shown already.
    const { last, seated } = news.firstElementChild.dataset;
    if (Number(last) <= Number(shown("after")) && seated === shown("seated")) news.replaceChildren();
    // The link in it leads there too, but is no link of htmx before the swap is over.
    else if (!touched) {
      htmx.ajax("GET", again.action, { source: table, target: table }).catch(skip);
    }
  }
});
// Whoever began to fill something in while the table was on its way keeps it.
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
  touched = false; // what is filled in is kept
  showWaiting();
  waiting.scrollIntoView({ block: "nearest" });
});
// Heard before the swap: afterwards the form is gone, and nobody knows whose answer it was.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  const { status } = detail.xhr;
  if (!status || !isAnswer(detail)) return;
  if (NOT_READ.includes(status)) {
    if (detail.elt === again) showWaiting();
    return;
  }
  if (status === 409 || status >= 500) keep(detail);
  else if (detail.elt === again) localStorage.removeItem(placeOf(detail));
  else letGo(); // what was kept before is answered with this
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
