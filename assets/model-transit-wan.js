/* The transit explorer's first figure, time to the target over the WAN rate, as
   pages/_figures/transit_wan.py. */
(() => {
  "use strict";

  const { significant } = window.foptrnModel.text;
  const { fromKeys } = window.foptrnModel.arithmetic;

  window.foptrnModel.transitWan = (data, { rate, stepPartsOf, trafficOf }) => {
    const { WAYS, figure } = data;
    const axes = window.foptrnModel.figures(figure);

    // The time at a rate between those of the sweep: a + b/w is linear in 1/w.
    function between(rates, line, where) {
      const right = Math.min(Math.max(axes.searchsorted(rates, where), 1), rates.length - 1);
      const from = 1 / rates[right - 1], to = 1 / rates[right];
      const part = (1 / where - from) / (to - from);
      return line[right - 1] + part * (line[right] - line[right - 1]);
    }

    // Where ways are as fast as dense AdamW, from the lowest rate.
    function breakEvens(result, rates, lines) {
      const { SHORT } = figure;
      return Object.entries(result.break_even)
        .filter(([way, found]) => found.kind === "crossing" && lines[way])
        .map(([way, { GBps, wins }]) =>
          ({ x: GBps, y: between(rates, lines[way], GBps), name: SHORT[way], wins }))
        .sort((one, other) => one.x - other.x || one.y - other.y || (one.name < other.name ? -1 : 1));
    }

    function rateLabel({ wan_GBps }) {
      const { FAR_LEFT, FAR_RIGHT, labels } = figure;
      const place = wan_GBps > FAR_RIGHT ? "right" : wan_GBps < FAR_LEFT ? "left" : "center";
      return {
        ...labels.rate[place], text: `\u25c2 ${rate(wan_GBps)} \u25b8`, x: Math.log10(wan_GBps),
      };
    }

    function emptyNote(lines) {
      if (lines.flat().some((seconds) => seconds > 0)) return [];
      return [figure.labels.empty[lines.length ? "timeless" : "not reached"]];
    }

    return (params, result) => {
      const { WAY_LABELS, labels, shapes } = figure;
      const rates = axes.union(figure.rates, params.wan_GBps), moved = trafficOf(params);
      const parts = rates.map((GBps) => stepPartsOf(params, moved, GBps));
      const reached = WAYS.filter((way) => result.ways[way].reached);
      const lines = fromKeys(reached, (way) =>
        parts.map((part) => result.ways[way].steps * part[way].total_s));
      const ends = reached.flatMap((way) => [lines[way][0], lines[way].at(-1)])
        .filter((seconds) => seconds > 0);
      const low = Math.max(ends.length ? Math.min(...ends) / 5 : 0.1, 1e-12);
      const high = Math.max(ends.length ? Math.max(...ends) * 3 : 10, 1e-11);
      const points = breakEvens(result, rates, lines), apart = params.datacentres > 1;
      const traces = Object.fromEntries(
        reached.map((way) => [WAY_LABELS[way], { x: rates, y: lines[way] }]));
      if (points.length) {
        traces["break-even with AdamW"] =
          { x: points.map((point) => point.x), y: points.map((point) => point.y) };
      }
      traces["this state"] = {
        x: reached.map(() => params.wan_GBps), y: reached.map((way) => result.ways[way].time_s),
      };
      const pointers = points.map((point, index) => ({
        ...labels["break-even"][points.length - 1 - index],
        text: `${point.name}<br>${point.wins} ${significant(point.x)}`, x: Math.log10(point.x),
        y: Math.log10(point.y),
      }));
      return {
        traces,
        layout: {
          xaxis: axes.decadeAxis(rates[0] / 1.15, rates.at(-1) * 1.15),
          yaxis: axes.timeAxis(low, high),
          shapes: [
            ...(apart ? [{ ...shapes.rate, x0: params.wan_GBps, x1: params.wan_GBps }] : []),
            ...shapes.links,
          ],
          annotations: [
            ...labels.links, ...pointers, ...(apart ? [rateLabel(params)] : []),
            ...emptyNote(Object.values(lines)),
          ],
        },
      };
    };
  };
})();
