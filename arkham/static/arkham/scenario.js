// Shows what others did as soon as they did it, and keeps what is being typed in the
// notepad while the rest of the page is brought up to date.
const scenario = document.getElementById("scenario");
const news = document.getElementById("scenario-news");
let typed = null;

const notes = () => scenario.querySelector("form[data-notes]");

scenario.addEventListener("input", ({ target }) => {
  const form = notes();
  if (form?.contains(target)) typed = { what: target.value, seen: form.elements.seen.value };
});
scenario.addEventListener("submit", ({ target }) => {
  if (target === notes()) typed = null;
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === news) {
    news.querySelector("a[hx-get]")?.click();
  } else if (detail.target === scenario) {
    news.replaceChildren();
    const form = notes();
    if (!typed || !form) return;
    // Sent with the version it was begun in: what others wrote is not lost either.
    form.elements.what.value = typed.what;
    form.elements.seen.value = typed.seen;
  }
});
