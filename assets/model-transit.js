/* The transit explorer's closed form and its verdict, as foptrn_model/transit.py, transit_step.py,
   break_even.py, diloco.py, curves.py and transit_text.py. A person's own curves stay with the
   server: with curves=uploaded there is no answer here, null. */
(() => {
  "use strict";

  const { text, arithmetic } = window.foptrnModel;
  const { THIN_SPACE, capital, duration, groupDigits, significant } = text;
  const { fromKeys } = arithmetic;

  const NOT_REACHED = "not reached", NOT_APPLICABLE = "not applicable";
  const NEVER = "never", ALWAYS = "always";

  window.foptrnModel.define("transit", (data) => {
    const { BACKWARD_SHARE, BASELINE, BISECTIONS, BUCKETS, MEASURED, SUBJECTS, WAYS } = data;
    const { DENSE, TOPK, BAND_GATHER, BAND_SWITCH, SEARCH_HIGH_GBPS, SEARCH_LOW_GBPS } = data;

    const curvesOf = (params) => data.curves[params.curves];

    /* ---- what a sync moves ---- */

    function payloadsOf(params) {
      const dense = params.n_params * params.bytes_per_value;
      return {
        dense,
        topk: params.n_params * params.keep * params.topk_bytes_per_coefficient,
        band: dense * params.keep,
      };
    }

    function trafficOf(params) {
      const sent = payloadsOf(params), workers = params.workers_per_dc;
      const apart = params.datacentres > 1, others = (params.datacentres - 1) * workers;
      const reduced = (payload) => ({
        wan_rounds: apart ? 2 : 0,
        wan_bytes: apart ? 2 * payload : 0,
        fabric_bytes: ((2 * (workers - 1)) / workers) * payload,
      });
      const gathered = (payload) => ({
        wan_rounds: apart ? 1 : 0,
        wan_bytes: others * payload,
        fabric_bytes: (workers - 1) * payload,
      });
      return {
        [DENSE]: reduced(sent.dense), [TOPK]: gathered(sent.topk),
        [BAND_GATHER]: gathered(sent.band), [BAND_SWITCH]: reduced(sent.band),
      };
    }

    // Bytes that a worker sends in one flat ring.
    function ringBytes(sent, replicas) {
      return {
        adamw: ((2 * (replicas - 1)) / replicas) * sent.dense,
        topk: (replicas - 1) * sent.topk,
        band: (replicas - 1) * sent.band,
      };
    }

    /* ---- time and energy of a step ---- */

    function stepPartsOf(params, moved, wan_GBps = params.wan_GBps) {
      const every = params.sync_every, wan_Bps = wan_GBps * 1e9;
      return fromKeys(WAYS, (way) => {
        const part = {
          compute_s: params.compute_ms * 1e-3,
          latency_s: (moved[way].wan_rounds * params.latency_us * 1e-6) / every,
          fabric_s: moved[way].fabric_bytes / (params.fabric_GBps * 1e9) / every,
          wan_s: moved[way].wan_bytes / wan_Bps / every,
        };
        const exposed_s = part.latency_s + part.fabric_s + part.wan_s;
        return { ...part, exposed_s, total_s: part.compute_s + exposed_s };
      });
    }

    // Joules of a step, all workers.
    function stepEnergy(params, moved, parts) {
      const workers = params.datacentres * params.workers_per_dc;
      const power_W = workers * params.worker_W, bit_J = 8e-12 / params.sync_every;
      return power_W * parts.compute_s + power_W * parts.exposed_s +
        bit_J * workers * moved.fabric_bytes * params.fabric_pJ_per_bit +
        bit_J * params.datacentres * moved.wan_bytes * params.wan_pJ_per_bit;
    }

    /* ---- steps to the target ---- */

    const methodOf = (params, way) =>
      way === DENSE ? BASELINE : way === TOPK ? curvesOf(params).topk : params.band;
    const lossFactor = (params) =>
      params.sync_every > 1 ? 1 + params.loss_penalty_percent / 100 : 1;

    // Where a curve first meets the target, straight between evaluations.
    function firstCrossing({ steps, loss }, target) {
      const index = loss.findIndex((value) => value <= target);
      if (index < 0) return null;
      if (index === 0) return { step: steps[0], at_first_evaluation: true };
      const part = (loss[index - 1] - target) / (loss[index - 1] - loss[index]);
      const step = steps[index - 1] + part * (steps[index] - steps[index - 1]);
      return { step, at_first_evaluation: false };
    }

    function crossingsOf(params) {
      const target = params.target_loss / lossFactor(params), { methods } = curvesOf(params);
      return fromKeys(WAYS, (way) => {
        const method = methodOf(params, way);
        return method === null ? null : firstCrossing(methods[method], target);
      });
    }

    /* ---- rates ---- */

    // Bisects on a log axis for the rate at which times fixed_s + moved_B / rate are equal.
    function findBreakEven(way, baseline) {
      const answer = (kind, GBps = null, wins = null) => ({ kind, GBps, wins });
      if (way === null) return answer(NEVER);
      if (baseline === null) return answer(ALWAYS);
      const time = (line, rate) => line.fixed_s + line.moved_B / (rate * 1e9);
      const wins = (logRate) => {
        const rate = Math.exp(logRate);
        return time(way, rate) < time(baseline, rate);
      };
      let low = Math.log(SEARCH_LOW_GBPS), high = Math.log(SEARCH_HIGH_GBPS);
      const winsLow = wins(low);
      if (winsLow === wins(high)) return answer(winsLow ? ALWAYS : NEVER);
      for (let round = 0; round < BISECTIONS; round++) {
        const middle = (low + high) / 2;
        if (wins(middle) === winsLow) low = middle; else high = middle;
      }
      return answer("crossing", Math.exp((low + high) / 2), winsLow ? "below" : "above");
    }

    const timeOverRate = (params, way, parts) =>
      way.reached
        ? {
          fixed_s: way.steps * (parts.compute_s + parts.latency_s + parts.fabric_s),
          moved_B: (way.steps * way.wan_bytes) / params.sync_every,
        }
        : null;

    // The WAN rate at which a way computes for the wanted share of the time.
    function neededRate(params, moved, parts) {
      const left_s = parts.compute_s * (1 / params.target_utilisation - 1) -
        parts.latency_s - parts.fabric_s;
      if (moved.wan_bytes === 0) return left_s >= 0 ? ALWAYS : NEVER;
      if (left_s <= 0) return NEVER;
      const needed = moved.wan_bytes / params.sync_every / left_s / 1e9;
      return Number.isFinite(needed) ? needed : NEVER;
    }

    // The bandwidth of overlapped DiLoCo.
    function dilocoRate(params, sent) {
      if (params.compute_ms === 0) return NEVER;
      const moved = 8 * sent.dense * 2 * (1 - 1 / params.datacentres);
      const idle = params.sync_every * (1 / params.target_utilisation - 1);
      const hidden = BACKWARD_SHARE * (1 - 1 / BUCKETS);
      return moved / (params.compute_ms * 1e-3 * (idle + hidden)) / 1e9;
    }

    /* ---- all ways ---- */

    function wayOf(params, name, crossing, moved, parts) {
      const method = methodOf(params, name);
      const missing = method === null ? NOT_APPLICABLE : NOT_REACHED;
      const upTo = (each) => (crossing === null ? missing : crossing.step * each);
      return {
        method: method ?? NOT_APPLICABLE,
        reached: crossing !== null,
        at_first_evaluation: crossing !== null && crossing.at_first_evaluation,
        steps: upTo(1),
        step_time_s: parts.total_s,
        time_s: upTo(parts.total_s),
        energy_J: upTo(stepEnergy(params, moved, parts)),
        ...moved,
        utilisation: parts.total_s > 0 ? parts.compute_s / parts.total_s : 1,
        needed_GBps: neededRate(params, moved, parts),
      };
    }

    function compute(params) {
      if (!curvesOf(params)) return null;
      const sent = payloadsOf(params), moved = trafficOf(params);
      const parts = stepPartsOf(params, moved), crossings = crossingsOf(params);
      const ways = fromKeys(WAYS, (name) =>
        wayOf(params, name, crossings[name], moved[name], parts[name]));
      const lines = fromKeys(WAYS, (name) => timeOverRate(params, ways[name], parts[name]));
      const reached = WAYS.filter((name) => ways[name].reached);
      const ring = ringBytes(sent, params.datacentres * params.workers_per_dc);
      const compressed = ["topk", "band"];
      const dense_s = parts[DENSE].total_s, band_s = parts[BAND_GATHER].total_s;
      return {
        ways,
        break_even: fromKeys(WAYS.filter((name) => name !== DENSE), (name) =>
          findBreakEven(lines[name], lines[DENSE])),
        fastest: reached.length
          ? reached.reduce((best, name) => (ways[name].time_s < ways[best].time_s ? name : best))
          : NOT_REACHED,
        ring,
        payload_bytes: { adamw: sent.dense, topk: sent.topk, band: sent.band },
        payload_reduction: fromKeys(compressed, (name) => sent.dense / sent[name]),
        wire_reduction: fromKeys(compressed, (name) =>
          ring[name] ? ring.adamw / ring[name] : NOT_APPLICABLE),
        band_step_ratio: band_s ? dense_s / band_s : 1,
        diloco_Gbps: dilocoRate(params, sent),
      };
    }

    /* ---- in words ---- */

    const rate = (GBps) => `${significant(GBps)}${THIN_SPACE}GB/s`;
    const penalty = (params) => `${groupDigits(params.loss_penalty_percent)}${THIN_SPACE}%`;
    const after = (way) => (way.at_first_evaluation ? "at most " : "") + duration(way.time_s);
    const side = (found, verb) =>
      found.GBps === null ? `${found.kind} ${verb}` : `${verb} ${found.wins} ${rate(found.GBps)}`;

    // The lowest loss of the methods compared, and whose it is.
    function lowestLoss(params) {
      const { methods } = curvesOf(params), factor = lossFactor(params);
      return WAYS.map((way) => methodOf(params, way)).filter((method) => method !== null)
        .map((method) => [factor * Math.min(...methods[method].loss), method])
        .reduce((best, one) =>
          one[0] < best[0] || (one[0] === best[0] && one[1] < best[1]) ? one : best);
    }

    function aboutBands(params, result) {
      if (!result.ways[BAND_GATHER].reached) return `; ${params.band} never gets there`;
      if (!result.ways[DENSE].reached) return "";
      const gathered = result.break_even[BAND_GATHER], switched = result.break_even[BAND_SWITCH];
      if (params.datacentres === 1) {
        const beats = gathered.kind === ALWAYS ? "beats" : "does not beat";
        const does = switched.kind === ALWAYS ? "does" : "does not";
        return `; within one data centre the gathered band ${beats} AdamW, and summed at the switch ` +
          `it ${does}`;
      }
      const inside = SEARCH_LOW_GBPS <= params.wan_GBps && params.wan_GBps <= SEARCH_HIGH_GBPS;
      return `; at WAN rates from ${SEARCH_LOW_GBPS} to ${groupDigits(SEARCH_HIGH_GBPS)}${THIN_SPACE}` +
        `GB/s the gathered band ${side(gathered, "beats AdamW")}, and summed at the switch it ` +
        side(switched, "does") + (inside ? "" : ` (the ${rate(params.wan_GBps)} here lie outside)`);
    }

    function aboutSyncs(params) {
      if (params.sync_every <= 1) return "";
      const every = `a sync every ${groupDigits(params.sync_every)} steps`;
      return params.loss_penalty_percent === 0
        ? `, all this if steps to a loss stay the same with ${every}`
        : `, all this with losses ${penalty(params)} higher for ${every}`;
    }

    function sentenceOf(params, result) {
      const target = `a loss of ${significant(params.target_loss, 4)}`;
      if (result.fastest === NOT_REACHED) {
        const [lowest, method] = lowestLoss(params);
        const raised = lossFactor(params) > 1 ? `, raised by ${penalty(params)} for rare syncs` : "";
        return `With ${params.band} as the band no way of syncing reaches ${target}: the lowest of the ` +
          `methods compared is ${significant(lowest, 4)}${raised}, by ${method}.`;
      }
      const first = result.ways[result.fastest], dense = result.ways[DENSE];
      if (WAYS.every((way) => result.ways[way].time_s === first.time_s)) {
        return `Every way of syncing is equally fast to ${target}: ${after(first)}.`;
      }
      const against =
        result.fastest === DENSE ? ""
        : dense.reached ? ` against ${after(dense)} for dense AdamW`
        : ", a loss that dense AdamW does not reach";
      return `${capital(SUBJECTS[result.fastest])} is first at ${target}, after ${after(first)}` +
        `${against}${aboutBands(params, result)}${aboutSyncs(params)}.`;
    }

    function verdict(params, result) {
      const sentence = sentenceOf(params, result);
      if (params.curves !== MEASURED) return sentence;
      return `On the curves of our own small model (${groupDigits(curvesOf(params).params)} parameters, ` +
        `losses in nat per byte): ${sentence[0].toLowerCase()}${sentence.slice(1)}`;
    }

    const draw = data.figure && window.foptrnModel.transitWan(data, { rate, stepPartsOf, trafficOf });

    // Without its curves a state has no result, and so neither words nor a figure.
    const known = (make) => (params, result) => result && make(params, result);
    return {
      resolve: (values) => values, compute, verdict: known(verdict), curves: known(draw),
    };
  });
})();
