// Caches the pages that were read last, for a table without network. Pages come from the
// server while it can be reached; else from the cache, with the time. `ORNE` is defined
// before this: the version, the files, and the addresses of the pages shown offline.
const { version, files, listed, unsent, references, signOut, files_at: filesAt } = ORNE;
const FILES = `files ${version}`;
const PAGES = "pages"; // page.js writes there too
const MOST_PAGES = 60;
const MOST_BYTES = 3_000_000; // of all pages
const LARGEST = 500_000; // of one page
const A_WEEK = 7 * 24 * 3600 * 1000;
const RENEWED = 12; // pages fetched again if the files they use have changed
const NOT_REACHED = [502, 503, 504]; // by a proxy in front of the server

let turn = Promise.resolve();

// In order, so that nothing in progress restores what was dropped.
function inTurn(work) {
  turn = turn.then(work).catch(() => {});
  return turn;
}

// A page as strangers see it, without account.
async function fetchImpersonal(address) {
  const answer = await fetch(address, { credentials: "omit" });
  if (answer.ok) await (await caches.open(FILES)).put(address, dated(answer, await answer.text()));
}

function dated(answer, text) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  headers.set("Orne-Time", new Date().toISOString());
  headers.set("Orne-Size", new Blob([text]).size);
  return new Response(text, { headers });
}

async function keep(address, answer) {
  const reader = answer.headers.get("Orne-Reader");
  if (reader === null) return;
  const text = answer.headers.has("Orne-Copy") ? await answer.text() : "";
  await inTurn(async () => {
    const [before] = await readers();
    if (before !== undefined && before !== reader) await caches.delete(PAGES);
    if (!text || text.length > LARGEST) return;
    const pages = await caches.open(PAGES);
    await pages.delete(address);
    await pages.put(address, dated(answer, text));
    await dropOldest(pages);
  });
}

async function readers() {
  const pages = await caches.open(PAGES);
  const [first] = await pages.keys();
  return first ? [(await pages.match(first)).headers.get("Orne-Reader")] : [];
}

async function dropOldest(pages) {
  let [count, bytes] = [0, 0];
  for (const key of (await pages.keys()).reverse()) {
    count += 1;
    bytes += Number((await pages.match(key)).headers.get("Orne-Size"));
    if (count > MOST_PAGES || bytes > MOST_BYTES) await pages.delete(key);
  }
}

async function keepReferences() {
  if (navigator.connection?.saveData) return;
  for (const address of Object.values(references)) {
    const held = await (await caches.open(FILES)).match(address);
    const age = Date.now() - Date.parse(held?.headers.get("Orne-Time") ?? 0);
    if (!(age < A_WEEK)) await fetchImpersonal(address).catch(() => {});
  }
}

// A helper's state is its query string: without one, use the helper's last state.
async function copyOf(address) {
  const pages = await caches.open(PAGES);
  let found = await pages.match(address);
  if (!found && !new URL(address).search) {
    found = (await pages.matchAll(address, { ignoreSearch: true })).pop();
  }
  if (!found) return (await caches.open(FILES)).match(address);
  const time = `<html data-copy-of="${found.headers.get("Orne-Time")}"`;
  const text = (await found.text()).replace("<html", time);
  return new Response(text, { headers: found.headers });
}

// Redirects a rule or card that isn't cached to its place on the page with all of them.
async function placeOf(address) {
  const { pathname } = new URL(address);
  const [from, to] = Object.entries(references).find(([each]) => pathname.startsWith(each)) ?? [];
  if (!to || !(await (await caches.open(FILES)).match(to))) return null;
  const [name] = pathname.slice(from.length).split("/");
  return Response.redirect(name ? `${to}#at-${name}` : to);
}

async function insteadOf(address) {
  const page = await (await caches.open(FILES)).match(address);
  return page ? new Response(await page.text(), { status: 503, headers: page.headers }) : Response.error();
}

async function read(event) {
  const address = event.request.url.replace(/#.*/, "");
  try {
    const answer = await fetch(event.request);
    if (!NOT_REACHED.includes(answer.status)) {
      event.waitUntil(keep(address, answer.clone()).then(keepReferences));
      return answer;
    }
    return (await copyOf(address)) ?? answer;
  } catch {
    return (await copyOf(address)) ?? (await placeOf(address)) ?? insteadOf(listed);
  }
}

async function send(event) {
  if (new URL(event.request.url).pathname === signOut) await inTurn(() => caches.delete(PAGES));
  try {
    return await fetch(event.request);
  } catch {
    return insteadOf(unsent);
  }
}

async function fetchFile(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request.url)) ?? Response.error();
  }
}

async function install() {
  await (await caches.open(FILES)).addAll(files);
  for (const address of [listed, unsent]) await fetchImpersonal(address);
  await skipWaiting();
}

// Cached under its final address, since an address may redirect by now.
async function fetchAndKeep(address) {
  await fetch(address).then((answer) => keep(answer.url, answer), () => {});
}

// Pages of another version use files that are gone: fetch the last of them again.
async function takeOver() {
  const old = (await caches.keys()).filter((name) => name !== FILES && name !== PAGES);
  for (const name of old) await caches.delete(name);
  await clients.claim();
  if (!old.length) return;
  const pages = await (await caches.open(PAGES)).keys();
  await caches.delete(PAGES);
  for (const { url } of pages.slice(-RENEWED)) await fetchAndKeep(url);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("message", (event) => event.waitUntil(fetchAndKeep(event.data)));
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(method === "GET" ? read(event) : send(event));
  else if (pathname.startsWith(filesAt)) event.respondWith(fetchFile(event.request));
});
