/* The glossary's search, and the entry that an address names. */
(function () {
  "use strict";

  const plain = (text) => text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const root = () => document.getElementById("glossary");
  const setProps = (id, props) => window.dash_clientside.set_props(id, props);

  // Dash puts a page into the document some time after it calls its callbacks.
  async function present() {
    for (let frames = 0; frames < 600 && !root(); frames += 1) {
      await new Promise((next) => window.setTimeout(next, 16));
    }
    return root();
  }

  function filter(text) {
    const words = plain(text).split(/\s+/).filter(Boolean);
    let found = 0;
    root().querySelectorAll(".entries").forEach((group) => {
      let shown = 0;
      group.querySelectorAll(".entry").forEach((entry) => {
        entry.foptrnWords = entry.foptrnWords || plain(Array.from(
          entry.querySelectorAll("h3 span, .entry-text, .source"), (part) => part.textContent).join(" "));
        entry.hidden = !words.every((word) => entry.foptrnWords.includes(word));
        if (!entry.hidden) shown += 1;
      });
      group.hidden = !shown;
      found += shown;
    });
    return found;
  }

  function keepInAddress(text) {
    root().foptrnKept = text;
    const url = new URL(window.location.href);
    if (text) url.searchParams.set("q", text); else url.searchParams.delete("q");
    if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
  }

  async function search(value) {
    const { triggered } = window.dash_clientside.callback_context; // gone after the first wait
    const submitted = triggered.some((item) => item.prop_id === "glossary-search.n_submit");
    if (!(await present())) return "";
    const text = (value || "").trim();
    const found = filter(text);
    const all = root().querySelectorAll(".entry").length;
    document.getElementById("glossary-clear").hidden = !text;
    keepInAddress(text);
    if (submitted) go(root().querySelector(".entry:not([hidden])"));
    else reveal();
    if (!text) return all + " entries";
    if (found) return `${found} of ${all} entries match \u201c${text}\u201d`;
    return `No entry matches \u201c${text}\u201d. Every word must occur in a title, text or source: ` +
      "try fewer or shorter words.";
  }

  const go = (entry) => { if (entry) window.location.replace("#" + entry.id); };

  // Scrolls to the entry that the address names and marks it, which browsers do not do by
  // themselves for what comes into the document late; an entry that the search hides is shown.
  function reveal() {
    const { hash } = window.location;
    const entry = root() && document.getElementById(decodeURIComponent(hash.slice(1)));
    // What a person searches for afterwards may hide it again.
    if (!entry || !entry.matches(".entry") || root().foptrnRevealed === hash) return;
    if (entry.hidden) {
      setProps("glossary-search", { value: "" });
    } else {
      root().foptrnRevealed = hash;
      // The browser scrolled to a target before the entry was shown.
      if (entry.matches(":target")) entry.scrollIntoView(); else go(entry);
    }
  }

  // A link of the page's head to the page itself, and Back, change the address alone.
  // Dash's router would fetch the page anew, and undo what is being typed.
  function follow(event) {
    const page = root();
    if (!page || window.location.pathname !== page.dataset.path) return;
    event.stopImmediatePropagation();
    window.foptrnShow();
    const asked = new URLSearchParams(window.location.search).get("q") || "";
    // A fragment is followed as well; what someone has begun to type since then stays.
    if (asked !== (page.foptrnKept || "")) setProps("glossary-search", { value: asked });
    window.requestAnimationFrame(reveal);
  }
  window.addEventListener("popstate", follow);
  window.addEventListener("_dashprivate_pushstate", follow);
  window.addEventListener("hashchange", reveal);

  window.dash_clientside = Object.assign({}, window.dash_clientside, { glossary: { search } });
  Object.assign(window.foptrn.actions, {
    "clear-glossary": () => {
      setProps("glossary-search", { value: "" });
      document.getElementById("glossary-search").focus();
    },
    "copy-entry": (page, button) => {
      const url = new URL(root().dataset.path + "#" + button.dataset.anchor, window.location.origin);
      window.foptrn.copyText(url.href).then((copied) => setProps("glossary-count", {
        children: copied ? "Link copied: " + url.href : url.href,
      }));
    },
  });
})();
