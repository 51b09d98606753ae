/* The rows of the results page: hundreds of them, so plain elements made here. */
(function () {
  "use strict";

  const root = () => document.getElementById("results-rows");

  function make(name, attributes, children) {
    const element = document.createElement(name);
    Object.entries(attributes || {}).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...(children || []));
    return element;
  }

  const link = (text, href) => make("a", { href }, [text]);

  function publishedTable(explorer, columns) {
    const rows = explorer.published.map((row) => make("tr", { "data-mark": row.mark },
      row.cells.map((text, index) => make(index ? "td" : "th", {
        "data-label": columns[index], ...(index ? {} : { scope: "row" }),
      }, [columns[index] === "State" ? link(text, row.href) : text]))));
    const heads = columns.map((text) => make("th", { scope: "col" }, [text]));
    return make("table", { class: "published" }, [
      make("caption", {}, ["Beside published values"]),
      make("thead", {}, [make("tr", {}, heads)]), make("tbody", {}, rows),
    ]);
  }

  function state(found) {
    const numbers = found.numbers.map(([name, value]) =>
      make("div", {}, [make("dt", {}, [name]), make("dd", {}, [value])]));
    return make("div", { class: "state" }, [
      make("h4", {}, [link(found.state, found.href)]),
      make("p", { class: "source" }, [`${found.verdict}. Case: ${found.source}.`]),
      make("dl", {}, numbers),
    ]);
  }

  // States without a number are named in one line.
  function uncomputed(states) {
    const names = states.flatMap((found) => [", ", link(found.state, found.href)]).slice(1);
    const count = states.reduce((sum, found) => sum + found.numbers.length, 0);
    return make("p", { class: "state", "data-count": count },
      [`${states[0].verdict}: ${count} numbers of runs that the page starts: `, ...names, "."]);
  }

  function section(explorer, columns) {
    const id = "results-" + explorer.slug;
    const parts = [make("h2", { id }, [explorer.title]), make("p", { class: "source" }, [explorer.question])];
    if (explorer.published.length) parts.push(publishedTable(explorer, columns));
    const absent = explorer.states.filter((found) => found.mark === "absent");
    parts.push(make("div", { class: "states" }, [
      make("h3", {}, ["Headline numbers, without a published value"]),
      ...explorer.states.filter((found) => found.mark !== "absent").map(state),
      ...(absent.length ? [uncomputed(absent)] : []),
    ]));
    return make("section", { "data-slug": explorer.slug, "aria-labelledby": id }, parts);
  }

  async function show(data) {
    // Dash puts a page into the document some time after it calls its callbacks.
    for (let tries = 0; tries < 600 && !root(); tries += 1) {
      await new Promise((next) => window.setTimeout(next, 16));
    }
    if (!root()) return null;
    root().replaceChildren(...data.explorers.map((explorer) => section(explorer, data.columns)));
    filter();
    return null;
  }

  const pressed = (selector) => document.querySelector(`#results ${selector}[aria-pressed=true]`);

  // Each click is a step that Back undoes; what only follows the address replaces it.
  function filter(step) {
    const slug = (pressed("[data-slug]") || { dataset: { slug: "" } }).dataset.slug;
    const outside = Boolean(pressed("#results-outside"));
    let shown = 0;
    root().querySelectorAll("section").forEach((part) => {
      part.hidden = Boolean(slug) && part.dataset.slug !== slug;
      let here = 0;
      part.querySelectorAll("tbody tr").forEach((row) => {
        row.hidden = outside && !["outside", "differs"].includes(row.dataset.mark);
        if (!row.hidden) here += 1;
      });
      part.querySelector(".states").hidden = outside;
      const named = part.querySelector("[data-count]");
      if (!outside) here += part.querySelectorAll("dd").length + (named ? Number(named.dataset.count) : 0);
      if (outside && !here) part.hidden = true;
      if (!part.hidden) shown += here;
    });
    document.getElementById("results-count").textContent =
      outside && !shown ? "No value lies outside its tolerance."
        : `${shown.toLocaleString("en")} ${shown === 1 ? "value" : "values"} shown`;
    if (step) document.getElementById("results-notice").replaceChildren();
    const url = new URL(window.location.href);
    [["explorer", slug], ["outside", outside ? "1" : ""]].forEach(([name, value]) => {
      if (value) url.searchParams.set(name, value); else url.searchParams.delete(name);
    });
    if (url.href === window.location.href) return;
    if (step) window.history.pushState(null, "", url);
    else window.history.replaceState(window.history.state, "", url);
  }

  function choose(slug) {
    document.querySelectorAll("#results [data-slug][aria-pressed]").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.slug === slug));
    });
  }

  // A link of the page's head to the page itself, and Back, change the address alone.
  // Dash's router would fetch the page anew.
  function follow(event) {
    const page = document.getElementById("results");
    if (!page || window.location.pathname !== page.dataset.path) return;
    event.stopImmediatePropagation();
    window.foptrnShow();
    const asked = new URLSearchParams(window.location.search);
    choose(asked.get("explorer") || "");
    document.getElementById("results-outside").setAttribute("aria-pressed", String(asked.get("outside") === "1"));
    filter();
    document.getElementById("results-notice").replaceChildren();
  }
  window.addEventListener("popstate", follow);
  window.addEventListener("_dashprivate_pushstate", follow);

  Object.assign(window.foptrn.actions, {
    "results-explorer": (page, button) => {
      choose(button.dataset.slug);
      filter(true);
    },
    "results-outside": (page, button) => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      filter(true);
    },
  });
  window.dash_clientside = Object.assign({}, window.dash_clientside, { results: { show } });
})();
