"""What the monitor says of a log: figures of each GPU, findings, notices."""

from __future__ import annotations

from dataclasses import dataclass, field

from dnnlint.finding import Severity


@dataclass(frozen=True, slots=True)
class GpuSummary:
    """The figures of one GPU; None where the log does not hold what they need."""

    gpu: str
    name: str
    samples: int
    duration_s: float | None
    utilisation_mean_percent: float | None = None
    utilisation_median_percent: float | None = None
    utilisation_max_percent: float | None = None
    memory_peak_bytes: float | None = None
    memory_mean_bytes: float | None = None
    memory_total_bytes: float | None = None
    temperature_mean_c: float | None = None
    temperature_max_c: float | None = None
    power_mean_w: float | None = None
    idle_share: float | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """One finding; ``figures`` are the numbers that it rests on, with units in their names."""

    name: str
    severity: Severity
    gpu: str
    message: str
    help: str
    clause: str
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Everything that is said of a log."""

    summaries: tuple[GpuSummary, ...]
    observations: tuple[Observation, ...]
    notices: tuple[str, ...]

    def fails(self, fail_on: Severity) -> bool:
        """Whether a finding is at least as severe."""
        return any(finding.severity.rank <= fail_on.rank for finding in self.observations)
