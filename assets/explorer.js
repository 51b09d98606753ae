/* Runs the controls of every explorer page: slider positions, one request in flight,
   the address, Back, theme, copying. It knows no formula and no query codec: the server
   answers every request with the canonical query and the values of all controls. */
(function () {
  "use strict";

  const FLIGHT_LIMIT_MS = 10000; // after this without an answer the next request may go
  const POLL_LIMIT_MS = 3000; // asking how far a computation is takes no time
  const LOST_MS = 1500; // after this what came to nothing is asked again, then ever later
  const MOST_TRIES = 5;
  const ADDRESS_INTERVAL_MS = 120; // browsers drop address changes beyond 200 in 10 s
  const COMMIT_GAP_MS = 500; // commits closer together (a held key) share one history entry
  const ANSWER_GAP_MS = 300; // an answer may be drawn this long after its request has ended
  const REST_MS = 160; // after this without a change, figures that were off screen are drawn
  const HAND_MS = 300; // after this without a move, a hand rests: what it left out is asked for
  const KEY_MS = 1000; // a key that nobody let go of (aids send none) is let go after this
  const NEAR_PX = 200; // a figure this close to the window counts as on screen
  const EXTRAS = ["embed", "hide", "theme"]; // query names that belong to the page, beside the tour

  const pages = new WeakMap(); // root of a page -> what this tab knows of it, as long as there is one
  const settled = []; // told of every answer that is in force, once the page shows it
  const refused = []; // told of what was refused

  const setProps = (id, props) => window.dash_clientside.set_props(id, props);
  const setControl = (id, props) => { if (document.getElementById(id)) setProps(id, props); };

  /* ---- numbers as controls show them ---- */

  const { fromPosition, toPosition } = window.foptrnControls;

  // "4,096" and "4096" are one value; what is no number is passed on for the server to refuse.
  function plain(field, text) {
    const value = String(text === null || text === undefined ? "" : text).trim();
    if (field.kind !== "int" && field.kind !== "float") return value;
    const bare = value.replace(/,(?=\d{3}(\D|$))/g, "");
    const read = /^[+-]?\d+(\.\d+)?$/.test(bare) ? Number(bare) : NaN;
    return Math.abs(read) < Number.MAX_SAFE_INTEGER ? String(read) : value;
  }

  const shown = (field, text) =>
    field.kind === "int" || field.kind === "float"
      ? Number(text).toLocaleString("en-US", { maximumFractionDigits: 12 })
      : text;

  /* ---- state of the page on screen ---- */

  function known(slug) {
    const root = document.getElementById(slug + "-page");
    const page = root && pages.get(root);
    return page && page.slug === slug ? page : null;
  }

  function live(spec, answer) {
    const root = document.getElementById(spec.slug + "-page");
    let page = known(spec.slug);
    if (!page) {
      page = {
        root, slug: spec.slug, fields: spec.fields,
        values: { ...answer.values }, good: { ...answer.values }, query: answer.query,
        spec, answer, pins: answer.pins, restTimer: null,
        optionsShown: Object.fromEntries(
          Object.entries(answer.options).map(([name, options]) => [name, JSON.stringify(options)])),
        tabledFor: {}, drawnFor: Object.fromEntries(answer.drawn.map((name) => [name, answer.query])),
        committed: null, commit: false, committedAt: 0, tour: null, committedTour: null,
        file: rememberedFile(spec), sent: null, typed: new Set(),
        refused: new Set(), wrong: new Map(), late: false,
        watcher: Math.random().toString(36).slice(2), run: null, pollTimer: null,
        local: null, ahead: new Map(), written: new Map(),
        serial: 0, inFlight: false, pending: null, waits: false, timer: null,
        addressAt: 0, addressTimer: null, tries: 0,
      };
      if (!root) return page; // an answer to a page that has been left
      pages.set(root, page);
      // A link to a state on the person's own file opened without it; this tab has it.
      const opened = window.location.search; // before the address is brought into step
      if (page.file && standsOnFile(spec, opened)) {
        window.setTimeout(() => ask(page, { query: opened, pins: undefined, tour: undefined }), 0);
      }
    }
    return page;
  }

  const onScreen = () => {
    const root = document.querySelector("[data-explorer]");
    return root ? known(root.dataset.explorer) : null;
  };

  /* ---- the gate: one request in flight, the last value always wins ---- */

  // What waits is sent once the hand rests, unless something newer comes before.
  function ask(page, request, waits = false) {
    page.serial += 1;
    page.tries = 0;
    // What was refused stays for its writer to mend until they ask for something else.
    if (!request.quiet && !request.poll && !request.kept) page.refused.clear();
    // What was answered here stands until something else is asked for.
    if (!request.quiet && !request.poll) page.local = null;
    window.clearTimeout(page.restTimer);
    window.clearTimeout(page.pollTimer);
    send(page, {
      page: page.spec.simulated ? page.watcher : undefined,
      declined: page.run ? page.run.declined : undefined,
      tour: stepOf(page.tour), pins: page.pins, plates: onScreenPlates(page), tables: openTables(page),
      attached: fileAsSent(page.file), ...request, serial: page.serial,
    }, waits);
  }

  // While dragging only what can be seen is drawn; the rest, and tables opened meanwhile,
  // follow when the hand rests.
  function near(element) {
    const box = element && element.getBoundingClientRect();
    return box && box.height > 0 && box.bottom > -NEAR_PX && box.top < window.innerHeight + NEAR_PX;
  }
  const working = (page) => near(document.getElementById(page.slug + "-working"));
  const onScreenPlates = (page) => page.spec.plates.filter((name) =>
    near(page.root.querySelector(`.plate[data-plate="${name}"]`)));

  function drawTheRest(page) {
    if (page.run && (page.run.stale || page.run.state === "preview")) return;
    // A figure whose numbers are being computed is drawn when they are there.
    const busy = page.run && BUSY.includes(page.run.state) ? [...(page.run.waiting || [])] : [];
    // One that is drawn here is the server's again on release.
    if (page.local) busy.push(page.local.plate);
    const due = (drawnFor) => (name) => drawnFor[name] !== page.query && !busy.includes(name);
    const plates = page.spec.plates.filter(due(page.drawnFor));
    const tables = openTables(page).filter(due(page.tabledFor));
    if (!(plates.length || tables.length) || page.inFlight || page.pending) return;
    page.restTimer = window.setTimeout(() => {
      if (page.inFlight || page.pending || !document.contains(page.root)) return;
      ask(page, { values: { ...page.good }, plates, tables, quiet: true });
    }, REST_MS);
  }

  // A slider or a line has moved: what this page can answer itself it shows at once, and until the
  // release the server is only asked for the rest. Every change that Dash is told of makes it look
  // through all its components, so that numbers a hand is moving wait for it as well.
  function slide(page, request, moving, follow) {
    const local = moving ? window.foptrn.answerHere(page, Boolean(hand && hand.keyed)) : page.local;
    follow.forEach(([id, value]) => {
      const element = document.getElementById(id);
      if (element instanceof HTMLInputElement) element.value = value;
      page.ahead.set(id, value);
    });
    const told = local && moving ? ["verdict", ...(working(page) ? [] : ["working"])] : undefined;
    const plates = onScreenPlates(page).filter((name) => !told || name !== local.plate);
    // Where the page answers itself the server need not; after a single key it is let go soon.
    ask(page, { ...request, told, plates }, Boolean(told) || moving === "once");
    page.local = local && { ...local, told: Boolean(told), serial: page.serial };
  }

  function send(page, request, waits) {
    page.waits = waits;
    if (page.inFlight || waits) {
      page.pending = request;
      if (waits) {
        page.restTimer = window.setTimeout(() => {
          page.waits = false;
          sendPending(page);
        }, HAND_MS);
      }
      return;
    }
    page.ahead.forEach((value, id) => write(page, id, value));
    page.ahead.clear();
    page.inFlight = true;
    page.sent = request;
    page.answered = false;
    page.pending = null;
    page.timer = window.setTimeout(() => {
      land(page);
      lost(page, request.poll ? "" : "The server has not answered for 10 seconds.");
    }, request.poll ? POLL_LIMIT_MS : FLIGHT_LIMIT_MS);
    setProps(page.slug + "-request", { data: request });
  }

  function land(page) {
    window.clearTimeout(page.timer);
    page.inFlight = false;
    // Looked at when the turn comes: a newer request may have gone, or come, by then.
    window.setTimeout(() => sendPending(page), 0);
  }

  function sendPending(page) {
    if (page.pending && !page.inFlight && !page.waits) send(page, page.pending, false);
  }

  // What came to nothing is sent again, unless something newer is. Not by all pages at the same
  // moment: a server that lost one has many to answer.
  function lost(page, why) {
    const { sent } = page;
    const again = sent.poll || page.tries < MOST_TRIES;
    if (why) connection(page, `${why} The last result stays; ${again ? "the request" : "the next change"} is sent again.`);
    if (sent.poll || !again) { askAgain(page, LOST_MS); return; }
    const wait = LOST_MS * 2 ** page.tries * (0.75 + Math.random() / 2);
    page.tries += 1;
    window.clearTimeout(page.pollTimer);
    page.pollTimer = window.setTimeout(() => {
      if (page.inFlight || page.pending || page.answered || page.sent !== sent || !document.contains(page.root)) return;
      send(page, { ...sent }, false);
    }, wait);
  }

  function connection(page, text) {
    const box = document.getElementById(page.slug + "-connection");
    if (box && box.textContent !== text) setProps(box.id, { children: text });
  }

  /* ---- the address ---- */

  const stepOf = (tour) => (tour ? tour.step : undefined);

  function address(page, query, tour) {
    const kept = new URLSearchParams(window.location.search);
    const extras = new URLSearchParams();
    EXTRAS.forEach((name) => kept.getAll(name).forEach((value) => extras.append(name, value)));
    if (tour) extras.set("tour", tour.step);
    // A tour's link without a state opens in the step's: the default state is then said in words.
    const [first] = Object.keys(page.answer.values);
    const state = query || !tour || !tour.query ? query : `${first}=${page.answer.values[first]}`;
    const search = [state, extras.toString()].filter(Boolean).join("&");
    return window.location.pathname + (search ? "?" + search : "");
  }

  const hasMoved = (page) =>
    page.query !== page.committed || stepOf(page.tour) !== stepOf(page.committedTour);

  function replaceAddress(page, query) {
    window.clearTimeout(page.addressTimer);
    const wait = page.addressAt + ADDRESS_INTERVAL_MS - Date.now();
    const write = () => {
      if (known(page.slug) !== page) return;
      const next = address(page, query, page.tour);
      if (next === window.location.pathname + window.location.search) return;
      page.addressAt = Date.now();
      window.history.replaceState(window.history.state, "", next);
    };
    if (wait > 0) page.addressTimer = window.setTimeout(write, wait);
    else write();
  }

  // One history entry per committed change; the entry left behind keeps its own address.
  function commitAddress(page) {
    window.clearTimeout(page.addressTimer);
    page.commit = false;
    const next = address(page, page.query, page.tour);
    const now = Date.now();
    if (!hasMoved(page)) {
      window.history.replaceState(window.history.state, "", next);
      return;
    }
    if (now - page.committedAt < COMMIT_GAP_MS) {
      window.history.replaceState(window.history.state, "", next);
    } else {
      const left = address(page, page.committed, page.committedTour);
      window.history.replaceState(window.history.state, "", left);
      window.history.pushState({}, "", next);
    }
    page.committed = page.query;
    page.committedTour = page.tour;
    page.committedAt = now;
  }

  function navigate(event) {
    const page = onScreen();
    if (!page || !document.contains(page.root)) return;
    if (window.location.pathname !== page.root.dataset.path) return;
    // Dash's router would rebuild the page and lose focus and zoom; restore the state instead.
    event.stopImmediatePropagation();
    window.foptrnShow();
    // A delayed write of the address was meant for the entry that has just been left.
    window.clearTimeout(page.addressTimer);
    page.commit = false;
    // The link has its own pins, and its own step of a tour or none.
    ask(page, { query: window.location.search, pins: undefined, tour: undefined });
  }
  // This script runs before Dash mounts its router, so these listeners come first.
  window.addEventListener("popstate", navigate);
  window.addEventListener("_dashprivate_pushstate", navigate);

  /* ---- callbacks ---- */

  // Typed numbers and choices; sliders are watched, see below.
  function collect(...args) {
    const [spec, answer] = args.slice(-2);
    const page = live(spec, answer);
    let changed = null;
    window.dash_clientside.callback_context.triggered.forEach(({ prop_id: prop, value }) => {
      const name = prop.slice(page.slug.length + 1, prop.lastIndexOf("."));
      const field = page.fields[name];
      if (!field || value === null || value === undefined) return;
      if (isOwn(page, `${page.slug}-${name}`, value)) return;
      const text = plain(field, value);
      if (text === page.values[name]) return;
      page.values[name] = text;
      page.typed.add(name);
      changed = name;
    });
    if (changed) ask(page, changeOf(page, changed));
  }

  // What this script writes into a box comes back through collect, at times after the hand has
  // moved on; it is no edit of anyone's, unless somebody makes it again.
  function write(page, id, value) {
    const element = document.getElementById(id);
    if (!element) return;
    if (element instanceof HTMLInputElement) page.written.set(id, [...(page.written.get(id) || []), value]);
    setProps(id, { value });
  }

  function isOwn(page, id, value) {
    const written = page.written.get(id) || [];
    const place = written.indexOf(value);
    page.written.set(id, written.slice(place + 1));
    return place >= 0;
  }

  ["input", "pointerdown", "keydown"].forEach((type) => document.addEventListener(type, (event) => {
    const page = onScreen();
    const control = page && event.target.closest("input");
    if (control) page.written.delete(control.id);
  }, true));

  const boxOf = (page, name) =>
    [[page.slug + "-" + name, shown(page.fields[name], page.values[name])]];

  function changeOf(page, changed, moving = false) {
    page.commit = page.commit || !moving;
    page.refused.delete(changed);
    page.wrong.delete(changed);
    // What was refused may be right beside the new value; a drag need not try it at every move.
    const wrong = moving ? [] : [...page.wrong.keys()];
    wrong.forEach((name) => { page.values[name] = page.wrong.get(name); });
    // What was typed and not answered yet is still its writer's: the server may not bend it.
    const tried = [...new Set([...wrong, ...page.typed])].filter((name) => name !== changed);
    // Of what takes seconds, a drag shows a preview and the release runs the whole.
    const drag = Boolean(page.spec.simulated && moving);
    return { values: { ...page.values }, changed, tried, drag, kept: Boolean(moving) };
  }

  /* ---- a slider under a hand: its thumb is watched, since a callback of Dash for each of its
     moves would take longer than all the rest ---- */

  let hand = null; // what moves a slider, from the first press until it is let go

  function takeSlider(event, keyed) {
    const page = onScreen();
    const slider = page && event.target.closest("[id$='-slider']");
    const name = slider && slider.id.slice(page.slug.length + 1, -"-slider".length);
    if (!slider || !page.fields[name]) return;
    if (!(event.repeat && hand && hand.slider === slider)) hand = { page, slider, name, keyed, moved: false };
    hand.again = event.repeat;
    window.clearTimeout(hand.timer);
    if (keyed) hand.timer = window.setTimeout(drop, KEY_MS, hand);
  }

  function moveSlider(position) {
    const { page, name, keyed, again } = hand;
    const field = page.fields[name];
    const here = toPosition(field, Number(page.values[name]));
    // A thumb that is pressed between two steps goes to one of them; that is no move. A key may
    // go less than a step from there.
    const snapped = !keyed && !hand.moved && Math.abs(position - here) <= field.step * 0.51;
    const next = String(fromPosition(field, position));
    if (snapped || next === page.values[name]) return;
    hand.moved = true;
    page.values[name] = next;
    const moving = keyed && !again ? "once" : "on";
    slide(page, changeOf(page, name, moving), moving, boxOf(page, name));
  }

  // One change, and one entry of the history, from the first press on.
  function letGo(held) {
    if (!held.moved || !document.contains(held.page.root)) return;
    held.moved = false;
    slide(held.page, changeOf(held.page, held.name), false, boxOf(held.page, held.name));
  }

  function drop(held) {
    if (hand === held) hand = null;
    letGo(held);
  }

  // The last move may not have reached the thumb yet.
  const dropSoon = () => { if (hand) window.setTimeout(drop, 0, hand); };

  new MutationObserver((records) => records.forEach(({ target }) => {
    if (hand && hand.slider.contains(target)) moveSlider(Number(target.getAttribute("aria-valuenow")));
  })).observe(document.documentElement, {
    subtree: true, attributes: true, attributeFilter: ["aria-valuenow"],
  });

  document.addEventListener("pointerdown", (event) => {
    if (event.buttons > 0) takeSlider(event, false);
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches("[role=slider]")) return;
    // Alt with an arrow is the browser's Back; a slider would take it for the arrow.
    if (event.altKey || event.ctrlKey || event.metaKey) event.stopPropagation();
    else takeSlider(event, true);
  }, true);
  // After whoever tells the slider that a finger has come down (touch.js).
  ["pointerup", "pointercancel", "keyup"].forEach((type) => document.addEventListener(type, dropSoon));
  window.addEventListener("blur", dropSoon);

  /* ---- what the server says ---- */

  function settle(answer, spec, verdict) {
    const page = live(spec, answer);
    if (!document.contains(page.root)) return;
    page.answered = true;
    // The gate may have let the next request go before this answer is handled.
    if (answer.serial !== page.serial) {
      // Its figures are on the page all the same: they stay should the newer request be refused.
      if (answer.ok) {
        page.good = { ...answer.values };
        page.late = true;
      }
      return;
    }
    if (answer.sendFile) { ask(page, { ...page.sent, attached: wholeFile(page.file) }); return; }
    if (!answer.ok) {
      refuse(page, answer.problems);
      refused.forEach((tell) => tell(page, answer.problems));
      return;
    }
    keepFile(page, answer.digest);
    connection(page, "");
    clearErrors(page);
    answer.drawn.forEach((name) => { page.drawnFor[name] = answer.query; });
    answer.tabled.forEach((name) => { page.tabledFor[name] = answer.query; });
    page.query = answer.query;
    page.answer = answer;
    if (answer.restored) page.tour = answer.tour;
    page.pins = answer.pins;
    page.good = { ...answer.values };
    page.late = false;
    [...page.wrong.keys()].forEach((name) => { if (!page.refused.has(name)) page.wrong.delete(name); });
    Object.keys(page.fields).forEach((name) => {
      const box = document.getElementById(page.slug + "-" + name + "-control");
      const hidden = answer.inactive.includes(name);
      if (box && box.hidden !== hidden) setProps(box.id, { hidden });
    });
    Object.entries(answer.options).forEach(([name, options]) => {
      const id = page.slug + "-" + name;
      if (page.optionsShown[name] === JSON.stringify(options)) return;
      page.optionsShown[name] = JSON.stringify(options);
      setProps(id, { options });
    });
    if (answer.absent) showPresent(page, answer.absent);
    follow(page, answer.values);
    page.typed.clear();
    describe(page, answer);
    showRun(page, answer.run);
    if (page.commit) commitAddress(page);
    else {
      if (answer.restored) {
        page.committed = page.query;
        page.committedTour = page.tour;
      }
      replaceAddress(page, page.query);
    }
    drawTheRest(page);
    const words = page.local && page.sent.told ? page.local.verdict : verdict;
    settled.forEach((tell) => tell(page, answer, words));
    forget();
  }

  // Dash keeps every earlier value of every input, for an undo that is switched off.
  function forget() {
    window.dash_stores.forEach((store) => { store.getState().history.past.length = 0; });
  }

  // Some figures there are only in some states; an embed whose figure is gone shows the first.
  function showPresent(page, absent) {
    page.spec.plates.forEach((name) => {
      const hidden = absent.includes(name);
      const plate = document.getElementById(`${page.slug}-${name}-plate`);
      if (plate.hidden === hidden) return;
      setProps(plate.id, { hidden });
      setProps(`${page.slug}-show-${name}`, { hidden });
      if (hidden && plate.dataset.shown === "true") {
        const first = page.spec.plates.find((other) => !absent.includes(other));
        actions["show-plate"](page, document.getElementById(`${page.slug}-show-${first}`));
      }
    });
  }

  // What the page says of its state: preset, pins, snippets, the link to the full page.
  function describe(page, answer) {
    const part = (name) => page.slug + "-" + name;
    const asked = page.root.dataset.guess === "asked" ? "hide=verdict" : "";
    const search = [answer.query, asked].filter(Boolean).join("&");
    setControl(part("open"), { href: page.root.dataset.path + (search ? "?" + search : "") });
    setText(part("story"), answer.story);
    page.root.querySelectorAll("[data-action=preset]").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.preset === answer.preset));
    });
    page.root.querySelectorAll("[data-action=shortcut]").forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.shortcut === answer.shortcut));
    });
    const full = answer.pins.length >= page.spec.mostPins;
    // Not disabled, which would take focus away from who has just pressed it.
    setControl(part("pin"), { children: answer.pinLabel, "aria-disabled": String(full) });
    if (page.spec.file) setText(part("file-name"), page.file ? page.file.name : "");
    setText(part("python"), answer.python);
    setText(part("cite"), answer.cite.replace(page.spec.permalink, window.foptrn.permalink(page)));
    setText(part("printed"), window.foptrn.permalink(page));
  }

  function setText(id, text) {
    const element = document.getElementById(id);
    if (element && element.textContent !== text) setProps(id, { children: text });
  }

  // Brings the controls to the values of an answer; those already there are left alone. One whose
  // component is still being loaded gets its value as well: it would report its old one.
  function follow(page, values) {
    Object.entries(values).forEach(([name, text]) => {
      if (page.refused.has(name)) { page.values[name] = text; return; }
      const field = page.fields[name];
      const id = page.slug + "-" + name;
      const moved = page.values[name] !== text;
      const element = document.getElementById(id);
      page.values[name] = text;
      const box = element instanceof HTMLInputElement && element.value !== shown(field, text);
      // A box someone is typing in is theirs until they are done.
      const theirs = box && element === document.activeElement && plain(field, element.value) !== text;
      if (moved || (box && !theirs)) {
        if (field.kind === "choice" || field.kind === "bool") setProps(id, { value: text });
        else write(page, id, shown(field, text));
      }
      if (field.slider && (moved || page.typed.delete(name))) write(page, id + "-slider", toPosition(field, Number(text)));
    });
  }

  function refuse(page, problems) {
    const commit = page.commit;
    page.commit = false;
    clearErrors(page);
    // What was typed stays in its box; the state behind it stays the last good one.
    const chosen = page.values;
    page.values = { ...page.good };
    const kept = { ...chosen };
    problems.forEach(({ param: named, message }) => {
      // A file belongs to the control that takes it.
      const file = page.spec.file;
      const param = file && named === file.name ? file.field : named;
      if (!page.fields[param]) return;
      kept[param] = page.good[param];
      complain(page, param, message, chosen[param]);
    });
    // An edit made while an answer was awaited is not lost with a mistake made after it. Every
    // turn takes at least one field back, so this ends.
    const differs = (one, other) => Object.keys(one).some((name) => one[name] !== other[name]);
    if (differs(kept, chosen) && (page.late || differs(kept, page.good))) {
      page.late = false;
      page.values = kept;
      page.commit = commit;
      ask(page, { values: { ...kept }, kept: true });
      return;
    }
    // An earlier mistake is not forgotten for a later one.
    page.wrong.forEach((text, name) => {
      if (!page.refused.has(name)) complain(page, name, problems[0].message, text);
    });
    askAgain(page, page.run ? page.run.againMs : null);
  }

  // Says at a control what is wrong with it. A choice shows what is in force; typed text stays
  // for its writer to mend, and is tried again beside what they change next.
  function complain(page, name, message, text) {
    const id = page.slug + "-" + name;
    if (page.fields[name].kind !== "choice") page.wrong.set(name, text);
    else if (text !== page.good[name]) setControl(id, { value: page.good[name] });
    page.refused.add(name);
    page.typed.delete(name);
    setControl(id + "-error", { children: message });
    const box = document.getElementById(id);
    if (box) box.setAttribute("aria-invalid", "true");
  }

  function clearErrors(page) {
    const standing = [...page.refused].map((name) => page.slug + "-" + name);
    page.root.querySelectorAll("[aria-invalid]").forEach((box) => {
      if (!standing.includes(box.id)) box.removeAttribute("aria-invalid");
    });
    page.root.querySelectorAll(".control-error").forEach((element) => {
      if (element.textContent && !standing.some((id) => element.id === id + "-error")) {
        setProps(element.id, { children: "" });
      }
    });
  }

  function release(busy, spec) {
    const page = known(spec.slug);
    if (!page || !page.inFlight || busy !== false) return;
    window.setTimeout(() => {
      if (!page.answered && !page.inFlight) lost(page, "The server could not answer this request.");
    }, ANSWER_GAP_MS);
    land(page);
  }

  /* ---- computations in the background: how far they are, asking again, cancelling ---- */

  const CAN_CANCEL = ["running", "queued", "full"];
  const CAN_RUN = ["cancelled", "failed", "offered"];
  const BUSY = [...CAN_CANCEL, ...CAN_RUN];

  const SAID = {
    queued: "Waiting in the queue", running: "Computing", done: "Done", cancelled: "Cancelled",
  };

  function showRun(page, run) {
    const before = page.run ? page.run.state : "done";
    page.run = run;
    if (!run) return;
    const part = (name) => document.getElementById(`${page.slug}-run${name}`);
    if (run.stale) page.root.dataset.stale = "true";
    else delete page.root.dataset.stale;
    page.root.querySelectorAll(".plate").forEach((plate) => {
      const stale = (run.waiting || []).includes(plate.dataset.plate);
      if (stale) plate.dataset.stale = "true";
      else delete plate.dataset.stale;
    });
    part("").hidden = !run.text;
    const text = part("-text");
    if (text.textContent !== run.text) text.textContent = run.text;
    if (run.state !== before) part("-said").textContent = SAID[run.state] || run.text;
    const bar = part("-bar");
    bar.hidden = !CAN_CANCEL.includes(run.state);
    if (run.fraction === null) bar.removeAttribute("value");
    else bar.value = run.fraction;
    part("-cancel").hidden = !CAN_CANCEL.includes(run.state);
    part("-again").hidden = !CAN_RUN.includes(run.state);
    // A button that goes takes no focus along.
    const { activeElement } = document;
    if (part("").contains(activeElement) && !activeElement.getClientRects().length) {
      page.root.querySelector(".results").focus({ preventScroll: true });
    }
    askAgain(page, run.againMs);
  }

  // Asks how far a computation is, if one is under way, unless something newer is asked first.
  function askAgain(page, afterMs) {
    const { run } = page;
    if (!run || run.againMs === null || afterMs === null) return;
    window.clearTimeout(page.pollTimer);
    page.pollTimer = window.setTimeout(() => {
      if (page.inFlight || page.pending || !document.contains(page.root)) return;
      ask(page, {
        values: { ...page.good }, poll: true, shown: !run.stale, run: run.asked,
        ...(run.plates ? { plates: run.plates, quiet: run.quiet } : {}),
      });
    }, afterMs);
  }

  /* ---- a person's own file: read here, kept in this tab, sent once and then by its digest ---- */

  const fileKey = (spec) => `foptrn-file-${spec.slug}`;

  function rememberedFile(spec) {
    if (!spec.file) return null;
    try {
      return JSON.parse(window.sessionStorage.getItem(fileKey(spec)));
    } catch (unreadable) {
      return null;
    }
  }

  const standsOnFile = (spec, search) =>
    new URLSearchParams(search).get(spec.file.field) === spec.file.value;

  const wholeFile = (file) => ({ contents: file.contents });
  const fileAsSent = (file) =>
    file ? (file.digest ? { digest: file.digest } : wholeFile(file)) : undefined;

  // A file that the server has read replaces the one before; one with mistakes does not.
  function keepFile(page, digest) {
    const file = page.offered && page.sent && page.sent.attached
      && page.sent.attached.contents === page.offered.contents ? page.offered : page.file;
    if (!file || !digest) return;
    page.offered = null;
    if (file === page.file && file.digest === digest) return;
    page.file = { ...file, digest };
    setText(page.slug + "-file-name", file.name);
    try {
      window.sessionStorage.setItem(fileKey(page.spec), JSON.stringify(page.file));
    } catch (full) {
      // Without room the file lasts as long as the page.
    }
  }

  function offerFile(page, chosen) {
    const { field, name, value, maxBytes } = page.spec.file;
    if (chosen.size > maxBytes) {
      const message = `${name}: ${chosen.name} has ${(chosen.size / 1e6).toFixed(1)} MB; the file must be at most ${maxBytes / 1e6} MB`;
      refuse(page, [{ param: name, message }]);
      setControl(page.slug + "-notices", { children: `This file cannot be used; the last result stays: ${message}` });
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      page.offered = { name: chosen.name, contents: reader.result.slice(reader.result.indexOf(",") + 1) };
      page.commit = true;
      ask(page, {
        values: { ...page.values, [field]: value }, changed: field, attached: wholeFile(page.offered),
        replaces: Boolean(page.file),
      });
    };
    reader.readAsDataURL(chosen);
  }

  function chooseFile(page) {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = page.spec.file.accept;
    input.onchange = () => { if (input.files.length) offerFile(page, input.files[0]); };
    input.click();
  }

  /* ---- a line in a figure that stands for a field and can be dragged ---- */

  const GRIP_PX = 14;
  const FINGER_PX = 20;

  function grip(event) {
    const frame = event.target.closest && event.target.closest("[data-drag-field]");
    const page = frame && onScreen();
    const plot = frame && frame.querySelector(".js-plotly-plot");
    if (!page || !plot || !plot._fullLayout) return null;
    const name = frame.dataset.dragField;
    if (page.answer.inactive.includes(name)) return null;
    const axis = plot._fullLayout.xaxis;
    const left = plot.getBoundingClientRect().left + axis._offset;
    const here = left + axis.d2p(Number(page.values[name]));
    const reach = event.pointerType === "touch" ? FINGER_PX : GRIP_PX;
    return { page, frame, name, axis, left, near: Math.abs(event.clientX - here) <= reach };
  }

  function dragLine(event) {
    const held = grip(event);
    if (!held || !held.near || event.button > 0) return;
    const { page, frame, name, axis, left } = held;
    const field = page.fields[name];
    event.preventDefault();
    frame.setPointerCapture(event.pointerId);
    const line = { page, name, moved: false };
    const move = (moved) => {
      const at = Math.min(Math.max(moved.clientX - left, 0), axis._length);
      const value = fromPosition(field, toPosition(field, axis.p2d(at)));
      if (String(value) === page.values[name]) return;
      page.values[name] = String(value);
      line.moved = true;
      slide(page, changeOf(page, name, "on"), "on", [
        ...boxOf(page, name), [`${page.slug}-${name}-slider`, toPosition(field, value)],
      ]);
    };
    const release = () => {
      frame.removeEventListener("pointermove", move);
      letGo(line);
    };
    frame.addEventListener("pointermove", move);
    frame.addEventListener("pointerup", release, { once: true });
    frame.addEventListener("pointercancel", release, { once: true });
  }
  document.addEventListener("pointerdown", dragLine, true);
  document.addEventListener("pointermove", (event) => {
    const held = event.buttons ? null : grip(event);
    if (held) held.frame.classList.toggle("grip", held.near);
  });

  /* ---- tables: asked for when they are opened, made into elements here ---- */

  // Plain elements: Dash's own components take seconds for a few hundred rows.
  function tableElement(table) {
    const make = (type, children, scope) => {
      const item = document.createElement(type);
      if (scope) item.scope = scope;
      item.append(...children);
      return item;
    };
    const heads = table.columns.map((text) => make("th", [text], "col"));
    const rows = table.rows.map((row) => make("tr", row.map((text) => make("td", [text]))));
    return make("table", [
      make("caption", [table.title]), make("thead", [make("tr", heads)]), make("tbody", rows),
    ]);
  }

  function tables(data, spec) {
    Object.entries(data).forEach(([name, table]) => {
      const frame = document.getElementById(`${spec.slug}-${name}-table`);
      if (frame) frame.replaceChildren(tableElement(table));
    });
  }

  const openTables = (page) =>
    Array.from(page.root.querySelectorAll(".twin[open]"), (twin) => twin.dataset.plate);

  document.addEventListener("toggle", (event) => {
    const page = onScreen();
    if (page && event.target.matches(".twin[open]")) drawTheRest(page);
  }, true);

  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    explorer: {
      collect,
      // These answer nothing: their outputs are there so that they run when the page opens.
      settle: (...given) => { settle(...given); return null; },
      release: (...given) => { release(...given); return null; },
      tables: (...given) => { tables(...given); return null; },
    },
  });

  /* ---- buttons ---- */

  const actions = {
    reset: (page) => load(page, ""),
    preset: (page, button) => load(page, button.dataset.query),
    "cancel-run": (page) => ask(page, { values: { ...page.good }, cancel: true }),
    "run-again": (page) => ask(page, {
      values: { ...page.good }, run: true, declined: undefined, plates: page.spec.plates,
    }),
    "choose-file": (page) => chooseFile(page),
    shortcut: (page, button) => {
      const values = JSON.parse(button.dataset.values);
      page.commit = true;
      ask(page, { values: { ...page.values, ...values }, changed: Object.keys(values)[0] });
    },
    "show-pin": (page, button) => {
      const pin = page.pins[Number(button.dataset.index)];
      load(page, pin.slice(pin.indexOf("~") + 1));
    },
    pin: (page) => {
      if (page.pins.length < page.spec.mostPins) keep(page, [...page.pins, page.answer.pin]);
    },
    unpin: (page, button) => {
      // The button goes with its scenario; focus stays beside it.
      const others = page.pins.length > 1 && button.closest(".table-scroll");
      const preventScroll = !button.matches(":focus-visible"); // someone at the keys follows focus
      (others || document.getElementById(page.slug + "-pin")).focus({ preventScroll });
      keep(page, page.pins.filter((_, index) => index !== Number(button.dataset.index)));
    },
    theme: () => {
      const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      window.localStorage.setItem("theme", next);
      const url = new URL(window.location.href);
      url.searchParams.set("theme", next);
      window.history.replaceState(window.history.state, "", url);
      window.foptrnShow();
    },
    "show-plate": (page, button) => {
      page.root.querySelectorAll(".plate").forEach((plate) => {
        plate.dataset.shown = String(plate.dataset.plate === button.dataset.plate);
      });
      button.parentElement.querySelectorAll("button").forEach((other) => {
        other.setAttribute("aria-pressed", String(other === button));
      });
      window.dispatchEvent(new Event("resize"));
      drawTheRest(page);
    },
  };

  function load(page, query) {
    page.commit = true;
    ask(page, { query });
  }

  function keep(page, pins) {
    page.commit = true;
    ask(page, { values: { ...page.values }, pins, plates: page.spec.plates });
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-action]");
    if (!button) return;
    const run = actions[button.dataset.action] || window.foptrn.actions[button.dataset.action];
    run(onScreen(), button);
  });

  // How the API is asked for a state: with the person's own file where the state stands on one.
  function sending(page) {
    const { file } = page.spec;
    if (!file || !page.file || page.good[file.field] !== file.value) return {};
    const body = Uint8Array.from(window.atob(page.file.contents), (letter) => letter.charCodeAt(0));
    return { method: "POST", body, headers: { "Content-Type": "text/csv" } };
  }

  window.foptrn = {
    onScreen, setText, setControl, setProps, sending, ask, address, hasMoved, commitAddress,
    settled, refused, open: actions["show-plate"], actions: {}, onScreenPlates,
    answerHere: () => null,
  };
})();
