"""The training program: what a script does, as far as its text shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Facts, collect_facts
from dnnlint.program.resolve import Resolver

if TYPE_CHECKING:
    import libcst as cst


class Program:
    """Everything rules ask about one file."""

    def __init__(self, module: cst.Module, facts: Facts) -> None:
        self.module = module
        self.facts = facts
        self.resolver = Resolver(facts)


def build_program(module: cst.Module) -> Program:
    """Collect the facts of a parsed file; the training program behind them is worked out when a rule asks."""
    return Program(module, collect_facts(module))
