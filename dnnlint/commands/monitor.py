"""``dnnlint monitor``: judge a recorded GPU log, or watch the GPUs of this machine."""

from __future__ import annotations

import argparse
import json
import os
import sys

from dnnlint.commands.monitor_arguments import add_arguments, live_plan, read_options, threshold_flags
from dnnlint.config.files import ConfigFinder, load_config
from dnnlint.config.selectors import Selectors
from dnnlint.engine.errors import UsageError
from dnnlint.finding import Severity
from dnnlint.monitor.expectation import read_expectation
from dnnlint.monitor.judge import is_judged, judge
from dnnlint.monitor.log import Log, LogError
from dnnlint.monitor.question import Question
from dnnlint.monitor.report import encode, render
from dnnlint.monitor.thresholds import ThresholdError, Thresholds, make_thresholds

DESCRIPTION = """\
Judge what a GPU did against the specification's thresholds.

LOG is a CSV of `nvidia-smi --query-gpu`, the output of `nvidia-smi dmon`, metrics of a DCGM or another Prometheus
exporter, an answer of Prometheus' query API, or TensorBoard events; several are read as one.
Exit codes: 0 nothing found, 1 findings, 2 the log could not be judged.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "monitor",
        help="judge a GPU log, or watch a GPU",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge and print; returns the exit code."""
    if not (args.logs or args.live or args.prometheus):
        raise UsageError("name a log, or give --live or --prometheus")
    if args.logs and args.live:
        raise UsageError("give a log or --live, not both")
    try:
        question = _question(args)
        if args.prometheus:
            _write_alerts(args.prometheus, question)
        return _judge(args, question) if args.logs or args.live else 0
    except (LogError, ThresholdError) as error:
        raise UsageError(str(error)) from error


def _question(args: argparse.Namespace) -> Question:
    return Question(
        _limits(args),
        args.mode,
        read_expectation(args.expect) if args.expect else None,
        args.temperature_limit,
        args.memory,
    )


def _limits(args: argparse.Namespace) -> Thresholds:
    selectors = Selectors()
    if args.isolated:
        return make_thresholds(threshold_flags(args))
    config = load_config(args.config, selectors) if args.config else ConfigFinder(selectors).for_folder(os.getcwd())
    return make_thresholds(config.monitor, threshold_flags(args))


def _judge(args: argparse.Namespace, question: Question) -> int:
    log, question = _log(args, question)
    judgement = judge(log, question)
    if args.plot:
        from dnnlint.monitor.plot import plot

        plot(log, question, args.plot)
    if args.format == "json":
        print(json.dumps(encode(log, judgement, question), indent=2))
    else:
        from rich.console import Console

        render(log, judgement, Console())
    if not is_judged(log):
        return 2
    return int(judgement.fails(Severity(args.fail_on)))


def _log(args: argparse.Namespace, question: Question) -> tuple[Log, Question]:
    if not args.live:
        from dnnlint.monitor.readers import read_logs

        return read_logs(args.logs, read_options(args)), question
    from rich.console import Console

    from dnnlint.monitor.live import watch

    # The table is for the person who watches; standard output keeps the report alone.
    log, slowdown_c = watch(live_plan(args), Console(file=sys.stderr))
    if not log.series:
        raise LogError("stopped before the first sample")
    if question.temperature_limit_c is None:
        question = question._replace(temperature_limit_c=slowdown_c)
    return log, question


def _write_alerts(folder: str, question: Question) -> None:
    from dnnlint.monitor.prometheus import write_files

    for path in write_files(folder, question):
        print(f"Wrote {path}.", file=sys.stderr)
