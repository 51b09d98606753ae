/* An offline file of a closed form: controls, checks, verdict and figure, all computed here. */
(async () => {
  "use strict";

  const { draw, element, make, open, read: readHash, setText, write } = window.foptrnOffline;
  const { groupDigits } = window.foptrnModel.text;
  const MAIN = "Main settings", CASES = "Published cases";
  const data = await open();
  window.foptrnModel.load(data.slug, data.model);
  const model = window.foptrnModel[data.slug];
  const checks = window.foptrnOffline.checks(data);
  const fields = Object.fromEntries(data.fields.map((field) => [field.name, field]));
  const isNumber = (field) => field.kind === "int" || field.kind === "float";

  let values = { ...data.values }; // the state on screen; what is refused never enters it
  let panel = MAIN;
  let story = "";
  const controls = new Map(); // name -> { box, input, slider }

  /* ---- sliders ---- */

  const { fromPosition, toPosition } = window.foptrnControls;

  /* ---- the figure ---- */

  // Always the downloaded figure with this state's numbers, so that no way leads to another picture.
  const figureOf = (params, result) =>
    window.foptrnModel.redrawn(data.figure, model.curves(params, result), data.model.figure.looks);

  /* ---- state ---- */

  // A change holds as a whole or not at all; what clashes with it elsewhere follows where it can.
  function change(changes) {
    const wanted = { ...values }, problems = [], followed = [];
    Object.entries(changes).forEach(([name, text]) => {
      if (!fields[name]) {
        const known = Object.keys(fields).join(", ");
        problems.push({ param: name, message: `${name.slice(0, 40)} is not a parameter here; known: ${known}` });
        return;
      }
      const { value, problem } = checks.read(fields[name], String(text));
      if (problem) problems.push(problem);
      else wanted[name] = value;
    });
    if (!problems.length) {
      checks.clashes(wanted).forEach((clash) => {
        const near = clash.param in changes ? null : checks.nearest(wanted, clash.param);
        if (near === null) { problems.push(clash); return; }
        wanted[clash.param] = near;
        followed.push(`${clash.message}: using ${isNumber(fields[clash.param]) ? groupDigits(near) : near}`);
      });
    }
    if (problems.length) { refuse(problems, changes); return false; }
    accept(wanted, followed.join("; "));
    return true;
  }

  function accept(wanted, notice = "", told = "") {
    const params = model.resolve(checks.given(wanted));
    values = { ...wanted, ...params };
    story = told;
    const result = model.compute(params);
    setText("verdict", model.verdict(params, result));
    setText("problem", notice);
    draw(figureOf(params, result));
    writeAddress();
    show();
  }

  function refuse(problems, changes) {
    const listed = problems.map(({ message }) => message).join("; ");
    setText("problem", `The last result stays: ${listed}`);
    Object.keys(changes).forEach((name) => {
      const control = controls.get(name);
      const problem = problems.find(({ param }) => param === name);
      if (!control || !problem) return;
      control.input.setAttribute("aria-invalid", "true");
      control.input.setAttribute("aria-describedby", "problem");
      if (control.slider) control.slider.value = String(toPosition(fields[name], values[name]));
    });
  }

  // After the # stand the values that differ from the downloaded ones.
  function writeAddress() {
    const silent = new Set(checks.inactive(values));
    const differs = ({ name }) => values[name] !== data.values[name] && !silent.has(name);
    write(data.fields.filter(differs).map(({ name }) => [name, String(values[name])]));
  }

  function restore() {
    const asked = Object.fromEntries(readHash());
    values = { ...data.values };
    if (Object.keys(asked).length && change(asked)) return;
    const said = element("problem").textContent;
    accept({ ...data.values }, Object.keys(asked).length ? said : "");
  }

  /* ---- controls ---- */

  function numberControl(field, label) {
    const input = make("input", {
      id: field.name, type: "text", className: "number", autocomplete: "off", spellcheck: false,
      inputMode: field.kind === "int" ? "numeric" : "decimal",
      onchange: () => change({ [field.name]: input.value }),
    });
    const slider = field.range && make("input", {
      type: "range", min: field.range[0], max: field.range[1], step: field.step,
      attributes: { "aria-labelledby": label.id },
      oninput: () => change({ [field.name]: fromPosition(field, Number(slider.value)) }),
    });
    return { input, slider };
  }

  function choiceControl(field) {
    const input = make("select", { id: field.name, onchange: () => change({ [field.name]: input.value }) });
    return { input, slider: null };
  }

  const optionsOf = (field) =>
    field.kind === "bool" ? [{ value: "true", label: "Yes" }, { value: "false", label: "No" }]
    : field.kind === "name" ? checks.names(values).map((name) => ({ value: name, label: name }))
    : field.choices;

  function controlOf(field) {
    const label = make("label", {
      id: `${field.name}-label`, htmlFor: field.name, textContent: field.label,
      title: isNumber(field) ? `${field.help} Allowed: ${field.allowed}.` : field.help,
    });
    const unit = field.unit ? [make("span", { className: "unit", textContent: `(${field.unit})` })] : [];
    const { input, slider } = isNumber(field) ? numberControl(field, label) : choiceControl(field);
    const beside = isNumber(field) || field.kind === "bool";
    const head = make("div", { className: "control-head" }, [label, ...unit, ...(beside ? [input] : [])]);
    const body = beside ? (slider ? [slider] : []) : [input];
    const box = make("div", { className: "control", id: `${field.name}-control` }, [head, ...body]);
    controls.set(field.name, { box, input, slider });
    return box;
  }

  function button(label, act) {
    return make("button", { type: "button", textContent: label, onclick: act });
  }

  const cases = make("div", { id: "cases" }, [
    make("div", { className: "buttons" }, data.presets.map((preset) =>
      button(preset.label, () => accept({ ...values, ...preset.values }, "", preset.story)))),
    make("p", { id: "story", className: "story", attributes: { role: "status" } }),
    ...(data.shortcuts.items.length ? [make("h2", { textContent: data.shortcuts.title })] : []),
    make("div", { className: "buttons" }, data.shortcuts.items.map((item) =>
      button(item.label, () => change(item.values)))),
  ]);

  const groups = [...new Set(data.fields.map((field) => field.group))];
  const chooser = make("select", { id: "panel", onchange: () => { panel = chooser.value; show(); } });
  const reset = button("Reset", () => accept({ ...data.values }));
  reset.id = "reset";

  function build() {
    element("controls").append(
      make("div", { className: "panel-head buttons" }, [
        make("label", { htmlFor: "panel", textContent: "Show" }), chooser, reset]),
      ...data.fields.map(controlOf), cases);
  }

  function setOptions(select, options, value) {
    const same = select.options.length === options.length
      && options.every((option, index) => select.options[index].value === option.value);
    if (!same) {
      select.replaceChildren(...options.map(({ value: name, label }) =>
        make("option", { value: name, textContent: label })));
    }
    select.value = value;
  }

  function show() {
    const silent = new Set(checks.inactive(values));
    const live = groups.filter((group) =>
      data.fields.some((field) => field.group === group && !silent.has(field.name)));
    setOptions(chooser, [MAIN, ...live, CASES].map((name) => ({ value: name, label: name })), panel);
    if (chooser.value !== panel) { panel = MAIN; chooser.value = MAIN; }
    data.fields.forEach((field) => {
      const { box, input, slider } = controls.get(field.name);
      const here = panel === MAIN ? field.primary : panel === field.group;
      box.hidden = silent.has(field.name) || !here;
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
      const value = values[field.name];
      if (!isNumber(field)) { setOptions(input, optionsOf(field), String(value)); return; }
      input.value = groupDigits(value);
      if (!slider) return;
      const position = toPosition(field, value);
      // A slider in a hand stays where the hand holds it, between two whole numbers as well.
      if (fromPosition(field, Number(slider.value)) !== value) slider.value = String(position);
      slider.setAttribute("aria-valuetext", `${input.value}${field.unit ? ` ${field.unit}` : ""}`);
    });
    cases.hidden = panel !== CASES;
    element("story").textContent = story;
  }

  build();
  window.addEventListener("hashchange", restore);
  restore();
  document.documentElement.dataset.ready = "true";
})();
