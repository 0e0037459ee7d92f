"""What CUDA kernels and libraries take beyond their results, and where their results differ from meta ones."""

from __future__ import annotations

from collections.abc import Mapping

from dnnlint.estimators.simulation.device import SimulatedDevice
from dnnlint.estimators.simulation.lifetimes import Recorder

GEMM_OPERATORS = frozenset(
    f"aten::{name}"
    for name in ("mm", "addmm", "bmm", "baddbmm", "addbmm", "mv", "addmv", "dot", "vdot", "_addmm_activation", "_int_mm")
)
"""Operators that ask for a cuBLAS handle, and with it for the workspace of their thread."""

RESULT_ORDER: dict[str, tuple[int, ...]] = {
    "aten::native_dropout": (1, 0),
}
"""Order in which a kernel allocates its results, where it is not that of the schema."""


class KernelRules:
    """Looks up the memory of a kernel by the name of its operator."""

    def __init__(self, recorder: Recorder, device: SimulatedDevice) -> None:
        """Report to ``recorder`` what kernels take on ``device``."""
        self.recorder = recorder
        self.device = device
        self._threads_with_workspace: set[bool] = set()

    def before(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> None:
        """Record what is taken before the results are allocated."""

    def after(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object], result: object) -> None:
        """Record what is taken after the results are allocated."""
        if name in GEMM_OPERATORS:
            self._workspace(name)

    def corrected(
        self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object], result: object
    ) -> object:
        """Return the result as CUDA lays it out."""
        return result

    def _workspace(self, name: str) -> None:
        """Allocate one cuBLAS workspace for the thread of the program and one for that of autograd."""
        thread = self.recorder.in_backward
        if thread not in self._threads_with_workspace:
            self._threads_with_workspace.add(thread)
            self.recorder.workspace(self.device.cublas_workspace_bytes, name)
