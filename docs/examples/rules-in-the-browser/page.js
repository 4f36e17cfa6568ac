// The page: nothing typed here leaves the browser.

import { loadPyodide } from "./node_modules/pyodide/pyodide.mjs";

import { openRules } from "./orne-rules.js";

const status = document.querySelector("[role=status]");
const list = document.querySelector("ul");

const [pyodide, wheel] = await Promise.all([
  loadPyodide(),
  fetch("orne_rules-1.0.0-py3-none-any.whl").then((answer) => answer.arrayBuffer()),
]);
const rules = openRules(pyodide, wheel);

document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  list.replaceChildren();
  let deck;
  try {
    deck = JSON.parse(new FormData(event.target).get("deck"));
  } catch (error) {
    status.textContent = `This isn’t JSON: ${error.message}`;
    return;
  }
  const answer = rules.check(deck);
  status.textContent = answer.error ? answer.error.message : answer.status;
  for (const finding of answer.findings ?? []) {
    const item = document.createElement("li");
    item.textContent = `${finding.message} ${finding.remedy}`;
    list.append(item);
  }
});
document.querySelector("button").disabled = false;
status.textContent = "Ready.";
