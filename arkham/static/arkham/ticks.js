// Remembers the ticks of a list in this browser, until the list changes.
for (const list of document.querySelectorAll("[data-ticks]")) {
  const key = `ticks:${list.dataset.ticks}`;
  const boxes = [...list.querySelectorAll('input[type="checkbox"]')];
  const kept = (() => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? [];
    } catch {
      return []; // a browser without storage
    }
  })();
  for (const box of boxes) box.checked = kept.includes(box.value);
  list.addEventListener("change", () => {
    const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
    try {
      localStorage.setItem(key, JSON.stringify(ticked));
    } catch {
      // The ticks last until the page is left.
    }
  });
}
