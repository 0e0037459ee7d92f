"""The options of ``dnnlint monitor``."""

from __future__ import annotations

import argparse
import math
import re

from dnnlint.finding import Severity
from dnnlint.monitor.live import LivePlan
from dnnlint.monitor.question import MODES
from dnnlint.monitor.readers.options import ReadOptions
from dnnlint.monitor.thresholds import HELP, Thresholds, key_of

_SIZE = re.compile(r"^(\d+(?:\.\d+)?)\s*([KMGT])i?B$", re.I)
_FACTORS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add every option of the verb."""
    parser.add_argument("logs", nargs="*", metavar="LOG", help="what was recorded")
    parser.add_argument("--mode", choices=MODES, default="training", help="what the GPU was used for (training)")
    parser.add_argument("--expect", metavar="FILE", help="what `dnnlint estimate --format json` printed")
    parser.add_argument("--memory", type=_size, metavar="SIZE", help="memory of the GPU, as 24GiB, if not in the log")
    parser.add_argument(
        "--temperature-limit", type=_number, metavar="C", help="temperature at which this GPU slows itself down"
    )
    _add_reading(parser.add_argument_group("reading"))
    _add_watching(parser.add_argument_group("watching"))
    _add_output(parser.add_argument_group("output"))
    _add_thresholds(parser.add_argument_group("thresholds", "also in [tool.dnnlint.monitor]"))


def _add_reading(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--columns", type=_names, default=(), metavar="A,B,...", help="columns of a CSV without a heading"
    )
    group.add_argument(
        "--map",
        type=_pair,
        action="append",
        default=[],
        metavar="NAME=COLUMN",
        help="what a column, metric or tag holds, as my_metric=utilization.gpu or 'mem=memory.used [MiB]'",
    )
    group.add_argument(
        "--interval", type=_positive, metavar="SECONDS", help="time between samples that have none, or of --live (1)"
    )


def _add_watching(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--live", action="store_true", help="watch the GPUs of this machine, then judge")
    group.add_argument("--duration", type=_positive, metavar="SECONDS", help="how long (until Ctrl-C)")
    group.add_argument("--gpu", type=_index, action="append", default=[], metavar="N", help="watch this GPU (all)")


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--format", choices=("text", "json"), default="text", help="the format of the report (text)")
    group.add_argument("--plot", metavar="FILE", help="draw the log, as .png, .svg or .pdf")
    group.add_argument(
        "--prometheus", metavar="FOLDER", help="write alert rules and a Grafana dashboard with the same thresholds"
    )
    group.add_argument(
        "--fail-on",
        choices=[severity.value for severity in Severity],
        default="warning",
        help="the least severity that fails (warning)",
    )
    group.add_argument("--config", metavar="FILE", help="use this configuration")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")


def _add_thresholds(group: argparse._ArgumentGroup) -> None:
    defaults = Thresholds()
    for name, text in HELP.items():
        group.add_argument(
            f"--{key_of(name)}",
            type=_number,
            metavar="X",
            help=f"{text} ({getattr(defaults, name):g})".replace("%", "%%"),
        )


def threshold_flags(args: argparse.Namespace) -> dict[str, float]:
    """The thresholds that the command line gives."""
    given = {key_of(name): getattr(args, name) for name in Thresholds._fields}
    return {key: value for key, value in given.items() if value is not None}


def read_options(args: argparse.Namespace) -> ReadOptions:
    """How to read the logs."""
    return ReadOptions(args.columns, args.interval, dict(args.map))


def live_plan(args: argparse.Namespace) -> LivePlan:
    """How to watch."""
    return LivePlan(args.interval or 1.0, args.duration, tuple(args.gpu))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _pair(text: str) -> tuple[str, str]:
    name, sign, column = text.rpartition("=")
    if not sign or not name or not column:
        raise argparse.ArgumentTypeError(f'expected NAME=COLUMN, found "{text}"')
    return name, column


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f'expected a number, found "{text}"')
    return value


def _positive(text: str) -> float:
    value = _number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'expected a number above 0, found "{text}"')
    return value


def _index(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f'expected the index of a GPU, found "{text}"')
    return int(text)


def _size(text: str) -> float:
    match = _SIZE.match(text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f'expected a size such as 24GiB, found "{text}"')
    return float(match[1]) * _FACTORS[match[2].upper()]
