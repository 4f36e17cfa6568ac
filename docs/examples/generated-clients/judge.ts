// Judges decks with types that were generated from the API's description.
// The address of the server is its argument; what it says of each deck is printed.

import type { components, paths } from "./orne.js";

declare const process: { argv: string[] };

type Deck = components["schemas"]["JudgedDeck"];
type Held = components["schemas"]["DeckWithCircumstances"];
type Verdict = components["schemas"]["Verdict"];
type Legality = paths["/api/v1/legality"]["post"];
type Batch = paths["/api/v1/legality/batch"]["post"];

async function ask<Answer>(path: keyof paths, body: unknown): Promise<Answer> {
  const answer = await fetch(`${process.argv[2]}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}

function told(verdict: Verdict | components["schemas"]["Refused"]) {
  if ("problem" in verdict) throw new Error(verdict.problem.detail);
  const rules = [...new Set(verdict.findings.map((finding) => finding.rule))];
  return {
    id: verdict.id,
    status: verdict.status,
    size: verdict.deck_size,
    rules: rules.sort(),
  };
}

const slots = { "01006": 1, "01007": 1, "03307": 1 };
const alone: Deck = { investigator_code: "01001", slots, id: "alone" };
const held: Held = {
  deck: { investigator_code: "01001", slots },
  circumstances: { mode: "campaign", experience_earned: 5 },
  id: "held",
};

// The checker finds these where the types say something.
// @ts-expect-error a code is a text
const wrongCode: Deck = { investigator_code: 1001, slots };
// @ts-expect-error copies are numbers
const wrongCopies: Deck = { investigator_code: "01001", slots: { "01006": "two" } };
// @ts-expect-error there is no such mode
const wrongMode: Held["circumstances"] = { mode: "solo" };
// @ts-expect-error an item is a deck
const wrongItem: Batch["requestBody"]["content"]["application/json"][0] = "deck";

type Answer = Legality["responses"][200]["content"]["application/json"];
type Answers = Batch["responses"][200]["content"]["application/json"];
const decks: Batch["requestBody"]["content"]["application/json"] = [alone, held];
const first = await ask<Answer>("/api/v1/legality", alone);
const both = await ask<Answers>("/api/v1/legality/batch", decks);
console.log(JSON.stringify([told(first), ...both.map(told)]));
