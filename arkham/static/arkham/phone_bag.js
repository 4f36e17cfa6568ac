// The odds of a test on a phone without network; its tokens are drawn in kept.js.
// The tokens are not known here: the page has the number and effect of each. A token
// has `count`, `modifier`, `another` (another is revealed), `once` (the second fails the
// test) and `automatic` ("success", "failure" or "").

const total = (tokens) => tokens.reduce((sum, { count }) => sum + count, 0);

function divisor(a, b) {
  return b ? divisor(b, a % b) : a;
}

function choose(n, k) {
  let ways = 1n;
  for (let i = 0n; i < k; i += 1n) ways = (ways * (BigInt(n) - i)) / (i + 1n);
  return ways;
}

// Returns, for each number of tokens that reveal others, how many sets have each sum.
function chainsOf(tokens) {
  let sets = [new Map([[0, 1n]])];
  const add = (modifier, ways) => {
    const longer = [...sets.map((each) => new Map(each)), new Map()];
    sets.forEach((each, length) => {
      for (const [sum, count] of each) {
        const to = longer[length + 1];
        to.set(sum + modifier, (to.get(sum + modifier) ?? 0n) + count * ways);
      }
    });
    sets = longer;
  };
  for (const { count, modifier, once } of tokens) {
    if (once && count) add(modifier, BigInt(count));
    else for (let copy = 0; copy < count; copy += 1) add(modifier, 1n);
  }
  return sets;
}

const ways = (sums = new Map()) => [...sums.values()].reduce((sum, each) => sum + each, 0n);

// Returns the odds of one token with its chain: [numerator, denominator], reduced.
export function passing(tokens, skill, difficulty) {
  const isFailure = ({ automatic }) => automatic === "failure";
  const chained = tokens.filter((each) => each.another && !isFailure(each));
  const ending = tokens.filter((each) => !each.another || isFailure(each));
  const enough = (sum) => difficulty <= 0 || sum >= difficulty - skill;
  const size = total(tokens);
  if (!total(ending)) return passingAll(chained, enough);
  const plain = ending.filter(({ automatic }) => !automatic);
  const wins = BigInt(total(ending.filter(({ automatic }) => automatic === "success")));
  const usual = chainsOf(chained.filter(({ automatic }) => !automatic));
  const all = chainsOf(chained);
  let [above, below] = [0n, 1n];
  all.forEach((sums, length) => {
    const lucky = ways(sums) - ways(usual[length]);
    let passed = ways(sums) * wins + lucky * BigInt(total(plain));
    for (const [sum, count] of usual[length] ?? []) {
      passed += count * BigInt(total(plain.filter(({ modifier }) => enough(sum + modifier))));
    }
    const part = BigInt(size) * choose(size - 1, length);
    [above, below] = [above * part + passed * below, below * part];
  });
  const common = divisor(above, below);
  return [above / common, below / common];
}

// No token ends the chain, so the whole bag is resolved.
function passingAll(tokens, enough) {
  if (tokens.some(({ once, count }) => once && count > 1)) return [0n, 1n];
  if (tokens.some(({ automatic, count }) => automatic && count)) return [1n, 1n];
  const sum = tokens.reduce((all, { modifier, count }) => all + modifier * count, 0);
  return [enough(sum) ? 1n : 0n, 1n];
}

const scenario = document.getElementById("scenario");
const bag = () => document.getElementById("phone-bag");

// As the page shows it, once the test has ended.
function tokensOf(panel) {
  return [...panel.querySelectorAll("[data-letter]")].map(({ dataset }) => {
    const entered = panel.querySelector(`[data-modifier-of="${dataset.letter}"]`);
    const returning = dataset.returns === "true" ? panel.dataset.revealed.split(dataset.letter).length - 1 : 0;
    return {
      count: Number(dataset.count) + returning,
      modifier: Number(entered?.value ?? dataset.modifier),
      another: dataset.another === "true",
      once: Boolean(dataset.second),
      automatic: dataset.automatic,
    };
  });
}

function showOdds() {
  const panel = bag();
  const [skill, difficulty] = ["skill", "difficulty"].map((name) => Number(panel.querySelector(`[name="${name}"]`).value));
  const tokens = tokensOf(panel).filter(({ count }) => count > 0);
  const [above, below] = tokens.length ? passing(tokens, skill, difficulty) : [0n, 1n];
  const percent = (Number((above * 10_000n) / below) / 100).toFixed(1);
  panel.querySelector("output").textContent = `${percent} % (${above}/${below})`;
}

function show() {
  if (bag()) showOdds();
}

scenario?.addEventListener("input", ({ target }) => bag()?.contains(target) && showOdds());
scenario?.addEventListener("counted", show);
document.addEventListener("htmx:afterSwap", show);
if (scenario) show();
