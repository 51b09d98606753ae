/* What a control of an offline file may be set to, in the words of foptrn_model/fields.py,
   architecture.py and transit_params.py; bounds and names come from Python. A test compares the
   messages. */
(() => {
  "use strict";

  const MOST_ECHO = 60;
  const NUMBER = /^[+-]?((\d{1,3}(,\d{3})+|\d+)(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?$/;
  const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
  const { groupDigits } = window.foptrnModel.text;

  function echo(value) {
    const text = String(value).replace(UNPRINTABLE, "\ufffd");
    if (!text.trim()) return "nothing";
    const letters = [...text];
    return letters.length <= MOST_ECHO ? text : letters.slice(0, MOST_ECHO).join("") + "\u2026";
  }

  const refuse = (name, because, value) =>
    ({ param: name, message: `${name} must be ${because}, got ${echo(value)}` });

  function numberOf(text) {
    const bare = text.trim().replaceAll("\u2212", "-");
    const number = bare.length <= MOST_ECHO && NUMBER.test(bare) ? Number(bare.replaceAll(",", "")) : NaN;
    return Number.isFinite(number) ? number : null;
  }

  function valueOf(field, text) {
    if (field.kind === "bool") return { true: true, false: false }[text.trim().toLowerCase()] ?? null;
    if (field.kind === "choice") return field.choices.some(({ value }) => value === text) ? text : null;
    if (field.kind === "name") return text.trim();
    const number = numberOf(text);
    const fits = number !== null && number >= field.low && number <= field.high
      && (field.kind === "float" || Number.isInteger(number));
    return fits ? number : null;
  }

  // One field read from what was written: { value } or { problem }.
  function read(field, text) {
    const value = valueOf(field, text);
    return value === null ? { problem: refuse(field.name, field.allowed, text) } : { value };
  }

  /* ---- which fields matter, and which clash: per explorer ---- */

  function architecture(data) {
    const { BLOCK_SIZES, CUSTOM, SHAPE_FIELDS, custom, shapes } = data.model.ledger;
    const allowed = (name) => data.fields.find((field) => field.name === name).allowed;
    const USED = {
      transformer: [], hyena: ["hyena_order"], hybrid: ["hyena_order", "hybrid_period"],
      "block-circulant": ["hyena_order", "block_size"],
    };
    const isCustom = (values) => values.shape === CUSTOM;
    const shapeOf = (values) => (isCustom(values)
      ? Object.fromEntries(SHAPE_FIELDS.map((name) => [name, values[name] ?? custom[name]]))
      : shapes[values.shape].sizes);
    const fitting = ({ d_model, d_ff }) =>
      BLOCK_SIZES.filter((size) => d_model % size === 0 && d_ff % size === 0);

    function blockProblem(values, shape) {
      const fits = fitting(shape);
      if (fits.includes(values.block_size)) return [];
      const here = fits.join(", ") || "none fits; make both multiples of 8";
      return [refuse("block_size", "a power of two from 8 to 4,096 that divides d_model " +
        `${groupDigits(shape.d_model)} and d_ff ${groupDigits(shape.d_ff)} (here: ${here})`, values.block_size)];
    }

    return {
      // A published shape decides its sizes itself.
      given: (values) => (isCustom(values) ? values
        : { ...values, ...Object.fromEntries(SHAPE_FIELDS.map((name) => [name, null])) }),
      inactive(values) {
        const unused = ["hyena_order", "hybrid_period", "block_size"]
          .filter((name) => !USED[values.variant].includes(name));
        return isCustom(values) ? unused : [...unused, ...SHAPE_FIELDS];
      },
      clashes(values) {
        const shape = shapeOf(values), found = [];
        if (isCustom(values) && shape.d_model % shape.n_heads) {
          found.push(refuse("d_model", `${allowed("d_model")} and a multiple of n_heads ${shape.n_heads}`, shape.d_model));
        }
        if (isCustom(values) && shape.n_heads % shape.n_kv_heads) {
          found.push(refuse("n_kv_heads", `${allowed("n_kv_heads")} that divides n_heads ${shape.n_heads}`, shape.n_kv_heads));
        }
        return [...found, ...blockProblem(values, shape)];
      },
      // Of what clashes with a change elsewhere: a block size moves to the nearest that fits.
      nearest(values, name) {
        const near = (size) => Math.abs(size - values.block_size);
        const fits = name === "block_size" ? fitting(shapeOf(values)) : [];
        return fits.length ? fits.reduce((best, size) => (near(size) < near(best) ? size : best)) : null;
      },
    };
  }

  function transit({ names }) {
    return {
      given: (values) => values,
      inactive: (values) => [
        ...(values.datacentres === 1 ? ["wan_GBps", "latency_us", "wan_pJ_per_bit"] : []),
        ...(values.sync_every === 1 ? ["loss_penalty_percent"] : []),
      ],
      clashes({ band, curves }) {
        const { known } = names.band[curves];
        return known.includes(band) ? []
          : [refuse("band", `a band or optics method of these curves (${known.join(", ")})`, band)];
      },
      nearest: (values, name) => (name === "band" ? names.band[values.curves].default : null),
      names: (values) => names.band[values.curves].known,
    };
  }

  const free = () => ({ given: (values) => values, inactive: () => [], clashes: () => [], nearest: () => null });
  const OF = { amdahl: architecture, masks: architecture, transit, "optical-dfa": free };

  window.foptrnOffline.checks = (data) => ({ read, ...OF[data.slug](data) });
})();
