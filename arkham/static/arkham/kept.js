// Stores what is ticked, counted, noted or drawn at a scenario without network, each with
// its key, and sends it in order when the server is reached. It belongs to its member, and
// is dropped if another member uses the same device. Refused acts are shown with the reason.
const scenario = document.getElementById("scenario");
const news = document.getElementById("scenario-news");
const play = document.getElementById("play");
const unsent = document.getElementById("unsent-acts");
const refused = document.getElementById("refused-acts");
const onlyOnline = document.getElementById("only-online");
const areasOnline = document.getElementById("areas-online");
const OF_SCENARIO = `play ${location.pathname} `;
const KEPT = `${OF_SCENARIO}${play.dataset.member} `;
const REFUSED = `refused ${KEPT}`;
const DRAWN = `drawn ${KEPT}`;
const KEEPS = /^(more|less|tick|untick|add|drop|notes)(:|$)|^area:[^/]+\/[a-z]+[+-]$|^[at][qrs]$/; // valid whatever others did
const OF_BAG = /^(d(:\d)?|e|[rs][a-s])$/; // while the server isn't reached, this phone does them
const OF_TEST = /^([prs][a-s]|e):/; // as they are kept
const BAG_STEP = /^([prs][a-s]|e):|^[at][a-s]$/;
const SECOND_DRAW = 500; // ms, as in scenario.js
const NOT_READ = [403, 404, 429]; // refused, whatever the act is
const PATIENCE = 15000; // ms; an act sent twice counts once
let sending; // until what is kept was sent and the page shows it
let isReached = !document.documentElement.dataset.copyOf && navigator.onLine;
let drewAt = 0;

const namesOf = (prefix) => Object.keys(localStorage).filter((name) => name.startsWith(prefix)).sort();
const kept = (prefix = KEPT) => namesOf(prefix).map((name) => [name, JSON.parse(localStorage.getItem(name))]);
const isOurs = (elt) => elt === play || elt.matches("#scenario form[data-kept]");
const buttonFor = (act) => [...scenario.querySelectorAll('button[form="play"]')].find(({ value }) => value === act);
const keyOf = () => [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");

// Named by its time, so that all are sent in order.
function keep(prefix, act) {
  const last = Number(namesOf(prefix).at(-1)?.slice(prefix.length) ?? 0);
  const place = String(Math.max(Date.now(), last + 1)).padStart(15, "0");
  localStorage.setItem(prefix + place, JSON.stringify(act));
}

function dropOthers() {
  for (const name of namesOf(OF_SCENARIO)) if (!name.startsWith(KEPT)) localStorage.removeItem(name);
}

function actOf(data, says) {
  const [scenarioOf, seen] = ["scenario", "seen"].map((name) => data.get(name));
  return { do: data.get("do"), what: data.get("what") ?? "", scenario: scenarioOf, seen, key: data.get("key"), says };
}

function wordsOf(button) {
  const line = button.querySelector("small")?.nextSibling.textContent; // without its heading
  return (button.getAttribute("aria-label") ?? line ?? button.innerText).trim().replace(/\s+/g, " ");
}

function saidOf(form, data) {
  return data.get("do") === "add" ? `${form.dataset.kept}: ${data.get("what")}` : form.dataset.kept;
}

// -- showing acts before the server has them --

function count(output, by) {
  if (!output) return;
  const number = output.firstChild; // a limit may follow it
  number.textContent = Math.max(parseInt(number.textContent) + by, 0);
  const fewer = output.parentElement.querySelector("button");
  if (fewer) fewer.disabled = number.textContent === "0";
  output.closest("details")?.setAttribute("open", ""); // show what was counted
}

function tick(mark, isTicked) {
  const button = document.getElementById(`tick-${mark}`);
  if (!button) return;
  button.value = `${isTicked ? "untick" : "tick"}:${mark}`;
  button.setAttribute("aria-pressed", isTicked);
  button.closest("li").classList.toggle("ticked", isTicked);
  const boxes = document.getElementById("boxes").content;
  button.querySelector("svg").replaceWith(boxes.children[isTicked ? 1 : 0].cloneNode(true));
  const done = scenario.querySelector("#setup summary .muted");
  if (done) done.textContent = done.textContent.replace(/\d+/, scenario.querySelectorAll("#setup .ticked").length);
  showNext();
}

// Shows the next line of the setup on the button at the bottom.
function showNext() {
  const next = document.getElementById("next");
  const line = scenario.querySelector('#setup .tick[aria-pressed="false"]');
  if (!next) return;
  next.disabled = !line;
  if (!line) return;
  next.value = line.value;
  next.querySelector(".three-lines").textContent = line.querySelector(".says").textContent.trim();
}

function showAct(act) {
  const [word, what] = [act.do.split(":")[0], act.do.slice(act.do.indexOf(":") + 1)];
  const button = [...scenario.querySelectorAll("button")].find(({ value }) => value === act.do);
  const group = button?.closest('[role="group"]');
  if (word === "tick" || word === "untick") tick(what, word === "tick");
  else if (word === "notes") scenario.querySelector("[data-notes] textarea").value = act.what;
  else if (word === "drop") group?.remove();
  else if (BAG_STEP.test(act.do)) takeStep(act);
  else if (word !== "add") count(group?.querySelector("output"), /^more|\+$/.test(act.do) ? 1 : -1);
  scenario.dispatchEvent(new Event("counted")); // the bag on the phone computes its odds
}

// -- the bag on this phone: its tokens are counted in #phone-bag, with what each does --

const phoneBag = () => document.getElementById("phone-bag");
const tokens = () => [...(phoneBag()?.querySelectorAll("[data-letter]") ?? [])];
const tokenOf = (letter) => tokens().find(({ dataset }) => dataset.letter === letter);
const inside = () => tokens().flatMap(({ dataset }) => Array(Number(dataset.count)).fill(dataset.letter));
const part = (letter, name) => tokenOf(letter).querySelector("template").content.querySelector(`[data-${name}]`).cloneNode(true);

// Returns a number below `most`, all equally likely.
function chance(most) {
  const most32 = 2 ** 32 - ((2 ** 32) % most);
  for (;;) {
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    if (number < most32) return number % most;
  }
}

// A draw that was undone gives the same token again, as it does at the server.
function drawToken() {
  const left = inside();
  const place = `${play.elements.scenario.value} ${phoneBag().dataset.draws} ${left.join("")}`;
  const drawn = JSON.parse(localStorage.getItem(DRAWN) ?? "{}");
  drawn[place] ??= left[chance(left.length)];
  localStorage.setItem(DRAWN, JSON.stringify(drawn));
  return drawn[place];
}

// Not if the page shows another scenario by now, or the token was taken away.
function takeStep(act) {
  const [kind, letter] = act.do;
  if (act.scenario !== play.elements.scenario?.value || (kind !== "e" && !tokenOf(letter))) return;
  const bag = phoneBag().dataset;
  const put = (each, by) => {
    const { dataset } = tokenOf(each);
    dataset.count = Math.max(Number(dataset.count) + by, 0);
  };
  if (kind === "e") {
    for (const each of bag.revealed) if (tokenOf(each).dataset.returns === "true") put(each, 1);
    bag.revealed = "";
  } else put(letter, kind === "a" || kind === "r" ? 1 : -1);
  if (kind === "p") {
    bag.revealed += letter;
    bag.draws = Number(bag.draws) + 1;
  }
  if (kind === "s") bag.sealed += letter;
  if (kind === "r") bag.sealed = bag.sealed.replace(letter, "");
  if (kind === "p" || kind === "e") showRevealed([...bag.revealed]);
  showInside(bag);
}

function showRevealed(revealed) {
  const now = scenario.querySelector(".token-now");
  const tray = scenario.querySelector(".tray");
  const [draw, end] = ["draw", "end"].map((id) => document.getElementById(id));
  const next = document.getElementById("next");
  const last = revealed.at(-1);
  now.replaceChildren(...(last ? part(last, "now") : phoneBag().querySelector("[data-none]").content.cloneNode(true)).children);
  const second = tokens().find(({ dataset }) => dataset.second && revealed.filter((each) => each === dataset.letter).length > 1);
  if (second) {
    const hint = now.querySelector(".hint") ?? now.lastElementChild.appendChild(document.createElement("p"));
    hint.textContent = second.dataset.second;
  }
  tray.replaceChildren(...revealed.map((each) => {
    const line = document.createElement("li");
    line.append(...part(each, "disc").children);
    return line;
  }));
  tray.hidden = revealed.length < 2;
  for (const line of scenario.querySelectorAll(".symbols-here [data-letter]")) line.classList.toggle("in-force", revealed.includes(line.dataset.letter));
  if (next) next.hidden = true;
  if (!draw) return; // the game is over
  end.querySelector("small")?.remove(); // it names a token revealed before
  draw.removeAttribute("aria-label");
  draw.textContent = last ? draw.dataset.another : draw.dataset.first;
  end.hidden = false;
  end.disabled = !last;
  for (const [button, isMain] of [[draw, !last], [end, last]]) {
    button.classList.toggle("main", isMain);
    if (isMain) button.parentElement.prepend(button);
  }
}

function showInside(bag) {
  const left = inside();
  const [list, sealable, sealed] = ["#in-bag", "#sealable", "#sealed"].map((each) => scenario.querySelector(each));
  const kinds = [...new Set(left)];
  list.replaceChildren(...kinds.map((each) => {
    const line = document.createElement("li");
    line.className = "line";
    line.append(...part(each, "disc").children, ` × ${tokenOf(each).dataset.count}`);
    return line;
  }));
  sealable.replaceChildren(...kinds.flatMap((each) => [...part(each, "seal").children]));
  sealed.replaceChildren(...[...bag.sealed].flatMap((each) => [...part(each, "release").children]));
  sealed.parentElement.hidden = !bag.sealed;
  const title = document.getElementById("bag-more");
  title.textContent = `${title.dataset.inside} ${left.length}`;
  for (const each of scenario.querySelectorAll("[data-count-of]")) {
    const by = tokenOf(each.dataset.countOf).dataset.count - parseInt(each.textContent);
    if (by) count(each, by);
  }
  for (const each of scenario.querySelectorAll('#draw, [id^="draw-"]')) each.disabled = !left.length;
  const undo = document.getElementById("undo");
  if (undo) undo.hidden = false;
}

// What they saw revealed and sealed goes with them: if others changed it, they are refused.
function keepStep(step, says) {
  const { revealed, sealed } = phoneBag().dataset;
  const data = new FormData(play);
  data.set("do", `${step}:${revealed}/${[...sealed].sort().join("")}`);
  data.set("key", keyOf());
  keepAct(actOf(data, says));
}

function keepOfBag(value) {
  const button = buttonFor(value);
  if (value[0] !== "d") keepStep(value, wordsOf(button));
  for (let left = value[0] === "d" ? Number(value[2] ?? 1) : 0; left && inside().length; left -= 1) {
    const letter = drawToken();
    keepStep(`p${letter}`, `${phoneBag().dataset.says} ${tokenOf(letter).dataset.word}`);
  }
  if (/^[de]/.test(value)) scenario.querySelector(".token-now").scrollIntoView({ block: "nearest" });
  const next = value === "e" ? document.getElementById("draw") : buttonFor(value);
  (next && !next.disabled ? next : scenario.querySelector("#sealing summary")).focus({ preventScroll: true });
}

function undoKept() {
  const last = kept().findLast(([, act]) => BAG_STEP.test(act.do));
  if (last) discard(last[0]);
  else sayOnlyOnline("undo");
}

function lineOf(text, buttons) {
  const line = document.createElement("li");
  line.append(text, " ", ...buttons);
  return line;
}

function buttonOf(words, press) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet";
  button.textContent = words;
  button.addEventListener("click", press);
  return button;
}

// Waits for an act on its way, which may have arrived. Reloads the page, because it
// already shows the discarded act.
async function discard(name) {
  await sending;
  localStorage.removeItem(name);
  location.reload();
}

// A refused note that the notepad has by now needs no decision.
function isNoted(act) {
  return act.do === "notes" && scenario.querySelector("[data-notes] textarea")?.defaultValue.includes(act.what);
}

function showLists() {
  for (const [name, act] of kept(REFUSED)) if (isNoted(act)) localStorage.removeItem(name);
  const lines = kept().map(([name, act]) => lineOf(act.says, [buttonOf(unsent.dataset.discard, () => discard(name))]));
  for (const line of lines) line.className = "line";
  unsent.querySelector("ul").replaceChildren(...lines);
  unsent.querySelector("summary span").textContent = lines.length;
  unsent.hidden = !lines.length;
  const why = kept(REFUSED).map(([name, act]) => {
    const buttons = [buttonOf(refused.dataset.discard, () => { localStorage.removeItem(name); showLists(); })];
    if (act.do === "notes") buttons.unshift(buttonOf(refused.dataset.combine, () => combine(act)));
    const line = lineOf(`${act.says}: ${act.why}`, []);
    if (act.do === "notes") line.append(Object.assign(document.createElement("blockquote"), { textContent: act.what }));
    line.append(...buttons);
    return line;
  });
  refused.querySelector("ul").replaceChildren(...why);
  refused.hidden = !why.length;
}

function combine(act) {
  const notes = scenario.querySelector("[data-notes] textarea");
  notes.value = [notes.value, act.what].filter(Boolean).join("\n");
  notes.focus();
}

function showKept() {
  for (const [, act] of kept()) showAct(act);
  showLists();
  showReach();
}

function showReach() {
  const panel = phoneBag();
  if (panel) panel.hidden = isReached;
  if (isReached) onlyOnline.hidden = areasOnline.hidden = true;
}

// -- storing --

function keepAct(act) {
  keep(KEPT, act);
  showAct(act);
  showLists();
  showReach();
}

// Sends waiting acts first; then presses the button as it is by then.
async function afterKept(value) {
  await sendKept();
  const isLeft = !navigator.onLine || kept().length;
  if (!isLeft) buttonFor(value)?.click();
  else if (value === "undo") undoKept();
  else if (OF_BAG.test(value)) keepOfBag(value);
  else sayOnlyOnline(value);
}

function sayOnlyOnline(act) {
  const isOfAreas = /^((un)?round$|area:)/.test(act);
  onlyOnline.hidden = isOfAreas;
  areasOnline.hidden = !isOfAreas;
}

scenario.addEventListener("click", (event) => {
  const button = event.target.closest('button[form="play"]');
  if (!button || button.disabled) return;
  const { value } = button;
  const isKept = KEEPS.test(value);
  const isOfBag = OF_BAG.test(value);
  const isOnline = isReached && navigator.onLine;
  if ((isReached || !(isKept || isOfBag)) && navigator.onLine && !kept().length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isOfBag && /^[de]/.test(value) && Date.now() - drewAt < SECOND_DRAW) return; // a double tap
  drewAt = isOfBag && value[0] === "d" ? Date.now() : 0;
  if (isOfBag && !isOnline) {
    keepOfBag(value);
    return sendKept();
  }
  if (!isKept) return afterKept(value);
  const data = new FormData(play);
  data.set("do", button.value);
  data.set("key", keyOf());
  keepAct(actOf(data, wordsOf(button)));
  sendKept();
});
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (isOurs(detail.elt) && detail.verb === "post") detail.parameters.key = keyOf();
});
document.addEventListener("htmx:confirm", (event) => {
  const { elt } = event.detail;
  if (elt === play || !isOurs(elt) || (navigator.onLine && !kept().length)) return;
  event.preventDefault();
  const data = new FormData(elt, elt.querySelector('button[name="do"]'));
  data.set("key", keyOf());
  keepAct(actOf(data, saidOf(elt, data)));
  sendKept();
});

function notDone({ requestConfig, elt, xhr }) {
  const data = requestConfig.formData;
  if (!isOurs(elt) || requestConfig.verb !== "post") return;
  const button = buttonFor(data.get("do"));
  if (OF_BAG.test(data.get("do")) && xhr.status !== 500) keepOfBag(data.get("do"));
  else if (!KEEPS.test(data.get("do"))) sayOnlyOnline(data.get("do"));
  else keepAct(actOf(data, button ? wordsOf(button) : saidOf(elt, data)));
}

document.addEventListener("htmx:sendError", ({ detail }) => {
  isReached = false;
  notDone(detail);
  showReach();
});
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (detail.xhr.status >= 500) notDone(detail);
});

// -- sending --

function post(act) {
  const body = new FormData(play);
  for (const name of ["do", "what", "scenario", "seen", "key"]) body.set(name, act[name]);
  const signal = AbortSignal.timeout(PATIENCE);
  return fetch(play.action, { method: "POST", headers: { "HX-Request": "true" }, body, signal });
}

function whyOf(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  return [...page.querySelectorAll('[role="alert"]')].map((each) => each.textContent.trim().replace(/\s+/g, " ")).join(" ");
}

// Sent notes are no longer being typed, so that the page shows the current ones.
function letGoOfNotes({ what }) {
  const notes = scenario.querySelector("[data-notes] textarea");
  if (notes?.value === what) notes.value = notes.defaultValue;
}

// If a token was refused, so is what followed in its test: it would go into another's.
function refuse(why) {
  const [[first, { do: refusedStep }], ...others] = kept();
  const after = others.filter(([, act]) => OF_TEST.test(act.do));
  const end = after.findIndex(([, act]) => act.do[0] === "e") + 1 || after.length;
  const names = [first, ...(refusedStep[0] === "p" ? after.slice(0, end).map(([name]) => name) : [])];
  for (const name of names) {
    keep(REFUSED, { ...JSON.parse(localStorage.getItem(name)), why });
    localStorage.removeItem(name);
  }
}

function sendKept() {
  sending ??= sendEach().finally(() => (sending = undefined));
  return sending;
}

async function sendEach() {
  if (!navigator.onLine || !kept().length) return;
  let isSent = false;
  try {
    for (let next = kept()[0]; next; next = kept()[0]) {
      const [name, act] = next;
      const answer = await post(act);
      if (answer.redirected || answer.status >= 500 || NOT_READ.includes(answer.status)) break;
      if (!answer.ok) refuse(whyOf(await answer.text()));
      localStorage.removeItem(name);
      if (act.do === "notes") letGoOfNotes(act);
      isSent = true;
    }
    if (!kept().length) localStorage.removeItem(DRAWN);
    isReached = true;
  } catch {
    isReached = false;
  }
  if (isSent) await htmx.ajax("GET", play.action, { source: scenario, target: scenario }).catch(() => {});
  else showReach();
  if (isSent && !refused.hidden) refused.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === scenario) showKept();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt !== news || !detail.successful) return;
  isReached = true;
  showReach();
  sendKept();
});
addEventListener("online", sendKept);
setInterval(sendKept, 5000); // a server that is back doesn't announce it
addEventListener("offline", () => {
  isReached = false;
  showReach();
});
dropOthers();
showKept();
sendKept();
