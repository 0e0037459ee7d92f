"""DNN305: the removed spelling of clip_grad_norm_, and the plain function on the shards of an FSDP model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.clips import owner_of_parameters
from dnnlint.program.libraries import SHARDED
from dnnlint.program.roles import last_name
from dnnlint.program.values import External, Ref, Result, Value
from dnnlint.program.wording import quoted, source_text
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_OLD = ("torch.nn.utils.clip_grad_norm", "torch.nn.utils.clip_grad.clip_grad_norm")
_PLAIN = tuple(f"{name}_" for name in _OLD)
_SHARDING = ("torch.distributed.fsdp.", "fairscale.nn.")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report calls of the old name, and calls of the new one on FSDP models."""
    for call in program.calls_to(*_OLD):
        message = f"{quoted(program, call.node.func)} is deprecated in favour of `clip_grad_norm_`."
        yield Report(call.node, message, "Write `clip_grad_norm_` with the underscore; the arguments are the same.")
    if not program.imports("torch.distributed.fsdp", "fairscale"):
        return
    for call in program.calls_to(*_PLAIN):
        model = owner_of_parameters(call.node.args[0].value) if call.node.args else None
        values = program.resolve(model, call) if model is not None else ()
        if model is not None and values and all(_is_sharded(program, value) for value in values):
            name = source_text(program, model, 30)
            message = f"`{name}` is sharded by FSDP: this norm covers the shard of one rank, so ranks clip differently."
            yield Report(call.node, message, f"Call `{name}.clip_grad_norm_(max_norm)`, which reduces over the ranks.")


def _is_sharded(program: Program, value: Value) -> bool:
    if not isinstance(value, Result) or not value.qualified.startswith(_SHARDING):
        return False
    if last_name(value) not in SHARDED:
        return False
    for entry in value.node.args:
        if entry.keyword is not None and entry.keyword.value == "sharding_strategy":
            given = program.resolver.resolve(Ref(entry.value, value.place))
            return not any(isinstance(v, External) and v.qualified.endswith("NO_SHARD") for v in given)
    return True


RULE = Rule("DNN305", "deprecated-clip-grad-norm", Severity.WARNING, "S4.2.1b", check)
