// Says it when the server could not be reached or could not answer.
const notice = document.getElementById("notice");

// It stands in the form that was sent: at the top of a long page nobody sees it. What
// keeps itself until it is sent says so itself, and a look for news is nobody's press.
function say(elt, text) {
  if (elt.matches('[data-kept], [hx-trigger*="every"]')) return;
  elt.closest("form")?.append(notice);
  notice.textContent = text;
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:sendError", ({ detail }) => say(detail.elt, notice.dataset.unreachable));
document.addEventListener("htmx:responseError", ({ detail }) => say(detail.elt, notice.dataset.failed));
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.successful) notice.hidden = true;
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
