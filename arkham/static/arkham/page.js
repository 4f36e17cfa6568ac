// Says it when the server could not be reached or could not answer.
const notice = document.getElementById("notice");

function say(text) {
  notice.textContent = text;
  notice.hidden = false;
}

document.addEventListener("htmx:sendError", () => say(notice.dataset.unreachable));
document.addEventListener("htmx:responseError", () => say(notice.dataset.failed));
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
