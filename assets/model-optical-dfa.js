/* The optical DFA explorer's closed form and its verdict, as foptrn_model/optical_dfa.py,
   optical_dfa_memory.py, optical_dfa_search.py and optical_dfa_verdict.py. */
(() => {
  "use strict";

  const { text, arithmetic } = window.foptrnModel;
  const { compact, counted, duration, groupDigits } = text;
  const { fromKeys, sum } = arithmetic;

  window.foptrnModel.define("optical-dfa", (data) => {
    const { BYTES, CAMERA_COLUMNS, CAMERA_ROWS, GUARD_S, LEVEL, METHODS, NAMES, OPTIMIZER_WORDS } = data;
    const { REGIME_WORDS, TERMS, TRAVERSALS, ranges } = data;

    /* ---- memory, and what moving the rest takes ---- */

    const rowsPerStep = (params) => params.batch * params.errors_per_sample;
    const memoryRate = (params) => params.gpu_memory_GBps * 1e9;

    // [bytes per width squared, bytes per width] of a step's memory.
    function memoryCoefficients(params, method, layers) {
      const perLayer = BYTES * params.matrices_per_layer;
      const linear = 2 * BYTES * rowsPerStep(params) * layers;
      if (method === "bp") return [perLayer * layers * (2 + OPTIMIZER_WORDS), linear];
      const quadratic = perLayer * (layers * (1 + OPTIMIZER_WORDS) + 1);
      if (method === "odfa") return [quadratic, linear];
      if (params.error_length) return [quadratic, linear + BYTES * params.error_length * layers];
      return [quadratic + BYTES * layers, linear];
    }

    function memoryBytes(params, method, layers, side) {
      const [quadratic, linear] = memoryCoefficients(params, method, layers);
      return (quadratic * side + linear) * side;
    }

    function offload(params, method, layers, side) {
      const room = params.gpu_memory_GB * 1e9;
      const excess = Math.max(memoryBytes(params, method, layers, side) - room, 0);
      return TRAVERSALS[method] * ((2 * excess) / (params.pcie_GBps * 1e9));
    }

    /* ---- time ---- */

    // [compute, memory] seconds of a matrix product; the shorter one hides and counts nothing.
    function productTime(params, weights, activations) {
      const compute = (2 * rowsPerStep(params) * weights) / (params.gpu_tflops * 1e12);
      const memory = (BYTES * (weights + activations)) / memoryRate(params);
      return compute >= memory ? [compute, 0] : [0, memory];
    }
    const layerProduct = (params, side) =>
      productTime(params, params.matrices_per_layer * (side * side), 2 * rowsPerStep(params) * side);
    const feedbackProduct = (params, side) =>
      productTime(params, (params.error_length || side) * side, rowsPerStep(params) * side);

    const cameraTime = (params, layers, side) =>
      Math.ceil((layers * side) / CAMERA_COLUMNS) / (params.camera_fps * CAMERA_ROWS) + GUARD_S;
    const exposuresOf = (params) => rowsPerStep(params) * params.passes;

    // [frame-rate, camera] seconds of a step's projections; the faster one waits.
    function opticalTerms(params, layers, side) {
      const frame = 1 / params.frame_rate_hz, camera = cameraTime(params, layers, side);
      const exposures = exposuresOf(params);
      return camera > frame ? [0, exposures * camera] : [exposures * frame, 0];
    }

    // Seconds per step by method and term.
    function stepTerms(params, layers, side) {
      const product = layerProduct(params, side), projection = feedbackProduct(params, side);
      const update =
        (BYTES * params.matrices_per_layer * (side * side) * (3 + 2 * OPTIMIZER_WORDS)) /
        memoryRate(params);
      const launch = params.launch_us * 1e-6 * layers;
      const [frame, camera] = opticalTerms(params, layers, side);
      return fromKeys(METHODS, (method) => {
        const products = method === "bp" ? 3 : 2;
        const projected = method === "dfa" ? projection : [0, 0];
        return {
          launch: (products + 1 + (method === "dfa" ? 1 : 0)) * launch,
          compute: layers * (products * product[0] + projected[0]),
          "memory-bandwidth": layers * (products * product[1] + projected[1] + update),
          offload: offload(params, method, layers, side),
          "frame-rate": method === "odfa" ? frame : 0,
          camera: method === "odfa" ? camera : 0,
        };
      });
    }

    const stepOf = (terms) => fromKeys(METHODS, (method) => sum(Object.values(terms[method])));
    const regimeOf = (terms) =>
      TERMS.reduce((largest, term) => (terms[term] > terms[largest] ? term : largest));

    // Equal times that were summed in another order differ in their last digits.
    function fastestOf(step) {
      const least = Math.min(...METHODS.map((method) => step[method]));
      return METHODS.find((method) => step[method] <= least * (1 + 1e-9));
    }

    function gpuProjection(params, layers, side) {
      const [compute, memory] = feedbackProduct(params, side);
      return layers * (compute + memory + params.launch_us * 1e-6);
    }

    /* ---- what light saves and pays, neither ever falling as the network grows ---- */

    function loss(params, layers, side) {
      const [frame, camera] = opticalTerms(params, layers, side);
      return frame + camera;
    }

    function gain(params, layers, side) {
      const [compute, memory] = layerProduct(params, side);
      const inputGradients = layers * (compute + memory + params.launch_us * 1e-6);
      return inputGradients +
        (offload(params, "bp", layers, side) - offload(params, "odfa", layers, side));
    }

    const gainOverDfa = (params, layers, side) =>
      gpuProjection(params, layers, side) +
      (offload(params, "dfa", layers, side) - offload(params, "odfa", layers, side));

    /* ---- the first size at which one rising side exceeds another ---- */

    // Sizes are passed over where the larger side at their end does not exceed the smaller at their
    // start; what is left is halved, so that a single size is decided by itself.
    function first(low, high, larger, smaller, exceeds) {
      if (!exceeds(larger(high), smaller(low))) return null;
      if (low === high) return low;
      const middle = Math.floor((low + high) / 2);
      return first(low, middle, larger, smaller, exceeds) ??
        first(middle + 1, high, larger, smaller, exceeds);
    }

    const above = (one, other) => one > other;
    const level = (one, other) => one >= other;
    const line = (params, along, side) =>
      along === "width"
        ? (size) => side(params, params.depth, size) : (size) => side(params, size, params.width);

    function crossing(params, along, saved) {
      const { low, high } = ranges[along];
      const gained = line(params, along, saved), lost = line(params, along, loss);
      const found = first(low, high, gained, lost, above);
      if (found === null) return "never";
      if (found > low) return found;
      return first(low, high, lost, gained, level) === null ? "always" : found;
    }

    function nextCrossing(params, along, saved) {
      const low = params[along] + 1, { high } = ranges[along];
      if (low > high) return null;
      return first(low, high, line(params, along, saved), line(params, along, loss), above);
    }

    // The frame rate at which an optical step takes as long as one of backpropagation.
    function frameRateNeeded(params) {
      const exposures = exposuresOf(params), allowed = gain(params, params.depth, params.width);
      const reading = exposures * cameraTime(params, params.depth, params.width);
      const needed = reading > allowed ? Infinity : exposures / allowed;
      return Number.isFinite(needed) ? needed : "never";
    }

    function compute(params) {
      const { depth, width } = params;
      const terms = stepTerms(params, depth, width), step = stepOf(terms);
      const watts = { bp: params.gpu_W, dfa: params.gpu_W, odfa: params.gpu_W + params.opu_W };
      return {
        step_time_s: step,
        projection_time_s: {
          dfa: gpuProjection(params, depth, width), odfa: loss(params, depth, width),
        },
        memory_bytes: fromKeys(METHODS, (method) => memoryBytes(params, method, depth, width)),
        energy_J: fromKeys(METHODS, (method) => step[method] * watts[method]),
        optical_over_dfa: step.odfa / step.dfa,
        optical_over_bp: step.odfa / step.bp,
        crossover_width: crossing(params, "width", gain),
        crossover_depth: crossing(params, "depth", gain),
        crossover_width_dfa: crossing(params, "width", gainOverDfa),
        crossover_depth_dfa: crossing(params, "depth", gainOverDfa),
        fastest: fastestOf(step),
        regime: fromKeys(METHODS, (method) => regimeOf(terms[method])),
        frame_rate_to_break_even_hz: frameRateNeeded(params),
        weights: params.matrices_per_layer * depth * (width * width),
      };
    }

    /* ---- in words ---- */

    // The optical step beside another one, of which the ratio is the quotient.
    function compared(ratio, whose) {
      const bare = whose.replace(/^as long as /, "");
      if (Math.abs(ratio - 1) < LEVEL) return `as long as ${bare}`;
      if (ratio < 1) return `${compact(1 / ratio)}\u00d7 faster than ${bare}`;
      return `${compact(ratio)}\u00d7 ${whose}`;
    }

    const from = (crossover) =>
      ({ never: "at no width", always: "at every width" })[crossover] ??
      `first at a width of ${groupDigits(crossover)}`;

    // Where the state lies beyond the crossover and light does not win there.
    function lostAgain(params, crossover, saved) {
      if (typeof crossover === "string" || params.width < crossover) return "";
      const { depth, width } = params;
      if (saved(params, depth, width) > loss(params, depth, width)) return "";
      const again = nextCrossing(params, "width", saved);
      const back = again === null ? "at no larger one" : `again from ${groupDigits(again)}`;
      return `, not at this one, ${back},`;
    }

    function where(params, result) {
      const overBp = result.crossover_width, overDfa = result.crossover_width_dfa;
      if (overBp === "always" && overDfa === "always") {
        return "at this depth light beats both at every width";
      }
      if (overBp === "never" && overDfa === "never") {
        const most = groupDigits(ranges.width.high);
        const nowhere = result.crossover_depth === "never" && result.crossover_depth_dfa === "never";
        const deeper = nowhere ? ", nor at any depth at this width" : "";
        return `at this depth light beats neither at any width up to ${most}${deeper}`;
      }
      const lost = [lostAgain(params, overBp, gain), lostAgain(params, overDfa, gainOverDfa)];
      if (typeof overBp === "number" && typeof overDfa === "number" && !lost[0] && !lost[1]) {
        return `at this depth light first beats backpropagation at a width of ${groupDigits(overBp)} ` +
          `and DFA on the GPU at ${groupDigits(overDfa)}`;
      }
      return `at this depth light beats backpropagation ${from(overBp)}${lost[0]} and DFA on the GPU ` +
        `${from(overDfa)}${lost[1].replace(/,$/, "")}`;
    }

    function verdict(params, result) {
      const step = result.step_time_s, { fastest } = result;
      const limit = REGIME_WORDS[result.regime.odfa], widths = where(params, result);
      const shape = `At ${counted(params.depth, "layer")} of ${groupDigits(params.width)}`;
      const tokens = params.errors_per_sample > 1
        ? `, with ${groupDigits(params.errors_per_sample)} projections a sample` : "";
      let overBp = compared(result.optical_over_bp, `backpropagation's ${duration(step.bp)}`);
      const overDfa = compared(result.optical_over_dfa, "as long as DFA on the GPU");
      if (fastest === "odfa") {
        return `${shape} light is fastest with ${duration(step.odfa)} a step, ${overBp} and ` +
          `${overDfa}${tokens}, held up most by ${limit}; ${widths}.`;
      }
      let start = `${NAMES[fastest]} is fastest with ${duration(step[fastest])} a step`;
      if (fastest === "bp") overBp = compared(result.optical_over_bp, "that");
      if (Math.abs(step.dfa / step.bp - 1) < LEVEL) {
        start = `${NAMES.bp} and ${NAMES.dfa} are equally fast with ${duration(step[fastest])} a step`;
        overBp = compared(result.optical_over_bp, "that");
      } else if (fastest === "dfa" && result.optical_over_bp < 1 - LEVEL) {
        overBp += ` but ${overDfa}`;
      }
      return `${shape} ${start}; with light it takes ${duration(step.odfa)}, ${overBp}${tokens}, and is ` +
        `held up most by ${limit}; ${widths}.`;
    }

    const curves = data.figure && window.foptrnModel.opticalDfaWidth(
      data, { memoryCoefficients, regimeOf, stepOf, stepTerms });
    return { resolve: (values) => values, compute, verdict, curves };
  });
})();
