// Shows a notice if the server could not be reached, could not answer, or refused.
const notice = document.getElementById("notice");
const keepsItself = (elt) => elt.matches("[data-kept]");
const isLook = (elt) => elt.matches('[hx-trigger*="every"]'); // polls for news

// Shows the notice in the form that was sent; the top of a long page may be out of sight.
function say(elt, text) {
  if (isLook(elt)) return;
  const form = elt.closest("form");
  if (form) form.append(notice);
  else if (!notice.isConnected) document.getElementById("content").prepend(notice);
  notice.textContent = text;
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

// Returns the heading and first words of a page that is the server's answer.
function refusal({ responseText }) {
  const page = new DOMParser().parseFromString(responseText, "text/html");
  const said = [...page.querySelectorAll("main h1, main .lead")].map((one) => one.textContent.trim());
  return said.length === 2 ? said.join(". ") : notice.dataset.failed;
}

// A whole page isn't swapped in: the notice shows its words.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status < 400 || !/^\s*<!doctype html/i.test(detail.serverResponse)) return;
  detail.shouldSwap = false;
  detail.isError = true;
});
// htmx visits every element that goes; where none is its own, all go at once.
document.addEventListener("htmx:beforeCleanupElement", ({ target }) => {
  if (target.firstElementChild && !target.querySelector("[hx-get], [hx-post]")) target.replaceChildren();
});
// Forms that are stored until they are sent show that themselves, unless refused.
document.addEventListener("htmx:sendError", ({ detail: { elt } }) => {
  if (!keepsItself(elt)) say(elt, notice.dataset.unreachable);
});
document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
  if (!keepsItself(elt) || (xhr.status < 500 && !elt.hidden)) say(elt, refusal(xhr));
});
document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (detail.successful && !isLook(detail.elt)) notice.hidden = true;
});

// Without network, a form that only the server can answer is not sent and stays filled in.
// Pressed twice, it is sent once: the second press comes before the answer.
const SECOND_PRESS = 3000; // ms
const sentAt = new WeakMap();
document.addEventListener("submit", (event) => {
  const { target: form, timeStamp: now } = event;
  const isRead = form.getAttribute("method")?.toLowerCase() !== "post";
  if (isRead || event.defaultPrevented) return;
  if (!navigator.onLine) {
    event.preventDefault();
    say(form, notice.dataset.offline);
  } else if (now - sentAt.get(form) < SECOND_PRESS) event.preventDefault();
  else sentAt.set(form, now);
});

// A page from the service worker's cache shows when it was stored.
const { copyOf } = document.documentElement.dataset;
const copy = document.getElementById("page-copy");
function sayCopy() {
  const then = new Date(copyOf);
  const isToday = then.toDateString() === new Date().toDateString();
  const time = then.toLocaleTimeString(document.documentElement.lang, { timeStyle: "short", hourCycle: "h23" });
  const said = isToday ? copy.dataset.today : copy.dataset.earlier;
  copy.firstElementChild.textContent = said
    .replace("{time}", time)
    .replace("{date}", then.toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" }));
  copy.hidden = false;
}
if (copyOf) {
  sayCopy();
  document.querySelector(".messages")?.remove(); // about earlier actions
  const sayBack = () => (copy.firstElementChild.textContent = copy.dataset.back);
  addEventListener("online", sayBack);
  document.addEventListener("htmx:afterOnLoad", sayBack);
}
// A page that was loaded before the worker started is cached by it too.
addEventListener("load", async () => {
  const { serviceWorker } = navigator;
  await serviceWorker?.register("/sw.js").catch(() => {});
  const [arrival] = performance.getEntriesByType("navigation");
  if (!serviceWorker || !arrival || arrival.workerStart) return;
  const { active } = await serviceWorker.ready;
  active.postMessage(location.href.replace(/#.*/, ""));
});

// Updates the cached copy of a page when a part of the page is updated.
async function renewCopy(target, content) {
  const pages = await caches.open("pages");
  const address = location.href.replace(/#.*/, "");
  const before = await pages.match(address);
  if (!before) return;
  const page = new DOMParser().parseFromString(await before.text(), "text/html");
  page.getElementById(target.id).innerHTML = content;
  const text = `<!doctype html>${page.documentElement.outerHTML}`;
  const headers = new Headers(before.headers);
  headers.set("Orne-Time", new Date().toISOString());
  headers.set("Orne-Size", new Blob([text]).size);
  await pages.put(address, new Response(text, { headers }));
}
let renewing = Promise.resolve();
document.addEventListener("htmx:afterSwap", ({ detail: { target, xhr } }) => {
  if (!target.matches("[data-copied]") || xhr.status !== 200) return;
  copy.hidden = true; // the page is as it is now
  if (!("caches" in window)) return;
  if (target.querySelector("[data-not-copied]")) return;
  renewing = renewing.then(() => renewCopy(target, xhr.responseText)).catch(() => {});
});

// Shows the print buttons, which work only with scripts.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Tabs that don't fit can be scrolled: scroll to the open one.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  tab.scrollIntoView({ block: "nearest", inline: "center" });
}
