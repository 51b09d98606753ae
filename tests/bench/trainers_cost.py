"""Print how long trainings take beside what the estimate says: python -m tests.bench.trainers_cost."""

from __future__ import annotations

import time

from foptrn_model.trainers import compute_trainers
from foptrn_model.trainers_cost import estimate_seconds
from foptrn_model.trainers_params import TrainersParams

STATES = (
    "",
    "seeds=1",
    "seeds=64&steps=40",
    "layers=8&steps=100",
    "ports=8&steps=100",
    "ports=16&steps=40",
    "ports=32&steps=8&seeds=1",
    "ports=64&steps=3&seeds=1&layers=2",
    "batch=1024&steps=30",
    "task=digits",
    "plant=diffractive&task=digits&batch=32&seeds=1&steps=100",
    "plant=diffractive&task=digits&seeds=1&steps=20&pixels=64&masks=5",
    "crosstalk=0.1&drift_rad=0.001&adc_bits=6&readout_offset=0.1",
)


def main() -> None:
    compute_trainers(TrainersParams(steps=1, task="digits"))  # imports included
    print(f"{'state':<62}{'estimated':>10}{'measured':>10}")
    for query in STATES:
        params = TrainersParams.from_query(query)
        start = time.perf_counter()
        compute_trainers(params)
        took = time.perf_counter() - start
        print(f"{query or 'default':<62}{estimate_seconds(params):>8.2f} s{took:>8.2f} s")


if __name__ == "__main__":
    main()
