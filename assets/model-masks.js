/* The masks explorer's closed form and its verdict, as foptrn_model/masks.py and masks_text.py. */
(() => {
  "use strict";

  const { text, arithmetic } = window.foptrnModel;
  const { compact, duration, groupDigits, percent } = text;
  const { even, parts, product, sum } = arithmetic;

  window.foptrnModel.define("masks", (data) => {
    const ledger = window.foptrnModel.ledger(data.ledger);
    const { ALLREDUCES_PER_LAYER, BYTES_PER_ACTIVATION, ROUNDING, ranges } = data;

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

    return { resolve: ledger.withShape, compute, verdict };
  });
})();
