"""DNN601: nn.DataParallel instead of one process for each GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Branch, Call
from dnnlint.finding import Severity
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_DATA_PARALLEL = (
    "torch.nn.DataParallel",
    "torch.nn.parallel.DataParallel",
    "torch.nn.parallel.data_parallel.DataParallel",
    "torch.nn.parallel.data_parallel",
)
_DISTRIBUTED = (
    *DISTRIBUTED_DATA_PARALLEL,
    "torch.distributed.fsdp.FullyShardedDataParallel",
    "torch.distributed.fsdp.fully_shard",
)
_HELP = "Run one process for each GPU with `torchrun`, and wrap the model in `DistributedDataParallel`."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each DataParallel; beside DistributedDataParallel in another branch it is a fallback."""
    distributed = program.calls_to(*_DISTRIBUTED)
    for call in program.calls_to(*_DATA_PARALLEL):
        text = quoted(program, call.node)
        if any(_is_other_branch(call, other) for other in distributed):
            message = f"{text} is the fallback beside `DistributedDataParallel`."
            yield Report(call.node, message, _HELP, severity=Severity.ADVICE)
        else:
            message = f"{text} drives all GPUs from one process and copies the model to them on every forward."
            yield Report(call.node, message, _HELP)


def _is_other_branch(call: Call, other: Call) -> bool:
    """Whether two calls stand in different arms of one conditional."""
    block = call.block
    while block.parent is not None:
        owner = block.owner
        if isinstance(owner, Branch):
            opposite = owner.orelse if block is owner.then else owner.then
            if opposite is not None and other.block.within(opposite):
                return True
        block = block.parent
    return False


RULE = Rule(
    code="DNN601",
    name="data-parallel",
    severity=Severity.WARNING,
    clause="S3.1.1b",
    check=check,
)
