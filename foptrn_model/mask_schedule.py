"""One optimizer step of a small case as tasks: in layer order, and as a 1F1B pipeline.

The step's layers are cut into a few equal groups and its sequences into a few
microbatches, so that a picture stays readable. In layer order the totals are
those of the whole step; a pipeline of more microbatches than are drawn writes
its masks as many times more. One modulator per engine shows one mask at a time, so a layer's
masks are written while the GPUs still work on the layer before, at most.

References
----------
D. Narayanan et al., Efficient Large-Scale Language Model Training on GPU
Clusters Using Megatron-LM, arXiv 2104.04473, sec. 2.2 (the 1F1B schedule).
"""

from __future__ import annotations

from dataclasses import dataclass

from foptrn_model.masks import MasksParams, MasksResult, pass_time_of, write_rate_hz
from foptrn_model.schedule import Event, Task, makespan_s, schedule

MOST_GROUPS = 4
MOST_MICROBATCHES = 8
ENGINE, GPUS = "engine", "GPUs"
WRITE, PASS, FORWARD, BACKWARD, OPTIMIZER = "write", "pass", "forward", "backward", "optimizer"
DIRECTIONS = (FORWARD, BACKWARD)


@dataclass(frozen=True, kw_only=True)
class SmallCase:
    """Seconds of each kind of work of a whole step, and into how much it is cut.

    The dicts map a direction to seconds; ``write_once_s`` is the time to write
    every mask of a direction once, which a pipeline does for every microbatch.
    """

    groups: int
    stages: int
    microbatches: int
    layer_major: bool
    overlap: bool
    resident: bool
    write_s: dict[str, float]
    write_once_s: dict[str, float]
    pass_s: dict[str, float]
    compute_s: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """Events of one way to run the small case, on named resources from top to bottom."""

    title: str
    resources: tuple[str, ...]
    events: tuple[Event, ...]

    @property
    def end_s(self) -> float:
        """When the step is done."""
        return makespan_s(self.events)


@dataclass(frozen=True)
class Visit:
    """The engine's attention to one group of layers: whose work, in which direction."""

    direction: str
    group: int
    microbatches: tuple[int, ...]

    @property
    def name(self) -> str:
        one = "" if len(self.microbatches) > 1 else f", microbatch {self.microbatches[0] + 1}"
        return f"{self.direction}, group {self.group + 1}{one}"


def small_case(params: MasksParams, result: MasksResult) -> SmallCase:
    """Cut one state's step into a few groups of layers and a few microbatches."""
    most = min(MOST_GROUPS, params.model_shape.n_layers)
    stages = min(params.pipeline_stages, most)
    rate = write_rate_hz(params)
    once = {FORWARD: result.frames_forward / rate, BACKWARD: result.frames_backward / rate}
    repeats = params.sequences_per_step if params.order == "sequence-major" else 1
    forward = result.digital_step_time_s * result.forward_flop_share
    light = pass_time_of(params)
    return SmallCase(
        groups=most // stages * stages,
        stages=stages,
        microbatches=min(params.microbatches, MOST_MICROBATCHES, params.sequences_per_step),
        layer_major=params.order == "layer-major",
        overlap=params.overlap,
        # Where every mask has a modulator of its own, a pipeline writes each of them once.
        resident=result.frames_per_step <= params.engines * params.tensor_parallel,
        write_s={name: repeats * seconds for name, seconds in once.items()},
        write_once_s=once,
        pass_s=dict.fromkeys(DIRECTIONS, light / 2),
        compute_s={FORWARD: forward, BACKWARD: result.digital_step_time_s - forward},
    )


def visits(case: SmallCase) -> list[Visit]:
    """The order in which layers are worked on: all sequences at once, or one after the other."""
    everyone = tuple(range(case.microbatches))
    batches = [everyone] if case.layer_major else [(index,) for index in everyone]
    return [
        Visit(direction, group, batch)
        for batch in batches
        for direction, order in (
            (FORWARD, range(case.groups)),
            (BACKWARD, reversed(range(case.groups))),
        )
        for group in order
    ]


def layer_order_tasks(case: SmallCase) -> list[Task]:
    """Tasks of a step in layer-major or in sequence-major order, on one engine and the GPUs."""
    order = visits(case)
    share = len([visit for visit in order if visit.direction == FORWARD])
    tasks: list[Task] = []
    computed: tuple[str, ...] = ()
    for visit in order:
        way = visit.direction
        write, light = f"write {visit.name}", f"pass {visit.name}"
        # The engine shows one mask at a time: it may write once the last pass is over.
        tasks.append(
            Task(
                name=write, kind=WRITE, resource=ENGINE, duration_s=case.write_s[way] / share,
                after=() if case.overlap else computed,
            )
        )  # fmt: skip
        tasks.append(
            Task(
                name=light, kind=PASS, resource=ENGINE, duration_s=case.pass_s[way] / share,
                after=(write, *computed),
            )
        )  # fmt: skip
        for index in visit.microbatches:
            name = f"{way}, group {visit.group + 1}, microbatch {index + 1}"
            seconds = case.compute_s[way] / (case.groups * case.microbatches)
            tasks.append(
                Task(name=name, kind=way, resource=GPUS, duration_s=seconds, after=(light,))
            )
        computed = (name,)
    tasks.append(Task(name="update", kind=OPTIMIZER, resource=GPUS, duration_s=0.0, after=computed))
    return tasks


def one_forward_one_backward(stage: int, stages: int, microbatches: int) -> list[tuple[str, int]]:
    """(direction, microbatch) in the order in which one stage works, the first stage being 0."""
    warm_up = min(stages - stage, microbatches)
    order = [(FORWARD, index) for index in range(warm_up)]
    for index in range(microbatches):
        order.append((BACKWARD, index))
        if warm_up + index < microbatches:
            order.append((FORWARD, warm_up + index))
    return order


def _stage_task(way: str, stage: int, microbatch: int) -> str:
    return f"{way}, stage {stage + 1}, microbatch {microbatch + 1}"


def pipeline_tasks(case: SmallCase) -> list[Task]:
    """Tasks of a step as a 1F1B pipeline; engines and GPUs are shared out over the stages.

    A stage has one share in ``stages`` of the frames and of the engines, so
    writing its masks once takes as long as writing all of them on all engines.
    """
    tasks: list[Task] = []
    for stage in range(case.stages):
        engine, gpus = f"{ENGINE} {stage + 1}", f"{GPUS} {stage + 1}"
        computed: tuple[str, ...] = ()
        written: set[str] = set()
        for way, index in one_forward_one_backward(stage, case.stages, case.microbatches):
            here = _stage_task(way, stage, index)
            seconds = case.write_once_s[way]
            if case.resident and way in written:
                seconds = 0.0
            written.add(way)
            neighbour = stage - 1 if way == FORWARD else stage + 1
            inputs = (_stage_task(way, neighbour, index),) if 0 <= neighbour < case.stages else ()
            tasks.append(
                Task(
                    name=f"write {here}", kind=WRITE, resource=engine, duration_s=seconds,
                    after=() if case.overlap else computed,
                )
            )  # fmt: skip
            tasks.append(
                Task(
                    name=f"pass {here}", kind=PASS, resource=engine,
                    duration_s=case.pass_s[way] / case.microbatches,
                    after=(f"write {here}", *computed, *inputs),
                )
            )  # fmt: skip
            tasks.append(
                Task(
                    name=here, kind=way, resource=gpus,
                    duration_s=case.compute_s[way] / case.microbatches,
                    after=(f"pass {here}", *inputs),
                )
            )  # fmt: skip
            computed = (here,)
        tasks.append(
            Task(
                name=f"update, stage {stage + 1}", kind=OPTIMIZER, resource=gpus, duration_s=0.0,
                after=computed,
            )
        )  # fmt: skip
    return tasks


def layer_order_timeline(case: SmallCase) -> Timeline:
    """The small case in the order of the state."""
    return Timeline(
        title="Layer-major" if case.layer_major else "Sequence-major",
        resources=(ENGINE, GPUS),
        events=schedule(layer_order_tasks(case)),
    )


def pipeline_timeline(case: SmallCase) -> Timeline:
    """The small case as a 1F1B pipeline."""
    return Timeline(
        title="1F1B pipeline",
        resources=tuple(
            f"{part} {stage + 1}" for stage in range(case.stages) for part in (ENGINE, GPUS)
        ),
        events=schedule(pipeline_tasks(case)),
    )


@dataclass(frozen=True, kw_only=True)
class Fill:
    """What overlap cannot hide, beyond max(mask time, digital time), in seconds.

    ``ends_s``: the first masks are written before any work can start, and the
    last work starts when nothing is left to write. ``imbalance_s``: where a
    group's masks take longer than the work they are written behind, or the
    reverse, one side waits, though in total the other one has more to do.
    """

    ends_s: float
    imbalance_s: float

    @property
    def total_s(self) -> float:
        return self.ends_s + self.imbalance_s


def overlap_fill(case: SmallCase) -> Fill:
    """The fill of a step in the order of the state; zero without overlap.

    Masks written behind work pair up: those of a visit with the work of the
    visit before. Each pair takes the longer of both.
    """
    order = visits(case)
    share = len(order) // len(DIRECTIONS)
    writes = [case.write_s[visit.direction] / share for visit in order]
    computes = [case.compute_s[visit.direction] / share for visit in order]
    if not case.overlap:
        return Fill(ends_s=0.0, imbalance_s=0.0)
    pairs = list(zip(writes[1:], computes[:-1], strict=True))
    paired = sum(max(pair) for pair in pairs)
    longer = max(sum(write for write, _ in pairs), sum(compute for _, compute in pairs))
    formula = max(sum(writes), sum(computes))
    return Fill(ends_s=writes[0] + computes[-1] + longer - formula, imbalance_s=paired - longer)
