"""A simulated CUDA device: PyTorch programs run on it with shapes and lifetimes, and without content."""

from dnnlint.estimators.allocator import Category, Note, NoteKind, Phase, Trace
from dnnlint.estimators.simulation.device import Attention, SimulatedDevice
from dnnlint.estimators.simulation.driver import enable_checkpointing, trace_program
from dnnlint.estimators.simulation.errors import DataDependentError, SimulationError, UnsupportedOperatorError
from dnnlint.estimators.simulation.program import Mode, Precision, StepSettings, TrainingProgram, ZeroGrad
from dnnlint.estimators.simulation.session import Simulation, simulate

__all__ = [
    "Attention",
    "Category",
    "DataDependentError",
    "Mode",
    "Note",
    "NoteKind",
    "Phase",
    "Precision",
    "SimulatedDevice",
    "Simulation",
    "SimulationError",
    "StepSettings",
    "Trace",
    "TrainingProgram",
    "UnsupportedOperatorError",
    "ZeroGrad",
    "enable_checkpointing",
    "simulate",
    "trace_program",
]
