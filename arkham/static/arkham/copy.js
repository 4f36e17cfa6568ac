// A browser that may write to the clipboard gets a button for it; the field stays
// selectable for the others.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  field.addEventListener("focus", () => field.select());
  button.hidden = !navigator.clipboard;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied;
    } catch {
      field.focus();  // refused: it is selected, to be copied by hand
    }
  });
}
