"""``dnnlint estimate``: predict the memory of a training step."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator

from dnnlint.estimators import EstimateError, EstimateOptions, OptionError, estimate, options

DESCRIPTION = """\
Predict the GPU memory of training a model, to the allocator's block, without a GPU.

TARGET is file.py, file.py:NAME, package.module:NAME, torchvision/NAME, timm/NAME, hf/MODEL_TYPE or a config.json.
The target runs in a confined process: limited time and memory, no network, no writes outside a scratch folder.
Exit codes: 0 fits or no GPU named, 1 does not fit, 2 could not estimate.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "estimate",
        help="predict the memory of a training step",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("target", metavar="TARGET")
    _add_model_options(parser)
    _add_training_options(parser)
    _add_device_options(parser)
    _add_run_options(parser)
    parser.set_defaults(run=run)


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model and inputs")
    group.add_argument("--entry", metavar="NAME", help="function, variable or class of the file that gives the model")
    group.add_argument(
        "--arg", action="append", default=[], metavar="K=V", help="argument of the model, or of the file's command line"
    )
    group.add_argument("--batch", type=int, metavar="N", help="samples in a batch")
    group.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="[NAME:][DTYPE:]SHAPE",
        help="an input without the batch: 3x224x224, ids:int64:1024",
    )
    group.add_argument("--seq-len", type=int, metavar="N", help="tokens in a sample")
    group.add_argument("--image-size", type=int, metavar="N", help="height and width of an image")
    group.add_argument(
        "--attention", default="auto", help=f"kernel of scaled_dot_product_attention: {', '.join(options.ATTENTIONS)}"
    )
    group.add_argument("--checkpointing", action="store_true", help="turn on the model's gradient checkpointing")
    group.add_argument(
        "--freeze",
        action="append",
        default=[],
        metavar="PATTERN",
        help="parameters that need no gradient, as backbone.*",
    )


def _add_training_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("training")
    group.add_argument("--mode", default="train", help=", ".join(options.MODES))
    group.add_argument("--precision", help=", ".join(options.PRECISIONS))
    group.add_argument("--optimizer", metavar="NAME[:K=V,...]", help="an optimizer of torch.optim, as sgd:momentum=0.9")
    group.add_argument(
        "--foreach", action=argparse.BooleanOptionalAction, help="the optimizer's implementation over lists"
    )
    group.add_argument("--fused", action=argparse.BooleanOptionalAction, help="the optimizer's fused kernels")
    group.add_argument("--accumulate", type=int, metavar="N", help="micro-batches in an optimizer step")
    group.add_argument("--clip", type=float, metavar="NORM", help="clip the norm of the gradients")
    group.add_argument("--zero-grad", help="none drops gradients, keep writes zeros")
    group.add_argument("--steps", type=int, default=3, metavar="N", help="steps to trace (3)")


def _add_device_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("device")
    group.add_argument("--gpu", metavar="NAME", help="a GPU of the catalogue, as t4, rtx-3090, h100")
    group.add_argument("--gpu-memory", metavar="SIZE", help="memory of the GPU as PyTorch sees it, as 24GiB")
    group.add_argument(
        "--headroom", type=float, default=0.2, metavar="SHARE", help="share of the memory to leave free (0.2)"
    )
    group.add_argument("--max-batch", action="store_true", help="fail when the largest batch cannot be found")
    group.add_argument("--alloc-conf", metavar="STR", help="PYTORCH_ALLOC_CONF, as expandable_segments:True")


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("report and limits")
    group.add_argument("--format", default="text", choices=("text", "json"))
    group.add_argument(
        "--timeout", type=float, default=300.0, metavar="SECONDS", help="end the estimate after this time (300)"
    )
    group.add_argument(
        "--memory-limit", default="16GiB", metavar="SIZE", help="host memory that the target may use (16GiB)"
    )


def run(args: argparse.Namespace) -> int:
    """Estimate and print; returns the exit code."""
    try:
        asked = read_options(args)
        with _progress(args.format == "text") as show:
            result = estimate(args.target, asked, show)
    except EstimateError as error:
        print(f"dnnlint: error: {error.message}", file=sys.stderr)
        if error.help:
            print(f"  help: {error.help}", file=sys.stderr)
        return 2
    if args.format == "json":
        print(json.dumps(result.to_json(), indent=2))
    else:
        from rich.console import Console

        from dnnlint.estimators.report.text import render

        render(result, Console())
    return result.verdict.status.exit_code


def read_options(args: argparse.Namespace) -> EstimateOptions:
    """Turn parsed arguments into typed options.

    Raises OptionError for a value that cannot be used.
    """
    names = [name for name, _ in map(options.parse_argument, args.arg)]
    if len(set(names)) < len(names):
        raise OptionError("--arg gives one name twice.", "Give each argument once.")
    inputs = tuple(map(options.parse_input, args.input))
    if len({bool(spec.name) for spec in inputs}) > 1:
        raise OptionError("--input names some inputs and not others.", "Name all of them or none.")
    return EstimateOptions(
        batch=args.batch,
        inputs=inputs,
        seq_len=args.seq_len,
        image_size=args.image_size,
        precision=args.precision,
        optimizer=options.parse_optimizer(args.optimizer) if args.optimizer is not None else None,
        foreach=args.foreach,
        fused=args.fused,
        mode=args.mode,
        attention=args.attention,
        checkpointing=args.checkpointing,
        accumulate=args.accumulate,
        clip=args.clip,
        zero_grad=args.zero_grad,
        freeze=tuple(args.freeze),
        gpu=args.gpu,
        gpu_memory_bytes=options.parse_bytes(args.gpu_memory, "--gpu-memory") if args.gpu_memory is not None else None,
        headroom=args.headroom,
        max_batch=args.max_batch,
        alloc_conf=args.alloc_conf,
        steps=args.steps,
        arguments=tuple(map(options.parse_argument, args.arg)),
        entry=args.entry,
        timeout_s=args.timeout,
        memory_limit_bytes=options.parse_bytes(args.memory_limit, "--memory-limit"),
    )


@contextlib.contextmanager
def _progress(wanted: bool) -> Iterator[Callable[[str], None] | None]:
    """Show the running stage on a terminal's standard error; a pipe gets nothing."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield lambda stage: status.update(stage)
