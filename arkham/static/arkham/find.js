// The search on every page: its instant results are a list with keyboard control.
const form = document.getElementById("site-search");
const box = form.querySelector("input");
const glance = document.getElementById("glance");
const said = document.getElementById("glance-said");
let at = -1; // the selected option; -1 for the box itself

const options = () => [...glance.querySelectorAll('[role="option"]')];

function mark(index) {
  const all = options();
  all[at]?.setAttribute("aria-selected", "false");
  at = index;
  all[at]?.setAttribute("aria-selected", "true");
  all[at]?.scrollIntoView({ block: "nearest" });
  if (all[at]) box.setAttribute("aria-activedescendant", all[at].id);
  else box.removeAttribute("aria-activedescendant");
}

function show(isOpen) {
  const list = glance.firstElementChild;
  glance.hidden = !(isOpen && list);
  box.setAttribute("aria-expanded", String(!glance.hidden));
  if (list) box.setAttribute("aria-controls", list.id);
  else box.removeAttribute("aria-controls");
  if (glance.hidden) mark(-1);
}

box.setAttribute("role", "combobox");
box.setAttribute("aria-autocomplete", "list");
show(false);

const MOVES = { ArrowDown: 1, ArrowUp: -1 };
box.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.isComposing) return;
  const all = options();
  if (key in MOVES && all.length) {
    event.preventDefault();
    const places = all.length + 1; // the box is one of them
    const next = glance.hidden ? (MOVES[key] > 0 ? 0 : all.length - 1)
      : ((at + 1 + MOVES[key] + places) % places) - 1;
    show(true);
    mark(next);
  } else if (key === "Enter" && all[at]) {
    event.preventDefault();
    all[at].click();
  } else if (key === "Escape" && !glance.hidden) {
    event.preventDefault(); // the box keeps its text
    event.stopPropagation();
    show(false);
  }
});
form.addEventListener("toggle", ({ newState }) => newState === "open" && box.focus());
box.addEventListener("focus", () => show(true));
box.addEventListener("input", () => mark(-1));
form.addEventListener("focusout", ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) show(false);
});
// In some browsers a press on an option takes the focus from the box before the click.
glance.addEventListener("pointerdown", (event) => event.pointerType === "mouse" && event.preventDefault());
glance.addEventListener("htmx:afterSwap", () => {
  at = -1;
  show(form.contains(document.activeElement));
  said.textContent = glance.firstElementChild?.dataset.said ?? "";
});

// "/" opens the search, except in the builder, whose own search uses it.
document.addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || event.isComposing) return;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  if (document.querySelector("dialog[open], #builder[data-revision]")) return;
  event.preventDefault();
  if (getComputedStyle(form).display === "none") form.showPopover();
  box.focus();
  box.select();
});
