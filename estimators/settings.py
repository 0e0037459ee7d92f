"""Decide every setting of an estimate from the options, the file and the defaults, and remember who decided."""

from __future__ import annotations

from dataclasses import dataclass

from dnnlint.estimators.options import EstimateOptions, OptimizerSpec, Setting
from dnnlint.estimators.targets.hints import Hint, Hints

DEFAULT_BATCH = 8
DEFAULT_OPTIMIZER = OptimizerSpec("adamw")


@dataclass(frozen=True, slots=True)
class Decided:
    """Settings that options leave open, now decided."""

    batch: int
    precision: str
    optimizer: OptimizerSpec
    clip: float | None
    zero_grad: str
    accumulate: int
    loss: str | None
    sources: dict[str, Setting]


def decide_settings(options: EstimateOptions, hints: Hints, file_name: str, has_optimizer_hook: bool) -> Decided:
    """Take each setting from the first of: option, file, default."""
    sources: dict[str, Setting] = {}

    def pick(name: str, option: object, hint: Hint | None, default: object) -> object:
        if option is not None:
            value, source = option, f"--{name.replace('_', '-')}"
        elif hint is not None:
            value, source = hint.value, f"{file_name}:{hint.line}"
        else:
            value, source = default, "default"
        shown = value if value is None or isinstance(value, (int, float, str)) else str(value)
        sources[name] = Setting(shown, source)
        return value

    batch = pick("batch", options.batch, hints.batch, DEFAULT_BATCH)
    precision = pick("precision", options.precision, hints.precision, "fp32")
    clip = pick("clip", options.clip, hints.clip, None)
    zero_grad = pick("zero_grad", options.zero_grad, hints.zero_grad, "none")
    accumulate = pick("accumulate", options.accumulate, hints.accumulate, 1)
    optimizer = _optimizer(options, hints, file_name, has_optimizer_hook, sources)
    _plain_options(options, sources)
    assert isinstance(batch, int)
    assert isinstance(accumulate, int)
    assert clip is None or isinstance(clip, float)
    loss = str(hints.loss.value) if hints.loss is not None else None
    return Decided(batch, str(precision), optimizer, clip, str(zero_grad), accumulate, loss, sources)


def _optimizer(
    options: EstimateOptions, hints: Hints, file_name: str, has_hook: bool, sources: dict[str, Setting]
) -> OptimizerSpec:
    if options.optimizer is not None:
        spec, source = options.optimizer, "--optimizer"
    elif has_hook:
        sources["optimizer"] = Setting("build_optimizer()", file_name)
        return DEFAULT_OPTIMIZER
    elif hints.optimizer is not None:
        spec, source = hints.optimizer, f"{file_name}:{hints.optimizer_line}"
    else:
        spec, source = DEFAULT_OPTIMIZER, "default"
    arguments = ",".join(f"{name}={value}" for name, value in spec.arguments)
    sources["optimizer"] = Setting(f"{spec.name}:{arguments}" if arguments else spec.name, source)
    return spec


def _plain_options(options: EstimateOptions, sources: dict[str, Setting]) -> None:
    default = EstimateOptions()
    for name in (
        "mode",
        "attention",
        "checkpointing",
        "foreach",
        "fused",
        "seq_len",
        "image_size",
        "steps",
        "alloc_conf",
    ):
        value = getattr(options, name)
        given = value != getattr(default, name)
        if given or name in ("mode", "attention", "steps"):
            sources[name] = Setting(value, f"--{name.replace('_', '-')}" if given else "default")
    if options.freeze:
        sources["freeze"] = Setting(", ".join(options.freeze), "--freeze")
    for key, value in options.arguments:
        sources[f"arg {key}"] = Setting(value, "--arg")
