// Looks for news as soon as the server says that something has changed. Without a stream
// of events the page polls, as it does without this script.
const look = document.querySelector("[data-stream]");
let stream = null;

const isOpen = () => stream?.readyState === EventSource.OPEN;

function open() {
  close();
  stream = new EventSource(look.dataset.stream);
  stream.addEventListener("message", () => htmx.trigger(look, "news"));
}
function close() {
  stream?.close();
  stream = null;
}
// A hidden page has no connection; visible again, it catches up.
function follow() {
  if (document.hidden) close();
  else open();
}

look.addEventListener("htmx:beforeRequest", (event) => {
  if (isOpen() && event.detail.requestConfig.triggeringEvent?.type !== "news") event.preventDefault();
});
document.addEventListener("visibilitychange", follow);
follow();
