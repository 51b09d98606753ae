"""What hands meet on a page, looked at from inside it: how wide it is, what a finger hits, where Tab stops."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import CDPSession, Page

MOST_STOPS = 250
"""Presses of Tab after which a page counts as a trap; the longest has about half as many stops."""
MOVES = 6
"""Steps in which a finger moves."""

# ---- widths -------------------------------------------------------------------------------------

WIDER = """() => {
  const found = [];
  const wide = document.documentElement.clientWidth;
  const name = item => `${item.tagName}.${item.getAttribute('class')} ${item.textContent.trim().slice(0, 30)}`;
  if (document.scrollingElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  const inside = item => {  // what its own box cuts off or scrolls sticks out of nothing
    for (let up = item.parentElement; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== 'visible') return true;
    return false;
  };
  for (const item of document.querySelectorAll('body *')) {
    const box = item.getBoundingClientRect();
    if (!box.width || !box.height || box.right < 0) continue;
    if ((box.right > wide + 1 || box.left < -1) && !inside(item)) found.push('sticks out: ' + name(item));
  }
  for (const item of document.querySelectorAll('button, label, .control-label, .dash-dropdown-value, .nav-link')) {
    if (!item.getClientRects().length || item.closest('.off-screen')) continue;
    if (item.scrollWidth > item.clientWidth + 1 && item.clientWidth) found.push('cut: ' + name(item));
  }
  for (const slider of document.querySelectorAll('.dash-slider-root')) {
    const marks = Array.from(slider.querySelectorAll('.dash-slider-mark'), mark => mark.getBoundingClientRect())
      .filter(box => box.width).sort((one, other) => one.left - other.left);
    if (marks.some((box, index) => index && box.left < marks[index - 1].right))
      found.push('marks overlap: ' + slider.closest('.control').dataset.label);
  }
  return found;
}"""
"""What makes a page scroll sideways, sticks out of it, or has its words cut."""

DRAWN = """() => Array.from(document.querySelectorAll('.js-plotly-plot')).every(plot =>
  !plot.offsetParent || Math.abs(plot._fullLayout.width - plot.clientWidth) < 2)"""
"""Every figure has the width of its place."""

CUT_IN_FIGURES = """() => {
  const found = [];
  for (const plot of document.querySelectorAll('.js-plotly-plot')) {
    if (!plot.offsetParent) continue;
    const frame = plot.getBoundingClientRect();
    for (const text of plot.querySelectorAll('.main-svg text')) {
      if (!text.textContent.trim() || getComputedStyle(text).opacity === '0') continue;
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
          || box.bottom > frame.bottom + 1)
        found.push(`${plot.getAttribute('aria-label').slice(0, 30)}: ${text.textContent}`);
    }
  }
  return found;
}"""
"""Labels of figures that their frames cut."""


def resize(page: Page, width: int, height: int = 900) -> None:
    """Make the window this wide; the page knows it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("wide => window.innerWidth === wide", arg=width)


# ---- fingers ------------------------------------------------------------------------------------

SMALL = """() => {
  const controls = 'a[href], button, input, select, textarea, summary, [role=slider], .dash-options-list-option';
  const name = item => `${item.tagName}.${item.getAttribute('class') || item.id}`
    + ` ${(item.getAttribute('aria-label') || item.textContent).trim().slice(0, 30)}`;
  // A link in a sentence has the height of its line (WCAG 2.5.8).
  const inSentence = item => item.tagName === 'A' && getComputedStyle(item).display === 'inline'
    && Array.from(item.parentElement.childNodes).some(node => node.nodeType === 3 && node.data.trim().length > 2);
  const found = [];
  for (const item of document.querySelectorAll(controls)) {
    if (!item.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    if (item.closest('.off-screen') || inSentence(item) || item.closest('.skip-link')) continue;
    if (item.matches('input') && item.closest('.dash-options-list-option')) continue;  // its label is pressed
    item.scrollIntoView({ block: 'center', inline: 'center' });
    const box = item.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = (dx, dy) => {
      const seen = document.elementFromPoint(x + dx, y + dy);
      return seen && (item.contains(seen) || seen.closest('label')?.control === item
        || (item.matches('[role=slider]') && seen.closest('.dash-slider-root')?.contains(item)));
    };
    const missed = [[0, 0], [-19, 0], [19, 0], [0, -19], [0, 19]].filter(([dx, dy]) => !hit(dx, dy));
    if (missed.length) found.push(`${name(item)} (${Math.round(box.width)} x ${Math.round(box.height)}) at ${missed.join(' ')}`);
  }
  return found;
}"""
"""Controls that a finger misses 19 px from their middle."""

TRAPS = """() => Array.from(document.querySelectorAll('.js-plotly-plot, .js-plotly-plot *, .dash-slider-root'))
  .filter(item => item.getClientRects().length && getComputedStyle(item).touchAction === 'none')
  .map(item => item.getAttribute('class'))
  .concat(Array.from(document.querySelectorAll('.js-plotly-plot'))
    .filter(plot => plot.offsetParent && plot._fullLayout.dragmode !== false).map(plot => plot.getAttribute('aria-label')))"""
"""What would keep a finger from scrolling the page."""


def touching(page: Page) -> CDPSession:
    """From here on the page is under fingers, as a phone is."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
    page.wait_for_function("() => matchMedia('(pointer: coarse)').matches")
    return session


def middle(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element, brought to the middle of the window first."""
    x, y = page.locator(selector).first.evaluate(
        "item => { item.scrollIntoView({ block: 'center' }); const box = item.getBoundingClientRect();"
        " return [box.left + box.width / 2, box.top + box.height / 2]; }"
    )
    return x, y


def swipe(
    session: CDPSession, page: Page, at: tuple[float, float], *, x: float = 0, y: float = 0
) -> None:
    """A finger comes down, moves so far, rests and goes up; the page has come to rest."""
    ends = time.time()

    def finger(kind: str, part: float, ago_s: float) -> None:
        points = [{"x": at[0] + part * x, "y": at[1] + part * y}] if kind != "touchEnd" else []
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": points, "timestamp": ends - ago_s},
        )

    # It rests for a second: one that left in full flight would have the page run on.
    finger("touchStart", 0, 2)
    for step in range(1, MOVES + 1):
        finger("touchMove", step / MOVES, 2 - step / MOVES)
    finger("touchEnd", 1, 0)
    page.wait_for_function(
        "() => new Promise(rests => { const before = scrollY; requestAnimationFrame("
        "() => requestAnimationFrame(() => rests(scrollY === before))); })"
    )


# ---- keys ---------------------------------------------------------------------------------------

WATCH = """() => {
  window.unseen = [];
  const ringed = item => {
    const style = getComputedStyle(item);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
  };
  document.addEventListener('focusin', ({ target }) => {
    target.dataset.reached = 'yes';
    const name = target.cloneNode().outerHTML;
    // What stands for a hidden radio button is its label, for a field its box.
    const shown = target.closest('.dash-options-list-option, .dash-input-container') || target;
    if (!ringed(shown) && !target.matches('main')) window.unseen.push('no ring: ' + name);
    // The browser scrolls to it at once; an answer that comes with it may push it over the edge again.
    const edge = 100;
    const look = (frames) => {
      if (document.activeElement !== target) return;
      const box = shown.getBoundingClientRect();
      const near = box.bottom > -edge && box.top < innerHeight + edge;
      if (near && box.right > 0 && box.left < innerWidth) return;
      if (frames) requestAnimationFrame(() => look(frames - 1));
      else window.unseen.push(`out of view: ${name} ${shown.textContent} at ${box.top}, scrolled ${scrollY}`);
    };
    setTimeout(() => look(10), 0);
  });
}"""
"""Looks at whatever gets focus, from now on."""

STOPS = """const stops = () => {
  const group = item => (item.type === 'radio' ? item.closest('[role=radiogroup], .segmented') : null) || item;
  const all = Array.from(document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'))
    .filter(item => item.tabIndex >= 0 && !item.disabled && !item.closest('[inert]')
      && item.checkVisibility({ checkVisibilityCSS: true }));
  return Array.from(new Set(all.map(group)), box => all.filter(item => group(item) === box));
};"""
"""Where Tab should stop, in order; of radio buttons that belong together one."""

MISSED = f"""() => {{ {STOPS}
  return stops().filter(items => !items.some(item => item.dataset.reached))
    .map(([item]) => item.id || item.getAttribute('aria-label') || item.textContent);
}}"""
"""What can have focus and was not reached."""

AWAY = f"""wanted => {{ {STOPS}
  const all = stops();
  const at = document.activeElement, after = Node.DOCUMENT_POSITION_FOLLOWING;
  // What has focus may be no stop itself, such as the goal of the skip link.
  const past = at === document.body ? 0
    : all.filter(items => items.every(item => item.compareDocumentPosition(at) & after)).length;
  const found = all.findIndex(items => items.includes(at));
  const here = found < 0 ? past - 1 : found;
  const there = all.findIndex((items, index) => index > here && items.some(item => item.matches(wanted)));
  return there - here;
}}"""
"""How many stops there should be from here to one further on."""


def focused(page: Page, selector: str) -> bool:
    """Whether what has focus is this."""
    return bool(page.evaluate("wanted => document.activeElement.matches(wanted)", selector))


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until what has focus is this."""
    if key == "Tab":
        for _ in range(page.evaluate(AWAY, selector) - 1):  # nobody needs to look before that
            page.keyboard.press(key)
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        if focused(page, selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


def looked_at(page: Page) -> list[Any]:
    """What had focus and did not show it."""
    found: list[Any] = page.evaluate("window.unseen")
    return found
