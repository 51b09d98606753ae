/* Taking things away: links, iframes, data files, pictures, snippets, paper. All in the browser. */
(function () {
  "use strict";

  const PICTURE = { width: 1200, height: 675, scale: 2 };
  const PAPER_PX = { width: 556, height: 280, tall: 450 }; // two side by side on A4, at the zoom of the style sheet
  const { actions, onScreen, setText } = window.foptrn;

  function permalink(page, extras) {
    const url = new URL(page.root.dataset.path, window.location.origin);
    url.search = page.answer.query;
    Object.entries(extras || {}).forEach(([name, value]) => url.searchParams.set(name, value));
    return url.href;
  }
  window.foptrn.permalink = permalink;

  // What is passed on keeps what this page hides and the step of its tour.
  function shared(page, extras) {
    const url = new URL(window.foptrn.address(page, page.answer.query, page.tour), window.location.origin);
    url.searchParams.delete("embed");
    Object.entries(extras).forEach(([name, value]) => url.searchParams.set(name, value));
    return url.href;
  }

  const theme = () => document.documentElement.dataset.theme;
  const say = (page, text) => ["copied", "taken"].forEach((part) => setText(`${page.slug}-${part}`, text));

  async function copy(page, text, what) {
    say(page, (await copyText(text)) ? what + " copied" : text);
  }

  async function copyText(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (unavailable) {
      // No clipboard on plain http, where a lab server may well be.
      const box = document.createElement("textarea");
      box.value = text;
      box.setAttribute("readonly", "");
      box.className = "off-screen";
      document.body.append(box);
      box.select();
      const copied = document.execCommand("copy");
      box.remove();
      return copied;
    }
  }

  window.foptrn.copyText = copyText;

  function save(name, href) {
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
  }

  const saveAnswer = (page, route, name) =>
    saveFrom(page, page.root.dataset.api + route, name, window.foptrn.sending(page));

  async function saveFrom(page, address, name, options) {
    const query = page.answer.state;
    const response = await fetch(address + (query ? "?" + query : ""), options);
    if (response.status === 422) {
      const { errors } = await response.json();
      say(page, `Not saved: ${errors.map(({ message }) => message).join("; ")}`);
      return;
    }
    if (!response.ok) { say(page, "The server could not make this file"); return; }
    const href = URL.createObjectURL(await response.blob());
    save(name, href);
    window.setTimeout(() => URL.revokeObjectURL(href), 10000);
    say(page, name + " saved");
  }

  const graphs = () => document.querySelectorAll(".explorer .js-plotly-plot");
  const plot = (page, name) => document.querySelector(`#${page.slug}-${name}-figure .js-plotly-plot`);

  // Pictures are drawn outside the page, where its font is not known.
  const plainFont = (text) => text.split("Inter, system-ui, sans-serif").join("Helvetica, Arial, sans-serif");

  // A picture has the theme that is on screen; the figure itself holds the light colours.
  function themed(page, figure) {
    const swaps = theme() === "dark" ? Object.entries(page.spec.colours) : [];
    const text = swaps.reduce(
      (json, [light, value]) => json.split('"' + light + '"').join('"' + value + '"'),
      plainFont(JSON.stringify(figure)));
    return JSON.parse(text);
  }

  async function savePicture(page, button, format) {
    const name = button.dataset.plate;
    const graph = plot(page, name);
    const ground = getComputedStyle(document.body).backgroundColor;
    const title = document.getElementById(`${page.slug}-${name}-title`).textContent;
    const figure = themed(page, { data: graph.data, layout: graph.layout });
    const layout = {
      ...figure.layout, autosize: false, paper_bgcolor: ground,
      title: { text: title, x: 0.02, xanchor: "left", font: { size: 18 } },
      margin: { ...figure.layout.margin, t: 84 },
    };
    const href = await window.Plotly.toImage({ data: figure.data, layout }, { ...PICTURE, format });
    const file = `${page.answer.file.replace(page.slug, page.slug + "-" + name)}.${format}`;
    save(file, href);
    say(page, file + " saved");
  }

  const SANDBOX = "allow-scripts allow-same-origin allow-downloads allow-popups";

  function iframe(page, source) {
    const src = shared(page, { embed: "1", theme: theme() }).replace(/&/g, "&amp;");
    const title = document.querySelector("h1").textContent;
    return `<iframe ${source}="${src}" width="960" height="540" style="border:0" title="${title}" ` +
      `sandbox="${SANDBOX}"></iframe>`;
  }

  // A click into the iframe takes the keyboard along; the page in it passes on what it does not use.
  const slide = (page) => `<section>
  ${iframe(page, "data-src")}
  <script>
    (function (frame) {
      const moves = { ArrowRight: "right", ArrowLeft: "left", ArrowUp: "up", ArrowDown: "down",
        PageDown: "next", PageUp: "prev", " ": "next" };
      window.addEventListener("message", (event) => {
        if (event.origin !== "${window.location.origin}" || event.source !== frame.contentWindow) return;
        const { type, key, altKey, ctrlKey, metaKey } = event.data;
        if (type !== "foptrn:key" || altKey || ctrlKey || metaKey || !moves[key]) return;
        frame.blur();
        window.focus();
        Reveal[moves[key]]();
      });
    })(document.currentScript.previousElementSibling);
  </script>
</section>
`;

  Object.assign(actions, {
    "copy-link": (page) => copy(page, shared(page, { theme: theme() }), "Link"),
    "copy-iframe": (page) => copy(page, iframe(page, "src"), "Iframe"),
    "copy-slide": (page) => copy(page, slide(page), "Slide"),
    "copy-text": (page, button) =>
      copy(page, document.getElementById(button.dataset.source).textContent, "Text"),
    "save-csv": (page, button) => {
      const table = button.dataset.table;
      const name = table ? page.answer.file.replace(page.slug, page.slug + "-" + table) : page.answer.file;
      return saveAnswer(page, table ? `/${table}.csv` : ".csv", name + ".csv");
    },
    "save-offline": (page) => saveFrom(
      page, page.root.dataset.path.replace(/[^/]+$/, "offline/$&.html"), page.answer.file + ".html"),
    "save-json": (page) => saveAnswer(page, "", page.answer.file + ".json"),
    "save-png": (page, button) => savePicture(page, button, "png"),
    "save-svg": (page, button) => savePicture(page, button, "svg"),
  });

  /* plotly.js places a legend by the width before a change; once the window rests, place it again. */
  let resting = null;
  window.addEventListener("resize", () => {
    window.clearTimeout(resting);
    resting = window.setTimeout(() => graphs().forEach((graph) => {
      if (graph.offsetParent && graph.layout.legend) window.Plotly.relayout(graph, { "legend.y": 1 });
    }), 250);
  });

  /* Paper: plotly.js draws in pixels of the screen, so figures take the size of their place on A4. */
  window.addEventListener("beforeprint", () => {
    // With pins, a table takes the place of the later figures, and the first ones grow where there
    // is not much to assume.
    const page = onScreen();
    const tall = page && page.pins.length && !page.root.querySelector(".assumptions li:nth-child(9)");
    const height = tall ? PAPER_PX.tall : PAPER_PX.height;
    graphs().forEach((graph) => {
      window.Plotly.relayout(graph, { autosize: false, width: PAPER_PX.width, height });
      if (graph.layout.legend) window.Plotly.relayout(graph, { "legend.y": 1 });
    });
  });
  window.addEventListener("afterprint", () => {
    graphs().forEach((graph) => window.Plotly.relayout(graph, { autosize: true, width: null, height: null }));
  });
})();
