/* The FLOP ledger that the Amdahl and the masks explorer share, as foptrn_model/ledger.py and
   foptrn_model/shapes.py. A shape is the params themselves, which hold every size. */
(() => {
  "use strict";

  const { fromKeys, sum } = window.foptrnModel.arithmetic;

  // data: browser_data.ledger_data() in Python.
  window.foptrnModel.ledger = (data) => {
    const { CLASSES, VARIANTS, FLOP_PER_COMPLEX_PRODUCT, FLOP_PER_COMPLEX_SUM } = data;
    const { SHORT_CONVOLUTION_TAPS, STATIC_CLASSES } = data;

    /* ---- shapes ---- */

    function attentionMatrices({ d_model, n_heads, n_kv_heads }) {
      const kv = n_kv_heads * Math.floor(d_model / n_heads);
      return [[d_model, d_model], [kv, d_model], [kv, d_model], [d_model, d_model]];
    }

    function mlpMatrices({ d_model, d_ff, gated_mlp }) {
      const up = [d_ff, d_model], down = [d_model, d_ff];
      return gated_mlp ? [up, up, down] : [up, down];
    }

    const hyenaMatrices = (d, order) => [[(order + 1) * d, d], [d, d]];

    const headParams = (shape) => shape.d_model * shape.vocab_size;
    const normParams = (shape) => (2 * shape.n_layers + 1) * shape.d_model * (shape.biases ? 2 : 1);
    const inputParams = (shape) =>
      (shape.tied_head ? 0 : headParams(shape)) + shape.learned_positions * shape.d_model;
    const weightsOf = (matrices) => sum(matrices.map(([rows, cols]) => rows * cols));
    const outputsOf = (matrices) => sum(matrices.map(([rows]) => rows));

    // Stored parameters of the dense transformer, by what people count.
    function countParameters(shape) {
      const matrices = [...attentionMatrices(shape), ...mlpMatrices(shape)];
      const matmul = shape.n_layers * weightsOf(matrices) + headParams(shape);
      const bias = shape.biases ? shape.n_layers * outputsOf(matrices) : 0;
      const withoutInput = matmul + bias + normParams(shape);
      return {
        matmul,
        total: withoutInput + inputParams(shape),
        without_input_embedding: withoutInput,
        blocks_only: withoutInput - headParams(shape),
      };
    }

    /* ---- work: {forward, backward}, FLOP per token in the order of CLASSES ---- */

    const rowsOf = (byClass) => CLASSES.map((name) => byClass[name] ?? 0);
    const work = (forward, backward) => ({ forward: rowsOf(forward), backward: rowsOf(backward) });
    const added = (one, other) => one.map((value, row) => value + other[row]);
    const plus = (one, other) => ({
      forward: added(one.forward, other.forward), backward: added(one.backward, other.backward),
    });
    const times = ({ forward, backward }, factor) => ({
      forward: forward.map((value) => value * factor),
      backward: backward.map((value) => value * factor),
    });
    const stepOf = ({ forward, backward }) => added(forward, backward);

    // Next power of two at or above twice the length.
    function paddedLength(seq_len) {
      let length = 1;
      while (length < 2 * seq_len) length *= 2;
      return length;
    }
    const log2OfPower = (power) => 31 - Math.clz32(power);

    function denseMatrices(matrices) {
      const weights = weightsOf(matrices);
      return work({ dense: 2 * weights }, { dense: 4 * weights });
    }

    function circulantMatrices(matrices, { block_size: k, fft_constant }) {
      const bins = Math.floor(k / 2) + 1;
      let ffts = 0, blocks = 0, sumsForward = 0, sumsBackward = 0;
      for (const [rows, cols] of matrices) {
        const outBlocks = Math.floor(rows / k), inBlocks = Math.floor(cols / k);
        ffts += outBlocks + inBlocks;
        blocks += outBlocks * inBlocks;
        sumsForward += outBlocks * (inBlocks - 1);
        sumsBackward += inBlocks * (outBlocks - 1) + outBlocks * inBlocks;
      }
      const transform = ffts * fft_constant * k * log2OfPower(k);
      const products = FLOP_PER_COMPLEX_PRODUCT * blocks * bins;
      const masked = { transform, weight_masked: products };
      return work(
        { ...masked, other: FLOP_PER_COMPLEX_SUM * sumsForward * bins },
        { ...masked, data_by_data: products, other: FLOP_PER_COMPLEX_SUM * sumsBackward * bins },
      );
    }

    function causalAttention({ d_model, seq_len }) {
      const forward = 2 * d_model * (seq_len + 1);
      return work({ attention: forward }, { attention: 2 * forward });
    }

    function hyenaMixing({ d_model, seq_len, hyena_order, fft_constant }) {
      const n = paddedLength(seq_len), channels = hyena_order * d_model;
      const transform = (channels * 2 * fft_constant * n * log2OfPower(n)) / seq_len;
      const products = (channels * FLOP_PER_COMPLEX_PRODUCT * (n / 2 + 1)) / seq_len;
      const short = 2 * SHORT_CONVOLUTION_TAPS * (hyena_order + 1) * d_model;
      const gating = hyena_order * d_model;
      const masked = { transform, weight_masked: products };
      return work(
        { ...masked, other: short + gating },
        { ...masked, data_by_data: products, other: 2 * (short + gating) },
      );
    }

    function attentionLayers({ variant, n_layers, hybrid_period }) {
      if (variant === "transformer") return n_layers;
      return variant === "hybrid" ? Math.ceil(n_layers / hybrid_period) : 0;
    }

    // FLOP per token of one training step, without recomputation.
    function trainingWork(params) {
      const { n_layers, d_model, vocab_size, hyena_order } = params;
      const project = (matrices) =>
        params.variant === "block-circulant"
          ? circulantMatrices(matrices, params) : denseMatrices(matrices);
      const attention = attentionLayers(params), hyena = n_layers - attention;
      const found = [
        times(project(mlpMatrices(params)), n_layers), denseMatrices([[vocab_size, d_model]]),
      ];
      if (attention) {
        const layer = plus(project(attentionMatrices(params)), causalAttention(params));
        found.push(times(layer, attention));
      }
      if (hyena) {
        const layer = plus(project(hyenaMatrices(d_model, hyena_order)), hyenaMixing(params));
        found.push(times(layer, hyena));
      }
      return found.reduce(plus);
    }

    // Weights that a variant stores; a circulant block keeps one row.
    function storedParameters(params) {
      const { n_layers, d_model, hyena_order } = params;
      const keep = params.variant === "block-circulant" ? params.block_size : 1;
      const attention = attentionLayers(params), hyena = n_layers - attention;
      const groups = [
        [attention, attentionMatrices(params)],
        [hyena, hyenaMatrices(d_model, hyena_order)],
        [n_layers, mlpMatrices(params)],
      ];
      const weights = sum(groups.map(([n, group]) =>
        sum(group.map(([rows, cols]) => Math.floor((n * rows * cols) / keep)))));
      const outputs = sum(groups.map(([n, group]) => n * outputsOf(group)));
      const matmul = weights + headParams(params);
      const taps = hyena * SHORT_CONVOLUTION_TAPS * (hyena_order + 1) * d_model;
      const bias = params.biases ? outputs : 0;
      return { matmul, total: matmul + taps + bias + normParams(params) + inputParams(params) };
    }

    const staticShare = (flop) =>
      sum(STATIC_CLASSES.map((name) => flop[CLASSES.indexOf(name)])) / sum(flop);
    const amdahlBound = (share) => 1 / (1 - share);

    // Share of the time when the static classes run at fft_rate of dense.
    function timeWeightedShare(share, fft_rate) {
      const slowed = share / fft_rate;
      return slowed / (slowed + 1 - share);
    }

    /* ---- in words, as foptrn_model/architecture.py ---- */

    const variantName = ({ variant, hyena_order }) =>
      ({
        hyena: `Hyena-${hyena_order}`, hybrid: "a hybrid", "block-circulant": "a block-circulant model",
      })[variant] ?? variant;

    // The params in force from what controls say: a published shape sets its own sizes.
    const withShape = (values) =>
      values.shape === data.CUSTOM
        ? { ...values, ...fromKeys(data.SHAPE_FIELDS, (name) => values[name] ?? data.custom[name]) }
        : { ...values, ...data.shapes[values.shape].sizes };

    // Sizes have no sliders, so only the block can be out of step with them.
    const blockFits = ({ block_size: k, d_model, d_ff }) =>
      data.BLOCK_SIZES.includes(k) && d_model % k === 0 && d_ff % k === 0;

    return {
      CLASSES, VARIANTS, amdahlBound, attentionLayers, blockFits, countParameters, hyenaMatrices, mlpMatrices,
      paddedLength, staticShare, stepOf, storedParameters, timeWeightedShare, trainingWork,
      variantName, withShape,
    };
  };
})();
