/* What the controls of pages and of offline files have in common: where a slider stands, and which
   keys are a control's own. */
(() => {
  "use strict";

  /* ---- sliders ---- */

  const logarithm = (field, value) =>
    field.scale === "log2" ? Math.log2(value) : field.scale === "log10" ? Math.log10(value) : value;

  // Zero has no logarithm: it stands one step left of the least value that is shown.
  const zeroPosition = (field) => logarithm(field, field.floor) - field.step;
  const toPosition = (field, value) =>
    field.floor && value < field.floor ? zeroPosition(field) : logarithm(field, value);

  function fromPosition(field, position) {
    if (field.floor && position < zeroPosition(field) + field.step / 2) return 0;
    const value =
      field.scale === "log2" ? 2 ** position : field.scale === "log10" ? 10 ** position : position;
    const short = Number(value.toPrecision(field.scale === "log10" ? 3 : 9));
    // Three digits of an end may lie beyond it.
    const within = Math.min(Math.max(short, field.low), field.high);
    return field.kind === "int" ? Math.round(within) : within;
  }

  /* ---- keys that nothing uses, for a page that holds this one ---- */

  const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified", "Tab"];
  const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  const JUMPS = ["Home", "End", "PageUp", "PageDown"];
  const PRESSES = [" ", "Enter"];

  function uses(item, key) {
    if (key === "Escape") return false;
    if (item.matches("input[type=radio], input[type=checkbox]")) return [...ARROWS, ...PRESSES].includes(key);
    if (item.matches("[role=slider], input[type=range]")) return [...ARROWS, ...JUMPS].includes(key);
    if (item.matches("input, textarea, select, [contenteditable=true]")) return true;
    if (item.matches("[role=listbox], [role=option], [role=radio], [aria-expanded=true], [aria-haspopup]")) {
      return [...ARROWS, ...JUMPS, ...PRESSES].includes(key);
    }
    if (item.matches("button, summary")) return PRESSES.includes(key);
    if (item.matches("a[href]")) return key === "Enter";
    // What scrolls up and down has no use for the arrows to the sides.
    const scrolls = item !== document.body && item.scrollHeight > item.clientHeight
      && /auto|scroll/.test(getComputedStyle(item).overflowY);
    return scrolls && ["ArrowUp", "ArrowDown", ...JUMPS, " "].includes(key);
  }

  const targetOf = (event) => (event.target instanceof Element ? event.target : document.body);
  const isFree = (event) => !(event.defaultPrevented || event.isComposing
    || MODIFIERS.includes(event.key) || uses(targetOf(event), event.key));

  function keyMessage({ key, code, shiftKey, ctrlKey, altKey, metaKey }) {
    return { type: "foptrn:key", key, code, shiftKey, ctrlKey, altKey, metaKey };
  }

  window.foptrnControls = { fromPosition, isFree, keyMessage, targetOf, toPosition };
})();
