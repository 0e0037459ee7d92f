"""DNN109: torch.autocast without its device type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import FixSafety, Severity
from dnnlint.program.calling import has_unknown_arguments
from dnnlint.program.values import Const
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings
from dnnlint.rules.amp._device import with_device

if TYPE_CHECKING:
    from dnnlint.program import Program

NAMES = ("torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each call that passes no device type, or a switch in its place."""
    for call in program.calls_to(*NAMES):
        given = program.argument(call, "device_type", 0)
        if given is None and has_unknown_arguments(program.resolver, call.node, program.place_of(call)):
            continue
        is_switch = given is not None and all(
            isinstance(value, Const) and isinstance(value.value, bool) for value in program.resolver.resolve(given)
        )
        if given is not None and not is_switch:
            continue
        text = quoted(program, call.node)
        fault = "passes a switch where the device type belongs" if is_switch else "names no device type"
        positional = ("enabled", "dtype", "cache_enabled") if is_switch else ()
        yield Report(
            call.node,
            f"{text} {fault} and raises an error.",
            'Write `torch.autocast("cuda", ...)`, with the device type that the code runs on.',
            edits=with_device(program, call.node, "cuda", positional=positional),
            fix_description='Pass `"cuda"` as device type.',
        )


RULE = Rule("DNN109", "autocast-without-device", Severity.ERROR, "S3.2.2a", check, FixSafety.SAFE)
