"""DNN609: DistributedDataParallel with every rank on the same GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.calling import has_unknown_arguments
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.ranks import FRAMEWORKS, INIT_PROCESS_GROUP, calls_unknown, mentions_text
from dnnlint.program.roles import site, unwrap
from dnnlint.program.values import Const, Items, Ref, Result, Value, Values
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from collections.abc import Hashable

    from dnnlint.program import Program

_SETTERS = ("set_device", "set_device_index", "set_default_device")
_SET_UP = r"dist|init_|setup|set_up|device|launch|prepare"
_HELP = "Call `torch.cuda.set_device(local_rank)` before the model moves, and pass `device_ids=[local_rank]`."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report DistributedDataParallel models that each rank puts on a device without its rank."""
    calls = program.calls_to(*DISTRIBUTED_DATA_PARALLEL)
    if not calls or program.imports(*FRAMEWORKS) or _chooses_device(program):
        return
    for call in calls:
        place = program.place_of(call)
        if has_unknown_arguments(program.resolver, call.node, place):
            continue
        given = program.argument(call, "device_ids", 1)
        ids = program.resolver.resolve(given) if given is not None else (Const(None),)
        if _names_one_device(program, ids):
            yield _report(call.node, f"{quoted(program, call.node)} names one GPU for all ranks")
        elif ids == (Const(None),):
            moves = list(_moves(program, call))
            if moves and all(_is_fixed(program, move) for move in moves):
                yield _report(call.node, f"{quoted(program, moves[0].node)} names no rank")


def _chooses_device(program: Program) -> bool:
    """Whether the file, or a function of another file that sets the process up, may choose the device of a rank."""
    if any(program.resolver.sites_named(name) for name in _SETTERS) or program.calls_to("torch.cuda.device"):
        return True
    if any(program.argument(call, "device_id") is not None for call in program.calls_to(*INIT_PROCESS_GROUP)):
        return True
    return mentions_text(program, "CUDA_VISIBLE_DEVICES") or calls_unknown(program, _SET_UP)


def _names_one_device(program: Program, ids: Values) -> bool:
    """``device_ids=[0]``."""
    refs = [ref for value in ids if isinstance(value, Items) for ref in value.refs]
    numbers = [value for ref in refs for value in program.resolver.resolve(ref)]
    return len(ids) == 1 and len(numbers) == 1 and isinstance(numbers[0], Const)


def _moves(program: Program, call: Call) -> Iterator[Call]:
    """The calls of ``cuda()`` and ``to()`` on the model that is wrapped."""
    module = program.argument(call, "module", 0)
    wrapped = _sites(program, program.resolver.resolve(module)) if module is not None else set()
    for name in ("cuda", "to"):
        for move in program.resolver.sites_named(name):
            func = move.node.func
            if isinstance(func, cst.Attribute) and wrapped & _sites(program, program.resolve(func.value, move)):
                yield move


def _sites(program: Program, values: Values) -> set[Hashable]:
    return {site(inner) for value in values for inner in (value, *unwrap(program.resolver, value))}


def _is_fixed(program: Program, move: Call) -> bool:
    """Whether a move goes to ``"cuda"`` or to one and the same GPU, whatever the rank."""
    given = program.argument(move, "device", 0)
    if given is None:
        return move.attribute == "cuda"
    values = program.resolver.resolve(given)
    texts = [_device(program, value) for value in values]
    return all(texts) and any(text.startswith("cuda") for text in texts)


def _device(program: Program, value: Value) -> str:
    """``cuda:0`` of ``"cuda:0"``, ``0`` and ``torch.device("cuda", 0)``; empty where it is not known."""
    if isinstance(value, Const) and isinstance(value.value, (str, int)) and not isinstance(value.value, bool):
        return value.value if isinstance(value.value, str) else f"cuda:{value.value}"
    if isinstance(value, Result) and value.qualified == "torch.device" and value.node.args:
        parts = [program.resolver.resolve(Ref(a.value, value.place)) for a in value.node.args]
        if all(isinstance(v, Const) for values in parts for v in values):
            texts = {_device(program, v) for v in parts[0]}
            return "cuda" if "cuda" in {text.partition(":")[0] for text in texts} else "".join(texts)
    return ""


def _report(node: cst.CSTNode, reason: str) -> Report:
    return Report(node, f"{reason}, and nothing sets the device of a rank: all ranks share one GPU.", _HELP)


RULE = Rule(
    code="DNN609",
    name="all-ranks-on-one-device",
    severity=Severity.ERROR,
    clause="S3.1.1b",
    check=check,
)
