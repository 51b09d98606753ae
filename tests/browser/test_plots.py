"""Figures that change together take turns; whoever is at the page comes in between."""

from __future__ import annotations

from tests.browser.conftest import Tab

PLOTS = """
  const plots = Array.from(document.querySelectorAll('.js-plotly-plot'));
  const name = plot => plot.closest('.plate').dataset.plate;
  const newly = (plot, text) => window.Plotly.react(plot, { data: plot.data, layout: { ...plot.layout, meta: text } });
"""


def test_figures_are_drawn_in_turns_those_in_sight_first(tab: Tab) -> None:
    page = tab.open("/amdahl")
    order = page.evaluate(f"""async () => {{ {PLOTS}
      const order = [];
      const all = plots.reverse().map(plot => newly(plot, 'new').then(() => order.push(name(plot))));
      const others = new MessageChannel();
      others.port1.onmessage = () => order.push('somebody else');
      others.port2.postMessage('');
      await Promise.all(all);
      others.port1.close();
      return order;
    }}""")
    plates = page.evaluate(f"() => {{ {PLOTS} return plots.map(name); }}")
    assert sorted(order) == sorted([*plates, "somebody else"])
    assert next(found for found in order if found in plates) == plates[0]
    assert order[-1] != "somebody else"


def test_of_two_figures_for_one_place_the_newer_is_drawn_once(tab: Tab) -> None:
    page = tab.open("/amdahl")
    found = page.evaluate(f"""async () => {{ {PLOTS}
      const plot = plots.at(-1);
      let drawn = 0;
      plot.on('plotly_afterplot', () => {{ drawn += 1; }});
      await Promise.all([newly(plot, 'older'), newly(plot, 'newer')]);
      return [plot.layout.meta, drawn];
    }}""")
    assert found == ["newer", 1]


def test_paper_waits_for_no_turn(tab: Tab) -> None:
    page = tab.open("/amdahl")
    found = page.evaluate(f"""() => {{ {PLOTS}
      plots.forEach(plot => newly(plot, 'for paper'));
      window.dispatchEvent(new Event('beforeprint'));
      const found = plots.map(plot => plot.layout.meta);
      window.dispatchEvent(new Event('afterprint'));
      return found;
    }}""")
    assert len(found) > 1
    assert set(found) == {"for paper"}


def test_a_figure_of_a_page_that_was_left_is_not_drawn(tab: Tab) -> None:
    page = tab.open("/amdahl")
    meta = page.evaluate(f"""async () => {{ {PLOTS}
      const [first, last] = [plots[0], plots.at(-1)];
      const both = [newly(first, 'new'), newly(last, 'new')];
      const place = last.parentElement;
      last.remove();
      await Promise.all(both);
      place.append(last);
      return last.layout.meta;
    }}""")
    assert meta != "new"
