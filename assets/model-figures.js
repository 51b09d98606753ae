/* What the first figures of several explorers share: sweeps, and axes as pages/_figures/base.py
   makes them. A model's curves(params, result) gives what a slider changes in that figure, without
   pins: { traces: {name: {x, y, ...}}, layout: {xaxis, yaxis, shapes, annotations} }. Traces and
   axes hold only that, for their look is the drawn figure's; shapes and annotations are whole, made
   from those that Python gives. */
(() => {
  "use strict";

  const { THIN_SPACE, si } = window.foptrnModel.text;

  const span = (count) => Array.from({ length: count }, (_, index) => index);

  function geomspace(low, high, count) {
    const inner = span(count - 1).map((index) => low * (high / low) ** (index / (count - 1)));
    return [...inner, high];
  }

  // Sorted, each once.
  const union = (...lists) => [...new Set(lists.flat())].sort((one, other) => one - other);

  // The index of the first of rising values that is not below one.
  function searchsorted(values, one) {
    const found = values.findIndex((value) => value >= one);
    return found < 0 ? values.length : found;
  }

  function interp(x, xs, ys) {
    const right = Math.min(Math.max(searchsorted(xs, x), 1), xs.length - 1), left = right - 1;
    return ys[left] + ((x - xs[left]) / (xs[right] - xs[left])) * (ys[right] - ys[left]);
  }

  const every = (values, most) => {
    const step = Math.ceil(values.length / most) || 1;
    return values.filter((_, index) => index % step === 0);
  };

  // A drawn figure with what curves() gives of another state put in. Other than numbers and shapes
  // nothing of it changes, but what it said under a pointer belonged to the state before.
  window.foptrnModel.redrawn = ({ data, layout }, found, looks) => {
    const drawn = Object.fromEntries(data.map((trace) => [trace.name, trace]));
    const put = ([name, values]) => {
      const { customdata, ...look } = drawn[name] ?? looks[name];
      const told = !values.customdata && /customdata/.test(look.hovertemplate);
      const silent = told && { hovertemplate: null, hoverinfo: "skip" };
      return { ...look, ...silent, ...values };
    };
    const { xaxis, yaxis, ...rest } = found.layout;
    return {
      data: Object.entries(found.traces).map(put),
      layout: {
        ...layout, ...rest, xaxis: { ...layout.xaxis, ...xaxis }, yaxis: { ...layout.yaxis, ...yaxis },
      },
    };
  };

  window.foptrnModel.figures = ({ MOST_TICKS, TIME_TICKS }) => ({
    geomspace, interp, searchsorted, span, union,

    // A logarithmic axis of seconds.
    timeAxis(low, high) {
      const ticks = every(TIME_TICKS.filter(([seconds]) => low <= seconds && seconds <= high), MOST_TICKS);
      return {
        range: [Math.log10(low), Math.log10(high)],
        tickvals: ticks.map(([seconds]) => seconds),
        ticktext: ticks.map(([, words]) => words),
      };
    },

    // A logarithmic axis with a tick at every decade, or every few of them.
    decadeAxis(low, high) {
      const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
      const powers = every(span(last - first + 1).map((index) => first + index), MOST_TICKS);
      const ticks = powers.map((power) => Number(`1e${power}`));
      return {
        range: [Math.log10(low), Math.log10(high)],
        tickvals: ticks,
        ticktext: ticks.map((tick) => si(tick, "", 1).replace(THIN_SPACE, "")),
      };
    },
  });
})();
