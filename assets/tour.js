/* The tour: Back, Next and End set the page's own controls; the panel says what to look at. */
(function () {
  "use strict";

  const TRIES = 40; // a control or figure that comes with the step is looked for this often,
  const TRY_MS = 50; // this far apart
  const EDGE_PX = 16;
  const { actions, ask, commitAddress, hasMoved, onScreen, open, setText, settled } = window.foptrn;
  const part = (page, name) => document.getElementById(`${page.slug}-tour${name}`);

  // The same way as a preset's; the server knows the state of each step.
  function go(page, step) {
    page.commit = true;
    ask(page, { query: `tour=${step}`, tour: undefined });
  }

  // Back to the state that the tour was taken from, where it was taken here.
  function end(page, keep) {
    if (!page || !page.tourShown) return;
    const inside = part(page, "").contains(document.activeElement);
    const { before } = page;
    page.tour = null;
    show(page, null);
    if (inside) document.getElementById(`${page.slug}-take-tour`).focus();
    if (typeof before === "string" && keep !== true) {
      page.commit = true;
      ask(page, { query: before, tour: undefined });
    } else if (page.inFlight || page.pending) {
      page.commit = true;
      ask(page, { values: { ...page.values } });
    } else if (hasMoved(page)) commitAddress(page);
  }

  Object.assign(actions, {
    "tour-start": (page) => {
      if (!page.tour) page.before = page.answer.state;
      page.tourTaken = true;
      go(page, 1);
    },
    "tour-back": (page) => go(page, page.tour.step - 1),
    "tour-next": (page) => go(page, page.tour.step + 1),
    "tour-keep": (page) => end(page, true),
    "tour-end": (page) => end(page, false),
  });

  // A step would give away what is to be guessed: it waits.
  const showTour = (page) => show(page, page.root.dataset.guess === "asked" ? null : page.tour);
  window.foptrn.showTour = showTour;
  settled.push(showTour);

  // Moves on when a step is taken, and stays while its reader tries the controls.
  function show(page, told) {
    const step = told ? told.step : 0;
    if ((page.tourShown || 0) === step) return;
    page.tourShown = step;
    page.root.querySelectorAll("[data-pointed]").forEach((item) => delete item.dataset.pointed);
    page.root.toggleAttribute("data-touring", Boolean(told));
    part(page, "").hidden = !told;
    if (!told) {
      page.before = null;
      setText(part(page, "-said").id, "");
      return;
    }
    const returns = typeof page.before === "string";
    ["-keep", "-returns"].forEach((name) => { part(page, name).hidden = !returns; });
    setText(part(page, "-count").id, `Step ${step} of ${told.of}`);
    setText(part(page, "-title").id, told.title);
    setText(part(page, "-text").id, told.text);
    const buttons = { "-back": step > 1, "-next": step < told.of };
    Object.entries(buttons).forEach(([name, there]) => {
      const button = part(page, name);
      const left = !there && button === document.activeElement;
      button.hidden = !there;
      if (left) part(page, name === "-back" ? "-next" : "-end").focus();
    });
    if (page.tourTaken) part(page, "-title").focus({ preventScroll: true });
    page.tourTaken = false;
    point(page, told, TRIES);
  }

  function point(page, told, tries) {
    if (page.tourShown !== told.step || !document.contains(page.root)) return;
    const [kind, name] = told.at.split(":");
    const found = document.getElementById(`${page.slug}-${kind === "verdict" ? kind : `${name}-${kind}`}`);
    const tab = document.getElementById(`${page.slug}-show-${name}`);
    const embed = document.documentElement.hasAttribute("data-embed");
    if (kind === "plate" && embed && found.dataset.shown !== "true" && !tab.hidden) open(page, tab);
    if (!found.getClientRects().length && tries) {
      window.setTimeout(() => point(page, told, tries - 1), TRY_MS);
      return;
    }
    const what = kind === "verdict" ? "the verdict"
      : kind === "control" ? found.dataset.label : document.getElementById(`${page.slug}-${name}-title`).textContent;
    setText(part(page, "-said").id,
      `Step ${told.step} of ${told.of}: ${told.title}. ${told.text} Look at: ${what}.`);
    // What an embed or hide= leaves out is told, and cannot be marked.
    if (!found.getClientRects().length) return;
    found.dataset.pointed = "true";
    follow(page, found, kind);
  }

  // What is drawn late moves what stands below it: followed until the reader scrolls or acts.
  let watch = null;
  function follow(page, found, kind) {
    if (watch) watch.disconnect();
    const panel = part(page, "");
    bringIntoView(panel, found, kind, !page.tourOpened);
    page.tourOpened = true;
    watch = new ResizeObserver(() => bringIntoView(panel, found, kind, true));
    [page.root, panel].forEach((item) => watch.observe(item));
  }
  ["wheel", "pointerdown", "keydown"].forEach((name) => {
    document.addEventListener(name, () => { if (watch) watch.disconnect(); }, { capture: true, passive: true });
  });

  // The panel goes to the side where it covers nothing, or lies below on a narrow screen.
  function bringIntoView(panel, found, kind, atOnce) {
    if (!found.hasAttribute("data-pointed")) return;
    const box = found.getBoundingClientRect();
    panel.dataset.side = box.left + box.width / 2 > window.innerWidth / 2 ? "left" : "right";
    const floating = getComputedStyle(panel).position === "fixed";
    const docked = floating && panel.offsetWidth > window.innerWidth * 0.8;
    const taken = docked ? panel.offsetHeight + EDGE_PX : EDGE_PX;
    const frame = found.querySelector(".graph-frame");
    const seen = frame && found.offsetHeight > window.innerHeight - taken - EDGE_PX ? frame : found;
    seen.style.scrollMargin = `${EDGE_PX}px 0 ${taken}px`;
    const still = atOnce || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    seen.scrollIntoView({
      block: docked || kind === "plate" ? "center" : "nearest",
      inline: "nearest", behavior: still ? "auto" : "smooth",
    });
  }

  document.addEventListener("keydown", (event) => {
    const page = onScreen();
    if (event.key !== "Escape" || event.defaultPrevented || !page || !page.tourShown) return;
    event.preventDefault();
    end(page);
  });
})();
