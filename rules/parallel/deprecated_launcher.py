"""DNN604: training started with torch.distributed.launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Edit, FixSafety, Severity
from dnnlint.knowledge.launchers import DEPRECATED_MODULE, runs_deprecated_launcher, with_torchrun
from dnnlint.rule import FileReport, NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    import libcst as cst

    from dnnlint.deploy.model import DeployFile
    from dnnlint.program import Program
    from dnnlint.program.commands import Command

_MESSAGE = "`torch.distributed.launch` is deprecated and will be removed."
_FILE = "torch/distributed/launch.py"
_HELP = 'Start with `torchrun`, and read the local rank from `os.environ["LOCAL_RANK"]`.'


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report command lines and runpy calls that run the deprecated launcher."""
    # A check of a deployment file imports this module, and must not pay for libcst.
    from dnnlint.program.commands import commands
    from dnnlint.program.values import Const

    for command in commands(program):
        if runs_deprecated_launcher(command.words):
            edits = tuple(_edits(command))
            yield Report(_place(command), _MESSAGE, _HELP, edits=edits, fix_description="Start with `torchrun`.")
    for call in program.calls_to("runpy.run_module"):
        given = program.argument(call, "mod_name", 0)
        if given is not None and Const(DEPRECATED_MODULE) in program.resolver.resolve(given):
            yield Report(call.node, _MESSAGE, _HELP)
    for call in program.calls_to(f"{DEPRECATED_MODULE}.main", f"{DEPRECATED_MODULE}.launch"):
        yield Report(call.node, _MESSAGE, _HELP)


def check_file(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report the same in shell scripts, and in the commands of images, compose files and manifests."""
    for command in file.commands:
        if runs_deprecated_launcher(command.texts):
            start, end = command.span
            text = with_torchrun(file.text[start:end])
            edits = (Edit(start, end, text),) if text is not None else ()
            yield FileReport(command.span, _MESSAGE, _HELP, edits=edits, fix_description="Start with `torchrun`.")


def _place(command: Command) -> cst.CSTNode:
    """The call, or the text that names the launcher where that stands elsewhere."""
    named = (node for text, node in command.parts if DEPRECATED_MODULE in text or _FILE in text)
    node = next(named, command.node)
    return command.call.node if _holds(command.call.node, node) else node


def _holds(outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
    return outer is inner or any(_holds(child, inner) for child in outer.children)


def _edits(command: Command) -> Iterator[NodeEdit]:
    """The edit of a command line that stands at the call as one string."""
    import libcst as cst

    if isinstance(command.node, cst.SimpleString):
        text = with_torchrun(command.node.value)
        if text is not None:
            yield NodeEdit("replace", command.node, text)


RULE = Rule(
    code="DNN604",
    name="deprecated-launcher",
    severity=Severity.WARNING,
    clause="S3.1.2",
    check=check,
    check_file=check_file,
    fix=FixSafety.SAFE,
)
