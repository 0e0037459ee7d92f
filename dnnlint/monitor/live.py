"""Watch the GPUs of this machine through NVML; what is seen is judged like a recorded log."""

from __future__ import annotations

import contextlib
import importlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dnnlint.monitor.columns import MEMORY_TOTAL, MEMORY_USED, POWER, TEMPERATURE, THROTTLED, UTILISATION
from dnnlint.monitor.log import NAN, Log, LogError
from dnnlint.monitor.wording import size

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

T = TypeVar("T")
# nvmlClocksEventReasons of NVML's header: software and hardware slowdown because of heat.
_THERMAL_REASONS = 0x20 | 0x40
_SLOWDOWN_THRESHOLD = 1


class LivePlan(NamedTuple):
    """How to watch; without a duration until the user stops it."""

    interval_s: float = 1.0
    duration_s: float | None = None
    gpus: tuple[int, ...] = ()


class Device(NamedTuple):
    """A GPU of this machine, its name and the temperature at which it slows itself down."""

    number: int
    handle: object
    name: str
    slowdown_c: float


class Nvml:
    """The NVIDIA Management Library, while it is open."""

    def __init__(self, module: Any, devices: tuple[Device, ...]) -> None:  # pynvml has no annotations
        """Take the opened library and the GPUs to watch."""
        self._nvml = module
        self.devices = devices

    def sample(self, device: Device) -> dict[str, float]:
        """What the GPU says now; NaN for what it does not support."""
        nvml, handle = self._nvml, device.handle
        memory = self._ask(lambda: nvml.nvmlDeviceGetMemoryInfo(handle))
        reasons = self._ask(lambda: int(nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle)))
        power = self._ask(lambda: float(nvml.nvmlDeviceGetPowerUsage(handle)))
        rates = self._ask(lambda: float(nvml.nvmlDeviceGetUtilizationRates(handle).gpu))
        temperature = self._ask(lambda: float(nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU)))
        return {
            UTILISATION: NAN if rates is None else rates,
            MEMORY_USED: NAN if memory is None else float(memory.used),
            MEMORY_TOTAL: NAN if memory is None else float(memory.total),
            TEMPERATURE: NAN if temperature is None else temperature,
            POWER: NAN if power is None else power / 1000.0,
            THROTTLED: NAN if reasons is None else float(bool(reasons & _THERMAL_REASONS)),
        }

    def _ask(self, question: Callable[[], T]) -> T | None:
        try:
            return question()
        except (self._nvml.NVMLError, AttributeError):
            return None


@contextlib.contextmanager
def open_nvml(wanted: tuple[int, ...] = ()) -> Iterator[Nvml]:
    """Open NVML and look the GPUs up.

    Raises:
        LogError: the bindings are missing, the library does not load, or there is no such GPU.
    """
    try:
        nvml = importlib.import_module("pynvml")
    except ImportError as error:
        raise LogError("--live needs the bindings of NVML: pip install 'dnnlint[monitor]'") from error
    try:
        nvml.nvmlInit()
    except (nvml.NVMLError, OSError) as error:
        raise LogError(f"NVML cannot be used: {error}; is a driver of NVIDIA installed?") from error
    try:
        yield Nvml(nvml, tuple(_devices(nvml, wanted)))
    finally:
        with contextlib.suppress(nvml.NVMLError):
            nvml.nvmlShutdown()


def _devices(nvml: Any, wanted: tuple[int, ...]) -> Iterator[Device]:
    count = int(nvml.nvmlDeviceGetCount())
    if count == 0:
        raise LogError("NVML finds no GPU")
    for index in wanted or range(count):
        if index >= count:
            raise LogError(f"there is no GPU {index}: NVML finds {count}")
        try:
            handle = nvml.nvmlDeviceGetHandleByIndex(index)
            name = nvml.nvmlDeviceGetName(handle)
        except nvml.NVMLError as error:
            raise LogError(f"GPU {index} cannot be opened: {error}") from error
        slowdown = NAN
        with contextlib.suppress(nvml.NVMLError):
            slowdown = float(nvml.nvmlDeviceGetTemperatureThreshold(handle, _SLOWDOWN_THRESHOLD))
        yield Device(index, handle, name.decode() if isinstance(name, bytes) else str(name), slowdown)


def watch(plan: LivePlan, console: Console) -> tuple[Log, float | None]:
    """Sample until the time is over or the user stops it; return the log and the lowest slowdown temperature."""
    from rich.live import Live

    log = Log("this machine", "NVML")
    with open_nvml(plan.gpus) as nvml, Live(console=console, auto_refresh=False) as view:
        limits = [device.slowdown_c for device in nvml.devices if device.slowdown_c == device.slowdown_c]
        end = None if plan.duration_s is None else time.monotonic() + plan.duration_s
        with contextlib.suppress(KeyboardInterrupt):
            while end is None or time.monotonic() < end:
                for device in nvml.devices:
                    values = nvml.sample(device)
                    series = log.series_of(str(device.number), device.name)
                    series.extend([time.time()], {column: [value] for column, value in values.items()})
                view.update(_table(log), refresh=True)
                time.sleep(plan.interval_s)
    return log, min(limits, default=None)


def _table(log: Log) -> Table:
    from rich.table import Table

    table = Table()
    for heading in ("GPU", "utilisation", "mean", "memory", "of", "temperature", "power"):
        table.add_column(heading, justify="left" if heading == "GPU" else "right")
    for series in log.series.values():
        last = {column: values[-1] for column, values in series.columns.items()}
        usage = series.known(UTILISATION)
        table.add_row(
            f"{series.gpu} {series.name}",
            _shown(last[UTILISATION], "%"),
            _shown(sum(usage) / len(usage) if usage else NAN, "%"),
            *(size(last[column]) if last[column] == last[column] else "-" for column in (MEMORY_USED, MEMORY_TOTAL)),
            _shown(last[TEMPERATURE], "°C"),
            _shown(last[POWER], "W"),
        )
    return table


def _shown(value: float, unit: str) -> str:
    return f"{value:.0f} {unit}" if value == value else "-"
