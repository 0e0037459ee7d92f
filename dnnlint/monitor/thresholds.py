"""The limits of the monitor, each with the clause that it comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple


class Thresholds(NamedTuple):
    """Limits in the unit that the name states; ``[tool.dnnlint.monitor]`` and options of the command set them."""

    training_low_percent: float = 70.0
    training_high_percent: float = 90.0
    inference_low_percent: float = 50.0
    inference_high_percent: float = 80.0
    waste_percent: float = 60.0
    saturation_percent: float = 95.0
    temperature_c: float = 95.0
    throttle_c: float = 83.0
    memory_headroom_percent: float = 20.0
    memory_full_percent: float = 98.0
    expect_tolerance_percent: float = 10.0
    idle_percent: float = 5.0
    idle_s: float = 10.0
    idle_share_percent: float = 5.0
    imbalance_percent: float = 20.0
    leak_growth_percent: float = 2.0
    leak_growth_mib: float = 64.0
    leak_p: float = 0.001
    warm_up_percent: float = 20.0
    sawtooth_correlation: float = 0.5
    sawtooth_amplitude_percent: float = 40.0
    memory_swing_percent: float = 10.0


HELP = {
    "training_low_percent": "mean utilisation below this is low for training (S4.1.1)",
    "training_high_percent": "mean utilisation above this is high for training (S4.1.1)",
    "inference_low_percent": "mean utilisation below this is low for inference (S4.1.1)",
    "inference_high_percent": "mean utilisation above this is high for inference (S4.1.1)",
    "waste_percent": "mean utilisation of training below this wastes the GPU (S4.1.1)",
    "saturation_percent": "mean utilisation above this needs good cooling (S4.1.1)",
    "temperature_c": "temperature that is too hot whatever the GPU (S5.1.2)",
    "throttle_c": "temperature at which data-centre GPUs begin to throttle, unless the GPU's own limit is known",
    "memory_headroom_percent": "memory to keep free at the peak (S2.1.2a)",
    "memory_full_percent": "memory use at which an out-of-memory error is near",
    "expect_tolerance_percent": "how far the peak may lie from --expect",
    "idle_percent": "utilisation up to this is idle",
    "idle_s": "an idle period is at least this long",
    "idle_share_percent": "share of the run that may be idle",
    "imbalance_percent": "how far the mean utilisation of GPUs may differ",
    "leak_growth_percent": "growth of memory after the warm-up that is worth a report, of the capacity",
    "leak_growth_mib": "the same in MiB",
    "leak_p": "probability of a false alarm of the Mann-Kendall test on independent values",
    "warm_up_percent": "share of the run at its start in which memory may grow",
    "sawtooth_correlation": "autocorrelation from which on a pattern is regular",
    "sawtooth_amplitude_percent": "swing of the pattern, points of utilisation",
    "memory_swing_percent": "swing of the pattern of memory, of the capacity",
}
_PAIRS = (("training_low_percent", "training_high_percent"), ("inference_low_percent", "inference_high_percent"))


class ThresholdError(ValueError):
    """A threshold that cannot be used; the message names it."""


def key_of(name: str) -> str:
    """The name of a threshold in a configuration file and on the command line."""
    return name.replace("_", "-")


KEYS = tuple(key_of(name) for name in Thresholds._fields)


def make_thresholds(*sources: Mapping[str, float]) -> Thresholds:
    """Thresholds from their defaults and mappings by key, later ones winning.

    Raises:
        ThresholdError: a value below zero, not finite, a percentage above 100, or an empty range.
    """
    values: dict[str, float] = {}
    for source in sources:
        for key, value in source.items():
            _require(key, value)
            values[key.replace("-", "_")] = float(value)
    made = Thresholds()._replace(**values)
    for low, high in _PAIRS:
        if getattr(made, low) > getattr(made, high):
            raise ThresholdError(f"{key_of(low)} is above {key_of(high)}")
    return made


def _require(key: str, value: float) -> None:
    if not math.isfinite(value) or value < 0:
        raise ThresholdError(f"{key}: expected a number that is not negative, found {value}")
    if key.endswith("-percent") and value > 100:
        raise ThresholdError(f"{key}: expected at most 100, found {value:g}")
    if key in ("leak-p", "sawtooth-correlation") and not 0 < value < 1:
        raise ThresholdError(f"{key}: expected a number between 0 and 1, found {value:g}")
