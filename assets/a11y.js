/* Names and roles that Dash's components leave out, kept in place as they re-render. */
(function () {
  "use strict";

  function set(element, name, value) {
    if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
  }

  function control(box) {
    const label = box.dataset.label;
    const labelId = box.id.replace(/-control$/, "-label");
    box.querySelectorAll("[role=slider]").forEach((thumb) => {
      const input = box.querySelector("input.number-box, .number-box input");
      set(thumb, "aria-label", label);
      if (input) set(thumb, "aria-valuetext", (input.value + " " + (box.dataset.unit || "")).trim());
    });
    box.querySelectorAll("[role=listbox].dash-options-list, .segmented").forEach((list) => {
      set(list, "role", "radiogroup");
      set(list, "aria-labelledby", labelId);
    });
    box.querySelectorAll("label[role=option]").forEach((option) => {
      option.removeAttribute("role");
      option.removeAttribute("aria-selected");
    });
    box.querySelectorAll("button.dash-dropdown").forEach((button) => {
      const value = button.querySelector(".dash-dropdown-value, .dash-dropdown-value-item");
      if (value && value.id) set(button, "aria-labelledby", labelId + " " + value.id);
      else set(button, "aria-labelledby", labelId);
      // Dash puts focus on a hidden input beside the button; give it to the button itself.
      set(button, "tabindex", "0");
      set(box.querySelector(".dash-dropdown-focus-target"), "tabindex", "-1");
      const list = document.getElementById(button.getAttribute("aria-controls"));
      set(list, "aria-label", label);
    });
  }

  function figure(frame) {
    const plot = frame.querySelector(".js-plotly-plot");
    set(plot, "role", "figure");
    set(plot, "aria-label", frame.dataset.figureLabel + ". The table below holds the same numbers.");
  }

  let due = false;
  function mend() {
    due = false;
    document.querySelectorAll(".control").forEach(control);
    document.querySelectorAll("[data-figure-label]").forEach(figure);
  }
  new MutationObserver(() => {
    if (!due) { due = true; window.requestAnimationFrame(mend); }
  }).observe(document.documentElement, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["aria-valuenow", "role"],
  });
})();
