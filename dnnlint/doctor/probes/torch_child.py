"""Imports PyTorch and prints what it says of itself as JSON; runs in a process of its own with a time limit."""

from __future__ import annotations

import json
import warnings


def main() -> None:
    """Print one object on the last line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        import torch

        available = bool(torch.cuda.is_available())
        error = ""
        if available:
            try:
                torch.zeros(8, device="cuda").sum().item()
            except Exception as failure:
                error = f"{type(failure).__name__}: {failure}"
        elif torch.version.cuda:
            try:
                torch.cuda.init()
            except Exception as failure:
                error = f"{type(failure).__name__}: {failure}"
        # Known to the build whether or not a GPU is usable; the public function says nothing without one.
        flags = getattr(torch._C, "_cuda_getArchFlags", None) or str
        cudnn = torch.backends.cudnn.version() if available else None
    texts = [str(warning.message) for warning in caught]
    print(
        json.dumps(
            {
                "cuda_available": available,
                "cuda_error": " ".join((error or next(iter(texts), "")).split())[:300],
                "device_count": torch.cuda.device_count(),
                "architectures": torch.cuda.get_arch_list() or flags().split(),
                "cudnn": str(cudnn or ""),
            }
        )
    )


main()
