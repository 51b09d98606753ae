/* The speaker's window: notes of the slide that the deck shows, the next title, and the time. */
(function () {
  "use strict";
  const sections = Array.from(document.querySelectorAll("[data-slide]"));
  const channel = new BroadcastChannel("foptrn " + window.location.pathname);
  let here = 0, started = Date.now();

  function show(id) {
    const index = sections.findIndex((section) => section.dataset.slide === id);
    if (index < 0) return;
    here = index;
    sections.forEach((section, place) => { section.hidden = place !== index; });
    document.querySelector("[data-counter]").textContent = `${index + 1} / ${sections.length}`;
    window.history.replaceState(null, "", "#" + id);
  }

  function ask(step) {
    const wanted = sections[Math.min(Math.max(here + step, 0), sections.length - 1)].dataset.slide;
    show(wanted);
    channel.postMessage({ go: wanted });
  }

  function tick() {
    const now = new Date();
    const past = Math.floor((now - started) / 1000);
    const two = (number) => String(number).padStart(2, "0");
    document.querySelector("[data-clock]").textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
    document.querySelector("[data-elapsed]").textContent = `${Math.floor(past / 60)}:${two(past % 60)}`;
  }

  const actions = {
    previous: () => ask(-1),
    next: () => ask(1),
    restart: () => { started = Date.now(); tick(); },
  };
  document.querySelectorAll("[data-action]").forEach((button) => {
    button.addEventListener("click", () => actions[button.dataset.action]());
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const onButton = event.target.closest("button");
    const forward = ["ArrowRight", "PageDown"].includes(event.key) || (event.key === " " && !onButton);
    if (!forward && !["ArrowLeft", "PageUp"].includes(event.key)) return;
    event.preventDefault();
    ask(forward ? 1 : -1);
  });
  channel.addEventListener("message", (event) => { if (event.data.at) show(event.data.at); });
  show(window.location.hash.slice(1));
  channel.postMessage({ hello: true });
  tick();
  window.setInterval(tick, 1000);
})();
