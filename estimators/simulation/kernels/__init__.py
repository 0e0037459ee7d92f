"""What CUDA kernels take beyond their results, and how their results differ from what meta kernels give."""
