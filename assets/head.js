/* Runs before the first paint: theme and embed mode, from the address or the system. */
(function () {
  "use strict";
  // A frame of another site may be denied storage, where merely touching it throws.
  // Dash would stop there, so an in-memory stand-in takes its place.
  ["localStorage", "sessionStorage"].forEach(function (name) {
    try {
      window[name].getItem("probe");
    } catch (denied) {
      var kept = new Map();
      Object.defineProperty(window, name, {
        value: {
          getItem: function (key) { return kept.has(key) ? kept.get(key) : null; },
          setItem: function (key, value) { kept.set(key, String(value)); },
          removeItem: function (key) { kept.delete(key); },
          clear: function () { kept.clear(); },
          key: function (index) { return Array.from(kept.keys())[index] || null; },
          get length() { return kept.size; },
        },
      });
    }
  });
  var system = window.matchMedia("(prefers-color-scheme: dark)");
  function show() {
    var query = new URLSearchParams(window.location.search);
    var asked = query.get("theme");
    var chosen = asked === "light" || asked === "dark" ? asked : window.localStorage.getItem("theme");
    var root = document.documentElement;
    root.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
    root.toggleAttribute("data-embed", query.get("embed") === "1");
  }
  window.foptrnShow = show;
  system.addEventListener("change", show);
  show();
})();
