// node judge.mjs orne_rules-1.0.0-py3-none-any.whl [price] < decks.jsonl > verdicts.jsonl

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { loadPyodide } from "pyodide";

import { openRules } from "./orne-rules.js";

const [wheel, command = "check"] = process.argv.slice(2);
const rules = openRules(await loadPyodide(), readFileSync(wheel));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(rules[command](JSON.parse(line))));
}
