"""Pages without a browser: ids, callbacks, layouts for any query, answers to any request."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import dash
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plotly.offline import get_plotlyjs_version

from foptrn_model.explorers import AMDAHL, EXPLORERS
from foptrn_model.parameters import query_text
from pages._components.controls import control_values
from pages._components.explorer_page import ExplorerPage
from pages._components.plates import GRAPH_CONFIG
from pages._components.reading import read_request
from pages._components.theme import all_tokens
from pages._components.view import CHOICES

BUNDLE_TRACES = {
    "scatter",
    "bar",
    "box",
    "heatmap",
    "histogram",
    "contour",
    "image",
    "pie",
    "violin",
}


def components(tree: Any) -> list[Any]:
    """Every component of a layout."""
    return [tree, *tree._traverse()]


def ids(tree: Any) -> list[str]:
    return [item.id for item in components(tree) if getattr(item, "id", None) is not None]


@pytest.fixture(scope="session")
def layouts(app: dash.Dash) -> dict[str, Any]:
    """Path -> layout in the default state, and the shell under its own name."""
    pages = {page["path"]: page["layout"]() for page in dash.page_registry.values()}
    return pages | {"shell": app.layout()}


@pytest.fixture(scope="session")
def amdahl(app: dash.Dash) -> ExplorerPage:
    return explorer_page("amdahl")


@pytest.fixture(scope="session", params=EXPLORERS)
def page(app: dash.Dash, request: pytest.FixtureRequest) -> ExplorerPage:
    """Each explorer's page in turn."""
    return explorer_page(request.param)


def explorer_page(slug: str) -> ExplorerPage:
    found: ExplorerPage = dash.page_registry[f"pages.{slug.replace('-', '_')}"]["layout"].__self__
    return found


def test_there_is_a_page_for_every_explorer(layouts: dict[str, Any]) -> None:
    assert {f"/{slug}" for slug in EXPLORERS} | {"/"} <= set(layouts)


def test_ids_are_unique_across_pages(layouts: dict[str, Any]) -> None:
    counts = Counter(name for layout in layouts.values() for name in ids(layout))
    assert counts
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_callback_id_exists(client: Any, layouts: dict[str, Any]) -> None:
    known = {name for layout in layouts.values() for name in ids(layout)}
    dependencies = client.get("/_dash-dependencies").json
    mentioned = set()
    for callback in dependencies:
        for item in callback["inputs"] + callback["state"]:
            mentioned.add(item["id"])
        for output in callback["output"].strip(".").split("..."):
            if output:
                mentioned.add(output.rpartition(".")[0])
    ours = {name for name in mentioned if name and not name.startswith("_pages")}
    assert "amdahl-seq_len" in ours
    assert "amdahl-seq_len-slider" in known - ours, "sliders are watched, not listened to"
    assert ours - known == set()


def test_callback_exceptions_are_not_suppressed(app: dash.Dash) -> None:
    assert not app.config.suppress_callback_exceptions


def test_documents_do_not_hold_every_page(client: Any) -> None:
    """For the browser's own check of ids they name all components, and hold no layouts."""
    document = client.get("/amdahl", headers={"Accept-Encoding": "gzip"})
    assert document.headers["Content-Encoding"] == "gzip"
    assert len(document.data) < 30_000


def test_first_layout_has_the_figures(page: ExplorerPage, layouts: dict[str, Any]) -> None:
    layout = layouts[f"/{page.slug}"]
    graphs = [item for item in components(layout) if isinstance(item, dash.dcc.Graph)]
    assert len(graphs) == len(page.plates) >= 6
    present = [plate.present(page.explorer.params()) for plate in page.plates]
    assert sum(present) >= 6
    for graph, there in zip(graphs, present, strict=True):
        assert type(graph.figure) is dict
        assert bool(graph.figure["data"]) == there
        assert graph.config == GRAPH_CONFIG


def test_no_figure_leaves_the_host() -> None:
    assert GRAPH_CONFIG["showSendToCloud"] is False
    assert GRAPH_CONFIG["plotlyServerURL"] == ""


QUERIES = {
    "amdahl": (
        "", "variant=transformer", "variant=block-circulant&seq_len=131072", "fft_rate=0.01",
        "shape=gpt2-small&variant=hybrid&recompute=full", "seq_len=128", "seq_len=1048576",
    ),
    "masks": (
        "", "variant=transformer", "order=sequence-major&variant=hybrid", "gpus=1",
        "frame_rate_hz=1&gpus=1000000", "frame_rate_hz=1000000&sequences_per_step=1",
        "overlap=false&pass_time_s=10&conjugate_mask=reuse&tensor_parallel=64",
        "pipeline_stages=64&microbatches=4096&sequences_per_step=1000000",
        "seq_len=2048&frame_rate_hz=20000", "shape=custom&n_layers=1",
    ),
    "transit": (
        "", "datacentres=1", "datacentres=1&workers_per_dc=1", "target_loss=0.01", "target_loss=20",
        "band=band-random-2d64&sync_every=30&loss_penalty_percent=20", "compute_ms=0&latency_us=0",
        "curves=measured", "curves=measured&target_loss=6&band=calib-2d64",
        "datacentres=64&workers_per_dc=4096&n_params=10000000000000", "worker_W=0&n_params=1000",
        "wan_GBps=0.001&fabric_GBps=0.001&sync_every=10000", "wan_GBps=10000&keep=1",
        "band=optics-1d256-enob6-planes8-exact", "datacentres=1&workers_per_dc=1&compute_ms=0",
    ),
    "backward": (
        "", "padding=false", "enob=8", "n=16", "n=65536", "n=65521&padding=false",
        "filter=impulse&padding=false&signal=pulse", "filter=gaussian&signal=chirp&enob=2",
        "filter=derivative&signal=step&kernel=edge&picture=rings&n=17", "filter=delay&enob=20",
        "kernel=motion&picture=spots&padding=false&enob=0.5",
    ),
    "precision": (
        "", "distribution=measured&layer=last", "distribution=measured&layer=first&samples=256",
        "distribution=student-t&enob=20&passes=4096", "distribution=laplace&enob=1&planes=1",
        "planes=16&draws=1&samples=256&show_format=BF16&zoom=4096", "samples=1048576&draws=1",
        "dac_fJ=10000&adc_fJ=10000&digital_pJ_per_flop=0.001&seq_len=128",
        "dac_fJ=0.01&adc_fJ=0.01&digital_pJ_per_flop=1000&seq_len=1048576",
        "show_format=E2M1&zoom=8", "show_format=INT8&zoom=3", "show_format=FP16",
    ),
    "optical-dfa": (
        "", "width=16&depth=1&batch=1", "width=1000000&depth=10000&matrices_per_layer=24",
        "batch=65536&errors_per_sample=65536", "error_length=1000000&launch_us=0", "width=256",
        "camera_fps=1000000&frame_rate_hz=10000000&passes=1&depth=1", "gpu_memory_GB=100000",
        "batch=1&launch_us=10000&frame_rate_hz=10000000&camera_fps=1000000", "gpu_memory_GB=0.01",
        "batch=8&depth=24&errors_per_sample=1024&matrices_per_layer=12&width=2048", "seed=5",
    ),
    "compression": (
        "", "source=smooth&show=zigzag", "source=measured&tensor=delta&show=calibrated",
        "chunk=1d-256&show=topk&enob=0", "chunk=1d-64&keep=1&planes=16&kappa=16",
        "keep=0.001&samples=4096&planes=1&kappa=1&enob=2", "keep=1&show=random&enob=20",
        "source=measured&tensor=gradient&chunk=1d-64&keep=0.001&show=high",
        "feedback=exact&full_scale_every=1000&seed=2147483648",
    ),
    "trainers": tuple(
        f"{query}&steps=3&seeds=2"
        for query in (
            "", "task=rings&phase_error_rad=0", "task=digits&ports=10", "layers=1&ports=5",
            "show_trainer=in-silico&input_x=-1.5&input_y=1.5", "sweep=gradient_offset",
            "layers=8&ports=8&readout_noise=1&adc_bits=1", "readout_saturation=1&drift_rad=0.1",
        )
    ) + tuple(
        f"plant=diffractive&batch=4&steps=1&seeds=1&{query}"
        for query in (
            "", "task=digits&shift_px=8&masks=1&sweep=shift_px", "pixels=49&distance_error=0.5",
        )
    ),
}  # fmt: skip
"""States of every kind, the outermost ones among them."""


@cache
def all_figures(page: ExplorerPage) -> list[dict[str, Any]]:
    states = [page.explorer.params.from_query(query) for query in QUERIES[page.slug]]
    evaluations = [page.explorer.evaluate(params) for params in states]
    return [
        plate.draw(evaluation, pinned)
        for index, evaluation in enumerate(evaluations)
        for pinned in ((), evaluations[max(index - 2, 0) : index])
        for plate in page.plates
        if plate.present(evaluation.params)
    ]


def kind(item: Any) -> Any:
    """An item without its numbers: what two figures of one kind have in common."""
    if isinstance(item, dict):
        return {name: kind(value) for name, value in item.items()}
    if isinstance(item, (list, tuple)):
        return sorted({json.dumps(kind(value), sort_keys=True) for value in item})
    return item if isinstance(item, (str, bool)) else 0


def test_figures_are_valid_and_drawn_by_the_bundle(page: ExplorerPage) -> None:
    validated = set()
    for figure in all_figures(page):
        assert {trace["type"] for trace in figure["data"]} <= BUNDLE_TRACES
        for part in [{"data": [trace]} for trace in figure["data"]] + [
            {"layout": figure["layout"]}
        ]:
            signature = json.dumps(kind(part), sort_keys=True)
            if signature not in validated:
                go.Figure(part)  # raises on any property plotly does not know
                validated.add(signature)
        json.dumps(figure, allow_nan=False)
        for name, axis in figure["layout"].items():
            if name.startswith(("xaxis", "yaxis")) and axis["title"]["text"]:
                assert "(" in axis["title"]["text"], "an axis names its unit"
    assert get_plotlyjs_version().startswith("4.")


def test_figures_use_no_colour_outside_the_tokens(page: ExplorerPage) -> None:
    known = {token.light for token in all_tokens()}
    used = set()
    for figure in all_figures(page):
        used |= {part for part in json.dumps(figure).split('"') if part.startswith("#")}
    assert used
    assert used <= known


def test_ledger_figure_shows_the_ledger(amdahl: ExplorerPage) -> None:
    params = AMDAHL.params.from_query("variant=block-circulant")
    evaluation = AMDAHL.evaluate(params)
    figure = amdahl.plates[0].draw(evaluation, ())
    shown = {trace["name"]: trace["x"] for trace in figure["data"]}
    for variant_index in range(4):
        rows = slice(2 * variant_index, 2 * variant_index + 2)
        assert sum(sum(x[rows]) for x in shown.values()) == pytest.approx(100, rel=1e-4)
    step = evaluation.result.flop_per_token.step
    assert sum(shown["Transform"][-2:]) == pytest.approx(
        100 * step.transform / step.total, rel=1e-4
    )


def test_length_figure_marks_state_and_published_points(amdahl: ExplorerPage) -> None:
    def traces(query: str) -> dict[str, Any]:
        evaluation = AMDAHL.evaluate(AMDAHL.params.from_query(query))
        return {trace["name"]: trace for trace in amdahl.plates[1].draw(evaluation, ())["data"]}

    default = traces("")
    assert default["this state"]["x"] == [4096]
    assert default["this state"]["y"][0] == pytest.approx(0.1428, abs=1e-4)
    assert dict(zip(default["published"]["x"], default["published"]["y"], strict=True))
    assert sorted(default["published"]["y"]) == [0.14, 9.7]
    # The published points belong to one shape; elsewhere they would lie beside the lines.
    assert "published" not in traces("shape=gpt2-small")
    assert traces("variant=transformer")["this state"]["y"] == [None]


SOME_NAMES = sorted({name for explorer in EXPLORERS.values() for name in explorer.params.specs()})
NAMES = st.sampled_from([*SOME_NAMES, "theme", "embed", "x", "self", "query"])
VALUES = st.one_of(
    st.text(max_size=20),
    st.integers().map(str),
    st.floats().map(str),
    st.lists(st.text(max_size=5), max_size=3),
    st.sampled_from(["custom", "gpt2-small", "true", "0", "8", "4096"]),
)


@settings(max_examples=30)
@given(st.dictionaries(NAMES, VALUES, max_size=6))
def test_any_query_opens_the_page(page: ExplorerPage, query: dict[str, Any]) -> None:
    parts = {getattr(item, "id", ""): item for item in components(page.layout(**query))}
    notices, answer = parts[page.id("notices")], parts[page.id("answer")]
    page.explorer.params.from_query(answer.data["query"])
    ours = {name: value for name, value in query.items() if name not in CHOICES}
    known = all(query[name] in allowed for name, allowed in CHOICES.items() if name in query)
    try:
        page.explorer.params.parse(ours)
        assert (notices.children == []) == known
    except ValueError:
        assert notices.children != []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
REQUESTS = st.one_of(
    JSON,
    st.fixed_dictionaries({"query": JSON}),
    st.fixed_dictionaries({"values": st.dictionaries(NAMES, JSON, max_size=5), "changed": JSON}),
)


@settings(max_examples=30)
@given(REQUESTS)
def test_any_request_gets_an_answer(page: ExplorerPage, request: Any) -> None:
    verdict, notices, *_ = page.respond(request)
    answer = page.respond(request)[4]
    if answer["ok"]:
        page.explorer.params.from_query(answer["query"])
        # What takes seconds is answered when it is there; until then the page stays as it is.
        assert isinstance(verdict, str) or answer["run"]["stale"]
    else:
        assert answer["problems"]
        assert notices


@pytest.mark.parametrize("wrong", [[], {}, ["a"], {"a": 1}, None, True, ""], ids=repr)
def test_a_control_of_any_kind_of_content_is_read_or_refused(
    page: ExplorerPage, wrong: Any
) -> None:
    for name in page.explorer.params.specs():
        reading = read_request(page.explorer, {"values": {name: wrong}, "changed": name})
        assert reading.params is not None or reading.problems


def test_shortcuts_are_told_of_and_keep_all_else(page: ExplorerPage) -> None:
    explorer = page.explorer
    for item in explorer.shortcuts.items:
        start = explorer.params.from_query(QUERIES[page.slug][0])
        values = control_values(start) | {
            name: query_text(value) for name, value in item.values.items()
        }
        answer = page.respond({"values": values, "changed": next(iter(item.values))})[4]
        assert answer["shortcut"] == item.name
        assert item.story in answer["story"]
        state = explorer.params.from_query(answer["query"])
        moved = {
            name for name in explorer.params.specs() if getattr(state, name) != getattr(start, name)
        }
        assert moved <= set(item.values)


def controls_of(query: str) -> dict[str, Any]:
    """What the controls of a page hold in a state."""
    return dict(control_values(AMDAHL.params.from_query(query)))


def test_a_wrong_control_is_refused_and_the_result_stays(amdahl: ExplorerPage) -> None:
    values = controls_of("variant=hybrid") | {"seq_len": "12"}
    response = amdahl.respond({"values": values, "changed": "seq_len"})
    kept = [part for part in response if part is dash.no_update]
    assert len(kept) == len(response) - 2
    assert response[4] == {
        "ok": False,
        "serial": None,
        "problems": [
            {
                "param": "seq_len",
                "message": "seq_len must be a whole number from 128 to 1,048,576, got 12",
                "value": "12",
            }
        ],
    }


def test_a_clash_with_another_control_is_settled_with_a_notice(amdahl: ExplorerPage) -> None:
    values = controls_of("block_size=2048") | {"shape": "llama2-7b"}
    response = amdahl.respond({"values": values, "changed": "shape"})
    assert response[4]["query"] == "shape=llama2-7b"
    assert "block_size" in str(response[1])


def test_custom_starts_from_the_shape_on_screen(amdahl: ExplorerPage) -> None:
    values = controls_of("shape=gpt2-small") | {"shape": "custom"}
    answer = amdahl.respond({"values": values, "changed": "shape"})[4]
    custom = AMDAHL.params.from_query(answer["query"])
    assert custom.model_shape == AMDAHL.params.from_query("shape=gpt2-small").model_shape
    assert "d_model" not in answer["inactive"]


def test_home_shows_answers_computed_now(layouts: dict[str, Any]) -> None:
    texts = [getattr(item, "children", None) for item in components(layouts["/"])]
    for explorer in EXPLORERS.values():
        assert explorer.evaluate(explorer.params()).verdict in texts


def test_a_part_on_demand_is_offered_started_watched_and_cancelled(app: dash.Dash) -> None:
    page = explorer_page("compression")

    def ask(query: str, watcher: str = "one", **more: Any) -> tuple[Any, dict[str, Any]]:
        values = control_values(page.explorer.params.from_query(query))
        verdict, *rest = page.respond({"values": values, "page": watcher, **more})
        return verdict, rest[3]["run"]

    verdict, run = ask("enob=5.5")
    assert "ENOB 5.5" in verdict, "the closed part is there at once"
    assert (run["state"], run["stale"], run["againMs"]) == ("offered", False, None)
    assert ask("enob=5.5", run=True, drag=True)[1]["state"] == "offered"
    run = ask("enob=5.5", run=True)[1]
    assert run["state"] in ("queued", "running")
    assert (run["asked"], run["stale"], run["plates"]) == (True, False, ["live"])
    assert run["againMs"] > 0
    # A change that the run does not depend on goes on watching it; another person is offered it.
    assert ask("enob=5.5&samples=8192")[1]["state"] in ("queued", "running")
    assert ask("enob=5.5", "two")[1]["state"] == "offered"
    assert ask("enob=5.25")[1]["state"] == "offered"
    assert ask("enob=5.5", cancel=True)[1]["state"] == "cancelled"
    assert ask("enob=5.5")[1]["state"] == "offered"
