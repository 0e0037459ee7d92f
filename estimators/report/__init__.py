"""What an estimate found, typed; and how it is shown."""

from dnnlint.estimators.report.schema import (
    AtPeak,
    DeviceReport,
    Estimate,
    Interval,
    Memory,
    ModuleShare,
    PeakPlace,
    TimelinePoint,
    Verdict,
    VerdictStatus,
)

__all__ = [
    "AtPeak",
    "DeviceReport",
    "Estimate",
    "Interval",
    "Memory",
    "ModuleShare",
    "PeakPlace",
    "TimelinePoint",
    "Verdict",
    "VerdictStatus",
]
