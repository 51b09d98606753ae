/* Models in the browser: the registry, and how numbers are written for people.
   Python is the source of truth; these files repeat its operations in its order, so that both
   give the same numbers and words (a test draws states and compares). Constants, ranges and
   tables come from Python too (foptrn_model/browser_data.py), never by hand.

   A model defines itself; loading its data makes it:
     foptrnModel.load("amdahl", data);
     foptrnModel.amdahl.compute(params)           -> the API's "result"
     foptrnModel.amdahl.verdict(params, result)   -> the API's "verdict"
     foptrnModel.amdahl.curves(params, result)    -> what a slider moves in the first figure
   where params are the API's "params": every field with the value that is used, as
   foptrnModel.amdahl.resolve(values) makes them of the values of controls;
     foptrnModel.amdahl.fits(params)              -> whether numbers that sliders set go together. */
(() => {
  "use strict";

  const THIN_SPACE = "\u202f";
  const PREFIXES = ["", "k", "M", "G", "T", "P", "E", "Z"];
  const SPANS = [
    [365.25 * 86400, "years"], [86400, "days"], [3600, "h"], [60, "min"], [1, "s"],
    [1e-3, "ms"], [1e-6, "\u00b5s"], [1e-9, "ns"],
  ];
  const SUPERSCRIPTS = {
    "-": "\u207b", 0: "\u2070", 1: "\u00b9", 2: "\u00b2", 3: "\u00b3", 4: "\u2074",
    5: "\u2075", 6: "\u2076", 7: "\u2077", 8: "\u2078", 9: "\u2079",
  };

  /* ---- decimals as Python rounds them: exactly, ties to the even digit ---- */

  const word = new DataView(new ArrayBuffer(8));

  // |value| as a whole number times a power of two.
  function parts(value) {
    word.setFloat64(0, Math.abs(value));
    const bits = word.getBigUint64(0);
    const exponent = Number(bits >> 52n), fraction = bits & (2n ** 52n - 1n);
    return exponent ? [fraction | (2n ** 52n), exponent - 1075] : [fraction, -1074];
  }

  // |value| times 10^decimals as a whole number. toFixed would round ties up.
  function scaled(value, decimals) {
    let [top, power] = parts(value), bottom = 1n;
    if (power < 0) bottom <<= BigInt(-power); else top <<= BigInt(power);
    if (decimals < 0) bottom *= 10n ** BigInt(-decimals); else top *= 10n ** BigInt(decimals);
    const whole = top / bottom, rest = 2n * (top % bottom);
    return rest > bottom || (rest === bottom && whole % 2n) ? whole + 1n : whole;
  }

  const commas = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = (value) => (value < 0 || Object.is(value, -0) ? "-" : "");

  // "%.{decimals}f" with thousands separated.
  function fixed(value, decimals) {
    const digits = String(scaled(value, decimals)).padStart(decimals + 1, "0");
    const whole = commas(digits.slice(0, digits.length - decimals));
    return sign(value) + whole + (decimals ? "." + digits.slice(-decimals) : "");
  }

  // Power of ten of the first digit once rounded. A tie at its edge goes up by either rule.
  const exponentOf = (value, digits) => Number(value.toExponential(digits - 1).split("e")[1]);

  // Mantissa and power of ten of "%.{digits - 1}e".
  function scientific(value, digits) {
    const exponent = exponentOf(value, digits);
    const all = String(scaled(value, digits - 1 - exponent)).padEnd(digits, "0");
    return [sign(value) + all[0] + (digits > 1 ? "." + all.slice(1) : ""), exponent];
  }

  const round = (value, decimals) =>
    Number(`${sign(value)}${scaled(value, decimals)}e${-decimals}`);

  // To the nearest whole number, halves to the even one.
  function even(value) {
    const up = Math.round(value);
    return up - value === 0.5 && up % 2 ? up - 1 : up;
  }

  // "%,.{digits}g"
  function general(value, digits) {
    const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
    const [mantissa, exponent] = scientific(value, digits);
    if (exponent >= -4 && exponent < digits) return bare(fixed(value, digits - 1 - exponent));
    const power = String(Math.abs(exponent)).padStart(2, "0");
    return `${bare(mantissa)}e${exponent < 0 ? "-" : "+"}${power}`;
  }

  /* ---- numbers for people, as foptrn_model/text.py ---- */

  function groupDigits(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "bigint") return sign(Number(value)) + commas(String(value).replace("-", ""));
    if (Number.isInteger(value) && Math.abs(value) < 1e15) return groupDigits(BigInt(value));
    return general(value, 12);
  }

  function significant(value, digits = 3) {
    if (value === 0) return "0";
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : sign(value) + "inf";
    const decimals = digits - 1 - exponentOf(value, digits);
    return fixed(round(value, decimals), Math.max(decimals, 0));
  }

  function si(value, unit = "", digits = 3) {
    const wanted = value ? Math.floor(exponentOf(value, digits) / 3) : 0;
    const thousands = Math.min(Math.max(wanted, 0), PREFIXES.length - 1);
    const text = significant(value / Number(`1e${3 * thousands}`), digits);
    return `${text}${THIN_SPACE}${PREFIXES[thousands]}${unit}`.trimEnd();
  }

  function duration(seconds, digits = 3) {
    if (seconds === 0) return `0${THIN_SPACE}s`;
    for (const [size, unit] of SPANS) {
      // What rounds up to a whole unit is written in that unit.
      if (seconds > 0 && exponentOf(seconds / size, digits) >= 0) {
        return `${significant(seconds / size, digits)}${THIN_SPACE}${unit}`;
      }
    }
    return `${compact(seconds / 1e-12, digits)}${THIN_SPACE}ps`;
  }

  const percent = (fraction, digits = 3) => `${compact(fraction * 100, digits)}${THIN_SPACE}%`;

  function compact(value, digits = 3) {
    const size = Math.abs(value);
    if (value && Number.isFinite(value) && !(size >= 1e-3 && size < 1e7)) {
      const [mantissa, exponent] = scientific(value, digits);
      return `${mantissa}\u00d710${[...String(exponent)].map((char) => SUPERSCRIPTS[char]).join("")}`;
    }
    return significant(value, digits);
  }

  const counted = (number, noun, plural = noun + "s") =>
    `${groupDigits(number)} ${number === 1 ? noun : plural}`;

  function speedUp(bound, digits = 2) {
    const gain = bound - 1;
    if (gain <= 0) return "1";
    if (gain >= 1) return significant(bound, digits + 1);
    // Where log10 ends next to a whole number, that one is meant; libraries differ there.
    const power = Math.log10(gain), near = Math.round(power);
    const exponent = Math.abs(power - near) < 1e-15 * Math.max(1, -near) ? near : Math.floor(power);
    return fixed(bound, Math.min(digits - 1 - exponent, 12));
  }

  const capital = (text) => text[0].toUpperCase() + text.slice(1);

  /* ---- headline numbers, as foptrn_model/headlines.py ---- */

  const WRITERS = {
    percent: (value) => percent(value),
    speed_up: (value) => `${speedUp(value)}\u00d7`,
    si: (value, unit) => si(value, unit),
    plain: (value, unit) => compact(value) + unit,
    duration: (value) => duration(value),
    whole: (value) => groupDigits(BigInt(even(value))),
  };

  // headline: {field, style, unit, words}, as Python's.
  const headlineValue = (headline, result) =>
    headline.field.split(".").reduce((found, part) => found[part], result);

  function headlineText(headline, value) {
    if (typeof value === "string") return headline.words[value] ?? value;
    return WRITERS[headline.style](value, headline.unit).replaceAll("-", "\u2212");
  }

  function headlineDifference(headline, value, base) {
    if (value === base) return "same";
    if (typeof value === "string" || typeof base === "string") return "";
    const gap = Math.abs(value - base);
    const size =
      headline.style === "percent" ? `${compact(100 * gap)} points`
      : headline.style === "speed_up" ? significant(gap)
      : headlineText(headline, gap);
    const factor = base && value ? `, ${compact(value / base)}\u00d7` : "";
    return `${value > base ? "+" : "\u2212"}${size}${factor}`;
  }

  /* ---- models ---- */

  const factories = {};
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const fromKeys = (keys, make) => Object.fromEntries(keys.map((key) => [key, make(key)]));

  // Whole numbers whose product may not fit a double: rounded once, at the end.
  const product = (...numbers) => Number(numbers.reduce((found, number) => found * BigInt(number), 1n));

  window.foptrnModel = {
    define: (slug, make) => { factories[slug] = make; },
    load: (slug, data) => {
      window.foptrnModel[slug] = { fits: () => true, ...factories[slug](data) };
    },
    text: {
      THIN_SPACE, capital, compact, counted, duration, groupDigits, percent, si, significant, speedUp,
    },
    headline: { value: headlineValue, text: headlineText, difference: headlineDifference },
    arithmetic: { even, fromKeys, parts, product, sum },
  };
})();
