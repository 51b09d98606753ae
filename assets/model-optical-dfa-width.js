/* The optical DFA explorer's first figure, time per step over width, as
   foptrn_model/optical_dfa_series.py and pages/_figures/optical_dfa_sweep.py and
   optical_dfa_strips.py. */
(() => {
  "use strict";

  const { duration, groupDigits } = window.foptrnModel.text;
  const { fromKeys } = window.foptrnModel.arithmetic;

  window.foptrnModel.opticalDfaWidth = (data, { memoryCoefficients, regimeOf, stepOf, stepTerms }) => {
    const { CAMERA_COLUMNS, CAMERA_ROWS, METHODS, figure } = data;
    const { METHOD_LABELS, OTHERS, REGIME_LABELS, SHORT_NAMES, labels, shapes } = figure;
    const axes = window.foptrnModel.figures(figure);
    const { log, log10, max, min, sqrt } = Math;

    /* ---- the sweep ---- */

    // The width from which on a step no longer fits.
    function wallOf(params, method) {
      const [quadratic, linear] = memoryCoefficients(params, method, params.depth);
      const room = params.gpu_memory_GB * 1e9;
      return (2 * room) / (linear + sqrt(linear * linear + 4 * quadratic * room));
    }

    // A point of the sweep, each computed once.
    function pointsOf(params) {
      const known = new Map();
      return (size) => {
        if (!known.has(size)) {
          const terms = stepTerms(params, params.depth, size), step = stepOf(terms);
          const regime = fromKeys(METHODS, (method) => regimeOf(terms[method]));
          const won = fromKeys(Object.keys(OTHERS), (method) => step.odfa < step[method]);
          const kind = [...Object.values(regime), ...Object.values(won)].join();
          known.set(size, { step, regime, won, kind });
        }
        return known.get(size);
      };
    }

    // Sizes with both sides of every change that lies between two of them; gaps are cut until then.
    function withBorders(sizes, pointOf) {
      const cut = (start, end) => axes.span(figure.CUTS).map((index) =>
        index === figure.CUTS - 1 ? end : Math.floor(index * ((end - start) / (figure.CUTS - 1)) + start));
      const found = [...sizes];
      let parts = [sizes];
      while (parts.length) {
        const next = [];
        for (const part of parts) {
          for (let index = 1; index < part.length; index++) {
            const start = part[index - 1], end = part[index];
            if (pointOf(start).kind === pointOf(end).kind) continue;
            if (end - start > 1) next.push(cut(start, end)); else found.push(start, end);
          }
        }
        parts = next;
      }
      return axes.union(found);
    }

    function sweepOf(params, result) {
      const here = params.width;
      const low = min(figure.shown[0], here), high = max(figure.shown[1], here);
      const count = Math.round(log10(high / low) * figure.POINTS_PER_DECADE) + 1;
      const walls = fromKeys(METHODS, (method) => wallOf(params, method));
      const ends = Object.values(walls).filter((size) => low < size && size < high).map(Math.floor);
      const crossovers = [result.crossover_width, result.crossover_width_dfa]
        .filter((size) => typeof size === "number");
      const sizes = axes.union(
        axes.geomspace(low, high, count).map(Math.round), here, crossovers, ends,
        ends.map((size) => size + 1),
      ).filter((size) => low <= size && size <= high);
      const pointOf = pointsOf(params), all = withBorders(sizes, pointOf);
      return { sizes: all, points: all.map(pointOf), pointOf, walls, low, high };
    }

    // Stretches of equal values as [value, from, to]; they meet halfway between sizes.
    function runs(sizes, values) {
      const starts = values.map((_, index) => index)
        .filter((index) => index === 0 || values[index] !== values[index - 1]);
      const border = (index) => sqrt(sizes[index - 1] * sizes[index]);
      return starts.map((index, place) => {
        const after = starts[place + 1];
        return [
          values[index], index ? border(index) : sizes[0],
          after === undefined ? sizes.at(-1) : border(after),
        ];
      });
    }

    /* ---- shapes and their labels ---- */

    const ahead = ({ sizes, points }) =>
      Object.keys(OTHERS).flatMap((method) =>
        runs(sizes, points.map((point) => point.won[method])).filter(([won]) => won)
          .map(([, x0, x1]) => ({ ...shapes.won[method], x0, x1 })));

    function strips({ sizes, points }) {
      const whole = log(sizes.at(-1) / sizes[0]), found = { shapes: [], labels: [] };
      for (const method of METHODS) {
        for (const [regime, x0, x1] of runs(sizes, points.map((point) => point.regime[method]))) {
          found.shapes.push({ ...shapes.strip[method][regime], x0, x1 });
          const share = log(x1 / x0) / whole, full = REGIME_LABELS[regime];
          const text = [full, figure.NARROW[regime] ?? full]
            .find((name) => name.length * figure.ROOM_PER_LETTER < share);
          if (text) found.labels.push({ ...labels.strip[method], text, x: (log10(x0) + log10(x1)) / 2 });
        }
      }
      return found;
    }

    // [wall, names] within the figure; methods with nearly the same wall share it.
    function wallGroups({ walls, low, high }) {
      const close = (high / low) ** 0.015, groups = [];
      for (const method of METHODS) {
        const wall = walls[method], last = groups.at(-1);
        if (!(low < wall && wall < high)) continue;
        if (last && max(wall, last[0]) / min(wall, last[0]) < close) last[1].push(SHORT_NAMES[method]);
        else groups.push([wall, [SHORT_NAMES[method]]]);
      }
      return groups;
    }

    function limits(params, sweep) {
      const { low, high } = sweep, found = { shapes: [], labels: [] };
      const sides = { left: [], right: [] };
      wallGroups(sweep).forEach(([wall, names], index) => {
        found.shapes.push({ ...shapes.wall, x0: wall, x1: wall });
        const edge = index === 0 ? figure.NEAR_EDGE : 1 - figure.NEAR_EDGE;
        sides[log(wall / low) / log(high / low) > edge ? "left" : "right"].push([wall, names]);
      });
      for (const [side, walls] of Object.entries(sides)) {
        if (!walls.length) continue;
        const at = walls.map(([wall]) => wall), several = walls.length > 1;
        const named = several ? walls.map(([, names]) => names.join(", ")) : walls[0][1];
        found.labels.push({
          ...labels.wall[side], text: `memory wall${several ? "s" : ""}:<br>${named.join("<br>")}`,
          x: log10(side === "left" ? min(...at) : max(...at)),
        });
      }
      const full = (CAMERA_COLUMNS * CAMERA_ROWS) / params.depth;
      if (low < full && full < high) {
        found.shapes.push({ ...shapes.camera, x0: full, x1: full });
        found.labels.push({ ...labels.camera, x: log10(full) });
      }
      return found;
    }

    function stateLabels(params, result, { sizes }, low, high) {
      const seconds = result.step_time_s.odfa, from = log10(sizes[0]), to = log10(sizes.at(-1));
      const late = (log10(params.width) - from) / (to - from) > figure.NEARLY_HALF;
      const raised = log(seconds / low) / log(high / low) > figure.ROOM_FOR_LABEL;
      const firsts = Object.entries(OTHERS).map(([method, ending]) => {
        const size = result[`crossover_width${ending}`];
        const text = typeof size === "number" ? groupDigits(size) : size;
        return `${figure.CROSSING_SIGNS[method]} ${SHORT_NAMES[method]}: ${text}`;
      });
      return [
        {
          ...labels.state[`${late ? "late" : "early"} ${raised ? "high" : "low"}`],
          text: `this state:<br>${duration(seconds)}`, x: log10(params.width), y: log10(seconds),
        },
        { ...labels.first, text: `light first beats<br>${firsts.join("<br>")}` },
      ];
    }

    /* ---- the figure ---- */

    function tracesOf(params, result, { sizes, points, pointOf }) {
      const found = Object.fromEntries(METHODS.map((method) =>
        [METHOD_LABELS[method], { x: sizes, y: points.map((point) => point.step[method]) }]));
      for (const [method, ending] of Object.entries(OTHERS)) {
        const size = result[`crossover_width${ending}`];
        if (sizes[0] < size && size <= sizes.at(-1)) {
          found[`light passes ${SHORT_NAMES[method]}`] = { x: [size], y: [pointOf(size).step.odfa] };
        }
      }
      found["this state"] = { x: [params.width], y: [result.step_time_s.odfa] };
      METHODS.forEach((method, place) => {
        found[`strip of ${METHOD_LABELS[method]}`] = {
          x: sizes, y: sizes.map(() => METHODS.length - place - 0.5),
          customdata: points.map((point) => REGIME_LABELS[point.regime[method]]),
        };
      });
      return found;
    }

    return (params, result) => {
      const sweep = sweepOf(params, result), { sizes, points } = sweep;
      const seconds = points.flatMap((point) => Object.values(point.step));
      const low = min(...seconds) / 2, high = max(...seconds) * 2;
      const strip = strips(sweep), limit = limits(params, sweep);
      return {
        traces: tracesOf(params, result, sweep),
        layout: {
          xaxis: axes.decadeAxis(sizes[0], sizes.at(-1)),
          yaxis: axes.timeAxis(low, high),
          shapes: [...ahead(sweep), ...strip.shapes, ...limit.shapes],
          annotations: [
            ...strip.labels, ...limit.labels, ...stateLabels(params, result, sweep, low, high),
          ],
        },
      };
    };
  };
})();
