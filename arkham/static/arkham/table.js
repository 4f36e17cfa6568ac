// Shows what others wrote as soon as nothing that is being filled in would be lost,
// and keeps an answer that could not be sent until the server is there again.
const KEPT = `answer ${location.pathname}`;
const table = document.getElementById("table");
let touched = false;

table.addEventListener("input", () => (touched = true));
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === table) {
    touched = false;
    document.getElementById("news").replaceChildren();
  } else if (!touched && detail.target.id === "news") {
    detail.target.querySelector("a[hx-get]")?.click();
  }
});

function keep(form) {
  const pairs = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  localStorage.setItem(KEPT, JSON.stringify(pairs));
}

function sendKept() {
  const kept = localStorage.getItem(KEPT);
  const form = table.querySelector("form[data-answer]");
  if (!kept || !form || !navigator.onLine) return;
  const values = { csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value };
  for (const [name, value] of JSON.parse(kept)) (values[name] ??= []).push?.(value);
  const url = form.getAttribute("hx-post");
  htmx.ajax("POST", url, { values, target: table, swap: "innerHTML", source: form });
}

// What was sent under its key before is not written twice: sending again is safe.
document.addEventListener("htmx:sendError", ({ detail }) => {
  if (detail.elt.matches("form[data-answer]")) keep(detail.elt);
});
// Heard before the swap: afterwards the form is gone, and nobody knows whose answer it was.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  if (detail.xhr.status && detail.elt.matches("form[data-answer]")) {
    localStorage.removeItem(KEPT);
  }
});
addEventListener("online", sendKept);
sendKept();
