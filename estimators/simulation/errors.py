"""Errors of the simulation."""

from __future__ import annotations


class SimulationError(RuntimeError):
    """The program cannot be simulated."""


class UnsupportedOperatorError(SimulationError):
    """PyTorch has no shape rule for an operator, and neither has the simulation."""

    def __init__(self, operator: str, reason: str) -> None:
        """Name the operator, and say what PyTorch answered."""
        super().__init__(f"no shape rule for operator {operator}: {reason}")
        self.operator = operator


class DataDependentError(SimulationError):
    """The program needs a value that only a real run could give."""
