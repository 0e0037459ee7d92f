"""DNN512: a TensorFlow training script that takes the whole GPU because nothing tells it to take less."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.tensorflow_training import fits, tapes
from dnnlint.program.values import Const
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program

_HELP = "Call `tf.config.experimental.set_memory_growth(gpu, True)` for each GPU before the first operation."
# Calls and attributes that limit the memory or leave the GPU alone.
_LIMITS = frozenset(
    "set_memory_growth set_logical_device_configuration set_virtual_device_configuration LogicalDeviceConfiguration "
    "VirtualDeviceConfiguration allow_growth per_process_gpu_memory_fraction TPUStrategy".split()
)
_VARIABLES = ("TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_ALLOCATOR", "KERAS_BACKEND", "CUDA_VISIBLE_DEVICES")
_NAMES_GPU = ("device", "list_physical_devices", "get_visible_devices", "set_visible_devices")
_STRATEGIES = (
    "tensorflow.distribute.MirroredStrategy",
    "tensorflow.distribute.MultiWorkerMirroredStrategy",
    "tensorflow.distribute.experimental.MultiWorkerMirroredStrategy",
)
_GPU = re.compile(r"(^|/|:)gpu(:\d+)?$", re.IGNORECASE)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first call that shows the program to train on a GPU."""
    if not program.imports("tensorflow") or program.imports("tensorflow.compat.v1", "torch", "jax"):
        return
    if not (fits(program) or tapes(program)) or _is_limited(program):
        return
    strategies = {id(call) for call in program.calls_to(*_STRATEGIES)}
    for call in program.facts.calls:
        if id(call) in strategies or _names_gpu(program, call):
            message = (
                f"{quoted(program, call.node)} trains on a GPU, and nothing keeps the process from taking all of it."
            )
            yield Report(call.node, message, _HELP)
            return


def _is_limited(program: Program) -> bool:
    """Whether the file sets a limit, an environment variable for it or another backend, or hides the GPUs."""
    names = {call.attribute for call in program.facts.calls} | set(program.facts.attribute_loads)
    targets = [assign.target for assign in program.facts.assigns]
    names |= {target.attr.value for target in targets if isinstance(target, cst.Attribute)}
    if names & _LIMITS or any(_hides_all(call) for call in program.resolver.sites_named("set_visible_devices")):
        return True
    keys = [target.slice[0].slice for target in targets if isinstance(target, cst.Subscript)]
    named = [key.value for key in keys if isinstance(key, cst.Index)]
    for name in ("setdefault", "putenv"):
        named += [call.node.args[0].value for call in program.resolver.sites_named(name) if call.node.args]
    return any(isinstance(node, cst.SimpleString) and node.evaluated_value in _VARIABLES for node in named)


def _hides_all(call: Call) -> bool:
    first = call.node.args[0].value if call.node.args else None
    return isinstance(first, cst.List) and not first.elements


def _names_gpu(program: Program, call: Call) -> bool:
    """``tf.device("/GPU:0")``, ``tf.config.list_physical_devices("GPU")``."""
    if call.attribute not in _NAMES_GPU or not call.chain:
        return False
    values = [value for entry in call.node.args for value in program.resolve(entry.value, call)]
    return any(isinstance(v, Const) and isinstance(v.value, str) and _GPU.search(v.value) for v in values)


RULE = Rule("DNN512", "tensorflow-memory-growth", Severity.ADVICE, "S2.2.1", check)
