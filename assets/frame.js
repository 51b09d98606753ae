/* An embed and the page that holds it: docs/embedding.md says what they tell each other. */
(function () {
  "use strict";

  const LONGEST = 200; // characters of a value that the holding page may set
  const QUOTED = 60; // characters of a refused value that are sent back
  const MOST_ERRORS = 20;
  const PATIENCE_MS = 12000; // longer than the page waits for an answer itself
  const WAIT_MS = 50;
  const LEAST_FIGURE_PX = 320;
  const { isFree, keyMessage, targetOf } = window.foptrnControls;
  const { ask, onScreen, refused, setControl, settled } = window.foptrn;

  const embedded = () =>
    window.parent !== window && document.documentElement.hasAttribute("data-embed");

  // To whichever page holds this one: the server says which may (FOPTRN_FRAME_ANCESTORS).
  const post = (message) => window.parent.postMessage(message, "*");

  /* ---- what state it is in ---- */

  let told = ""; // the last state that was posted
  let ready = null; // the page that has said that it is ready

  settled.push((page, answer, verdict) => {
    if (!embedded()) return;
    const set = page.sent && page.sent.set && !page.setTold;
    if (ready !== page) {
      ready = page;
      post({ type: "foptrn:ready", explorer: page.slug });
      watchHeight(page);
    }
    const { run } = answer;
    if (run && (run.stale || run.state === "preview")) return;
    page.setTold = true;
    const unused = set ? page.sent.set.filter((name) => answer.inactive.includes(name)) : [];
    if (unused.length) post({ type: "foptrn:refused", explorer: page.slug, errors: unused.map((param) => notUsed(page, param)) });
    const hidden = page.root.dataset.guess === "asked";
    const state = { type: "foptrn:state", explorer: page.slug, query: answer.query, verdict: hidden ? "" : verdict };
    const text = JSON.stringify(state);
    if (text === told && !set) return;
    told = text;
    post(state);
  });

  // Like the API, which refuses what has no place in a state.
  const notUsed = (page, param) => ({
    param, message: `${param} has no use in this state and keeps its value`,
    value: page.sent.values[param].slice(0, QUOTED),
  });

  refused.push((page, problems) => {
    if (!embedded() || !page.sent.set) return;
    // What was set from outside is not in its box, so it is not tried again from there.
    problems.forEach(({ param }) => page.wrong.delete(param));
    post({ type: "foptrn:refused", explorer: page.slug, errors: problems });
  });

  /* ---- set: one at a time, those that come meanwhile together after it ---- */

  let next = null;
  let since = 0;

  function receive(event) {
    const page = onScreen();
    if (event.source !== window.parent || !embedded() || !page) return;
    if (!event.data || typeof event.data !== "object" || !("set" in event.data)) return;
    const { set } = event.data;
    const errors = mistakes(page, set);
    if (errors.length) {
      const listed = errors.map(({ message }) => message).join("; ");
      setControl(`${page.slug}-notices`, { children: `This cannot be set; the last result stays: ${listed}` });
      post({ type: "foptrn:refused", explorer: page.slug, errors });
      return;
    }
    const waiting = next !== null;
    next = { ...next, ...set };
    if (waiting) return;
    since = Date.now();
    put(page);
  }
  window.addEventListener("message", receive);

  function mistakes(page, set) {
    if (!set || typeof set !== "object" || Array.isArray(set)) {
      return [{ param: "set", message: "set must be an object of names and values", value: String(set).slice(0, QUOTED) }];
    }
    const known = Object.keys(page.fields);
    return Object.entries(set).slice(0, known.length + MOST_ERRORS).flatMap(([param, value]) => {
      const name = param.slice(0, QUOTED);
      const quoted = String(typeof value === "object" ? JSON.stringify(value) : value).slice(0, QUOTED);
      if (!known.includes(param)) {
        return [{ param: name, message: `${name} is not a parameter here; known: ${known.join(", ")}`, value: quoted }];
      }
      const fits = ["number", "boolean"].includes(typeof value)
        || (typeof value === "string" && value.length <= LONGEST);
      const message = `${name} must be a number, true, false or text of at most ${LONGEST} characters, got ${quoted}`;
      return fits ? [] : [{ param: name, message, value: quoted }];
    }).slice(0, MOST_ERRORS);
  }

  function put(page) {
    const busy = page.inFlight || page.pending || (page.sent && !page.answered);
    if (busy && Date.now() - since < PATIENCE_MS) {
      window.setTimeout(() => put(page), WAIT_MS);
      return;
    }
    const values = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, String(value)]));
    const [changed, ...tried] = Object.keys(values);
    next = null;
    page.commit = true;
    page.setTold = false;
    ask(page, { values: { ...page.values, ...values }, changed, tried, set: Object.keys(values) });
  }

  /* ---- how high it would like to be ---- */

  function watchHeight(page) {
    const bench = page.root.querySelector(".workbench");
    let last = 0;
    const measure = () => {
      const height = Math.ceil(heightOf(page.root, bench));
      if (height === last || !document.contains(page.root)) return;
      last = height;
      post({ type: "foptrn:height", explorer: page.slug, height });
    };
    const observer = new ResizeObserver(measure);
    [page.root, ...page.root.children, ...bench.querySelectorAll(".controls > *")].forEach((item) => observer.observe(item));
  }

  // As high as its contents, whatever the height it has: where the figure fills what is left,
  // the least that leaves it room and hides no control.
  function heightOf(root, bench) {
    if (getComputedStyle(root).overflowY !== "hidden") return root.getBoundingClientRect().bottom + window.scrollY;
    const shown = (item) => (item && item.getClientRects().length ? item : null);
    const controls = shown(bench.querySelector(".controls"));
    const figures = shown(bench.querySelector(".figures"));
    const inside = controls ? contents(controls) : 0;
    return root.offsetHeight - bench.offsetHeight + Math.max(inside, figures ? LEAST_FIGURE_PX : 0);
  }

  function contents(box) {
    const items = Array.from(box.children).filter((item) => item.getClientRects().length);
    const bottoms = items.map((item) => item.getBoundingClientRect().bottom);
    return Math.max(0, ...bottoms) - box.getBoundingClientRect().top + box.scrollTop;
  }

  /* ---- keys that nothing here uses ---- */

  const somethingOpen = () => document.querySelector("[aria-expanded=true], [data-radix-popper-content-wrapper]");

  document.addEventListener("keydown", (event) => {
    const page = onScreen();
    if (!embedded() || !isFree(event)) return;
    if (event.key === "Escape") {
      if (somethingOpen() || (page && page.tourShown)) return;
      targetOf(event).blur(); // the keys after it are the holding page's
    }
    post(keyMessage(event));
  });
})();
