/* A finger that scrolls the page over a slider leaves the slider alone. What it means is clear once it
   has moved sideways, or has gone up where it came down; until then the slider is not told of it. */
(function () {
  "use strict";

  const SIDEWAYS_PX = 4;
  let held = null; // how the finger came down

  function tell() {
    const { target, pointerId, clientX, clientY } = held;
    held = null;
    target.dispatchEvent(new PointerEvent("pointerdown", {
      bubbles: true, cancelable: true, composed: true, pointerType: "touch", isPrimary: true,
      buttons: 1, pointerId, clientX, clientY,
    }));
  }

  document.addEventListener("pointerdown", (event) => {
    // What is told above comes by here as well, and passes.
    if (!event.isTrusted || event.pointerType !== "touch") return;
    if (!event.isPrimary || !event.target.closest(".dash-slider-root")) return;
    event.stopImmediatePropagation();
    event.preventDefault(); // no mouse follows this finger
    held = event;
  }, true);

  document.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointerId) return;
    const across = Math.abs(event.clientX - held.clientX);
    if (across > SIDEWAYS_PX && across > Math.abs(event.clientY - held.clientY)) tell();
    else event.stopImmediatePropagation();
  }, true);

  document.addEventListener("pointerup", (event) => {
    if (held && event.pointerId === held.pointerId) tell();
  }, true);

  // The browser has taken the finger for scrolling.
  document.addEventListener("pointercancel", () => { held = null; }, true);
})();
