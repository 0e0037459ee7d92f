"""Judge a log: figures of each GPU, findings against the thresholds, what cannot be told."""

from __future__ import annotations

from array import array

from dnnlint.monitor.columns import MEMORY_USED, POWER, TEMPERATURE, UTILISATION
from dnnlint.monitor.judge_limits import judge_health, judge_memory, judge_temperature
from dnnlint.monitor.judge_usage import judge_balance, judge_usage, working_part
from dnnlint.monitor.log import Log, Series
from dnnlint.monitor.model import GpuSummary, Judgement, Observation
from dnnlint.monitor.patterns import find_idle
from dnnlint.monitor.question import Question
from dnnlint.monitor.statistics import median

_JUDGED = ((UTILISATION, "utilisation"), (MEMORY_USED, "memory"), (TEMPERATURE, "temperature"))
_LONG_GAP = 10
_FEW_SAMPLES = 30


def judge(log: Log, question: Question) -> Judgement:
    """Say everything that the log shows."""
    series = [own for own in log.series.values() if len(own)]
    findings: list[Observation] = []
    for own in series:
        for part in (judge_usage, judge_temperature, judge_memory, judge_health):
            findings += part(own, question)
    findings += judge_balance(series, question)
    order = {own.gpu: place for place, own in enumerate(series)}
    findings.sort(key=lambda finding: (finding.severity.rank, order.get(finding.gpu, -1)))
    notices = (*log.notices, *(text for own in series for text in _gaps_in_knowledge(own, log)))
    summaries = tuple(summarise(own, log, question) for own in series)
    return Judgement(summaries, tuple(findings), tuple(dict.fromkeys(notices)))


def summarise(series: Series, log: Log, question: Question) -> GpuSummary:
    """The figures of one GPU."""
    usage = working_part(series, question.limits)
    memory, temperature, power = (series.known(column) for column in (MEMORY_USED, TEMPERATURE, POWER))
    capacity = series.capacity_bytes
    idle = find_idle(series, question.limits) if usage else None
    return GpuSummary(
        gpu=series.gpu,
        name=series.name,
        samples=len(series),
        duration_s=series.duration_s if len(series) > 1 else None,
        utilisation_mean_percent=_mean(usage),
        utilisation_median_percent=median(usage) if usage else None,
        utilisation_max_percent=max(usage, default=None),
        memory_peak_bytes=max(memory, default=None),
        memory_mean_bytes=_mean(memory),
        memory_total_bytes=capacity if capacity == capacity else None,
        temperature_mean_c=_mean(temperature),
        temperature_max_c=max(temperature, default=None),
        power_mean_w=_mean(power),
        idle_share=idle.share if idle is not None else None,
    )


def _mean(values: array[float]) -> float | None:
    return sum(values) / len(values) if values else None


def is_judged(log: Log) -> bool:
    """Whether any GPU has a known value of anything that is judged."""
    return any(len(series.known(column)) for series in log.series.values() for column, _ in _JUDGED)


def _gaps_in_knowledge(series: Series, log: Log) -> list[str]:
    """What of a GPU cannot be judged, and why."""
    told = []
    for column, word in _JUDGED:
        known = len(series.known(column))
        if not known:
            told.append(f"GPU {series.gpu}: no {word} recorded, cannot judge it")
        elif known * 2 < len(series):
            told.append(f"GPU {series.gpu}: {word} is missing in {len(series) - known} of {len(series)} samples")
    if len(series) < _FEW_SAMPLES:
        told.append(f"GPU {series.gpu}: {len(series)} samples are too few to look for leaks and patterns")
    if log.has_times and (longest := _longest_step(series)) > _LONG_GAP * series.interval_s > 0:
        told.append(f"GPU {series.gpu}: nothing was recorded for up to {longest:.0f} s")
    return told


def _longest_step(series: Series) -> float:
    times = series.times
    return max(map(float.__sub__, times[1:], times[:-1]), default=0.0)
