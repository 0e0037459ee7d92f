"""GPUs as data: memory as PyTorch sees it, compute capability, CUDA context."""

from dnnlint.estimators.devices.catalogue import Context, Gpu, GpuError, all_gpus, custom_gpu, find_gpu

__all__ = ["Context", "Gpu", "GpuError", "all_gpus", "custom_gpu", "find_gpu"]
