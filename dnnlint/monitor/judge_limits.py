"""Temperature, memory and errors of the hardware against their limits."""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.finding import Severity
from dnnlint.monitor.columns import MEMORY_USED, TEMPERATURE, TEMPERATURE_MARGIN, THROTTLED, XID
from dnnlint.monitor.log import Series
from dnnlint.monitor.model import Observation
from dnnlint.monitor.patterns import find_leak, find_memory_sawtooth
from dnnlint.monitor.question import Question
from dnnlint.monitor.wording import size, span

_COOL = "Lower the load or the power limit (`nvidia-smi -pl`), clean fans and filters, improve the flow of air."


def judge_temperature(series: Series, question: Question) -> Iterator[Observation]:
    """Findings about heat."""
    known = series.known(TEMPERATURE)
    hottest = max(known, default=0.0)
    limit = question.limits.temperature_c
    if hottest >= limit:
        seconds = sum(value >= limit for value in known) * series.interval_s
        message = f"GPU {series.gpu} reached {hottest:.0f} °C and was at {limit:g} °C or above for {span(seconds)}."
        figures = {"temperature_max_c": hottest, "seconds": seconds}
        yield Observation("overheated-gpu", Severity.ERROR, series.gpu, message, _COOL, "S5.1.2", figures)
    elif (own := _own_limit(series, hottest, question)) is not None:
        figures = {"temperature_max_c": hottest}
        yield Observation("thermal-throttling", Severity.WARNING, series.gpu, own, _COOL, "S5.1.2", figures)
    elif question.temperature_limit_c is None and not _tells_limit(series) and hottest >= question.limits.throttle_c:
        message = (
            f"GPU {series.gpu} reached {hottest:.0f} °C; most data-centre GPUs throttle at 83 to 90 °C, and the log "
            "does not hold this GPU's own limit."
        )
        help_text = "Give --temperature-limit (`nvidia-smi -q -d TEMPERATURE`), or record temperature.gpu.tlimit."
        figures = {"temperature_max_c": hottest}
        yield Observation("hot-gpu", Severity.ADVICE, series.gpu, message, help_text, "S5.1.2", figures)


def _tells_limit(series: Series) -> bool:
    return len(series.known(TEMPERATURE_MARGIN)) + len(series.known(THROTTLED)) > 0


def _own_limit(series: Series, hottest: float, question: Question) -> str | None:
    """What says that the GPU reached its own limit, None when nothing does."""
    own = question.temperature_limit_c
    if own is not None and hottest >= own:
        return f"GPU {series.gpu} reached {hottest:.0f} °C, its limit is {own:g} °C: it slows itself down."
    margin = series.known(TEMPERATURE_MARGIN)
    if margin and min(margin) <= 0:
        return f"GPU {series.gpu} used up its margin to the temperature at which it slows itself down."
    throttled = series.known(THROTTLED)
    slowed = sum(value > 0 for value in throttled)
    if slowed:
        return f"GPU {series.gpu} slowed itself down because of heat in {slowed} of {len(throttled)} samples."
    return None


def judge_memory(series: Series, question: Question) -> Iterator[Observation]:
    """Findings about memory: against the capacity, against the prediction, over time."""
    known = series.known(MEMORY_USED)
    if not known:
        return
    peak = max(known)
    capacity = question.memory_total_bytes or series.capacity_bytes
    if capacity == capacity and capacity > 0:
        yield from _judge_capacity(series.gpu, peak, capacity, question)
    yield from _judge_prediction(series.gpu, peak, question)
    yield from _judge_swing(series, question)
    leak = find_leak(series, question.limits)
    if leak is not None:
        yield Observation(
            "memory-leak",
            Severity.WARNING,
            series.gpu,
            f"The memory of GPU {series.gpu} keeps growing after the warm-up: {size(leak.growth_bytes)} in "
            f"{span(leak.duration_s)}, {size(leak.bytes_per_hour)} an hour (Mann-Kendall p = {leak.p:.1g}).",
            "Look for tensors kept with their graph (`total += loss`), growing lists, evaluation without `no_grad`; "
            "inputs that get longer over the run look the same.",
            "S5.1.1",
            {"growth_bytes": leak.growth_bytes, "bytes_per_hour": leak.bytes_per_hour, "p": leak.p},
        )


def _judge_swing(series: Series, question: Question) -> Iterator[Observation]:
    found = find_memory_sawtooth(series, question.limits)
    if found is None:
        return
    yield Observation(
        "sawtooth-memory",
        Severity.ADVICE,
        series.gpu,
        f"The memory of GPU {series.gpu} swings between {size(found.low)} and {size(found.high)} every "
        f"{span(found.period_s)} (autocorrelation {found.correlation:.2f}): blocks are given back and taken again.",
        "Look for `empty_cache()` in the loop and retries near the capacity; phases such as evaluation look the same.",
        "S5.1.1",
        {"period_s": found.period_s, "autocorrelation": found.correlation, "low_bytes": found.low},
    )


def _judge_capacity(gpu: str, peak: float, capacity: float, question: Question) -> Iterator[Observation]:
    share = peak / capacity * 100.0
    figures = {"memory_peak_bytes": peak, "memory_total_bytes": capacity}
    text = f"The memory of GPU {gpu} peaks at {size(peak)} of {size(capacity)} ({share:.0f} %)"
    headroom = question.limits.memory_headroom_percent
    if share >= question.limits.memory_full_percent:
        help_text = (
            "Lower the batch size or turn on checkpointing; TensorFlow and JAX take everything unless told otherwise."
        )
        yield Observation("memory-full", Severity.WARNING, gpu, f"{text}: it is full.", help_text, "S4.1.2", figures)
    elif share > 100.0 - headroom:
        message = f"{text}, which leaves less than {headroom:g} % in reserve."
        help_text = "A longer sample or fragmentation can end the run; PyTorch's cache is counted as used."
        yield Observation("little-headroom", Severity.ADVICE, gpu, message, help_text, "S2.1.2a", figures)


def _judge_prediction(gpu: str, peak: float, question: Question) -> Iterator[Observation]:
    expected = question.expectation
    if expected is None:
        return
    tolerance = question.limits.expect_tolerance_percent / 100.0
    difference = peak / expected.device_bytes - 1.0
    figures = {"memory_peak_bytes": peak, "expected_bytes": expected.device_bytes, "difference": difference}
    text = f"The memory of GPU {gpu} peaks at {size(peak)}, {abs(difference):.0%}"
    predicted = f"the predicted {size(expected.device_bytes)}"
    if peak > expected.high_bytes * (1.0 + tolerance):
        help_text = (
            "Look for other processes on the GPU, a leak, another batch size or precision than predicted, or cuDNN."
        )
        message = f"{text} above {predicted}."
        yield Observation("memory-above-prediction", Severity.WARNING, gpu, message, help_text, "S4.1.2", figures)
    elif peak < expected.low_bytes * (1.0 - tolerance):
        help_text = "The settings of the run and of the estimate differ, or the batch can be larger."
        message = f"{text} below {predicted}."
        yield Observation("memory-below-prediction", Severity.ADVICE, gpu, message, help_text, "S4.1.2", figures)


def judge_health(series: Series, question: Question) -> Iterator[Observation]:
    """Errors that the driver reported."""
    errors = sorted({int(value) for value in series.known(XID) if value > 0})
    if errors:
        codes = ", ".join(map(str, errors))
        yield Observation(
            "xid-error",
            Severity.ERROR,
            series.gpu,
            f"The driver reported Xid {codes} for GPU {series.gpu}.",
            "Look the number up in NVIDIA's list of Xid errors, and the time in the kernel log (`dmesg`).",
            "S5.2.2",
            {f"xid_{code}": 1.0 for code in errors},
        )
