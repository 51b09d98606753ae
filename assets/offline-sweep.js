/* An offline file of precomputed states: a slider over them, and a switch between figures. */
(async () => {
  "use strict";

  const { clear, draw, element, make, open, read, setText, write } = window.foptrnOffline;
  const data = await open();
  const last = data.positions.length - 1;
  const unit = data.unit ? ` ${data.unit}` : "";
  let here = data.start;
  let shown = 0;

  const slider = make("input", {
    id: "position", type: "range", min: 0, max: last, step: 1, value: here,
    attributes: { "aria-labelledby": "position-label" },
  });
  const value = make("output", { id: "position-value", className: "position" });
  const nearby = (text, by) => make("button", { type: "button", textContent: text, onclick: () => move(here + by) });
  const [less, more] = [nearby("Previous", -1), nearby("Next", 1)];
  const reset = make("button", { type: "button", id: "reset", textContent: "Reset", onclick: () => move(data.start) });
  element("controls").append(
    make("div", { className: "control" }, [
      make("div", { className: "control-head" }, [
        make("label", { id: "position-label", htmlFor: "position", textContent: data.label })]),
      value, slider,
      make("div", { className: "ends" }, [0, last].map((place) =>
        make("span", { textContent: data.positions[place].label + unit })))]),
    make("div", { className: "buttons" }, [less, more, reset]),
    make("p", { id: "told", className: "told", textContent: data.told }));

  const tabs = data.plates.map((plate, index) => make("button", {
    type: "button", textContent: plate.short,
    onclick: () => { if (index !== shown) { clear(); shown = index; show(); } },
  }));
  element("tabs").append(...tabs);
  element("tabs").hidden = false;

  function show() {
    const position = data.positions[here];
    const mark = here === data.start ? " (downloaded)" : "";
    slider.value = String(here);
    slider.setAttribute("aria-valuetext", `${position.label}${unit}, ${here + 1} of ${last + 1}`);
    value.textContent = position.label + unit + mark;
    less.disabled = here === 0;
    more.disabled = here === last;
    tabs.forEach((tab, index) => tab.setAttribute("aria-pressed", String(index === shown)));
    setText("title", data.plates[shown].title);
    setText("verdict", position.verdict);
    return draw(position.figures[shown]);
  }

  function move(to) {
    here = Math.min(Math.max(to, 0), last);
    write(here === data.start ? {} : { position: here + 1 });
    show();
  }

  // A position that there is not leaves the file where it was downloaded.
  function restore() {
    const asked = read().get("position");
    const wanted = asked === null ? data.start + 1 : Number(asked);
    const known = Number.isInteger(wanted) && wanted >= 1 && wanted <= last + 1;
    setText("problem", known ? "" : `position must be a whole number from 1 to ${last + 1}, got ${asked.slice(0, 60) || "nothing"}`);
    if (known) here = wanted - 1;
    show();
  }

  slider.addEventListener("input", () => move(Number(slider.value)));
  window.addEventListener("hashchange", restore);
  restore();
  document.documentElement.dataset.ready = "true";
})();
