/* What every offline file does: opens its data, draws a figure, switches the theme, keeps the
   state after the # of its address, and hands on keys to a page that holds it. It asks for
   nothing: the policy of the document forbids it. */
(() => {
  "use strict";

  const BASE_PX = 15; // the size of the text for which figures are made
  const CONFIG = { displayModeBar: false, responsive: false, doubleClick: false, showTips: false };
  const { isFree, keyMessage, targetOf } = window.foptrnControls;
  const element = (id) => document.getElementById(id);
  const root = document.documentElement;

  /* ---- elements ---- */

  function make(tag, properties = {}, children = []) {
    const { dataset, attributes, ...own } = properties;
    const made = Object.assign(document.createElement(tag), own);
    Object.assign(made.dataset, dataset);
    Object.entries(attributes || {}).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
  }

  function setText(id, text) {
    if (element(id).textContent !== text) element(id).textContent = text;
  }

  /* ---- data ---- */

  async function open() {
    const letters = window.atob(element("data").textContent);
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(unpacked).text());
  }

  /* ---- the figure: drawn at its own size and enlarged with the text ---- */

  const scale = () => parseFloat(getComputedStyle(root).fontSize) / BASE_PX;
  let drawn = null;

  function draw(figure) {
    const graph = element("graph"), frame = graph.parentElement.getBoundingClientRect(), by = scale();
    const width = Math.floor(frame.width / by), height = Math.floor(frame.height / by);
    graph.style.transform = by === 1 ? "" : `scale(${by})`;
    graph.style.width = `${width}px`;
    graph.style.height = `${height}px`;
    const layout = { ...figure.layout, autosize: false, width, height };
    drawn = figure;
    return window.Plotly.react(graph, figure.data, layout, CONFIG);
  }

  // Its place shrinks for a message as well as with the window.
  new ResizeObserver(() => { if (drawn) draw(drawn); }).observe(element("graph").parentElement);

  // Another figure in the same place: nothing of the last one stays.
  function clear() {
    window.Plotly.purge(element("graph"));
  }

  /* ---- theme: the system's, until somebody switches ---- */

  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { root.dataset.theme = system.matches ? "dark" : "light"; };
  follow();
  system.addEventListener("change", follow);
  element("theme").addEventListener("click", () => {
    system.removeEventListener("change", follow);
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });

  /* ---- the state after the # ---- */

  const read = () => new URLSearchParams(window.location.hash.slice(1));

  function write(pairs) {
    const text = new URLSearchParams(pairs).toString();
    if (text === window.location.hash.slice(1)) return;
    try {
      // No history of every move. Some browsers refuse this for files within a frame.
      window.history.replaceState(null, "", text ? `#${text}` : window.location.href.split("#")[0]);
    } catch (refused) {
      // The state is then not in the address; the page itself goes on.
    }
  }

  /* ---- keys that nothing here uses, for a deck around the file ---- */

  document.addEventListener("keydown", (event) => {
    if (window.parent === window || !isFree(event)) return;
    if (event.key === "Escape") targetOf(event).blur(); // the keys after it are the holding page's
    window.parent.postMessage(keyMessage(event), "*");
  });

  window.foptrnOffline = { clear, draw, element, make, open, read, setText, write };
})();
