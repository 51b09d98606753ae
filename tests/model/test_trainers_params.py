"""Params of the trainers explorer: names, defaults, bounds, conflicts, cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foptrn_model.parameters import ParamsError
from foptrn_model.trainers import setup_of
from foptrn_model.trainers_cost import check_cost, estimate_seconds
from foptrn_model.trainers_params import VIEW_FIELDS, TrainersParams
from foptrn_model.trainers_simulation import TRAINERS_SIMULATION

SPECIFIED = {
    "layers": (3, 1, 8),
    "phase_error_rad": (0.3, 0, 1),
    "splitter_error_rad": (0.02, 0, 0.5),
    "crosstalk": (0, 0, 0.5),
    "drift_rad": (0, 0, 0.1),
    "readout_noise": (0.01, 0, 1),
    "adc_bits": (0, 0, 16),
    "readout_gain_error": (0, -0.5, 0.5),
    "readout_offset": (0, -0.5, 0.5),
    "readout_saturation": (0, 0, 1),
    "gradient_offset": (0, -1, 1),
    "steps": (300, 1, 5000),
    "batch": (64, 1, 1024),
    "learning_rate": (0.05, 1e-5, 1),
    "pixels": (32, 28, 64),
    "masks": (3, 1, 8),
    "mask_spacing_mm": (2, 0.5, 5),
    "shift_px": (0, 0, 8),
    "distance_error": (0, 0, 0.5),
    "seeds": (8, 1, 64),
    "seed": (0, 0, 2**31),
}


def test_names_defaults_and_bounds_are_the_specified_ones():
    specs = TrainersParams.specs()
    assert set(specs) == set(SPECIFIED) | {"plant", "task", "ports"} | set(VIEW_FIELDS)
    for name, (default, low, high) in SPECIFIED.items():
        assert (specs[name].default, specs[name].low, specs[name].high) == (default, low, high)
    assert (specs["ports"].low, specs["ports"].high) == (4, 64)
    assert specs["task"].choices == ("rings", "moons", "digits")
    assert (specs["plant"].default, specs["task"].default) == ("mesh", "moons")


@pytest.mark.parametrize(("query", "ports"), [("", 4), ("task=rings", 4), ("task=digits", 16),
                                              ("ports=7", 7), ("ports=10&task=digits", 10)])  # fmt: skip
def test_ports_follow_the_task_where_they_are_left_out(query, ports):
    params = TrainersParams.from_query(query)
    assert params.resolved()["ports"] == setup_of(params).ports == ports
    assert params.to_query() == query


def test_digits_need_a_port_per_class():
    with pytest.raises(ParamsError, match=r"ports must be a whole number from 10 to 64 .* got 4"):
        TrainersParams.from_query("ports=4&task=digits")
    params, notices = TrainersParams.nearest({"ports": "4", "task": "digits"})
    assert params.mesh_ports == 10
    assert "using 10" in notices[0]


@pytest.mark.parametrize(
    ("task", "shown", "kept"),
    [("moons", 4, None), ("digits", 16, None), ("digits", 4, None), ("digits", 12, 12),
     ("moons", 16, 16), ("rings", "6", "6")],
)  # fmt: skip
def test_controls_leave_ports_to_the_task_where_they_can(task, shown, kept):
    values = TrainersParams.from_controls({"task": task, "ports": shown, "seeds": 2})
    assert values.get("ports") == kept
    assert values["seeds"] == 2


@pytest.mark.parametrize(
    ("plant", "swept"), [("mesh", "shift_px"), ("diffractive", "splitter_error_rad")]
)
def test_a_sweep_is_over_what_the_machine_can_have(plant, swept):
    with pytest.raises(ParamsError, match=f"sweep must be one of .* where the plant is {plant}"):
        TrainersParams.from_query(f"plant={plant}&sweep={swept}")
    params, notices = TrainersParams.nearest({"plant": plant, "sweep": swept})
    assert params.sweep == "phase_error_rad"
    assert "using phase_error_rad" in notices[0]
    assert swept not in params.options("sweep")
    assert "sweep" not in TrainersParams.from_controls({"plant": plant, "sweep": swept})


def test_each_machine_leaves_the_others_fields_alone():
    mesh, stack = TrainersParams(), TrainersParams(plant="diffractive", task="digits")
    assert mesh.inactive() >= {"pixels", "masks", "mask_spacing_mm", "shift_px", "distance_error"}
    assert stack.inactive() == {"ports", "layers", "splitter_error_rad", "input_x", "input_y"}
    assert (mesh.phases, stack.phases) == (48, 3072)
    # Ten ports are a mesh's matter.
    assert TrainersParams.from_query("plant=diffractive&ports=4&task=digits").phases == 3072


@pytest.mark.parametrize("part", ["train", "sweep"])
@pytest.mark.parametrize(
    ("plant", "other"),
    [("diffractive", "layers=7&ports=16&splitter_error_rad=0.4"),
     ("mesh", "distance_error=0.1&mask_spacing_mm=3&masks=5&pixels=64&shift_px=2")],
)  # fmt: skip
def test_what_a_machine_has_not_got_changes_no_run(plant, other, part):
    query = TRAINERS_SIMULATION.parts[part].query
    plain = TrainersParams.from_query(f"plant={plant}")
    assert query(TrainersParams.from_query(f"plant={plant}&{other}")) == query(plain)
    assert query(TrainersParams.from_query(f"plant={plant}&batch=8")) != query(plain)


def test_fields_have_label_help_and_group():
    for spec in TrainersParams.specs().values():
        assert spec.label
        assert spec.help.endswith(".")
        assert spec.group


states = st.builds(
    TrainersParams,
    steps=st.integers(1, 5000),
    seeds=st.integers(1, 64),
    layers=st.integers(1, 8),
    batch=st.integers(1, 1024),
    ports=st.integers(4, 64),
)


@given(params=states, field=st.sampled_from(["steps", "seeds", "layers", "batch", "ports"]))
def test_more_of_anything_costs_more(params, field):
    high = TrainersParams.specs()[field].high
    more = params.model_dump() | {field: min(high, 2 * getattr(params, field))}
    assert estimate_seconds(TrainersParams(**more)) >= estimate_seconds(params) > 0


@given(params=states)
def test_a_sweep_costs_about_its_number_of_values(params):
    one, four = estimate_seconds(params), estimate_seconds(params, values=4)
    assert one < four <= 4 * one * (1 + 1e-9)


def test_a_request_over_the_cap_is_refused_with_the_estimate():
    assert check_cost(TrainersParams(), 20) == []
    (problem,) = check_cost(TrainersParams(steps=5000, seeds=64, ports=64), 20)
    assert problem.param == "steps"
    assert problem.value == 5000
    assert "over the cap of 20 s" in problem.message
    assert "ports 64" in problem.message
    assert check_cost(TrainersParams(), 20, values=64)


@pytest.mark.parametrize("field", ["steps", "seeds", "masks", "batch", "pixels"])
def test_more_of_a_stack_costs_more(field):
    few = {"plant": "diffractive", "steps": 300, "seeds": 2, "batch": 16}
    more = {**few, field: 2 * getattr(TrainersParams(**few), field)}
    assert estimate_seconds(TrainersParams(**more)) > 1.2 * estimate_seconds(TrainersParams(**few))
    (problem,) = check_cost(TrainersParams(**more), 1)
    assert "pixels" in problem.message


def test_the_largest_request_is_far_over_any_cap():
    assert estimate_seconds(TrainersParams(steps=5000, seeds=64, ports=64, layers=8)) > 3600
    assert estimate_seconds(TrainersParams()) < 4
