// Says it when the server could not be reached, could not answer, or refused.
const notice = document.getElementById("notice");
const keepsItself = (elt) => elt.matches("[data-kept]");
const isLook = (elt) => elt.matches('[hx-trigger*="every"]'); // for news: not pressed

// It stands in the form that was sent: at the top of a long page it is out of sight.
function say(elt, text) {
  if (isLook(elt)) return;
  const form = elt.closest("form");
  if (form) form.append(notice);
  else if (!notice.isConnected) document.getElementById("content").prepend(notice);
  notice.textContent = text;
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

// What a page of the server says that stands for an answer: its heading and first words.
function refusal({ responseText }) {
  const page = new DOMParser().parseFromString(responseText, "text/html");
  const said = [...page.querySelectorAll("main h1, main .lead")].map((one) => one.textContent.trim());
  return said.length === 2 ? said.join(". ") : notice.dataset.failed;
}

// A page is no part of this one: its words are said in the notice.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status < 400 || !/^\s*<!doctype html/i.test(detail.serverResponse)) return;
  detail.shouldSwap = false;
  detail.isError = true;
});
// What keeps itself until it is sent says so itself, if it wasn't refused.
document.addEventListener("htmx:sendError", ({ detail: { elt } }) => {
  if (!keepsItself(elt)) say(elt, notice.dataset.unreachable);
});
document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
  if (!keepsItself(elt) || (xhr.status < 500 && !elt.hidden)) say(elt, refusal(xhr));
});
document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (detail.successful && !isLook(detail.elt)) notice.hidden = true;
});

// A browser prints a page by its own means too: the button is there if it can.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Tabs that do not fit are slid: the one that is open is in sight.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  tab.scrollIntoView({ block: "nearest", inline: "center" });
}
