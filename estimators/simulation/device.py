"""The device that is simulated."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MIB = 1 << 20

CUBLAS_WORKSPACE_BYTES = 8_519_680
"""``CUBLAS_WORKSPACE_CONFIG`` default ``:4096:2:16:8`` KiB, 8.125 MiB (``parseChosenWorkspaceSize``)."""

CUBLAS_WORKSPACE_HOPPER_BYTES = 32 * MIB
"""The same on compute capability 9.x, 10.x and 12.x (``ATen/cuda/CublasHandlePool.cpp``)."""


class Attention(Enum):
    """Kernel that scaled_dot_product_attention takes; ``AUTO`` chooses as PyTorch does."""

    AUTO = "auto"
    MATH = "math"
    FLASH = "flash"
    EFFICIENT = "efficient"
    CUDNN = "cudnn"


@dataclass(frozen=True, slots=True)
class SimulatedDevice:
    """What of a GPU decides about memory."""

    compute_capability: tuple[int, int] = (8, 0)
    total_memory_bytes: int = 80 << 30
    multiprocessors: int = 108
    name: str = "simulated CUDA device"

    @property
    def cublas_workspace_bytes(self) -> int:
        """Workspace of one cuBLAS handle, kept for every thread that multiplies."""
        if self.compute_capability[0] in (9, 10, 12):
            return CUBLAS_WORKSPACE_HOPPER_BYTES
        return CUBLAS_WORKSPACE_BYTES

    @property
    def threads_per_multiprocessor(self) -> int:
        """Resident threads of a multiprocessor (CUDA programming guide, "Technical specifications")."""
        if self.compute_capability == (7, 5):
            return 1024
        return 1536 if self.compute_capability in ((8, 6), (8, 9), (12, 0), (12, 1)) else 2048
