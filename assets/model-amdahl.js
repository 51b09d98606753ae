/* The Amdahl explorer's closed form and its verdict, as foptrn_model/amdahl.py and amdahl_text.py. */
(() => {
  "use strict";

  const { text, arithmetic } = window.foptrnModel;
  const { groupDigits, percent, si, speedUp } = text;

  window.foptrnModel.define("amdahl", (data) => {
    const ledger = window.foptrnModel.ledger(data.ledger);
    const { CLASSES } = ledger;

    function workOf(params) {
      const { forward, backward } = ledger.trainingWork(params);
      // One more forward pass, counted in backward.
      const again = params.recompute === "full" ? ledger.stepOf({ forward, backward }) : backward;
      return { forward, backward: again, step: ledger.stepOf({ forward, backward: again }) };
    }

    const classFlop = (flop) => ({
      ...arithmetic.fromKeys(CLASSES, (name) => flop[CLASSES.indexOf(name)]), total: arithmetic.sum(flop),
    });
    const stepFlop = (work) => ({
      forward: classFlop(work.forward), backward: classFlop(work.backward), step: classFlop(work.step),
    });

    // The dense transformer's step under every counting convention.
    function countConventions(params) {
      const count = ledger.countParameters(params);
      const scores = 12 * params.n_layers * params.d_model * params.seq_len;
      return {
        megatron: 6 * count.matmul + scores / 2,
        full_attention: 6 * count.matmul + scores,
        palm_all: 6 * count.total + scores,
        palm_blocks: 6 * count.blocks_only + scores,
        six_n_all: 6 * count.total,
        six_n_no_input_embedding: 6 * count.without_input_embedding,
        six_n_blocks: 6 * count.blocks_only,
      };
    }

    function compute(params) {
      const work = workOf(params), flop = stepFlop(work), stored = ledger.storedParameters(params);
      const share = ledger.staticShare(work.step), forwardShare = ledger.staticShare(work.forward);
      const weighted = ledger.timeWeightedShare(share, params.fft_rate);
      const demo = (data.DEMO_FLOP_PER_PARAMETER * stored.total) / params.tokens_per_step;
      return {
        flop_per_token: flop,
        static_share: share,
        amdahl_bound: ledger.amdahlBound(share),
        time_weighted_share: weighted,
        time_weighted_bound: ledger.amdahlBound(weighted),
        forward_share: forwardShare,
        forward_bound: ledger.amdahlBound(forwardShare),
        forward_time_weighted_share: ledger.timeWeightedShare(forwardShare, params.fft_rate),
        matmul_params: stored.matmul,
        total_params: stored.total,
        six_n_flop: 6 * stored.matmul,
        forward_flop_per_sequence: flop.forward.total * params.seq_len,
        step_flop_per_sequence: flop.step.total * params.seq_len,
        demo_share: demo / flop.step.total,
        conventions: countConventions(params),
      };
    }

    function verdict(params, result) {
      const shape = params.shape === data.ledger.CUSTOM
        ? "a custom shape" : `the shape of ${data.ledger.shapes[params.shape].label}`;
      const where = `in ${shape} at ${groupDigits(params.seq_len)} tokens`;
      if (result.static_share === 0) {
        return "An optical Fourier engine would make this step no faster: a transformer " +
          `${where} has no transform to hand over.`;
      }
      const slow = params.fft_rate < 1
        ? `, which is ${percent(result.time_weighted_share)} of the time when that work runs at ` +
          `${groupDigits(params.fft_rate)} of the dense rate`
        : "";
      return "Even a free optical engine would make this step at most " +
        `${speedUp(result.time_weighted_bound)}\u00d7 faster: it could take ` +
        `${percent(result.static_share)} of the FLOP of ${ledger.variantName(params)} ${where}${slow}.`;
    }

    // The first figure: a pair of bars per variant under its heading, as pages/_figures/amdahl_ledger.py.
    function curves(params) {
      const { CLASS_LABELS, DIRECTIONS, LABELLED, LABELLED_FROM_PERCENT, STACK } = data.figure;
      const { VARIANT_LABELS, labels } = data.figure;
      const groups = ledger.VARIANTS.map((variant) => stepFlop(workOf({ ...params, variant })));
      const shares = (name) => groups.flatMap((flop) =>
        Object.keys(DIRECTIONS).map((direction) => (100 * flop[direction][name]) / flop.step.total));
      const bars = (name) => {
        const x = shares(name), label = LABELLED.includes(name) ? CLASS_LABELS[name] : "";
        return { x, text: x.map((share) => (share >= LABELLED_FROM_PERCENT ? label : "")) };
      };
      const heading = ({ step }, place) => {
        const variant = ledger.VARIANTS[place], mark = variant === params.variant ? "\u25b8 " : "";
        const share = (step.transform + step.weight_masked) / step.total;
        return {
          ...labels[mark ? "chosen" : "other"][place],
          text: `<b>${mark}${VARIANT_LABELS[variant]}</b>  ${si(step.total, "FLOP/token")}, ` +
            `static ${percent(share)}`,
        };
      };
      const most = Math.max(...groups.map((flop) => flop.backward.total / flop.step.total));
      return {
        traces: Object.fromEntries(STACK.map((name) => [CLASS_LABELS[name], bars(name)])),
        layout: {
          xaxis: { range: [0, 100 * most * 1.01] }, yaxis: {}, shapes: [],
          annotations: groups.map(heading),
        },
      };
    }

    return { resolve: ledger.withShape, fits: ledger.blockFits, compute, verdict, curves };
  });
})();
