/* A deck: starts reveal.js on wide windows, keeps the address at #slide-NN, loads the explorers of
   the slides in view, hears the keys pressed inside them, and keeps a speaker's window in step.
   On a phone the deck stays a column that scrolls. */
(function () {
  "use strict";
  const root = document.documentElement;
  const query = new URLSearchParams(window.location.search);
  const printing = query.has("print-pdf");
  const small = window.matchMedia("(max-width: 760px), (max-height: 420px)");
  const presenting = !printing && !small.matches;
  root.classList.add(printing ? "printing" : presenting ? "presenting" : "column");
  if (printing) root.dataset.theme = "light";

  const CODES = {
    ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, " ": 32, PageUp: 33, PageDown: 34,
    End: 35, Home: 36, b: 66,
  };
  const PATIENCE_PX = 400;
  let main, slides, reveal, channel, here = 0;

  const find = (selector) => document.querySelector(selector);
  const frames = () => Array.from(document.querySelectorAll("iframe[data-live]"));

  /* ---- where we are ---- */

  function arrive(index) {
    const slide = slides[index];
    if (!slide) return;
    here = index;
    // Replaced, not pushed: Back leaves the deck however far one went.
    window.history.replaceState(window.history.state, "", "#" + slide.id);
    document.title = `${slide.dataset.name} \u00b7 ${main.dataset.title}`;
    find("[data-counter]").textContent = `${index + 1} / ${slides.length}`;
    find(".notes-panel").innerHTML = slide.querySelector(".notes").innerHTML;
    find(".notes-panel").scrollTop = 0;
    if (channel) channel.postMessage({ at: slide.id });
  }

  function go(index) {
    const next = Math.min(Math.max(index, 0), slides.length - 1);
    if (reveal) reveal.slide(next);
    else slides[next].scrollIntoView();
  }

  const asked = () => slides.findIndex((slide) => "#" + slide.id === window.location.hash);

  /* ---- live explorers ---- */

  function load(slide) {
    const frame = slide && slide.querySelector("iframe[data-live]");
    if (!frame || frame.src) return;
    const theme = query.get("theme");
    const figure = frame.closest(".live");
    frame.addEventListener("load", () => watch(figure, frame));
    frame.src = frame.dataset.live + (theme ? "&theme=" + encodeURIComponent(theme) : "");
  }

  /* Explorers and deck share a thread, where a key waits for all that is drawn before it: the next
     slide's explorer is loaded once this one has started. */
  function loadNext() {
    const frame = slides[here].querySelector("iframe[data-live]");
    if (!frame || frame.dataset.ready) load(slides[here + 1]);
  }

  /* The verdict stays until the explorer itself is there; a frame that holds anything else fails. */
  function watch(figure, frame) {
    const page = frame.contentDocument;
    const entry = page && page.getElementById("react-entry-point");
    if (!entry) {
      figure.dataset.state = "failed";
      figure.querySelector("[data-loading]").textContent = "The live explorer could not be loaded.";
      return;
    }
    const shown = () => {
      if (!page.querySelector("main h1")) return false;
      figure.dataset.state = "shown";
      return true;
    };
    if (shown()) return;
    const observer = new MutationObserver(() => { if (shown()) observer.disconnect(); });
    observer.observe(entry, { childList: true, subtree: true });
  }

  /* An explorer that has started shows the figure that the slide is about. */
  function choosePlate(frame) {
    const figure = frame.closest(".live");
    const tab = `${figure.dataset.slug}-show-${figure.dataset.plate}`;
    const button = figure.dataset.plate && frame.contentDocument.getElementById(tab);
    if (button) button.click();
  }

  function hear(event) {
    if (event.origin !== window.location.origin || !event.data) return;
    const frame = frames().find((item) => item.contentWindow === event.source);
    if (!frame) return;
    if (event.data.type === "foptrn:key") press(event.data);
    else if (event.data.type === "foptrn:ready") {
      choosePlate(frame);
      frame.dataset.ready = "true";
      if (presenting) loadNext();
    } else if (event.data.type === "foptrn:height" && !presenting && event.data.height > 0) {
      frame.closest(".live").style.height = Math.min(event.data.height, 4000) + "px";
    }
  }

  /* ---- keys and buttons ---- */

  const actions = {
    previous: () => go(here - 1),
    next: () => go(here + 1),
    overview: toggleOverview,
    notes: toggleNotes,
    speaker: openSpeaker,
    print: openPrint,
    help: () => { const box = find("dialog.help"); if (box.open) box.close(); else box.showModal(); },
    "full-screen": () => document.fullscreenElement
      ? document.exitFullscreen() : root.requestFullscreen().catch(() => {}),
  };
  const OWN = {
    n: "notes", s: "speaker", f: "full-screen", o: "overview", escape: "overview", "?": "help",
  };

  function own(event) {
    const action = OWN[event.key.toLowerCase()];
    if (event.ctrlKey || event.altKey || event.metaKey || (!reveal && action === "overview")) return "";
    return action;
  }

  /* A key that an explorer passed on because no control of its own uses it. */
  function press(data) {
    const key = String(data.key || "");
    const action = own({ ...data, key });
    if (action) actions[action]();
    else if (!reveal || data.ctrlKey || data.altKey || data.metaKey) return;
    else if (key === " " && data.shiftKey) reveal.triggerKey(CODES.PageUp);
    else if (Object.hasOwn(CODES, key)) reveal.triggerKey(CODES[key]);
  }

  function typed(event) {
    // Alt with an arrow is the browser's Back and Forward, which reveal.js would take for the arrow.
    if (event.altKey && event.key.startsWith("Arrow")) { event.stopPropagation(); return; }
    const box = find("dialog[open]");
    if (box) {
      event.stopPropagation();  // a dialog closes itself on Escape
      if (box.matches(".overview")) wander(box, event);
      return;
    }
    // A button or link that has focus keeps the keys that work it.
    if ((event.key === " " || event.key === "Enter") && event.target.closest("button, a")) {
      event.stopPropagation();
      return;
    }
    if (event.target.closest(".notes-panel")) return;
    const action = own(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    actions[action]();
  }

  /* All slides at once: pictures of them, made when first asked for. */
  function toggleOverview() {
    const box = find("dialog.overview");
    if (box.open) { box.close(); return; }
    const grid = box.querySelector("ol");
    if (!grid.children.length) {
      slides.forEach((slide, index) => {
        const item = document.createElement("li");
        const picture = document.createElement("div");
        const button = document.createElement("button");
        const sheet = slide.querySelector(".sheet").cloneNode(true);
        sheet.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
        sheet.querySelectorAll("iframe").forEach((frame) => frame.remove());
        sheet.querySelectorAll("[data-state]").forEach((part) => { delete part.dataset.state; });
        picture.className = "picture reveal";
        picture.inert = true;
        picture.append(sheet);
        button.type = "button";
        button.setAttribute("aria-label", `${index + 1}: ${slide.dataset.name}`);
        button.addEventListener("click", () => { box.close(); go(index); });
        item.append(picture, button);
        grid.append(item);
      });
    }
    grid.querySelectorAll("button").forEach((button, index) => {
      button.setAttribute("aria-current", String(index === here));
    });
    box.showModal();
    grid.children[here].querySelector("button").focus();
  }

  function wander(box, event) {
    const buttons = Array.from(box.querySelectorAll("ol button"));
    const first = buttons[0].getBoundingClientRect().top;
    const columns = buttons.filter((item) => item.getBoundingClientRect().top === first).length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (step) {
      const wanted = buttons[buttons.indexOf(document.activeElement) + step];
      if (wanted) wanted.focus();
      event.preventDefault();
    } else if (event.key.toLowerCase() === "o") box.close();
  }

  function toggleNotes() {
    const open = root.classList.toggle("notes-open");
    find("[data-action=notes]").setAttribute("aria-pressed", String(open));
    find(".notes-panel").hidden = !open || !presenting;
    if (reveal) reveal.layout();
  }

  function beside(words) {
    const wanted = new URLSearchParams(words);
    if (query.get("theme")) wanted.set("theme", query.get("theme"));
    return window.location.pathname + "?" + wanted.toString() + "#" + slides[here].id;
  }

  function openSpeaker() {
    const name = "foptrn-speaker-" + main.dataset.deck;
    if (!window.open(beside({ speaker: "1" }), name, "popup,width=900,height=680")) toggleNotes();
  }

  function openPrint() {
    const notes = root.classList.contains("notes-open") ? { notes: "1" } : {};
    window.open(beside({ "print-pdf": "", dialog: "1", ...notes }), "_blank");
  }

  /* ---- start ---- */

  async function present() {
    main.classList.add("reveal");
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const deck = new window.Reveal(main, {
      width: 1280, height: 720, margin: 0, minScale: 0.2, maxScale: 3, center: false,
      embedded: presenting, hash: false, respondToHashChanges: false, history: false,
      controls: false, progress: presenting, help: false, overview: false, jumpToSlide: false, postMessage: false,
      transition: still ? "none" : "fade", transitionSpeed: "fast", scrollActivationWidth: null,
      hideInactiveCursor: false, pdfSeparateFragments: false, pdfMaxPagesPerSlide: 1,
      showNotes: printing && query.get("notes") === "1" ? "separate-page" : false,
      view: printing ? "print" : null,
    });
    if (printing) {
      deck.on("pdf-ready", () => {
        root.classList.add("ready");
        if (query.get("dialog") === "1") window.print();
      });
    }
    find(".stage").classList.add("reveal-viewport");
    await deck.initialize();
    if (printing) return;
    reveal = deck;
    const settle = () => {
      // What had focus in a frame that left the stage would go on taking the keys.
      if (document.activeElement && document.activeElement.tagName === "IFRAME") {
        document.activeElement.blur();
        window.focus();
      }
      const index = deck.getIndices().h;
      arrive(index);
      load(slides[index]);
      loadNext();
    };
    deck.on("slidechanged", settle);
    settle();
    root.classList.add("ready");
  }

  function column() {
    const near = new IntersectionObserver((seen) => seen.forEach((item) => {
      if (item.isIntersecting) load(item.target);
    }), { rootMargin: PATIENCE_PX + "px" });
    const reading = new IntersectionObserver((seen) => seen.forEach((item) => {
      if (item.isIntersecting) arrive(slides.indexOf(item.target));
    }), { rootMargin: "-30% 0px -69% 0px" });
    slides.forEach((slide) => { near.observe(slide); reading.observe(slide); });
    if (asked() < 0) arrive(0);
    root.classList.add("ready");
  }

  document.addEventListener("DOMContentLoaded", () => {
    main = find("main.deck");
    slides = Array.from(document.querySelectorAll(".slides > section"));
    if (printing) { present(); return; }
    if ("BroadcastChannel" in window) {
      channel = new BroadcastChannel("foptrn " + window.location.pathname);
      channel.addEventListener("message", (event) => {
        if (event.data.hello) channel.postMessage({ at: slides[here].id });
        const wanted = slides.findIndex((slide) => slide.id === event.data.go);
        if (wanted >= 0) go(wanted);
      });
    }
    here = Math.max(asked(), 0);
    document.querySelectorAll("[data-action]").forEach((button) => {
      button.addEventListener("click", () => actions[button.dataset.action]());
    });
    window.addEventListener("message", hear);
    window.addEventListener("keydown", typed, true);
    window.addEventListener("hashchange", () => { if (asked() >= 0) go(asked()); });
    // A window that becomes a phone's, or a phone that is turned: the address keeps the slide.
    small.addEventListener("change", () => {
      if (!window.matchMedia("print").matches) window.location.reload();
    });
    if (presenting) present();
    else column();
  });
})();
