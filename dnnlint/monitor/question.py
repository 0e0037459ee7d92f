"""What a log is judged against."""

from __future__ import annotations

from typing import NamedTuple

from dnnlint.monitor.expectation import Expectation
from dnnlint.monitor.thresholds import Thresholds

MODES = ("training", "inference")


class Question(NamedTuple):
    """The thresholds, the kind of work, the prediction, and the GPU's own limits where they are known."""

    limits: Thresholds = Thresholds()
    mode: str = "training"
    expectation: Expectation | None = None
    temperature_limit_c: float | None = None
    memory_total_bytes: float | None = None

    @property
    def usage_range(self) -> tuple[float, float]:
        """The utilisation that is right for the kind of work, in percent."""
        if self.mode == "inference":
            return self.limits.inference_low_percent, self.limits.inference_high_percent
        return self.limits.training_low_percent, self.limits.training_high_percent
