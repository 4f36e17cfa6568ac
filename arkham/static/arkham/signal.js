// Plays a sound and vibrates when a new question is for the person at this device. Off
// by default; the device remembers the setting.
const KEY = "signal";
const on = () => localStorage.getItem(KEY) === "on";
const turn = () => document.querySelector(".turn");
let seen = turn()?.dataset.turn;

function show() {
  for (const button of document.querySelectorAll("[data-signal]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(on()));
  }
}

function ring() {
  navigator.vibrate?.([80, 60, 80]);
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0.1, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.frequency.value = 660;
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
  tone.onended = () => audio.close();
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-signal]")) return;
  localStorage.setItem(KEY, on() ? "off" : "on");
  show();
  if (on()) ring(); // a sample; and only after a press may a page play sound
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  show();
  const now = turn()?.dataset;
  const isOwn = detail.requestConfig.verb === "post"; // the answer was sent from here
  if (on() && !isOwn && now && "mine" in now && now.turn !== seen) ring();
  seen = now?.turn;
});
show();
