// Lists what this device stores: pages that were read, and acts waiting to be sent.
const kept = document.getElementById("kept");
const waiting = document.getElementById("waiting");
const language = document.documentElement.lang;

function line(address, title, note) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = address;
  link.textContent = title;
  link.className = "wide-target";
  const said = document.createElement("span");
  said.className = "subtitle";
  said.textContent = note;
  item.append(link, " ", said);
  return item;
}

async function titleOf(answer) {
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.title.replace(/ – Orne$/, "");
}

async function keptPages() {
  const pages = await caches.open("pages");
  const lines = [];
  for (const { url } of (await pages.keys()).reverse()) {
    const answer = await pages.match(url);
    const time = new Date(answer.headers.get("Orne-Time"));
    const said = time.toLocaleString(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
    lines.push(line(url, await titleOf(answer), said));
  }
  return lines;
}

// Their names begin with their kind and the address of their page.
function showWaiting() {
  const names = Object.keys(localStorage).filter((name) => /^(answer|play) \//.test(name));
  const addresses = [...new Set(names.map((name) => name.split(" ")[1]))];
  waiting.querySelector("ul").replaceChildren(...addresses.map((each) => line(each, each, "")));
  waiting.hidden = !addresses.length;
}

document.getElementById("not-read").hidden = location.pathname === kept.dataset.address;
showWaiting();
const lines = "caches" in window ? await keptPages() : [];
kept.querySelector("ul").replaceChildren(...lines);
kept.querySelector("ul").hidden = !lines.length;
document.getElementById("none").hidden = lines.length > 0;
