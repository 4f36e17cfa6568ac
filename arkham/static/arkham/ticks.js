// What was ticked off a list stays so in this browser, until the list is another one.
for (const list of document.querySelectorAll("[data-ticks]")) {
  const key = `ticks:${list.dataset.ticks}`;
  const boxes = [...list.querySelectorAll('input[type="checkbox"]')];
  const kept = (() => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? [];
    } catch {
      return []; // a browser that keeps nothing
    }
  })();
  for (const box of boxes) box.checked = kept.includes(box.value);
  list.addEventListener("change", () => {
    const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
    try {
      localStorage.setItem(key, JSON.stringify(ticked));
    } catch {
      // The ticks are there until the page is left.
    }
  });
}
