// Looks for news as soon as the server says that something has changed. Without a stream
// of events the page looks by the clock, as it does of itself.
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
// A page out of sight holds no connection; back in sight it has missed nothing.
function follow() {
  if (document.hidden) close();
  else open();
}

look.addEventListener("htmx:beforeRequest", (event) => {
  if (isOpen() && event.detail.requestConfig.triggeringEvent?.type !== "news") event.preventDefault();
});
document.addEventListener("visibilitychange", follow);
follow();
