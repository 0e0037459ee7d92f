"""Estimates every row of a source and writes the results down; a second call goes on where the first one ended.

    python -m benchmarks.accuracy.run SOURCE [TEXT ...]

Only cases whose id holds one of the texts are run, when texts are given. Needs the packages whose models the rows use.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FrameType

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

from benchmarks.accuracy import (
    dispatcher_rows,
    hugging_face_tables,
    liger_operators,
    litgpt_rows,
    peft_rows,
    single_rows,
    timm_models,
)
from benchmarks.accuracy.cases import Case, Estimate, append, read

SOURCES: dict[str, Callable[[], Iterator[Case]]] = {
    "bounds": timm_models.bounds,
    "smi_timm": timm_models.smi,
    "liger": liger_operators.cases,
    "oracle": dispatcher_rows.oracle,
    "t4": dispatcher_rows.t4,
    "single": single_rows.cases,
    "peft": peft_rows.cases,
    "litgpt": litgpt_rows.tables,
    "litgpt_hub": litgpt_rows.hub,
    "hf_tables": hugging_face_tables.cases,
}
LIMIT_S = 300


class _OutOfTime(Exception):
    """A case took longer than its limit."""


def _alarm(number: int, frame: FrameType | None) -> None:
    raise _OutOfTime(f"more than {LIMIT_S} s")


def estimate(case: Case) -> list[Estimate]:
    """Run a case; whatever it raises becomes the error of its only estimate."""
    started = time.process_time()
    signal.signal(signal.SIGALRM, _alarm)
    signal.alarm(LIMIT_S)
    try:
        found = list(case.run())
    except Exception as error:
        text = (str(error).splitlines() or [""])[0][:200]
        found = [Estimate(case.id, error=f"{type(error).__name__}: {text}")]
    finally:
        signal.alarm(0)
    seconds = round((time.process_time() - started) / max(1, len(found)), 2)
    return [replace(one, seconds=seconds) for one in found]


def main(arguments: list[str]) -> int:
    """Estimate what is still missing of a source."""
    warnings.simplefilter("ignore")
    source, wanted = arguments[0], arguments[1:]
    file = f"{source}.csv"
    done = {one.id for one in read(file)} | {one.id.rpartition("@")[0] for one in read(file)}
    for case in SOURCES[source]():
        if case.id in done or (wanted and not any(text in case.id for text in wanted)):
            continue
        found = estimate(case)
        append(file, found)
        for one in found:
            size = f"{one.allocated_bytes / 2**20:10.1f} MiB" if not one.error else one.error
            print(f"{one.id:60} {size} {one.seconds:.2f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
