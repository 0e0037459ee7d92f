"""The training program: what a script does, as far as its text shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst


class Program:
    """Everything rules ask about one file."""

    def __init__(self, module: cst.Module) -> None:
        self.module = module


def build_program(module: cst.Module) -> Program:
    """Collect the facts of a parsed file; the training program behind them is worked out when a rule asks."""
    return Program(module)
