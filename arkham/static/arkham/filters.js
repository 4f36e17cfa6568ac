// Chips unset their filters without loading the page, long lists add the chosen value,
// and the sheet closes when it is sent. Without this script, chips are links.
const CHOICES = '.filters :is(input, select), [type="hidden"][name="investigator"]';

function unset(control, value) {
  if (control.type === "checkbox") control.checked &&= Boolean(value) && control.value !== value;
  else control.value = "";
}

document.addEventListener("click", (event) => {
  const chip = event.target.closest("a[data-unset]");
  const filters = document.getElementById("filters");
  if (!chip || !filters || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { unset: fields, value } = chip.dataset;
  for (const control of filters.closest("form").querySelectorAll(CHOICES)) {
    if (fields === "*" || fields.split(" ").includes(control.name)) unset(control, value);
  }
  for (const each of filters.querySelectorAll(".picked:not(:has(:checked))")) each.remove();
  filters.dispatchEvent(new Event("input", { bubbles: true }));
  if (!filters.contains(chip)) document.getElementById("results").focus();
});

document.addEventListener("change", ({ target: list }) => {
  if (!list.matches("select[data-adds]") || !list.value) return;
  const label = document.createElement("label");
  label.className = "toggle word picked";
  const box = Object.assign(document.createElement("input"), {
    type: "checkbox", className: "unseen", name: list.name, value: list.value, checked: true,
  });
  label.append(box, list.selectedOptions[0].textContent);
  list.value = "";
  const there = list.form.querySelector(`[type="checkbox"][name="${list.name}"][value="${CSS.escape(box.value)}"]`);
  if (there) there.checked = true;
  else list.before(label);
});

document.addEventListener("submit", ({ target }) => {
  target.querySelector(":popover-open")?.hidePopover();
});
