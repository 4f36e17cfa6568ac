// Shows a copy button if the browser may write to the clipboard; in other browsers the
// field can be selected. Swaps may bring fields too.
function show() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.setAttribute("aria-live", "polite");
  }
}

document.addEventListener("focusin", ({ target }) => {
  if (target.id && document.querySelector(`[data-copy="${CSS.escape(target.id)}"]`)) target.select();
});
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  } catch {
    field.focus(); // refused: select it, to be copied by hand
  }
});
document.addEventListener("htmx:afterSwap", show);
show();
