/* Figures that change together are drawn one after another, those in sight first: between two of
   them the page answers a key or a finger. All at once would take a third of a second. */
(function () {
  "use strict";

  const { Plotly } = window;
  const draw = Plotly.react;
  const waiting = new Map(); // plot -> its newest figure, and whom to tell
  let busy = false; // another turn comes

  function inSight(plot) {
    const box = plot.getBoundingClientRect();
    return box.height > 0 && box.bottom > 0 && box.top < window.innerHeight;
  }

  function drawNext() {
    const plots = [...waiting.keys()];
    const plot = plots.find(inSight) || plots[0];
    if (!plot) return;
    const { figure, done } = waiting.get(plot);
    waiting.delete(plot);
    // A page that has been left is not drawn any more.
    done(plot.isConnected ? new Promise((drawn) => { drawn(draw(plot, ...figure)); }) : plot);
  }

  function takeTurns() {
    busy = waiting.size > 0;
    if (!busy) return;
    drawNext();
    window.setTimeout(takeTurns, 0);
  }

  Plotly.react = (plot, ...figure) => {
    const older = waiting.get(plot);
    const drawn = new Promise((done) => { waiting.set(plot, { figure, done }); });
    if (older) older.done(drawn);
    if (!busy && inSight(plot)) takeTurns();
    else if (!busy) {
      busy = true;
      window.setTimeout(takeTurns, 0);
    }
    return drawn;
  };

  // Paper does not wait.
  window.addEventListener("beforeprint", () => { while (waiting.size) drawNext(); });
})();
