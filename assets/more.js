/* Rows that scroll sideways fade out where there is more. */
(function () {
  "use strict";

  const ROWS = ".plate-tabs, .shell-header nav";

  function mark(row) {
    const before = row.scrollLeft > 2;
    const after = row.scrollLeft + row.clientWidth < row.scrollWidth - 2;
    const more = [before && "before", after && "after"].filter(Boolean).join(" ");
    if (row.dataset.more !== more) row.dataset.more = more;
  }

  let due = false;
  function markAll() {
    if (due) return;
    due = true;
    window.requestAnimationFrame(() => { due = false; document.querySelectorAll(ROWS).forEach(mark); });
  }
  document.addEventListener("scroll", (event) => {
    if (event.target instanceof Element && event.target.matches(ROWS)) mark(event.target);
  }, true);
  window.addEventListener("resize", markAll);
  document.fonts.ready.then(markAll);
  new MutationObserver(markAll).observe(document.documentElement, { childList: true, subtree: true });
})();
