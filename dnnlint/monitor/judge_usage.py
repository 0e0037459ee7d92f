"""Utilisation: its mean against the range, idle periods, regular swings, differences between GPUs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from dnnlint.finding import Severity
from dnnlint.monitor.columns import UTILISATION
from dnnlint.monitor.log import Series
from dnnlint.monitor.model import Observation
from dnnlint.monitor.patterns import find_idle, find_usage_sawtooth
from dnnlint.monitor.question import Question
from dnnlint.monitor.thresholds import Thresholds
from dnnlint.monitor.wording import moment, span

_LOADING = "Give the DataLoader more workers, `pin_memory` and `prefetch_factor`, and look at what runs between epochs."


def working_part(series: Series, limits: Thresholds) -> array[float]:
    """The utilisation from the first to the last sample with work: waiting before and after a run is no waste."""
    values = series.known(UTILISATION)
    idle = limits.idle_percent
    first = next((index for index, value in enumerate(values) if value > idle), None)
    if first is None:
        return values
    behind = next(index for index, value in enumerate(reversed(values)) if value > idle)
    return values[first : len(values) - behind]


def judge_usage(series: Series, question: Question) -> Iterator[Observation]:
    """Findings about the utilisation of one GPU."""
    usage = working_part(series, question.limits)
    if not usage:
        return
    if max(usage) <= question.limits.idle_percent:
        yield Observation(
            "unused-gpu",
            Severity.WARNING,
            series.gpu,
            f"GPU {series.gpu} did no work: its utilisation never exceeds {question.limits.idle_percent:g} %.",
            "Start a process for it, or give it back.",
            "S4.1.1",
            {"utilisation_max_percent": max(usage)},
        )
        return
    yield from _judge_mean(series.gpu, sum(usage) / len(usage), question)
    yield from _judge_idle(series, question)
    yield from _judge_sawtooth(series, question)


def _judge_mean(gpu: str, mean: float, question: Question) -> Iterator[Observation]:
    low, high = question.usage_range
    waste = question.limits.waste_percent if question.mode == "training" else low
    wanted = f"{low:g} to {high:g} % for {question.mode}"
    figures = {"utilisation_mean_percent": mean}
    text = f"The utilisation of GPU {gpu} is {mean:.0f} % on average"
    if mean < waste:
        message, help_text = f"{text}, below {waste:g} %: the GPU is wasted.", f"{_LOADING} Or raise the batch size."
        yield Observation("low-utilisation", Severity.WARNING, gpu, message, help_text, "S4.1.1", figures)
    elif mean < low:
        message, help_text = f"{text}, below {wanted}.", f"{_LOADING} Or raise the batch size."
        yield Observation("utilisation-below-range", Severity.ADVICE, gpu, message, help_text, "S4.1.1", figures)
    elif mean > question.limits.saturation_percent:
        message = f"{text}, above {question.limits.saturation_percent:g} %."
        help_text = "Nothing is wasted; make sure that the cooling holds: compare temperature and clocks."
        yield Observation("saturated-gpu", Severity.ADVICE, gpu, message, help_text, "S4.1.1", figures)
    elif mean > high:
        message, help_text = f"{text}, above {wanted}.", "Nothing is wasted; leave room where requests come in bursts."
        yield Observation("utilisation-above-range", Severity.ADVICE, gpu, message, help_text, "S4.1.1", figures)


def _judge_idle(series: Series, question: Question) -> Iterator[Observation]:
    idle = find_idle(series, question.limits)
    if idle.share * 100.0 <= question.limits.idle_share_percent:
        return
    count = f"{idle.periods} times" if idle.periods > 1 else "once"
    yield Observation(
        "idle-periods",
        Severity.WARNING,
        series.gpu,
        f"GPU {series.gpu} was idle {count} within its run, {span(idle.idle_s)} in all ({idle.share:.0%}); the longest "
        f"period lasts {span(idle.longest_s)} from {moment(idle.longest_at)}.",
        "Look at what the process does then: read data, start workers, evaluate on the CPU, write checkpoints.",
        "S4.1.1",
        {
            "periods": float(idle.periods),
            "idle_s": idle.idle_s,
            "idle_share": idle.share,
            "longest_s": idle.longest_s,
            "longest_at": idle.longest_at,
        },
    )


def _judge_sawtooth(series: Series, question: Question) -> Iterator[Observation]:
    found = find_usage_sawtooth(series, question.limits)
    if found is None:
        return
    yield Observation(
        "sawtooth-utilisation",
        Severity.WARNING,
        series.gpu,
        f"The utilisation of GPU {series.gpu} swings between {found.low:.0f} and {found.high:.0f} % "
        f"every {span(found.period_s)} (autocorrelation {found.correlation:.2f}): the GPU waits for something regular.",
        "Data loading that refills in bursts looks like this: raise `num_workers` and `prefetch_factor`; "
        "if the period is that of logging, evaluation or checkpoints, do these less often.",
        "S4.1.1",
        {"period_s": found.period_s, "autocorrelation": found.correlation},
    )


def judge_balance(all_series: Sequence[Series], question: Question) -> Iterator[Observation]:
    """A finding where GPUs of one log are used unequally."""
    means = {}
    for series in all_series:
        usage = working_part(series, question.limits)
        if usage and max(usage) > question.limits.idle_percent:
            means[series.gpu] = sum(usage) / len(usage)
    if len(means) < 2:
        return
    least, most = min(means, key=lambda gpu: means[gpu]), max(means, key=lambda gpu: means[gpu])
    if means[most] - means[least] <= question.limits.imbalance_percent:
        return
    yield Observation(
        "unequal-gpus",
        Severity.WARNING,
        least,
        f"GPUs are used unequally: GPU {most} at {means[most]:.0f} %, GPU {least} at {means[least]:.0f} % on average.",
        "In data parallel training every process needs the same work; `nn.DataParallel` loads its first GPU more.",
        "S4.1.1",
        {f"utilisation_mean_percent_{gpu}": mean for gpu, mean in means.items()},
    )
