/* The masks explorer's closed form and its verdict, as foptrn_model/masks.py and masks_text.py. */
(() => {
  "use strict";

  const { text, arithmetic } = window.foptrnModel;
  const { compact, duration, groupDigits, percent } = text;
  const { even, parts, product, sum } = arithmetic;

  window.foptrnModel.define("masks", (data) => {
    const ledger = window.foptrnModel.ledger(data.ledger);
    const { ALLREDUCES_PER_LAYER, BYTES_PER_ACTIVATION, ROUNDING, ranges } = data;

    const figures = data.figure && window.foptrnModel.figures(data.figure);

    // The ledger's own constant of a transform is no param here.
    const workOf = (params) => ledger.trainingWork({ ...params, fft_constant: data.FFT_CONSTANT });

    // Complex values that the masks of one forward pass hold.
    function maskValues(params) {
      const { n_layers, d_model, hyena_order, block_size: k } = params;
      const bins = Math.floor(ledger.paddedLength(params.seq_len) / 2) + 1;
      const held = (matrices) => n_layers * sum(matrices.map(([rows, cols]) =>
        Math.floor(rows / k) * Math.floor(cols / k) * (Math.floor(k / 2) + 1)));
      const circulant = params.variant === "block-circulant";
      return {
        long_convolution: (n_layers - ledger.attentionLayers(params)) * hyena_order * d_model * bins,
        mixing: circulant ? held(ledger.hyenaMatrices(d_model, hyena_order)) : 0,
        mlp: circulant ? held(ledger.mlpMatrices(params)) : 0,
      };
    }
    const totalOf = (values) => values.long_convolution + values.mixing + values.mlp;

    const pixels = (params) => even(params.slm_megapixels * 1_000_000);

    // [forward, backward] frames; exact, for a rounding error would add one. A number of pixels
    // from 1 to 64 is a whole number times a negative power of two.
    function framesOf(params, values) {
      const [perValue, power] = parts(params.pixels_per_value);
      const filled = BigInt(values) * perValue, each = BigInt(pixels(params)) << BigInt(-power);
      const forward = Number((filled + each - 1n) / each);
      return [forward, params.conjugate_mask === "rewrite" ? forward : 0];
    }

    const writeRate = (params) => params.frame_rate_hz * params.engines * params.tensor_parallel;
    const digitalRate = (params) => params.gpus * params.gpu_tflops * 1e12 * params.mfu;

    // What times over sequences are made of: seconds to write all masks once, and of computing on one.
    function paceOf(params) {
      const values = maskValues(params), frames = framesOf(params, totalOf(values));
      const work = workOf(params);
      const flop = [sum(work.forward), sum(ledger.stepOf(work))];
      return {
        values, frames, flop,
        once_s: (frames[0] + frames[1]) / writeRate(params),
        each_s: (flop[1] * params.seq_len) / digitalRate(params),
        pass_s: totalOf(values) ? params.pass_time_s : 0,
      };
    }

    const maskTime = (pace, sequences, order) =>
      order === "layer-major" ? pace.once_s : pace.once_s * sequences;
    const stepTime = (params, pace, mask, digital) =>
      (params.overlap ? Math.max(mask, digital) : mask + digital) + pace.pass_s;

    function breakEvenSequences(crossing) {
      if (crossing === 0) return "always";
      const { low, high } = ranges.sequences_per_step;
      // A crossing that is a whole number up to rounding is that number.
      const fewest = Math.ceil(crossing * (1 - ROUNDING));
      return fewest > high ? "never" : Math.max(fewest, low);
    }

    function breakEvenRate(crossing_hz) {
      if (crossing_hz === 0) return "always";
      const rate = crossing_hz * (1 + ROUNDING);
      return rate > ranges.frame_rate_hz.high ? "never" : rate;
    }

    function compute(params) {
      const pace = paceOf(params), { values } = pace, total = totalOf(values);
      const [forward, backward] = pace.frames, [flopForward, flopStep] = pace.flop;
      const sequences = params.sequences_per_step, ranks = params.tensor_parallel;
      const digital = pace.each_s * sequences, mask = maskTime(pace, sequences, params.order);
      // Bytes may be more than a double counts.
      const activations = [
        sequences, params.seq_len, params.d_model, BYTES_PER_ACTIVATION, params.n_layers,
      ];
      const stages = params.pipeline_stages, { microbatches } = params;
      const repeats = params.order === "sequence-major" ? sequences : 1;
      const needed = total
        ? ((forward + backward) * repeats) / (digital * params.engines * ranks) : 0;
      return {
        mask_values_forward: total,
        mask_values: values,
        frames_forward: forward,
        frames_backward: backward,
        frames_per_step: forward + backward,
        mask_time_forward_s: forward / writeRate(params),
        mask_time_s: mask,
        digital_step_time_s: digital,
        step_time_s: stepTime(params, pace, mask, digital),
        mask_over_digital: mask / digital,
        break_even_sequences: breakEvenSequences(pace.once_s / pace.each_s),
        break_even_frame_rate_hz: breakEvenRate(needed / repeats),
        needed_frame_rate_hz: needed,
        activation_bytes_layer_major: product(...activations),
        activation_bytes_pipeline: (stages * (product(...activations) / microbatches)) / stages,
        pipeline_bubble: (stages - 1) / (microbatches + stages - 1),
        tensor_parallel_allreduce_bytes:
          product(ALLREDUCES_PER_LAYER, 2, ranks - 1, ...activations),
        step_flop_per_token: flopStep,
        forward_flop_share: flopForward / flopStep,
      };
    }

    /* ---- in words ---- */

    const times = (ratio) => `${compact(ratio)}\u00d7`;
    const passClause = (params) =>
      params.pass_time_s === 0 ? "" : `; light's own passes add ${duration(params.pass_time_s)}`;

    function breakEvenClause(result) {
      const here = result.break_even_sequences;
      if (typeof here === "string") {
        const most = groupDigits(ranges.sequences_per_step.high);
        return `the masks are never the shorter side, up to ${most} sequences per step`;
      }
      if (here === 1) return "the masks are the shorter side even for a single sequence per step";
      return `from ${groupDigits(here)} sequences per step on the masks are the shorter side`;
    }

    function verdict(params, result) {
      const mask = duration(result.mask_time_s), digital = duration(result.digital_step_time_s);
      const name = ledger.variantName(params), ratio = times(result.mask_over_digital);
      if (!result.mask_values_forward) {
        const model =
          params.variant === "transformer" ? "A transformer" : "This hybrid, all attention,";
        return `${model} has no masks to rewrite: its step takes ${digital}, all of it digital.`;
      }
      if (params.order === "sequence-major") {
        const once = params.sequences_per_step > 1
          ? "; layer-major order would write for " +
            duration(result.mask_time_s / params.sequences_per_step)
          : "";
        return `Rewriting every mask of ${name} for every sequence takes ${mask} a step, ${ratio} ` +
          `the ${digital} of computing, whatever the number of sequences${once}${passClause(params)}.`;
      }
      let sentence = `Rewriting the masks of ${name} `;
      if (!params.overlap) {
        const share = result.mask_time_s / (result.mask_time_s + result.digital_step_time_s);
        sentence += `adds ${mask} to ${digital} of computing, ${percent(share)} of both together`;
      } else if (result.mask_over_digital <= 1) {
        sentence += `takes ${mask} a step and hides behind ${digital} of computing`;
      } else {
        sentence += `takes ${mask} a step, ${ratio} the ${digital} of computing, and sets the pace`;
      }
      return `${sentence}; ${breakEvenClause(result)}${passClause(params)}.`;
    }

    /* ---- the first figure, as pages/_figures/masks_crossing.py ---- */

    // Sequences below which masks take longer than computing.
    function dominatedUntil(params, result) {
      if (!result.mask_values_forward) return 0;
      if (params.order === "sequence-major") return result.mask_over_digital > 1 ? Infinity : 0;
      const here = result.break_even_sequences;
      return typeof here === "string" ? Infinity : here > 1 ? here : 0;
    }

    function sweepOf(params, result) {
      const pace = paceOf(params), here = result.break_even_sequences;
      const sequences = figures.union(
        data.figure.sequences, params.sequences_per_step, typeof here === "number" ? here : []);
      const over = (time) => sequences.map(time);
      const digital = (count) => pace.each_s * count;
      return {
        sequences,
        digital: over(digital),
        masks: arithmetic.fromKeys(data.figure.ORDERS, (order) =>
          over((count) => maskTime(pace, count, order))),
        step: over((count) =>
          stepTime(params, pace, maskTime(pace, count, params.order), digital(count))),
      };
    }

    function curves(params, result) {
      const sweep = sweepOf(params, result), written = result.mask_values_forward > 0;
      const line = (y) => ({ x: sweep.sequences, y });
      const point = (x, y) => ({ x: [x], y: [y] });
      const drawn = [...sweep.digital, ...(written ? sweep.masks[params.order] : [])];
      const low = Math.min(...drawn) / 3, high = Math.max(...drawn) * 3;
      const traces = { step: line(sweep.step) };
      const until = dominatedUntil(params, result), cross = result.break_even_sequences;
      if (until) traces["masks take longer"] = point(null, null);
      if (written) {
        for (const order of data.figure.ORDERS) {
          const look = data.figure.lines[order === params.order ? "chosen" : "other"];
          traces[`masks, ${order}`] = { ...line(sweep.masks[order]), line: look };
        }
      }
      traces.computing = line(sweep.digital);
      if (params.order === "layer-major" && cross > 1) {
        traces["break-even"] = point(cross, result.mask_time_s);
      }
      traces["this state"] = point(params.sequences_per_step, result.step_time_s);
      return {
        traces,
        layout: {
          xaxis: {},
          yaxis: figures.timeAxis(low, high),
          shapes: until ? [{ ...data.figure.shapes.region, x1: Math.min(until, data.figure.MOST_SHOWN) }] : [],
          annotations: labelsOf(params, result, sweep, low, high),
        },
      };
    }

    function labelsOf(params, result, sweep, low, high) {
      const { CROWDED, DIGITAL_LABEL_AT, LEFT_FROM, LEVEL_LABEL_AT, ROOM_FOR_LABEL } = data.figure;
      const { STEEP_LABELS_AT, labels } = data.figure;
      const cross = result.break_even_sequences, here = params.sequences_per_step;
      const at = (sequences, seconds) => figures.interp(sequences, sweep.sequences, seconds);
      const side = (count, what) => (count >= LEFT_FROM[what] ? "left" : "right");
      const beside = (name, sequences, seconds) => ({
        ...labels.line[name], x: Math.log10(sequences), y: Math.log10(at(sequences, seconds)),
      });
      const found = [beside("computing", DIGITAL_LABEL_AT, sweep.digital)];
      if (result.mask_values_forward) {
        const place = cross >= CROWDED[0] && cross < CROWDED[1] ? "early" : "late";
        found.push(beside("layer-major", LEVEL_LABEL_AT[place], sweep.masks["layer-major"]));
        const steep = sweep.masks["sequence-major"];
        const near = (count) => count >= Math.floor(here / 8) && count < here * 8;
        const fitting = STEEP_LABELS_AT.find((count) =>
          at(count, steep) < high / 2 && (params.order === "layer-major" || !near(count)));
        if (fitting) found.push(beside("sequence-major", fitting, steep));
      }
      if (params.order === "layer-major" && cross > 1) {
        found.push({
          ...labels["break-even"][side(cross, "break-even")],
          text: `break-even: ${groupDigits(cross)}`, x: Math.log10(cross),
          y: Math.log10(result.mask_time_s),
        });
      } else if (params.order === "layer-major" && cross === "never") {
        found.push(labels.never);
      }
      const raised = Math.log(result.step_time_s / low) / Math.log(high / low);
      found.push({
        ...labels.state[`${side(here, "state")} ${raised > ROOM_FOR_LABEL ? "high" : "low"}`],
        text: `this state: ${duration(result.step_time_s)}`, x: Math.log10(here),
        y: Math.log10(result.step_time_s),
      });
      return found;
    }

    return { resolve: ledger.withShape, fits: ledger.blockFits, compute, verdict, curves };
  });
})();
