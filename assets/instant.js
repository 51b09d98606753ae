/* Answers while a slider moves or a line is dragged: verdict and first figure by the models in
   model*.js, which are loaded once the page has been drawn. The server's answer on release is what
   stays. Without a model, or where it does not know, everything goes by the server. */
(function () {
  "use strict";

  const LOOK_AGAIN_MS = 200; // until the first figure is there
  const { onScreenPlates, refused, settled } = window.foptrn;
  const scripts = new Map(); // address -> promise of its having run
  const models = new Map(); // slug -> model, null while it is being loaded
  const watched = new WeakSet(); // verdicts and plots

  const verdictOf = (page) => document.getElementById(`${page.slug}-verdict`);
  const plotOf = (page) =>
    document.querySelector(`#${page.slug}-${page.spec.plates[0]}-figure .js-plotly-plot`);

  /* ---- loading ---- */

  function script(address) {
    if (!scripts.has(address)) {
      scripts.set(address, new Promise((run, fail) => {
        const element = document.createElement("script");
        Object.assign(element, { src: address, async: false, onload: run, onerror: fail });
        document.head.append(element);
      }));
    }
    return scripts.get(address);
  }

  async function load(page) {
    const { slug } = page;
    const { instant } = page.spec;
    try {
      const answer = await window.fetch(instant.data);
      const data = await answer.json();
      await Promise.all(instant.scripts.map(script));
      window.foptrnModel.load(slug, data);
      models.set(slug, { ...window.foptrnModel[slug], looks: data.figure.looks });
      page.root.dataset.instant = "true";
    } catch (missing) {
      // The server answers alone.
    }
  }

  // When nothing else is to be done, and after the figure that it is to redraw.
  function start(page) {
    const plot = plotOf(page);
    if (!plot || !plot._fullLayout) window.setTimeout(() => start(page), LOOK_AGAIN_MS);
    else window.requestIdleCallback(() => load(page));
  }

  /* ---- a state, answered here ---- */

  // Values as the model takes them, or null where Python might refuse or change one. What is no
  // slider's is as the server last had it.
  function valuesOf(page) {
    const values = {};
    for (const [name, field] of Object.entries(page.fields)) {
      const text = page.values[name];
      const number = Number(text);
      if (!field.slider) {
        if (text !== page.good[name]) return null;
      } else if (!(number >= field.low && number <= field.high)) return null;
      else if (field.kind === "int" && !Number.isInteger(number)) return null;
      else if (field.scale === "linear" && number > 0 && number < field.floor) return null;
      values[name] = field.kind === "bool" ? text === "true"
        : field.kind === "int" || field.kind === "float" ? number : text;
    }
    return values;
  }

  function answerHere(page, keyed) {
    const model = models.get(page.slug);
    const values = model && valuesOf(page);
    if (!values) return null;
    try {
      const params = model.resolve(values);
      const result = model.fits(params) && model.compute(params);
      if (!result) return null;
      const verdict = model.verdict(params, result);
      // Pinned scenarios are drawn by the server, into the same figure.
      const plate = page.pins.length ? null : drawable(page);
      say(page, verdict);
      // A key is answered once something is painted: first the words, then the figure.
      const draw = () => redraw(page);
      if (plate) window.requestAnimationFrame(keyed ? () => window.setTimeout(draw, 0) : draw);
      return { model, params, result, verdict, plate };
    } catch (mistaken) {
      models.delete(page.slug);
      return null;
    }
  }

  function drawable(page) {
    const [first] = page.spec.plates;
    const plot = plotOf(page);
    return plot && plot._fullLayout && onScreenPlates(page).includes(first) ? first : null;
  }

  /* ---- the verdict ---- */

  // The text node is React's, which writes the server's words into it.
  function put(verdict, text) {
    if (verdict.textContent !== text) verdict.firstChild.nodeValue = text;
  }

  function say(page, text) {
    const verdict = verdictOf(page);
    verdict.setAttribute("aria-busy", "true"); // read aloud when it settles, not at every step
    put(verdict, text);
    if (watched.has(verdict)) return;
    watched.add(verdict);
    // An answer to an earlier state that arrives now is put right before anyone sees it.
    new MutationObserver(() => {
      if (page.local) put(verdict, page.local.verdict);
    }).observe(verdict, { characterData: true, childList: true, subtree: true });
  }

  /* ---- the first figure ---- */

  async function redraw(page) {
    const { local } = page;
    if (!local || !local.plate || local.drawn || !document.contains(page.root)) return;
    const plot = plotOf(page);
    local.drawn = true;
    try {
      const found = local.model.curves(local.params, local.result);
      const { data, layout } = window.foptrnModel.redrawn(plot, found, local.model.looks);
      local.data = data;
      if (!watched.has(plot)) {
        watched.add(plot);
        plot.on("plotly_afterplot", () => drawAgain(page, plot));
      }
      await window.Plotly.react(plot, data, layout, plot._context);
    } catch (mistaken) {
      models.delete(page.slug);
    }
  }

  // The server's figures carry the serial number of what they answer.
  function drawAgain(page, plot) {
    const { local } = page;
    if (!local || !local.drawn || plot.data === local.data || plot.layout.meta >= local.serial) return;
    local.drawn = false;
    window.queueMicrotask(() => redraw(page));
  }

  /* ---- what the server says ---- */

  settled.push((page, answer, words) => {
    if (!page.spec.instant) return;
    if (!models.has(page.slug)) {
      models.set(page.slug, null);
      start(page);
    }
    if (page.sent && (page.sent.told || page.sent.quiet || page.sent.poll)) return;
    page.local = null;
    const verdict = verdictOf(page);
    put(verdict, words);
    verdict.removeAttribute("aria-busy");
  });
  refused.push((page) => verdictOf(page).removeAttribute("aria-busy"));

  window.foptrn.answerHere = answerHere;
})();
