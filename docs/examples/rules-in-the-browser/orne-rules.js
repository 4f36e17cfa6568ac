// The rules of decks in JavaScript: the wheel of orne-rules, run by Pyodide. The same
// code as on the server gives the same verdicts; no rule is written twice.

const ANSWER = `
from arkham.rules import check_line, embedded_pool, judge_of, price_line

_judge = judge_of(embedded_pool())
_commands = {"check": check_line, "price": price_line}

def answer(command, line):
    return _commands[command](line.encode(), 1, _judge)[0]

answer
`;

/**
 * Installs the wheel and opens the card pool in it.
 *
 * @param {object} pyodide what loadPyodide() of the npm package pyodide resolves to
 * @param {ArrayBuffer|Uint8Array} wheel the bytes of orne_rules-….whl
 * @returns two functions, each from an object to the answer to it: check takes a deck
 *   (or a deck and its circumstances), price takes {prev, next}
 */
export function openRules(pyodide, wheel) {
  pyodide.unpackArchive(new Uint8Array(wheel), "wheel");
  const answer = pyodide.runPython(ANSWER);
  const ask = (command) => (asked) => JSON.parse(answer(command, JSON.stringify(asked)));
  return { check: ask("check"), price: ask("price") };
}
