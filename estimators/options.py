"""What the user asks of an estimate: typed options, where each value came from, and their parsers."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from dnnlint.estimators.errors import OptionError

PRECISIONS = ("fp32", "tf32", "amp-fp16", "amp-bf16", "fp16", "bf16")
MODES = ("train", "inference", "generate")
ATTENTIONS = ("auto", "math", "flash", "efficient", "cudnn")
ZERO_GRADS = ("none", "keep")

OPTIMIZERS = (
    "adadelta", "adafactor", "adagrad", "adam", "adamax", "adamw", "asgd", "lbfgs", "muon", "nadam", "radam",
    "rmsprop", "rprop", "sgd", "sparseadam",
)  # fmt: skip
"""Every optimizer of ``torch.optim``, by lower-case class name."""

INPUT_DTYPES = ("float32", "float16", "bfloat16", "float64", "int64", "int32", "int16", "int8", "uint8", "bool")

GIB = 2**30
_UNITS = {
    "": 1,
    "b": 1,
    "k": 2**10,
    "m": 2**20,
    "g": GIB,
    "t": 2**40,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
}
_UNITS |= {f"{letter}ib": _UNITS[letter] for letter in "kmgt"}

Scalar = int | float | bool | str | None
"""A literal that an option can carry."""


@dataclass(frozen=True, slots=True)
class InputSpec:
    """One model input; ``shape`` lacks the batch dimension, ``name`` is the forward's keyword or empty."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    name: str = ""


@dataclass(frozen=True, slots=True)
class OptimizerSpec:
    """A ``torch.optim`` optimizer by lower-case name, with its keyword arguments."""

    name: str
    arguments: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True)
class EstimateOptions:
    """Everything that decides an estimate; None means "not given", so that a file or a default can decide."""

    batch: int | None = None
    inputs: tuple[InputSpec, ...] = ()
    seq_len: int | None = None
    image_size: int | None = None
    precision: str | None = None
    optimizer: OptimizerSpec | None = None
    foreach: bool | None = None
    fused: bool | None = None
    mode: str = "train"
    attention: str = "auto"
    checkpointing: bool = False
    accumulate: int | None = None
    clip: float | None = None
    zero_grad: str | None = None
    freeze: tuple[str, ...] = ()
    gpu: str | None = None
    gpu_memory_bytes: int | None = None
    headroom: float = 0.2
    max_batch: bool = False
    alloc_conf: str | None = None
    steps: int = 3
    arguments: tuple[tuple[str, Scalar], ...] = ()
    entry: str | None = None
    timeout_s: float = 300.0
    memory_limit_bytes: int = 16 * GIB

    @property
    def names_device(self) -> bool:
        """True when there is a memory to fit into, and so a verdict."""
        return self.gpu is not None or self.gpu_memory_bytes is not None

    def __post_init__(self) -> None:
        """Refuse values that no run can have, before anything heavy starts."""
        _check_counts(self)
        _check_choices(self)
        if not 0 <= self.headroom < 1:
            raise OptionError(f"--headroom is {self.headroom:g}.", "Give a share from 0 to below 1, such as 0.2.")
        if self.clip is not None and self.clip <= 0:
            raise OptionError(f"--clip is {self.clip:g}.", "Give the maximal gradient norm, a number above 0.")
        if self.foreach and self.fused:
            raise OptionError("--foreach and --fused exclude each other.", "Give one of them.")
        if self.max_batch and not self.names_device:
            raise OptionError("--max-batch has no memory to fit into.", "Add --gpu NAME or --gpu-memory SIZE.")
        if self.mode == "train" and self.steps < 2:
            raise OptionError(f"--steps is {self.steps}.", "Trace at least 2: the first has no optimizer state yet.")


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that the estimate used and where it came from."""

    value: Scalar
    source: str


@dataclass(slots=True)
class Settings:
    """The settings of one estimate in the order in which they were decided."""

    values: dict[str, Setting] = field(default_factory=dict)

    def put(self, name: str, value: Scalar, source: str) -> None:
        """Record the value of a setting; a later call replaces it."""
        self.values[name] = Setting(value, source)


def _check_counts(options: EstimateOptions) -> None:
    counts: Mapping[str, int | float | None] = {
        "--batch": options.batch,
        "--seq-len": options.seq_len,
        "--image-size": options.image_size,
        "--accumulate": options.accumulate,
        "--steps": options.steps,
        "--timeout": options.timeout_s,
        "--memory-limit": options.memory_limit_bytes,
        "--gpu-memory": options.gpu_memory_bytes,
    }
    for name, value in counts.items():
        if value is not None and value <= 0:
            raise OptionError(f"{name} is {value:g}.", "Give a number above 0.")


def _check_choices(options: EstimateOptions) -> None:
    choices: Mapping[str, tuple[str | None, tuple[str, ...]]] = {
        "--precision": (options.precision, PRECISIONS),
        "--mode": (options.mode, MODES),
        "--attention": (options.attention, ATTENTIONS),
        "--zero-grad": (options.zero_grad, ZERO_GRADS),
    }
    for name, (value, allowed) in choices.items():
        if value is not None and value not in allowed:
            raise OptionError(f"{name} is '{value}'.", f"Choose one of {', '.join(allowed)}.")


def parse_literal(text: str) -> Scalar:
    """Read a Python literal; anything else is the text itself."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False, "none": None}.get(text.lower(), text)
    return value if isinstance(value, (int, float, str)) or value is None else text


def parse_argument(text: str) -> tuple[str, Scalar]:
    """Read ``key=value`` as given to ``--arg``."""
    key, equals, value = text.partition("=")
    if not equals or not key.isidentifier():
        raise OptionError(f"--arg '{text}' is no key=value pair.", "Write it as --arg num_classes=10.")
    return key, parse_literal(value)


def parse_optimizer(text: str) -> OptimizerSpec:
    """Read ``NAME[:key=value,...]``, such as ``sgd:momentum=0.9``."""
    name, _, rest = text.partition(":")
    known = name.lower().replace("_", "")
    if known not in OPTIMIZERS:
        raise OptionError(f"--optimizer '{name}' is not in torch.optim.", _nearest(known, OPTIMIZERS))
    arguments = []
    for pair in filter(None, rest.split(",")):
        key, equals, value = pair.partition("=")
        if not equals or not key.isidentifier():
            raise OptionError(f"--optimizer has '{pair}', no key=value pair.", "Write it as sgd:momentum=0.9.")
        arguments.append((key, parse_literal(value)))
    return OptimizerSpec(known, tuple(arguments))


def parse_input(text: str) -> InputSpec:
    """Read ``[NAME:][DTYPE:]AxBxC``, such as ``3x224x224`` or ``input_ids:int64:1024``; the batch goes unsaid.

    A type without sizes is one number for each sample: ``int64`` or ``labels:int64``.
    """
    *labels, sizes = text.split(":")
    is_number = sizes in INPUT_DTYPES
    if is_number:
        labels, sizes = [*labels, sizes], ""
    if len(labels) > 2 or not (is_number or re.fullmatch(r"\d+(x\d+)*", sizes)):
        raise OptionError(
            f"--input '{text}' describes no tensor.",
            "Write 3x224x224, int64:1024 or input_ids:int64:1024, without the batch.",
        )
    shape = tuple(int(size) for size in sizes.split("x") if size)
    if 0 in shape:
        raise OptionError(f"--input '{text}' has an empty dimension.", "Give sizes above 0.")
    dtype = labels.pop() if labels and labels[-1] in INPUT_DTYPES else "float32"
    if len(labels) > 1 or (labels and not labels[0].isidentifier()):
        raise OptionError(f"--input '{text}' has an unknown type.", f"Types are {', '.join(INPUT_DTYPES)}.")
    return InputSpec(shape, dtype, labels[0] if labels else "")


def parse_bytes(text: str, option: str) -> int:
    """Read a size: ``24GiB``, ``24G`` (binary), ``24GB`` (decimal) or a plain number of bytes."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", text)
    unit = _UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None:
        raise OptionError(f"{option} '{text}' is no size.", "Write it as 24GiB, 24000MiB or a number of bytes.")
    return int(float(match[1]) * unit)


def _nearest(name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, known, n=3)
    return f"Did you mean {' or '.join(near)}?" if near else f"Known are {', '.join(known)}."
