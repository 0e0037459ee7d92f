"""Rows of PyTorch's own dispatcher and allocator on stub CUDA libraries, and eight measured runs of a Tesla T4."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator
from dataclasses import replace

from benchmarks import estimate_t4, oracle_case
from benchmarks.accuracy.cases import Case, Estimate, Row, of_usage, versions
from dnnlint.estimators.allocator import replay
from dnnlint.estimators.simulation import trace_program


def oracle() -> Iterator[Case]:
    """Yield the rows of ``benchmarks/data/oracle.csv`` that fit their device."""
    for row in oracle_case.rows():
        yield Case(row["id"], functools.partial(_oracle, row))


def _oracle(row: Row) -> list[Estimate]:
    _, usage = oracle_case.run(row)
    return [replace(of_usage(row["id"], usage), versions=versions("transformers", "timm", "torchvision", "peft"))]


def t4() -> Iterator[Case]:
    """Yield the runs of ``benchmarks/data/t4.csv``."""
    with estimate_t4.ROWS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Case(row["run"], functools.partial(_t4, row))


def _t4(row: Row) -> list[Estimate]:
    program = estimate_t4.program(row["model"], int(row["length"]))
    trace = trace_program(program, int(row["batch"]), estimate_t4.T4, estimate_t4.SETTINGS)
    return [replace(of_usage(row["run"], replay(trace)), versions=versions("transformers", "torchvision"))]
