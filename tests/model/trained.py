"""Trainings that several tests look at, each run once."""

from functools import cache

from foptrn_model.photonics.gradients import TRAINERS
from foptrn_model.trainers import TrainersJob
from foptrn_model.trainers_params import TrainersParams
from foptrn_model.trainers_views import sweep

NOTHING_WRONG = {"phase_error_rad": 0.0, "splitter_error_rad": 0.0, "readout_noise": 0.0}


@cache
def trained(query=""):
    """A finished job."""
    job = TrainersJob(TrainersParams.from_query(query))
    for _ in job.advance():
        pass
    return job


@cache
def phase_error_sweep(task):
    """The specified table: every trainer at four phase errors."""
    return sweep(TrainersParams(task=task), "phase_error_rad", [0, 0.1, 0.3, 0.6])


def reached(**wrong):
    """Mean accuracy on the hardware by trainer, with nothing else wrong."""
    params = TrainersParams(**NOTHING_WRONG | wrong)
    result = trained(params.to_query()).result()
    return {name: result.trainers[name].hardware_accuracy.mean for name in TRAINERS}


def on_the_model(**wrong):
    """Mean accuracy on the model by trainer, with nothing else wrong."""
    params = TrainersParams(**NOTHING_WRONG | wrong)
    result = trained(params.to_query()).result()
    return {name: result.trainers[name].model_accuracy.mean for name in TRAINERS}
